/*
 * sheet.h - what most panes are made of: a title with its conservation line, a list, smaller tables and lines below it.
 *
 * A pane fills a sheet from a view; how it is drawn, said, scrolled, filtered, sorted and given as JSON follows from
 * that. Columns have fixed widths, so that a cell of now stands where it stood at the last stop. Where the width does
 * not do, the columns of the greatest `drop` go first; 0 stays.
 */
#ifndef WARPSTEP_SHEET_H
#define WARPSTEP_SHEET_H

#include "pane.h"

struct grid_column {
	const char *name;    /* heading, and key in the JSON */
	const char *heading; /* the heading where it differs */
	u8 width;	     /* cells; of a wide column the least */
	u8 drop;	     /* 0: never left out; the greatest first */
	bool right, wide;    /* numbers stand right; the wide column takes what is left */
	bool letter;	     /* a letter that the next column spells: the plain text leaves it out */
};

enum grid_kind { GRID_NONE, GRID_INT, GRID_REAL, GRID_SHARE, GRID_TEXT, GRID_LETTERS, GRID_BAR };
struct grid_cell {
	u8 kind, style;
	u16 length;
	u32 text; /* offset in the grid's pool; GRID_LETTERS: a byte of status + 1 each, 0 none; length: of GRID_INT,
		     how much of it is shown apart; full: lanes that it counts */
	i64 number;
	double real, full; /* a bar: real of full */
};

#define GRID_COLUMNS 40
struct grid {
	const char *key; /* in the JSON */
	const struct grid_column *column;
	struct grid_column made[GRID_COLUMNS]; /* for this view, where the pane has no table of them */
	u32 ncolumns;
	struct grid_cell *cell;
	u32 ncells, room;
	struct text pool;
	u32 *row;	  /* rows in the order shown, after filter and sort */
	u32 nrows, focus; /* focus: row as it was added, NONE32 none */
	u32 cursor;	  /* the same of the row on which the cursor stands */
	bool sorted;
	u32 most; /* rows that it has on the screen at most, below the list; 0: as many as there are */
};

#define SHEET_GRIDS 4
struct sheet {
	const char *name;
	struct text focus;  /* the title's: what is shown */
	struct text sum;    /* the title's: numbers and Σ */
	size_t numbers;	    /* bytes of the numbers before the sum and its label */
	const char *label;  /* of the sum */
	struct text say;    /* the first sentence of the plain text; the title's numbers follow it */
	bool said;	    /* the first sentence has them already */
	struct text note;   /* lines below the list */
	u64 total;	    /* what the conservation line sums to */
	bool holds, summed; /* it holds; there is one */
	u32 statuses;	    /* whose letters stand in the list, a bit each: a line says what they mean */
	const char *spelt;  /* the column that spells them, so that the line goes where it is shown; NULL: none */
	u32 kept;	    /* rows that the list keeps before the tables have room; 0: the usual */
	struct grid grid[SHEET_GRIDS]; /* the first is the list that scrolls */
	u32 ngrids;
};

/* --- filling --- */
struct grid *sheet_grid(struct sheet *s, const char *key, const struct grid_column *column, u32 ncolumns);
/* The same with columns that are made for the view: they are copied, what their names point to must outlive it. */
struct grid *sheet_grid_made(struct sheet *s, const char *key, const struct grid_column *column, u32 ncolumns);
/* The conservation line: label, Σ, total, and whether it holds. Last in the title. */
void sheet_sum(struct sheet *s, const char *label, u64 total, bool holds);
void grid_int(struct grid *g, enum style style, i64 n);
/* A number that is shown as n, or as n and more, "16+8", if there are more. */
void grid_parts(struct grid *g, enum style style, i64 number, u32 n, u32 more);
/* How many lanes a mask has, shown as those that they are where they fit: 20-23. */
void grid_lanes(struct grid *g, enum style style, u32 mask);
void grid_real(struct grid *g, enum style style, double r);
void grid_share(struct grid *g, enum style style, double percent);
void grid_text(struct grid *g, enum style style, const char *s);
void grid_print(struct grid *g, enum style style, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* A status letter each, in its style: n bytes of enum warp_status, or of GRID_NO_LETTER, which is a dash. */
#define GRID_NO_LETTER 255
void grid_letters(struct grid *g, const u8 *status, u32 n);
void grid_bar(struct grid *g, enum style style, double value, double full);
void grid_none(struct grid *g);
/* A number where it is known; one above 0; else none. */
void grid_known(struct grid *g, enum style style, i64 n, bool known);
void grid_positive(struct grid *g, enum style style, double r);
/* The row being added is the focused one; the cursor stands on it. */
void grid_focus(struct grid *g);
void grid_cursor(struct grid *g);

/* --- grid.c's other half --- */
/* Text of a cell of a column `width` wide; scratch is used for what is not text. */
const char *grid_cell_text(const struct grid *g, const struct grid_cell *x, u32 width, char scratch[128]);
int grid_column_find(const struct grid *g, const char *name);
void grid_arrange(struct grid *g, const char *filter, const char *sort);
void grid_say(const struct grid *g, struct text *out);
json_t *grid_json(const struct grid *g);
void grid_close(struct grid *g);

/* --- showing --- */
void sheet_close(struct sheet *s);
/* Rows of the list, and rows of a canvas that holds all. */
u32 sheet_rows(const struct sheet *s);
u32 sheet_height(const struct sheet *s);
/* Leave rows out that do not match, and put them in order; the view says how. */
void sheet_arrange(struct sheet *s, const struct pane_view *v);
/* The column of the list in which cell x lies where it is drawn in so many columns; NULL: none. */
const char *sheet_column_at(const struct sheet *s, u32 width, u32 x);
void sheet_draw(const struct sheet *s, struct canvas *c, const struct pane_view *v);
void sheet_say(const struct sheet *s, struct text *out);
json_t *sheet_data(const struct sheet *s);

/* --- words that panes share --- */
enum style status_style(u32 status);
enum style outcome_style(u32 outcome);
/* A line that explains letters: those of warp states, and of outcomes (a bit each), as many as there is room for. */
void legend_line(struct canvas *c, u32 y, u32 statuses, u32 outcomes);
/* Rows of a pane from which on it has that line. */
#define LEGEND_HEIGHT 7u
/* n with thousands separated, without where it would be wider than `width`, shortened (1.2M) where that is. */
const char *count_text(i64 n, u32 width, char out[32]);
/* Part of whole in per cent, 0 of nothing. */
double share_of(u64 part, u64 whole);
/* "Σ 16 ✓" */
void text_add_sum(struct text *out, u64 total, bool holds);
/* Instruction pc of launch i as text, safe; "" if there is none. And the name of a launch. */
const char *view_instruction(const struct pane_view *v, u32 launch, u32 pc);
const char *view_launch(const struct pane_view *v, u32 launch);

#endif
