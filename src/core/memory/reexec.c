/*
 * reexec.c - an LSU that others may pass: what the L1D refuses waits aside, in a re-execution queue (lsu.reexec).
 *
 * The head of the LSU goes first. If the L1D refuses one of its lines (a full table of results excepted) it moves into
 * the queue, with the lines that it still needs, and the next may go. Which may pass those of their own warp that wait
 * there is a matter of lsu.reexec:
 *   - car: none, and an active warp has one instruction in the queue: its next one keeps the LSU waiting;
 *   - newcar: a load passes loads; what may not pass moves into the queue behind them, untried.
 *
 * Atomics are as stores; those of other warps and accesses to shared memory pass. The queue is served in cycles in
 * which the LSU makes no access to the L1D, and when it is full, in which case the LSU stops. A pass over it begins
 * with the oldest, makes l1d.ports tries a cycle, goes on behind what is refused, and begins anew at its end and when a
 * line has come into the L1D, unless a policy in slot reexec names who is tried. An SM in which something waits aside
 * does not sleep.
 *
 * With lsu.reexec_inactive what CTAs without warp slots have issued waits in a queue of its own, into which it moves
 * when its CTA gives its slots away; that one is served in cycles in which nothing of the other can be tried, as the
 * loads of active CTAs "are always given higher priority". So what of an inactive CTA comes to the head of the LSU and
 * may not pass one of its warp keeps nobody waiting under car, either: it moves into that queue untried, or into the
 * other where that one is full. Source: CAR of Sethia et al., "Mascar", HPCA 2015, its successor in ELF++, and the two
 * load queues of Yoon et al., "Virtual Thread", ISCA 2016, section IV.D.
 */
#include "memory/lsu.h"

/* One of the two queues. */
struct aside {
	struct ring_slot *entry;
	u32 *count, *at; /* entries; where the next try is made */
	u32 room;
};

static struct aside reexec_active_queue(const struct sm_view *v)
{
	return (struct aside){v->reexec, &v->sm->reexec_count, &v->sm->reexec_at, v->m->section[SECTION_REEXEC].count};
}
static struct aside reexec_inactive_queue(const struct sm_view *v)
{
	return (struct aside){v->reexec_inactive, &v->sm->reexec_inactive, &v->sm->reexec_inactive_at,
			      v->m->section[SECTION_REEXEC_INACTIVE].count};
}
static struct memop *reexec_entry(const struct sm_view *v, const struct aside *q, u32 i)
{
	return &v->memop[q->entry[i].memop];
}
static bool reexec_is_shared(const struct memop *op)
{
	return op->class == CLASS_SHLOAD || op->class == CLASS_SHSTORE;
}
static bool reexec_of_one_warp(const struct memop *a, const struct memop *b)
{
	return a->context == b->context && a->generation == b->generation;
}

/* Has an operation's CTA given its slots away, so that those of active CTAs go before it? */
static bool reexec_is_away(const struct sm_view *v, const struct memop *op)
{
	return v->m->config.lsu_reexec_inactive && view_current(v, op->context, op->generation) &&
	       v->warp[op->context].slot == NONE16;
}

/* The queue in which the head of the LSU waits, if it has to: that of its CTA, if there is room. */
static struct aside reexec_queue_of(const struct sm_view *v, const struct memop *op)
{
	struct aside inactive = reexec_inactive_queue(v);
	return reexec_is_away(v, op) && *inactive.count < inactive.room ? inactive : reexec_active_queue(v);
}

/* The first of the first n that wait in a queue that an operation may not pass, NONE32: it may pass them all. */
static u32 reexec_barred_by(const struct sm_view *v, const struct memop *op, const struct aside *q, u32 n)
{
	bool never = v->m->config.lsu_reexec == REEXEC_CAR || op->class != CLASS_LOAD;
	for (u32 i = 0; i < n; i++)
		if (reexec_of_one_warp(reexec_entry(v, q, i), op) &&
		    (never || reexec_entry(v, q, i)->class != CLASS_LOAD))
			return i;
	return NONE32;
}

/* May an operation go before the first n that wait in a queue? */
static bool reexec_passes(const struct sm_view *v, const struct memop *op, const struct aside *q, u32 n)
{
	return reexec_barred_by(v, op, q, n) == NONE32;
}

/* Before all that wait? */
static bool reexec_passes_all(const struct sm_view *v, const struct memop *op)
{
	struct aside active = reexec_active_queue(v), inactive = reexec_inactive_queue(v);
	return reexec_passes(v, op, &active, *active.count) && reexec_passes(v, op, &inactive, *inactive.count);
}

/* The head of the LSU moves aside. why: what the L1D refused it for, 0: it may not pass one of its warp. */
static void reexec_move_aside(struct sm_view *v, enum refusal why)
{
	struct sm *sm = v->sm;
	u16 at = lsu_pop(v);
	const struct memop *op = &v->memop[at];
	struct aside q = reexec_queue_of(v, op);
	q.entry[(*q.count)++].memop = at;
	sm->stat[STAT_REEXEC_MOVED]++;
	sm->stat[STAT_REEXEC_UNTRIED] += !why;
	sm->stat[STAT_REEXEC_INACTIVE] += q.entry == v->reexec_inactive;
	emit_late(v, EVENT_REEXEC, op->context, op->generation, op->pc,
		  op->count ? (op->line[op->done] >> 4) << v->m->line_shift : 0, why, *q.count);
}

/* The head of the LSU tries the L1D. */
static void reexec_try_head(struct sm_view *v, struct memop *op, u32 *tries)
{
	enum refusal why = lsu_access(v, op, tries);
	u32 waiting = v->sm->reexec_count + v->sm->reexec_inactive;
	if (why && why != REFUSED_RESULTS) {
		reexec_move_aside(v, why);
	} else if (op->done == op->count) {
		if (waiting) {
			v->sm->stat[STAT_REEXEC_BYPASSES]++;
			emit_late(v, EVENT_BYPASS, op->context, op->generation, op->pc, 0, waiting, 0);
		}
		lsu_done(v);
	}
}

/* The head of the LSU, while there is room aside. *tries: accesses to the L1D that are left of this cycle. */
static void reexec_serve_head(struct sm_view *v, struct memop *op, u32 *tries)
{
	if (reexec_is_shared(op))
		lsu_shared(v, op);
	else if (reexec_passes_all(v, op))
		reexec_try_head(v, op, tries);
	else if (v->m->config.lsu_reexec == REEXEC_NEWCAR || reexec_is_away(v, op))
		reexec_move_aside(v, 0);
}

/* The i-th of a queue leaves it. */
static u16 reexec_take_out(const struct aside *q, u32 i)
{
	u16 at = q->entry[i].memop;
	for (--*q->count; i < *q->count; i++)
		q->entry[i] = q->entry[i + 1];
	q->entry[i] = (struct ring_slot){0};
	return at;
}

/* An operation all of whose lines have been made is aside no longer. */
static void reexec_resume(struct sm_view *v, const struct aside *q, u32 i)
{
	u16 at = reexec_take_out(q, i);
	v->sm->stat[STAT_REEXEC_RESUMED]++;
	emit_late(v, EVENT_REEXEC_SERVED, v->memop[at].context, v->memop[at].generation, v->memop[at].pc, 0, *q->count,
		  0);
	lsu_finish(v, at);
}

/* The first of a queue, from the i-th on, that may be tried. What waits in the queue of inactive CTAs is older than
 * what its warp has in the other. */
static u32 reexec_first_free(const struct sm_view *v, const struct aside *q, u32 i)
{
	struct aside inactive = reexec_inactive_queue(v);
	u32 older = q->entry == inactive.entry ? 0 : *inactive.count;
	while (i < *q->count && !(reexec_passes(v, reexec_entry(v, q, i), q, i) &&
				  reexec_passes(v, reexec_entry(v, q, i), &inactive, older)))
		i++;
	return i;
}

/* The next that may be tried, from the i-th on; behind the last the first, but nothing twice in a cycle. */
static u32 reexec_next_aside(const struct sm_view *v, const struct aside *q, u32 i, bool tried)
{
	i = reexec_first_free(v, q, i);
	return i < *q->count || tried ? i : reexec_first_free(v, q, 0);
}

/* The place of the queue that the policy names, of those that may be tried and have not been; NONE32: none. */
static u32 reexec_named_aside(const struct sm_view *v, const struct aside *q, const u64 *tried)
{
	u64 places[SLOT_WORDS] = {0};
	for (u32 i = reexec_first_free(v, q, 0); i < *q->count; i = reexec_first_free(v, q, i + 1))
		if (!SET_HAS(tried, i))
			SET_ADD(places, i);
	if (set_first(places, SLOT_WORDS) == NONE32)
		return NONE32;
	u32 at = policy_one(v->m, POLICY_reexec)->decide.reexec(v->look, places);
	INVARIANT(at == NONE32 || (at < SLOT_WORDS * 64 && SET_HAS(places, at)));
	return at;
}

/* What waits in a queue, as the policy names it, until one of them is served. */
static void reexec_serve_named(struct sm_view *v, const struct aside *q, u32 *tries)
{
	u64 tried[SLOT_WORDS] = {0};
	u32 before = *tries;
	for (u32 i = reexec_named_aside(v, q, tried); i != NONE32 && *tries; i = reexec_named_aside(v, q, tried)) {
		struct memop *op = reexec_entry(v, q, i);
		SET_ADD(tried, i);
		if (!lsu_access(v, op, tries) && op->done == op->count) {
			reexec_resume(v, q, i);
			break;
		}
	}
	v->sm->stat[STAT_REEXEC_TRIES] += before - *tries;
}

/* What waits in a queue, the oldest first, behind where the last try was. */
static void reexec_serve_aside(struct sm_view *v, const struct aside *q, u32 *tries)
{
	u32 before = *tries, i = reexec_next_aside(v, q, *q->at, false);
	for (; *tries && i < *q->count; i = reexec_next_aside(v, q, i, *tries < before)) {
		struct memop *op = reexec_entry(v, q, i);
		if (lsu_access(v, op, tries))
			i++;
		else if (op->done == op->count)
			reexec_resume(v, q, i);
	}
	v->sm->stat[STAT_REEXEC_TRIES] += before - *tries;
	*q->at = i < *q->count ? i : 0;
}

void reexec_leave(struct sm_view *v, u32 cta_slot)
{
	struct aside from = reexec_active_queue(v), to = reexec_inactive_queue(v);
	for (u32 i = 0; to.room && i < *from.count;) {
		const struct memop *op = reexec_entry(v, &from, i);
		if (!view_current(v, op->context, op->generation) || v->warp[op->context].cta != cta_slot) {
			i++;
			continue;
		}
		INVARIANT(*to.count < to.room);
		to.entry[(*to.count)++].memop = reexec_take_out(&from, i);
		*from.at -= *from.at > i;
		v->sm->stat[STAT_REEXEC_INACTIVE]++;
	}
}

void sm_reexecute(struct sm_view *v)
{
	struct sm *sm = v->sm;
	u32 ports = v->m->config.l1d_ports, tries = ports;
	struct memop *head = sm->lsu_count ? &v->memop[v->lsuq[sm->lsu_head].memop] : NULL;
	struct aside active = reexec_active_queue(v), inactive = reexec_inactive_queue(v), behind;
	if (!head && !sm->reexec_count && !sm->reexec_inactive)
		return;
	v->sleep->active = 1;
	behind = head ? reexec_queue_of(v, head) : active;
	bool full = *behind.count == behind.room;
	sm->stat[STAT_REEXEC_WAITING] += sm->reexec_count + sm->reexec_inactive;
	sm->stat[STAT_REEXEC_FULL] += full && head;
	if (head && !full && sm->shared_busy <= view_cycle(v))
		reexec_serve_head(v, head, &tries);
	if (tries == ports && v->m->policy.in[POLICY_reexec])
		reexec_serve_named(v, &active, &tries);
	else if (tries == ports)
		reexec_serve_aside(v, &active, &tries);
	if (tries == ports)
		reexec_serve_aside(v, &inactive, &tries);
	v->sleep->refused = 0;
}

/* The place of a memory operation in a queue, or how many wait there. */
static u32 reexec_place_of(const struct aside *q, u32 memop)
{
	u32 i = 0;
	while (i < *q->count && q->entry[i].memop != memop)
		i++;
	return i;
}

u32 sim_reexec_barrier(const struct sim *s, u32 sm, u32 memop)
{
	const struct sm_view *v = &s->view[sm];
	const struct memop *op = &v->memop[memop];
	struct aside active = reexec_active_queue(v), inactive = reexec_inactive_queue(v);
	u32 older = reexec_place_of(&inactive, memop),
	    younger = older < *inactive.count ? 0 : reexec_place_of(&active, memop), at;
	if (reexec_is_shared(op))
		return NONE32;
	if ((at = reexec_barred_by(v, op, &inactive, older)) != NONE32)
		return inactive.entry[at].memop;
	return (at = reexec_barred_by(v, op, &active, younger)) != NONE32 ? active.entry[at].memop : NONE32;
}
