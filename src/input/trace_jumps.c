/*
 * trace_jumps.c - where the branches of a trace go: what their records were followed by.
 *
 * A record has the lanes that took its branch. The next record of the warp is at the target if it runs those lanes or
 * some of them; else the warp has gone on with lanes that waited. So a branch has the target to which it was first seen
 * to go, and falls through if the next instruction was ever seen to follow it. Deviations: of a branch that goes to
 * several places (RET, BRX) one is known, and one that was never taken has the next instruction for a target.
 */
#include "trace_body.h"

void trace_jump_note(struct trace_body *b, u32 from, u32 to, u32 mask)
{
	struct trace_known *k = &b->known[from];
	bool lanes = mask && !(mask & ~b->last_mask);

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

void trace_jumps_finish(struct trace_body *b)
{
	const u32 *inst = b->trace->inst;

	for (u32 i = 0; i < b->nknown; i++) {
		const struct trace_known *k = &b->known[i];
		struct inst *in = &b->k->inst[inst[i]];
		bool found = false;

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
