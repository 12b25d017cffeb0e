/*
 * two_level.c - two-level round robin: groups of sched.group slots; LRR inside the active group, which changes
 * only when all of its warps are blocked on long latency (or have ended, or wait at a barrier).
 *
 * Source: Narasiman et al., MICRO 2011 (called TW, TL and 2-LV by those who compare with it): a group is
 * left when all of its warps are stalled on long-latency operations. The active group is that of the last issue, so
 * there is no state of its own. Ready warps of other groups are paused.
 *
 * The paper knows no policy beside its own that keeps a warp from issuing. Here a warp counts as stalled, too, that a
 * policy holds or pauses or whose CTA is halted, for that lasts as long as others like: a group in which no other warp
 * is left would be waited for for ever, by those for whom its warps make way. Ranks that yield do not count: they give
 * way to the group.
 */
#include "policy.h"

/* Does something else than the warp itself keep it from issuing for as long as that likes? */
static bool two_level_kept_back(const struct sched_view *v, u32 slot)
{
	const struct sm *sm = v->sm;
	u32 words = v->m->words;
	bool firm = !v->m->policy_defers || SET_HAS(&sm->set[SET_PAUSED * words], slot);
	return SET_HAS(&sm->set[SET_HALTED * words], slot) || SET_HAS(&sm->seen[WARP_HELD * words], slot) ||
	       (firm && SET_HAS(&sm->seen[WARP_PAUSED * words], slot));
}

/* Is every warp of a group of slots unable to issue before a long-latency answer comes, or a policy lets it? */
static bool two_level_group_blocked(const struct sched_view *v, u32 first, u32 end)
{
	static const u8 blocked[] = {SET_DONE, SET_BARRIER, SET_FENCE, SET_LONG, SET_GANG};
	for (u32 i = first; i < end; i++) {
		bool waits = v->slot[i].context == NONE16 || !SET_HAS(v->pool, i) || two_level_kept_back(v, i);
		for (u32 k = 0; !waits && k < ARRAY_LEN(blocked); k++)
			waits = v->slot[i].set == blocked[k];
		if (!waits)
			return false;
	}
	return true;
}

/* The next candidate of the slots [first, end) after slot `last`, NONE32 if there is none. */
static u32 two_level_next_in_group(const u64 *candidates, u32 first, u32 end, u32 last)
{
	u32 start = last >= first && last < end ? last + 1 : first;
	for (u32 k = 0; k < end - first; k++) {
		u32 i = start + k < end ? start + k : start + k - (end - first);
		if (SET_HAS(candidates, i))
			return i;
	}
	return NONE32;
}

static u32 two_level_order(const struct sched_view *v, const u64 *candidates)
{
	u32 size = v->m->config.sched_group, slots = v->m->slots_per_sub, groups = ceil_div(slots, size);
	u32 base = v->sub_id * slots, last = v->sched->last, active = last == NONE16 ? 0 : (last - base) / size;
	for (u32 k = 0; k < groups; k++) {
		u32 first = (active + k) % groups * size, end = base + min_u32(first + size, slots);
		u32 slot = two_level_next_in_group(candidates, base + first, end, last);
		if (slot != NONE32 || !two_level_group_blocked(v, base + first, end))
			return slot;
	}
	return NONE32;
}

/* Groups from the active one on, then slots from the one after the last issue on. */
static u32 two_level_score(const struct sched_view *v, u32 slot, struct score *out)
{
	u32 size = v->m->config.sched_group, slots = v->m->slots_per_sub, groups = ceil_div(slots, size);
	u32 base = v->sub_id * slots, last = v->sched->last, active = last == NONE16 ? 0 : (last - base) / size;
	u32 group = (slot - base) / size, first = base + group * size, width = min_u32(size, slots - group * size);
	u32 start = last >= first && last < first + width ? last + 1 : first;
	out[0] = (struct score){"group", (group + groups - active) % groups};
	out[1] = (struct score){"distance", (slot - first + width - (start - first)) % width};
	return 2;
}

const struct scheme scheme_two_level = {
	.name = "two-level",
	.paper =
		"Narasiman et al., \"Improving GPU Performance via Large Warps and Two-Level Warp Scheduling\", MICRO 2011",
	.doc = "two-level round robin over groups of sched.group warp slots: the group changes when all its warps wait for memory or may not issue",
	.decide.order = two_level_order,
	.reads_other_slots = true,
	.score = two_level_score,
};
