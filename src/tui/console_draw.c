/*
 * console_draw.c - what was printed, folded, the newest line at the bottom. The console's height follows what the last
 * command printed (layout_solve.c), until the next command or key.
 */
#include "desk.h"

#define ECHO "(warpstep) " /* what a typed line begins with */

/* A line folded to the width of a canvas, in the characters that it draws. Returns the number of rows. */
static u32 line_fold(const struct canvas *c, const char *text, struct text *out)
{
	struct wrap w = {.width = c->width};
	u32 rows = 1;

	if (c->ascii) {
		struct text drawn = {0};
		struct canvas line;

		canvas_init(&line, canvas_columns(c, text) + 1, 1, true);
		canvas_text_at(&line, 0, 0, STYLE_PLAIN, text);
		canvas_row_text(&line, 0, &drawn);
		wrap_add(&w, out, drawn.s, drawn.len);
		text_free(&drawn);
		canvas_free(&line);
	} else {
		wrap_add(&w, out, text, strlen(text));
	}
	for (const char *p = out->s; p && (p = strchr(p, '\n')); p++)
		rows++;
	return rows;
}

/* A line over its rows, of which the last is row y; those above row `top` are not drawn. Returns their number. */
static u32 line_draw(struct canvas *c, const char *text, i64 y, u32 top)
{
	enum style style = strncmp(text, ECHO, strlen(ECHO)) ? STYLE_PLAIN : STYLE_TITLE;
	struct text folded = {0};
	u32 rows = line_fold(c, text, &folded);
	char *row = folded.s;

	for (u32 i = 0; i < rows && row; i++) {
		i64 at = y - (i64)(rows - 1 - i);
		char *end = strchr(row, '\n');

		if (end)
			*end = '\0';
		if (at >= (i64)top && at < (i64)c->height)
			canvas_text_at(c, 0, (u32)at, style, row);
		row = end ? end + 1 : NULL;
	}
	text_free(&folded);
	return rows;
}

/* Rows that a line takes. */
static u32 line_rows(const struct canvas *c, const char *text)
{
	struct text folded = {0};
	u32 rows = line_fold(c, text, &folded);

	text_free(&folded);
	return rows;
}

/* Lines since the last that was typed, with it. If none was: before the first move those that the program has begun
 * with where the notes of a scenario are among them (a lesson has a pane for them), else 0. */
static u32 last_output(const struct session *s)
{
	u32 n = console_count(s);

	for (u32 i = n; i-- > 0;)
		if (!strncmp(console_line(s, i), ECHO, strlen(ECHO)))
			return n - i;
	return s->nnotes && !s->lesson && !s->moved ? n : 0;
}

u32 console_need(struct session *s, const struct canvas *c)
{
	u32 n = console_count(s), lines = last_output(s), rows = 0;

	for (u32 i = n - lines; i < n && rows < c->height; i++)
		rows += line_rows(c, console_line(s, i));
	return rows;
}

void console_draw(struct session *s, struct canvas *c, bool title)
{
	struct desk *d = desk_of(s);
	u32 n = console_count(s), top = title ? 1 : 0, up = min_u32(d->scroll[PANE_console], n ? n - 1 : 0), i = n - up;
	i64 y = (i64)c->height - 1;
	char above[64] = "";

	d->scroll[PANE_console] = up;
	while (i > 0 && y >= (i64)top)
		y -= line_draw(c, console_line(s, --i), y, top);
	if (!title)
		return;
	if (up)
		snprintf(above, sizeof(above), "%u line%s below: PgDn", up, up == 1 ? "" : "s");
	else if (last_output(s) > n - i)
		snprintf(above, sizeof(above), "%u line%s more above: PgUp", last_output(s) - (n - i),
			 last_output(s) - (n - i) == 1 ? "" : "s");
	canvas_title(c, 0, "console", above, "");
}
