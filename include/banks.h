/*
 * banks.h - which register-file bank an operand is read from: the collector, the policies and the panes ask here.
 *
 * Source: Barnes, Shen, Rogers, "Mitigating GPU Core Partitioning Performance Effects", HPCA 2023, section II; the
 * swizzle is that of GPGPU-Sim 4.
 */
#ifndef WARPSTEP_BANKS_H
#define WARPSTEP_BANKS_H

#include "config.h"
#include "kernel.h"

/* Bank of its sub-core in which a context finds a register, by its home. The number of banks is mostly a power of two.
 * As in GPGPU-Sim the context's number is that in its SM: contexts that rr deals to a sub-core of four with two banks
 * are all even there, or all odd, and the swizzle tells them not apart. */
static inline u32 register_bank(const struct config *c, u32 home, u32 reg)
{
	u32 n = c->sm_banks, at = reg + (c->sm_bank_swizzle ? home : 0);
	return n & (n - 1) ? at % n : at & (n - 1);
}

/* Need source operand i not be read? The instruction has named the register before, and collector.merge reads it once,
 * or its tensor core still has it (lat.tensor_step). */
static inline bool operand_merged(const struct config *c, const struct inst *in, u32 i)
{
	if (__builtin_expect(in->held, 0) && c->lat_tensor_step && in->held >> i & 1)
		return true;
	for (u32 k = 0; c->collector_merge && k < i; k++)
		if (in->read[k] == in->read[i])
			return true;
	return false;
}

#endif
