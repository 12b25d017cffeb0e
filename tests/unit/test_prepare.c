/*
 * test_prepare.c - keyframes that are laid while nobody waits, over real machines: nothing moves, and every cycle
 * behind is what it was on the way there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine.h"
#include "session_bed.h"
#include "timeline.h"

#define STEP 500 /* cycles between two that are compared */
#define MOST 24

static u32 laid;    /* keyframes, in all */
static u32 busy_in; /* so many times the answer is no */

static bool is_busy(void)
{
	return !busy_in || !--busy_in;
}

static void open_scenario(const char *const *line)
{
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	session.quiet = session.batch = session.trust = true;
	for (; *line; line++)
		must(*line);
	must("step 1"); /* the machine is made */
}

static void close_scenario(void)
{
	fclose(session.out);
	session_close(&session);
}

/* The lines make a machine; a part of the answers is that somebody waits. */
static void check(const char *const *line)
{
	u64 hash[MOST], n = 0, last;
	struct timeline_info before, after;

	open_scenario(line);
	for (; n < MOST && timeline_go(session.timeline, (struct position){(n + 1) * STEP, 0}) == STOP_TARGET; n++)
		hash[n] = sim_hash(&session.sim);
	assert_true(n > 3);
	close_scenario();
	open_scenario(line);
	timeline_run(session.timeline, NULL, n * STEP);
	timeline_enable(session.timeline);
	timeline_info(session.timeline, &before);
	busy_in = 3;
	timeline_prepare(session.timeline, is_busy);
	assert_int_equal(timeline_ahead(session.timeline), 0);
	busy_in = UINT32_MAX;
	timeline_prepare(session.timeline, is_busy);
	timeline_info(session.timeline, &after);
	laid += after.keyframes - before.keyframes;
	assert_int_equal(timeline_now(session.timeline).cycle, n * STEP);
	assert_true(sim_hash(&session.sim) == hash[n - 1]);
	last = session.sim.m->config.gpu_sms;
	for (u64 k = 0; k < 2 * n; k++) {
		u64 at = mix64(k + last) % n;

		timeline_go(session.timeline, (struct position){(at + 1) * STEP, 0});
		assert_true(sim_hash(&session.sim) == hash[at]);
	}
	timeline_go(session.timeline, (struct position){n * STEP, 0});
	assert_true(sim_hash(&session.sim) == hash[n - 1]);
	close_scenario();
}

static void test_machines(void **state UNUSED)
{
	static const char *const matmul[] = {"source scenarios/matmul.scn", NULL};
	static const char *const threads[] = {"source scenarios/saxpy.scn", "gpu volta sms 20", "set engine.threads 2",
					      NULL};
	static const char *const apart[] = {"source scenarios/bfs.scn", "goto 700", "set lat.int 9", "goto 1300",
					    "policy order=lrr",		NULL};
	static const char *const gangs[] = {"source scenarios/vws/split.scn", NULL};

	check(matmul);
	check(threads);
	check(apart);
	check(gangs);
	assert_true(laid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_machines)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
