/*
 * test_deadline.c - launches that ask for SMs by a deadline: which SMs they get and who gets them back, when an
 * instance is killed and what becomes of its CTAs, what is counted of it.
 *
 * The numbers follow from the rules alone: dates are counted from the release, at + n x every.
 */
#include "core_bed.h"

#include "policy_multi.h"

#define SMS 4
#define PLACES 4
#define AT 100
#define EVERY 1000

/* A kernel of 64 long CTAs, which fill all SMs, and one whose CTAs have `insts` dependent instructions and which asks
 * for two SMs again and again. */
static struct bed *task(u32 insts, u32 ctas, u64 deadline)
{
	struct bed *b = bed_new();
	struct launch *l;

	b->config.gpu_sms = SMS;
	b->config.sm_ctas = PLACES;
	b->config.preempt_ctas = 32;
	b->config.chimera_bound = 50;
	for (u32 i = 0; i < 400; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	for (u32 i = 0; i < insts; i++)
		bed_alu(b, 1, CLASS_INT, 1, 1, 1);
	bed_exit(b, 1);
	bed_launch(b, 0, 64, 32);
	l = bed_launch(b, 1, ctas, 32);
	l->stream = 1;
	l->at = AT;
	l->every = EVERY;
	l->sms = 2;
	l->deadline = deadline;
	policy_put(&b->policy, POLICY_partition, SCHEME_even);
	return b;
}

static u32 resident(const struct bed *b, u32 sm, u32 launch)
{
	return kernel_on(b->sim.m, sm, launch)->resident;
}

/* How many CTAs of a launch are in all SMs. */
static u32 residents(const struct bed *b, u32 launch)
{
	u32 n = 0;

	for (u32 i = 0; i < SMS; i++)
		n += resident(b, i, launch);
	return n;
}

static const struct launch_run *run_of(struct bed *b, u32 launch)
{
	return (struct launch_run *)machine_gpu_section(b->sim.m, SECTION_LAUNCH) + launch;
}

/* SMs of which is noted what others issue there, should the instance miss. */
static u32 claimed(struct bed *b)
{
	u32 n = 0;

	for (u32 i = 0; i < SMS; i++)
		n += ((struct claim *)machine_sm_section(b->sim.m, i, SECTION_CLAIM))->launch != 0;
	return n;
}

/* Flushed at once: two SMs are its own alone, with the CTAs spread over them; when it has ended the other has all SMs.
 */
static void gets_and_gives_back(void **state)
{
	struct bed *b = task(20, 6, 500);
	u32 own = 0;

	(void)state;
	policy_put(&b->policy, POLICY_preempt, SCHEME_flush);
	bed_open(b);
	bed_run_to(b, AT);
	assert_int_equal(residents(b, 0), SMS * PLACES);
	bed_run_to(b, AT + 10);
	for (u32 i = 0; i < SMS; i++) {
		assert_true(!resident(b, i, 0) || !resident(b, i, 1));
		own += resident(b, i, 1) == 3;
	}
	assert_int_equal(own, 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_FLUSHED), 2 * PLACES);
	assert_int_equal(machine_gpu(b->sim.m)->parked, 2 * PLACES);
	/* the bound has passed: they are its own, until it has ended */
	bed_run_to(b, AT + 50);
	assert_int_equal(claimed(b), 0);
	bed_run_to(b, AT + 51);
	assert_int_equal(claimed(b), 2);
	bed_run_to(b, AT + 400);
	assert_int_equal(claimed(b), 0);
	assert_int_equal(residents(b, 1), 0);
	assert_int_equal(residents(b, 0), SMS * PLACES);
	/* what was flushed came back before the grid went on */
	assert_int_equal(machine_gpu(b->sim.m)->parked, 0);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_REISSUED), 2 * PLACES);
	assert_int_equal(run_of(b, 1)->iteration, 1);
	assert_int_equal(run_of(b, 1)->requests, 1);
	assert_int_equal(run_of(b, 1)->missed + run_of(b, 1)->late, 0);
	bed_run(b);
	bed_close(b);
}

/* Too long for its deadline: in the cycle in which that comes nothing of it is left, and the next comes at its time. */
static void killed(void **state)
{
	struct bed *b = task(300, 2, 200);

	(void)state;
	policy_put(&b->policy, POLICY_preempt, SCHEME_flush);
	bed_open(b);
	for (u32 n = 0; n < 2; n++) {
		bed_run_to(b, AT + n * EVERY + 200);
		assert_int_equal(residents(b, 1), 2);
		assert_int_equal(run_of(b, 1)->missed, n);
		sim_cycle(&b->sim);
		assert_int_equal(residents(b, 1), 0);
		assert_int_equal(run_of(b, 1)->missed, n + 1);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_KILLED), 2 * (n + 1));
		assert_int_equal(run_of(b, 1)->iteration, n + 1);
		assert_int_equal(run_of(b, 1)->ready_at, AT + (n + 1) * EVERY);
	}
	assert_int_equal(run_of(b, 1)->late + run_of(b, 1)->voided + run_of(b, 1)->unstarted, 0);
	assert_int_equal(sim_event_count(&b->sim, EVENT_DEADLINE), 2);
	bed_run(b);
	bed_close(b);
}

/* Instructions that some SMs have issued. */
static u64 issued_by(struct bed *b, u32 sms)
{
	u64 sum = 0;

	for (u32 i = 0; i < SMS; i++)
		if (sms >> i & 1)
			sum += b->sim.view[i].sm->stat[STAT_INST_WARP];
	return sum;
}

/* Drained, the SMs are not free in time: it never comes, its CTAs count as not come, what the others do on its SMs from
 * the bound to the deadline is void. */
static void never_comes(void **state)
{
	struct bed *b = task(20, 2, 300);
	u32 sms = 0;
	u64 before;

	(void)state;
	policy_put(&b->policy, POLICY_preempt, SCHEME_drain);
	bed_open(b);
	bed_run_to(b, AT + 50);
	for (u32 i = 0; i < SMS; i++)
		sms |= (b->sim.view[i].sm->draining != 0) << i;
	assert_int_equal(__builtin_popcount(sms), 2);
	assert_int_equal(run_of(b, 1)->late, 0);
	before = issued_by(b, sms);
	bed_run_to(b, AT + 300);
	assert_int_equal(run_of(b, 1)->late, 2);
	assert_int_equal(run_of(b, 1)->voided, 0);
	before = issued_by(b, sms) - before;
	assert_true(before > 100);
	sim_cycle(&b->sim);
	assert_int_equal(run_of(b, 1)->voided, before);
	assert_int_equal(run_of(b, 1)->unstarted, 2);
	assert_int_equal(run_of(b, 1)->missed, 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_KILLED), 0);
	/* and nobody has to drain any more */
	for (u32 i = 0; i < SMS; i++)
		assert_int_equal(b->sim.view[i].sm->draining, 0);
	bed_run(b);
	bed_close(b);
}

/* An SM of its own: as long as others are there, none of its CTAs come, whatever room there is. Each SM has one CTA of
 * the other launch, which drains from two of them. */
static void not_beside_others(void **state)
{
	struct bed *b = task(20, 2, 900000);
	u32 came = 0;

	(void)state;
	b->launch[0].grid[0] = b->launch[0].ctas = SMS;
	b->launch[1].every = 1000000;
	policy_put(&b->policy, POLICY_preempt, SCHEME_drain);
	bed_open(b);
	bed_run_to(b, AT + 20);
	for (u32 i = 0; i < SMS; i++)
		assert_int_equal(resident(b, i, 0), 1);
	while (!run_of(b, 1)->finished && !run_of(b, 1)->iteration) {
		sim_cycle(&b->sim);
		for (u32 i = 0; i < SMS; i++) {
			assert_true(!resident(b, i, 0) || !resident(b, i, 1));
			came += resident(b, i, 1);
		}
	}
	assert_true(came);
	bed_run(b);
	bed_close(b);
}

/* A deadline before the bound: its SMs are due with it. Drained, they are not there in time. */
static void due_before_the_bound(void **state)
{
	struct bed *b = task(20, 2, 40);

	(void)state;
	policy_put(&b->policy, POLICY_preempt, SCHEME_drain);
	bed_open(b);
	bed_run_to(b, AT + 40);
	assert_int_equal(run_of(b, 1)->late + run_of(b, 1)->missed, 0);
	sim_cycle(&b->sim);
	assert_int_equal(run_of(b, 1)->late, 2);
	assert_int_equal(run_of(b, 1)->missed, 1);
	assert_int_equal(run_of(b, 1)->voided, 0);
	bed_run(b);
	bed_close(b);
}

/* It ends in the very cycle of its deadline or before: it is in time. The cycle is found with a deadline far away. */
static void to_the_cycle(void **state)
{
	struct record said = {0};
	u64 end;

	(void)state;
	for (u32 k = 0; k < 3; k++) {
		struct bed *b = task(20, 2, k ? end - AT - (k - 1) : 900);

		policy_put(&b->policy, POLICY_preempt, SCHEME_flush);
		bed_open(b);
		bed_run_to(b, AT);
		while (!run_of(b, 1)->iteration)
			sim_cycle(&b->sim);
		end = bed_cycle(b) - (k == 2);
		/* the event says how many cycles before, or how many CTAs it had still */
		assert_int_equal(bed_records(b, EVENT_DEADLINE, &said), 1);
		assert_int_equal(said.a, k == 2);
		assert_int_equal(said.b, k == 0 ? AT + 900 - end : k == 1 ? 0 : 2);
		assert_int_equal(run_of(b, 1)->missed, k == 2);
		bed_run(b);
		bed_close(b);
	}
}

/* Two that ask have theirs, the others share the rest; who asks for more than is left gets that. */
static void shares_of_the_rest(void **state)
{
	struct bed *b = task(200, 2, 900);
	struct launch *l = bed_launch(b, 1, 4, 32);
	u32 of[3] = {0};

	(void)state;
	l->stream = 2;
	l->at = AT + 50;
	l->sms = 3;
	policy_put(&b->policy, POLICY_preempt, SCHEME_flush);
	bed_open(b);
	bed_run_to(b, AT + 100);
	for (u32 i = 0; i < SMS; i++)
		for (u32 k = 0; k < 3; k++)
			of[k] += resident(b, i, k) > 0;
	assert_int_equal(of[0], 0);
	assert_int_equal(of[1], 2);
	assert_int_equal(of[2], 2);
	assert_int_equal(residents(b, 2), 4);
	bed_run(b);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(gets_and_gives_back),  cmocka_unit_test(killed),
					   cmocka_unit_test(never_comes),	   cmocka_unit_test(to_the_cycle),
					   cmocka_unit_test(due_before_the_bound), cmocka_unit_test(not_beside_others),
					   cmocka_unit_test(shares_of_the_rest)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
