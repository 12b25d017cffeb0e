/* grid.c - the points of a sweep read from a database (grid.h). */
#include "grid.h"

#include <stdlib.h>
#include <string.h>

static char *text_at(sqlite3_stmt *q, int column)
{
	const char *s = (const char *)sqlite3_column_text(q, column);

	return xstrdup(s ? s : "");
}

/* The only sweep of a database. */
static enum status only_sweep(const struct rows *r, char **name, struct error *e)
{
	sqlite3_stmt *q = rows_prepare(r, e, "SELECT name FROM sweep ORDER BY name", 0, NULL);
	struct text names = {0};
	enum status st = STATUS_OK;
	u32 n = 0;

	while (q && sqlite3_step(q) == SQLITE_ROW) {
		const char *one = (const char *)sqlite3_column_text(q, 0);

		if (!n++)
			*name = xstrdup(one);
		text_list(&names, ", ", safe_text(one));
	}
	if (!q)
		st = STATUS_FAILED;
	else if (!n)
		st = error_at(e, STATUS_FAILED, r->path, 0, 0, "no sweep is recorded there");
	else if (n > 1)
		st = error_set(e, STATUS_USAGE, "several sweeps (add `from NAME`: %.500s)", names.s);
	sqlite3_finalize(q);
	text_free(&names);
	return st;
}

u32 grid_axis(const struct grid *g, const char *name)
{
	for (u32 i = 0; i < g->naxes; i++)
		if (!strcmp(g->axis[i].name, name))
			return i;
	return NONE32;
}

static u32 value_find(const struct grid_axis *x, const char *value)
{
	for (u32 i = 0; value && i < x->n; i++)
		if (!strcmp(x->value[i], value))
			return i;
	return NONE32;
}

static void take_axes(struct grid *g, const json_t *axes, const json_t *baseline)
{
	size_t n = json_array_size(axes);

	g->naxes = (u32)(n < SWEEP_AXES ? n : SWEEP_AXES);
	for (u32 i = 0; i < g->naxes; i++) {
		const json_t *x = json_array_get(axes, i), *values = json_object_get(x, "values");
		struct grid_axis *a = &g->axis[i];
		const char *name = json_string_value(json_object_get(x, "name"));

		a->name = xstrdup(name ? name : "");
		a->n = (u32)json_array_size(values);
		a->value = xcalloc(a->n, sizeof(*a->value));
		for (u32 k = 0; k < a->n; k++) {
			const char *value = json_string_value(json_array_get(values, k));

			a->value[k] = xstrdup(value ? value : "");
		}
		a->base = value_find(a, json_string_value(json_object_get(baseline, a->name)));
		g->has_baseline |= a->base != NONE32;
	}
}

static enum status read_sweep(const struct rows *r, struct grid *g, struct error *e)
{
	sqlite3_stmt *q = rows_prepare(r, e, "SELECT file, axes, baseline, measures FROM sweep WHERE name = ?", 1,
				       (const char *const *)&g->name);
	enum status st = STATUS_OK;

	if (!q)
		return STATUS_FAILED;
	if (sqlite3_step(q) == SQLITE_ROW) {
		json_t *axes = json_loads((const char *)sqlite3_column_text(q, 1), 0, NULL),
		       *baseline = json_loads((const char *)sqlite3_column_text(q, 2), 0, NULL),
		       *measures = json_loads((const char *)sqlite3_column_text(q, 3), 0, NULL);

		g->file = text_at(q, 0);
		take_axes(g, axes, baseline);
		g->nmeasures = (u32)json_array_size(measures);
		g->measure = xcalloc(g->nmeasures, sizeof(*g->measure));
		for (u32 i = 0; i < g->nmeasures; i++)
			g->measure[i] = xstrdup(json_string_value(json_array_get(measures, i)));
		json_decref(axes);
		json_decref(baseline);
		json_decref(measures);
	} else {
		st = error_at(e, STATUS_FAILED, r->path, 0, 0, "no sweep '%s' is recorded there", safe_text(g->name));
	}
	sqlite3_finalize(q);
	return st;
}

static const char *state_named(const char *state)
{
	for (u32 i = 0; state && i < ROW_STATES; i++)
		if (!strcmp(row_state_table[i].name, state))
			return row_state_table[i].name;
	return NULL;
}

/* A point of the statement that lists them. */
static bool take_point(struct grid *g, sqlite3_stmt *q)
{
	json_t *point = json_loads((const char *)sqlite3_column_text(q, 2), 0, NULL);
	const char *values = (const char *)sqlite3_column_text(q, 4);
	struct grid_point *p;
	bool good = true;

	g->point = array_grow(g->point, g->n, sizeof(*g->point));
	p = &g->point[g->n++];
	*p = (struct grid_point){.number = (u32)sqlite3_column_int64(q, 0),
				 .state = state_named((const char *)sqlite3_column_text(q, 3)),
				 .cycle = (u64)sqlite3_column_int64(q, 5)};
	snprintf(p->key, sizeof(p->key), "%s", (const char *)sqlite3_column_text(q, 1));
	for (u32 i = 0; i < g->naxes; i++) {
		p->value[i] = value_find(&g->axis[i], json_string_value(json_object_get(point, g->axis[i].name)));
		good &= p->value[i] != NONE32;
	}
	p->values = p->state && values ? json_loads(values, 0, NULL) : NULL;
	json_decref(point);
	return good;
}

static enum status read_points(const struct rows *r, struct grid *g, struct error *e)
{
	sqlite3_stmt *q =
		rows_prepare(r, e,
			     "SELECT n, plan.key, point, state, vals, cycle FROM plan LEFT JOIN result USING(key)"
			     " WHERE sweep = ? ORDER BY n",
			     1, (const char *const *)&g->name);
	enum status st = q ? STATUS_OK : STATUS_FAILED;

	while (q && !st && sqlite3_step(q) == SQLITE_ROW)
		if (!take_point(g, q))
			st = error_at(e, STATUS_FAILED, r->path, 0, 0,
				      "a point has a value that its axis does not have");
	sqlite3_finalize(q);
	return st;
}

/* Rows that no plan names any more. */
static u32 count_old(const struct rows *r)
{
	struct error e;
	sqlite3_stmt *q =
		rows_prepare(r, &e, "SELECT count(*) FROM result WHERE key NOT IN (SELECT key FROM plan)", 0, NULL);
	u32 n = q && sqlite3_step(q) == SQLITE_ROW ? (u32)sqlite3_column_int64(q, 0) : 0;

	sqlite3_finalize(q);
	return n;
}

enum status grid_open(const struct rows *r, const char *name, struct grid *g, struct error *e)
{
	enum status st = STATUS_OK;

	*g = (struct grid){.name = name ? xstrdup(name) : NULL};
	if (!name)
		st = only_sweep(r, &g->name, e);
	if (!st)
		st = read_sweep(r, g, e);
	if (!st)
		st = read_points(r, g, e);
	g->old = count_old(r);
	return st;
}

void grid_free(struct grid *g)
{
	for (u32 i = 0; i < g->naxes; i++) {
		lines_free(g->axis[i].value, g->axis[i].n);
		free(g->axis[i].name);
	}
	for (u32 i = 0; i < g->n; i++)
		json_decref(g->point[i].values);
	lines_free(g->measure, g->nmeasures);
	free(g->point);
	free(g->name);
	free(g->file);
	*g = (struct grid){0};
}

bool grid_number(const struct grid_point *p, const char *name, double *out)
{
	const json_t *v = json_object_get(p->values, name);

	if (!json_is_number(v))
		return false;
	*out = json_number_value(v);
	return true;
}

void grid_words(const struct grid *g, const struct grid_point *p, struct text *out)
{
	for (u32 i = 0; i < g->naxes; i++)
		text_add(out, "%s%s %s", i ? ", " : "", g->axis[i].name, safe_text(g->axis[i].value[p->value[i]]));
}
