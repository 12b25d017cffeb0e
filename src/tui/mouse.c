/*
 * mouse.c - the mouse: a click focuses the pane that it is in, and the row, or puts the cursor there; on a title it
 * zooms, on a column of the timeline it goes there; the wheel scrolls what it is over.
 */
#include "prompt.h"
#include "window.h"

#define WHEEL_ROWS 3 /* that one notch of the wheel scrolls */

/* The area of a cell; NULL: none. */
static const struct area *area_at(const struct desk *d, u32 x, u32 y)
{
	for (const struct area *a = d->area; a < d->area + d->nareas; a++)
		if (x >= a->x && x < a->x + a->width && y >= a->y && y < a->y + a->height)
			return a;
	return NULL;
}

/* The line that a click into a pane, below its title, stands for; NULL: none. */
static char *line_at(struct session *s, const struct area *a, u32 x, u32 y)
{
	struct desk *d = desk_of(s);
	struct canvas size = {.width = a->width, .height = a->height};
	u64 cycle;

	if (a->pane == PANE_timeline)
		return window_cycle_at(s, a->width, x, &cycle) ? xasprintf("goto %llu", cycle) : NULL;
	return pane_pick(s, (enum pane_id)a->pane, &size, d->scroll[a->pane], x, y, &d->cursor[a->pane]);
}

/* The wheel: what it is over scrolls; in data, where the page is that of the cursor, this goes on by rows. */
static void wheel(struct session *s, int by)
{
	if (desk_of(s)->focus == PANE_data)
		data_move(s, by, DATA_ROW);
	else
		desk_scroll(s, by);
}

char *face_point(struct session *s, const struct key *k)
{
	struct desk *d = desk_of(s);
	const struct area *a = area_at(d, k->x, k->y);
	u8 focus = d->focus;

	if (!s->config.mouse || !a)
		return NULL;
	d->focus = a->pane;
	if (k->button == MOUSE_LEFT && k->y == a->y)
		desk_zoom(s);
	if (k->button == MOUSE_LEFT)
		return k->y == a->y ? NULL : line_at(s, a, k->x - a->x, k->y - a->y);
	if (k->button == MOUSE_WHEEL_UP || k->button == MOUSE_WHEEL_DOWN)
		wheel(s, k->button == MOUSE_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
	d->focus = focus;
	return NULL;
}
