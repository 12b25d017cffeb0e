/*
 * lsu.c - stage execute: the load-store unit of an SM serves its queue in order.
 *
 * The head instruction holds the unit: shared memory for as many cycles as its banks need, global memory until the L1D has
 * taken all its line accesses, l1d.ports of them per cycle. A generic access with lanes in both kinds of memory takes its
 * lines, then the cycles of the banks. Addresses were made and coalesced at issue.
 */
#include "core.h"

/* The head leaves the queue and its memory operation is free. */
static void pop(struct sm_view *v)
{
	struct sm *sm = v->sm;
	u16 at = v->lsuq[sm->lsu_head].memop;
	sm->lsu_head = (u16)(sm->lsu_head + 1u == v->m->config.lsu_queue ? 0 : sm->lsu_head + 1);
	sm->lsu_count--;
	v->memop[at].next = sm->memop_free;
	sm->memop_free = at;
}

/* Shared memory: busy for `count` cycles, the result after its latency. */
static void serve_shared(struct sm_view *v, const struct memop *op)
{
	u32 cycles = max_u32(op->count, 1);
	if (!result_room(v))
		return;
	v->sm->shared_busy = view_cycle(v) + cycles;
	v->sm->stat[STAT_SHARED_ACCESSES]++;
	v->sm->stat[STAT_SHARED_CYCLES] += cycles;
	emit(v, EVENT_SHARED, op->context, op->pc, 0, cycles, (u32)__builtin_popcount(op->mask));
	result_due(v, cycles - 1 + (op->class == CLASS_SHLOAD ? v->m->config.shared_latency : 1),
		   &(struct result){ .kind = RESULT_VALUE, .context = op->context, .generation = op->generation,
				     .pc = op->pc });
	pop(v);
}

/* A write or reduction of one line leaves for the L2; its acknowledgement has been awaited since the issue. */
static enum refusal send_write(struct sm_view *v, const struct memop *op, u64 line)
{
	u32 kind = op->class == CLASS_STORE ? PACKET_WRITE : PACKET_REDUCTION;
	if (!port_send(v, line, op->context, kind))
		return REFUSED_INTERCONNECT;
	l1d_store(v, line);
	return 0;
}

/* One line access of a memory operation. */
static enum refusal access_line(struct sm_view *v, const struct memop *op, u64 line)
{
	if (op->class == CLASS_LOAD)
		return l1d_load(v, line, op->load);
	if (op->class == CLASS_ATOMIC && op->load != NONE16)
		return port_send(v, line, op->load, PACKET_ATOMIC) ? 0 : REFUSED_INTERCONNECT;
	return send_write(v, op, line);
}

/* Nothing of a memory operation is left to do in the LSU. */
static void finish_global(struct sm_view *v, const struct memop *op)
{
	u32 context = op->context, load = op->load, empty = op->count == 0;
	if (op->banks)
		v->sm->shared_busy = view_cycle(v) + op->banks;
	pop(v);
	if (load == NONE16) {
		warp_retired(v, context, 1);
	} else if (empty) {
		v->load[load].waiting = 1;
		load_arrived(v, load);
	}
}

/* Global memory: up to l1d.ports line accesses. */
static void serve_global(struct sm_view *v, struct memop *op)
{
	for (u32 i = 0; i < v->m->config.l1d_ports && op->done < op->count; i++) {
		enum refusal why = access_line(v, op, op->line[op->done]);
		if (why) {
			l1d_refused(v, op->context, op->pc, op->line[op->done], why);
			return;
		}
		op->done++;
	}
	if (op->done == op->count)
		finish_global(v, op);
}

/* Stage execute. A load that is refused, and will be until something else happens, is no reason to stay awake: its refusals are
 * counted with the cycles that the SM sleeps (account.c). */
void sm_execute(struct sm_view *v)
{
	struct sm *sm = v->sm;
	if (!sm->lsu_count)
		return;
	v->sleep->active |= !v->sleep->refused;
	if (sm->shared_busy > view_cycle(v))
		return;
	struct memop *op = &v->memop[v->lsuq[sm->lsu_head].memop];
	u32 done = op->done;
	if (op->class == CLASS_SHLOAD || op->class == CLASS_SHSTORE)
		serve_shared(v, op);
	else
		serve_global(v, op);
	v->sleep->active |= !v->sleep->refused || op->done != done;
}
