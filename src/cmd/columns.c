/* columns.c - tables for people and the same as JSON. */
#include "expr.h"
#include "columns.h"
#include "session.h"
#include "tui.h"

#define MAX_NAMES 200

const char *thousands(i64 n)
{
	static char ring[8][32];
	static u32 next;

	return grouped(n, ring[next++ % ARRAY_LEN(ring)]);
}

/* The next name of a blank-separated list, kept in a pool that lives as long as the program. */
static const char *name_take(const char **names)
{
	static char *pool[MAX_NAMES];
	static u32 n;
	const char *start = *names;
	size_t len = strcspn(start, " ");

	*names = start + len + (start[len] == ' ');
	for (u32 i = 0; i < n; i++)
		if (strlen(pool[i]) == len && !strncmp(pool[i], start, len))
			return pool[i];
	INVARIANT(n < MAX_NAMES);
	pool[n] = xstrndup(start, len);
	return pool[n++];
}

void columns_open(struct columns *c, struct session *s, const char *names)
{
	*c = (struct columns){.session = s, .rows = s->json ? json_array() : NULL};
	while (*names && c->ncolumns < MAX_COLUMNS)
		c->name[c->ncolumns++] = name_take(&names);
}

/* Add a cell, text NULL: without a value; the JSON value is taken over. */
static void add(struct columns *c, const char *text, bool right, json_t *value)
{
	u32 column = c->ncells % c->ncolumns;

	c->cell = array_grow(c->cell, c->ncells, sizeof(*c->cell));
	c->cell[c->ncells++] = (struct column_cell){.text = xstrdup(text ? text : "-"), .right = right || !text};
	if (!c->rows)
		return;
	if (!column)
		json_array_append_new(c->rows, json_object());
	json_object_set_new(json_array_get(c->rows, json_array_size(c->rows) - 1), c->name[column],
			    text ? value : json_null());
}

void columns_int(struct columns *c, i64 n)
{
	bool none = n == NO_NUMBER;

	add(c, none ? NULL : thousands(n), true, c->rows && !none ? json_integer(n) : NULL);
}

void columns_real(struct columns *c, double r)
{
	char text[32];

	snprintf(text, sizeof(text), "%.4g", r);
	add(c, isnan(r) ? NULL : text, true, c->rows && !isnan(r) ? json_real(r) : NULL);
}

void columns_text(struct columns *c, const char *text)
{
	add(c, text, false, c->rows && text ? json_string(text) : NULL);
}

void columns_hex(struct columns *c, u64 n, int digits)
{
	char text[32];

	snprintf(text, sizeof(text), "%0*llx", digits, n);
	add(c, text, true, c->rows ? json_string(text) : NULL);
}

/* A row begun: where the line stands. */
struct row {
	const struct columns *c;
	struct text out;
	size_t line; /* where in it the line begins */
	u32 x;	     /* cells of the line */
};

/* Blanks up to a cell. */
static void go_to(struct row *r, u32 x)
{
	text_add(&r->out, "%*s", (int)(x - r->x), "");
	r->x = x;
}

/* End the line; nothing trails it. One below the first in which nothing stands is left out. */
static void end_line(struct row *r)
{
	while (r->out.len > r->line && r->out.s[r->out.len - 1] == ' ')
		r->out.s[--r->out.len] = '\0';
	if (!r->line || r->out.len > r->line)
		text_add(&r->out, "\n");
	r->line = r->out.len;
	r->x = 0;
}

/* A cell at x: the last one of a line goes on below itself where it is too wide, others are shortened. */
static void print_cell(struct row *r, const struct column_cell *cell, u32 width, bool last, u32 x)
{
	u32 wide = text_columns(cell->text);

	INVARIANT(cell->text);
	if (wide > width && last) {
		struct wrap below = {.width = x + width, .at = x, .hang = x, .below = true};

		wrap_add(&below, &r->out, cell->text, strlen(cell->text));
		return;
	}
	if (cell->right && wide < width)
		go_to(r, x + width - wide);
	columns_shorten(&r->out, cell->text, width, r->c->session->config.style_signs);
	r->x += min_u32(wide, width);
}

/* A row: cells as wide as their columns, over as many lines as they take. */
static void print_row(const struct columns *c, const struct columns_fit *fit, const struct column_cell *cell)
{
	struct row r = {.c = c};
	u32 x = 0;

	for (u32 i = 0; i < c->ncolumns; i++) {
		bool last = i + 1 == c->ncolumns || fit->line[i + 1] != fit->line[i];

		if (i && fit->line[i] != fit->line[i - 1]) {
			end_line(&r);
			x = 2;
		}
		go_to(&r, x);
		print_cell(&r, &cell[i], fit->width[i], last, x);
		x += fit->width[i] + 2;
	}
	end_line(&r);
	session_print(c->session, "%s", r.out.s);
	text_free(&r.out);
}

/* The names over the columns, on the side on which the first row stands. */
static void print_names(const struct columns *c, const struct columns_fit *fit)
{
	struct column_cell head[MAX_COLUMNS] = {0};

	for (u32 i = 0; i < c->ncolumns; i++)
		head[i] = (struct column_cell){.text = (char *)(uintptr_t)c->name[i], .right = c->cell[i].right};
	print_row(c, fit, head);
}

#define FEW_ROWS 2 /* of which nothing is told apart */

/* The table with what is the same in every row told above it; false: that would not help. */
static bool print_differing(const struct columns *c, u32 columns)
{
	struct text same = {0};
	struct columns_fit fit;
	struct columns few = {0};
	bool good = c->ncells > FEW_ROWS * c->ncolumns && columns_differing(c, &few, &same);

	if (good) {
		session_print(c->session, "the same in every row: %s\n", same.s);
		columns_fit(&few, columns, &fit);
		print_names(&few, &fit);
		for (u32 i = 0; i < few.ncells; i += few.ncolumns)
			print_row(&few, &fit, few.cell + i);
	}
	free(few.cell);
	text_free(&same);
	return good;
}

/* Names and rows as they fit. */
static void print_table(const struct columns *c)
{
	u32 columns = desk_columns(c->session);
	struct columns_fit fit;

	columns_fit(c, columns, &fit);
	if (fit.line[c->ncolumns - 1] && print_differing(c, columns))
		return;
	print_names(c, &fit);
	for (u32 i = 0; i < c->ncells; i += c->ncolumns)
		print_row(c, &fit, c->cell + i);
}

void columns_close(struct columns *c, const char *key, const char *empty)
{
	if (c->ncells)
		print_table(c);
	else
		session_print(c->session, "%s\n", empty);
	for (u32 i = 0; i < c->ncells; i++)
		free(c->cell[i].text);
	free(c->cell);
	if (c->rows)
		json_object_set_new(session_result(c->session), key, c->rows);
}
