/* panes.c - the table of panes, and how one is found, drawn, measured and said. What they keep is in kept.c. */
#include "desk.h"
#include "kept.h"
#include "machine.h"
#include "sheet.h"

#define PANE(id) extern const struct pane pane_##id;
#include "panes.def"
#undef PANE

const struct pane *const pane_table[PANE_COUNT] = {
#define PANE(id) [PANE_##id] = &pane_##id,
#include "panes.def"
#undef PANE
};

int pane_find(const char *name, struct error *e)
{
	const char *names[PANE_COUNT], *near;
	int found = -1, n = 0;

	for (int i = 0; i < PANE_COUNT; i++) {
		names[i] = pane_table[i]->name;
		if (!strcmp(names[i], name))
			return i;
		if (*name && !strncmp(names[i], name, strlen(name))) {
			found = i;
			n++;
		}
	}
	if (n == 1)
		return found;
	near = nearest_name(name, names, PANE_COUNT);
	if (n)
		error_set(e, STATUS_USAGE, "ambiguous pane '%s' (`show` lists the panes)", safe_text(name));
	else
		error_set(e, STATUS_USAGE, "unknown pane '%s' (%s%s%s`show` lists the panes)", safe_text(name),
			  near ? "did you mean '" : "", near ? near : "", near ? "'? " : "");
	return -1;
}

/* The lane of a warp that is looked at. */
static u32 lane_of(const struct session *s, struct focus f)
{
	u32 wish = s->config.code_lane, mask = 0;

	if (wish >= WARP_LANES && s->live)
		sim_warp_pc(&s->sim, f.sm, f.warp, &mask);
	return wish < WARP_LANES ? wish : mask ? (u32)__builtin_ctz(mask) : 0;
}

void view_of(struct session *s, struct pane_view *v)
{
	const struct config *c = s->live ? &s->sim.m->config : NULL;

	*v = (struct pane_view){.cursor = NO_CURSOR,
				.session = s,
				.sim = s->live ? &s->sim : NULL,
				.focus = s->focus,
				.width = s->columns ? s->columns : 80};
	if (c && (v->focus.sm >= c->gpu_sms || v->focus.warp >= s->sim.m->contexts || v->focus.sub >= c->sm_subcores))
		v->focus = (struct focus){0};
	v->lane = lane_of(s, v->focus);
}

void pane_view_now(struct session *s, struct pane_view *v)
{
	if (s->live)
		sim_sync(&s->sim);
	view_of(s, v);
	if (!s->live)
		return;
	v->record = s->sim.bus.record;
	v->nrecords = s->sim.bus.count;
}

/* A pane's sheet, arranged; close it. */
static void sheet_of(struct sheet *sheet, const struct pane *p, const struct pane_view *v)
{
	*sheet = (struct sheet){.name = p->name};
	INVARIANT(p->fill);
	p->fill(sheet, v);
	sheet_arrange(sheet, v);
}

bool pane_column(struct session *s, enum pane_id id, u32 i, char *out, size_t size)
{
	struct pane_view v;
	struct sheet sheet;
	bool is;

	pane_view_now(s, &v);
	if (!pane_table[id]->fill || (!v.sim && !pane_table[id]->without_machine))
		return false;
	sheet_of(&sheet, pane_table[id], &v);
	is = sheet.ngrids && i < sheet.grid[0].ncolumns;
	if (is)
		snprintf(out, size, "%s", sheet.grid[0].column[i].name);
	sheet_close(&sheet);
	return is;
}

enum status pane_set_sort(struct session *s, enum pane_id id, const char *column, struct error *e)
{
	struct pane_view v;
	struct sheet sheet;
	struct text list = {0};
	bool known = true;

	pane_view_now(s, &v);
	if (column && *column && pane_table[id]->fill && (v.sim || pane_table[id]->without_machine)) {
		sheet_of(&sheet, pane_table[id], &v);
		known = sheet.ngrids && grid_column_find(&sheet.grid[0], column + (*column == '-')) >= 0;
		for (u32 i = 0; !known && sheet.ngrids && i < sheet.grid[0].ncolumns; i++)
			text_add(&list, "%s%s", i ? ", " : "", sheet.grid[0].column[i].name);
		sheet_close(&sheet);
	} else if (column && *column) {
		return error_set(e, STATUS_FAILED, "sort: pane %s cannot be sorted", pane_table[id]->name);
	}
	if (known)
		pane_keep_sort(s, id, column);
	else
		error_set(e, STATUS_USAGE, "sort: pane %s has no column '%s' (columns: %s)", pane_table[id]->name,
			  safe_text(column + (*column == '-')), list.len ? list.s : "none");
	text_free(&list);
	return known ? STATUS_OK : STATUS_USAGE;
}

/* The view with the wishes that hold for a pane. */
static void view_wish(struct pane_view *v, const struct session *s, enum pane_id id, const char *filter)
{
	v->filter = filter ? filter : pane_filter(s, id);
	v->sort = pane_sort(s, id);
	v->cursor = desk_cursor(s, id);
}

/* A pane's sheets side by side, the second in 8 of 20 columns. */
#define LEFT_WIDTH(width) ((width)*12 / 20)
static void draw_beside(const struct pane *p, struct canvas *c, const struct pane_view *v)
{
	const struct pane_view alone = {.session = v->session};
	struct canvas half;
	struct sheet sheet;
	u32 left = LEFT_WIDTH(c->width);

	sheet_of(&sheet, p, v);
	canvas_init(&half, left - 1, c->height, c->ascii);
	sheet_draw(&sheet, &half, v);
	canvas_blit(c, &half, 0, 0);
	canvas_free(&half);
	sheet_close(&sheet);
	sheet = (struct sheet){.name = "PTX"};
	p->beside(&sheet, v);
	sheet_arrange(&sheet, &alone);
	canvas_init(&half, c->width - left, c->height, c->ascii);
	sheet_draw(&sheet, &half, &alone);
	canvas_blit(c, &half, left, 0);
	for (u32 y = 0; y < c->height; y++)
		canvas_put(c, left - 1, y, y ? 0x2502 : 0x2500, STYLE_DIM);
	canvas_free(&half);
	sheet_close(&sheet);
}

/* The machine of the last stop, looked at as it is now; NULL: there is none. */
static const struct pane_view *view_before(struct session *s, const struct pane_view *now, struct pane_view *out)
{
	if (!pane_view_before(s, out))
		return NULL;
	out->lane = now->lane;
	return out;
}

/* Draw one view. */
static void draw(const struct pane *p, struct canvas *c, const struct pane_view *v)
{
	struct sheet sheet;

	if (!v->sim && !p->without_machine) {
		canvas_title(c, 0, p->name, "", "");
		canvas_text_at(c, 1, 1, STYLE_DIM, "no machine yet (no kernel is launched)");
	} else if (p->beside && c->width >= p->beside_width) {
		draw_beside(p, c, v);
	} else if (p->fill) {
		sheet_of(&sheet, p, v);
		sheet_draw(&sheet, c, v);
		sheet_close(&sheet);
	} else {
		p->draw(c, v);
	}
}

void pane_draw(struct session *s, enum pane_id id, struct canvas *c, u32 scroll, const char *filter)
{
	struct pane_view v, w;
	struct canvas before;

	pane_view_now(s, &v);
	v.before = view_before(s, &v, &w);
	v.scroll = scroll;
	v.width = c->width;
	view_wish(&v, s, id, filter);
	draw(pane_table[id], c, &v);
	if (pane_table[id]->stream || !v.before)
		return;
	w.scroll = scroll;
	w.width = c->width;
	view_wish(&w, s, id, filter);
	canvas_init(&before, c->width, c->height, c->ascii);
	draw(pane_table[id], &before, &w);
	canvas_compare(c, &before);
	canvas_free(&before);
}

/* Rows of a pane's list, and the height that shows it whole. */
static void measure(struct session *s, enum pane_id id, const char *filter, u32 width, u32 *rows, u32 *height)
{
	const struct pane *p = pane_table[id];
	struct pane_view v;
	struct sheet sheet;

	*rows = 0;
	*height = p->size.wish_height;
	pane_view_now(s, &v);
	v.width = width ? width : v.width;
	view_wish(&v, s, id, filter);
	if (!v.sim && !p->without_machine)
		return;
	if (p->fill) {
		sheet_of(&sheet, p, &v);
		*rows = sheet_rows(&sheet);
		*height = sheet_height(&sheet);
		sheet_close(&sheet);
		return;
	}
	if (p->rows)
		*rows = p->rows(&v);
	if (p->height)
		*height = p->height(&v);
	else if (p->rows)
		*height = max_u32(p->size.wish_height, *rows + 2);
}

u32 pane_rows(struct session *s, enum pane_id id, const char *filter)
{
	u32 rows, height;

	measure(s, id, filter, 0, &rows, &height);
	return rows;
}

u32 pane_height(struct session *s, enum pane_id id, u32 width)
{
	u32 rows, height;

	measure(s, id, NULL, width, &rows, &height);
	return height;
}

/* A pane's line with the cells of a row for the names in braces; NULL where one is not a number. */
static char *pick_line(const char *pick, const struct grid *g, u32 row)
{
	struct text line = {0};

	while (*pick) {
		size_t n = strcspn(pick, "{"), end = strcspn(pick, "}");
		char name[32];
		int column;

		text_addn(&line, pick, n);
		pick += n;
		if (!*pick)
			break;
		snprintf(name, sizeof(name), "%.*s", (int)(end - n - 1), pick + 1);
		pick += end - n + 1;
		column = grid_column_find(g, name);
		if (column < 0 || g->cell[row * g->ncolumns + (u32)column].kind != GRID_INT) {
			text_free(&line);
			return NULL;
		}
		text_add(&line, "%lld", g->cell[row * g->ncolumns + (u32)column].number);
	}
	return line.s;
}

/* The row of a sheet's list that is drawn on each line of a canvas of that size, NONE32: none; free() it. */
static u32 *rows_drawn(const struct sheet *sheet, const struct pane_view *v, u32 width, u32 height)
{
	u32 *rows = xmalloc(height * sizeof(*rows));
	struct canvas c;

	memset(rows, 0xff, height * sizeof(*rows));
	canvas_init(&c, width, height, false);
	c.row_at = rows;
	sheet_draw(sheet, &c, v);
	canvas_free(&c);
	return rows;
}

/* The sheet of which a cell is, arranged, and the row and column there; close it. Of a second sheet x is counted from
 * its left. */
static void spot_find(struct sheet *sheet, const struct pane *p, const struct pane_view *v, struct pane_spot *at)
{
	const struct pane_view alone = {.session = v->session};
	u32 left = LEFT_WIDTH(v->width), width = v->width, *rows;
	bool two = p->beside && v->width >= p->beside_width;

	at->beside = two && at->x >= left;
	if (at->beside) {
		*sheet = (struct sheet){.name = "PTX"};
		p->beside(sheet, v);
		sheet_arrange(sheet, &alone);
		at->x -= left;
	} else {
		sheet_of(sheet, p, v);
	}
	width = at->beside ? width - left : two ? left - 1 : width;
	rows = rows_drawn(sheet, at->beside ? &alone : v, width, at->height);
	at->row = rows[at->y];
	at->column = sheet_column_at(sheet, width, at->x);
	free(rows);
}

/* The view that a pane is drawn from on a canvas of that size. */
static void view_sized(struct session *s, enum pane_id id, const struct canvas *size, u32 scroll, struct pane_view *v)
{
	pane_view_now(s, v);
	v->scroll = scroll;
	v->width = size->width;
	view_wish(v, s, id, NULL);
}

char *pane_pick(struct session *s, enum pane_id id, const struct canvas *size, u32 scroll, u32 x, u32 y, u64 *cursor)
{
	struct pane_spot at = {.x = x, .y = y, .height = size->height, .row = NONE32};
	const struct pane *p = pane_table[id];
	struct text line = {0};
	struct sheet sheet = {0};
	struct pane_view v;
	char *picked = NULL;

	view_sized(s, id, size, scroll, &v);
	if ((!v.sim && !p->without_machine) || y >= size->height || x >= size->width)
		return NULL;
	if (p->fill && (p->pick || p->point))
		spot_find(&sheet, p, &v, &at);
	if (p->point)
		p->point(&v, &at, cursor, &line);
	else if (p->pick && at.row != NONE32)
		picked = pick_line(p->pick, &sheet.grid[0], at.row);
	sheet_close(&sheet);
	return p->point ? line.s : picked;
}

u32 pane_top(struct session *s, enum pane_id id, const struct canvas *size, u32 scroll)
{
	const struct pane *p = pane_table[id];
	struct sheet sheet;
	struct pane_view v;
	u32 *rows, y = 0, n = 0;

	view_sized(s, id, size, scroll, &v);
	if (!p->fill || (!v.sim && !p->without_machine) || !size->height)
		return 0;
	sheet_of(&sheet, p, &v);
	rows = rows_drawn(&sheet, &v, p->beside && v.width >= p->beside_width ? LEFT_WIDTH(v.width) - 1 : v.width,
			  size->height);
	while (y < size->height && rows[y] == NONE32)
		y++;
	while (y < size->height && n < sheet_rows(&sheet) && sheet.grid[0].row[n] != rows[y])
		n++;
	sheet_close(&sheet);
	free(rows);
	return y < size->height ? n : 0;
}

void pane_say(struct session *s, enum pane_id id, struct text *out)
{
	const struct pane *p = pane_table[id];
	struct pane_view v, w;
	struct sheet sheet;
	struct canvas c;

	pane_view_now(s, &v);
	v.before = view_before(s, &v, &w);
	view_wish(&v, s, id, NULL);
	v.plain = true;
	if (p->say && (v.sim || p->without_machine)) {
		p->say(out, &v);
	} else if (p->fill && (v.sim || p->without_machine)) {
		sheet_of(&sheet, p, &v);
		sheet_say(&sheet, out);
		sheet_close(&sheet);
	} else {
		canvas_init(&c, s->columns ? s->columns : 80, pane_height(s, id, 0), s->config.style_signs);
		draw(p, &c, &v);
		canvas_text(&c, out);
		canvas_free(&c);
	}
}

json_t *pane_json(struct session *s, enum pane_id id)
{
	const struct pane *p = pane_table[id];
	struct pane_view v;
	struct sheet sheet;
	json_t *data;

	pane_view_now(s, &v);
	view_wish(&v, s, id, NULL);
	if ((!v.sim && !p->without_machine) || (!p->data && !p->fill))
		return json_object();
	if (p->data)
		return p->data(&v); /* cppcheck-suppress returnDanglingLifetime ; the object is new */
	sheet_of(&sheet, p, &v);
	data = sheet_data(&sheet);
	sheet_close(&sheet);
	return data;
}
