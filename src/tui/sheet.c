/*
 * sheet.c - a sheet on a canvas: title, list, lines and tables below it as long as there is room (sheet.h).
 */
#include "sheet.h"

/* Rows that the list keeps, its heading included, before the lines below it have room, and before the tables have. */
#define LIST_LEAST 5
#define LIST_KEPT 12
#define TABLE_LEAST 4  /* rows of a table below it that is cut */
#define COLUMN_LEAST 6 /* cells of a column of text that is cut */

struct grid *sheet_grid(struct sheet *s, const char *key, const struct grid_column *column, u32 ncolumns)
{
	struct grid *g = &s->grid[s->ngrids++];

	INVARIANT(s->ngrids <= SHEET_GRIDS && ncolumns <= GRID_COLUMNS);
	*g = (struct grid){.key = key, .column = column, .ncolumns = ncolumns, .focus = NONE32, .cursor = NONE32};
	return g;
}

struct grid *sheet_grid_made(struct sheet *s, const char *key, const struct grid_column *column, u32 ncolumns)
{
	struct grid *g = sheet_grid(s, key, column, ncolumns);

	memcpy(g->made, column, ncolumns * sizeof(*column));
	g->column = g->made;
	return g;
}

void text_add_sum(struct text *out, u64 total, bool holds)
{
	char number[32];

	text_add(out, "Σ %s %s", count_text((i64)total, 31, number), holds ? "✓" : "✗");
}

void sheet_sum(struct sheet *s, const char *label, u64 total, bool holds)
{
	s->total = total;
	s->holds = holds;
	s->summed = true;
	s->numbers = s->sum.len;
	s->label = label;
	text_add(&s->sum, "%s%s%s", s->sum.len ? "  " : "", label, *label ? " " : "");
	text_add_sum(&s->sum, total, holds);
}

void sheet_close(struct sheet *s)
{
	for (u32 i = 0; i < s->ngrids; i++)
		grid_close(&s->grid[i]);
	text_free(&s->focus);
	text_free(&s->sum);
	text_free(&s->say);
	text_free(&s->note);
}

u32 sheet_rows(const struct sheet *s)
{
	return s->ngrids ? s->grid[0].nrows : 0;
}

/* Lines of the note. */
static u32 note_lines(const struct sheet *s)
{
	u32 n = 0;

	for (size_t i = 0; i < s->note.len; i++)
		n += s->note.s[i] == '\n';
	return n;
}

u32 sheet_height(const struct sheet *s)
{
	u32 height = 1 + note_lines(s) + (s->statuses && !s->spelt);

	for (u32 i = 0; i < s->ngrids; i++)
		height += 1 + s->grid[i].nrows;
	return height;
}

/* The states whose letters are in a grid, a bit each. */
static u32 letters_of(const struct grid *g)
{
	u32 statuses = 0;

	for (u32 i = 0; i < g->ncells; i++)
		for (u32 k = 0; g->cell[i].kind == GRID_LETTERS && k < g->cell[i].length; k++) {
			u8 letter = (u8)g->pool.s[g->cell[i].text + k];

			statuses |= letter ? 1u << (letter - 1) : 0;
		}
	return statuses;
}

void sheet_arrange(struct sheet *s, const struct pane_view *v)
{
	if (s->ngrids)
		s->statuses |= letters_of(&s->grid[0]);
	for (u32 i = 0; i < s->ngrids; i++)
		grid_arrange(&s->grid[i], i ? NULL : v->filter, i ? NULL : v->sort);
	if (s->ngrids && v->filter && *v->filter)
		text_add(&s->focus, "%s/%s/ %u of %u", s->focus.len ? "  " : "", safe_text(v->filter), s->grid[0].nrows,
			 s->grid[0].ncells / s->grid[0].ncolumns);
}

/* The column that can best be left out, ncolumns if none can. */
static u32 column_least(const struct grid *g, const u32 *width)
{
	u32 worst = g->ncolumns;

	for (u32 i = 0; i < g->ncolumns; i++)
		if (width[i] && g->column[i].drop &&
		    (worst == g->ncolumns || g->column[i].drop >= g->column[worst].drop))
			worst = i;
	return worst;
}

/* Nothing can be left out any more: the widest column of text is cut by the excess. */
static void column_cut(const struct grid *g, u32 excess, u32 *width)
{
	u32 widest = g->ncolumns;

	for (u32 i = 0; i < g->ncolumns; i++)
		if (!g->column[i].right && (widest == g->ncolumns || width[i] > width[widest]))
			widest = i;
	if (widest < g->ncolumns && width[widest] > COLUMN_LEAST)
		width[widest] = width[widest] > excess + COLUMN_LEAST ? width[widest] - excess : COLUMN_LEAST;
}

/* Which columns stand, and how wide: 0 where one is left out. */
static void columns_place(const struct grid *g, u32 room, u32 *width)
{
	u32 total = 0, least;

	for (u32 i = 0; i < g->ncolumns; i++) {
		width[i] = g->column[i].width;
		total += width[i] + 1;
	}
	while (total > room) {
		least = column_least(g, width);
		if (least == g->ncolumns) {
			column_cut(g, total - room, width);
			return;
		}
		total -= width[least] + 1;
		width[least] = 0;
	}
	for (u32 i = 0; i < g->ncolumns; i++)
		if (width[i] && g->column[i].wide) {
			width[i] += room - total;
			return;
		}
}

/* Letters of states, each in its style. */
static void draw_letters(struct canvas *c, u32 x, u32 y, u32 width, const u8 *status, u32 n)
{
	for (u32 i = 0; i < n && i < width; i++)
		if (status[i])
			canvas_put(c, x + i, y, (u8)warp_status_table[status[i] - 1].letter,
				   status_style(status[i] - 1u));
		else
			canvas_put(c, x + i, y, '-', STYLE_DIM);
	if (n > width && width)
		canvas_put(c, x + width - 1, y, 0x2026, STYLE_DIM);
}

/* One cell in its column. */
static void draw_cell(struct canvas *c, u32 x, u32 y, const struct grid *g, const struct grid_cell *cell, u32 width,
		      bool right)
{
	struct canvas column = *c;
	char scratch[128];
	const char *s;
	u32 n;

	column.width = min_u32(c->width, x + width);
	if (column.width <= x || y >= c->height)
		return;
	column.cell = c->cell + (size_t)y * c->width;
	column.height = 1;
	if (cell->kind == GRID_LETTERS) {
		draw_letters(&column, x, 0, width, (const u8 *)g->pool.s + cell->text, cell->length);
		return;
	}
	if (cell->kind == GRID_BAR) {
		canvas_bar(&column, x, 0, column.width - x, cell->real, cell->full, (enum style)cell->style);
		return;
	}
	s = grid_cell_text(g, cell, width, scratch);
	n = canvas_columns(&column, s);
	canvas_text_at(&column, right && n < width ? x + width - n : x, 0, (enum style)cell->style, s);
	if (n > width)
		canvas_put(&column, column.width - 1, 0, 0x2026, STYLE_DIM);
}

/* The heading of a grid. */
static void draw_heading(struct canvas *c, u32 y, const struct grid *g, const u32 *width)
{
	u32 x = 1;

	for (u32 i = 0; i < g->ncolumns; i++) {
		const char *name = g->column[i].heading ? g->column[i].heading : g->column[i].name;
		u32 n = canvas_columns(c, name);

		if (!width[i])
			continue;
		if (g->column[i].width > 1 || n == 1)
			canvas_print(c, g->column[i].right && n < width[i] ? x + width[i] - n : x, y, STYLE_DIM, "%.*s",
				     (int)width[i], name);
		x += width[i] + 1;
	}
}

/* One row of a grid. */
static void draw_row(struct canvas *c, u32 y, const struct grid *g, u32 row, const u32 *width)
{
	u32 x = 1;

	for (u32 i = 0; i < g->ncolumns; i++) {
		if (!width[i])
			continue;
		draw_cell(c, x, y, g, &g->cell[row * g->ncolumns + i], width[i], g->column[i].right);
		x += width[i] + 1;
	}
	if (row == g->focus)
		canvas_put(c, 0, y, 0x25b8, STYLE_TITLE);
	if (row == g->cursor)
		canvas_put(c, 0, y, 0x2192, STYLE_TITLE);
	if (row == (g->cursor == NONE32 ? g->focus : g->cursor))
		canvas_focus(c, y);
}

/* The row that stands first: as scrolled, else so that the focused one is seen, unless the order was asked for. */
static u32 first_row(const struct grid *g, u32 scroll, u32 shown)
{
	u32 most = g->nrows > shown ? g->nrows - shown : 0, seen = g->cursor == NONE32 ? g->focus : g->cursor;

	if (scroll || g->sorted)
		return scroll == SCROLL_TOP ? 0 : min_u32(scroll, most);
	for (u32 i = 0; i < g->nrows; i++)
		if (g->row[i] == seen)
			return i < shown ? 0 : min_u32(i - shown / 2, most);
	return 0;
}

/* Which rows of how many are shown, in the blanks of the heading behind a column's name; false: none has room. */
static bool draw_range(struct canvas *c, u32 y, const struct grid *g, const u32 *width, const char *range)
{
	u32 x = 1, need = canvas_columns(c, range) + 1, best = 0, end = 0;

	for (u32 i = 0; i < g->ncolumns; x += width[i] ? width[i] + 1 : 0, i++) {
		const char *name = g->column[i].heading ? g->column[i].heading : g->column[i].name;
		u32 taken = canvas_columns(c, name);

		if (g->column[i].right || width[i] < taken + need || width[i] - taken < best)
			continue;
		best = width[i] - taken;
		end = x + width[i];
	}
	if (best)
		canvas_text_at(c, end - need + 1, y, STYLE_DIM, range);
	return best;
}

/* A grid in `height` rows from y: under its heading where that leaves a row. Which of more rows are shown stands in the
 * heading, else in the last row. */
static void draw_grid(struct canvas *c, u32 y, u32 height, const struct grid *g, u32 scroll)
{
	u32 width[GRID_COLUMNS] = {0}, head = height > min_u32(1, g->nrows), shown = height > head ? height - head : 0,
	    first = first_row(g, scroll, shown);
	bool more = g->nrows > shown && shown;
	char range[48];

	columns_place(g, c->width ? c->width - 1 : 0, width);
	if (head && height)
		draw_heading(c, y, g, width);
	snprintf(range, sizeof(range), "… %u-%u of %u", first + 1, first + shown, g->nrows);
	if (more && (!head || !draw_range(c, y, g, width, range)) && shown > 1) {
		first = first_row(g, scroll, --shown);
		canvas_print(c, 1, y + height - 1, STYLE_DIM, "… %u-%u of %u", first + 1, first + shown, g->nrows);
	}
	for (u32 i = 0; i < shown && first + i < g->nrows; i++) {
		draw_row(c, y + head + i, g, g->row[first + i], width);
		if (c->row_at && y + head + i < c->height)
			c->row_at[y + head + i] = g->row[first + i];
	}
}

/* The note's lines from y, at most `height`; a sign where there are more. */
static void draw_note(struct canvas *c, u32 y, u32 height, const char *line)
{
	u32 x = 1;

	for (u32 i = 0; i < height && *line; i++) {
		const char *end = strchrnul(line, '\n');
		char *copy = xstrndup(line, (size_t)(end - line));

		x = canvas_text_at(c, 1, y + i, STYLE_PLAIN, copy);
		free(copy);
		line = *end ? end + 1 : end;
	}
	if (height && *line)
		canvas_put(c, min_u32(x + 1, c->width - 1), y + height - 1, 0x2026, STYLE_DIM);
}

/* Rows that the tables below the list get of `room`: all, or as many as there are left if that says anything. */
static u32 tables_place(const struct sheet *s, u32 room, u32 *height)
{
	u32 taken = 0;

	for (u32 i = 1; i < s->ngrids; i++) {
		u32 most = s->grid[i].most, wish = (most ? min_u32(most + 1, s->grid[i].nrows) : s->grid[i].nrows) + 1;

		if (room - taken < min_u32(wish, TABLE_LEAST))
			break;
		height[i] = min_u32(wish, room - taken);
		taken += height[i];
	}
	return taken;
}

/* Has the sheet letters in its list that no column spells, and room to say in a line what they mean? */
static bool legend_wanted(const struct sheet *s, const struct canvas *c)
{
	u32 width[GRID_COLUMNS] = {0};
	int column = s->spelt && s->ngrids ? grid_column_find(&s->grid[0], s->spelt) : -1;

	if (!s->statuses || c->height < LEGEND_HEIGHT)
		return false;
	if (column >= 0)
		columns_place(&s->grid[0], c->width - 1, width);
	return column < 0 || !width[column];
}

const char *sheet_column_at(const struct sheet *s, u32 width, u32 x)
{
	u32 columns[GRID_COLUMNS] = {0}, from = 1;

	if (!s->ngrids || !width)
		return NULL;
	columns_place(&s->grid[0], width - 1, columns);
	for (u32 i = 0; i < s->grid[0].ncolumns; from += columns[i] ? columns[i] + 1 : 0, i++)
		if (columns[i] && x >= from && x <= from + columns[i])
			return s->grid[0].column[i].name;
	return NULL;
}

void sheet_draw(const struct sheet *s, struct canvas *c, const struct pane_view *v)
{
	u32 legend = legend_wanted(s, c), room = c->height ? c->height - 1 - legend : 0, y = 1;
	u32 list = s->ngrids ? s->grid[0].nrows + 1 : 0;
	u32 note = note_lines(s), height[SHEET_GRIDS] = {0}, keep = min_u32(list, LIST_LEAST), tables;

	canvas_title(c, 0, s->name, s->focus.s, s->sum.s);
	note = room > keep ? min_u32(note, room - keep) : 0;
	keep = min_u32(list, s->kept ? s->kept : LIST_KEPT) + note;
	tables = tables_place(s, room > keep ? room - keep : 0, height);
	list = min_u32(list, room - note - tables);
	if (s->ngrids)
		draw_grid(c, y, list, &s->grid[0], v->scroll);
	y += list;
	if (note)
		draw_note(c, y, note, s->note.s);
	y += note;
	c->row_at = NULL; /* those below are no list */
	for (u32 i = 1; i < s->ngrids && height[i]; y += height[i], i++)
		draw_grid(c, y, height[i], &s->grid[i], 0);
	if (legend)
		legend_line(c, c->height - 1, s->statuses, 0);
}

/* The numbers of the title before the sum. */
static void say_numbers(const struct sheet *s, struct text *out)
{
	size_t n = s->summed ? s->numbers : s->sum.len;

	if (n && !s->said)
		text_add(out, " %.*s.", (int)n, s->sum.s);
}

void sheet_say(const struct sheet *s, struct text *out)
{
	char number[32];

	text_add(out, "%s", s->say.len ? s->say.s : s->name);
	if (s->focus.len && !s->say.len)
		text_add(out, ", %s", s->focus.s);
	text_add(out, ".");
	say_numbers(s, out);
	if (s->summed)
		text_add(out, " sum%s%s %s, %s.", *s->label ? " of " : "", s->label,
			 count_text((i64)s->total, 31, number), s->holds ? "correct" : "WRONG");
	text_add(out, "\n");
	for (u32 i = 0; i < s->ngrids; i++)
		grid_say(&s->grid[i], out);
	if (s->note.len)
		text_add(out, "%s", s->note.s);
}

/* The lines below the list. */
static json_t *notes_json(const struct sheet *s)
{
	json_t *list = json_array();
	const char *line = s->note.s, *end;

	for (; (end = strchr(line, '\n')); line = end + 1)
		json_array_append_new(list, json_stringn(line, (size_t)(end - line)));
	return list;
}

json_t *sheet_data(const struct sheet *s)
{
	json_t *data = json_object();

	if (s->summed) {
		json_object_set_new(data, "sum", json_integer((json_int_t)s->total));
		json_object_set_new(data, "holds", json_boolean(s->holds));
	}
	for (u32 i = 0; i < s->ngrids; i++)
		json_object_set_new(data, s->grid[i].key, grid_json(&s->grid[i]));
	if (note_lines(s))
		json_object_set_new(data, "note", notes_json(s));
	return data;
}
