/*
 * test_notices.c - dates of policies: epochs come when they are due and cost nothing in between; an SM is visited when
 * it asked to be.
 *
 * What is told of an SM, when, and that no order of visiting shows in it, is the law `told` (tests/laws/told.c).
 */
#include "core_bed.h"

#define TRIAL(i) (SCHEME_COUNT + (i))

static u64 window;	/* cycles between epochs */
static u64 told_at[64]; /* cycles of epochs, kernel starts and ends */
static u32 ntold, asked_hold;
static u32 limit, limit_later; /* CTAs of an SM; from the first epoch on */

static u64 due(const struct gpu_view *v, u64 from)
{
	assert_true(v->launches && v->launch[0].warps);
	return window ? from + (window - 1 - from % window) : NEVER;
}

static void told_gpu(const struct gpu_view *v, const struct notice *n, struct scheme_bytes own)
{
	(void)own;
	assert_true(ntold < ARRAY_LEN(told_at));
	told_at[ntold++] = v->cycle;
	if (n->kind == NOTICE_EPOCH)
		limit = limit_later;
	for (u32 i = 0; i < v->m->config.gpu_sms; i++) {
		const struct sm *sm = gpu_sm(v, i);
		u64 sum = 0, counted = n->kind == NOTICE_KERNEL_START ? v->cycle : v->cycle + 1;

		for (u32 k = 0; k < SLOT_OUTCOME_COUNT; k++)
			sum += sm->outcomes[k];
		assert_true(sum == counted * v->m->schedulers); /* counters stand where all SMs stand */
	}
}

static u32 cta_limit(const struct sched_view *v, u32 launch)
{
	(void)v;
	(void)launch;
	return limit;
}

/* The gate is shut up to cycle 5000. */
static void hold(const struct sched_view *v, u64 *ready)
{
	asked_hold++;
	if (sched_now(v) < 5000)
		ready[0] = 0;
}

static u64 wake(const struct sched_view *v, u64 from)
{
	(void)v;
	return from <= 5000 ? 5000 : NEVER;
}

const struct scheme scheme_trial[SCHEME_TRIALS] = {
	{.name = "epochs",
	 .doc = "",
	 .decide.cta_limit = cta_limit,
	 .due = due,
	 .on_notice_gpu = told_gpu,
	 .sm_local = true,
	 .subscribes = 1ULL << NOTICE_EPOCH | 1ULL << NOTICE_KERNEL_START | 1ULL << NOTICE_KERNEL_END},
	{.name = "gate", .doc = "", .decide.hold = hold, .wake = wake, .sm_local = true},
};

/* One CTA of a few instructions; `at` a cycle. */
static struct bed *late_bed(u64 at)
{
	struct bed *b = bed_new();

	window = 0;
	ntold = asked_hold = 0;
	limit = limit_later = NONE32;
	bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32)->at = at;
	return b;
}

/* Run by whole cycles and skips, as timelines do without listeners; returns how many cycles were run, not skipped. */
static u32 run_lazily(struct bed *b)
{
	u32 steps = 0;

	b->sim.bus.want = 0;
	while (!sim_finished(&b->sim)) {
		u64 now = bed_cycle(b);

		if (sim_skip(&b->sim, NEVER - 1) == now) {
			sim_cycle(&b->sim);
			steps++;
		}
		assert_true(steps < 10000);
	}
	return steps;
}

/* Two milliseconds of nothing with an epoch every 50 us: a step for each epoch and a few for the kernel. */
static void epochs_cost_a_step_each(void **state)
{
	struct bed *b = late_bed(2000000);
	u32 plain, steps;

	(void)state;
	bed_open(b);
	plain = run_lazily(b);
	window = 50000;
	policy_put(&b->policy, POLICY_cta_limit, TRIAL(0));
	bed_open(b);
	steps = run_lazily(b);
	assert_int_equal(ntold, 40 + 2);
	for (u32 i = 0; i < 40; i++)
		assert_true(told_at[i] == (i + 1) * 50000 - 1);
	assert_true(told_at[40] == 2000000 && told_at[41] + 1 == bed_cycle(b));
	assert_true(steps <= plain + 40);
	bed_close(b);
}

/* A steady gate that says when it opens: the SM sleeps before it, with a warp ready in it. */
static void a_steady_gate_lets_the_sm_sleep(void **state)
{
	struct bed *b = late_bed(0);
	u32 steps;

	(void)state;
	policy_put(&b->policy, POLICY_hold, TRIAL(1));
	bed_open(b);
	steps = run_lazily(b);
	assert_true(bed_cycle(b) > 5000 && steps < 60 && asked_hold < 60);
	assert_true(b->sim.view[0].sm->statuses[WARP_HELD] > 4900);
	bed_check_sums(b);
	bed_close(b);
}

/* CTAs that a policy refuses until its epoch are no deadlock; without an epoch they are. */
static void a_refusal_until_an_epoch_is_no_deadlock(void **state)
{
	struct bed *b = late_bed(0);

	(void)state;
	policy_put(&b->policy, POLICY_cta_limit, TRIAL(0));
	limit = 0;
	window = 700;
	bed_open(b);
	run_lazily(b);
	assert_true(!sim_deadlocked(&b->sim) && bed_cycle(b) > 700 && bed_cycle(b) < 800);
	limit = 0;
	window = 0;
	bed_open(b);
	run_lazily(b);
	assert_true(sim_deadlocked(&b->sim));
	bed_close(b);
}

/* An SM with nothing to do is visited in the cycle for which it asked, no sooner; the earlier of two dates counts. */
static void an_alarm_is_heeded(void **state)
{
	struct bed *b = late_bed(10000);
	struct sm_view *v;

	(void)state;
	bed_open(b);
	b->sim.bus.want = 0;
	v = &b->sim.view[0];
	sm_alarm(v, 4000);
	sm_alarm(v, 6000);
	assert_true(sim_skip(&b->sim, NEVER - 1) == 4000 && v->sm->alarm);
	sim_cycle(&b->sim);
	assert_true(!v->sm->alarm && v->sleep->counted == 4001);
	sm_alarm(v, 6000);
	sim_cycle(&b->sim);
	assert_true(v->sm->alarm && sim_skip(&b->sim, NEVER - 1) == 6000);
	sim_cycle(&b->sim);
	assert_true(!v->sm->alarm && sim_skip(&b->sim, NEVER - 1) == 10000);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(epochs_cost_a_step_each),
		cmocka_unit_test(a_steady_gate_lets_the_sm_sleep),
		cmocka_unit_test(a_refusal_until_an_epoch_is_no_deadlock),
		cmocka_unit_test(an_alarm_is_heeded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
