/*
 * pane_tracks.c - the timelines of both machines of `compare`, A's over B's, in the same cycles.
 */
#include "both.h"

/* The timeline of one side, in a canvas of its own. */
static void pane_tracks_half(struct canvas *half, struct compare *x, const struct pane_view *v, u32 side, u32 width,
			     u32 height)
{
	struct pane_view view;

	both_view(x, side, v, width, &view);
	canvas_init(half, width, height, v->session->config.style_signs);
	pane_table[PANE_timeline]->draw(half, &view);
	canvas_put(half, 0, 0, side ? 'B' : 'A', STYLE_KEY);
}

static void pane_tracks_draw(struct canvas *c, const struct pane_view *v)
{
	struct compare *x = both_open(c, v, "tracks");
	u32 top = c->height - c->height / 2;
	struct canvas half[2];

	if (!x || c->height < 2)
		return;
	pane_tracks_half(&half[0], x, v, 0, c->width, top);
	pane_tracks_half(&half[1], x, v, 1, c->width, c->height - top);
	canvas_blit(c, &half[0], 0, 0);
	canvas_blit(c, &half[1], 0, top);
	canvas_free(&half[0]);
	canvas_free(&half[1]);
}

/* Both as sentences, one after the other. */
static void pane_tracks_say(struct text *out, const struct pane_view *v)
{
	struct compare *x = both_of(v);

	if (!x)
		text_add(out, "%s\n", BOTH_NONE);
	for (u32 i = 0; x && i < 2; i++) {
		struct pane_view view;

		both_view(x, i, v, v->width, &view);
		text_add(out, "%c: ", 'A' + (int)i);
		pane_table[PANE_timeline]->say(out, &view);
	}
}

/* Both as numbers. */
static json_t *pane_tracks_data(const struct pane_view *v)
{
	struct compare *x = both_of(v);
	json_t *out = json_object();

	for (u32 i = 0; x && i < 2; i++) {
		struct pane_view view;

		both_view(x, i, v, v->width, &view);
		json_object_set_new(out, i ? "b" : "a", pane_table[PANE_timeline]->data(&view));
	}
	return out;
}

/* Rows that show both whole. */
static u32 pane_tracks_height(const struct pane_view *v)
{
	struct compare *x = both_of(v);
	u32 rows = 0;

	for (u32 i = 0; x && i < 2; i++) {
		struct pane_view view;

		both_view(x, i, v, v->width, &view);
		rows += pane_table[PANE_timeline]->height(&view);
	}
	return max_u32(rows, 2);
}

const struct pane pane_tracks = {
	.name = "tracks",
	.summary = "timelines of both machines of `compare`, A above B",
	.legend = "top: A, unchanged; bottom: B, with the change; letters as in pane timeline",
	.ask = "goto difference, compare why, set time.zoom 2",
	.size = {.least_width = 24, .least_height = 8, .wish_height = 16},
	.stream = true,
	.draw = pane_tracks_draw,
	.say = pane_tracks_say,
	.data = pane_tracks_data,
	.height = pane_tracks_height,
};
