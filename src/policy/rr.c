/*
 * rr.c - the baseline's assignment of warps to sub-cores: warp W of the SM goes to sub-core W mod N.
 *
 * Source: Barnes, Shen, Rogers, HPCA 2023, section III.
 */
#include "policy.h"

static u32 rr_assign(const struct sched_view *v, const struct newcomer *w)
{
	return w->number % v->m->config.sm_subcores;
}

const struct scheme scheme_rr = {
	.name = "rr",
	.paper = "Barnes, Shen, Rogers, \"Mitigating GPU Core Partitioning Performance Effects\", HPCA 2023 (baseline)",
	.doc = "round-robin assignment: warp W of an SM goes to sub-core W mod N (N = sub-cores)",
	.decide.assign = rr_assign,
};
