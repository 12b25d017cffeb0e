/*
 * forecast.c - what comes next if nothing is changed: a fork of the simulator is run on and watched.
 *
 * Exact, because it is the simulator; bounded to FORECAST_CYCLES cycles.
 */
#include "events.h"
#include "machine.h"
#include "why.h"

/* One warp that is watched. */
struct watched {
	struct sim fork;
	u32 sm, warp, sub, cta, generation, status, barrier;
};

static const struct warp *warp_of(const struct watched *w)
{
	return (struct warp *)machine_sm_section(w->fork.m, w->sm, SECTION_WARP) + w->warp;
}

/* One record of the watched SM. */
static void take_record(const struct watched *w, const struct record *r, u64 cycle, struct forecast *f)
{
	bool mine = r->warp == w->warp;

	if (r->kind == EVENT_ISSUE && mine) {
		f->issues = min_u64(f->issues, cycle);
	} else if (r->kind == EVENT_WRITEBACK && mine && f->narrivals < FORECAST_ARRIVALS) {
		f->arrival[f->narrivals].pc = r->pc;
		f->arrival[f->narrivals++].cycle = cycle;
	} else if (r->kind == EVENT_DISPATCH && r->sub == w->sub && r->b < ARRAY_LEN(f->dispatch)) {
		f->dispatch[r->b] = min_u64(f->dispatch[r->b], cycle);
	} else if ((r->kind == EVENT_GRANT || r->kind == EVENT_REUSE) && r->sub == w->sub &&
		   f->ngrants < FORECAST_GRANTS) {
		f->grant[f->ngrants].warp = r->warp;
		f->grant[f->ngrants].reg = (u16)r->b;
		f->grant[f->ngrants++].cycle = cycle;
	} else if (r->kind == EVENT_BARRIER && r->cta == w->cta && f->release == NEVER) {
		u32 at = warp_of(w)[(int)r->warp - (int)w->warp].at_barrier;

		f->last = at && at != w->barrier ? f->last : r->warp; /* not those that wait at another one */
	}
}

/* What the cycle just completed brought. */
static void forecast_look(struct watched *w, struct forecast *f)
{
	u64 cycle = machine_gpu(w->fork.m)->cycle;
	const struct warp *warp = warp_of(w);
	u32 status = sim_warp_status(&w->fork, w->sm, w->warp);

	for (u32 i = 0; i < w->fork.bus.count; i++)
		if (w->fork.bus.record[i].sm == w->sm)
			take_record(w, &w->fork.bus.record[i], cycle, f);
	if (f->release == NEVER && !warp->at_barrier)
		f->release = cycle;
	if (warp->cta == NONE16 || warp->generation != w->generation) {
		f->leaves = min_u64(f->leaves, cycle);
		return;
	}
	if (f->changes == NEVER && status != w->status) {
		f->changes = cycle;
		f->then = status;
	}
}

/* Whether there is no more to see. */
static bool ended(const struct watched *w, const struct forecast *f, u64 last)
{
	return f->issues != NEVER || f->leaves != NEVER || machine_gpu(w->fork.m)->cycle >= last ||
	       sim_finished(&w->fork) || timeline_interrupt;
}

/* Nothing is known yet. */
static void forecast_clear(struct forecast *f)
{
	*f = (struct forecast){.issues = NEVER,
			       .changes = NEVER,
			       .then = WARP_STATUS_COUNT,
			       .leaves = NEVER,
			       .release = NEVER,
			       .last = NONE32};
	memset(f->dispatch, 0xff, sizeof(f->dispatch));
}

void forecast_warp(const struct sim *sim, u32 sm, u32 warp, struct forecast *f)
{
	struct watched w = {.sm = sm,
			    .warp = warp,
			    .sub = warp % sim->m->config.sm_subcores,
			    .status = sim_warp_status(sim, sm, warp)};
	const struct warp *now = (struct warp *)machine_sm_section(sim->m, sm, SECTION_WARP) + warp;
	const struct cta *cta = machine_sm_section(sim->m, sm, SECTION_CTA);
	u64 last = machine_gpu(sim->m)->cycle + FORECAST_CYCLES;

	forecast_clear(f);
	if (now->cta == NONE16)
		return;
	w.cta = cta[now->cta].id;
	w.generation = now->generation;
	w.barrier = now->at_barrier;
	sim_fork(&w.fork, sim);
	w.fork.bus.want = EVENT_BIT(EVENT_ISSUE) | EVENT_BIT(EVENT_WRITEBACK) | EVENT_BIT(EVENT_DISPATCH) |
			  EVENT_BIT(EVENT_BARRIER) | EVENT_BIT(EVENT_GRANT) | EVENT_BIT(EVENT_REUSE);
	while (!ended(&w, f, last)) {
		if (sim_skip(&w.fork, last) < last)
			sim_cycle(&w.fork);
		forecast_look(&w, f);
	}
	f->until = machine_gpu(w.fork.m)->cycle;
	f->deadlock = sim_deadlocked(&w.fork);
	sim_close(&w.fork);
}

u64 forecast_first(const struct sim *sim, u32 sm, const u64 *contexts, u32 *warp)
{
	u64 last = machine_gpu(sim->m)->cycle + FORECAST_CYCLES, found = NEVER;
	struct sim fork;

	sim_fork(&fork, sim);
	fork.bus.want = EVENT_BIT(EVENT_ISSUE);
	while (found == NEVER && machine_gpu(fork.m)->cycle < last && !sim_finished(&fork) && !timeline_interrupt) {
		if (sim_skip(&fork, last) < last)
			sim_cycle(&fork);
		for (u32 i = 0; i < fork.bus.count && found == NEVER; i++) {
			const struct record *r = &fork.bus.record[i];

			if (r->sm != sm || r->warp == NONE16 || !(contexts[r->warp / 64] >> (r->warp % 64) & 1))
				continue;
			found = machine_gpu(fork.m)->cycle;
			*warp = r->warp;
		}
	}
	sim_close(&fork);
	return found;
}

u64 forecast_cta(const struct sim *sim, u32 sm, u32 kind, u32 place)
{
	const struct cta *now = (struct cta *)machine_sm_section(sim->m, sm, SECTION_CTA) + place, *then;
	u64 last = machine_gpu(sim->m)->cycle + FORECAST_CYCLES, found = NEVER;
	bool stays = true;
	struct sim fork;

	sim_fork(&fork, sim);
	fork.bus.want = kind == NONE32 ? 0 : EVENT_BIT(kind);
	then = (struct cta *)machine_sm_section(fork.m, sm, SECTION_CTA) + place;
	while (found == NEVER && stays && machine_gpu(fork.m)->cycle < last && !sim_finished(&fork) &&
	       !timeline_interrupt) {
		if (sim_skip(&fork, last) < last)
			sim_cycle(&fork);
		for (u32 i = 0; i < fork.bus.count; i++)
			if (fork.bus.record[i].sm == sm && fork.bus.record[i].b == place)
				found = machine_gpu(fork.m)->cycle;
		stays = then->launch == now->launch && then->started == now->started;
	}
	if (kind == NONE32 && !stays)
		found = machine_gpu(fork.m)->cycle;
	sim_close(&fork);
	return found;
}

u64 forecast_grant(const struct forecast *f, u32 warp, u32 reg)
{
	for (u32 i = 0; i < f->ngrants; i++)
		if (f->grant[i].warp == warp && f->grant[i].reg == reg)
			return f->grant[i].cycle;
	return NEVER;
}

u64 forecast_arrival(const struct forecast *f, u32 pc)
{
	for (u32 i = 0; i < f->narrivals; i++)
		if (f->arrival[i].pc == pc)
			return f->arrival[i].cycle;
	return NEVER;
}
