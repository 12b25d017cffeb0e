/*
 * gangs_look.c - all gangs of an SM at once, as sets of slots: which are ready as a whole, what the others wait for.
 *
 * Sets have SLOT_WORDS words; where the SM has fewer the others are 0 in those by which its own are masked. Source:
 * Rogers, Johnson, O'Connor, Keckler, "A Variable Warp Size Architecture", ISCA 2015, sections 4.3 and 4.4.
 */
#include "policy_gangs.h"
#include "gangs/gangs.h"

/* The slots of gangs that are entry k of their parent warps. */
static const u64 *gangs_look_slots_of(const struct sm_view *v, u32 k)
{
	return &v->gang_map->slots[k * SLOT_WORDS];
}

void gangs_look(struct sm_view *v, u64 *ready, u64 *whole, u64 *parts)
{
	memset(whole, 0, SLOT_WORDS * sizeof *whole);
	memset(parts, 0, SLOT_WORDS * sizeof *parts);
	gangs_sync(v, ready, parts);
	for (u32 k = 0; k < GANG_ENTRIES; k++) {
		const u64 *in = gangs_look_slots_of(v, k);
		u64 lack[SLOT_WORDS];
		if (!gangs_lacking(v->m, v->gang_map, k, ready, lack))
			continue;
		for (u32 i = 0; i < SLOT_WORDS; i++) {
			whole[i] |= in[i] & ~lack[i];
			parts[i] |= in[i] & ready[i] & lack[i];
		}
	}
	for (u32 i = 0; i < SLOT_WORDS; i++)
		ready[i] &= ~parts[i];
}

void gangs_stopped(struct sm_view *v, const u64 *left, u64 *stopped, u64 *mates)
{
	u64 any = 0;
	memset(stopped, 0, SLOT_WORDS * sizeof *stopped);
	memset(mates, 0, SLOT_WORDS * sizeof *mates);
	for (u32 s = WARP_HELD; s <= WARP_PAUSED; s++)
		for (u32 i = 0; i < SLOT_WORDS; i++)
			any |= stopped[i] |= sm_seen(v, s)[i] & left[i];
	for (u32 k = 0; any && k < GANG_ENTRIES; k++) {
		const u64 *in = gangs_look_slots_of(v, k);
		u64 some[SLOT_WORDS] = {0}, at[POSITION_WORDS], slots[SLOT_WORDS];
		for (u32 i = 0; i < SLOT_WORDS; i++)
			some[i] = in[i] & stopped[i];
		positions_of(v->m, some, at);
		slots_at(v->m, at, slots);
		for (u32 i = 0; i < SLOT_WORDS; i++)
			mates[i] |= in[i] & slots[i] & left[i] & ~stopped[i];
	}
}

void gangs_tell(struct sm_view *v, const u64 *left, const u64 *stopped, const u64 *mates, const u64 *parts)
{
	for (u32 i = 0; i < SLOT_WORDS; i++) {
		u64 open = left[i] & ~(stopped[i] | mates[i]);
		sm_seen(v, WARP_ELIGIBLE)[i] = (sm_seen(v, WARP_ELIGIBLE)[i] & ~left[i]) | open;
		sm_seen(v, WARP_GANG)[i] |= parts[i] | mates[i];
	}
}
