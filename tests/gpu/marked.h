/*
 * marked.h - PTX in which each CTA leaves its clocks.
 *
 * Each entry begins with one store of a CTA's first thread, of %clock64, and each exit leaves the greatest %clock64 and
 * %globaltimer of the CTA, in a variable of the module: MARK_WORDS words for a CTA. What is between is as it was.
 */
#ifndef GPU_MARKED_H
#define GPU_MARKED_H

#include "base.h"

#define MARK_SYMBOL "warpstep_marks"
/* of a CTA: clock of its start, greatest clock at an exit, greatest globaltimer there (ns), SM */
enum { MARK_START, MARK_STOP, MARK_TIME, MARK_SM, MARK_WORDS };

/* The text with marks for so many CTAs; xmalloc'ed. */
char *ptx_marked(const char *ptx, u32 ctas);

#endif
