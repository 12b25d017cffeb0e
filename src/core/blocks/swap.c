/*
 * swap.c - stage swap: CTAs change places. Those that have no warp slots wait until they are ready, and get slots that
 * are free, or those of another.
 *
 * An inactive CTA is ready when no result on its way is to write a register of it and its context has been saved; one
 * that came without slots is ready at once. The first that was ready is the first to get slots that are free, before
 * a new CTA comes. Who else changes places is a policy's choice (slot cta.swap). Contexts move through the port of
 * shared memory in cycles in which its banks are idle, one at a time: those that are restored first, then those that
 * are saved, each in the order of the swaps. The slots of a CTA whose context is being restored are held; saving goes
 * on in the background. Source: the virtual thread controller of Yoon et al., "Virtual Thread", ISCA 2016, section
 * IV.A.
 */
#include "policy_swap.h"

#include "blocks/blocks.h"

void cta_comes_inactive(struct sm_view *v, u32 cta_slot)
{
	v->sm->inactive |= 1ULL << cta_slot;
	cta_ready(v, cta_slot);
}

void swap_forget(struct sm_view *v, u32 cta_slot)
{
	u64 keep = ~(1ULL << cta_slot);
	v->sm->inactive &= keep;
	v->sm->ready &= keep;
	v->sm->saving &= keep;
	v->sm->restoring &= keep;
}

/* Of some CTAs, the one that changed places first. */
static u32 swap_first_moved(const struct sm_view *v, u64 set)
{
	u32 best = (u32)__builtin_ctzll(set);
	for (; set; set &= set - 1) {
		u32 i = (u32)__builtin_ctzll(set);
		if (v->cta[i].moved < v->cta[best].moved)
			best = i;
	}
	return best;
}

/* A cycle of the port of shared memory, if its banks leave it idle, for the first context that moves. */
static void swap_transfer(struct sm_view *v)
{
	struct sm *sm = v->sm;
	u64 set = sm->restoring ? sm->restoring : sm->saving;
	v->sleep->active = 1;
	sm->stat[STAT_VT_SWAP_CYCLES] += (u64)__builtin_popcountll(sm->restoring);
	if (sm->shared_busy > view_cycle(v))
		return;
	u32 i = swap_first_moved(v, set);
	if (sm->restoring && !--v->cta[i].restore) {
		sm->restoring &= ~(1ULL << i);
		marks_restored(v, i);
	} else if (!sm->restoring && !--v->cta[i].save) {
		sm->saving &= ~(1ULL << i);
		cta_ready(v, i);
	}
}

/* The CTA that was ready first of those for which there are slots; NONE32: none. */
static u32 swap_next_active(struct sm_view *v)
{
	const struct config *c = &v->m->config;
	u32 best = NONE32;
	if (active_ctas(v->sm) >= config_active(c) || v->sm->threads + v->m->lanes > config_threads(c))
		return NONE32;
	for (u64 left = v->sm->ready; left; left &= left - 1) {
		u32 i = (u32)__builtin_ctzll(left);
		if ((best == NONE32 || v->cta[i].ready < v->cta[best].ready) && cta_fits_slots(v, i))
			best = i;
	}
	return best;
}

/* A CTA gets slots. */
static void swap_note_in(struct sm_view *v, u32 cta_slot)
{
	emit_cta_record(v, EVENT_SWAP_IN, cta_slot, v->cta[cta_slot].restore, cta_slot);
}

void slots_hand_on(struct sm_view *v)
{
	for (u32 cta = v->sm->ready ? swap_next_active(v) : NONE32; cta != NONE32; cta = swap_next_active(v)) {
		cta_activate(v, cta);
		swap_note_in(v, cta);
	}
}

/* CTAs change places as the policy says, each of those that are ready once at most. */
static void swap_ask(struct sm_view *v, const struct scheme *x)
{
	for (u64 left = v->sm->ready; left && v->sm->ready; left &= left - 1) {
		struct swap s = x->decide.cta_swap(v->look);
		if (s.out == NONE32)
			return;
		INVARIANT(s.out < v->m->residents && s.in < v->m->residents && cta_swap_fits(v->look, s.out, s.in));
		v->sm->stat[STAT_VT_SWAPS]++;
		cta_swap(v, s.out, s.in);
		emit_cta_record(v, EVENT_SWAP_OUT, s.out, v->cta[s.out].pending, s.out);
		swap_note_in(v, s.in);
	}
}

/* Stage swap. */
void swap_go_on(struct sm_view *v)
{
	struct sm *sm = v->sm;
	const struct scheme *x;
	if (sm->moving)
		move_line(v);
	if (sm->restoring | sm->saving)
		swap_transfer(v);
	if (!sm->ready)
		return;
	if (active_ctas(sm) < config_active(&v->m->config))
		slots_hand_on(v);
	x = policy_one(v->m, POLICY_cta_swap);
	if (!x || !sm->ready)
		return;
	swap_ask(v, x);
	v->sleep->active |= !x->sm_local;
}
