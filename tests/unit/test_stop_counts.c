/*
 * test_stop_counts.c - breakpoints stop as often as statistics count: splits by their cause, CTAs that make room, by
 * way and when they are late.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "machine.h"
#include "session_bed.h"

#include <string.h>

/* CTAs or gangs that a breakpoint has stopped for until the end: `more` of a hit are those beside it in its cycle. */
static u64 stopped_for(const char *what, bool more)
{
	struct breakpoint *b;
	char line[64];
	u64 sum = 0;

	snprintf(line, sizeof(line), "break %s", what);
	go(0);
	must(line);
	b = session.breaks->list[session.breaks->n - 1];
	while (timeline_run(session.timeline, breaks_watcher(session.breaks), NEVER) == STOP_HIT)
		sum += more ? breakpoint_last(&session, b)->record.b + 1 : 1;
	breaks_delete(session.breaks, b->number);
	return sum;
}

/* Splits stop by their cause alone: as often as each is counted, where no two are in one cycle. */
static void splits_by_cause(void **state)
{
	static const char *const scenario[] = {"scenarios/vws/split.scn", "scenarios/vws/skew.scn"};
	static const char *const cause[] = {"control", "memory", "exit"};
	struct error e = {0};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(scenario); i++) {
		u64 stops[3], all = 0, any;

		session_open(&session, &all_session_ops);
		session.out = fopen("/dev/null", "w");
		assert_int_equal(command_run_file(&session, scenario[i], &e), 0);
		if (i)
			must("set vws.split group");
		must("restart");
		for (u32 k = 0; k < 3; k++) {
			char line[32];

			snprintf(line, sizeof(line), "split %s", cause[k]);
			all += stops[k] = stopped_for(line, false);
		}
		any = stopped_for("split", false);
		for (u32 k = 0; k < 3; k++) {
			char line[32];

			snprintf(line, sizeof(line), "gang.splits.%s", cause[k]);
			assert_int_equal(stops[k] != 0, number_of(line) != 0); /* several may be in a cycle */
			assert_true(stops[k] <= (u64)number_of(line));
		}
		assert_int_equal(stops[i ? 1 : 0], 0 + any); /* all are of one cause */
		assert_int_equal(all, any);
		close_session(NULL);
	}
}

/* A CTA whose context takes its time to leave is stopped for once, when it begins; `late` counts those that were. */
static void preempted_once(void **state)
{
	static const char *const line[] = {"gpu fermi",
					   "set gpu.sms 2",
					   "synthetic long iterations 40 body 10 mix fp32 60 int 40 regs 16",
					   "synthetic urgent iterations 4 body 10 mix fp32 60 int 40 regs 16",
					   "launch long grid 40 block 128",
					   "launch urgent grid 4 block 128 stream 1 at 1000",
					   "policy partition=even preempt=switch"};

	(void)state;
	for (u32 bound = 0; bound < 2; bound++) {
		assert_int_equal(bed_session(line, ARRAY_LEN(line)), 0);
		must(bound ? "set chimera.bound 100000" : "set chimera.bound 1");
		must("restart");
		u64 began = stopped_for("preempt switch", true), late = stopped_for("preempt switch late", true);
		assert_true(began > 2);
		assert_int_equal(began, number_of("cta.saved"));
		assert_true(number_of("preempt.moved_bytes") > 0);
		assert_int_equal(late, bound ? 0 : began);
		close_session(NULL);
	}
}

/* The cycles after `from` in which a breakpoint that is set in cycle `at` is met, up to the end. */
static u32 met_after(const char *what, u64 at, u64 from, u64 *cycle, u32 most)
{
	struct breakpoint *b;
	char line[64];
	u32 n = 0;

	snprintf(line, sizeof(line), "break %s", what);
	go(at);
	must(line);
	b = session.breaks->list[session.breaks->n - 1];
	while (timeline_run(session.timeline, breaks_watcher(session.breaks), NEVER) == STOP_HIT && n < most)
		if (timeline_now(session.timeline).cycle > from)
			cycle[n++] = timeline_now(session.timeline).cycle;
	breaks_delete(session.breaks, b->number);
	return n;
}

/* A run of cycles is as long as it is, wherever the breakpoint was set: in the middle of one, too, which is a hit when
 * it has lasted long enough, and none when it has been one already. */
static void runs_under_way(void **state)
{
	static const char *const what[] = {"stall long for 9", "stall barrier for 40", "lost long for 4",
					   "imbalance for 2"};
	static const u64 at[] = {301, 333, 607, 650, 900};
	struct error e = {0};

	(void)state;
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	assert_int_equal(command_run_file(&session, "scenarios/default.scn", &e), 0);
	must("restart");
	for (u32 i = 0; i < ARRAY_LEN(what); i++)
		for (u32 k = 0; k < ARRAY_LEN(at); k++) {
			u64 want[20], got[20];
			u32 n = met_after(what[i], 0, at[k], want, 20);

			assert_int_not_equal(n, 0);
			assert_int_equal(met_after(what[i], at[k], at[k], got, 20), n);
			assert_memory_equal(got, want, n * sizeof(*want));
		}
	close_session(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_under_way),
		cmocka_unit_test(splits_by_cause),
		cmocka_unit_test(preempted_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
