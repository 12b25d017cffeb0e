/*
 * gang_lrr.c - gangs: loose round robin.
 *
 * Source: Rogers, Johnson, O'Connor, Keckler, "A Variable Warp Size Architecture", ISCA 2015, section 6.3.
 */
#include "policy_gangs.h"

/* The one that has not issued for longest; then the oldest. */
static u64 gang_lrr_merit(const struct sched_view *v, u32 entry)
{
	return ~v->gangs[entry].last;
}

static bool gang_lrr_gang(const struct sched_view *v, const u64 *ready, u64 *out)
{
	return gang_first(v, ready, out, gang_lrr_merit);
}

const struct scheme scheme_gang_lrr = {
	.name = "gang-lrr",
	.paper = "Rogers, Johnson, O'Connor, Keckler, \"A Variable Warp Size Architecture\", ISCA 2015, section 6.3",
	.doc = "gang scheduling, loose round robin: the gang that has not issued for longest",
	.neutral = "warp.size 32",
	.decide.gang = gang_lrr_gang,
	.uses_gangs = true,
	.sm_local = true,
};
