/* width.h - how many cells a character and a text take (width.c), and text folded to a width (wrap.c). */
#ifndef WARPSTEP_WIDTH_H
#define WARPSTEP_WIDTH_H

#include "base.h"

#define WIDTH_UNKNOWN 3u

/* 0 of a combining character, 1, 2 of a wide one; WIDTH_UNKNOWN where terminals do not agree or where nothing is to be
 * seen. */
u32 character_width(u32 ch);
/* The next character of well-formed UTF-8 (text_add_safe has seen to that), and how far *s moves on. */
u32 character_next(const char **s);
/* Cells that a text without line breaks takes; what is unknown counts one. */
u32 text_columns(const char *s);

/* Where the folding of a stream of text stands. Give the width; the rest begins as zero. */
struct wrap {
	u32 width;  /* cells of a row */
	u32 at;	    /* cells of the row that are taken */
	u32 hang;   /* where the rows below a line's first one begin */
	bool below; /* the row is not the first one of its line */
};

/* Append s to out, lines that are wider than w->width folded at blanks, words that are wider than a row anywhere. The
 * rows below stand under the line's last part that begins behind two blanks in the left three fifths of the width, else
 * two cells behind its beginning. Nothing is left out but blanks. A line may come in pieces. */
void wrap_add(struct wrap *w, struct text *out, const char *s, size_t n);

#endif
