/* next.c - run to the next event of a kind, or to the N-th: `next`, `stepi` and their mirrors. */
#include "events.h"
#include "follow.h"
#include "machine.h"
#include "travel.h"

/* What is waited for, and how often still. */
struct next {
	const struct session *s;
	enum event_kind kind;
	bool focused;	/* it happens to the focused warp */
	bool ends;	/* the end of that warp will do, too */
	bool backwards; /* every one is told, the last of them is meant */
	u64 left;
};

/* Is it one that is waited for? The end of the warp ends the waiting. */
static bool counts(struct next *n, const struct record *r)
{
	bool mine = r->sm == n->s->focus.sm && r->warp == n->s->focus.warp;

	if (n->ends && mine && WARP_ENDS >> r->kind & 1) {
		n->left = 1;
		return true;
	}
	return r->kind == n->kind && (mine || !n->focused);
}

/* Did it happen in this cycle, for the last time that is wanted? */
static bool next_hit(void *self, const struct sim *sim)
{
	struct next *n = self;
	bool is = false;

	for (u32 i = 0; i < sim->bus.count; i++)
		is |= counts(n, &sim->bus.record[i]);
	return is && (n->backwards || !--n->left);
}

/* The mirror goes from one to the one before, as often as is wanted: backwards a watcher sees more than it passes. */
static enum status back(struct session *s, struct goal *g, struct next *n, struct error *e)
{
	bool alone = true;
	enum status st = STATUS_OK;
	u64 times = n->left;

	for (g->alone = &alone; times > 1 && alone && !st; times--) {
		alone = false;
		st = travel_reverse(s, g, e);
		g->part = true;
	}
	g->alone = NULL;
	return st || !alone ? st : travel_reverse(s, g, e);
}

/* Go there. */
static enum status go(struct session *s, struct next *n, const char *what, struct error *e)
{
	struct goal g = {.hit = next_hit, .self = n, .want = EVENT_BIT(n->kind), .what = what};

	if (n->ends)
		g.want |= WARP_ENDS;
	if (!n->left)
		return STATUS_OK;
	return n->backwards ? back(s, &g, n, e) : travel_run(s, &g, false, e);
}

/* --- next hop --- */

/* Is it the cycle? */
static bool hop_hit(void *self, const struct sim *sim)
{
	return sim_clock(sim) == *(const u64 *)self;
}

/* The cycle in which the n-th hop from now on begins, as far as there are hops; NEVER: none. */
static u64 hop_cycle(const struct follow *f, u64 now, u64 n, bool backwards)
{
	u64 found = NEVER;

	for (u64 at = now; n && at != NEVER; n--) {
		at = backwards ? follow_before(f, at) : follow_next(f, at, HOP_COUNT);
		found = at == NEVER ? found : at;
	}
	return found;
}

/* `next hop N` and its mirror. */
static enum status next_hop(struct session *s, u64 n, bool backwards, struct error *e)
{
	const struct follow *f = s->live ? follow_now(s) : NULL;
	u64 now = session_now(s).cycle, to = f ? hop_cycle(f, now, n, backwards) : NEVER;
	struct goal g = {.hit = hop_hit, .self = &to, .every_cycle = true, .dated = true};
	struct text what = {0};
	enum status st;
	u32 at;

	if (!f)
		return error_set(e, STATUS_FAILED, "nothing is followed (`follow` chooses an instruction)");
	if (to == NEVER && n)
		return error_set(e, STATUS_FAILED, "the instruction that is followed has no hop %s cycle %llu",
				 backwards ? "before" : "after", now);
	if (!n)
		return STATUS_OK;
	at = follow_at(f, to);
	text_add(&what, "hop %s: ", hop_table[f->hop[at].kind].name);
	follow_text(s, f, at, &what);
	g.what = what.s;
	st = backwards ? travel_reverse(s, &g, e) : travel_run(s, &g, false, e);
	text_free(&what);
	return st;
}

enum status travel_next(struct session *s, const struct args *a, bool backwards, struct error *e)
{
	struct next n = {.s = s, .focused = !a->arg[0].present, .backwards = backwards};
	char happened[160]; /* the event without its numbers, which follow a semicolon */
	const char *doc;

	n.left = a->arg[1].present ? a->arg[1].number : 1;
	if (!n.focused && a->arg[0].number == EVENT_COUNT)
		return next_hop(s, n.left, backwards, e);
	n.kind = n.focused ? EVENT_ISSUE : (enum event_kind)a->arg[0].number;
	doc = event_table[n.kind].doc;
	snprintf(happened, sizeof(happened), "%.*s", (int)strcspn(doc, ";"), doc);
	return go(s, &n, n.focused ? "the focused warp issued" : happened, e);
}

enum status travel_stepi(struct session *s, u64 times, bool backwards, struct error *e)
{
	struct next n = {.s = s,
			 .kind = EVENT_ISSUE,
			 .focused = true,
			 .ends = !backwards,
			 .backwards = backwards,
			 .left = times};

	return go(s, &n, "the focused warp issued", e);
}

enum status travel_focus_runs(struct session *s, bool coming, struct error *e)
{
	const struct warp *w = focus_exists(s) ? machine_sm_section(s->sim.m, s->focus.sm, SECTION_WARP) : NULL;

	if (w && (w[s->focus.warp].cta == NONE16 ? coming && !sim_finished(&s->sim) : w[s->focus.warp].depth))
		return STATUS_OK;
	return error_set(e, STATUS_FAILED,
			 "sm %u warp %u has no next instruction (`focus` on a resident warp; `info warps` lists them)",
			 s->focus.sm, s->focus.warp);
}
