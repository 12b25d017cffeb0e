/* columns.c - tables for people and the same as JSON. */
#include "expr.h"
#include "columns.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

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

/* Add a cell; the JSON value is taken over. */
static void add(struct columns *c, const char *text, bool right, json_t *value)
{
	u32 column = c->ncells % c->ncolumns;

	if (c->ncells == c->room) {
		c->room = c->room ? c->room * 2 : 128;
		c->cell = xrealloc(c->cell, c->room * sizeof(*c->cell));
	}
	c->cell[c->ncells++] = (struct column_cell){.text = xstrdup(text), .right = right};
	if (!c->rows)
		return;
	if (!column)
		json_array_append_new(c->rows, json_object());
	json_object_set_new(json_array_get(c->rows, json_array_size(c->rows) - 1), c->name[column], value);
}

void columns_int(struct columns *c, i64 n)
{
	add(c, thousands(n), true, c->rows ? json_integer(n) : NULL);
}

void columns_real(struct columns *c, double r)
{
	char text[32];

	snprintf(text, sizeof(text), "%.4g", r);
	add(c, text, true, c->rows ? json_real(r) : NULL);
}

void columns_text(struct columns *c, const char *text)
{
	add(c, text, false, c->rows ? json_string(text) : NULL);
}

void columns_hex(struct columns *c, u64 n, int digits)
{
	char text[32];

	snprintf(text, sizeof(text), "%0*llx", digits, (unsigned long long)n);
	add(c, text, true, c->rows ? json_string(text) : NULL);
}

void columns_none(struct columns *c)
{
	add(c, "-", true, c->rows ? json_null() : NULL);
}

/* Columns of the terminal that text takes: characters, not bytes. */
static u32 width_of(const char *text)
{
	u32 n = 0;

	for (; *text; text++)
		n += ((u8)*text & 0xc0) != 0x80;
	return n;
}

/* One line: n cells, each as wide as its column; nothing trails the last. */
static void print_row(struct session *s, const struct column_cell *cell, const u32 *width, u32 n)
{
	struct text line = {0};

	for (u32 i = 0; i < n; i++) {
		u32 pad = width[i] - width_of(cell[i].text);

		text_add(&line, "%s", i ? "  " : "");
		if (cell[i].right)
			text_add(&line, "%*s%s", (int)pad, "", cell[i].text);
		else
			text_add(&line, "%s%*s", cell[i].text, i + 1 < n ? (int)pad : 0, "");
	}
	while (line.len && line.s[line.len - 1] == ' ')
		line.s[--line.len] = '\0';
	session_print(s, "%s\n", line.s);
	text_free(&line);
}

/* The names over the columns, on the side on which the first row stands. */
static void print_names(const struct columns *c, const u32 *width)
{
	struct column_cell head[MAX_COLUMNS];

	for (u32 i = 0; i < c->ncolumns; i++)
		head[i] = (struct column_cell){.text = (char *)(uintptr_t)c->name[i], .right = c->cell[i].right};
	print_row(c->session, head, width, c->ncolumns);
}

void columns_close(struct columns *c, const char *key, const char *empty)
{
	u32 width[MAX_COLUMNS];

	for (u32 i = 0; i < c->ncolumns; i++)
		width[i] = width_of(c->name[i]);
	for (u32 i = 0; c->ncolumns && i < c->ncells; i++)
		width[i % c->ncolumns] = max_u32(width[i % c->ncolumns], width_of(c->cell[i].text));
	if (c->ncells)
		print_names(c, width);
	else
		session_print(c->session, "%s\n", empty);
	for (u32 i = 0; i < c->ncells; i += c->ncolumns)
		print_row(c->session, c->cell + i, width, c->ncolumns);
	for (u32 i = 0; i < c->ncells; i++)
		free(c->cell[i].text);
	free(c->cell);
	if (c->rows)
		json_object_set_new(session_result(c->session), key, c->rows);
}
