/* pane_notes.c - the scenario's notes, wrapped to the width of the pane; empty lines between them where there is room.
 */
#include "lesson.h"
#include "pane.h"

/* What there is to show, a line of text for each note: of the lesson's step, once it has begun. */
static void pane_notes_text(const struct session *s, struct text *out)
{
	text_add(out, "%s", "");
	if (lesson_page(s, out))
		return;
	for (u32 i = 0; i < s->nnotes; i++)
		text_add(out, "%s\n", s->note[i]);
}

#define PANE_NOTES_LECTURE 64u /* columns of a line that is read from afar */

/* How the text is set on a pane of some width. */
struct pane_notes_setting {
	u32 left, width; /* columns: before a line; of a line */
	enum style style;
};

/* For a lecture: bold, in short lines, in the middle. */
static struct pane_notes_setting pane_notes_set(const struct session *s, u32 width)
{
	struct pane_notes_setting t = {.left = 1, .width = width > 2 ? width - 2 : 1, .style = STYLE_PLAIN};

	if (desk_presenting(s)) {
		t.width = min_u32(t.width, PANE_NOTES_LECTURE);
		t.left = (width - t.width) / 2;
		t.style = STYLE_TITLE;
	}
	return t;
}

/* Draw the text from line `skip` on (c NULL: only count), `gap` empty lines between two notes; returns their lines. */
static u32 pane_notes_notes(struct canvas *c, const char *p, struct pane_notes_setting t, u32 skip, u32 gap)
{
	u32 y = 0;

	while (*p) {
		size_t n = wrapped_length(p, t.width);
		bool last = p[n] == '\n';

		if (c && y >= skip && y - skip + 1 < c->height)
			canvas_print(c, t.left, y - skip + 1, t.style, "%.*s", (int)n, p);
		p += n;
		p += *p == ' ' || *p == '\n';
		y += 1 + (last && *p ? gap : 0);
	}
	return y;
}

/* The heading of the lesson's step, or the name of the scenario. */
static void pane_notes_head(const struct session *s, struct text *out)
{
	if (s->lesson && s->lesson->shown != NONE32)
		lesson_heading(s, out);
	else
		text_add(out, "%s", s->scenario ? safe_text(s->scenario) : "");
}

/* The pane's title. */
static void pane_notes_title(struct canvas *c, const struct session *s)
{
	struct text head = {0};

	pane_notes_head(s, &head);
	canvas_title(c, 0, "notes", head.s, "");
	text_free(&head);
}

static void pane_notes_draw(struct canvas *c, const struct pane_view *v)
{
	struct pane_notes_setting set = pane_notes_set(v->session, c->width);
	u32 room = c->height - 1, gap, total, skip;
	struct text text = {0};

	pane_notes_text(v->session, &text);
	gap = pane_notes_notes(NULL, text.s, set, 0, 1) <= room;
	total = pane_notes_notes(NULL, text.s, set, 0, gap);
	skip = total > room ? min_u32(v->scroll, total - room) : 0;
	pane_notes_title(c, v->session);
	if (!total)
		canvas_text_at(c, 1, 1, STYLE_DIM, "no notes in this scenario");
	pane_notes_notes(c, text.s, set, skip, gap);
	text_free(&text);
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
	struct text text = {0};
	u32 lines;

	pane_notes_text(v->session, &text);
	lines = pane_notes_notes(NULL, text.s, pane_notes_set(v->session, v->width), 0, 1);
	text_free(&text);
	return lines;
}

/* Each note as it is. */
static void pane_notes_say(struct text *out, const struct pane_view *v)
{
	struct text text = {0}, head = {0};

	pane_notes_text(v->session, &text);
	pane_notes_head(v->session, &head);
	text_add(out, "notes%s%s:\n", head.len ? ", " : "", head.len ? head.s : "");
	text_free(&head);
	for (const char *p = text.s; *p; p += strcspn(p, "\n") + 1) {
		char *line = xstrndup(p, strcspn(p, "\n"));

		text_add(out, "%s\n", safe_text(line));
		free(line);
	}
	if (!text.len)
		text_add(out, "no notes in this scenario\n");
	text_free(&text);
}

/* Title and lines, those between notes too. */
static u32 pane_notes_height(const struct pane_view *v)
{
	return 1 + max_u32(pane_notes_rows(v), 1);
}

const struct pane pane_notes = {
	.name = "notes",
	.summary = "notes of the scenario; in a lesson, the current step and its question",
	.legend = "notes of the scenario, or the step of the lesson; `note \"TEXT\"` in a scenario adds a note",
	.ask = "step, next, continue, explain",
	.size = {.least_width = 20, .least_height = 2, .wish_height = 4},
	.without_machine = true,
	.draw = pane_notes_draw,
	.say = pane_notes_say,
	.rows = pane_notes_rows,
	.height = pane_notes_height,
};
