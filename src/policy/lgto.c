/*
 * lgto.c - gangs: the smallest first, then greedy, then the oldest.
 *
 * Source: Rogers, Johnson, O'Connor, Keckler, "A Variable Warp Size Architecture", ISCA 2015, section 6.3.
 */
#include "policy_gangs.h"

/* The smallest, of these the greedy, of these the oldest. */
static bool gang(const struct sched_view *v, const u64 *ready, u64 *out)
{
	struct gang_choice c;
	if (!gangs_whole(v, ready, &c))
		return false;
	gangs_sized(v, &c, false);
	gangs_greedy(v, &c);
	return gang_oldest(v, &c, out);
}

const struct scheme scheme_lgto = {
	.name = "lgto",
	.paper = "Rogers, Johnson, O'Connor, Keckler, \"A Variable Warp Size Architecture\", ISCA 2015, section 6.3",
	.doc = "gang scheduling, littlest first: the gang of fewest small warps, then the one that issued last, then the oldest",
	.neutral = "warp.size 32",
	.gang = gang,
	.whole = gang_whole,
	.gangs = true,
	.steady = true,
};
