/*
 * resident.c - residents and slots: a context owns registers from its CTA's admission to its end; it has a scheduler
 * slot only while the CTA is active.
 *
 * A context's sub-core is fixed at admission, for life; when its CTA becomes active it gets the lowest free slot there.
 * With a slot go the instruction buffer, the scoreboard and the scheduler position; all else of a warp is its
 * context's: SIMT stack, barriers, fences, what is in flight. A context that gives its slot back loses what was
 * fetched, and the scoreboard becomes a number: the registers that results on their way will still write. What has
 * issued goes by context and generation, in collector units, the LSU and the wheel, and knows nothing of slots: its
 * answers arrive as ever; a CTA may become active again when none is left and its context has been saved (swap.c).
 * Source: VWI and PWI of Yoon et al., "Virtual Thread", ISCA
 * 2016.
 */
#include "blocks/blocks.h"
#include "state/slices.h"
#include "policy_swap.h"

/* The slots of an SM that no context holds. */
static void resident_free_slots(struct sm_view *v, u64 *out)
{
	for (u32 i = 0; i < v->m->words; i++) {
		u64 held = sm_set(v, SET_GANG)[i];
		for (u32 s = SET_DONE; s <= SET_READY; s++)
			held |= sm_set(v, s)[i];
		out[i] = ~held;
	}
}

void slots_left(struct sm_view *v, u32 *left)
{
	u64 open[SLOT_WORDS];
	resident_free_slots(v, open);
	for (u32 k = 0; k < v->m->config.sm_subcores; k++) {
		left[k] = 0;
		for (u32 i = 0; i < v->m->words; i++)
			left[k] += (u32)__builtin_popcountll(open[i] & v->part[k].pool[i]);
	}
}

/* The lowest free slot of a sub-core, NONE32: none. */
static u32 resident_lowest_free(struct sm_view *v, u32 sub)
{
	u64 open[SLOT_WORDS];
	resident_free_slots(v, open);
	for (u32 i = 0; i < v->m->words; i++)
		open[i] &= v->part[sub].pool[i];
	return set_first(open, v->m->words);
}

void slot_take(struct sm_view *v, u32 context)
{
	struct warp *w = &v->warp[context];
	u32 slot = resident_lowest_free(v, view_sub(v, context));
	INVARIANT(w->slot == NONE16 && slot != NONE32 && v->slot[slot].context == NONE16 && !w->pending);
	struct slot *s = &v->slot[slot];
	memset(s, 0, sizeof *s);
	s->context = (u16)context;
	s->fetching = w->stuck;
	s->pc = s->fetch_pc = v->stack[context * SIMT_DEPTH + (w->depth ? w->depth - 1 : 0)].pc;
	w->slot = (u16)slot;
	if (sliced(v))
		v->slices->slot(v, context, true);
	SET_ADD(v->cta_slots[w->cta].slots, slot);
	v->missed[slot] = (struct missed){0};
	SET_DEL(v->sleep->missed, slot);
	v->sleep->marked = 0;
	marks_take(v, context);
	kernel_slot(v, slot, w->launch, true);
	slot_moved(v, context);
	if (notice_subscribed(v, NOTICE_SLOT))
		notify(v, &(struct notice){.kind = NOTICE_SLOT, .context = (u16)context});
}

/* What was fetched for a slot in this cycle is not decoded. */
static void resident_forget_decode(struct sm_view *v, struct sub *sub, u32 slot)
{
	u32 n = 0;
	for (u32 i = 0; i < sub->ndecode; i++) {
		if (sub->decode_slot[i] == slot)
			continue;
		sub->decode_slot[n] = sub->decode_slot[i];
		sub->decode_count[n++] = sub->decode_count[i];
	}
	v->sm->decoding -= sub->ndecode - n;
	sub->ndecode = (u8)n;
}

void slot_give(struct sm_view *v, u32 context)
{
	struct warp *w = &v->warp[context];
	struct slot *s = &v->slot[w->slot];
	INVARIANT(w->slot != NONE16 && s->context == context);
	for (u32 k = 0; k < SET_COUNT; k++)
		SET_DEL(sm_set(v, k), w->slot);
	if (sliced(v))
		v->slices->slot(v, context, false);
	resident_forget_decode(v, &v->sub[view_sub(v, context)], w->slot);
	l1i_forget(v, context);
	kernel_slot(v, w->slot, w->launch, false);
	SET_DEL(v->cta_slots[w->cta].slots, w->slot);
	w->pending = (u16)(hazards_count(s->pending_long) + hazards_count(s->pending_short));
	memset(s, 0, sizeof *s);
	s->context = w->slot = NONE16;
}

void context_aside(struct sm_view *v, u32 context, bool aside)
{
	struct sub *sub = &v->sub[view_sub(v, context)];
	int n = aside ? 1 : -1;
	if (!v->warp[context].depth) {
		v->sm->ended = (u16)(v->sm->ended + n);
		return;
	}
	v->sm->swapped = (u16)(v->sm->swapped + n);
	sub->swapped = (u16)(sub->swapped + n);
}

/* The residents of an SM change behind its issue stage: this cycle is counted as it was, and the SM is visited in the
 * next. */
static void resident_wake(struct sm_view *v)
{
	sm_account_sleep(v, view_cycle(v) + 1);
	sm_account_held(v);
	v->sleep->until = min_u64(v->sleep->until, view_cycle(v) + 1);
	v->sleep->active = 1;
	v->sleep->refused = 0;
}

void slot_unsee(struct sm_view *v, u32 slot)
{
	for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
		SET_DEL(sm_seen(v, k), slot);
}

bool cta_fits_slots(struct sm_view *v, u32 cta_slot)
{
	const struct cta *cta = &v->cta[cta_slot];
	const struct config *c = &v->m->config;
	u32 left[MAX_SUBCORES];
	if (active_ctas(v->sm) >= config_active(c) || v->sm->threads + cta->warps * v->m->lanes > config_threads(c))
		return false;
	slots_left(v, left);
	SET_EACH (i, cta->contexts, CONTEXT_WORDS)
		if (!left[view_sub(v, i)]--)
			return false;
	return true;
}

/* An inactive CTA gets slots; if it has been active before, its context is to be restored first. */
static void resident_take_slots(struct sm_view *v, u32 cta_slot)
{
	struct cta *cta = &v->cta[cta_slot];
	u64 bit = 1ULL << cta_slot;
	INVARIANT(v->sm->ready & bit && !cta->pending && !cta->save);
	cta->restore = cta->kept ? context_cycles(&v->m->config, cta->warps) : 0;
	cta->kept = 0;
	cta->ready = 0;
	cta->moved = view_cycle(v) + 1;
	v->sm->ready &= ~bit;
	v->sm->inactive &= ~bit;
	v->sm->restoring |= cta->restore ? bit : 0;
	v->sm->threads += cta->warps * v->m->lanes;
	SET_EACH (i, cta->contexts, CONTEXT_WORDS) {
		context_aside(v, i, false);
		slot_take(v, i);
		slot_unsee(v, v->warp[i].slot);
	}
}

/* An active CTA gives its slots back. One whose context was still being restored has it kept as it was. */
static void resident_give_slots(struct sm_view *v, u32 cta_slot)
{
	struct cta *cta = &v->cta[cta_slot];
	u64 bit = 1ULL << cta_slot;
	INVARIANT(!(v->sm->inactive & bit) && cta->done < cta->warps);
	SET_EACH (i, cta->contexts, CONTEXT_WORDS) {
		slot_unsee(v, v->warp[i].slot);
		results_forget(v, i);
		slot_give(v, i);
		v->warp[i].tenure++;
		context_aside(v, i, true);
		cta->pending = (u16)(cta->pending + v->warp[i].pending);
	}
	cta->save = v->sm->restoring & bit ? 0 : context_cycles(&v->m->config, cta->warps);
	cta->restore = 0;
	cta->kept = 1;
	cta->moved = view_cycle(v) + 1;
	v->sm->restoring &= ~bit;
	v->sm->saving |= cta->save ? bit : 0;
	v->sm->inactive |= bit;
	v->sm->threads -= cta->warps * v->m->lanes;
	reexec_leave(v, cta_slot);
	cta_ready(v, cta_slot);
}

void cta_activate(struct sm_view *v, u32 cta_slot)
{
	INVARIANT(cta_fits_slots(v, cta_slot));
	resident_wake(v);
	resident_take_slots(v, cta_slot);
	region_settle(v);
}

void cta_deactivate(struct sm_view *v, u32 cta_slot)
{
	bool room = cta_may_go(v->look, cta_slot) && region_grow(v, 1, v->cta[cta_slot].warps, 0);
	INVARIANT(room);
	resident_wake(v);
	resident_give_slots(v, cta_slot);
}

void cta_swap(struct sm_view *v, u32 out, u32 in)
{
	resident_wake(v);
	resident_give_slots(v, out);
	resident_take_slots(v, in);
}
