/*
 * rows.h - rows of results: what a job has come to, in a database and as a line of JSON.
 */
#ifndef WARPSTEP_SWEEP_ROWS_H
#define WARPSTEP_SWEEP_ROWS_H

#include "plan.h"

#include <sqlite3.h>

enum row_state_id {
#define ROWSTATE(id, ...) ROW_##id,
#include "rowstates.def"
#undef ROWSTATE
	ROW_STATES
};
struct row_state {
	const char *name;
	bool final;
	const char *doc;
};
extern const struct row_state row_state_table[ROW_STATES];

/* What a job has come to. */
struct row {
	char key[KEY_DIGITS + 1];
	const char *version, *state; /* a name of row_state_table */
	const char *detail;	     /* in words why it was cut, or empty */
	u64 cycle; /* where the machine stood at its end; hash: of its state there, empty: it was killed */
	const char *hash, *values; /* statistics and measures as one JSON object */
	double seconds;		   /* of the host; not part of the row */
};

struct rows {
	sqlite3 *db;
	char *path;
};

/* Open a database of results; `write`: it is made if there is none. */
enum status rows_open(const char *path, bool write, struct rows *r, struct error *e);
void rows_close(struct rows *r);
/* An error of the database, as a status. */
enum status rows_failed(const struct rows *r, struct error *e);
/* A statement with texts for its ?s, NULL with an error. */
sqlite3_stmt *rows_prepare(const struct rows *r, struct error *e, const char *sql, u32 n, const char *const *text);
/* Run one that gives no rows. */
enum status rows_do(const struct rows *r, struct error *e, const char *sql, u32 n, const char *const *text);

/* Is there a final row of a key? */
bool rows_has(const struct rows *r, const char *key);
/* Put a row in, whole or not at all; a final one stays as it is, and another one of its key is an error. */
enum status rows_put(const struct rows *r, const struct row *x, struct error *e);
/* Put the points of a sweep in, in the place of those it had. */
enum status rows_plan(const struct rows *r, const struct plan *p, struct error *e);
/* Is the plan of that sweep there, with this key at its point i? */
bool rows_planned(const struct rows *r, const struct plan *p, u32 i, const char *key);

/* All rows and points in the order of their keys, a line of JSON each: equal for equal results. */
enum status rows_dump(const struct rows *r, FILE *out, struct error *e);
/* A row as such a line, with its time on the host where that is asked for; xmalloc'ed. */
char *row_line(const struct row *x, bool host);
/* Such a line into a database. */
enum status rows_take(const struct rows *r, const char *line, struct error *e);

#endif
