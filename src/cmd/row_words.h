/* row_words.h - words that commands look up in tables of their own, for completion: the i-th, NULL after the last. */
#ifndef WARPSTEP_ROW_WORDS_H
#define WARPSTEP_ROW_WORDS_H

#include "base.h"

/* Parts of a launch; fills of a buffer; what can finish; ways to leave an SM; what a focus is on. */
const char *launch_word(u32 i);
const char *fill_word(u32 i);
const char *finish_word(u32 i);
const char *leaving_word(u32 i);
const char *focus_word(u32 i);

#endif
