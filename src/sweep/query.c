/*
 * query.c - what a query makes of the points of a sweep (grid.h).
 *
 *   [FOLD] MEASURE... [by AXIS...] [where AXIS VALUE...] [from SWEEP]      (folds.def)
 *
 * Each cell is a number of all points that have the values of its row and column. A cell that is to be made of a point
 * which is missing or was cut has no number, and the point is named. A geometric mean is that of the points' values,
 * each divided by that of its baseline.
 */
#include "grid.h"

#include "words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAMED 12 /* points that are named for one query */

/* How the numbers of a cell become one. */
static const struct fold {
	const char *name, *doc;
} fold_table[] = {
#define FOLD(id, n, d) {.name = n, .doc = d},
#include "folds.def"
#undef FOLD
};
enum {
#define FOLD(id, ...) FOLD_##id,
#include "folds.def"
#undef FOLD
	FOLD_NONE
};

struct query {
	struct grid *g;
	u32 fold;
	const char *measure[16];
	u32 nmeasures;
	u32 by[SWEEP_AXES], nby;
	u32 where[SWEEP_AXES]; /* NONE32: any value */
	struct text *refused;
	u32 nrefused;
	u32 least, most; /* points of a cell; most 0: there was none yet */
};

/* --- in words --- */

static u32 fold_find(const char *word)
{
	u32 i = 0;

	while (i < FOLD_NONE && strcmp(fold_table[i].name, word) != 0)
		i++;
	return i;
}

/* Which part of a query begins with a word. */
static u32 part_find(const char *word)
{
	static const char *const part[] = {"by", "where", "from"};
	u32 i = 0;

	while (i < ARRAY_LEN(part) && strcmp(part[i], word) != 0)
		i++;
	return i;
}

/* The axis that a word names. */
static enum status take_axis(const struct query *q, const struct token *t, u32 *axis, struct error *e)
{
	struct text names = {0};

	*axis = grid_axis(q->g, t->s);
	if (*axis != NONE32)
		return STATUS_OK;
	for (u32 i = 0; i < q->g->naxes; i++)
		text_list(&names, ", ", q->g->axis[i].name);
	error_set(e, STATUS_USAGE, "query: '%s' is not swept (swept: %s)", token_shown(t->s), names.s ? names.s : "");
	text_free(&names);
	return STATUS_USAGE;
}

static enum status take_where(struct query *q, const struct token *t, u32 left, struct error *e)
{
	u32 axis, v = 0;
	enum status st = take_axis(q, t, &axis, e);

	if (st)
		return st;
	while (left > 1 && v < q->g->axis[axis].n && strcmp(q->g->axis[axis].value[v], t[1].s) != 0)
		v++;
	if (left < 2 || v == q->g->axis[axis].n)
		return error_set(e, STATUS_USAGE, "query: '%s' is not a value of %s",
				 left < 2 ? "" : token_shown(t[1].s), token_shown(t->s));
	q->where[axis] = v;
	return STATUS_OK;
}

static enum status take_by(struct query *q, const struct token *t, struct error *e)
{
	if (q->nby == SWEEP_AXES)
		return error_set(e, STATUS_USAGE, "query: too many words behind `by`");
	return take_axis(q, t, &q->by[q->nby++], e);
}

/* The words of a query, but the name of the sweep. */
static enum status take_words(struct query *q, const struct token *t, u32 n, struct error *e)
{
	u32 part = NONE32, i = 0;
	enum status st = STATUS_OK;

	q->fold = n ? fold_find(t[0].s) : FOLD_NONE;
	for (i = q->fold != FOLD_NONE; i < n && !st; i++) {
		u32 begins = part_find(t[i].s);

		if (begins < 3)
			part = begins;
		else if (part == 0)
			st = take_by(q, &t[i], e);
		else if (part == 1) {
			st = take_where(q, &t[i], n - i, e);
			i++;
		} else if (part == NONE32 && q->nmeasures < ARRAY_LEN(q->measure))
			q->measure[q->nmeasures++] = t[i].s;
	}
	if (!st && q->fold != FOLD_NONE && !q->nmeasures)
		st = error_set(e, STATUS_USAGE, "query: missing statistic or measure behind '%s'",
			       fold_table[q->fold].name);
	return st;
}

/* --- numbers --- */

/* Is a point one of those that the query is about? */
static bool matches(const struct query *q, const struct grid_point *p)
{
	for (u32 i = 0; i < q->g->naxes; i++)
		if (q->where[i] != NONE32 && q->where[i] != p->value[i])
			return false;
	return true;
}

/* Name a point that keeps a number from being made. */
static void refuse(struct query *q, const struct grid_point *p, const char *why)
{
	if (q->nrefused++ >= NAMED)
		return;
	text_add(q->refused, "  point %u (", p->number);
	grid_words(q->g, p, q->refused);
	text_add(q->refused, "): %s\n", why);
}

/* The point that another is measured by; NULL: there is none. */
static const struct grid_point *base_of(const struct grid *g, const struct grid_point *p)
{
	for (u32 i = 0; i < g->n; i++) {
		bool is = true;

		for (u32 x = 0; x < g->naxes && is; x++)
			is = g->point[i].value[x] == (g->axis[x].base != NONE32 ? g->axis[x].base : p->value[x]);
		if (is)
			return &g->point[i];
	}
	return NULL;
}

/* A number of a point, if it is whole. */
static bool number_of(struct query *q, const struct grid_point *p, const char *name, double *out)
{
	if (!grid_whole(p)) {
		refuse(q, p, p->state ? p->state : "missing");
		return false;
	}
	if (grid_number(p, name, out))
		return true;
	refuse(q, p, "has no number of that name");
	return false;
}

/* The same, relative to the baseline where a geometric mean is to be made. */
static bool value_of(struct query *q, const struct grid_point *p, const char *name, double *out)
{
	const struct grid_point *base;
	double by = 1;

	if (!number_of(q, p, name, out))
		return false;
	if (q->fold != FOLD_GEOMEAN)
		return true;
	if (q->g->has_baseline) {
		base = base_of(q->g, p);
		if (!base)
			refuse(q, p, "its baseline is left out by `except`");
		if (!base || !number_of(q, base, name, &by))
			return false;
	}
	if (*out > 0 && by > 0) {
		*out /= by;
		return true;
	}
	refuse(q, p, "not above 0, so there is no geometric mean");
	return false;
}

/* One more number into a cell. */
static double folded(u32 fold, double sum, double x, u32 n)
{
	switch (fold) {
	case FOLD_GEOMEAN: return sum + log(x);
	case FOLD_MIN: return n && sum < x ? sum : x;
	case FOLD_MAX: return n && sum > x ? sum : x;
	default: return sum + x;
	}
}

/* Values of axes that a cell is of: which of each in `by`. */
static bool in_cell(const struct query *q, const struct grid_point *p, const u32 *value)
{
	for (u32 i = 0; i < q->nby; i++)
		if (p->value[q->by[i]] != value[i])
			return false;
	return matches(q, p);
}

/* A cell: of the points with these values of the axes of `by`. */
static enum status add_cell(struct query *q, const u32 *value, const char *measure, struct table *t, struct error *e)
{
	const struct grid_point *last = NULL;
	bool whole = true;
	double sum = 0, x;
	u32 n = 0;

	for (u32 i = 0; i < q->g->n; i++) {
		const struct grid_point *p = &q->g->point[i];

		if (!in_cell(q, p, value))
			continue;
		if (n && q->fold == FOLD_NONE)
			return error_set(e, STATUS_USAGE,
					 "query: several points in one cell (begin with geomean or mean, or "
					 "add axes behind `by`)");
		if (value_of(q, p, measure, &x))
			sum = folded(q->fold, sum, x, n);
		else
			whole = false;
		last = p;
		n++;
	}
	if (n) {
		q->least = q->most ? min_u32(q->least, n) : n;
		q->most = max_u32(q->most, n);
	}
	if (!n)
		table_add(t, "-");
	else if (!whole)
		table_add(t, q->fold == FOLD_NONE && !grid_whole(last) ? last->state ? last->state : "missing"
								       : "incomplete");
	else
		table_add_number(t, q->fold == FOLD_GEOMEAN ? exp(sum / n) : q->fold == FOLD_MEAN ? sum / n : sum);
	return STATUS_OK;
}

/* --- tables --- */

/* The columns' title. */
static void title(const struct query *q, struct table *t)
{
	struct text what = {0};
	const char *base = "";

	for (u32 i = 0; i < q->nmeasures; i++)
		text_list(&what, ", ", q->measure[i]);
	if (q->fold != FOLD_NONE)
		text_add(&what, ": %.*s", (int)strcspn(fold_table[q->fold].doc, ";"), fold_table[q->fold].doc);
	if (q->fold == FOLD_GEOMEAN && q->g->has_baseline)
		text_add(&what, " relative to");
	for (u32 i = 0; i < q->g->naxes && q->fold == FOLD_GEOMEAN; i++) {
		const struct grid_axis *x = &q->g->axis[i];

		if (x->base == NONE32)
			continue;
		text_add(&what, "%s %s %s", base, x->name, x->value[x->base]);
		base = ",";
	}
	t->what = what.s;
}

/* The next values of the first n axes of `by`; false: those were the last. */
static bool next_values(const struct query *q, u32 *value, u32 n)
{
	while (n--) {
		if (++value[n] < q->g->axis[q->by[n]].n)
			return true;
		value[n] = 0;
	}
	return false;
}

/* Numbers of unequal sets of points are not to be compared unseen. */
static void say_sizes(const struct query *q, struct table *t)
{
	char *what = xasprintf("%s; `except` leaves cells of %u to %u points", t->what, q->least, q->most);

	free(t->what);
	t->what = what;
}

/* Rows of all axes of `by`, or of all but the last, whose values are columns then. */
static enum status cross(struct query *q, struct table *t, struct error *e)
{
	bool across = q->nmeasures == 1 && q->nby > 1;
	u32 rows = q->nby - across, value[SWEEP_AXES + 1] = {0};
	const struct grid_axis *last = across ? &q->g->axis[q->by[q->nby - 1]] : NULL;
	enum status st = STATUS_OK;

	title(q, t);
	t->labels = rows;
	for (u32 i = 0; i < rows; i++)
		table_head(t, q->g->axis[q->by[i]].name);
	for (u32 i = 0; last && i < last->n; i++)
		table_head(t, last->value[i]);
	for (u32 i = 0; !last && i < q->nmeasures; i++)
		table_head(t, q->measure[i]);
	do {
		for (u32 i = 0; i < rows; i++)
			table_add(t, q->g->axis[q->by[i]].value[value[i]]);
		for (value[rows] = 0; last && value[rows] < last->n && !st; value[rows]++)
			st = add_cell(q, value, q->measure[0], t, e);
		for (u32 i = 0; !last && i < q->nmeasures && !st; i++)
			st = add_cell(q, value, q->measure[i], t, e);
	} while (!st && next_values(q, value, rows));
	if (q->fold != FOLD_NONE && q->least != q->most)
		say_sizes(q, t);
	return st;
}

/* Every point with its state. */
static enum status list(struct query *q, struct table *t)
{
	table_head(t, "point");
	for (u32 i = 0; i < q->g->naxes; i++)
		table_head(t, q->g->axis[i].name);
	table_head(t, "state");
	t->labels = q->g->naxes + 2;
	for (u32 i = 0; i < q->nmeasures; i++)
		table_head(t, q->measure[i]);
	table_head(t, "key");
	for (u32 i = 0; i < q->g->n; i++) {
		const struct grid_point *p = &q->g->point[i];
		double x;

		if (!matches(q, p))
			continue;
		table_add_number(t, p->number);
		for (u32 k = 0; k < q->g->naxes; k++)
			table_add(t, q->g->axis[k].value[p->value[k]]);
		table_add(t, p->state ? p->state : "missing");
		for (u32 k = 0; k < q->nmeasures; k++)
			if (grid_whole(p) && grid_number(p, q->measure[k], &x))
				table_add_number(t, x);
			else
				table_add(t, "-");
		table_add(t, p->key);
	}
	if (q->g->old)
		t->what = xasprintf("%u row%s of other versions of the program or its inputs: not shown", q->g->old,
				    plural(q->g->old));
	return STATUS_OK;
}

/* Has any complete point a number of that name? Where none is complete nothing is known. */
static bool is_known(const struct query *q, const char *name)
{
	bool whole = false;
	double x;

	for (u32 i = 0; i < q->g->n; i++) {
		const struct grid_point *p = &q->g->point[i];

		whole |= grid_whole(p);
		if (grid_whole(p) && grid_number(p, name, &x))
			return true;
	}
	return !whole;
}

/* A query of a sweep that is open. */
static enum status run(struct query *q, const struct token *t, u32 n, struct table *out, struct error *e)
{
	enum status st;

	memset(q->where, 0xff, sizeof(q->where));
	st = take_words(q, t, n, e);
	for (u32 i = 0; i < q->nmeasures && !st; i++)
		if (!is_known(q, q->measure[i]))
			st = error_set(e, STATUS_USAGE,
				       "query: no point has a number '%s' (statistics, and the measures of the sweep)",
				       safe_text(q->measure[i]));
	if (st)
		return st;
	if (q->nby || q->fold != FOLD_NONE)
		return q->nmeasures ? cross(q, out, e)
				    : error_set(e, STATUS_USAGE, "query: missing statistic or measure before `by`");
	for (u32 i = 0; !q->nmeasures && i < q->g->nmeasures && i < ARRAY_LEN(q->measure); i++)
		q->measure[i] = q->g->measure[i];
	if (!q->nmeasures)
		q->nmeasures = min_u32(q->g->nmeasures, ARRAY_LEN(q->measure));
	return list(q, out);
}

/* The word behind `from`. */
static const char *sweep_named(const struct token *t, u32 n)
{
	for (u32 i = 0; i + 1 < n; i++)
		if (!strcmp(t[i].s, "from"))
			return t[i + 1].s;
	return NULL;
}

enum status query_run(struct session *s UNUSED, const struct rows *r, const char *query, struct table *t,
		      struct text *refused, struct error *e)
{
	struct grid g = {0};
	struct query q = {.g = &g, .refused = refused};
	struct words w;
	enum status st = words_parse(&w, query, strlen(query), e);

	if (!st)
		st = grid_open(r, sweep_named(w.token, w.n), &g, e);
	if (!st)
		st = run(&q, w.token, w.n, t, e);
	if (!st && q.nrefused > NAMED)
		text_add(refused, "  and %u more\n", q.nrefused - NAMED);
	if (g.name)
		grid_free(&g);
	words_free(&w);
	return st;
}
