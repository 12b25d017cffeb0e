/*
 * simt.h - the SIMT stack of one warp: immediate post-dominator reconvergence.
 *
 * Entries from the bottom: {pc, reconverge, mask}. The top runs. A divergent branch turns the top into the
 * reconvergence entry (unless it reconverges where the top already does, in which case the lanes that jump
 * there simply leave) and pushes the other side(s), the taken one on top last so it runs first (BRA_FALL_FIRST: the
 * other). Masks on a path shrink strictly, so SIMT_DEPTH entries always suffice. Source: Fung et al., MICRO 2007.
 */
#ifndef WARPSTEP_SIMT_H
#define WARPSTEP_SIMT_H

#include "kernel.h"

#define SIMT_DEPTH 64

struct simt_entry {
	u32 pc;		/* next instruction of these lanes (index) */
	u32 reconverge; /* index at which they join the entry below; kernel.ninst: only at exit */
	u32 mask;
};

/* A warp that starts: mask at instruction 0; returns the depth, 1. */
u32 simt_start(struct simt_entry *stack, u32 ninst, u32 mask);
/* The top has executed `in` at index pc: exited lanes leave every entry, taken lanes go to in->target, the others
 * to pc + 1; finished and reconverged entries are popped. Returns the new depth; 0 = the warp has ended. */
u32 simt_advance(struct simt_entry *stack, u32 depth, const struct inst *in, u32 pc, u32 taken, u32 exited);
/* Lanes of the warp that have not exited. */
static inline u32 simt_live(const struct simt_entry *stack, u32 depth)
{
	return depth ? stack[0].mask : 0;
}
/* Lanes that a barrier reached by `mask` misses: those that have not exited, but for the ones whose next instruction is
 * to exit. */
u32 simt_missing(const struct simt_entry *stack, u32 depth, const struct inst *code, u32 ninst, u32 mask);

#endif
