/*
 * compare_many.c - machines with one change each, run side by side in processes of their own (compare.h).
 *
 * A process shares every page with the session's until either writes it, so that each machine costs what it changes,
 * and nothing that one does is seen by another. What a machine has come to is written into memory that both see. As
 * many run at once as the host has processors.
 */
#include "compare.h"

#include "worker_pool.h"
#include "interrupt.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STRETCH 4096	       /* cycles between two looks at what the session wants */
#define NAP_NS (10 * 1000000L) /* between two looks at the processes */

/* A statistic as a process writes it down. */
struct noted {
	char name[56];
	u8 kind, share; /* enum value_kind; 1: a share of something */
	struct value value;
};
#define NOTED 768
struct report {
	volatile u64 cycle; /* that it has come to */
	u32 done, ended, n; /* 1: it is through; enum stop_kind; statistics */
	u32 refused;	    /* 1: there can be no such machine: */
	struct judged judged;
	struct error why;
	struct noted stat[NOTED];
};

/* The machines, as they are run. */
struct many {
	struct session *s;
	struct compare_entry *entry;
	u32 n;
	const struct compare_goal *goal;
	struct report **report; /* by machine */
	pid_t *pid;		/* 0: it does not run */
};

/* Write a statistic down. */
static void note(void *self, const struct stat_value *x)
{
	struct report *r = self;

	for (u32 i = 0; !x->text && i < x->count && r->n < NOTED; i++) {
		struct noted *to = &r->stat[r->n++];

		snprintf(to->name, sizeof(to->name), x->array ? "%s[%u]" : "%s", x->name, i);
		to->share = !*x->unit && strstr(x->doc, "share of");
		to->value = x->value[i];
	}
}

/* Run a machine to its goal, a stretch after the other. */
static void run_out(struct session *s, struct compare_side *x, const struct compare_goal *g, u64 last, struct report *r)
{
	struct timeline *t = x->session.timeline;
	enum stop_kind why = STOP_LIMIT;

	while (why == STOP_LIMIT && timeline_now(t).cycle < last) {
		u64 now = timeline_now(t).cycle;

		why = compare_side_run(s, x, g, min_u64(now - now % STRETCH + STRETCH, last));
		r->cycle = timeline_now(t).cycle;
	}
	r->ended = why == STOP_LIMIT ? STOP_NONE : why;
	if (why == STOP_INTERRUPT)
		return;
	for (u32 i = 0; i < COMPARE_GLOBS; i++)
		stats_each(&x->session, compare_globs[i], false, note, r);
	if (why == STOP_FINISHED)
		s->above->judge(&x->session, &r->judged);
	r->done = 1;
}

/* What the process of a machine does. */
static void process(struct many *m, u32 i) __attribute__((noreturn));
static void process(struct many *m, u32 i)
{
	struct compare_side *x = xcalloc(1, sizeof(*x));
	struct report *r = m->report[i];
	u64 from = m->entry[i].change.anew ? 0 : timeline_now(m->s->timeline).cycle;

	m->s->interactive = false;
	m->s->config.engine_threads = 1;
	timeline_attend = NULL;
	if (compare_side_open(m->s, &m->entry[i].change, x, &r->why))
		r->refused = r->done = 1;
	else
		run_out(m->s, x, m->goal, compare_last(m->s, from, m->goal), r);
	_exit(0);
}

/* Let a machine begin. */
static void begin(struct many *m, u32 i)
{
	m->report[i] = mmap(NULL, sizeof(struct report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (m->report[i] == MAP_FAILED)
		die("out of memory (the report of a machine)");
	m->entry[i].state = COMPARE_RUNS;
	m->pid[i] = fork();
	if (!m->pid[i])
		process(m, i);
	if (m->pid[i] < 0) {
		m->pid[i] = 0;
		m->entry[i].state = COMPARE_WAITS;
	}
}

/* Take over what a machine has written down. */
static void conclude(struct compare_entry *x, const struct report *r)
{
	x->state = r->refused ? COMPARE_REFUSED : r->done ? COMPARE_DONE : COMPARE_STOPPED;
	x->why = r->why;
	x->ended = (enum stop_kind)r->ended;
	x->cycle = r->cycle;
	x->n = r->n;
	x->judged = r->judged;
	x->stat = xcalloc(r->n + 1, sizeof(*x->stat));
	for (u32 i = 0; i < r->n; i++)
		x->stat[i] = (struct compare_stat){
			.name = xstrdup(r->stat[i].name), .share = r->stat[i].share, .a = r->stat[i].value};
}

/* The processes that have ended. How many still run. */
static u32 collect(struct many *m, bool end)
{
	u32 running = 0;

	for (u32 i = 0; i < m->n; i++) {
		if (!m->pid[i])
			continue;
		if (end)
			kill(m->pid[i], SIGKILL);
		if (waitpid(m->pid[i], NULL, end ? 0 : WNOHANG) == 0) {
			running++;
			continue;
		}
		m->pid[i] = 0;
		conclude(&m->entry[i], m->report[i]);
		munmap(m->report[i], sizeof(struct report));
	}
	return running;
}

/* Does somebody want it to end? The screen is asked, too. */
static bool wanted(void)
{
	return (timeline_interrupt && timeline_stops()) || interrupt_wanted();
}

/* All of them, some at a time; false: not all have come to their end. */
static bool run_all(struct many *m, void (*tell)(struct session *s, const struct compare_entry *x, u32 done, u32 n))
{
	u32 room = worker_pool_processors(), next = 0, told = 0;
	const struct timespec nap = {.tv_nsec = NAP_NS};

	for (;;) {
		u32 running = collect(m, false), done = 0;

		for (u32 i = 0; i < m->n; i++)
			done += m->entry[i].state > COMPARE_RUNS;
		if (told != done && tell)
			tell(m->s, m->entry, told = done, m->n);
		if (done == m->n)
			return true;
		if (wanted())
			break;
		while (running < room && next < m->n) {
			begin(m, next++);
			running++;
		}
		nanosleep(&nap, NULL);
	}
	collect(m, true);
	return false;
}

bool compare_many(struct session *s, struct compare_entry *x, u32 n, const struct compare_goal *g,
		  void (*tell)(struct session *s, const struct compare_entry *x, u32 done, u32 n))
{
	struct many m = {.s = s, .entry = x, .n = n, .goal = g};
	struct sigaction old;
	bool whole;

	m.report = xcalloc(n, sizeof(*m.report));
	m.pid = xcalloc(n, sizeof(*m.pid));
	interrupt_catch(&old);
	interrupt_begin(s);
	whole = !interrupt_wanted() && run_all(&m, tell);
	interrupt_end(s);
	interrupt_release(&old);
	free(m.report);
	free(m.pid);
	return whole;
}

void compare_entries_free(struct compare_entry *x, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		compare_change_free(&x[i].change);
		compare_stats_free(x[i].stat, x[i].n);
	}
	free(x);
}
