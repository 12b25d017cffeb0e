/*
 * columns.h - a table for people and the same as JSON: cells are given row by row and printed once.
 *
 * Numbers stand right with thousands separated; text stands left and must be safe. The JSON is an array of objects
 * with the columns' names as keys.
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

/* 1234567 as 1,234,567, in a ring of buffers. */
const char *thousands(i64 n);

#endif
