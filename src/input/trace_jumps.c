/*
 * trace_jumps.c - where the branches of a trace go: what their records were followed by.
 *
 * A record has the lanes that took its branch. The next record of the warp is at the target if it runs those lanes or
 * some of them; else the warp has gone on with lanes that waited. So a branch has the target to which it was first seen
 * to go, and falls through if the next instruction was ever seen to follow it, or fewer lanes took it than came there;
 * so does an EXIT of some lanes. Lanes that part meet again at the immediate post-dominator. Deviations: of a branch
 * that goes to several places (RET, BRX) one is known, one that was never taken has the next instruction for a target,
 * and ways that no warp went are missing.
 */
#include "ops.h"
#include "postdom.h"
#include "trace_body.h"

void trace_jump_note(struct trace_body *b, u32 from, u32 to, u32 mask)
{
	struct trace_known *k = &b->known[from];
	bool lanes = mask && !(mask & ~b->last_mask);

	k->partial |= b->before_mask & ~b->last_mask && !(b->last_mask & ~b->before_mask);
	for (u32 i = 0; i < k->nways; i++)
		if (k->way[i] == to) {
			k->taken |= (u8)(lanes << i);
			return;
		}
	if (k->nways == TRACE_WAYS)
		return;
	k->taken |= (u8)(lanes << k->nways);
	k->way[k->nways++] = to;
}

/* Targets, and what falls through. */
static void find_targets(struct trace_body *b)
{
	const u32 *inst = b->trace->inst;

	for (u32 i = 0; i < b->nknown; i++) {
		const struct trace_known *k = &b->known[i];
		struct inst *in = &b->k->inst[inst[i]];
		bool found = in->op != OP_BRA;

		if (k->partial)
			in->aux = BRA_FALLS;
		for (u32 w = 0; w < k->nways; w++) {
			u32 to = inst[k->way[w]];

			if (to == inst[i] + 1) {
				in->aux = BRA_FALLS;
			} else if (!found && k->taken >> w & 1) {
				in->target = to;
				found = true;
			}
		}
	}
}

/* Where control goes from an instruction. */
static struct postdom_node ways_of(const struct kernel *k, u32 pc)
{
	const struct inst *in = &k->inst[pc];
	struct postdom_node node = {.nsucc = 0};

	if (in->op == OP_EXIT)
		node.succ[node.nsucc++] = k->ninst;
	else if (in->target != pc + 1)
		node.succ[node.nsucc++] = in->target;
	if (!node.nsucc || inst_falls(k, in))
		node.succ[node.nsucc++] = pc + 1;
	return node;
}

/* Where the ways of a branch meet again. */
static void find_joins(struct kernel *k)
{
	struct postdom_node *node = xcalloc(k->ninst + 1ULL, sizeof(*node));
	u32 *ipdom = xcalloc(k->ninst + 1ULL, sizeof(u32));

	for (u32 pc = 0; pc < k->ninst; pc++)
		node[pc] = ways_of(k, pc);
	postdom_find(node, k->ninst, ipdom);
	for (u32 pc = 0; pc < k->ninst; pc++)
		if (node[pc].nsucc == 2 && k->inst[pc].op == OP_BRA)
			k->inst[pc].reconverge = min_u32(ipdom[pc], k->ninst);
	free(node);
	free(ipdom);
}

void trace_jumps_finish(struct trace_body *b)
{
	find_targets(b);
	find_joins(b->k);
}
