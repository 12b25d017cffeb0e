/*
 * travel.c - the verbs' way to the timeline: run, reverse and go, with breakpoints, limits, interrupts and what is said
 * at a stop.
 */
#include "breaks.h"
#include "pane.h"
#include "outputs.h"
#include "runs.h"
#include "travel.h"
#include "interrupt.h"
#include "lang.h"
#include "livelock.h"

#include <signal.h>

/* What a run is said to do that has been stopped for a livelock. */
static const char *const livelock_text[] = {
	[LIVELOCK_PROVEN] = "the program loops forever", [LIVELOCK_POLICY] = "a policy starves warps that could issue"};

/* A goal and the breakpoints as one watcher. */
struct both {
	struct watcher watcher;
	const struct watcher *breaks;
	const struct goal *goal;
	u64 break_cycle, goal_cycle;   /* at which they last wanted to stop */
	bool through;		       /* only the goal stops: breakpoints are asked so that hits are counted */
	bool spins;		       /* a livelock is looked for */
	u64 livelock_cycle;	       /* in which one was proven */
	enum livelock_verdict verdict; /* of then */
};

/* Is it in such a cycle proven that the program goes round for ever? */
static bool spins(struct both *b, const struct sim *sim)
{
	u64 cycle = sim_clock(sim);
	enum livelock_verdict verdict = b->spins ? livelock_found(sim) : LIVELOCK_LIVE;

	if (verdict != LIVELOCK_LIVE) {
		b->livelock_cycle = cycle;
		b->verdict = verdict;
	}
	return b->livelock_cycle == cycle;
}

/* The first cycle of interest after now. */
static void see_next(struct both *b, u64 now)
{
	b->watcher.next_cycle = b->breaks ? b->breaks->next_cycle : NEVER;
	if (b->spins)
		b->watcher.next_cycle = min_u64(b->watcher.next_cycle, livelock_look(now));
}

/* Ask both, always: breakpoints count their hits. */
static bool both_after_cycle(void *self, const struct sim *sim)
{
	struct both *b = self;
	u64 cycle = sim_clock(sim);
	bool stop = false, reached = false, round;

	if (b->breaks && b->breaks->after_cycle(b->breaks->self, sim)) {
		b->break_cycle = cycle;
		stop = true;
	}
	if (b->goal && b->goal->hit(b->goal->self, sim)) {
		b->goal_cycle = cycle;
		reached = true;
	}
	round = spins(b, sim);
	see_next(b, cycle);
	return reached || round || (stop && !b->through);
}

/* The machine has been put somewhere: the breakpoints look afresh. */
static void both_placed(void *self, const struct sim *sim)
{
	struct both *b = self;

	if (b->breaks && b->breaks->placed)
		b->breaks->placed(b->breaks->self, sim);
	see_next(b, sim_clock(sim));
}

/* Make one watcher of a goal and the session's breakpoints. */
static void both_open(struct both *b, struct session *s, const struct goal *goal)
{
	const struct watcher *w = breaks_watcher(s->breaks);

	*b = (struct both){
		.breaks = w, .goal = goal, .break_cycle = NEVER, .goal_cycle = NEVER, .livelock_cycle = NEVER};
	b->watcher = (struct watcher){
		.after_cycle = both_after_cycle,
		.placed = both_placed,
		.self = b,
		.want = (w ? w->want : 0) | (goal ? goal->want : 0),
		.every_cycle = (w && w->every_cycle) || (goal && goal->every_cycle),
		.next_cycle = w ? w->next_cycle : NEVER,
	};
}

/* A move begins, or a part of one: Ctrl-C stops it from here to travel_end, and its time counts. */
static void travel_begin(struct session *s, bool part, struct sigaction *old)
{
	interrupt_catch(old);
	s->moved = true;
	session_forget_functional(s);
	if (!part)
		panes_remember(s);
	s->host_seconds -= host_seconds();
	interrupt_begin(s);
}

/* It has ended. */
static void travel_end(struct session *s, const struct sigaction *old)
{
	interrupt_end(s);
	s->host_seconds += host_seconds();
	interrupt_release(old);
}

enum status travel_functional(struct session *s, struct store *st, struct functional_result *done, struct error *e)
{
	struct sigaction old;
	struct outputs_untimed said;
	enum status result;

	outputs_untimed_open(&said);
	interrupt_catch(&old);
	result = functional_run_heard(&s->program, st, 0, &said.ear, done, e);
	interrupt_release(&old);
	if (!result)
		*e = (struct error){0};
	session_outputs_untimed(s, &said, e);
	outputs_untimed_close(&said);
	return result == STATUS_LIMIT && interrupt_wanted() ? interrupt_status(s, e) : result;
}

/* The last kernel has finished: the checks of the scenario, again if the run has been changed since they ran. What they
 * have come to belongs to the run of that number. */
static enum status run_finally(struct session *s, u32 number, struct error *e)
{
	struct lang *l = s->lang;
	u32 before = s->passed_checks;
	struct judged judged = {0};
	enum status st;

	if (s->finally_runs || !l->finally.n)
		return STATUS_OK;
	if (s->finally_ran && s->finally_version == timeline_version(s->timeline))
		return STATUS_OK;
	s->finally_ran = s->finally_runs = true;
	st = kept_run(s, &l->finally, l->finally.line, e);
	s->finally_runs = false;
	s->finally_version = timeline_version(s->timeline);
	before = s->passed_checks - before;
	judged.passed = before;
	if (st)
		finally_judge(s, &judged);
	runs_judged(s, number, &judged);
	if (!st && before)
		session_print(s, "%u check%s passed\n", before, plural(before));
	return st;
}

/* What a limit means for the command: a livelock that has been proven is a kind of deadlock. */
static enum status limit_reached(const struct session *s, struct error *e)
{
	static const char *const text[] = {[LIVELOCK_LIVE] = "",
					   [LIVELOCK_SEEMS] = "probably a livelock; ",
					   [LIVELOCK_PROVEN] = "livelock: the program loops forever; ",
					   [LIVELOCK_POLICY] = "livelock: a policy starves warps that could issue; "};
	enum status st = s->livelock >= LIVELOCK_PROVEN ? STATUS_DEADLOCK : STATUS_LIMIT;
	const char *what = text[s->livelock];

	if (interrupt_timed_out())
		return error_set(e, st, "%sthe limit of %g seconds was reached (--max-seconds)", what, s->max_seconds);
	return error_set(e, st, "%sthe limit of %llu cycles was reached (--max-cycles)", what, s->max_cycles);
}

/* Say why the machine stands, and what that means for the command. */
static enum status travel_ended(struct session *s, enum stop_kind why, const char *detail, struct error *e)
{
	u32 number = 0;

	if (why == STOP_INTERRUPT && interrupt_timed_out())
		why = STOP_LIMIT;
	if (why == STOP_TARGET && sim_faulted(&s->sim))
		why = STOP_FAULT;
	session_stopped(s, why, detail);
	if (why == STOP_FINISHED || why == STOP_FAULT || why == STOP_DEADLOCK || why == STOP_LIVELOCK)
		number = runs_note(s, why);
	switch (why) {
	case STOP_FINISHED: return run_finally(s, number, e);
	case STOP_FAULT:
	case STOP_DEADLOCK: return session_end_status(s, e);
	case STOP_LIMIT: return limit_reached(s, e);
	case STOP_LIVELOCK: return s->interactive ? STATUS_OK : error_set(e, STATUS_DEADLOCK, "livelock: %s", detail);
	case STOP_INTERRUPT: return s->interactive ? STATUS_OK : error_set(e, STATUS_FAILED, "interrupted");
	default: return STATUS_OK;
	}
}

/* Say a stop at a breakpoint or goal; *again: go on. */
static enum status travel_hit(struct session *s, const struct both *b, bool through, bool *again, struct error *e)
{
	u64 cycle = session_now(s).cycle;
	struct text what = {0};
	bool resume = false, goal = b->goal_cycle == cycle;
	enum status st = STATUS_OK;

	if (goal && b->break_cycle != cycle && b->goal->alone) {
		*again = false;
		*b->goal->alone = true;
		return STATUS_OK;
	}
	if (b->break_cycle == cycle)
		st = breaks_report(s->breaks, &what, &resume, e);
	if (goal && !what.len && b->goal->what)
		text_add(&what, "%s", b->goal->what);
	if (what.len || goal || st)
		session_stopped(s, goal && b->break_cycle != cycle ? STOP_TARGET : STOP_HIT, what.s);
	else
		session_stopped_silently(s);
	text_free(&what);
	*again = !st && !goal && (resume || through);
	return st;
}

/* Has a run stopped for a livelock alone? With a stop or a goal it is found the next time. */
static bool only_spins(const struct both *b, u64 cycle)
{
	return b->livelock_cycle == cycle && b->break_cycle != cycle && b->goal_cycle != cycle;
}

/* On the way to a goal that may never come (NULL: to the end). */
static bool looks_for_livelock(const struct session *s, const struct goal *goal)
{
	return s->config.run_livelock && !(goal && goal->dated);
}

enum status travel_run(struct session *s, const struct goal *goal, bool through, struct error *e)
{
	struct sigaction old;
	enum stop_kind why;
	enum status st = STATUS_OK;
	bool again = true;
	struct both both;

	while (again) {
		again = false;
		both_open(&both, s, goal);
		both.spins = looks_for_livelock(s, goal);
		travel_begin(s, goal && goal->part, &old);
		breaks_forwards(s->breaks, true);
		why = interrupt_timed_out()
			      ? STOP_INTERRUPT
			      : timeline_run(s->timeline, &both.watcher, s->max_cycles ? s->max_cycles : NEVER);
		breaks_forwards(s->breaks, false);
		breaks_asked(s->breaks);
		travel_end(s, &old);
		if (why == STOP_HIT && only_spins(&both, session_now(s).cycle))
			why = STOP_LIVELOCK;
		if (why == STOP_HIT)
			st = travel_hit(s, &both, through, &again, e);
		else
			st = travel_ended(s, why, why == STOP_LIVELOCK ? livelock_text[both.verdict] : NULL, e);
		if (why == STOP_FINISHED && !goal && !through && !s->batch)
			breaks_say_unmet(s);
	}
	return st;
}

enum status travel_reverse(struct session *s, const struct goal *goal, struct error *e)
{
	struct sigaction old;
	enum stop_kind why;
	enum status st = STATUS_OK;
	bool again = true; /* a list that says `continue` goes on the way that the machine went */
	struct both both;

	while (again) {
		again = false;
		both_open(&both, s, goal);
		travel_begin(s, goal && goal->part, &old);
		timeline_enable(s->timeline);
		why = interrupt_timed_out() ? STOP_INTERRUPT : timeline_reverse(s->timeline, &both.watcher);
		travel_end(s, &old);
		st = why == STOP_HIT ? travel_hit(s, &both, false, &again, e) : travel_ended(s, why, NULL, e);
	}
	return st;
}

/* Go to a position; stops are asked on the way about what they have not seen, so that hits count alike on every way. */
static enum stop_kind go(struct session *s, struct position to)
{
	u64 unasked = breaks_unasked(s->breaks);
	enum stop_kind why = STOP_TARGET;
	struct both both;

	if (interrupt_timed_out())
		return STOP_INTERRUPT;
	if (to.cycle <= unasked)
		return timeline_go(s->timeline, to);
	if (timeline_now(s->timeline).cycle < unasked)
		why = timeline_go(s->timeline, (struct position){unasked, 0});
	if (why != STOP_TARGET)
		return why;
	both_open(&both, s, NULL);
	both.through = true;
	why = timeline_run(s->timeline, &both.watcher, to.cycle);
	breaks_asked(s->breaks);
	return why == STOP_LIMIT ? timeline_go(s->timeline, to) : why;
}

enum status travel_to(struct session *s, struct position to, struct error *e)
{
	struct position now = timeline_now(s->timeline);
	struct sigaction old;
	enum stop_kind why;

	if (s->max_cycles && to.cycle > s->max_cycles && to.cycle > now.cycle)
		to = (struct position){s->max_cycles, 0};
	travel_begin(s, false, &old);
	if (to.cycle < now.cycle)
		timeline_enable(s->timeline);
	why = go(s, to);
	travel_end(s, &old);
	if (s->max_cycles && why == STOP_TARGET && to.cycle >= s->max_cycles && now.cycle <= to.cycle)
		why = STOP_LIMIT;
	return travel_ended(s, why, NULL, e);
}

/* Forwards to the goal or a cycle, with or without asking the stops. */
static enum stop_kind run_to_goal(struct session *s, const struct goal *goal, bool asks, u64 most,
				  enum livelock_verdict *verdict)
{
	enum stop_kind why;
	struct both both;

	both_open(&both, s, goal);
	both.through = true;
	both.spins = looks_for_livelock(s, goal);
	if (!asks) {
		both.breaks = NULL;
		both.watcher.want = goal->want;
		both.watcher.every_cycle = goal->every_cycle;
		both.watcher.next_cycle = NEVER;
	}
	why = timeline_run(s->timeline, &both.watcher, most);
	if (asks)
		breaks_asked(s->breaks);
	*verdict = both.verdict;
	both.break_cycle = NEVER; /* the stops have counted their hits, and stop nothing */
	return why == STOP_HIT && only_spins(&both, session_now(s).cycle) ? STOP_LIVELOCK : why;
}

enum status travel_to_goal(struct session *s, const struct goal *goal, struct error *e)
{
	/* up to a cycle that stops have been asked about already they are left out, so that no hit counts twice */
	u64 most = s->max_cycles ? s->max_cycles : NEVER, asked = min_u64(breaks_unasked(s->breaks), most);
	enum livelock_verdict verdict = LIVELOCK_LIVE;
	struct sigaction old;
	enum stop_kind why;

	travel_begin(s, false, &old);
	why = interrupt_timed_out() ? STOP_INTERRUPT : STOP_LIMIT;
	if (why == STOP_LIMIT && timeline_now(s->timeline).cycle < asked)
		why = run_to_goal(s, goal, false, asked, &verdict);
	if (why == STOP_LIMIT && asked < most)
		why = run_to_goal(s, goal, true, most, &verdict);
	travel_end(s, &old);
	return travel_ended(s, why == STOP_HIT ? STOP_TARGET : why,
			    why == STOP_LIVELOCK ? livelock_text[verdict] : NULL, e);
}
