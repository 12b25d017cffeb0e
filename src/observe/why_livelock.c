/*
 * why_livelock.c - a livelock in words: which warps loop where, what they read, which others could change that, since
 * when.
 *
 * Could: lanes of a spinning warp that wait on its own SIMT stack, warps that wait at a barrier, CTAs for which there
 * is no room, launches whose turn has not come; of these, those from whose next instruction a store or an atomic can be
 * reached. Addresses are not compared: the answer names what writes at all, not what writes there.
 */
#include "ops.h"
#include "why_parts.h"

#include "policy.h"

#define MAX_GROUPS 16
#define MAX_SAID 6

/* Warps that loop alike: at the same instruction of a kernel, reading the same word. */
struct group {
	u32 sm, warp; /* the first */
	u32 n;
};
struct livelock {
	struct why why;
	const struct livelock_watch *spin;
	struct group group[MAX_GROUPS];
	u32 ngroups, others; /* looping warps in none of them */
	bool closed;	     /* the wait-for cycle has been printed */
};

/* Look at the warps of an SM of the fork: where they are when the proof ends. */
static void turn_to(struct livelock *l, u32 sm)
{
	struct text *out = l->why.out;
	json_t *chain = l->why.chain;

	why_open(&l->why, l->why.session, &l->spin->fork, sm, out, NULL);
	l->why.chain = chain;
}

static const struct livelock_warp *seen(const struct livelock *l, u32 sm, u32 warp)
{
	return &l->spin->warp[sm * l->spin->fork.m->contexts + warp];
}

static const struct warp *warp_of(const struct livelock *l, u32 sm, u32 warp)
{
	return (struct warp *)machine_sm_section(l->spin->fork.m, sm, SECTION_WARP) + warp;
}

static u32 cta_of(const struct livelock *l, u32 sm, u32 warp)
{
	return ((struct cta *)machine_sm_section(l->spin->fork.m, sm, SECTION_CTA))[warp_of(l, sm, warp)->cta].id;
}

/* The load that a warp loops for: an atomic or a volatile one before others, else the first; NULL: none. */
static const struct livelock_read *main_read(const struct livelock *l, u32 sm, u32 warp)
{
	const struct livelock_warp *w = seen(l, sm, warp);
	const struct kernel *k = l->spin->fork.kernel[warp_of(l, sm, warp)->launch];

	for (u32 i = 0; i < w->nreads; i++)
		if (k->inst[w->read[i].pc].op == OP_ATOM || k->inst[w->read[i].pc].aux & ACCESS_STRONG)
			return &w->read[i];
	return w->nreads ? &w->read[0] : NULL;
}

/* Whether two warps loop alike. */
static bool alike(const struct livelock *l, const struct group *g, u32 sm, u32 warp)
{
	const struct livelock_read *a = main_read(l, g->sm, g->warp), *b = main_read(l, sm, warp);

	if (warp_of(l, g->sm, g->warp)->launch != warp_of(l, sm, warp)->launch || !a != !b)
		return false;
	if (!a)
		return seen(l, g->sm, g->warp)->ref_pc == seen(l, sm, warp)->ref_pc;
	return a->pc == b->pc && a->known == b->known && a->space == b->space && a->address == b->address &&
	       (a->space == SPACE_GLOBAL ||
		(g->sm == sm && warp_of(l, sm, warp)->cta == warp_of(l, g->sm, g->warp)->cta));
}

/* Put a looping warp into its group. */
static void group_warp(struct livelock *l, u32 sm, u32 warp)
{
	for (u32 i = 0; i < l->ngroups; i++)
		if (alike(l, &l->group[i], sm, warp)) {
			l->group[i].n++;
			return;
		}
	if (l->ngroups < MAX_GROUPS)
		l->group[l->ngroups++] = (struct group){sm, warp, 1};
	else
		l->others++;
}

/* Call fn for the warps in a state, up to `most` of them; how many are left out. */
static u32 each_in(struct livelock *l, enum livelock_state state, u32 most,
		   void (*fn)(struct livelock *l, u32 sm, u32 warp))
{
	u32 n = 0;

	for (u32 sm = 0; sm < l->spin->fork.m->config.gpu_sms; sm++)
		for (u32 i = 0; i < l->spin->fork.m->contexts; i++)
			if (livelock_state_of(l->spin, sm, i) == state && n++ < most)
				fn(l, sm, i);
	return n > most ? n - most : 0;
}

/* "flag[3] at 0x700000000c, which is 0" */
static void read_text(const struct livelock *l, u32 sm, u32 warp, const struct livelock_read *r, struct text *out)
{
	const struct sim *sim = &l->spin->fork;
	const struct buffer *b =
		r->space == SPACE_GLOBAL && r->known ? program_buffer_at(sim->program, r->address, NULL) : NULL;
	const struct chunk *c = sim->store.cta[sm * sim->m->residents + warp_of(l, sm, warp)->cta];
	u64 value = 0;

	if (!r->known) {
		text_add(out, "an address whose register was overwritten");
		return;
	}
	if (r->space == SPACE_SHARED) {
		text_add(out, "shared memory at 0x%llx", r->address);
		if (!c || r->address + r->width > c->size || r->width > 8)
			return;
		memcpy(&value, c->data + r->address, r->width);
	} else {
		if (b)
			text_add(out, "%s[%llu] at ", safe_text(b->name),
				 (r->address - b->address) / max_u64(value_type_size[b->type], 1));
		text_add(out, "0x%llx", r->address);
		if (r->address < STORE_GLOBAL_BASE || r->width > 8 ||
		    r->address + r->width > STORE_GLOBAL_BASE + (u64)sim->store.npages * STORE_PAGE)
			return;
		store_read(&sim->store, r->address, &value, r->width);
	}
	text_add(out, ", which is %llu", value);
}

/* Say a group. */
static void say_group(struct livelock *l, const struct group *g)
{
	const struct livelock_warp *w = seen(l, g->sm, g->warp);
	const struct livelock_read *r = main_read(l, g->sm, g->warp);
	struct text like = {0}, what = {0};
	json_t *o;

	turn_to(l, g->sm);
	if (g->n > 1)
		text_add(&like, " and %u similar", g->n - 1);
	if (r)
		read_text(l, g->sm, g->warp, r, &what);
	o = why_say(&l->why, 1, "spin", "warp %u (SM %u, CTA %u)%s loop%s at %s, %llu instruction%s per iteration%s%s",
		    g->warp, g->sm, cta_of(l, g->sm, g->warp), like.len ? like.s : "", g->n > 1 ? "" : "s",
		    why_text(&l->why, g->warp, r ? r->pc : w->ref_pc), w->period, w->period == 1 ? "" : "s",
		    r ? ", reading " : ", reading no memory", r ? what.s : "");
	why_numbers(o, {"warp", g->warp}, {"warps", g->n});
	if (r && r->known)
		why_number(o, "address", r->address);
	text_free(&like);
	text_free(&what);
}

/* Whether a store or an atomic to memory that others see can be reached from an instruction. */
static bool writes_from(const struct kernel *k, u32 pc)
{
	u8 *seen_pc = xcalloc(k->ninst + 1, 1);
	u32 *todo = xmalloc((2 * k->ninst + 2) * sizeof(*todo)), n = 0;
	bool writes = false;

	todo[n++] = pc;
	while (n && !writes) {
		u32 at = todo[--n];
		const struct inst *in = &k->inst[at];

		if (at >= k->ninst || seen_pc[at])
			continue;
		seen_pc[at] = 1;
		writes = (in->op == OP_ST || in->op == OP_ATOM) && in->space != SPACE_LOCAL;
		if (in->op == OP_BRA)
			todo[n++] = in->target;
		if ((in->op != OP_BRA && in->op != OP_EXIT) || inst_falls(k, in))
			todo[n++] = at + 1;
	}
	free(seen_pc);
	free(todo);
	return writes;
}

/* Lanes of a spinning warp that wait below in its own SIMT stack and would write. */
static bool own_lanes(struct livelock *l, const struct group *g)
{
	const struct sim *sim = &l->spin->fork;
	const struct warp *w = warp_of(l, g->sm, g->warp);
	const struct simt_entry *stack =
		(struct simt_entry *)machine_sm_section(sim->m, g->sm, SECTION_STACK) + (size_t)g->warp * SIMT_DEPTH;
	u32 top = stack[w->depth - 1].mask;

	for (u32 i = w->depth - 1; i-- > 0;) {
		if (!(stack[i].mask & ~top) || !writes_from(sim->kernel[w->launch], stack[i].pc))
			continue;
		turn_to(l, g->sm);
		why_say(&l->why, 2, "lanes",
			"lanes %08x of the warp could change that value, but wait on the SIMT stack at %s until the looping "
			"lanes %08x reconverge with them%s",
			stack[i].mask & ~top, why_text(&l->why, g->warp, stack[i].pc), top,
			l->closed ? "" : ": a wait-for cycle");
		return l->closed = true;
	}
	return false;
}

/* The first looping warp that has not arrived at another warp's barrier; NONE32: none. */
static u32 lacks(const struct livelock *l, u32 sm, u32 warp)
{
	for (u32 i = 0; i < l->spin->fork.m->contexts; i++)
		if (warp_of(l, sm, i)->cta == warp_of(l, sm, warp)->cta &&
		    livelock_state_of(l->spin, sm, i) == LIVELOCK_ROUND)
			return i;
	return NONE32;
}

/* A warp that waits at a barrier: for which warp, and whether it would write. */
static void say_waiter(struct livelock *l, u32 sm, u32 warp)
{
	const struct warp *w = warp_of(l, sm, warp);
	const struct kernel *k = l->spin->fork.kernel[w->launch];
	bool writes = writes_from(k, w->barrier_pc + 1);
	u32 other = lacks(l, sm, warp);
	struct text tail = {0};

	turn_to(l, sm);
	if (other != NONE32)
		text_add(&tail, " for warp %u, which loops", other);
	text_add(&tail, "%s",
		 !writes	   ? "; it writes nothing after the barrier"
		 : other == NONE32 ? "; it could write after the barrier"
		 : l->closed	   ? "; it could write after the barrier, too"
				   : "; it could write after the barrier: a wait-for cycle");
	why_number(why_say(&l->why, 1, "barrier", "warp %u (SM %u, CTA %u) waits at %s%s", warp, sm,
			   cta_of(l, sm, warp), why_text(&l->why, warp, w->barrier_pc), tail.s),
		   "warp", warp);
	l->closed |= writes && other != NONE32;
	text_free(&tail);
}

/* CTAs that have not been dispatched, launches that wait. */
static void say_rest(struct livelock *l)
{
	const struct sim *sim = &l->spin->fork;
	const struct launch_run *run = machine_gpu_section(sim->m, SECTION_LAUNCH);

	for (u32 i = 0; i < sim->program->nlaunch; i++) {
		const struct launch *launch = &sim->program->launch[i];
		bool writes = launch->kernel->stores_global || launch->kernel->has_atomics;

		if (run[i].state == LAUNCH_DONE || (run[i].state == LAUNCH_RUNNING && run[i].next_cta >= launch->ctas))
			continue;
		if (run[i].state == LAUNCH_WAITING)
			why_say(&l->why, 1, "launch", "launch %u (%s) has not started%s%s", i, safe_text(launch->name),
				l->spin->launch_comes ? "" : ": it starts after these have finished",
				writes ? "; it could write" : "");
		else
			why_number(
				why_say(&l->why, 1, "room",
					"CTAs %u to %u of %s cannot be dispatched: the looping warps hold the resources%s",
					run[i].next_cta, launch->ctas - 1, safe_text(launch->name),
					!writes	    ? "; they write nothing"
					: l->closed ? "; they could write, too"
						    : "; they could write: a wait-for cycle"),
				"cta", run[i].next_cta);
		l->closed |= writes;
	}
}

/* The slots of policy whose schemes decide whether a warp of a status issues; POLICY_SLOTS: no more. */
static const u8 kept_by[WARP_STATUS_COUNT][3] = {[WARP_HELD] = {POLICY_hold, POLICY_SLOTS},
						 [WARP_PAUSED] = {POLICY_rank, POLICY_cta_pause, POLICY_order},
						 [WARP_ELIGIBLE] = {POLICY_gang, POLICY_order, POLICY_SLOTS}};

void why_keepers(const struct machine *m, u32 status, struct text *out)
{
	for (u32 i = 0; i < 3 && kept_by[status][i] != POLICY_SLOTS; i++) {
		u32 slot = kept_by[status][i];
		u64 rows = policy_in(&m->policy, slot);

		if (status == WARP_ELIGIBLE && out->len)
			return;
		for (; rows; rows &= rows - 1)
			text_add(out, "%s%s=%s", out->len ? ", " : "", slot_table[slot].name,
				 scheme_table[__builtin_ctzll(rows)]->name);
	}
}

/* A warp that a policy never lets issue, and since when. */
static void say_kept(struct livelock *l, u32 sm, u32 warp)
{
	const struct slot *slot = machine_sm_section(l->spin->fork.m, sm, SECTION_SLOT);
	u32 mask, pc = sim_warp_pc(&l->spin->fork, sm, warp, &mask), status = seen(l, sm, warp)->kept_status;
	bool writes = writes_from(l->spin->fork.kernel[warp_of(l, sm, warp)->launch], pc);
	u64 since = slot[warp_of(l, sm, warp)->slot].since + 1;
	struct text keepers = {0};
	json_t *o;

	turn_to(l, sm);
	why_keepers(l->spin->fork.m, status, &keepers);
	o = why_say(&l->why, 1, "kept",
		    "warp %u (SM %u, CTA %u) could issue %s, but has not issued since cycle %llu: %s (%s)%s", warp, sm,
		    cta_of(l, sm, warp), why_text(&l->why, warp, pc), since, warp_status_table[status].name,
		    keepers.len ? keepers.s : "its context is being restored", writes ? "; it could write" : "");
	why_numbers(o, {"warp", warp}, {"since", since});
	why_word(o, "policy", keepers.len ? keepers.s : "");
	text_free(&keepers);
}

/* A warp that keeps the proof from being one. */
static void say_open(struct livelock *l, u32 sm, u32 warp)
{
	static const char *const text[LIVELOCK_STATES] = {
		[LIVELOCK_KEPT] = "has issued nothing",
		[LIVELOCK_TIMED] = "reads a clock or a barrier result in its loop, so the loop may end",
		[LIVELOCK_STILL] = "has issued nothing",
		[LIVELOCK_WORKS] = "makes progress: its register values never repeat"};
	enum livelock_state state = livelock_state_of(l->spin, sm, warp);
	u32 mask, pc = sim_warp_pc(&l->spin->fork, sm, warp, &mask), status = sim_warp_status(&l->spin->fork, sm, warp);
	bool still = state == LIVELOCK_STILL || state == LIVELOCK_KEPT;

	turn_to(l, sm);
	why_say(&l->why, 1, "open", "warp %u (SM %u, CTA %u), at %s, %s%s%s%s", warp, sm, cta_of(l, sm, warp),
		why_text(&l->why, warp, pc), text[state], still ? " (" : "",
		still && status < WARP_STATUS_COUNT ? warp_status_table[status].name : "", still ? ")" : "");
}

/* "... and 12 more looping warps" */
static void say_more(struct livelock *l, u32 n, const char *what)
{
	if (n)
		why_say(&l->why, 1, "more", "... and %u more%s", n, what);
}

/* The looping warps, those that wait for them, and what could end it. */
static void say_members(struct livelock *l)
{
	u32 more;

	each_in(l, LIVELOCK_ROUND, NONE32, group_warp);
	for (u32 i = 0; i < l->ngroups && i < MAX_SAID; i++) {
		say_group(l, &l->group[i]);
		own_lanes(l, &l->group[i]);
	}
	for (u32 i = MAX_SAID; i < l->ngroups; i++)
		l->others += l->group[i].n;
	say_more(l, l->others, " looping warps");
	more = each_in(l, LIVELOCK_WAITS, MAX_SAID, say_waiter);
	say_more(l, more, " warps at barriers");
	say_rest(l);
}

/* The first line. */
static void headline(struct livelock *l)
{
	const struct livelock_watch *p = l->spin;
	u64 looked = machine_gpu(p->fork.m)->cycle - p->from;
	u32 n = p->count[LIVELOCK_ROUND];

	if (p->verdict == LIVELOCK_POLICY)
		why_say(&l->why, 0, "policy",
			"livelock caused by a policy: %u warp%s could issue but never do%s, and no other state can change",
			p->count[LIVELOCK_KEPT], p->count[LIVELOCK_KEPT] == 1 ? "" : "s",
			p->count[LIVELOCK_KEPT] == 1 ? "es" : "");
	else if (p->verdict == LIVELOCK_PROVEN)
		why_say(&l->why, 0, "livelock", "livelock: %u warp%s loop%s forever, and no value that %s can change",
			n, n == 1 ? "" : "s", n == 1 ? "s" : "", n == 1 ? "it reads" : "they read");
	else if (p->verdict == LIVELOCK_SEEMS)
		why_say(&l->why, 0, "seems", "probable livelock, not proven: %s for %llu cycles",
			p->launch_comes	  ? "a launch is pending, but nothing has changed"
			: p->policy_comes ? "a policy may still dispatch CTAs, but nothing has changed"
					  : "only clock values have changed",
			machine_gpu(p->fork.m)->cycle - p->since);
	else if (n)
		why_say(&l->why, 0, "live", "no livelock: in the next %llu cycles %u warp%s loop%s, but others do not",
			looked, n, n == 1 ? "" : "s", n == 1 ? "s" : "");
}

/* The first cycle in which it was there. */
static void say_since(struct livelock *l, u64 since, u64 now)
{
	if (since == NEVER)
		why_say(&l->why, 1, "since", "the livelock began too long ago to be located (see: `why warp %u`)",
			l->group[0].warp);
	else if (since > now)
		why_number(why_say(&l->why, 1, "since", "if nothing changes, the livelock begins in cycle %llu", since),
			   "since", since);
	else
		why_number(why_say(&l->why, 1, "since",
				   "the livelock began in cycle %llu (see: `goto %llu`, `why warp %u`)", since, since,
				   l->group[0].warp),
			   "since", since);
}

enum livelock_verdict why_livelock(struct session *s, const struct sim *sim, u64 cycles, bool past, struct text *out,
				   json_t *result)
{
	struct livelock_watch p;
	struct livelock l = {.spin = &p};
	u64 now = machine_gpu(sim->m)->cycle;
	enum livelock_verdict verdict;

	if (sim_finished(sim))
		return LIVELOCK_LIVE;
	livelock_open(&p, sim, cycles);
	verdict = p.verdict;
	why_open(&l.why, s, &p.fork, 0, out, result);
	if (result)
		json_object_set_new(result, "cycle", json_integer((json_int_t)now));
	headline(&l);
	if (verdict == LIVELOCK_POLICY)
		say_more(&l, each_in(&l, LIVELOCK_KEPT, MAX_SAID, say_kept), " like the last");
	if (p.count[LIVELOCK_ROUND])
		say_members(&l);
	for (u32 i = verdict == LIVELOCK_POLICY ? LIVELOCK_TIMED : LIVELOCK_KEPT;
	     i < LIVELOCK_STATES && (p.count[LIVELOCK_ROUND] || verdict); i++)
		say_more(&l, each_in(&l, i, MAX_SAID, say_open), " like the last");
	if (verdict == LIVELOCK_PROVEN && !l.closed)
		why_say(&l.why, 1, "no_writer", "no warp that could write is left");
	if (verdict == LIVELOCK_PROVEN && past)
		say_since(&l, p.since > now ? p.since : livelock_since(&p, s->timeline, now), now);
	livelock_close(&p);
	return verdict;
}
