/*
 * constants.c - a kernel's first loads of constants on an SM, with const.perfect: an SM that runs a kernel for the
 * first time has none of them.
 *
 * Parameters, and what is loaded from addresses that are not known beforehand, are there const.cold cycles after the
 * kernel's first CTA; of other constants a block takes const.cold_block cycles from the first load, a line of a block
 * that is there or on its way const.cold_line. The end of the kernel empties the caches. Deviations: nothing is
 * evicted; a load whose address depends on a register counts for the line of its offset.
 */
#include "state/units.h"

static struct const_seen *constants_of(const struct sm_view *v, u32 launch)
{
	return &v->const_seen[v->turn[launch].seat * (1 + CONSTANT_LINES)];
}

/* The cycle from which a line of a block is there, 0: none has been loaded. Which of several does not matter: a further
 * line comes as long after its own load as that one did, so that only the first, which took longest, can hold it back.
 */
static u64 constants_block(const struct const_seen *line)
{
	u64 ready = 0;
	for (u32 i = 0; i < CONSTANT_BLOCK_LINES; i++)
		ready = line[i].ready ? line[i].ready : ready;
	return ready;
}

/* The cycle from which a line has its first results. */
static u64 constants_due(const struct sm_view *v, const struct const_seen *seen, u32 launch, u32 constant)
{
	const struct config *c = &v->m->config;
	if (!constant)
		return v->kernel[v->turn[launch].seat].held_since + c->const_cold;
	u64 block = constants_block(&seen[1 + (constant - 1) / CONSTANT_BLOCK_LINES * CONSTANT_BLOCK_LINES]);
	return block ? max_u64(block, view_cycle(v) + c->const_cold_line) : view_cycle(v) + c->const_cold_block;
}

u32 constants_wait(struct sm_view *v, u32 context, u32 pc)
{
	u32 launch = v->warp[context].launch, constant = view_kernel(v, context)->inst[pc].constant;
	struct const_seen *seen = constants_of(v, launch);
	if (!seen[constant].ready)
		seen[constant].ready = max_u64(1, constants_due(v, seen, launch, constant));
	return seen[constant].ready > view_cycle(v) ? (u32)(seen[constant].ready - view_cycle(v)) : 0;
}

void constants_forget(struct sm_view *v, u32 launch)
{
	if (v->const_seen)
		memset(constants_of(v, launch), 0, (1 + CONSTANT_LINES) * sizeof(struct const_seen));
}
