/*
 * steal.c - bank stealing: when a collector unit is free after a scheduler has issued, the oldest other ready warp
 * whose operands all lie in banks at which nothing waits issues in the same cycle.
 *
 * Source: the comparator of Barnes, Shen, Rogers, "Mitigating GPU Core Partitioning Performance Effects", HPCA 2023
 * (register bank stealing, after Jing et al.). Deviation: stores, atomics and control instructions are not stolen.
 */
#include "banks.h"
#include "policy.h"

/* Does nothing wait at the banks of a slot's operands? */
static bool steal_banks_idle(const struct sched_view *v, u32 slot)
{
	const struct inst *in = slot_inst(v, slot);
	u32 first = v->sub_id * v->m->config.sm_banks;
	for (u32 i = 0; i < in->nread; i++)
		if (v->bank[first +
			    register_bank(&v->m->config, context_parent(v->m, v->slot[slot].context), in->read[i])]
			    .count)
			return false;
	return true;
}

static u32 steal_extra(const struct sched_view *v, const u64 *candidates)
{
	u32 best = NONE32;
	u64 oldest = ~0ULL;
	SET_EACH (i, candidates, v->m->words) {
		u64 age = slot_age(v, i);
		if (age > oldest || !steal_banks_idle(v, i))
			continue;
		best = i;
		oldest = age;
	}
	return best;
}

const struct scheme scheme_steal = {
	.name = "steal",
	.paper =
		"Barnes, Shen, Rogers, \"Mitigating GPU Core Partitioning Performance Effects\", HPCA 2023 (comparator)",
	.doc = "bank stealing: a second warp issues beside a scheduler's choice if the banks of its operands are idle",
	.neutral = "steal.limit 0",
	.decide.extra = steal_extra,
};
