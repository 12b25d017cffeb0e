/*
 * why_swapped.c - why a warp has no warp slot: its CTA is inactive; since when, what is on its way to it, which CTA has
 * its slots, when it is swapped in; and why one that has a slot again may not issue yet.
 */
#include "events.h"
#include "why_parts.h"

#include "policy_swap.h"

/* Since when the CTA has no slots. */
static void say_since(struct why *w, u32 level, const struct cta *cta)
{
	json_t *o;

	if (!cta->moved) {
		why_say(w, level, "since", "the CTA was dispatched in cycle %llu and has never been active",
			cta->started + 1);
		return;
	}
	o = why_say(w, level, "since", "the CTA was swapped out in cycle %llu, %llu cycles ago", cta->moved,
		    w->cycle - cta->moved);
	why_number(o, "since", cta->moved);
}

/* The loads of the CTA that have not come back. */
static void say_loads(struct why *w, u32 level, const struct cta *cta)
{
	const struct load *load = machine_sm_section(w->m, w->sm, SECTION_LOAD);
	u32 shown = 0;

	for (u32 i = 0; i < w->m->section[SECTION_LOAD].count; i++) {
		u32 context = load[i].context;

		if (context == NONE16 || !SET_HAS(cta->contexts, context) ||
		    !why_current(w, context, load[i].generation) || shown++ >= 3)
			continue;
		why_say(w, level, "load", "warp %u: %s: %u line%s not arrived", context,
			why_text(w, context, load[i].pc), load[i].waiting, load[i].waiting == 1 ? " has" : "s have");
		why_load(w, level + 1, i);
	}
	if (shown > 3)
		why_say(w, level, "more", "and %u more loads", shown - 3);
}

/* What stands between the CTA and its return: results, its context, its turn. */
static void say_pending(struct why *w, u32 level, const struct cta *cta)
{
	json_t *o;
	u32 before;

	if (cta->pending) {
		o = why_say(w, level, "pending",
			    "%u register write%s of earlier instructions of the CTA %s outstanding", cta->pending,
			    cta->pending == 1 ? "" : "s", cta->pending == 1 ? "is" : "are");
		why_number(o, "registers", cta->pending);
		say_loads(w, level + 1, cta);
		return;
	}
	if (cta->save) {
		o = why_say(w, level, "saving",
			    "the context is being saved; remaining cycles of the shared-memory port: %u", cta->save);
		why_number(o, "cycles", cta->save);
		return;
	}
	before = ready_before(w->sm_state, w->ctas, (u32)(cta - w->ctas));
	o = why_say(w, level, "ready",
		    "no register write is outstanding: the CTA is ready to be swapped in, after %u of %u ready CTAs",
		    before, (u32)__builtin_popcountll(w->sm_state->ready));
	why_number(o, "before", before);
}

/* The active CTA that has the slots which the CTA gave away; NONE32: others have had them since. */
static u32 heir(const struct why *w, const struct cta *cta)
{
	for (u32 i = 0; cta->moved && i < w->m->residents; i++)
		if (w->ctas[i].launch != NONE16 && !(w->sm_state->inactive >> i & 1) && w->ctas[i].moved == cta->moved)
			return i;
	return NONE32;
}

/* The CTAs with slots, and the limits. */
static void say_slots(struct why *w, u32 level, const struct cta *cta)
{
	const struct config *c = &w->m->config;
	u32 active = active_ctas(w->sm_state), other = heir(w, cta);
	json_t *o;

	if (other != NONE32) {
		o = why_say(w, level, "successor", "CTA %u was swapped in instead and is active", w->ctas[other].id);
		why_number(o, "cta", w->ctas[other].id);
	}
	o = why_say(w, level, "slots", "active: %u of at most %u CTAs, with %u of at most %u threads (`why cta N`)",
		    active, config_active(c), w->sm_state->threads, config_threads(c));
	why_number(o, "active", active);
}

void why_inactive(struct why *w, u32 level, u32 place)
{
	const struct cta *cta = &w->ctas[place];
	u64 in = forecast_cta(w->sim, w->sm, EVENT_SWAP_IN, place);

	say_since(w, level, cta);
	say_pending(w, level, cta);
	say_slots(w, level, cta);
	why_forecast(w, level, in, w->cycle + FORECAST_CYCLES, "the CTA", "is swapped in", "is not swapped in");
}

void why_swapped(struct why *w)
{
	u32 place = w->warps[w->warp].cta;
	const struct cta *cta = &w->ctas[place];
	json_t *o = why_say(w, 1, "cta",
			    "CTA %u is resident but inactive: its %u warps keep their registers and have no warp slots",
			    cta->id, cta->warps);

	why_number(o, "cta", cta->id);
	why_inactive(w, 1, place);
}

void why_restoring(struct why *w)
{
	const struct cta *cta = &w->ctas[w->warps[w->warp].cta];
	json_t *o =
		why_say(w, 1, "restore",
			"CTA %u was swapped in in cycle %llu and its context is being restored; remaining cycles of "
			"the shared-memory port: %u",
			cta->id, cta->moved, cta->restore);

	why_number(o, "cycles", cta->restore);
}
