/*
 * compare_run.c - both sides run on, a stretch of cycles after the other, until their goal; where they part.
 *
 * They part in the first cycle in which some scheduler issues something else, or only one of them issues: A's issues of
 * a stretch are kept, B's are compared with them as they come. Behind that cycle both run as fast as a session does.
 */
#include "compare.h"
#include "events.h"

#include "interrupt.h"
#include "lines.h"
#include "machine.h"
#include "why.h"

#include <signal.h>

#define STRETCH 1024	 /* cycles of a side at a time while parting is looked for */
#define STRETCH_FAR 8192 /* ... and behind it */
#define ISSUE EVENT_BIT(EVENT_ISSUE)

/* What A has issued in a stretch. */
struct issues {
	struct issued_here {
		u64 cycle;
		struct record record;
	} * item;
	u32 n, at; /* at: the next that B is to issue */
};

/* A run of both, as the one sees it whose turn it is. */
struct run {
	struct compare *c;
	struct session *session; /* of the side whose turn it is */
	u32 side;
	bool looks; /* for where they part */
	struct issues issues;
	struct expr *until[2];
	u64 parts;	    /* the cycle in which they do, NEVER: not known yet */
	bool holds, spins;  /* why a side stopped: its expression holds; it goes round for ever */
	bool livelock;	    /* is looked for */
	enum status status; /* of an expression that could not be computed */
	struct error error;
};

/* Keep A's issues of a cycle. */
static void keep(struct issues *k, const struct sim *sim)
{
	for (u32 i = 0; i < sim->bus.count; i++) {
		if (sim->bus.record[i].kind != EVENT_ISSUE)
			continue;
		k->item = array_grow(k->item, k->n, sizeof(*k->item));
		k->item[k->n++] = (struct issued_here){machine_gpu(sim->m)->cycle, sim->bus.record[i]};
	}
}

/* The cycle in which B, which stands in a cycle, did not issue what A did; NEVER: it did. */
static u64 differs(struct issues *k, const struct sim *sim)
{
	u64 now = machine_gpu(sim->m)->cycle;

	if (k->at < k->n && k->item[k->at].cycle < now)
		return k->item[k->at].cycle;
	for (u32 i = 0; i < sim->bus.count; i++) {
		const struct record *r = &sim->bus.record[i];

		if (r->kind != EVENT_ISSUE)
			continue;
		if (k->at == k->n || k->item[k->at].cycle != now || memcmp(&k->item[k->at].record, r, sizeof(*r)))
			return now;
		k->at++;
	}
	return NEVER; /* what A has issued in this cycle and B has not is missed in the next */
}

/* A cycle of one side is complete: stop there? */
static bool run_cycle(void *self, const struct sim *sim)
{
	struct run *r = self;
	struct value v;

	if (r->looks && r->side == COMPARE_A)
		keep(&r->issues, sim);
	else if (r->looks && r->parts == NEVER)
		r->parts = differs(&r->issues, sim);
	if (r->until[r->side]) {
		r->status = expr_eval(r->session, r->until[r->side], NULL, &v, &r->error);
		r->holds = r->status || value_true(v);
	}
	r->spins = r->livelock && livelock_found(sim) != LIVELOCK_LIVE;
	return r->holds || r->spins;
}

/* One side to the end of a stretch, or to where it ends before. */
static enum stop_kind run_side(struct run *r, struct compare_side *x, u32 side, u64 to)
{
	struct watcher w = {.after_cycle = run_cycle, .self = r, .want = r->looks ? ISSUE : 0};
	enum stop_kind why;

	r->side = side;
	r->session = &x->session;
	r->holds = r->spins = false;
	w.every_cycle = r->until[side] != NULL;
	w.next_cycle = r->livelock ? livelock_look(timeline_now(x->session.timeline).cycle) : NEVER;
	why = timeline_run(x->session.timeline, &w, to);
	if (why == STOP_HIT)
		why = r->spins ? STOP_LIVELOCK : STOP_TARGET;
	return why;
}

/* --- where they part --- */

/* The issues among a machine's records from number `from` of them on, at a place; NULL: none. */
static const struct record *issue_at(const struct sim *sim, u32 from, u32 sm, u32 sub)
{
	for (u32 i = 0, n = 0; i < sim->bus.count; i++) {
		const struct record *r = &sim->bus.record[i];

		if (r->kind == EVENT_ISSUE && n++ >= from && r->sm == sm && (sub == NONE32 || r->sub == sub))
			return r;
	}
	return NULL;
}

/* The n-th issue of a machine's cycle, NULL: there are no more. */
static const struct record *issue_number(const struct sim *sim, u32 n)
{
	for (u32 i = 0; i < sim->bus.count; i++)
		if (sim->bus.record[i].kind == EVENT_ISSUE && !n--)
			return &sim->bus.record[i];
	return NULL;
}

/* The scheduler of a sub-core that issued from a warp; 0 where nobody did. */
static u32 scheduler_of(const struct sim *sim, const struct record *r)
{
	const struct sched *sched = machine_sm_section(sim->m, r->sm, SECTION_SCHED);
	const struct slot *slots = machine_sm_section(sim->m, r->sm, SECTION_SLOT);
	u32 n = sim->m->config.sm_schedulers;

	for (u32 i = 0; i < n; i++) {
		u32 chosen = sched[r->sub * n + i].chosen;

		if (chosen != NONE16 && slots[chosen].context == r->warp)
			return i;
	}
	return 0;
}

/* What one side did there. */
static void take_issue(struct compare_parting *p, const struct sim *sim, const struct record *r,
		       struct compare_issue *out)
{
	const struct config *c = &sim->m->config;
	const struct sched *sched;
	const struct kernel *k;

	*out = (struct compare_issue){.warp = NONE32, .pc = NONE32, .outcome = SLOT_OUTCOME_COUNT};
	if (r) {
		k = sim->kernel[r->launch];
		out->warp = r->warp;
		out->pc = r->pc;
		text_add(&out->text, "%u", r->pc);
		if (k->strings && r->pc < k->ninst)
			text_add(&out->text, ": %s", safe_text(kernel_text(k, r->pc)));
		if (r->pc < k->ninst)
			line_place(k, r->pc, out->place, sizeof(out->place));
	}
	if (p->sm >= c->gpu_sms || p->sub >= c->sm_subcores || p->sched >= c->sm_schedulers ||
	    (p->cycle - 1) % c->issue_interval || machine_gpu(sim->m)->cycle < p->cycle)
		return;
	sched = machine_sm_section(sim->m, p->sm, SECTION_SCHED);
	out->outcome = sched[p->sub * c->sm_schedulers + p->sched].outcome;
}

/* The first place in a cycle in which they differ, and what each did there. */
static void part(struct compare *c, u64 cycle)
{
	struct compare_parting *p = &c->parting;
	const struct record *a, *b, *first;
	struct sim sim[2];
	u32 n = 0;

	*p = (struct compare_parting){.found = true, .cycle = cycle};
	for (u32 i = 0; i < 2; i++)
		compare_at(c, i, cycle, &sim[i]);
	for (;; n++) {
		a = issue_number(&sim[0], n);
		b = issue_number(&sim[1], n);
		if (!a || !b || memcmp(a, b, sizeof(*a)))
			break;
	}
	first = !b || (a && (a->sm < b->sm || (a->sm == b->sm && a->sub <= b->sub))) ? a : b;
	if (first) {
		p->sm = first->sm;
		p->sub = first->sub;
		p->sched = scheduler_of(first == a ? &sim[0] : &sim[1], first);
	}
	for (u32 i = 0; i < 2; i++) {
		take_issue(p, &sim[i], issue_at(&sim[i], n, p->sm, p->sub), &p->side[i]);
		sim_close(&sim[i]);
	}
}

/* --- both --- */

/* A side cannot go on, or is where it was to go. */
static bool stands(const struct compare *c, u32 side)
{
	return c->ended[side] != STOP_NONE;
}

/* The later of the cycles in which the sides that still run stand. */
static u64 run_now(const struct compare *c)
{
	u64 now = 0;

	for (u32 i = 0; i < 2; i++)
		if (!stands(c, i))
			now = max_u64(now, timeline_now(c->side[i].session.timeline).cycle);
	return now;
}

/* A stretch of both: A first. */
static bool run_stretch(struct run *r, u64 to)
{
	struct compare *c = r->c;

	r->issues.n = r->issues.at = 0;
	for (u32 i = 0; i < 2; i++) {
		enum stop_kind why = stands(c, i) ? STOP_LIMIT : run_side(r, &c->side[i], i, to);

		if (why == STOP_INTERRUPT)
			return false;
		if (why != STOP_LIMIT)
			c->ended[i] = why;
	}
	if (r->looks && r->parts == NEVER && r->issues.at < r->issues.n)
		r->parts = r->issues.item[r->issues.at].cycle;
	return true;
}

/* Both to their goal; false: interrupted. */
static bool run_both(struct run *r, u64 last)
{
	struct compare *c = r->c;

	while (!stands(c, COMPARE_A) || !stands(c, COMPARE_B)) {
		u64 now = run_now(c), to = now - now % STRETCH + (r->looks ? STRETCH : STRETCH_FAR);

		if (now >= last)
			return true;
		if (!run_stretch(r, min_u64(to, last)))
			return false;
		if (!r->looks || r->parts == NEVER)
			continue;
		r->looks = false;
		part(c, r->parts);
	}
	return true;
}

void judged_sentence(const struct judged *j, const char *name, bool first, struct text *out)
{
	if (!j->failed)
		return;
	text_add(out, "%s fails %u of %u check%s", name, j->failed, j->failed + j->passed,
		 plural(j->failed + j->passed));
	if (first)
		text_add(out, ": %s\n", safe_text(j->first));
}

enum status judged_status(const struct judged *j, const char *name, struct error *e)
{
	struct text what = {0};

	if (!j->failed)
		return STATUS_OK;
	judged_sentence(j, name, false, &what);
	error_set(e, STATUS_CHECK, "compare: %s", what.s);
	text_free(&what);
	return STATUS_CHECK;
}

/* Why a side stands, in words where there is more to say, and what the scenario's checks say of one that has finished.
 */
static void run_ended(struct compare *c)
{
	for (u32 i = 0; i < 2; i++) {
		struct sim *sim = &c->side[i].session.sim;
		struct text what = {0};

		sim_sync(sim);
		c->end[i] = machine_gpu(sim->m)->cycle;
		if (sim_faulted(sim))
			fault_sentence(sim, &what);
		free(c->ended_text[i]);
		c->ended_text[i] = what.s;
		c->judged[i] = (struct judged){0};
		if (c->ended[i] == STOP_FINISHED)
			c->side[i].session.above->judge(&c->side[i].session, &c->judged[i]);
	}
	compare_stats_free(c->stat, c->nstats);
	c->stat = compare_stats(c, &c->nstats, &c->differ);
}

/* The expression of a goal, for each side. */
static enum status run_open(struct run *r, const struct compare_goal *g, struct error *e)
{
	enum status st = STATUS_OK;

	for (u32 i = 0; g->until && i < 2 && !st; i++)
		st = expr_check(&r->c->side[i].session, g->until, g->column, NULL, &r->until[i], e);
	return st;
}

u64 compare_last(const struct session *s, u64 from, const struct compare_goal *g)
{
	u64 last = g->cycles < NEVER - from ? from + g->cycles : NEVER;

	return s->max_cycles ? min_u64(last, s->max_cycles) : last;
}

enum stop_kind compare_side_run(const struct session *s, struct compare_side *x, const struct compare_goal *g, u64 to)
{
	struct run r = {.parts = NEVER, .livelock = s->config.run_livelock};
	enum stop_kind why = STOP_TARGET;
	struct error e;

	if (!g->until || !expr_check(&x->session, g->until, g->column, NULL, &r.until[0], &e))
		why = run_side(&r, x, 0, to);
	if (r.until[0])
		expr_free(r.until[0]);
	return why;
}

enum status compare_stopped(struct session *s, struct error *e)
{
	if (s->interactive && !interrupt_timed_out()) {
		session_print(s, "interrupted: results so far\n");
		return STATUS_OK;
	}
	return interrupt_status(s, e);
}

enum status compare_run(struct session *s, struct compare *c, const struct compare_goal *g, struct error *e)
{
	struct run r = {.c = c, .looks = true, .parts = NEVER, .livelock = s->config.run_livelock};
	enum status st = run_open(&r, g, e);
	struct sigaction old;
	bool whole = true;

	interrupt_catch(&old);
	interrupt_begin(s);
	if (!st)
		whole = !interrupt_wanted() && run_both(&r, compare_last(s, c->from.cycle, g));
	if (!st)
		run_ended(c);
	interrupt_end(s);
	interrupt_release(&old);
	c->looked = whole ? max_u64(c->end[0], c->end[1]) : min_u64(c->end[0], c->end[1]);
	for (u32 i = 0; i < 2; i++)
		if (r.until[i])
			expr_free(r.until[i]);
	free(r.issues.item);
	if (!st && r.status) {
		*e = r.error;
		return r.status;
	}
	if (!st && !whole)
		return compare_stopped(s, e);
	if (!st && s->max_cycles && max_u64(c->end[0], c->end[1]) >= s->max_cycles)
		return error_set(e, STATUS_LIMIT, "the limit of %llu cycles was reached (--max-cycles)", s->max_cycles);
	return st;
}
