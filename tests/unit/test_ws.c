/*
 * test_ws.c - an SM is divided by how fast its kernels are with so many CTAs: the division by hand, its correction,
 * what is measured, and when kernels get SMs of their own.
 */
#include "core_bed.h"

#include "policy_ws.h"

/* Two kernels that need one of six CTA slots each time. */
static const struct smk_need slots = {{0, 0, 0, 6}}, one = {{0, 0, 0, 1}};
static const u64 rising[] = {2, 4, 6, 8, 10}, falling[] = {5, 8, 10, 9};

/* .2 .4 .6 .8 1 and .5 .8 1 .9: moves A2, A3, B2, A4; then neither A's nor B's next fits: 4 and 2, the worst .8. */
static void the_worst_is_as_fast_as_can_be(void **state)
{
	struct ws_curve k[] = {{one, rising, 5}, {one, falling, 4}};
	struct smk_need have = slots;
	u32 ctas[2];

	(void)state;
	assert_true(ws_divide(k, 2, &have, ctas));
	assert_true(ctas[0] == 4 && ctas[1] == 2);
	assert_false(ws_loses(k, 2, ctas, 40));
	assert_true(ws_loses(k, 2, ctas, 39));
	/* with room for all: what makes it slower is left out */
	have.of[3] = 20;
	assert_true(ws_divide(k, 2, &have, ctas));
	assert_true(ctas[0] == 5 && ctas[1] == 3);
	assert_false(ws_loses(k, 2, ctas, 0));
	/* a unit of its own changes nothing */
	have.of[3] = 6;
	k[1].value = (const u64[]){500, 800, 1000, 900};
	assert_true(ws_divide(k, 2, &have, ctas));
	assert_true(ctas[0] == 4 && ctas[1] == 2);
	/* a step over a count that is no faster: from 1 to 3 at once, or not at all */
	k[1].value = (const u64[]){1, 1, 10};
	k[1].points = 3;
	assert_true(ws_divide(k, 2, &have, ctas));
	assert_true(ctas[0] == 3 && ctas[1] == 3);
	have.of[3] = 3;
	assert_true(ws_divide(k, 2, &have, ctas));
	assert_true(ctas[0] == 2 && ctas[1] == 1);
	have.of[3] = 1;
	assert_false(ws_divide(k, 2, &have, ctas));
	/* of equals the first goes first: of three slots it has two */
	k[1] = k[0];
	have.of[3] = 3;
	assert_true(ws_divide(k, 2, &have, ctas));
	assert_true(ctas[0] == 2 && ctas[1] == 1);
}

/* Counts 1 to 8, half the slots lost to memory: with 8 CTAs .78125 of what was measured (in parts of 1024). */
static void more_than_the_average_counts_less(void **state)
{
	(void)state;
	assert_int_equal(ws_scale(1, 1, 2, 8, 36, 8), 800);
	assert_int_equal(ws_scale(1, 0, 2, 8, 36, 8), 1024);
	assert_int_equal(ws_scale(2, 2, 2, 1, 36, 8), 2 * 4608);
	assert_int_equal(ws_scale(1, 0, 0, 8, 36, 8), 1024);
}

/* Which counts are measured, and what stands between them. */
static void counts_that_are_not_measured(void **state)
{
	u64 value[8] = {0, 20, 0, 0, 50, 40, 0, 0};

	(void)state;
	for (u32 m = 1; m <= 8; m++)
		assert_int_equal(ws_sampled(m, 8, 6), min_u32(m, 6));
	assert_true(ws_sampled(1, 2, 8) == 4 && ws_sampled(2, 2, 8) == 8);
	assert_true(ws_sampled(1, 4, 5) == 1 && ws_sampled(2, 4, 5) == 3 && ws_sampled(4, 4, 5) == 5);
	assert_int_equal(ws_sampled(1, 1, 3), 3);
	ws_fill(value, 8);
	for (u32 i = 0; i < 8; i++)
		assert_int_equal(value[i], ((const u64[]){10, 20, 30, 40, 50, 40, 40, 40})[i]);
}

/* Two kernels in streams, each of `n` instructions, of 40 CTAs of a warp; SMs with six places. */
static struct bed *two_kernels(u32 sms, u32 n)
{
	struct bed *b = bed_new();

	for (u32 i = 0; i < n; i++) {
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
		bed_alu(b, 1, CLASS_INT, 1, 1, 1);
	}
	bed_exit(b, 0);
	bed_exit(b, 1);
	b->config.gpu_sms = sms;
	b->config.sm_ctas = 6;
	bed_launch(b, 0, 4000, 32);
	bed_launch(b, 1, 4000, 32)->stream = 1;
	policy_put(&b->policy, POLICY_partition, SCHEME_ws);
	return b;
}

static u32 resident(const struct bed *b, u32 sm, u32 launch)
{
	return kernel_on(b->sim.m, sm, launch)->resident;
}
static const struct ws *own(const struct bed *b)
{
	return scheme_own_gpu(b->sim.m, SCHEME_ws);
}

/* Curves of launches: the division of the first test on every SM; and one SM each where that would cost too much. */
static void by_a_table(void **state)
{
	struct bed *b = two_kernels(2, 30);

	(void)state;
	b->config.ws_profile = PROFILE_TABLE;
	for (u32 i = 0; i < 5; i++)
		b->launch[0].curve[i] = (u16)rising[i];
	for (u32 i = 0; i < 4; i++)
		b->launch[1].curve[i] = (u16)falling[i];
	b->launch[0].points = 5;
	b->launch[1].points = 4;
	bed_open(b);
	bed_run_to(b, 40);
	assert_true(own(b)->mode == WS_RUN && own(b)->profiles == 1);
	for (u32 i = 0; i < 2; i++)
		assert_true(resident(b, i, 0) == 4 && resident(b, i, 1) == 2);
	b->config.ws_loss = 39;
	bed_open(b);
	bed_run_to(b, 40);
	assert_int_equal(own(b)->mode, WS_SPATIAL);
	assert_int_equal(resident(b, 0, 0) + resident(b, 1, 0), 6);
	assert_int_equal(resident(b, 0, 0) * resident(b, 0, 1), 0);
	/* no curve: CTA by CTA */
	b->config.ws_loss = 120;
	b->launch[0].points = b->launch[1].points = 0;
	bed_open(b);
	bed_run_to(b, 40);
	assert_true(resident(b, 0, 0) == 3 && resident(b, 0, 1) == 3);
	bed_close(b);
}

/* Twelve SMs, six for each kernel with 1 to 6 CTAs of it and no other, from the beginning on; counted from cycle 300 to
 * 500; then quotas that every SM has. These kernels gain by every CTA alike: 3 and 3. */
static void by_measuring(void **state)
{
	struct bed *b = two_kernels(12, 30);
	const struct ws_kernel *kernel;

	(void)state;
	b->config.ws_warmup = 300;
	b->config.ws_sample = 200;
	bed_open(b);
	bed_run_to(b, 250);
	assert_int_equal(own(b)->mode, WS_WARM);
	for (u32 i = 0; i < 12; i++)
		assert_true(resident(b, i, i / 6) <= i % 6 + 1 && !resident(b, i, i < 6));
	bed_run_to(b, 301);
	assert_int_equal(own(b)->mode, WS_SAMPLE);
	bed_run_to(b, 501);
	assert_int_equal(own(b)->mode, WS_RUN);
	kernel = (const void *)own_gpu_part(b->sim.m, SCHEME_ws, 1);
	for (u32 k = 0; k < 2; k++) {
		for (u32 i = 1; i < 5; i++)
			assert_true(kernel[k].value[i] > kernel[k].value[i - 1]);
		assert_int_equal(kernel[k].quota, 3);
	}
	bed_run_to(b, 1200);
	for (u32 i = 0; i < 12; i++)
		assert_true(resident(b, i, 0) <= 3 && resident(b, i, 1) <= 3);
	assert_int_equal(own(b)->profiles, 1);
	bed_close(b);
}

/* A kernel that is a third as fast as in its first window: after four such windows on end SMs measure again. */
static void a_change_is_measured_again(void **state)
{
	struct bed *b = two_kernels(4, 30);
	struct ws_kernel *kernel;

	(void)state;
	b->config.ws_warmup = 100;
	b->config.ws_sample = 200;
	bed_open(b);
	bed_run_to(b, 601);
	kernel = (struct ws_kernel *)(uintptr_t)own_gpu_part(b->sim.m, SCHEME_ws, 1);
	assert_true(own(b)->mode == WS_RUN && kernel[0].base > 100);
	bed_run_to(b, 2000);
	assert_int_equal(own(b)->profiles, 1);
	kernel[0].base *= 3;
	bed_run_to(b, 2600);
	assert_true(own(b)->mode == WS_RUN && kernel[0].odd == 3);
	bed_run_to(b, 2701);
	assert_int_equal(own(b)->mode, WS_WARM);
	bed_run_to(b, 3100);
	assert_true(own(b)->mode == WS_RUN && own(b)->profiles == 2);
	bed_close(b);
}

/* --- numbers by hand, on SMs where nothing issues --- */

static void hold(const struct sched_view *v, u64 *ready)
{
	for (u32 i = 0; i < v->m->words; i++)
		ready[i] = 0;
}
const struct scheme scheme_trial[SCHEME_TRIALS] = {{.name = "hold", .doc = "", .decide.hold = hold}};

static struct ws_kernel *kernels(const struct bed *b)
{
	return (struct ws_kernel *)(uintptr_t)own_gpu_part(b->sim.m, SCHEME_ws, WS_OWN_KERNEL);
}
/* Quotas are in force, and the first window begins. */
static struct bed *in_force(u32 odd)
{
	struct bed *b = two_kernels(4, 1);

	policy_put(&b->policy, POLICY_hold, SCHEME_COUNT);
	b->config.ws_warmup = 100;
	b->config.ws_sample = 200;
	b->config.ws_change = 50;
	b->config.ws_odd = odd;
	bed_open(b);
	while (own(b)->mode != WS_RUN)
		sim_cycle(&b->sim);
	return b;
}
/* A window in which the first kernel issues so many instructions, the second always 100. */
static void window(struct bed *b, u64 issued)
{
	bed_run_to(b, own(b)->until);
	kernels(b)[0].issued = 0 - issued; /* of what all have issued, which is nothing */
	kernels(b)[1].issued = 0 - 100ULL;
	sim_cycle(&b->sim);
}

/* "Persistent": by more than ws.change (50) per cent of the first window, so many windows (4) on end; 100 in the first
 * window: 50 to 150 are as before. Measured again, the first window is another. */
static void a_change_lasts(void **state)
{
	struct bed *b = in_force(4);
	static const struct {
		u64 issued;
		u32 odd;
	} row[] = {{100, 0}, {150, 0}, {151, 1}, {50, 0}, {49, 1}, {151, 2}, {100, 0}, {49, 1}, {0, 2}, {500, 3}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		window(b, row[i].issued);
		assert_int_equal(kernels(b)[0].odd, row[i].odd);
		assert_int_equal(kernels(b)[0].base, 100);
		assert_int_equal(kernels(b)[1].odd, 0);
	}
	assert_true(own(b)->mode == WS_RUN && own(b)->profiles == 1);
	window(b, 49);
	assert_int_equal(own(b)->mode, WS_WARM);
	while (own(b)->mode != WS_RUN)
		sim_cycle(&b->sim);
	assert_int_equal(own(b)->profiles, 2);
	window(b, 300);
	assert_true(kernels(b)[0].base == 300 && kernels(b)[0].odd == 0);
	window(b, 451);
	assert_int_equal(kernels(b)[0].odd, 1);
	bed_close(b);
	/* 0: nobody looks */
	b = in_force(0);
	assert_true(own(b)->until == NEVER);
	bed_run_to(b, 2000);
	assert_int_equal(own(b)->profiles, 1);
	bed_close(b);
}

/* Twelve SMs of four places: of each kernel 1, 2, 3, 4, 4, 4 CTAs, 3 on average. From the sample's first cycle to its
 * last (200) an SM issues 600, and 50 of its 200 slots are lost to memory, 30 by waiting for it, 20 by its pipeline:
 * a quarter. Scaled by 1 + (3 / CTAs - 1) / 4: 1.5, 1.125, 1, .9375; of equal counts the last SM stands. (x 1024; what
 * was before the sample does not count.) */
static void a_sample_is_scaled(void **state)
{
	static const u64 want[2][4] = {{600 * 1024, 600 * 1024, 600 * 1024, 600 * 1024},
				       {900 * 1024, 675 * 1024, 600 * 1024, 576000}};

	(void)state;
	for (u32 scale = 0; scale < 2; scale++) {
		struct bed *b = two_kernels(12, 1);

		policy_put(&b->policy, POLICY_hold, SCHEME_COUNT);
		b->config.sm_ctas = 4;
		b->config.ws_warmup = 300;
		b->config.ws_sample = 200;
		b->config.ws_scale = scale;
		bed_open(b);
		for (u32 n = 0; n < 2; n++) {
			bed_run_to(b, n ? 500 : 300);
			for (u32 i = 0; i < 12; i++) {
				struct sm *sm = (struct sm *)(uintptr_t)b->sim.view[i].sm;
				u32 kernel = i / 6, last = i % 6 < 3 || i % 6 == 5;

				sm->stat[STAT_INST_WARP] += n ? (last ? 600 : 900) : 1000 + kernel;
				sm->outcomes[SLOT_LONG] += n ? 30 : 7;
				sm->outcomes[SLOT_HELD] -= n ? 50 : 7;
				sm->outcomes[SLOT_PIPELINE] += n ? 20 : 0;
				sm->stat[STAT_PIPELINE_LSU] += n ? 20 : 5;
			}
		}
		assert_int_equal(own(b)->mode, WS_SAMPLE);
		sim_cycle(&b->sim);
		assert_int_equal(own(b)->mode, WS_RUN);
		for (u32 i = 0; i < 8; i++)
			assert_int_equal(kernels(b)[i / 4].value[i % 4], want[scale][i % 4]);
		bed_close(b);
	}
}

/* An SM for each kernel is enough to measure: it runs all CTAs that fit. With fewer each is looked up. */
static void an_sm_each_is_enough(void **state)
{
	(void)state;
	for (u32 sms = 1; sms <= 2; sms++) {
		struct bed *b = two_kernels(sms, 30);

		bed_open(b);
		bed_run_to(b, 40);
		assert_int_equal(own(b)->mode, sms == 2 ? WS_WARM : WS_RUN);
		if (sms == 2)
			assert_true(resident(b, 0, 0) == 6 && resident(b, 1, 1) == 6);
		bed_close(b);
	}
}

/* Quotas are found for eight kernels at most, here one CTA each, for no more makes them faster; of nine each has SMs of
 * its own. */
static void eight_are_divided(void **state)
{
	(void)state;
	for (u32 n = 8; n <= 9; n++) {
		struct bed *b = two_kernels(9, 1);

		b->config.sm_ctas = b->config.sm_warps = 16;
		b->config.ws_profile = PROFILE_TABLE;
		policy_put(&b->policy, POLICY_hold, SCHEME_COUNT);
		for (u32 k = 2; k < n; k++)
			bed_launch(b, 0, 4000, 32)->stream = k;
		for (u32 k = 0; k < n; k++)
			b->launch[k].curve[0] = (u16)(b->launch[k].points = 1);
		bed_open(b);
		bed_run_to(b, 40);
		assert_int_equal(own(b)->mode, n == 8 ? WS_RUN : WS_SPATIAL);
		for (u32 k = 0; k < 8 && n == 8; k++)
			assert_int_equal(kernels(b)[k].quota, 1);
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worst_is_as_fast_as_can_be),
		cmocka_unit_test(more_than_the_average_counts_less),
		cmocka_unit_test(counts_that_are_not_measured),
		cmocka_unit_test(by_a_table),
		cmocka_unit_test(by_measuring),
		cmocka_unit_test(a_change_is_measured_again),
		cmocka_unit_test(a_change_lasts),
		cmocka_unit_test(a_sample_is_scaled),
		cmocka_unit_test(an_sm_each_is_enough),
		cmocka_unit_test(eight_are_divided),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
