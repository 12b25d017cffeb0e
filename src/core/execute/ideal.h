/* ideal.h - what the ideal.* settings ask of the core beside a line here and there. For src/core only. */
#ifndef WARPSTEP_IDEAL_H
#define WARPSTEP_IDEAL_H

#include "state/view.h"

/* A warp has issued the instruction at `from` (ideal.divergence): what follows and is free is done. */
void ideal_go_on(struct sm_view *v, u32 context, u32 from);

#endif
