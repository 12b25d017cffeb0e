/*
 * why_swapped.c - why a warp has no scheduler slot: its CTA is inactive; what is on its way to it, and what is in the
 * way of its return; and why one that has got a slot again may not issue yet.
 */
#include "why_parts.h"

/* Registers that results on their way will still write; none: the CTA could have slots. */
static void say_pending(struct why *w, u32 cta)
{
	u32 n = sim_cta_pending(w->sim, w->sm, cta);
	json_t *o;

	if (n)
		o = why_say(w, 1, "pending", "%u registers of the CTA are still to be written by what it issued before",
			    n);
	else
		o = why_say(w, 1, "ready",
			    "nothing that the CTA issued is still to write a register: it is ready for slots");
	why_number(o, "registers", n);
}

/* Slots of its sub-core, and limits on active CTAs. */
static void say_limits(struct why *w)
{
	const struct config *c = &w->m->config;
	u32 left = sim_slots_left(w->sim, w->sm, w->sub);
	json_t *o;

	o = why_say(
		w, 1, "slots",
		"%u of the %u slots of sub-core %u are free; %u of at most %u CTAs are active, with %u of %u threads",
		left, w->m->slots_per_sub, w->sub, active_ctas(w->sm_state), c->sm_ctas, w->sm_state->threads,
		c->sm_threads);
	why_number(o, "free", left);
	why_number(o, "active", active_ctas(w->sm_state));
}

void why_swapped(struct why *w)
{
	u32 slot = w->warps[w->warp].cta;
	const struct cta *cta = &w->ctas[slot];
	json_t *o = why_say(
		w, 1, "cta",
		"CTA %u is resident and inactive: its %u warps keep their registers and have no scheduler slots",
		cta->id, cta->warps);

	why_number(o, "cta", cta->id);
	say_pending(w, slot);
	say_limits(w);
}

void why_restoring(struct why *w)
{
	const struct cta *cta = &w->ctas[w->warps[w->warp].cta];
	json_t *o =
		why_say(w, 1, "restore",
			"CTA %u has got warp slots again: %u cycles of the port of shared memory restore its context",
			cta->id, cta->restore);

	why_number(o, "cycles", cta->restore);
}
