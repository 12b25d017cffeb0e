/*
 * reexec.c - an LSU that others may pass: what the L1D refuses waits aside, in a re-execution queue (lsu.reexec).
 *
 * The head of the LSU goes first. If the L1D refuses one of its lines (a full table of results excepted) it moves into
 * the queue, with the lines that it still needs, and the next may go. Which may pass those of their own warp that wait
 * there is a matter of lsu.reexec:
 *   - car: none, and a warp has one instruction in the queue: its next one keeps the LSU waiting;
 *   - newcar: a load passes loads; what may not pass moves into the queue behind them, untried.
 *
 * Atomics are as stores; those of other warps and accesses to shared memory pass. The queue is served in cycles in
 * which the LSU makes no access to the L1D, and when it is full, in which case the LSU stops. A pass over it begins
 * with the oldest, makes l1d.ports tries a cycle, goes on behind what is refused, and begins anew at its end and when a
 * line has come into the L1D. An SM in which something waits aside does not sleep. Source: CAR of Sethia et al.,
 * "Mascar", HPCA 2015, and its successor in ELF++.
 */
#include "core.h"

static u32 room(const struct sm_view *v)
{
	return v->m->section[SECTION_REEXEC].count;
}
static struct memop *entry(const struct sm_view *v, u32 i)
{
	return &v->memop[v->reexec[i].memop];
}
static bool is_shared(const struct memop *op)
{
	return op->class == CLASS_SHLOAD || op->class == CLASS_SHSTORE;
}
static bool of_one_warp(const struct memop *a, const struct memop *b)
{
	return a->context == b->context && a->generation == b->generation;
}

/* May an operation go before the first n that wait aside? */
static bool passes(const struct sm_view *v, const struct memop *op, u32 n)
{
	bool never = v->m->config.lsu_reexec == REEXEC_CAR || op->class != CLASS_LOAD;
	for (u32 i = 0; i < n; i++)
		if (of_one_warp(entry(v, i), op) && (never || entry(v, i)->class != CLASS_LOAD))
			return false;
	return true;
}

/* The head of the LSU moves aside. why: what the L1D refused it for, 0: it may not pass one of its warp. */
static void move_aside(struct sm_view *v, enum refusal why)
{
	struct sm *sm = v->sm;
	u16 at = lsu_pop(v);
	const struct memop *op = &v->memop[at];
	v->reexec[sm->reexec_count++].memop = at;
	sm->stat[STAT_REEXEC_MOVED]++;
	sm->stat[STAT_REEXEC_UNTRIED] += !why;
	emit_late(v, EVENT_REEXEC, op->context, op->generation, op->pc,
		  op->count ? (op->line[op->done] >> 4) << v->m->line_shift : 0, why, sm->reexec_count);
}

/* The head of the LSU tries the L1D. */
static void try_head(struct sm_view *v, struct memop *op, u32 *tries)
{
	enum refusal why = lsu_access(v, op, tries);
	if (why && why != REFUSED_RESULTS) {
		move_aside(v, why);
	} else if (op->done == op->count) {
		if (v->sm->reexec_count) {
			v->sm->stat[STAT_REEXEC_BYPASSES]++;
			emit_late(v, EVENT_BYPASS, op->context, op->generation, op->pc, 0, v->sm->reexec_count, 0);
		}
		lsu_finish(v, lsu_pop(v));
	}
}

/* The head of the LSU, while there is room aside. *tries: accesses to the L1D that are left of this cycle. */
static void serve_head(struct sm_view *v, u32 *tries)
{
	struct memop *op = &v->memop[v->lsuq[v->sm->lsu_head].memop];
	if (is_shared(op))
		lsu_shared(v, op);
	else if (passes(v, op, v->sm->reexec_count))
		try_head(v, op, tries);
	else if (v->m->config.lsu_reexec == REEXEC_NEWCAR)
		move_aside(v, 0);
}

/* An operation all of whose lines have been made is aside no longer. */
static void resume(struct sm_view *v, u32 i)
{
	struct sm *sm = v->sm;
	u16 at = v->reexec[i].memop;
	for (sm->reexec_count--; i < sm->reexec_count; i++)
		v->reexec[i] = v->reexec[i + 1];
	v->reexec[i] = (struct ring_slot){0};
	sm->stat[STAT_REEXEC_RESUMED]++;
	emit_late(v, EVENT_REEXEC_SERVED, v->memop[at].context, v->memop[at].generation, v->memop[at].pc, 0,
		  sm->reexec_count, 0);
	lsu_finish(v, at);
}

/* The next that may be tried, from the i-th on; behind the last the oldest, which may always be, but nothing twice in a
 * cycle. */
static u32 next_aside(const struct sm_view *v, u32 i, bool tried)
{
	while (i < v->sm->reexec_count && !passes(v, entry(v, i), i))
		i++;
	return i < v->sm->reexec_count || tried ? i : 0;
}

/* What waits aside, the oldest first, behind where the last try was. */
static void serve_aside(struct sm_view *v, u32 tries)
{
	struct sm *sm = v->sm;
	u32 before = tries, i = next_aside(v, sm->reexec_at, false);
	for (; tries && i < sm->reexec_count; i = next_aside(v, i, tries < before)) {
		struct memop *op = entry(v, i);
		if (lsu_access(v, op, &tries))
			i++;
		else if (op->done == op->count)
			resume(v, i);
	}
	sm->stat[STAT_REEXEC_TRIES] += before - tries;
	sm->reexec_at = i < sm->reexec_count ? i : 0;
}

void sm_reexecute(struct sm_view *v)
{
	struct sm *sm = v->sm;
	u32 ports = v->m->config.l1d_ports, tries = ports;
	bool full = sm->reexec_count == room(v);
	if (!sm->lsu_count && !sm->reexec_count)
		return;
	v->sleep->active = 1;
	sm->stat[STAT_REEXEC_WAITING] += sm->reexec_count;
	sm->stat[STAT_REEXEC_FULL] += full && sm->lsu_count;
	if (sm->lsu_count && !full && sm->shared_busy <= view_cycle(v))
		serve_head(v, &tries);
	if (tries == ports)
		serve_aside(v, tries);
	v->sleep->refused = 0;
}
