/*
 * pace.h - when the next keyframe is due.
 */
#ifndef WARPSTEP_PACE_H
#define WARPSTEP_PACE_H

#include "keyframe.h"

#define CLOCK_STEPS 32 /* steps between two readings of the host's clock */

struct pace {
	u64 interval; /* cycles, 0: paced by time */
	bool enabled;
	double clock;	      /* this thread's seconds of the processor when last read */
	double spent;	      /* seconds simulated since the last keyframe was laid or restored */
	double cycle_seconds; /* of one cycle, smoothed; 0 unknown */
	u64 clock_cycle;      /* cycle when the clock was last read */
	u32 steps;	      /* since then */
	u64 since;	      /* cycle of the last keyframe laid or restored */
	u64 target, gap;      /* of a move, and the distance from it of the next keyframe; gap 0: none */
	u64 focus;	      /* where a replay or a search goes: keyframes stay densest there; 0: none */
};

/* Begin to measure: what the host did since the last move does not count. */
void pace_start(struct pace *p, const struct sim *s);
/* Seconds of the processor since the last keyframe was laid or restored. */
double pace_spent(struct pace *p, const struct sim *s);
/* The largest gap in such seconds that old keyframes may leave. */
double pace_most(const struct keyframes *k);
/* Plan keyframes on the way to a target. */
void pace_plan(struct pace *p, const struct sim *s, u64 target);
/* Do so many cycles take long enough that a keyframe behind them is worth it? */
bool pace_far(const struct pace *p, u64 cycles);
/* The least useful distance between keyframes, in cycles: a shorter one is replayed faster than it is laid. */
u64 pace_least(const struct pace *p, const struct keyframes *k);
/* The next cycle at which a keyframe is due whatever the clock says, NEVER: none. */
u64 pace_next(const struct pace *p);
/* Cycles that may pass before the next look at the clock, NEVER: nobody looks at it. */
u64 pace_room(const struct pace *p, const struct keyframes *k);
/* After a step: whether a keyframe is due here. */
bool pace_step(struct pace *p, const struct sim *s, const struct keyframes *k);
/* A keyframe was laid or restored at `cycle`. */
void pace_mark(struct pace *p, u64 cycle);

#endif
