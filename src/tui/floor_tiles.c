/*
 * floor_tiles.c - the tiles of the pane `floor`: how large they can be, and what is in each.
 *
 * A tile is a gap, in which the cursor stands, a sign, a bar and a mark; a high one has its value and its traffic in
 * the last line. The sign says what the color does.
 */
#include "floor_plan.h"

#include "machine.h"

#define WIDEST 14u
#define HIGHEST 5u
#define NARROWEST 5u	/* as long as memory rows can make room for it */
#define LEAST_MEMORY 2u /* rows that give way only to tiles that are less than NARROWEST */

/* Tiles of a row, where there is room for `most`, so that no more rows are needed: a round number if there is one. */
static u32 floor_per_row(u32 n, u32 most)
{
	u32 rows = ceil_div(n, most), least = ceil_div(n, rows);

	if (rows == 1)
		return n;
	if (most / 10 * 10 >= least)
		return most / 10 * 10;
	return most / 4 * 4 >= least ? most / 4 * 4 : least;
}

/* The largest tiles for which there are `room` rows, at least so narrow; false: none fit. Rows of ten tiles or of four
 * are worth a tile that is a little smaller. */
static bool floor_fit(struct floor_plan *p, u32 width, u32 room, u32 n, u32 narrowest)
{
	u32 best = 0;

	for (u32 height = HIGHEST; height; height--)
		for (u32 w = WIDEST; w >= narrowest && w; w--) {
			u32 most = width / w, per = most ? max_u32(1, floor_per_row(n, most)) : 1,
			    rows = ceil_div(n, per);
			u32 worth = w * height * (rows == 1 || per % 10 == 0 ? 5 : per % 4 == 0 ? 4 : 3);

			if (!most || rows * height > room || worth <= best || (height > 1 && w < 6) ||
			    (height > 3 && w < 2 * height))
				continue;
			best = worth;
			p->width = w;
			p->height = height;
			p->rows = rows;
			p->per = per;
		}
	return best;
}

void floor_plan(struct floor_plan *p, u32 width, u32 height, u32 n, u32 sm)
{
	u32 room = height ? height - 1 : 0, narrowest = NARROWEST;
	bool fits = false;

	*p = (struct floor_plan){.label = n > 1 ? 4 : 0, .legend = height >= FLOOR_LEGEND};
	room -= p->legend;
	width = width > p->label + 2 ? width - p->label : 2;
	for (; narrowest && !fits; narrowest--)
		for (u32 memory = min_u32(FLOOR_ROWS, room);; memory--) {
			p->memory = memory;
			fits = floor_fit(p, width, room - memory, n, narrowest);
			if (fits || memory <= (narrowest > 2 ? min_u32(LEAST_MEMORY, room) : 0))
				break;
		}
	if (!fits) {
		p->width = p->height = 1;
		p->per = min_u32(width, n);
		p->rows = ceil_div(n, p->per);
	}
	p->shown = min_u32(p->rows, (room - p->memory) / p->height);
	p->first = p->shown ? sm / p->per / p->shown * p->shown : 0;
	p->first = min_u32(p->first, p->rows - p->shown);
	p->below = 1 + p->shown * p->height;
}

u32 floor_tile_at(const struct floor_plan *p, u32 n, u32 x, u32 y)
{
	u32 row = y ? (y - 1) / p->height : p->shown, column = x >= p->label ? (x - p->label) / p->width : p->per;
	u32 sm = (p->first + row) * p->per + column;

	return row < p->shown && column < p->per && sm < n ? sm : NONE32;
}

char floor_sign(u32 launch)
{
	return launch < 36 ? "0123456789abcdefghijklmnopqrstuvwxyz"[launch] : '#';
}

u32 floor_texture(u32 launch)
{
	static const u32 texture[] = {0x2588, 0x2592, 0x2593, 0x2591};

	return texture[launch % ARRAY_LEN(texture)];
}

enum style floor_style(u32 launch)
{
	static const enum style style[] = {STYLE_SHORT, STYLE_PIPELINE, STYLE_LONG, STYLE_GOOD, STYLE_ELIGIBLE};

	return style[launch % ARRAY_LEN(style)];
}

u32 floor_digit(const struct floor_view *f, double value)
{
	double share = f->high > f->low ? (value - f->low) / (f->high - f->low) : 0;

	return share <= 0 ? 0 : share >= 1 ? 9 : (u32)(share * 9 + 0.5);
}

enum style floor_digit_style(u32 digit)
{
	return digit < 4 ? STYLE_SHORT : digit < 7 ? STYLE_GOOD : STYLE_PIPELINE;
}

u32 floor_stall(const struct floor_sm *x)
{
	u32 best = SLOT_OUTCOME_COUNT;

	for (u32 o = 0; o < SLOT_OUTCOME_COUNT; o++)
		if (o != SLOT_ISSUED && x->outcome[o] &&
		    (best == SLOT_OUTCOME_COUNT || x->outcome[o] > x->outcome[best]))
			best = o;
	return best;
}

/* The sign of a tile and its style. */
static char floor_tile_sign(const struct pane_view *v, const struct floor_view *f, const struct floor_sm *x,
			    enum style *style)
{
	enum floor_color color = floor_color(floor_of(v->session));
	u32 o = floor_stall(x), digit = floor_digit(f, x->value);

	*style = STYLE_DIM;
	if (color == FLOOR_KERNEL && x->nparts) {
		*style = x->nparts > 1 ? STYLE_TITLE : floor_style(x->part[0].launch);
		return x->nparts > 1 ? '+' : floor_sign(x->part[0].launch);
	}
	if (color == FLOOR_KERNEL)
		return '.';
	if (!x->known)
		return '-';
	if (color == FLOOR_STALL) {
		*style = o < SLOT_OUTCOME_COUNT ? outcome_style(o) : STYLE_ISSUED;
		return o < SLOT_OUTCOME_COUNT ? slot_outcome_table[o].letter : slot_outcome_table[SLOT_ISSUED].letter;
	}
	*style = floor_digit_style(digit);
	return (char)('0' + digit);
}

/* The bar of an SM by kernels: cells in proportion to the warps of each, at least one. */
static void floor_shares(struct canvas *c, u32 x, u32 y, u32 width, const struct floor_sm *sm, double full)
{
	u32 at = 0, warps = 0;

	for (u32 i = 0; i < sm->nparts; i++) {
		u32 launch = sm->part[i].launch, end;

		warps += sm->part[i].warps;
		end = full > 0 ? (u32)(warps / full * width + 0.5) : 0;
		end = min_u32(max_u32(end, at + 1), width - min_u32(width, sm->nparts - 1 - i));
		for (; at < end; at++)
			canvas_put(c, x + at, y, floor_texture(launch), floor_style(launch));
	}
}

void floor_value_text(const struct pane_view *v, const struct floor_sm *x, struct text *out)
{
	switch (floor_color(floor_of(v->session))) {
	case FLOOR_KERNEL:
		for (u32 i = 0; i < x->nparts; i++)
			text_add(out, "%s%u", i ? "+" : "", x->part[i].ctas);
		text_add(out, "%s", x->nparts ? "" : "0");
		return;
	case FLOOR_OCCUPANCY: text_add(out, "%u", x->warps); return;
	case FLOOR_STALL: text_add(out, x->known ? "%.0f%%" : "-", 100 * x->value); return;
	default: text_add(out, x->known ? "%.3g" : "-", x->value);
	}
}

/* Packets of an SM to and from the crossbar, of one each way per cycle, as density. */
static u32 floor_density(const struct floor_view *f, u64 packets, double full)
{
	static const u32 sign[] = {' ', 0xb7, 0x2591, 0x2592, 0x2593, 0x2588};
	double share = f->cycles && full > 0 ? (double)packets / full : 0;

	return sign[share <= 0 ? 0 : share >= 0.8 ? 5 : 1 + (u32)(share * 5)];
}

/* The last line of several: value, traffic. */
static void floor_last_line(struct canvas *c, const struct pane_view *v, const struct floor_view *f,
			    const struct floor_plan *p, u32 x, u32 y, const struct floor_sm *sm)
{
	struct text value = {0};

	text_add(&value, "%s", "");
	floor_value_text(v, sm, &value);
	canvas_print(c, x + 1, y, STYLE_PLAIN, "%.*s", (int)p->width - 3, value.s);
	canvas_put(c, x + p->width - 1, y, floor_density(f, sm->requests + sm->replies, 2.0 * (double)f->cycles),
		   STYLE_DIM);
	text_free(&value);
}

/* The bar of a tile: in each of its lines but the last, where that has the value. */
static void floor_bar(struct canvas *c, const struct pane_view *v, const struct floor_view *f, const struct floor_sm *s,
		      enum style style, u32 x, u32 y, u32 width)
{
	if (floor_color(floor_of(v->session)) == FLOOR_KERNEL)
		floor_shares(c, x, y, width, s, f->high);
	else if (s->known)
		canvas_bar(c, x, y, width, s->value - f->low, f->high - f->low, style);
	for (u32 i = 0; y < c->height && i < width && x + i < c->width; i++)
		if (c->cell[y * c->width + x + i].ch == ' ')
			canvas_put(c, x + i, y, 0xb7, STYLE_DIM);
}

/* The sign of what is followed in the tile of its SM: beside the cursor where the tile has a second line, else in its
 * place. */
static void floor_tile_followed(struct canvas *c, const struct pane_view *v, const struct floor_plan *p)
{
	struct follow_spot spot;
	u32 row, column, here;

	if (!p->per || !follow_where(v->session, &spot) || spot.sm / p->per < p->first ||
	    spot.sm / p->per >= p->first + p->shown)
		return;
	here = floor_followed(p, &spot) == FLOOR_ROWS;
	row = spot.sm / p->per - p->first;
	column = spot.sm % p->per;
	canvas_put(c, p->label + column * p->width, 1 + row * p->height + (p->height > 1),
		   here ? FLOOR_FOLLOWED : FLOOR_AWAY, STYLE_FOLLOWED);
}

/* A tile. */
static void floor_tile(struct canvas *c, const struct pane_view *v, const struct floor_view *f,
		       const struct floor_plan *p, u32 sm, u32 x, u32 y)
{
	const struct floor_sm *s = &f->sm[sm];
	u32 gap = p->width > 2, bar = p->width > 3 ? p->width - 3 : 0;
	bool mark = s->mark == FLOOR_GIVES || s->mark == FLOOR_OFF || (s->mark != FLOOR_PLAIN && p->width > 1);
	enum style style;
	char letter = floor_tile_sign(v, f, s, &style);

	if (gap && (sm == floor_cursor(v) || sm == v->focus.sm))
		canvas_put(c, x, y, 0x25b8, sm == floor_cursor(v) ? STYLE_KEY : STYLE_DIM);
	canvas_put(c, x + gap, y, (u8)letter, style);
	if (x + gap < c->width && y < c->height)
		c->cell[y * c->width + x + gap].focus = sm == v->focus.sm;
	for (u32 i = 0; bar && i < max_u32(p->height, 2) - 1; i++)
		floor_bar(c, v, f, s, style, x + gap + 1, y + i, bar);
	if (mark)
		canvas_put(c, x + p->width - 1, y, (u8)floor_mark_table[s->mark].letter,
			   s->mark == FLOOR_GIVES ? STYLE_BAD : STYLE_KEY);
	if (p->height > 1)
		floor_last_line(c, v, f, p, x, y + p->height - 1, s);
}

void floor_tiles(struct canvas *c, const struct pane_view *v, const struct floor_view *f, const struct floor_plan *p)
{
	for (u32 row = 0; row < p->shown; row++) {
		u32 first = (p->first + row) * p->per, y = 1 + row * p->height;

		if (p->label)
			canvas_print(c, 0, y, STYLE_DIM, "%3u", first);
		for (u32 i = 0; i < p->per && first + i < f->sms; i++)
			floor_tile(c, v, f, p, first + i, p->label + i * p->width, y);
	}
	floor_tile_followed(c, v, p);
}
