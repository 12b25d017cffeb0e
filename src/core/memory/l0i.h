/*
 * l0i.h - the L0 instruction caches of an SM's sub-cores and the stream buffers behind them (l0i.latency, warp.size
 * 32). Lines are numbered by l0i.line bytes of code. For src/core only.
 */
#ifndef WARPSTEP_L0I_H
#define WARPSTEP_L0I_H

#include "state/view.h"

/* Are there any? */
static inline bool l0i_used(const struct sm_view *v)
{
	return v->m->section[SECTION_L0I_MISS].count && v->m->config.l1i_perfect != PERFECT_ON;
}

/* A fetch of a context wants a line of its sub-core's cache. True: it is there; false: the context waits for it, or is
 * refused and tries again. */
bool l0i_look_up(struct sm_view *v, u32 context, u64 line);
/* The L1I looks up lines that have been asked for, as many as it has ports; lines that are there wake those who wait.
 */
void l0i_step(struct sm_view *v);
/* A context no longer waits for any line; does it for one? */
void l0i_forget(struct sm_view *v, u32 context);
bool l0i_waits(const struct sm_view *v, u32 context);
/* With l1i.perfect l1i: a kernel has ended, and the caches and stream buffers are empty. */
void l0i_flush(struct sm_view *v);

#endif
