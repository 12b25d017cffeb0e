/*
 * marks.c - CTAs that are halted and CTAs that are paused: what their warps may do, as sets of slots that the issue and
 * fetch stages heed.
 *
 * A warp of a halted CTA does not issue nor fetch; what is in flight of it goes on. So it is with one whose CTA's
 * context is being restored, which is held and not preempting. One of a paused CTA issues only where its scheduler
 * finds no other; beside one that drains all others are paused. The marks belong to the CTA, whether it has slots or
 * not, and go with it.
 */
#include "blocks/blocks.h"

/* The slots of a CTA join a set, or leave it. */
static void marks_mark(struct sm_view *v, u32 cta, enum slot_set set, bool on)
{
	SET_EACH (i, v->cta[cta].contexts, CONTEXT_WORDS) {
		u32 slot = v->warp[i].slot;
		if (slot == NONE16)
			continue;
		if (on)
			SET_ADD(sm_set(v, set), slot);
		else
			SET_DEL(sm_set(v, set), slot);
	}
}

/* The SM looks again in the next cycle. */
static void marks_wake(struct sm_view *v)
{
	v->sleep->until = min_u64(v->sleep->until, view_cycle(v) + 1);
	v->sleep->refused = 0;
}

void cta_halt(struct sm_view *v, u32 cta, bool on)
{
	u64 bit = 1ULL << cta;
	INVARIANT(!(v->sm->free_ctas & bit));
	v->sm->halted = on ? v->sm->halted | bit : v->sm->halted & ~bit;
	marks_mark(v, cta, SET_HALTED, on || v->sm->restoring & bit);
	marks_mark(v, cta, SET_RESTORING, !on && v->sm->restoring & bit);
	marks_wake(v);
}

void ctas_pause(struct sm_view *v, u64 ctas, bool tell)
{
	u64 changed = (ctas &= cta_places(v)) ^ v->sm->paused;
	if (!changed)
		return;
	v->sm->paused = ctas;
	for (; changed; changed &= changed - 1) {
		u32 i = (u32)__builtin_ctzll(changed);
		bool on = ctas >> i & 1;
		marks_mark(v, i, SET_PAUSED, on);
		v->bounds->paused_at[i] = on ? v->gpu->cycle + 1 : 0;
		if (tell)
			emit_cta_record(v, on ? EVENT_PAUSE : EVENT_RESUME, i, v->cta[i].warps,
					(u32)__builtin_popcountll(ctas));
	}
	marks_wake(v);
}

void ctas_pause_again(struct sm_view *v, bool tell)
{
	u64 ctas = 0;
	POLICY_EACH (x, v->m, POLICY_cta_pause)
		ctas |= x->decide.cta_pause(v->look);
	if (v->sm->draining)
		ctas = ~v->sm->draining;
	ctas_pause(v, ctas, tell);
}

void marks_take(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	if ((v->sm->halted | v->sm->restoring) >> w->cta & 1)
		SET_ADD(sm_set(v, SET_HALTED), w->slot);
	if (v->sm->restoring & ~v->sm->halted & 1ULL << w->cta)
		SET_ADD(sm_set(v, SET_RESTORING), w->slot);
	if (v->sm->paused >> w->cta & 1)
		SET_ADD(sm_set(v, SET_PAUSED), w->slot);
}

void marks_restored(struct sm_view *v, u32 cta)
{
	marks_mark(v, cta, SET_RESTORING, false);
	marks_mark(v, cta, SET_HALTED, v->sm->halted >> cta & 1);
}

void marks_forget(struct sm_view *v, u32 cta)
{
	v->sm->halted &= ~(1ULL << cta);
	v->sm->paused &= ~(1ULL << cta);
	v->sm->draining &= ~(1ULL << cta);
	v->bounds->paused_at[cta] = 0;
}
