/*
 * grid.c - cells of a table: added row by row, filtered, sorted, said and given as JSON (sheet.h).
 */
#include "sheet.h"

#include "front.h"

#include <ctype.h>
#include <fnmatch.h>

/* Room for one more cell. */
static struct grid_cell *cell_add(struct grid *g, enum grid_kind kind, enum style style)
{
	struct grid_cell *x;

	if (g->ncells == g->room) {
		g->room = g->room ? g->room * 2 : 256;
		g->cell = xrealloc(g->cell, g->room * sizeof(*g->cell));
	}
	x = &g->cell[g->ncells++];
	*x = (struct grid_cell){.kind = (u8)kind, .style = (u8)style};
	return x;
}

void grid_int(struct grid *g, enum style style, i64 n)
{
	cell_add(g, GRID_INT, style)->number = n;
}

void grid_parts(struct grid *g, enum style style, i64 number, u32 n, u32 more)
{
	struct grid_cell *x = cell_add(g, GRID_INT, style);

	x->number = number;
	x->real = n;
	x->length = (u16)more;
}

void grid_lanes(struct grid *g, enum style style, u32 mask)
{
	struct grid_cell *x = cell_add(g, GRID_INT, style);

	x->number = __builtin_popcount(mask);
	x->full = mask;
}

/* The lanes of a cell, how many they are where there is no room for that. */
static const char *lanes_shown(const struct grid_cell *x, u32 width, char scratch[128])
{
	struct text t = {0};

	lanes_text((u32)x->full, &t);
	if (!x->full && width >= 4)
		snprintf(scratch, 128, "none");
	else if (t.len && t.len <= width)
		snprintf(scratch, 128, "%s", t.s);
	else
		count_text(x->number, width, scratch);
	text_free(&t);
	return scratch;
}

void grid_real(struct grid *g, enum style style, double r)
{
	cell_add(g, GRID_REAL, style)->real = r;
}

void grid_share(struct grid *g, enum style style, double percent)
{
	cell_add(g, GRID_SHARE, style)->real = percent;
}

void grid_text(struct grid *g, enum style style, const char *s)
{
	struct grid_cell *x = cell_add(g, GRID_TEXT, style);

	x->text = (u32)g->pool.len;
	text_addn(&g->pool, s, strlen(s) + 1);
}

void grid_print(struct grid *g, enum style style, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	grid_text(g, style, text);
}

void grid_letters(struct grid *g, const u8 *status, u32 n)
{
	struct grid_cell *x = cell_add(g, GRID_LETTERS, STYLE_PLAIN);

	x->text = (u32)g->pool.len;
	x->length = (u16)n;
	for (u32 i = 0; i < n; i++) {
		char byte = (char)(status[i] + 1);

		text_addn(&g->pool, &byte, 1);
	}
	text_addn(&g->pool, "", 1);
}

void grid_bar(struct grid *g, enum style style, double value, double full)
{
	struct grid_cell *x = cell_add(g, GRID_BAR, style);

	x->real = value;
	x->full = full;
}

void grid_none(struct grid *g)
{
	cell_add(g, GRID_NONE, STYLE_DIM);
}

void grid_known(struct grid *g, enum style style, i64 n, bool known)
{
	cell_add(g, known ? GRID_INT : GRID_NONE, known ? style : STYLE_DIM)->number = n;
}

void grid_positive(struct grid *g, enum style style, double r)
{
	cell_add(g, r > 0 ? GRID_REAL : GRID_NONE, r > 0 ? style : STYLE_DIM)->real = r > 0 ? r : 0;
}

void grid_focus(struct grid *g)
{
	g->focus = g->ncells / g->ncolumns;
}

void grid_cursor(struct grid *g)
{
	g->cursor = g->ncells / g->ncolumns;
}

const char *count_text(i64 n, u32 width, char out[32])
{
	static const char unit[] = "kMGTPE";
	double small = n < 0 ? -(double)n : (double)n;
	u32 power = 0;

	if (strlen(grouped(n, out)) <= width)
		return out;
	if ((u32)snprintf(out, 32, "%lld", n) <= width)
		return out;
	while (small >= 1000 && power < 6) {
		small /= 1000;
		power++;
	}
	snprintf(out, 32, small < 9.95 && width > 3 ? "%s%.1f%c" : "%s%.0f%c", n < 0 ? "-" : "", small,
		 unit[power ? power - 1 : 0]);
	return out;
}

/* Text of a cell as it is drawn or said; scratch is used for numbers. */
const char *grid_cell_text(const struct grid *g, const struct grid_cell *x, u32 width, char scratch[128])
{
	const char *p = g->pool.s + x->text;

	switch ((enum grid_kind)x->kind) {
	case GRID_INT:
		if (x->full > 0)
			return lanes_shown(x, width, scratch);
		if (!x->length)
			return count_text(x->number, width, scratch);
		snprintf(scratch, 128, "%.0f+%u", x->real, x->length);
		return scratch;
	case GRID_REAL:
		snprintf(scratch, 32, "%.*f", x->real < 9.9995 ? 3 : x->real < 999.95 ? 1 : 0, x->real);
		return scratch;
	case GRID_SHARE: snprintf(scratch, 32, width > 3 ? "%.1f" : "%.0f", x->real); return scratch;
	case GRID_TEXT: return p;
	case GRID_LETTERS:
		for (u32 i = 0; i < 127u && i <= x->length; i++)
			scratch[i] = i == x->length ? '\0' : p[i] ? warp_status_table[(u8)p[i] - 1].letter : '-';
		scratch[127] = '\0';
		return scratch;
	default: return x->kind == GRID_NONE ? "-" : "";
	}
}

/* How a pattern is matched. */
enum match { MATCH_PART, MATCH_GLOB, MATCH_NUMBER, MATCH_LETTER };

/* A letter is a status letter where there are such; digits are a whole number; a glob stands for a whole cell; anything
 * else for a part of one. */
static enum match match_of(const struct grid *g, const char *pattern)
{
	bool letters = false;

	for (u32 i = 0; i < g->ncolumns; i++)
		letters |= g->column[i].width == 1;
	if (!pattern[strspn(pattern, "0123456789")])
		return MATCH_NUMBER;
	if (letters && !pattern[1])
		return MATCH_LETTER;
	return strpbrk(pattern, "*?[") ? MATCH_GLOB : MATCH_PART;
}

/* Does any cell of a row match? Case is ignored, but in status letters. */
static bool row_matches(const struct grid *g, u32 row, const char *pattern, enum match match)
{
	char scratch[128];

	for (u32 i = 0; i < g->ncolumns; i++) {
		const char *s = grid_cell_text(g, &g->cell[row * g->ncolumns + i], 31, scratch);
		bool letter = g->column[i].width == 1;

		if (match == MATCH_LETTER   ? letter && !strcmp(s, pattern)
		    : match == MATCH_NUMBER ? !strcmp(s, pattern)
		    : match == MATCH_GLOB   ? !fnmatch(pattern, s, FNM_CASEFOLD)
					    : strcasestr(s, pattern) != NULL)
			return true;
	}
	return false;
}

/* Order of two cells of a column: numbers by size, the rest by text. */
static int cell_compare(const struct grid *g, const struct grid_cell *a, const struct grid_cell *b)
{
	char left[128], right[128];
	double x = a->kind == GRID_INT ? (double)a->number : a->real,
	       y = b->kind == GRID_INT ? (double)b->number : b->real;

	if (a->kind == GRID_TEXT || b->kind == GRID_TEXT || a->kind == GRID_LETTERS)
		return strcmp(grid_cell_text(g, a, 31, left), grid_cell_text(g, b, 31, right));
	return (x > y) - (x < y);
}

/* Put the rows in order by a column, stably (they are few). */
static void rows_sort(struct grid *g, u32 column, bool down)
{
	for (u32 i = 1; i < g->nrows; i++) {
		u32 row = g->row[i], j = i;

		for (; j; j--) {
			int order = cell_compare(g, &g->cell[g->row[j - 1] * g->ncolumns + column],
						 &g->cell[row * g->ncolumns + column]);

			if (down ? order >= 0 : order <= 0)
				break;
			g->row[j] = g->row[j - 1];
		}
		g->row[j] = row;
	}
}

/* Columns that had another name, which saved sessions sort by. */
static const struct {
	const char *was, *is;
} renamed[] = {{"status", "state"},	{"bar", "barrier"},   {"stop", "breakpoint"}, {"met", "matches"},
	       {"refused", "rejected"}, {"again", "repeats"}, {"joins", "reconv"},    {"asked", "cycle"},
	       {"out", "latency"},	{"back", "resumed"},  {"place", "index"}};

/* The column of a name, -1: none. */
static int column_named(const struct grid *g, const char *name)
{
	for (u32 i = 0; i < g->ncolumns; i++)
		if (!strcmp(g->column[i].name, name))
			return (int)i;
	return -1;
}

int grid_column_find(const struct grid *g, const char *name)
{
	int column = column_named(g, name);

	for (u32 i = 0; column < 0 && i < ARRAY_LEN(renamed); i++)
		if (!strcmp(renamed[i].was, name))
			column = column_named(g, renamed[i].is);
	return column;
}

void grid_arrange(struct grid *g, const char *filter, const char *sort)
{
	u32 n = g->ncolumns ? g->ncells / g->ncolumns : 0;
	enum match match = filter && *filter ? match_of(g, filter) : MATCH_PART;
	bool down = sort && *sort == '-';
	int column = sort && *sort ? grid_column_find(g, sort + down) : -1;

	g->row = xrealloc(g->row, (n + 1) * sizeof(*g->row));
	g->nrows = 0;
	for (u32 i = 0; i < n; i++)
		if (!filter || !*filter || row_matches(g, i, filter, match))
			g->row[g->nrows++] = i;
	g->sorted = column >= 0;
	if (column >= 0)
		rows_sort(g, (u32)column, down);
}

void grid_close(struct grid *g)
{
	free(g->cell);
	free(g->row);
	text_free(&g->pool);
	*g = (struct grid){0};
}

/* Letters as the names of their states: "long 3, short"; a dash stays one. */
static void say_letters(const struct grid *g, const struct grid_cell *x, struct text *out)
{
	const char *p = g->pool.s + x->text;

	for (u32 i = 0, n; i < x->length; i += n) {
		for (n = 1; i + n < x->length && p[i + n] == p[i]; n++)
			;
		text_add(out, "%s%s", i ? " + " : "", p[i] ? warp_status_table[(u8)p[i] - 1].name : "-");
		if (n > 1)
			text_add(out, " %u", n);
	}
}

/* One cell behind the name of its column; false: there is nothing to say. */
static bool say_cell(const struct grid *g, const struct grid_cell *x, const struct grid_column *c, const char *before,
		     struct text *out)
{
	char scratch[128];
	const char *s = grid_cell_text(g, x, 31, scratch);

	if (x->kind == GRID_BAR || x->kind == GRID_NONE || !*s || c->letter)
		return false;
	text_add(out, "%s%s ", before, c->name);
	if (x->kind == GRID_LETTERS)
		say_letters(g, x, out);
	else
		text_add(out, "%s", s);
	return true;
}

void grid_say(const struct grid *g, struct text *out)
{
	for (u32 i = 0; i < g->nrows; i++) {
		const struct grid_cell *row = &g->cell[g->row[i] * g->ncolumns];
		bool any = false;

		if (g->row[i] == g->cursor)
			text_add(out, "cursor: ");
		if (g->row[i] == g->focus)
			text_add(out, "focus: ");
		for (u32 k = 0; k < g->ncolumns; k++)
			any |= say_cell(g, &row[k], &g->column[k], any ? ", " : "", out);
		text_add(out, ".\n");
	}
}

/* A cell as JSON. */
static json_t *cell_json(const struct grid *g, const struct grid_cell *x)
{
	char scratch[128];

	switch ((enum grid_kind)x->kind) {
	case GRID_INT: return json_integer((json_int_t)x->number);
	case GRID_REAL:
	case GRID_SHARE: return json_real(x->real);
	case GRID_BAR: return json_real(x->full > 0 ? x->real / x->full : 0);
	case GRID_NONE: return json_null();
	default: return json_string(grid_cell_text(g, x, 31, scratch));
	}
}

json_t *grid_json(const struct grid *g)
{
	json_t *rows = json_array();

	for (u32 i = 0; i < g->nrows; i++) {
		json_t *row = json_object();

		for (u32 k = 0; k < g->ncolumns; k++)
			json_object_set_new(row, g->column[k].name,
					    cell_json(g, &g->cell[g->row[i] * g->ncolumns + k]));
		json_array_append_new(rows, row);
	}
	return rows;
}
