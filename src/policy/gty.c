/*
 * gty.c - greedy then youngest: the warp that issued last as long as it can, else the youngest; the same for fetch.
 *
 * Source: Huerta et al., "Dissecting and Modeling the Architecture of Modern GPU Cores", MICRO 2025, sections 5.1.2
 * (CGGTY) and 5.2 (fetch: the warp that issued last, unless its buffer is full; else the youngest). Deviation: what
 * makes a warp ineligible there are the compiler's control bits, here the scoreboard. Age is the order of admission to
 * the SM; a warp that took over the slot of another is not favoured for it.
 */
#include "policy_age.h"

static u32 gty_slot(const struct sched_view *v, const u64 *candidates)
{
	u32 last = v->sched->last, best = NONE32;
	u64 age = 0;
	if (last != NONE16 && SET_HAS(candidates, last) && v->slot[last].since)
		return last;
	SET_EACH (i, candidates, v->m->words) {
		u64 a = slot_age(v, i);
		if (best == NONE32 || a > age) {
			age = a;
			best = i;
		}
	}
	return best;
}

/* Greedy 1 comes before everything, then the one admitted last: the fewest have come since. */
static u32 gty_score(const struct sched_view *v, u32 slot, struct score *out)
{
	out[0] = (struct score){"greedy", slot == v->sched->last && v->slot[slot].since != 0};
	out[1] = (struct score){"admitted since", v->sm->age - 1 - slot_age(v, slot)};
	return 2;
}

const struct scheme scheme_gty = {
	.name = "gty",
	.paper =
		"Huerta et al., \"Dissecting and Modeling the Architecture of Modern GPU Cores\", MICRO 2025, sections 5.1.2 and 5.2",
	.doc = "greedy then youngest: the warp that issued last for as long as it is ready (hook fetch: has room), else the youngest",
	.decide.order = gty_slot,
	.score = gty_score,
	.decide.fetch = gty_slot,
	.sm_local = true,
};
