/*
 * policy_banks.h - the register-file banks that an instruction would ask, and how many reads wait there. For src/policy.
 */
#ifndef WARPSTEP_POLICY_BANKS_H
#define WARPSTEP_POLICY_BANKS_H

#include "policy.h"

/* The first buffered instruction of a slot. */
static inline const struct inst *slot_inst(const struct sched_view *v, u32 slot)
{
	const struct slot *s = &v->slot[slot];
	return &v->kernel[v->warp[s->context].launch]->inst[s->pc];
}

/* Bank of its sub-core in which a context finds a register. */
static inline u32 register_bank(const struct machine *m, u32 context, u32 reg)
{
	return (reg + (m->config.sm_bank_swizzle ? context : 0)) % m->config.sm_banks;
}

/* Is source operand i a register that the instruction has named before, which collector.merge reads once? */
static inline bool operand_merged(const struct machine *m, const struct inst *in, u32 i)
{
	for (u32 k = 0; m->config.collector_merge && k < i; k++)
		if (in->read[k] == in->read[i])
			return true;
	return false;
}

#endif
