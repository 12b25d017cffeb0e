/*
 * datapath_draw.h - the drawing of pane datapath: where its boxes stand (datapath_plan.c), what they hold
 * (datapath_boxes.c), and how they and the paths between them are drawn (datapath_draw.c).
 */
#ifndef WARPSTEP_DATAPATH_DRAW_H
#define WARPSTEP_DATAPATH_DRAW_H

#include "datapath.h"
#include "follow.h"
#include "sheet.h"

#define LEAST_ACROSS 62u    /* columns of a sub-core whose boxes stand side by side; */
#define LEAST_DOWN 30u	    /* of one whose boxes stand below each other */
#define UNIT_ROW 2u	    /* of the table: of the execution units */
#define FOLLOW_SIGN 0x25cfu /* of what is followed */
#define MOST_SPOTS (MAX_SUBCORES * BOX_COUNT)

/* A box on the canvas; of a shared one sub is the focused sub-core. Flat: one line between two walls, name and contents
 * behind each other. */
struct box_place {
	u8 box, sub;
	bool flat;
	u32 x, y, width, height;
	u32 lines; /* for its contents */
};
struct plan {
	const struct datapath *d;
	bool fits;	 /* there is room for boxes */
	bool across;	 /* one sub-core, in the whole width */
	bool low;	 /* boxes have no lower wall, the execution units one line each where there are too few */
	u32 first, subs; /* sub-cores drawn */
	u32 column;	 /* columns of each */
	u32 gap;	 /* row below the execution units in which their results are drawn */
	u32 lane[MAX_SUBCORES]; /* column of the path from the collector units to the LSU */
	bool under;		/* there is a row for the path below the last row of boxes */
	u32 bottom;		/* first row below the boxes */
	u32 height;		/* rows that show all, with what is said below */
	struct box_place spot[MOST_SPOTS];
	u32 nspots;
};

/* What pane datapath looks at: the boxes of the focused SM, and what moved in the last cycle, by sub-core. */
struct scene_of {
	const struct pane_view *v;
	struct datapath d;
	struct moves moves[MAX_SUBCORES];
	u32 cursor; /* box, BOX_COUNT: none */
	u32 marked; /* box in which what is followed is, BOX_COUNT: none of this SM */
	bool follows;
	struct follow_spot spot; /* if so */
};

/* A drawing that is made: cell is datapath_draw.c's. */
struct line_cell;
struct picture_of {
	struct canvas *c;
	const struct plan *p;
	const struct scene_of *s;
	struct line_cell *cell;
};

/* Place the boxes in width x height cells, those of all sub-cores where there is room, else those of one. */
void plan_make(struct plan *p, const struct datapath *d, u32 sub, u32 width, u32 height);
/* A box of a sub-core; NULL: it is not drawn. */
const struct box_place *plan_find(const struct plan *p, u32 box, u32 sub);
/* What is in a box. */
void datapath_contents(const struct picture_of *d, const struct box_place *at);
/* Boxes and paths. */
void datapath_draw(struct canvas *c, const struct plan *p, const struct scene_of *s);
/* Everything as lines of words, where there is no room for boxes; returns the row below them. */
u32 datapath_draw_chain(struct canvas *c, const struct scene_of *s);
/* The title of a box: its name, how much of it is in use. */
void datapath_title(const struct scene_of *s, u32 box, u32 sub, struct text *out);
/* The letters of warps that a path keeps: those of a sub-core in these states. */
void datapath_letters(const struct scene_of *s, enum path path, u32 sub, struct text *out);
/* Reads that wait at the banks; collector units with all operands that wait for a kind of unit; or refusals. */
bool datapath_has_path(const struct scene_of *s, enum path path);
bool datapath_blocked(const struct scene_of *s, enum path path, u32 sub);
bool datapath_unit_blocked(const struct scene_of *s, u32 kind, u32 sub);
/* Does an item stand in a box of a sub-core, or (NONE32) of any? */
bool datapath_shows(const struct box_item *x, u32 box, u32 sub);
/* An item as a word: 5L, 7. */
void datapath_word(const struct box_item *x, char out[16]);
/* The style of its CTA, or of its kernel where several are resident. */
enum style datapath_colour(const struct scene_of *s, u32 context);

#endif
