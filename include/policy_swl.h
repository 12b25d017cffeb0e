/*
 * policy_swl.h - what policy swl goes by, for those who show it.
 */
#ifndef WARPSTEP_POLICY_SWL_H
#define WARPSTEP_POLICY_SWL_H

#include "policy.h"

/* Warps of the SM that have not ended and are older than that of a slot. */
u32 swl_older(const struct sched_view *v, u32 slot);
/* Is the limit lifted, for the youngest of those that may issue waits at a barrier, or all may? */
bool swl_lifted(const struct sched_view *v);

#endif
