/*
 * oldest.c - always the oldest ready warp, by order of admission to the SM.
 */
#include "policy_age.h"

static u32 oldest_order(const struct sched_view *v, const u64 *candidates)
{
	return oldest_slot(v, candidates);
}

const struct scheme scheme_oldest = {
	.name = "oldest",
	.doc = "oldest first: the oldest ready warp",
	.decide.order = oldest_order,
	.score = age_score,
};
