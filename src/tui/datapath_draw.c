/*
 * datapath_draw.c - the boxes of pane datapath and the paths between them, on a canvas.
 *
 * Walls and paths are lines through cells: each cell knows which of its four neighbors it is joined to, so that lines
 * that meet get the right corner. A path on which something moved in the last cycle is drawn thick; one that keeps
 * warps or instructions back ends in a cross, with the letters of the warps' states.
 */
#include "counters.h"
#include "datapath_draw.h"
#include "policy.h"

#include <ctype.h>

enum side { NORTH = 1, EAST = 2, SOUTH = 4, WEST = 8 };

struct line_cell {
	u8 walls, moved;  /* sides joined by thin lines, by thick ones */
	u8 style, marked; /* of the walls; the box under the cursor */
};
struct picture_of {
	struct canvas *c;
	const struct plan *p;
	const struct scene_of *s;
	struct line_cell *cell;
};

/* --- lines --- */

static struct line_cell *line_cell(const struct picture_of *d, u32 x, u32 y)
{
	static struct line_cell outside;

	outside = (struct line_cell){0};
	return x < d->c->width && y < d->c->height ? &d->cell[(size_t)y * d->c->width + x] : &outside;
}

/* Two neighbors are joined. */
static void join(const struct picture_of *d, u32 x, u32 y, enum side side, bool moved)
{
	struct line_cell *a = line_cell(d, x, y);

	if (moved)
		a->moved |= (u8)side;
	a->walls |= (u8)side;
}

/* A straight line; its ends stay open. */
static void straight(const struct picture_of *d, u32 x, u32 y, u32 to_x, u32 to_y, bool moved)
{
	bool across = y == to_y;
	u32 from = across ? min_u32(x, to_x) : min_u32(y, to_y), to = across ? max_u32(x, to_x) : max_u32(y, to_y);

	for (u32 i = from; i < to; i++) {
		join(d, across ? i : x, across ? y : i, across ? EAST : SOUTH, moved);
		join(d, across ? i + 1 : x, across ? y : i + 1, across ? WEST : NORTH, moved);
	}
}

static u32 sign_of(u8 sides, bool thick, bool ascii)
{
	static const u16 thin_sign[16] = {' ',	  0x2502, 0x2500, 0x2514, 0x2502, 0x2502, 0x250c, 0x251c,
					  0x2500, 0x2518, 0x2500, 0x2534, 0x2510, 0x2524, 0x252c, 0x253c};
	static const u16 thick_sign[16] = {' ',	   0x2503, 0x2501, 0x2517, 0x2503, 0x2503, 0x250f, 0x2523,
					   0x2501, 0x251b, 0x2501, 0x253b, 0x2513, 0x252b, 0x2533, 0x254b};

	if (!ascii)
		return (thick ? thick_sign : thin_sign)[sides];
	if (!(sides & (NORTH | SOUTH)))
		return thick ? '=' : '-';
	return thick ? '#' : sides & (EAST | WEST) ? '+' : '|';
}

/* All lines on the canvas. */
static void draw_lines(const struct picture_of *d)
{
	for (u32 y = 0; y < d->c->height; y++)
		for (u32 x = 0; x < d->c->width; x++) {
			const struct line_cell *l = line_cell(d, x, y);
			bool moved = l->moved != 0;

			if (!l->walls)
				continue;
			canvas_put(d->c, x, y, sign_of(moved ? l->moved : l->walls, moved, d->c->ascii),
				   moved ? STYLE_ISSUED : (enum style)l->style);
			d->c->cell[(size_t)y * d->c->width + x].focus = l->marked && !moved;
		}
}

enum head { HEAD_UP, HEAD_DOWN, HEAD_LEFT, HEAD_RIGHT };
/* The end of a path: an arrow, or a cross where it is blocked. */
static void draw_head(const struct picture_of *d, u32 x, u32 y, enum head head, bool moved, bool blocked)
{
	static const u16 sign[] = {0x25b2, 0x25bc, 0x25c0, 0x25b6};

	if (!moved && !blocked && line_cell(d, x, y)->moved)
		return; /* another path goes by */
	if (blocked && !moved)
		canvas_put(d->c, x, y, 0xd7, STYLE_BLOCKED);
	else if (d->c->ascii)
		canvas_put(d->c, x, y, (u8) "^v<>"[head], moved ? STYLE_ISSUED : STYLE_DIM);
	else
		canvas_put(d->c, x, y, sign[head], moved ? STYLE_ISSUED : STYLE_DIM);
}

/* --- what the boxes hold --- */

bool datapath_shows(const struct box_item *x, u32 box, u32 sub)
{
	return x->box == box && (sub == NONE32 || x->sub == sub);
}

void datapath_word(const struct box_item *x, char out[16])
{
	if (x->status < WARP_STATUS_COUNT)
		snprintf(out, 16, "%u%c", x->context, warp_status_table[x->status].letter);
	else if (x->pc == NONE32)
		snprintf(out, 16, "%u:%u", x->context, x->writes);
	else
		snprintf(out, 16, "%u", x->context);
}

enum style datapath_colour(const struct scene_of *s, u32 context)
{
	struct machine *m = s->v->sim->m;
	const struct warp *w = machine_sm_section(m, s->d.sm, SECTION_WARP);
	const struct cta *cta = machine_sm_section(m, s->d.sm, SECTION_CTA);
	u32 n = STYLE_CTA3 - STYLE_CTA0 + 1, launch = w[context].launch;

	for (u32 i = 0; i < m->residents; i++)
		if (cta[i].launch != NONE16 && cta[i].launch != launch)
			return (enum style)(STYLE_CTA0 + launch % n);
	return (enum style)(STYLE_CTA0 + w[context].cta % n);
}

void datapath_title(const struct scene_of *s, u32 box, u32 sub, struct text *out)
{
	u32 of, used = datapath_used(&s->d, (enum box)box, sub, &of);

	text_clear(out);
	text_add(out, "%s", box_table[box].name);
	if (box == BOX_SCHEDULER)
		text_add(out, " %s", policy_one(s->v->sim->m, POLICY_order)->name);
	if (of && box_table[box].across != UNIT_ROW)
		text_add(out, " %u/%u", used, of);
	else if (of)
		return;
	else if (used)
		text_add(out, " %u", used);
}

/* The states whose warps a path keeps. */
static u32 states_of(enum path path)
{
	switch (path) {
	case PATH_FETCHED: return 1u << WARP_FETCH;
	case PATH_PASSED: return 1u << WARP_LONG | 1u << WARP_SHORT;
	case PATH_ISSUED: return 1u << WARP_LSU | 1u << WARP_UNIT | 1u << WARP_COLLECTOR;
	case PATH_ARRIVED: return 1u << WARP_BARRIER | 1u << WARP_FENCE;
	default: return 0;
	}
}

void datapath_letters(const struct scene_of *s, enum path path, u32 sub, struct text *out)
{
	u32 states = states_of(path), count[WARP_STATUS_COUNT] = {0};

	text_clear(out);
	for (u32 i = 0; i < s->d.n; i++)
		if (s->d.item[i].status < WARP_STATUS_COUNT && s->d.item[i].sub == sub)
			count[s->d.item[i].status]++;
	for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
		if (states >> k & 1 && count[k])
			text_add(out, "%s%u%c", out->len ? " " : "", count[k], warp_status_table[k].letter);
}

bool datapath_unit_blocked(const struct scene_of *s, u32 kind, u32 sub)
{
	struct machine *m = s->v->sim->m;
	const struct unit *u =
		(struct unit *)machine_sm_section(m, s->d.sm, SECTION_UNIT) + sub * m->warp_units[UNIT_COUNT];
	const struct collector *c =
		(struct collector *)machine_sm_section(m, s->d.sm, SECTION_COLLECTOR) + sub * m->config.sm_collectors;
	u32 of;

	if (kind == UNIT_LSU && m->config.collector_late && datapath_used(&s->d, BOX_LSU, sub, &of) < of)
		return false;
	for (u32 i = m->warp_units[kind]; kind != UNIT_LSU && i < m->warp_units[kind + 1]; i++)
		if (u[i].free_at < sim_clock(s->v->sim))
			return false;
	for (u32 i = 0; i < m->config.sm_collectors; i++)
		if (c[i].context != NONE16 && !c[i].need && machine_unit_kind(m, class_table[c[i].class].unit) == kind)
			return true;
	return false;
}

bool datapath_has_path(const struct scene_of *s, enum path path)
{
	const struct path_row *row = &path_table[path];

	return (row->from == BOX_COUNT || datapath_has(s->v->sim, (enum box)row->from)) &&
	       datapath_has(s->v->sim, (enum box)row->to);
}

bool datapath_blocked(const struct scene_of *s, enum path path, u32 sub)
{
	struct text letters = {0};
	bool blocked = false;
	u32 of;

	if (path == PATH_READ)
		return datapath_used(&s->d, BOX_BANKS, sub, &of);
	if (path == PATH_LOADED)
		return datapath_unit_blocked(s, UNIT_LSU, sub);
	if (path == PATH_ACCESSED)
		return s->moves[sub].refused;
	if (path == PATH_REQUESTED)
		return datapath_used(&s->d, BOX_MEMORY, sub, &of) >= of;
	datapath_letters(s, path, sub, &letters);
	blocked = letters.len;
	text_free(&letters);
	return blocked;
}

/* Words of a box, line after line; those that do not fit are counted in the last. */
struct words {
	u32 x, y, end, last, at, left;
};

static struct words words_of(const struct picture_of *d, const struct box_place *at)
{
	return (struct words){.x = at->x + 1,
			      .at = at->x + 1,
			      .y = at->y + 1,
			      .end = at->x + at->width - 1,
			      .last = at->y + at->height - 2};
}

/* Is there room for a word of so many columns, and for the sign behind it that others are left? */
static bool words_next(struct words *w, u32 columns)
{
	u32 reserve = w->y == w->last && w->left > 1 ? 4 : 0;

	if (w->at > w->x && w->at + 1 + columns + reserve > w->end && w->y < w->last) {
		w->y++;
		w->at = w->x;
		reserve = w->y == w->last && w->left > 1 ? 4 : 0;
	}
	w->at += w->at > w->x;
	return w->at + columns + (w->at > w->x ? reserve : 0) <= w->end;
}

static void draw_item(const struct picture_of *d, struct words *w, const struct box_item *x)
{
	u32 from = w->at;
	char word[16];

	datapath_word(x, word);
	w->at = canvas_print(d->c, w->at, w->y, datapath_colour(d->s, x->context), "%u", x->context);
	if (x->status < WARP_STATUS_COUNT)
		w->at = canvas_print(d->c, w->at, w->y, status_style(x->status), "%c",
				     warp_status_table[x->status].letter);
	else if (x->pc == NONE32)
		w->at = canvas_print(d->c, w->at, w->y, STYLE_DIM, ":%u", x->writes);
	for (u32 i = from; x->context == d->s->v->focus.warp && i < w->at && i < d->c->width; i++)
		d->c->cell[(size_t)w->y * d->c->width + i].focus = 1;
}

/* The warps and instructions of a box. */
static void draw_items(const struct picture_of *d, const struct box_place *at)
{
	const struct datapath *items = &d->s->d;
	u32 sub = box_table[at->box].holds == HOLDS_SHARED && d->p->subs > 1 ? NONE32 : at->sub;
	struct words w = words_of(d, at);
	u32 others = 0;
	bool full = false;

	for (u32 i = 0; i < items->n; i++) {
		w.left += datapath_shows(&items->item[i], at->box, sub);
		others += sub != NONE32 && box_table[at->box].holds == HOLDS_SHARED && items->item[i].box == at->box &&
			  items->item[i].sub != sub;
	}
	w.left += others > 0;
	for (u32 turn = 0; turn < 2; turn++) /* the focused warp first */
		for (u32 i = 0; i < items->n && !full; i++) {
			char word[16];

			if (!datapath_shows(&items->item[i], at->box, sub) ||
			    (items->item[i].context != d->s->v->focus.warp) != turn)
				continue;
			datapath_word(&items->item[i], word);
			full = !words_next(&w, (u32)strlen(word));
			if (full)
				break;
			draw_item(d, &w, &items->item[i]);
			w.left--;
		}
	if (w.left > (others > 0))
		canvas_print(d->c, min_u32(w.at, w.end - 1), w.y, STYLE_DIM, w.at + 3 <= w.end ? "+%u" : "…", w.left);
	else if (others && words_next(&w, 3))
		canvas_print(d->c, w.at, w.y, STYLE_DIM, "+%u", others);
}

/* The instruction buffers: how full the buffer of each warp slot is. */
static void draw_buffers(const struct picture_of *d, const struct box_place *at)
{
	static const u16 level[] = {0xb7, 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588};
	const struct machine *m = d->s->v->sim->m;
	const struct slot *slot = machine_sm_section(d->s->v->sim->m, d->s->d.sm, SECTION_SLOT);
	u32 x = at->x + 1, y = at->y + 1, end = at->x + at->width - 1;

	for (u32 i = at->sub * m->slots_per_sub; i < (at->sub + 1) * m->slots_per_sub; i++) {
		u32 n = slot[i].context == NONE16 ? 0 : slot[i].buffered, full = m->config.sm_ibuffer;

		if (slot[i].context == NONE16)
			continue;
		if (x == end && y + 2 < at->y + at->height) {
			x = at->x + 1;
			y++;
		}
		if (x < end)
			canvas_put(d->c, x++, y, level[min_u32(ceil_div(n * 8, full), 8)],
				   datapath_colour(d->s, slot[i].context));
	}
}

/* The banks: the read that each granted, those that wait. */
static void draw_banks(const struct picture_of *d, const struct box_place *at)
{
	static const u16 level[] = {0xb7, 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588};
	struct machine *m = d->s->v->sim->m;
	u32 n = m->config.sm_banks, lines = at->height - 2, each = ceil_div(n, lines);
	const struct bank *bank = (struct bank *)machine_sm_section(m, d->s->d.sm, SECTION_BANK) + at->sub * n;

	for (u32 i = 0; i < n; i++) {
		u32 room = (at->width - 2) / each, x = at->x + 1 + i % each * room, y = at->y + 1 + i / each;

		canvas_put(d->c, x++, y, level[min_u32(bank[i].count, 8)], STYLE_PIPELINE);
		if (room < 9)
			continue;
		if (bank[i].count)
			canvas_print(d->c, x, y, STYLE_PIPELINE, "%u", bank[i].count);
		if (bank[i].granted_context != NONE16) {
			x = canvas_print(d->c, x + 3, y, datapath_colour(d->s, bank[i].granted_context), "%u",
					 bank[i].granted_context);
			if (x + 5 <= at->x + at->width - 1)
				canvas_print(d->c, x, y, STYLE_ISSUED, " r%u", bank[i].granted_register);
		}
	}
}

/* The operands of a collector unit: read ones and those that wait, with their registers where there is room. */
static void draw_operands(const struct picture_of *d, const struct collector *x, u32 at, u32 y, u32 end)
{
	const struct warp *w = machine_sm_section(d->s->v->sim->m, d->s->d.sm, SECTION_WARP);
	const struct inst *in = &d->s->v->sim->kernel[w[x->context].launch]->inst[x->pc];
	bool names = at + 6 * in->nread <= end + 1;

	for (u32 i = 0; i < in->nread && at < end; i++) {
		bool read = x->read >> i & 1;

		if (names)
			at = canvas_print(d->c, at, y, read ? STYLE_DIM : STYLE_PIPELINE, "r%u", in->read[i]);
		at = canvas_put(d->c, at, y, read ? 0x25a0 : 0x25a1, read ? STYLE_ISSUED : STYLE_PIPELINE) + names;
	}
}

/* What the register cache of a sub-core keeps: warp and register. */
static void draw_reuse(const struct picture_of *d, const struct box_place *at)
{
	struct machine *m = d->s->v->sim->m;
	u32 n = m->config.sm_banks * REUSE_PLACES;
	const struct reuse *kept = (struct reuse *)machine_sm_section(m, d->s->d.sm, SECTION_REUSE) + at->sub * n;
	struct words w = words_of(d, at);

	for (u32 i = 0; i < n; i++)
		w.left += kept[i].owner != 0;
	for (u32 i = 0; i < n; i++) {
		char word[16];

		if (!kept[i].owner)
			continue;
		snprintf(word, sizeof(word), ":r%u", kept[i].reg);
		if (!words_next(&w, (u32)strlen(word) + 2))
			break;
		w.at = canvas_print(d->c, w.at, w.y, datapath_colour(d->s, kept[i].owner - 1u), "%u",
				    kept[i].owner - 1u);
		w.at = canvas_text_at(d->c, w.at, w.y, STYLE_DIM, word);
		w.left--;
	}
	if (w.left)
		canvas_put(d->c, min_u32(w.at, w.end - 1), w.y, 0x2026, STYLE_DIM);
}

/* How many gangs of each size there are, the largest first. */
static void draw_gangs(const struct picture_of *d, const struct box_place *at)
{
	u32 count[MAX_SUBCORES + 1];
	struct words w = words_of(d, at);

	datapath_gangs(&d->s->d, count);
	for (u32 i = MAX_SUBCORES; i; i--) {
		char word[24];

		snprintf(word, sizeof(word), "%u of %u", count[i], i);
		if (count[i] && words_next(&w, (u32)strlen(word)))
			w.at = canvas_text_at(d->c, w.at, w.y, STYLE_PLAIN, word) + 1;
	}
}

/* The collector units, one in a line, where there are lines for all; else those that are taken. */
static void draw_collectors(const struct picture_of *d, const struct box_place *at)
{
	struct machine *m = d->s->v->sim->m;
	u32 n = m->config.sm_collectors, lines = at->height - 2, each = ceil_div(n, lines),
	    room = (at->width - 2) / each;
	const struct collector *c =
		(struct collector *)machine_sm_section(m, d->s->d.sm, SECTION_COLLECTOR) + at->sub * n;

	if (room < 7) {
		draw_items(d, at);
		return;
	}
	for (u32 i = 0; i < n; i++) {
		u32 x = at->x + 1 + i % each * room, y = at->y + 1 + i / each, from = x;

		if (c[i].context == NONE16) {
			canvas_put(d->c, x, y, 0xb7, STYLE_DIM);
			continue;
		}
		x = canvas_print(d->c, x, y, datapath_colour(d->s, c[i].context), "%u", c[i].context);
		for (u32 k = from; k < x && c[i].context == d->s->v->focus.warp; k++)
			d->c->cell[(size_t)y * d->c->width + k].focus = 1;
		draw_operands(d, &c[i], x + 1, y, from + room - (each > 1));
	}
}

static void draw_walls(const struct picture_of *d, const struct box_place *at)
{
	u32 right = at->x + at->width - 1, bottom = at->y + at->height - 1;
	bool marked = at->box == d->s->cursor && (at->sub == d->s->v->focus.sub || d->p->subs == 1);

	straight(d, at->x, at->y, right, at->y, false);
	straight(d, at->x, bottom, right, bottom, false);
	straight(d, at->x, at->y, at->x, bottom, false);
	straight(d, right, at->y, right, bottom, false);
	for (u32 y = at->y; y <= bottom; y++)
		for (u32 x = at->x; x <= right; x++)
			if (y == at->y || y == bottom || x == at->x || x == right) {
				line_cell(d, x, y)->style = STYLE_PLAIN;
				line_cell(d, x, y)->marked = marked;
			}
}

/* The name of a box in its upper wall, with how much of it is in use where that fits. */
static void draw_name(const struct picture_of *d, const struct box_place *at)
{
	bool shared = box_table[at->box].holds == HOLDS_SHARED;
	u32 of, used = datapath_used(&d->s->d, (enum box)at->box, at->sub, &of), room = at->width - 2, name;
	struct text title = {0};

	datapath_title(d->s, at->box, shared && d->p->subs > 1 ? NONE32 : at->sub, &title);
	name = (u32)strlen(box_table[at->box].name);
	if (title.len > room)
		title.s[name] = '\0';
	canvas_print(d->c, at->x + 1, at->y, of && used >= of ? STYLE_PIPELINE : STYLE_TITLE, "%.*s", (int)room,
		     title.s);
	text_free(&title);
}

static void draw_contents(const struct picture_of *d, const struct box_place *at)
{
	if (at->box == BOX_BUFFER)
		draw_buffers(d, at);
	else if (at->box == BOX_BANKS)
		draw_banks(d, at);
	else if (at->box == BOX_COLLECT)
		draw_collectors(d, at);
	else if (at->box == BOX_REUSE)
		draw_reuse(d, at);
	else if (at->box == BOX_GANGS)
		draw_gangs(d, at);
	else
		draw_items(d, at);
}

/* --- paths --- */

/* Between boxes of a row: from the wall of one to that of the other; replies on the last line. */
static void path_beside(const struct picture_of *d, const struct box_place *a, const struct box_place *b, u32 y,
			bool moved)
{
	const struct box_place *left = a->x < b->x ? a : b, *right = a->x < b->x ? b : a;

	straight(d, left->x + left->width, y, right->x - 1, y, moved);
}

/* The row between two rows of boxes, and the columns in which a path leaves one and reaches the other. */
struct way {
	u32 from_x, from_y, turn_y, to_x, to_y;
};

static struct way way_below(const struct box_place *a, const struct box_place *b)
{
	u32 left = max_u32(a->x, b->x) + 1, right = min_u32(a->x + a->width, b->x + b->width) - 2;
	struct way w = {.from_y = a->y + a->height - 1, .turn_y = a->y + a->height, .to_y = b->y};

	if (left <= right)
		w.from_x = w.to_x = left + (right - left) / 2;
	else if (a->x > b->x) {
		w.from_x = a->x + 2;
		w.to_x = b->x + b->width - 3;
	} else {
		w.from_x = a->x + a->width - 3;
		w.to_x = b->x + 2;
	}
	return w;
}

static void path_below(const struct picture_of *d, const struct way *w, bool moved)
{
	straight(d, w->from_x, w->from_y, w->from_x, w->turn_y, moved);
	straight(d, w->from_x, w->turn_y, w->to_x, w->turn_y, moved);
}

/* Two boxes of one row that do not stand beside each other: below the row. */
static struct way way_under(const struct plan *p, const struct box_place *a, const struct box_place *b)
{
	return (struct way){.from_x = a->x + a->width / 2,
			    .from_y = a->y + a->height - 1,
			    .turn_y = p->bottom - 1,
			    .to_x = b->x + b->width / 2,
			    .to_y = b->y + b->height - 1};
}

/* Do two boxes stand beside each other? */
static bool beside(const struct plan *p, const struct box_place *a, const struct box_place *b)
{
	const struct box_place *left = a->x < b->x ? a : b, *right = a->x < b->x ? b : a;

	for (u32 i = 0; i < p->nspots; i++)
		if (p->spot[i].y == left->y && p->spot[i].x > left->x && p->spot[i].x < right->x)
			return false;
	return a->y == b->y;
}

/* The letters of the warps that a path keeps, each in its style; with their numbers where there is room. */
static void draw_letters(const struct picture_of *d, const char *letters, u32 x, u32 y, bool numbers)
{
	for (u32 n = 0, k; *letters; letters++) {
		if (*letters == ' ' || isdigit((u8)*letters)) {
			n = *letters == ' ' ? 0 : n * 10 + (u32)(*letters - '0');
			continue;
		}
		for (k = 0; warp_status_table[k].letter != *letters;)
			k++;
		x = numbers ? canvas_print(d->c, x, y, status_style(k), "%u%c", n, *letters) + 1
			    : canvas_put(d->c, x, y, (u8)*letters, status_style(k));
		n = 0;
	}
}

/* How a path goes: lines first, then (heads) its end and its letters. */
static void draw_path(const struct picture_of *d, enum path path, u32 sub, bool heads)
{
	const struct box_place *a = plan_find(d->p, path_table[path].from, sub),
			       *b = plan_find(d->p, path_table[path].to, sub);
	bool moved = d->s->moves[sub].n[path], blocked, right;
	struct text letters = {0};
	struct way w;
	u32 y;

	if (!a || !b || path == PATH_LOADED)
		return;
	blocked = datapath_blocked(d->s, path, sub);
	right = a->x < b->x;
	datapath_letters(d->s, path, sub, &letters);
	y = path == PATH_ANSWERED ? a->y + a->height - 1 : a->y + 1;
	w = a->y == b->y ? way_under(d->p, a, b) : way_below(a, b);
	if (beside(d->p, a, b) && !heads) {
		path_beside(d, a, b, y, moved);
	} else if (beside(d->p, a, b)) {
		draw_head(d, right ? b->x - 1 : b->x + b->width, y, right ? HEAD_RIGHT : HEAD_LEFT, moved, blocked);
		draw_letters(d, letters.s ? letters.s : "", right ? a->x + a->width : b->x + b->width, y - 1, false);
	} else if (!heads) {
		path_below(d, &w, moved);
	} else {
		draw_head(d, w.to_x, w.turn_y, a->y == b->y ? HEAD_UP : HEAD_DOWN, moved, blocked);
		draw_letters(d, letters.s ? letters.s : "", w.to_x + 1, w.turn_y, true);
	}
	text_free(&letters);
}

/* From the collector units to the execution units and the LSU. */
static void draw_dispatch(const struct picture_of *d, u32 sub, bool heads)
{
	const struct box_place *from = plan_find(d->p, BOX_COLLECT, sub), *lsu = plan_find(d->p, BOX_LSU, sub);
	const struct moves *m = &d->s->moves[sub];
	u32 x = from->x + from->width / 2, y = from->y + from->height, lane = d->p->lane[sub - d->p->first];
	u32 end = d->p->across ? lane : lsu->x + lsu->width / 2, turn = lsu->y - 1;

	for (u32 moved = 0; moved < 2; moved++)
		for (u32 k = UNIT_NONE + 1; k < UNIT_COUNT; k++) {
			const struct box_place *to = k == UNIT_LSU ? lsu : plan_find(d->p, datapath_unit_box(k), sub);
			u32 to_x = k == UNIT_LSU ? lane : to ? to->x + to->width / 2 : 0;

			if (!to || k == UNIT_BRANCH || (moved && !m->unit[k]))
				continue;
			if (heads) {
				draw_head(d, k == UNIT_LSU ? end : to_x, k == UNIT_LSU ? turn : y, HEAD_DOWN,
					  m->unit[k], datapath_unit_blocked(d->s, k, sub));
				continue;
			}
			straight(d, x, y - 1, x, y, moved);
			straight(d, x, y, to_x, y, moved);
			if (k != UNIT_LSU)
				continue;
			straight(d, to_x, y, to_x, turn, moved);
			straight(d, to_x, turn, end, turn, moved);
		}
}

/* Has the result bus a way from a box of a sub-core? From the units, and the L1D where it is near. */
static bool has_results(const struct picture_of *d, const struct box_place *at, u32 sub)
{
	if (at->box == BOX_L1D)
		return d->p->across && at->x + at->width - 3 < d->p->lane[0];
	return at->sub == sub && at->y + at->height == d->p->gap;
}

/* The result bus to the scoreboard; at first as it is, then where something moved. */
static void draw_results(const struct picture_of *d, u32 sub, bool heads)
{
	const struct box_place *to = plan_find(d->p, BOX_SCOREBOARD, sub);
	u32 x = (sub - d->p->first) * d->p->column, y = d->p->gap, enter = to->x + 2, below = to->y + to->height;
	const struct moves *m = &d->s->moves[sub];
	bool moved = m->n[PATH_WRITTEN];

	if (heads) {
		draw_head(d, enter, below, HEAD_UP, moved, false);
		return;
	}
	for (u32 turn = 0; turn < 2; turn++)
		for (u32 i = 0; i < d->p->nspots; i++) {
			const struct box_place *u = &d->p->spot[i];
			bool up = u->box == BOX_L1D;
			u32 at = up ? u->x + u->width - 3 : u->x + u->width / 2;

			if (!has_results(d, u, sub) || (turn && !m->written[u->box]))
				continue;
			straight(d, at, up ? u->y : u->y + u->height - 1, at, y, turn);
			straight(d, x, y, at, y, turn);
		}
	straight(d, x, below, x, y, moved);
	straight(d, x, below, enter, below, moved);
}

/* All paths of the sub-cores that are drawn. */
static void draw_paths(const struct picture_of *d, bool heads)
{
	for (u32 i = 0; i < d->p->subs; i++) {
		u32 sub = d->p->first + i;

		for (u32 k = 0; k < PATH_COUNT; k++)
			if (box_table[path_table[k].to].holds != HOLDS_SHARED || !i)
				draw_path(d, (enum path)k, sub, heads);
		draw_dispatch(d, sub, heads);
		draw_results(d, sub, heads);
	}
}

void datapath_draw(struct canvas *c, const struct plan *p, const struct scene_of *s)
{
	struct picture_of d = {.c = c, .p = p, .s = s, .cell = xcalloc((size_t)c->width * c->height, sizeof(*d.cell))};

	for (size_t i = 0; i < (size_t)c->width * c->height; i++)
		d.cell[i].style = STYLE_DIM;
	for (u32 i = 0; i < p->nspots; i++)
		draw_walls(&d, &p->spot[i]);
	draw_paths(&d, false);
	draw_lines(&d);
	for (u32 i = 0; i < p->nspots; i++) {
		draw_name(&d, &p->spot[i]);
		draw_contents(&d, &p->spot[i]);
	}
	draw_paths(&d, true);
	free(d.cell);
}

/* --- without boxes --- */

/* A word at the end of a line, or in the next one; false: there is none. */
static bool chain_word(struct words *w, u32 columns)
{
	if (w->at > w->x && w->at + columns > w->end) {
		w->y++;
		w->at = w->x;
	}
	return w->y <= w->last;
}

void datapath_draw_chain(struct canvas *c, const struct scene_of *s)
{
	struct plan p = {.d = &s->d, .subs = 1, .first = s->v->focus.sub};
	struct picture_of d = {.c = c, .p = &p, .s = s};
	struct words w = {.x = 1, .at = 1, .y = 1, .end = c->width, .last = c->height - 1};
	struct text title = {0};
	u32 sub = s->v->focus.sub;

	for (u32 i = 0; i < BOX_COUNT; i++) {
		if (!datapath_has(s->v->sim, (enum box)i))
			continue;
		datapath_title(s, i, sub, &title);
		if (!chain_word(&w, (u32)title.len + 2))
			break;
		w.at = canvas_text_at(c, w.at, w.y, i == s->cursor ? STYLE_KEY : STYLE_TITLE, title.s);
		for (u32 k = 0; k < s->d.n; k++) {
			char word[16];

			if (!datapath_shows(&s->d.item[k], i, sub))
				continue;
			datapath_word(&s->d.item[k], word);
			if (!chain_word(&w, (u32)strlen(word) + 1))
				break;
			w.at += w.at > w.x;
			draw_item(&d, &w, &s->d.item[k]);
		}
		if (chain_word(&w, 3))
			w.at = canvas_put(c, w.at + 1, w.y, 0x2192, STYLE_DIM) + 1;
	}
	text_free(&title);
}
