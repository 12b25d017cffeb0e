/*
 * gang_gto.c - gangs: greedy then oldest, whatever their size.
 *
 * Source: Rogers, Johnson, O'Connor, Keckler, "A Variable Warp Size Architecture", ISCA 2015, section 6.4.
 */
#include "policy_gangs.h"

/* Greedy then oldest. */
static u64 merit(const struct sched_view *v, u32 entry)
{
	return gang_greedy(v, entry);
}

static bool gang(const struct sched_view *v, const u64 *ready, u64 *out)
{
	return gang_first(v, ready, out, merit);
}

const struct scheme scheme_gang_gto = {
	.name = "gang-gto",
	.paper = "Rogers et al., ISCA 2015",
	.doc = "gangs of slices: the one that issued last, then the oldest",
	.neutral = "warp.size 32",
	.gang = gang,
	.gangs = true,
	.steady = true,
};
