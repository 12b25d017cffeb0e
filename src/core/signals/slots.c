/*
 * slots.c - which sets a warp slot is in: what its warp waits for, kept on change rather than scanned for.
 *
 * The first that applies of done, barrier, fence, gang (every path waits for others), fetch, long, short, else ready
 * (warpstep-model(7)).
 */
#include "signals/signals.h"
#include "state/gangs.h"

#include <string.h>

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
static inline enum slot_set wait_for_registers(const struct warp *w, const struct slot *s, const struct inst *in,
					       bool small)
{
	if (hazard(s->pending_long, in, small))
		return SET_LONG;
	if (__builtin_expect(inst_copies(in), 0) && copies_hold(w, in))
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
	return wait_for_registers(w, s, in, small);
}

/* The number of words of a set is a constant in the common case (64 slots or fewer). */

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
	if (!inst_passes(&v->m->config, in))
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

/* f(..., words), where the number of words is a constant in the common cases. */
#define BY_WORDS(m, f, ...) \
	((m)->words == 1	    ? f(__VA_ARGS__, 1) \
	 : (m)->words == SLOT_WORDS ? f(__VA_ARGS__, SLOT_WORDS) \
				    : f(__VA_ARGS__, (m)->words))

void slot_eval(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	if (w->slot != NONE16)
		BY_WORDS(v->m, eval, v, w, &v->slot[w->slot]);
}

void slot_want(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	if (w->slot != NONE16)
		BY_WORDS(v->m, want, v, w, &v->slot[w->slot]);
}

/* Both. */
ALWAYS_INLINE void eval_and_want(struct sm_view *v, const struct warp *w, struct slot *s, u32 words)
{
	eval(v, w, s, words);
	want(v, w, s, words);
}

void slot_moved(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	BY_WORDS(v->m, eval_and_want, v, w, &v->slot[w->slot]);
}

void slot_woken(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	struct slot *s = &v->slot[w->slot];
	if (s->set == SET_LONG || s->set == SET_SHORT)
		BY_WORDS(v->m, eval, v, w, s);
}

void slot_decoded(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	struct slot *s = &v->slot[w->slot];
	if (s->set == SET_FETCH || s->set == SET_GANG)
		BY_WORDS(v->m, eval_and_want, v, w, s);
	else
		BY_WORDS(v->m, want, v, w, s);
}

/* --- slices of a home at one instruction --- */

/* What the instruction is that they have before them. */
struct ahead {
	const struct inst *in;
	bool small, touches, control, loads;
};

static void look_ahead(const struct sm_view *v, u32 launch, u32 pc, struct ahead *a)
{
	const struct kernel *k = v->sim->kernel[launch];
	const struct inst *in = &k->inst[pc < k->ninst ? pc : 0];
	a->in = in;
	a->small = k->regs <= 64;
	a->touches = k->front == FRONT_PTX && (in->space == SPACE_GLOBAL || in->space == SPACE_GENERIC);
	a->control = class_unit[in->class] == UNIT_NONE;
	a->loads = in->class == CLASS_LOAD || in->class == CLASS_ATOMIC || in->op == OP_STEP;
}

/* Slots out of `all` are ready, and those of `ready` are. */
ALWAYS_INLINE void mark_ready(struct sm_view *v, const u64 *all, const u64 *ready, const struct ahead *a, u32 words)
{
	u64 *set = v->sm->set;
	for (u32 i = 0; i < words; i++)
		set[SET_READY * words + i] = (set[SET_READY * words + i] & ~all[i]) | ready[i];
	for (u32 i = 0; i < words; i++)
		set[SET_CONTROL * words + i] = (set[SET_CONTROL * words + i] & ~all[i]) | (a->control ? ready[i] : 0);
	for (u32 i = 0; i < words; i++)
		set[SET_LOADS * words + i] = (set[SET_LOADS * words + i] & ~all[i]) | (a->loads ? ready[i] : 0);
	for (u32 i = 0; i < words; i++)
		v->global[i] = a->touches ? v->global[i] | ready[i] : v->global[i] & ~ready[i];
}

/* Slots that were ready and have come to the next instruction. */
ALWAYS_INLINE void move(struct sm_view *v, u32 first, u32 mask, const struct ahead *a, bool wants, u32 words)
{
	u64 all[SLOT_WORDS] = {0}, ready[SLOT_WORDS] = {0}, *set = v->sm->set;
	for (u32 left = mask; left; left &= left - 1) {
		const struct warp *w = &v->warp[first + (u32)__builtin_ctz(left)];
		u32 slot = w->slot;
		struct slot *s = &v->slot[slot];
		u64 bit = 1ULL << slot % 64;
		s->set = (u8)(s->buffered ? wait_for_registers(w, s, a->in, a->small) : SET_FETCH);
		all[slot / 64] |= bit;
		if (s->set == SET_READY)
			ready[slot / 64] |= bit;
		else
			set[s->set * words + slot / 64] |= bit;
	}
	mark_ready(v, all, ready, a, words);
	for (u32 i = 0; i < words; i++)
		set[SET_WANT * words + i] = (set[SET_WANT * words + i] & ~all[i]) | (wants ? all[i] : 0);
}

void slots_moved(struct sm_view *v, u32 first, u32 mask)
{
	const struct warp *w = &v->warp[first + (u32)__builtin_ctz(mask)];
	const struct slot *s = &v->slot[w->slot];
	u32 room = v->m->config.sm_ibuffer, ask = min_u32(v->m->config.fetch_insts, room);
	bool wants = !s->fetching && s->buffered + ask <= room && s->fetch_pc < v->sim->kernel[w->launch]->ninst;
	struct ahead a;
	look_ahead(v, w->launch, s->pc, &a);
	BY_WORDS(v->m, move, v, first, mask, &a, wants);
}

/* Slots for whose slices registers have been written. */
ALWAYS_INLINE void wake(struct sm_view *v, u32 first, u32 mask, u32 words)
{
	u64 ready[SLOT_WORDS] = {0}, *set = v->sm->set;
	u32 pc = NONE32;
	struct ahead a;
	for (u32 left = mask; left; left &= left - 1) {
		const struct warp *w = &v->warp[first + (u32)__builtin_ctz(left)];
		struct slot *s = &v->slot[w->slot];
		u64 bit = 1ULL << w->slot % 64;
		if (s->set != SET_LONG && s->set != SET_SHORT)
			continue;
		if (pc == NONE32)
			look_ahead(v, w->launch, pc = s->pc, &a);
		if (s->pc != pc) {
			eval(v, w, s, words);
			continue;
		}
		u32 now = wait_for_registers(w, s, a.in, a.small);
		if (now == s->set)
			continue;
		set[s->set * words + w->slot / 64] &= ~bit;
		s->set = (u8)now;
		if (now == SET_READY)
			ready[w->slot / 64] |= bit;
		else
			set[now * words + w->slot / 64] |= bit;
	}
	if (pc != NONE32)
		mark_ready(v, ready, ready, &a, words);
}

void slots_woken(struct sm_view *v, u32 first, u32 mask)
{
	BY_WORDS(v->m, wake, v, first, mask);
}

/* --- the same where the slots hold the same --- */

/* Slots join a set, or leave it. */
ALWAYS_INLINE void put(u64 *set, const u64 *slots, bool in, u32 words)
{
	for (u32 i = 0; in && i < words; i++)
		set[i] |= slots[i];
	for (u32 i = 0; !in && i < words; i++)
		set[i] &= ~slots[i];
}

/* All of a gang are in another set. */
ALWAYS_INLINE void shift(struct sm_view *v, const struct alike *g, u32 now, const struct ahead *a, u32 words)
{
	struct slot *lead = &v->slot[g->lead];
	u64 *set = v->sm->set;
	if (now != lead->set) {
		put(&set[lead->set * words], g->slots, false, words);
		put(&set[now * words], g->slots, true, words);
	}
	if (now == SET_READY || lead->set == SET_READY) {
		put(&set[SET_CONTROL * words], g->slots, now == SET_READY && a->control, words);
		put(&set[SET_LOADS * words], g->slots, now == SET_READY && a->loads, words);
	}
	if (now == SET_READY)
		put(v->global, g->slots, a->touches, words);
	lead->set = (u8)now;
}

/* Whether all of them want a fetch. */
ALWAYS_INLINE void wish(struct sm_view *v, const struct alike *g, u32 ninst, u32 words)
{
	const struct slot *s = &v->slot[g->lead];
	u32 room = v->m->config.sm_ibuffer, ask = min_u32(v->m->config.fetch_insts, room);
	bool wants = !s->fetching && s->buffered + ask <= room && s->fetch_pc < ninst;
	put(v->sm->set + SET_WANT * words, g->slots, wants, words);
}

/* The slots of the other slices of a gang: all have one position, each in its sub-core. */
#define EACH_OTHER(s, v, g) \
	for (struct slot *s = &(v)->slot[(g)->lead], *last_ = s + MAX_SUBCORES * (v)->m->slots_per_sub; s < last_; \
	     s = last_) \
		for (u32 left_ = (u32)(g)->others >> (g)->first >> 1; left_; left_ >>= 1) \
			if (s += (v)->m->slots_per_sub, left_ & 1)

/* What a slot holds in front of its scoreboard, but its context. */
#define COPY_HEAD(to, from) \
	memcpy(&(to)->buffered, &(from)->buffered, offsetof(struct slot, since) - offsetof(struct slot, buffered))

ALWAYS_INLINE void alike_moved(struct sm_view *v, const struct alike *g, u32 words)
{
	const struct slot *s = &v->slot[g->lead];
	const struct warp *w = &v->warp[s->context];
	struct ahead a;
	look_ahead(v, w->launch, s->pc, &a);
	shift(v, g, s->buffered ? wait_for_registers(w, s, a.in, a.small) : SET_FETCH, &a, words);
	wish(v, g, v->sim->kernel[w->launch]->ninst, words);
}

void slots_alike_moved(struct sm_view *v, u32 entry, bool is_long)
{
	const struct alike *g = &v->members[entry];
	const struct slot *lead = &v->slot[g->lead];
	BY_WORDS(v->m, alike_moved, v, g);
	EACH_OTHER(s, v, g)
	{
		COPY_HEAD(s, lead);
		s->since = lead->since;
		if (is_long)
			memcpy(s->pending_long, lead->pending_long, sizeof s->pending_long);
		else
			memcpy(s->pending_short, lead->pending_short, sizeof s->pending_short);
	}
}

ALWAYS_INLINE void alike_woken(struct sm_view *v, const struct alike *g, u32 words)
{
	const struct slot *s = &v->slot[g->lead];
	struct ahead a;
	if (s->set != SET_LONG && s->set != SET_SHORT)
		return;
	const struct warp *w = &v->warp[s->context];
	look_ahead(v, w->launch, s->pc, &a);
	u32 now = wait_for_registers(w, s, a.in, a.small);
	if (now != s->set)
		shift(v, g, now, &a, words);
}

void slots_alike_woken(struct sm_view *v, u32 entry)
{
	const struct alike *g = &v->members[entry];
	const struct slot *lead = &v->slot[g->lead];
	BY_WORDS(v->m, alike_woken, v, g);
	EACH_OTHER(s, v, g)
	{
		s->set = lead->set;
		memcpy(s->pending_short, lead->pending_short, sizeof s->pending_short);
	}
}

ALWAYS_INLINE void alike_decoded(struct sm_view *v, const struct alike *g, u32 words)
{
	const struct slot *s = &v->slot[g->lead];
	const struct warp *w = &v->warp[s->context];
	struct ahead a;
	if (s->set == SET_FETCH) {
		look_ahead(v, w->launch, s->pc, &a);
		shift(v, g, wait_for_registers(w, s, a.in, a.small), &a, words);
	}
	wish(v, g, v->sim->kernel[w->launch]->ninst, words);
}

void slots_alike_decoded(struct sm_view *v, u32 entry)
{
	const struct alike *g = &v->members[entry];
	const struct slot *lead = &v->slot[g->lead];
	BY_WORDS(v->m, alike_decoded, v, g);
	EACH_OTHER(s, v, g)
	COPY_HEAD(s, lead);
}

ALWAYS_INLINE void alike_fetched(struct sm_view *v, const struct alike *g, u32 words)
{
	put(v->sm->set + SET_WANT * words, g->slots, false, words);
}

void slots_alike_fetched(struct sm_view *v, u32 entry)
{
	const struct alike *g = &v->members[entry];
	const struct slot *lead = &v->slot[g->lead];
	BY_WORDS(v->m, alike_fetched, v, g);
	EACH_OTHER(s, v, g)
	COPY_HEAD(s, lead);
}

void cta_ready(struct sm_view *v, u32 cta_slot)
{
	struct cta *cta = &v->cta[cta_slot];
	if (cta->pending || cta->save || v->sm->ready >> cta_slot & 1)
		return;
	v->sm->ready |= 1ULL << cta_slot;
	cta->ready = ++v->sm->readies;
	emit_cta_record(v, EVENT_CTA_READY, cta_slot, (u32)__builtin_popcountll(v->sm->ready), cta_slot);
}
