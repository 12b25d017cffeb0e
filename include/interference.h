/*
 * interference.h - whose warps wait for what whose warps hold.
 *
 * Warps that could have issued but for the scheduler, a collector unit, an execution unit or the LSU. Each such
 * warp-cycle goes to one kernel: that of the warp which its scheduler chose, before it or (paused) by rank; of the
 * instruction that is longest in a collector unit of its sub-core; of the one at the head of the LSU's queue. What a
 * kernel's own warps held is counted as its own. Deviation: waits in the memory system (long) are not divided.
 */
#ifndef WARPSTEP_INTERFERENCE_H
#define WARPSTEP_INTERFERENCE_H

#include "sim.h"

/* The statuses that are divided. */
enum wait_kind { WAIT_SLOT, WAIT_PAUSED, WAIT_COLLECTOR, WAIT_UNIT, WAIT_LSU, WAIT_KINDS };
extern const u8 wait_status[WAIT_KINDS]; /* enum warp_status */

struct waits {
	u32 n;	    /* launches */
	u64 *count; /* [who x n + for whom][kind], warp-cycles */
};

static inline u64 *waits_of(const struct waits *c, u32 who, u32 whom)
{
	return &c->count[(size_t)(who * c->n + whom) * WAIT_KINDS];
}
/* Add the warps of an SM in the cycle that is over. */
void waits_count(struct waits *c, const struct sim *s, u32 sm);

#endif
