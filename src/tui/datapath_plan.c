/*
 * datapath_plan.c - where the boxes of pane datapath stand: rows of boxes from the table of stages, one sub-core in the
 * whole width, or all beside each other above what they share.
 */
#include "datapath_draw.h"

#define ROW_MOST 6u  /* rows of boxes */
#define BOX_ROWS 3u  /* of a box with one line */
#define LOW_ROWS 2u  /* of one without its lower wall */
#define GAP 3u	     /* columns between boxes of a row */
#define SAID_ROWS 2u /* below the boxes */
#define SHARED_DOWN 5u
#define SHARED_ACROSS 3u

/* The row of a box. */
static u32 row_of(const struct plan *p, u32 box)
{
	return p->across ? box_table[box].across : box_table[box].down;
}

static u32 shared_row(const struct plan *p)
{
	return p->across ? SHARED_ACROSS : SHARED_DOWN;
}

/* Is a box one of the execution units' row, whose boxes stand wall to wall? */
static bool is_unit_row(const struct plan *p, u32 row)
{
	return row + 1 == shared_row(p);
}

/* Lines that a box would like to have. */
static u32 lines_of(const struct plan *p, u32 box)
{
	const struct machine *m = p->d->sim->m;
	u32 holds = box_table[box].holds;

	if (box == BOX_COLLECT)
		return min_u32(m->config.sm_collectors, 8);
	if (box == BOX_BANKS)
		return min_u32(m->config.sm_banks, 8);
	if (box == BOX_SCOREBOARD)
		return min_u32(ceil_div(m->slots_per_sub, p->across ? 6 : 4), 4);
	if (holds == HOLDS_WARPS)
		return min_u32(ceil_div(m->slots_per_sub, 6), 3);
	return holds == HOLDS_SHARED ? 3 : box == BOX_BUFFER ? 1 : 2;
}

/* The boxes of a row, in the order of the table. */
static u32 boxes_of(const struct plan *p, u32 row, u8 *box)
{
	u32 n = 0;

	for (u32 i = 0; i < BOX_COUNT; i++)
		if (row_of(p, i) == row && datapath_has(p->d->sim, (enum box)i))
			box[n++] = (u8)i;
	return n;
}

/* Has a unit issued anything, or holds its box something? Where there is no room for all, the others go. */
static bool is_used(const struct plan *p, u32 box)
{
	const struct datapath *d = p->d;
	u32 of;

	for (u32 i = 0; i < d->n; i++)
		if (d->item[i].box == box)
			return true;
	for (u32 i = 0; i < p->subs; i++)
		if (datapath_used(d, (enum box)box, p->first + i, &of))
			return true;
	return box != BOX_UNIT_FP64 && box != BOX_UNIT_TENSOR && box != BOX_UNIT_HALF && box != BOX_UNIT_UNIFORM;
}

/* The least width of boxes of a row. */
static u32 least_width(const u8 *box, u32 n, bool walls)
{
	u32 sum = walls ? 1 : (n - 1) * GAP;

	for (u32 i = 0; i < n; i++)
		sum += (u32)strlen(box_table[box[i]].name) + (walls ? 1 : 2);
	return sum;
}

/* Put the boxes of a row at x, y, in `width` columns. */
static void put_row(struct plan *p, u32 row, u32 sub, const struct box_place *area)
{
	bool flat = area->height == 1;
	u8 box[BOX_COUNT];
	u32 n = boxes_of(p, row, box), left, shares = 0, x = area->x, before = 0, given = 0;
	bool walls = is_unit_row(p, row);

	for (u32 i = 0; walls && least_width(box, n, walls) > area->width && i < n; i++)
		if (!is_used(p, box[i])) {
			memmove(box + i, box + i + 1, --n - i);
			i--;
		}
	for (u32 i = 0; i < n; i++)
		shares += box_table[box[i]].share;
	left = area->width - min_u32(area->width, least_width(box, n, walls));
	for (u32 i = 0; i < n; i++) {
		u32 wide;

		before += box_table[box[i]].share;
		wide = (u32)((u64)left * before / shares) - given;
		given += wide;
		wide += (u32)strlen(box_table[box[i]].name) + 2;
		if (p->nspots < MOST_SPOTS)
			p->spot[p->nspots++] = (struct box_place){.box = box[i],
								  .sub = (u8)sub,
								  .x = x,
								  .y = area->y,
								  .flat = flat,
								  .width = wide,
								  .height = area->height,
								  .lines = flat ? 1 : area->height - 2 + p->low};
		x += wide + (walls ? 0 : GAP);
		x -= walls;
	}
}

const struct box_place *plan_find(const struct plan *p, u32 box, u32 sub)
{
	for (u32 i = 0; i < p->nspots; i++)
		if (p->spot[i].box == box && (p->spot[i].sub == sub || box_table[box].holds == HOLDS_SHARED))
			return &p->spot[i];
	return NULL;
}

/* Rows without boxes: the title, those between rows of boxes, those below. */
static u32 other_rows(const struct plan *p)
{
	u32 between = shared_row(p) + (p->subs > 1);

	return 1 + between + p->under;
}

/* Lines of each row of boxes in `height` rows; false: there are too few. The rest goes first to the collector units,
 * then to the scoreboard and its row, to what is shared, to the others. */
static bool share_height(struct plan *p, u32 height, u32 *lines)
{
	u8 order[ROW_MOST] = {(u8)row_of(p, BOX_COLLECT),   (u8)row_of(p, BOX_SCOREBOARD), (u8)shared_row(p),
			      (u8)row_of(p, BOX_SCHEDULER), (u8)(shared_row(p) - 1),	   (u8)row_of(p, BOX_FETCH)};
	u32 wish[ROW_MOST] = {0}, rows = shared_row(p) + 1, need, spare;

	p->under = datapath_has(p->d->sim, BOX_REEXEC);
	need = other_rows(p) + rows * BOX_ROWS + 1;
	p->under = p->under && height >= need;
	need = other_rows(p) + rows * BOX_ROWS + 1;
	p->height = other_rows(p) + rows * 2 + SAID_ROWS;
	for (u32 i = 0; i < BOX_COUNT; i++)
		if (datapath_has(p->d->sim, (enum box)i))
			wish[row_of(p, i)] = max_u32(wish[row_of(p, i)], lines_of(p, i));
	for (u32 r = 0; r < rows; r++) {
		lines[r] = 1;
		p->height += wish[r];
	}
	if (height < need)
		return false;
	spare = height - need;
	spare -= spare > 0; /* a second line below */
	for (bool more = true; more && spare;) {
		more = false;
		for (u32 i = 0; i < ROW_MOST && spare; i++)
			if (lines[order[i]] < wish[order[i]]) {
				lines[order[i]]++;
				spare--;
				more = true;
				break;
			}
	}
	return true;
}

/* Lines of each row where boxes have no lower walls: one, the units none where a line below the boxes needs it. */
static bool share_low(struct plan *p, u32 height, u32 *lines)
{
	u32 shared = shared_row(p), least = 1 + shared + (shared + 1) * LOW_ROWS;

	for (u32 r = 0; r <= shared; r++)
		lines[r] = 1;
	lines[shared - 1] = height > least;
	p->low = true;
	p->under = false;
	return height + 1 >= least;
}

/* All boxes of the sub-cores that are drawn. */
static void put_all(struct plan *p, u32 sub, u32 width, const u32 *lines)
{
	u32 shared = shared_row(p), y = 1, walls = p->low ? 1 : 2, at[ROW_MOST];
	const struct box_place *lsu;

	for (u32 r = 0; r <= shared; r++) {
		at[r] = y;
		y += lines[r] + walls + 1;
		if (r + 1 == shared) {
			p->gap = y - 1;
			y += p->subs > 1;
		}
	}
	p->bottom = y - 1 + p->under;
	put_row(p, shared, sub,
		&(struct box_place){.x = 2, .y = at[shared], .width = width - 4, .height = lines[shared] + walls});
	lsu = plan_find(p, BOX_LSU, sub);
	for (u32 i = 0; i < p->subs; i++) {
		u32 x = i * p->column, wide = p->column - (p->subs > 1);

		p->lane[i] = p->across ? lsu->x + lsu->width / 2 : x + wide - 1;
		for (u32 r = 0; r < shared; r++) {
			struct box_place area = {.x = x + 2, .y = at[r], .width = wide - 4, .height = lines[r] + walls};

			if (r + 1 == shared && p->across)
				area.width = p->lane[i] - 2 - area.x;
			put_row(p, r, p->first + i, &area);
		}
	}
}

/* Are there columns for each row? Of the units, those that are not used go. */
static bool rows_fit(const struct plan *p, u32 width)
{
	for (u32 r = 0; r <= shared_row(p); r++) {
		u32 room = r == shared_row(p) ? width : p->column - (p->subs > 1), n;
		u8 box[BOX_COUNT];

		n = boxes_of(p, r, box);
		if (!is_unit_row(p, r) && least_width(box, n, false) + 4 > room)
			return false;
	}
	return true;
}

void plan_make(struct plan *p, const struct datapath *d, u32 sub, u32 width, u32 height)
{
	u32 subs = d->sim->m->config.sm_subcores, lines[ROW_MOST];

	*p = (struct plan){.d = d, .subs = subs, .column = width / subs};
	p->fits = subs > 1 && p->column >= LEAST_DOWN && rows_fit(p, width) && share_height(p, height, lines);
	if (!p->fits) {
		*p = (struct plan){.d = d, .first = sub, .subs = 1, .column = width, .across = true};
		p->fits = width >= LEAST_ACROSS && rows_fit(p, width) &&
			  (share_height(p, height, lines) || share_low(p, height, lines));
	}
	if (!p->fits) {
		p->across = false;
		p->fits = width >= LEAST_DOWN && rows_fit(p, width) && share_height(p, height, lines);
	}
	if (p->fits)
		put_all(p, sub, width, lines);
}
