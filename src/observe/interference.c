/* interference.c - which kernel's warps wait for resources that which kernel's warps hold (interference.h). */
#include "interference.h"

#include "machine.h"

const u8 wait_status[WAIT_KINDS] = {WARP_ELIGIBLE, WARP_PAUSED, WARP_COLLECTOR, WARP_UNIT, WARP_LSU};

/* The launch of a context, or `none` if nothing is resident there. */
static u32 launch_of(const struct sim *s, u32 sm, u32 context, u32 none)
{
	const struct warp *w = machine_sm_section(s->m, sm, SECTION_WARP);

	return context < s->m->contexts && w[context].cta != NONE16 ? w[context].launch : none;
}

/* The launch whose warp a scheduler of the sub-core issued, of those that could choose this slot. */
static u32 chosen_launch(const struct sim *s, u32 sm, u32 sub, u32 slot, u32 none)
{
	const struct config *c = &s->m->config;
	const struct sched *sched =
		(struct sched *)machine_sm_section(s->m, sm, SECTION_SCHED) + (size_t)sub * c->sm_schedulers;
	const struct slot *slots = machine_sm_section(s->m, sm, SECTION_SLOT);

	for (u32 i = 0; i < c->sm_schedulers; i++)
		if (sched[i].chosen != NONE16 &&
		    (c->sched_pool == 1 || slot % s->m->slots_per_sub % c->sm_schedulers == i))
			return launch_of(s, sm, slots[sched[i].chosen].context, none);
	return none;
}

/* The launch of the instruction that is longest in a collector unit of the sub-core. */
static u32 holder_launch(const struct sim *s, u32 sm, u32 sub, u32 none)
{
	u32 n = s->m->config.sm_collectors, best = NONE32;
	const struct collector *cu =
		(struct collector *)machine_sm_section(s->m, sm, SECTION_COLLECTOR) + (size_t)sub * n;

	for (u32 i = 0; i < n; i++)
		if (cu[i].context != NONE16 && (best == NONE32 || (i32)(cu[i].age - cu[best].age) < 0))
			best = i;
	return best == NONE32 ? none : launch_of(s, sm, cu[best].context, none);
}

/* The launch of the instruction at the head of the LSU's queue; of the oldest collector unit if there is none. */
static u32 lsu_launch(const struct sim *s, u32 sm, u32 sub, u32 none)
{
	const struct sm *state = machine_sm_section(s->m, sm, SECTION_SM);
	const struct ring_slot *queue = machine_sm_section(s->m, sm, SECTION_LSUQ);
	const struct memop *op = machine_sm_section(s->m, sm, SECTION_MEMOP);
	const struct memop *head = &op[queue[state->lsu_head].memop];
	const struct warp *w = machine_sm_section(s->m, sm, SECTION_WARP);

	if (!state->lsu_count)
		return holder_launch(s, sm, sub, none);
	return w[head->context].generation == head->generation ? launch_of(s, sm, head->context, none) : none;
}

void waits_count(struct waits *c, const struct sim *s, u32 sm)
{
	const struct warp *w = machine_sm_section(s->m, sm, SECTION_WARP);

	for (u32 i = 0; i < s->m->contexts; i++) {
		u32 status = sim_warp_status(s, sm, i), sub = i % s->m->config.sm_subcores, own = w[i].launch, kind = 0,
		    whom;

		while (kind < WAIT_KINDS && wait_status[kind] != status)
			kind++;
		if (kind == WAIT_KINDS)
			continue;
		whom = kind <= WAIT_PAUSED ? chosen_launch(s, sm, sub, w[i].slot, own)
		       : kind == WAIT_LSU  ? lsu_launch(s, sm, sub, own)
					   : holder_launch(s, sm, sub, own);
		waits_of(c, own, whom)[kind]++;
	}
}
