/*
 * test_core_control.c - control within an SM: barriers, fences, branches, instruction buffers and the L1I, faults,
 * deadlock.
 */
#include "core_bed.h"

#include "execute/perform.h"

/* --- barriers --- */

/* Both warps arrive one after the other; the release shows in the next cycle. */
static void barrier_releases_in_the_next_cycle(void **state)
{
	struct bed *b = bed_new();
	struct record r = {0};

	(void)state;
	bed_barrier(b, 0);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 96);
	bed_expect(b, 0,
		   "012"
		   "012"
		   "012");
	bed_open(b);
	bed_run_to(b, 5);
	assert_int_equal(bed_records(b, EVENT_BARRIER, &r), 1);
	assert_int_equal(r.a, 2);
	assert_int_equal(r.b, 3);
	assert_int_equal(bed_records(b, EVENT_RELEASE, NULL), 0);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_BARRIER);
	bed_run_to(b, 6);
	assert_int_equal(bed_records(b, EVENT_RELEASE, &r), 1);
	assert_int_equal(r.a, 3);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_BARRIER);
	assert_int_equal(sim_warp_status(&b->sim, 0, 2), WARP_ISSUED);
	bed_close(b);
}

/* Warp 0 takes a way of its own (5, 6) to what the others reach directly. */
static struct bed *detour_bed(void)
{
	struct bed *b = bed_new();

	b->config.sm_schedulers = b->config.unit_int_count = 2;
	bed_compare(b, 0, 0, SREG_WARPID, 1);
	bed_branch(b, 0, 0, 5, 2);
	return b;
}

/*
 * Two schedulers. Both warps: compare in 3 (predicate after 5), branch in 8. Warp 1 does not take it: barrier in 9.
 * Warp 0: a jump in t issues its target in t + 3 (fetch, decode, issue): 11, 12 jumps again, the barrier in 15. The
 * second scheduler chooses after the first in that very cycle, yet warp 1 goes on in 16.
 */
static void barrier_release_is_not_seen_at_once(void **state)
{
	struct bed *b = detour_bed();

	(void)state;
	bed_barrier(b, 0);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_exit(b, 0);
	bed_alu(b, 0, CLASS_INT, 2, 0);
	bed_branch(b, 0, BED_NO_PRED, 2, 2);
	bed_launch(b, 0, 1, 64);
	bed_expect(b, 0,
		   "0"
		   "...."
		   "0"
		   ".."
		   "00"
		   ".."
		   "0"
		   "00");
	bed_expect(b, 1,
		   "1"
		   "...."
		   "1"
		   "1"
		   "......"
		   "11");
	bed_close(b);
}

/* A warp that has ended is not waited for: warp 0 exits in 11, warp 1 waits since 9 and goes on in 12. */
static void the_ended_do_not_count(void **state)
{
	struct bed *b = detour_bed();

	(void)state;
	bed_barrier(b, 0);
	bed_exit(b, 0);
	bed_exit(b, 0);
	bed_exit(b, 0); /* 5: warp 0 */
	bed_launch(b, 0, 1, 64);
	bed_expect(b, 0,
		   "0"
		   "...."
		   "0"
		   ".."
		   "0");
	bed_expect(b, 1,
		   "1"
		   "...."
		   "1"
		   "1"
		   ".."
		   "1");
	assert_int_equal(sim_event_count(&b->sim, EVENT_RELEASE), 1);
	assert_false(sim_deadlocked(&b->sim));
	bed_close(b);
}

/* Barriers of two CTAs are apart. */
static void barriers_belong_to_ctas(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	policy_put(&b->policy, POLICY_order, SCHEME_gto);
	bed_barrier(b, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 64);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_event_count(&b->sim, EVENT_RELEASE), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_BARRIERS), 4);
	bed_close(b);
}

/* A barrier that only some lanes of a warp reach is a fault, whether by a guard or on a branch's path. */
static void barrier_in_part_of_a_warp_faults(void **state)
{
	(void)state;
	for (u32 by_branch = 0; by_branch < 2; by_branch++) {
		struct bed *b = bed_new();
		const struct gpu *g;

		bed_compare(b, 0, 0, SREG_LANEID, 7);
		if (by_branch)
			bed_branch(b, 0, 0, 3, 3);
		struct inst *in = bed_barrier(b, 0);
		if (!by_branch)
			bed_guard(in, 0, false);
		bed_compare(b, 0, 1, SREG_LANEID, 7);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		bed_run(b);
		g = machine_gpu(b->sim.m);
		assert_int_equal(g->fault, FAULT_DIVERGED_BARRIER);
		assert_int_equal(g->fault_pc, by_branch ? 2 : 1);
		assert_int_equal(sim_event_count(&b->sim, EVENT_FAULT), 1);
		bed_close(b);
	}
}

/* A barrier whose guard is false in every lane is no barrier at all. */
static void a_barrier_that_no_lane_executes(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_compare(b, 0, 0, SREG_LANEID, 0);
	bed_guard(bed_barrier(b, 0), 0, false);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	bed_open(b);
	bed_run(b);
	assert_false(sim_faulted(&b->sim));
	assert_int_equal(sim_sm_stat(&b->sim, STAT_BARRIERS), 0);
	bed_close(b);
}

/* --- fences --- */

/*
 * A store of cycle 3 leaves the LSU in 5, is looked up in the L2 in 8 and acknowledged in 10 (8 + 1 + 1). A fence of
 * cycle 6 waits for it; what follows issues in 10.
 */
static void fence_waits_for_stores(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_alu(b, 0, CLASS_INT, 2, 0);
	bed_inst(b, 0, OP_FENCE, CLASS_FENCE);
	bed_alu(b, 0, CLASS_INT, 3, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0,
		   "0000"
		   "..."
		   "00");
	bed_open(b);
	bed_run_to(b, 9);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_FENCE);
	assert_int_equal(b->sim.view[0].sched[0].outcome, SLOT_BARRIER);
	bed_close(b);
}

/* Two lines: the acknowledgement of the first is not enough; the second, one cycle behind, comes in 11. */
static void fence_waits_for_all_stores(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE);
	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE + 4096);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_inst(b, 0, OP_FENCE, CLASS_FENCE);
	bed_alu(b, 0, CLASS_INT, 3, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0,
		   "0000"
		   "...."
		   "00");
	bed_close(b);
}

/* Nothing stored: a fence is an instruction like any other; a load is not waited for. */
static void fence_without_stores_passes(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_load(b, 0, 4, BED_BASE);
	bed_inst(b, 0, OP_FENCE, CLASS_FENCE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0, "000");
	bed_close(b);
}

/* --- branches --- */

/*
 * Compare in 3; the branch in 8 splits the warp. 4 (the taken side first, 16 lanes) in 11; the jump to the other side:
 * 2 in 14, 3 in 15 jumps to where both join: 5 in 18, 6 in 19, all lanes. (The branch itself counts the lanes that take
 * it.)
 */
static struct bed *diverge_bed(void)
{
	struct bed *b = bed_new();

	bed_compare(b, 0, 0, SREG_LANEID, 16);
	bed_branch(b, 0, 0, 4, 5);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_branch(b, 0, BED_NO_PRED, 5, 5);
	bed_alu(b, 0, CLASS_INT, 2, 0);
	bed_alu(b, 0, CLASS_INT, 3, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	return b;
}

static void divergence_runs_both_sides(void **state)
{
	static const u32 pcs[] = {0, 1, 4, 2, 3, 5, 6}, lanes[] = {32, 16, 16, 16, 16, 32, 32};
	struct bed *b = diverge_bed();
	struct record r = {0};
	u32 n = 0;

	(void)state;
	bed_expect(b, 0,
		   "0"
		   "...."
		   "0"
		   ".."
		   "0"
		   ".."
		   "00"
		   ".."
		   "00");
	assert_int_equal(sim_sm_stat(&b->sim, STAT_BRANCHES), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_DIVERGED), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_THREAD), 3 * 32 + 4 * 16);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		if (!bed_records(b, EVENT_ISSUE, &r))
			continue;
		assert_true(n < 7);
		assert_int_equal(r.pc, pcs[n]);
		assert_int_equal(r.a, lanes[n]);
		n++;
	}
	assert_int_equal(n, 7);
	bed_close(b);
}

/* lat.branch = L: the target of a jump in t is fetched in t + L, decoded in the next cycle, issued in the one after. */
static void branch_latency_delays_the_target(void **state)
{
	struct bed *b = diverge_bed();

	(void)state;
	b->config.lat_branch = 5;
	bed_expect(b, 0,
		   "0"
		   "...."
		   "0"
		   "......"
		   "0"
		   "......"
		   "00"
		   "......"
		   "00");
	bed_close(b);
}

/* Lanes that exit in a branch leave; the others go on alone. */
static void lanes_exit_apart(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_compare(b, 0, 0, SREG_LANEID, 5);
	bed_guard(bed_exit(b, 0), 0, false);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0,
		   "0"
		   "...."
		   "000");
	assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_THREAD), 32 + 5 + 27 + 27);
	assert_int_equal(sim_event_count(&b->sim, EVENT_WARP_DONE), 1);
	bed_close(b);
}

/* --- instruction buffers and the L1I --- */

/* One instruction per fetch and warp, two warps, one fetch a cycle: each gets every second cycle. */
static void fetch_takes_turns(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.fetch_insts = b->config.fetch_width = 1;
	for (u32 i = 0; i < 3; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	bed_expect(b, 0, "01010101");
	b->config.fetch_width = 2; /* both in every cycle: issue is the limit */
	bed_expect(b, 0, "01010101");
	assert_int_equal(sim_sm_stat(&b->sim, STAT_FETCHES), 8);
	bed_close(b);
}

/* Four sub-cores share one L1I port: each is looked up for every fourth cycle, in turn. */
static void ports_are_shared_in_turn(void **state)
{
	static const char *const want[] = {"0...0...0...0...", ".2...2...2...2..", "..4...4...4...4.",
					   "...6...6...6...6"};
	struct bed *b = bed_new();

	(void)state;
	b->config.sm_subcores = 4;
	b->config.l1i_ports = b->config.fetch_insts = 1;
	for (u32 i = 0; i < 3; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	for (u32 k = 0; k < 4; k++)
		bed_expect(b, k, want[k]);
	bed_close(b);
}

/* A jump finds one instruction beyond it in the decode latch: it never enters the buffer. */
static void a_jump_throws_away(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.fetch_insts = 1;
	bed_branch(b, 0, BED_NO_PRED, 3, 3);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_alu(b, 0, CLASS_INT, 2, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0,
		   "0"
		   ".."
		   "0");
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_WARP), 2);
	bed_close(b);
}

/*
 * A cold L1I: the fetch of cycle 1 misses; its request is moved in 2, looked up in the L2 in 4, starts in DRAM in 5,
 * holds the bus for the 4 sectors of the line, has its data after one clock more, in 10, and leaves in 11 with 4 cycles
 * on the port: there in 15. Fetched again in 15, issued from 17 on. The buffer has room for 8 more in 16: a miss of the
 * next line, there in 16 + 14 = 30, issued from 32 on.
 */
static struct bed *cold_bed(void)
{
	struct bed *b = bed_new();

	b->config.l1i_perfect = 0;
	for (u32 i = 0; i < 10; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i, 0);
	bed_exit(b, 0);
	return b;
}

static void l1i_misses_go_to_dram(void **state)
{
	struct bed *b = cold_bed();

	(void)state;
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0,
		   ".............."
		   "00000000"
		   "......."
		   "000");
	assert_int_equal(sim_sm_stat(&b->sim, STAT_FETCHES), 4);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1I_HITS), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1I_MISSES), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1I_MERGES), 0);
	bed_close(b);
}

/* A second warp waits for the same lines. */
static void l1i_misses_merge(void **state)
{
	struct bed *b = cold_bed();

	(void)state;
	bed_launch(b, 0, 1, 64);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1I_MISSES), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1I_MERGES), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1I_HITS), 4);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_FETCHES), 8);
	bed_close(b);
}

/* One MSHR and two kernels at once: the second's line is refused from 2 to 14 and goes out in 15. */
static void l1i_refuses(void **state)
{
	struct bed *b = cold_bed();

	(void)state;
	b->config.l1i_mshrs = 1;
	bed_exit(b, 1);
	bed_launch(b, 0, 1, 32);
	bed_launch(b, 1, 1, 32)->stream = 1;
	bed_open(b);
	bed_run_to(b, 15);
	/* its CTA comes in cycle 1: one CTA per SM and cycle */
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1I_REFUSED), 13);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1I_MISSES), 3);
	bed_close(b);
}

/*
 * A jump while the next line is on its way: the line (there in 30) must not wake the warp, which waits for its target's
 * line. The jump issues in 24, the target misses in 25 and is there in 25 + 14 = 39: fetched, decoded, issued in 41.
 */
static void a_jump_forgets_a_miss(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.l1i_perfect = 0;
	for (u32 i = 0; i < 7; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i, 0);
	bed_branch(b, 0, BED_NO_PRED, 16, 16);
	for (u32 i = 0; i < 8; i++)
		bed_alu(b, 0, CLASS_INT, 9 + i, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0,
		   ".............."
		   "00000000"
		   "................"
		   "0");
	assert_int_equal(sim_sm_stat(&b->sim, STAT_FETCHES), 5); /* in 1, 15, 16, 25, 39 */
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1I_MERGES), 0);
	bed_close(b);
}

/* --- ends --- */

/* Warp 0 waits at a barrier for warp 1, which runs off the end of its kernel and waits for instructions that never
 * come. */
static void deadlock_is_found(void **state)
{
	(void)state;
	for (u32 sleep = 0; sleep < 2; sleep++) {
		struct bed *b = bed_new();

		b->config.engine_sleep = sleep;
		bed_compare(b, 0, 0, SREG_WARPID, 1);
		bed_branch(b, 0, 0, 3, 4);
		bed_branch(b, 0, BED_NO_PRED, 4, 4);
		bed_barrier(b, 0);
		bed_launch(b, 0, 1, 64);
		bed_open(b);
		bed_run(b);
		assert_true(sim_deadlocked(&b->sim));
		assert_false(sim_faulted(&b->sim));
		assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_BARRIER);
		assert_int_equal(sim_warp_status(&b->sim, 0, 1), WARP_FETCH);
		assert_in_range(bed_cycle(b), 12, 16); /* soon after the barrier of 11 */
		bed_close(b);
	}
}

/* CTAs 1 and 2 trap in the same cycle in SMs 1 and 2: the lower SM's fault is the program's, in whatever order they
 * ran. */
static void the_lowest_sm_faults(void **state)
{
	(void)state;
	for (u32 seed = 0; seed < 12; seed++) {
		struct bed *b = bed_new();
		const struct gpu *g;

		b->config.gpu_sms = 3;
		b->config.engine_order = seed;
		bed_compare(b, 0, 0, SREG_CTAID_X, 1);
		bed_guard(bed_inst(b, 0, OP_TRAP, CLASS_CONTROL), 0, true);
		bed_exit(b, 0);
		bed_launch(b, 0, 3, 32);
		bed_open(b);
		u64 end = bed_run(b);
		g = machine_gpu(b->sim.m);
		assert_int_equal(end, 9); /* compare in 3, trap in 8 */
		assert_int_equal(g->fault, FAULT_TRAP);
		assert_int_equal(g->fault_sm, 1);
		assert_int_equal(g->fault_cta, 1);
		assert_int_equal(g->fault_pc, 1);
		assert_int_equal(bed_records(b, EVENT_FAULT, NULL), 2);
		assert_int_equal(b->sim.bus.record[0].sm <= b->sim.bus.record[b->sim.bus.count - 1].sm, 1);
		bed_close(b);
	}
}

/* An address outside all buffers: where, in which lane. */
static void bad_addresses_fault(void **state)
{
	struct bed *b = bed_new();
	const struct gpu *g;

	(void)state;
	bed_address(b, 0, 2, BED_BASE, BED_BYTES / 16);
	bed_through(bed_load(b, 0, 4, 0), 2);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	g = machine_gpu(b->sim.m);
	assert_int_equal(g->fault, FAULT_OUT_OF_BOUNDS);
	assert_int_equal(g->fault_lane, 16);
	assert_int_equal(g->fault_address, BED_BASE + BED_BYTES);
	bed_close(b);
}

/* A front end that wants a barrier that its CTA does not have, or more or other threads than it has, makes the program
 * fault: nothing of this or of another CTA is written over. */
static void a_front_end_cannot_break_barriers(void **state)
{
	static const struct {
		u32 barrier, threads, fault;
	} row[] = {{0, 0, FAULT_NONE},
		   {15, 64, FAULT_NONE},
		   {16, 0, FAULT_BARRIER_NUMBER},
		   {255, 64, FAULT_BARRIER_NUMBER},
		   {1, 12267, FAULT_BARRIER_COUNT},
		   {1, 96, FAULT_BARRIER_COUNT},
		   {1, 33, FAULT_BARRIER_COUNT},
		   {1, ~31u, FAULT_BARRIER_COUNT}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = bed_new();
		struct inst *in = bed_barrier(b, 0);
		struct front_result r;
		struct cta before[2];
		struct sm_view *v;

		bed_exit(b, 0);
		bed_launch(b, 0, 2, 64);
		bed_open(b);
		bed_run_to(b, BED_FIRST);
		v = &b->sim.view[0];
		memcpy(before, v->cta, sizeof before);
		memset(&r, 0xa5, sizeof r);
		r.fault = FAULT_NONE;
		r.mask = 0xffffffff;
		r.taken = r.exited = r.ended = 0;
		r.barrier = (u8)row[i].barrier;
		r.threads = row[i].threads;
		perform_environment(v, 0, in);
		perform_issued(v, 0, 0, in, &r);
		assert_int_equal(v->gpu->fault, row[i].fault);
		assert_true(row[i].fault == FAULT_NONE || !memcmp(&before[0], &v->cta[0], sizeof before[0]));
		assert_memory_equal(&before[1], &v->cta[1], sizeof before[1]);
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(barrier_releases_in_the_next_cycle),
		cmocka_unit_test(barrier_release_is_not_seen_at_once),
		cmocka_unit_test(the_ended_do_not_count),
		cmocka_unit_test(barriers_belong_to_ctas),
		cmocka_unit_test(barrier_in_part_of_a_warp_faults),
		cmocka_unit_test(a_barrier_that_no_lane_executes),
		cmocka_unit_test(fence_waits_for_stores),
		cmocka_unit_test(fence_waits_for_all_stores),
		cmocka_unit_test(fence_without_stores_passes),
		cmocka_unit_test(divergence_runs_both_sides),
		cmocka_unit_test(branch_latency_delays_the_target),
		cmocka_unit_test(lanes_exit_apart),
		cmocka_unit_test(fetch_takes_turns),
		cmocka_unit_test(ports_are_shared_in_turn),
		cmocka_unit_test(a_jump_throws_away),
		cmocka_unit_test(l1i_misses_go_to_dram),
		cmocka_unit_test(l1i_misses_merge),
		cmocka_unit_test(l1i_refuses),
		cmocka_unit_test(a_jump_forgets_a_miss),
		cmocka_unit_test(deadlock_is_found),
		cmocka_unit_test(the_lowest_sm_faults),
		cmocka_unit_test(bad_addresses_fault),
		cmocka_unit_test(a_front_end_cannot_break_barriers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
