/*
 * marked.h - PTX in which each CTA leaves its clocks.
 *
 * At each entry warps leave the least %clock64 of the CTA, as its distance from MARK_TOP, and at each exit the greatest
 * %clock64 and %globaltimer, in a variable of the module: MARK_WORDS words for a CTA, zero before the launch. What is
 * between is as it was.
 */
#ifndef GPU_MARKED_H
#define GPU_MARKED_H

#include "base.h"

#define MARK_SYMBOL "warpstep_marks"
#define MARK_TOP 0x4000000000000000u
#define MARK_TOP_TEXT "0x4000000000000000"
/* of a CTA: MARK_TOP - clock of its start, greatest clock at an exit, greatest globaltimer there (ns), SM */
enum { MARK_START, MARK_STOP, MARK_TIME, MARK_SM, MARK_WORDS };

/* The text with marks for so many CTAs; xmalloc'ed. */
char *ptx_marked(const char *ptx, u32 ctas);

#endif
