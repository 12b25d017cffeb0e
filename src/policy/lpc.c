/*
 * lpc.c - the lowest program counter first, gangs and single warps.
 *
 * Source: Rogers, Johnson, O'Connor, Keckler, "A Variable Warp Size Architecture", ISCA 2015, section 6.3.
 */
#include "policy_gangs.h"

/* Where the next instruction of a context is. */
static u32 lpc_pc_of(const struct sched_view *v, u32 context)
{
	return v->slot[v->warp[context].slot].pc;
}

/* The lower PC goes first; then the older. */
static u64 lpc_merit(const struct sched_view *v, u32 entry)
{
	return ~lpc_pc_of(v, gang_lead(v, entry));
}

/* The same of single warps. */
static u32 lpc_order(const struct sched_view *v, const u64 *candidates)
{
	u32 best = NONE32;
	SET_EACH (i, candidates, v->m->words)
		if (best == NONE32 || v->slot[i].pc < v->slot[best].pc ||
		    (v->slot[i].pc == v->slot[best].pc && slot_age(v, i) < slot_age(v, best)))
			best = i;
	return best;
}

/* The PC decides, then the age. */
static u32 lpc_score(const struct sched_view *v, u32 slot, struct score *out)
{
	out[0] = (struct score){"pc", v->slot[slot].pc};
	out[1] = (struct score){"age", slot_age(v, slot)};
	return 2;
}

static bool lpc_gang(const struct sched_view *v, const u64 *ready, u64 *out)
{
	return gang_first(v, ready, out, lpc_merit);
}

const struct scheme scheme_lpc = {
	.name = "lpc",
	.paper = "Rogers, Johnson, O'Connor, Keckler, \"A Variable Warp Size Architecture\", ISCA 2015, section 6.3",
	.doc = "lowest program counter first, among gangs (hook gang) and among single warps (hook order)",
	.decide.gang = lpc_gang,
	.decide.order = lpc_order,
	.score = lpc_score,
	.uses_gangs = true,
	.sm_local = true,
};
