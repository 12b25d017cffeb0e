/*
 * resident.c - residents and slots: a context owns registers from its CTA's admission to its end; it has a scheduler
 * slot only while the CTA is active.
 *
 * A context's sub-core is fixed at admission, for life; when its CTA becomes active it gets the lowest free slot there.
 * With a slot go the instruction buffer, the scoreboard and the scheduler position; all else of a warp is its
 * context's: SIMT stack, barriers, fences, what is in flight. A context that gives its slot back loses what was
 * fetched, and the scoreboard becomes a number: the registers that results on their way will still write. What has
 * issued goes by context and generation, in collector units, the LSU and the wheel, and knows nothing of slots: its
 * answers arrive as ever; a CTA may become active again when none is left: the engine gives free slots to the oldest
 * inactive CTA that is ready, before it lets in new ones. Source: VWI and PWI of Yoon et al., "Virtual Thread", ISCA
 * 2016.
 */
#include "core.h"

#include <string.h>

/* The slots of an SM that no context holds. */
static void free_slots(struct sm_view *v, u64 *out)
{
	for (u32 i = 0; i < v->m->words; i++) {
		u64 held = 0;
		for (u32 s = SET_DONE; s <= SET_READY; s++)
			held |= sm_set(v, s)[i];
		out[i] = ~held;
	}
}

void slots_left(struct sm_view *v, u32 *left)
{
	u64 open[SLOT_WORDS];
	free_slots(v, open);
	for (u32 k = 0; k < v->m->config.sm_subcores; k++) {
		left[k] = 0;
		for (u32 i = 0; i < v->m->words; i++)
			left[k] += (u32)__builtin_popcountll(open[i] & v->part[k].pool[i]);
	}
}

/* The lowest free slot of a sub-core, NONE32: none. */
static u32 lowest_free(struct sm_view *v, u32 sub)
{
	u64 open[SLOT_WORDS];
	free_slots(v, open);
	for (u32 i = 0; i < v->m->words; i++)
		open[i] &= v->part[sub].pool[i];
	return set_first(open, v->m->words);
}

void slot_take(struct sm_view *v, u32 context)
{
	struct warp *w = &v->warp[context];
	u32 slot = lowest_free(v, view_sub(v, context));
	INVARIANT(w->slot == NONE16 && slot != NONE32 && v->slot[slot].context == NONE16 && !w->pending);
	struct slot *s = &v->slot[slot];
	memset(s, 0, sizeof *s);
	s->context = (u16)context;
	s->pc = s->fetch_pc = v->stack[context * SIMT_DEPTH + (w->depth ? w->depth - 1 : 0)].pc;
	w->slot = (u16)slot;
	marks_take(v, context);
	kernel_slot(v, slot, w->launch, true);
	slot_moved(v, context);
}

/* What was fetched for a slot in this cycle is not decoded. */
static void forget_decode(struct sm_view *v, struct sub *sub, u32 slot)
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

/* Members of a scoreboard's sets. */
static u32 bits(const u64 *pending)
{
	u32 n = 0;
	for (u32 i = 0; i < HAZARD_WORDS; i++)
		n += (u32)__builtin_popcountll(pending[i]);
	return n;
}

void slot_give(struct sm_view *v, u32 context)
{
	struct warp *w = &v->warp[context];
	struct slot *s = &v->slot[w->slot];
	INVARIANT(w->slot != NONE16 && s->context == context);
	for (u32 k = 0; k < SET_COUNT; k++)
		SET_DEL(sm_set(v, k), w->slot);
	forget_decode(v, &v->sub[view_sub(v, context)], w->slot);
	l1i_forget(v, context);
	kernel_slot(v, w->slot, w->launch, false);
	w->pending = (u16)(bits(s->pending_long) + bits(s->pending_short));
	memset(s, 0, sizeof *s);
	s->context = w->slot = NONE16;
}

void slotless_write(struct sm_view *v, u32 context, const struct inst *in)
{
	u64 written[HAZARD_WORDS] = {0};
	u32 n;
	struct warp *w = &v->warp[context];
	inst_written(in, written);
	n = bits(written);
	INVARIANT(w->pending >= n);
	w->pending = (u16)(w->pending - n);
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
static void wake(struct sm_view *v)
{
	sm_account_sleep(v, view_cycle(v) + 1);
	v->sleep->until = min_u64(v->sleep->until, view_cycle(v) + 1);
	v->sleep->refused = 0;
}

void slot_unsee(struct sm_view *v, u32 slot)
{
	for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
		SET_DEL(sm_seen(v, k), slot);
}

u32 cta_pending(const struct sm_view *v, u32 cta)
{
	u32 n = 0;
	SET_EACH (i, v->cta[cta].contexts, CONTEXT_WORDS)
		n += v->warp[i].pending;
	return n;
}

bool cta_fits_slots(struct sm_view *v, u32 cta_slot)
{
	const struct cta *cta = &v->cta[cta_slot];
	const struct config *c = &v->m->config;
	u32 left[MAX_SUBCORES];
	if (active_ctas(v->sm) >= c->sm_ctas || v->sm->threads + cta->warps * v->m->lanes > c->sm_threads)
		return false;
	slots_left(v, left);
	SET_EACH (i, cta->contexts, CONTEXT_WORDS)
		if (!left[view_sub(v, i)]--)
			return false;
	return true;
}

/* The oldest inactive CTA of an SM that is ready and for which there are slots; NONE32: none. */
static u32 next_active(struct sm_view *v)
{
	u32 best = NONE32;
	u64 oldest = NEVER;
	for (u64 left = v->sm->inactive; left; left &= left - 1) {
		u32 i = (u32)__builtin_ctzll(left);
		u64 age = v->warp[set_first(v->cta[i].contexts, CONTEXT_WORDS)].age;
		if (age > oldest || cta_pending(v, i) || !cta_fits_slots(v, i))
			continue;
		best = i;
		oldest = age;
	}
	return best;
}

void residents_go_on(struct sim *s)
{
	SET_EACH (i, machine_gpu(s->m)->inactive_set, 4) {
		struct sm_view *v = &s->view[i];
		for (u32 cta = next_active(v); cta != NONE32; cta = next_active(v))
			cta_activate(v, cta);
		if (!v->sm->inactive)
			SET_DEL(v->gpu->inactive_set, i);
	}
}

void cta_activate(struct sm_view *v, u32 cta_slot)
{
	struct cta *cta = &v->cta[cta_slot];
	INVARIANT(v->sm->inactive >> cta_slot & 1 && cta_fits_slots(v, cta_slot) && !cta_pending(v, cta_slot));
	wake(v);
	SET_EACH (i, cta->contexts, CONTEXT_WORDS) {
		context_aside(v, i, false);
		slot_take(v, i);
		slot_unsee(v, v->warp[i].slot);
	}
	v->sm->inactive &= ~(1ULL << cta_slot);
	v->sm->threads += cta->warps * v->m->lanes;
}

void cta_deactivate(struct sm_view *v, u32 cta_slot)
{
	struct cta *cta = &v->cta[cta_slot];
	INVARIANT(!(v->sm->inactive >> cta_slot & 1) && cta->done < cta->warps);
	wake(v);
	SET_EACH (i, cta->contexts, CONTEXT_WORDS) {
		slot_unsee(v, v->warp[i].slot);
		results_forget(v, i);
		slot_give(v, i);
		v->warp[i].tenure++;
		context_aside(v, i, true);
	}
	v->sm->inactive |= 1ULL << cta_slot;
	SET_ADD(v->gpu->inactive_set, v->id);
	v->sm->threads -= cta->warps * v->m->lanes;
}
