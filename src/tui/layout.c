/*
 * layout.c - layouts as text: which panes stand in which row.
 *
 * "warps*49+subcores*30:8 code:8 console:4": rows set off by blanks, panes of a row by +; *N a pane's share of the
 * width, :N the row's weight where rows share the height, ? a row that stands only where others leave room. A | begins
 * a column of rows beside those before, |*N one with a share of the width. layout_solve.c has the rectangles.
 */
#include "desk.h"

#include <ctype.h>

#define MAX_LAYOUTS 64
#define WIDE_WIDTH 140u
#define WIDE_HEIGHT 40u

static const struct {
	const char *name, *text, *doc;
} built_in[] = {
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
	size_t n = strcspn(*text, "*+:? \t");
	int id;

	if (row->npanes == LAYOUT_PANES)
		return error_set(e, STATUS_USAGE, "layout: too many panes in a row (at most %u)", LAYOUT_PANES);
	snprintf(name, sizeof(name), "%.*s", (int)min_u32((u32)n, 31), *text);
	id = n ? pane_find(name, e) : -1;
	if (id < 0)
		return n ? STATUS_USAGE
			 : error_set(e, STATUS_USAGE,
				     "layout: missing pane name (row: PANE[*SHARE][+PANE...][:WEIGHT][?])");
	*text += n;
	row->pane[row->npanes] = (u8)id;
	row->share[row->npanes] = mark_number(text, '*');
	if (!row->share[row->npanes++])
		return error_set(e, STATUS_USAGE, "layout: invalid share (a number from 1 to 10000, as in %s*2)", name);
	return STATUS_OK;
}

/* The mark of a column that begins. */
static enum status column_parse(const char **text, struct layout *l, struct error *e)
{
	bool empty = !l->nrows || l->row[l->nrows - 1].column != l->ncolumns - 1;

	if (empty && l->nrows)
		return error_set(e, STATUS_USAGE, "layout: column without a pane (example: |*2 warps:2 console:1)");
	if (!empty && l->ncolumns++ == LAYOUT_COLUMNS)
		return error_set(e, STATUS_USAGE, "layout: too many columns (at most %u)", LAYOUT_COLUMNS);
	(*text)++;
	l->column_share[l->ncolumns - 1] = mark_number(text, '*');
	return l->column_share[l->ncolumns - 1]
		       ? STATUS_OK
		       : error_set(e, STATUS_USAGE, "layout: invalid share (a number from 1 to 10000, as in |*2)");
}

/* A text to its rows; nothing changes on an error. */
static enum status layout_parse(struct layout *l, const char *text, struct error *e)
{
	u64 seen = 0;

	l->nrows = 0;
	l->ncolumns = l->column_share[0] = 1;
	for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
		struct layout_row *row = &l->row[l->nrows];

		if (*text == '|') {
			if (column_parse(&text, l, e))
				return STATUS_USAGE;
			continue;
		}
		if (l->nrows++ == LAYOUT_ROWS)
			return error_set(e, STATUS_USAGE, "layout: too many rows (at most %u)", LAYOUT_ROWS);
		*row = (struct layout_row){.column = l->ncolumns - 1};
		for (bool more = true; more; text += more) {
			if (pane_parse(&text, row, e))
				return STATUS_USAGE;
			if (seen >> row->pane[row->npanes - 1] & 1)
				return error_set(e, STATUS_USAGE, "layout: pane '%s' appears twice",
						 pane_table[row->pane[row->npanes - 1]]->name);
			seen |= 1ULL << row->pane[row->npanes - 1];
			more = *text == '+';
		}
		row->weight = mark_number(&text, ':');
		row->spare = *text == '?';
		text += row->spare;
		if (!row->weight || (*text && *text != ' ' && *text != '\t'))
			return error_set(
				e, STATUS_USAGE,
				"layout: invalid row (PANE[*SHARE][+PANE...][:WEIGHT][?], the weight a number from 1 to 10000)");
	}
	if (l->nrows && l->row[l->nrows - 1].column != l->ncolumns - 1)
		return error_set(e, STATUS_USAGE, "layout: column without a pane (example: |*2 warps:2 console:1)");
	return l->nrows ? STATUS_OK
			: error_set(e, STATUS_USAGE, "layout: no panes (example: `layout mine = warps:2 console:1`)");
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

void layout_present(struct desk *d, bool begins)
{
	const char *name = layout_holds(d, PANE_datapath)	   ? "present-datapath"
			   : layout_holds(d, PANE_floor)	   ? "present-floor"
			   : begins || layout_holds(d, PANE_notes) ? "present"
								   : NULL;
	u8 focus = d->focus;

	if (!name)
		return;
	layout_changed(d, layout_index(d, name));
	d->focus = layout_holds(d, focus) ? focus : d->focus;
}

enum status layout_choose(struct session *s, const char *name, struct error *e)
{
	struct desk *d = desk_of(s);
	const char *names[MAX_LAYOUTS + 1], *near;
	int i = layout_index(d, name), pane;
	struct error unsaid;

	if (i < 0 && strcmp(name, "auto")) {
		for (u32 k = 0; k < d->nlayouts; k++)
			names[k] = d->layout[k].name;
		near = nearest_name(name, names, d->nlayouts);
		return error_set(e, STATUS_USAGE, "unknown layout '%s' (%s%s%s`layout` lists them)", safe_text(name),
				 near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
	}
	layout_changed(d, i);
	if (d->present)
		layout_present(d, false);
	pane = pane_find(name, &unsaid);
	if (pane >= 0 && layout_holds(d, (u8)pane))
		d->focus = (u8)pane;
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
		return error_set(e, STATUS_USAGE, "layout: invalid name (letters, digits, - and _, but not 'auto')");
	if (layout_parse(&l, text, &what))
		return error_at(e, STATUS_USAGE, NULL, 0, column, "%s", what.message);
	if (i < 0 && d->nlayouts == MAX_LAYOUTS)
		return error_set(e, STATUS_FAILED, "layout: too many layouts (at most %u)", MAX_LAYOUTS);
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
	*doc = d->layout[i].doc ? d->layout[i].doc : "user-defined layout";
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
