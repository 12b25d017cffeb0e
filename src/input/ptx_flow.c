/*
 * ptx_flow.c - what lanes that part may have to wait for: meetings, questions that another thread answers, and who may
 * answer.
 *
 * A branch back asks if between its target and itself stands a read by which threads may speak to each other: an atomic
 * that gives the old value, a volatile or stronger load, or any load beside a fence. Every way round that comes by a
 * read jumps back over it somewhere, so each loop with one has such a branch. An instruction tells if from it a write
 * to memory that others see, or a meeting of lanes, can be reached without passing a barrier of the CTA.
 */
#include "ptx_internal.h"

static bool seen_by_others(const struct inst *in)
{
	return in->space == SPACE_GLOBAL || in->space == SPACE_SHARED || in->space == SPACE_GENERIC;
}

/* Which lanes an instruction waits for; shfl and vote have it from their lowering, for they may be without .sync. */
static u8 meets(const struct inst *in)
{
	if (in->op == OP_BAR_WARP || (in->op >= OP_MATCH_ANY_32 && in->op <= OP_REDUX_XOR))
		return MEET_MEMBERS;
	return in->op >= OP_MMA && in->op <= OP_LDMATRIX ? MEET_WHOLE : in->meet;
}

static bool tells(const struct inst *in)
{
	return in->meet || ((in->op == OP_ST || in->op == OP_ATOM || in->op == OP_COPY) && seen_by_others(in));
}

/* 1 + the last instruction so far that asks others by itself, that loads what others see, that is a fence; 0 none. */
struct last {
	u32 strong, load, fence;
};

/* Instruction i is passed. */
static void pass(const struct inst *in, u32 i, struct last *l)
{
	bool reads = seen_by_others(in);

	if (reads && ((in->op == OP_ATOM && in->ndst) || (in->op == OP_LD && in->aux & ACCESS_STRONG)))
		l->strong = i + 1;
	if (reads && (in->op == OP_LD || in->op == OP_COPY))
		l->load = i + 1;
	if (in->op == OP_FENCE)
		l->fence = i + 1;
}

/* Does anything from instruction `from` to the last one passed ask others? */
static bool asks(const struct last *l, u32 from)
{
	return l->strong > from || (l->load > from && l->fence > from);
}

/* Fill the flow of a block's instructions, backwards; returns whether its beginning tells. after: what follows it does.
 */
static bool tell_block(struct ptx_work *w, const struct ptx_block *b, bool after)
{
	for (u32 i = b->last; i-- > b->first;) {
		struct inst *in = &w->code[i].in;

		after = tells(in) || (after && !op_is_barrier(in->op));
		in->flow = (u8)((in->flow & ~FLOW_TELLS) | (after ? FLOW_TELLS : 0));
	}
	return after;
}

/* The same for all blocks, until nothing changes. */
static bool tell(struct ptx_work *w)
{
	const u32 *order = ptx_block_order(w);
	u8 *ahead = arena_alloc(w->arena, w->nblock + 1);
	bool changed = true;
	u64 visits = 0;

	while (changed) {
		if (!ptx_visit(w, &visits, w->ncode))
			return false;
		changed = false;
		for (u32 i = 0; i < w->nblock; i++) {
			u32 b = order[i];
			bool after = false;

			for (u32 s = 0; s < w->block[b].nsucc; s++)
				after |= ahead[w->block[b].succ[s]];
			after = tell_block(w, &w->block[b], after);
			changed |= after != ahead[b];
			ahead[b] = after;
		}
	}
	return true;
}

bool ptx_flow(struct ptx_work *w)
{
	struct last last = {0};

	for (u32 i = 0; i < w->ncode; i++) {
		struct inst *in = &w->code[i].in;

		in->meet = meets(in);
		pass(in, i, &last);
		if (in->op == OP_BRA && in->target <= i && asks(&last, in->target))
			in->flow |= FLOW_ASKS;
	}
	return tell(w);
}
