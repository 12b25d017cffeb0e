/*
 * test_core_regressions.c - cases in which the core went wrong once.
 */
#include "core_bed.h"

/* A fence right behind its store: the store is still on its way to the LSU, so it must be waited for. */
static void fence_behind_a_store(void **state)
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
	bed_close(b);
}

/* engine.threads: a pool is made for a run, goes as soon as the setting says otherwise, and has left no trace. */
static void threads_come_and_go(void **state)
{
	u64 hash[2];

	(void)state;
	for (u32 many = 0; many < 2; many++) {
		struct bed *b = bed_crowd(3);
		struct error e = {0};

		b->config.gpu_sms = 4;
		b->config.engine_threads = many ? 2 : 1;
		bed_open(b);
		b->sim.bus.want = 0;
		assert_int_equal(sim_run(&b->sim, 300), RUN_DONE);
		assert_int_equal(b->sim.pool != NULL, many);
		assert_int_equal(sim_set(&b->sim, SET_engine_threads, 1, &e), STATUS_OK);
		assert_null(b->sim.pool);
		assert_int_equal(sim_run(&b->sim, 100000), RUN_DONE);
		assert_null(b->sim.pool);
		config_set(&b->sim.m->config, SET_engine_threads, 0);
		hash[many] = sim_hash(&b->sim);
		bed_close(b);
	}
	assert_int_equal(hash[0], hash[1]);
}

/* issue.interval 4: an SM that falls asleep between two slots goes on counting the outcome of the last slot. */
static void sleep_with_an_interval(void **state)
{
	struct bed *a = bed_new(), *b = bed_new();

	(void)state;
	for (struct bed *x = a;; x = b) {
		x->config.issue_interval = 4;
		x->config.lat_sfu = 90;
		x->config.engine_sleep = x == b;
		bed_alu(x, 0, CLASS_SFU, 1, 0);
		bed_alu(x, 0, CLASS_SFU, 1, 1, 1);
		bed_exit(x, 0);
		bed_launch(x, 0, 1, 32);
		bed_open(x);
		if (x == b)
			break;
	}
	while (!sim_finished(&a->sim)) {
		sim_cycle(&a->sim);
		sim_cycle(&b->sim);
		for (u32 k = 0; k < SLOT_OUTCOME_COUNT; k++) {
			sim_sync(&a->sim);
			sim_sync(&b->sim);
			if (sim_outcome_sum(&a->sim, k) != sim_outcome_sum(&b->sim, k))
				fail_msg("cycle %llu: outcome %s: %llu awake, %llu asleep", bed_cycle(a),
					 slot_outcome_table[k].name, sim_outcome_sum(&a->sim, k),
					 sim_outcome_sum(&b->sim, k));
		}
	}
	bed_close(a);
	bed_close(b);
}

/* A skip in cycle 0 over the time before a launch `at`: ready_at is set by cycling, not by skipping. */
static void skip_before_the_first_launch(void **state)
{
	struct bed *a = bed_new(), *b = bed_new();

	(void)state;
	for (struct bed *x = a;; x = b) {
		bed_exit(x, 0);
		bed_launch(x, 0, 1, 32)->at = 1000;
		bed_open(x);
		if (x == b)
			break;
	}
	assert_int_equal(sim_skip(&b->sim, 500), 500);
	bed_run_to(a, 500);
	assert_int_equal(sim_hash(&a->sim), sim_hash(&b->sim));
	bed_close(a);
	bed_close(b);
}

/* 1024 results in flight leave none for the end of a jump: the program must not die of that. */
static void many_results_and_a_jump(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.sm_subcores = 4;
	b->config.sm_warps = 64;
	b->config.lat_fp32 = 500;
	b->kernel[0].regs = 32;
	for (u32 i = 0; i < 30; i++)
		bed_alu(b, 0, CLASS_FP32, i, 0);
	bed_branch(b, 0, BED_NO_PRED, 32, 32);
	bed_exit(b, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 1024);
	bed_open(b);
	bed_run(b);
	bed_close(b);
}

/* In the middle of a cycle, too, sleeping changes nothing. */
static void sleep_in_the_middle_of_a_cycle(void **state)
{
	struct bed *a = bed_crowd(4), *b = bed_crowd(4);

	(void)state;
	a->config.engine_sleep = 0;
	bed_open(a);
	bed_open(b);
	for (u32 i = 0; i < 600 * STAGE_COUNT; i++) {
		sim_stage(&a->sim);
		sim_stage(&b->sim);
		if (sim_hash(&a->sim) != sim_hash(&b->sim))
			fail_msg("cycle %llu stage %u", bed_cycle(a), machine_gpu(a->sim.m)->stage);
	}
	bed_close(a);
	bed_close(b);
}

/* A change of dram.clock at run time moves the time base of all that is in flight. */
static void dram_clock_changes(void **state)
{
	struct bed *b = bed_new();
	struct error e;

	(void)state;
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 4, 1, 4);
	for (u32 i = 1; i < 40; i++) {
		bed_load(b, 0, 4, BED_BASE + i * 128);
		bed_alu(b, 0, CLASS_INT, 4, 1, 4);
	}
	bed_exit(b, 0);
	b->config.gpu_clock = 1000;
	b->config.dram_clock = 1000;
	b->config.dram_latency = 100;
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run_to(b, 3000);
	sim_set(&b->sim, SET_dram_clock, 500, &e);
	u64 at = bed_cycle(b), n = sim_sm_stat(&b->sim, STAT_REPLIES);
	while (sim_sm_stat(&b->sim, STAT_REPLIES) == n && !sim_finished(&b->sim))
		sim_cycle(&b->sim);
	if (bed_cycle(b) - at > 250)
		fail_msg("the answer in flight took %llu cycles more", bed_cycle(b) - at);
	bed_close(b);
}

/* The LSU's turn: sub-cores 0 and 1 both want it, but only 0 and 1 of 4 do: equal shares. */
static void lsu_is_fair(void **state)
{
	struct bed *b = bed_new();
	u64 n[4] = {0};
	struct record r;

	(void)state;
	b->config.sm_subcores = 4;
	b->config.l1d_ports = 1;
	bed_compare(b, 0, 0, SREG_WARPID, 2);
	bed_guard(bed_exit(b, 0), 0, true);
	for (u32 i = 0; i < 100; i++)
		bed_load(b, 0, i % 28, BED_BASE);
	bed_exit(b, 0);
	b->config.lsu_loads = 1024;
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	while (n[0] < 90 && n[1] < 90) {
		sim_cycle(&b->sim);
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			r = b->sim.bus.record[i];
			if (r.kind == EVENT_DISPATCH && r.a == UNIT_LSU)
				n[r.sub]++;
		}
	}
	if (n[0] > n[1] + 5 || n[1] > n[0] + 5)
		fail_msg("%llu to %llu", n[0], n[1]);
	bed_close(b);
}

/* the line's sector 0 is in the L1D, sector 1 is on its way: an access to both asks for nothing */
static void a_merge_asks_for_what_is_there(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 4, 1, 4);
	bed_address(b, 0, 2, BED_BASE, 2 * 4);
	bed_load(b, 0, 5, BED_BASE + 32);
	struct inst *in = bed_through(bed_load(b, 0, 6, 0), 2);
	bed_compare(b, 0, 0, SREG_LANEID, 8); /* lanes 0 to 7: sectors 0 and 1 */
	struct inst swap = b->inst[0][5];
	b->inst[0][5] = b->inst[0][4];
	b->inst[0][4] = b->inst[0][3];
	b->inst[0][3] = swap;
	(void)in;
	bed_guard(&b->inst[0][5], 0, false);
	SET_ADD(b->inst[0][4].hazard, HAZARD_PRED); /* so that both go together */
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MERGES), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_REQUESTS), 2);
	bed_close(b);
}

/* three reads of one bank, two passes: one bank-cycle in which a read waits */
static void conflicts_with_two_passes(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.sm_banks = 2;
	b->config.collector_passes = 2;
	bed_alu(b, 0, CLASS_FP32, 1, 3, 0, 2, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_RF_CONFLICT), 1);
	bed_close(b);
}

/* a warp that came in this cycle into a slot that was left in this cycle has not issued and is not done */
static void status_of_a_new_warp(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.sm_ctas = 1;
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 32);
	bed_open(b);
	bed_run_to(b, 9);
	assert_int_equal(b->sim.view[0].warp[0].generation, 2);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_FETCH);
	bed_close(b);
}

/* an instruction that faults has not issued: slots.issued = inst.warp */
static void a_fault_is_no_issue(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_inst(b, 0, OP_TRAP, CLASS_CONTROL);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_outcome_sum(&b->sim, SLOT_ISSUED), sim_sm_stat(&b->sim, STAT_INST_WARP));
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fence_behind_a_store),
		cmocka_unit_test(threads_come_and_go),
		cmocka_unit_test(sleep_with_an_interval),
		cmocka_unit_test(skip_before_the_first_launch),
		cmocka_unit_test(sleep_in_the_middle_of_a_cycle),
		cmocka_unit_test(dram_clock_changes),
		cmocka_unit_test(lsu_is_fair),
		cmocka_unit_test(a_merge_asks_for_what_is_there),
		cmocka_unit_test(conflicts_with_two_passes),
		cmocka_unit_test(status_of_a_new_warp),
		cmocka_unit_test(a_fault_is_no_issue),
		cmocka_unit_test(many_results_and_a_jump),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
