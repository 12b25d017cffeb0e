/*
 * policy_banks.h - the instruction whose operands would ask the register-file banks (banks.h). For src/policy.
 */
#ifndef WARPSTEP_POLICY_BANKS_H
#define WARPSTEP_POLICY_BANKS_H

#include "banks.h"
#include "policy.h"

/* The first buffered instruction of a slot. */
static inline const struct inst *slot_inst(const struct sched_view *v, u32 slot)
{
	const struct slot *s = &v->slot[slot];
	return &v->kernel[v->warp[s->context].launch]->inst[s->pc];
}

#endif
