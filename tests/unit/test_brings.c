/*
 * test_brings.c - policies that can only drain where nothing may wait outside the SMs: `policy` and `compare` bring
 * what they need unless somebody has chosen, a machine without it says so, and `why cta` names the event by which a CTA
 * comes back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "compare.h"
#include "machine.h"
#include "policy.h"
#include "session_bed.h"
#include "why.h"

#include <string.h>

/* One kernel fills two SMs, and another comes later, on a preset. */
static void open_two(const char *preset)
{
	const char *const line[] = {preset,
				    "set gpu.sms 2",
				    "synthetic long iterations 40 body 10 mix fp32 60 int 40 regs 16",
				    "synthetic urgent iterations 4 body 10 mix fp32 60 int 40 regs 16",
				    "launch long grid 40 block 128",
				    "launch urgent grid 4 block 128 stream 1 at 1000"};

	assert_int_equal(bed_session(line, ARRAY_LEN(line)), 0);
}

/* What `policy` brings: by what it is given and what had been set before. */
static void brings_unless_chosen(void **state)
{
	static const struct {
		const char *before, *policy;
		u32 ctas, switching;
	} row[] = {
		{"echo", "policy preempt=chimera", 256, SWITCH_TIME},
		{"echo", "policy chimera", 256, SWITCH_TIME},
		{"echo", "policy partition=even preempt=switch", 256, SWITCH_TIME},
		{"echo", "policy preempt=flush", 256, SWITCH_FREE}, /* nothing is saved */
		{"echo", "policy preempt=drain", 0, SWITCH_FREE},   /* drains need nothing */
		{"echo", "policy order=lrr", 0, SWITCH_FREE},
		{"set chimera.switch memory", "policy preempt=chimera", 256, SWITCH_MEMORY},
		{"set preempt.ctas 8", "policy preempt=chimera", 8, SWITCH_FREE}, /* chosen: free, too */
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		open_two("gpu fermi");
		must(row[i].before);
		must(row[i].policy);
		if (session.config.preempt_ctas != row[i].ctas || session.config.chimera_switch != row[i].switching)
			fail_msg("%s; %s: %u, %u", row[i].before, row[i].policy, session.config.preempt_ctas,
				 session.config.chimera_switch);
		must("set preempt.ctas 0"); /* what is set later holds, also when another policy is chosen */
		must("policy order=lrr");
		assert_int_equal(session.config.preempt_ctas, 0);
		close_session(NULL);
	}
}

/* The thesis halts an SM for the estimated time of a context switch (section 4.4), and its bound of 15 us is 15 x 1400
 * cycles at 1400 MHz (table 4.1). */
static void preset_charges(void **state)
{
	(void)state;
	open_two("gpu chimera");
	assert_int_equal(session.config.chimera_switch, SWITCH_TIME);
	assert_int_equal(session.config.chimera_bound, 15 * 1400);
	close_session(NULL);
}

/* B of a comparison gets the same, unless the change names it; A stays. */
static void comparison_brings(void **state)
{
	(void)state;
	open_two("gpu fermi");
	must("compare partition=even preempt=chimera -- step 1");
	assert_int_equal(session.compare->side[COMPARE_A].session.sim.m->config.preempt_ctas, 0);
	assert_int_equal(session.compare->side[COMPARE_B].session.sim.m->config.preempt_ctas, 256);
	assert_int_equal(session.compare->side[COMPARE_B].session.sim.m->config.chimera_switch, SWITCH_TIME);
	must("compare preempt=chimera preempt.ctas=4 -- step 1");
	assert_int_equal(session.compare->side[COMPARE_B].session.sim.m->config.preempt_ctas, 4);
	assert_int_equal(session.compare->side[COMPARE_B].session.sim.m->config.chimera_switch, SWITCH_FREE);
	close_session(NULL);
}

/* Only where no CTA may wait outside the SMs a way can never be taken, and never for a drain. */
static void limited_where_none_may_wait(void **state)
{
	static const struct scheme *const way[] = {&scheme_flush, &scheme_switch, &scheme_chimera};
	struct config c;

	(void)state;
	config_default(&c);
	assert_null(scheme_drain.limited);
	for (u32 i = 0; i < ARRAY_LEN(way); i++) {
		c.preempt_ctas = 0;
		assert_non_null(way[i]->limited(&c));
		c.preempt_ctas = 1;
		assert_null(way[i]->limited(&c));
	}
}

/* A CTA that has been taken from its SM: in the cycle in which it comes back, the event that `why cta` names stops. */
static void named_event_happens(void **state)
{
	static const char *const way[] = {"policy partition=even preempt=flush",
					  "policy partition=even preempt=switch"};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(way); i++) {
		const struct parked *p;
		struct text said = {0};
		const char *named;
		char line[64];
		u32 cta, launch;
		u64 cycle;

		open_two("gpu chimera");
		must(way[i]);
		must("until cta.flushed + cta.saved > 0");
		must("step");
		p = machine_gpu_section(session.sim.m, SECTION_PARKED);
		launch = p->launch;
		cta = p->id;
		assert_true(launch != NONE16);
		why_waiting(&session, &session.sim, 0, &said, NULL);
		named = strstr(said.s, "break event ");
		assert_non_null(named);
		snprintf(line, sizeof(line), "%.*s", (int)strcspn(named, ","), named);
		must(line);
		do
			must("continue");
		while (why_parked(&session.sim, launch, cta) != NONE32 && !sim_finished(&session.sim));
		assert_false(sim_finished(&session.sim));
		cycle = timeline_now(session.timeline).cycle;
		go(cycle - 1);
		assert_true(why_parked(&session.sim, launch, cta) != NONE32);
		text_free(&said);
		close_session(NULL);
	}
}

/* What waits for a restart is changed as the machine is: a preset's gangs, which this machine has not, stay. */
static void both_choices(void **state)
{
	(void)state;
	open_two("gpu fermi");
	must("step 20");
	must("gpu i-vws");
	must("policy order=lrr");
	assert_true(session.stale);
	assert_true(policy_in(&session.policy, POLICY_gang) && policy_in(&session.policy, POLICY_order));
	assert_false(policy_in(&session.sim.m->policy, POLICY_gang));
	close_session(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_choices),
		cmocka_unit_test(brings_unless_chosen),
		cmocka_unit_test(preset_charges),
		cmocka_unit_test(comparison_brings),
		cmocka_unit_test(limited_where_none_may_wait),
		cmocka_unit_test(named_event_happens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
