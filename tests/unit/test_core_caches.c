/*
 * test_core_caches.c - L1D and L2: hits, misses, merges, refusals, replacement, write-back; atomics; and that every
 * request is answered and every entry given back. The times of a load are those at the head of test_core_memory.c; with
 * the latencies of the bed a miss that issues in t is back in t + 10, and so is a hit.
 */
#include "core_bed.h"

/* --- the L1D --- */

/* Two warps load the same sector: one request, and both go on in the same cycle. */
static void loads_of_a_line_merge(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	bed_expect(b, 0,
		   "01"
		   "........"
		   "01"
		   "01");
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MISSES), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MERGES), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_REQUESTS), 1);
	assert_int_equal(b->sim.view[0].sm->mshrs_used, 0);
	bed_close(b);
}

/*
 * Another sector of a line on its way joins the MSHRs of L1D and L2, but is asked for on its own; nothing is served
 * before both are there. The second, issued in 4, is looked up in the L2 in 9, starts in 10 and is there in 12; both
 * answers are ready in 13 and leave in 13 and 14: the second reaches the SM in 15.
 */
static void another_sector_joins(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_load(b, 0, 4, BED_BASE);
	bed_load(b, 0, 5, BED_BASE + 64);
	bed_alu(b, 0, CLASS_INT, 4, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0,
		   "00"
		   ".........."
		   "0"
		   "0");
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MERGES), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_REQUESTS), 2);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_READS), 2);
	bed_close(b);
}

/* A sector of a present line that was never asked for is a miss. */
static void lines_are_sectored(void **state)
{
	static const u64 at[] = {0, 32, 0, 32};
	struct bed *b = bed_chain(at, 4);

	(void)state;
	bed_open(b);
	assert_int_equal(bed_round_trip(b, 0), 10);
	assert_int_equal(bed_round_trip(b, 1), 10);
	assert_int_equal(bed_round_trip(b, 2), 10); /* a hit: 2 + 8 */
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MISSES), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), 2);
	bed_close(b);
}

#define REASONS (REFUSED_POLICY + 1)

static const enum sm_counter counter_of[REASONS] = {
	[REFUSED_MSHRS] = STAT_L1D_REFUSED_MSHRS,	[REFUSED_MERGES] = STAT_L1D_REFUSED_MERGES,
	[REFUSED_INTERCONNECT] = STAT_L1D_REFUSED_ICNT, [REFUSED_SET] = STAT_L1D_REFUSED_SET,
	[REFUSED_QUEUE] = STAT_L1D_REFUSED_QUEUE,	[REFUSED_RESULTS] = STAT_L1D_REFUSED_RESULTS,
	[REFUSED_POLICY] = STAT_L1D_REFUSED_POLICY,
};

/* Reasons of the refusals of a run, by number; the events equal the counters, and these their sum. */
static void refusals(struct bed *b, u32 *reason)
{
	u64 sum = 0;

	memset(reason, 0, REASONS * sizeof *reason);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		for (u32 i = 0; i < b->sim.bus.count; i++)
			if (b->sim.bus.record[i].kind == EVENT_L1D_REFUSED)
				reason[b->sim.bus.record[i].a]++;
	}
	for (u32 i = 1; i < REASONS; i++) {
		assert_int_equal(reason[i], sim_sm_stat(&b->sim, counter_of[i]));
		sum += reason[i];
	}
	assert_int_equal(sum, sim_sm_stat(&b->sim, STAT_L1D_REFUSED));
}

/* One MSHR: the load of 4, to another line, is tried from 6 on and taken when the first is back, in 13; back in 13 + 8.
 */
static void mshrs_run_out(void **state)
{
	struct bed *b = bed_new();
	u32 reason[REASONS];

	(void)state;
	b->config.l1d_mshrs = 1;
	bed_load(b, 0, 4, BED_BASE);
	bed_load(b, 0, 5, BED_BASE + 128);
	bed_alu(b, 0, CLASS_INT, 6, 1, 4);
	bed_alu(b, 0, CLASS_INT, 6, 1, 5);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0,
		   "00"
		   "........"
		   "0"
		   "......."
		   "0"
		   "0");
	refusals(b, reason);
	assert_int_equal(reason[REFUSED_MSHRS], 13 - 6);
	assert_int_equal(reason[REFUSED_MERGES] + reason[REFUSED_INTERCONNECT], 0);
	bed_close(b);
}

/* One request per MSHR: the second load of the line is refused from 6 to 12 and hits in 13: back in 13 + 8. */
static void merges_run_out(void **state)
{
	struct bed *b = bed_new();
	u32 reason[REASONS];

	(void)state;
	b->config.l1d_merges = 1;
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 6, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	bed_expect(b, 0,
		   "01"
		   "........"
		   "00"
		   "......"
		   "1"
		   "1");
	refusals(b, reason);
	assert_int_equal(reason[REFUSED_MERGES], 13 - 6);
	assert_int_equal(reason[REFUSED_MSHRS] + reason[REFUSED_INTERCONNECT], 0);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), 1);
	bed_close(b);
}

/* Stores of four sectors hold the port for four cycles each; a queue of two packets fills. */
static void the_crossbar_fills(void **state)
{
	struct bed *b = bed_new();
	u32 reason[REASONS];

	(void)state;
	b->config.icnt_queue = 2;
	bed_address(b, 0, 2, BED_BASE, 4);
	for (u32 i = 0; i < 8; i++)
		bed_through(bed_memory(b, 0, OP_ST, CLASS_STORE, 0), 2)->offset = (i32)(i * 128);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	refusals(b, reason);
	assert_int_equal(reason[REFUSED_MSHRS] + reason[REFUSED_MERGES], 0);
	/* served from 10 on, moved in 11, 15, 19, ... 39: the k-th (from 0) may enter the queue of two when k - 2 has
	 * been moved, in 11 + 4 (k - 2); without refusals it would have come one cycle after the one before it */
	assert_int_equal(reason[REFUSED_INTERCONNECT], 31 - (10 + 7));
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_WRITES), 8);
	bed_close(b);
}

/* One set of two ways: the line used longest ago leaves. */
static void least_recently_used_leaves(void **state)
{
	static const u64 at[] = {0, 4096, 0, 8192, 0, 4096, 8192};
	static const bool hit[] = {false, false, true, false, true, false, false};
	struct bed *b = bed_chain(at, 7);
	u64 hits = 0;

	(void)state;
	b->config.l1d_line = 128;
	b->config.l1d_ways = 2;
	b->config.l1d_bytes = 512; /* two sets; the lines above are all even: set 0 */
	bed_open(b);
	for (u32 i = 0; i < 7; i++) {
		bed_round_trip(b, i);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS) - hits, hit[i]);
		hits = sim_sm_stat(&b->sim, STAT_L1D_HITS);
	}
	bed_close(b);
}

/* Stores are written through without a place in the L1D; the end of a kernel empties it. */
static void stores_and_boundaries(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE);
	bed_load(b, 0, 4, BED_BASE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_WRITES), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MISSES), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), 0);
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_MISSES),
			 1); /* the first store; its sector is there from then on */
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_HITS), 3);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_READS), 0);
	bed_close(b);
}

/* A set of two ways with two misses under way: with allocation on a miss a third line finds no place before the first
 * fill; with allocation on the fill it does. The third is tried from 7 on; the first is back in 13. */
static void a_set_of_reserved_lines(void **state)
{
	(void)state;
	for (u32 on_miss = 0; on_miss < 2; on_miss++) {
		struct bed *b = bed_new();
		u32 reason[REASONS];

		b->config.l1d_bytes = 512; /* two sets of two lines; the lines are all even: set 0 */
		b->config.l1d_ways = 2;
		b->config.l1d_allocate = on_miss;
		for (u32 i = 0; i < 3; i++)
			bed_load(b, 0, 4 + i, BED_BASE + i * 4096);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		refusals(b, reason);
		assert_int_equal(reason[REFUSED_SET], on_miss ? 13 - 7 : 0);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_REFUSED), reason[REFUSED_SET]);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MISSES), 3);
		bed_close(b);
	}
}

/* A miss queue of one: a load of 32 lines sends one each cycle, the first in 6 + 1, and each waits a cycle for the one
 * before it. */
static void the_miss_queue_fills(void **state)
{
	struct bed *b = bed_new();
	u32 reason[REASONS];

	(void)state;
	b->config.l1d_queue = 1;
	b->config.l1d_ports = 2;
	bed_address(b, 0, 2, BED_BASE, 128);
	bed_through(bed_load(b, 0, 4, 0), 2);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	refusals(b, reason);
	assert_int_equal(reason[REFUSED_QUEUE], 32 - 1); /* the second lookup of each cycle but the last */
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_REFUSED), 31);
	bed_close(b);
}

/* A store to a sector that is present leaves it (update) or throws it out (evict); the line's other sectors stay. */
static void stores_update_or_evict(void **state)
{
	(void)state;
	for (u32 evict = 0; evict < 2; evict++) {
		struct bed *b = bed_new();

		b->config.l1d_write = evict;
		for (u32 i = 0; i < 2; i++) {
			bed_load(b, 0, 4, BED_BASE);
			bed_alu(b, 0, CLASS_INT, 4, 1, 4);
			bed_load(b, 0, 5, BED_BASE + 32);
			bed_alu(b, 0, CLASS_INT, 0, 2, 4, 5); /* the store reads register 0 */
			bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE);
		}
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		bed_run(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MISSES), 2 + evict);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), 2 - evict);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_WRITES), 2);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_WRITE_HITS), 2);
		bed_close(b);
	}
}

/* --- the constant cache --- */

/* Loads of parameters at given offsets, each followed by a reader. */
static struct bed *const_bed(const u64 *at, u32 n)
{
	struct bed *b = bed_new();

	b->kernel[0].param_bytes = 1024;
	b->config.const_perfect = 0;
	b->config.const_line = 64;
	b->config.const_bytes = 256; /* two sets of two lines */
	b->config.const_ways = 2;
	b->config.lat_const = 6;
	for (u32 i = 0; i < n; i++) {
		struct inst *in = bed_memory(b, 0, OP_LD, CLASS_CONST, at[i]);

		in->space = SPACE_PARAM;
		in->ndst = 1;
		in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 4};
		bed_writes(in, 4);
		bed_alu(b, 0, CLASS_INT, 4, 1, 4);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	return b;
}

/* A hit is back lat.const after its dispatch, in t + 1 + 6. A miss leaves in t + 1, a cycle before a load's, and its
 * two sectors take a clock more of the DRAM and a cycle more of the answer's port: t + 11. The fifth has been pushed
 * out of its set, but the L2 has it: t + 7. Warps wait as `short`. */
static void constants_are_cached(void **state)
{
	static const u64 at[] = {0, 60, 128, 256, 0, 256};
	static const u32 want[] = {11, 1 + 6, 11, 11, 7, 1 + 6};
	struct bed *b = const_bed(at, 6);

	(void)state;
	bed_open(b);
	for (u32 i = 0; i < 6; i++)
		assert_int_equal(bed_round_trip(b, i), want[i]);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CONST_ACCESSES), 6);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CONST_HITS), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CONST_MISSES), 4);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_REQUESTS), 4);
	bed_run(b);
	assert_int_equal(sim_status_sum(&b->sim, WARP_LONG), 0);
	assert_true(sim_status_sum(&b->sim, WARP_SHORT) > 30);
	bed_close(b);
}

/*
 * An instruction that names more lines than can be on their way at once: it asks for as many as there are MSHRs (or
 * places in the crossbar's queue), and for more when these have come. Each line is asked for once.
 */
static void more_lines_of_constants_than_mshrs(void **state)
{
	static const struct {
		u32 mshrs, queue;
	} row[] = {{1, 32}, {2, 32}, {3, 32}, {7, 32}, {64, 2}, {8, 32}, {64, 32}};
	u64 end[ARRAY_LEN(row)];

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = bed_new();
		u32 most = 0;

		b->kernel[0].param_bytes = 1024;
		b->config.const_perfect = 0;
		b->config.const_line = 32;
		b->config.const_mshrs = row[i].mshrs;
		b->config.icnt_queue = row[i].queue;
		bed_address(b, 0, 2, 0, 8); /* eight lines of four lanes */
		struct inst *in = bed_through(bed_memory(b, 0, OP_LD, CLASS_CONST, 0), 2);
		in->space = SPACE_PARAM;
		in->ndst = 1;
		in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 4};
		bed_writes(in, 4);
		bed_alu(b, 0, CLASS_INT, 5, 1, 4);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			u32 used = 0;

			sim_cycle(&b->sim);
			assert_true(bed_cycle(b) < 2000);
			for (u32 k = 0; k < row[i].mshrs; k++)
				used += b->sim.view[0].const_mshr[k].line != 0;
			most = max_u32(most, used);
		}
		end[i] = bed_cycle(b);
		assert_int_equal(most, min_u32(8, min_u32(row[i].mshrs, row[i].queue)));
		assert_int_equal(sim_sm_stat(&b->sim, STAT_CONST_ACCESSES), 8);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_CONST_MISSES), 8);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_CONST_HITS), 0);
		bed_close(b);
	}
	assert_true(end[0] > end[1] && end[1] > end[2] && end[2] > end[5] && end[4] > end[6]);
	assert_int_equal(end[5], end[6]);
}

/* --- L2 --- */

/* Two SMs ask for the same line at once: one joins the other's MSHR, DRAM is read once. */
static void l2_merges(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.gpu_sms = 2;
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_MISSES), 1);
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_MERGES), 1);
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_REPLIES), 2);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_READS), 1);
	bed_close(b);
}

/* With l2.sectors a line of four sectors is four requests, answers and MSHRs; of a slice with one MSHR three wait. */
static void sectors_are_requests(void **state)
{
	static const struct {
		u32 on, mshrs, requests, misses, merges;
	} want[] = {{0, 8, 2, 1, 1}, {1, 8, 8, 4, 4}, {1, 1, 8, 4, 4}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(want); i++) {
		struct bed *b = bed_new();

		b->config.gpu_sms = 2;
		b->config.l2_sectors = want[i].on;
		b->config.l2_mshrs = want[i].mshrs;
		bed_address(b, 0, 2, BED_BASE, 4);
		struct inst *in = bed_through(bed_load(b, 0, 4, 0), 2);
		bed_alu(b, 0, CLASS_INT, 5, 1, 4);
		bed_exit(b, 0);
		bed_launch(b, 0, 2, 32);
		bed_open(b);
		bed_run(b);
		assert_non_null(in);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_REQUESTS), want[i].requests);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_REPLIES), want[i].requests);
		assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_MISSES), want[i].misses);
		assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_MERGES), want[i].merges);
		assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_REFUSED_MSHRS) > 0, want[i].mshrs == 1);
		assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_READS), 4);
		assert_int_equal(b->sim.view[0].sm->mshrs_used, 0);
		bed_close(b);
	}
}

/* The cycles that SM `sm` of three (the third is of the other half) waits for the n-th of its loads of one
 * line, which all load. */
static u64 near_or_far(u32 halves, u32 far, u32 sm, u32 n)
{
	struct bed *b = bed_new();
	u64 took = 0;
	u32 seen = 0;

	b->config.gpu_sms = 3;
	b->config.l2_slices = 2;
	b->config.dram_channels = 1;
	b->config.l1d_enabled = 0;
	b->config.l2_halves = halves;
	b->config.l2_far = far;
	for (u32 i = 0; i < 3; i++) {
		bed_load(b, 0, 4, BED_BASE);
		bed_alu(b, 0, CLASS_INT, 0, 1, 4);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 3, 32);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			const struct record *r = &b->sim.bus.record[i];

			if (r->kind == EVENT_REPLY && r->sm == sm && seen++ == n)
				took = r->b;
		}
		sim_cycle(&b->sim);
	}
	bed_close(b);
	return took;
}

/* With l2.halves 2 the half whose line it is answers as before; the other first l2.far clocks later, then from its
 * copy. */
static void halves_keep_copies(void **state)
{
	u64 miss = near_or_far(1, 0, 0, 0), hit = near_or_far(1, 0, 0, 1);
	u64 first[2] = {near_or_far(2, 20, 0, 0), near_or_far(2, 20, 2, 0)};
	u32 home = first[1] < first[0] ? 2 : 0;

	(void)state;
	assert_true(miss > hit);
	assert_int_equal(first[home / 2], miss);
	assert_int_equal(near_or_far(2, 20, home, 1), hit);
	assert_true(first[!(home / 2)] >= hit + 20);
	assert_int_equal(near_or_far(2, 20, 2 - home, 1), hit);
	assert_int_equal(near_or_far(2, 500, 2 - home, 0), hit + 500);
	assert_int_equal(near_or_far(2, 500, 2 - home, 1), hit);
}

/* Sectors that are read from DRAM where each SM loads sector 0 and then sector 1 of one line; *far: what went to the
 * other half. */
static u64 sectors_read(u32 bytes, u32 sms, u32 halves, u64 *far)
{
	struct bed *b = bed_new();
	u64 read;

	b->config.gpu_sms = sms;
	b->config.l2_slices = 2;
	b->config.dram_channels = 1;
	b->config.l1d_enabled = 0;
	b->config.l2_halves = halves;
	b->config.l2_fetch = bytes;
	for (u32 i = 0; i < 2; i++) {
		bed_load(b, 0, 4, BED_BASE + i * 32);
		bed_alu(b, 0, CLASS_INT, 0, 1, 4);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, sms, 32);
	bed_open(b);
	bed_run(b);
	read = sim_dram_stat(&b->sim, STAT_DRAM_READS);
	*far = sim_l2_stat(&b->sim, STAT_L2_FAR);
	bed_close(b);
	return read;
}

/* l2.fetch: the rest of the block comes with a missing sector, and is a hit then; into the copy of the other half, too.
 */
static void misses_fetch_blocks(void **state)
{
	u64 far, far64;

	(void)state;
	assert_int_equal(sectors_read(32, 1, 1, &far), 2);
	assert_int_equal(sectors_read(64, 1, 1, &far), 2);
	assert_int_equal(sectors_read(128, 1, 1, &far), 4);
	assert_int_equal(sectors_read(32, 3, 2, &far), 2);
	assert_int_equal(sectors_read(64, 3, 2, &far64), 2);
	assert_true(far64 < far);
}

/* Hits of the L2 where a load of one sector of a line follows one of another. */
static u64 second_sector(u32 bytes, u32 first, u32 second)
{
	struct bed *b = bed_new();
	u64 hits;

	b->config.l1d_enabled = 0;
	b->config.l2_fetch = bytes;
	bed_load(b, 0, 4, BED_BASE + first * 32);
	bed_alu(b, 0, CLASS_INT, 0, 1, 4);
	bed_load(b, 0, 4, BED_BASE + second * 32);
	bed_alu(b, 0, CLASS_INT, 0, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_HITS) + sim_l2_stat(&b->sim, STAT_L2_MISSES), 2);
	hits = sim_l2_stat(&b->sim, STAT_L2_HITS);
	bed_close(b);
	return hits;
}

static void blocks_are_aligned(void **state)
{
	struct config c;
	struct error e = {0};

	(void)state;
	for (u32 i = 0; i < 16; i++) {
		u32 first = i / 4, second = i % 4;

		assert_int_equal(second_sector(32, first, second), first == second);
		assert_int_equal(second_sector(64, first, second), first / 2 == second / 2);
		assert_int_equal(second_sector(128, first, second), 1);
	}
	config_default(&c);
	c.l2_fetch = 48;
	assert_int_equal(config_check(&c, &e), STATUS_FAILED);
	c.l2_fetch = 64;
	assert_int_equal(config_check(&c, &e), STATUS_OK);
	c.l2_sectors = 1;
	assert_int_equal(config_check(&c, &e), STATUS_FAILED);
	assert_string_equal(e.message, "l2.fetch (64) must be 32 with l2.sectors on");
}

/* One set of eight lines: the ninth line written makes the oldest dirty sectors go to DRAM. */
static void l2_writes_back(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.l2_bytes = 1024;
	b->config.l2_ways = 8;
	for (u32 i = 0; i < 9; i++)
		bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE + i * 128);
	bed_load(b, 0, 4, BED_BASE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	/* the load comes after the stores on the same way: its line has gone, and pushes out the second */
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_WRITEBACKS), 2);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_READS), 1);
	bed_run_to(b, bed_cycle(b) + 20);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_WRITES), 2);
	bed_close(b);
}

/* 32 lanes add their number to one word: one request; each lane's old value and the sum are right; the way is a load's.
 */
static void atomics_are_performed(void **state)
{
	struct bed *b = bed_new();
	u32 sum = 0, n;

	(void)state;
	struct inst *in = bed_inst(b, 0, OP_MOV_32, CLASS_INT);
	in->ndst = in->nsrc = 1;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 1};
	in->src[0] = (struct operand){.kind = OPERAND_SREG, .value = SREG_LANEID};
	bed_writes(in, 1);
	in = bed_memory(b, 0, OP_ATOM, CLASS_ATOMIC, BED_BASE);
	in->aux = ATOM_ADD;
	in->vec = VALUE_U32;
	in->nsrc = 2;
	in->src[1] = (struct operand){.kind = OPERAND_REG, .value = 1};
	bed_reads(in, 1);
	in->ndst = 1;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 4};
	bed_writes(in, 4);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	u64 t = bed_when(b, 0, 0, 1);
	assert_int_equal(bed_when(b, 0, 0, 2) - t, 10);
	const u32 *regs = sim_warp_regs(&b->sim, 0, 0, &n);
	for (u32 i = 0; i < 32; i++) {
		assert_int_equal(regs[4 * 32 + i], sum);
		sum += i;
	}
	bed_run(b);
	store_read(&b->sim.store, BED_BASE, &n, sizeof n);
	assert_int_equal(n, sum);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_REQUESTS), 1);
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_ATOMICS), 1);
	bed_close(b);
}

/* The STORE event of a cycle tells lanes and bytes, however the bytes were put together. */
static void store_events_tell_lanes(void **state)
{
	struct bed *b = bed_new();
	struct record r = {0};

	(void)state;
	bed_address(b, 0, 2, BED_BASE, 4);
	bed_through(bed_memory(b, 0, OP_ST, CLASS_STORE, 0), 2);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!bed_records(b, EVENT_STORE, &r))
		sim_cycle(&b->sim);
	assert_int_equal(r.b, 128);
	assert_int_equal(r.a, 32);
	bed_close(b);
}

/*
 * Many reads in service, each of which pushes a dirty line out of the L2, and a short DRAM queue: write-backs always
 * find a place, and the program ends.
 */
static void write_backs_find_a_place(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.l2_mshrs = 1024;
	b->config.l1d_enabled = 0;
	b->config.l1d_mshrs = 1024;
	b->config.l2_bytes = 1024 * 128;
	b->config.l2_ways = 16;
	b->config.dram_queue = 4;
	b->config.dram_latency = 1;
	b->config.dram_bytes = 8;
	b->config.icnt_bytes = 256;
	b->config.sm_warps = 64;
	b->config.sm_subcores = 4;
	b->config.gpu_sms = 4;
	bed_address_by(b, 0, 2, SREG_TID_X, BED_BASE, 128);
	for (u32 i = 0; i < 2; i++)
		bed_through(bed_memory(b, 0, OP_ST, CLASS_STORE, 0), 2)->offset = (i32)(i * 131072);
	for (u32 i = 2; i < 7; i++)
		bed_through(bed_load(b, 0, 8 + i, 0), 2)->offset = (i32)(i * 131072);
	bed_exit(b, 0);
	bed_launch(b, 0, 4, 1024);
	bed_open(b);
	bed_run(b);
	bed_close(b);
}

/* What becomes of requests at the L2, as events: the first load misses, its other sector too, a load of both hits. */
static void l2_events(void **state)
{
	static const u64 at[] = {0, 32, 0};
	struct bed *b = bed_chain(at, 3);
	static const enum event_kind found[] = {EVENT_L2_HIT, EVENT_L2_MISS, EVENT_L2_MERGE};
	enum event_kind want[] = {EVENT_L2_MISS, EVENT_L2_MISS, EVENT_L2_HIT};
	u32 n = 0;

	(void)state;
	b->config.l1d_enabled = 0;
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		struct record r;

		sim_cycle(&b->sim);
		for (u32 i = 0; i < ARRAY_LEN(found); i++) {
			if (!bed_records(b, found[i], &r))
				continue;
			assert_true(n < 3);
			assert_int_equal(found[i], want[n++]);
			assert_int_equal(r.address, BED_BASE);
			assert_int_equal(r.a, 1);
			assert_int_equal(r.b, 0);
			assert_int_equal(r.sm, 0);
		}
	}
	assert_int_equal(n, 3);
	assert_int_equal(sim_event_count(&b->sim, EVENT_L2_MISS), 2);
	bed_close(b);
}

/* A write whose line is not there is a miss for which nothing is fetched; the next one hits; a load of another sector
 * is fetched. */
static void write_misses(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE);
	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE);
	bed_load(b, 0, 4, BED_BASE + 32);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_HITS), 1);
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_MISSES), 2);
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_WRITE_MISSES), 1);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_READS), 1);
	bed_close(b);
}

/* What occupies a port of 32 bytes: answers carry data but to writes and reductions, requests of writes and atomics do.
 */
static void packets_have_lengths(void **state)
{
	static const struct {
		u8 kind, request, answer;
	} want[] = {{PACKET_READ, 1, 3},      {PACKET_WRITE, 3, 1}, {PACKET_ATOMIC, 3, 3}, {PACKET_FETCH, 1, 3},
		    {PACKET_REDUCTION, 3, 1}, {PACKET_CONST, 1, 3}, {PACKET_SAVE, 3, 1},   {PACKET_RESTORE, 1, 3}};
	struct bed *b = bed_chain((u64[]){0}, 1);

	(void)state;
	b->config.icnt_bytes = 32;
	bed_open(b);
	for (u32 i = 0; i < ARRAY_LEN(want); i++) {
		struct packet p = {.kind = want[i].kind, .line = 16 + 7};

		assert_int_equal(packet_length(b->sim.m, &p, false), want[i].request);
		assert_int_equal(packet_length(b->sim.m, &p, true), want[i].answer);
		b->sim.m->config.icnt_answer_bytes = 16;
		assert_int_equal(packet_length(b->sim.m, &p, false), want[i].request);
		assert_int_equal(packet_length(b->sim.m, &p, true), want[i].answer > 1 ? 6 : 1);
		b->sim.m->config.icnt_answer_bytes = 0;
	}
	bed_close(b);
}

/* Reductions of 32 lines of one sector: the slice takes one each l2.atomic_interval clocks. */
static void atomics_hold_the_slice(void **state)
{
	u64 end[3];

	(void)state;
	for (u32 i = 0; i < 3; i++) {
		struct bed *b = bed_new();

		b->config.l2_atomic_interval = 1 + 9 * i;
		bed_address(b, 0, 2, BED_BASE, 128);
		struct inst *in = bed_through(bed_memory(b, 0, OP_ATOM, CLASS_ATOMIC, 0), 2);
		in->aux = ATOM_ADD;
		in->vec = VALUE_U32;
		in->nsrc = 2;
		in->src[1] = (struct operand){.kind = OPERAND_REG, .value = 0};
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		end[i] = bed_run(b);
		assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_ATOMICS), 32);
		bed_close(b);
	}
	assert_int_equal(end[1] - end[0], 31 * 9);
	assert_int_equal(end[2] - end[1], 31 * 9);
}

/* --- everything is given back --- */

/* Entries of a free list that is linked by the first two bytes of each entry. */
static u32 free_entries(const void *entries, u32 size, u16 first)
{
	u32 n = 0;

	for (u16 at = first; at != NONE16; n++)
		memcpy(&at, (const u8 *)entries + (size_t)at * size, sizeof at);
	return n;
}

/* Nothing of an SM is taken, in flight or on its way. */
static void assert_sm_empty(const struct sim *s, u32 id)
{
	const struct sm_view *v = &s->view[id];
	const struct machine *m = s->m;

	assert_int_equal(free_entries(v->result, sizeof *v->result, v->sm->result_free),
			 m->section[SECTION_RESULT].count);
	assert_int_equal(free_entries(v->load, sizeof *v->load, v->sm->load_free), m->section[SECTION_LOAD].count);
	assert_int_equal(free_entries(v->memop, sizeof *v->memop, v->sm->memop_free), m->section[SECTION_MEMOP].count);
	assert_int_equal(free_entries(v->waiter, sizeof *v->waiter, v->sm->waiter_free),
			 m->section[SECTION_L1D_WAITER].count);
	assert_int_equal(v->sm->mshrs_used + v->sm->imiss_used + v->sm->lsu_count + v->sm->collectors_busy, 0);
	assert_int_equal(v->sm->warps + v->sm->ctas + v->sm->threads + v->sm->finishing, 0);
	assert_int_equal(v->port->in_count + v->port->out_count, 0);
	assert_int_equal(v->sm->shared_free, m->config.sm_shared);
	for (u32 k = 0; k < m->config.sm_subcores; k++)
		assert_int_equal(v->sub[k].registers_free, m->config.sm_registers / m->config.sm_subcores);
}

/* Requests = answers, lookups = hits + misses + merges, and all entries are free again. */
static void requests_equal_answers(void **state)
{
	(void)state;
	for (u32 seed = 0; seed < 6; seed++) {
		struct bed *b = bed_crowd(seed);
		struct sim *s = bed_open(b);

		bed_run(b);
		assert_false(sim_faulted(s) || sim_deadlocked(s));
		bed_run_to(b, bed_cycle(b) + 500); /* instructions fetched ahead, lines written back */
		assert_int_equal(sim_sm_stat(s, STAT_REQUESTS), sim_sm_stat(s, STAT_REPLIES));
		assert_int_equal(sim_l2_stat(s, STAT_L2_REPLIES), sim_sm_stat(s, STAT_REPLIES));
		assert_int_equal(sim_l2_stat(s, STAT_L2_ACCESSES), sim_sm_stat(s, STAT_REQUESTS));
		assert_int_equal(sim_l2_stat(s, STAT_L2_ACCESSES), sim_l2_stat(s, STAT_L2_HITS) +
									   sim_l2_stat(s, STAT_L2_MISSES) +
									   sim_l2_stat(s, STAT_L2_MERGES));
		assert_int_equal(sim_sm_stat(s, STAT_L1D_ACCESSES), sim_sm_stat(s, STAT_L1D_HITS) +
									    sim_sm_stat(s, STAT_L1D_MISSES) +
									    sim_sm_stat(s, STAT_L1D_MERGES));
		assert_int_equal(sim_l2_stat(s, STAT_L2_WRITEBACKS), sim_dram_stat(s, STAT_DRAM_WRITES));
		assert_true(sim_sm_stat(s, STAT_L1D_REFUSED) && sim_l2_stat(s, STAT_L2_REFUSED));
		assert_int_equal(sim_l2_stat(s, STAT_L2_REFUSED), sim_l2_stat(s, STAT_L2_REFUSED_MSHRS) +
									  sim_l2_stat(s, STAT_L2_REFUSED_MERGES) +
									  sim_l2_stat(s, STAT_L2_REFUSED_DRAM) +
									  sim_l2_stat(s, STAT_L2_REFUSED_ANSWERS));
		assert_int_equal(sim_sm_stat(s, STAT_STALE_LOADS) + sim_sm_stat(s, STAT_STALE_WRITES), 0);
		for (u32 i = 0; i < 3; i++)
			assert_sm_empty(s, i);
		for (u32 i = 0; i < 4; i++) {
			const struct slice *slice = machine_slice_section(s->m, i, SECTION_SLICE);
			assert_int_equal(slice->in_count + slice->out_count + slice->mshrs_used, 0);
		}
		bed_check_sums(b);
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_of_a_line_merge),
		cmocka_unit_test(another_sector_joins),
		cmocka_unit_test(lines_are_sectored),
		cmocka_unit_test(mshrs_run_out),
		cmocka_unit_test(merges_run_out),
		cmocka_unit_test(the_crossbar_fills),
		cmocka_unit_test(least_recently_used_leaves),
		cmocka_unit_test(stores_and_boundaries),
		cmocka_unit_test(a_set_of_reserved_lines),
		cmocka_unit_test(the_miss_queue_fills),
		cmocka_unit_test(stores_update_or_evict),
		cmocka_unit_test(atomics_hold_the_slice),
		cmocka_unit_test(constants_are_cached),
		cmocka_unit_test(more_lines_of_constants_than_mshrs),
		cmocka_unit_test(l2_merges),
		cmocka_unit_test(sectors_are_requests),
		cmocka_unit_test(halves_keep_copies),
		cmocka_unit_test(misses_fetch_blocks),
		cmocka_unit_test(blocks_are_aligned),
		cmocka_unit_test(write_misses),
		cmocka_unit_test(packets_have_lengths),
		cmocka_unit_test(l2_events),
		cmocka_unit_test(l2_writes_back),
		cmocka_unit_test(atomics_are_performed),
		cmocka_unit_test(store_events_tell_lanes),
		cmocka_unit_test(write_backs_find_a_place),
		cmocka_unit_test(requests_equal_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
