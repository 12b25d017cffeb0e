/*
 * frame.c - the whole screen as one canvas: status, panes, prompt, hints; below 40x10 the console's end and the prompt.
 */
#include "desk.h"

/* The line between two panes of a row. */
static void separator(struct canvas *c, const struct area *a)
{
	for (u32 y = a->y; y < a->y + a->height; y++)
		canvas_put(c, a->x - 1, y, y > a->y ? 0x2502 : a->below ? 0x251c : 0x252c, STYLE_DIM);
	if (c->ascii)
		canvas_put(c, a->x - 1, a->y, '+', STYLE_DIM);
}

/* One pane. In key mode the cursor stands on its focused row, on its title if it has none. */
static void pane_area(struct session *s, struct canvas *c, const struct area *a)
{
	struct desk *d = desk_of(s);
	bool focused = a->pane == d->focus;
	struct canvas p;

	canvas_init(&p, a->width, a->height, c->ascii);
	if (a->pane == PANE_console)
		console_draw(s, &p, true);
	else
		pane_draw(s, a->pane, &p, d->scroll[a->pane], NULL);
	if (focused)
		find_mark(d, &p);
	if (focused)
		canvas_put(&p, 0, 0, 0x25b8, STYLE_TITLE);
	if (focused && d->keys) {
		d->cursor_x = a->x;
		d->cursor_y = a->y;
		for (u32 y = 1; y < p.height; y++)
			if (p.cell[(size_t)y * p.width].focus) {
				d->cursor_y = a->y + y;
				break;
			}
	}
	canvas_blit(c, &p, a->x, a->y);
	canvas_free(&p);
	if (a->separated)
		separator(c, a);
}

/* Too small for panes: what was printed last, and the prompt. */
static void compose_small(struct session *s, struct canvas *c)
{
	struct canvas rest;

	if (c->height > 1) {
		canvas_init(&rest, c->width, c->height - 1, c->ascii);
		console_draw(s, &rest, false);
		canvas_blit(c, &rest, 0, 0);
		canvas_free(&rest);
	}
	prompt_draw(s, c, c->height - 1);
}

void frame_compose(struct session *s, struct canvas *c)
{
	struct desk *d = desk_of(s);

	d->width = c->width;
	d->height = c->height;
	d->nareas = 0;
	if (!c->width || !c->height)
		return;
	if (c->width < LEAST_WIDTH || c->height < LEAST_HEIGHT) {
		d->overlay = OVERLAY_NONE;
		compose_small(s, c);
		return;
	}
	status_draw(s, c, 0);
	layout_solve(s, c->width, c->height - 1 - desk_bottom(d), 1);
	for (u32 i = 0; i < d->nareas; i++)
		pane_area(s, c, &d->area[i]);
	if (desk_bottom(d) > 1)
		prompt_draw(s, c, c->height - 2);
	hints_draw(s, c, c->height - 1);
	if (d->overlay)
		overlay_draw(s, c, 1, c->height - 3);
}

void frame_now(struct session *s, struct canvas *c)
{
	const struct desk *d = desk_of(s);
	bool shown = tui_active() && d->width && d->height;

	canvas_init(c,
		    shown	 ? d->width
		    : s->columns ? s->columns
				 : 80,
		    shown     ? d->height
		    : s->rows ? s->rows
			      : 24,
		    s->config.style_signs);
	frame_compose(s, c);
}
