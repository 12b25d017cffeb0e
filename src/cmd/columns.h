/*
 * columns.h - a table for people and the same as JSON: cells are given row by row and printed once.
 *
 * Numbers stand right with thousands separated; text stands left and must be safe. Where a row is wider than what is
 * printed may be (desk_columns), names (text without blanks) are shortened, with a sign, if it then fits, a last column
 * of sentences goes on below itself; else what is the same in every row is told once, and each row takes several lines.
 * Numbers are never cut. The JSON is an array of
 * objects with the columns' names as keys.
 */
#ifndef WARPSTEP_COLUMNS_H
#define WARPSTEP_COLUMNS_H

#include "sitting.h"

#define MAX_COLUMNS 20

struct column_cell {
	char *text;
	bool right;
};

struct columns {
	struct session *session;
	const char *name[MAX_COLUMNS];
	u32 ncolumns;
	struct column_cell *cell;
	u32 ncells, room;
	json_t *rows; /* NULL without -j */
};

/* Names of the columns, separated by blanks, in a string that outlives the table. */
void columns_open(struct columns *c, struct session *s, const char *names);
void columns_int(struct columns *c, i64 n);
void columns_real(struct columns *c, double r);
void columns_text(struct columns *c, const char *text);
void columns_hex(struct columns *c, u64 n, int digits);
/* A cell without a value: "-" and null. */
void columns_none(struct columns *c);
/* Print, put the array into the result under `key`, free. empty: what to say when there are no rows. */
void columns_close(struct columns *c, const char *key, const char *empty);

/* Where the columns stand: cells of each, and its line of the row. */
struct columns_fit {
	u32 width[MAX_COLUMNS], line[MAX_COLUMNS];
};
/* Lay the table out in a width (0: any number of cells). */
void columns_fit(const struct columns *c, u32 width, struct columns_fit *f);
/* The table without the columns that have the same text in every row, which are told in `same`: cells are an array of
 * its own that borrows their texts. False: there are none such, or no others. */
bool columns_differing(const struct columns *c, struct columns *out, struct text *same);
/* Append a name, in its middle a sign for what does not fit into the width. */
void columns_shorten(struct text *out, const char *s, u32 width, bool ascii);

/* 1234567 as 1,234,567, in a ring of buffers. */
const char *thousands(i64 n);

#endif
