/*
 * ptx_cfg.c - basic blocks, immediate post-dominators, reconvergence points, distances to the next load.
 *
 * The exit is one more node behind the last block. A branch whose sides meet only at the exit, or never, reconverges at
 * kernel.ninst.
 */
#include "postdom.h"
#include "ptx_internal.h"

#define LOOP_WEIGHT 10u
#define MAX_WEIGHTED 5u /* nested loops that count */

_Static_assert(PTX_NONE == POSTDOM_NONE, "no block");

/* Does control leave the straight line behind this instruction? */
static bool ends_block(const struct inst *in)
{
	return in->op == OP_BRA || in->op == OP_EXIT;
}

/* Cut the code into blocks at targets and behind branches and exits. */
static void cut_blocks(struct ptx_work *w)
{
	u8 *leader = arena_alloc(w->arena, w->ncode + 1);

	for (u32 i = 0; i < w->ncode; i++) {
		if (w->code[i].in.op == OP_BRA)
			leader[w->code[i].in.target] = 1;
		if (ends_block(&w->code[i].in))
			leader[i + 1] = 1;
	}
	leader[0] = 1;
	w->nblock = 0;
	w->order = NULL;
	for (u32 i = 0; i < w->ncode; i++)
		w->nblock += leader[i];
	w->block = arena_alloc(w->arena, (w->nblock + 1) * sizeof(*w->block));
	w->block_of = arena_alloc(w->arena, (w->ncode + 1) * sizeof(u32));
	for (u32 i = 0, b = 0; i < w->ncode; i++) {
		b += leader[i];
		w->block_of[i] = b - 1;
		if (leader[i])
			w->block[b - 1].first = i;
		w->block[b - 1].last = i + 1;
	}
	w->block_of[w->ncode] = w->nblock;
}

/* Blocks and where control goes from each; nblock is the exit. */
void ptx_blocks(struct ptx_work *w)
{
	cut_blocks(w);
	for (u32 b = 0; b < w->nblock; b++) {
		struct ptx_block *x = &w->block[b];
		const struct inst *in = &w->code[x->last - 1].in;
		bool guarded = in->guard.kind != OPERAND_NONE;

		if (in->op == OP_EXIT)
			x->succ[x->nsucc++] = w->nblock;
		else if (in->op == OP_BRA)
			x->succ[x->nsucc++] = w->block_of[in->target];
		if ((!ends_block(in) || guarded) && !(x->nsucc && x->succ[0] == w->block_of[x->last]))
			x->succ[x->nsucc++] = w->block_of[x->last];
	}
}

/* Fill block.ipdom: nblock for the exit, PTX_NONE where the exit cannot be reached. */
void ptx_post_dominators(struct ptx_work *w)
{
	struct postdom_node *node = arena_alloc(w->arena, (w->nblock + 1) * sizeof(*node));
	u32 *ipdom = arena_alloc(w->arena, (w->nblock + 1) * sizeof(u32));

	for (u32 b = 0; b < w->nblock; b++)
		node[b] = (struct postdom_node){.succ = {w->block[b].succ[0], w->block[b].succ[1]},
						.nsucc = w->block[b].nsucc};
	postdom_find(node, w->nblock, ipdom);
	for (u32 b = 0; b <= w->nblock; b++)
		w->block[b].ipdom = ipdom[b];
}

/* Walk from block `root` where that was not walked yet; blocks are entered in w->order as they are left. */
static u32 walk_from(struct ptx_work *w, u32 root, u8 *next, u32 *stack, u32 left)
{
	u32 depth = 1;

	stack[0] = root;
	next[root] = 1; /* 1 + successors taken */
	while (depth) {
		const struct ptx_block *x = &w->block[stack[depth - 1]];
		u8 *taken = &next[stack[depth - 1]];

		if (*taken > x->nsucc) {
			w->order[left++] = stack[--depth];
			continue;
		}
		u32 to = x->succ[(*taken)++ - 1];

		if (to < w->nblock && !next[to]) {
			next[to] = 1;
			stack[depth++] = to;
		}
	}
	return left;
}

const u32 *ptx_block_order(struct ptx_work *w)
{
	u8 *next;
	u32 *stack, left = 0;

	if (w->order)
		return w->order;
	w->order = arena_alloc(w->arena, (w->nblock + 1) * sizeof(u32));
	next = arena_alloc(w->arena, w->nblock + 1);
	stack = arena_alloc(w->arena, (w->nblock + 1) * sizeof(u32));
	for (u32 b = 0; b < w->nblock; b++)
		if (!next[b])
			left = walk_from(w, b, next, stack, left);
	return w->order;
}

bool ptx_visit(struct ptx_work *w, u64 *visits, u64 n)
{
	*visits += n;
	if (*visits > PTX_MAX_VISITS)
		return ptx_refuse(w->p, PTX_AT(w->entry),
				  "the control flow of '%s' is too complex: its nested loops span %u blocks",
				  ptx_shown_text(w->entry->name), w->nblock);
	return ptx_goes_on(w->p);
}

/* For each block, and for the exit, whether a barrier can be reached from its beginning; NULL: failed. */
static const u8 *barrier_ahead(struct ptx_work *w)
{
	const u32 *order = ptx_block_order(w);
	u8 *ahead = arena_alloc(w->arena, w->nblock + 1);
	bool changed = true;
	u64 visits = 0;

	for (u32 i = 0; i < w->ncode; i++)
		ahead[w->block_of[i]] |= op_is_barrier(w->code[i].in.op);
	while (changed) {
		if (!ptx_visit(w, &visits, w->nblock))
			return NULL;
		changed = false;
		for (u32 i = 0; i < w->nblock; i++)
			for (u32 b = order[i], s = 0; s < w->block[b].nsucc && !ahead[b]; s++)
				changed |= ahead[b] = ahead[w->block[b].succ[s]];
	}
	return ahead;
}

/* Fill inst.reconverge, the aux of branches, and the flow of where they reconverge. */
bool ptx_reconverge(struct ptx_work *w)
{
	const u8 *ahead = barrier_ahead(w);

	if (!ahead)
		return false;
	for (u32 i = 0; i < w->ncode; i++) {
		struct inst *in = &w->code[i].in;
		u32 ipdom = w->block[w->block_of[i]].ipdom;
		bool diverges = in->op == OP_BRA && !in->uniform && in->guard.kind != OPERAND_NONE;

		in->reconverge = diverges && ipdom < w->nblock ? w->block[ipdom].first : w->ncode;
		if (diverges && ahead[w->block_of[in->target]] && !ahead[w->block_of[i + 1]])
			in->aux = BRA_FALL_FIRST;
		else if (diverges && ahead[w->block_of[in->target]] == ahead[w->block_of[i + 1]])
			in->aux = BRA_EITHER;
		if (in->reconverge < w->ncode)
			w->code[in->reconverge].in.flow |= FLOW_JOINS;
	}
	return true;
}

u32 *ptx_loop_weights(struct ptx_work *w)
{
	u32 *weight = arena_alloc(w->arena, (w->ncode + 1) * sizeof(u32));
	u32 *until = arena_alloc(w->arena, (w->ncode + 1) * sizeof(u32)); /* 1 + last branch back to here */
	int *change = arena_alloc(w->arena, (w->ncode + 1) * sizeof(int)), depth = 0;

	for (u32 i = 0; i < w->ncode; i++)
		if (w->code[i].in.op == OP_BRA && w->code[i].in.target <= i)
			until[w->code[i].in.target] = i + 1;
	for (u32 i = 0; i < w->ncode; i++)
		if (until[i]) {
			change[i]++;
			change[until[i]]--;
		}
	for (u32 i = 0; i < w->ncode; i++) {
		depth += change[i];
		weight[i] = 1;
		for (u32 k = 0; k < min_u32((u32)depth, MAX_WEIGHTED); k++)
			weight[i] *= LOOP_WEIGHT;
	}
	return weight;
}
