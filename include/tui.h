/*
 * tui.h - the full screen: the same commands and panes as the plain prompt, in ncurses with readline inside.
 *
 * A frame is one canvas: status line, panes by the layout, console, prompt, hints. It is composed without a terminal
 * (`screen dump`), and shown by ncurses when there is one. Nothing but curses writes to the terminal meanwhile:
 * standard output and error go to the console.
 */
#ifndef WARPSTEP_TUI_H
#define WARPSTEP_TUI_H

#include "session_data.h"

enum colour_wish { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER }; /* style.colour */

/* Whether the terminal can show it; if not, *why is a sentence (NULL: nobody would expect it, so nothing is to be
 * said). */
bool tui_possible(const struct session *s, const char **why);
enum status tui_start(struct session *s, struct error *e);
/* Give the terminal back; lines that were never seen are printed. Does nothing when it is not on. */
void tui_stop(struct session *s);
bool tui_active(void);
/* Is the full screen on for this session, and is the pane of notes seen on it? */
bool tui_shows_notes(struct session *s);
/* A frame of an animation, shown for so long; true: a key or Ctrl-C asks to stop. */
bool tui_watch(struct session *s, u32 milliseconds);
/* The next line, typed or from a key; NULL at the end of input. xmalloc'ed. *typed: to be kept in the history; *from:
 * where it comes from (rights.h). */
char *tui_line(struct session *s, const char *prompt, bool *typed, const struct line_origin **from);

/* --- the desk: what is shown where; it exists without a screen --- */
struct canvas;
struct desk;
void desk_free(struct session *s);
/* The whole screen as it would be now on a canvas; and on one made for it, as large as the full screen, or as --size
 * says, or 80x24. */
void frame_compose(struct session *s, struct canvas *c);
void frame_now(struct session *s, struct canvas *c);
/* layout NAME: choose; layout NAME = TEXT: define. */
enum status layout_choose(struct session *s, const char *name, struct error *e);
enum status layout_define(struct session *s, const char *name, const char *text, u32 column, struct error *e);
/* The i-th layout (i from 0): name and text; false at the end. *now: it is the one shown. */
bool layout_row(struct session *s, u32 i, const char **name, const char **text, const char **doc, bool *now);
/* Commands that bring the layouts back. */
void layout_save(struct session *s, struct text *out);
/* Those that bring heights, the focused pane, zoom and the user's keys back: after the layout's. */
void desk_save(struct session *s, struct text *out);
/* Focus a pane by name, `next` or `previous`. */
enum status desk_focus(struct session *s, const char *name, struct error *e);
void desk_zoom(struct session *s);
/* Rows more (or fewer) for the focused pane's row; 0: as the layout says. */
enum status desk_grow(struct session *s, int by, struct error *e);
void desk_scroll(struct session *s, int by);
/* The cursor of the focused pane, if that is code, source, registers or breakpoints: so many rows on, or on the focused
 * warp (the first stop) again (by 0). */
enum status desk_move_cursor(struct session *s, int by, struct error *e);
/* The cursor of the pane floor: so many tiles on, or rows of tiles; false: there is no machine. */
bool desk_move_tile(struct session *s, int by, bool rows);
/* The place on which the cursor of the focused pane stands, as `break` takes it: added to out; false: that pane has
 * none. */
bool desk_place(struct session *s, struct text *out);
const char *desk_focused(struct session *s);
/* Is a pane in the layout that is shown? */
bool desk_holds(struct session *s, const char *pane);
/* Columns of what is printed: of the console on the full screen, else those of session_columns(); 0: any number. */
u32 desk_columns(struct session *s);
/* Columns of what is drawn without a size of its own: the same, or 80. */
u32 desk_drawn(struct session *s);
/* Scroll the focused pane to the next row (back: the one before; of the console, the next line above) that holds a
 * text; NULL: the one of last time. */
enum status desk_find(struct session *s, const char *text, bool back, struct error *e);
/* End the search: nothing is marked any more. */
void desk_find_nothing(struct session *s);
/* What the focused pane's letters mean; the list of keys and commands. */
void desk_legend(struct session *s);
/* Whether to leave has been asked: true if the line before in single-key mode asked, too. */
bool desk_sure(struct session *s);
void desk_help(struct session *s);
/* Pane data: show what a text names (extent.h), move its cursor (false: there is nothing to move in), see its bytes as
 * another type (by: so many types on) or in hexadecimal, go to the address that stands under it, and back. */
enum data_unit { DATA_ELEMENT, DATA_ROW, DATA_PAGE };
enum status data_go(struct session *s, const char *text, struct error *e);
bool data_move(struct session *s, i64 by, enum data_unit unit);
void data_type(struct session *s, u8 type);
void data_type_step(struct session *s, int by);
void data_hex(struct session *s);
enum status data_follow(struct session *s, struct error *e);
enum status data_back(struct session *s, struct error *e);
/* The element under the cursor as a place, and what is in it (value may be NULL); false: there is none. */
bool data_cell(struct session *s, struct text *place, struct text *value);
/* Commands that bring it back where the machine and the focus are as they are. */
void data_save(const struct session *s, struct text *out);
/* The screen for a lecture (desk_presenting, pane.h), or as it was before. */
void desk_present(struct session *s, bool on);
/* Record what is shown in a file (cast.h) of outfile_open(), which is taken over; one at a time. Its end: what has
 * become of it; and where the program ends, if anything is being recorded. */
struct cast_told {
	char name[256]; /* safe text */
	u64 frames;
	double seconds;
};
enum status cast_may_begin(struct session *s, struct error *e);
void cast_begin(struct session *s, FILE *f, const char *name);
enum status cast_end(struct session *s, struct cast_told *told, struct error *e);
enum status cast_close(struct session *s, struct error *e);
/* Keys or prompt. */
void desk_keys(struct session *s, bool on);
void desk_repaint(struct session *s);
/* key NAME = COMMAND ("" takes it away); the i-th key, false at the end. */
enum status key_bind(struct session *s, const char *name, const char *command, u32 column, struct error *e);
struct key_view {
	const char *name, *command, *where, *hint, *doc;
	bool shadows;			/* it is not what it was at the start */
	const struct line_origin *from; /* of the command (rights.h) */
};					/* a row of keys.def */
bool key_row(struct session *s, u32 i, struct key_view *out);

#endif
