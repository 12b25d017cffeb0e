/*
 * live.h - which registers still matter before and after an instruction, from a kernel's static instructions.
 */
#ifndef WARPSTEP_LIVE_H
#define WARPSTEP_LIVE_H

#include "kernel.h"

#define LIVE_WORDS 4 /* MAX_REGS bits */

/* Bits of physical registers. read, written: by the instruction itself. */
struct live {
	u64 in[LIVE_WORDS], out[LIVE_WORDS], read[LIVE_WORDS], written[LIVE_WORDS];
};

/* At instruction pc of k. False: a trace does not tell where its branches go, so that only read and written are known.
 */
bool live_at(const struct kernel *k, u32 pc, struct live *out);
static inline bool live_has(const u64 *set, u32 reg)
{
	return set[reg / 64] >> reg % 64 & 1;
}

#endif
