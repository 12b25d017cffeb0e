/*
 * move.c - the verbs' way to the timeline: run, reverse and go, with breakpoints, limits, interrupts and what is said
 * at a stop.
 */
#include "breaks.h"
#include "pane.h"
#include "repl.h"
#include "spin.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static volatile sig_atomic_t timed_out, interrupted;

/* Standard signal handler of a run: Ctrl-C. */
static void on_interrupt(int signal_number)
{
	(void)signal_number;
	interrupted = 1;
	timeline_interrupt = functional_interrupt = 1;
}

/* --max-seconds are over. */
static void on_alarm(int signal_number)
{
	(void)signal_number;
	timed_out = 1;
	timeline_interrupt = functional_interrupt = 1;
}

void move_start_clock(double seconds)
{
	struct itimerval timer = {
		.it_value = {.tv_sec = (time_t)seconds, .tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)},
	};

	if (!timer.it_value.tv_sec && !timer.it_value.tv_usec)
		timer.it_value.tv_usec = 1;
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static const struct move_watch *watch;
static struct session *watched;	/* whose move runs; NULL: none */

/* timeline_interrupt is set: who wants to stop? */
static bool attend(void)
{
	if (!watch || !watched || interrupted || timed_out)
		return true;
	timeline_interrupt = 0;
	if (watch->tick(watched) || interrupted || timed_out)
		timeline_interrupt = 1;
	return timeline_interrupt;
}

void move_set_watch(const struct move_watch *w)
{
	watch = w;
	timeline_attend = w ? attend : NULL;
}

bool move_timed_out(void) { return timed_out; }
bool move_interrupted(void) { return interrupted; }

struct position move_now(const struct session *s)
{
	return s->live ? timeline_now(s->timeline) : (struct position){0, 0};
}

/* A goal and the breakpoints as one watcher. */
struct both {
	struct watcher watcher;
	const struct watcher *breaks;
	const struct goal *goal;
	u64 break_cycle, goal_cycle;	/* at which they last wanted to stop */
};

/* Ask both, always: breakpoints count their hits. */
static bool both_after_cycle(void *self, const struct sim *sim)
{
	struct both *b = self;
	u64 cycle = machine_gpu(sim->m)->cycle;
	bool stop = false;

	if (b->breaks && b->breaks->after_cycle(b->breaks->self, sim)) {
		b->break_cycle = cycle;
		stop = true;
	}
	if (b->goal && b->goal->hit(b->goal->self, sim)) {
		b->goal_cycle = cycle;
		stop = true;
	}
	if (b->breaks)
		b->watcher.next_cycle = b->breaks->next_cycle;
	return stop;
}

/* The machine has been put somewhere: the breakpoints look afresh. */
static void both_placed(void *self, const struct sim *sim)
{
	struct both *b = self;

	if (!b->breaks)
		return;
	if (b->breaks->placed)
		b->breaks->placed(b->breaks->self, sim);
	b->watcher.next_cycle = b->breaks->next_cycle;
}

/* Make one watcher of a goal and the session's breakpoints. */
static void both_open(struct both *b, struct session *s, const struct goal *goal)
{
	const struct watcher *w = breaks_watcher(s->breaks);

	*b = (struct both){.breaks = w, .goal = goal, .break_cycle = NEVER, .goal_cycle = NEVER};
	b->watcher = (struct watcher){
		.after_cycle = both_after_cycle, .placed = both_placed, .self = b, .want = (w ? w->want : 0) | (goal ? goal->want : 0),
		.every_cycle = (w && w->every_cycle) || (goal && goal->every_cycle), .next_cycle = w ? w->next_cycle : NEVER,
	};
}

/* Seconds of the host's clock. */
static double host_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void move_catch(struct sigaction *old)
{
	struct sigaction now = {.sa_handler = on_interrupt};

	sigemptyset(&now.sa_mask);
	sigaction(SIGINT, &now, old);
	interrupted = 0;
	timeline_interrupt = timed_out;
}

void move_release(const struct sigaction *old)
{
	sigaction(SIGINT, old, NULL);
	timeline_interrupt = 0;
}

/* A move begins: Ctrl-C stops it from here to move_end, and its time counts. */
static void move_begin(struct session *s, struct sigaction *old)
{
	move_catch(old);
	s->moved = true;
	session_forget_functional(s);
	panes_remember(s);
	s->host_seconds -= host_now();
	watched = s;
	if (watch)
		watch->begin(s);
}

/* It has ended. */
static void move_end(struct session *s, const struct sigaction *old)
{
	if (watch)
		watch->end(s);
	watched = NULL;
	s->host_seconds += host_now();
	move_release(old);
}

enum status move_functional(struct session *s, struct store *st, struct functional_result *done, struct error *e)
{
	struct sigaction now = {.sa_handler = on_interrupt}, old;
	enum status result;

	sigemptyset(&now.sa_mask);
	sigaction(SIGINT, &now, &old);
	interrupted = 0;
	functional_interrupt = timed_out;
	result = functional_run(&s->program, st, 0, done, e);
	sigaction(SIGINT, &old, NULL);
	functional_interrupt = 0;
	if (result == STATUS_LIMIT && timed_out)
		return error_set(e, STATUS_LIMIT, "the limit of %g seconds was reached (--max-seconds)", s->max_seconds);
	return result == STATUS_LIMIT && interrupted ? error_set(e, STATUS_FAILED, "interrupted") : result;
}

/* The last kernel has finished: what the scenario wants checked. */
static enum status run_finally(struct session *s, struct error *e)
{
	struct repl *r = repl_of(s);

	if (s->finally_ran || !r->finally.n)
		return STATUS_OK;
	s->finally_ran = true;
	return kept_run(s, &r->finally, r->finally.line, e);
}

/* What a limit means for the command: a livelock that has been proven is a kind of deadlock. */
static enum status limit_reached(const struct session *s, struct error *e)
{
	enum status st = s->livelock == SPIN_PROVEN ? STATUS_DEADLOCK : STATUS_LIMIT;
	const char *what = s->livelock == SPIN_PROVEN ? "livelock: the program goes round for ever; " :
			   s->livelock == SPIN_SEEMS  ? "this seems to be a livelock; " : "";

	if (timed_out)
		return error_set(e, st, "%sthe limit of %g seconds was reached (--max-seconds)", what, s->max_seconds);
	return error_set(e, st, "%sthe limit of %llu cycles was reached (--max-cycles)", what, (unsigned long long)s->max_cycles);
}

/* Say why the machine stands, and what that means for the command. */
static enum status move_ended(struct session *s, enum stop_kind why, const char *detail, struct error *e)
{
	if (why == STOP_INTERRUPT && timed_out)
		why = STOP_LIMIT;
	session_stopped(s, why, detail);
	switch (why) {
	case STOP_FINISHED:
		return run_finally(s, e);
	case STOP_FAULT:
	case STOP_DEADLOCK:
		return session_end_status(s, e);
	case STOP_LIMIT:
		return limit_reached(s, e);
	case STOP_INTERRUPT:
		return s->interactive ? STATUS_OK : error_set(e, STATUS_FAILED, "interrupted");
	default:
		return STATUS_OK;
	}
}

/* Say a stop at a breakpoint or goal; *again: go on. */
static enum status move_hit(struct session *s, const struct both *b, bool through, bool *again, struct error *e)
{
	u64 cycle = move_now(s).cycle;
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

enum status move_run(struct session *s, const struct goal *goal, bool through, struct error *e)
{
	struct sigaction old;
	enum stop_kind why;
	enum status st = STATUS_OK;
	bool again = true;
	struct both both;

	while (again) {
		again = false;
		both_open(&both, s, goal);
		move_begin(s, &old);
		breaks_forwards(s->breaks, true);
		why = timed_out ? STOP_INTERRUPT : timeline_run(s->timeline, &both.watcher, s->max_cycles ? s->max_cycles : NEVER);
		breaks_forwards(s->breaks, false);
		move_end(s, &old);
		if (why == STOP_HIT)
			st = move_hit(s, &both, through, &again, e);
		else
			st = move_ended(s, why, NULL, e);
		if (why == STOP_FINISHED && !goal && !through && !s->batch)
			breaks_say_unmet(s);
	}
	return st;
}

enum status move_reverse(struct session *s, const struct goal *goal, struct error *e)
{
	struct sigaction old;
	enum stop_kind why;
	enum status st = STATUS_OK;
	bool again = true; /* a list that says `continue` goes on the way that the machine went */
	struct both both;

	while (again) {
		again = false;
		both_open(&both, s, goal);
		move_begin(s, &old);
		timeline_enable(s->timeline);
		why = timed_out ? STOP_INTERRUPT : timeline_reverse(s->timeline, &both.watcher);
		move_end(s, &old);
		st = why == STOP_HIT ? move_hit(s, &both, false, &again, e) : move_ended(s, why, NULL, e);
	}
	return st;
}

enum status move_to(struct session *s, struct position to, struct error *e)
{
	struct position now = timeline_now(s->timeline);
	struct sigaction old;
	enum stop_kind why;

	if (s->max_cycles && to.cycle > s->max_cycles && to.cycle > now.cycle)
		to = (struct position){s->max_cycles, 0};
	move_begin(s, &old);
	if (to.cycle < now.cycle)
		timeline_enable(s->timeline);
	why = timed_out ? STOP_INTERRUPT : timeline_go(s->timeline, to);
	move_end(s, &old);
	if (s->max_cycles && why == STOP_TARGET && to.cycle >= s->max_cycles && now.cycle <= to.cycle)
		why = STOP_LIMIT;
	return move_ended(s, why, NULL, e);
}

/* Did the event happen in this cycle (to the focused warp, if that is asked)? */
static bool next_hit(void *self, const struct sim *sim)
{
	const struct next_goal *n = self;

	for (u32 i = 0; i < sim->bus.count; i++) {
		const struct record *x = &sim->bus.record[i];

		if (x->kind == n->kind &&
		    (!n->focused || (x->sm == n->s->focus.sm && x->warp == n->s->focus.warp)))
			return true;
	}
	return false;
}

void move_next_goal(struct session *s, const struct args *a, struct next_goal *n, struct goal *g)
{
	n->s = s;
	n->focused = !a->arg[0].present;
	n->kind = n->focused ? EVENT_ISSUE : (enum event_kind)a->arg[0].number;
	*g = (struct goal){
		.hit = next_hit, .self = n, .want = 1ULL << n->kind,
		.what = n->focused ? "the focused warp issued" : event_table[n->kind].doc,
	};
}
