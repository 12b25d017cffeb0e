/*
 * operands.h - collector units and register banks. For src/core only.
 */
#ifndef WARPSTEP_OPERANDS_H
#define WARPSTEP_OPERANDS_H

#include "memory/lsu.h"

/* A context's CTA leaves before its end: its instructions leave their collector units. What has gone further is dropped
 * as it comes. */
void collect_forget(struct sm_view *v, u32 context);
void sm_collect(struct sm_view *v); /* stage collect */

#endif
