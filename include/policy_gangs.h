/*
 * policy_gangs.h - the table of gangs, for who names which of them issue: its entries as slots of schedulers.
 *
 * Source: Rogers, Johnson, O'Connor, Keckler, "A Variable Warp Size Architecture", ISCA 2015, sections 4.3 and 4.4.
 */
#ifndef WARPSTEP_POLICY_GANGS_H
#define WARPSTEP_POLICY_GANGS_H

#include "policy.h"

/* The first slice of a gang, a context. */
static inline u32 gang_lead(const struct sched_view *v, u32 entry)
{
	return (entry / GANG_ENTRIES << v->m->home_shift) + (u32)__builtin_ctz(v->gangs[entry].mask);
}
/* Entries of the table. */
static inline u32 gang_entries(const struct machine *m)
{
	return machine_homes(m) * GANG_ENTRIES;
}
/* Slices of a gang. */
static inline u32 gang_size(const struct sched_view *v, u32 entry)
{
	return (u32)__builtin_popcount(v->gangs[entry].mask);
}
/* The slots of a gang into `out`, which is empty; false: they are not all in `ready`. */
static inline bool gang_slots(const struct sched_view *v, u32 entry, const u64 *ready, u64 *out)
{
	u32 first = entry / GANG_ENTRIES << v->m->home_shift;
	for (u32 left = v->gangs[entry].mask; left; left &= left - 1) {
		u32 slot = v->warp[first + (u32)__builtin_ctz(left)].slot;
		if (slot == NONE16 || !SET_HAS(ready, slot))
			return false;
		SET_ADD(out, slot);
	}
	return true;
}

/* Of two gangs whose slices are all ready: does a go before b? */
typedef bool (*gang_before)(const struct sched_view *v, u32 a, u32 b);

/* What a gang policy answers: the gang that goes first of those that can. */
static inline bool gang_first(const struct sched_view *v, const u64 *ready, u64 *gang, gang_before before)
{
	u32 best = NONE32;
	for (u32 e = 0; v->m->policy_gangs && e < gang_entries(v->m); e++) {
		u64 slots[SLOT_WORDS] = {0};
		if (v->gangs[e].mask && gang_slots(v, e, ready, slots) && (best == NONE32 || before(v, e, best)))
			best = e;
	}
	return best != NONE32 && gang_slots(v, best, ready, gang);
}

/* Greedy: it issued when a gang of the SM last did. */
static inline bool gang_greedy(const struct sched_view *v, u32 entry)
{
	return v->gangs[entry].last && v->gangs[entry].last == v->sm->ganged_at;
}
/* Greedy, then oldest. */
static inline bool gang_greedy_oldest(const struct sched_view *v, u32 a, u32 b)
{
	if (gang_greedy(v, a) != gang_greedy(v, b))
		return gang_greedy(v, a);
	return v->warp[gang_lead(v, a)].age < v->warp[gang_lead(v, b)].age;
}

#endif
