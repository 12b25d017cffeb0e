/*
 * point.c - the mouse: a click focuses the pane that it is in, and the row; on a title it zooms, on a column of the
 * timeline it goes there; the wheel scrolls what it is over.
 */
#include "prompt.h"
#include "window.h"

#include <stdlib.h>

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
	char *line;
	u64 cycle;
	u32 pc;

	if (a->pane == PANE_timeline)
		return window_cycle_at(s, a->width, x, &cycle) ? xasprintf("goto %llu", (unsigned long long)cycle)
							       : NULL;
	line = pane_pick(s, (enum pane_id)a->pane, a->width, a->height, d->scroll[a->pane], y);
	if (line && sscanf(line, "pane cursor %u", &pc) == 1) {
		free(line);
		d->cursor[a->pane] = pc;
		return NULL;
	}
	return line;
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
		desk_scroll(s, k->button == MOUSE_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
	d->focus = focus;
	return NULL;
}
