/* width.h - how many cells a character takes (width.c). */
#ifndef WARPSTEP_WIDTH_H
#define WARPSTEP_WIDTH_H

#include "base.h"

#define WIDTH_UNKNOWN 3u

/* 0 of a combining character, 1, 2 of a wide one; WIDTH_UNKNOWN where terminals do not agree or where nothing is to be
 * seen. */
u32 character_width(u32 ch);

#endif
