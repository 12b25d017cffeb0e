/* desk.c - the focused pane, scrolling, zoom: what commands and keys change of the view. */
#include "desk.h"

#include "lesson.h"

#define STOP_ROWS 3u /* of a line that moves the machine, with those of its stop */

struct desk *desk_of(struct session *s)
{
	if (!s->desk) {
		s->desk = xcalloc(1, sizeof(*s->desk));
		s->desk->width = s->columns ? s->columns : 80;
		s->desk->height = s->rows ? s->rows : 24;
		layouts_open(s->desk);
		keys_open(s->desk);
		s->desk->focus = PANE_warps;
		for (u32 i = 0; i < PANE_COUNT; i++)
			s->desk->cursor[i] = NO_CURSOR;
	}
	return s->desk;
}

void desk_free(struct session *s)
{
	if (!s->desk)
		return;
	cast_close(s, NULL);
	layouts_free(s->desk);
	keys_free(s->desk);
	free(s->desk->prompt);
	free(s->desk);
	s->desk = NULL;
}

/* The panes of the layout in its order. */
static u32 panes_of(const struct desk *d, u8 out[MAX_AREAS])
{
	const struct layout *l = layout_now(d);
	u32 n = 0;

	for (u32 i = 0; i < l->nrows; i++)
		for (u32 k = 0; k < l->row[i].npanes; k++)
			out[n++] = l->row[i].pane[k];
	return n;
}

/* Are there panes at all? */
static bool has_panes(const struct desk *d)
{
	return d->width >= LEAST_WIDTH && d->height >= LEAST_HEIGHT;
}

const struct area *desk_area(const struct desk *d, u8 pane)
{
	for (u32 i = 0; i < d->nareas; i++)
		if (d->area[i].pane == pane)
			return &d->area[i];
	return NULL;
}

bool desk_shows(struct session *s, u8 pane)
{
	struct desk *d = desk_of(s);

	if (!has_panes(d))
		return false;
	layout_solve(s, d->width, d->height - 1 - desk_bottom(d), 1);
	return desk_area(d, pane);
}

/* A number for what the notes of a lesson show: another page, another number; 0: no lesson has begun. */
static u64 page_number(const struct session *s)
{
	struct text page = {0};
	u64 number = 0;

	if (lesson_page(s, &page))
		for (size_t i = 0; i < page.len; i++)
			number = mix64(number + (u8)page.s[i]);
	text_free(&page);
	return number;
}

static u64 cycle_now(const struct session *s)
{
	return s->timeline ? timeline_now(s->timeline).cycle : 0;
}

void desk_typed(struct session *s)
{
	struct desk *d = desk_of(s);

	d->output_seen = false;
	d->typed_cycle = cycle_now(s);
	d->typed_page = page_number(s);
}

bool desk_spoken(struct session *s, u32 rows)
{
	const struct desk *d = desk_of(s);

	if (d->output_seen || d->running || rows < 2 || page_number(s) != d->typed_page)
		return false;
	return rows > STOP_ROWS || cycle_now(s) == d->typed_cycle;
}

/* Whether there is room for a pane; zoomed, any pane can be the one. */
static bool is_shown(struct session *s, u8 pane)
{
	const struct desk *d = desk_of(s);

	return d->zoom || !has_panes(d) || desk_shows(s, pane);
}

enum status desk_focus(struct session *s, const char *name, struct error *e)
{
	struct desk *d = desk_of(s);
	u8 pane[MAX_AREAS];
	u32 n = panes_of(d, pane), at = 0;
	int step = !strcmp(name, "next") ? 1 : !strcmp(name, "previous") ? -1 : 0, id;

	while (at < n && pane[at] != d->focus)
		at++;
	if (step && !n)
		return STATUS_OK;
	if (step) {
		for (u32 i = 0; i < n; i++) {
			at = (at + n + (u32)step) % n;
			if (is_shown(s, pane[at]))
				break;
		}
		d->focus = pane[at % n];
		return STATUS_OK;
	}
	id = pane_find(name, e);
	if (id < 0)
		return STATUS_USAGE;
	if (!layout_holds(d, (u8)id))
		return error_set(e, STATUS_FAILED, "pane '%s' is not in layout '%s' (`layout` lists the layouts)",
				 pane_table[id]->name, layout_now(d)->name);
	d->focus = (u8)id;
	return STATUS_OK;
}

const char *desk_focused(struct session *s)
{
	return pane_table[desk_of(s)->focus]->name;
}

bool desk_holds(struct session *s, const char *pane)
{
	int id = pane_find(pane, NULL);

	return id >= 0 && layout_holds(desk_of(s), (u8)id);
}

u32 desk_columns(struct session *s)
{
	const struct desk *d = desk_of(s);
	const struct area *console = desk_area(d, PANE_console);

	if (!tui_active())
		return session_columns(s);
	return console ? console->width : d->width;
}

u32 desk_drawn(struct session *s)
{
	u32 width = desk_columns(s);

	return width ? width : 80;
}

void desk_zoom(struct session *s)
{
	desk_of(s)->zoom ^= 1;
}

enum status desk_grow(struct session *s, int by, struct error *e)
{
	struct desk *d = desk_of(s);
	const struct layout *l = layout_now(d);

	if (!by) {
		memset(d->grow, 0, sizeof(d->grow));
		return STATUS_OK;
	}
	if (l->nrows < 2)
		return error_set(e, STATUS_FAILED, "winheight: layout '%s' has only one row", l->name);
	for (u32 i = 0; i < l->nrows; i++)
		for (u32 k = 0; k < l->row[i].npanes; k++)
			if (l->row[i].pane[k] == d->focus) {
				int sum = d->grow[i] + by;

				d->grow[i] = sum > 1000 ? 1000 : sum < -1000 ? -1000 : sum;
			}
	return STATUS_OK;
}

/* The row from which a list is scrolled: the first that is seen. */
static i64 scrolled_from(struct session *s, const struct desk *d)
{
	const struct area *a = desk_area(d, d->focus);
	u32 scroll = d->scroll[d->focus];

	if (scroll)
		return scroll == SCROLL_TOP ? 0 : scroll;
	return a ? pane_top(s, (enum pane_id)d->focus, &(struct canvas){.width = a->width, .height = a->height}, 0) : 0;
}

/* by: lines, or a page where it is +-1000000. The console's lines are counted from its end. */
void desk_scroll(struct session *s, int by)
{
	struct desk *d = desk_of(s);
	const struct area *a = desk_area(d, d->focus);
	int page = a ? (int)a->height - 2 : 8;
	i64 at, most;

	if (abs(by) >= 1000000)
		by = by < 0 ? -(page > 1 ? page : 1) : page > 1 ? page : 1;
	at = scrolled_from(s, d) + (d->focus == PANE_console ? -by : by);
	most = (i64)pane_rows(s, (enum pane_id)d->focus, NULL) - 1;
	d->scroll[d->focus] = (u32)(at < 0 || most < 0 ? 0 : at > most ? most : at);
	if (!d->scroll[d->focus] && scrolled_from(s, d)) /* its focus is further down */
		d->scroll[d->focus] = SCROLL_TOP;
}

bool desk_sure(struct session *s)
{
	struct desk *d = desk_of(s);
	bool sure = d->asked;

	d->asked = 2;
	return sure;
}

void desk_legend(struct session *s)
{
	desk_of(s)->overlay = OVERLAY_LEGEND;
}

void desk_help(struct session *s)
{
	struct desk *d = desk_of(s);

	d->overlay = OVERLAY_LIST;
	d->search[0] = '\0';
	d->chosen_row = d->first_row = 0;
}

void desk_keys(struct session *s, bool on)
{
	struct desk *d = desk_of(s);

	d->keys = on;
	d->once = !on && d->present; /* a lecture has a prompt for one line */
}

void desk_repaint(struct session *s)
{
	desk_of(s)->repaint = true;
}
