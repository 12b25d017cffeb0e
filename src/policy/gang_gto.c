/*
 * gang_gto.c - gangs: greedy then oldest, whatever their size.
 *
 * Source: Rogers, Johnson, O'Connor, Keckler, "A Variable Warp Size Architecture", ISCA 2015, section 6.3.
 */
#include "policy_gangs.h"

/* The greedy; then the oldest. */
static u64 gang_gto_merit(const struct sched_view *v, u32 entry)
{
	return gang_greedy(v, entry);
}

static bool gang_gto_gang(const struct sched_view *v, const u64 *ready, u64 *out)
{
	return gang_first(v, ready, out, gang_gto_merit);
}

const struct scheme scheme_gang_gto = {
	.name = "gang-gto",
	.paper = "Rogers, Johnson, O'Connor, Keckler, \"A Variable Warp Size Architecture\", ISCA 2015, section 6.3",
	.doc = "gang scheduling, greedy then oldest: the gang that issued last, then the oldest",
	.neutral = "warp.size 32",
	.decide.gang = gang_gto_gang,
	.uses_gangs = true,
	.sm_local = true,
};
