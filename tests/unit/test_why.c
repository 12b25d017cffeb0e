/*
 * test_why.c - why: forks do not move the machine, forecasts come true, requests are conserved, ranks are the policy's,
 * every status has a chain, a deadlock has its warps and its first cycle.
 */
#include "core_bed.h"

#include "breaks.h"
#include "policy.h"
#include "why.h"
#include "session_bed.h"

/* A position for a number, spread over the program. */
static u64 some_cycle(u64 seed)
{
	return 1 + mix64(seed) % (timeline_tip(session.timeline).cycle - 1);
}

static const struct warp *warp_at(const struct sim *sim, u32 i)
{
	return (struct warp *)machine_sm_section(sim->m, 0, SECTION_WARP) + i;
}

/* --- forks --- */

/* A fork at any position is the machine there; what it does is not seen by the machine. */
static void forks(void **state)
{
	struct sim fork;
	u64 at, then, here;

	(void)state;
	for (u32 i = 0; i < 40; i++) {
		u32 stage = (u32)(mix64(i + 7) % STAGE_COUNT), applied;

		go(some_cycle(i));
		here = sim_hash(&session.sim);
		at = some_cycle(i + 1000);
		timeline_fork(session.timeline, (struct position){at, stage}, &fork, &applied);
		timeline_follow(session.timeline, &fork, &applied, (struct position){at + 20, stage});
		then = sim_hash(&fork);
		sim_close(&fork);
		assert_int_equal(sim_hash(&session.sim), here);
		timeline_go(session.timeline, (struct position){at + 20, stage});
		assert_int_equal(sim_hash(&session.sim), then);
	}
}

/* Inputs of the journal are applied where they stand, and known when they have been. */
static void forks_see_inputs(void **state)
{
	u64 version = timeline_version(session.timeline), then;
	u32 before = session.sim.m->config.lat_int;
	struct sim fork;
	char line[64];

	(void)state;
	go(300);
	must("set lat.int 9");
	assert_true(timeline_version(session.timeline) != version);
	go(700);
	then = sim_hash(&session.sim);
	go(100);
	timeline_fork(session.timeline, (struct position){700, 0}, &fork, NULL);
	assert_int_equal(sim_hash(&fork), then);
	assert_int_equal(fork.m->config.lat_int, 9);
	sim_close(&fork);
	snprintf(line, sizeof(line), "set lat.int %u", before);
	must(line);
	must("restart");
	must("goto 1000000");
}

/* --- forecasts --- */

/* The next issue and the next status are what the machine then does. */
static void forecasts_come_true(void **state)
{
	(void)state;
	for (u32 i = 0; i < 60; i++) {
		u64 at = some_cycle(i + 50), status;
		u32 warp = (u32)(mix64(i) % session.sim.m->contexts);
		struct forecast f;
		u32 issued;

		go(at);
		forecast_warp(&session.sim, 0, warp, &f);
		if (warp_at(&session.sim, warp)->cta == NONE16 || f.issues == NEVER)
			continue;
		issued = warp_at(&session.sim, warp)->issued;
		status = sim_warp_status(&session.sim, 0, warp);
		go(f.issues - 1);
		assert_int_equal(warp_at(&session.sim, warp)->issued, issued);
		go(f.issues);
		assert_int_equal(warp_at(&session.sim, warp)->issued, issued + 1);
		assert_int_equal(sim_warp_status(&session.sim, 0, warp), WARP_ISSUED);
		if (f.changes == NEVER)
			continue;
		go(f.changes - 1);
		assert_int_equal(sim_warp_status(&session.sim, 0, warp), status);
		go(f.changes);
		assert_int_equal(sim_warp_status(&session.sim, 0, warp), f.then);
	}
}

/* A warp's status is as old as is said: another one in the cycle before. */
static void since_when(void **state)
{
	(void)state;
	for (u32 i = 0; i < 40; i++) {
		u64 at = some_cycle(i + 900), since;
		u32 warp = (u32)(mix64(i) % session.sim.m->contexts), status;
		json_t *result = json_object();
		struct text out = {0};

		go(at);
		status = sim_warp_status(&session.sim, 0, warp);
		why_warp(&session, &session.sim, 0, warp, &out, result);
		since = status < WARP_STATUS_COUNT
				? (u64)json_integer_value(
					  json_object_get(json_array_get(json_object_get(result, "chain"), 0), "since"))
				: at;
		json_decref(result);
		text_free(&out);
		for (u64 c = since; c < at; c++) {
			go(c);
			assert_int_equal(sim_warp_status(&session.sim, 0, warp), status);
		}
		if (status == WARP_STATUS_COUNT || since + 300 <= at)
			continue;
		go(since - 1);
		assert_true(sim_warp_status(&session.sim, 0, warp) != status);
	}
}

/* --- requests --- */

/* Those found in the queues are those sent and not answered; none is back before its "earliest". */
static void requests_conserved(void **state)
{
	static struct request list[512];
	event_set want = session.sim.bus.want;
	u32 seen = 0, late = 0;

	(void)state;
	for (u32 i = 0; i < 60; i++) {
		u64 at = some_cycle(i + 300);
		struct sim fork;
		u32 n;

		go(at);
		n = requests_list(&session.sim, NONE32, list, ARRAY_LEN(list));
		assert_int_equal(n, sim_sm_stat(&session.sim, STAT_REQUESTS) - sim_sm_stat(&session.sim, STAT_REPLIES));
		seen += n;
		sim_fork(&fork, &session.sim);
		fork.bus.want = EVENT_BIT(EVENT_REPLY);
		for (u32 c = 0; c < 400 && !sim_finished(&fork); c++) {
			u64 now;

			sim_cycle(&fork);
			now = machine_gpu(fork.m)->cycle;
			for (u32 r = 0; r < fork.bus.count; r++)
				for (u32 k = 0; k < n; k++) {
					const struct record *x = &fork.bus.record[r];
					bool it = x->address == (list[k].line >> 4) << fork.m->line_shift &&
						  x->a == list[k].kind && now - x->b == list[k].born;

					late += it && now < list[k].earliest;
				}
		}
		sim_close(&fork);
	}
	assert_true(seen > 100);
	assert_int_equal(late, 0);
	session.sim.bus.want = want;
}

/* --- chains --- */

/* The links of a kind. */
static u32 links(const json_t *result, const char *kind)
{
	const json_t *chain = json_object_get(result, "chain");
	u32 n = 0;

	for (size_t i = 0; i < json_array_size(chain); i++)
		n += !strcmp(json_string_value(json_object_get(json_array_get(chain, i), "link")), kind);
	return n;
}

/* A number of the first link of a kind, -1: there is none. */
static i64 number(const json_t *result, const char *kind, const char *name)
{
	const json_t *chain = json_object_get(result, "chain");

	for (size_t i = 0; i < json_array_size(chain); i++) {
		const json_t *o = json_array_get(chain, i);

		if (!strcmp(json_string_value(json_object_get(o, "link")), kind) && json_object_get(o, name))
			return json_integer_value(json_object_get(o, name));
	}
	return -1;
}

/* What each status must name. */
static const char *const cause[WARP_STATUS_COUNT] = {
	[WARP_DONE] = "cta",	   [WARP_BARRIER] = "barrier",	[WARP_FENCE] = "fence",
	[WARP_LONG] = "register",  [WARP_SHORT] = "register",	[WARP_LSU] = "lsu",
	[WARP_UNIT] = "collector", [WARP_COLLECTOR] = "holder", [WARP_ELIGIBLE] = "candidate",
	[WARP_ISSUED] = "issued",  [WARP_PAUSED] = "policy"};

/* One warp in one cycle: the chain names its cause, and says the same cycle as a result then arrives in. */
static u32 explain(struct session *s, struct sim *sim, u32 warp, u64 at)
{
	u32 status = sim_warp_status(sim, 0, warp);
	json_t *result = json_object();
	struct text out = {0};
	u64 hash = sim_hash(sim);
	i64 due, pc;

	why_warp(s, sim, 0, warp, &out, result);
	assert_int_equal(sim_hash(sim), hash);
	if (status < WARP_STATUS_COUNT)
		assert_non_null(strstr(out.s, warp_status_table[status].name));
	if (status < WARP_STATUS_COUNT && cause[status] && !links(result, cause[status]))
		fail_msg("cycle %llu warp %u: no %s in\n%s", (unsigned long long)at, warp, cause[status], out.s);
	due = number(result, "wheel", "cycle");
	pc = number(result, "register", "pc");
	if (status == WARP_SHORT && due > 0 && links(result, "register") == 1) {
		struct forecast f;

		forecast_warp(sim, 0, warp, &f);
		assert_int_equal(forecast_arrival(&f, (u32)pc), due);
	}
	json_decref(result);
	text_free(&out);
	return status;
}

/* Walk over the program: every chain holds; these statuses at least are met. */
static u32 chains(u32 steps)
{
	u32 met = 0;

	for (u32 i = 0; i < steps; i++) {
		u64 at = some_cycle(i + 5000);
		u32 status;

		go(at);
		status = explain(&session, &session.sim, (u32)(mix64(i + 3) % session.sim.m->contexts), at);
		if (status < WARP_STATUS_COUNT)
			met |= 1u << status;
	}
	return met;
}

static void every_status(void **state)
{
	u32 met = chains(400), warps = session.sim.m->contexts;
	u64 end = timeline_tip(session.timeline).cycle;

	(void)state;
	for (u32 i = 0; i < warps; i++) {
		u32 status;

		go(end - 20 - i);
		status = explain(&session, &session.sim, i, end - 20 - i);
		met |= status < WARP_STATUS_COUNT ? 1u << status : 0;
	}
	for (u32 i = 0; i < WARP_STATUS_COUNT; i++) {
		u32 wanted = 1u << WARP_DONE | 1u << WARP_BARRIER | 1u << WARP_FETCH | 1u << WARP_LONG |
			     1u << WARP_SHORT | 1u << WARP_UNIT | 1u << WARP_COLLECTOR | 1u << WARP_ELIGIBLE |
			     1u << WARP_ISSUED;

		if ((wanted >> i & 1) && !(met >> i & 1))
			fail_msg("%s was not met", warp_status_table[i].name);
	}
}

/* Under every order policy the first in its own ranking is the one that issued. */
static void ranks_are_the_policys(void **state)
{
	static const char *const policy[] = {"gto", "lrr", "two-level", "oldest"};
	u32 chosen = 0;

	(void)state;
	for (u32 p = 0; p < ARRAY_LEN(policy); p++) {
		char line[64];

		snprintf(line, sizeof(line), "goto 0");
		must(line);
		snprintf(line, sizeof(line), "policy order=%s", policy[p]);
		must(line);
		must("goto 4000");
		for (u32 i = 0; i < 40; i++) {
			json_t *result = json_object();
			struct text out = {0};

			go(some_cycle(i));
			why_slot(&session, &session.sim, 0, i % 2, 0, &out, result);
			if (links(result, "candidate") && strstr(out.s, "<- issued")) {
				assert_non_null(strstr(out.s, "1. warp"));
				assert_true(strstr(out.s, "<- issued") < strstr(strstr(out.s, "1. warp"), "\n"));
				chosen++;
			}
			assert_int_equal(links(result, "rule"), 1);
			json_decref(result);
			text_free(&out);
		}
	}
	assert_true(chosen > 60);
}

/* What the machine issues in the cycle before which `before` stands, under another order: the warp, NONE32 none. */
static u32 issues_under(struct sim *before, const char *order, u32 sub)
{
	struct policy_choice p;
	const struct sched *sched;

	sim_get_policy(before, &p);
	policy_put(&p, POLICY_order, (u32)scheme_find(POLICY_order, order, NULL));
	sim_set_policy(before, &p);
	sim_stage(before); /* the issue stage */
	sched = (struct sched *)machine_sm_section(before->m, 0, SECTION_SCHED) + sub;
	if (sched->chosen == NONE16)
		return NONE32;
	return ((struct slot *)machine_sm_section(before->m, 0, SECTION_SLOT))[sched->chosen].context;
}

/* The warp that a chain gives to an order; `mine` if it says that the order chooses the same. */
static u32 said_of(json_t *result, const char *order, u32 mine)
{
	json_t *link;
	size_t k;

	json_array_foreach (json_object_get(result, "chain"), k, link) {
		const char *name = json_string_value(json_object_get(link, "order"));
		json_t *warp = json_object_get(link, "warp");

		if (name && !strcmp(name, order))
			return warp ? (u32)json_integer_value(warp) : NONE32;
	}
	return mine;
}

/* What `why slot` says of every other order is what the machine does under it in that cycle. */
static void other_orders_do_so(void **state)
{
	static const char *const order[] = {"gto", "lrr", "two-level", "oldest", "rba"};
	u32 differ = 0, same = 0;

	(void)state;
	must("goto 0");
	must("policy order=gto");
	must("goto 4000");
	for (u32 i = 0; i < 60; i++) {
		json_t *result = json_object();
		u64 cycle = some_cycle(i + 50);
		struct text out = {0};
		u32 mine = NONE32;

		go(cycle);
		why_slot(&session, &session.sim, 0, i % 2, 0, &out, result);
		for (u32 k = 0; k < ARRAY_LEN(order) && links(result, "orders"); k++) {
			struct sim before;
			u32 does;

			timeline_fork(session.timeline, (struct position){cycle - 1, STAGE_ISSUE}, &before, NULL);
			does = issues_under(&before, order[k], i % 2);
			mine = k ? mine : does;
			assert_int_equal(does, said_of(result, order[k], mine));
			*(does == mine ? &same : &differ) += 1;
			sim_close(&before);
		}
		json_decref(result);
		text_free(&out);
	}
	assert_true(differ > 30 && same > 30);
}

/* --- fences and deadlocks, on hand-made kernels --- */

/* A session around a bed's simulator. */
static void wrap(struct session *s, struct bed *b)
{
	*s = (struct session){.live = true, .sim = b->sim};
	s->timeline = timeline_open(&b->sim, 64 << 20, 0);
}

/*
 * Warp 0 waits at a barrier for warp 1, which runs off the end of its kernel: compare in 3 (both), branch in 8; warp 1
 * jumps on, warp 0 arrives. The knot is there from the cycle in which the later of the two stands still.
 */
static void deadlock(void **state)
{
	struct bed *b = bed_new();
	json_t *result = json_object();
	struct text out = {0};
	struct session s;
	u64 since, end;

	(void)state;
	bed_compare(b, 0, 0, SREG_WARPID, 1);
	bed_branch(b, 0, 0, 3, 4);
	bed_branch(b, 0, BED_NO_PRED, 4, 4);
	bed_barrier(b, 0);
	bed_launch(b, 0, 1, 64);
	bed_open(b);
	wrap(&s, b);
	assert_false(why_deadlock(&s, &b->sim, &out, NULL));
	assert_int_equal(timeline_run(s.timeline, NULL, NEVER), STOP_DEADLOCK);
	end = machine_gpu(b->sim.m)->cycle;
	assert_true(why_deadlock(&s, &b->sim, &out, result));
	assert_non_null(strstr(out.s, "2 warps wait, and no event can end a wait"));
	assert_non_null(strstr(out.s, "warp 0 (SM 0, CTA 0) waits at the barrier of its CTA for warp 1"));
	assert_non_null(
		strstr(out.s, "warp 1 (SM 0, CTA 0) waits for instruction 4, which is past the end of the kernel"));
	since = (u64)number(result, "since", "since");
	assert_in_range(since, 1, end);
	timeline_go(s.timeline, (struct position){since - 1, 0});
	assert_false(sim_warp_status(&b->sim, 0, 0) == WARP_BARRIER && sim_warp_status(&b->sim, 0, 1) == WARP_FETCH &&
		     ((struct slot *)machine_sm_section(b->sim.m, 0, SECTION_SLOT))[1].pc == 4);
	timeline_go(s.timeline, (struct position){since, 0});
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_BARRIER);
	assert_int_equal(sim_warp_status(&b->sim, 0, 1), WARP_FETCH);
	timeline_close(s.timeline);
	json_decref(result);
	text_free(&out);
	bed_close(b);
}

/*
 * A store of cycle 3 is acknowledged in 10; a fence of cycle 6 waits for it, what follows issues in 10: seen when 11
 * cycles are complete. After 9 of them the chain names one write, on its way back, and 11.
 */
static void a_fence_names_its_write(void **state)
{
	struct bed *b = bed_new();
	json_t *result = json_object();
	struct text out = {0};
	struct session s;

	(void)state;
	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_alu(b, 0, CLASS_INT, 2, 0);
	bed_inst(b, 0, OP_FENCE, CLASS_FENCE);
	bed_alu(b, 0, CLASS_INT, 3, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	wrap(&s, b);
	timeline_go(s.timeline, (struct position){9, 0});
	why_warp(&s, &b->sim, 0, 0, &out, result);
	assert_int_equal(number(result, "fence", "writes"), 1);
	assert_int_equal(number(result, "request", "age"), 3);
	assert_true(number(result, "request", "earliest") <= 11);
	assert_int_equal(number(result, "forecast", "cycle"), 11);
	assert_non_null(strstr(out.s, "if nothing changes, the warp issues in cycle 11 (in 2 cycles"));
	assert_non_null(strstr(out.s, "last issue: cycle 7, 2 cycles ago"));
	timeline_close(s.timeline);
	json_decref(result);
	text_free(&out);
	bed_close(b);
}

/* Stores of 32 lines through one collector unit and an LSU queue of one; then, two-level with groups of one warp:
 * whoever waits for the LSU or is paused has a chain too. */
static void a_busy_lsu(void **state)
{
	u32 met = 0;

	(void)state;
	for (u32 k = 0; k < 2; k++) {
		struct bed *b = bed_new();
		struct session s;

		b->config.sm_collectors = k ? 8 : 1;
		b->config.lsu_queue = 1;
		b->config.sched_group = 1;
		policy_put(&b->policy, POLICY_order, k ? SCHEME_two_level : SCHEME_gto);
		bed_address(b, 0, 4, BED_BASE, 4096);
		for (u32 i = 0; i < 3; i++)
			bed_through(bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE), 4);
		for (u32 i = 0; i < 6; i++)
			bed_alu(b, 0, CLASS_INT, 8 + i, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 128);
		bed_open(b);
		wrap(&s, b);
		while (!sim_finished(&b->sim)) {
			sim_cycle(&b->sim);
			for (u32 i = 0; i < 4; i++) {
				u32 status = explain(&s, &b->sim, i, bed_cycle(b));

				met |= status < WARP_STATUS_COUNT ? 1u << status : 0;
			}
		}
		timeline_close(s.timeline);
		bed_close(b);
	}
	assert_true(met >> WARP_LSU & 1);
	assert_true(met >> WARP_PAUSED & 1);
}

/* --- the command --- */

static void refused(void **state)
{
	static const struct {
		const char *line, *words;
		u32 column;
	} row[] = {{"why warp", "missing number of a warp", 9},
		   {"why warp 999", "warp 999 does not exist", 10},
		   {"why warp x", "not a warp number", 10},
		   {"why slot 9", "sub-core 9 does not exist", 10},
		   {"why slot 0.7", "scheduler 7 does not exist", 10},
		   {"why slot 0.0.0", "SUBCORE.SCHEDULER", 10},
		   {"why me", "unexpected 'me'", 5},
		   {"why at", "missing cycle", 7},
		   {"why at 99999999", "simulated: 0 to", 8},
		   {"why at -1", "simulated: 0 to", 8},
		   {"why at nope", "unknown name", 8},
		   {"why warp 1 slot", "missing SUBCORE.SCHEDULER", 16}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct error e = {0};

		assert_true(command_run_line(&session, row[i].line, NULL, 0, &e) != STATUS_OK);
		if (!strstr(e.message, row[i].words) || e.column != row[i].column)
			fail_msg("%s: %u: %s", row[i].line, e.column, e.message);
	}
}

/* Asking about another cycle leaves the machine, the tip and the position where they are; asking at cycle 0 too. */
static void asking_moves_nothing(void **state)
{
	u64 hash, tip;

	(void)state;
	must("goto 1000");
	hash = sim_hash(&session.sim);
	tip = timeline_tip(session.timeline).cycle;
	must("why warp 3 at 700");
	must("why slot 1.0 at $cycle + 100");
	must("why at 0");
	must("why slot 0 at 0");
	must("step -s issue");
	must("why");
	must("goto 1000");
	assert_int_equal(sim_hash(&session.sim), hash);
	assert_int_equal(timeline_tip(session.timeline).cycle, tip);
}

static int open_session(void **state)
{
	static const char *const setup[] = {"source scenarios/default.scn", "goto 1000000"};

	(void)state;
	return bed_session(setup, ARRAY_LEN(setup));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forks),
		cmocka_unit_test(forecasts_come_true),
		cmocka_unit_test(since_when),
		cmocka_unit_test(requests_conserved),
		cmocka_unit_test(every_status),
		cmocka_unit_test(forks_see_inputs),
		cmocka_unit_test(deadlock),
		cmocka_unit_test(a_fence_names_its_write),
		cmocka_unit_test(a_busy_lsu),
		cmocka_unit_test(refused),
		cmocka_unit_test(asking_moves_nothing),
		cmocka_unit_test(ranks_are_the_policys),
		cmocka_unit_test(other_orders_do_so),
	};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
