/*
 * panes_book.h - a book of a machine that only ever runs forward, cycle by cycle, with every event recorded: what was
 * issued, granted, refused, sent and answered, counted from the events; statuses and outcomes, noted as they come. For
 * test_panes.c.
 */
#ifndef WARPSTEP_PANES_BOOK_H
#define WARPSTEP_PANES_BOOK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "expr.h"
#include "lang.h"
#include "pane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 128u /* cycles that are remembered */
#define ISSUES 32u
#define SENT 4096u

struct issue {
	u32 pc, lanes;
	u64 cycle;
};
struct warp_book {
	u32 generation;
	u64 came, last;
	struct issue issue[ISSUES];
	u32 nissues;
};
struct cta_book {
	u32 launch, id, warps, registers, done;
	u64 came;
	bool here;
};
struct launch_book {
	u64 issued, first, last, *pc;
	u32 started, finished;
}; /* pc: issues by instruction */
struct sm_book {
	struct warp_book *warp;
	struct cta_book *cta;
	u64 *conflicts, *issued, *outcome; /* by bank, sub-core, outcome */
	u64 *port;			   /* by bank: behind the arbitrations that are taken (collector.allocate) */
	u64 kind[EVENT_COUNT], fetched[2];
	struct {
		u64 address, cycle;
		u32 kind;
	} sent[SENT];
	u32 nsent;
	u8 *status, *slot;  /* of the last WINDOW cycles */
	u32 issues[WINDOW]; /* in a cycle */
};
struct book {
	struct sim sim;
	u64 now;
	u32 sms, contexts, schedulers, ctas;
	struct sm_book *sm;
	struct launch_book *launch;
};

static struct session session;
static struct book book;

static void book_open(void)
{
	struct error e;
	const struct machine *m;

	assert_int_equal(sim_open(&book.sim, &session.sim.m->config, &session.policy, &session.program, &e), STATUS_OK);
	m = book.sim.m;
	book.sim.bus.want = ALL_EVENTS;
	book.now = 0;
	book.sms = m->config.gpu_sms;
	book.contexts = m->contexts;
	book.schedulers = m->schedulers;
	book.ctas = m->section[SECTION_CTA].count;
	book.sm = xcalloc(book.sms, sizeof(*book.sm));
	book.launch = xcalloc(session.program.nlaunch, sizeof(*book.launch));
	for (u32 i = 0; i < session.program.nlaunch; i++)
		book.launch[i].pc = xcalloc(session.program.launch[i].kernel->ninst, sizeof(u64));
	for (u32 i = 0; i < book.sms; i++) {
		struct sm_book *b = &book.sm[i];

		b->warp = xcalloc(book.contexts, sizeof(*b->warp));
		b->cta = xcalloc(book.ctas * 4, sizeof(*b->cta));
		b->conflicts = xcalloc(m->config.sm_subcores * m->config.sm_banks, sizeof(u64));
		b->port = xcalloc(m->config.sm_subcores * m->config.sm_banks, sizeof(u64));
		b->issued = xcalloc(m->config.sm_subcores, sizeof(u64));
		b->outcome = xcalloc(SLOT_OUTCOME_COUNT, sizeof(u64));
		b->status = xcalloc(WINDOW, book.contexts);
		b->slot = xcalloc(WINDOW, book.schedulers);
	}
}

static void book_close(void)
{
	for (u32 i = 0; i < book.sms; i++) {
		struct sm_book *b = &book.sm[i];

		free(b->warp);
		free(b->cta);
		free(b->conflicts);
		free(b->port);
		free(b->issued);
		free(b->outcome);
		free(b->status);
		free(b->slot);
	}
	for (u32 i = 0; i < session.program.nlaunch; i++)
		free(book.launch[i].pc);
	free(book.sm);
	free(book.launch);
	sim_close(&book.sim);
}

/* The entry of a CTA on an SM; a free one, if it is not there. */
static struct cta_book *cta_of(struct sm_book *b, u32 launch, u32 id)
{
	struct cta_book *free_one = NULL;

	for (u32 i = 0; i < book.ctas * 4; i++) {
		if (b->cta[i].here && b->cta[i].launch == launch && b->cta[i].id == id)
			return &b->cta[i];
		if (!b->cta[i].here && !free_one)
			free_one = &b->cta[i];
	}
	assert_non_null(free_one);
	return free_one;
}

/* An instruction issued. */
static void note_issue(struct sm_book *b, const struct record *r)
{
	struct warp_book *w = &b->warp[r->warp];
	struct launch_book *l = &book.launch[r->launch];

	w->issue[w->nissues++ % ISSUES] = (struct issue){r->pc, r->a, book.now};
	w->last = book.now;
	b->issued[r->sub]++;
	b->issues[book.now % WINDOW]++;
	l->first = l->issued++ ? l->first : book.now;
	l->pc[r->pc]++;
}

/* A request left, or its answer came. */
static void note_request(struct sm_book *b, const struct record *r)
{
	u32 i = 0;

	if (r->kind == EVENT_REQUEST) {
		assert_true(b->nsent < SENT);
		b->sent[b->nsent].address = r->address;
		b->sent[b->nsent].kind = r->a;
		b->sent[b->nsent++].cycle = book.now;
		return;
	}
	while (i < b->nsent && (b->sent[i].address != r->address || b->sent[i].kind != r->a ||
				book.now - b->sent[i].cycle != r->b)) /* two may be for one line */
		i++;
	assert_true(i < b->nsent);
	memmove(&b->sent[i], &b->sent[i + 1], (--b->nsent - i) * sizeof(b->sent[0]));
}

/* A CTA came, a warp of it ended, it went. */
static void note_cta(struct sm_book *b, const struct record *r)
{
	struct cta_book *c = cta_of(b, r->launch, r->cta);
	struct launch_book *l = &book.launch[r->launch];

	if (r->kind == EVENT_CTA_START) {
		*c = (struct cta_book){.launch = r->launch,
				       .id = r->cta,
				       .warps = r->a,
				       .registers = r->b,
				       .came = book.now - 1,
				       .here = true};
		l->started++;
	} else if (r->kind == EVENT_WARP_DONE) {
		c->done++;
	} else {
		c->here = false;
		l->finished++;
		l->last = book.now;
	}
}

/* A read takes the first arbitration that is left behind the cycle in which it is granted, which is the last one. */
static void note_port(struct sm_book *b, const struct record *r)
{
	const struct config *c = &book.sim.m->config;
	u64 *port = &b->port[r->sub * c->sm_banks + r->a];

	*port = max_u64(*port, book.now * c->collector_passes) + 1;
}

static void note(const struct record *r)
{
	struct sm_book *b = r->sm < book.sms ? &book.sm[r->sm] : NULL;

	if (!b)
		return;
	b->kind[r->kind]++;
	switch (r->kind) {
	case EVENT_ISSUE: note_issue(b, r); break;
	case EVENT_REQUEST:
	case EVENT_REPLY: note_request(b, r); break;
	case EVENT_CTA_START:
	case EVENT_WARP_DONE:
	case EVENT_CTA_END: note_cta(b, r); break;
	case EVENT_CONFLICT: b->conflicts[r->sub * book.sim.m->config.sm_banks + r->a]++; break;
	case EVENT_GRANT: note_port(b, r); break;
	case EVENT_FETCH: b->fetched[r->b != 0]++; break;
	default: break;
	}
}

/* What a cycle left in an SM: who is there, statuses, outcomes. */
static void note_state(u32 sm)
{
	struct sm_book *b = &book.sm[sm];
	const struct warp *w = machine_sm_section(book.sim.m, sm, SECTION_WARP);
	const struct sched *sched = machine_sm_section(book.sim.m, sm, SECTION_SCHED);
	bool offered = (book.now - 1) % book.sim.m->config.issue_interval == 0;

	for (u32 i = 0; i < book.contexts; i++) {
		b->status[book.now % WINDOW * book.contexts + i] = (u8)sim_warp_status(&book.sim, sm, i);
		if (w[i].generation == b->warp[i].generation)
			continue;
		b->warp[i] = (struct warp_book){.generation = w[i].generation, .came = book.now - 1};
	}
	for (u32 i = 0; i < book.schedulers; i++) {
		b->slot[book.now % WINDOW * book.schedulers + i] = offered ? sched[i].outcome : SLOT_OUTCOME_COUNT;
		if (offered)
			b->outcome[sched[i].outcome]++;
	}
}

/* One cycle more. */
static void book_cycle(void)
{
	sim_cycle(&book.sim);
	book.now = machine_gpu(book.sim.m)->cycle;
	for (u32 i = 0; i < book.sms; i++)
		book.sm[i].issues[book.now % WINDOW] = 0;
	for (u32 i = 0; i < book.sim.bus.count; i++)
		note(&book.sim.bus.record[i]);
	for (u32 i = 0; i < book.sms; i++)
		note_state(i); /* a CTA may come where one ended in the same cycle */
}

/* --- comparing --- */

static u64 numbers; /* compared */

/* Run a command that must succeed. */
static void must(const char *line)
{
	struct error e = {0};

	if (command_run_line(&session, line, NULL, 0, &e))
		fail_msg("%s: %s", line, e.message);
}

/* A member of a row, whole or real. */
static double real(json_t *row, const char *key)
{
	json_t *x = json_object_get(row, key);

	if (!json_is_number(x))
		fail_msg("no number %s", key);
	return json_number_value(x);
}

static const char *word(json_t *row, const char *key)
{
	json_t *x = json_object_get(row, key);

	return json_is_string(x) ? json_string_value(x) : "";
}

/* A number of a pane must be the one of the book. */
static void same(const char *pane, json_t *row, const char *key, double want)
{
	double got = real(row, key);

	numbers++;
	if (fabs(got - want) > 1e-9 * fabs(want))
		fail_msg("%s: %s is %.12g, not %.12g in cycle %llu of %s", pane, key, got, want,
			 (unsigned long long)book.now, session.scenario);
}

static void same_text(const char *pane, json_t *row, const char *key, const char *want)
{
	numbers++;
	if (strcmp(word(row, key), want))
		fail_msg("%s: %s is '%s', not '%s' in cycle %llu of %s", pane, key, word(row, key), want,
			 (unsigned long long)book.now, session.scenario);
}

/* A field or setting by name, of the second machine. */
static double field(const char *name)
{
	struct session other = session;
	struct expr *x;
	struct value v;
	struct error e;

	other.sim = book.sim;
	if (expr_compile(&other, name, &x, &e) || expr_eval(&other, x, NULL, &v, &e))
		fail_msg("%s: %s", name, e.message);
	expr_free(x);
	return value_as_real(v);
}

static double share(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

#endif
