/* pane_notes.c - the scenario's notes, wrapped to the width of the pane; empty lines between them where there is room.
 */
#include "pane.h"

#include <string.h>

/* Bytes of the first line of text when it is wrapped to `width` columns: up to a blank if there is one. */
static size_t pane_notes_line_length(const char *text, u32 width)
{
	size_t n = 0, blank = 0;
	u32 columns = 0;

	while (text[n] && text[n] != '\n' && columns < width) {
		if (text[n] == ' ')
			blank = n;
		n++;
		columns += ((u8)text[n] & 0xc0) != 0x80;
	}
	return !text[n] || text[n] == '\n' || text[n] == ' ' || !blank ? n : blank;
}

/* Draw the notes from line `skip` on (c NULL: only count), `gap` empty lines between two; returns their lines. */
static u32 pane_notes_notes(struct canvas *c, const struct pane_view *v, u32 width, u32 skip, u32 gap)
{
	const struct session *s = v->session;
	u32 y = 0;

	for (u32 i = 0; i < s->nnotes; i++) {
		const char *p = s->note[i];

		for (; *p; y++) {
			size_t n = pane_notes_line_length(p, width);

			if (c && y >= skip && y - skip + 1 < c->height)
				canvas_print(c, 1, y - skip + 1, STYLE_PLAIN, "%.*s", (int)n, p);
			p += n;
			p += *p == ' ' || *p == '\n';
		}
		y += i + 1 < s->nnotes ? gap : 0;
	}
	return y;
}

static void pane_notes_draw(struct canvas *c, const struct pane_view *v)
{
	u32 width = c->width > 2 ? c->width - 2 : 1, room = c->height - 1,
	    gap = pane_notes_notes(NULL, v, width, 0, 1) <= room;
	u32 total = pane_notes_notes(NULL, v, width, 0, gap),
	    skip = total > room ? min_u32(v->scroll, total - room) : 0;

	canvas_title(c, 0, "notes", v->session->scenario ? safe_text(v->session->scenario) : "", "");
	if (!total)
		canvas_text_at(c, 1, 1, STYLE_DIM, "the scenario has no notes");
	pane_notes_notes(c, v, width, skip, gap);
	if (total > room + skip && room > 1) {
		for (u32 x = 0; x < c->width; x++)
			canvas_put(c, x, c->height - 1, ' ', STYLE_PLAIN);
		canvas_print(c, 1, c->height - 1, STYLE_DIM, "… %u line%s more%s", total - room - skip + 1,
			     total - room - skip ? "s" : "", c->width < 50 ? "" : " (pane notes, Esc, PgDn)");
	}
}

/* Lines in the width that there is. */
static u32 pane_notes_rows(const struct pane_view *v)
{
	return pane_notes_notes(NULL, v, v->width > 2 ? v->width - 2 : 1, 0, 1);
}

/* Each note as it is. */
static void pane_notes_say(struct text *out, const struct pane_view *v)
{
	for (u32 i = 0; i < v->session->nnotes; i++)
		text_add(out, "%s\n", safe_text(v->session->note[i]));
	if (!v->session->nnotes)
		text_add(out, "the scenario has no notes\n");
}

/* Title and lines, those between notes too. */
static u32 pane_notes_height(const struct pane_view *v)
{
	u32 lines = pane_notes_notes(NULL, v, v->width > 2 ? v->width - 2 : 1, 0, 1);

	return 1 + max_u32(lines, 1);
}

const struct pane pane_notes = {
	.name = "notes",
	.summary = "what the scenario says to its reader",
	.legend = "`note \"TEXT\"` in a scenario adds one",
	.ask = "step, next, continue, explain",
	.least_width = 20,
	.least_height = 2,
	.wish_height = 4,
	.without_machine = true,
	.draw = pane_notes_draw,
	.say = pane_notes_say,
	.rows = pane_notes_rows,
	.height = pane_notes_height,
};
