/*
 * test_streams.c - streams that begin again until all have gone through once, and runs that end when enough has been
 * issued.
 */
#include "core_bed.h"
#include "blocks/blocks.h"

#include "policy.h"

/* SMs with one place. Stream 0: a launch of `ctas` CTAs of 200 instructions. Stream 1: two launches of a CTA of 20
 * instructions, which begin again. */
static struct bed *streams(u32 sms, u32 ctas)
{
	struct bed *b = bed_new();
	struct launch *l;

	b->config.gpu_sms = sms;
	b->config.sm_ctas = 1;
	for (u32 i = 0; i < 200; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	for (u32 i = 0; i < 20; i++)
		bed_alu(b, 1, CLASS_INT, 1, 1, 1);
	bed_exit(b, 1);
	bed_launch(b, 0, ctas, 32);
	for (u32 i = 0; i < 2; i++) {
		l = bed_launch(b, 1, 1, 32);
		l->stream = 1;
		l->restart = true;
	}
	return b;
}

static const struct launch_run *run_of(struct bed *b, u32 launch)
{
	return (struct launch_run *)machine_gpu_section(b->sim.m, SECTION_LAUNCH) + launch;
}

/* Both of its launches, in turn, for as long as the other stream lasts; then the round that has begun is finished. */
static void again(void **state)
{
	struct bed *b = streams(3, 2);
	u32 last;

	(void)state;
	bed_open(b);
	while (!run_of(b, 1)->through)
		sim_cycle(&b->sim);
	assert_int_equal(run_of(b, 1)->iteration, 1);
	assert_int_equal(run_of(b, 1)->through, bed_cycle(b));
	assert_int_equal(run_of(b, 1)->first_issued, 21);
	assert_int_equal(run_of(b, 2)->through, 0);
	while (run_of(b, 0)->state != LAUNCH_DONE) {
		sim_cycle(&b->sim);
		assert_true(run_of(b, 1)->iteration - run_of(b, 2)->iteration <= 1);
	}
	last = run_of(b, 1)->iteration + (run_of(b, 1)->state == LAUNCH_RUNNING);
	assert_true(last > 4);
	bed_run(b);
	assert_int_equal(run_of(b, 1)->iteration, last);
	assert_int_equal(run_of(b, 2)->iteration, last);
	/* all rounds count in the sums, the first alone beside them */
	assert_int_equal(run_of(b, 1)->issued, 21 * last);
	assert_int_equal(run_of(b, 2)->issued, 21 * last);
	assert_int_equal(run_of(b, 2)->first_issued, 21);
	assert_int_equal(run_of(b, 0)->through, 0);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_WARP), 2 * 201 + 42 * last);
	bed_close(b);
}

/* With nobody else there is one round. */
static void alone(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32)->restart = true;
	bed_open(b);
	bed_run(b);
	assert_int_equal(run_of(b, 0)->iteration, 1);
	assert_true(run_of(b, 0)->through > 0);
	bed_close(b);
}

/* A stream is through when it has issued enough, seen at the next multiple of 1,024 cycles; when all are, what runs is
 * killed and what waits never comes. */
static void enough(void **state)
{
	struct bed *b = streams(2, 100);

	(void)state;
	policy_put(&b->policy, POLICY_partition, SCHEME_even);
	b->config.multi_insts = 32 * 300;
	bed_open(b);
	bed_run(b);
	/* two SMs have issued one in four cycles each by then; the second launch of the other stream ends later */
	assert_int_equal(run_of(b, 0)->through, 1024);
	assert_true(run_of(b, 2)->through > 1024 && run_of(b, 2)->through < 2048);
	assert_int_equal(bed_cycle(b), 2049);
	assert_true(run_of(b, 0)->first_issued >= 300);
	assert_int_equal(run_of(b, 0)->first_threads, 32 * run_of(b, 0)->first_issued);
	assert_int_equal(run_of(b, 1)->first_issued + run_of(b, 2)->first_issued, 42);
	assert_true(sim_sm_stat(&b->sim, STAT_CTA_KILLED) >= 1);
	assert_int_equal(run_of(b, 0)->unstarted + sim_sm_stat(&b->sim, STAT_CTA_STARTED),
			 100 + run_of(b, 1)->iteration + run_of(b, 2)->iteration);
	bed_close(b);
}

/* What CTAs had done that begin again is no progress: of 40 CTAs of 61 instructions, some of which were flushed when
 * the other stream came, the first round is what it is alone, whatever was issued for it. */
static void vain(void **state)
{
	struct bed *b = bed_pair(2, 40, 40, 30);
	const struct launch_run *first;
	u64 wasted = 0;

	(void)state;
	b->launch[0].restart = b->launch[1].restart = true;
	policy_put(&b->policy, POLICY_partition, SCHEME_even);
	policy_put(&b->policy, POLICY_preempt, SCHEME_flush);
	bed_open(b);
	first = run_of(b, 0);
	while (!first->through)
		sim_cycle(&b->sim);
	for (u32 i = 0; i < 2; i++)
		wasted += kernel_on(b->sim.m, i, 0)->wasted;
	assert_true(wasted > 0);
	assert_int_equal(first->first_issued, 40 * 61);
	assert_int_equal(first->issued, 40 * 61 + wasted);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(again), cmocka_unit_test(alone), cmocka_unit_test(enough),
					   cmocka_unit_test(vain)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
