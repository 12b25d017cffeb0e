/*
 * gto.c - greedy then oldest: the warp that issued last as long as it can, else the oldest.
 *
 * Source: Rogers et al., "Cache-Conscious Wavefront Scheduling", MICRO 2012.
 * Age is the order of admission to the SM. A warp that took over the slot of another is not favoured for it: it has not
 * issued there.
 */
#include "policy_age.h"

/* The one that issued last, if it can and has issued in this slot; else the oldest. */
u32 greedy_slot(const struct sched_view *v, const u64 *candidates)
{
	u32 last = v->sched->last;
	bool greedy = last != NONE16 && SET_HAS(candidates, last) && v->slot[last].since;
	return greedy ? last : oldest_slot(v, candidates);
}

/* Greedy 1 comes before everything, then the age decides. */
u32 greedy_score(const struct sched_view *v, u32 slot, struct score *out)
{
	out[0] = (struct score){"greedy", slot == v->sched->last && v->slot[slot].since != 0};
	return 1 + age_score(v, slot, out + 1);
}

const struct scheme scheme_gto = {
	.name = "gto",
	.paper = "Rogers, O'Connor, Aamodt, \"Cache-Conscious Wavefront Scheduling\", MICRO 2012",
	.doc = "greedy then oldest: the warp that issued last for as long as it is ready, else the oldest ready warp",
	.decide.order = greedy_slot,
	.score = greedy_score,
};
