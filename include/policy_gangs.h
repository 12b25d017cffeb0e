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
	return (entry / GANG_ENTRIES << v->m->parent_shift) + (u32)__builtin_ctz(v->gangs[entry].mask);
}
/* Entries of the table. */
static inline u32 gang_entries(const struct machine *m)
{
	return machine_parents(m) * GANG_ENTRIES;
}

/* --- all gangs at once ---
 * The slices of a warp have slots at one position, each in its sub-core (they come and go together); gangs that are
 * entry k of their parent warps are a set of slots, or, each once, of positions. */
/* The positions that a set of slots touches; it has SLOT_WORDS words, as all sets here. */
static inline void positions_of(const struct machine *m, const u64 *set, u64 *at)
{
	u32 per = m->slots_per_sub;
	at[0] = at[1] = 0;
	if (per == 32) { /* as with warps of 32 in slices of 4 */
		u64 all = set[0] | set[1] | set[2] | set[3];
		at[0] = (u32)(all | all >> 32);
		return;
	}
	if (per > 64 || per & (per - 1)) {
		SET_EACH (slot, set, m->words)
			at[slot % per / 64] |= 1ULL << slot % per % 64;
		return;
	}
	for (u32 i = 0; i < SLOT_WORDS; i++)
		at[0] |= set[i];
	if (!at[0])
		return;
	for (u32 shift = 32; shift >= per; shift /= 2)
		at[0] |= at[0] >> shift;
	at[0] &= ~0ULL >> (64 - per);
}
/* The slots at some positions, and perhaps more bits that no slot has. */
static inline void slots_at(const struct machine *m, const u64 *at, u64 *set)
{
	u32 per = m->slots_per_sub;
	u64 all = at[0];
	if (per > 64 || per & (per - 1)) {
		for (u32 i = 0; i < SLOT_WORDS; i++)
			set[i] = 0;
		SET_EACH (p, at, POSITION_WORDS)
			for (u32 slot = p; slot < m->words * 64; slot += per)
				SET_ADD(set, slot);
		return;
	}
	for (u32 shift = per; shift < 64; shift *= 2)
		all |= all << shift;
	for (u32 i = 0; i < SLOT_WORDS; i++)
		set[i] = all;
}
/* Of the slots of gangs of entry k those of whole gangs are in a set, or not all of them: `lack`. False: there are none
 * of entry k. */
static inline bool gangs_lacking(const struct machine *m, const struct gang_map *map, u32 k, const u64 *set, u64 *lack)
{
	const u64 *in = &map->slots[k * SLOT_WORDS];
	u64 any = 0, out[SLOT_WORDS], at[POSITION_WORDS];
	for (u32 i = 0; i < SLOT_WORDS; i++) {
		any |= in[i];
		out[i] = in[i] & ~set[i];
	}
	if (!any)
		return false;
	positions_of(m, out, at);
	slots_at(m, at, lack);
	return true;
}
/* Where the gangs of entry k are whose slots are all in a set; false: there are none. */
static inline bool gangs_within(const struct machine *m, const struct gang_map *map, u32 k, const u64 *set, u64 *at)
{
	u64 lack[SLOT_WORDS], in[SLOT_WORDS];
	at[0] = at[1] = 0;
	if (!gangs_lacking(m, map, k, set, lack))
		return false;
	for (u32 i = 0; i < SLOT_WORDS; i++)
		in[i] = map->slots[k * SLOT_WORDS + i] & ~lack[i];
	positions_of(m, in, at);
	return (at[0] | at[1]) != 0;
}

/* Bits below the n-th of the i-th word of a set. */
static inline u64 bits_below(u32 n, u32 i)
{
	if (n >= (i + 1) * 64)
		return ~0ULL;
	return n > i * 64 ? ~(~0ULL << n % 64) : 0;
}
/* Where the gangs of entry k are that are whole warps and whose slots are all in a set; false: there are none. */
static inline bool gangs_full(const struct machine *m, const struct gang_map *map, u32 k, const u64 *set, u64 *at)
{
	u64 lack[SLOT_WORDS], without[POSITION_WORDS];
	for (u32 i = 0; i < SLOT_WORDS; i++)
		lack[i] = bits_below(m->slots_per_sub * m->config.sm_subcores, i) &
			  ~(map->slots[k * SLOT_WORDS + i] & set[i]);
	positions_of(m, lack, without);
	for (u32 i = 0; i < POSITION_WORDS; i++)
		at[i] = bits_below(m->slots_per_sub, i) & ~without[i];
	return (at[0] | at[1]) != 0;
}

/* Add the slots of a gang, all of whose slices have one, to a set. */
static inline void gang_slots(const struct sched_view *v, u32 entry, u64 *out)
{
	u32 first = entry / GANG_ENTRIES << v->m->parent_shift;
	for (u32 left = v->gangs[entry].mask; left; left &= left - 1)
		SET_ADD(out, v->warp[first + (u32)__builtin_ctz(left)].slot);
}
/* Members of a set of slices. */
static inline u32 slices_count(u32 mask)
{
#define COUNT_2(n) n, n + 1, n + 1, n + 2
#define COUNT_4(n) COUNT_2(n), COUNT_2(n + 1), COUNT_2(n + 1), COUNT_2(n + 2)
#define COUNT_6(n) COUNT_4(n), COUNT_4(n + 1), COUNT_4(n + 1), COUNT_4(n + 2)
	static const u8 count[256] = {COUNT_6(0), COUNT_6(1), COUNT_6(1), COUNT_6(2)};
#undef COUNT_2
#undef COUNT_4
#undef COUNT_6
	return count[mask];
}
/* The slots of the gang that is entry k of the parent warp at a position. */
static inline void gang_slots_at(const struct machine *m, const struct gang_map *map, u32 k, u32 position, u64 *out)
{
	u64 at[POSITION_WORDS] = {0};
	SET_ADD(at, position);
	slots_at(m, at, out);
	for (u32 i = 0; i < SLOT_WORDS; i++)
		out[i] &= map->slots[k * SLOT_WORDS + i];
}

/* How much is to be said for a gang whose slices are all ready. */
typedef u64 (*gang_merit)(const struct sched_view *v, u32 entry);

/* Is a gang greedy: one of those that issued when a gang of the SM last did? */
static inline bool gang_greedy(const struct sched_view *v, u32 entry)
{
	return v->gangs[entry].last == v->sm->ganged_at;
}

/* What a gang policy answers: of the gangs that can go that of most merit, then the oldest. Warps are older than others
 * with all their slices. */
static inline __attribute__((always_inline)) bool gang_first(const struct sched_view *v, const u64 *ready, u64 *gang,
							     gang_merit merit)
{
	const struct gang_map *map = v->gang_map;
	u32 best = NONE32;
	u64 most = 0, oldest = NEVER;
	for (u32 k = 0; v->m->policy_gangs && k < GANG_ENTRIES; k++) {
		u64 at[POSITION_WORDS];
		if (!gangs_within(v->m, map, k, ready, at))
			continue;
		SET_EACH (p, at, POSITION_WORDS) {
			u32 e = (u32)map->parent[p] * GANG_ENTRIES + k;
			u64 x = merit(v, e), age = map->age[p] * MAX_SUBCORES + (u32)__builtin_ctz(v->gangs[e].mask);
			if (x < most || (x == most && age > oldest))
				continue;
			best = p * GANG_ENTRIES + k;
			most = x;
			oldest = age;
		}
	}
	if (best != NONE32)
		gang_slots_at(v->m, map, best % GANG_ENTRIES, best / GANG_ENTRIES, gang);
	return best != NONE32;
}

/* Of gangs that are whole warps, if any can go: a greedy one, of these the oldest. */
static inline bool gang_whole(const struct sched_view *v, const u64 *ready, u64 *gang)
{
	const struct gang_map *map = v->gang_map;
	u32 best = NONE32;
	u64 oldest = NEVER;
	for (u32 k = 0; v->m->policy_gangs && k < GANG_ENTRIES; k++) {
		u64 at[POSITION_WORDS];
		if (!gangs_full(v->m, map, k, ready, at))
			continue;
		SET_EACH (p, at, POSITION_WORDS) {
			bool greedy = gang_greedy(v, (u32)map->parent[p] * GANG_ENTRIES + k);
			u64 age = map->age[p] | (u64)!greedy << 63;
			best = age < oldest ? p * GANG_ENTRIES + k : best;
			oldest = min_u64(age, oldest);
		}
	}
	if (best != NONE32)
		gang_slots_at(v->m, map, best % GANG_ENTRIES, best / GANG_ENTRIES, gang);
	return best != NONE32;
}

#endif
