/*
 * fetch.h - instruction buffers. For src/core only.
 */
#ifndef WARPSTEP_FETCH_H
#define WARPSTEP_FETCH_H

#include "memory/l1i.h"

/* fetch.c: is a fetch of a context that has a slot under way? */
bool fetch_waits(const struct sm_view *v, u32 context);
/* their stages */
void sm_decode(struct sm_view *v);
void sm_fetch(struct sm_view *v);

#endif
