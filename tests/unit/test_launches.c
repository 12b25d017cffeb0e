/*
 * test_launches.c - launches that words name, and the way to the first CTA of one.
 *
 * Three launches, one after the other: 0 and 2 of kernel `long_one`, 1 of `short_one`; 3 beside them, in another
 * stream.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "session_bed.h"

#include <string.h>

static int open_bed(void **state UNUSED)
{
	static const char *const setup[] = {
		"gpu tiny",
		"set gpu.sms 2",
		"synthetic long_one iterations 20 mix int 1",
		"synthetic short_one iterations 2 mix int 1",
		"launch long_one grid 4 block 32",
		"launch short_one grid 4 block 32",
		"launch long_one grid 4 block 32",
		"synthetic beside iterations 500 mix int 1",
		"launch beside grid 4 block 32 stream 1",
	};

	return bed_session(setup, ARRAY_LEN(setup));
}

static int close_bed(void **state UNUSED)
{
	fclose(session.out);
	session_close(&session);
	return 0;
}

/* A line that fails with a message. */
static void fails(const char *line, const char *says)
{
	struct error e = {0};

	assert_int_not_equal(command_run_line(&session, line, NULL, 0, &e), STATUS_OK);
	assert_string_equal(e.message, says);
}

static u64 cycle_now(void)
{
	return timeline_now(session.timeline).cycle;
}

/* The cycle in which a launch's first CTA comes: none was started a cycle before, at least one is now, and CTA 0 of it
 * has the focus. */
static void at_start(u32 launch)
{
	u64 cycle = cycle_now();
	char name[32];

	snprintf(name, sizeof(name), "kernel.%u.started", launch);
	assert_true(number_of(name) >= 1);
	assert_int_equal(number_of("kernel"), launch);
	assert_int_equal(number_of("cta"), 0);
	go(cycle - 1);
	assert_int_equal(number_of(name), 0);
	go(cycle);
}

/* Forwards, backwards, and where the run has been already; stops on the way stop nothing. */
static void test_goto(void **state UNUSED)
{
	u64 one, two;

	must("goto kernel 1");
	one = cycle_now();
	at_start(1);
	must("break event ctastart if kernel == 2");
	must("goto kernel 2");
	two = cycle_now();
	assert_true(two > one);
	at_start(2);
	must("goto kernel short_one");
	assert_int_equal(cycle_now(), one);
	at_start(1);
	must("goto kernel 3");
	at_start(3);
	must("goto kernel 0");
	at_start(0);
	assert_true(cycle_now() < one);
	go(one - 1);
	must("goto kernel 2");
	assert_int_equal(cycle_now(), two);
	at_start(2);
	must("delete");
}

/* A stop's hits on the way are counted once, whichever way is gone: CTAs of launch 2 come in `two` and behind it. */
static void test_counts(void **state UNUSED)
{
	u64 hits;

	must("goto 0");
	must("break event ctastart if kernel == 1 as counted");
	must("goto kernel 2");
	hits = breakpoint_hits(&session, session.breaks->list[0]);
	assert_true(hits >= 1);
	must("goto 5");
	must("goto kernel 2");
	assert_int_equal(breakpoint_hits(&session, session.breaks->list[0]), hits);
	must("delete");
}

/* Names, parts of names, numbers, and what is wrong with them. */
static void test_names(void **state UNUSED)
{
	u64 two;

	must("goto kernel 2");
	two = cycle_now();
	must("goto kernel shor");
	assert_true(cycle_now() < two);
	must("goto kernel 1+1");
	assert_int_equal(cycle_now(), two);
	must("goto kernel 0x2");
	assert_int_equal(cycle_now(), two);
	fails("goto kernel long_one", "'long_one' names 2 launches: kernel 0, 2 (give the number of one)");
	fails("goto kernel _one",
	      "'_one' names 3 launches: kernel 0 long_one, 1 short_one, 2 long_one (give the number of one)");
	fails("goto kernel shrt_one", "no kernel 'shrt_one' is launched (did you mean 'short_one'?)");
	fails("goto kernel nonsense", "no kernel 'nonsense' is launched (`info kernels` lists the launches)");
	fails("goto kernel 4", "kernel 4 does not exist (kernels: 0 to 3)");
	assert_int_equal(cycle_now(), two);
}

/* Other commands that take one. */
static void test_commands(void **state UNUSED)
{
	must("goto kernel 1");
	must("step 1");
	must("focus kernel short cta 1");
	assert_int_equal(number_of("cta"), 1);
	assert_int_equal(number_of("kernel"), 1);
	must("why cta 1 kernel short_one");
	must("why kernel 1 cta 3 at cycle - 1");
	fails("why cta 1 kernel 0",
	      "CTA 1 of kernel 0 is no longer on an SM (`why cta 1 ... at CYCLE` asks about an earlier cycle)");
	must("focus sm 0");
	must("why cta 1 kernel 1");
	must("why cta 1 kernel 1 sm 1");
	fails("why cta 1 kernel 1 sm 0", "CTA 1 of kernel 1 is not resident on SM 0, but on SM 1");
	fails("alone nonsense", "'nonsense' is neither a kernel (number or name) nor `streams`");
	must("alone short");
	must("critical short_one");
	fails("focus kernel nonsense", "no kernel 'nonsense' is launched (`info kernels` lists the launches)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_goto),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_commands),
	};

	return cmocka_run_group_tests(tests, open_bed, close_bed);
}
