/*
 * follow_way.c - what a load or a store waits for in the memory system, looked up at the end of each cycle, and the way
 * of what came last.
 */
#include "events.h"
#include "follow_internal.h"

/* --- what is seen --- */

/* The item of a kind, tag and line, a new one if there is none since a cycle. */
static struct follow_item *item_of(struct follow_watch *w, u32 kind, u32 tag, u64 line, u64 born)
{
	for (u32 i = w->nitems; i-- > 0;) {
		struct follow_item *x = &w->item[i];

		if (x->kind == kind && x->tag == tag && x->line == line && x->last + 1 >= w->now &&
		    (!born || x->trail[0].born == born))
			return x;
	}
	w->item = array_grow(w->item, w->nitems, sizeof(*w->item));
	w->item[w->nitems] = (struct follow_item){.line = line, .from = w->now, .tag = (u16)tag, .kind = (u8)kind};
	return &w->item[w->nitems++];
}

/* A request of an item, where it is now. */
static void note(struct follow_watch *w, struct follow_item *x, const struct request *r)
{
	struct follow_trail *t = NULL;
	struct follow_leg *g;

	for (u32 i = 0; i < x->n; i++)
		if (x->trail[i].line == r->line && x->trail[i].born == r->born)
			t = &x->trail[i];
	if (!t) {
		x->trail = array_grow(x->trail, x->n, sizeof(*x->trail));
		t = &x->trail[x->n++];
		*t = (struct follow_trail){.line = r->line, .born = r->born};
	}
	t->last = w->now;
	g = t->n ? &t->leg[t->n - 1] : NULL;
	if (g && g->level == r->level && g->place == r->place) {
		g->opened |= r->opened;
		return;
	}
	t->leg = array_grow(t->leg, t->n, sizeof(*t->leg));
	t->leg[t->n++] = (struct follow_leg){.from = w->now,
					     .ready = r->ready,
					     .place = r->place,
					     .bank = r->bank,
					     .ahead = r->ahead,
					     .level = r->level,
					     .opened = r->opened};
}

/* The requests of its SM. */
static u32 requests(struct follow_watch *w)
{
	if (!w->request)
		w->request = xmalloc(FOLLOW_REQUESTS * sizeof(*w->request));
	return min_u32(requests_list(&w->fork, w->sm, w->request, FOLLOW_REQUESTS), FOLLOW_REQUESTS);
}

static u64 address_of(const struct follow_watch *w, const struct request *r)
{
	return (r->line >> 4) << w->fork.m->line_shift;
}

/* Has an MSHR been taken in this cycle, for it? */
static bool has_taken(const struct follow_watch *w, u64 line, const struct waiter *first)
{
	for (u32 i = 0; i < w->fork.bus.count; i++) {
		const struct record *r = &w->fork.bus.record[i];

		if (r->kind == EVENT_L1D_MISS && r->sm == w->sm && r->address == line)
			return load_wants(&w->fork, w->sm, w->load, first->load, first->mates);
	}
	return false;
}

/* The MSHRs of a cache in which it waits. kind: of their requests. */
static bool look_mshrs(struct follow_watch *w, enum section_id mshrs, enum section_id waiters, u32 n, u32 kind)
{
	const struct mshr *mshr = follow_section(w, mshrs);
	const struct waiter *waiter = follow_section(w, waiters);
	const struct config *c = &w->fork.m->config;
	bool any = false;

	for (u32 i = 0; i < n; i++) {
		u64 line = kind == 5	    ? (mshr[i].line - 1) * c->const_line
			   : c->l1d_sectors ? (mshr[i].line >> 4) << w->fork.m->line_shift
					    : (mshr[i].line - 1) << w->fork.m->line_shift;
		bool mine = false;

		for (u32 at = mshr[i].line ? mshr[i].first : NONE16, k = 0; at != NONE16 && k < mshr[i].count; k++) {
			mine |= load_wants(&w->fork, w->sm, w->load, waiter[at].load, waiter[at].mates);
			at = waiter[at].next;
		}
		if (!mine)
			continue;
		struct follow_item *x = item_of(w, kind, i, line, 0);
		if (x->from == w->now)
			x->outcome = kind == 5 || has_taken(w, line, &waiter[mshr[i].first]) ? HOP_MISSED : HOP_MERGED;
		x->last = w->now;
		any = true;
	}
	return any;
}

/* The L1D hits of it that are due. */
static void look_hits(struct follow_watch *w)
{
	const struct sm *sm = follow_section(w, SECTION_SM);
	const struct result *result = follow_section(w, SECTION_RESULT);

	SET_EACH (d, sm->due, WHEEL_WORDS)
		for (u16 at = sm->wheel[d]; at != NONE16; at = result[at].next) {
			u64 due = w->now + (d + WHEEL_SIZE - (u32)(w->now % WHEEL_SIZE)) % WHEEL_SIZE + 1;

			if (result[at].kind != RESULT_LINE || due <= w->hit_due ||
			    !load_wants(&w->fork, w->sm, w->load, result[at].load, result[at].pc))
				continue;
			w->hit_due = due;
			w->hit_from = w->now;
		}
}

void follow_load_look(struct follow_watch *w)
{
	const struct config *c = &w->fork.m->config;
	bool waits = false;

	if (w->class == CLASS_CONST)
		waits = look_mshrs(w, SECTION_CONST_MSHR, SECTION_CONST_WAITER, c->const_mshrs, 5);
	else
		waits = look_mshrs(w, SECTION_L1D_MSHR, SECTION_L1D_WAITER, c->l1d_mshrs, 0);
	look_hits(w);
	if (!waits && w->hit_due > w->now && w->served)
		return;
	for (u32 i = 0, n = requests(w); i < n; i++) {
		const struct request *r = &w->request[i];

		if (request_of_load(r) && load_wants(&w->fork, w->sm, w->load, r->tag, r->mates)) {
			struct follow_item *x = item_of(w, r->kind, r->tag, address_of(w, r), r->born);

			x->outcome = HOP_PAST;
			x->last = w->now;
			note(w, x, r);
		}
		for (u32 k = 0; (r->kind == 0 || r->kind == 5) && k < w->nitems; k++) {
			struct follow_item *x = &w->item[k];

			if (x->kind == r->kind && x->tag == r->tag && x->last == w->now)
				note(w, x, r);
		}
	}
}

/* Is a request a write of one of its lines that leaves its SM in this cycle, or has been seen before? */
static bool is_write(const struct follow_watch *w, const struct request *r)
{
	bool line = false;

	if ((r->kind != 1 && r->kind != 4) || r->tag != w->warp || r->mates || r->gone)
		return false;
	for (u32 i = 0; i < w->nitems; i++)
		if (w->item[i].trail[0].line == r->line && w->item[i].trail[0].born == r->born)
			return true;
	for (u32 i = 0; i < w->f->lines; i++)
		line |= w->line[i] == r->line;
	return line && r->born == w->now && w->f->hop[w->f->n - 1].kind != HOP_QUEUE;
}

bool follow_store_look(struct follow_watch *w)
{
	bool any = false;

	if (w->memop == NONE32)
		return false;
	for (u32 i = 0, n = requests(w); i < n; i++) {
		const struct request *r = &w->request[i];
		struct follow_item *x;

		if (!is_write(w, r))
			continue;
		x = item_of(w, r->kind, r->tag, address_of(w, r), r->born);
		x->outcome = HOP_PLAIN;
		x->last = w->now;
		note(w, x, r);
		any = true;
	}
	return any;
}

/* --- the way of what came last --- */

/* The item that was waited for last; of several the one that has been for longest. NULL: an L1D hit, or none. */
static struct follow_item *last_item(const struct follow_watch *w)
{
	struct follow_item *best = NULL;

	for (u32 i = 0; i < w->nitems; i++)
		if (!best || w->item[i].last > best->last)
			best = &w->item[i];
	return best && best->last + 1 >= w->now ? best : NULL;
}

/* Of an item's requests that were sent before it waited, or for it, the one that was on its way last. */
static struct follow_trail *last_trail(const struct follow_item *x)
{
	struct follow_trail *best = NULL;

	for (u32 i = 0; i < x->n; i++)
		if (x->trail[i].born <= x->from && (!best || x->trail[i].last > best->last))
			best = &x->trail[i];
	return best;
}

/* The cycle in which a request that can be looked up in cycle `ready` has come to its slice. */
static u64 arrival(const struct follow_watch *w, u64 ready)
{
	const struct config *c = &w->fork.m->config;
	u64 clock = domain_clock(c, c->l2_clock, ready);

	return domain_cycle(c, c->l2_clock, clock - min_u64(clock, c->l2_latency)) + 1;
}

/* The hop of a leg; next: the leg behind it, NULL: none is known. */
static void push_leg(struct follow_watch *w, const struct follow_leg *g, u64 from, const struct follow_leg *next,
		     bool near)
{
	static const u8 kind[REQUEST_LEVEL_COUNT] = {
		[REQUEST_PORT] = HOP_PORT,     [REQUEST_L2] = HOP_L2,	      [REQUEST_DRAM_QUEUE] = HOP_DRAMQUEUE,
		[REQUEST_DRAM] = HOP_DRAM,     [REQUEST_MERGED] = HOP_L2MSHR, [REQUEST_ANSWER] = HOP_ANSWER,
		[REQUEST_RETURN] = HOP_RETURN,
	};
	u64 there = g->level == REQUEST_L2 && near ? arrival(w, g->ready) : 0;
	struct hop *h;

	if (there > from) {
		follow_push(w, from, HOP_CROSSBAR)->place = g->place;
		if (next ? there >= next->from : there > w->now)
			return;
		from = there;
	}
	h = follow_push(w, from, (enum hop_kind)kind[g->level]);
	h->place = g->place;
	h->bank = g->bank;
	h->n = g->ahead;
	if (g->level == REQUEST_L2 && next)
		h->outcome = next->level >= REQUEST_ANSWER ? HOP_HIT
			     : next->level == REQUEST_L2   ? HOP_PLAIN
							   : HOP_MISSED;
	if (g->level == REQUEST_DRAM_QUEUE && next && next->level == REQUEST_DRAM)
		h->outcome = next->opened ? HOP_ROW_MISS : HOP_ROW_HIT;
	if (g->level == REQUEST_DRAM)
		h->outcome = g->opened ? HOP_ROW_MISS : HOP_ROW_HIT;
}

/* What has been pushed since a cycle is taken back. */
static void back_to(struct follow_watch *w, u64 cycle)
{
	while (w->f->n && w->f->hop[w->f->n - 1].from >= cycle)
		w->f->n--;
}

void follow_way(struct follow_watch *w, bool complete)
{
	const struct follow_item *x = last_item(w);
	const struct follow_trail *t = x ? last_trail(x) : NULL;
	struct follow *f = w->f;
	u32 first;

	if (!f->n || f->hop[f->n - 1].kind == HOP_STEP)
		return;
	if (!x) {
		if (w->hit_due && w->hit_due >= w->now && (complete || w->served)) {
			back_to(w, w->hit_from);
			follow_push(w, w->hit_from, HOP_L1D)->looked = HOP_HIT;
		}
		return;
	}
	back_to(w, x->from);
	first = f->n;
	for (u32 i = 0; t && i < t->n; i++)
		push_leg(w, &t->leg[i], i ? t->leg[i].from : x->from, i + 1 < t->n ? &t->leg[i + 1] : NULL,
			 !i || t->leg[i - 1].level == REQUEST_PORT);
	if (f->n == first)
		return;
	if (t->last + 1 < w->now)
		follow_push(w, t->last + 1, HOP_MSHR)->mshr = x->tag;
	f->hop[first].mshr = x->kind == 0 || x->kind == 5 ? x->tag : NONE16;
	f->hop[first].looked = x->outcome;
	f->hop[first].constants = x->kind == 5;
	for (u32 i = first; i < f->n; i++)
		f->hop[i].line = x->line;
}

void follow_way_free(struct follow_watch *w)
{
	for (u32 i = 0; i < w->nitems; i++) {
		for (u32 k = 0; k < w->item[i].n; k++)
			free(w->item[i].trail[k].leg);
		free(w->item[i].trail);
	}
	free(w->item);
	w->item = NULL;
	w->nitems = 0;
	w->hit_due = 0;
}
