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

#include "session_data.h"

#include <math.h>

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
	u32 ncells;
	json_t *rows; /* NULL without -j */
};

/* Names of the columns, separated by blanks, in a string that outlives the table. */
void columns_open(struct columns *c, struct session *s, const char *names);
/* A cell each. NO_NUMBER, NO_REAL and NULL: without a value, "-" and null. */
#define NO_NUMBER INT64_MIN
#define NO_REAL NAN
void columns_int(struct columns *c, i64 n);
void columns_real(struct columns *c, double r);
void columns_text(struct columns *c, const char *text);
void columns_hex(struct columns *c, u64 n, int digits);
/* Up to 13 cells: whole numbers, reals, texts. */
#define columns_row(c, ...) \
	COLUMNS_N(__VA_ARGS__, COLUMNS_13, COLUMNS_12, COLUMNS_11, COLUMNS_10, COLUMNS_9, COLUMNS_8, COLUMNS_7, \
		  COLUMNS_6, COLUMNS_5, COLUMNS_4, COLUMNS_3, COLUMNS_2, COLUMNS_1) \
	(c, __VA_ARGS__)
#define COLUMNS_N(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, name, ...) name
#define COLUMNS_CELL(x) \
	_Generic((x), double : columns_real, char * : columns_text, const char * : columns_text, default : columns_int)
#define COLUMNS_1(c, x) COLUMNS_CELL(x)(c, x)
#define COLUMNS_2(c, x, ...) COLUMNS_1(c, x), COLUMNS_1(c, __VA_ARGS__)
#define COLUMNS_3(c, x, ...) COLUMNS_1(c, x), COLUMNS_2(c, __VA_ARGS__)
#define COLUMNS_4(c, x, ...) COLUMNS_1(c, x), COLUMNS_3(c, __VA_ARGS__)
#define COLUMNS_5(c, x, ...) COLUMNS_1(c, x), COLUMNS_4(c, __VA_ARGS__)
#define COLUMNS_6(c, x, ...) COLUMNS_1(c, x), COLUMNS_5(c, __VA_ARGS__)
#define COLUMNS_7(c, x, ...) COLUMNS_1(c, x), COLUMNS_6(c, __VA_ARGS__)
#define COLUMNS_8(c, x, ...) COLUMNS_1(c, x), COLUMNS_7(c, __VA_ARGS__)
#define COLUMNS_9(c, x, ...) COLUMNS_1(c, x), COLUMNS_8(c, __VA_ARGS__)
#define COLUMNS_10(c, x, ...) COLUMNS_1(c, x), COLUMNS_9(c, __VA_ARGS__)
#define COLUMNS_11(c, x, ...) COLUMNS_1(c, x), COLUMNS_10(c, __VA_ARGS__)
#define COLUMNS_12(c, x, ...) COLUMNS_1(c, x), COLUMNS_11(c, __VA_ARGS__)
#define COLUMNS_13(c, x, ...) COLUMNS_1(c, x), COLUMNS_12(c, __VA_ARGS__)
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
