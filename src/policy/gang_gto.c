/*
 * gang_gto.c - gangs: greedy then oldest, whatever their size.
 *
 * Source: Rogers, Johnson, O'Connor, Keckler, "A Variable Warp Size Architecture", ISCA 2015, section 6.3.
 */
#include "policy_gangs.h"

/* The greedy, of these the oldest. */
static bool gang(const struct sched_view *v, const u64 *ready, u64 *out)
{
	struct gang_choice c;
	if (!gangs_whole(v, ready, &c))
		return false;
	gangs_greedy(v, &c);
	return gang_oldest(v, &c, out);
}

const struct scheme scheme_gang_gto = {
	.name = "gang-gto",
	.paper = "Rogers, Johnson, O'Connor, Keckler, \"A Variable Warp Size Architecture\", ISCA 2015, section 6.3",
	.doc = "gang scheduling, greedy then oldest: the gang that issued last, then the oldest",
	.neutral = "warp.size 32",
	.gang = gang,
	.whole = gang_whole,
	.gangs = true,
	.steady = true,
};
