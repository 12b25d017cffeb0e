/* test_breaks_subcores.c - stops at register-bank conflicts and at imbalance of sub-cores: where they hit, the same
 * both ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "breaks.h"
#include "session_bed.h"

#include <string.h>

#define MOST 20000

/* Cycles in which a stop hits on the way forward; on the way back it must hit in the same. */
static u32 hits_of(const char *text)
{
	static u64 cycle[MOST];
	struct breakpoint *b = add_break(text);
	u32 n = 0, back;

	timeline_go(session.timeline, (struct position){0, 0});
	while (timeline_run(session.timeline, breaks_watcher(session.breaks), NEVER) == STOP_HIT) {
		assert_true(n < MOST);
		cycle[n++] = timeline_now(session.timeline).cycle;
	}
	for (back = n; timeline_reverse(session.timeline, breaks_watcher(session.breaks)) == STOP_HIT; back--) {
		assert_true(back > 0);
		assert_int_equal(timeline_now(session.timeline).cycle, cycle[back - 1]);
	}
	assert_int_equal(back, 0);
	breaks_delete(session.breaks, b->number);
	return n;
}

/* depth is the least depth; a bank is one of them. */
static void conflicts_stop(void **state)
{
	u32 all = hits_of("conflict"), deep = hits_of("conflict depth 2"), first = hits_of("conflict bank 0"),
	    second = hits_of("conflict bank 1 depth 1");

	(void)state;
	assert_true(all > 10 && deep > 0 && first > 0 && second > 0);
	assert_true(deep < all && first <= all && second <= all && first + second >= all);
	assert_int_equal(hits_of("conflict depth 2"), hits_of("conflict if depth >= 2"));
	assert_int_equal(hits_of("conflict depth 2"), hits_of("conflict depth 1 if b >= 2"));
	assert_int_equal(hits_of("conflict depth 1000"), 0);
}

/* All warps live in sub-core 0: sub-core 1 idles whenever two of them could issue. Runs of two cycles are rarer than
 * runs of one. */
static void imbalance_stops(void **state)
{
	u32 one = hits_of("imbalance"), two = hits_of("imbalance for 2");

	(void)state;
	assert_true(one > 0 && two > 0 && two <= one);
	assert_int_equal(hits_of("imbalance if sub == 1"), 0);
	assert_int_equal(hits_of("imbalance if sub == 0"), one);
}

/* One SM of two sub-cores with two banks each; table is the assignment of the four warps. */
static void open_with(const char *table)
{
	char assign[64];
	const char *const setup[] = {"set gpu.sms 1",
				     "set sm.subcores 2",
				     "set unit.fp32.interval 1",
				     "policy assign=table",
				     assign,
				     "synthetic toy iterations 6 body 24 mix fp32 100 distance 6",
				     "launch toy grid 1 block 128",
				     "step 1",
				     "goto 0"};

	snprintf(assign, sizeof(assign), "set assign.table %s", table);
	bed_session(setup, ARRAY_LEN(setup));
}

static int open_even(void **state)
{
	(void)state;
	open_with("0101");
	return 0;
}

static int open_skewed(void **state)
{
	(void)state;
	open_with("0000");
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(conflicts_stop, open_even, close_session),
		cmocka_unit_test_setup_teardown(imbalance_stops, open_skewed, close_session)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
