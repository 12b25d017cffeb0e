/*
 * gangs_collect.c - stage collect of slices (collect.c): an instruction that several share leaves their collector units
 * together, when all have their operands.
 *
 * Banks of all sub-cores grant before units of any dispatch, so that slices that go together find each other ready, and
 * what waits for the LSU goes behind all others. Where all sub-cores go on alike (lockstep.c) the first stands for all.
 */
#include "state/units.h"
#include "gangs/gangs.h"

/* An operation of one slice or several leaves their collector units for execution units of a kind. */
static void gangs_collect_leave_units(struct sm_view *v, const struct memop *op, u32 kind)
{
	for (u32 k = 0; k < v->m->config.sm_subcores; k++) {
		u32 index = op->collector[k] - 1u;
		if (!op->collector[k])
			continue;
		const struct collector *cu = &v->part[k].collector[index];
		emit(v, EVENT_DISPATCH, cu->context, cu->pc, 0, kind, index);
		collect_release(v, &v->part[k], index);
	}
}

/* The LSU has taken an operation. */
static void gangs_collect_hand_in(struct sm_view *v, const struct memop *op)
{
	v->sleep->active = 1;
	if (!v->even) {
		gangs_collect_leave_units(v, op, UNIT_LSU);
		return;
	}
	v->sm->events[EVENT_DISPATCH] += v->m->config.sm_subcores;
	lockstep_release(v, op->collector[0] - 1u);
}

/* Hand the constants of a gang to the units of all its slices, at the first that gets there in a cycle: when all have
 * their operands, and the cache takes them. */
static void gangs_collect_hand_constants(struct sm_view *v, u32 memop)
{
	struct memop *op = &v->memop[memop];
	struct unit *unit[MAX_SUBCORES] = {0};
	u16 now = (u16)(view_cycle(v) % 65535 + 1);
	if (op->tried == now)
		return;
	op->tried = now;
	for (u32 k = 0; k < v->m->config.sm_subcores; k++)
		if (op->collector[k] && !(unit[k] = unit_free(v, &v->part[k], class_unit[CLASS_CONST])))
			return;
	if (!slice_sharing_ready(v, op) || !results_room(v, MAX_SUBCORES) || !const_access_shared(v, memop))
		return;
	for (u32 k = 0; k < v->m->config.sm_subcores; k++) {
		if (!unit[k])
			continue;
		unit[k]->free_at = unit_again(v, &v->part[k].collector[op->collector[k] - 1]);
		unit[k]->issued++;
	}
	gangs_collect_leave_units(v, op, class_unit[CLASS_CONST]);
	memop_release(v, memop);
	v->sleep->active = 1;
}

bool gangs_constants(struct sm_view *v, u32 memop)
{
	if (!const_shared(v, &v->memop[memop]))
		return false;
	gangs_collect_hand_constants(v, memop);
	return true;
}

/* Forget which reads the banks granted in the last cycle. */
static void gangs_collect_clear_grants(struct sm_view *v)
{
	u32 n = v->m->config.sm_banks;
	struct bank *b = v->bank, *end = b + (v->even ? 0 : v->m->section[SECTION_BANK].count);
	for (u32 left = v->even ? v->granted & (u32)((1ULL << n) - 1) : 0; left; left &= left - 1)
		b[__builtin_ctz(left)].granted_context = NONE16;
	for (; b < end; b++)
		b->granted_context = NONE16;
	v->granted = 0;
	v->sm->granted = 0;
	v->sleep->active = 1;
}

/* What of the slices waits for the LSU, slice after slice from `first` on, the oldest first of each: alone, or shared.
 */
static void gangs_collect_dispatch_memory(struct sm_view *v, u32 first)
{
	u32 subs = v->m->config.sm_subcores;
	v->sm->lsu_taken = 0;
	for (u32 i = 0; i < (v->even ? 1 : subs) && !v->sm->lsu_taken; i++) {
		u32 sub = (first + i) & (subs - 1);
		const struct sub_view *part = &v->part[v->even ? 0 : sub];
		u32 set = part->sub->ready_collectors & part->sub->lsu_collectors;
		while (set && !v->sm->lsu_taken && v->sm->lsu_count < v->m->config.lsu_queue) {
			u32 k = collect_oldest(part->collector, set);
			struct collector *cu = &part->collector[k];
			if (slice_sharing_ready(v, &v->memop[cu->memory_op]) && collect_lsu(v, &v->part[sub], cu))
				gangs_collect_hand_in(v, &v->memop[cu->memory_op]);
			set &= ~(1u << k);
		}
	}
	if (v->sm->lsu_taken)
		v->sm->lsu_turn = (u16)(v->sm->lsu_taken == subs ? 0 : v->sm->lsu_taken);
	v->sm->lsu_taken = 1;
}

/* Sub-cores that go on one by one, arbitration by arbitration. */
static void gangs_collect_each(struct sm_view *v, u32 first)
{
	u32 subs = v->m->config.sm_subcores, busy = 0, granted[MAX_SUBCORES] = {0};
	for (u32 k = 0; k < subs; k++)
		busy |= (u32)(v->sub[k].busy_banks != 0) << k;
	for (u32 pass = 0; pass < v->m->config.collector_passes; pass++) {
		for (u32 i = 0; i < subs && v->m->config.collector_late; i++) {
			u32 k = (first + i) & (subs - 1);
			if (!pass || busy >> k & 1)
				collect_early(v, &v->part[k], pass);
		}
		for (u32 left = busy; left; left &= left - 1) {
			u32 k = (u32)__builtin_ctz(left);
			granted[k] += collect_arbitrate(v, &v->part[k], pass);
		}
	}
	for (u32 left = busy; left; left &= left - 1)
		collect_reads(v, &v->part[__builtin_ctz(left)], granted[__builtin_ctz(left)]);
	for (u32 i = 0; i < subs; i++) {
		const struct sub_view *part = &v->part[(first + i) & (subs - 1)];
		if (!v->m->config.collector_late && part->sub->ready_collectors)
			collect_dispatch(v, part);
		v->sleep->active |= (part->sub->ready_collectors & ~part->sub->lsu_collectors) != 0;
	}
}

void gangs_collect(struct sm_view *v)
{
	u32 first = v->sm->lsu_turn;
	if (v->sm->granted)
		gangs_collect_clear_grants(v);
	if (!v->sm->collectors_busy)
		return;
	if (v->even)
		lockstep_collect(v, first);
	else
		gangs_collect_each(v, first);
	if (v->sm->lsu_taken)
		gangs_collect_dispatch_memory(v, first);
}
