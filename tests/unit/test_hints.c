/*
 * test_hints.c - the line at the bottom of the screen shows what fits the moment: before there is a machine, at cycle
 * 0, at a stop, at the end, after a fault, while a question waits; at the prompt and in single-key mode.
 */
#include "session_ops.h"
#include "lang.h"
#include "lesson.h"
#include "tui.h"

#include "../../src/tui/desk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static struct session session;

static int begin(void **state)
{
	(void)state;
	session = (struct session){0};
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	return 0;
}

static int end(void **state)
{
	FILE *out = session.out;

	(void)state;
	session_close(&session);
	fclose(out);
	return 0;
}

static void must(const char *line)
{
	struct error e = {0};

	if (command_run_line(&session, line, NULL, 0, &e))
		fail_msg("%s: %s", line, e.message);
}

/* Does the last line begin with this, in the mode asked for, and hold no `absent`? */
static void bottom(bool keys, const char *want, const char *absent)
{
	struct text line = {0};
	struct canvas c;

	desk_of(&session)->keys = keys;
	canvas_init(&c, 200, 30, false);
	frame_compose(&session, &c);
	canvas_row_text(&c, 29, &line);
	if (strncmp(line.s, want, strlen(want)))
		fail_msg("'%s' does not begin with '%s'", line.s, want);
	if (absent && strstr(line.s, absent))
		fail_msg("'%s' holds '%s'", line.s, absent);
	canvas_free(&c);
	text_free(&line);
}

static void empty(void **state)
{
	(void)state;
	bottom(false, " type help, source FILE", NULL);
	bottom(true, " : prompt", "step");
}

static void start_stop_end(void **state)
{
	(void)state;
	must("source scenarios/default.scn");
	must("step 0");
	bottom(false, " type step, next, continue, run", NULL);
	bottom(true, " s step  n next  c continue  r run", "S back");
	must("step 400");
	bottom(false, " type step, next, continue, why", NULL);
	bottom(true, " j warp  & filter  o sort  s step  S back", "y answer");
	must("run");
	bottom(false, " type stats, limits", NULL);
	bottom(true, " S back  C last stop  R restart  9 statistics", "s step");
	must("reverse-step");
	bottom(true, " j warp", NULL);
}

/* A key that the user has bound is not shown by the word of another. */
static void bound(void **state)
{
	(void)state;
	must("source scenarios/default.scn");
	must("run");
	must("key S = info warps");
	bottom(true, " C last stop  R restart", "S back");
}

static void fault(void **state)
{
	(void)state;
	must("source scenarios/faults/overflow.scn");
	must("step 0");
	(void)command_run_line(&session, "run", NULL, 0, &(struct error){0});
	assert_true(sim_faulted(&session.sim));
	bottom(false, " type info faults", NULL);
	bottom(true, " S back  C last stop  w why  R restart", "s step");
}

static void question(void **state)
{
	(void)state;
	must("source scenarios/course/01-warp.scn");
	must("lesson");
	for (u32 i = 0; i < 20 && !lesson_open(&session); i++)
		must("lesson next");
	assert_non_null(lesson_open(&session));
	bottom(false, " type answer VALUE, hint, give up", NULL);
	bottom(true, " y answer", "s step");
	must("give up");
	bottom(true, " ", "y answer");
	bottom(false, " type lesson next, step", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(empty, begin, end),
		cmocka_unit_test_setup_teardown(start_stop_end, begin, end),
		cmocka_unit_test_setup_teardown(bound, begin, end),
		cmocka_unit_test_setup_teardown(fault, begin, end),
		cmocka_unit_test_setup_teardown(question, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
