/*
 * compare_lines.c - `compare lines`: issues, stalls and memory traffic of both machines by source line
 * (compare_words.h).
 *
 * Lines of two versions of a file belong together by their text, in their order, as many as can (the longest common
 * subsequence), whatever their numbers are; where the text cannot be read, by their numbers. Lines between two that
 * belong together are the same line before and after a change: the first of A and the first of B, and so on. What only
 * one version has stands alone.
 */
#include "compare_words.h"

#include "columns.h"
#include "lines.h"
#include "settings.h"
#include "source_text.h"

#define ROWS 12	  /* where not all are asked for */
#define MOST 8000 /* lines of a machine */

/* A line of one side. */
struct side_line {
	struct line_count count;
	u32 number;
	const char *text; /* "": it cannot be read */
	const char *file; /* NULL: of a trace */
};
struct side_lines {
	struct side_line *line;
	u32 n;
};

/* A line of either, or of both; NULL: that side has none. */
struct pair {
	const struct side_line *side[2];
};

static int by_number(const void *a, const void *b)
{
	const struct side_line *x = a, *y = b;

	return ORDER_BY({x->number, y->number}, {x->count.issues, y->count.issues});
}

/* The lines of one side that has run to where the comparison ended. */
static void side_lines(struct compare *c, u32 side, struct side_lines *out)
{
	struct session *s = &c->side[side].session;
	struct line_row *row;
	const char *says;
	struct error e;
	u32 n;

	timeline_go(s->timeline, (struct position){c->end[side], 0});
	setting_apply(s, SET_stats_lines, 1, &says, &e);
	row = lines_collect(s, NULL, &n);
	n = lines_merge(row, n);
	out->line = xcalloc(n + 1, sizeof(*out->line));
	for (u32 i = 0; i < n && out->n < MOST; i++)
		if (row[i].count.issues || line_stalls(&row[i].count))
			out->line[out->n++] = (struct side_line){
				.count = row[i].count,
				.number = row[i].line,
				.file = source_name(row[i].kernel->module, row[i].file),
				.text = source_line_text(s, row[i].kernel->module, row[i].file, row[i].line)};
	free(row);
	qsort(out->line, out->n, sizeof(*out->line), by_number);
}

/* Do two lines belong together? */
static bool alike(const struct side_line *a, const struct side_line *b)
{
	return *a->text || *b->text ? !strcmp(a->text, b->text) : a->number == b->number;
}

/* How many lines of A from i on and of B from k on can belong together, in their order: at [i * (B's + 1) + k]. */
static u16 *common(const struct side_lines *side)
{
	u32 n = side[0].n, m = side[1].n;
	u16 *most = xcalloc((size_t)(n + 1) * (m + 1), sizeof(*most));

	for (u32 i = n; i-- > 0;)
		for (u32 k = m; k-- > 0;) {
			u16 *at = &most[i * (m + 1) + k];

			*at = alike(&side[0].line[i], &side[1].line[k]) ? (u16)(at[m + 2] + 1)
			      : at[1] > at[m + 1]			? at[1]
									: at[m + 1];
		}
	return most;
}

/* Lines of A from..i and of B before..k lie between two that belong together: the first is the other's first, and so
 * on.
 */
static void pair_between(struct pair *pair, u32 *n, const struct side_lines *side, u32 from, u32 i, u32 before, u32 k)
{
	while (from < i || before < k) {
		pair[*n].side[0] = from < i ? &side[0].line[from++] : NULL;
		pair[(*n)++].side[1] = before < k ? &side[1].line[before++] : NULL;
	}
}

/* All lines of both, as a comparison of two texts has them. */
static struct pair *pairs(const struct side_lines *side, u32 *n)
{
	struct pair *pair = xcalloc(side[0].n + side[1].n + 1, sizeof(*pair));
	u16 *most = common(side);
	u32 i = 0, k = 0, from = 0, before = 0, m = side[1].n + 1;

	*n = 0;
	while (i < side[0].n && k < side[1].n) {
		const u16 *at = &most[i * m + k];

		if (!alike(&side[0].line[i], &side[1].line[k])) {
			i += at[m] >= at[1];
			k += at[m] < at[1];
			continue;
		}
		pair_between(pair, n, side, from, i, before, k);
		pair[*n].side[0] = &side[0].line[i++];
		pair[(*n)++].side[1] = &side[1].line[k++];
		from = i;
		before = k;
	}
	pair_between(pair, n, side, from, side[0].n, before, side[1].n);
	free(most);
	return pair;
}

static i64 stalls(const struct side_line *x)
{
	return x ? (i64)line_stalls(&x->count) : 0;
}

/* How many more stalls B has. */
static i64 more_stalls(const struct pair *p)
{
	return stalls(p->side[1]) - stalls(p->side[0]);
}

/* The largest difference first, of either sign; then as they stand. */
static int by_difference(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	u64 dx = (u64)llabs(more_stalls(x)), dy = (u64)llabs(more_stalls(y));
	const struct side_line *lx = x->side[x->side[0] == NULL], *ly = y->side[y->side[0] == NULL];

	return ORDER_BY({dy, dx}, {lx->number, ly->number}, {x->side[0] == NULL, y->side[0] == NULL});
}

/* Numbers of one line in the columns of A and of B. */
static void both(struct columns *t, const struct pair *p, i64 (*number)(const struct side_line *x))
{
	for (u32 i = 0; i < 2; i++)
		columns_int(t, p->side[i] ? number(p->side[i]) : NO_NUMBER);
}

static i64 number_of(const struct side_line *x)
{
	return x->number;
}
static i64 issues_of(const struct side_line *x)
{
	return (i64)x->count.issues;
}
static i64 sectors_of(const struct side_line *x)
{
	return (i64)x->count.sectors;
}

/* What stands there, before and after a change; where that cannot be read, of which file the line is. */
static void pair_text(const struct pair *p, struct text *out)
{
	const struct side_line *a = p->side[0], *b = p->side[1], *any = a ? a : b;

	if ((!a || !*a->text) && (!b || !*b->text)) {
		if (any->file)
			text_add(out, "(%s)", safe_text(any->file));
		return;
	}
	if (a)
		text_add(out, "%s", safe_text(a->text));
	if (b && (!a || strcmp(a->text, b->text) != 0))
		text_add(out, "%s%s", a ? " -> " : "", safe_text(b->text));
}

void compare_lines(struct session *s, struct compare *c, bool all)
{
	struct side_lines side[2] = {0};
	struct text text = {0};
	struct columns t;
	struct pair *pair;
	bool sectors = s->json; /* of loads and stores: shown where they differ */
	u32 n, shown;

	for (u32 i = 0; i < 2; i++)
		side_lines(c, i, &side[i]);
	pair = pairs(side, &n);
	qsort(pair, n, sizeof(*pair), by_difference);
	shown = all ? n : min_u32(n, ROWS);
	for (u32 i = 0; i < n; i++)
		sectors |= !pair[i].side[0] || !pair[i].side[1] ||
			   sectors_of(pair[i].side[0]) != sectors_of(pair[i].side[1]);
	columns_open(&t, s,
		     sectors ? "line_A line_B stalls_A stalls_B difference issues_A issues_B sectors_A sectors_B text"
			     : "line_A line_B stalls_A stalls_B difference issues_A issues_B text");
	for (u32 i = 0; i < shown; i++) {
		both(&t, &pair[i], number_of);
		both(&t, &pair[i], stalls);
		columns_int(&t, more_stalls(&pair[i]));
		both(&t, &pair[i], issues_of);
		if (sectors)
			both(&t, &pair[i], sectors_of);
		text_clear(&text);
		pair_text(&pair[i], &text);
		columns_text(&t, text.s);
	}
	columns_close(&t, "lines", "no instruction has a source line (compile with nvcc -lineinfo)");
	if (shown < n)
		session_print(s, "%u more lines: `compare lines all`\n", n - shown);
	text_free(&text);
	free(pair);
	for (u32 i = 0; i < 2; i++)
		free(side[i].line);
}
