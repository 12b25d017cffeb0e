/*
 * layout_solve.c - the rectangles that a layout comes to on a screen of some size.
 *
 * Rows of a column share its height by need: each gets the least that its panes can be read in, then more by weight,
 * the focused one more than its weight, but none more than its panes fill: of panes beside each other the fuller one
 * grows while the other is not half empty. What the last command printed counts as need of the console, so that the
 * panes that one looks at stay in sight above or beside it. Panes for which there is no room go: first those at the
 * right of a row, then rows from the last to the first, the console after all others; the focused pane stays. Columns
 * that are too narrow are stacked.
 */
#include "lesson.h"
#include "desk.h"

#define CONSOLE_LEAST 3u /* rows of a console where there is room */
#define SPARE_LEAST 6u	 /* rows to spare that are worth another pane */

/* A row while there may be too little room: what is left of it, and its rows of the screen. */
struct fit {
	struct layout_row row;
	u32 index, weight;
	u32 need; /* without it, it goes */
	u32 want; /* more would leave a third of a pane of it empty */
	u32 full; /* all of every pane */
	u32 height;
};

/* Does a row hold the pane? */
static bool row_holds(const struct layout_row *r, u8 pane)
{
	for (u32 k = 0; k < r->npanes; k++)
		if (r->pane[k] == pane)
			return true;
	return false;
}

/* Take a pane out of a row. */
static void row_drop(struct layout_row *r, u32 k)
{
	r->npanes--;
	for (; k < r->npanes; k++) {
		r->pane[k] = r->pane[k + 1];
		r->share[k] = r->share[k + 1];
	}
}

/* Drop panes at the right until the least widths fit. */
static void fit_width(const struct desk *d, struct fit *f, u32 width)
{
	for (;;) {
		u32 last = f->row.npanes - 1, need = last;

		for (u32 k = 0; k < f->row.npanes; k++)
			need += pane_table[f->row.pane[k]]->size.least_width;
		if (need <= width || !last)
			break;
		row_drop(&f->row, f->row.pane[last] == d->focus ? last - 1 : last);
	}
	f->need = 2;
	for (u32 k = 0; k < f->row.npanes; k++)
		f->need = max_u32(f->need, pane_table[f->row.pane[k]]->size.least_height);
}

/* Is it the console's row, with an answer that nobody could read elsewhere? */
static bool has_answer(struct session *s, const struct fit *f, u32 width, u32 height)
{
	const struct canvas c = {.width = width, .height = height};

	return row_holds(&f->row, PANE_console) && desk_spoken(s, console_need(s, &c));
}

/* Rows that may stand where there is room to spare go where there is none: where the others fill all but what is needed
 * to read them. The focused one stays, and the console with an answer. */
static u32 fit_spare(struct session *s, struct fit *f, u32 n, u32 width, u32 height)
{
	const struct desk *d = desk_of(s);
	u32 taken = 0, kept = 0;

	for (u32 i = 0; i < n; i++)
		taken += f[i].row.spare ? 0 : f[i].want;
	for (u32 i = 0; i < n; i++) {
		u32 wish = max_u32(f[i].need, min_u32(f[i].want, SPARE_LEAST));

		if (f[i].row.spare && taken + wish > height && !row_holds(&f[i].row, d->focus) &&
		    !has_answer(s, &f[i], width, height))
			continue;
		taken += f[i].row.spare ? wish : 0;
		f[kept++] = f[i];
	}
	return kept;
}

/* The row to go when they do not fit: the last without focus and console; then the console. */
static u32 row_to_drop(const struct desk *d, const struct fit *f, u32 n)
{
	for (u32 i = n; i-- > 0;)
		if (!row_holds(&f[i].row, d->focus) && !row_holds(&f[i].row, PANE_console))
			return i;
	for (u32 i = n; i-- > 0;)
		if (!row_holds(&f[i].row, d->focus))
			return i;
	return n - 1;
}

/* Drop rows until the least heights fit; the rows that are left. */
static u32 fit_height(const struct desk *d, struct fit *f, u32 n, u32 height)
{
	for (;;) {
		u32 need = 0, drop;

		for (u32 i = 0; i < n; i++)
			need += f[i].need;
		if (need <= height || n == 1)
			return n;
		drop = row_to_drop(d, f, n);
		n--;
		memmove(&f[drop], &f[drop + 1], (n - drop) * sizeof(*f));
	}
}

/* The width of pane k of a row: by its share, none below its least as far as there is room. */
static u32 pane_width(const struct layout_row *r, u32 k, u32 x, u32 width)
{
	u32 shares = 0, after = 0, left = width - x, w;

	for (u32 j = 0; j < r->npanes; j++)
		shares += r->share[j];
	for (u32 j = k + 1; j < r->npanes; j++)
		after += pane_table[r->pane[j]]->size.least_width + 1;
	INVARIANT(shares);
	w = max_u32((u32)((u64)(width - (r->npanes - 1)) * r->share[k] / shares),
		    pane_table[r->pane[k]]->size.least_width);
	return k + 1 == r->npanes ? left : min_u32(w, left > after ? left - after : 1);
}

/* Rows that the notes of a lesson need, so that its step is seen whole: three fifths of the height at most. */
static u32 lesson_wish(struct session *s, u32 width, u32 height)
{
	if (!s->lesson || s->lesson->shown == NONE32 || !layout_holds(desk_of(s), PANE_notes))
		return 0;
	return min_u32(pane_height(s, PANE_notes, width), max_u32(height * 3 / 5, 2));
}

/* Rows that the console needs: those of what the last command printed, two thirds of the height at most, half
 * of what a lesson leaves. */
static u32 console_wish(struct session *s, u32 width, u32 height)
{
	const struct canvas c = {.width = width, .height = height};
	const struct desk *d = desk_of(s);
	u32 need = d->output_seen || d->running ? 0 : console_need(s, &c);
	u32 lesson = lesson_wish(s, width, height);

	return min_u32(need + 1, max_u32(lesson ? (height - lesson) / 2 : height * 2 / 3, 2));
}

/* What a row's panes can fill in a column of that size. */
static void fit_wants(struct session *s, struct fit *f, u32 width, u32 height)
{
	const struct desk *d = desk_of(s);
	u32 least = 1u << 20, x = 0;

	f->full = f->need;
	for (u32 k = 0; k < f->row.npanes; k++) {
		u32 w = pane_width(&f->row, k, x, width), rows = pane_height(s, f->row.pane[k], w);

		if (f->row.pane[k] == PANE_console) {
			f->need = max_u32(f->need, console_wish(s, w, height));
			f->need = max_u32(f->need, min_u32(CONSOLE_LEAST, height / 6));
		}
		if (f->row.pane[k] == PANE_notes)
			f->need = max_u32(f->need, lesson_wish(s, w, height));
		f->full = max_u32(f->full, rows);
		least = min_u32(least, rows);
		x += w + 1;
	}
	f->want = max_u32(f->need, min_u32(f->full, least + least / 2));
	f->full = max_u32(f->need, f->full);
	f->weight = f->row.weight * (row_holds(&f->row, d->focus) ? 3 : 2);
}

/* The row that is next to grow: that of the least height for its weight, of those that have not all they want (or all
 * they can fill); n: none. */
static u32 row_to_grow(const struct fit *f, u32 n, bool full)
{
	u32 best = n;

	for (u32 i = 0; i < n; i++)
		if (f[i].height < (full ? f[i].full : f[i].want) &&
		    (best == n || (u64)f[i].height * f[best].weight < (u64)f[best].height * f[i].weight))
			best = i;
	return best;
}

/* What the user asked for, as far as there is room: rows from the row below, or above where that is the last. */
static void grow(const struct desk *d, struct fit *f, u32 n)
{
	for (u32 i = 0; i < n; i++)
		for (int by = d->grow[f[i].index]; by;) {
			u32 k = i + 1 < n ? i + 1 : i ? i - 1 : i;
			struct fit *from = by > 0 ? &f[k] : &f[i], *to = by > 0 ? &f[i] : &f[k];

			if (from == to || from->height <= from->need)
				break;
			from->height--;
			to->height++;
			by += by > 0 ? -1 : 1;
		}
}

/* Heights of a column's rows; what no row can fill is the last one's. */
static void share_height(const struct desk *d, struct fit *f, u32 n, u32 height)
{
	u32 left = height;

	for (u32 i = 0; i < n; i++) {
		f[i].height = min_u32(f[i].need, left);
		left -= f[i].height;
	}
	for (u32 pass = 0; pass < 2; pass++)
		for (u32 i; left && (i = row_to_grow(f, n, pass)) < n; left--)
			f[i].height++;
	if (n)
		f[n - 1].height += left;
	if (!d->zoom)
		grow(d, f, n);
}

/* One row's panes side by side. */
static void place_row(struct desk *d, const struct layout_row *r, const struct area *at)
{
	u32 x = 0;

	for (u32 k = 0; k < r->npanes; k++) {
		u32 w = pane_width(r, k, x, at->width);

		d->area[d->nareas++] = (struct area){.x = at->x + x,
						     .y = at->y,
						     .width = w,
						     .height = at->height,
						     .pane = r->pane[k],
						     .separated = k || at->separated,
						     .below = !k && at->below};
		x += w + 1;
	}
}

/* Rows of a column (of all, where that is NONE32) that stand there at that width; their number. */
static u32 column_rows(struct desk *d, u32 column, u32 width, struct fit *f)
{
	const struct layout *l = layout_now(d);
	u32 n = 0;

	for (u32 i = 0; i < l->nrows; i++) {
		if (d->zoom ? !row_holds(&l->row[i], d->focus) : column != NONE32 && l->row[i].column != column)
			continue;
		f[n] = (struct fit){.row = l->row[i], .index = i};
		if (d->zoom)
			f[n].row = (struct layout_row){.pane = {d->focus}, .share = {1}, .npanes = 1, .weight = 1};
		fit_width(d, &f[n++], width);
	}
	return n;
}

/* One column in its place. */
static void place_column(struct session *s, u32 column, const struct area *place)
{
	struct desk *d = desk_of(s);
	struct fit f[LAYOUT_ROWS];
	struct area at = *place;
	u32 n = column_rows(d, column, at.width, f);

	for (u32 i = 0; i < n; i++)
		fit_wants(s, &f[i], at.width, at.height);
	n = fit_spare(s, f, n, at.width, at.height);
	n = fit_height(d, f, n, at.height);
	share_height(d, f, n, at.height);
	for (u32 i = 0; i < n; i++) {
		at.height = f[i].height;
		at.below = i > 0;
		place_row(d, &f[i].row, &at);
		at.y += at.height;
	}
}

/* The width of a column by its share; 0 where one of its rows has no room in it. */
static u32 column_width(const struct desk *d, u32 column, u32 width)
{
	const struct layout *l = layout_now(d);
	u32 shares = 0, w;

	for (u32 i = 0; i < l->ncolumns; i++)
		shares += l->column_share[i];
	w = (u32)((u64)(width - (l->ncolumns - 1)) * l->column_share[column] / max_u32(shares, 1));
	for (u32 i = 0; i < l->nrows; i++)
		if (l->row[i].column == column && pane_table[l->row[i].pane[0]]->size.least_width > w)
			return 0;
	return w;
}

void layout_solve(struct session *s, u32 width, u32 height, u32 top)
{
	struct desk *d = desk_of(s);
	const struct layout *l = layout_now(d);
	struct area at = {.y = top, .width = width, .height = height};
	bool stacked = d->zoom || l->ncolumns < 2 || height < COLUMNS_HEIGHT;

	d->nareas = 0;
	if (!layout_holds(d, d->focus))
		d->focus = l->row[0].pane[0];
	for (u32 i = 0; i < l->ncolumns && !stacked; i++)
		stacked = !column_width(d, i, width);
	if (stacked) {
		place_column(s, NONE32, &at);
		return;
	}
	for (u32 i = 0; i < l->ncolumns; i++) {
		at.width = i + 1 == l->ncolumns ? width - at.x : column_width(d, i, width);
		at.separated = i > 0;
		place_column(s, i, &at);
		at.x += at.width + 1;
	}
}
