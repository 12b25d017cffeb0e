/* token.h - a word of a line of the language. */
#ifndef WARPSTEP_TOKEN_H
#define WARPSTEP_TOKEN_H

#include "base.h"

struct token {
	const char *s; /* NUL-terminated, quotes removed */
	u32 column;    /* 1-based, in its line */
	u32 end;       /* offset in the line just behind it, quotes included */
	u8 quoted;
};

#endif
