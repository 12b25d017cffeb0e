/*
 * test_core_exact.c - corners of the core, to the unit: words that just share a bank, sectors that are there already,
 * places that are free again, what a counter counts.
 */
#include "core_bed.h"

/* A full warp's words in consecutive banks take one cycle; with the last of them one row further, in a bank that is
 * taken, two. */
static void a_row_of_banks_is_as_long_as_it_is(void **state)
{
	struct bed *b = bed_new();
	struct sim *s;

	(void)state;
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	s = bed_open(b);
	for (u32 last = 31; last <= 33; last++)
		for (u32 known = 0; known < 2; known++) {
			struct front_result r = {.mask = ~0u};

			for (u32 i = 0; i < 32; i++)
				r.address[i] = (i == 31 ? last : i) * 4;
			r.span.known = known != 0;
			r.span.low = 0;
			r.span.high = last * 4;
			assert_int_equal(shared_degree(s->m, &r, 4), last == 31 ? 1 : 2);
		}
	bed_close(b);
}

/* A line of which one sector is there: a load of all four asks for the other three. */
static void what_is_there_is_not_asked_for(void **state)
{
	struct bed *b = bed_new();
	u32 sectors[2], n = 0;

	(void)state;
	bed_load(b, 0, 4, BED_BASE + 32);
	bed_alu(b, 0, CLASS_INT, 4, 1, 4);
	bed_address(b, 0, 2, BED_BASE, 4);
	bed_reads(bed_through(bed_load(b, 0, 5, 0), 2), 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		struct record r;

		sim_cycle(&b->sim);
		if (bed_records(b, EVENT_REQUEST, &r)) {
			assert_true(n < 2);
			sectors[n++] = r.b;
		}
	}
	assert_int_equal(n, 2);
	assert_int_equal(sectors[0], 1);
	assert_int_equal(sectors[1], 3);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_READS), 4);
	bed_close(b);
}

/* Two ways: A, B, and A again, so that B is the older. A store throws A's only sector out: its place is free, and C
 * takes it and not B's. */
static void a_line_without_sectors_gives_its_place(void **state)
{
	struct bed *b = bed_new();
	static const u32 line[] = {0, 4096, 0};

	(void)state;
	b->config.l1d_bytes = 512; /* two sets of two lines; the lines are all even: set 0 */
	b->config.l1d_ways = 2;
	b->config.l1d_write = 1;
	for (u32 i = 0; i < 3; i++) {
		bed_load(b, 0, 4, BED_BASE + line[i]);
		bed_alu(b, 0, CLASS_INT, 0, 1, 4); /* the store and the loads behind it wait for it */
	}
	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE);
	bed_reads(bed_load(b, 0, 5, BED_BASE + 8192), 0);
	bed_alu(b, 0, CLASS_INT, 6, 1, 5);
	bed_reads(bed_load(b, 0, 7, BED_BASE + 4096), 6);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_WRITE_HITS), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MISSES), 3);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), 2);
	bed_close(b);
}

/* rf.writes: registers, whichever way their values come. */
static void registers_written_are_counted(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_alu(b, 0, CLASS_INT, 4, 0);
	bed_address(b, 0, 2, BED_BASE, 4); /* a pair */
	bed_through(bed_load(b, 0, 5, 0), 2);
	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE + 4096);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_RF_WRITES), 2 * (1 + 2 + 1));
	bed_close(b);
}

/* --- constants --- */

/* A load of a parameter into register 4, and a reader. */
static struct inst *constant(struct bed *b, u64 at)
{
	struct inst *in = bed_memory(b, 0, OP_LD, CLASS_CONST, at);

	in->space = SPACE_PARAM;
	in->ndst = 1;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 4};
	bed_writes(in, 4);
	bed_alu(b, 0, CLASS_INT, 4, 1, 4);
	return in;
}

static struct bed *constants_bed(void)
{
	struct bed *b = bed_new();

	b->kernel[0].param_bytes = 1024;
	b->config.const_perfect = 0;
	b->config.const_line = 64;
	b->config.const_bytes = 256; /* two sets of two lines */
	b->config.const_ways = 2;
	return b;
}

/*
 * const.cold: a CTA comes in 0. Its load issues in 3, is on its unit in 4, and has its result at once after lat.const
 * (8), or when the kernel has been there for so long; its reader issues in that cycle. A load that issues later than
 * that finds its constants; the next kernel does not.
 */
static void the_first_constants_take_longer(void **state)
{
	static const u32 cold[] = {0, 12, 13, 30, 400};
	u64 at, gap, second, without = 0;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(cold); i++) {
		struct bed *b = bed_new();

		b->kernel[0].param_bytes = 1024;
		b->config.const_cold = cold[i];
		b->config.lat_const = 8;
		constant(b, 0);
		constant(b, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		at = bed_when(b, 0, 0, 1);
		assert_int_equal(at, max_u32(cold[i], 12));
		gap = bed_when(b, 0, 0, 3) - at;
		without = i ? without : gap;
		assert_int_equal(gap, without);
		second = bed_when(b, 0, 0, 0);
		assert_int_equal(bed_when(b, 0, 0, 1) - second, max_u32(cold[i], 12) - 3);
		bed_close(b);
	}
	struct bed *b = bed_new(); /* other results do not wait */
	b->config.const_cold = 400;
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_alu(b, 0, CLASS_INT, 2, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0, "0....0");
	bed_close(b);
}

/*
 * const.cold_block, const.cold_line: the first load from a block takes 100 cycles from its unit, one behind its issue;
 * the first from another line of it 40, any other lat.const (8). Parameters wait as const.cold says. Of two CTAs, one
 * behind the other, only the first waits; the next kernel waits again.
 */
static void constants_come_by_lines(void **state)
{
	static const u8 line[] = {1, 1, 4, 5, 2, 0, 4, 32};
	static const u8 cycles[] = {100, 8, 40, 100, 40, 8, 8, 100};
	struct bed *b = bed_new();

	(void)state;
	b->kernel[0].param_bytes = 1024;
	b->config.const_cold = 20;
	b->config.const_cold_block = 100;
	b->config.const_cold_line = 40;
	b->config.lat_const = 8;
	b->config.sm_ctas = 1;
	for (u32 i = 0; i < ARRAY_LEN(line); i++)
		constant(b, 0)->constant = line[i];
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 32);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	for (u32 cta = 0; cta < 3; cta++)
		for (u32 i = 0; i < ARRAY_LEN(line); i++) {
			u64 at = bed_when(b, 0, 0, 2 * i);

			assert_int_equal(bed_when(b, 0, 0, 2 * i + 1) - at, 1 + (cta == 1 ? 8 : cycles[i]));
		}
	bed_close(b);
}

/* Two loads from one block, a cycle apart: the second has its line no sooner than the block, nor sooner than a line
 * takes. */
static void a_line_waits_for_its_block(void **state)
{
	(void)state;
	for (u32 line = 90; line < 110; line++) {
		struct bed *b = bed_new();

		b->kernel[0].param_bytes = 1024;
		b->config.const_cold_block = 100;
		b->config.const_cold_line = line;
		for (u32 i = 0; i < 2; i++) {
			struct inst *in = bed_memory(b, 0, OP_LD, CLASS_CONST, 0);

			in->space = SPACE_PARAM;
			in->ndst = 1;
			in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 4 + i};
			in->constant = (u8)(2 - i);
			bed_writes(in, 4 + i);
		}
		bed_alu(b, 0, CLASS_INT, 6, 1, 5);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		u64 at = bed_when(b, 0, 0, 0);
		assert_int_equal(bed_when(b, 0, 0, 1), at + 1);
		assert_int_equal(bed_when(b, 0, 0, 2) - at, max_u32(101, line + 2));
		bed_close(b);
	}
}

/* A hit counts as a use: A, B, A, then C takes B's place. */
static void a_hit_is_a_use(void **state)
{
	static const u64 at[] = {0, 128, 0, 256, 0, 128};
	struct bed *b = constants_bed();

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(at); i++)
		constant(b, at[i]);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CONST_MISSES), 4);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CONST_HITS), 2);
	bed_close(b);
}

/* A hit needs no entry of the table of loads: it is taken when loads have them all. */
static void a_hit_needs_no_load_entry(void **state)
{
	struct bed *b = constants_bed();

	(void)state;
	b->config.lsu_loads = 8;
	b->config.dram_latency = 300;
	constant(b, 0);
	for (u32 i = 0; i < 8; i++)
		bed_reads(bed_load(b, 0, 8 + i, BED_BASE + i * 128), 4);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	constant(b, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	u64 t = bed_when(b, 0, 0, 11);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CONST_HITS), 0);
	assert_true(bed_when(b, 0, 0, 12) - t < 20);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CONST_HITS), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CONST_REFUSED), 0);
	bed_close(b);
}

/* Two warps, a line each, one MSHR: the second is tried from the cycle after the first was taken on, and refused until
 * it is. */
static void constants_refused_are_counted(void **state)
{
	struct bed *b = constants_bed();
	u64 sent[2];
	u32 n = 0;

	(void)state;
	b->config.const_mshrs = 1;
	bed_address_by(b, 0, 2, SREG_WARPID, 0, 64);
	bed_through(bed_memory(b, 0, OP_LD, CLASS_CONST, 0), 2);
	b->inst[0][1].space = SPACE_PARAM;
	b->inst[0][1].ndst = 1;
	b->inst[0][1].dst[0] = (struct operand){.kind = OPERAND_REG, .value = 4};
	bed_writes(&b->inst[0][1], 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	bed_open(b);
	while (n < 2) {
		u64 cycle = bed_cycle(b);

		sim_cycle(&b->sim);
		if (bed_records(b, EVENT_REQUEST, NULL))
			sent[n++] = cycle;
	}
	bed_run(b);
	assert_true(sent[1] > sent[0] + 5);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CONST_REFUSED), sent[1] - (sent[0] + 1));
	bed_close(b);
}

/* --- L2 and crossbar --- */

/* A reduction of a word, or of all words of the lines that the pair reg, reg + 1 names. */
static u8 reduction_type = VALUE_U32;
static struct inst *reduction(struct bed *b, u64 address)
{
	struct inst *in = bed_memory(b, 0, OP_ATOM, CLASS_ATOMIC, address);

	in->aux = ATOM_ADD;
	in->vec = reduction_type;
	in->nsrc = 2;
	in->src[1] = (struct operand){.kind = OPERAND_REG, .value = 0};
	return in;
}

/* What an atomic changes goes to DRAM when its line leaves the L2, whether the line was there before (hit) or not. */
static void atomics_make_dirty(void **state)
{
	(void)state;
	for (u32 hit = 0; hit < 2; hit++) {
		struct bed *b = bed_new();

		b->config.l1d_enabled = 0;
		b->config.l2_bytes = 1024; /* one set */
		b->config.l2_ways = 8;
		if (hit) {
			bed_load(b, 0, 4, BED_BASE);
			bed_alu(b, 0, CLASS_INT, 0, 1, 4);
		}
		reduction(b, BED_BASE);
		bed_inst(b, 0, OP_FENCE, CLASS_FENCE);
		for (u32 i = 1; i <= 8; i++) {
			bed_load(b, 0, 4, BED_BASE + i * 128);
			bed_alu(b, 0, CLASS_INT, 4, 1, 4);
		}
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		bed_run(b);
		bed_run_to(b, bed_cycle(b) + 50);
		assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_ATOMICS), 1);
		assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_WRITEBACKS), 1);
		assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_WRITES), 1);
		bed_close(b);
	}
}

/* Cycles between the first and the last answer to n reductions of whole lines or of single sectors that are in the L2.
 */
static u64 answers_last(u32 interval, u32 n, u32 stride, u32 lanes, u32 adds)
{
	struct bed *b = bed_new();
	u64 first = NEVER, last = 0;

	b->config.l2_atomic_interval = interval;
	b->config.l2_atomic_lanes = lanes;
	b->config.l2_atomic_float = adds;
	b->config.icnt_bytes = 256;
	b->config.icnt_queue = 64;
	bed_address(b, 0, 2, BED_BASE, stride);
	for (u32 i = 0; i < n; i++)
		bed_through(bed_memory(b, 0, OP_ST, CLASS_STORE, 0), 2)->offset = (i32)(i * 128);
	bed_inst(b, 0, OP_FENCE, CLASS_FENCE);
	for (u32 i = 0; i < n; i++)
		bed_through(reduction(b, 0), 2)->offset = (i32)(i * 128);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		struct record r;
		u64 cycle = bed_cycle(b);

		sim_cycle(&b->sim);
		if (!bed_records(b, EVENT_REPLY, &r) || r.a != PACKET_REDUCTION)
			continue;
		first = min_u64(first, cycle);
		last = cycle;
	}
	bed_close(b);
	return last - first;
}

/* A reduction holds its slice for l2.atomic_interval clocks for each of its sectors, no more and no less. */
static void atomics_hold_for_each_sector(void **state)
{
	(void)state;
	assert_int_equal(answers_last(1, 8, 0, 0, 0), 7);
	assert_int_equal(answers_last(5, 8, 0, 0, 0), 7 * 5);
	assert_int_equal(answers_last(1, 8, 4, 0, 0), 7 * 4);
	assert_int_equal(answers_last(5, 8, 4, 0, 0), 7 * 4 * 5);
}

/* And l2.atomic_lanes for each lane that finds another at its address, the most of any address of the line; additions
 * of floating-point numbers l2.atomic_float. */
static void atomics_hold_for_lanes_that_meet(void **state)
{
	(void)state;
	assert_int_equal(answers_last(1, 8, 0, 1, 0), 7 * (1 + 31));
	assert_int_equal(answers_last(5, 8, 0, 3, 9), 7 * (5 + 31 * 3));
	assert_int_equal(answers_last(5, 8, 4, 3, 9), 7 * 4 * 5);
	reduction_type = VALUE_F32;
	assert_int_equal(answers_last(5, 8, 0, 3, 0), 7 * (5 + 31 * 3));
	assert_int_equal(answers_last(5, 8, 0, 3, 9), 7 * (5 + 31 * 9));
	assert_int_equal(answers_last(5, 8, 0, 0, 2), 7 * (5 + 31 * 2));
	assert_int_equal(answers_last(5, 8, 4, 0, 2), 7 * 4 * 5);
	reduction_type = VALUE_U32;
}

/* The most lanes that meet at one address of each line, but the first. */
static void lanes_of_a_line_meet(void **state)
{
	struct bed *b = bed_chain((u64[]){0}, 1);
	struct front_result r = {.mask = ~1u};
	u64 line[2] = {0x20 * 16 + 1, 0x21 * 16 + 7}, sector[3] = {0x20 * 16 + 1, 0x21 * 16 + 4, 0x21 * 16 + 1};
	u8 meets[3] = {9, 9, 9};

	(void)state;
	bed_open(b);
	for (u32 i = 0; i < 32; i++)
		r.address[i] = i < 8 ? 0x1000 : i < 11 ? 0x1004 : 0x1080 + 8 * (i / 3);
	atomic_meets(b->sim.m, &r, 2, line, meets);
	assert_int_equal(meets[0], 6); /* lanes 1 to 7 */
	assert_int_equal(meets[1], 2); /* three lanes each */
	atomic_meets(b->sim.m, &r, 3, sector, meets);
	assert_int_equal(meets[0], 6);
	assert_int_equal(meets[1], 2);
	assert_int_equal(meets[2], 0); /* lane 11 alone */
	atomic_meets(b->sim.m, &r, 2, (u64[]){0x21 * 16 + 1, 0x21 * 16 + 4}, meets);
	assert_int_equal(meets[0], 0); /* the same sectors, that of lane 11 first */
	assert_int_equal(meets[1], 2);
	r.mask = 0;
	atomic_meets(b->sim.m, &r, 2, line, meets);
	assert_int_equal(meets[0] | meets[1], 0);
	bed_close(b);
}

/* Or those that meet are parted: each line is accessed as often as lanes are at one address of it, with the sectors
 * where so many are. */
static void lanes_of_a_line_are_parted(void **state)
{
	struct bed *b = bed_chain((u64[]){0}, 1);
	struct front_result r = {.mask = ~1u};
	u64 line[MAX_TRANSACTIONS];

	(void)state;
	bed_open(b);
	for (u32 i = 0; i < 32; i++)
		r.address[i] = i < 4 ? 0x1000 : i < 5 ? 0x1024 : i < 7 ? 0x1084 : 0x1100 + 4 * (i % 4);
	assert_int_equal(coalesce_atomic(b->sim.m, &r, line), 3 + 2 + 7);
	assert_int_equal(line[0], 0x20 * 16 + 3); /* lane 1, and lane 4 in the second sector */
	assert_int_equal(line[1], 0x20 * 16 + 1);
	assert_int_equal(line[2], 0x20 * 16 + 1);
	assert_int_equal(line[3], 0x21 * 16 + 1);
	assert_int_equal(line[4], 0x21 * 16 + 1);
	for (u32 i = 5; i < 12; i++)
		assert_int_equal(line[i], 0x22 * 16 + 1);
	r.mask = ~0u;
	for (u32 i = 0; i < 32; i++)
		r.address[i] = 0x1000;
	assert_int_equal(coalesce_atomic(b->sim.m, &r, line), 32);
	r.mask = 0;
	assert_int_equal(coalesce_atomic(b->sim.m, &r, line), 0);
	bed_close(b);
}

/* A reduction of four lanes at one address is one request, or four; each is an atomic of the L2. */
static void parted_lanes_are_requests(void **state)
{
	(void)state;
	for (u32 split = 0; split < 2; split++) {
		struct bed *b = bed_new();

		b->config.lsu_atomic_split = split;
		b->config.l2_atomic_lanes = 3;
		reduction(b, BED_BASE);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 4);
		bed_open(b);
		while (!sim_finished(&b->sim))
			sim_cycle(&b->sim);
		assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_ATOMICS), split ? 4 : 1);
		assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_ATOMIC_MEETS), split ? 0 : 3);
		assert_int_equal(b->sim.view[0].sm->stat[STAT_MEM_LINES], split ? 4 : 1);
		bed_close(b);
	}
}

/* With sm.atomic_wait a warp issues again when its atomic has been answered, one with a result too; others go on. */
static void atomics_make_warps_wait(void **state)
{
	(void)state;
	for (u32 i = 0; i < 4; i++) {
		struct bed *b = bed_new();
		bool wait = i & 1, result = i & 2;
		struct record r;
		u64 answered = 0;

		b->config.sm_atomic_wait = wait;
		struct inst *in = reduction(b, BED_BASE);
		in->ndst = result;
		if (result) {
			in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 4};
			bed_writes(in, 4);
		}
		bed_alu(b, 0, CLASS_INT, 5, 1, 6);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		u64 first = bed_when(b, 0, 0, 0), second = NEVER;
		while (!sim_finished(&b->sim)) {
			u64 cycle = bed_cycle(b);

			sim_cycle(&b->sim);
			if (bed_records(b, EVENT_ISSUE, &r) && r.pc == 1)
				second = cycle;
			if (bed_records(b, EVENT_REPLY, &r))
				answered = cycle;
		}
		assert_true(answered > first + 5);
		assert_int_equal(second, wait ? answered : first + 1);
		assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_ATOMICS), 1);
		bed_close(b);
	}
}

/* The same of shared memory, with shared.atomic_wait; sm.atomic_wait is about others. */
static void atomics_on_shared_memory_make_warps_wait(void **state)
{
	(void)state;
	for (u32 i = 0; i < 4; i++) {
		struct bed *b = bed_new();
		bool wait = i & 1, result = i & 2;
		u64 first = NEVER, second = NEVER, done = NEVER;
		struct record r;

		b->config.shared_atomic_wait = wait;
		b->config.sm_atomic_wait = !wait;
		struct inst *in = bed_memory(b, 0, OP_ATOM, CLASS_SHLOAD, 0);
		in->aux = ATOM_ADD;
		in->vec = VALUE_U32;
		in->nsrc = 2;
		in->src[1] = (struct operand){.kind = OPERAND_REG, .value = 0};
		in->ndst = result;
		if (result) {
			in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 4};
			bed_writes(in, 4);
		}
		bed_alu(b, 0, CLASS_INT, 5, 1, 6);
		bed_exit(b, 0);
		b->kernel[0].static_shared = 64;
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			u64 cycle = bed_cycle(b);

			sim_cycle(&b->sim);
			if (bed_records(b, EVENT_ISSUE, &r) && r.pc == 0)
				first = cycle;
			if (bed_records(b, EVENT_ISSUE, &r) && r.pc == 1)
				second = cycle;
			if (bed_records(b, EVENT_WRITEBACK, &r) && r.pc == 0)
				done = cycle;
			if (sm_seen(&b->sim.view[0], WARP_FENCE)[0])
				assert_true(wait);
		}
		assert_true(done > first + b->config.shared_latency);
		assert_int_equal(second, wait ? done : first + 1);
		bed_close(b);
	}
}

/* A reduction is as long as a store of the same bytes on its way there, and its answer as short on the way back. */
static void reductions_are_as_long_as_stores(void **state)
{
	struct bed *b = bed_new();
	u32 took[2] = {0, 0};

	(void)state;
	b->config.icnt_bytes = 8;
	bed_address(b, 0, 2, BED_BASE, 4);
	for (u32 i = 0; i < 2; i++) { /* the first store brings the line */
		bed_through(bed_memory(b, 0, OP_ST, CLASS_STORE, 0), 2);
		bed_inst(b, 0, OP_FENCE, CLASS_FENCE);
	}
	bed_through(reduction(b, 0), 2);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		struct record r;

		sim_cycle(&b->sim);
		if (bed_records(b, EVENT_REPLY, &r))
			took[r.a == PACKET_REDUCTION] = r.b;
	}
	assert_true(took[0] > 16);
	assert_int_equal(took[0], took[1]);
	bed_close(b);
}

/* Two SMs that send to one slice all the time: its port takes one packet in a clock, theirs in turn. */
static void ports_are_shared_in_turn(void **state)
{
	struct bed *b = bed_new();
	u64 refused[2];

	(void)state;
	b->config.gpu_sms = 2;
	bed_address(b, 0, 2, BED_BASE, 128);
	for (u32 i = 0; i < 4; i++)
		bed_through(bed_memory(b, 0, OP_ST, CLASS_STORE, 0), 2)->offset = (i32)(i * 4096);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 32);
	bed_open(b);
	bed_run(b);
	for (u32 i = 0; i < 2; i++)
		refused[i] = b->sim.view[i].sm->stat[STAT_ICNT_REFUSED_SLICE];
	assert_true(refused[0] > 20 && refused[1] > 20);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_ICNT_REFUSED_QUEUE), 0);
	bed_close(b);
}

/* --- DRAM --- */

/* A request that has waited too long is counted once, though its row has to wait and requests for the open one go on
 * coming. */
static void the_starved_are_counted_once(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.dram_starve = 16;
	b->config.dram_banks = 1;
	b->config.dram_row = 4096;
	b->config.dram_spread = 0;
	b->config.dram_ccd = 4;
	b->config.dram_rtp = 40;
	b->kernel[0].regs = 64;
	for (u32 i = 0; i < 50; i++)
		bed_load(b, 0, 4 + i, BED_BASE + (i == 3 ? 4096 : i % 32 * 128 + i / 32 * 32));
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_STARVED), 1);
	bed_close(b);
}

/* A row of one bank stays open for a request that finds it so, though one for another row came before: 2 rows opened,
 * not 3. */
static void open_rows_go_first(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.dram_banks = 1;
	b->config.dram_row = 4096;
	b->config.dram_spread = 0;
	b->config.dram_rtp = 40; /* the first row cannot close before the third request has come */
	bed_load(b, 0, 4, BED_BASE);
	bed_load(b, 0, 5, BED_BASE + 4096);
	bed_load(b, 0, 6, BED_BASE + 128);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_ACTIVATES), 2);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_ROW_HITS), 1);
	bed_close(b);
}

/* Requests that find their rows open are served in the order in which they came, whatever their banks. */
static void hits_are_served_in_order(void **state)
{
	static const u8 bank[] = {1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 1};
	struct bed *b = bed_new();
	u32 n = 0;

	(void)state;
	b->config.dram_banks = 2;
	b->config.dram_row = 4096;
	b->config.dram_spread = 0;
	b->config.dram_ccd = 6;
	for (u32 i = 0; i < ARRAY_LEN(bank); i++)
		bed_load(b, 0, 4 + i, BED_BASE + bank[i] * 4096 + i * 128);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		struct record r;

		sim_cycle(&b->sim);
		if (!bed_records(b, EVENT_DRAM_READ, &r))
			continue;
		assert_true(n < ARRAY_LEN(bank));
		assert_int_equal(r.address, BED_BASE + bank[n] * 4096 + n * 128);
		n++;
	}
	assert_int_equal(n, ARRAY_LEN(bank));
	bed_close(b);
}

/* A sector takes as many column commands as it needs, the last of them for less than it could bring. */
static void a_part_of_a_column_is_a_column(void **state)
{
	static const struct {
		u32 bytes, burst, columns;
	} row[] = {{32, 1, 1}, {20, 1, 2}, {31, 1, 2}, {10, 2, 2}, {16, 1, 2}, {64, 1, 1}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = bed_new();

		b->config.dram_bytes = row[i].bytes;
		b->config.dram_burst = row[i].burst;
		bed_load(b, 0, 4, BED_BASE);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		bed_run(b);
		assert_int_equal(sim_event_count(&b->sim, EVENT_DRAM_READ), row[i].columns);
		bed_close(b);
	}
}

/* A slice that waited for a full channel goes on as soon as there is a place, not when data come back. */
static void a_place_in_the_queue_is_taken_at_once(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.dram_queue = 2;
	b->config.dram_latency = 200;
	b->config.dram_ccd = 20;
	for (u32 i = 0; i < 6; i++)
		bed_load(b, 0, 4 + i, BED_BASE + i * 128);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	assert_true(bed_run(b) < 2 * 200);
	assert_true(sim_l2_stat(&b->sim, STAT_L2_REFUSED_DRAM) > 0);
	bed_close(b);
}

/* --- issue and fetch --- */

/* No atomic issues beside a scheduler's choice: the queue of writes has room for one instruction of each scheduler. */
static void atomics_are_not_stolen(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	policy_put(&b->policy, POLICY_extra, SCHEME_steal);
	for (u32 i = 0; i < 4; i++)
		reduction(b, BED_BASE + i * 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_STOLEN), 0);
	bed_close(b);
}

/* Atomics that want a result wait for an entry of the table of loads as loads do. */
static void atomics_need_an_entry(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.lsu_loads = 8;
	for (u32 i = 0; i < 3; i++) {
		struct inst *in = reduction(b, BED_BASE + i * 4);

		in->ndst = 1;
		in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = (u16)(4 + i)};
		bed_writes(in, 4 + i);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 256);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_ATOMICS), 3 * 8);
	bed_close(b);
}

/* A fetch brings no more than the kernel has. */
static void fetches_end_with_the_kernel(void **state)
{
	struct bed *b = bed_new();
	struct record r = {0};

	(void)state;
	bed_alu(b, 0, CLASS_INT, 4, 0);
	bed_alu(b, 0, CLASS_INT, 5, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!bed_records(b, EVENT_FETCH, &r))
		sim_cycle(&b->sim);
	assert_int_equal(r.a, 3);
	bed_close(b);
}

/* One set of two lines of code, A B A C A: C takes B's place, for A was used after it. */
static void code_used_last_stays(void **state)
{
	static const u32 jump[] = {0, 8, 1, 16, 2}; /* from each to the next; the last ends */
	struct bed *b = bed_new();

	(void)state;
	b->config.l1i_perfect = 0;
	b->config.l1i_bytes = 256;
	b->config.l1i_line = 128;
	b->config.l1i_ways = 2;
	b->config.sm_ibuffer = b->config.fetch_insts = 1;
	for (u32 i = 0; i < 24; i++)
		bed_exit(b, 0);
	for (u32 i = 0; i + 1 < ARRAY_LEN(jump); i++) {
		struct inst *in = &b->inst[0][jump[i]];

		*in = (struct inst){.op = OP_BRA,
				    .class = CLASS_CONTROL,
				    .width = 4,
				    .vec = 1,
				    .write_pred = {0xff, 0xff},
				    .target = jump[i + 1],
				    .reconverge = 24};
	}
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1I_MISSES), 3);
	bed_close(b);
}

/* Register 64, the first beyond a word of the scoreboard, is waited for like any other. */
static void the_65th_register_is_waited_for(void **state)
{
	(void)state;
	for (u32 reg = 62; reg < 67; reg++) {
		struct bed *b = bed_new();

		b->kernel[0].regs = reg + 1;
		bed_alu(b, 0, CLASS_INT, reg, 0);
		bed_alu(b, 0, CLASS_INT, 4, 1, reg);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_expect(b, 0,
			   "0"
			   "...."
			   "0"
			   "0");
		bed_close(b);
	}
}

/* A branch that no lane takes has not diverged, nor has one that all take. */
static void a_branch_of_none_has_not_diverged(void **state)
{
	static const u32 lanes[] = {0, 1, 31, 32};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(lanes); i++) {
		struct bed *b = bed_new();

		bed_compare(b, 0, 0, SREG_LANEID, lanes[i]);
		bed_branch(b, 0, 0, 3, 3);
		bed_alu(b, 0, CLASS_INT, 4, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		bed_run(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_BRANCHES), 1);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_DIVERGED), lanes[i] % 32 != 0);
		bed_close(b);
	}
}

/* --- CTAs --- */

/* An SM is busy in the cycles in which it has a CTA, and in no others. */
static void an_sm_without_a_cta_is_not_busy(void **state)
{
	struct bed *b = bed_new();
	u64 busy = 0;

	(void)state;
	b->config.gpu_sms = 2;
	for (u32 i = 0; i < 10; i++)
		bed_alu(b, 0, CLASS_INT, 4, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		busy += b->sim.view[0].sm->ctas;
		sim_cycle(&b->sim);
	}
	bed_run_to(b, bed_cycle(b) + 100);
	sim_sync(&b->sim);
	assert_true(busy > 40);
	assert_int_equal(b->sim.view[0].sm->stat[STAT_BUSY_CYCLES], busy);
	assert_int_equal(b->sim.view[1].sm->stat[STAT_BUSY_CYCLES], 0);
	bed_close(b);
}

/* Warps that wait at a CTA's barriers are counted as they come and as they go. */
static void those_at_a_barrier_are_counted(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_barrier(b, 0);
	for (u32 i = 0; i < 4; i++)
		bed_alu(b, 0, CLASS_INT, 4, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 96);
	bed_open(b);
	while (!bed_records(b, EVENT_RELEASE, NULL)) {
		assert_int_equal(b->sim.view[0].cta[0].arrived, sim_sm_stat(&b->sim, STAT_BARRIERS));
		sim_cycle(&b->sim);
	}
	assert_int_equal(sim_sm_stat(&b->sim, STAT_BARRIERS), 3);
	assert_int_equal(b->sim.view[0].cta[0].arrived, 0);
	bed_close(b);
}

/* Barrier n for 64 threads. */
static void barrier_of_two_warps(struct bed *b, u32 n)
{
	struct inst *in = bed_barrier(b, 0);

	in->barrier = (u8)n;
	in->nsrc = 2;
	in->src[1] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, 64)};
	bed_exit(b, 0);
}

/* Warps 0 and 1 meet at barrier 0 while warp 2 waits for warp 3 at barrier 1: it goes on waiting. */
static void barriers_release_their_own(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_compare(b, 0, 0, SREG_WARPID, 2);
	bed_branch(b, 0, 0, 26, 38);
	bed_compare(b, 0, 1, SREG_WARPID, 3);
	bed_branch(b, 0, 1, 24, 38);
	for (u32 i = 4; i < 24; i++)
		bed_alu(b, 0, CLASS_INT, 4, 1, 4);
	barrier_of_two_warps(b, 1);
	for (u32 i = 26; i < 36; i++)
		bed_alu(b, 0, CLASS_INT, 4, 1, 4);
	barrier_of_two_warps(b, 0);
	assert_int_equal(b->kernel[0].ninst, 38);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	while (!bed_records(b, EVENT_RELEASE, NULL))
		sim_cycle(&b->sim);
	for (u32 i = 0; i < 4; i++)
		assert_int_equal(b->sim.view[0].warp[i].at_barrier, i == 2 ? 2 : 0);
	bed_run(b);
	assert_int_equal(sim_event_count(&b->sim, EVENT_RELEASE), 2);
	bed_close(b);
}

/* Places for more residents are not for active CTAs: of these there are sm.ctas. */
static void residents_are_not_active_ctas(void **state)
{
	(void)state;
	for (u32 ctas = 1; ctas <= 3; ctas++) {
		struct bed *b = bed_new();
		u32 most = 0;

		b->config.sm_ctas = ctas;
		b->config.sm_residents = 8;
		for (u32 i = 0; i < 10; i++)
			bed_alu(b, 0, CLASS_INT, 4, 1, 4);
		bed_exit(b, 0);
		bed_launch(b, 0, 6, 32);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			sim_cycle(&b->sim);
			most = max_u32(most, active_ctas(b->sim.view[0].sm));
		}
		assert_int_equal(most, ctas);
		bed_close(b);
	}
}

/* --- launches that come again and again --- */

static struct bed *periodic_bed(void)
{
	struct bed *b = bed_new();

	for (u32 i = 0; i < 10; i++)
		bed_alu(b, 0, CLASS_INT, 4, 1, 4);
	bed_exit(b, 0);
	return b;
}

/* Alone they never end. */
static void periodic_launches_alone_go_on(void **state)
{
	struct bed *b = periodic_bed();

	(void)state;
	bed_launch(b, 0, 1, 32)->every = 100;
	bed_open(b);
	bed_run_to(b, 1000);
	assert_false(sim_finished(&b->sim));
	assert_true(sim_sm_stat(&b->sim, STAT_CTA_FINISHED) >= 9);
	bed_close(b);
}

/* Each time a launch ends, its constants are forgotten: the next time they are asked for again. */
static void the_end_of_a_kernel_empties_the_constants(void **state)
{
	struct bed *b = constants_bed();

	(void)state;
	constant(b, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32)->every = 200;
	bed_open(b);
	bed_run_to(b, 1100);
	assert_true(sim_sm_stat(&b->sim, STAT_CTA_FINISHED) >= 4);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CONST_MISSES), sim_sm_stat(&b->sim, STAT_CTA_STARTED));
	bed_close(b);
}

/* Beside another they end with it, those that run then as well as those that wait. */
static void periodic_launches_end_with_the_others(void **state)
{
	(void)state;
	for (u32 period = 55; period < 80; period += 3) {
		struct bed *b = periodic_bed();

		bed_launch(b, 0, 30, 32);
		bed_launch(b, 0, 1, 32)->every = 200;
		bed_launch(b, 0, 1, 32)->every = period;
		b->launch[1].stream = 1;
		b->launch[2].stream = 2;
		b->config.sm_ctas = 2;
		bed_open(b);
		assert_true(bed_run(b) < 3000);
		bed_close(b);
	}
}

/* --- turns of a DRAM channel --- */

/* Whose turn it is by the rule, from what waits: reads until dram.write_high writes wait or there is nothing to read,
 * and so on. */
static bool turn_changes(const struct config *c, const struct channel *ch, u64 lasted)
{
	u32 high = min_u32(c->dram_write_high, c->dram_queue / 2), low = min_u32(c->dram_write_low, high / 2);
	u32 reads = ch->waiting[0], writes = ch->waiting[1];

	if (ch->writing)
		return !writes || (reads && (writes <= low || lasted >= c->dram_starve));
	return writes &&
	       (!reads || (writes >= high && lasted >= c->dram_turn) || (writes > low && lasted >= c->dram_starve));
}

/* A channel changes from reading to writing and back when the rule says so, and then only. */
static void turns_go_by_their_rule(void **state)
{
	static const u32 high[] = {2, 5, 8, 512};
	u32 changes = 0;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(high); i++) {
		struct bed *b = bed_crowd(i);

		b->config.l2_slices = b->config.dram_channels = 1;
		b->config.l1d_mshrs = b->config.l2_mshrs = 32;
		b->config.icnt_queue = b->config.l2_queue = 32;
		b->config.dram_queue = 16;
		b->config.dram_ccd = 6;
		b->config.dram_write_high = high[i];
		b->config.dram_write_low = 2;
		b->config.dram_turn = 10;
		b->config.dram_starve = 100;
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			const struct channel *ch = machine_channel_section(b->sim.m, 0, SECTION_CHANNEL);
			const struct dreq *done = machine_channel_section(b->sim.m, 0, SECTION_DDONE);
			u32 writing = ch->writing;
			u64 now = bed_cycle(b);
			/* data that come back may push out what is to be written, before the turn is decided */
			bool fills = ch->done_count && done[ch->done_head].clock <= now;
			bool any = ch->waiting[0] + ch->waiting[1],
			     change = any && turn_changes(&b->config, ch, now - ch->since);

			sim_cycle(&b->sim);
			if (any && !fills && (ch->writing != writing) != change)
				fail_msg("write_high %u, cycle %u: %s", high[i], (u32)now,
					 change ? "the turn stays" : "the turn changes");
			changes += change;
		}
		bed_close(b);
	}
	assert_true(changes > 20);
}

/* Four branches of two warps, one in five cycles on each branch unit; what is no branch, the exit too, waits for none.
 */
static void branches_take_their_unit(void **state)
{
	static const u32 one[] = {0, 5, 10, 15}, two[] = {0, 1, 5, 6};

	(void)state;
	for (u32 units = 0; units <= 2; units++) {
		struct bed *b = bed_new();
		struct record r;
		u64 first = NEVER, last[2] = {0}, waits = 0;
		u32 n = 0;

		b->config.unit_branch_count = units;
		b->config.unit_branch_interval = 5;
		bed_branch(b, 0, BED_NO_PRED, 1, 1);
		bed_branch(b, 0, BED_NO_PRED, 2, 2);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 64);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			u64 now = bed_cycle(b);

			sim_cycle(&b->sim);
			waits += (u64)__builtin_popcountll(sm_seen(&b->sim.view[0], WARP_UNIT)[0]);
			if (!bed_records(b, EVENT_ISSUE, &r))
				continue;
			first = min_u64(first, now);
			if (r.pc == 2) {
				assert_true(now <= last[r.warp] + 2);
				continue;
			}
			assert_true(n < 4);
			if (units)
				assert_int_equal(now - first, units == 1 ? one[n] : two[n]);
			n++;
			last[r.warp] = now;
		}
		assert_int_equal(n, 4);
		assert_true(units == 1 ? waits >= 12 : units == 2 || !waits);
		for (u32 i = 0; i < units; i++)
			assert_int_equal(b->sim.view[0].part[0].unit[b->sim.m->warp_units[UNIT_BRANCH] + i].issued,
					 4 / units);
		bed_close(b);
	}
}

/* Exits of two warps of one sub-core, which has one integer unit: each takes it for so many cycles, and the CTA keeps
 * its place until the last has come out; a guarded one that no lane takes goes the same way. 0: they act at issue. */
static void exits_take_their_unit(void **state)
{
	(void)state;
	for (u32 i = 0; i < 6; i++) {
		static const u32 cycles[] = {0, 1, 5};
		struct bed *b = bed_new();
		u32 each = cycles[i % 3], nobody = i / 3, n = 0, want = each ? 2 + 2 * nobody : 0;
		u64 last = NEVER, done = NEVER, end = NEVER;
		struct record r;

		b->config.unit_int_exit = each;
		b->config.lat_pipe = 2;
		if (nobody)
			bed_exit(b, 0)->guard = (struct operand){.kind = OPERAND_PRED, .value = 3};
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 64);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			u64 now = bed_cycle(b);

			sim_cycle(&b->sim);
			if (bed_records(b, EVENT_DISPATCH, &r)) {
				assert_int_equal(r.a, UNIT_INT);
				assert_true(!n || now >= last + each);
				if (each == 5 && n)
					assert_int_equal(now, last + 5);
				n++;
				last = now;
			}
			if (bed_records(b, EVENT_WARP_DONE, &r))
				done = now;
			if (bed_records(b, EVENT_CTA_END, &r))
				end = now;
		}
		assert_int_equal(n, want);
		assert_int_equal(end, each ? last + 2 + each : done);
		bed_close(b);
	}
}

/* An integer unit that takes an instruction in eight cycles, two collector units: without shares two integer
 * instructions stand in both, and nothing else issues; where their kind may have one, fp32 instructions and exits go
 * on. */
static void kinds_have_a_share_of_the_collectors(void **state)
{
	(void)state;
	for (u32 share = 0; share <= 2; share++) {
		struct bed *b = bed_new();

		b->config.sm_collectors = 2;
		b->config.collector_share = share;
		b->config.unit_int_interval = 8;
		b->config.unit_fp32_interval = 1;
		b->config.fetch_insts = b->config.sm_ibuffer = 4;
		bed_alu(b, 0, CLASS_INT, 5, 0);
		bed_alu(b, 0, CLASS_FP32, 6, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 128);
		bed_expect(b, 0, share == 1 ? "010101...222.....333" : "012......3.......012");
		bed_close(b);
	}
}

/* An instruction reads its operand when so many arbitrations have gone by, and is dispatched at once; in the order of
 * numbers it is chosen then, and goes a cycle later. What reads nothing is not delayed. */
static void reads_are_delayed(void **state)
{
	(void)state;
	for (u32 i = 0; i < 5 * 3 * 2 * 2; i++) {
		u32 delay = i % 5, passes = i / 5 % 3 + 1, order = i / 15 % 2, reads = i / 30;
		struct bed *b = bed_new();
		u64 issue = NEVER, dispatch = NEVER;

		b->config.collector_passes = passes;
		b->config.collector_delay = delay;
		b->config.collector_order = order;
		bed_alu(b, 0, CLASS_INT, 5, reads, 6);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			u64 now = bed_cycle(b);

			sim_cycle(&b->sim);
			if (bed_records(b, EVENT_ISSUE, NULL))
				issue = min_u64(issue, now);
			if (bed_records(b, EVENT_DISPATCH, NULL))
				dispatch = now;
		}
		assert_int_equal(dispatch - issue, 1 + (reads ? delay / passes : 0) + order);
		bed_close(b);
	}
}

/* Who finds that its kind has its share waits for the unit, or for the LSU; for neither where eight collector units are
 * for all. */
static void who_finds_no_share_waits_for_its_unit(void **state)
{
	(void)state;
	for (u32 i = 0; i < 4; i++) {
		struct bed *b = bed_new();
		u32 share = i & 1, memory = i / 2, waits[2] = {0};

		b->config.sm_collectors = 8;
		b->config.collector_share = share;
		b->config.unit_int_interval = 8;
		b->config.lsu_queue = 1;
		b->config.lsu_interval = 8;
		if (memory)
			bed_memory(b, 0, OP_ST, CLASS_SHSTORE, 0);
		else
			bed_alu(b, 0, CLASS_INT, 5, 0);
		bed_exit(b, 0);
		b->kernel[0].static_shared = 64;
		bed_launch(b, 0, 1, 128);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			sim_cycle(&b->sim);
			for (u32 lsu = 0; lsu < 2; lsu++)
				waits[lsu] += (u32)__builtin_popcountll(
					sm_seen(&b->sim.view[0], lsu ? WARP_LSU : WARP_UNIT)[0]);
		}
		assert_int_equal(waits[memory] > 6, share);
		assert_int_equal(waits[!memory], 0);
		bed_close(b);
	}
}

/* Dispatches that did not go in the order of issue, of integer instructions that wait for a unit in two collector
 * units. */
static u32 overtaken(u32 order)
{
	struct bed *b = bed_new();
	u64 issued[4][3] = {{0}}, last = 0;
	struct record r;
	u32 n = 0, over = 0;

	b->config.sm_collectors = 3;
	b->config.collector_order = order;
	b->config.unit_int_interval = 2;
	b->config.fetch_insts = b->config.sm_ibuffer = 4;
	for (u32 i = 0; i < 3; i++)
		bed_alu(b, 0, CLASS_INT, 5 + i, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		u64 now = bed_cycle(b);

		sim_cycle(&b->sim);
		if (bed_records(b, EVENT_DISPATCH, &r)) {
			over += issued[r.warp][r.pc] < last;
			last = max_u64(last, issued[r.warp][r.pc]);
			n++;
		}
		if (bed_records(b, EVENT_ISSUE, &r) && r.pc < 3)
			issued[r.warp][r.pc] = now;
	}
	assert_int_equal(n, 12);
	bed_close(b);
	return over;
}

/* The oldest collector unit goes first, or that of the lowest number: the other waits as long as there are others. */
static void the_first_collector_goes_first(void **state)
{
	(void)state;
	assert_int_equal(overtaken(0), 0);
	assert_int_equal(overtaken(1), 1);
}

/* Instructions fetched one by one: a warp issues every other cycle, or in each if the fetch is decoded at once; of two
 * sub-cores' fetches one, or both. */
static void fetches_are_decoded_directly(void **state)
{
	static const u64 want[] = {9 + 9, 0, 19 + 19};
	u64 count[3] = {0};

	(void)state;
	for (u32 direct = 0; direct <= 2; direct++) {
		struct bed *b = bed_new();
		struct record r;
		u64 first = NEVER;

		b->config.sm_subcores = 2;
		b->config.fetch_insts = b->config.sm_ibuffer = 1;
		b->config.fetch_direct = direct;
		for (u32 i = 0; i < 30; i++)
			bed_branch(b, 0, BED_NO_PRED, i + 1, i + 1);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 64);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			u64 now = bed_cycle(b), before = sim_event_count(&b->sim, EVENT_ISSUE);

			sim_cycle(&b->sim);
			if (bed_records(b, EVENT_ISSUE, &r))
				first = min_u64(first, now);
			assert_true(direct != 2 || !b->sim.view[0].sm->decoding);
			if (first != NEVER && now > first && now < first + 20)
				count[direct] += sim_event_count(&b->sim, EVENT_ISSUE) - before;
		}
		if (direct != 1)
			assert_int_equal(count[direct], want[direct]);
		bed_close(b);
	}
	assert_true(count[0] < count[1] && count[1] < count[2]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_of_banks_is_as_long_as_it_is),
		cmocka_unit_test(what_is_there_is_not_asked_for),
		cmocka_unit_test(a_line_without_sectors_gives_its_place),
		cmocka_unit_test(registers_written_are_counted),
		cmocka_unit_test(the_first_constants_take_longer),
		cmocka_unit_test(constants_come_by_lines),
		cmocka_unit_test(a_line_waits_for_its_block),
		cmocka_unit_test(a_hit_is_a_use),
		cmocka_unit_test(a_hit_needs_no_load_entry),
		cmocka_unit_test(constants_refused_are_counted),
		cmocka_unit_test(atomics_make_dirty),
		cmocka_unit_test(atomics_hold_for_each_sector),
		cmocka_unit_test(atomics_hold_for_lanes_that_meet),
		cmocka_unit_test(lanes_of_a_line_meet),
		cmocka_unit_test(lanes_of_a_line_are_parted),
		cmocka_unit_test(parted_lanes_are_requests),
		cmocka_unit_test(atomics_make_warps_wait),
		cmocka_unit_test(atomics_on_shared_memory_make_warps_wait),
		cmocka_unit_test(reductions_are_as_long_as_stores),
		cmocka_unit_test(ports_are_shared_in_turn),
		cmocka_unit_test(the_starved_are_counted_once),
		cmocka_unit_test(open_rows_go_first),
		cmocka_unit_test(hits_are_served_in_order),
		cmocka_unit_test(a_part_of_a_column_is_a_column),
		cmocka_unit_test(a_place_in_the_queue_is_taken_at_once),
		cmocka_unit_test(atomics_are_not_stolen),
		cmocka_unit_test(atomics_need_an_entry),
		cmocka_unit_test(fetches_end_with_the_kernel),
		cmocka_unit_test(code_used_last_stays),
		cmocka_unit_test(the_65th_register_is_waited_for),
		cmocka_unit_test(a_branch_of_none_has_not_diverged),
		cmocka_unit_test(an_sm_without_a_cta_is_not_busy),
		cmocka_unit_test(those_at_a_barrier_are_counted),
		cmocka_unit_test(barriers_release_their_own),
		cmocka_unit_test(residents_are_not_active_ctas),
		cmocka_unit_test(periodic_launches_alone_go_on),
		cmocka_unit_test(the_end_of_a_kernel_empties_the_constants),
		cmocka_unit_test(periodic_launches_end_with_the_others),
		cmocka_unit_test(turns_go_by_their_rule),
		cmocka_unit_test(branches_take_their_unit),
		cmocka_unit_test(exits_take_their_unit),
		cmocka_unit_test(kinds_have_a_share_of_the_collectors),
		cmocka_unit_test(reads_are_delayed),
		cmocka_unit_test(who_finds_no_share_waits_for_its_unit),
		cmocka_unit_test(the_first_collector_goes_first),
		cmocka_unit_test(fetches_are_decoded_directly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
