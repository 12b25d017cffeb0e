/*
 * test_marks.c - CTAs that are halted do not issue nor fetch; CTAs that are paused issue where no other can; sums hold.
 */
#include "core_bed.h"

static u64 paused_wanted; /* bit set of CTA places */
static u32 asked;

static u64 pause_wanted(const struct sched_view *v)
{
	assert_true(v->cta && v->sm->ctas <= v->m->residents);
	asked++;
	return paused_wanted;
}

const struct scheme scheme_trial[SCHEME_TRIALS] = {{.name = "pause", .doc = "", .decide.cta_pause = pause_wanted}};

/* Four CTAs of one warp: three independent instructions and EXIT each; round robin. */
static struct bed *four_bed(void)
{
	struct bed *b = bed_new();

	paused_wanted = asked = 0;
	for (u32 i = 0; i < 3; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 4, 32);
	return b;
}

/* To the stage behind cta, in the cycle. */
static void to_epoch(struct bed *b, u64 cycle)
{
	bed_run_to(b, cycle);
	while (b->sim.view[0].gpu->stage != STAGE_EPOCH)
		sim_stage(&b->sim);
}

/* Halt or let go a CTA at the end of a cycle; there is a date for which it is, as there is for whoever halts. */
static void halt(struct bed *b, u64 cycle, u32 cta, bool on)
{
	to_epoch(b, cycle);
	sm_account_sleep(&b->sim.view[0], cycle + 1);
	cta_halt(&b->sim.view[0], cta, on);
	sm_alarm(&b->sim.view[0], 6000);
	while (b->sim.view[0].gpu->stage)
		sim_stage(&b->sim);
}

/* The warp of a place in SM 0. */
static u32 warp_of(const struct bed *b, u32 cta)
{
	return set_first(b->sim.view[0].cta[cta].contexts, CONTEXT_WORDS);
}

/* What issues while a CTA is halted: the others; then it goes on where it was. */
static void the_halted_do_not_issue(void **state)
{
	struct bed *b = four_bed();
	char got[32];
	u32 warp;

	(void)state;
	bed_open(b);
	halt(b, 5, 1, true);
	warp = warp_of(b, 1);
	bed_trace(b, 0, 14, got);
	assert_null(strchr(got, (char)('0' + b->sim.view[0].warp[warp].slot)));
	assert_int_equal(sim_warp_status(&b->sim, 0, warp), WARP_PREEMPTING);
	assert_int_equal(b->sim.view[0].sched[0].outcome, SLOT_HELD);
	assert_true(b->sim.view[0].sm->statuses[WARP_PREEMPTING] == 14);
	halt(b, bed_cycle(b), 1, false);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_WARP), 16);
	bed_check_sums(b);
	bed_close(b);
}

/* CTAs that are halted before their first fetch fetch nothing, and their SM sleeps meanwhile. */
static void the_halted_do_not_fetch(void **state)
{
	struct bed *b = four_bed();
	u64 fetched, slept;

	(void)state;
	bed_open(b);
	b->sim.bus.want = 0;
	for (u32 i = 0; i < 4; i++)
		halt(b, i, i, true); /* one comes in each cycle */
	bed_run_to(b, 100);
	fetched = b->sim.view[0].sm->events[EVENT_FETCH];
	slept = sim_skip(&b->sim, 5000);
	assert_int_equal(slept, 5000);
	assert_int_equal(fetched, 0);
	for (u32 i = 0; i < 4; i++)
		halt(b, bed_cycle(b), i, false);
	bed_run(b);
	assert_true(b->sim.view[0].sm->events[EVENT_FETCH] > fetched);
	assert_true(b->sim.view[0].sm->statuses[WARP_PREEMPTING] > 4 * 4900);
	bed_check_sums(b);
	bed_close(b);
}

/* A paused CTA goes last, whatever the order; then it does go. */
static void the_paused_go_last(void **state)
{
	struct bed *b = four_bed();
	char got[40];
	u32 slot;

	(void)state;
	policy_put(&b->policy, POLICY_order, SCHEME_oldest);
	policy_put(&b->policy, POLICY_cta_pause, SCHEME_COUNT);
	paused_wanted = 1 << 0;
	bed_open(b);
	bed_run_to(b, BED_FIRST + 2); /* by now others are there */
	slot = b->sim.view[0].warp[warp_of(b, 0)].slot;
	bed_trace(b, 0, 14, got);
	assert_true(asked >= 4);
	for (u32 i = 0, others = 0; i < 14; i++)
		if (got[i] != '.' && got[i] != (char)('0' + slot))
			others = i;
		else if (got[i] != '.')
			assert_true(i > others);
	assert_true(b->sim.view[0].sm->statuses[WARP_PAUSED] >= 5);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_WARP), 16);
	bed_check_sums(b);
	bed_close(b);
}

/* Marks go with their CTA; a policy that is taken away takes its pauses along. */
static void marks_go_with_their_cta(void **state)
{
	struct bed *b = four_bed();
	struct sm_view *v;
	struct policy_choice plain = b->policy;

	(void)state;
	b->launch[0].grid[0] = 8;
	launch_prepare(&b->launch[0]);
	policy_put(&b->policy, POLICY_cta_pause, SCHEME_COUNT);
	paused_wanted = 2;
	bed_open(b);
	v = &b->sim.view[0];
	bed_run_to(b, BED_FIRST + 3);
	assert_true(v->sm->paused == 2 && sm_set(v, SET_PAUSED)[0]);
	sim_set_policy(&b->sim, &plain);
	assert_true(!v->sm->paused && !sm_set(v, SET_PAUSED)[0]);
	sim_set_policy(&b->sim, &b->policy);
	paused_wanted = 0;
	bed_run(b);
	assert_true(!v->sm->paused && !v->sm->halted && !sm_set(v, SET_PAUSED)[0] && !sm_set(v, SET_HALTED)[0]);
	bed_check_sums(b);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_halted_do_not_issue),
		cmocka_unit_test(the_halted_do_not_fetch),
		cmocka_unit_test(the_paused_go_last),
		cmocka_unit_test(marks_go_with_their_cta),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
