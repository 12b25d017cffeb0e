/*
 * test_compare.c - compare: a change without effect parts nowhere, B is what a run with the change is, hash for hash
 * and number for number, the session sees nothing of it, they part where two runs side by side do, swap makes B the
 * run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "compare.h"
#include "counters.h"
#include "events.h"
#include "machine.h"
#include "rights.h"
#include "session_bed.h"

#include <string.h>

/* A session of its own for a scenario, moved to a cycle (0: not at all). */
static void open_at(const char *scenario, u64 cycle)
{
	struct error e = {0};
	char line[64];

	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	if (command_run_file(&session, scenario, &e))
		fail_msg("%s: %s", scenario, e.message);
	if (session_make(&session, &e))
		fail_msg("%s: %s", scenario, e.message);
	snprintf(line, sizeof(line), "step %llu", (unsigned long long)cycle);
	if (cycle)
		must(line);
}

/* What a run has come to. */
struct outcome {
	u64 hash, counted, cycle;
};
static struct outcome outcome_of(struct sim *sim)
{
	return (struct outcome){sim_hash(sim), sim_counted(sim), machine_gpu(sim->m)->cycle};
}
static void same(const char *what, struct outcome a, struct outcome b)
{
	if (a.cycle != b.cycle || a.hash != b.hash || a.counted != b.counted)
		fail_msg("%s: cycle %llu and %llu", what, (unsigned long long)a.cycle, (unsigned long long)b.cycle);
}

/* A statistic of a comparison is B's in the session. */
static void same_stat(void *self, const struct stat_value *x)
{
	const struct compare *c = self;
	char name[96];

	for (u32 i = 0; !x->text && i < x->count; i++) {
		u32 k = 0;

		snprintf(name, sizeof(name), x->array ? "%s[%u]" : "%s", x->name, i);
		while (k < c->nstats && strcmp(c->stat[k].name, name))
			k++;
		assert_true(k < c->nstats);
		assert_true(value_as_real(c->stat[k].b) == value_as_real(x->value[i]));
	}
}

/* Compare and look at the session before and after: nothing of it has changed. */
static void compare_quietly(const char *line)
{
	struct position at = timeline_now(session.timeline), now;
	u64 hash = sim_hash(&session.sim), version = timeline_version(session.timeline);
	u32 inputs = timeline_inputs(session.timeline);

	must(line);
	now = timeline_now(session.timeline);
	assert_true(at.cycle == now.cycle && at.stage == now.stage);
	assert_true(sim_hash(&session.sim) == hash);
	assert_true(timeline_inputs(session.timeline) == inputs && timeline_version(session.timeline) == version);
}

/* --- a change without effect --- */

/* Changes that change nothing. */
static const char *const idle[] = {"engine.sleep=off", "engine.order=7", "engine.major=stage from start",
				   "multi.insts=0", "stats.lines=on"};
static const char *const scenario[] = {"scenarios/matmul.scn", "scenarios/bfs.scn", "scenarios/histogram256.scn",
				       "scenarios/subcore/bank-conflict.scn", "scenarios/tlp/dyncta-aes.scn"};

static void parts_nowhere(void **state)
{
	char line[96];

	(void)state;
	/* each change in two of the scenarios */
	for (u32 i = 0; i < 2 * ARRAY_LEN(idle); i++) {
		const char *in = scenario[i % ARRAY_LEN(scenario)],
			   *what = idle[(i + i / ARRAY_LEN(idle)) % ARRAY_LEN(idle)];
		struct compare *c;

		open_at(in, i % 3 * 150);
		snprintf(line, sizeof(line), "compare %s", what);
		compare_quietly(line);
		c = session.compare;
		if (c->parting.found || c->differ)
			fail_msg("%s parts in %s", line, in);
		assert_true(sim_hash(&c->side[0].session.sim) == sim_hash(&c->side[1].session.sim));
		close_session(NULL);
	}
}

/* --- B is a run with the change --- */

static const struct change {
	const char *scenario, *compare; /* what is compared */
	const char *line[2];		/* the same by the commands that there are */
	u64 at;				/* from this cycle; 0: not moved */
	bool anew;			/* with a restart */
} change[] = {
	{"scenarios/matmul.scn", "compare order=lrr", {"policy order=lrr"}, 0, false},
	{"scenarios/matmul.scn", "compare order=lrr", {"policy order=lrr"}, 777, false},
	{"scenarios/matmul.scn",
	 "compare lat.int=20 policy assign=srr",
	 {"set lat.int 20", "policy assign=srr"},
	 500,
	 false},
	{"scenarios/matmul.scn", "compare gpu.sms=1", {"set gpu.sms 1"}, 300, true},
	{"scenarios/bfs.scn",
	 "compare sm.subcores=2 order=two-level",
	 {"set sm.subcores 2", "policy order=two-level"},
	 0,
	 false},
	{"scenarios/bfs.scn", "compare order=lrr from start", {"policy order=lrr"}, 400, true},
	{"scenarios/histogram256.scn", "compare l2.latency=400", {"set l2.latency 400"}, 1234, true},
	{"scenarios/elf/ccws.scn", "compare ccws", {"policy ccws"}, 0, false},
	{"scenarios/multi/lud-pair.scn", "compare rank=kernel-lrr", {"policy rank=kernel-lrr"}, 2000, false},
};

static void is_the_run(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(change); i++) {
		const struct change *x = &change[i];
		struct outcome there, ran;
		struct compare *c;

		open_at(x->scenario, x->at);
		compare_quietly(x->compare);
		c = session.compare;
		there = outcome_of(&c->side[COMPARE_B].session.sim);
		session.compare = NULL; /* it is kept beside the session's run, which follows */
		for (u32 k = 0; k < 2 && x->line[k]; k++)
			must(x->line[k]);
		if (x->anew) {
			/* what is compared lives on the machine that a restart throws away */
			stats_each(&c->side[COMPARE_B].session, "slots.*", false, same_stat, c);
			assert_true(c->nstats > 100);
			compare_free(c);
			c = NULL;
			must("restart");
		}
		if (c && !x->at) { /* the machine that has not moved is made anew, too */
			compare_free(c);
			c = NULL;
		}
		must("run");
		ran = outcome_of(&session.sim);
		same(x->compare, there, ran);
		if (c) {
			stats_each(&session, "[!ch]*", false, same_stat, c);
			compare_free(c);
		}
		close_session(NULL);
	}
}

/* What swap makes the run is B. */
static void swap_is_b(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(change); i++) {
		const struct change *x = &change[i];
		struct outcome there;

		if (x->at > 1000)
			continue; /* the long ones are swapped in no other way */
		open_at(x->scenario, x->at);
		must(x->compare);
		there = outcome_of(&session.compare->side[COMPARE_B].session.sim);
		must("compare swap");
		assert_null(session.compare);
		must("run");
		same(x->compare, there, outcome_of(&session.sim));
		close_session(NULL);
	}
}

/* --- where they part --- */

/* The first cycle in which two forks issue something else, found one cycle after the other. */
static u64 parts_by_hand(struct sim *a, struct sim *b, u64 last)
{
	a->bus.want = b->bus.want = EVENT_BIT(EVENT_ISSUE);
	while (machine_gpu(a->m)->cycle < last && !sim_finished(a) && !sim_finished(b)) {
		sim_cycle(a);
		sim_cycle(b);
		if (a->bus.count != b->bus.count ||
		    (a->bus.count && memcmp(a->bus.record, b->bus.record, a->bus.count * sizeof(*a->bus.record)) != 0))
			return machine_gpu(a->m)->cycle;
	}
	return NEVER;
}

/* The place of the first of their issues that differ, in that cycle. */
static void place_by_hand(const struct sim *a, const struct sim *b, u32 *sm, u32 *sub)
{
	const struct record *x, *y;
	u32 i = 0;

	while (i < a->bus.count && i < b->bus.count &&
	       !memcmp(&a->bus.record[i], &b->bus.record[i], sizeof(*a->bus.record)))
		i++;
	x = i < a->bus.count ? &a->bus.record[i] : &b->bus.record[i];
	y = i < b->bus.count ? &b->bus.record[i] : x;
	if (y->sm * MAX_SUBCORES + y->sub < x->sm * MAX_SUBCORES + x->sub)
		x = y;
	*sm = x->sm;
	*sub = x->sub;
}

static void parts_there(void **state)
{
	static const struct {
		enum setting_id id;
		u32 value;
		const char *line;
	} try[] = {{SET_lat_int, 20, "compare lat.int=20"},
		   {SET_lat_fp32, 9, "compare lat.fp32=9"},
		   {SET_fetch_width, 2, "compare fetch.width=2"},
		   {SET_gpu_launch_latency, 500, "compare gpu.launch_latency=500"}};

	(void)state;
	for (u32 i = 0; i < 2 * ARRAY_LEN(try); i++) {
		const struct compare_parting *p;
		struct sim a, b;
		u64 cycle;

		open_at(i % 2 ? "scenarios/bfs.scn" : "scenarios/matmul.scn", 100 + 400 * i);
		must(try[i / 2].line);
		p = &session.compare->parting;
		sim_fork(&a, &session.sim);
		sim_fork(&b, &session.sim);
		assert_int_equal(sim_set(&b, try[i / 2].id, try[i / 2].value, NULL), 0);
		cycle = parts_by_hand(&a, &b, 200000);
		if (p->found != (cycle != NEVER))
			fail_msg("%s: %llu and by hand %llu", try[i / 2].line, (unsigned long long)p->cycle,
				 (unsigned long long)cycle);
		if (p->found) {
			u32 sm, sub;

			place_by_hand(&a, &b, &sm, &sub);
			assert_int_equal(p->cycle, cycle);
			assert_true(p->sm == sm && p->sub == sub);
			must("goto parting");
			assert_int_equal(timeline_now(session.timeline).cycle, cycle);
			assert_int_equal(session.focus.sm, p->sm);
			must("compare why");
		}
		sim_close(&a);
		sim_close(&b);
		close_session(NULL);
	}
}

/* --- ends that are no good ones --- */

/* B faults where a grid is too large for its buffers. */
static void fault_in_b(void **state)
{
	(void)state;
	open_at("scenarios/matmul.scn", 50);
	compare_quietly("compare kernel.matmul16.grid=8,8 kernel.0.regs=40");
	assert_int_equal(session.compare->ended[COMPARE_A], STOP_FINISHED);
	assert_int_equal(session.compare->ended[COMPARE_B], STOP_FAULT);
	assert_non_null(session.compare->ended_text[COMPARE_B]);
	close_session(NULL);
}

/* What goes round for ever, and what does not with a patience, on either side. */
static void livelocks(void **state)
{
	(void)state;
	for (u32 i = 0; i < 2; i++) {
		open_at("scenarios/faults/lock.scn", 0);
		must(i ? "set warp.patience 32" : "set warp.patience 0");
		must("step 10");
		compare_quietly(i ? "compare warp.patience=0" : "compare warp.patience=32");
		assert_int_equal(session.compare->ended[!i ? COMPARE_A : COMPARE_B], STOP_LIVELOCK);
		assert_int_equal(session.compare->ended[!i ? COMPARE_B : COMPARE_A], STOP_FINISHED);
		close_session(NULL);
	}
}

/* What checks find in B is what they find in a run with the change. */
static void checks_in_b(void **state)
{
	struct value races;

	(void)state;
	open_at("scenarios/faults/race.scn", 0);
	must("set check.races on");
	must("set check.barriers on");
	must("step 20");
	compare_quietly("compare order=lrr");
	assert_true(stat_get(&session.compare->side[COMPARE_B].session, "events.race", &races));
	must("policy order=lrr");
	must("run");
	assert_true(races.i > 0);
	assert_int_equal(number_of("events.race"), races.i);
	close_session(NULL);
}

/* Stops see nothing: neither hits nor what they print. */
static void stops_see_nothing(void **state)
{
	(void)state;
	open_at("scenarios/matmul.scn", 10);
	must("break event issue");
	compare_quietly("compare order=lrr -- step 400");
	assert_int_equal(number_of("$_hits"), 0);
	assert_int_equal(session.compare->end[COMPARE_B], 410);
	must("continue");
	assert_int_equal(number_of("$_hits"), 1);
	compare_quietly("compare order=lrr -- until inst.warp >= 1000");
	assert_true(session.compare->ended[COMPARE_A] == STOP_TARGET &&
		    session.compare->ended[COMPARE_B] == STOP_TARGET);
	close_session(NULL);
}

/* Both follow the session, by cycles and by instructions, forwards and backwards. */
static void follows(void **state)
{
	static const u64 at[] = {900, 300, 301, 2000, 299, 250};
	struct compare *c;

	(void)state;
	open_at("scenarios/matmul.scn", 250);
	must("compare order=lrr");
	c = session.compare;
	for (u32 i = 0; i < ARRAY_LEN(at); i++) {
		const struct sim *a = &c->side[COMPARE_A].session.sim, *b = &c->side[COMPARE_B].session.sim;

		go(at[i]);
		must("set compare.by cycles");
		compare_follow(&session, c);
		assert_int_equal(machine_gpu(a->m)->cycle, at[i]);
		assert_int_equal(machine_gpu(b->m)->cycle, at[i]);
		assert_true(sim_hash(&c->side[COMPARE_A].session.sim) == sim_hash(&session.sim));
		must("set compare.by instructions");
		compare_follow(&session, c);
		assert_true(sim_sm_stat(b, STAT_INST_WARP) >= sim_sm_stat(a, STAT_INST_WARP));
		timeline_go(c->side[COMPARE_B].session.timeline,
			    (struct position){machine_gpu(b->m)->cycle - (machine_gpu(b->m)->cycle > 250), 0});
		assert_true(machine_gpu(b->m)->cycle == 250 ||
			    sim_sm_stat(b, STAT_INST_WARP) < sim_sm_stat(a, STAT_INST_WARP));
	}
	for (u64 back = 2000; back > 260; back -= 97) { /* by instructions all the way: B comes from behind, too */
		const struct sim *a = &c->side[COMPARE_A].session.sim, *b = &c->side[COMPARE_B].session.sim;
		u64 there;

		go(back);
		compare_follow(&session, c);
		there = machine_gpu(b->m)->cycle;
		assert_true(sim_sm_stat(b, STAT_INST_WARP) >= sim_sm_stat(a, STAT_INST_WARP));
		timeline_go(c->side[COMPARE_B].session.timeline, (struct position){there - 1, 0});
		assert_true(sim_sm_stat(b, STAT_INST_WARP) < sim_sm_stat(a, STAT_INST_WARP));
		timeline_go(c->side[COMPARE_B].session.timeline, (struct position){there, 0});
	}
	close_session(NULL);
}

/* Machines of their own come to what runs come to. */
static void many_are_runs(void **state)
{
	static const char *const value[] = {"2", "20", "3"};
	struct compare_entry x[3] = {0};
	const struct compare_goal goal = {.cycles = NEVER};
	struct error e = {0};

	(void)state;
	open_at("scenarios/bfs.scn", 300);
	for (u32 i = 0; i < 3; i++) {
		x[i].change.nsettings = 1;
		x[i].change.setting[0].id = SET_lat_int;
		assert_int_equal(setting_parse(SET_lat_int, value[i], &x[i].change.setting[0].value, &e), 0);
	}
	assert_true(compare_many(&session, x, 3, &goal, NULL));
	for (u32 i = 0; i < 3; i++) {
		char line[32];

		snprintf(line, sizeof(line), "compare lat.int=%s", value[i]);
		compare_quietly(line);
		assert_int_equal(x[i].state, COMPARE_DONE);
		assert_int_equal(x[i].cycle, session.compare->end[COMPARE_B]);
		for (u32 k = 0; k < session.compare->nstats; k++) {
			u32 n = 0;

			while (n < x[i].n && strcmp(x[i].stat[n].name, session.compare->stat[k].name))
				n++;
			assert_true(n < x[i].n);
			assert_true(value_as_real(x[i].stat[n].a) == value_as_real(session.compare->stat[k].b));
		}
		compare_stats_free(x[i].stat, x[i].n);
	}
	close_session(NULL);
}

/* A goal of 400 cycles is counted from where the session is, for a machine that begins anew from its beginning. */
static void many_go_so_many_on(void **state)
{
	struct compare_entry x[2] = {{.change.anew = false}, {.change.anew = true}};
	const struct compare_goal goal = {.cycles = 400};

	(void)state;
	open_at("scenarios/bfs.scn", 300);
	assert_true(compare_many(&session, x, 2, &goal, NULL));
	for (u32 i = 0; i < 2; i++) {
		assert_int_equal(x[i].state, COMPARE_DONE);
		assert_int_equal(x[i].cycle, i ? 400 : 300 + 400);
		compare_stats_free(x[i].stat, x[i].n);
	}
	close_session(NULL);
}

/* --- the scenario's checks --- */

/* Run a command that must fail with a status. */
static void refused(const char *line, enum status want)
{
	struct error e = {0};
	enum status st = command_run_line(&session, line, NULL, 0, &e);

	if (st != want)
		fail_msg("%s: %d %s", line, (int)st, e.message);
}

/* Thread i of vecadd writes c[i], and c has 10,000 elements: 64 x 128 threads write the first 8,192 and are faster than
 * 40 x 256, which write all. Of the two checks, B fails that of the results. */
static void wrong_is_not_faster(void **state)
{
	const struct judged *j;
	u32 passed;

	(void)state;
	open_at("scenarios/vecadd.scn", 0);
	passed = session.passed_checks;
	refused("compare kernel.0.block=128 kernel.0.grid=64", STATUS_CHECK);
	j = session.compare->judged;
	assert_true(session.compare->end[COMPARE_B] < session.compare->end[COMPARE_A]);
	assert_true(j[COMPARE_A].passed == 2 && !j[COMPARE_A].failed);
	assert_true(j[COMPARE_B].passed == 1 && j[COMPARE_B].failed == 1);
	assert_true(!strncmp(j[COMPARE_B].first, "c[8192] is 0, ", 14));
	assert_true(session.passed_checks == passed && !session.finally_ran &&
		    timeline_now(session.timeline).cycle == 0);
	must("compare kernel.0.block=128 kernel.0.grid=79"); /* 10,112 threads */
	j = session.compare->judged;
	assert_true(j[COMPARE_B].passed == 2 && !j[COMPARE_B].failed);
	must("compare kernel.0.grid=4 -- step 100"); /* nothing has ended */
	j = session.compare->judged;
	assert_true(!j[COMPARE_B].passed && !j[COMPARE_B].failed);
	must("compare order=gto,lrr");
	refused("compare kernel.0.grid=4 order=gto,lrr", STATUS_CHECK);
	must("run");
	assert_int_equal(session.passed_checks, passed + 2);
	close_session(NULL);
}

/* --- other kernels, another scenario, another GPU --- */

/* B with another stage is a run of a session that was set up so. */
static const struct other {
	const char *compare, *gpu, *module, *launch, *more;
} other[] = {
	{"tests/compare/tile2.ptx", "volta sms 5", "tile2", "tile", NULL},
	{"module=tests/compare/tile2.ptx order=lrr lat.int=9", "volta sms 5", "tile2", "tile", "set lat.int 9"},
	{"gpu=a100", "a100 sms 7", "tile", "tile", NULL}, /* 5 of 80 SMs: 6.75 of 108 */
	{"gpu=h100 tests/compare/tile2.ptx", "h100 sms 8", "tile2", "tile", NULL},
	{"tests/compare/tile2.ptx kernel.0.entry=copy", "volta sms 5", "tile2", "copy", NULL},
};

static void other_is_a_run(void **state)
{
	char line[160];

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(other); i++) {
		const struct other *x = &other[i];
		struct outcome there;
		struct error e = {0};

		open_at("tests/compare/tile.scn", i % 2 * 700);
		snprintf(line, sizeof(line), "compare %s", x->compare);
		if (strcmp(x->launch, "copy"))
			compare_quietly(line);
		else if (command_run_line(&session, line, NULL, 0, &e) != STATUS_CHECK) /* c is no product */
			fail_msg("%s: %s", line, e.message);
		there = outcome_of(&session.compare->side[COMPARE_B].session.sim);
		assert_true(!session.compare->judged[COMPARE_A].failed);
		must("compare end");
		close_session(NULL);
		session_open(&session, &all_session_ops);
		session.out = fopen("/dev/null", "w");
		snprintf(line, sizeof(line), "gpu %s", x->gpu);
		must(line);
		snprintf(line, sizeof(line), "module tests/compare/%s.ptx", x->module);
		must(line);
		must("buffer a f32[4096] iota");
		must("buffer b f32[4096] fill 1");
		must("buffer c f32[4096]");
		snprintf(line, sizeof(line), "launch %s grid 4,4 block 16,16 args a b c 64", x->launch);
		must(line);
		if (strstr(x->compare, "order=lrr"))
			must("policy order=lrr");
		if (x->more)
			must(x->more);
		must("run");
		same(x->compare, there, outcome_of(&session.sim));
		close_session(NULL);
	}
}

/* A scenario's commands that move its machine do not move B, and its own checks judge it. What the session has done
 * with its machine is not in B, what it has set is. */
static void other_begins_at_the_start(void **state)
{
	struct outcome there;
	struct error e = {0};

	(void)state;
	open_at("tests/compare/tile.scn", 300);
	must("set var reg[3][0] = 5");
	must("set lat.int 9");
	compare_quietly("compare tests/compare/copied.scn");
	there = outcome_of(&session.compare->side[COMPARE_B].session.sim);
	assert_true(session.compare->judged[COMPARE_B].passed == 1 && !session.compare->judged[COMPARE_B].failed);
	assert_true(session.compare->ahead == 2);
	must("goto difference");
	must("compare why");
	must("compare lines");
	compare_quietly("compare tests/compare/late.scn"); /* its second launch was declared behind a `run` */
	assert_int_equal(session.compare->side[COMPARE_B].program.nlaunch, 2);
	compare_quietly("compare tests/compare/tile.ptx -- step 900"); /* nothing is otherwise */
	assert_true(!session.compare->parting.found && !session.compare->differ);
	must("compare end");
	close_session(NULL);
	session_open(&session, &all_session_ops);
	session.out = fopen("/dev/null", "w");
	if (command_run_file(&session, "tests/compare/copied.scn", &e))
		fail_msg("%s", e.message);
	same("copied.scn", there, outcome_of(&session.sim));
	close_session(NULL);
}

/* What cannot be is said, and what was compared before stays. */
static void other_that_cannot_be(void **state)
{
	(void)state;
	open_at("tests/compare/tile.scn", 0);
	must("compare order=lrr");
	refused("compare nothing.ptx", STATUS_USAGE);
	refused("compare scenarios/kernels/vecadd.ptx", STATUS_FAILED);
	refused("compare gpu=nope", STATUS_USAGE);
	refused("compare nothing.scn", STATUS_USAGE);
	refused("compare gpu=a100 gpu=h100", STATUS_USAGE);
	refused("compare tests/compare/copied.scn gpu=h100", STATUS_USAGE);
	refused("compare tests/compare/tile2.ptx kernel.0.entry=none", STATUS_USAGE);
	refused("compare tests/compare/tile2.ptx kernel.0.entry=nothing", STATUS_USAGE);
	assert_true(!strcmp(session.compare->change.text, "order=lrr"));
	must("compare tests/compare/tile2.ptx");
	refused("compare swap", STATUS_FAILED);
	refused("compare lines some", STATUS_USAGE);
	must("compare gpu=volta,a100 tests/compare/tile2.ptx");
	close_session(NULL);
}

/* Of `finally` the lines check and expect run, on both, and nothing else. */
static void only_checks_run(void **state)
{
	static const char *const setup[] = {"gpu tiny", "module tests/ptx/locals.ptx", "buffer n u32[8] iota 1",
					    "launch locals grid 2 block 32 args", "set run.livelock off"};
	static const char block[] =
		"finally\n  expect cycle >= 40\n  expect nothing.such > 0\n  repeat 2\n    expect 0\n  end\n  goto 1\n"
		"  set lat.int 7\n  check n formula 99\nend\n";
	struct judged j;
	struct error e = {0};
	u32 latency;

	(void)state;
	assert_int_equal(bed_session(setup, ARRAY_LEN(setup)), 0);
	assert_int_equal(lines_run(&session, block, &rights_user, NULL, 0, &e), 0);
	latency = session.config.lat_int;
	must("step 40");
	finally_judge(&session, &j);
	/* the kernel has not written 99 everywhere; what cannot be computed is not as expected */
	assert_true(j.passed == 1 && j.failed == 2);
	assert_non_null(strstr(j.first, "nothing.such"));
	assert_int_equal(timeline_now(session.timeline).cycle, 40);
	assert_int_equal(session.config.lat_int, latency);
	close_session(NULL);
}

/* Each side costs a block of a machine, twice with its first keyframe, and what it has written. */
static void costs_what_differs(void **state)
{
	u64 block, values;

	(void)state;
	open_at("scenarios/matmul.scn", 300);
	block = session.sim.m->bytes;
	values = store_private_bytes(&session.sim.store);
	must("compare order=lrr -- step 1");
	assert_true(compare_bytes(session.compare) < 4 * block + (values + (1 << 16)) * 3);
	print_message("a machine %llu bytes, its values %llu, both sides %llu\n", (unsigned long long)block,
		      (unsigned long long)values, (unsigned long long)compare_bytes(session.compare));
	close_session(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_is_a_run),
		cmocka_unit_test(other_begins_at_the_start),
		cmocka_unit_test(other_that_cannot_be),
		cmocka_unit_test(wrong_is_not_faster),
		cmocka_unit_test(only_checks_run),
		cmocka_unit_test(parts_nowhere),
		cmocka_unit_test(is_the_run),
		cmocka_unit_test(swap_is_b),
		cmocka_unit_test(parts_there),
		cmocka_unit_test(fault_in_b),
		cmocka_unit_test(livelocks),
		cmocka_unit_test(checks_in_b),
		cmocka_unit_test(many_are_runs),
		cmocka_unit_test(many_go_so_many_on),
		cmocka_unit_test(costs_what_differs),
		cmocka_unit_test(follows),
		cmocka_unit_test(stops_see_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
