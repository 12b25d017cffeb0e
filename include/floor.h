/*
 * floor.h - the GPU as a floor: what each SM holds, what it, the L2 slices and the DRAM channels did in the last
 * cycles, and one value of each SM that colors it. For the pane `floor`.
 *
 * What is counted over the last FLOOR_CYCLES cycles is the difference of two states of the machine, so it is the same
 * from whichever side the position was reached.
 */
#ifndef WARPSTEP_FLOOR_H
#define WARPSTEP_FLOOR_H

#include "session_data.h"

#define FLOOR_CYCLES 100u /* that counters are compared over */
#define FLOOR_SECTOR 32	  /* bytes */
#define FLOOR_PARTS 6	  /* kernels of an SM that are told apart */

/* What colors an SM. */
enum floor_color { FLOOR_KERNEL, FLOOR_OCCUPANCY, FLOOR_IPC, FLOOR_STALL, FLOOR_EXPR, FLOOR_COLORS };
extern const char *const floor_color_name[FLOOR_EXPR];

/* What is special about an SM, the most pressing first. */
enum floor_mark {
	FLOOR_OFF,	 /* power-gated */
	FLOOR_GIVES,	 /* CTAs are to leave it for another kernel */
	FLOOR_GAVE,	 /* a CTA was preempted in the last cycles */
	FLOOR_CLOSED,	 /* it accepts no CTAs */
	FLOOR_TRIES,	 /* a partition is tried on it (policy maestro) */
	FLOOR_DEDICATED, /* it is kept for one kernel (policy maestro, a launch with a deadline) */
	FLOOR_PLAIN,
	FLOOR_MARKS
};
struct floor_mark_row {
	char letter;
	const char *name, *doc;
};
extern const struct floor_mark_row floor_mark_table[FLOOR_MARKS];

/* A kernel's share of an SM. */
struct floor_part {
	u32 launch, ctas, warps;
};
struct floor_sm {
	struct floor_part part[FLOOR_PARTS]; /* by number of the kernel; more than these are in the last */
	u32 nparts, ctas, warps;
	u64 issued, requests, replies, outcome[SLOT_OUTCOME_COUNT]; /* in the last cycles */
	u8 mark;						    /* enum floor_mark */
	bool known;						    /* it has a value */
	double value;
};
struct floor_slice {
	u32 queued;
	u64 lookups, replies;
};
struct floor_channel {
	u32 queued;
	u64 busy, sectors;
};
struct floor_view {
	u64 cycles; /* that the counts are of, up to now; 0: no cycle has run */
	u32 sms, slices, channels, slice_room, channel_room;
	double slice_clocks, channel_clocks; /* in those cycles */
	double sectors;			     /* that a channel can move per clock */
	double low, high;		     /* range of the value */
	struct floor_sm *sm;
	struct floor_slice *slice;
	struct floor_channel *channel;
};

struct floor;

/* Look at a machine of the session. False: interrupted. Free what it gives in any case. */
bool floor_open(struct floor_view *f, struct floor **slot, struct session *s, const struct sim *sim);
void floor_close(struct floor_view *f);

/* What colors SMs: a name of floor_color_name, or an expression over an SM. column: where text stands in its line. */
enum status floor_color_set(struct floor **slot, struct session *s, const char *text, u32 column, struct error *e);
enum floor_color floor_color(const struct floor *p);
/* Its name, or the text of the expression. */
const char *floor_color_text(const struct floor *p);
/* The range that colors stand for; false: from 0 to the largest value there is. */
bool floor_range(const struct floor *p, double *low, double *high);
void floor_range_set(struct floor **slot, bool fixed, double low, double high);

/* The machine is gone; and for good. */
void floor_forget(struct floor *p);
void floor_free(struct floor *p);

#endif
