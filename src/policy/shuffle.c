/*
 * shuffle.c - random assignment without imbalance: of every N warps of an SM each sub-core gets one, in a random order.
 *
 * Source: Barnes, Shen, Rogers, "Mitigating GPU Core Partitioning Performance Effects", HPCA 2023, section IV-B.
 * The warps ever assigned to two sub-cores never differ by more than one. The order of the R-th N warps is a
 * permutation drawn from (shuffle.seed, SM, R) alone, so that there is no state.
 */
#include "policy.h"

static u32 assign(const struct sched_view *v, const struct newcomer *w)
{
	u32 n = v->m->config.sm_subcores;
	u8 order[MAX_SUBCORES] = {0};
	u64 chance = mix64(mix64(((u64)v->m->config.shuffle_seed << 32 | v->sm_id) + 1) + w->number / n);
	for (u32 i = 0; i < n; i++)
		order[i] = (u8)i;
	for (u32 i = n; i > 1; i--) {
		u32 k = (u32)(chance % i);
		u8 last = order[i - 1];
		order[i - 1] = order[k];
		order[k] = last;
		chance /= i;
	}
	return order[w->number % n];
}

const struct scheme scheme_shuffle = {
	.name = "shuffle",
	.paper = "Barnes, Shen, Rogers, HPCA 2023",
	.doc = "random assignment (shuffle.seed) in which sub-cores never differ by more than one warp",
	.neutral = "sm.subcores 1",
	.assign = assign,
};
