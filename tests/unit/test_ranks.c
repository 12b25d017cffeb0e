/*
 * test_ranks.c - kernels that share an SM: whose turn it is in a scheduler, who has issued least of what was ready, who
 * has credit, whose CTA others wait for.
 *
 * The expected orders are computed by hand; digits are slots, a warp each.
 */
#include "core_bed.h"

#include "policy_kernels.h"

/* One CTA of `threads` threads in each of some streams, of kernels with `n` instructions that depend on nothing, one
 * after the other; greedy then oldest. The CTAs come in cycles 0, 1, ... */
static struct bed *streams(u32 kernels, u32 n, u32 threads, u32 scheme)
{
	struct bed *b = bed_new();

	for (u32 i = 0; i < n; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i % 28, 0);
	bed_exit(b, 0);
	for (u32 i = 0; i < kernels; i++)
		bed_launch(b, 0, 1, threads)->stream = i;
	policy_put(&b->policy, POLICY_order, SCHEME_gto);
	policy_put(&b->policy, POLICY_rank, scheme);
	return b;
}

/* --- kernel-lrr --- */

/* Two that are always ready take turns as soon as the second is there; three go round. */
static void kernels_take_turns(void **state)
{
	struct bed *b = streams(2, 4, 32, SCHEME_kernel_lrr);

	(void)state;
	bed_expect(b, 0, "0010101011.");
	bed_close(b);
	b = streams(3, 20, 32, SCHEME_kernel_lrr);
	bed_expect(b, 0, "0012012012");
	bed_close(b);
	/* and greedy without */
	b = streams(2, 4, 32, SCHEME_kernel_lrr);
	policy_clear(&b->policy, POLICY_rank);
	bed_expect(b, 0, "0000011111");
	bed_close(b);
}

/* Kernel 0 waits for its own result from cycle 3 to 8. Meanwhile the other issues, so that it is that one's turn, and 0
 * comes after it. */
static void a_turn_goes_to_who_could(void **state)
{
	struct bed *b = streams(1, 30, 32, SCHEME_kernel_lrr);

	(void)state;
	bed_alu(b, 1, CLASS_INT, 1, 0);
	bed_alu(b, 1, CLASS_INT, 1, 1, 1);
	bed_exit(b, 1);
	b->launch[0].kernel = &b->kernel[1];
	bed_launch(b, 0, 1, 32)->stream = 1;
	bed_expect(b, 0, "01111101011");
	bed_close(b);
}

/* Two schedulers that share their pool have a turn each. */
static void each_scheduler_has_its_turn(void **state)
{
	struct bed *b = streams(2, 20, 64, SCHEME_kernel_lrr);

	(void)state;
	b->config.sm_schedulers = 2;
	b->config.sched_pool = 1;
	bed_expect(b, 0, "0020202");
	bed_expect(b, 1, "1131313");
	bed_close(b);
	/* of pools of their own: slots 0 and 2, 1 and 3 */
	b = streams(2, 20, 64, SCHEME_kernel_lrr);
	b->config.sm_schedulers = 2;
	bed_expect(b, 0, "0020202");
	bed_expect(b, 1, "1131313");
	bed_close(b);
}

/* A rank that wants one group's warp, or one that is not in the pool, and an order that wants another do not wait for
 * each other. */
static void a_rank_stops_no_order(void **state)
{
	static const u32 order[] = {SCHEME_two_level, SCHEME_two_level_active};

	(void)state;
	for (u32 i = 0; i < 2; i++) {
		struct bed *b = streams(2, 20, 32, SCHEME_kernel_lrr);

		b->config.sched_group = b->config.sched_active = 1;
		policy_put(&b->policy, POLICY_order, order[i]);
		bed_open(b);
		assert_true(bed_run(b) < 60);
		bed_check_sums(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_WARP), 42);
		bed_close(b);
	}
}

/* --- kernel-ipr --- */

/* 10 of 50, 3 of 20, nothing of nothing: the second is least, the third is not behind it. */
static void the_least_issued(void **state)
{
	struct kernel_ipr sums[] = {{10, 50}, {3, 20}, {0, 0}, {1, 2}, {2, 4}};

	(void)state;
	assert_int_equal(kernel_ipr_least(sums, 3), 2);
	assert_int_equal(kernel_ipr_least(sums, 7), 6);
	assert_int_equal(kernel_ipr_least(sums, 1), 1);
	assert_int_equal(kernel_ipr_least(sums, 4), 4);
	assert_int_equal(kernel_ipr_least(sums, 8 | 16), 24);
	assert_int_equal(kernel_ipr_least(sums, 1 | 8 | 16), 1);
	/* as large as they may become: less by one of 2^62 */
	sums[0] = (struct kernel_ipr){(1ULL << 61) - 1, 1ULL << 62};
	sums[1] = (struct kernel_ipr){1ULL << 61, 1ULL << 62};
	assert_int_equal(kernel_ipr_least(sums, 3), 1);
}

static const struct kernel_ipr *sums_of(const struct bed *b)
{
	return scheme_own(b->sim.m, SCHEME_kernel_ipr, 0);
}

/* Issued and ready of the two, before each choice: 0/0 0/0, 1/1 0/0 (nobody is behind, the greedy goes), 2/2 0/1, 2/3
 * 1/2, 2/4 2/3, 3/5 2/4, 3/6 3/5, 4/7 3/6, 4/8 4/7. */
static void issued_for_the_ready(void **state)
{
	struct bed *b = streams(2, 20, 32, SCHEME_kernel_ipr);

	(void)state;
	bed_expect(b, 0, "001101010");
	bed_open(b);
	bed_run_to(b, BED_FIRST + 8);
	assert_true(sums_of(b)[0].issued == 4 && sums_of(b)[0].ready == 8);
	assert_true(sums_of(b)[1].issued == 4 && sums_of(b)[1].ready == 7);
	/* when one has gone they begin anew */
	while (kernel_on(b->sim.m, 0, 0)->resident)
		sim_cycle(&b->sim);
	assert_true(!sums_of(b)[0].ready && !sums_of(b)[1].ready);
	bed_run(b);
	bed_close(b);
}

/* Sums are "over every cycle" (equation 5.3), those in which the SM sleeps, too: the one miss that can be under way
 * takes 300 cycles, the queue of the LSU and the collector unit are full, and both warps are ready with no place for
 * them. */
static void the_ready_count_in_every_cycle(void **state)
{
	struct bed *b = bed_new();
	u64 ready[2], issued[2];

	(void)state;
	for (u32 k = 0; k < 2; k++) {
		for (u32 i = 0; i < 8; i++)
			bed_load(b, k, 1 + i, BED_BASE + 1024 * k + 128 * i);
		bed_exit(b, k);
		bed_launch(b, k, 1, 32)->stream = k;
	}
	b->config.dram_latency = 300;
	b->config.l1d_mshrs = b->config.lsu_queue = b->config.sm_collectors = 1;
	policy_put(&b->policy, POLICY_rank, SCHEME_kernel_ipr);
	bed_open(b);
	b->sim.bus.want = 0; /* who looks at events keeps it awake */
	for (u32 n = 0; n < 2; n++) {
		assert_int_equal(sim_run(&b->sim, n ? 150 : 50), RUN_DONE);
		sim_sync(&b->sim);
		for (u32 k = 0; k < 2; k++) {
			ready[k] = sums_of(b)[k].ready - (n ? ready[k] : 0);
			issued[k] = sums_of(b)[k].issued - (n ? issued[k] : 0);
		}
	}
	for (u32 k = 0; k < 2; k++)
		assert_true(ready[k] == 100 && issued[k] == 0);
	bed_close(b);
}

/* The same when the partition of the SM is another: each of two kernels has one of four SMs less when a third comes. */
static void a_repartition_begins_anew(void **state)
{
	struct bed *b = streams(2, 200, 32, SCHEME_kernel_ipr);
	const struct kernel_ipr *own;
	u32 changed = 0;

	(void)state;
	b->config.gpu_sms = 4;
	b->launch[0].grid[0] = b->launch[0].ctas = b->launch[1].grid[0] = b->launch[1].ctas = 8;
	bed_launch(b, 0, 4, 32)->stream = 2;
	b->launch[2].at = 50;
	policy_put(&b->policy, POLICY_partition, SCHEME_even);
	bed_open(b);
	bed_run_to(b, 50);
	for (u32 i = 0; i < 4; i++) {
		own = scheme_own(b->sim.m, SCHEME_kernel_ipr, i);
		assert_true(own[0].issued + own[1].issued > 40);
	}
	bed_run_to(b, 52);
	for (u32 i = 0; i < 4; i++) {
		own = scheme_own(b->sim.m, SCHEME_kernel_ipr, i);
		changed += own[0].issued + own[1].issued < 3;
	}
	assert_int_equal(changed, 1);
	bed_close(b);
}

/* --- kernel-fair --- */

/* x .6 and .3, T 6 and 4, S 4 and 4: C .4 and .3, of 700 400 and 300. */
static void parts_of_a_window(void **state)
{
	struct kernel_part part[] = {{.issued = 600, .slots = 1000, .ctas = 4, .most = 6},
				     {.issued = 3, .slots = 10, .ctas = 4, .most = 4},
				     {.issued = 1, .slots = 1, .most = 8}};
	u64 credit[3];

	(void)state;
	kernel_credits(part, 3, 700, credit);
	assert_true(credit[0] == 400 && credit[1] == 300 && credit[2] == 0);
	kernel_credits(part, 3, 1000, credit);
	assert_true(credit[0] == 571 && credit[1] == 429);
	/* a kernel that is there has some */
	part[1].issued = 1;
	part[1].slots = 1000;
	kernel_credits(part, 2, 10, credit);
	assert_true(credit[0] == 10 && credit[1] == 1);
	/* seldom, as counted in long epochs: C 2 / 10^8 and 4 / 10^9 */
	part[0].issued = 30;
	part[1].issued = 4;
	part[0].slots = part[1].slots = 1000000000;
	kernel_credits(part, 2, 600, credit);
	assert_true(credit[0] == 500 && credit[1] == 100);
}

/* A window of 4 is 2 for each: 0 spends its own, then 1; then all is dealt out again, and the greedy goes on. */
static void credit_goes_first(void **state)
{
	struct bed *b = streams(2, 20, 32, SCHEME_kernel_fair);
	const struct kernel_credit *own;

	(void)state;
	b->config.fair_window = 4;
	bed_expect(b, 0, "00111100001111");
	bed_open(b);
	own = scheme_own(b->sim.m, SCHEME_kernel_fair, 0);
	bed_run_to(b, BED_FIRST + 3);
	assert_true(own[0].credit == 0 && own[1].credit == 1);
	bed_run_to(b, BED_FIRST + 5);
	assert_true(own[0].credit == 2 && own[1].credit == 1);
	bed_close(b);
	/* twice as much alone: 4 and 2 of 6 */
	b = streams(2, 20, 32, SCHEME_kernel_fair);
	b->config.fair_window = 6;
	b->launch[0].alone = 80;
	b->launch[1].alone = 40;
	bed_expect(b, 0, "000011110000000011");
	bed_close(b);
}

/* Who issues without credit where others have some, because another rank wants it so, brings no new credit: 2 and 6 of
 * 8, of which the urgent kernel 0 spends its own in the first two slots. */
static void credit_is_not_dealt_out_early(void **state)
{
	struct bed *b = streams(2, 20, 32, SCHEME_kernel_fair);
	const struct kernel_credit *own;

	(void)state;
	policy_put(&b->policy, POLICY_rank, SCHEME_urgent);
	b->config.fair_window = 8;
	b->config.sm_ctas = 4;
	b->launch[0].alone = 50;
	b->launch[1].grid[0] = b->launch[1].ctas = 10;
	bed_open(b);
	own = scheme_own(b->sim.m, SCHEME_kernel_fair, 0);
	bed_run_to(b, BED_FIRST + 1);
	assert_true(own[0].credit == 1 && own[1].credit == 6);
	for (u32 i = 2; i < 12; i++) {
		bed_run_to(b, BED_FIRST + i);
		assert_int_equal(bed_issued(b, 0), '0');
		assert_true(own[0].credit == 0 && own[1].credit == 6);
	}
	bed_close(b);
}

/* Two kernels, one CTA of each: the second waits for its own result every time, the first never. */
static struct bed *goes_and_waits(u32 n, u32 window)
{
	struct bed *b = streams(1, n, 64, SCHEME_kernel_fair);

	for (u32 i = 0; i < n; i++)
		bed_alu(b, 1, CLASS_INT, 1, 1, 1);
	bed_exit(b, 1);
	bed_launch(b, 1, 1, 32)->stream = 1;
	b->config.fair_window = b->config.smk_epoch = window;
	b->config.smk_lend = 1;
	return b;
}

/* Two of four are kept for the kernel that waits: whenever its warp 2 can, in every fifth slot, it goes before the
 * greedy, who has spent its own. All is dealt out again behind every second of its turns, not when it cannot go. */
static void credit_is_kept_for_who_waits(void **state)
{
	struct bed *b = goes_and_waits(40, 4);
	const struct kernel_credit *own;

	(void)state;
	bed_expect(b, 0, "002000020000200002000020000200002000");
	bed_open(b);
	own = scheme_own(b->sim.m, SCHEME_kernel_fair, 0);
	bed_run_to(b, BED_FIRST + 6);
	assert_true(own[0].credit == 0 && own[1].credit == 1);
	bed_close(b);
}

/* It is the limit of simultaneous multikernels that lends (Park, section 5.5.2), slot by slot, whatever the window. */
static void it_equals_a_limit_that_lends(void **state)
{
	static const u32 window[] = {1, 2, 4, 7, 10, 33, 1000};
	char fair[300], limit[300];

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(window); i++) {
		struct bed *b = goes_and_waits(100, window[i]);

		b->launch[1].alone = 30;
		bed_open(b);
		bed_trace(b, 0, 290, fair);
		policy_clear(&b->policy, POLICY_rank);
		policy_put(&b->policy, POLICY_hold, SCHEME_smkw);
		bed_open(b);
		bed_trace(b, 0, 290, limit);
		assert_string_equal(fair, limit);
		bed_close(b);
	}
}

/* --- of each scheduler --- */

/* What is counted of a kernel is counted by each scheduler for itself (Park, section 5.5.2). Slots 0 and 2 are the
 * first scheduler's, 1 and 3 the other's; 0 and 1 are kernel 0's. There kernel 0 is behind (or has credit) in the first
 * scheduler, kernel 1 in the other; then the other way round. */
static void counts_are_of_a_scheduler(void **state)
{
	static const u32 scheme[] = {SCHEME_kernel_ipr, SCHEME_kernel_fair};

	(void)state;
	for (u32 i = 0; i < 4; i++) {
		struct bed *b = streams(2, 20, 64, scheme[i / 2]);
		struct kernel_ipr *ipr;
		struct kernel_credit *credit;

		b->config.sm_schedulers = 2;
		bed_open(b);
		bed_run_to(b, BED_FIRST + 3);
		ipr = (struct kernel_ipr *)(uintptr_t)scheme_own(b->sim.m, SCHEME_kernel_ipr, 0);
		credit = (struct kernel_credit *)(uintptr_t)scheme_own(b->sim.m, SCHEME_kernel_fair, 0);
		for (u32 k = 0; k < 4; k++) {
			u32 place = k / 2 * KERNEL_PLACES + k % 2;
			bool first = (k / 2 == k % 2) == !(i % 2);

			if (i / 2)
				credit[place].credit = first ? 5 : 0;
			else
				ipr[place] = (struct kernel_ipr){first ? 1 : 9, 10};
		}
		sim_cycle(&b->sim);
		assert_int_equal(bed_issued(b, 0), i % 2 ? '2' : '0');
		assert_int_equal(bed_issued(b, 1), i % 2 ? '1' : '3');
		bed_close(b);
	}
}

/* T of equation 5.4 is what fits: 4 CTAs of two warps, 8 of one. With one CTA each C is 1 / 4 and 1 / 8: of 300 200 and
 * 100. With two of the first 2 / 4 and 1 / 8: 240 and 60. */
static void parts_are_of_what_fits(void **state)
{
	(void)state;
	for (u32 ctas = 1; ctas <= 2; ctas++) {
		struct bed *b = streams(1, 40, 64, SCHEME_kernel_fair);
		struct kernel_credit credit[KERNEL_PLACES];

		b->config.sm_ctas = 16;
		b->launch[0].grid[0] = b->launch[0].ctas = ctas;
		bed_launch(b, 0, 1, 32)->stream = 1;
		bed_open(b);
		bed_run_to(b, 6);
		kernel_reload(b->sim.view[0].look, 300, credit);
		assert_int_equal(credit[0].credit, ctas == 1 ? 200 : 240);
		assert_int_equal(credit[1].credit, ctas == 1 ? 100 : 60);
		bed_close(b);
	}
}

/* Credits begin anew when a kernel comes to the SM or leaves it: alone kernel 0 has all 1000; with the other 500 each,
 * though it has not spent its own; then the other has 1000. */
static void credits_begin_anew(void **state)
{
	struct bed *b = streams(1, 40, 32, SCHEME_kernel_fair);
	const struct kernel_credit *own;

	(void)state;
	for (u32 i = 0; i < 200; i++)
		bed_alu(b, 1, CLASS_INT, 1 + i % 28, 0);
	bed_exit(b, 1);
	bed_launch(b, 1, 1, 32)->stream = 1;
	b->launch[1].at = 20;
	b->config.fair_window = 1000;
	bed_open(b);
	own = scheme_own(b->sim.m, SCHEME_kernel_fair, 0);
	bed_run_to(b, 19);
	assert_int_equal(own[0].credit, 1000 - (19 - BED_FIRST));
	while (!kernel_on(b->sim.m, 0, 1)->resident)
		sim_cycle(&b->sim);
	bed_run_to(b, bed_cycle(b) + 2);
	assert_true(own[0].credit >= 497 && own[0].credit < 500 && own[1].credit == 500);
	while (kernel_on(b->sim.m, 0, 0)->resident)
		sim_cycle(&b->sim);
	bed_run_to(b, bed_cycle(b) + 2);
	assert_true(own[0].credit == 0 && own[1].credit >= 997 && own[1].credit < 1000);
	bed_close(b);
}

/* --- urgent --- */

/* Of kernel 0 all CTAs are there, of kernel 1 some wait: the CTA of 0 that came last goes before the older one. */
static void what_others_wait_for_goes_first(void **state)
{
	struct bed *b = streams(2, 4, 32, SCHEME_urgent);

	(void)state;
	b->launch[0].grid[0] = b->launch[0].ctas = 2;
	b->launch[1].grid[0] = b->launch[1].ctas = 10;
	bed_expect(b, 0, "01111100002222");
	/* nobody waits: the oldest */
	b->launch[1].grid[0] = b->launch[1].ctas = 2;
	bed_expect(b, 0, "00000111112222");
	/* and so does its own kernel */
	b->launch[0].grid[0] = b->launch[0].ctas = 5;
	b->launch[1].grid[0] = b->launch[1].ctas = 10;
	bed_expect(b, 0, "00000");
	bed_close(b);
}

/* The boundary: the CTA that came last; where they lie from one end on, the outermost, whenever it came. */
static void the_boundary_is_the_outermost(void **state)
{
	struct bed *b = streams(1, 20, 32, SCHEME_urgent);

	(void)state;
	b->launch[0].grid[0] = b->launch[0].ctas = 3;
	for (u32 i = 0; i < 2; i++) {
		if (i)
			policy_put(&b->policy, POLICY_allocate, SCHEME_twoway);
		bed_open(b);
		bed_run_to(b, 6);
		assert_int_equal(boundary_cta(b->sim.view[0].look, 0), 2);
		b->sim.view[0].cta[0].started = 5;
		assert_int_equal(boundary_cta(b->sim.view[0].look, 0), i ? 2 : 0);
	}
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_take_turns),
		cmocka_unit_test(a_turn_goes_to_who_could),
		cmocka_unit_test(each_scheduler_has_its_turn),
		cmocka_unit_test(a_rank_stops_no_order),
		cmocka_unit_test(the_least_issued),
		cmocka_unit_test(issued_for_the_ready),
		cmocka_unit_test(the_ready_count_in_every_cycle),
		cmocka_unit_test(a_repartition_begins_anew),
		cmocka_unit_test(parts_of_a_window),
		cmocka_unit_test(credit_goes_first),
		cmocka_unit_test(credit_is_not_dealt_out_early),
		cmocka_unit_test(credit_is_kept_for_who_waits),
		cmocka_unit_test(it_equals_a_limit_that_lends),
		cmocka_unit_test(counts_are_of_a_scheduler),
		cmocka_unit_test(parts_are_of_what_fits),
		cmocka_unit_test(credits_begin_anew),
		cmocka_unit_test(what_others_wait_for_goes_first),
		cmocka_unit_test(the_boundary_is_the_outermost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
