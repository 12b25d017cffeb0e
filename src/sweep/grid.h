/*
 * grid.h - the points of a sweep with what is known of each, what a query makes of them, and that as text.
 */
#ifndef WARPSTEP_SWEEP_GRID_H
#define WARPSTEP_SWEEP_GRID_H

#include "rows.h"

#include <string.h>

/* The points of a sweep as the database has them. */
struct grid {
	char *name;
	char *file;
	u32 naxes, n;
	struct grid_axis {
		char *name;
		char **value;
		u32 n;
		u32 base; /* of the baseline, NONE32: any */
	} axis[SWEEP_AXES];
	bool has_baseline;
	struct grid_point {
		u32 value[SWEEP_AXES];
		u32 number;
		char key[KEY_DIGITS + 1];
		const char *state; /* a name of row_state_table; NULL: no row */
		u64 cycle;
		json_t *values; /* NULL: no row */
	} * point;
	char **measure;
	u32 nmeasures;
	u32 old; /* rows of the database that belong to no point of any sweep: other versions, other inputs */
};

/* A sweep of a database; name NULL: the only one. Free it in any case. */
enum status grid_open(const struct rows *r, const char *name, struct grid *g, struct error *e);
void grid_free(struct grid *g);
u32 grid_axis(const struct grid *g, const char *name);
/* Is a point there, whole? Only such points enter a number. */
static inline bool grid_whole(const struct grid_point *p)
{
	return p->state && !strcmp(p->state, row_state_table[ROW_complete].name);
}
/* A number of a whole point: a statistic or measure; false: it has none of that name. */
bool grid_number(const struct grid_point *p, const char *name, double *out);
/* A point in words. */
void grid_words(const struct grid *g, const struct grid_point *p, struct text *out);

/* A table: texts, some of which are numbers. */
struct table {
	char **head;
	u32 columns, cells; /* cells: columns x rows */
	u32 labels;	    /* the first columns, which name the row */
	struct table_cell {
		char *text; /* NULL: a number: */
		double x;
	} * cell;
	char *what; /* what the other columns are: "ipc, geometric mean relative to the baseline" */
};
void table_head(struct table *t, const char *name);
/* One more cell, row by row. */
void table_add(struct table *t, const char *text);
void table_add_number(struct table *t, double x);
void table_free(struct table *t);
void table_print(const struct table *t, bool csv, FILE *out);
/* {"what": ..., "rows": [{COLUMN: CELL, ...}, ...]} */
json_t *table_json(const struct table *t);
/* As bars, by gnuplot: a file that ends in .svg, or "-": as text on standard output. */
enum status table_chart(const struct table *t, const char *file, u32 columns, struct error *e);

/* What a query asks for. Points that are missing or cut and would have been part of a number are named in *refused. */
enum status query_run(struct session *s, const struct rows *r, const char *query, struct table *t, struct text *refused,
		      struct error *e);

#endif
