/* table.c - a table of results as text, CSV or JSON (grid.h). */
#include "grid.h"

#include <stdlib.h>
#include <string.h>

void table_head(struct table *t, const char *name)
{
	t->head = array_grow(t->head, t->columns, sizeof(*t->head));
	t->head[t->columns++] = xstrdup(name);
}

static void add(struct table *t, struct table_cell cell)
{
	t->cell = array_grow(t->cell, t->cells, sizeof(*t->cell));
	t->cell[t->cells++] = cell;
}

void table_add(struct table *t, const char *text)
{
	add(t, (struct table_cell){.text = xstrdup(text)});
}

void table_add_number(struct table *t, double x)
{
	add(t, (struct table_cell){.x = x});
}

void table_free(struct table *t)
{
	for (u32 i = 0; i < t->cells; i++)
		free(t->cell[i].text);
	lines_free(t->head, t->columns);
	free(t->cell);
	free(t->what);
	*t = (struct table){0};
}

/* A cell as people read it; room holds 32 bytes. */
static const char *shown(const struct table_cell *c, char *room)
{
	bool whole = c->x > -1e15 && c->x < 1e15 && c->x == (double)(i64)c->x;

	if (c->text)
		return safe_text(c->text);
	snprintf(room, 32, whole ? "%.0f" : "%.6g", c->x);
	return room;
}

static void print_text(const struct table *t, FILE *out)
{
	INVARIANT(t->columns);
	u32 *width = xcalloc(t->columns, sizeof(*width));
	char room[32];

	for (u32 i = 0; i < t->columns; i++)
		width[i] = (u32)strlen(t->head[i]);
	for (u32 i = 0; i < t->cells; i++)
		width[i % t->columns] = max_u32(width[i % t->columns], (u32)strlen(shown(&t->cell[i], room)));
	if (t->what)
		fprintf(out, "%s\n", safe_text(t->what));
	for (u32 i = 0; i < t->columns; i++)
		fprintf(out, i < t->labels ? "%s%-*s" : "%s%*s", i ? "  " : "", (int)width[i], safe_text(t->head[i]));
	for (u32 i = 0; i < t->cells; i++) {
		u32 column = i % t->columns;
		bool left = column < t->labels;

		fprintf(out, left ? "%s%-*s" : "%s%*s", column ? "  " : "\n", (int)width[column],
			shown(&t->cell[i], room));
	}
	fprintf(out, "\n");
	free(width);
}

/* A field of CSV, in quotes where it needs them (RFC 4180). */
static void print_field(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

static void print_csv(const struct table *t, FILE *out)
{
	INVARIANT(t->columns);
	for (u32 i = 0; i < t->columns; i++) {
		fputs(i ? "," : "", out);
		print_field(t->head[i], out);
	}
	for (u32 i = 0; i < t->cells; i++) {
		fputs(i % t->columns ? "," : "\n", out);
		if (t->cell[i].text)
			print_field(t->cell[i].text, out);
		else
			fprintf(out, "%.15g", t->cell[i].x);
	}
	fprintf(out, "\n");
}

json_t *table_json(const struct table *t)
{
	INVARIANT(t->columns);
	json_t *o = json_object(), *rows = json_array(), *row = NULL;

	member_text(o, "what", t->what);
	for (u32 i = 0; i < t->cells; i++) {
		const struct table_cell *c = &t->cell[i];

		if (i % t->columns == 0) {
			row = json_object();
			json_array_append_new(rows, row);
		}
		json_object_set_new(row, t->head[i % t->columns],
				    c->text ? json_string(safe_text(c->text)) : json_real(c->x));
	}
	json_object_set_new(o, "rows", rows);
	return o;
}

void table_print(const struct table *t, bool csv, FILE *out)
{
	if (csv)
		print_csv(t, out);
	else
		print_text(t, out);
}
