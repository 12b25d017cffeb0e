/*
 * travel.h - the verbs' way to the timeline: run, reverse and go, with breakpoints, limits and what is said at a stop.
 */
#ifndef WARPSTEP_TRAVEL_H
#define WARPSTEP_TRAVEL_H

#include "command.h"
#include "session.h"

struct functional_result;

/* Events that end a warp. */
#define WARP_ENDS (EVENT_BIT(EVENT_WARP_DONE) | EVENT_BIT(EVENT_KILLED))

/* A place to stop at besides breakpoints. Events of `want` are shown to hit(), every cycle too if every_cycle. */
struct goal {
	bool (*hit)(void *self, const struct sim *sim);
	void *self;
	event_set want;
	bool every_cycle;
	const char *what; /* said at the stop */
	bool part;	  /* it goes on with a move that has begun: what is compared with is as it was then */
	bool *alone;	  /* not NULL: where nothing else stops nothing is said, and it becomes true */
	bool dated;	  /* it is a cycle, which comes in any case: no livelock is looked for on the way */
};
/* Run forwards to the goal (may be NULL), a breakpoint or an end; through: say stops and go on. */
enum status travel_run(struct session *s, const struct goal *goal, bool through, struct error *e);
/* All launches without timing into st, until Ctrl-C or --max-seconds. */
enum status travel_functional(struct session *s, struct store *st, struct functional_result *done, struct error *e);
enum status travel_reverse(struct session *s, const struct goal *goal, struct error *e);
enum status travel_to(struct session *s, struct position to, struct error *e);
/* Forwards to a goal in the way of travel_to(): stops count their hits and stop nothing. */
enum status travel_to_goal(struct session *s, const struct goal *goal, struct error *e);
/* `until EXPR` and `while EXPR` (args.arg[0]): run to the first cycle at whose end it is true (not true, for holds). */
enum status travel_until(struct session *s, const struct args *a, bool holds, struct error *e);
/* `next [KIND] [N]` (args.arg[0], [1]) and its mirror; `stepi N`: the focused warp's issues, or its end. */
enum status travel_next(struct session *s, const struct args *a, bool backwards, struct error *e);
enum status travel_stepi(struct session *s, u64 times, bool backwards, struct error *e);
/* An error unless the focused warp has something to run; coming: a warp may come there. */
enum status travel_focus_runs(struct session *s, bool coming, struct error *e);
/* Is a text a place of a program rather than an expression: FILE:LINE, KERNEL:LABEL, `pc N`? */
bool travel_is_place(const char *text);
/* Run to where the focused warp, or any, issues an instruction of a place, found as `break` finds it. */
enum status travel_place(struct session *s, const char *text, u32 column, bool focused, struct error *e);

/* Say what the program has printed since this was called last, or how much of that has been taken back. The machine
 * exists. */
void session_outputs(struct session *s);
struct outputs_untimed;
/* The same of a run without timing, whose error *e is, if it failed: an assertion's text is put behind it. */
void session_outputs_untimed(struct session *s, struct outputs_untimed *o, struct error *e);
/* Show where the machine is after a move: the stop line, displays; JSON {"stop": {...}}. */
void session_stopped(struct session *s, enum stop_kind why, const char *detail);
/* The focus where its warp has left: on the nearest that lives, and that is said; so is a warp of another kernel there.
 */
void session_refocus(struct session *s);
/* The warp that has the focus has been shown: where it leaves, the focus moves. */
void session_focus_seen(struct session *s);
/* The same of a stop whose list begins with `silent`: displays and JSON alone. */
void session_stopped_silently(struct session *s);

#endif
