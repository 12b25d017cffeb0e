/* floor_plan.h - what the files of the pane `floor` share. */
#ifndef WARPSTEP_FLOOR_PLAN_H
#define WARPSTEP_FLOOR_PLAN_H

#include "floor.h"
#include "follow.h"
#include "sheet.h"

/* Where everything stands: tiles in rows, then the rows of the memory, then the legend. */
struct floor_plan {
	u32 label;	   /* cells before a row of tiles: the number of its first SM */
	u32 per, rows;	   /* tiles of a row, rows of tiles */
	u32 first, shown;  /* rows of tiles from the first that is seen, and how many */
	u32 width, height; /* of a tile */
	u32 memory, below; /* rows of the memory; the first of them */
	bool legend;
};

#define FLOOR_LEGEND 5u /* rows of the pane from which on it has that */

/* One kind of mean or sum over the L2 slices or the DRAM channels. */
enum floor_row {
	FLOOR_TO_L2,
	FLOOR_L2_QUEUE,
	FLOOR_L2_LOOKUPS,
	FLOOR_TO_DRAM,
	FLOOR_DRAM_QUEUE,
	FLOOR_DRAM_BUS,
	FLOOR_ROWS
};

/* What `follow` follows: its sign in the tile of its SM, or in the row of the memory at its slice or channel; the sign
 * of the SM to which it returns. */
#define FLOOR_FOLLOWED 0x25cfu
#define FLOOR_AWAY 0x25cbu
/* The row in which it is, of those that are drawn; FLOOR_ROWS: the tile of its SM. */
enum floor_row floor_followed(const struct floor_plan *p, const struct follow_spot *spot);
/* Is a row of the memory drawn? */
bool floor_draws(const struct floor_plan *p, enum floor_row row);

/* Lay it out for n SMs, so that row `sm` is seen. */
void floor_plan(struct floor_plan *p, u32 width, u32 height, u32 n, u32 sm);
void floor_tiles(struct canvas *c, const struct pane_view *v, const struct floor_view *f, const struct floor_plan *p);
/* The SM of a cell; NONE32: none. */
u32 floor_tile_at(const struct floor_plan *p, u32 n, u32 x, u32 y);
void floor_memory(struct canvas *c, const struct pane_view *v, const struct floor_view *f, const struct floor_plan *p);
/* What a row of the memory amounts to: share of its room or its clocks; and in words ("12 of 512"). */
double floor_share(const struct floor_view *f, enum floor_row row);
void floor_words(const struct floor_view *f, const struct pane_view *v, enum floor_row row, struct text *out);
/* A share from which on bandwidth is what limits. */
#define FLOOR_LIMIT 0.8
extern const char *const floor_row_name[FLOOR_ROWS];

/* The sign of a kernel, what fills its part of a bar, its style; the digit of a value within the range, the style of
 * that digit. */
char floor_sign(u32 launch);
u32 floor_texture(u32 launch);
enum style floor_style(u32 launch);
u32 floor_digit(const struct floor_view *f, double value);
enum style floor_digit_style(u32 digit);
/* The outcome that took most of an SM's slots beside those that issued; SLOT_OUTCOME_COUNT: none was lost. */
u32 floor_stall(const struct floor_sm *x);
/* SMs that hold a kernel, or have a mark; those that hold nothing. */
u32 floor_holders(const struct floor_view *f, u32 launch);
u32 floor_marked(const struct floor_view *f, u32 mark);
u32 floor_idle(const struct floor_view *f);
/* CTAs of all tiles; whether they are as many as their kernels have, and as the SMs count. */
u64 floor_ctas(const struct floor_view *f, const struct pane_view *v, bool *holds);
/* The SM under the cursor. */
u32 floor_cursor(const struct pane_view *v);
/* "3: 1.23": a value as text. */
void floor_value_text(const struct pane_view *v, const struct floor_sm *x, struct text *out);
void floor_say(struct text *out, const struct pane_view *v);
json_t *floor_data(const struct pane_view *v);

#endif
