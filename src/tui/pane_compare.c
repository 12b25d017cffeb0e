/*
 * pane_compare.c - the warps of both machines of `compare` side by side at the session's position, A's and B's, with
 * differences marked.
 *
 * Each side is the pane warps of that side's machine. B stands in the same cycle, or where it has done as many
 * instructions (compare.by); where A has ended, B stands at its end, too.
 */
#include "both.h"

static void pane_compare_title(struct canvas *c, const struct compare *x)
{
	struct text focus = {0}, sum = {0};

	text_add(&focus, "A unchanged | B %s", safe_text(x->change.text));
	both_parting(x, &sum);
	canvas_title(c, 0, "compare", focus.s, sum.s);
	text_free(&focus);
	text_free(&sum);
}

/* The sheet of one side's warps. */
static void pane_compare_sheet(struct sheet *s, const struct pane_view *v, u32 side)
{
	*s = (struct sheet){.name = side ? "B warps" : "A warps"};
	pane_table[PANE_warps]->fill(s, v);
	sheet_arrange(s, v);
}

/* One side in a canvas of its own. */
static void pane_compare_half(struct canvas *half, struct compare *x, const struct pane_view *v, u32 side, u32 width,
			      u32 height)
{
	struct pane_view view;
	struct sheet sheet;

	both_view(x, side, v, width, &view);
	canvas_init(half, width, height, v->session->config.style_signs);
	pane_compare_sheet(&sheet, &view, side);
	sheet_draw(&sheet, half, &view);
	sheet_close(&sheet);
}

static void pane_compare_draw(struct canvas *c, const struct pane_view *v)
{
	struct compare *x = both_open(c, v, "compare");
	u32 left = c->width / 2, height = c->height > 1 ? c->height - 1 : 0;
	struct canvas half[2];

	if (!x)
		return;
	pane_compare_title(c, x);
	if (!height || left < 2)
		return;
	pane_compare_half(&half[0], x, v, 0, left - 1, height);
	pane_compare_half(&half[1], x, v, 1, c->width - left, height);
	both_mark(&half[0], &half[1]);
	canvas_blit(c, &half[0], 0, 1);
	canvas_blit(c, &half[1], left, 1);
	for (u32 y = 1; y < c->height; y++)
		canvas_put(c, left - 1, y, y > 1 ? 0x2502 : 0x252c, STYLE_DIM);
	canvas_free(&half[0]);
	canvas_free(&half[1]);
}

/* Both as sentences, one after the other. */
static void pane_compare_say(struct text *out, const struct pane_view *v)
{
	struct compare *x = both_of(v);

	if (!x) {
		text_add(out, "%s\n", BOTH_NONE);
		return;
	}
	both_say(out, x);
	for (u32 i = 0; i < 2; i++) {
		struct pane_view view;
		struct sheet sheet;

		both_view(x, i, v, v->width, &view);
		view.plain = true;
		pane_compare_sheet(&sheet, &view, i);
		text_add(out, "%c: ", 'A' + (int)i);
		sheet_say(&sheet, out);
		sheet_close(&sheet);
	}
}

/* Both as numbers. */
static json_t *pane_compare_data(const struct pane_view *v)
{
	struct compare *x = both_of(v);
	json_t *out = json_object();

	for (u32 i = 0; x && i < 2; i++) {
		struct pane_view view;
		struct sheet sheet;

		both_view(x, i, v, v->width, &view);
		pane_compare_sheet(&sheet, &view, i);
		json_object_set_new(out, i ? "b" : "a", sheet_data(&sheet));
		sheet_close(&sheet);
	}
	return out;
}

/* Rows that show all warps of the side that has more. */
static u32 pane_compare_height(const struct pane_view *v)
{
	struct compare *x = both_of(v);
	u32 most = 2;

	for (u32 i = 0; x && i < 2; i++) {
		struct pane_view view;
		struct sheet sheet;

		both_view(x, i, v, v->width / 2, &view);
		pane_compare_sheet(&sheet, &view, i);
		most = max_u32(most, sheet_height(&sheet) + 1);
		sheet_close(&sheet);
	}
	return most;
}

const struct pane pane_compare = {
	.name = "compare",
	.summary = "warps of both machines of `compare` side by side, differences marked",
	.legend = "left: A, unchanged; right: B, with the change; letters and columns as in pane warps\n"
		  "B is at the cycle of A, or with `set compare.by instructions` at as many instructions",
	.ask = "goto difference, compare why, compare order=lrr, compare swap",
	.size = {.least_width = 30, .least_height = 4, .wish_height = 10},
	.stream = true,
	.draw = pane_compare_draw,
	.say = pane_compare_say,
	.data = pane_compare_data,
	.height = pane_compare_height,
};
