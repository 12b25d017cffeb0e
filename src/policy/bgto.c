/*
 * bgto.c - gangs: the biggest first, then greedy, then the oldest.
 *
 * Source: Rogers, Johnson, O'Connor, Keckler, "A Variable Warp Size Architecture", ISCA 2015, section 6.3.
 * Decided: greedy is who issued when a gang of the SM last did, not in the last cycle alone, so that one gang a cycle
 * goes as gto does with whole warps.
 */
#include "policy_gangs.h"

/* The biggest, of these the greedy; then the oldest. */
static u64 bgto_merit(const struct sched_view *v, u32 entry)
{
	return (u64)slices_count(v->gangs[entry].mask) << 1 | gang_greedy(v, entry);
}

static bool bgto_gang(const struct sched_view *v, const u64 *ready, u64 *out)
{
	return gang_whole(v, ready, out) || gang_first(v, ready, out, bgto_merit);
}

const struct scheme scheme_bgto = {
	.name = "bgto",
	.paper = "Rogers, Johnson, O'Connor, Keckler, \"A Variable Warp Size Architecture\", ISCA 2015, section 6.3",
	.doc = "gang scheduling, biggest first: the gang of most small warps, then the one that issued last, then the oldest",
	.neutral = "warp.size 32",
	.decide.gang = bgto_gang,
	.uses_gangs = true,
	.sm_local = true,
};
