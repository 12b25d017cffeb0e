/*
 * lsu.c - stage execute: the load-store unit of an SM serves its queue in order.
 *
 * The head instruction holds the unit: shared memory for as many cycles as its banks need, global memory until the L1D
 * has taken all its line accesses, l1d.ports of them per cycle, and for lsu.interval at least (lsu.reexec: reexec.c). A
 * generic access with lanes in both kinds of memory takes its lines, then the cycles of the banks; a texture fetch its
 * lines, then what is left of the cycles of the texture units. Addresses were made
 * and coalesced at issue.
 */
#include "memory/lsu.h"
#include "state/slices.h"
#include "ring.h"
#include "shadow.h"

#include <string.h>

u16 lsu_pop(struct sm_view *v)
{
	struct sm *sm = v->sm;
	u16 at = v->lsuq[sm->lsu_head].memop;
	sm->lsu_head = (u16)(sm->lsu_head + 1u == v->m->config.lsu_queue ? 0 : sm->lsu_head + 1);
	sm->lsu_count--;
	return at;
}

void memop_release(struct sm_view *v, u32 at)
{
	if (__builtin_expect(v->m->parent_shift, 0))
		memset(&v->memop[at], 0, sizeof v->memop[at]);
	v->memop[at].next = v->sm->memop_free;
	v->sm->memop_free = (u16)at;
}

u32 shared_delay(const struct config *c, const struct memop *op, u32 cycles)
{
	return op->class == CLASS_SHLOAD ? (cycles - 1) * (1 + c->shared_conflict_latency) + c->shared_latency : cycles;
}

/* Shared memory: busy for `count` cycles, the result after its latency. */
UNGUARDED void lsu_shared(struct sm_view *v, const struct memop *op)
{
	u32 cycles = max_u32(op->count, 1);
	if (!results_room(v, __builtin_expect(op->mates, 0) ? MAX_SUBCORES : 1))
		return;
	v->sm->shared_busy = view_cycle(v) + max_u32(cycles, v->m->config.lsu_interval);
	v->sm->stat[STAT_SHARED_ACCESSES]++;
	v->sm->stat[STAT_SHARED_CYCLES] += cycles;
	emit_late(v, EVENT_SHARED, op->context, op->generation, op->pc, 0, cycles, (u32)__builtin_popcount(op->mask));
	value_due(v, shared_delay(&v->m->config, op, cycles), op->context, op->generation, op->pc);
	if (__builtin_expect(v->unusual, 0)) {
		if (v->sim->shadow)
			shadow_served(v, op);
		if (op->mates)
			v->slices->shared(v, op, cycles);
	}
	memop_release(v, lsu_pop(v));
}

/* The load entry of the next line access, with the slices that want it (load_arrived()). */
static inline u32 lsu_op_load(const struct memop *op)
{
	return op->load | (op->mates ? (u32)op->share[op->done] << 16 : 0);
}

/* An atomic that has been sent says how many of its lanes meet at one address. */
static void lsu_say_meets(struct sm_view *v, const struct memop *op)
{
	struct ring out = port_ring(v->m, v->id, SECTION_OUT);
	if (op->class == CLASS_ATOMIC)
		ring_at(&out, *out.count - 1)->meets = op->meets[op->done];
}

/* A write or reduction of one line leaves for the L2; its acknowledgement has been awaited since the issue, if anybody
 * is left to. */
static enum refusal lsu_send_write(struct sm_view *v, const struct memop *op, u64 line)
{
	u32 kind = op->class == CLASS_STORE ? PACKET_WRITE : PACKET_REDUCTION, tag = op->context;
	u32 departed = v->warp[op->context].departed - !view_current(v, op->context, op->generation);
	if (__builtin_expect(op->mates, 0)) {
		tag = (op->mates - 1u) | (u32)op->share[op->done] << 16;
		departed = 0;
	}
	if (!port_send_for(v, line, tag, kind, departed))
		return REFUSED_INTERCONNECT;
	lsu_say_meets(v, op);
	l1d_store(v, line);
	return 0;
}

/* An atomic that wants an answer leaves for the L2. */
static enum refusal lsu_send_atomic(struct sm_view *v, const struct memop *op, u64 line)
{
	load_missed(v, lsu_op_load(op));
	if (!port_send(v, line, lsu_op_load(op), PACKET_ATOMIC))
		return REFUSED_INTERCONNECT;
	lsu_say_meets(v, op);
	return 0;
}

/* One line access of a memory operation. */
static enum refusal lsu_access_line(struct sm_view *v, const struct memop *op, u64 line)
{
	if (__builtin_expect(op->past, 0))
		return op->past == PAST_FETCH ? l1d_texel(v, line, lsu_op_load(op))
					      : l1d_past(v, line, lsu_op_load(op));
	if (op->class == CLASS_LOAD)
		return l1d_load(v, line, lsu_op_load(op));
	if (op->class == CLASS_ATOMIC && op->load != NONE16)
		return lsu_send_atomic(v, op, line);
	return lsu_send_write(v, op, line);
}

void lsu_finish(struct sm_view *v, u16 memop)
{
	const struct memop *op = &v->memop[memop];
	u32 context = op->context, load = op->load, empty = op->count == 0;
	bool current = view_current(v, context, op->generation);
	if (op->banks) {
		v->sm->shared_busy = max_u64(v->sm->shared_busy, view_cycle(v)) + op->banks;
		if (v->sim->shadow)
			shadow_served(v, op);
	}
	if (__builtin_expect(op->mates, 0)) {
		v->slices->finish(v, op);
		memop_release(v, memop);
		return;
	}
	memop_release(v, memop);
	if (load == NONE16 && current) {
		warp_retired(v, context, 1);
	} else if (load == NONE16) {
		v->sm->stat[STAT_STALE_STORES]++;
	} else if (empty) {
		v->load[load].waiting = 1;
		load_arrived(v, load);
	}
}

void lsu_done(struct sm_view *v)
{
	u16 memop = lsu_pop(v);
	u32 took = max_u32(ceil_div(v->memop[memop].count, v->m->config.l1d_ports), 1);
	u32 interval = v->m->config.lsu_interval;
	lsu_finish(v, memop);
	if (__builtin_expect(interval > took, 0))
		v->sm->shared_busy = max_u64(v->sm->shared_busy, view_cycle(v) + 1 + interval - took);
}

/* Has a sector's port been used in this cycle (l1d.sectors)? It is now. */
static bool __attribute__((noinline)) lsu_port_used(const struct sm_view *v, u64 line, u32 *used)
{
	const struct config *c = &v->m->config;
	u32 port = 1u << ((line >> 4) * v->m->sectors + (u32)__builtin_ctzll(line & 15)) % c->l1d_ports;
	bool was = *used & port;
	*used |= port;
	return was;
}

/* The write of a notice (chimera.notice) leaves for the L2; false: there is no room at the port. */
static bool lsu_notice_send(struct sm_view *v, struct memop *op)
{
	u64 line = (NOTICE_BASE + v->id * 256ULL) >> v->m->line_shift << 4 | 1;
	u32 departed = v->warp[op->context].departed - !view_current(v, op->context, op->generation);
	if (!port_send_for(v, line, op->context, PACKET_WRITE, departed))
		return false;
	op->notice = 0;
	v->sleep->active = 1;
	return true;
}

/* The lines of a memory operation, one after the other, while there are tries left. */
static inline __attribute__((always_inline)) enum refusal lsu_access_lines(struct sm_view *v, struct memop *op,
									   u32 *tries)
{
	u32 used = 0;
	if (__builtin_expect(op->notice, 0) && *tries) {
		--*tries;
		if (!lsu_notice_send(v, op)) {
			l1d_refused(v, op, op->line[0], REFUSED_INTERCONNECT);
			return REFUSED_INTERCONNECT;
		}
	}
	for (; *tries && op->done < op->count; --*tries) {
		if (__builtin_expect(v->m->config.l1d_sectors, 0) && lsu_port_used(v, op->line[op->done], &used)) {
			*tries = 0;
			return 0;
		}
		enum refusal why = lsu_access_line(v, op, op->line[op->done]);
		if (why) {
			--*tries;
			l1d_refused(v, op, op->line[op->done], why);
			return why;
		}
		op->done++;
	}
	return 0;
}

enum refusal lsu_access(struct sm_view *v, struct memop *op, u32 *tries)
{
	return lsu_access_lines(v, op, tries);
}

/* Global memory: up to l1d.ports line accesses. */
static void lsu_serve_global(struct sm_view *v, struct memop *op)
{
	u32 tries = v->m->config.l1d_ports;
	lsu_access_lines(v, op, &tries);
	if (op->done == op->count)
		lsu_done(v);
}

/* Stage execute. A load that is refused, and will be until something else happens, is no reason to stay awake: its
 * refusals are counted with the cycles that the SM sleeps (account.c). */
UNGUARDED void sm_execute(struct sm_view *v)
{
	struct sm *sm = v->sm;
	if (__builtin_expect(v->m->section[SECTION_REEXEC].count, 0)) {
		sm_reexecute(v);
		return;
	}
	if (!sm->lsu_count)
		return;
	v->sleep->active |= !v->sleep->refused;
	if (sm->shared_busy > view_cycle(v))
		return;
	struct memop *op = &v->memop[v->lsuq[sm->lsu_head].memop];
	u32 done = op->done;
	if (op->class == CLASS_SHLOAD || op->class == CLASS_SHSTORE)
		lsu_shared(v, op);
	else
		lsu_serve_global(v, op);
	v->sleep->active |= !v->sleep->refused || op->done != done;
}
