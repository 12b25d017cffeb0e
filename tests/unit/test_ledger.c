/*
 * test_ledger.c - what is written down of CTAs that make room: by flush, by switch, by drain, by none after all; and of
 * the requests that they answer. Dates are those of stops.
 */
#include "core_bed.h"

#include "policy_multi.h"

/* The pair of 40 CTAs each, the second from cycle 30 on; SMs are divided evenly, and CTAs make room as the scheme says.
 */
static struct bed *divided(u32 sms, u32 scheme)
{
	struct bed *b = bed_pair(sms, 40, 40, 30);

	if (scheme == SCHEME_nobody)
		return b;
	policy_put(&b->policy, POLICY_partition, SCHEME_even);
	policy_put(&b->policy, POLICY_preempt, scheme);
	return b;
}

static const struct ledger *row(const struct bed *b, u32 number)
{
	return (struct ledger *)machine_gpu_section(b->sim.m, SECTION_LEDGER) + number;
}
static const struct need *need(const struct bed *b, u32 number)
{
	return (struct need *)machine_gpu_section(b->sim.m, SECTION_NEED) + number;
}

/* Of two SMs one is to be the second launch's: a request for four CTAs, begun when that launch begins, reached in the
 * next cycle; four rows, whose lost instructions are what the kernel has wasted; they come back to the other SM. */
static void flushed(void **state)
{
	struct bed *b = divided(2, SCHEME_flush);
	u64 asked, lost = 0;

	(void)state;
	bed_open(b);
	bed_run_to(b, 29);
	assert_int_equal(machine_gpu(b->sim.m)->requests, 0);
	while (!machine_gpu(b->sim.m)->requests)
		sim_cycle(&b->sim);
	asked = bed_cycle(b);
	assert_true(asked >= 30 && asked <= 32);
	assert_int_equal(machine_gpu(b->sim.m)->rows, 4);
	assert_true(need(b, 1)->asked == asked && need(b, 1)->ctas == 4 && !need(b, 1)->wanted);
	assert_true(need(b, 1)->launch == 0 && need(b, 1)->gainer == 2 && need(b, 1)->state == NEED_OPEN);
	assert_int_equal(b->sim.view[need(b, 1)->sm].sm->needs, 1);
	for (u32 i = 1; i <= 4; i++) {
		assert_true(row(b, i)->asked == asked && row(b, i)->state == LEDGER_ASKED && !row(b, i)->out);
		assert_true(row(b, i)->way == WAY_FLUSH && row(b, i)->request == 1 &&
			    !row(b, i)->latency[WAY_FLUSH - 1]);
	}
	sim_cycle(&b->sim);
	assert_true(need(b, 1)->state == NEED_REACHED && need(b, 1)->reached == asked + 1 && !need(b, 1)->late);
	assert_int_equal(b->sim.view[need(b, 1)->sm].sm->needs, 0);
	for (u32 i = 1; i <= 4; i++) {
		assert_true(row(b, i)->state == LEDGER_OUT && row(b, i)->out == asked + 1 && !row(b, i)->late);
		/* asked as the cycle begins, it may issue once more in it */
		assert_true(row(b, i)->lost - row(b, i)->overhead[WAY_FLUSH - 1] <= 1);
		assert_true(row(b, i)->lost > 0 && row(b, i)->sm == need(b, 1)->sm && !row(b, i)->halted);
		lost += row(b, i)->lost;
	}
	sim_sync(&b->sim);
	assert_int_equal(lost, ((struct kernel_count *)machine_gpu_section(b->sim.m, SECTION_KERNEL_SUM))->wasted);
	bed_run(b);
	for (u32 i = 1; i <= 4; i++)
		assert_true(row(b, i)->state == LEDGER_BACK && row(b, i)->back > asked + 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_PREEMPT_REQUESTS), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_PREEMPT_LATE), 0);
	assert_int_equal(sim_event_count(&b->sim, EVENT_MAKE_WAY), 1);
	assert_int_equal(sim_event_count(&b->sim, EVENT_REACHED), 1);
	bed_close(b);
}

/* Two contexts that leave by hand, one after the other through one port, and come back at once: the second waits for
 * the first both ways. */
static void switched(void **state)
{
	struct bed *b = divided(1, SCHEME_nobody);
	u64 c, bytes;

	(void)state;
	b->launch[0].ctas = 4;
	b->launch[1].at = 100000;
	b->config.dram_channels = 1;
	b->config.dram_bytes = 8;
	b->config.dram_clock = b->config.gpu_clock / 2; /* 4 bytes a cycle */
	b->config.chimera_switch = SWITCH_TIME;
	bed_open(b);
	bed_run_to(b, 30);
	bytes = cta_context_bytes(b->sim.view[0].cta);
	c = bytes / 4;
	b->sim.m->config.chimera_bound = (u32)c;
	for (u32 i = 0; i < 2; i++)
		assert_int_equal(sim_depart(&b->sim, 0, i, LEAVE_SAVE, NULL), STATUS_OK);
	assert_true(row(b, 1)->asked == 31 && row(b, 1)->way == WAY_SWITCH && !row(b, 1)->request);
	assert_int_equal(row(b, 1)->latency[WAY_SWITCH - 1], c);
	sim_cycle(&b->sim);
	assert_true(row(b, 1)->stands == 31 && row(b, 1)->bytes == bytes && !row(b, 1)->out);
	bed_run_to(b, 31 + c);
	assert_true(row(b, 1)->out == 31 + c && !row(b, 1)->late && row(b, 1)->back == 31 + c);
	assert_true(row(b, 2)->state == LEDGER_ASKED && row(b, 2)->stands == 31);
	bed_run_to(b, 31 + 2 * c);
	assert_true(row(b, 2)->out == 31 + 2 * c && row(b, 2)->late == 1 && row(b, 2)->back == 31 + 2 * c);
	assert_true(row(b, 1)->bytes == 2 * bytes && row(b, 2)->bytes == 2 * bytes);
	/* the first has stood still from 31 to 31 + c, and again until its context is there, in 30 + 3 c */
	assert_int_equal(row(b, 1)->halted, c + 2 * c - 1);
	assert_int_equal(row(b, 2)->halted, 2 * c + 2 * c - 1);
	assert_true(!row(b, 1)->lost && !row(b, 1)->stands && row(b, 1)->state == LEDGER_BACK);
	assert_true(!b->sim.view[0].cta[0].row && !machine_gpu(b->sim.m)->requests);
	bed_run(b);
	bed_close(b);
}

/* CTAs that drain end where they are; a bound that they do not meet makes row and request late. */
static void drained(void **state)
{
	struct bed *b = divided(2, SCHEME_drain);
	u64 ended;

	(void)state;
	b->config.chimera_bound = 10;
	bed_open(b);
	while (!machine_gpu(b->sim.m)->rows)
		sim_cycle(&b->sim);
	assert_true(row(b, 1)->way == WAY_DRAIN && row(b, 1)->latency[WAY_DRAIN - 1] == NEVER); /* none has ended yet */
	while (need(b, 1)->state == NEED_OPEN)
		sim_cycle(&b->sim);
	ended = bed_cycle(b);
	assert_true(need(b, 1)->state == NEED_REACHED && need(b, 1)->reached == ended && need(b, 1)->late);
	for (u32 i = 1; i <= 4; i++)
		assert_true(row(b, i)->state == LEDGER_ENDED && row(b, i)->late && row(b, i)->out <= ended &&
			    !row(b, i)->lost && !row(b, i)->bytes && !row(b, i)->halted && !row(b, i)->back);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_PREEMPT_LATE), 1);
	bed_run(b);
	bed_close(b);
}

/* Nobody divides the SMs any more while CTAs drain: they stay, and the request is withdrawn. */
static void withdrawn(void **state)
{
	struct bed *b = divided(2, SCHEME_drain);
	struct policy_choice none;

	(void)state;
	bed_open(b);
	while (!machine_gpu(b->sim.m)->rows)
		sim_cycle(&b->sim);
	policy_default(&none);
	sim_set_policy(&b->sim, &none);
	assert_int_equal(need(b, 1)->state, NEED_WITHDRAWN);
	for (u32 i = 1; i <= 4; i++)
		assert_true(row(b, i)->state == LEDGER_STAYS && !row(b, i)->out);
	assert_int_equal(b->sim.view[need(b, 1)->sm].sm->needs, 0);
	bed_run(b);
	assert_int_equal(machine_gpu(b->sim.m)->rows, 4);
	bed_close(b);
}

/* Killed where it waits, a CTA that was saved loses what it had done. */
static void killed(void **state)
{
	struct bed *b = divided(1, SCHEME_nobody);
	u64 issued;

	(void)state;
	b->config.dispatch_limit = 4;
	bed_open(b);
	bed_run_to(b, 20);
	issued = cta_issued(b->sim.view[0].cta, b->sim.view[0].warp);
	b->sim.m->config.dispatch_limit = 1; /* it does not come back */
	assert_int_equal(sim_depart(&b->sim, 0, 0, LEAVE_SAVE, NULL), STATUS_OK);
	sim_cycle(&b->sim);
	assert_true(row(b, 1)->state == LEDGER_OUT && row(b, 1)->out == 21 && !row(b, 1)->lost);
	assert_int_equal(sim_depart(&b->sim, 1, 0, LEAVE_KILL, NULL), STATUS_OK);
	sim_cycle(&b->sim);
	assert_true(row(b, 1)->state == LEDGER_KILLED && row(b, 1)->way == WAY_SWITCH && row(b, 1)->lost == issued);
	bed_close(b);
}

/* A ring: the newest rows are kept. */
static void ring(void **state)
{
	struct bed *b = divided(1, SCHEME_nobody);

	(void)state;
	b->launch[0].ctas = 400;
	bed_open(b);
	bed_run_to(b, 10);
	for (u32 i = 0; i < LEDGER_ROWS + 4; i++) {
		assert_int_equal(sim_depart(&b->sim, 0, i % 4, LEAVE_KILL, NULL), STATUS_OK);
		sim_cycle(&b->sim);
	}
	assert_int_equal(machine_gpu(b->sim.m)->rows, LEDGER_ROWS + 4);
	for (u32 i = 0; i < LEDGER_ROWS; i++)
		assert_int_equal(row(b, i)->number, i > 4 ? i : i + LEDGER_ROWS);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(flushed), cmocka_unit_test(switched),
					   cmocka_unit_test(drained), cmocka_unit_test(withdrawn),
					   cmocka_unit_test(killed),  cmocka_unit_test(ring)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
