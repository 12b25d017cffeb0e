/*
 * timeline.h - time is a place: the only mover of the machine in a session.
 *
 * Forward runs; back restores the nearest keyframe at or before the target and replays. Keyframes (a copy of the
 * machine that shares what is equal with its neighbours, a copy-on-write fork of the store) thin with age inside a
 * memory budget; a replay lays fresh ones near its target so that the next steps back are cheap, and so does a session
 * that waits for its user. None are taken until timeline_enable, which reverse verbs call, and sessions that take
 * commands when the machine is made: at a small part of the time of a run. Inputs (settings, policies, pokes,
 * departures of CTAs) are journaled with their position and replayed.
 */
#ifndef WARPSTEP_TIMELINE_H
#define WARPSTEP_TIMELINE_H

#include "sim.h"

struct position {
	u64 cycle;
	u32 stage;
};

enum input_kind { INPUT_SETTING, INPUT_POLICY, INPUT_POKE, INPUT_DEPART, INPUT_VALUES };
struct input {
	struct position at;
	u8 kind;
	u32 setting, value;	     /* INPUT_SETTING */
	struct policy_choice policy; /* INPUT_POLICY */
	u32 sm, slot, how;	     /* INPUT_DEPART: sim_depart(); INPUT_VALUES: SM, context, enum values_of */
	u64 address, bytes;	     /* INPUT_POKE; INPUT_VALUES: offset */
	u8 *data;
};

/* Inputs that stood one behind the other, from number `from` on. */
struct inputs {
	struct input *item;
	u32 from, count;
};

struct timeline;

/* Why a run stopped. */
enum stop_kind {
	STOP_NONE,
	STOP_TARGET,
	STOP_HIT,
	STOP_FINISHED,
	STOP_FAULT,
	STOP_DEADLOCK,
	STOP_INTERRUPT,
	STOP_LIMIT,
	STOP_START,
	STOP_LIVELOCK /* the timeline knows nothing of it: who runs it looks for it */
};

/* Asked after every complete cycle (forward: while running; backward: while replaying). Return true to stop here.
 * The records of the cycle are in sim->bus; the machine is const. `wants_every_cycle` says whether skipped idle
 * cycles must be visited one by one. */
struct watcher {
	bool (*after_cycle)(void *self, const struct sim *s);
	void *self;
	event_set want; /* event kinds that it needs recorded */
	bool every_cycle;
	u64 next_cycle; /* first cycle of interest when !every_cycle and no records: NEVER if none */
	/* May be NULL. The machine has been put where cycles follow (a run begins, a keyframe was restored for a
	 * replay): what was remembered of the cycle before no longer holds; next_cycle may be set anew. */
	void (*placed)(void *self, const struct sim *s);
};

struct timeline *timeline_open(struct sim *s, u64 budget_bytes, u64 interval);
void timeline_close(struct timeline *t);
void timeline_budget(struct timeline *t, u64 budget_bytes, u64 interval);
/* Begin to take keyframes (a reverse verb, an interactive session). */
void timeline_enable(struct timeline *t);
/* While nobody waits: lay keyframes behind where the machine stands, so that the next steps back replay little. busy is
 * asked every few milliseconds; true: enough. Nothing moves. */
void timeline_prepare(struct timeline *t, bool (*busy)(void));

struct position timeline_now(const struct timeline *t);
/* The latest position ever reached since the last cut. */
struct position timeline_tip(const struct timeline *t);

/* Go to a position, forwards or backwards, ignoring stops (goto, step N, undo). Forward, it ends early at the end of
 * the program, a fault, a deadlock, or *interrupt. */
enum stop_kind timeline_go(struct timeline *t, struct position target);
/* Live again from the beginning to now: observers that were switched on see all of it (shadow.h). */
void timeline_again(struct timeline *t);
/* Run forwards until the watcher stops, `limit` (cycle, exclusive of nothing: a stop in cycle limit is STOP_LIMIT), or
 * an end. */
enum stop_kind timeline_run(struct timeline *t, const struct watcher *w, u64 limit);
/* Run backwards: to the latest cycle before now at which the watcher stops, else to cycle 0 (STOP_START). */
enum stop_kind timeline_reverse(struct timeline *t, const struct watcher *w);
/* A simulator of its own as the machine is, was or will be at a position, journaled inputs applied (close it with
 * sim_close). Neither the machine nor the timeline moves. It may end before the position: at the end of the program, or
 * by interrupt. *applied (may be NULL): the inputs that it has seen. */
void timeline_fork(const struct timeline *t, struct position at, struct sim *out, u32 *applied);
/* Take such a simulator on to a position. */
void timeline_follow(const struct timeline *t, struct sim *fork, u32 *applied, struct position at);
/* The cycle of the next journaled input behind the first `applied`, NEVER: there is none. */
u64 timeline_input_next(const struct timeline *t, u32 applied);
/* Changes whenever what was simulated may no longer hold (an input, an undo). */
u64 timeline_version(const struct timeline *t);
/* Apply an input now and journal it. In the past it cuts the future: *cut (may be NULL) says so. */
enum status timeline_input(struct timeline *t, const struct input *in, bool *cut, struct error *e);
/* Remove the inputs journaled at or after `index` (undo); the machine is replayed if it must be. */
u32 timeline_inputs(const struct timeline *t);
/* Of them, those that no machine made with the settings and policies of now has at its start. */
u32 timeline_changes(const struct timeline *t);
/* Of them, those that lie ahead of the machine. */
u32 timeline_ahead(const struct timeline *t);
/* The last input that wrote to some of n bytes of global memory, at a cycle or before; NULL: none did. */
const struct input *timeline_poke(const struct timeline *t, u64 address, u64 n, u64 cycle);
void timeline_forget(struct timeline *t, u32 index, struct position back_to);
/* The inputs that stand there now are watched: those of them that are then forgotten are kept, to be taken (and freed).
 */
void timeline_watch_inputs(struct timeline *t);
struct inputs timeline_lost_inputs(struct timeline *t);
void inputs_free(struct inputs *i);
/* Put inputs that were forgotten back where they stood, instead of those that came there (undo); the machine is
 * replayed. */
void timeline_put_back(struct timeline *t, const struct inputs *i, struct position back_to);

struct timeline_info {
	u32 keyframes, inputs;
	u64 bytes, budget;	 /* held by keyframes */
	u64 interval;		 /* distance of the newest keyframes, in cycles */
	u64 oldest, newest;	 /* cycles of the outermost keyframes */
	u64 snapshot_bytes;	 /* that the last keyframe copied of the machine */
	double snapshot_seconds; /* that it took */
};
void timeline_info(const struct timeline *t, struct timeline_info *out);

/* Set asynchronously (a signal handler): a run or replay stops after the cycle. */
extern volatile int timeline_interrupt;
/* Asked when that is set; false: go on (and it has been cleared). NULL: always stop. */
extern bool (*timeline_attend)(void);
bool timeline_stops(void);

#endif
