/*
 * test_timeline.c - moving through time, over a toy simulator that this file brings along.
 *
 * The toy has the seams of the real one (stages, cycles, skips, inputs, records, ends) and a state in which every
 * cycle depends on all before it, so that a replay that misses or repeats anything ends elsewhere.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "journal.h"
#include "keyframe.h"
#include "pace.h"
#include "machine.h"
#include "timeline.h"

#define BASE STORE_GLOBAL_BASE
#define END 6000 /* the toy's program ends here */
#define CONTEXTS 8

static u64 cycles_run, broken_at = NEVER;
static u32 slowness; /* rounds that each stage takes in vain */

/* --- the toy --- */

/* Every second stretch of 40 cycles is idle. */
static bool toy_idle(u64 cycle)
{
	return cycle / 40 % 2;
}

/* One stage: the state and the memory move on, a record every seventh cycle. */
static void toy_stage(struct sim *s)
{
	struct gpu *g = machine_gpu(s->m);
	u64 memory, next = g->cycle + 1;

	for (volatile u32 i = 0; i < slowness; i++)
		;
	if (!g->stage)
		s->bus.count = 0;
	if (!toy_idle(g->cycle)) {
		store_read(&s->store, BASE + 8, &memory, 8);
		g->retired =
			mix64(g->retired + memory + g->stage + s->m->config.lat_int + s->m->policy.in[POLICY_order]);
		memory = g->retired;
		store_poke(&s->store, BASE + 8 + g->cycle % 3 * STORE_PAGE, &memory, 8);
		memcpy(store_write(&s->store, &s->store.context[g->cycle % CONTEXTS]), &memory, 8);
		if (g->stage == STAGE_SEAL && next % 7 == 0 && s->bus.want & 1)
			s->bus.record[s->bus.count++] = (struct record){.a = (u32)next};
	}
	if (++g->stage == STAGE_COUNT) {
		g->stage = 0;
		g->cycle++;
		cycles_run++;
	}
}

void sim_stage(struct sim *s)
{
	toy_stage(s);
}

void sim_cycle(struct sim *s)
{
	do
		toy_stage(s);
	while (machine_gpu(s->m)->stage);
}

u64 sim_skip(struct sim *s, u64 limit)
{
	struct gpu *g = machine_gpu(s->m);

	assert_int_equal(g->stage, 0);
	while (g->cycle < limit && g->cycle < END && toy_idle(g->cycle))
		g->cycle++;
	return g->cycle;
}

enum run_end sim_run(struct sim *s, u64 limit)
{
	(void)s;
	(void)limit;
	return RUN_REFUSED;
}

bool sim_finished(const struct sim *s)
{
	return machine_gpu(s->m)->cycle >= END;
}

bool sim_faulted(const struct sim *s)
{
	return machine_gpu(s->m)->cycle == broken_at;
}

bool sim_deadlocked(const struct sim *s)
{
	return machine_gpu(s->m)->deadlock;
}

enum status sim_set(struct sim *s, enum setting_id id, u32 value, struct error *e)
{
	if (setting_table[id].flags & FLAG_LAYOUT)
		return error_set(e, STATUS_FAILED, "needs restart");
	config_set(&s->m->config, id, value);
	return STATUS_OK;
}

void sim_set_policy(struct sim *s, const struct policy_choice *policy)
{
	s->m->policy = *policy;
}

void sim_poke(struct sim *s, u64 address, const void *bytes, u64 n)
{
	store_poke(&s->store, address, bytes, n);
}

static void toy_open(struct sim *s)
{
	u64 size = sizeof(struct machine) + sizeof(struct gpu);

	*s = (struct sim){.sleep = true};
	s->m = xcalloc(1, size);
	s->m->bytes = size;
	s->m->section[SECTION_GPU].offset = sizeof(struct machine);
	config_default(&s->m->config);
	store_init(&s->store, CONTEXTS, 1, 4 * STORE_PAGE);
	for (u32 i = 0; i < CONTEXTS; i++)
		store_reset(&s->store, &s->store.context[i], 256);
	s->bus.record = xcalloc(1, sizeof(struct record));
	s->bus.capacity = 1;
}

static void toy_close(struct sim *s)
{
	free(s->m);
	free(s->bus.record);
	store_free(&s->store);
}

void sim_fork(struct sim *dst, const struct sim *src)
{
	struct machine *m = xmalloc(src->m->bytes);

	memcpy(m, src->m, src->m->bytes);
	sim_fork_with(dst, src, m);
}

void sim_fork_with(struct sim *dst, const struct sim *src, struct machine *m)
{
	*dst = *src;
	dst->m = m;
	dst->bus.record = xcalloc(1, sizeof(struct record));
	store_fork(&dst->store, &src->store);
}

void sim_close(struct sim *s)
{
	toy_close(s);
}

/* All of the state in one number. */
static u64 toy_hash(const struct sim *s)
{
	const struct gpu *g = machine_gpu(s->m);

	return mix64(g->retired + mix64(g->cycle * STAGE_COUNT + g->stage)) + store_hash(&s->store) +
	       s->m->config.lat_int + s->m->policy.in[POLICY_order];
}

/* --- fixtures --- */

static struct sim sim;
static struct timeline *line;

static int setup(void **state UNUSED)
{
	toy_open(&sim);
	timeline_interrupt = 0;
	broken_at = NEVER;
	slowness = 0;
	line = timeline_open(&sim, 1 << 20, 0);
	cycles_run = 0;
	return 0;
}

static int teardown(void **state UNUSED)
{
	timeline_close(line);
	toy_close(&sim);
	return 0;
}

static struct position at(u64 cycle, u32 stage)
{
	return (struct position){cycle, stage};
}

static void assert_at(u64 cycle, u32 stage)
{
	assert_int_equal(timeline_now(line).cycle, cycle);
	assert_int_equal(timeline_now(line).stage, stage);
}

/* The state that a plain run without a timeline has at a position; inputs of `edit`, if any, are made at cycle 500. */
static u64 plain_hash(u64 cycle, u32 stage, u32 edit)
{
	struct sim s;
	u64 hash;

	toy_open(&s);
	while (machine_gpu(s.m)->cycle < cycle) {
		if (edit && machine_gpu(s.m)->cycle == 500)
			s.m->config.lat_int = edit;
		sim_cycle(&s);
	}
	while (machine_gpu(s.m)->stage < stage)
		sim_stage(&s);
	hash = toy_hash(&s);
	toy_close(&s);
	return hash;
}

/* A watcher that fires on records, or at one cycle, and notes where it was asked last. */
struct probe {
	u64 cycle, last_asked;
	u32 asked, records;
};

static bool probe_after(void *self, const struct sim *s)
{
	struct probe *p = self;
	u64 now = machine_gpu(s->m)->cycle;

	p->asked++;
	p->last_asked = now;
	p->records += s->bus.count;
	return p->cycle ? now == p->cycle : s->bus.count > 0;
}

/* --- tests --- */

/* Walks to random positions, whole cycles and stages, end where a plain run is. */
static void test_walk(void **state UNUSED)
{
	for (u32 i = 0; i < 120; i++) {
		struct position p = at(mix64(i) % 3000, mix64(i + 1000) % STAGE_COUNT);

		assert_int_equal(timeline_go(line, p), STOP_TARGET);
		assert_at(p.cycle, p.stage);
		assert_true(toy_hash(&sim) == plain_hash(p.cycle, p.stage, 0));
	}
	assert_int_equal(timeline_go(line, at(0, 0)), STOP_TARGET);
	assert_true(toy_hash(&sim) == plain_hash(0, 0, 0));
}

/* A stage beyond the last is the next cycle's; going to the end stops there. */
static void test_bounds(void **state UNUSED)
{
	assert_int_equal(timeline_go(line, at(10, STAGE_COUNT)), STOP_TARGET);
	assert_at(11, 0);
	assert_int_equal(timeline_go(line, at(NEVER, 0)), STOP_FINISHED);
	assert_at(END, 0);
	assert_int_equal(timeline_tip(line).cycle, END);
	assert_int_equal(timeline_go(line, at(END + 5, 0)), STOP_FINISHED);
	assert_int_equal(timeline_go(line, at(END - 1, 3)), STOP_TARGET);
	assert_int_equal(timeline_tip(line).cycle, END);
}

/* The bus holds the records of the cycle where a move ended, forwards and backwards. */
static void test_records(void **state UNUSED)
{
	sim.bus.want = 1;
	for (u32 i = 0; i < 60; i++) {
		u64 cycle = mix64(i) % 1000;
		bool told = cycle && cycle % 7 == 0 && !toy_idle(cycle - 1);

		timeline_go(line, at(cycle, 0));
		assert_int_equal(sim.bus.count, told);
		assert_true(!told || sim.bus.record[0].a == cycle);
	}
	assert_int_equal(sim.bus.want, 1);
}

/* A run stops at records, at limits and at ends; what the bus records is as before. */
static void test_run(void **state UNUSED)
{
	struct probe p = {0};
	struct watcher w = {probe_after, &p, 1, false, NEVER, NULL};

	assert_int_equal(timeline_run(line, &w, 1000), STOP_HIT);
	assert_at(7, 0);
	assert_int_equal(sim.bus.count, 1);
	assert_int_equal(timeline_run(line, &w, 13), STOP_LIMIT);
	assert_at(13, 0);
	assert_int_equal(timeline_run(line, &w, 13), STOP_LIMIT);
	assert_int_equal(sim.bus.want, 0);
	p.cycle = NEVER;
	broken_at = 2000;
	assert_int_equal(timeline_run(line, &w, NEVER), STOP_FAULT);
	assert_at(2000, 0);
	broken_at = NEVER;
	machine_gpu(sim.m)->deadlock = 1;
	assert_int_equal(timeline_run(line, &w, NEVER), STOP_DEADLOCK);
	machine_gpu(sim.m)->deadlock = 0;
	assert_int_equal(timeline_run(line, &w, END), STOP_FINISHED);
	assert_int_equal(timeline_run(line, NULL, NEVER), STOP_FINISHED);
}

/* Idle cycles are skipped unless the watcher asks for each; it is asked at its next cycle even if that is idle. */
static void test_skip(void **state UNUSED)
{
	struct probe p = {.cycle = 57};
	struct watcher w = {probe_after, &p, 0, false, 57, NULL};

	assert_true(toy_idle(57));
	assert_int_equal(timeline_run(line, &w, NEVER), STOP_HIT);
	assert_at(57, 0);
	assert_int_equal(p.asked, 41);
	assert_int_equal(cycles_run, 40);
	p.asked = 0;
	p.cycle = 999;
	w.every_cycle = true;
	assert_int_equal(timeline_run(line, &w, 257), STOP_LIMIT);
	assert_int_equal(p.asked, 200);
	assert_true(toy_hash(&sim) == plain_hash(257, 0, 0));
}

/* Backwards stops where forwards did, in the opposite order, with the watcher's last look at the stop. */
static void test_reverse(void **state UNUSED)
{
	struct probe p = {0};
	struct watcher w = {probe_after, &p, 1, false, NEVER, NULL};
	u64 stop[600], n = 0;

	timeline_budget(line, 64 << 10, 100);
	timeline_enable(line);
	while (timeline_run(line, &w, 4000) == STOP_HIT)
		stop[n++] = timeline_now(line).cycle;
	assert_true(n > 200);
	while (n) {
		assert_int_equal(timeline_reverse(line, &w), STOP_HIT);
		assert_at(stop[--n], 0);
		assert_int_equal(p.last_asked, stop[n]);
		assert_int_equal(sim.bus.count, 1);
	}
	assert_int_equal(timeline_reverse(line, &w), STOP_START);
	assert_at(0, 0);
	assert_int_equal(timeline_reverse(line, &w), STOP_START);
	assert_int_equal(timeline_tip(line).cycle, 4000);
	assert_int_equal(sim.bus.want, 0);
}

/* Backwards from the middle of a cycle finds the stop of that very cycle. */
static void test_reverse_stage(void **state UNUSED)
{
	struct probe p = {0};
	struct watcher w = {probe_after, &p, 1, false, NEVER, NULL};

	timeline_go(line, at(7, 4));
	assert_int_equal(timeline_reverse(line, &w), STOP_HIT);
	assert_at(7, 0);
	assert_int_equal(timeline_reverse(line, &w), STOP_START);
}

static void set_latency(u32 value, bool cut)
{
	struct input in = {.kind = INPUT_SETTING, .setting = SET_lat_int, .value = value};
	bool was;

	assert_int_equal(timeline_input(line, &in, &was, NULL), STATUS_OK);
	assert_int_equal(was, cut);
}

/* A watcher that fires when the cycle before was of the other kind, idle or not: it has a memory. */
struct memory {
	bool idle;
};

static void memory_placed(void *self, const struct sim *s)
{
	((struct memory *)self)->idle = toy_idle(machine_gpu(s->m)->cycle);
}

static bool memory_after(void *self, const struct sim *s)
{
	struct memory *m = self;
	bool was = m->idle;

	m->idle = toy_idle(machine_gpu(s->m)->cycle);
	return m->idle != was;
}

/* A watcher that remembers the cycle before is told whenever that is not the one it was asked about last. */
static void test_placed(void **state UNUSED)
{
	struct memory m = {0};
	struct watcher w = {memory_after, &m, 0, true, NEVER, memory_placed};

	timeline_budget(line, 64 << 10, 30);
	timeline_enable(line);
	timeline_go(line, at(1000, 0));
	for (u64 stop = 960; stop; stop -= 40) {
		assert_int_equal(timeline_reverse(line, &w), STOP_HIT);
		assert_at(stop, 0);
	}
	assert_int_equal(timeline_reverse(line, &w), STOP_START);
	timeline_go(line, at(110, 0));
	assert_int_equal(timeline_run(line, &w, NEVER), STOP_HIT);
	assert_at(120, 0);
}

/* Inputs come back on every walk over them, in the middle of a cycle too. */
static void test_inputs(void **state UNUSED)
{
	u8 bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	struct input poke = {.kind = INPUT_POKE, .address = BASE + 8, .bytes = 8, .data = bytes};
	struct input policy = {.kind = INPUT_POLICY, .policy.in[POLICY_order] = 3};
	u64 early, late;

	timeline_budget(line, 1 << 20, 50);
	timeline_go(line, at(500, 0));
	set_latency(77, false);
	timeline_go(line, at(505, 0));
	early = toy_hash(&sim);
	assert_true(early == plain_hash(505, 0, 77));
	timeline_go(line, at(600, 5));
	assert_int_equal(timeline_input(line, &poke, NULL, NULL), STATUS_OK);
	memset(bytes, 0, sizeof(bytes));
	timeline_go(line, at(700, 0));
	assert_int_equal(timeline_input(line, &policy, NULL, NULL), STATUS_OK);
	timeline_go(line, at(900, 2));
	late = toy_hash(&sim);
	assert_int_equal(timeline_inputs(line), 3);
	for (u32 i = 0; i < 40; i++) {
		timeline_go(line, at(mix64(i) % 900, i % STAGE_COUNT));
		timeline_go(line, at(900, 2));
		assert_true(toy_hash(&sim) == late);
		timeline_go(line, at(505, 0));
		assert_true(toy_hash(&sim) == early);
	}
	timeline_go(line, at(499, 0));
	assert_int_equal(sim.m->config.lat_int, plain_hash(0, 0, 0) ? setting_table[SET_lat_int].def : 0);
	timeline_go(line, at(500, 0));
	assert_int_equal(sim.m->config.lat_int, 77);
}

/* An input in the past cuts what came after it; forgetting it makes the machine as if it had never been. */
static void test_cut(void **state UNUSED)
{
	timeline_budget(line, 1 << 20, 50);
	timeline_go(line, at(1000, 0));
	set_latency(9, false);
	timeline_go(line, at(2000, 0));
	timeline_go(line, at(500, 0));
	set_latency(88, true);
	assert_int_equal(timeline_tip(line).cycle, 500);
	assert_int_equal(timeline_inputs(line), 1);
	timeline_go(line, at(1500, 0));
	assert_true(toy_hash(&sim) == plain_hash(1500, 0, 88));
	timeline_forget(line, 0, at(500, 0));
	assert_at(500, 0);
	assert_int_equal(timeline_inputs(line), 0);
	assert_true(toy_hash(&sim) == plain_hash(500, 0, 0));
	timeline_go(line, at(1500, 0));
	assert_true(toy_hash(&sim) == plain_hash(1500, 0, 0));
	set_latency(5, false);
	timeline_go(line, at(100, 0));
	timeline_forget(line, 0, at(1200, 3));
	assert_at(1200, 3);
	assert_true(toy_hash(&sim) == plain_hash(1200, 3, 0));
	assert_int_equal(timeline_tip(line).cycle, 1500);
}

/* What was kept of the cycles behind an input in the past is gone: a walk back into them does not begin from it. */
static void test_stale(void **state UNUSED)
{
	timeline_budget(line, 1 << 20, 50);
	timeline_enable(line);
	timeline_go(line, at(2000, 0));
	timeline_go(line, at(500, 0));
	set_latency(88, true);
	timeline_budget(line, 1 << 20, 100000); /* none is laid over them */
	timeline_go(line, at(1500, 0));
	timeline_go(line, at(1400, 0));
	assert_true(toy_hash(&sim) == plain_hash(1400, 0, 88));
}

/* One position may have a keyframe before an input and one behind it; a cut takes those that are later in time or have
 * seen more. */
static void test_keyframes_of_inputs(void **state UNUSED)
{
	struct keyframes k = {.budget = 1 << 30};
	u64 cycle[] = {0, 100, 100, 200};
	u32 inputs[] = {0, 0, 1, 1};

	for (u32 i = 0; i < 4; i++) {
		machine_gpu(sim.m)->cycle = cycle[i];
		keyframes_lay(&k, &sim, &(struct moment){.inputs = inputs[i]});
		keyframes_lay(&k, &sim, &(struct moment){.inputs = inputs[i]}); /* is there already */
		assert_int_equal(k.count, i + 1);
	}
	keyframes_cut(&k, &sim, at(200, 0), 1);
	assert_int_equal(k.count, 4);
	keyframes_cut(&k, &sim, at(199, 0), 1);
	assert_int_equal(k.count, 3);
	keyframes_cut(&k, &sim, at(150, 0), 0);
	assert_int_equal(k.count, 2);
	assert_int_equal(k.item[1].at.cycle, 100);
	assert_int_equal(k.item[1].inputs, 0);
	keyframes_free(&k);
}

/* Keyframes of 10 seconds each, laid at cycles 0, 10, 20, ...: behind the two newest, gaps of at most 30 seconds. One
 * that is laid in a gap parts its seconds. */
static void test_loose(void **state UNUSED)
{
	static const u64 cycle[] = {0, 30, 60, 80, 90};
	struct keyframes k = {.budget = 1 << 30};

	for (u32 i = 0; i < 10; i++) {
		timeline_go(line, at(10 * i, 0));
		keyframes_lay(&k, &sim, &(struct moment){.apart = 10});
		keyframes_loosen(&k, &sim, 30);
	}
	assert_int_equal(k.count, ARRAY_LEN(cycle));
	for (u32 i = 0; i < k.count; i++)
		assert_int_equal(k.item[i].at.cycle, cycle[i]);
	assert_true(k.item[0].apart == 0 && k.item[1].apart == 30 && k.item[2].apart == 30 && k.item[3].apart == 20);
	timeline_go(line, at(45, 0));
	keyframes_lay(&k, &sim, &(struct moment){.apart = 12});
	assert_int_equal(k.item[2].at.cycle, 45);
	assert_true(k.item[2].apart == 12 && k.item[3].apart == 18);
	timeline_go(line, at(50, 0));
	keyframes_lay(&k, &sim, &(struct moment){.apart = 20});
	assert_true(k.item[3].apart == 20 && k.item[4].apart == 0);
	keyframes_free(&k);
}

/* The clock is looked at when the next keyframe is due by it, in 32 cycles while nobody knows what a cycle takes, and
 * never where cycles are counted or no keyframes are laid. */
static void test_room(void **state UNUSED)
{
	struct keyframes k = {.cost_seconds = 0.5e-3};
	struct pace p = {.enabled = true};

	assert_int_equal(pace_room(&p, &k), 32);
	p.cycle_seconds = 1e-6;
	assert_in_range(pace_room(&p, &k), 7999, 8001); /* 16 times what a keyframe costs */
	p.spent = 5e-3;
	assert_in_range(pace_room(&p, &k), 2999, 3001);
	p.spent = 0;
	k.cost_seconds = 1e-6; /* 4 ms at least */
	assert_in_range(pace_room(&p, &k), 3999, 4001);
	p.spent = 1;
	assert_int_equal(pace_room(&p, &k), 32);
	p.interval = 100;
	assert_true(pace_room(&p, &k) == NEVER);
	p = (struct pace){.cycle_seconds = 1e-6};
	assert_true(pace_room(&p, &k) == NEVER);
}

static u32 busy_in; /* so many times the answer is no */

static bool is_busy(void)
{
	return !busy_in-- ? ++busy_in, true : false;
}

/* A run without a target: where it stops, keyframes are laid behind it while nobody waits. Nothing moves, and the next
 * step back replays a small part of what it would have. */
static void test_prepare(void **state UNUSED)
{
	struct probe probe = {.cycle = 3390};
	struct watcher w = {probe_after, &probe, 0, false, 3390, NULL};
	struct timeline_info before, after;
	u64 far;

	slowness = 1000;
	timeline_go(line, at(500, 0));
	set_latency(88, false);
	assert_int_equal(timeline_run(line, &w, NEVER), STOP_HIT);
	timeline_enable(line);
	timeline_info(line, &before);
	far = 3390 - before.newest;
	assert_true(far > 2000);
	busy_in = 0;
	timeline_prepare(line, is_busy);
	timeline_info(line, &after);
	assert_int_equal(after.keyframes, before.keyframes);
	busy_in = 10000;
	timeline_prepare(line, is_busy);
	assert_at(3390, 0);
	assert_int_equal(timeline_inputs(line), 1);
	assert_int_equal(timeline_ahead(line), 0);
	assert_true(toy_hash(&sim) == plain_hash(3390, 0, 88));
	timeline_info(line, &after);
	assert_true(after.keyframes > before.keyframes && after.newest > before.newest);
	cycles_run = 0;
	timeline_go(line, at(3389, 0));
	assert_true(cycles_run <= far / 2);
	assert_true(toy_hash(&sim) == plain_hash(3389, 0, 88));
}

/* Inputs that are forgotten have not been applied either. */
static void test_truncate(void **state UNUSED)
{
	struct journal j = {0};
	struct input in = {.kind = INPUT_SETTING, .setting = SET_lat_int, .value = 5};

	for (u32 i = 0; i < 3; i++)
		journal_add(&j, &in);
	assert_int_equal(j.applied, 3);
	j.applied = 1;
	journal_truncate(&j, 2);
	assert_int_equal(j.count, 2);
	assert_int_equal(j.applied, 1);
	j.applied = 2;
	journal_truncate(&j, 1);
	assert_int_equal(j.count, 1);
	assert_int_equal(j.applied, 1);
	journal_free(&j);
}

/* What the machine cannot take is refused and not journaled; settings of the host are taken and not journaled. */
static void test_refused(void **state UNUSED)
{
	struct input layout = {.kind = INPUT_SETTING, .setting = SET_gpu_sms, .value = 3};
	struct input host = {.kind = INPUT_SETTING, .setting = SET_engine_sleep, .value = 0};
	struct input poke = {
		.kind = INPUT_POKE, .address = BASE + 4 * STORE_PAGE - 4, .bytes = 8, .data = (u8 *)"1234567"};
	struct error e = {0};

	timeline_go(line, at(100, 0));
	timeline_go(line, at(50, 0));
	assert_int_equal(timeline_input(line, &layout, NULL, &e), STATUS_FAILED);
	assert_int_equal(timeline_input(line, &poke, NULL, &e), STATUS_FAILED);
	assert_non_null(strstr(e.message, "8 bytes at 0x700000003ffc"));
	poke.address = 16;
	assert_int_equal(timeline_input(line, &poke, NULL, &e), STATUS_FAILED);
	assert_int_equal(timeline_input(line, &host, NULL, &e), STATUS_OK);
	assert_int_equal(timeline_inputs(line), 0);
	assert_int_equal(timeline_tip(line).cycle, 100);
	timeline_go(line, at(10, 0));
	assert_int_equal(sim.m->config.engine_sleep, 0);
}

/* Keyframes stay inside their budget, densest near the present, and make steps back cheap. */
static void test_keyframes(void **state UNUSED)
{
	u64 budget = 200 << 10;
	struct timeline_info info;

	timeline_info(line, &info);
	assert_int_equal(info.keyframes, 1);
	timeline_go(line, at(200, 0));
	timeline_info(line, &info);
	assert_int_equal(info.keyframes, 1);
	timeline_budget(line, budget, 20);
	timeline_enable(line);
	timeline_go(line, at(5000, 0));
	timeline_info(line, &info);
	assert_true(info.keyframes > 4 && info.bytes <= budget);
	assert_int_equal(info.oldest, 0);
	assert_in_range(info.newest, 4980, 5000);
	assert_in_range(info.snapshot_bytes, 1, STORE_PAGE); /* of two pages the one with the cycle */
	cycles_run = 0;
	for (u64 c = 4999; c > 4900; c--)
		timeline_go(line, at(c, 0));
	assert_true(cycles_run < 99 * 20);
	timeline_info(line, &info);
	assert_true(info.bytes <= budget);
	timeline_budget(line, 1, 0);
	timeline_info(line, &info);
	assert_int_equal(info.keyframes, 2);
	timeline_go(line, at(77, 0));
	assert_true(toy_hash(&sim) == plain_hash(77, 0, 0));
}

/* A replay of a long stretch lays keyframes near its target: the steps after it are cheap. */
static void test_fresh(void **state UNUSED)
{
	timeline_go(line, at(5001, 0));
	timeline_go(line, at(5000, 0));
	cycles_run = 0;
	for (u64 c = 4999; c >= 4980; c--)
		timeline_go(line, at(c, 0));
	assert_true(cycles_run < 20 * 200);
}

static bool interrupt_after(void *self UNUSED, const struct sim *s)
{
	timeline_interrupt = machine_gpu(s->m)->cycle >= 10;
	return false;
}

/* An interrupt stops a run after its cycle and keeps anything from moving until it is taken back. */
static void test_interrupt(void **state UNUSED)
{
	struct watcher w = {interrupt_after, NULL, 0, true, NEVER, NULL};

	assert_int_equal(timeline_run(line, &w, 1000), STOP_INTERRUPT);
	assert_at(10, 0);
	assert_int_equal(timeline_go(line, at(3, 0)), STOP_INTERRUPT);
	assert_int_equal(timeline_reverse(line, &w), STOP_INTERRUPT);
	assert_at(10, 0);
	timeline_interrupt = 0;
	assert_int_equal(timeline_go(line, at(3, 0)), STOP_TARGET);
}

#define ROW(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW(test_walk),	    ROW(test_bounds),	 ROW(test_records),	  ROW(test_run),
		ROW(test_skip),	    ROW(test_reverse),	 ROW(test_reverse_stage), ROW(test_placed),
		ROW(test_inputs),   ROW(test_cut),	 ROW(test_refused),	  ROW(test_keyframes),
		ROW(test_fresh),    ROW(test_prepare),	 ROW(test_stale),	  ROW(test_keyframes_of_inputs),
		ROW(test_truncate), ROW(test_interrupt), ROW(test_loose),	  ROW(test_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
