/*
 * pane_floor.c - the GPU as a floor plan: a tile for each SM, colored by what `floor color` names, and the memory
 * below.
 *
 * What is counted is of the last cycles (floor.h), what waits and who holds an SM is of now. Conservation: the CTAs of
 * all tiles, by kernels, are those that the SMs hold and those that the kernels have.
 */
#include "floor_plan.h"

#include "machine.h"

u32 floor_cursor(const struct pane_view *v)
{
	return v->cursor < v->sim->m->config.gpu_sms ? (u32)v->cursor : v->focus.sm;
}

u32 floor_holders(const struct floor_view *f, u32 launch)
{
	u32 n = 0;

	for (u32 i = 0; i < f->sms; i++)
		for (u32 k = 0; k < f->sm[i].nparts; k++)
			n += f->sm[i].part[k].launch == launch;
	return n;
}

u32 floor_marked(const struct floor_view *f, u32 mark)
{
	u32 n = 0;

	for (u32 i = 0; i < f->sms; i++)
		n += f->sm[i].mark == mark;
	return n;
}

u32 floor_idle(const struct floor_view *f)
{
	u32 n = 0;

	for (u32 i = 0; i < f->sms; i++)
		n += !f->sm[i].ctas && f->sm[i].mark != FLOOR_OFF;
	return n;
}

u64 floor_ctas(const struct floor_view *f, const struct pane_view *v, bool *holds)
{
	u64 parts = 0, ctas = 0, kernels = 0;

	for (u32 i = 0; i < f->sms; i++) {
		ctas += f->sm[i].ctas;
		for (u32 k = 0; k < f->sm[i].nparts; k++)
			parts += f->sm[i].part[k].ctas;
	}
	for (u32 i = 0; i < v->sim->m->section[SECTION_LAUNCH].count; i++)
		kernels += machine_residency(v->sim->m, i)->ctas;
	*holds = parts == ctas && kernels == ctas;
	return ctas;
}

/* The title: what colors, the SM at the cursor and its value, what there is of idle and moving SMs, the sum. */
static void pane_floor_title(struct canvas *c, const struct pane_view *v, const struct floor_view *f)
{
	enum floor_color color = floor_color(floor_of(v->session));
	struct text focus = {0}, sum = {0};
	u32 sm = floor_cursor(v), idle = floor_idle(f);
	struct follow_spot spot;
	u64 ctas;
	bool holds;

	text_add(&focus, "%s  SM %u: ", floor_color_text(floor_of(v->session)), sm);
	floor_value_text(v, &f->sm[sm], &focus);
	text_add(&focus, "%s", color == FLOOR_KERNEL ? " CTAs" : color == FLOOR_OCCUPANCY ? " warps" : "");
	if (c->width >= 80 && follow_where(v->session, &spot)) {
		text_add(&focus, "  %s w%u in %s: ", c->ascii ? "@" : "●", spot.warp, hop_table[spot.hop].name);
		follow_place(&spot, &focus);
	}
	text_add(&sum, "%u SM%s", f->sms, f->sms == 1 ? "" : "s");
	for (u32 i = 0; c->height < FLOOR_LEGEND && i < v->sim->m->section[SECTION_LAUNCH].count; i++)
		if (floor_holders(f, i))
			text_add(&sum, "  %c on %u", floor_sign(i), floor_holders(f, i));
	if (idle)
		text_add(&sum, "  %u idle", idle);
	for (u32 i = 0; i < FLOOR_PLAIN; i++)
		if (floor_marked(f, i))
			text_add(&sum, "  %u %s", floor_marked(f, i), floor_mark_table[i].name);
	text_add(&sum, "  CTAs ");
	ctas = floor_ctas(f, v, &holds);
	text_add_sum(&sum, ctas, holds);
	canvas_title(c, 0, "floor", focus.s, sum.s);
	text_free(&focus);
	text_free(&sum);
}

/* Each kernel with its sign and its SMs. */
static u32 pane_floor_legend_kernels(struct canvas *c, const struct pane_view *v, const struct floor_view *f, u32 y)
{
	u32 x = 0;

	for (u32 i = 0; i < v->sim->m->section[SECTION_LAUNCH].count; i++) {
		u32 sms = floor_holders(f, i);

		if (!sms)
			continue;
		x = canvas_print(c, x, y, floor_style(i), "%c", floor_sign(i));
		x = canvas_put(c, x, y, floor_texture(i), floor_style(i));
		x = canvas_print(c, x, y, floor_style(i), " %s", view_launch(v, i));
		x = canvas_print(c, x, y, STYLE_DIM, " %u SM%s  ", sms, sms == 1 ? "" : "s");
	}
	return x;
}

/* The outcomes that are seen, by their letters. */
static u32 pane_floor_legend_stalls(struct canvas *c, const struct floor_view *f, u32 y)
{
	u32 x = 0, seen = 0;

	for (u32 i = 0; i < f->sms; i++)
		seen |= 1u << floor_stall(&f->sm[i]);
	for (u32 o = 0; o < SLOT_OUTCOME_COUNT; o++)
		if (seen >> o & 1)
			x = canvas_print(c, x, y, outcome_style(o), "%c %s  ", slot_outcome_table[o].letter,
					 slot_outcome_table[o].name);
	return canvas_print(c, x, y, STYLE_DIM, "bar: slots lost  ");
}

/* The range: what the lowest and the highest digit stand for. */
static u32 pane_floor_legend_range(struct canvas *c, const struct pane_view *v, const struct floor_view *f, u32 y)
{
	u32 x = 0;
	double low, high;

	for (u32 i = 0; i < 10; i++)
		x = canvas_print(c, x, y, floor_digit_style(i), "%u", i);
	x = canvas_print(c, x, y, STYLE_PLAIN, " %.3g to %.3g", f->low, f->high);
	return canvas_print(c, x, y, STYLE_DIM, "%s  ",
			    floor_range(floor_of(v->session), &low, &high)	   ? ""
			    : floor_color(floor_of(v->session)) == FLOOR_OCCUPANCY ? " warps"
			    : floor_color(floor_of(v->session)) == FLOOR_EXPR	   ? ", the largest"
										   : "");
}

/* The last line: what signs and marks mean, and over which cycles was counted. */
static void pane_floor_legend(struct canvas *c, const struct pane_view *v, const struct floor_view *f, u32 y)
{
	enum floor_color color = floor_color(floor_of(v->session));
	u32 x = color == FLOOR_KERNEL  ? pane_floor_legend_kernels(c, v, f, y)
		: color == FLOOR_STALL ? pane_floor_legend_stalls(c, f, y)
				       : pane_floor_legend_range(c, v, f, y);

	for (u32 i = 0; i < FLOOR_PLAIN; i++)
		if (floor_marked(f, i))
			x = canvas_print(c, x, y, STYLE_KEY, "%c %s  ", floor_mark_table[i].letter,
					 floor_mark_table[i].name);
	canvas_print(c, x, y, STYLE_DIM, "last %llu cycle%s", f->cycles, f->cycles == 1 ? "" : "s");
}

static void pane_floor_draw(struct canvas *c, const struct pane_view *v)
{
	struct floor_plan p;
	struct floor_view f;

	if (!floor_open(&f, panes_floor(v->session), v->session, v->sim)) {
		canvas_title(c, 0, "floor", "", "");
		return;
	}
	floor_plan(&p, c->width, c->height, f.sms, floor_cursor(v));
	pane_floor_title(c, v, &f);
	floor_tiles(c, v, &f, &p);
	floor_memory(c, v, &f, &p);
	if (p.legend)
		pane_floor_legend(c, v, &f, p.below + p.memory);
	floor_close(&f);
}

/* Rows at which tiles are large. */
static u32 pane_floor_height(const struct pane_view *v)
{
	u32 n = v->sim ? v->sim->m->config.gpu_sms : 1, width = v->width > 16 ? v->width - 4 : 12;

	return 2 + FLOOR_ROWS + 5 * ceil_div(n, max_u32(width / 14, 1));
}

/* A click on a tile focuses its SM. */
static void pane_floor_point(const struct pane_view *v, const struct pane_spot *at, u64 *cursor, struct text *line)
{
	struct floor_plan p;
	u32 n = v->sim->m->config.gpu_sms, sm;

	floor_plan(&p, v->width, at->height, n, *cursor < n ? (u32)*cursor : v->focus.sm);
	sm = floor_tile_at(&p, n, at->x, at->y);
	if (sm == NONE32)
		return;
	*cursor = NO_CURSOR;
	text_add(line, "focus sm %u", sm);
}

const struct pane pane_floor = {
	.name = "floor",
	.summary = "the GPU as a floor plan: a tile for each SM, L2 slices and DRAM channels below",
	.legend =
		"a tile: sign, bar, mark   by kernel: its number, + several, . none; bar: warps of all that fit   by value: 0 lowest to 9 highest of the range\n"
		"by stall: the outcome that took most issue slots (P S F L B h .), * none lost; bar: share of slots that did not issue\n"
		"marks: ~ preempting  < a CTA was preempted in the last 100 cycles  ? trial  ! dedicated  / accepts no CTAs  x power-gated\n"
		"last line of a tile: the value (by kernel: CTAs), traffic with the crossbar as density\n"
		"rows below, by L2 slice or DRAM channel: packets (in, out per cycle) or bytes as density; queue entries now; bandwidth used in the last 100 cycles\n"
		"●: what `follow` follows, in the tile of its SM, or at its L2 slice or DRAM channel; then ○ in the tile\n"
		"limit, full: at least 80 % of the lookups, of the bus or of the queues are used   `floor color NAME` changes the colors, `floor range LOW HIGH` their range",
	.ask = "floor color ipc, floor color stall, focus sm 0",
	.size = {.least_width = 24, .least_height = 4, .wish_height = 14},
	.stream = true,
	.draw = pane_floor_draw,
	.say = floor_say,
	.data = floor_data,
	.point = pane_floor_point,
	.height = pane_floor_height,
};
