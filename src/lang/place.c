/*
 * place.c - run to where a place of a program is issued: by the focused warp (`until`), or by any (`advance`). A place
 * is what `break` takes: FILE:LINE, a label, a kernel, `pc N`.
 */
#include "breaks.h"
#include "events.h"
#include "travel.h"

/* The instructions that are meant, whose warp, and what is said at the stop. */
struct place {
	struct session *s;
	struct spot *spot;
	u32 nspots;
	bool focused;
	char said[256];
};

/* Is a record an issue of one of them? */
static bool issued_there(const struct place *p, const struct sim *sim, const struct record *r)
{
	for (u32 i = 0; r->kind == EVENT_ISSUE && r->launch < sim->program->nlaunch && i < p->nspots; i++)
		if (p->spot[i].pc == r->pc && p->spot[i].kernel == sim->program->launch[r->launch].kernel)
			return true;
	return false;
}

/* What is said; of `advance` the warp that got there first is the focused one. */
static bool stop_at(struct place *p, const struct record *r)
{
	struct text who = {0};

	if (!p->focused)
		p->s->focus = (struct focus){r->sm, r->warp % sim_config(&p->s->sim)->sm_subcores, r->warp};
	record_who(p->s, r, &who);
	if (WARP_ENDS >> r->kind & 1) {
		text_add(&who, " exited before it reached the location");
	} else {
		text_add(&who, " issued ");
		record_instruction(p->s, r, &who);
	}
	snprintf(p->said, sizeof(p->said), "%s", who.s);
	text_free(&who);
	return true;
}

static bool place_hit(void *self, const struct sim *sim)
{
	struct place *p = self;
	const struct focus *f = &p->s->focus;

	for (u32 i = 0; i < sim->bus.count; i++) {
		const struct record *r = &sim->bus.record[i];
		bool mine = r->sm == f->sm && r->warp == f->warp;

		if (issued_there(p, sim, r) ? mine || !p->focused : p->focused && mine && WARP_ENDS >> r->kind & 1)
			return stop_at(p, r);
	}
	return false;
}

bool travel_is_place(const char *text)
{
	const char *colon = strrchr(text, ':');

	if (!strncmp(text, "pc ", 3))
		return true;
	return colon && !strpbrk(text, " ?\t") && colon[1] && colon > text;
}

/* The instructions that a text means, found as `break` finds them. */
static enum status find(struct session *s, const char *text, u32 column, struct place *p, struct error *e)
{
	struct breakpoint *b = NULL;
	u32 last = s->last_break;
	enum status st = breaks_add(s, break_kind_table[BREAK_pc], text, column, true, &b, e);

	if (st) {
		e->column = e->column ? e->column : column;
		return st;
	}
	p->nspots = b->nspots;
	p->spot = xmalloc((p->nspots + 1) * sizeof(*p->spot));
	memcpy(p->spot, b->spot, p->nspots * sizeof(*p->spot));
	breaks_drop(s, b);
	s->last_break = last;
	return STATUS_OK;
}

enum status travel_place(struct session *s, const char *text, u32 column, bool focused, struct error *e)
{
	struct place p = {.s = s, .focused = focused};
	struct goal g = {.hit = place_hit, .self = &p, .want = EVENT_BIT(EVENT_ISSUE), .what = p.said};
	u32 skip = !strncmp(text, "pc ", 3) ? 3 : 0;
	enum status st;

	st = focused ? travel_focus_runs(s, true, e) : STATUS_OK;
	if (!st)
		st = find(s, text + skip, column + skip, &p, e);
	if (focused)
		g.want |= WARP_ENDS;
	if (!st)
		st = travel_run(s, &g, false, e);
	free(p.spot);
	return st;
}
