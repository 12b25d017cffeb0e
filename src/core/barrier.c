/*
 * barrier.c - the CTA's barrier: warps arrive as a whole; when every warp that has not ended is there, all go on.
 */
#include "core.h"

/* Let the warps of a complete barrier go; they are ready from the next cycle. */
static void release(struct sm_view *v, struct cta *cta)
{
	emit(v, EVENT_RELEASE, NONE16, NONE32, 0, cta->arrived, 0);
	cta->arrived = 0;
	SET_EACH(i, cta->contexts, CONTEXT_WORDS) {
		if (!v->warp[i].at_barrier)
			continue;
		v->warp[i].at_barrier = 0;
		slot_eval(v, i);
	}
}

/* Is the barrier of a CTA complete? (A warp arrived, or ended.) */
void barrier_check(struct sm_view *v, u32 cta_slot)
{
	struct cta *cta = &v->cta[cta_slot];
	if (cta->arrived && cta->arrived == cta->warps - cta->done)
		release(v, cta);
}

/* A warp arrives. */
void barrier_arrive(struct sm_view *v, u32 context)
{
	struct warp *w = &v->warp[context];
	struct cta *cta = &v->cta[w->cta];
	w->at_barrier = 1;
	cta->arrived++;
	v->sm->stat[STAT_BARRIERS]++;
	emit(v, EVENT_BARRIER, context, v->slot[w->slot].pc, 0, cta->arrived, cta->warps - cta->done);
	barrier_check(v, w->cta);
}
