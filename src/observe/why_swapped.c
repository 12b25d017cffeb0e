/*
 * why_swapped.c - why a warp has no scheduler slot: its CTA is inactive; since when, what is on its way to it, who has
 * its slots, when it gets some; and why one that has got a slot again may not issue yet.
 */
#include "why_parts.h"

#include "policy_swap.h"

/* Since when the CTA has no slots. */
static void say_since(struct why *w, u32 level, const struct cta *cta)
{
	json_t *o;

	if (!cta->moved) {
		why_say(w, level, "since", "it came without slots in cycle %llu and has never had any",
			(unsigned long long)cta->started + 1);
		return;
	}
	o = why_say(w, level, "since", "it gave its slots away in cycle %llu, %llu cycles ago",
		    (unsigned long long)cta->moved, (unsigned long long)(w->cycle - cta->moved));
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
		o = why_say(w, level, "pending", "%u register%s still to be written by what the CTA issued before",
			    cta->pending, cta->pending == 1 ? " is" : "s are");
		why_number(o, "registers", cta->pending);
		say_loads(w, level + 1, cta);
		return;
	}
	if (cta->save) {
		o = why_say(w, level, "saving", "%u cycles of the port of shared memory save its context", cta->save);
		why_number(o, "cycles", cta->save);
		return;
	}
	before = ready_before(w->sm_state, w->ctas, (u32)(cta - w->ctas));
	o = why_say(
		w, level, "ready",
		"nothing that the CTA issued is still to write a register: it is ready for slots, with %u of %u before it",
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

/* Who has slots, and the limits. */
static void say_slots(struct why *w, u32 level, const struct cta *cta)
{
	const struct config *c = &w->m->config;
	u32 active = active_ctas(w->sm_state), other = heir(w, cta);
	json_t *o;

	if (other != NONE32) {
		o = why_say(w, level, "heir", "CTA %u took its slots and has them", w->ctas[other].id);
		why_number(o, "cta", w->ctas[other].id);
	}
	o = why_say(w, level, "slots",
		    "%u of at most %u CTAs are active, with %u of %u threads; `why cta` tells of each", active,
		    config_active(c), w->sm_state->threads, config_threads(c));
	why_number(o, "active", active);
}

void why_inactive(struct why *w, u32 level, u32 place)
{
	const struct cta *cta = &w->ctas[place];
	u64 in = forecast_place(w->sim, w->sm, EVENT_SWAP_IN, place);
	json_t *o;

	say_since(w, level, cta);
	say_pending(w, level, cta);
	say_slots(w, level, cta);
	if (in == NEVER) {
		why_say(w, level, "forecast", "if nothing changes it gets no slots up to cycle %llu",
			(unsigned long long)w->cycle + FORECAST_CYCLES);
		return;
	}
	o = why_say(w, level, "forecast", "if nothing changes it gets slots in cycle %llu, in %llu",
		    (unsigned long long)in, (unsigned long long)(in - w->cycle));
	why_number(o, "cycle", in);
}

void why_swapped(struct why *w)
{
	u32 place = w->warps[w->warp].cta;
	const struct cta *cta = &w->ctas[place];
	json_t *o = why_say(
		w, 1, "cta",
		"CTA %u is resident and inactive: its %u warps keep their registers and have no scheduler slots",
		cta->id, cta->warps);

	why_number(o, "cta", cta->id);
	why_inactive(w, 1, place);
}

void why_restoring(struct why *w)
{
	const struct cta *cta = &w->ctas[w->warps[w->warp].cta];
	json_t *o = why_say(
		w, 1, "restore",
		"CTA %u got warp slots in cycle %llu: %u cycles of the port of shared memory restore its context",
		cta->id, (unsigned long long)cta->moved, cta->restore);

	why_number(o, "cycles", cta->restore);
}
