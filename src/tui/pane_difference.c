/*
 * pane_difference.c - the statistics of both machines of `compare` at their positions: A, B, the difference, B/A; the
 * largest differences first.
 */
#include "both.h"

#include <math.h>

#define TWICE 2.0 /* the ratio that fills half of a bar */

static const struct grid_column column[] = {
	{.name = "statistic", .width = 18},
	{.name = "A", .width = 9, .right = true},
	{.name = "B", .width = 9, .right = true},
	{.name = "difference", .width = 13, .drop = 2, .right = true},
	{.name = "ratio", .heading = "B/A", .width = 7, .drop = 1, .right = true},
	{.name = "bar", .heading = "", .width = 8, .drop = 3, .wide = true},
};

/* A value of one machine. */
static void pane_difference_value(struct grid *g, const struct compare_stat *x, struct value v)
{
	char text[40];

	compare_value_text(x, v, text);
	if (!x->share && v.kind == VALUE_INT)
		grid_int(g, STYLE_PLAIN, v.i);
	else
		grid_text(g, STYLE_PLAIN, text);
}

/* A row of the table. */
static void pane_difference_row(struct grid *g, const struct compare_stat *x)
{
	double a = value_as_real(x->a), b = value_as_real(x->b);
	char text[40], ratio[32];

	grid_text(g, STYLE_PLAIN, x->name);
	pane_difference_value(g, x, x->a);
	pane_difference_value(g, x, x->b);
	compare_difference_text(x, text);
	grid_text(g, STYLE_PLAIN, text);
	compare_ratio_text(x, ratio);
	grid_text(g, STYLE_PLAIN, ratio);
	if (a > 0 && b >= 0 && !x->share)
		grid_bar(g, STYLE_PLAIN, fmin(b / a, 2 * TWICE), 2 * TWICE);
	else
		grid_none(g);
}

static void pane_difference_fill(struct sheet *s, const struct pane_view *v)
{
	struct compare *x = both_of(v);
	struct compare_stat *stat;
	struct grid *g;
	u32 n, differ;

	if (!x) {
		text_add(&s->focus, "%s", "no comparison");
		text_add(&s->say, "%s", BOTH_NONE);
		return;
	}
	g = sheet_grid(s, "differences", column, ARRAY_LEN(column));
	stat = compare_stats(x, &n, &differ);
	for (u32 i = 0; i < n && stat[i].weight > 0; i++)
		pane_difference_row(g, &stat[i]);
	text_add(&s->focus, "A unchanged | B %s", safe_text(x->change.text));
	text_add(&s->sum, "%u differ", differ);
	s->said = true;
	text_add(&s->say, "statistics of A (unchanged) in cycle %llu and B (%s) in cycle %llu: %u differ",
		 sim_clock(&x->side[0].session.sim), safe_text(x->change.text), sim_clock(&x->side[1].session.sim),
		 differ);
	compare_stats_free(stat, n);
}

const struct pane pane_difference = {
	.name = "difference",
	.summary = "statistics of both machines of `compare`, the largest differences first",
	.legend =
		"A: unchanged; B: with the change   B/A: ratio; the bar is full at 4 and half full at 2   shares differ in percentage points",
	.ask = "compare stats *, goto difference, compare why",
	.size = {.least_width = 40, .least_height = 3, .wish_height = 8},
	.stream = true,
	.fill = pane_difference_fill,
};
