/*
 * find.c - search in the focused pane: the next row that holds a text is scrolled to, and the text is marked wherever
 * it is seen. A pane is searched as it would be drawn at full height, the console line by line, upwards from its end.
 */
#include "desk.h"

#define MOST_ROWS 4000u /* of a pane that is searched */

/* Do the cells of a row from x on spell a text, letters of either case? */
static bool spells(const struct canvas *c, u32 x, u32 y, const char *text)
{
	u32 n = (u32)strlen(text);

	for (u32 i = 0; i < n; i++) {
		u32 ch = x + i < c->width ? c->cell[(size_t)y * c->width + x + i].ch : 0, want = (u8)text[i];

		if (ch != want &&
		    !(ch < 0x80 && (ch | 0x20) == (want | 0x20) && (want | 0x20) >= 'a' && (want | 0x20) <= 'z'))
			return false;
	}
	return n;
}

void find_mark(const struct desk *d, struct canvas *c)
{
	for (u32 y = 1; *d->found && y < c->height; y++)
		for (u32 x = 0; x < c->width; x++)
			for (u32 i = 0; spells(c, x, y, d->found) && i < strlen(d->found); i++)
				c->cell[(size_t)y * c->width + x + i].focus = 1;
}

/* Does a row of a canvas hold the text? */
static bool row_holds(const struct canvas *c, u32 y, const char *text)
{
	for (u32 x = 0; x < c->width; x++)
		if (spells(c, x, y, text))
			return true;
	return false;
}

/* The console's next line above (or below) those that were found last that holds the text: in lines from its end;
 * NONE32: there is none. */
static u32 find_line(struct session *s, const char *text, u32 from, bool back)
{
	u32 n = console_count(s);

	for (u32 i = 0; i < n; i++) {
		u32 up = back ? (from + n - 1 - i) % n : (from + 1 + i) % n;

		if (strcasestr(console_line(s, n - 1 - up), text) &&
		    strncmp(console_line(s, n - 1 - up), "(warpstep) find", 15))
			return up;
	}
	return NONE32;
}

/* The next row of a pane behind (or before) one that holds the text; NONE32: there is none. */
static u32 find_row(struct session *s, enum pane_id id, const char *text, u32 from, bool back)
{
	struct desk *d = desk_of(s);
	const struct area *a = desk_area(d, (u8)id);
	u32 width = a ? a->width : d->width ? d->width : 80, rows, found = NONE32;
	struct canvas c;

	rows = min_u32(pane_height(s, id, width), MOST_ROWS);
	canvas_init(&c, width, rows, s->config.style_signs);
	pane_draw(s, id, &c, 0, NULL);
	for (u32 i = 0; i < rows && found == NONE32; i++) {
		u32 y = back ? (from + rows - 1 - i) % rows : (from + 1 + i) % rows;

		if (y && row_holds(&c, y, text))
			found = y;
	}
	canvas_free(&c);
	return found;
}

enum status desk_find(struct session *s, const char *text, bool back, struct error *e)
{
	struct desk *d = desk_of(s);
	const char *pane = pane_table[d->focus]->name;
	u32 at;

	if (text) {
		snprintf(d->found, sizeof(d->found), "%s", text);
		d->found_at = d->focus == PANE_console ? NONE32 : 0;
	}
	if (!*d->found)
		return error_set(e, STATUS_FAILED, "find: no search text yet (`find TEXT`)");
	if (d->focus == PANE_console)
		at = find_line(s, d->found, d->found_at, back);
	else
		at = find_row(s, (enum pane_id)d->focus, d->found, d->found_at, back);
	if (at == NONE32)
		return error_set(e, STATUS_FAILED, "find: no row of pane %s contains '%s'", pane, safe_text(d->found));
	d->found_at = at;
	d->scroll[d->focus] = d->focus == PANE_console ? at : at > 3 ? at - 3 : 1;
	return STATUS_OK;
}

void desk_find_nothing(struct session *s)
{
	desk_of(s)->found[0] = '\0';
}
