/*
 * gangs_sync.c - pieces of a warp wait for each other where the sides of a branch meet (vws.sync).
 *
 * A piece, a gang or a slice alone, whose next instruction is where a branch of the program reconverges does not issue
 * it for so many cycles after it has come there, unless all slices of its warp that have not ended are in the piece.
 * Of slices that came there at different times and are one gang by now the first to come decides. Recorded traces name
 * no such places. Source: Rogers, Johnson, O'Connor, Keckler, "A Variable Warp Size Architecture", ISCA 2015, section
 * 6.4: E-VWS-Sync<xx>. Deviation: there an instruction of its own waits, here the one that the sides have in common.
 */
#include "policy_gangs.h"
#include "gangs/gangs.h"

/* The slices of a warp that have not ended and are not in a piece of it. */
static u32 gangs_sync_absent(const struct sm_view *v, u32 first, u32 piece)
{
	u32 out = 0;
	for (u32 k = 0; k < 1u << v->m->parent_shift; k++)
		out |= (u32)(v->warp[first + k].depth != 0) << k;
	return out & ~piece;
}

/* The first cycle in which a slice's piece may issue for want of nothing but the rest of its warp, 0: nothing like
 * that; missing: the slices that the piece lacks. */
static u64 gangs_sync_until(const struct sm_view *v, u32 context, u32 *missing)
{
	const struct config *c = &v->m->config;
	const struct warp *w = &v->warp[context];
	u32 piece, first = context & ~((1u << v->m->parent_shift) - 1);
	u64 came = NEVER;
	*missing = 0;
	if (!v->m->policy_gangs || !c->vws_reform || !c->vws_sync || w->slot == NONE16 || !w->depth ||
	    !(view_kernel(v, context)->inst[v->slot[w->slot].pc].flow & FLOW_JOINS))
		return 0;
	const struct gang *g = gang_of(v, context);
	piece = g ? g->mask : 1u << (context - first);
	*missing = gangs_sync_absent(v, first, piece);
	for (u32 left = piece; left; left &= left - 1) {
		u32 slot = v->warp[first + (u32)__builtin_ctz(left)].slot;
		came = slot == NONE16 ? came : min_u64(came, v->slot[slot].since);
	}
	return *missing ? came + 1 + c->vws_sync : 0;
}

u64 sim_warp_sync(const struct sim *s, u32 sm, u32 context, u32 *missing)
{
	return gangs_sync_until(&s->view[sm], context, missing);
}

void gangs_sync(struct sm_view *v, u64 *ready, u64 *waits)
{
	u64 all[SLOT_WORDS];
	if (!v->m->config.vws_reform || !v->m->config.vws_sync)
		return;
	memcpy(all, ready, sizeof all);
	SET_EACH (slot, all, v->m->words) {
		u32 missing;
		if (view_cycle(v) >= gangs_sync_until(v, v->slot[slot].context, &missing))
			continue;
		SET_DEL(ready, slot);
		SET_ADD(waits, slot);
		v->sm->stat[STAT_GANG_SYNC]++;
		v->sleep->active = 1; /* its time is over while nothing else happens */
	}
}
