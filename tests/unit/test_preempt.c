/*
 * test_preempt.c - CTAs make room: who is asked about them and when, that what may be done is done, and that what may
 * not is refused and counted.
 *
 * The schemes are the program's own, in the rows for trials; the tests say what they answer.
 */
#include "core_bed.h"
#include "blocks/blocks.h"

#include <string.h>

#define BEGIN 40 /* cycle in which the second launch may begin */

static u32 wanted[2];	      /* CTAs of each launch in an SM, once the second runs; before, as many as fit */
static u8 said[64];	      /* verdicts by place */
static struct make_way asked; /* the request before said was given first */
static u8 was[64];	      /* verdicts that stood there then */
static u32 times;

static u32 partition(const struct sched_view *v, u32 launch)
{
	return v->run[1].state == LAUNCH_WAITING ? NONE32 : wanted[launch];
}

static void verdicts(const struct sched_view *v, const struct make_way *r, u8 *verdict)
{
	assert_true(v->sm->ctas && r->surplus && r->ctas);
	if (!times++) {
		asked = *r;
		memcpy(was, verdict, sizeof was);
	}
	for (u32 i = 0; i < 64; i++)
		if (r->ctas >> i & 1)
			verdict[i] = said[i];
}

const struct scheme scheme_trial[SCHEME_TRIALS] = {
	{.name = "plan", .doc = "", .decide.partition = partition},
	{.name = "way", .doc = "", .decide.preempt = verdicts},
};

/* One SM that the first launch fills with four CTAs; the second may begin in cycle BEGIN, and is to have two. */
static struct bed *full_bed(u32 parked)
{
	struct bed *b = bed_new();

	wanted[0] = wanted[1] = 2;
	memset(said, VERDICT_STAY, sizeof said);
	times = 0;
	b->config.preempt_ctas = parked;
	for (u32 i = 0; i < 60; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i % 3, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 6, 32);
	struct launch *second = bed_launch(b, 0, 3, 32);
	second->stream = 1;
	second->at = BEGIN;
	policy_put(&b->policy, POLICY_partition, SCHEME_COUNT);
	policy_put(&b->policy, POLICY_preempt, SCHEME_COUNT + 1);
	bed_open(b);
	return b;
}

/* CTAs of a launch in the SM. */
static u32 resident(const struct bed *b, u32 launch)
{
	u32 n = 0;

	for (u32 i = 0; i < b->config.sm_ctas; i++)
		n += b->sim.view[0].cta[i].launch == launch;
	return n;
}

/* To the end, and every CTA has run once; the most that the first launch has held since. */
static u32 finish(struct bed *b)
{
	u32 most = 0;

	for (; !sim_finished(&b->sim) && bed_cycle(b) < 10000; sim_cycle(&b->sim))
		most = max_u32(most, resident(b, 0));
	assert_true(sim_finished(&b->sim) && !sim_deadlocked(&b->sim));
	assert_int_equal(bed_stat(b, STAT_CTA_FINISHED) + bed_stat(b, STAT_CTA_KILLED), 9);
	assert_int_equal(b->sim.view[0].sm->draining, 0);
	assert_int_equal(b->sim.view[0].sm->paused, 0);
	bed_close(b);
	return most;
}

/* The request says whose CTAs, how many, for whom; it is made when the second launch begins. */
static void a_request(void **state)
{
	struct bed *b = full_bed(4);

	(void)state;
	bed_run_to(b, BEGIN);
	assert_true(!times && resident(b, 0) == 4);
	bed_run_to(b, BEGIN + 1);
	assert_true(times && asked.launch == 0 && asked.gainer == 1 && asked.ctas == 15 && asked.surplus == 2);
	for (u32 i = 0; i < 64; i++)
		assert_int_equal(was[i], VERDICT_STAY);
	assert_int_equal(bed_stat(b, STAT_PREEMPT_ASKED), times);
	assert_int_equal(b->sim.view[0].sm->draining, 0);
	finish(b);
}

/* Room is for a launch of which more CTAs are to come; where all have come it is for none. */
static void room_for_nobody(void **state)
{
	struct bed *b = full_bed(4);

	(void)state;
	bed_run_to(b, BEGIN);
	launch_runs(b->sim.m)[1].next_cta = 3;
	bed_run_to(b, BEGIN + 1);
	assert_true(times && asked.launch == 0 && asked.gainer == NONE32);
	bed_close(b);
}

/* Who goes in any case is none of those that are asked about, and so much fewer have to: a CTA whose warps have all
 * ended and that waits for its writes, and one that leaves. */
static void who_goes_anyway(void **state)
{
	(void)state;
	for (u32 i = 0; i < 2; i++) {
		struct bed *b = full_bed(4);
		struct cta *cta = &b->sim.view[0].cta[1];

		bed_run_to(b, BEGIN);
		if (i)
			cta->leaving = LEAVE_FLUSH;
		else
			cta->done = cta->warps;
		bed_run_to(b, BEGIN + 1);
		assert_true(times && asked.ctas == 13 && asked.surplus == 1);
		bed_close(b);
	}
}

/* Those that drain issue before the others, end, and make room. */
static void a_drain(void **state)
{
	struct bed *b = full_bed(0);
	u32 before[4];

	(void)state;
	said[1] = said[3] = VERDICT_DRAIN;
	bed_run_to(b, BEGIN + 1);
	for (u32 i = 0; i < 4; i++)
		before[i] = b->sim.view[0].warp[i].issued;
	assert_true(b->sim.view[0].sm->draining == 10 && b->sim.view[0].sm->paused == 5);
	assert_true(bed_stat(b, STAT_PREEMPT_DRAINS) == 2 && sim_event_count(&b->sim, EVENT_DRAIN) == 2);
	bed_run_to(b, BEGIN + 11);
	assert_int_equal(b->sim.view[0].warp[0].issued + b->sim.view[0].warp[2].issued, before[0] + before[2]);
	assert_int_equal(b->sim.view[0].warp[1].issued + b->sim.view[0].warp[3].issued, before[1] + before[3] + 10);
	while (resident(b, 0) > 2)
		sim_cycle(&b->sim);
	/* nobody drains any more: the others may go on at once */
	assert_true(!b->sim.view[0].sm->draining && !b->sim.view[0].sm->paused);
	assert_true(bed_stat(b, STAT_PREEMPT_DRAINS) == 2 && !bed_stat(b, STAT_PREEMPT_REFUSED));
	bed_run_to(b, bed_cycle(b) + 3);
	assert_int_equal(resident(b, 1), 2);
	memset(said, VERDICT_STAY, sizeof said);
	assert_int_equal(finish(b), 2);
}

/* A kernel is killed whose CTAs drain: at once nobody in the SM does, and who comes into their places does not. */
static void killed_in_a_drain(void **state)
{
	struct bed *b = full_bed(0);
	const struct sm *sm = b->sim.view[0].sm;

	(void)state;
	said[1] = said[3] = VERDICT_DRAIN;
	bed_run_to(b, BEGIN + 3);
	assert_int_equal(sm->draining, 10);
	retire_all(&b->sim, 0);
	assert_true(!resident(b, 0) && !sm->draining && !sm->paused);
	bed_run_to(b, BEGIN + 8);
	assert_true(resident(b, 1) && !sm->draining && !sm->paused);
	bed_close(b);
}

/* Asked again, a scheme sees which drain already. */
static void asked_again(void **state)
{
	struct bed *b = full_bed(0);
	struct policy_choice same;

	(void)state;
	said[1] = said[3] = VERDICT_DRAIN;
	bed_run_to(b, BEGIN + 3);
	times = 0;
	same = b->policy;
	sim_set_policy(&b->sim, &same);
	assert_true(times && asked.ctas == 15 && asked.surplus == 2);
	for (u32 i = 0; i < 4; i++)
		assert_int_equal(was[i], i % 2 ? VERDICT_DRAIN : VERDICT_STAY);
	/* they have begun once */
	assert_true(bed_stat(b, STAT_PREEMPT_DRAINS) == 2 && sim_event_count(&b->sim, EVENT_DRAIN) == 2);
	memset(said, VERDICT_STAY, sizeof said);
	finish(b);
}

/* Those that are flushed, saved or killed are gone when the next cycle begins; others come. */
static void departures(void **state)
{
	static const struct {
		u8 verdict;
		enum sm_counter stat;
	} row[] = {{VERDICT_FLUSH, STAT_CTA_FLUSHED}, {VERDICT_SAVE, STAT_CTA_SAVED}, {VERDICT_KILL, STAT_CTA_KILLED}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = full_bed(4);

		said[0] = said[2] = row[i].verdict;
		bed_run_to(b, BEGIN + 2);
		assert_int_equal(bed_stat(b, row[i].stat), 2);
		assert_true(resident(b, 0) == 2 && !bed_stat(b, STAT_PREEMPT_REFUSED));
		bed_run_to(b, BEGIN + 5);
		assert_int_equal(resident(b, 1), 2);
		memset(said, VERDICT_STAY, sizeof said);
		assert_int_equal(finish(b), 2);
	}
}

/* What may not leave drains; of more than have to go the rest stays. */
static void refusals(void **state)
{
	struct bed *b = full_bed(0);

	(void)state;
	memset(said, VERDICT_SAVE, sizeof said);
	bed_run_to(b, BEGIN + 1);
	assert_int_equal(b->sim.view[0].sm->draining, 3);
	assert_true(bed_stat(b, STAT_PREEMPT_REFUSED) == 4 && bed_stat(b, STAT_PREEMPT_DRAINS) == 2);
	assert_true(!bed_stat(b, STAT_CTA_SAVED) && resident(b, 0) == 4);
	memset(said, VERDICT_STAY, sizeof said);
	said[0] = said[1] = VERDICT_DRAIN;
	finish(b);
}

/* A flush takes no time: it is in time with a bound of nothing. A drain is not. */
static void nothing_is_in_time(void **state)
{
	(void)state;
	for (u32 drains = 0; drains < 2; drains++) {
		struct bed *b = full_bed(4);

		b->config.chimera_bound = 0;
		bed_open(b);
		said[0] = said[2] = drains ? VERDICT_DRAIN : VERDICT_FLUSH;
		bed_run_to(b, BEGIN + 2);
		while (resident(b, 0) > 2)
			sim_cycle(&b->sim);
		bed_run_to(b, bed_cycle(b) + 2);
		assert_true(bed_stat(b, STAT_PREEMPT_REQUESTS) && bed_stat(b, STAT_PREEMPT_LATE) == drains);
		memset(said, VERDICT_STAY, sizeof said);
		finish(b);
	}
}

/* Whatever the order: the CTAs that drain come to their end, and so do the others. Groups and pools are of one warp. */
static void every_order_drains(void **state)
{
	(void)state;
	for (u32 id = 0; id < SCHEME_COUNT; id++) {
		struct bed *b;

		if (!scheme_fills(scheme_table[id], POLICY_order))
			continue;
		b = full_bed(0);
		b->config.sched_group = b->config.sched_active = 1;
		policy_put(&b->policy, POLICY_order, id);
		bed_open(b);
		said[1] = said[3] = VERDICT_DRAIN;
		bed_run_to(b, BEGIN + 1);
		assert_int_equal(b->sim.view[0].sm->draining, 10);
		while (b->sim.view[0].sm->draining && bed_cycle(b) < 1000)
			sim_cycle(&b->sim);
		if (b->sim.view[0].sm->draining)
			fail_msg("%s: CTAs that drain never end", scheme_table[id]->name);
		memset(said, VERDICT_STAY, sizeof said);
		finish(b);
	}
}

/* A drain is called off when the SM may hold as many, or when nobody decides any more. */
static void a_drain_called_off(void **state)
{
	struct policy_choice plain;

	(void)state;
	for (u32 i = 0; i < 2; i++) {
		struct bed *b = full_bed(0);

		said[0] = said[1] = VERDICT_DRAIN;
		bed_run_to(b, BEGIN + 3);
		assert_int_equal(b->sim.view[0].sm->draining, 3);
		plain = b->policy;
		if (i)
			policy_clear(&plain, POLICY_preempt);
		else
			wanted[0] = 4;
		sim_set_policy(&b->sim, &plain);
		assert_true(!b->sim.view[0].sm->draining && !b->sim.view[0].sm->paused);
		finish(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request),	      cmocka_unit_test(a_drain),
		cmocka_unit_test(departures),	      cmocka_unit_test(refusals),
		cmocka_unit_test(a_drain_called_off), cmocka_unit_test(every_order_drains),
		cmocka_unit_test(nothing_is_in_time), cmocka_unit_test(who_goes_anyway),
		cmocka_unit_test(asked_again),	      cmocka_unit_test(room_for_nobody),
		cmocka_unit_test(killed_in_a_drain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
