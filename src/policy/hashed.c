/*
 * hashed.c - assignment by an explicit hash table of 4 or 16 entries: warp W of the SM goes to sub-core table[W mod
 * entries].
 *
 * Source: Barnes, Shen, Rogers, "Mitigating GPU Core Partitioning Performance Effects", HPCA 2023, figure 7.
 * The table is the setting assign.table, two bits for each entry; one of 4 entries stands four times in its 16.
 * Deviation: entries name sub-cores 0 to 3, taken mod the number of sub-cores where there are fewer.
 */
#include "policy.h"

static u32 hashed_assign(const struct sched_view *v, const struct newcomer *w)
{
	return (v->m->config.assign_table >> w->number % 16 * 2 & 3) % v->m->config.sm_subcores;
}

const struct scheme scheme_hashed = {
	.name = "table",
	.paper = "Barnes, Shen, Rogers, \"Mitigating GPU Core Partitioning Performance Effects\", HPCA 2023",
	.doc = "assignment by hash table: warp W of an SM goes to the sub-core in entry W of assign.table, which is used cyclically",
	.neutral = "assign.table 0123",
	.decide.assign = hashed_assign,
};
