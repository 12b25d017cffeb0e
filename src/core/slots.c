/*
 * slots.c - which sets a warp slot is in: what its warp waits for, kept on change rather than scanned for.
 *
 * The first that applies of done, barrier, fence, gang (every path waits for others), fetch, long, short, else ready
 * (warpstep(1), MODEL).
 */
#include "core.h"

/* Does an instruction name a register or predicate that is pending? Kernels of up to 64 registers need two words of
 * five. */
static inline bool hazard(const u64 *pending, const struct inst *in, bool small)
{
	u64 any = (pending[0] & in->hazard[0]) | (pending[HAZARD_WORDS - 1] & in->hazard[HAZARD_WORDS - 1]);
	for (u32 i = 1; !small && i < HAZARD_WORDS - 1; i++)
		any |= pending[i] & in->hazard[i];
	return any != 0;
}

/* The set of a slot whose warp has instructions buffered. */
static inline enum slot_set wait_for_registers(const struct slot *s, const struct inst *in, bool small)
{
	if (hazard(s->pending_long, in, small))
		return SET_LONG;
	if (hazard(s->pending_short, in, small))
		return SET_SHORT;
	return SET_READY;
}

/* The one set among DONE .. READY and GANG that applies to a warp. */
static inline enum slot_set classify(const struct warp *w, const struct slot *s, const struct inst *in, bool small)
{
	if (!w->depth)
		return SET_DONE;
	if (w->at_barrier)
		return SET_BARRIER;
	if (w->at_fence)
		return SET_FENCE;
	if (!s->buffered) /* a warp that is stuck fetches nothing */
		return w->stuck ? SET_GANG : SET_FETCH;
	return wait_for_registers(s, in, small);
}

/* The number of words of a set is a constant in the common case (64 slots or fewer). */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Put a slot into the sets that describe its warp now. */
ALWAYS_INLINE void eval(struct sm_view *v, const struct warp *w, struct slot *s, u32 words)
{
	u64 bit = 1ULL << (w->slot % 64), *set = v->sm->set + w->slot / 64 % words;
	set[s->set * words] &= ~bit;
	set[SET_CONTROL * words] &= ~bit;
	set[SET_LOADS * words] &= ~bit;
	if (w->cta == NONE16)
		return;
	const struct kernel *k = v->sim->kernel[w->launch];
	const struct inst *in = &k->inst[s->pc < k->ninst ? s->pc : 0];
	u32 now = classify(w, s, in, k->regs <= 64);
	s->set = (u8)now;
	set[now * words] |= bit;
	if (now != SET_READY)
		return;
	u64 *global = v->global + w->slot / 64 % words;
	bool touches = k->front == FRONT_PTX && (in->space == SPACE_GLOBAL || in->space == SPACE_GENERIC);
	*global = touches ? *global | bit : *global & ~bit;
	if (class_unit[in->class] == UNIT_NONE)
		set[SET_CONTROL * words] |= bit;
	if (in->class == CLASS_LOAD || in->class == CLASS_ATOMIC || in->op == OP_STEP)
		set[SET_LOADS * words] |= bit;
}

/* Note whether a fetch for a slot may start. */
ALWAYS_INLINE void want(struct sm_view *v, const struct warp *w, const struct slot *s, u32 words)
{
	const struct config *c = &v->m->config;
	u32 room = c->sm_ibuffer, ask = min_u32(c->fetch_insts, room);
	u64 bit = 1ULL << (w->slot % 64), *set = v->sm->set + SET_WANT * words + w->slot / 64 % words;
	if (w->depth && !s->fetching && s->buffered + ask <= room && s->fetch_pc < v->sim->kernel[w->launch]->ninst)
		*set |= bit;
	else
		*set &= ~bit;
}

void slot_eval(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	if (w->slot == NONE16)
		return;
	if (v->m->words == 1)
		eval(v, w, &v->slot[w->slot], 1);
	else
		eval(v, w, &v->slot[w->slot], v->m->words);
}

void slot_want(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	if (w->slot == NONE16)
		return;
	if (v->m->words == 1)
		want(v, w, &v->slot[w->slot], 1);
	else
		want(v, w, &v->slot[w->slot], v->m->words);
}

/* Slots in each of the sets that follow from registers. */
struct waits {
	u64 set[SET_READY - SET_FETCH + 1][SLOT_WORDS];
};

/* Sort slices by the set that applies now; their slots, out of `all`. */
static void sort(struct sm_view *v, u32 first, u32 mask, const struct inst *in, bool small, struct waits *to, u64 *all)
{
	for (u32 left = mask; left; left &= left - 1) {
		u32 slot = v->warp[first + (u32)__builtin_ctz(left)].slot;
		struct slot *s = &v->slot[slot];
		s->set = (u8)(s->buffered ? wait_for_registers(s, in, small) : SET_FETCH);
		SET_ADD(to->set[s->set - SET_FETCH], slot);
		SET_ADD(all, slot);
	}
}

void slots_moved(struct sm_view *v, u32 first, u32 mask)
{
	const struct warp *w = &v->warp[first + (u32)__builtin_ctz(mask)];
	const struct slot *s = &v->slot[w->slot];
	const struct kernel *k = v->sim->kernel[w->launch];
	const struct inst *in = &k->inst[s->pc < k->ninst ? s->pc : 0];
	struct waits to = {0};
	u64 all[SLOT_WORDS] = {0}, *set = v->sm->set;
	u32 n = v->m->words, c = v->m->config.sm_ibuffer, ask = min_u32(v->m->config.fetch_insts, c);
	bool touches = k->front == FRONT_PTX && (in->space == SPACE_GLOBAL || in->space == SPACE_GENERIC);
	bool control = class_unit[in->class] == UNIT_NONE, wants = !s->fetching && s->buffered + ask <= c;
	bool loads = in->class == CLASS_LOAD || in->class == CLASS_ATOMIC || in->op == OP_STEP;
	sort(v, first, mask, in, k->regs <= 64, &to, all);
	wants = wants && s->fetch_pc < k->ninst;
	for (u32 i = 0; i < n; i++) {
		u64 gone = ~all[i], ready = to.set[SET_READY - SET_FETCH][i];
		set[SET_READY * n + i] &= gone;
		for (u32 x = SET_FETCH; x <= SET_READY; x++)
			set[x * n + i] |= to.set[x - SET_FETCH][i];
		set[SET_CONTROL * n + i] = (set[SET_CONTROL * n + i] & gone) | (control ? ready : 0);
		set[SET_LOADS * n + i] = (set[SET_LOADS * n + i] & gone) | (loads ? ready : 0);
		set[SET_WANT * n + i] = (set[SET_WANT * n + i] & gone) | (wants ? all[i] : 0);
		v->global[i] = touches ? v->global[i] | ready : v->global[i] & ~ready;
	}
}

void slot_woken(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	struct slot *s = &v->slot[w->slot];
	if (s->set != SET_LONG && s->set != SET_SHORT)
		return;
	if (v->m->words == 1)
		eval(v, w, s, 1);
	else
		eval(v, w, s, v->m->words);
}

void slot_decoded(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	struct slot *s = &v->slot[w->slot];
	bool empty = s->set == SET_FETCH || s->set == SET_GANG;
	if (v->m->words == 1) {
		if (empty)
			eval(v, w, s, 1);
		want(v, w, s, 1);
		return;
	}
	if (empty)
		eval(v, w, s, v->m->words);
	want(v, w, s, v->m->words);
}

void slot_moved(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	struct slot *s = &v->slot[w->slot];
	if (v->m->words == 1) {
		eval(v, w, s, 1);
		want(v, w, s, 1);
	} else {
		eval(v, w, s, v->m->words);
		want(v, w, s, v->m->words);
	}
}
