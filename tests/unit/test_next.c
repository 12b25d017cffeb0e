/* test_next.c - N issues, N events: so many times one, forwards and backwards; a warp's end; places. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "session_bed.h"

#include <string.h>

static u64 now(void)
{
	return timeline_now(session.timeline).cycle;
}

/* Run a command with a number in it. */
static void numbered(const char *format, u32 n)
{
	char line[64];

	snprintf(line, sizeof(line), format, n); /* NOLINT(clang-diagnostic-format-nonliteral) */
	must(line);
}

/* VERB N is N times VERB, and its mirror goes the same way back. */
static void times(void **state)
{
	static const char *const verb[][2] = {{"stepi", "reverse-stepi"},
					      {"next", "reverse-next"},
					      {"next barrier", "reverse-next barrier"},
					      {"next l1dmiss", "reverse-next l1dmiss"}};
	char line[64];

	(void)state;
	for (u32 v = 0; v < ARRAY_LEN(verb); v++)
		for (u32 n = 1; n < 12; n += 3) {
			u64 from, at[16];

			go(400);
			must(verb[v][0]);
			from = now();
			for (u32 i = 0; i < n; i++) {
				at[i] = now();
				must(verb[v][0]);
			}
			at[n] = now();
			go(from);
			snprintf(line, sizeof(line), "%s %u", verb[v][0], n);
			must(line);
			assert_int_equal(now(), at[n]);
			snprintf(line, sizeof(line), "%s %u", verb[v][1], n);
			must(line);
			assert_int_equal(now(), from);
			for (u32 i = n; i-- > 0;) {
				go(at[i + 1]);
				must(verb[v][1]);
				assert_int_equal(now(), at[i]);
			}
		}
}

/* A breakpoint on the way stops it; none at all stays where it is. */
static void stops(void **state)
{
	u64 hits;

	(void)state;
	go(400);
	must("stepi 20");
	hits = now();
	go(400);
	numbered("break cycle %u", (u32)hits - 3);
	must("stepi 20");
	assert_int_equal(now(), hits - 3);
	must("delete");
	go(400);
	must("stepi 0");
	assert_int_equal(now(), 400);
}

/* stepi ends with its warp, where `next` would wait for who comes behind it. */
static void ends(void **state)
{
	struct error e = {0};

	(void)state;
	go(400);
	must("stepi 1000000");
	assert_int_equal(number_of("$pc"), -1);
	assert_true(now() > 400 && number_of("cta.finished") < 4);
	assert_int_equal(command_run_line(&session, "stepi", NULL, 0, &e), STATUS_FAILED);
	assert_non_null(strstr(e.message, "has no next instruction"));
	must("focus warp 0");
}

/* `until PLACE` waits for the focused warp, `advance PLACE` for any, which is then the focused one. */
static void places(void **state)
{
	(void)state;
	for (u32 warp = 0; warp < 8; warp += 3) {
		go(400);
		numbered("focus warp %u", warp);
		must("until pc 60");
		assert_int_equal(number_of("$warp"), warp);
		assert_int_equal(number_of("$pc"), 61);
	}
	go(400);
	must("focus warp 7");
	must("advance pc 60");
	assert_int_not_equal(number_of("$warp"), 7);
	assert_int_equal(number_of("$pc"), 61);
	assert_int_equal(session.breaks->n, 0);
	must("break pc 3");
	assert_int_equal(session.breaks->list[0]->number, session.last_break);
	must("delete");
	go(400);
	must("focus warp 0");
	must("until pc 1");
	assert_int_equal(number_of("$pc"), -1); /* it does not come there again */
	must("focus warp 0");
}

/* One cycle after the other, backwards as forwards. */
static void animated(void **state)
{
	(void)state;
	go(400);
	must("animate back for 5");
	assert_int_equal(now(), 395);
	must("animate -60 for 5");
	assert_int_equal(now(), 390);
	must("animate 60 for 7");
	assert_int_equal(now(), 397);
	go(3);
	must("animate back 60 for 9");
	assert_int_equal(now(), 0);
}

static int open_session(void **state)
{
	static const char *const setup[] = {"source scenarios/default.scn", "step"};

	(void)state;
	return bed_session(setup, ARRAY_LEN(setup));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(times), cmocka_unit_test(stops), cmocka_unit_test(ends),
					   cmocka_unit_test(places), cmocka_unit_test(animated)};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
