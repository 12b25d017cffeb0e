/*
 * pane.h - panes have no memory: draw(canvas, view) to a canvas of cells.
 *
 * The same cells feed the full screen (ncurses), `show PANE` (text), the linear text of --plain, JSON and golden tests.
 * A pane is one file src/tui/pane_NAME.c with one `const struct pane pane_NAME` and one row in panes.def.
 * What changed since the last stop is found by drawing the same pane of the machine as it was then and comparing cells.
 */
#ifndef WARPSTEP_PANE_H
#define WARPSTEP_PANE_H

#include "expr.h"
#include "session.h"

/* What a cell means; how it looks (letter, attribute, color) is in styles.def. */
enum style {
#define STYLE(id, name, attribute, dark, light, dark256, light256, doc) STYLE_##id,
#include "styles.def"
#undef STYLE
	STYLE_COUNT
};

#define CELL_MARKS 2 /* combining characters that a cell keeps; more are not shown */

struct cell {
	u32 ch;		      /* Unicode; 0: the right half of the wide character before it */
	u32 mark[CELL_MARKS]; /* combining characters over ch, 0 none */
	u8 style;	      /* enum style */
	u8 changed;	      /* differs from the last stop: shown marked */
	u8 focus;	      /* part of the focused row: shown marked */
	u8 pad;
};

struct canvas {
	u32 width, height;
	struct cell *cell; /* height x width */
	bool ascii;	   /* only 7-bit characters */
	u32 *row_at; /* of each line the row of the pane's list that is drawn there, as it was added; NULL: not asked */
};

/* A row of styles.def. */
struct style_row {
	const char *name;
	char attribute;
	char letter[2]; /* of the eight colors, on a dark background and on a light one */
	u8 palette[2];	/* the same of 256; NO_COLOUR (picture.h): the terminal's own */
	const char *doc;
};
extern const struct style_row style_table[STYLE_COUNT];

/* A canvas of blanks. */
void canvas_init(struct canvas *c, u32 width, u32 height, bool ascii);
void canvas_free(struct canvas *c);
/* Text at x, y, cut with a sign in the last column where it reaches over; returns the column after it. UTF-8 in,
 * control bytes shown escaped. */
u32 canvas_print(struct canvas *c, u32 x, u32 y, enum style style, const char *fmt, ...) PRINTF_LIKE(5, 6);
/* The same of a text as it is; and of one character. */
u32 canvas_text_at(struct canvas *c, u32 x, u32 y, enum style style, const char *s);
u32 canvas_put(struct canvas *c, u32 x, u32 y, u32 ch, enum style style);
/* Cells that a character takes there: 0 a combining one, 1, 2 a wide one. */
u32 canvas_width(const struct canvas *c, u32 ch);
/* Columns that a text takes on this canvas. */
u32 canvas_columns(const struct canvas *c, const char *s);
/* A title rule over the whole width: name, focus, conservation line (Σ n ✓, in STYLE_BAD where it holds ✗). Where
 * the width does not do, parts of the sum go from the left, which are set off by two blanks; then the focus. */
void canvas_title(struct canvas *c, u32 y, const char *name, const char *focus, const char *sum);
/* A bar of eighths, or of # in ASCII, filling `value` of `full`, `width` cells. */
void canvas_bar(struct canvas *c, u32 x, u32 y, u32 width, double value, double full, enum style style);
/* Copy a canvas into another at x, y. */
void canvas_blit(struct canvas *to, const struct canvas *from, u32 x, u32 y);
/* Mark a row as the focused one. */
void canvas_focus(struct canvas *c, u32 y);
/* Mark cells of now that differ from before. */
void canvas_compare(struct canvas *now, const struct canvas *before);
/* Row y as UTF-8, trailing blanks removed, added to out; and all rows as lines, without the empty ones at the end. */
void canvas_row_text(const struct canvas *c, u32 y, struct text *out);
void canvas_text(const struct canvas *c, struct text *out);

struct sheet;

#define NO_CURSOR UINT64_MAX

/* What a pane draws from. Everything is const; sim's counters are up to date. */
struct pane_view {
	struct session *session; /* for names, expressions, notes, console: not to be changed; its sim is the view's */
	const struct sim *sim;	 /* the machine now (or as it was at the last stop); NULL: there is none */
	const struct record *record; /* records of the last cycle */
	u32 nrecords;
	struct focus focus;
	u32 lane; /* of the focused warp: the one that code.lane names, or the first active one; at the last stop the
		     same */
	const struct pane_view *before; /* at the last stop; NULL: there was none, or it is not kept */
	u32 scroll; /* first row of a list that is longer than the pane; 0: so that the focus is seen; or SCROLL_TOP */
	const char *filter; /* a pattern, or NULL: only rows with a cell that holds it (see `help filter`) */
	const char *sort;   /* a column's name, behind - to sort downwards, or NULL */
	u32 width;	    /* columns that there are to draw in */
	bool plain;	    /* linear sentences instead of tables (a screen reader) */
	u64 cursor; /* of the panes code, source, registers, breakpoints: the instruction, 2^32 x file + line, the row,
		       the stop's number; NO_CURSOR: on the focused warp, the first stop, nowhere */
};

/* What a click into a pane hits, below its title. */
struct pane_spot {
	u32 x, y, height;   /* the cell, rows of the pane */
	u32 row;	    /* of its list, as it was added; NONE32: none */
	const char *column; /* name of the column; NULL: none */
	bool beside;	    /* it is the second sheet's row and column */
};

#define SCROLL_TOP (NONE32 - 1) /* of a view: from the first row on, wherever the focus is */

/* The line of a legend that holds for every pane. */
#define LEGEND_OF_ALL \
	"Σ N ✓ in a title: invariant check, the total of what is shown is correct (✗: wrong)   ▸ focused row   bold: changed since the last stop"

struct pane {
	const char *name, *summary, *legend; /* legend: what the letters mean, lines */
	const char *pick; /* the line that a click on a row stands for; names in braces are columns; NULL */
	/* else what a click does: the cursor's place is set, or a line is added that is to be run, or neither */
	void (*point)(const struct pane_view *v, const struct pane_spot *at, u64 *cursor, struct text *line);
	const char *ask; /* commands to try while it has the focus, for the bar at the bottom */
	struct {
		u32 least_width, least_height, wish_height;
	} size;
	/* a pane made of tables fills a sheet (src/tui/sheet.h) and leaves the rest NULL; others draw themselves */
	void (*fill)(struct sheet *sheet, const struct pane_view *v);
	void (*draw)(struct canvas *c, const struct pane_view *v);
	/* a second sheet at the right, from so many columns on; NULL: none */
	void (*beside)(struct sheet *s, const struct pane_view *v);
	u32 beside_width;
	bool without_machine; /* it can be drawn when there is no machine */
	bool stream;	      /* its rows move on: what changed is not marked */
	/* the pane as sentences, for --plain; NULL: the canvas's text */
	void (*say)(struct text *out, const struct pane_view *v);
	/* the numbers of the pane for `show` with -j; NULL: the lines alone */
	json_t *(*data)(const struct pane_view *v);
	u32 (*rows)(const struct pane_view *v);	  /* rows of its list, for scrolling; NULL: fixed */
	u32 (*height)(const struct pane_view *v); /* rows that show all of it; NULL: wish_height, or as rows() needs */
};

enum pane_id {
#define PANE(id) PANE_##id,
#include "panes.def"
#undef PANE
	PANE_COUNT
};
extern const struct pane *const pane_table[PANE_COUNT];
int pane_find(const char *name, struct error *e);
/* A view of the session now; and of the machine at the last stop (false: there was none, or it is not kept). */
void pane_view_now(struct session *s, struct pane_view *v);
bool pane_view_before(struct session *s, struct pane_view *v);
/* Draw a pane and mark what changed since the last stop. */
void pane_draw(struct session *s, enum pane_id id, struct canvas *c, u32 scroll, const char *filter);

/* Rows of its list, for scrolling; the height at which all of it is seen in `width` columns. */
u32 pane_rows(struct session *s, enum pane_id id, const char *filter);
u32 pane_height(struct session *s, enum pane_id id, u32 width);
/* The line that a click on cell x, y of a pane of that size stands for; NULL: none. xmalloc'ed. *cursor: where it puts
 * the pane's cursor, or as it was. */
char *pane_pick(struct session *s, enum pane_id id, const struct canvas *size, u32 scroll, u32 x, u32 y, u64 *cursor);
/* Rows of its list before the first that is drawn on such a canvas; 0 for one that draws itself. */
u32 pane_top(struct session *s, enum pane_id id, const struct canvas *size, u32 scroll);
/* Is the screen one for a lecture: large notes? */
bool desk_presenting(const struct session *s);
/* The pane as sentences; and as JSON (a new object). */
void pane_say(struct session *s, enum pane_id id, struct text *out);
json_t *pane_json(struct session *s, enum pane_id id);
/* The filter and the order that `filter` and `sort` have set for a pane; NULL or "": none. pane_draw uses them where
 * its caller gives no filter. */
const char *pane_filter(const struct session *s, enum pane_id id);
const char *pane_sort(const struct session *s, enum pane_id id);
void pane_set_filter(struct session *s, enum pane_id id, const char *pattern);
/* The i-th heading by which the rows of a pane can be sorted, copied into out; false: there is none. */
bool pane_column(struct session *s, enum pane_id id, u32 i, char *out, size_t size);
enum status pane_set_sort(struct session *s, enum pane_id id, const char *column, struct error *e);

/* Commands that bring filters and orders back. */
void panes_save(const struct session *s, struct text *out);

/* Where the session keeps its spark lines (spark.h). */
struct sparks;
struct sparks **panes_sparks(struct session *s);
const struct sparks *sparks_of(const struct session *s);
struct floor;
struct floor **panes_floor(struct session *s);
const struct floor *floor_of(const struct session *s);

/* Keep the machine as it is now as that of the last stop: called when a move begins. Does nothing until panes_keep. */
void panes_remember(struct session *s);
/* From now on the machine of the last stop is kept. */
void panes_keep(struct session *s);
/* The machine is gone: forget what was kept of it; and for good. */
void panes_forget(struct session *s);
void panes_close(struct session *s);
extern const struct session_part tui_part;
/* The text that was printed, for the console pane: the newest CONSOLE_LINES lines, safe to show. */
#define CONSOLE_LINES 1000
void console_add(struct session *s, const char *text, size_t length);
u32 console_count(const struct session *s);
/* Line i, the oldest first. */
const char *console_line(const struct session *s, u32 i);
void console_free(struct session *s);

#endif
