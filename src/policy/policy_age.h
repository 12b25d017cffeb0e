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
		u64 a = slot_age(v, i);
		if (a < age) {
			age = a;
			best = i;
		}
	}
	return best;
}

/* Its age: less goes first. */
static inline u32 age_score(const struct sched_view *v, u32 slot, struct score *out)
{
	*out = (struct score){"age", slot_age(v, slot)};
	return 1;
}

/* gto.c: greedy then oldest, for all that order so. */
u32 greedy_slot(const struct sched_view *v, const u64 *candidates);
u32 greedy_score(const struct sched_view *v, u32 slot, struct score *out);

#endif
