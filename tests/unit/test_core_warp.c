/*
 * test_core_warp.c - in time: named barriers, local memory, generic accesses, fences, clocks, naps. Values of every
 * kernel here are those of the run without timing.
 */
#include "core_bed.h"

static struct operand reg(u32 n)
{
	return (struct operand){.kind = OPERAND_REG, .value = (u16)n};
}
static struct operand pred(u32 n)
{
	return (struct operand){.kind = OPERAND_PRED, .value = (u16)n};
}
static struct operand imm(struct bed *b, u64 v)
{
	return (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, v)};
}

/* Run with the clock and without: the same memory. */
static void run_both(struct bed *b)
{
	static u8 timed[4096], want[4096];
	struct functional_result count;
	struct error e = {0};
	struct store s;

	bed_open(b);
	store_fork(&s, &b->sim.store);
	assert_int_equal(functional_run(&b->program, &s, 0, &count, &e), STATUS_OK);
	bed_run(b);
	assert_false(sim_faulted(&b->sim));
	assert_false(sim_deadlocked(&b->sim));
	store_read(&s, BED_BASE, want, sizeof want);
	store_read(&b->sim.store, BED_BASE, timed, sizeof timed);
	assert_memory_equal(timed, want, sizeof want);
	store_free(&s);
}

/* bar.* on a barrier for some threads; 0: all. */
static struct inst *barrier(struct bed *b, enum op op, u32 number, u32 threads)
{
	struct inst *in = bed_inst(b, 0, op, CLASS_CONTROL);

	in->barrier = (u8)number;
	if (threads) {
		in->nsrc = 2;
		in->src[1] = imm(b, threads);
	}
	return in;
}

/* Records of a kind until the end; the last is in *last. */
static u32 count_records(struct bed *b, enum event_kind kind, struct record *last)
{
	u32 n = 0;

	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		n += bed_records(b, kind, last);
		assert_true(bed_cycle(b) < 10000);
	}
	return n;
}

/* --- barriers --- */

/* Two warps produce and go on; two consume. The release comes with the last arrival and names barrier and arrivals. */
static void producers_do_not_wait(void **state)
{
	struct bed *b = bed_new();
	struct record r = {0};

	(void)state;
	bed_compare(b, 0, 0, SREG_WARPID, 2);
	bed_guard(barrier(b, OP_BAR_ARRIVE, 5, 128), 0, false);
	bed_guard(barrier(b, OP_BAR_SYNC, 5, 128), 0, true);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	assert_int_equal(count_records(b, EVENT_RELEASE, &r), 1);
	assert_int_equal(r.a, 4);
	assert_int_equal(r.b, 5);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_BARRIERS), 4);
	assert_false(sim_deadlocked(&b->sim));
	run_both(b);
	bed_close(b);
}

/* A barrier of 64 threads in a CTA of 128 is complete twice, with any two warps. */
static void counted_barriers_fill_again(void **state)
{
	struct bed *b = bed_new();
	struct record r = {0};

	(void)state;
	barrier(b, OP_BAR_SYNC, 15, 64);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	assert_int_equal(count_records(b, EVENT_RELEASE, &r), 2);
	assert_int_equal(r.a, 2);
	assert_false(sim_deadlocked(&b->sim));
	run_both(b);
	bed_close(b);
}

/* Warps at two barriers of the whole CTA, or too few for a count, never go on. */
static void mismatched_barriers_deadlock(void **state)
{
	(void)state;
	for (u32 counted = 0; counted < 2; counted++) {
		struct functional_result count;
		struct error e = {0};
		struct bed *b = bed_new();

		bed_compare(b, 0, 0, SREG_WARPID, 1);
		bed_guard(barrier(b, OP_BAR_SYNC, 1, counted ? 64 : 0), 0, false);
		if (!counted)
			bed_guard(barrier(b, OP_BAR_SYNC, 2, 0), 0, true);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 64);
		bed_open(b);
		assert_int_equal(functional_run(&b->program, &b->sim.store, 0, &count, &e), STATUS_DEADLOCK);
		assert_non_null(strstr(e.message, counted ? "barrier 1 needs 2 warps, but only 1 have arrived"
							  : "barriers 1 and 2"));
		bed_run(b);
		assert_true(sim_deadlocked(&b->sim));
		bed_close(b);
	}
}

/* Half a warp counts for all of it where a number of threads is given; without one it is a fault. */
static void a_part_counts_for_the_warp(void **state)
{
	(void)state;
	for (u32 counted = 0; counted < 2; counted++) {
		struct bed *b = bed_new();

		bed_compare(b, 0, 0, SREG_LANEID, 16);
		bed_guard(barrier(b, OP_BAR_SYNC, 0, counted ? 64 : 0), 0, false);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 64);
		bed_open(b);
		bed_run(b);
		assert_int_equal(machine_gpu(b->sim.m)->fault, counted ? FAULT_NONE : FAULT_DIVERGED_BARRIER);
		if (counted)
			run_both(b);
		bed_close(b);
	}
}

/* bar.red over 70 threads (three warps): 5 lanes of each say yes, so 15; not all, but one. Everyone learns it. */
static void reductions_reach_everyone(void **state)
{
	static const u32 want[] = {15, 0, 1};

	(void)state;
	for (u32 aux = 0; aux < 3; aux++) {
		struct bed *b = bed_new();
		struct inst *in;

		bed_compare(b, 0, 0, SREG_LANEID, 5);
		in = bed_inst(b, 0, OP_BAR_RED, CLASS_CONTROL);
		in->aux = (u8)aux;
		in->barrier = 3;
		in->ndst = 1;
		in->dst[0] = aux == BAR_RED_POPC ? reg(6) : pred(1);
		in->nsrc = 3;
		in->src[2] = pred(0);
		SET_ADD(in->hazard, HAZARD_PRED);
		if (aux != BAR_RED_POPC) {
			in = bed_writes(bed_inst(b, 0, OP_SELP_32, CLASS_INT), 6);
			in->ndst = 1;
			in->dst[0] = reg(6);
			in->nsrc = 3;
			in->src[0] = imm(b, 1);
			in->src[1] = imm(b, 0);
			in->src[2] = pred(1);
		}
		bed_out(b, 6, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 2, 70);
		run_both(b);
		for (u32 t = 0; t < 70; t++)
			assert_int_equal(bed_got(b, t, 0), want[aux]);
		assert_int_equal(bed_got(b, 70, 0), 0);
		bed_close(b);
	}
}

/*
 * The barrier unit takes an arrival every `interval` cycles, in their order, and lets warps go `latency` after the
 * last: they issue in the cycle behind that. Until then their status is `barrier`.
 */
static void the_unit_takes_its_time(void **state)
{
	static const u32 warps[] = {1, 2, 7}, latency[] = {0, 1, 30}, interval[] = {0, 1, 5};

	(void)state;
	for (u32 i = 0; i < 27; i++) {
		struct bed *b = bed_new();
		u64 taken = 0, free = 0, waits = 0;

		b->config.barrier_latency = latency[i / 3 % 3];
		b->config.barrier_interval = interval[i / 9];
		barrier(b, OP_BAR_SYNC, 0, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32 * warps[i % 3]);
		bed_open(b);
		for (u32 n = 0; n < warps[i % 3];) {
			u64 now = bed_cycle(b);

			sim_cycle(&b->sim);
			for (u32 here = bed_records(b, EVENT_BARRIER, NULL); here; here--, n++) {
				taken = max_u64(now, free);
				free = taken + b->config.barrier_interval;
				waits += taken - now;
			}
		}
		u64 come = bed_cycle(b), go = taken + b->config.barrier_latency + 1;
		for (; bed_cycle(b) < go; sim_cycle(&b->sim)) {
			assert_int_equal(b->sim.view[0].warp[0].released, go);
			assert_true(sim_warp_status(&b->sim, 0, 0) == WARP_BARRIER || bed_cycle(b) == come);
			assert_int_equal(b->sim.view[0].cta[0].arrived, warps[i % 3]);
		}
		assert_int_equal(bed_when(b, 0, 0, 1), go);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_BARRIER_UNIT), waits);
		bed_run(b);
		assert_int_equal(b->sim.view[0].sm->release_at, 0);
		bed_close(b);
	}
}

/* A warp that ends completes a barrier through the unit, too. */
static void an_end_is_taken_like_an_arrival(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.barrier_latency = 20;
	b->config.barrier_interval = 3;
	bed_compare(b, 0, 0, SREG_WARPID, 1);
	bed_guard(bed_exit(b, 0), 0, true);
	barrier(b, OP_BAR_SYNC, 0, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	bed_open(b);
	u64 ended = bed_when(b, 0, 1, 1), came = bed_when(b, 0, 0, 2);
	assert_true(came > ended);
	assert_int_equal(bed_when(b, 0, 0, 3), came + 21);
	bed_close(b);
}

/* Instructions 0 to 7: warps from `first` on have six more to do than those before. */
static void late_from(struct bed *b, u32 first)
{
	bed_compare(b, 0, 0, SREG_WARPID, first);
	bed_branch(b, 0, 0, 8, 8);
	for (u32 i = 0; i < 6; i++)
		bed_alu(b, 0, CLASS_INT, 4, 1, 4);
}

/* It is the last that is missing: the barrier unit is free again `interval` cycles after the last arrival. */
static void an_end_completes(void **state)
{
	(void)state;
	for (u32 interval = 3; interval < 200; interval += 120) {
		struct bed *b = bed_new();

		b->config.barrier_latency = 20;
		b->config.barrier_interval = interval;
		late_from(b, 1);
		bed_guard(bed_exit(b, 0), 0, true);
		barrier(b, OP_BAR_SYNC, 0, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 64);
		bed_open(b);
		u64 came = bed_when(b, 0, 0, 9), ended = bed_when(b, 0, 1, 8);
		assert_in_range(ended, came + 4, came + 100);
		assert_int_equal(bed_when(b, 0, 0, 10), max_u64(ended, came + interval) + 21);
		bed_close(b);
	}
}

/* Those that are about to leave a barrier leave when they would, though others complete it again before. */
static void those_that_leave_are_not_kept(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.barrier_latency = 50;
	late_from(b, 2);
	barrier(b, OP_BAR_SYNC, 1, 64);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	u64 first = bed_when(b, 0, 1, 8), second = bed_when(b, 0, 3, 8);
	assert_in_range(second, first + 4, first + 49);
	for (u32 i = 0; i < 4; i++)
		assert_int_equal(b->sim.view[0].warp[i].released, (i < 2 ? first : second) + 51);
	bed_close(b);
}

/*
 * Warp 1 waits at the first phase of a barrier for two; warp 0 arrives and completes it, and its next arrival is for
 * the second phase, though warp 1 has not gone on from the first.
 */
static void phases_lie_apart(void **state)
{
	struct record r = {0};

	(void)state;
	for (u32 latency = 0; latency < 60; latency += 50) {
		struct bed *b = bed_new();

		b->config.barrier_latency = latency;
		b->config.barrier_interval = latency / 10;
		bed_compare(b, 0, 0, SREG_WARPID, 1);
		for (u32 i = 0; i < 4; i++)
			bed_guard(bed_alu(b, 0, CLASS_INT, 4, 1, 4), 0, false);
		for (u32 phase = 0; phase < 2; phase++) {
			bed_guard(barrier(b, OP_BAR_ARRIVE, 2, 64), 0, false);
			bed_guard(barrier(b, OP_BAR_SYNC, 2, 64), 0, true);
		}
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 64);
		bed_open(b);
		assert_int_equal(count_records(b, EVENT_RELEASE, &r), 2);
		assert_int_equal(r.a, 2);
		assert_false(sim_deadlocked(&b->sim));
		bed_close(b);
	}
}

/* --- local memory --- */

/* Store and load again at an offset; lanes at their own multiple of `step`; elements of `width`. */
static struct bed *local_bed(u32 width, u32 step)
{
	struct bed *b = bed_new();
	struct inst *in;

	b->kernel[0].local_bytes = 256;
	bed_address(b, 0, 4, 8, step);
	bed_address_by(b, 0, 8, SREG_TID_X, 1000, 3);
	for (u32 i = 0; i < 2; i++) {
		in = bed_through(bed_inst(b, 0, i ? OP_LD : OP_ST, i ? CLASS_LOAD : CLASS_STORE), 4);
		in->space = SPACE_LOCAL;
		in->width = (u8)width;
		in->nsrc = 2;
		in->src[1] = reg(8);
		in->ndst = i ? 1 : 0;
		in->dst[0] = reg(6);
		bed_reads(in, 8);
		if (i)
			bed_writes(bed_writes(in, 6), 7);
	}
	bed_out(b, 6, 0);
	bed_exit(b, 0);
	return b;
}

/*
 * Words of equal offsets share a line of 128 bytes, lane after lane: four sectors; 8 bytes are two words; each lane at
 * its own word is a line and a sector each. The load asks for as much as the store; then a line of results leaves.
 */
static void local_words_interleave(void **state)
{
	static const struct {
		u32 width, step, lines, sectors;
	} at[] = {{4, 0, 1, 4}, {8, 0, 2, 8}, {4, 4, 32, 32}, {1, 0, 1, 4}, {8, 8, 32, 32}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(at); i++) {
		struct bed *b = local_bed(at[i].width, at[i].step);

		if (at[i].step == 8)
			b->kernel[0].local_bytes = 512;
		bed_launch(b, 0, 1, 32);
		run_both(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_MEM_LINES), 2 * at[i].lines + 1);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_MEM_SECTORS), 2 * at[i].sectors + 4);
		for (u32 t = 0; t < 32; t++)
			assert_int_equal(bed_got(b, t, 0), (1000 + 3 * t) & (at[i].width == 1 ? 0xff : ~0u));
		bed_close(b);
	}
}

/* Frames of warps and CTAs lie apart, and start as zeros in each CTA. */
static void local_frames_lie_apart(void **state)
{
	struct bed *b = local_bed(4, 0);

	(void)state;
	bed_launch(b, 0, 3, 128);
	run_both(b);
	for (u32 t = 0; t < 128; t++)
		assert_int_equal(bed_got(b, t, 0), 1000 + 3 * t);
	bed_close(b);
}

/* --- generic accesses --- */

/* A load through the address base + stride x lane, and a reader of it: the trace. */
static struct bed *generic_bed(u8 space, u64 base, u32 stride)
{
	struct bed *b = bed_new();
	struct inst *in;

	b->kernel[0].static_shared = 4096;
	bed_address(b, 0, 4, base, stride);
	in = bed_through(bed_load(b, 0, 6, 0), 4);
	in->space = space;
	if (space == SPACE_SHARED)
		in->class = CLASS_SHLOAD;
	bed_alu(b, 0, CLASS_INT, 7, 1, 6);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	return b;
}

/* The cycle in which the reader of the load issues. */
static u64 reader_issues(struct bed *b)
{
	bed_open(b);
	return bed_when(b, 0, 0, 2);
}

/* Lanes of one kind take the time of that kind: conflicts of banks, lines of global memory. */
static void generic_takes_the_time_of_its_space(void **state)
{
	(void)state;
	for (u32 stride = 4; stride <= 128; stride *= 2) {
		struct bed *shared = generic_bed(SPACE_SHARED, 0, stride);
		struct bed *as_shared = generic_bed(SPACE_GENERIC, SHARED_WINDOW, stride);
		struct bed *global = generic_bed(SPACE_GLOBAL, BED_BASE, stride);
		struct bed *as_global = generic_bed(SPACE_GENERIC, BED_BASE, stride);
		u64 s = reader_issues(shared), g = reader_issues(global);

		assert_int_equal(reader_issues(as_shared), s);
		assert_int_equal(reader_issues(as_global), g);
		assert_int_not_equal(s, g);
		assert_int_equal(sim_sm_stat(&as_shared->sim, STAT_SHARED_CYCLES), stride / 4);
		assert_int_equal(sim_sm_stat(&as_global->sim, STAT_SHARED_CYCLES), 0);
		bed_close(shared);
		bed_close(as_shared);
		bed_close(global);
		bed_close(as_global);
	}
}

/* Lanes of both kinds: the lines of the global ones, then the LSU is busy for the banks of the others. */
static void mixed_lanes_take_both(void **state)
{
	struct bed *b = bed_new();
	struct inst *in;

	(void)state;
	b->kernel[0].static_shared = 4096;
	bed_address(b, 0, 4, BED_BASE, 4);
	bed_compare(b, 0, 0, SREG_LANEID, 16);
	bed_address(b, 0, 8, SHARED_WINDOW, 128); /* 16 lanes in one bank */
	for (u32 i = 0; i < 2; i++) {		  /* lanes 0..15 of the pair 4 become those of 8 */
		in = bed_writes(bed_inst(b, 0, OP_MOV_32, CLASS_INT), 4 + i);
		in->ndst = in->nsrc = 1;
		in->dst[0] = reg(4 + i);
		in->src[0] = reg(8 + i);
		bed_guard(bed_reads(in, 8 + i), 0, false);
	}
	in = bed_through(bed_load(b, 0, 6, 0), 4);
	in->space = SPACE_GENERIC;
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!b->sim.view[0].sm->shared_busy) {
		sim_cycle(&b->sim);
		assert_true(bed_cycle(b) < 100);
	}
	assert_int_equal(b->sim.view[0].sm->shared_busy, bed_cycle(b) - 1 + 16);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_MEM_LINES), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_MEM_SECTORS), 2);
	run_both(b);
	bed_close(b);
}

/* --- fences, clocks, naps, latencies --- */

/* The store of cycle 3 is not yet in the LSU when the fence of cycle 4 issues: it waits all the same, until 10. */
static void fence_waits_for_what_has_issued(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE);
	bed_inst(b, 0, OP_FENCE, CLASS_FENCE);
	bed_alu(b, 0, CLASS_INT, 3, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0,
		   "00"
		   "....."
		   "00");
	bed_run(b);
	assert_int_equal(b->sim.view[0].warp[0].stores, 0);
	bed_close(b);
}

/* So it is with a reduction: nothing issues before the reply to its one line has come. */
static void fence_waits_for_reductions(void **state)
{
	struct bed *b = bed_new();
	struct inst *in = bed_memory(b, 0, OP_ATOM, CLASS_ATOMIC, BED_BASE);
	u64 reply = 0, next = 0;

	(void)state;
	in->nsrc = 2;
	in->src[1] = reg(0);
	in->vec = VALUE_U32;
	bed_inst(b, 0, OP_FENCE, CLASS_FENCE);
	bed_alu(b, 0, CLASS_INT, 3, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!next) {
		u64 cycle = bed_cycle(b);

		assert_true(cycle < 1000);
		sim_cycle(&b->sim);
		reply = bed_records(b, EVENT_REPLY, NULL) ? cycle : reply;
		next = b->sim.view[0].warp[0].issued > 2 ? cycle : 0;
	}
	assert_true(reply > 4);
	assert_int_equal(next, reply);
	bed_close(b);
}

/* Two readings of the clock are the cycles of their issues, 3 and 8 (a reader of a result of 4 cycles in between). */
static void clocks_tell_the_cycle_of_issue(void **state)
{
	struct bed *b = bed_new();
	struct inst *in;

	(void)state;
	for (u32 i = 0; i < 2; i++) {
		in = bed_writes(bed_inst(b, 0, OP_MOV_32, CLASS_INT), 6 + i);
		in->ndst = in->nsrc = 1;
		in->dst[0] = reg(6 + i);
		in->src[0] = (struct operand){.kind = OPERAND_SREG, .value = SREG_CLOCK};
		if (i)
			bed_reads(in, 6);
	}
	bed_out(b, 6, 0);
	bed_out(b, 7, 1024);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(bed_got(b, 9, 0), 3);
	assert_int_equal(bed_got(b, 9, 1024), 8);
	bed_close(b);
}

/* 100 ns are 140 cycles of 1400 MHz; one to begin with, and two to fetch and decode. At most 1023 cycles are slept. */
static void naps_last(void **state)
{
	(void)state;
	for (u32 longer = 0; longer < 2; longer++) {
		struct bed *b = bed_new();
		struct inst *in = bed_inst(b, 0, OP_NANOSLEEP, CLASS_CONTROL);

		in->nsrc = 1;
		in->src[0] = imm(b, longer ? 1000000 : 100);
		bed_alu(b, 0, CLASS_INT, 3, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		assert_int_equal(bed_when(b, 0, 0, 0), BED_FIRST);
		assert_int_equal(bed_when(b, 0, 0, 1), BED_FIRST + (longer ? 1023 : 141) + 2);
		bed_close(b);
	}
}

/* A shuffle has a latency of its own. */
static void shuffles_take_their_time(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.lat_shfl = 9;
	bed_alu(b, 0, CLASS_SHFL, 1, 0);
	bed_alu(b, 0, CLASS_INT, 2, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0,
		   "0"
		   "........."
		   "0");
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(producers_do_not_wait),
		cmocka_unit_test(counted_barriers_fill_again),
		cmocka_unit_test(mismatched_barriers_deadlock),
		cmocka_unit_test(a_part_counts_for_the_warp),
		cmocka_unit_test(reductions_reach_everyone),
		cmocka_unit_test(the_unit_takes_its_time),
		cmocka_unit_test(an_end_is_taken_like_an_arrival),
		cmocka_unit_test(an_end_completes),
		cmocka_unit_test(those_that_leave_are_not_kept),
		cmocka_unit_test(phases_lie_apart),
		cmocka_unit_test(local_words_interleave),
		cmocka_unit_test(local_frames_lie_apart),
		cmocka_unit_test(generic_takes_the_time_of_its_space),
		cmocka_unit_test(mixed_lanes_take_both),
		cmocka_unit_test(fence_waits_for_what_has_issued),
		cmocka_unit_test(fence_waits_for_reductions),
		cmocka_unit_test(clocks_tell_the_cycle_of_issue),
		cmocka_unit_test(naps_last),
		cmocka_unit_test(shuffles_take_their_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
