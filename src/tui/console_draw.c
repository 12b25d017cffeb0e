/*
 * console_draw.c - what was printed, wrapped, the newest line at the bottom. The console's height follows what the last
 * command printed (layout_solve.c), until the next command or key.
 */
#include "desk.h"

#include <string.h>

#define ECHO "(warpstep) " /* what a typed line begins with */

#define MAX_BREAKS 64

/* Where the rows of a line of n characters begin: behind a blank, if there is one in the right half of the row. */
static u32 line_breaks(const struct canvas *line, u32 n, u32 width, u32 start[MAX_BREAKS + 1])
{
	u32 rows = 0, at = 0;

	while (rows + 1 < MAX_BREAKS && n - at > width) {
		u32 end = at + width;

		while (end > at + width / 2 && line->cell[end].ch != ' ' && line->cell[end - 1].ch != ' ')
			end--;
		if (end == at + width / 2)
			end = at + width;
		if (!line->cell[end].ch && end > at + 1) /* a wide character stays whole */
			end--;
		start[rows++] = at;
		at = end + (end < n && line->cell[end].ch == ' ');
	}
	start[rows++] = at;
	start[rows] = n;
	return rows;
}

/* A line over its rows, of which the last is row y; those above row `top` are not drawn. Returns their number. */
static u32 line_draw(struct canvas *c, const char *text, i64 y, u32 top)
{
	u32 n = canvas_columns(c, text), start[MAX_BREAKS + 1], rows;
	struct canvas line;

	canvas_init(&line, n + 1, 1, c->ascii);
	canvas_text_at(&line, 0, 0, strncmp(text, ECHO, strlen(ECHO)) ? STYLE_PLAIN : STYLE_TITLE, text);
	rows = line_breaks(&line, n, c->width, start);
	for (u32 i = 0; i < rows; i++) {
		i64 at = y - (i64)(rows - 1 - i);

		if (at >= (i64)top && at < (i64)c->height)
			memcpy(&c->cell[(size_t)at * c->width], &line.cell[start[i]],
			       min_u32(start[i + 1] - start[i], c->width) * sizeof(*c->cell));
	}
	canvas_free(&line);
	return rows;
}

/* Rows that a line takes. */
static u32 line_rows(const struct canvas *c, const char *text)
{
	struct canvas nothing = *c;

	nothing.height = 0;
	return line_draw(&nothing, text, 0, 0);
}

/* Lines since the last that was typed, with it; 0 if none was. */
static u32 last_output(const struct session *s)
{
	u32 n = console_count(s);

	for (u32 i = n; i-- > 0;)
		if (!strncmp(console_line(s, i), ECHO, strlen(ECHO)))
			return n - i;
	return 0;
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
