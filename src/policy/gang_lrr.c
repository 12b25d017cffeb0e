/*
 * gang_lrr.c - gangs: loose round robin.
 *
 * Source: Rogers, Johnson, O'Connor, Keckler, "A Variable Warp Size Architecture", ISCA 2015, section 6.4.
 */
#include "policy_gangs.h"

/* The one that has not issued for longest; then the oldest. */
static bool before(const struct sched_view *v, u32 a, u32 b)
{
	u64 x = v->gangs[a].last, y = v->gangs[b].last;
	return x != y ? x < y : v->warp[gang_lead(v, a)].age < v->warp[gang_lead(v, b)].age;
}

static bool gang(const struct sched_view *v, const u64 *ready, u64 *out)
{
	return gang_first(v, ready, out, before);
}

const struct scheme scheme_gang_lrr = {
	.name = "gang-lrr",
	.paper = "Rogers et al., ISCA 2015",
	.doc = "gangs of slices: the one that has not issued for longest",
	.neutral = "warp.size 32",
	.gang = gang,
	.gangs = true,
	.steady = true,
};
