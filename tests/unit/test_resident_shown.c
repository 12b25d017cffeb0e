/*
 * test_resident_shown.c - what people see of CTAs without slots: panes, lists, `why`, exports; and that going back
 * finds them again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "session_bed.h"
#include "why.h"

/* matmul with half of the slots that its CTAs could use, in which CTAs come in beyond them. */
static int open_crowd(void **state)
{
	static const char *const line[] = {
		"source scenarios/matmul.scn", "set gpu.sms 1", "set sm.contexts 16",	"set sm.warps 8",
		"set sm.residents 4",	       "set sm.ctas 1", "policy cta.virtual=vt"};
	struct error e = {0};

	(void)state;
	return bed_session(line, ARRAY_LEN(line)) || session_make(&session, &e);
}

/* What a command prints. */
static char *printed(const char *line)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = session.out;

	session.out = open_memstream(&text, &size);
	must(line);
	fclose(session.out);
	session.out = out;
	return text;
}

/* How often a word stands in a text. */
static u32 times(const char *text, const char *word)
{
	u32 n = 0;

	while ((text = strstr(text, word)) && text++)
		n++;
	return n;
}

static const struct sm *sm_now(void)
{
	return machine_sm_section(session.sim.m, 0, SECTION_SM);
}

/* Panes and lists name what has no slot, and their sums are the SM's. */
static void lists_and_panes(void **state)
{
	char *text;

	(void)state;
	go(200);
	assert_int_equal(sm_now()->swapped, 8);
	text = printed("info warps");
	assert_int_equal(times(text, " swapped "), sm_now()->swapped);
	free(text);
	text = printed("info ctas");
	assert_int_equal(times(text, " inactive"), 1);
	assert_int_equal(times(text, " active"), 1);
	free(text);
	text = printed("show warps");
	assert_int_equal(times(text, " swapped "), sm_now()->swapped);
	free(text);
	text = printed("show ctas");
	assert_int_equal(times(text, "inactive"), 1);
	assert_non_null(strstr(text, "active 1 of 2"));
	free(text);
	text = printed("info kernel matmul16");
	assert_non_null(strstr(text, "resident CTAs: 2, active or inactive"));
	free(text);
}

/* Every warp can be asked why, with and without a slot, in any cycle. */
static void why_of_every_warp(void **state)
{
	(void)state;
	for (u64 cycle = 1; cycle < 3000; cycle += 283) {
		u32 swapped = 0;

		go(cycle);
		for (u32 i = 0; i < session.sim.m->contexts; i++) {
			struct text out = {0};

			why_warp(&session, &session.sim, 0, i, &out, NULL);
			swapped += strstr(out.s, "is resident but inactive: its 8 warps keep their registers") != NULL;
			text_free(&out);
		}
		assert_int_equal(swapped, sm_now()->swapped);
		free(printed("why slot 0.0"));
	}
}

/* A scheduler that has nothing but warps without slots says so. */
static void why_of_a_held_slot(void **state)
{
	u32 found = 0;

	(void)state;
	for (u64 cycle = 1; found < 3 && !sim_finished(&session.sim); cycle++) {
		struct text out = {0};
		const struct sched *x = machine_sm_section(session.sim.m, 0, SECTION_SCHED);

		go(cycle);
		if (x->outcome != SLOT_HELD)
			continue;
		why_slot(&session, &session.sim, 0, 0, 0, &out, NULL);
		assert_non_null(strstr(out.s, "without a warp slot, because their CTAs are inactive"));
		text_free(&out);
		found++;
	}
	assert_int_equal(found, 3); /* a CTA whose warps have ended keeps its slots until its writes are acknowledged */
}

/* Going back and forth comes to the same states, and the whole program to its end. */
static void back_and_forth(void **state)
{
	u64 hash[8];

	(void)state;
	for (u32 i = 0; i < 8; i++) {
		go(500 * i);
		hash[i] = sim_hash(&session.sim);
	}
	for (u32 i = 8; i-- > 0;) {
		go(500 * i);
		assert_int_equal(sim_hash(&session.sim), hash[i]);
	}
	must("run");
	assert_true(sim_finished(&session.sim) && !sim_deadlocked(&session.sim));
	assert_true(sim_status_sum(&session.sim, WARP_SWAPPED) > 1000);
	go(200);
}

/* Exports follow warps without slots, too. */
static void exports(void **state)
{
	char line[256], *text;
	const char *folder = getenv("LOG") ? getenv("LOG") : "/tmp";

	(void)state;
	session.trust = true;
	for (u32 i = 0; i < 2; i++) {
		snprintf(line, sizeof(line), "export %s %s/resident.%u from 100 to 300", i ? "kanata" : "chrome",
			 folder, i);
		text = printed(line);
		free(text);
	}
	snprintf(line, sizeof(line), "%s/resident.0", folder);
	FILE *f = fopen(line, "r");
	assert_non_null(f);
	char *all = xcalloc(1 << 20, 1);
	assert_true(fread(all, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	assert_int_equal(times(all, "\"name\":\"swapped\""), 8);
	free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_and_panes),
		cmocka_unit_test(why_of_every_warp),
		cmocka_unit_test(why_of_a_held_slot),
		cmocka_unit_test(back_and_forth),
		cmocka_unit_test(exports),
	};

	return cmocka_run_group_tests(tests, open_crowd, close_session);
}
