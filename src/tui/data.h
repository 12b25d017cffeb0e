/*
 * data.h - what pane `data` looks at: a stretch of memory, an element of it under the cursor, how elements are read.
 * One for each session, kept beside filters and orders (kept.c); what follows the focus is found when it is drawn.
 */
#ifndef WARPSTEP_DATA_H
#define WARPSTEP_DATA_H

#include "extent.h"
#include "pane.h"
#include "tui.h"

#define DATA_PAST 8 /* places to go back to */

struct data_place {
	struct extent extent;
	bool warp, lane; /* it is the focused warp's, the lane's of code.lane */
	u64 at;		 /* byte of the element under the cursor */
	u8 type;	 /* enum value_type that elements are seen as */
};

struct data_wish {
	struct data_place now, past[DATA_PAST]; /* kind EXTENT_NONE: the first buffer */
	u32 npast;
	bool hex;
};

/* The wish; panes_data makes it when it is first needed. */
struct data_wish *panes_data(struct session *s);
const struct data_wish *panes_data_now(const struct session *s);

/* What is there now. */
struct data_shown {
	struct extent extent;
	u64 at, count; /* the element's byte, whole elements */
	u8 type;
	u32 size; /* bytes of an element */
	bool hex;
};
/* False: there is nothing to show, or not now; out->extent.kind tells of what. */
bool data_shown(const struct pane_view *v, struct data_shown *out);

/* How a row is divided: cells of the address (0: left out) and of the number, of an element; elements of a row. */
struct data_row {
	u32 address, number, cell, n;
};
struct data_row data_row(const struct session *s, const struct data_shown *d, u32 width);
/* An element's bytes as text, at most cell characters. */
void data_text(const struct data_shown *d, const u8 *bytes, char out[32]);
/* Of a buffer its name, else "shared", "local". */
const char *data_name(const struct session *s, const struct extent *x);

#endif
