/*
 * keyframe.h - copies of the machine with a fork of the store, in the order of time, inside a budget of memory.
 */
#ifndef WARPSTEP_KEYFRAME_H
#define WARPSTEP_KEYFRAME_H

#include "snapshot.h"
#include "timeline.h"

#define KEYFRAMES_DENSE 2 /* newest ones that stay whatever their distance */

struct keyframe {
	struct position at; /* stage is always 0, but for the first */
	u32 inputs;	    /* journaled inputs that it has seen */
	u64 bytes;	    /* held by it and by no later one */
	double apart;	    /* seconds of the processor that lie between it and the one before it */
	struct snapshot machine;
	struct store store;
};

struct keyframes {
	struct keyframe *item; /* by position; item[0] is where the timeline began and is never dropped */
	u32 count;
	u64 bytes, budget;
	u64 snapshot_bytes;	 /* that the last snapshot copied of the machine */
	double snapshot_seconds; /* host time that it took */
	double cost_seconds;	 /* of one keyframe, the copies that later writes make included; smoothed */
};

static inline bool position_before(struct position a, struct position b)
{
	return a.cycle != b.cycle ? a.cycle < b.cycle : a.stage < b.stage;
}
static inline bool position_equal(struct position a, struct position b)
{
	return a.cycle == b.cycle && a.stage == b.stage;
}

void keyframes_free(struct keyframes *k);
/* A keyframe of a moment, which took `apart` seconds to come to from the one before it. */
struct moment {
	u32 inputs;
	double apart;
	u64 focus; /* where keyframes are to be densest */
};
/* Copy the machine as it stands, unless there is a keyframe of this moment; thin the others. */
void keyframes_lay(struct keyframes *k, struct sim *s, const struct moment *now);
/* Behind the last KEYFRAMES_DENSE ones, drop those that leave no gap of more than `most` seconds. */
void keyframes_loosen(struct keyframes *k, const struct sim *s, double most);
/* Make the machine what it was; settings of the host stay as they are. */
void keyframes_restore(struct keyframes *k, u32 index, struct sim *s);
/* The latest keyframe from which at least a part of a cycle is left to do before target; the first if none is. */
u32 keyframes_before(const struct keyframes *k, struct position target);
/* Drop those that are later than `at` or have seen more than `inputs` inputs. */
void keyframes_cut(struct keyframes *k, const struct sim *s, struct position at, u32 inputs);
/* Drop keyframes until the budget holds. */
void keyframes_thin(struct keyframes *k, const struct sim *s, u64 focus);

#endif
