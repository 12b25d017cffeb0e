/*
 * slots.c - which sets a warp slot is in: what its warp waits for, kept on change rather than scanned for.
 *
 * The first that applies of done, barrier, fence, fetch, long, short, else ready (warpstep(1), MODEL).
 */
#include "core.h"

/* Does an instruction name a register or predicate that is pending? Kernels of up to 64 registers need two words of five. */
static bool hazard(const u64 *pending, const struct inst *in, bool small)
{
	u64 any = (pending[0] & in->hazard[0]) | (pending[HAZARD_WORDS - 1] & in->hazard[HAZARD_WORDS - 1]);
	for (u32 i = 1; !small && i < HAZARD_WORDS - 1; i++)
		any |= pending[i] & in->hazard[i];
	return any != 0;
}

/* The set of a slot whose warp has instructions buffered. */
static enum slot_set wait_for_registers(const struct slot *s, const struct inst *in, bool small)
{
	if (hazard(s->pending_long, in, small))
		return SET_LONG;
	if (hazard(s->pending_short, in, small))
		return SET_SHORT;
	return SET_READY;
}

/* The one set among DONE .. READY that applies to a warp. */
static enum slot_set classify(const struct warp *w, const struct slot *s, const struct inst *in, bool small)
{
	if (!w->depth)
		return SET_DONE;
	if (w->at_barrier)
		return SET_BARRIER;
	if (w->at_fence)
		return SET_FENCE;
	if (!s->buffered)
		return SET_FETCH;
	return wait_for_registers(s, in, small);
}

/* Put the slot of a context into the sets that describe it now. */
void slot_eval(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	if (w->slot == NONE16)
		return;
	struct slot *s = &v->slot[w->slot];
	u32 words = v->m->words, word = w->slot / 64;
	u64 bit = 1ULL << (w->slot % 64), *set = v->sm->set + word;
	set[s->set * words] &= ~bit;
	set[SET_CONTROL * words] &= ~bit;
	set[SET_LOADS * words] &= ~bit;
	if (w->cta == NONE16)
		return;
	const struct kernel *k = view_kernel(v, context);
	const struct inst *in = &k->inst[s->pc < k->ninst ? s->pc : 0];
	s->set = (u8)classify(w, s, in, k->regs <= 64);
	set[s->set * words] |= bit;
	if (s->set != SET_READY)
		return;
	if (class_table[in->class].unit == UNIT_NONE)
		set[SET_CONTROL * words] |= bit;
	if (in->class == CLASS_LOAD || in->class == CLASS_ATOMIC)
		set[SET_LOADS * words] |= bit;
}

/* Note whether a fetch for a context may start. */
void slot_want(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	if (w->slot == NONE16)
		return;
	const struct slot *s = &v->slot[w->slot];
	u64 *want = sm_set(v, SET_WANT);
	u32 room = v->m->config.sm_ibuffer;
	u32 ask = min_u32(v->m->config.fetch_insts, room);
	if (w->depth && !s->fetching && s->buffered + ask <= room && s->fetch_pc < view_kernel(v, context)->ninst)
		SET_ADD(want, w->slot);
	else
		SET_DEL(want, w->slot);
}
