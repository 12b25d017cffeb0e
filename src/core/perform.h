/*
 * perform.h - the chosen instruction of a context issues: it is performed, and its registers, lanes and operands
 * follow.
 */
#ifndef WARPSTEP_PERFORM_H
#define WARPSTEP_PERFORM_H

#include "core.h"

/* Issue the first buffered instruction of a context. */
void perform(struct sm_view *v, u32 context);
/* The next instruction of a warp is not the one that follows: empty its instruction buffer, fetch at the new place. */
void warp_jump(struct sm_view *v, u32 context, u32 pc, u32 delay);
/* A warp has nothing more to do; its last instruction was at pc. */
void warp_ended(struct sm_view *v, u32 context, u32 pc);

#endif
