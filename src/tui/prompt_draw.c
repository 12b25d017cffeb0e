/* prompt_draw.c - the prompt's line, scrolled so that the cursor is seen. */
#include "prompt.h"

/* In key mode, or without an editor, the line says what to do. */
static void say(struct session *s, struct canvas *c, u32 y)
{
	struct desk *d = desk_of(s);
	bool small = c->width < LEAST_WIDTH || c->height < LEAST_HEIGHT;
	u32 x;

	if (!d->keys) {
		x = canvas_text_at(c, 0, y, STYLE_PLAIN, "(warpstep) ");
	} else if (d->message[0]) {
		x = canvas_text_at(c, 1, y, STYLE_PLAIN, d->message);
	} else if (small) {
		x = canvas_text_at(c, 0, y, STYLE_DIM, "q quits  : prompt");
	} else {
		x = canvas_text_at(c, 1, y, STYLE_DIM,
				   "single keys: each runs a command (: or Esc: prompt, ?: all keys)");
	}
	if (d->keys && !small)
		return; /* the cursor stands in the focused pane */
	d->cursor_x = min_u32(d->keys ? 0 : x, c->width - 1);
	d->cursor_y = y;
}

/* Cells that the characters from..to of the line take. */
static u32 cells(const struct desk *d, const struct canvas *c, u32 from, u32 to)
{
	u32 n = 0;

	for (u32 i = from; i < to; i++)
		n += canvas_width(c, d->prompt[i]);
	return n;
}

/* The first character to show: a third of the line behind the cursor stays in sight, and no mark stands without its
 * letter. */
static void scroll(struct desk *d, const struct canvas *c)
{
	u32 room = c->width;

	d->left = min_u32(d->left, d->nprompt);
	if (cells(d, c, 0, d->nprompt) < room)
		d->left = 0;
	else if (d->point <= d->left || cells(d, c, d->left, d->point) >= room - 1)
		for (d->left = d->point; d->left && cells(d, c, d->left - 1, d->point) <= room * 2 / 3;)
			d->left--;
	while (d->left && d->left < d->nprompt && !canvas_width(c, d->prompt[d->left]))
		d->left--;
}

void prompt_draw(struct session *s, struct canvas *c, u32 y)
{
	struct desk *d = desk_of(s);
	u32 room = c->width, x = 0;

	if (d->overlay == OVERLAY_LIST) {
		d->cursor_x = min_u32(canvas_print(c, 1, y, STYLE_TITLE, "search: %s", d->search), c->width - 1);
		d->cursor_y = y;
		return;
	}
	prompt_take(d);
	if (d->keys || !d->prompt) {
		say(s, c, y);
		return;
	}
	scroll(d, c);
	for (u32 i = d->left; i < d->nprompt && x < room; i++)
		x = canvas_put(c, x, y, d->prompt[i], STYLE_PLAIN);
	if (d->left && room > 2)
		canvas_put(c, 0, y, '<', STYLE_TITLE);
	if (cells(d, c, d->left, d->nprompt) > room && room > 2)
		canvas_put(c, room - 1, y, '>', STYLE_TITLE);
	d->cursor_x = min_u32(cells(d, c, d->left, d->point), room - 1);
	d->cursor_y = y;
}
