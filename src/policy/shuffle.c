/*
 * shuffle.c - random assignment without imbalance: of every N warps of an SM each sub-core gets one, in a random order.
 *
 * Source: Barnes, Shen, Rogers, "Mitigating GPU Core Partitioning Performance Effects", HPCA 2023, section IV-B. The
 * orders are the entries of a hash function table, which wraps around: with the 4 entries of section IV-B1 the 17th
 * warp of four sub-cores goes where the first went; a table of 16 (section IV-B2) is long enough for the 64 warps of an
 * SM. An entry is a permutation drawn from (shuffle.seed, SM, entry) alone, so that there is no state, and the warps
 * ever assigned to two sub-cores never differ by more than one.
 */
#include "policy.h"

static u32 shuffle_assign(const struct sched_view *v, const struct newcomer *w)
{
	u32 n = v->m->config.sm_subcores;
	u8 order[MAX_SUBCORES] = {0};
	u64 chance = mix64(mix64(((u64)v->m->config.shuffle_seed << 32 | v->sm_id) + 1) +
			   w->number / n % v->m->config.shuffle_entries);
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
	.paper = "Barnes, Shen, Rogers, \"Mitigating GPU Core Partitioning Performance Effects\", HPCA 2023",
	.doc = "random assignment (shuffle.seed) in which the warps of sub-cores never differ by more than one in number",
	.neutral = "sm.subcores 1",
	.decide.assign = shuffle_assign,
};
