/*
 * policy_age.h - the oldest slot of a set, by order of admission to the SM, alone and behind the one that issued last.
 * For src/policy.
 */
#ifndef WARPSTEP_POLICY_AGE_H
#define WARPSTEP_POLICY_AGE_H

#include "policy.h"

static inline u32 oldest_slot(const struct sched_view *v, const u64 *set)
{
	u32 best = NONE32;
	u64 age = ~0ULL;
	SET_EACH (i, set, v->m->words) {
		u64 a = v->warp[v->slot[i].context].age;
		if (a < age) {
			age = a;
			best = i;
		}
	}
	return best;
}

/* Greedy then oldest: the warp that issued last as long as it can, else the oldest. One that took over the slot of
 * another is not favoured for it: it has not issued there. */
static inline u32 greedy_slot(const struct sched_view *v, const u64 *candidates)
{
	u32 last = v->sched->last;
	bool greedy = last != NONE16 && SET_HAS(candidates, last) && v->slot[last].since;
	return greedy ? last : oldest_slot(v, candidates);
}

/* Its age: less goes first. */
static inline u32 age_score(const struct sched_view *v, u32 slot, struct score *out)
{
	*out = (struct score){"age", v->warp[v->slot[slot].context].age};
	return 1;
}

/* Greedy 1 comes before everything, then the age decides. */
static inline u32 greedy_score(const struct sched_view *v, u32 slot, struct score *out)
{
	out[0] = (struct score){"greedy", slot == v->sched->last && v->slot[slot].since != 0};
	return 1 + age_score(v, slot, out + 1);
}

#endif
