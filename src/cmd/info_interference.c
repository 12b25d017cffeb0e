/*
 * info_interference.c - info interference: of the last cycles, how many warps of a kernel waited for what which kernel
 * held.
 *
 * Counted in a fork, cycle by cycle, in all SMs: warps that could have issued but for the scheduler, a collector unit,
 * an execution unit or the LSU. Each such warp-cycle goes to one kernel: that of the warp which its scheduler chose; of
 * the instruction that is longest in a collector unit of its sub-core; of the one at the head of the LSU's queue. What
 * a kernel's own warps held is counted as its own, so that the sum is that of the statuses, which is shown. Deviation:
 * waits in the memory system (long) are not divided.
 */
#include "info.h"
#include "command.h"

#include <stdlib.h>

#define DEFAULT_CYCLES 1000
#define MOST_CYCLES 1000000

/* The statuses that are divided. */
enum wait_kind { WAIT_SLOT, WAIT_COLLECTOR, WAIT_UNIT, WAIT_LSU, WAIT_KINDS };
static const u8 status_of[WAIT_KINDS] = {WARP_ELIGIBLE, WARP_COLLECTOR, WARP_UNIT, WARP_LSU};

struct counts {
	u32 n;	    /* launches */
	u64 *waits; /* [who x n + for whom][kind] */
};

static u64 *info_interference_waits_of(const struct counts *c, u32 who, u32 whom)
{
	return &c->waits[(size_t)(who * c->n + whom) * WAIT_KINDS];
}

/* The launch of a context, or `none` if nothing is resident there. */
static u32 info_interference_launch_of(const struct sim *s, u32 sm, u32 context, u32 none)
{
	const struct warp *w = machine_sm_section(s->m, sm, SECTION_WARP);

	return context < s->m->contexts && w[context].cta != NONE16 ? w[context].launch : none;
}

/* The launch whose warp a scheduler of the sub-core issued, of those that could choose this slot. */
static u32 info_interference_chosen_launch(const struct sim *s, u32 sm, u32 sub, u32 slot, u32 none)
{
	const struct config *c = &s->m->config;
	const struct sched *sched =
		(struct sched *)machine_sm_section(s->m, sm, SECTION_SCHED) + (size_t)sub * c->sm_schedulers;
	const struct slot *slots = machine_sm_section(s->m, sm, SECTION_SLOT);

	for (u32 i = 0; i < c->sm_schedulers; i++)
		if (sched[i].chosen != NONE16 &&
		    (c->sched_pool == 1 || slot % s->m->slots_per_sub % c->sm_schedulers == i))
			return info_interference_launch_of(s, sm, slots[sched[i].chosen].context, none);
	return none;
}

/* The launch of the instruction that is longest in a collector unit of the sub-core. */
static u32 info_interference_holder_launch(const struct sim *s, u32 sm, u32 sub, u32 none)
{
	u32 n = s->m->config.sm_collectors, best = NONE32;
	const struct collector *cu =
		(struct collector *)machine_sm_section(s->m, sm, SECTION_COLLECTOR) + (size_t)sub * n;

	for (u32 i = 0; i < n; i++)
		if (cu[i].context != NONE16 && (best == NONE32 || (i32)(cu[i].age - cu[best].age) < 0))
			best = i;
	return best == NONE32 ? none : info_interference_launch_of(s, sm, cu[best].context, none);
}

/* The launch of the instruction at the head of the LSU's queue; of the oldest collector unit if there is none. */
static u32 info_interference_lsu_launch(const struct sim *s, u32 sm, u32 sub, u32 none)
{
	const struct sm *state = machine_sm_section(s->m, sm, SECTION_SM);
	const struct ring_slot *queue = machine_sm_section(s->m, sm, SECTION_LSUQ);
	const struct memop *op = machine_sm_section(s->m, sm, SECTION_MEMOP);
	const struct memop *head = &op[queue[state->lsu_head].memop];
	const struct warp *w = machine_sm_section(s->m, sm, SECTION_WARP);

	if (!state->lsu_count)
		return info_interference_holder_launch(s, sm, sub, none);
	return w[head->context].generation == head->generation ? info_interference_launch_of(s, sm, head->context, none)
							       : none;
}

/* The warps of one SM in the cycle that is over. */
static void info_interference_count_sm(struct counts *c, const struct sim *s, u32 sm)
{
	const struct warp *w = machine_sm_section(s->m, sm, SECTION_WARP);

	for (u32 i = 0; i < s->m->contexts; i++) {
		u32 status = sim_warp_status(s, sm, i), sub = i % s->m->config.sm_subcores, own = w[i].launch, kind = 0,
		    whom;

		while (kind < WAIT_KINDS && status_of[kind] != status)
			kind++;
		if (kind == WAIT_KINDS)
			continue;
		whom = kind == WAIT_SLOT  ? info_interference_chosen_launch(s, sm, sub, w[i].slot, own)
		       : kind == WAIT_LSU ? info_interference_lsu_launch(s, sm, sub, own)
					  : info_interference_holder_launch(s, sm, sub, own);
		info_interference_waits_of(c, own, whom)[kind]++;
	}
}

/* Go through the cycles from..to in a fork. What the engine counted of the same statuses meanwhile; *done: the last
 * cycle. */
static u64 info_interference_count(struct counts *c, struct session *s, u64 from, u64 to, u64 *done)
{
	struct sim fork;
	u64 engine = 0;
	u32 applied;

	timeline_enable(s->timeline);
	timeline_fork(s->timeline, (struct position){from, 0}, &fork, &applied);
	sim_sync(&fork);
	for (u32 k = 0; k < WAIT_KINDS; k++)
		engine -= sim_status_sum(&fork, status_of[k]);
	for (*done = from; *done < to && !timeline_interrupt; ++*done) {
		timeline_follow(s->timeline, &fork, &applied, (struct position){*done + 1, 0});
		for (u32 sm = 0; sm < fork.m->config.gpu_sms; sm++)
			info_interference_count_sm(c, &fork, sm);
	}
	sim_sync(&fork);
	for (u32 k = 0; k < WAIT_KINDS; k++)
		engine += sim_status_sum(&fork, status_of[k]);
	sim_close(&fork);
	return engine;
}

/* The pairs that met; returns the sum of all. */
static u64 info_interference_print_pairs(const struct counts *c, struct session *s)
{
	struct columns t;
	u64 sum = 0;

	columns_open(&t, s, "k name for whom slot collector unit lsu warp_cycles");
	for (u32 i = 0; i < c->n * c->n; i++) {
		const u64 *waits = info_interference_waits_of(c, i / c->n, i % c->n);
		u64 all = waits[WAIT_SLOT] + waits[WAIT_COLLECTOR] + waits[WAIT_UNIT] + waits[WAIT_LSU];

		sum += all;
		if (!all)
			continue;
		columns_int(&t, i / c->n);
		columns_text(&t, safe_text(s->program.launch[i / c->n].name));
		columns_int(&t, i % c->n);
		columns_text(&t, i / c->n == i % c->n ? "itself" : safe_text(s->program.launch[i % c->n].name));
		for (u32 k = 0; k < WAIT_KINDS; k++)
			columns_int(&t, (i64)waits[k]);
		columns_int(&t, (i64)all);
	}
	columns_close(&t, "interference", "no warp waited for a scheduler, a collector unit, a unit or the LSU");
	return sum;
}

/* info interference [TIME] */
static enum status info_interference_run(struct session *s, const struct token *token, u32 ntokens, struct error *e)
{
	u64 now = timeline_now(s->timeline).cycle, cycles = DEFAULT_CYCLES, done, engine, sum;
	struct counts c = {.n = s->program.nlaunch};

	if (ntokens) {
		if (session_time(s, token[0].s, &cycles, e) || !cycles || cycles > MOST_CYCLES || ntokens > 1)
			return error_at(e, STATUS_USAGE, NULL, 0, token[ntokens - 1].column,
					"`info interference` takes a number of cycles from 1 to %u, not `%s`",
					MOST_CYCLES, token_shown(token[ntokens - 1].s));
	}
	cycles = min_u64(cycles, now);
	c.waits = xcalloc((size_t)c.n * c.n * WAIT_KINDS + 1, sizeof(*c.waits));
	engine = info_interference_count(&c, s, now - cycles, now, &done);
	sum = info_interference_print_pairs(&c, s);
	free(c.waits);
	session_print(s, "cycles %llu to %llu: %s warp-cycles, %s\n", (unsigned long long)(now - cycles),
		      (unsigned long long)done, thousands((i64)sum),
		      sum == engine ? "as the engine counts them" : "but the engine counts others");
	if (session_result(s)) {
		json_object_set_new(session_result(s), "sum", json_integer((json_int_t)sum));
		json_object_set_new(session_result(s), "engine", json_integer((json_int_t)engine));
	}
	return STATUS_OK;
}

const struct info info_interference = {
	.name = "interference",
	.usage = "[TIME]",
	.doc = "whose warps waited for what whose warps held: scheduler, collector unit, unit, LSU, in the last 1000 cycles or so many",
	.needs_machine = true,
	.run = info_interference_run,
};
