/*
 * test_slots.c - the slots that policies fill: who stands in them by default, and that what fills one is asked and
 * obeyed.
 *
 * The schemes are the program's own, in the rows for trials; the tests say what they answer.
 */
#include "core_bed.h"

#define TRIAL(i) (SCHEME_COUNT + (i))

static u32 limit[2], allowed[2][2]; /* of the two limits; by launch and SM */
static u32 asked_limit, asked_admit, asked_partition;

static u32 first_limit(const struct sched_view *v, u32 launch)
{
	assert_true(v->launch[launch].warps && v->run[launch].state == LAUNCH_RUNNING);
	asked_limit++;
	return limit[0];
}

static u32 second_limit(const struct sched_view *v, u32 launch)
{
	(void)v;
	(void)launch;
	return limit[1];
}

/* Only to SMs that are allowed. */
static bool admit(const struct sched_view *v, u32 launch)
{
	asked_admit++;
	return allowed[launch][v->sm_id];
}

/* As many as are allowed. */
static u32 partition(const struct sched_view *v, u32 launch)
{
	asked_partition++;
	return allowed[launch][v->sm_id];
}

const struct scheme scheme_trial[SCHEME_TRIALS] = {
	{.name = "first", .doc = "", .decide.cta_limit = first_limit},
	{.name = "second", .doc = "", .decide.cta_limit = second_limit, .decide.cta_admit = admit},
	{.name = "third", .doc = "", .decide.partition = partition},
};

/* Two SMs and as many launches as wanted, of six CTAs of one warp each, which may overlap. */
static struct bed *ctas_bed(u32 launches)
{
	struct bed *b = bed_new();

	limit[0] = limit[1] = NONE32;
	for (u32 i = 0; i < 4; i++)
		allowed[i / 2][i % 2] = NONE32;
	asked_limit = asked_admit = asked_partition = 0;
	b->config.gpu_sms = 2;
	for (u32 i = 0; i < 30; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	for (u32 i = 0; i < launches; i++)
		bed_launch(b, 0, 6, 32)->stream = i;
	return b;
}

/* CTAs of a launch (NONE32: any) in an SM. */
static u32 resident(const struct bed *b, u32 sm, u32 launch)
{
	const struct sm_view *v = &b->sim.view[sm];
	u32 n = 0;

	for (u32 i = 0; i < b->config.sm_ctas; i++)
		n += v->cta[i].launch != NONE16 && (launch == NONE32 || v->cta[i].launch == launch);
	return n;
}

/* Run to the end; the most CTAs of a launch that an SM ever held. */
static u32 most(struct bed *b, u32 sm, u32 launch)
{
	u32 n = 0;

	for (bed_open(b); !sim_finished(&b->sim) && bed_cycle(b) < 10000; sim_cycle(&b->sim))
		n = max_u32(n, resident(b, sm, launch));
	assert_true(sim_finished(&b->sim) && !sim_deadlocked(&b->sim));
	return n;
}

static void a_choice_is_the_default_where_it_says_nothing(void **state)
{
	struct policy_choice none = {{0}}, p;
	struct text t = {0};

	(void)state;
	policy_default(&p);
	assert_int_equal(p.in[POLICY_order], 1 + SCHEME_gto);
	assert_int_equal(p.in[POLICY_fetch], 1 + SCHEME_lrr);
	assert_int_equal(p.in[POLICY_assign], 1 + SCHEME_rr);
	for (u32 i = 0; i < POLICY_SLOTS; i++) {
		assert_true(policy_in(&none, i) == policy_in(&p, i));
		assert_true(slot_table[i].base != NONE32 || !policy_in(&p, i));
	}
	policy_text(&none, true, &t);
	assert_true(!t.len); /* nothing enters config.hash */
	policy_text(&none, false, &t);
	assert_string_equal(t.s, "order=gto fetch=lrr assign=rr");
	text_free(&t);
}

static void a_slot_of_one_and_a_set(void **state)
{
	struct policy_choice p;
	struct text t = {0};

	(void)state;
	policy_default(&p);
	policy_put(&p, POLICY_order, SCHEME_lrr);
	policy_put(&p, POLICY_order, SCHEME_oldest);
	policy_put(&p, POLICY_cta_limit, TRIAL(1));
	policy_put(&p, POLICY_cta_limit, TRIAL(0));
	assert_true(policy_in(&p, POLICY_order) == 1ULL << SCHEME_oldest);
	assert_true(policy_in(&p, POLICY_cta_limit) == (3ULL << SCHEME_COUNT));
	policy_text(&p, true, &t);
	assert_string_equal(t.s, "order=oldest cta.limit=first,second");
	policy_clear(&p, POLICY_order);
	policy_clear(&p, POLICY_cta_limit);
	text_clear(&t);
	policy_text(&p, true, &t);
	assert_true(!t.len);
	text_free(&t);
}

static void schemes_are_found_by_slot(void **state)
{
	struct error e = {0};

	(void)state;
	assert_int_equal(scheme_find(POLICY_order, "lrr", &e), SCHEME_lrr);
	assert_int_equal(scheme_find(POLICY_fetch, "lrr", &e), SCHEME_lrr);
	assert_int_equal(scheme_find(POLICY_SLOTS, "srr", &e), SCHEME_srr);
	assert_int_equal(scheme_find(POLICY_order, "srr", &e), -1);
	assert_non_null(strstr(e.message, "for hook order"));
	assert_int_equal(scheme_find(POLICY_SLOTS, "first", &e), -1); /* trials have no name for users */
}

/* Every slot of ONE with a base has a base that fills it. */
static void bases_fill_their_slots(void **state)
{
	(void)state;
	for (u32 i = 0; i < POLICY_SLOTS; i++) {
		assert_true(slot_table[i].name[0] && slot_table[i].doc[0]);
		if (slot_table[i].base == NONE32)
			continue;
		assert_true(!slot_table[i].set && scheme_fills(scheme_table[slot_table[i].base], i));
	}
}

/* Without a word of theirs policies of CTAs change nothing. */
static void neutral_answers_are_the_baseline(void **state)
{
	struct bed *b = ctas_bed(2);
	u64 cycles, hash;

	(void)state;
	bed_open(b);
	cycles = bed_run(b);
	hash = sim_hash(&b->sim);
	policy_put(&b->policy, POLICY_cta_limit, TRIAL(0));
	policy_put(&b->policy, POLICY_cta_admit, TRIAL(1));
	policy_put(&b->policy, POLICY_partition, TRIAL(2));
	bed_open(b);
	assert_true(bed_run(b) == cycles && sim_hash(&b->sim) == hash);
	assert_true(asked_limit >= 12 && asked_admit >= 12 && asked_partition >= 12);
	bed_close(b);
}

/* The least of two limits counts. */
static void the_least_limit_counts(void **state)
{
	struct bed *b = ctas_bed(2);

	(void)state;
	assert_int_equal(most(b, 0, NONE32), 4);
	policy_put(&b->policy, POLICY_cta_limit, TRIAL(0));
	limit[0] = 3;
	assert_int_equal(most(b, 0, NONE32), 3);
	policy_put(&b->policy, POLICY_cta_limit, TRIAL(1));
	limit[1] = 1;
	assert_int_equal(most(b, 0, NONE32), 1);
	bed_close(b);
}

static void what_is_not_admitted_goes_elsewhere(void **state)
{
	struct bed *b = ctas_bed(1);

	(void)state;
	policy_put(&b->policy, POLICY_cta_admit, TRIAL(1));
	allowed[0][0] = 0;
	assert_int_equal(most(b, 0, NONE32), 0);
	assert_int_equal(most(b, 1, NONE32), 4);
	assert_int_equal(b->sim.view[1].sm->stat[STAT_CTA_FINISHED], 6);
	bed_close(b);
}

/* Each launch has its part of each SM. */
static void a_partition_holds(void **state)
{
	struct bed *b = ctas_bed(2);

	(void)state;
	policy_put(&b->policy, POLICY_partition, TRIAL(2));
	allowed[0][0] = 1;
	allowed[1][0] = 2;
	allowed[1][1] = 0;
	assert_int_equal(most(b, 0, 0), 1);
	assert_int_equal(most(b, 0, 1), 2);
	assert_int_equal(most(b, 1, 0), 4);
	assert_int_equal(most(b, 1, 1), 0);
	bed_close(b);
}

/* A refusal stands until something changes: here the policy is taken away. */
static void a_refusal_ends_with_its_policy(void **state)
{
	struct bed *b = ctas_bed(1);
	struct policy_choice plain = b->policy;

	(void)state;
	policy_put(&b->policy, POLICY_cta_limit, TRIAL(0));
	limit[0] = 1;
	bed_open(b);
	bed_run_to(b, 10);
	assert_true(resident(b, 0, NONE32) == 1 && resident(b, 1, NONE32) == 1 && !b->sim.view[0].gpu->dispatching);
	sim_set_policy(&b->sim, &plain);
	bed_run_to(b, 13);
	assert_int_equal(resident(b, 0, NONE32) + resident(b, 1, NONE32), 6);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_choice_is_the_default_where_it_says_nothing),
		cmocka_unit_test(a_slot_of_one_and_a_set),
		cmocka_unit_test(schemes_are_found_by_slot),
		cmocka_unit_test(bases_fill_their_slots),
		cmocka_unit_test(neutral_answers_are_the_baseline),
		cmocka_unit_test(the_least_limit_counts),
		cmocka_unit_test(what_is_not_admitted_goes_elsewhere),
		cmocka_unit_test(a_partition_holds),
		cmocka_unit_test(a_refusal_ends_with_its_policy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
