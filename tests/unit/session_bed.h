/*
 * session_bed.h - one session for all tests of a program, which prints nowhere: what tests of commands share.
 * To be included behind cmocka.h and the header that declares what is tested.
 */
#ifndef WARPSTEP_TESTS_SESSION_BED_H
#define WARPSTEP_TESTS_SESSION_BED_H

#include "breaks.h"
#include "expr.h"
#include "lang.h"
#include "session_ops.h"

static struct session session;

/* Run a command that must succeed. */
static inline void must(const char *line)
{
	struct error e = {0};

	if (command_run_line(&session, line, NULL, 0, &e))
		fail_msg("%s: %s", line, e.message);
}

/* The value of an expression. */
static inline i64 number_of(const char *text)
{
	struct error e = {0};
	struct value v = {0};
	struct expr *x;

	if (expr_compile(&session, text, &x, &e))
		fail_msg("%s: %s", text, e.message);
	if (expr_eval(&session, x, NULL, &v, &e))
		fail_msg("%s: %s", text, e.message);
	expr_free(x);
	return v.i;
}

/* Move to a cycle. */
static inline void go(u64 cycle)
{
	timeline_go(session.timeline, (struct position){cycle, 0});
}

/* Open the session and run lines in it: for the setup of a group. */
static inline int bed_session(const char *const *line, u32 n)
{
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	for (u32 i = 0; i < n; i++)
		must(line[i]);
	return !session.out;
}

/* Two CTAs of a warp each, which go round once they have written. */
static inline int bed_locals(void)
{
	static const char *const setup[] = {"gpu tiny", "module tests/ptx/locals.ptx", "buffer n u32[8] iota 1",
					    "launch locals grid 2 block 32 args"};

	return bed_session(setup, ARRAY_LEN(setup));
}

/* A watch of a place of memory stops where it is written, in both directions; it holds `value` then. */
static inline void bed_watched(const char *place, i64 value)
{
	char line[80];
	u64 at;

	snprintf(line, sizeof(line), "watch %s", place);
	must(line);
	must("continue");
	at = timeline_now(session.timeline).cycle;
	assert_true(at > 0 && number_of(place) == value);
	must("step 50");
	must("reverse-continue");
	assert_int_equal(timeline_now(session.timeline).cycle, at);
	must("delete");
}

static inline int close_session(void **state)
{
	FILE *out = session.out;

	(void)state;
	session_close(&session);
	fclose(out);
	return 0;
}

/* A breakpoint that must be accepted. */
static inline struct breakpoint *add_break(const char *text)
{
	struct breakpoint *b = NULL;
	struct error e = {0};

	if (breaks_add(&session, NULL, text, 1, false, &b, &e))
		fail_msg("%s: %s", text, e.message);
	return b;
}

#endif
