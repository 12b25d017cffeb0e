/*
 * experiments.c - machines of their own run side by side, each on a thread of the host (experiments.h).
 *
 * Those that are under way run in rounds of some milliseconds, so that between two rounds whoever asked can say how far
 * it is, Ctrl-C is heard, and the next ones begin. A machine is made and closed between rounds: nothing is shared by
 * those that run, not even chunks of a store.
 */
#include "alone.h"
#include "counters.h"
#include "worker_pool.h"
#include "interrupt.h"
#include "livelock.h"
#include "machine.h"
#include "experiments.h"

#define AT_ONCE 8   /* machines under way at the most */
#define ROUND_MS 30 /* of a round */
#define STRIDE 256  /* cycles between two looks at the clock */

const char *const experiment_state_name[EXPERIMENT_STATES] = {
	[EXPERIMENT_WAITS] = "not run",	  [EXPERIMENT_RUNS] = "running",  [EXPERIMENT_DONE] = "done",
	[EXPERIMENT_REFUSED] = "refused", [EXPERIMENT_BROKEN] = "failed", [EXPERIMENT_SLOW] = "slower",
};

/* One that is under way. */
struct bench {
	struct experiment *x;
	struct sim sim;
	struct launch launch;
	struct program program;
	u64 first, first_issued; /* window: the cycle in which it begins; NEVER: not yet */
	u64 first_event[COUNTED_EVENTS];
	u64 first_slots[SLOT_OUTCOME_COUNT];
};

/* All of them. */
struct lab {
	struct session *s;
	const struct experiment_of *of;
	struct store before;
	struct bench *bench[AT_ONCE]; /* where each is it stays: a machine has pointers to itself */
	u32 n;			      /* under way */
	struct worker_pool *pool;
};

void experiment_base(const struct session *s, struct experiment *x)
{
	struct config *c = &x->config;

	*x = (struct experiment){.config = s->sim.m->config};
	sim_get_policy(&s->sim, &x->policy);
	c->check_races = c->check_uninitialised = c->check_barriers = c->check_banks = c->check_coalescing = 0;
	c->stats_lines = 0;
	c->engine_threads = 1;
}

/* Warp instructions issued so far. */
static u64 issued(struct sim *sim)
{
	sim_sync(sim);
	return sim_sm_stat(sim, STAT_INST_WARP);
}

/* The most warp instructions that a machine can issue in a cycle. */
static u64 peak(const struct sim *sim)
{
	const struct config *c = &sim->m->config;
	u64 each = (u64)sim->m->schedulers + (u64)c->sm_subcores * c->steal_limit;

	return c->ideal_divergence ? NEVER : each * c->gpu_sms;
}

/* Events and issue slots so far. */
static void count(struct sim *sim, u64 *event, u64 *slots)
{
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		slots[i] = sim_outcome_sum(sim, i);
	event[COUNTED_L1D_MISS] = sim_sm_stat(sim, STAT_L1D_MISSES) + sim_sm_stat(sim, STAT_L1D_MERGES);
	event[COUNTED_L2_MISS] = sim_l2_stat(sim, STAT_L2_MISSES);
	event[COUNTED_ROWS] = sim_dram_stat(sim, STAT_DRAM_REQUESTS) - sim_dram_stat(sim, STAT_DRAM_ROW_HITS);
	event[COUNTED_BANKS] = sim_sm_stat(sim, STAT_RF_CONFLICT);
	event[COUNTED_SHARED] = sim_sm_stat(sim, STAT_SHARED_CYCLES);
	event[COUNTED_REFUSED] = sim_sm_stat(sim, STAT_L1D_REFUSED);
}

/* Has the stretch of instructions begun, or ended? The cycle to look again at: no later than either can be. */
static u64 watch_stretch(struct bench *b, const struct experiment_of *of, bool *ended)
{
	u64 n = issued(&b->sim), now = machine_gpu(b->sim.m)->cycle, goal;

	if (b->first == NEVER && n >= of->from) {
		b->first = now;
		b->first_issued = n;
		count(&b->sim, b->first_event, b->first_slots);
	}
	*ended = b->first != NEVER && n >= of->to;
	goal = b->first == NEVER ? of->from : of->to;
	return now + max_u64(1, *ended ? 1 : (goal - n) / peak(&b->sim));
}

/* Whole cycles up to a limit, as fast as may be; false: the program faulted. */
static bool advance(struct sim *sim, u64 limit)
{
	enum run_end end = limit > machine_gpu(sim->m)->cycle + 1 ? sim_run(sim, limit) : RUN_REFUSED;

	if (end == RUN_REFUSED && sim_skip(sim, limit) < limit)
		sim_cycle(sim);
	return end != RUN_PAST_FAULT && !sim_faulted(sim);
}

/* It has ended: what came of it. */
static void conclude(struct bench *b, const struct experiment_of *of, bool broken)
{
	struct experiment *x = b->x;
	struct sim *sim = &b->sim;

	sim_sync(sim);
	x->state = broken || sim_faulted(sim) || sim_deadlocked(sim) ? EXPERIMENT_BROKEN : EXPERIMENT_DONE;
	x->ended = machine_gpu(sim->m)->cycle;
	count(sim, x->event, x->slots);
	for (u32 i = 0; i < COUNTED_EVENTS; i++)
		x->event[i] -= b->first_event[i];
	for (u32 i = 0; i < SLOT_OUTCOME_COUNT; i++)
		x->slots[i] -= b->first_slots[i];
	if (of->launch != NONE32) {
		x->cycles = sim_launch_cycles(sim, 0);
		x->issued = ((const struct launch_run *)machine_gpu_section(sim->m, SECTION_LAUNCH))->issued;
	} else if (b->first == NEVER) {
		x->state = EXPERIMENT_BROKEN;
	} else {
		x->cycles = machine_gpu(sim->m)->cycle - b->first;
		x->issued = issued(sim) - b->first_issued;
		x->slack = 2 * peak(sim);
	}
}

/* One step of a machine; false: it has ended. */
static bool step(struct bench *b, const struct experiment_of *of)
{
	struct sim *sim = &b->sim;
	u64 now = machine_gpu(sim->m)->cycle, limit = min_u64(now + STRIDE, livelock_look(now));
	bool ended = false, endless = false;

	if (of->launch == NONE32)
		limit = min_u64(limit, watch_stretch(b, of, &ended)); /* so many instructions are issued in any case */
	else
		endless = sim_config(sim)->run_livelock && livelock_found(sim) != LIVELOCK_LIVE;
	if (ended || sim_finished(sim)) {
		conclude(b, of, false);
		return false;
	}
	if (b->x->most_cycles && now >= b->x->most_cycles) {
		b->x->state = EXPERIMENT_SLOW;
		return false;
	}
	if (!endless && advance(sim, limit))
		return true;
	conclude(b, of, true);
	return false;
}

/* A round of the i-th that is under way. */
static void run_round(void *arg, u32 i)
{
	struct lab *l = arg;
	u64 until = host_milliseconds() + ROUND_MS;

	while (!interrupt_wanted() && step(l->bench[i], l->of) && host_milliseconds() < until)
		;
}

/* Make the machine of an experiment, if there can be one. */
static void begin(struct lab *l, struct experiment *x)
{
	struct bench *b = xcalloc(1, sizeof(*b));

	b->x = x;
	b->first = NEVER;
	if (l->of->launch != NONE32)
		b->program = alone_program(l->s, l->of->launch, &b->launch);
	else
		b->program = l->s->program;
	if (sim_open(&b->sim, &x->config, &x->policy, &b->program, &x->why)) {
		x->state = EXPERIMENT_REFUSED;
		free(b);
		return;
	}
	if (l->of->launch != NONE32)
		alone_fill(l->s, &l->before, &b->sim);
	b->sim.bus.want = 0;
	x->state = EXPERIMENT_RUNS;
	l->bench[l->n++] = b;
}

/* Take those that have ended off their benches; in the end (all), those that have not wait again. */
static void clear(struct lab *l, bool all)
{
	for (u32 i = l->n; i-- > 0;) {
		struct bench *b = l->bench[i];

		if (b->x->state == EXPERIMENT_RUNS && !all)
			continue;
		if (b->x->state == EXPERIMENT_RUNS)
			b->x->state = EXPERIMENT_WAITS;
		sim_close(&b->sim);
		free(b);
		l->bench[i] = l->bench[--l->n];
	}
}

/* The next that waits, NONE32: none. */
static u32 next_waiting(const struct experiment *x, u32 n)
{
	u32 i = 0;

	while (i < n && x[i].state != EXPERIMENT_WAITS)
		i++;
	return i < n ? i : NONE32;
}

/* Does somebody want it to end? The screen is asked, too. */
static bool ends(void)
{
	return (timeline_interrupt && timeline_stops()) || interrupt_wanted();
}

/* Rounds until all have ended. */
static void run_all(struct lab *l, struct experiment *x, u32 n, u32 room,
		    void (*tell)(struct session *s, u32 done, u32 n))
{
	while (!ends()) {
		u32 done = 0, i;

		while (l->n < room && (i = next_waiting(x, n)) != NONE32)
			begin(l, &x[i]);
		if (!l->n)
			break;
		if (l->pool && l->n > 1)
			worker_pool_share(l->pool, run_round, l, l->n);
		else
			for (i = 0; i < l->n; i++)
				run_round(l, i);
		clear(l, false);
		for (i = 0; i < n; i++)
			done += x[i].state > EXPERIMENT_RUNS;
		if (tell)
			tell(l->s, done, n);
	}
	clear(l, true);
}

enum status experiments_run(struct session *s, const struct experiment_of *of, struct experiment *x, u32 n,
			    void (*tell)(struct session *s, u32 done, u32 n), struct error *e)
{
	u32 threads = s->sim.m->config.engine_threads ? s->sim.m->config.engine_threads : worker_pool_processors();
	u32 room = min_u32(min_u32(threads, AT_ONCE), n);
	struct lab *l = xcalloc(1, sizeof(*l));
	enum status st = STATUS_OK;

	l->s = s;
	l->of = of;
	if (of->launch != NONE32)
		st = alone_memory(s, of->launch, &l->before, e);
	if (!st) {
		l->pool = room > 1 ? worker_pool_new(room) : NULL;
		run_all(l, x, n, max_u32(room, 1), tell);
		worker_pool_free(l->pool);
		store_free(&l->before);
	}
	free(l);
	return st;
}
