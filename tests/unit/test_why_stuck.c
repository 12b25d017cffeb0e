/* test_why_stuck.c - deadlocks at barriers with numbers: who waits for whom, said by the deadlock and by `why`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "why.h"
#include "session_ops.h"
#include "lang.h"

#include <string.h>

/* A deadlock of the hand-made module: what must be said of it, in the deadlock and by `why warp 0`. */
static void check_deadlock(const char *kernel, u32 threads, const char *const *said, u32 n, const char *why)
{
	struct session s;
	struct error e = {0};
	struct text out = {0};
	char line[120];
	FILE *null = fopen("/dev/null", "w");

	session_open(&s, &all_session_ops);
	s.out = null;
	s.quiet = s.batch = true;
	snprintf(line, sizeof(line), "launch %s grid 1 block %u args", kernel, threads);
	assert_int_equal(command_run_line(&s, "gpu tiny", NULL, 0, &e), STATUS_OK);
	assert_int_equal(command_run_line(&s, "module tests/ptx/deadlocks.ptx", NULL, 0, &e), STATUS_OK);
	assert_int_equal(command_run_line(&s, line, NULL, 0, &e), STATUS_OK);
	assert_int_equal(command_run_line(&s, "run", NULL, 0, &e), STATUS_DEADLOCK);
	assert_true(why_deadlock(&s, &s.sim, &out, NULL));
	for (u32 i = 0; i < n; i++)
		if (!strstr(out.s, said[i]))
			fail_msg("%s: no '%s' in\n%s", kernel, said[i], out.s);
	text_clear(&out);
	why_warp(&s, &s.sim, 0, 0, &out, NULL);
	if (!strstr(out.s, why))
		fail_msg("%s: no '%s' in\n%s", kernel, why, out.s);
	text_free(&out);
	session_close(&s);
	fclose(null);
}

/* Barriers with numbers: two warps crosswise, three in a ring, one that lacks a warp that has ended. */
static void numbered_barriers(void **state)
{
	static const char *const cross[] = {
		"wait for each other",
		"warp 0 (SM 0, CTA 0) waits at barrier 0 of its CTA (1 of 2 arrivals) for warp 1",
		"warp 1 (SM 0, CTA 0) waits at barrier 1 of its CTA (1 of 2 arrivals) for warp 0"};
	static const char *const ring[] = {"3 warps wait", "wait for each other", "waits at barrier 1 of its CTA",
					   "waits at barrier 2 of its CTA"};
	static const char *const ended[] = {
		"1 warp waits, and no event can end a wait",
		"waits at barrier 1 of its CTA (1 of 2 arrivals), and no warp that could arrive there is left"};

	(void)state;
	check_deadlock("cross", 64, cross, ARRAY_LEN(cross),
		       "barrier 0 of CTA 0: 1 of 2 arrivals. Still needed: 1, from any of:\n    warp 1: barrier, at ");
	check_deadlock("ring", 96, ring, ARRAY_LEN(ring), "barrier 1 of CTA 0: 1 of 2 arrivals");
	check_deadlock("ended", 64, ended, ARRAY_LEN(ended), "no warp can still arrive");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(numbered_barriers)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
