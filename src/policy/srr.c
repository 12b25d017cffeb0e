/*
 * srr.c - skewed round robin: warp W of the SM goes to sub-core (W + floor(W / N)) mod N.
 *
 * Source: Barnes, Shen, Rogers, "Mitigating GPU Core Partitioning Performance Effects", HPCA 2023, section IV-B.
 * Warps whose numbers differ by N, which round robin puts into one sub-core, are spread over all of them.
 */
#include "policy.h"

static u32 srr_assign(const struct sched_view *v, const struct newcomer *w)
{
	u32 n = v->m->config.sm_subcores;
	return (w->number + w->number / n) % n;
}

const struct scheme scheme_srr = {
	.name = "srr",
	.paper = "Barnes, Shen, Rogers, \"Mitigating GPU Core Partitioning Performance Effects\", HPCA 2023",
	.doc = "skewed round-robin assignment: warp W of an SM goes to sub-core (W + floor(W / N)) mod N (N = sub-cores)",
	.neutral = "sm.subcores 1",
	.decide.assign = srr_assign,
};
