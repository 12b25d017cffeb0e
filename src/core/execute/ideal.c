/*
 * ideal.c - ideal.divergence: what a part of a warp's lanes does takes that part of the time.
 *
 * Behind an instruction that issues, those that follow it in its warp are done at once, without a scheduler slot,
 * operands or units, as long as lanes of the warp are elsewhere: of n lanes out of m, n of m instructions issue as ever
 * and the others are free, so that a warp takes as long as if its lanes had been packed into whole warps of their own.
 * Deviations: an instruction that touches global memory, waits for others, sleeps or ends lanes is never free; results
 * of a free one are there at once; and where instructions that are skipped are not in the buffer, the warp fetches
 * anew.
 */
#include "execute/ideal.h"

#include "execute/perform.h"

#define MOST_FREE 256 /* instructions behind one that issues */

/* May an instruction be done without being followed? */
static bool ideal_is_harmless(const struct inst *in)
{
	bool global = in->space == SPACE_GLOBAL || in->space == SPACE_GENERIC;
	bool control = class_unit[in->class] == UNIT_NONE;

	return !in->meet && !global && in->class != CLASS_ATOMIC && (!control || in->op == OP_BRA);
}

/* The next instruction of a warp if it is free, else NULL. */
static const struct inst *ideal_next_free(struct sm_view *v, u32 context)
{
	const struct warp *w = &v->warp[context];
	const struct simt_entry *stack = &v->stack[context * SIMT_DEPTH];
	if (!w->depth || w->waits || w->stuck || w->at_barrier || w->at_fence)
		return NULL;
	u32 n = (u32)__builtin_popcount(stack[w->depth - 1].mask);
	u32 all = (u32)__builtin_popcount(simt_live(stack, w->depth));
	if (n == all || (w->issued + 1) * n / all != w->issued * n / all)
		return NULL;
	const struct inst *in = &view_kernel(v, context)->inst[stack[w->depth - 1].pc];
	bool turns = w->spins || (in->flow & FLOW_ASKS && w->depth > 1);
	return turns || !ideal_is_harmless(in) ? NULL : in;
}

/* Do one free instruction; false: it has faulted. */
static bool ideal_do_free(struct sm_view *v, u32 context, const struct inst *in)
{
	struct warp *w = &v->warp[context];
	struct simt_entry *stack = &v->stack[context * SIMT_DEPTH];
	u32 pc = stack[w->depth - 1].pc;
	struct front_result r = {.fault = FAULT_NONE};
	perform_environment(v, context, in);
	front_issue(&v->env, in, &r);
	perform_count(v, context, pc, in, r.mask);
	if (r.fault) {
		perform_fault(v, context, pc, &r);
		return false;
	}
	if (in->op == OP_BRA)
		perform_branch(v, context, pc, in, &r);
	w->depth = simt_advance(stack, w->depth, in, pc, r.taken, r.exited, v->env.launch->most_first);
	return true;
}

/* The slot goes to where the stack is; from: where it stood before the instruction that issued; n were free. */
static void ideal_go_there(struct sm_view *v, u32 context, u32 from, u32 n)
{
	struct warp *w = &v->warp[context];
	struct slot *s = &v->slot[w->slot];
	u32 pc = v->stack[context * SIMT_DEPTH + w->depth - 1].pc;
	bool jumped = s->pc != from + 1;
	if (jumped) {
		s->pc = s->fetch_pc = pc;
	} else if (pc == s->pc + n && s->buffered >= n) {
		s->pc = pc;
		s->buffered = (u8)(s->buffered - n);
	} else {
		warp_jump(v, context, pc, v->m->config.lat_branch);
	}
	slot_moved(v, context);
}

void ideal_go_on(struct sm_view *v, u32 context, u32 from)
{
	const struct warp *w = &v->warp[context];
	u32 n = 0;
	if (v->m->parent_shift || view_kernel(v, context)->front == FRONT_TRACE || v->gpu->fault)
		return;
	for (const struct inst *in; n < MOST_FREE && (in = ideal_next_free(v, context)) != NULL; n++)
		if (!ideal_do_free(v, context, in))
			return;
	if (n && w->depth)
		ideal_go_there(v, context, from, n);
}
