/*
 * layout.c - which panes lie where: layouts as text, and the rectangles that they come to on a screen of some size.
 *
 * "warps*49+subcores*30:10 code:5 console:6": rows set off by blanks, panes of a row by +; *N a pane's share of the width, :N
 * the row's share of the height. Panes for which there is no room go: first those at the right of a row, then rows from the
 * last to the first, the console after all others; the focused pane stays.
 */
#include "desk.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LAYOUTS 64
#define WIDE_WIDTH 140u
#define WIDE_HEIGHT 40u

static const struct { const char *name, *text, *doc; } built_in[] = {
#define LAYOUT(name, text, doc) {name, text, doc},
#include "layouts.def"
#undef LAYOUT
};
enum { LAYOUT_DEFAULT, LAYOUT_WIDE };

/* A number after a mark, 1 without it; 0 if it is none. */
static u32 mark_number(const char **text, char mark)
{
	char *end;
	unsigned long n;

	if (**text != mark)
		return 1;
	if (!isdigit((u8)(*text)[1]))
		return 0;
	n = strtoul(*text + 1, &end, 10);
	*text = end;
	return n > 10000 ? 0 : (u32)n;
}

/* One pane of a row. */
static enum status pane_parse(const char **text, struct layout_row *row, struct error *e)
{
	char name[32];
	size_t n = strcspn(*text, "*+: \t");
	int id;

	if (row->npanes == LAYOUT_PANES)
		return error_set(e, STATUS_USAGE, "a row holds at most %u panes", LAYOUT_PANES);
	snprintf(name, sizeof(name), "%.*s", (int)min_u32((u32)n, 31), *text);
	id = n ? pane_find(name, e) : -1;
	if (id < 0)
		return n ? STATUS_USAGE : error_set(e, STATUS_USAGE, "a pane is wanted: PANE[*SHARE][+PANE...][:WEIGHT]");
	*text += n;
	row->pane[row->npanes] = (u8)id;
	row->share[row->npanes] = mark_number(text, '*');
	if (!row->share[row->npanes++])
		return error_set(e, STATUS_USAGE, "a share is a number from 1 to 10000: %s*2", name);
	return STATUS_OK;
}

/* A text to its rows; nothing changes on an error. */
static enum status layout_parse(struct layout *l, const char *text, struct error *e)
{
	u64 seen = 0;

	l->nrows = 0;
	for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
		struct layout_row *row = &l->row[l->nrows];

		if (l->nrows++ == LAYOUT_ROWS)
			return error_set(e, STATUS_USAGE, "a layout has at most %u rows", LAYOUT_ROWS);
		*row = (struct layout_row){0};
		for (bool more = true; more; text += more) {
			if (pane_parse(&text, row, e))
				return STATUS_USAGE;
			if (seen >> row->pane[row->npanes - 1] & 1)
				return error_set(e, STATUS_USAGE, "pane %s stands there twice",
						 pane_table[row->pane[row->npanes - 1]]->name);
			seen |= 1ULL << row->pane[row->npanes - 1];
			more = *text == '+';
		}
		row->weight = mark_number(&text, ':');
		if (!row->weight || (*text && *text != ' ' && *text != '\t'))
			return error_set(e, STATUS_USAGE, "a row is PANE[*SHARE][+PANE...][:WEIGHT]; the weight is a number from 1");
	}
	return l->nrows ? STATUS_OK : error_set(e, STATUS_USAGE, "a layout needs a pane: layout mine = warps:2 console:1");
}

void layouts_open(struct desk *d)
{
	struct error e;

	d->nlayouts = ARRAY_LEN(built_in);
	d->layout = xcalloc(MAX_LAYOUTS, sizeof(*d->layout));
	d->chosen = -1;
	for (u32 i = 0; i < d->nlayouts; i++) {
		struct layout *l = &d->layout[i];

		l->name = xstrdup(built_in[i].name);
		l->text = xstrdup(built_in[i].text);
		l->doc = built_in[i].doc;
		INVARIANT(layout_parse(l, l->text, &e) == STATUS_OK);
	}
}

void layouts_free(struct desk *d)
{
	for (u32 i = 0; i < d->nlayouts; i++) {
		free(d->layout[i].name);
		free(d->layout[i].text);
	}
	free(d->layout);
}

const struct layout *layout_now(const struct desk *d)
{
	if (d->chosen >= 0)
		return &d->layout[d->chosen];
	return &d->layout[d->width >= WIDE_WIDTH && d->height >= WIDE_HEIGHT ? LAYOUT_WIDE : LAYOUT_DEFAULT];
}

bool layout_holds(const struct desk *d, u8 pane)
{
	const struct layout *l = layout_now(d);

	for (u32 i = 0; i < l->nrows; i++)
		for (u32 k = 0; k < l->row[i].npanes; k++)
			if (l->row[i].pane[k] == pane)
				return true;
	return false;
}

/* The index of a name, -1 if there is none. */
static int layout_index(const struct desk *d, const char *name)
{
	for (u32 i = 0; i < d->nlayouts; i++)
		if (!strcmp(d->layout[i].name, name))
			return (int)i;
	return -1;
}

/* Another layout is in force: what was said about heights is over, and the focus is on one of its panes. */
static void layout_changed(struct desk *d, int chosen)
{
	d->chosen = chosen;
	d->zoom = false;
	memset(d->grow, 0, sizeof(d->grow));
	if (!layout_holds(d, d->focus))
		d->focus = layout_now(d)->row[0].pane[0];
}

enum status layout_choose(struct session *s, const char *name, struct error *e)
{
	struct desk *d = desk_of(s);
	const char *names[MAX_LAYOUTS + 1], *near;
	int i = layout_index(d, name);

	if (i < 0 && strcmp(name, "auto")) {
		for (u32 k = 0; k < d->nlayouts; k++)
			names[k] = d->layout[k].name;
		near = nearest_name(name, names, d->nlayouts);
		return error_set(e, STATUS_USAGE, "no layout `%s`%s%s; `layout` lists them", safe_text(name),
				 near ? ", did you mean " : "", near ? near : "");
	}
	layout_changed(d, i);
	return STATUS_OK;
}

/* May a layout be called so? */
static bool name_is_good(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

	return n && n < 32 && !name[n] && strcmp(name, "auto");
}

enum status layout_define(struct session *s, const char *name, const char *text, u32 column, struct error *e)
{
	struct desk *d = desk_of(s);
	int i = layout_index(d, name);
	struct layout l = {0};
	struct error what;

	if (!name_is_good(name))
		return error_set(e, STATUS_USAGE, "a layout's name is of letters, digits, - and _, and not `auto`");
	if (layout_parse(&l, text, &what))
		return error_at(e, STATUS_USAGE, NULL, 0, column, "%s", what.message);
	if (i < 0 && d->nlayouts == MAX_LAYOUTS)
		return error_set(e, STATUS_FAILED, "there are %u layouts already", MAX_LAYOUTS);
	if (i < 0)
		i = (int)d->nlayouts++;
	free(d->layout[i].name);
	free(d->layout[i].text);
	l.name = xstrdup(name);
	l.text = xstrdup(text);
	d->layout[i] = l;
	layout_changed(d, i);
	return STATUS_OK;
}

bool layout_row(struct session *s, u32 i, const char **name, const char **text, const char **doc, bool *now)
{
	const struct desk *d = desk_of(s);

	if (i >= d->nlayouts)
		return false;
	*name = d->layout[i].name;
	*text = d->layout[i].text;
	*doc = d->layout[i].doc ? d->layout[i].doc : "defined here";
	*now = &d->layout[i] == layout_now(d);
	return true;
}

void layout_save(struct session *s, struct text *out)
{
	const struct desk *d = s->desk;

	for (u32 i = 0; d && i < d->nlayouts; i++)
		if (!d->layout[i].doc)
			text_add(out, "layout %s = %s\n", d->layout[i].name, d->layout[i].text);
	if (d && d->chosen >= 0)
		text_add(out, "layout %s\n", d->layout[d->chosen].name);
}

/* --- rectangles --- */

/* A row while there may be too little room: what is left of it. */
struct fit { struct layout_row row; u32 index, need, height; };

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
		d->area[d->nareas++] = (struct area){.x = x, .y = y, .width = w, .height = height, .pane = r->pane[k], .separated = k};
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
