/*
 * move.h - a timeline's parts, and the moves of which its verbs are made.
 */
#ifndef WARPSTEP_MOVE_H
#define WARPSTEP_MOVE_H

#include "journal.h"
#include "keyframe.h"
#include "pace.h"

struct timeline {
	struct sim *sim;
	struct keyframes frames;
	struct journal journal;
	struct pace pace;
	struct position tip;
	u64 version;  /* of the inputs */
	bool in_step; /* a fault lies ahead: SMs may not run ahead of each other (sim_run) */
};

/* What to do after each cycle on the way. */
struct course {
	const struct watcher *watcher; /* NULL: nobody asks */
	bool to_the_end;	       /* note where it fires and go on */
	u64 fired;		       /* last cycle in which it did, NEVER: none */
};

/* Why the machine cannot go on, STOP_NONE if it can. A cycle that has begun can always be completed. */
enum stop_kind move_end(const struct sim *s);
/* Go forwards to target, unless the watcher, an end or an interrupt comes first. */
enum stop_kind move_advance(struct timeline *t, struct position target, struct course *c);
/* Tell the watcher that the cycle before the next one that it is asked about is this one. */
void move_place(struct timeline *t, const struct watcher *w);
/* A simulator as keyframe k was; settings of the host stay as they are (fork.c). */
void fork_keyframe(const struct timeline *t, const struct keyframe *k, struct sim *out);
/* Make the machine what it was at keyframe i. */
void move_restore(struct timeline *t, u32 i);
/* Restore and replay: to a position at or before the tip. */
enum stop_kind move_seek(struct timeline *t, struct position target);

#endif
