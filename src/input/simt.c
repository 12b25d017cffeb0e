/*
 * simt.c - the SIMT stack of one warp: immediate post-dominator reconvergence.
 *
 * Source: Fung et al., MICRO 2007; the contract and the bound on the depth are in simt.h.
 */
#include "simt.h"

#include "ops.h"

u32 simt_start(struct simt_entry *stack, u32 ninst, u32 mask)
{
	stack[0] = (struct simt_entry){.pc = 0, .reconverge = ninst, .mask = mask};
	return mask ? 1 : 0;
}

/* Exited lanes leave every entry. */
static void simt_exit(struct simt_entry *stack, u32 depth, u32 exited)
{
	for (u32 i = 0; i < depth; i++)
		stack[i].mask &= ~exited;
}

/* Push lanes that start at pc, unless they are there already. */
static u32 simt_push(struct simt_entry *stack, u32 depth, u32 pc, u32 reconverge, u32 mask)
{
	if (pc == reconverge)
		return depth;
	INVARIANT(depth < SIMT_DEPTH);
	stack[depth] = (struct simt_entry){.pc = pc, .reconverge = reconverge, .mask = mask};
	return depth + 1;
}

/* The top splits: it waits at the branch's reconvergence point, or is replaced if it would only leave there. */
static u32 simt_split(struct simt_entry *stack, u32 depth, const struct inst *in, u32 pc, u32 taken, bool most_first)
{
	struct simt_entry *top = &stack[depth - 1];
	u32 fall = top->mask & ~taken;
	bool fall_first = in->aux == BRA_FALL_FIRST;

	if (most_first && in->aux == BRA_EITHER)
		fall_first = __builtin_popcount(fall) > __builtin_popcount(taken);

	if (depth > 1 && in->reconverge == top->reconverge)
		depth--;
	else
		top->pc = in->reconverge;
	if (fall_first) {
		depth = simt_push(stack, depth, in->target, in->reconverge, taken);
		return simt_push(stack, depth, pc + 1, in->reconverge, fall);
	}
	depth = simt_push(stack, depth, pc + 1, in->reconverge, fall);
	return simt_push(stack, depth, in->target, in->reconverge, taken);
}

u32 simt_pop(const struct simt_entry *stack, u32 depth)
{
	while (depth > 1 && (!stack[depth - 1].mask || stack[depth - 1].pc == stack[depth - 1].reconverge))
		depth--;
	return depth == 1 && !stack[0].mask ? 0 : depth;
}

u32 simt_missing(const struct simt_entry *stack, u32 depth, const struct inst *code, u32 ninst, u32 mask)
{
	u32 above = stack[depth - 1].mask, missing = above & ~mask;

	for (u32 i = depth - 1; i-- > 0;) {
		u32 pc = stack[i].pc;

		if (pc >= ninst || code[pc].op != OP_EXIT || code[pc].guard.kind != OPERAND_NONE)
			missing |= stack[i].mask & ~above;
		above |= stack[i].mask;
	}
	return missing;
}

u32 simt_advance(struct simt_entry *stack, u32 depth, const struct inst *in, u32 pc, u32 taken, u32 exited,
		 bool most_first)
{
	struct simt_entry *top = &stack[depth - 1];

	if (exited)
		simt_exit(stack, depth, exited);
	taken &= top->mask;
	if (!taken)
		top->pc = pc + 1;
	else if (taken == top->mask)
		top->pc = in->target;
	else
		depth = simt_split(stack, depth, in, pc, taken, most_first);
	return simt_pop(stack, depth);
}
