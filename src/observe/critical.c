/*
 * critical.c - a kernel runs again and is watched: what each issue had waited for last (critical.h).
 *
 * A warp that issues had a status in the cycle before, which says what it waited for last; the records of the cycles
 * show where the path goes on. What is known of each issue is a node that names the one before it on the path, so
 * that the path is there when the kernel ends. Deviations: of several operands that come in one cycle the one written
 * last counts; of a load's lines, the one that came last to the SM.
 */
#include "critical.h"
#include "events.h"
#include "livelock.h"

#include "machine.h"

#define RECENT 32 /* instructions of a warp that are remembered */
#define LINES 512 /* lines of the memory system, by a hash of their address */
#define MOST_NODES (1u << 28)
#define ROOT 0

const struct critical_row critical_table[CRITICAL_REASONS] = {
#define REASON(id, row_name, row_letter, row_free, row_doc) \
	[CRITICAL_##id] = {.name = row_name, .free = row_free, .doc = row_doc, .letter = row_letter},
#include "critical.def"
#undef REASON
};

/* An event of the path, and the one before it: what lies between was spent on its reason. */
struct node {
	u64 cycle;
	u32 before, pc, cta;
	u16 sm, warp;
	u8 reason, launch;
	u8 spare[6];
};

/* An instruction that a warp has issued lately. Cycles, 0: not yet. */
struct recent {
	u32 pc, node;
	u64 dispatched, accessed; /* by the L1D, its last line */
	u64 line;
	bool missed, shared, memory;
};
/* A context. */
struct who {
	struct recent recent[RECENT];
	u32 head;
	u32 start, last; /* nodes: of its CTA's arrival, of its last issue; ROOT: none */
	u32 wrote;	 /* pc of the result that came last, NONE32 */
	u16 slot;
};
/* A CTA of an SM. */
struct guest {
	u32 cta, start, last, arriver, release; /* nodes */
	u8 launch;
	bool there;
};
/* An SM. */
struct place {
	u64 seen[WARP_STATUS_COUNT * SLOT_WORDS]; /* statuses of the cycle before */
	struct who *who;
	struct guest guest[MOST_sm_residents];
	u32 ended;		  /* node of the last CTA that left */
	u32 chosen[MAX_SUBCORES]; /* of each sub-core, the node of its last issue before this cycle */
	u32 left[MAX_SUBCORES];	  /* and of what left a collector unit in this cycle; ROOT: nothing */
	u64 reply, reply_at;	  /* the line that came last */
};
/* A line between an SM's L1D and DRAM. */
struct passage {
	u64 line, l2, dram;
};
struct watch {
	struct sim fork;
	const struct timeline *timeline;
	u32 applied, launch, end; /* end: the node of the launch's last CTA */
	u64 now;
	struct node *node;
	u32 n;
	struct place *place;
	struct passage line[LINES];
};

/* A node behind another. */
static u32 add(struct watch *w, struct node x)
{
	w->node = array_grow(w->node, w->n, sizeof(*w->node));
	w->node[w->n] = x;
	return w->n++;
}

/* A node of a record, now. */
static u32 add_record(struct watch *w, const struct record *r, u32 before, u32 reason)
{
	return add(w, (struct node){.cycle = w->now,
				    .before = before,
				    .pc = r->pc,
				    .cta = r->cta,
				    .sm = r->sm,
				    .warp = r->warp,
				    .launch = r->launch,
				    .reason = (u8)reason});
}

static struct passage *passage_of(struct watch *w, u64 line)
{
	return &w->line[mix64(line) % LINES];
}

/* The newest issue of a warp's instruction at pc, NULL: too long ago. */
static struct recent *recent_of(struct who *x, u32 pc)
{
	for (u32 i = 0; i < RECENT; i++) {
		struct recent *r = &x->recent[(x->head + RECENT - 1 - i) % RECENT];

		if (r->node != ROOT && r->pc == pc)
			return r;
	}
	return NULL;
}

/* The CTA of a record among those of its SM, NULL: not seen. */
static struct guest *guest_of(struct watch *w, const struct record *r)
{
	struct place *p = &w->place[r->sm];

	for (u32 i = 0; i < ARRAY_LEN(p->guest); i++)
		if (p->guest[i].there && p->guest[i].cta == r->cta && p->guest[i].launch == r->launch)
			return &p->guest[i];
	return NULL;
}

/* --- what comes before an issue --- */

/* A stop on the way of a load, if it lies on it. */
static u32 on_the_way(struct watch *w, u32 before, u64 cycle, u32 reason)
{
	struct node x = w->node[before];

	if (cycle <= x.cycle || cycle >= w->now)
		return before;
	x.cycle = cycle;
	x.before = before;
	x.reason = (u8)reason;
	return add(w, x);
}

/* The stages of the result that a warp waited for; *reason: the last one. */
static u32 follow_result(struct watch *w, const struct recent *r, u32 *reason)
{
	u32 at = on_the_way(w, r->node, r->dispatched, CRITICAL_OPERANDS);
	const struct passage *p = passage_of(w, r->line);

	*reason = r->shared ? CRITICAL_SHARED : r->memory ? CRITICAL_MEMORY : CRITICAL_LATENCY;
	if (!r->accessed)
		return at;
	at = on_the_way(w, at, r->accessed, CRITICAL_LSU);
	*reason = CRITICAL_L1D;
	if (!r->missed)
		return at;
	*reason = CRITICAL_MEMORY;
	if (p->line != r->line)
		return at;
	if (p->l2 > r->accessed) {
		at = on_the_way(w, at, p->l2, CRITICAL_CROSSBAR);
		*reason = CRITICAL_BACK;
	}
	if (p->dram > p->l2) {
		at = on_the_way(w, at, p->dram, CRITICAL_DRAM);
		*reason = CRITICAL_BACK;
	}
	return at;
}

/* The status of a slot in the cycle before. */
static u32 status_before(const struct watch *w, u32 sm, u32 slot)
{
	const struct place *p = &w->place[sm];
	u32 words = w->fork.m->words;

	for (u32 k = 0; slot != NONE16 && k < WARP_STATUS_COUNT; k++)
		if (p->seen[k * words + slot / 64] >> slot % 64 & 1)
			return k;
	return WARP_FETCH;
}

/* The later of two nodes. */
static u32 later(const struct watch *w, u32 a, u32 b)
{
	return w->node[b].cycle > w->node[a].cycle ? b : a;
}

/* The node of what left a collector unit or the LSU to a warp, ROOT: nothing did. */
static u32 what_left(const struct place *p, u32 sub, u32 status)
{
	u32 found = p->left[sub];

	for (u32 i = 0; i < MAX_SUBCORES && status == WARP_LSU && found == ROOT; i++)
		found = p->left[i];
	return found;
}

/* What a warp that issues had waited for, by its status in the cycle before. own: what it did last. */
static u32 what_before(struct watch *w, const struct record *r, u32 own, u32 *reason)
{
	static const u8 plain[WARP_STATUS_COUNT] = {
		[WARP_FENCE] = CRITICAL_FENCE,	    [WARP_HELD] = CRITICAL_HELD,
		[WARP_GANG] = CRITICAL_GANG,	    [WARP_SWAPPED] = CRITICAL_APART,
		[WARP_PREEMPTING] = CRITICAL_APART, [WARP_FETCH] = CRITICAL_FETCH,
		[WARP_DONE] = CRITICAL_FETCH,	    [WARP_ISSUED] = CRITICAL_ISSUE,
		[WARP_BARRIER] = CRITICAL_BARRIER,  [WARP_SHORT] = CRITICAL_LATENCY,
		[WARP_LONG] = CRITICAL_MEMORY,	    [WARP_LSU] = CRITICAL_RESOURCE,
		[WARP_UNIT] = CRITICAL_RESOURCE,    [WARP_COLLECTOR] = CRITICAL_RESOURCE,
		[WARP_PAUSED] = CRITICAL_SLOT,	    [WARP_ELIGIBLE] = CRITICAL_SLOT};
	struct place *p = &w->place[r->sm];
	struct who *x = &p->who[r->warp];
	u32 status = status_before(w, r->sm, x->slot), found;
	const struct guest *g = guest_of(w, r);
	const struct recent *q;

	*reason = plain[status];
	switch (*reason) {
	case CRITICAL_LATENCY:
	case CRITICAL_MEMORY:
		q = x->wrote == NONE32 ? NULL : recent_of(x, x->wrote);
		return q ? follow_result(w, q, reason) : own;
	case CRITICAL_SLOT: return later(w, own, p->chosen[r->sub % MAX_SUBCORES]);
	case CRITICAL_BARRIER: return g ? later(w, own, g->release) : own;
	case CRITICAL_RESOURCE:
		found = r->b == CLASS_CONTROL ? ROOT : what_left(p, r->sub % MAX_SUBCORES, status);
		return found ? found : own;
	default: return own;
	}
}

/* --- records --- */

/* A context that has another CTA than before begins anew. */
static void settle_in(struct who *x, const struct guest *g)
{
	if (!g || x->start == g->start)
		return;
	for (u32 i = 0; i < RECENT; i++)
		x->recent[i].node = ROOT;
	x->start = x->last = g->start;
	x->wrote = NONE32;
}

/* A warp issues. */
static void on_issue(struct watch *w, const struct record *r)
{
	const struct warp *warp = (struct warp *)machine_sm_section(w->fork.m, r->sm, SECTION_WARP) + r->warp;
	struct place *p = &w->place[r->sm];
	struct who *x = &p->who[r->warp];
	struct guest *g = guest_of(w, r);
	u32 reason, before, class = w->fork.kernel[warp->launch]->inst[r->pc].class;

	settle_in(x, g);
	x->slot = warp->slot == NONE16 ? x->slot : warp->slot;
	before = what_before(w, r, x->last, &reason);
	if (w->node[before].cycle >= w->now && before != x->last) {
		before = x->last; /* of this very cycle: what the warp did itself stands before */
		reason = CRITICAL_ISSUE;
	}
	if (w->node[x->last].cycle + 1 == w->now && w->node[x->last].warp == r->warp && before == x->last)
		reason = CRITICAL_ISSUE;
	x->last = add_record(w, r, before, reason);
	if (g)
		g->last = x->last;
	x->recent[x->head++ % RECENT] =
		(struct recent){.pc = r->pc,
				.node = x->last,
				.shared = class == CLASS_SHLOAD || class == CLASS_SHSTORE,
				.memory = class == CLASS_LOAD || class == CLASS_ATOMIC || class == CLASS_CONST};
}

/* An instruction leaves its collector unit. */
static void on_dispatch(struct watch *w, const struct record *r)
{
	struct place *p = &w->place[r->sm];
	struct recent *q = recent_of(&p->who[r->warp], r->pc);

	if (!q)
		return;
	q->dispatched = w->now;
	p->left[r->sub % MAX_SUBCORES] = q->node;
}

/* The L1D has looked a line up. */
static void on_access(struct watch *w, const struct record *r, bool missed)
{
	struct recent *q = r->warp == NONE16 ? NULL : recent_of(&w->place[r->sm].who[r->warp], r->pc);
	struct passage *p = passage_of(w, r->address);

	if (r->kind == EVENT_L1D_MISS || r->kind == EVENT_L1D_PAST)
		*p = (struct passage){.line = r->address};
	if (!q)
		return;
	q->accessed = w->now;
	q->missed |= missed;
	q->line = missed ? r->address : q->line;
}

/* A result has come. */
static void on_writeback(struct watch *w, const struct record *r)
{
	struct place *p = &w->place[r->sm];
	struct recent *q = recent_of(&p->who[r->warp], r->pc);

	p->who[r->warp].wrote = r->pc;
	if (q && q->missed && p->reply_at + 2 >= w->now)
		q->line = p->reply;
}

/* The memory system has a line. */
static void on_line(struct watch *w, const struct record *r)
{
	struct passage *p = passage_of(w, r->address);

	if (p->line != r->address)
		return;
	if (r->kind == EVENT_DRAM_READ)
		p->dram = w->now;
	else if (!p->l2)
		p->l2 = w->now;
}

/* A CTA comes. */
static void on_start(struct watch *w, const struct record *r)
{
	struct place *p = &w->place[r->sm];
	bool follows = p->ended != ROOT;
	struct guest *g = p->guest;
	u32 came = add_record(w, r, follows ? p->ended : ROOT, follows ? CRITICAL_DISPATCH : CRITICAL_LAUNCH);

	while (g + 1 < p->guest + ARRAY_LEN(p->guest) && g->there)
		g++;
	*g = (struct guest){.cta = r->cta, .launch = r->launch, .start = came, .last = came, .there = true};
}

/* A CTA has left. */
static void on_end(struct watch *w, const struct record *r)
{
	struct guest *g = guest_of(w, r);

	if (!g)
		return;
	g->there = false;
	w->place[r->sm].ended = add_record(w, r, g->last, CRITICAL_RETIRE);
	if (r->launch == min_u32(w->launch, 0xff) && r->kind == EVENT_CTA_END)
		w->end = w->place[r->sm].ended;
}

/* A warp has come to a barrier, or ended, after which a barrier may be complete. */
static void on_arrival(struct watch *w, const struct record *r)
{
	struct guest *g = guest_of(w, r);

	if (g)
		g->arriver = w->place[r->sm].who[r->warp].last;
}

static void take(struct watch *w, const struct record *r)
{
	struct guest *g;

	switch (r->kind) {
	case EVENT_ISSUE: on_issue(w, r); break;
	case EVENT_DISPATCH: on_dispatch(w, r); break;
	case EVENT_WRITEBACK: on_writeback(w, r); break;
	case EVENT_L1D_HIT: on_access(w, r, false); break;
	case EVENT_L1D_MISS:
	case EVENT_L1D_PAST:
	case EVENT_L1D_MERGE: on_access(w, r, true); break;
	case EVENT_L2_HIT:
	case EVENT_L2_MISS:
	case EVENT_L2_MERGE:
	case EVENT_DRAM_READ: on_line(w, r); break;
	case EVENT_REPLY:
		w->place[r->sm].reply = r->address;
		w->place[r->sm].reply_at = w->now;
		break;
	case EVENT_BARRIER:
	case EVENT_WARP_DONE: on_arrival(w, r); break;
	case EVENT_RELEASE:
		g = guest_of(w, r);
		if (g)
			g->release = g->arriver;
		break;
	case EVENT_CTA_START:
	case EVENT_RESTORED: on_start(w, r); break;
	default: on_end(w, r); break;
	}
}

#define WANTED \
	(EVENT_BIT(EVENT_ISSUE) | EVENT_BIT(EVENT_DISPATCH) | EVENT_BIT(EVENT_WRITEBACK) | EVENT_BIT(EVENT_L1D_HIT) | \
	 EVENT_BIT(EVENT_L1D_MISS) | EVENT_BIT(EVENT_L1D_PAST) | EVENT_BIT(EVENT_L1D_MERGE) | \
	 EVENT_BIT(EVENT_L2_HIT) | EVENT_BIT(EVENT_L2_MISS) | EVENT_BIT(EVENT_L2_MERGE) | EVENT_BIT(EVENT_DRAM_READ) | \
	 EVENT_BIT(EVENT_REPLY) | EVENT_BIT(EVENT_BARRIER) | EVENT_BIT(EVENT_WARP_DONE) | EVENT_BIT(EVENT_RELEASE) | \
	 EVENT_BIT(EVENT_CTA_START) | EVENT_BIT(EVENT_RESTORED) | EVENT_BIT(EVENT_CTA_END) | \
	 EVENT_BIT(EVENT_FLUSHED) | EVENT_BIT(EVENT_SAVED) | EVENT_BIT(EVENT_KILLED))

/* --- the run --- */

/* What the cycle that is over leaves behind for the next. */
static void remember(struct watch *w)
{
	const struct machine *m = w->fork.m;

	for (u32 i = 0; i < m->config.gpu_sms; i++) {
		const struct sm *sm = machine_sm_section(w->fork.m, i, SECTION_SM);
		struct place *p = &w->place[i];

		memcpy(p->seen, sm->seen, WARP_STATUS_COUNT * m->words * sizeof(*p->seen));
		memset(p->left, 0, sizeof(p->left));
	}
	for (u32 i = 0; i < w->fork.bus.count; i++) {
		const struct record *r = &w->fork.bus.record[i];

		if (r->kind == EVENT_ISSUE)
			w->place[r->sm].chosen[r->sub % MAX_SUBCORES] = w->place[r->sm].who[r->warp].last;
	}
}

/* One cycle, or a jump over idle ones. */
static void step(struct watch *w)
{
	struct sim *s = &w->fork;
	u64 now = machine_gpu(s->m)->cycle, input = timeline_input_next(w->timeline, w->applied);

	if (sim_skip(s, min_u64(input, livelock_look(now))) > now)
		return;
	timeline_follow(w->timeline, s, &w->applied, (struct position){now + 1, 0});
	w->now = machine_gpu(s->m)->cycle;
	for (u32 i = 0; i < s->bus.count; i++)
		take(w, &s->bus.record[i]);
	remember(w);
}

static const struct launch_run *run_of(const struct watch *w)
{
	return (const struct launch_run *)machine_gpu_section(w->fork.m, SECTION_LAUNCH) + w->launch;
}

static void watch_open(struct watch *w, struct session *s, u32 launch)
{
	u32 sms = s->sim.m->config.gpu_sms;

	*w = (struct watch){.timeline = s->timeline, .launch = launch, .end = ROOT};
	timeline_fork(s->timeline, (struct position){0, 0}, &w->fork, &w->applied);
	w->fork.bus.want = WANTED;
	w->place = xcalloc(sms, sizeof(*w->place));
	for (u32 i = 0; i < sms; i++) {
		w->place[i].who = xcalloc(w->fork.m->contexts, sizeof(*w->place[i].who));
		for (u32 k = 0; k < w->fork.m->contexts; k++)
			w->place[i].who[k].slot = NONE16;
	}
	add(w, (struct node){.pc = NONE32, .cta = NONE32, .sm = NONE16, .warp = NONE16, .launch = 0xff});
}

static void watch_close(struct watch *w, u32 sms)
{
	for (u32 i = 0; i < sms; i++)
		free(w->place[i].who);
	free(w->place);
	free(w->node);
	sim_close(&w->fork);
}

/* To the end of the launch. */
static enum status watch_run(struct watch *w, const struct session *s, struct error *e)
{
	u64 limit = s->max_cycles ? s->max_cycles : NEVER;

	while (run_of(w)->state != LAUNCH_DONE && !sim_finished(&w->fork)) {
		if (timeline_interrupt && timeline_stops())
			return error_set(e, STATUS_FAILED, "interrupted");
		if (machine_gpu(w->fork.m)->cycle >= limit)
			return error_set(e, STATUS_LIMIT, "kernel %u has not ended at cycle %llu (--max-cycles)",
					 w->launch, (unsigned long long)limit);
		if (w->n > MOST_NODES)
			return error_set(e, STATUS_FAILED,
					 "run too long for a critical path (more than %u instructions)", MOST_NODES);
		if (s->config.run_livelock && livelock_found(&w->fork) != LIVELOCK_LIVE)
			return error_set(e, STATUS_FAILED, "kernel %u does not end: the run ends in a livelock",
					 w->launch);
		step(w);
	}
	if (run_of(w)->state != LAUNCH_DONE)
		return error_set(e, STATUS_FAILED, "kernel %u does not end: the run ends in a %s", w->launch,
				 sim_faulted(&w->fork) ? "fault" : "deadlock");
	if (run_of(w)->first_issue == NEVER || w->end == ROOT)
		return error_set(e, STATUS_FAILED, "kernel %u issues nothing", w->launch);
	return STATUS_OK;
}

/* The path, from its end; stretches within the kernel's cycles, without gaps. */
static void collect(const struct watch *w, struct critical *c)
{
	u64 to = c->end;
	u32 n = 0;

	for (u32 i = w->end; i != ROOT; i = w->node[i].before)
		n++;
	c->stretch = xcalloc(n + 1, sizeof(*c->stretch));
	c->n = 0;
	for (u32 i = w->end; i != ROOT && to > c->first; i = w->node[i].before) {
		const struct node *x = &w->node[i], *b = &w->node[x->before];
		u64 from = max_u64(min_u64(b->cycle, to), c->first);
		bool other = x->reason != CRITICAL_ISSUE && x->reason != CRITICAL_FETCH && x->before != ROOT &&
			     b->pc != NONE32;
		const struct node *of = other ? b : x;

		if (from < to)
			c->stretch[c->n++] = (struct critical_stretch){.from = from,
								       .to = to,
								       .pc = of->pc,
								       .cta = of->cta,
								       .sm = of->sm,
								       .warp = of->warp,
								       .launch = of->launch,
								       .reason = x->reason};
		to = from;
	}
	for (u32 i = 0; i < c->n / 2; i++) {
		struct critical_stretch t = c->stretch[i];

		c->stretch[i] = c->stretch[c->n - 1 - i];
		c->stretch[c->n - 1 - i] = t;
	}
}

enum status critical_find(struct session *s, u32 launch, struct critical *c, struct error *e)
{
	u32 sms = s->sim.m->config.gpu_sms;
	struct watch *w = xcalloc(1, sizeof(*w));
	enum status st;

	*c = (struct critical){.launch = launch, .era = session_era(s)};
	watch_open(w, s, launch);
	st = watch_run(w, s, e);
	if (!st) {
		sim_sync(&w->fork);
		c->first = run_of(w)->first_issue;
		c->end = run_of(w)->last_retire;
		collect(w, c);
	}
	watch_close(w, sms);
	free(w);
	return st;
}

void critical_free(struct critical *c)
{
	if (c)
		free(c->stretch);
	free(c);
}

bool critical_holds(const struct session *s, const struct critical *c)
{
	return c && session_era_holds(s, c->era);
}

void critical_sums(const struct critical *c, u64 *sum)
{
	memset(sum, 0, CRITICAL_REASONS * sizeof(*sum));
	for (u32 i = 0; i < c->n; i++)
		sum[c->stretch[i].reason] += c->stretch[i].to - c->stretch[i].from;
}

const struct critical_stretch *critical_at(const struct critical *c, u64 cycle)
{
	u32 low = BISECT(i, c->n, c->stretch[i].to < cycle);

	return low < c->n && c->stretch[low].from < cycle ? &c->stretch[low] : NULL;
}
