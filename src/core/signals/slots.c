/*
 * slots.c - which sets a warp slot is in: what its warp waits for, kept on change rather than scanned for.
 *
 * The first that applies of done, barrier, fence, gang (every path waits for others), fetch, long, short, else ready
 * (warpstep-model(7)).
 */
#include "signals/signals.h"

/* Does an instruction name a register or predicate that is pending? Kernels of up to 64 registers need two words of
 * five. */
static inline bool slots_hazard(const u64 *pending, const struct inst *in, bool small)
{
	u64 any = (pending[0] & in->hazard[0]) | (pending[HAZARD_WORDS - 1] & in->hazard[HAZARD_WORDS - 1]);
	for (u32 i = 1; !small && i < HAZARD_WORDS - 1; i++)
		any |= pending[i] & in->hazard[i];
	return any != 0;
}

/* The set of a slot whose warp has instructions buffered. */
static inline enum slot_set slots_wait_for_registers(const struct warp *w, const struct slot *s, const struct inst *in,
						     bool small)
{
	if (slots_hazard(s->pending_long, in, small))
		return SET_LONG;
	if (__builtin_expect(inst_copies(in), 0) && copies_hold(w, in))
		return SET_LONG;
	if (slots_hazard(s->pending_short, in, small))
		return SET_SHORT;
	return SET_READY;
}

/* The one set among DONE .. READY and GANG that applies to a warp. */
static inline enum slot_set slots_classify(const struct warp *w, const struct slot *s, const struct inst *in,
					   bool small)
{
	if (!w->depth)
		return SET_DONE;
	if (w->at_barrier)
		return SET_BARRIER;
	if (w->at_fence)
		return SET_FENCE;
	if (!s->buffered) /* a warp that is stuck fetches nothing */
		return w->stuck ? SET_GANG : SET_FETCH;
	return slots_wait_for_registers(w, s, in, small);
}

/* collector.share: the kind of execution unit for which a ready slot wants a collector unit. */
static void __attribute__((noinline)) slots_note_kind(struct sm_view *v, u32 slot, const struct inst *in)
{
	u64 bit = 1ULL << slot % 64, *ready = &v->kinds->ready[slot / 64 * UNIT_COUNT];
	u32 kind = inst_passes(&v->m->config, in) ? machine_class_kind(v->m, in->class) : UNIT_NONE;
	u8 *old = &v->kinds->slot_kind[slot];
	if (*old == kind)
		return;
	ready[*old] &= ~bit;
	if (kind != UNIT_NONE)
		ready[kind] |= bit;
	*old = (u8)kind;
}

/* The set that control bits, or a scoreboard of reads, leave a slot in. */
static enum slot_set __attribute__((noinline))
slots_judge(struct sm_view *v, u32 context, const struct inst *in, enum slot_set board)
{
	return v->control ? control_classify(v, context, in, board) : readers_classify(v, context, in, board);
}

/* The number of words of a set is a constant in the common case (64 slots or fewer). */

/* The values that an instruction reads and writes come near: it may issue soon. */
ALWAYS_INLINE void slots_bring_values(const struct sm_view *v, u32 context, const struct inst *in)
{
	const u8 *values = v->sim->store.context[machine_values(v->m, v->id, context)]->data;
	for (u32 i = 0; i < in->nread + in->nwrite; i++) {
		u32 reg = i < in->nread ? in->read[i] : in->write[i - in->nread];
		__builtin_prefetch(values + reg * WARP_LANES * 4);
		__builtin_prefetch(values + reg * WARP_LANES * 4 + 64);
	}
}

/* Put a slot into the sets that describe its warp now. */
ALWAYS_INLINE void slots_eval(struct sm_view *v, const struct warp *w, struct slot *s, u32 words)
{
	u64 bit = 1ULL << (w->slot % 64), *set = v->sm->set + w->slot / 64 % words;
	set[s->set * words] &= ~bit;
	set[SET_CONTROL * words] &= ~bit;
	set[SET_LOADS * words] &= ~bit;
	if (w->cta == NONE16)
		return;
	const struct kernel *k = v->sim->kernel[w->launch];
	const struct inst *in = &k->inst[s->pc < k->ninst ? s->pc : 0];
	u32 now = slots_classify(w, s, in, k->regs <= 64);
	if (__builtin_expect(v->judged, 0))
		now = slots_judge(v, s->context, in, now);
	s->set = (u8)now;
	set[now * words] |= bit;
	if (now != SET_READY)
		return;
	u64 *global = v->global + w->slot / 64 % words;
	bool touches = k->front == FRONT_PTX && (in->space == SPACE_GLOBAL || in->space == SPACE_GENERIC);
	if (v->m->large && k->front == FRONT_PTX)
		slots_bring_values(v, s->context, in);
	*global = touches ? *global | bit : *global & ~bit;
	if (!inst_passes(&v->m->config, in))
		set[SET_CONTROL * words] |= bit;
	if (in->class == CLASS_LOAD || in->class == CLASS_ATOMIC || in->op == OP_STEP)
		set[SET_LOADS * words] |= bit;
	if (__builtin_expect(config_notes_kinds(&v->m->config), 0))
		slots_note_kind(v, w->slot, in);
}

/* Note whether a fetch for a slot may start. */
ALWAYS_INLINE void slots_want(struct sm_view *v, const struct warp *w, const struct slot *s, u32 words)
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
		BY_WORDS(v->m, slots_eval, v, w, &v->slot[w->slot]);
}

void slot_want(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	if (w->slot != NONE16)
		BY_WORDS(v->m, slots_want, v, w, &v->slot[w->slot]);
}

/* Both. */
ALWAYS_INLINE void slots_eval_and_want(struct sm_view *v, const struct warp *w, struct slot *s, u32 words)
{
	slots_eval(v, w, s, words);
	slots_want(v, w, s, words);
}

void slot_moved(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	BY_WORDS(v->m, slots_eval_and_want, v, w, &v->slot[w->slot]);
}

void slot_woken(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	struct slot *s = &v->slot[w->slot];
	if (s->set == SET_LONG || s->set == SET_SHORT)
		BY_WORDS(v->m, slots_eval, v, w, s);
}

void slot_decoded(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	struct slot *s = &v->slot[w->slot];
	if (s->set == SET_FETCH || s->set == SET_GANG)
		BY_WORDS(v->m, slots_eval_and_want, v, w, s);
	else
		BY_WORDS(v->m, slots_want, v, w, s);
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
