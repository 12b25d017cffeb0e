/*
 * test_smk.c - kernels that share every SM: even parts, dominant shares, and what each may issue in an epoch.
 *
 * The numbers are computed by hand; the quotas of dominant shares and the credits are those of the page that describes
 * the mechanism.
 */
#include "core_bed.h"

#include "policy_kernels.h"
#include "policy_multi.h"
#include "policy_smk.h"

/* An SM of 1536 threads, 32768 registers, 48 kB and 8 CTA slots; kernel A of 256 threads with 20 registers, B of 128
 * with 16 and 12 kB. */
static struct bed *two_kinds(void)
{
	struct bed *b = bed_new();

	b->config.sm_warps = 48;
	b->config.sm_threads = 1536;
	b->config.sm_registers = 32768;
	b->config.sm_register_unit = 64;
	b->config.sm_shared = b->config.sm_cta_shared = 48 * 1024;
	b->config.sm_ctas = 8;
	b->kernel[0].regs = 20;
	b->kernel[1].regs = 16;
	for (u32 k = 0; k < 2; k++) {
		for (u32 i = 0; i < 100; i++)
			bed_alu(b, k, CLASS_INT, 1 + i % 8, 0);
		bed_exit(b, k);
	}
	bed_launch(b, 0, 40, 256);
	bed_launch(b, 1, 40, 128)->stream = 1;
	b->launch[1].shared = 12 * 1024;
	return b;
}

/* A by threads (768 / 256) and registers (16384 / 5120), B by shared memory (24 kB / 12 kB); of three kernels 512, 16
 * kB; 40 kB fit into no half. */
static void even_parts(void **state)
{
	struct bed *b = two_kinds();

	(void)state;
	bed_open(b);
	assert_int_equal(smk_even(b->sim.m, &b->launch[0], 2), 3);
	assert_int_equal(smk_even(b->sim.m, &b->launch[1], 2), 2);
	assert_int_equal(smk_even(b->sim.m, &b->launch[0], 3), 2);
	assert_int_equal(smk_even(b->sim.m, &b->launch[1], 3), 1);
	b->launch[1].shared = 40 * 1024;
	assert_int_equal(smk_even(b->sim.m, &b->launch[1], 2), 1);
	bed_close(b);
}

/* Threads count by whole warps: 40 take 64; an SM has no more than its 8 warps hold, 256. */
static void threads_come_in_warps(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_exit(b, 0);
	bed_launch(b, 0, 40, 40);
	b->config.sm_warps = 8;
	b->config.sm_threads = 1536;
	bed_open(b);
	assert_int_equal(smk_need(b->sim.m, &b->launch[0]).of[0], 64);
	assert_int_equal(smk_have(b->sim.m).of[0], 256);
	assert_int_equal(smk_even(b->sim.m, &b->launch[0], 2), 2);
	bed_close(b);
}

/* Shares 1/6 and 1/4. One more goes to A B A B A A B; A's next has no threads; B: 4 and 4, and 7/8 of the registers. */
static void dominant_shares(void **state)
{
	struct bed *b = two_kinds();
	struct smk_want want[2];
	struct smk_need have;
	u32 quota[2];

	(void)state;
	bed_open(b);
	have = smk_have(b->sim.m);
	for (u32 k = 0; k < 2; k++)
		want[k] = (struct smk_want){.need = smk_need(b->sim.m, &b->launch[k]), .most = 40};
	smk_fair_shares(want, 2, &have, quota);
	assert_true(want[0].dominant * 6 == want[0].of && want[1].dominant * 4 == want[1].of);
	assert_true(quota[0] == 4 && quota[1] == 4);
	assert_int_equal((4 * want[0].need.of[1] + 4 * want[1].need.of[1]) * 8, have.of[1] * 7);
	/* one that has no use for more leaves them to the other: 5 fit beside it */
	want[1].most = 2;
	smk_fair_shares(want, 2, &have, quota);
	assert_true(quota[0] == 5 && quota[1] == 2);
	/* equal kernels, of which the first has what is left over */
	want[1] = want[0];
	have.of[0] = 256 * 5;
	smk_fair_shares(want, 2, &have, quota);
	assert_true(quota[0] == 3 && quota[1] == 2);
	bed_close(b);
}

static u32 resident(const struct bed *b, u32 launch)
{
	return kernel_on(b->sim.m, 0, launch)->resident;
}

/* Both run: 4 and 4 are in the SM; when A has ended B has what fits: 4 by shared memory. Quotas are of kernels that go
 * on. */
static void quotas_are_held(void **state)
{
	struct bed *b = two_kinds();
	const struct smkp *own;

	(void)state;
	b->launch[0].grid[0] = b->launch[0].ctas = 12;
	policy_put(&b->policy, POLICY_partition, SCHEME_smkp);
	bed_open(b);
	own = scheme_own_gpu(b->sim.m, SCHEME_smkp);
	bed_run_to(b, 40);
	assert_true(own[0].launch == 1 && own[0].quota == 4 && own[1].launch == 2 && own[1].quota == 4);
	assert_true(resident(b, 0) == 4 && resident(b, 1) == 4);
	while (own[1].launch)
		sim_cycle(&b->sim);
	assert_int_equal(own[0].launch, 2);
	bed_run(b);
	bed_close(b);
	/* half of the CTA slots where they share evenly */
	b = two_kinds();
	policy_put(&b->policy, POLICY_partition, SCHEME_smk);
	bed_open(b);
	bed_run_to(b, 40);
	assert_true(resident(b, 0) == 3 && resident(b, 1) == 2);
	bed_close(b);
}

/* Three kernels share six places as two each; when there are two of them, as three. */
static void parts_are_of_kernels_that_run(void **state)
{
	struct bed *b = bed_pair(1, 40, 40, 0);

	(void)state;
	b->config.sm_ctas = 6;
	bed_launch(b, 0, 3, 32)->stream = 2;
	policy_put(&b->policy, POLICY_partition, SCHEME_smk);
	bed_open(b);
	bed_run_to(b, 40);
	for (u32 k = 0; k < 3; k++)
		assert_int_equal(resident(b, k), 2);
	while (launch_goes_on((const struct launch_run *)machine_gpu_section(b->sim.m, SECTION_LAUNCH) + 2,
			      &b->program.launch[2])) {
		assert_true(bed_cycle(b) < 5000);
		sim_cycle(&b->sim);
	}
	bed_run_to(b, bed_cycle(b) + 20); /* those who come for its CTAs */
	assert_true(resident(b, 0) == 3 && resident(b, 1) == 3);
	bed_close(b);
}

/* No kernel has more CTAs in an SM than its part of the grid, rounded up: 5 of two SMs are 3. Of what is left the other
 * takes all that fit: 4 by shared memory. */
static void quotas_end_with_the_grid(void **state)
{
	struct bed *b = two_kinds();
	const struct smkp *own;

	(void)state;
	b->config.gpu_sms = 2;
	b->launch[0].grid[0] = b->launch[0].ctas = 5;
	policy_put(&b->policy, POLICY_partition, SCHEME_smkp);
	bed_open(b);
	own = scheme_own_gpu(b->sim.m, SCHEME_smkp);
	bed_run_to(b, 5);
	assert_true(own[0].launch == 1 && own[0].quota == 3 && own[1].quota == 4);
	bed_close(b);
}

/* Four places: the first kernel has all until the second comes, then two, and the others again as CTAs of the second
 * end of which no more are to come. */
static void what_is_released_is_filled(void **state)
{
	struct bed *b = bed_pair(1, 40, 3, 30);

	(void)state;
	policy_put(&b->policy, POLICY_partition, SCHEME_smk);
	policy_put(&b->policy, POLICY_preempt, SCHEME_flush);
	bed_open(b);
	bed_run_to(b, 30);
	assert_int_equal(resident(b, 0), 4);
	bed_run_to(b, 40);
	assert_true(resident(b, 0) == 2 && resident(b, 1) == 2);
	while (kernel_on(b->sim.m, 0, 1)->ended < 2) {
		assert_true(resident(b, 0) <= 3);
		sim_cycle(&b->sim);
	}
	bed_run_to(b, bed_cycle(b) + 6);
	assert_true(resident(b, 0) == 3 && resident(b, 1) == 1);
	bed_run(b);
	bed_close(b);
}

/* --- smkw --- */

/* One CTA of a warp of each of two kernels: one that waits for its own result every time, one that never does. */
static struct bed *waits_and_goes(u32 epoch, u32 lend)
{
	struct bed *b = bed_new();

	for (u32 i = 0; i < 30; i++) {
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
		bed_alu(b, 1, CLASS_INT, 1 + i % 28, 0);
	}
	bed_exit(b, 0);
	bed_exit(b, 1);
	bed_launch(b, 0, 1, 32);
	bed_launch(b, 1, 1, 32)->stream = 1;
	b->config.smk_epoch = epoch;
	b->config.smk_lend = lend;
	policy_put(&b->policy, POLICY_order, SCHEME_gto);
	policy_put(&b->policy, POLICY_hold, SCHEME_smkw);
	return b;
}

/* Two each: who has none waits, though nobody else can issue; when both are at zero the next epoch begins. Lent slots
 * cost nothing. */
static void credit_is_a_limit(void **state)
{
	struct bed *b = waits_and_goes(4, 0);
	const struct kernel_credit *own;

	(void)state;
	bed_expect(b, 0, "011..011..0....011");
	bed_open(b);
	bed_run_to(b, BED_FIRST + 4);
	assert_int_equal(sim_warp_status(&b->sim, 0, 1), WARP_HELD);
	assert_int_equal(b->sim.view[0].sched[0].outcome, SLOT_SHORT);
	bed_close(b);
	b = waits_and_goes(4, 1);
	bed_expect(b, 0, "01111011110");
	bed_open(b);
	bed_run_to(b, BED_FIRST + 4);
	own = scheme_own(b->sim.m, SCHEME_smkw, 0);
	assert_true(own[0].credit == 1 && own[1].credit == 0);
	bed_close(b);
	/* no quotas: the greedy goes on */
	b = waits_and_goes(0, 0);
	bed_expect(b, 0, "01111111111");
	bed_close(b);
}

/* Each scheduler counts for itself: where the first kernel has spent its own the second's warps issue, and the other
 * way round. Slots 0 and 2 are the first scheduler's, 1 and 3 the other's; 0 and 1 are kernel 0's. */
static void credit_is_of_a_scheduler(void **state)
{
	struct bed *b = bed_new();
	struct kernel_credit *own;

	(void)state;
	for (u32 i = 0; i < 30; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i % 28, 0);
	bed_exit(b, 0);
	for (u32 k = 0; k < 2; k++)
		bed_launch(b, 0, 1, 64)->stream = k;
	b->config.sm_schedulers = 2;
	b->config.smk_epoch = 100;
	policy_put(&b->policy, POLICY_order, SCHEME_gto);
	policy_put(&b->policy, POLICY_hold, SCHEME_smkw);
	bed_open(b);
	own = (struct kernel_credit *)(uintptr_t)scheme_own(b->sim.m, SCHEME_smkw, 0);
	for (u32 i = 0; i < 2; i++) {
		bed_run_to(b, BED_FIRST + 3 + i);
		for (u32 k = 0; k < 2; k++) {
			own[k].credit = k == i ? 5 : 0;
			own[KERNEL_PLACES + k].credit = k == i ? 0 : 5;
		}
		sim_cycle(&b->sim);
		assert_int_equal(bed_issued(b, 0), i ? '2' : '0');
		assert_int_equal(bed_issued(b, 1), i ? '1' : '3');
	}
	bed_close(b);
}

/* In each scheduler a kernel has credit whose warp waits at a barrier for one that is held in the other: it does not
 * count. */
static void who_waits_at_a_barrier_holds_nobody(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	for (u32 k = 0; k < 2; k++) {
		bed_compare(b, k, 0, SREG_WARPID, 1);
		bed_guard(bed_branch(b, k, BED_NO_PRED, 22, 22), 0, k == 1);
		for (u32 i = 0; i < 20; i++)
			bed_alu(b, k, CLASS_INT, 1 + i, 0);
		bed_barrier(b, k);
		bed_exit(b, k);
		bed_launch(b, k, 1, 64)->stream = k;
	}
	b->config.sm_schedulers = 2;
	b->config.smk_epoch = 16;
	policy_put(&b->policy, POLICY_order, SCHEME_gto);
	policy_put(&b->policy, POLICY_hold, SCHEME_smkw);
	bed_open(b);
	bed_run(b);
	assert_int_equal(b->sim.view[0].gpu->deadlock, 0);
	assert_int_equal(b->sim.view[0].gpu->retired, 2);
	bed_close(b);
}

/* A kernel whose warps in a scheduler have all ended is not waited for there, though it has credit and its CTA stays
 * for the warp of another scheduler: the second kernel's warp 2 goes on to its end, 42 instructions, one a cycle. */
static void who_has_ended_holds_nobody(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_compare(b, 0, 0, SREG_WARPID, 1);
	bed_guard(bed_exit(b, 0), 0, false);
	for (u32 i = 0; i < 100; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	for (u32 i = 0; i < 41; i++)
		bed_alu(b, 1, CLASS_INT, 1 + i % 28, 0);
	bed_exit(b, 1);
	for (u32 k = 0; k < 2; k++)
		bed_launch(b, k, 1, 64)->stream = k;
	b->config.sm_schedulers = 2;
	b->config.smk_epoch = 16;
	policy_put(&b->policy, POLICY_order, SCHEME_gto);
	policy_put(&b->policy, POLICY_hold, SCHEME_smkw);
	bed_open(b);
	bed_run_to(b, 80);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_DONE);
	assert_int_equal(sim_warp_status(&b->sim, 0, 2), WARP_DONE);
	assert_int_not_equal(sim_warp_status(&b->sim, 0, 1), WARP_DONE);
	bed_close(b);
}

/* Whatever the order: who is held for its kernel's credit keeps nobody waiting for ever. Groups and pools are of one
 * warp. */
static void quotas_end_under_every_order(void **state)
{
	(void)state;
	for (u32 id = 0; id < SCHEME_COUNT; id++) {
		struct bed *b;

		if (!scheme_fills(scheme_table[id], POLICY_order))
			continue;
		b = waits_and_goes(4, 0);
		b->config.sched_group = b->config.sched_active = 1;
		policy_put(&b->policy, POLICY_order, id);
		bed_open(b);
		if (bed_run(b) > 1000)
			fail_msg("%s: %llu cycles", scheme_table[id]->name, (unsigned long long)bed_cycle(b));
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(even_parts),
		cmocka_unit_test(threads_come_in_warps),
		cmocka_unit_test(parts_are_of_kernels_that_run),
		cmocka_unit_test(quotas_end_with_the_grid),
		cmocka_unit_test(credit_is_of_a_scheduler),
		cmocka_unit_test(dominant_shares),
		cmocka_unit_test(quotas_are_held),
		cmocka_unit_test(what_is_released_is_filled),
		cmocka_unit_test(credit_is_a_limit),
		cmocka_unit_test(who_waits_at_a_barrier_holds_nobody),
		cmocka_unit_test(who_has_ended_holds_nobody),
		cmocka_unit_test(quotas_end_under_every_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
