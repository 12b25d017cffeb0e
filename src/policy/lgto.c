/*
 * lgto.c - gangs: the smallest first, then greedy, then the oldest.
 *
 * Source: Rogers, Johnson, O'Connor, Keckler, "A Variable Warp Size Architecture", ISCA 2015, section 6.3.
 */
#include "policy_gangs.h"

/* The smallest, of these the greedy; then the oldest. */
static u64 lgto_merit(const struct sched_view *v, u32 entry)
{
	return (u64)(MAX_SUBCORES - slices_count(v->gangs[entry].mask)) << 1 | gang_greedy(v, entry);
}

static bool lgto_gang(const struct sched_view *v, const u64 *ready, u64 *out)
{
	return gang_first(v, ready, out, lgto_merit);
}

const struct scheme scheme_lgto = {
	.name = "lgto",
	.paper = "Rogers, Johnson, O'Connor, Keckler, \"A Variable Warp Size Architecture\", ISCA 2015, section 6.3",
	.doc = "gang scheduling, littlest first: the gang of fewest small warps, then the one that issued last, then the oldest",
	.neutral = "warp.size 32",
	.decide.gang = lgto_gang,
	.uses_gangs = true,
	.sm_local = true,
};
