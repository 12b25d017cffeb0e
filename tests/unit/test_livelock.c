/* test_livelock.c - programs that go round for ever, and programs that only look like it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "why.h"
#include "session_ops.h"
#include "lang.h"
#include "policy.h"

#include <string.h>

/* Schemes that never let the warp of slot 0 issue, each by the means of its slot. */
static void hold_first(const struct sched_view *v, u64 *ready)
{
	(void)v;
	ready[0] &= ~1ULL;
}
static u32 order_others(const struct sched_view *v, const u64 *candidates)
{
	u64 others = candidates[0] & ~1ULL;

	(void)v;
	return others ? (u32)__builtin_ctzll(others) : NONE32;
}
/* The same until it has been asked 60000 times, which its own bytes count. */
#define PATIENT_FIELDS(F, A) F(u64, asked, "cycles")
OWN_STRUCT(patient, PATIENT_FIELDS)
static void hold_long(const struct sched_view *v, u64 *ready)
{
	const struct patient *own = scheme_own(v->m, SCHEME_COUNT + 2, v->sm_id);

	if (own->asked < 60000)
		ready[0] &= ~1ULL;
}
static void count_cycles(const struct sched_view *v, const struct notice *n, void *bytes)
{
	struct patient *own = bytes;

	(void)v;
	own->asked += n->kind == NOTICE_CHOOSE;
}
static u64 always(const struct sched_view *v, u64 from)
{
	(void)v;
	return from;
}
const struct scheme scheme_trial[SCHEME_TRIALS] = {
	{.name = "holds", .doc = "", .decide.hold = hold_first},
	{.name = "prefers", .doc = "", .decide.order = order_others},
	{.name = "patient",
	 .doc = "",
	 .decide.hold = hold_long,
	 .on_notice = count_cycles,
	 .subscribes = 1ULL << NOTICE_CHOOSE,
	 .wake = always,
	 .own = {OWN(patient, "patient", IN_SM, NULL)}},
	{.name = "sleeps", .doc = "", .decide.hold = hold_first, .sm_local = true},
};

/* A session with launches of the hand-made module, moved to a cycle. Each line is a command. */
static void begin(struct session *s, const char *const *line, u64 cycle)
{
	struct error e = {0};

	session_open(s, &all_session_ops);
	s->out = fopen("/dev/null", "w");
	s->quiet = s->batch = true;
	assert_int_equal(command_run_line(s, "gpu tiny", NULL, 0, &e), STATUS_OK);
	assert_int_equal(command_run_line(s, "module tests/ptx/livelocks.ptx", NULL, 0, &e), STATUS_OK);
	assert_int_equal(command_run_line(s, "buffer f u32[4] zero", NULL, 0, &e), STATUS_OK);
	for (; *line; line++)
		if (command_run_line(s, *line, NULL, 0, &e))
			fail_msg("%s: %s", *line, e.message);
	assert_int_equal(session_make(s, &e), STATUS_OK);
	timeline_go(s->timeline, (struct position){cycle, 0});
}

static void end(struct session *s)
{
	FILE *out = s->out;

	session_close(s);
	fclose(out);
}

/* What is to be said of a program in a cycle. */
static void check_said(const char *const *line, u64 cycle, enum livelock_verdict want, const char *const *said)
{
	struct session s;
	struct text out = {0};
	enum livelock_verdict got;
	u64 hash;

	begin(&s, line, cycle);
	hash = sim_hash(&s.sim);
	got = why_livelock(&s, &s.sim, LIVELOCK_MOST, true, &out, NULL);
	assert_true(hash == sim_hash(&s.sim));
	if (got != want)
		fail_msg("%s in cycle %llu: %s, not %s:\n%s", *line, (unsigned long long)cycle,
			 livelock_verdict_name[got], livelock_verdict_name[want], out.len ? out.s : "");
	for (; *said; said++)
		if (!out.len || !strstr(out.s, *said))
			fail_msg("%s: no '%s' in\n%s", *line, *said, out.len ? out.s : "");
	text_free(&out);
	end(&s);
}

#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NOTHING ((const char *const[]){NULL})

/* Flags and locks that nobody will set or give back: a proof, what is read, who could write but cannot go on. */
static void proven(void **state)
{
	(void)state;
	check_said(LINES("launch flag grid 1 block 64 args f"), 3000, LIVELOCK_PROVEN,
		   LINES("livelock: 2 warps loop forever", "warp 0 (SM 0, CTA 0) and 1 similar",
			 "ld.volatile.global.u32",
			 "3 instructions per iteration, reading f[0] at 0x700000000000, which is 0",
			 "no warp that could write is left"));
	check_said(
		LINES("launch last grid 40 block 256 args f"), 3000, LIVELOCK_PROVEN,
		LINES("32 warps loop",
		      "CTAs 4 to 39 of last cannot be dispatched: the looping warps hold the resources; they could write: a wait-for cycle"));
	check_said(
		LINES("set warp.independent off", "launch lock grid 1 block 32 args f"), 3000, LIVELOCK_PROVEN,
		LINES("1 warp loops", "atom.global.cas.b32", "which is 1",
		      "lanes 00000001 of the warp could change that value, but wait on the SIMT stack at 4: atom.global.exch.b32"));
	check_said(
		LINES("launch barrier grid 1 block 64 args f"), 3000, LIVELOCK_PROVEN,
		LINES("warp 1 (SM 0, CTA 0) waits at 9: bar.sync 0 for warp 0, which loops; it could write after the barrier: a wait-for cycle"));
	check_said(LINES("launch nap grid 1 block 64 args f"), 3000, LIVELOCK_PROVEN,
		   LINES("6 instructions per iteration", "no warp that could write"));
	check_said(LINES("launch inside grid 1 block 64 args f"), 3000, LIVELOCK_PROVEN,
		   LINES("reading shared memory at 0x0, which is 0"));
	check_said(LINES("launch rounds grid 1 block 64 args f"), 3000, LIVELOCK_PROVEN,
		   LINES("2 warps loop", "4 instructions per iteration"));
	check_said(LINES("launch here grid 1 block 64 args f"), 3000, LIVELOCK_PROVEN,
		   LINES("1 instruction per iteration, reading no memory"));
	check_said(LINES("launch flag grid 1 block 64 args f", "launch slow grid 1 block 64 args f 9"), 3000,
		   LIVELOCK_PROVEN,
		   LINES("launch 1 (slow) has not started: it starts after these have finished; it could write"));
}

/* What is proven holds for any order of warps; and it is found whoever chooses. */
static void every_order(void **state)
{
	static const char *const policy[] = {"policy order=gto", "policy order=lrr", "policy order=oldest",
					     "policy order=two-level", "policy order=rba"};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(policy); i++)
		check_said(LINES("launch last grid 40 block 256 args f", policy[i]), 3000, LIVELOCK_PROVEN,
			   LINES("32 warps loop"));
}

/* The first cycle is the same wherever it is asked from, and before the proof's: no later than what the warps do there.
 */
static void since(void **state)
{
	static const char *const kernel[] = {"flag", "lock", "barrier", "nap", "inside", "here"};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(kernel); i++) {
		char line[80], said[2][80];
		const char *at[2];

		snprintf(line, sizeof(line), "launch %s grid 1 block 64 args f", kernel[i]);
		for (u32 k = 0; k < 2; k++) {
			struct session s;
			struct text out = {0};

			begin(&s, LINES("set warp.independent off", line), k ? 20000 : 2500);
			assert_int_equal(why_livelock(&s, &s.sim, LIVELOCK_MOST, true, &out, NULL), LIVELOCK_PROVEN);
			at[k] = strstr(out.s, "the livelock began in cycle ");
			assert_non_null(at[k]);
			snprintf(said[k], sizeof(said[k]), "%.40s", at[k]);
			text_free(&out);
			end(&s);
		}
		assert_string_equal(said[0], said[1]);
	}
	check_said(LINES("launch here grid 1 block 64 args f"), 3000, LIVELOCK_PROVEN,
		   LINES("the livelock began in cycle 1 (see: `goto 1`"));
	/* the second warp has its first answer of the L2 a cycle after the first has */
	check_said(LINES("launch flag grid 1 block 64 args f"), 3000, LIVELOCK_PROVEN,
		   LINES("the livelock began in cycle 94 "));
}

/* Warps that poll while another works, or until a clock says so, are no livelock in any cycle; and they end. */
static void alive(void **state)
{
	static const char *const launch[] = {"launch slow grid 1 block 128 args f 1500",
					     "launch clock grid 1 block 64 args f 30000",
					     "launch tick grid 1 block 64 args f"};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(launch); i++) {
		struct session s;
		struct error e = {0};

		begin(&s, LINES(launch[i]), 0);
		for (u64 c = 100; !sim_finished(&s.sim); c += 1700) {
			struct text out = {0};

			timeline_go(s.timeline, (struct position){c, 0});
			assert_int_equal(livelock_proven(&s.sim, 4000, &(enum livelock_verdict){0}), 0);
			if (!sim_finished(&s.sim) &&
			    why_livelock(&s, &s.sim, 3000, false, &out, NULL) == LIVELOCK_PROVEN)
				fail_msg("%s in cycle %llu: %s", launch[i], (unsigned long long)c, out.s);
			text_free(&out);
		}
		assert_int_equal(session_end_status(&s, &e), STATUS_OK);
		end(&s);
	}
	check_said(LINES("launch toggle grid 1 block 64 args f"), 3000, LIVELOCK_LIVE, NOTHING);
}

/* No proof, but it looks like it: who keeps it from being one is said. */
static void seems(void **state)
{
	(void)state;
	check_said(LINES("launch clock grid 1 block 64 args f 9000000"), 3000, LIVELOCK_SEEMS,
		   LINES("probable livelock", "only clock values have changed", "reads a clock"));
	check_said(
		LINES("launch flag grid 1 block 64 args f", "launch last grid 1 block 32 args f stream 1 at 9000000"),
		3000, LIVELOCK_SEEMS, LINES("a launch is pending", "launch 1 (last) has not started; it could write"));
	check_said(LINES("launch flag grid 1 block 64 args f", "launch last grid 1 block 32 args f stream 1 at 20000"),
		   3000, LIVELOCK_LIVE, NOTHING);
	check_said(LINES("launch slow grid 1 block 128 args f 9000000"), 3000, LIVELOCK_LIVE,
		   LINES("3 warps loop, but others do not", "makes progress"));
}

/* The stop: in both directions; what cannot be meant is refused. */
static void stop(void **state)
{
	struct session s;
	struct error e = {0};

	(void)state;
	begin(&s, LINES("launch flag grid 1 block 64 args f"), 0);
	assert_int_equal(command_run_line(&s, "break livelock every 10", NULL, 0, &e), STATUS_USAGE);
	assert_int_equal(command_run_line(&s, "break livelock often", NULL, 0, &e), STATUS_USAGE);
	assert_int_equal(command_run_line(&s, "break livelock every 1000 more", NULL, 0, &e), STATUS_USAGE);
	assert_int_equal(command_run_line(&s, "break livelock every 1000", NULL, 0, &e), STATUS_OK);
	assert_int_equal(command_run_line(&s, "continue", NULL, 0, &e), STATUS_OK);
	assert_int_equal(timeline_now(s.timeline).cycle, 1000);
	/* once */
	timeline_go(s.timeline, (struct position){2500, 0});
	assert_int_equal(command_run_line(&s, "reverse-continue", NULL, 0, &e), STATUS_OK);
	assert_int_equal(timeline_now(s.timeline).cycle, 1000);
	/* a run stops by itself, where it is looked for */
	assert_int_equal(command_run_line(&s, "continue", NULL, 0, &e), STATUS_DEADLOCK);
	assert_int_equal(timeline_now(s.timeline).cycle, 16384);
	assert_int_equal(command_run_line(&s, "run", NULL, 0, &e), STATUS_DEADLOCK);
	assert_int_equal(timeline_now(s.timeline).cycle, 32768);
	assert_int_equal(command_run_line(&s, "set run.livelock off", NULL, 0, &e), STATUS_OK);
	s.max_cycles = 70000;
	assert_int_equal(command_run_line(&s, "run", NULL, 0, &e), STATUS_DEADLOCK);
	assert_int_equal(timeline_now(s.timeline).cycle, 70000);
	end(&s);
	begin(&s, LINES("launch slow grid 1 block 128 args f 1500"), 0);
	assert_int_equal(command_run_line(&s, "break livelock every 300", NULL, 0, &e), STATUS_OK);
	assert_int_equal(command_run_line(&s, "continue", NULL, 0, &e), STATUS_OK);
	assert_true(sim_finished(&s.sim));
	end(&s);
}

/* Who waits for a warp that a policy never lets issue: named, with the warp and the policy; so is one that is alone. A
 * policy that remembers how long it has held the warp is not taken for one. */
static void by_policy(void **state)
{
	static const struct {
		u32 slot;
		const char *launch, *said;
		enum livelock_verdict verdict;
	} row[] = {{POLICY_hold, "launch slow grid 1 block 32 args f 9", "held (hold=holds)", LIVELOCK_POLICY},
		   {POLICY_order, "launch slow grid 1 block 32 args f 9", "paused (order=prefers)", LIVELOCK_POLICY},
		   {POLICY_hold, "launch slow grid 2 block 64 args f 9", "held (hold=holds)", LIVELOCK_POLICY},
		   {POLICY_hold, "launch counts grid 1 block 64 args f", "held (hold=holds); it could write",
		    LIVELOCK_POLICY},
		   {POLICY_order, "launch counts grid 1 block 64 args f", "(order=prefers); it could write",
		    LIVELOCK_POLICY},
		   {POLICY_hold, "launch counts grid 1 block 64 args f", "has issued nothing (held)", LIVELOCK_SEEMS}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct session s;
		struct text out = {0};
		struct policy_choice choice;
		enum livelock_verdict got;

		begin(&s, LINES("set gpu.sms 1", row[i].launch), 0);
		sim_get_policy(&s.sim, &choice);
		policy_put(&choice, row[i].slot,
			   SCHEME_COUNT + (row[i].verdict == LIVELOCK_SEEMS ? 2 : row[i].slot == POLICY_order));
		sim_set_policy(&s.sim, &choice);
		while (machine_gpu(s.sim.m)->cycle < 9000)
			sim_cycle(&s.sim);
		got = why_livelock(&s, &s.sim, 8192, false, &out, NULL);
		if (got != row[i].verdict || !strstr(out.s ? out.s : "", row[i].said))
			fail_msg("%s: %s, '%s' wanted:\n%s", row[i].launch, livelock_verdict_name[got], row[i].said,
				 out.len ? out.s : "");
		assert_true(got != LIVELOCK_POLICY || strstr(out.s, "warp 0 (SM 0, CTA 0)"));
		text_free(&out);
		end(&s);
	}
}

/* Where nothing happens any more the SM sleeps, and that is a deadlock: the policy is named there, too. */
static void deadlock_by_policy(void **state)
{
	struct session s;
	struct text out = {0};
	struct policy_choice choice;

	(void)state;
	begin(&s, LINES("set gpu.sms 1", "launch slow grid 1 block 32 args f 9"), 0);
	sim_get_policy(&s.sim, &choice);
	policy_put(&choice, POLICY_hold, SCHEME_COUNT + 3);
	sim_set_policy(&s.sim, &choice);
	while (!sim_finished(&s.sim))
		sim_cycle(&s.sim);
	assert_true(sim_deadlocked(&s.sim));
	assert_true(why_deadlock(&s, &s.sim, &out, NULL));
	if (!strstr(out.s, "warp 0 (SM 0, CTA 0) could issue, but a policy never selects it: held (hold=sleeps)"))
		fail_msg("%s", out.s);
	text_free(&out);
	end(&s);
}

/* Starvation by order: the gang that came first to where it would set the flag is small, and all that wait are in
 * bigger ones, which go first as Rogers et al., section 6.4, have it. A stop finds it, and a run ends with it. */
static void by_order(void **state)
{
	struct session s;
	struct error e = {0};

	(void)state;
	check_said(LINES("gpu i-vws", "set gpu.sms 1", "launch counts grid 1 block 1024 args f"), 8000, LIVELOCK_POLICY,
		   LINES("livelock caused by a policy", "warp 0 (SM 0, CTA 0) could issue",
			 "eligible (gang=bgto); it could write", "loop at"));
	check_said(
		LINES("gpu i-vws", "set gpu.sms 1", "policy gang=gang-lrr", "launch counts grid 1 block 1024 args f"),
		1000, LIVELOCK_LIVE, NOTHING);
	begin(&s, LINES("gpu i-vws", "set gpu.sms 1", "launch counts grid 1 block 1024 args f"), 0);
	assert_int_equal(command_run_line(&s, "break livelock every 8192", NULL, 0, &e), STATUS_OK);
	assert_int_equal(command_run_line(&s, "continue", NULL, 0, &e), STATUS_OK);
	assert_int_equal(timeline_now(s.timeline).cycle, 8192);
	assert_int_equal(command_run_line(&s, "run", NULL, 0, &e), STATUS_DEADLOCK);
	assert_int_equal(timeline_now(s.timeline).cycle, 16384);
	assert_string_equal(e.message, "livelock: a policy starves warps that could issue");
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(proven),    cmocka_unit_test(every_order), cmocka_unit_test(since),
		cmocka_unit_test(alive),     cmocka_unit_test(seems),	    cmocka_unit_test(stop),
		cmocka_unit_test(by_policy), cmocka_unit_test(by_order),    cmocka_unit_test(deadlock_by_policy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
