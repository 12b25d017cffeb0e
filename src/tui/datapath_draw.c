/*
 * datapath_draw.c - the boxes of pane datapath and the paths between them, on a canvas.
 *
 * Walls and paths are lines through cells: each cell knows which of its four neighbors it is joined to, so that lines
 * that meet get the right corner. A path on which something moved in the last cycle is drawn thick; one that keeps
 * warps or instructions back ends in a cross, with the letters of the warps' states.
 */
#include "datapath_draw.h"
#include "policy.h"

#include <ctype.h>

enum side { NORTH = 1, EAST = 2, SOUTH = 4, WEST = 8 };

struct line_cell {
	u8 walls, moved;  /* sides joined by thin lines, by thick ones */
	u8 style, marked; /* of the walls; the box under the cursor */
};

/* --- lines --- */

static struct line_cell *line_cell(const struct picture_of *d, u32 x, u32 y)
{
	static struct line_cell outside;

	outside = (struct line_cell){0};
	return x < d->c->width && y < d->c->height ? &d->cell[(size_t)y * d->c->width + x] : &outside;
}

/* Two neighbors are joined. */
static void join(const struct picture_of *d, u32 x, u32 y, u32 side, bool moved)
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

/* A path that begins in the row below a box: from its lower wall, where it has one. */
static void leave_box(const struct picture_of *d, u32 x, u32 y, bool moved)
{
	if (d->p->low)
		join(d, x, y, NORTH, moved);
	else
		straight(d, x, y - 1, x, y, moved);
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

static void draw_walls(const struct picture_of *d, const struct box_place *at)
{
	u32 right = at->x + at->width - 1, bottom = at->y + at->height - 1;
	bool marked = at->box == d->s->cursor && (at->sub == d->s->v->focus.sub || d->p->subs == 1);

	if (at->flat) {
		join(d, at->x, at->y, NORTH | SOUTH, false);
		join(d, right, at->y, NORTH | SOUTH, false);
	} else {
		straight(d, at->x, at->y, right, at->y, false);
	}
	if (!d->p->low)
		straight(d, at->x, bottom, right, bottom, false);
	straight(d, at->x, at->y, at->x, bottom, false);
	straight(d, right, at->y, right, bottom, false);
	for (u32 y = at->y; y <= bottom; y++)
		for (u32 x = at->x; x <= right; x++)
			if (y == at->y || (y == bottom && !d->p->low) || x == at->x || x == right) {
				line_cell(d, x, y)->style = STYLE_PLAIN;
				line_cell(d, x, y)->marked = marked;
			}
}

/* Is what is followed in a box? */
static bool is_marked(const struct scene_of *s, const struct box_place *at)
{
	return at->box == s->marked && (box_table[at->box].holds == HOLDS_SHARED || at->sub == s->spot.sub);
}

/* The name of a box in its upper wall, with how much of it is in use where that fits; at the end the mark of what is
 * followed. */
static void draw_name(const struct picture_of *d, const struct box_place *at)
{
	bool shared = box_table[at->box].holds == HOLDS_SHARED, marked = is_marked(d->s, at);
	u32 of, used = datapath_used(&d->s->d, (enum box)at->box, at->sub, &of), room = at->width - 2 - marked, name;
	struct text title = {0};

	datapath_title(d->s, at->box, shared && d->p->subs > 1 ? NONE32 : at->sub, &title);
	name = (u32)strlen(box_table[at->box].name);
	if (title.len > room)
		title.s[name] = '\0';
	canvas_print(d->c, at->x + 1, at->y, of && used >= of ? STYLE_PIPELINE : STYLE_TITLE, "%.*s", (int)room,
		     title.s);
	if (marked)
		canvas_put(d->c, at->x + at->width - 2, at->y, FOLLOW_SIGN, STYLE_FOLLOWED);
	text_free(&title);
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
	u32 from_x, turn_y, to_x;
};

static struct way way_below(const struct box_place *a, const struct box_place *b)
{
	u32 left = max_u32(a->x, b->x) + 1, right = min_u32(a->x + a->width, b->x + b->width) - 2;
	struct way w = {.turn_y = a->y + a->height};

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
	leave_box(d, w->from_x, w->turn_y, moved);
	straight(d, w->from_x, w->turn_y, w->to_x, w->turn_y, moved);
}

/* Two boxes of one row that do not stand beside each other: below the row. */
static struct way way_under(const struct plan *p, const struct box_place *a, const struct box_place *b)
{
	return (struct way){.from_x = a->x + a->width / 2, .turn_y = p->bottom - 1, .to_x = b->x + b->width / 2};
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
		x = numbers && n ? canvas_print(d->c, x, y, status_style(k), "%u%c", n, *letters) + 1
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

	if (!a || !b || path == PATH_LOADED || (a->y == b->y && !d->p->under && !beside(d->p, a, b)))
		return;
	blocked = datapath_blocked(d->s, path, sub);
	right = a->x < b->x;
	datapath_letters(d->s, path, sub, &letters);
	y = path != PATH_ANSWERED ? a->y + 1 : d->p->low ? a->y : a->y + a->height - 1;
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

/* The end of the path to units of a kind; where they accept nothing, with the letter of the state. */
static void draw_dispatch_head(const struct picture_of *d, u32 sub, u32 kind, u32 x, u32 y)
{
	u32 state = kind == UNIT_LSU ? WARP_LSU : WARP_UNIT;
	bool moved = d->s->moves[sub].unit[kind], blocked = datapath_unit_blocked(d->s, kind, sub);

	draw_head(d, x, y, HEAD_DOWN, moved, blocked);
	if (blocked && !moved)
		canvas_put(d->c, x + 1, y, (u8)warp_status_table[state].letter, status_style(state));
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
				draw_dispatch_head(d, sub, k, k == UNIT_LSU ? end : to_x, k == UNIT_LSU ? turn : y);
				continue;
			}
			leave_box(d, x, y, moved);
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
			if (up)
				straight(d, at, u->y, at, y, turn);
			else
				leave_box(d, at, y, turn);
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
		datapath_contents(&d, &p->spot[i]);
	}
	draw_paths(&d, true);
	free(d.cell);
}
