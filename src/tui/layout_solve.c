/*
 * layout_solve.c - the rectangles that a layout comes to on a screen of some size.
 *
 * Panes for which there is no room go: first those at the right of a row, then rows from the last to the first, the
 * console after all others; the focused pane stays.
 */
#include "desk.h"

#include <string.h>

/* A row while there may be too little room: what is left of it. */
struct fit {
	struct layout_row row;
	u32 index, need, height;
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
			need += pane_table[f->row.pane[k]]->least_width;
		if (need <= width || !last)
			break;
		row_drop(&f->row, f->row.pane[last] == d->focus ? last - 1 : last);
	}
	f->need = 2;
	for (u32 k = 0; k < f->row.npanes; k++)
		f->need = max_u32(f->need, pane_table[f->row.pane[k]]->least_height);
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

/* Heights by weight, none below its need; then what the user asked for, as far as there is room. */
static void share_height(const struct desk *d, struct fit *f, u32 n, u32 height)
{
	u32 weights = 0, given = 0, extra = height;

	if (!n)
		return;
	for (u32 i = 0; i < n; i++) {
		weights += f[i].row.weight;
		extra -= min_u32(extra, f[i].need);
	}
	for (u32 i = 0; i < n; i++) {
		u32 wish = (u32)((u64)height * f[i].row.weight / weights);

		f[i].height = f[i].need + min_u32(extra, wish > f[i].need ? wish - f[i].need : 0);
		extra -= f[i].height - f[i].need;
		given += f[i].height;
	}
	f[n - 1].height += height > given ? height - given : 0;
	for (u32 i = 0; i < n; i++)
		for (int by = d->zoom ? 0 : d->grow[f[i].index]; by;) {
			u32 k = i + 1 < n ? i + 1 : i ? i - 1 : i;
			struct fit *from = by > 0 ? &f[k] : &f[i], *to = by > 0 ? &f[i] : &f[k];

			if (from == to || from->height <= from->need)
				break;
			from->height--;
			to->height++;
			by += by > 0 ? -1 : 1;
		}
}

/* One row's panes side by side. */
static void place_row(struct desk *d, const struct layout_row *r, u32 y, u32 width, u32 height)
{
	u32 shares = 0, x = 0, room = width - (r->npanes - 1);

	for (u32 k = 0; k < r->npanes; k++)
		shares += r->share[k];
	for (u32 k = 0; k < r->npanes; k++) {
		u32 left = width - x, after = 0, w;

		for (u32 j = k + 1; j < r->npanes; j++)
			after += pane_table[r->pane[j]]->least_width + 1;
		w = max_u32((u32)((u64)room * r->share[k] / shares), pane_table[r->pane[k]]->least_width);
		w = k + 1 == r->npanes ? left : min_u32(w, left > after ? left - after : 1);
		d->area[d->nareas++] =
			(struct area){.x = x, .y = y, .width = w, .height = height, .pane = r->pane[k], .separated = k};
		x += w + 1;
	}
}

void layout_solve(struct desk *d, u32 width, u32 height, u32 top)
{
	const struct layout *l = layout_now(d);
	struct fit f[LAYOUT_ROWS];
	u32 n = 0;

	d->nareas = 0;
	if (!layout_holds(d, d->focus))
		d->focus = l->row[0].pane[0];
	for (u32 i = 0; i < l->nrows; i++) {
		if (d->zoom && !row_holds(&l->row[i], d->focus))
			continue;
		f[n] = (struct fit){.row = l->row[i], .index = i};
		if (d->zoom)
			f[n].row = (struct layout_row){.pane = {d->focus}, .share = {1}, .npanes = 1, .weight = 1};
		fit_width(d, &f[n++], width);
	}
	n = fit_height(d, f, n, height);
	share_height(d, f, n, height);
	for (u32 i = 0; i < n; i++) {
		place_row(d, &f[i].row, top, width, f[i].height);
		top += f[i].height;
	}
}
