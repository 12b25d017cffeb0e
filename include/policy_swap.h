/*
 * policy_swap.h - what a policy sees of CTAs that change places: which active one waits for memory, which inactive one
 * may take its slots. For the engine and for policies in slot cta.swap.
 */
#ifndef WARPSTEP_POLICY_SWAP_H
#define WARPSTEP_POLICY_SWAP_H

#include "ops.h"
#include "policy.h"

/* One word of a set of slots of the SM. */
static inline u64 view_set(const struct sched_view *v, enum slot_set set, u32 word)
{
	return v->sm->set[set * v->m->words + word];
}

/* Does the next instruction of a slot in SET_LONG wait for a load or copy that missed or was refused, or for an atomic?
 * Never unless the slot is in missed_slots. */
static inline bool slot_missed(const struct sched_view *v, u32 slot)
{
	const u64 *missed = v->missed[slot].registers;
	const struct inst *in = slot_inst(v, slot);
	u64 any = 0;
	for (u32 i = 0; i < HAZARD_WORDS; i++)
		any |= missed[i] & in->hazard[i];
	return any || (in->op == OP_COPY_WAIT && SET_HAS(missed, HAZARD_COPIES));
}

/* The tracking counter of an active CTA: its warps that are stalled on memory. miss: hits of the L1D do not count. */
static inline u32 cta_stalled_warps(const struct sched_view *v, u32 cta, bool miss)
{
	u64 stalled[SLOT_WORDS] = {0};
	u32 n = 0;
	for (u32 i = 0; i < v->m->words; i++)
		stalled[i] = v->cta_slots[cta].slots[i] & view_set(v, SET_LONG, i);
	SET_EACH (slot, stalled, v->m->words)
		n += !miss || (SET_HAS(v->missed_slots, slot) && slot_missed(v, slot));
	return n;
}

/* Slots of an SM, as sets: those whose warps are stalled on memory; those whose warps could go on: they are not
 * stalled, and wait neither for other warps nor for lanes of their own for ever. */
struct slots_waiting {
	u64 stalled[SLOT_WORDS], going[SLOT_WORDS];
};

/* False: no warp is stalled, and `going` is not filled. words: v->m->words; miss: hits of the L1D stall nobody. */
static inline __attribute__((always_inline)) bool slots_wait(const struct sched_view *v, u32 words, bool miss,
							     struct slots_waiting *w)
{
	u64 any = 0;
	for (u32 i = 0; i < words; i++) {
		u64 all = v->sm->set[SET_LONG * words + i];
		w->stalled[i] = miss ? 0 : all;
		for (u64 left = miss ? all & v->missed_slots[i] : 0; left; left &= left - 1)
			if (slot_missed(v, i * 64 + (u32)__builtin_ctzll(left)))
				w->stalled[i] |= left & -left;
		any |= w->stalled[i];
	}
	for (u32 i = 0; any && i < words; i++)
		w->going[i] = ~(view_set(v, SET_DONE, i) | view_set(v, SET_BARRIER, i) | view_set(v, SET_FENCE, i) |
				view_set(v, SET_GANG, i) | w->stalled[i]);
	return any != 0;
}

/* Are all live warps of an active CTA stalled on memory? Those at a barrier or fence are if another is stalled (a
 * deviation of ours, see vt.c). */
static inline bool cta_waits(const struct sched_view *v, u32 words, u32 cta, const struct slots_waiting *w)
{
	const u64 *slots = v->cta_slots[cta].slots;
	u64 stalled = 0, going = 0;
	for (u32 i = 0; i < words; i++) {
		stalled |= slots[i] & w->stalled[i];
		going |= slots[i] & w->going[i];
	}
	return stalled && !going;
}
static inline bool cta_stalled(const struct sched_view *v, u32 cta, bool miss)
{
	struct slots_waiting w;
	return slots_wait(v, v->m->words, miss, &w) && cta_waits(v, v->m->words, cta, &w);
}

/* Would what an active CTA has in the re-execution queue find room among that of inactive ones? */
static inline bool reexec_room(const struct sched_view *v, u32 cta)
{
	u32 room = v->m->section[SECTION_REEXEC_INACTIVE].count, n = v->sm->reexec_inactive;
	for (u32 i = 0; room && i < v->sm->reexec_count; i++) {
		const struct memop *op = &v->memop[v->reexec[i].memop];
		const struct warp *w = &v->warp[op->context];
		n += w->cta == cta && w->generation == op->generation;
	}
	return n <= room;
}

/* May an active CTA give its slots away? It has warps that live, and what it has asked for can wait elsewhere. */
static inline bool cta_may_go(const struct sched_view *v, u32 cta)
{
	const struct sm *sm = v->sm;
	return !((sm->inactive | sm->free_ctas) >> cta & 1) && v->cta[cta].done < v->cta[cta].warps &&
	       reexec_room(v, cta);
}

/* Contexts of a CTA by sub-core, added to n. */
static inline void cta_subs(const struct sched_view *v, u32 cta, i32 sign, i32 *n)
{
	SET_EACH (i, v->cta[cta].contexts, CONTEXT_WORDS)
		n[i % v->m->config.sm_subcores] += sign;
}

/* Has every sub-core slots left for an inactive CTA, if an active one goes? */
static inline bool subs_take(const struct sched_view *v, u32 out, u32 in)
{
	i32 left[MAX_SUBCORES] = {0};
	bool less = true;
	cta_subs(v, out, 1, left);
	cta_subs(v, in, -1, left);
	for (u32 i = 0; i < v->m->config.sm_subcores; i++) {
		less &= left[i] >= 0;
		left[i] += (i32)v->m->slots_per_sub;
	}
	if (less)
		return true;
	for (u64 set = active_places(v->m, v->sm); set; set &= set - 1)
		cta_subs(v, (u32)__builtin_ctzll(set), -1, left);
	for (u32 i = 0; i < v->m->config.sm_subcores; i++)
		if (left[i] < 0)
			return false;
	return true;
}

/* Do scheduling limits let an inactive CTA that is ready have the slots of an active one? */
static inline bool cta_takes_slots(const struct sched_view *v, u32 out, u32 in)
{
	u32 more = (v->cta[in].warps - v->cta[out].warps) * v->m->lanes;
	return v->sm->ready >> in & 1 && v->sm->threads + more <= config_threads(&v->m->config) &&
	       subs_take(v, out, in);
}

/* The inactive CTAs that are ready and could have the slots of an active one, how many. */
static inline u32 cta_takers(const struct sched_view *v, u32 out)
{
	u32 n = 0;
	for (u64 left = v->sm->ready; left; left &= left - 1)
		n += cta_takes_slots(v, out, (u32)__builtin_ctzll(left));
	return n;
}

/* Of the CTAs of an SM that are ready for slots, how many have been for longer than one of them. ctas: by place. */
static inline u32 ready_before(const struct sm *sm, const struct cta *ctas, u32 place)
{
	u32 n = 0;
	for (u64 left = sm->ready; left; left &= left - 1)
		n += ctas[__builtin_ctzll(left)].ready < ctas[place].ready;
	return n;
}

/* May an active CTA give its slots to an inactive one? */
static inline bool cta_swap_fits(const struct sched_view *v, u32 out, u32 in)
{
	return cta_may_go(v, out) && cta_takes_slots(v, out, in);
}

#endif
