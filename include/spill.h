/*
 * spill.h - the loads and stores of registers that a front end keeps in local memory (ptx_spill.c), in slots at the end
 * of each thread's.
 */
#ifndef WARPSTEP_SPILL_H
#define WARPSTEP_SPILL_H

#include "ops.h"

/* Where the slots begin in local memory; a pair's are aligned to 8 bytes. */
static inline u32 kernel_slots(const struct kernel *k)
{
	return k->local_bytes - round_up(k->spill.bytes, 8);
}
/* Does an instruction store or load a spilled register? */
static inline bool inst_spills(const struct inst *in)
{
	return in->space == SPACE_LOCAL && (in->op == OP_LD || in->op == OP_ST) && in->aux & ACCESS_SPILL;
}

#endif
