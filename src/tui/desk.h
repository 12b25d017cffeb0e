/*
 * desk.h - what the parts of the full screen share: layouts, the focused pane, the prompt as readline shows it, the
 * list that lies over the panes. One for each session (session.desk), made when it is first asked for.
 */
#ifndef WARPSTEP_DESK_H
#define WARPSTEP_DESK_H

#include "pane.h"
#include "tui.h"

#define LAYOUT_ROWS 12
#define LAYOUT_PANES 4 /* of a row */
#define LAYOUT_COLUMNS 4
#define COLUMNS_HEIGHT 20u /* rows below which columns are stacked */
#define MAX_AREAS (LAYOUT_ROWS * LAYOUT_PANES)
#define MAX_PROMPT (1u << 20) /* cells of a prompt line that are kept */
/* Below these there are no panes: the console's end and the prompt. */
#define LEAST_WIDTH 40u
#define LEAST_HEIGHT 10u

struct layout_row {
	u8 pane[LAYOUT_PANES];
	u32 share[LAYOUT_PANES];
	u32 npanes, weight, column;
	bool spare; /* stands only where the other rows leave room */
};
struct layout {
	char *name, *text;
	const char *doc; /* NULL: the user's */
	struct layout_row row[LAYOUT_ROWS];
	u32 nrows, column_share[LAYOUT_COLUMNS], ncolumns;
};

/* Where a pane lies, and whether a separator stands at its left, and goes on above. */
struct area {
	u32 x, y, width, height;
	u8 pane;
	bool separated, below;
};

#define KEY_BOUND "user-defined key" /* doc of a key that the user has bound */
/* A key of the single-key mode. */
struct key_row {
	char *name, *command;
	const char *where, *hint, *doc;
	const struct line_origin *from; /* of the command (rights.h) */
};

/* What lies over the panes. */
enum overlay { OVERLAY_NONE, OVERLAY_LIST, OVERLAY_LEGEND };

struct desk {
	struct layout *layout;
	u32 nlayouts;
	int chosen; /* layout, -1: by the size of the screen */
	u8 focus;   /* enum pane_id */
	bool zoom;
	int grow[LAYOUT_ROWS]; /* rows more than the layout gives, by row of the layout */
	u32 scroll[PANE_COUNT];
	u64 cursor[PANE_COUNT];	     /* as in struct pane_view */
	u32 width, height;	     /* of the last frame */
	struct area area[MAX_AREAS]; /* of the last frame */
	u32 nareas;
	u32 cursor_x, cursor_y; /* of the last frame */

	struct key_row *key;
	u32 nkeys;
	bool keys;    /* single-key mode */
	bool once;    /* one line at the prompt, then keys again */
	bool typed;   /* the line that runs was typed */
	bool present; /* for a lecture: no prompt in single-key mode; */
	struct {
		int chosen;
		u8 focus;
		bool keys;
	} before_present; /* what comes back at its end */
	bool running, repaint;
	bool output_seen;		     /* the last command's output needs no more room than the console has */
	u64 typed_cycle, typed_page;	     /* the cycle and the lesson's page when the last line was typed */
	char message[256];		     /* of the last quiet key */
	const struct line_origin *line_from; /* of the line that a key or a choice stands for */
	u8 asked;			     /* whether to leave: 2 just now, 1 by the key before, 0 */

	u32 *prompt;	    /* characters of the prompt line as shown */
	u32 nprompt, point; /* point: the cursor's place among them */
	u32 left;	    /* first one shown */

	char found[64]; /* what was searched for last in a pane; "": nothing */
	u32 found_at;	/* where: a row of the pane drawn at full height; of the console lines from its end */

	struct cast *cast; /* what is being recorded, NULL */

	u8 overlay; /* enum overlay */
	char search[64];
	u32 chosen_row, first_row;
};

struct breakpoint;
struct desk *desk_of(struct session *s);
/* A line is typed: what it says is to be seen, until the next one. */
void desk_typed(struct session *s);
/* Has the last typed line said what no pane shows? Its answer, where it neither moved the machine nor turned the page
 * of a lesson; the lines of a stop do not count. */
bool desk_spoken(struct session *s, u32 rows);
/* Is a pane seen on a screen as large as the last frame? */
bool desk_shows(struct session *s, u8 pane);
/* Its place in the last frame; NULL: it had none. */
const struct area *desk_area(const struct desk *d, u8 pane);
/* cursor.c: the cursor of a pane, NO_CURSOR if it has not been moved; it goes back to the focused warp (true: it was
 * away). */
u64 desk_cursor(const struct session *s, enum pane_id id);
bool desk_follow(struct session *s);
/* The SM under the cursor of the pane floor, which goes back to the focused SM, as that is to be focused; false: there
 * is no machine. */
bool desk_take_tile(struct session *s, u32 *sm);
/* The stop under the cursor of breakpoints, or the next one where it is gone; NULL: there are none. */
struct breakpoint *stop_under(const struct session *s, u64 cursor);
/* The number of the stop that stands at the focused pane's cursor; 0: none. */
u32 desk_stop(struct session *s);
/* layout.c */
void layouts_open(struct desk *d);
void layouts_free(struct desk *d);
const struct layout *layout_now(const struct desk *d);
/* Lay the panes out on width x height from row `top`. */
void layout_solve(struct session *s, u32 width, u32 height, u32 top);
/* Whether the layout in use holds a pane at all. */
bool layout_holds(const struct desk *d, u8 pane);
/* `present`: the layout in force gives way to a large one of its drawing, or of notes; another one stays, unless the
 * presentation begins. */
void layout_present(struct desk *d, bool begins);
/* keys.c */
void keys_open(struct desk *d);
void keys_free(struct desk *d);
/* The row of a key for the focused pane, NULL if it has none. */
const struct key_row *key_find(struct session *s, const char *name);
/* Its line with the placeholders filled in; xmalloc'ed, NULL (and a message) where the focus gives no number. */
char *key_line(struct session *s, const struct key_row *k);
/* Is there such a command, so that the key can work? */
bool key_works(const struct key_row *k);
/* The command of its line; NULL: what the line begins with is none. */
const struct command *key_command(const struct key_row *k);
/* Does it do nothing while a question of a lesson waits? */
bool key_waits(const struct session *s, const struct key_row *k);
/* Does its line only look about: it is run in silence, its answer is a message. */
bool key_is_quiet(const char *line);
/* Rows at the bottom that are no panes: prompt and hints, or hints alone. */
u32 desk_bottom(const struct desk *d);
/* status.c */
void status_draw(struct session *s, struct canvas *c, u32 y);
void hints_draw(struct session *s, struct canvas *c, u32 y);
/* prompt_draw.c: the prompt on row y; sets the cursor. */
void prompt_draw(struct session *s, struct canvas *c, u32 y);
/* console_draw.c; console_need: rows that the last command's output takes on a canvas of that width (at most about its
 * height) */
void console_draw(struct session *s, struct canvas *c, bool title);
u32 console_need(struct session *s, const struct canvas *c);
/* find.c: mark what was searched for. */
void find_mark(const struct desk *d, struct canvas *c);
/* overlay.c */
struct key;
void overlay_draw(struct session *s, struct canvas *c, u32 top, u32 height);
/* A key for the overlay; a chosen line (xmalloc'ed; ends in a blank if it is to be completed), or NULL. */
char *overlay_key(struct session *s, const struct key *k);
/* The wheel over the list. */
void overlay_wheel(struct desk *d, const struct key *k);

#endif
