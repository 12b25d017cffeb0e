/*
 * collect.c - stage collect: register-file banks grant reads, collector units dispatch.
 *
 * Every bank has one read port and a queue, oldest request first; a collector unit whose operands are all read hands
 * its instruction to an execution unit of its kind that is free, oldest first, in the same cycle (collector.late: one
 * arbitration later; collector.order: lowest number first), and is free again for this cycle's issue stage. The LSU
 * takes one instruction per cycle from the whole SM, its sub-cores in turn. With collector.writes, registers written in
 * this cycle take their banks' ports first. Deviation: a write never waits; several in one bank hold its port for as
 * many arbitrations, one after another. Source: the operand collector of Barnes, Shen, Rogers, HPCA 2023, section II.
 *
 * collector.reuse: a register cache before the banks, of one register for each bank and operand position of a sub-core.
 * A read whose instruction has the reuse bit of that operand leaves its register there; the next read of the bank at
 * that position takes it from there if it is the same warp's of the same register, and in any case ends its stay there,
 * unless its own reuse bit is set. Source: Huerta et al., "Dissecting and Modeling the Architecture of Modern GPU
 * Cores", MICRO 2025, section 5.3.1. Deviation: theirs has no collectors; here a read is looked up when it is the first
 * in its bank's queue, so that none has a value before the read that left it there.
 */
#include "operands/operands.h"
#include "state/gangs.h"
#include "state/units.h"

/* The oldest read of a bank. */
static inline struct bankq first_read(const struct sm_view *v, const struct sub_view *part, u32 bank_id)
{
	return part->bankq[bank_id * v->bank_queue + part->bank[bank_id].head];
}

/* It leaves the queue: its collector unit has the operand. */
static inline void answer(struct sm_view *v, const struct sub_view *part, u32 bank_id, struct bankq q)
{
	struct bank *bank = &part->bank[bank_id];
	struct collector *cu = &part->collector[q.collector];
	u32 head = bank->head + 1u, need = cu->need - 1u;
	bank->head = (u16)(head == v->bank_queue ? 0 : head);
	if (!--bank->count)
		part->sub->busy_banks &= ~(1u << bank_id);
	cu->read |= (u16)(1u << q.operand);
	cu->need = (u8)need;
	if (!need)
		part->sub->ready_collectors |= 1u << q.collector;
}

/* Where the register cache has room for what a read asks for, or NULL. */
static struct reuse *place_of(const struct sm_view *v, const struct sub_view *part, u32 bank_id, struct bankq q)
{
	const struct collector *cu = &part->collector[q.collector];
	u32 place = view_kernel(v, cu->context)->inst[cu->pc].place[q.operand];
	return place < REUSE_PLACES ? &part->reuse[bank_id * REUSE_PLACES + place] : NULL;
}

/* A read has come to its place: its own register stays there if its reuse bit is set, else none. */
static void keep(const struct sm_view *v, const struct collector *cu, struct bankq q, struct reuse *k)
{
	bool stays = view_kernel(v, cu->context)->inst[cu->pc].reuse >> q.operand & 1;
	*k = (struct reuse){0};
	if (stays)
		*k = (struct reuse){.owner = (u16)(cu->context + 1), .reg = q.reg, .generation = cu->generation};
}

/* The register cache answers the oldest read of a bank, or not. */
static bool answer_kept(struct sm_view *v, const struct sub_view *part, u32 bank_id)
{
	struct bankq q = first_read(v, part, bank_id);
	const struct collector *cu = &part->collector[q.collector];
	struct reuse *k = place_of(v, part, bank_id, q);
	if (!k || k->owner != cu->context + 1u || k->generation != cu->generation || k->reg != q.reg)
		return false;
	keep(v, cu, q, k);
	v->sm->stat[STAT_RF_REUSED]++;
	emit(v, EVENT_REUSE, cu->context, cu->pc, 0, bank_id, q.reg);
	answer(v, part, bank_id, q);
	return true;
}

/* Reads that the register cache answers leave the queues of a sub-core's banks, up to the first that needs a port. */
static void __attribute__((noinline)) answer_all_kept(struct sm_view *v, const struct sub_view *part)
{
	for (u32 banks = part->sub->busy_banks; banks; banks &= banks - 1) {
		u32 bank_id = (u32)__builtin_ctz(banks);
		while (part->bank[bank_id].count && answer_kept(v, part, bank_id))
			;
	}
}

/* The read that a bank grants comes to its place in the register cache. */
static void __attribute__((noinline)) keep_granted(struct sm_view *v, const struct sub_view *part, u32 bank_id)
{
	struct bankq q = first_read(v, part, bank_id);
	struct reuse *k = place_of(v, part, bank_id, q);
	if (k)
		keep(v, &part->collector[q.collector], q, k);
}

/* One bank grants its oldest read. */
static inline void grant(struct sm_view *v, const struct sub_view *part, u32 bank_id, bool reuse)
{
	if (reuse)
		keep_granted(v, part, bank_id);
	struct bank *bank = &part->bank[bank_id];
	struct bankq q = first_read(v, part, bank_id);
	const struct collector *cu = &part->collector[q.collector];
	bank->granted_context = cu->context;
	bank->granted_register = q.reg;
	emit(v, EVENT_GRANT, cu->context, cu->pc, 0, bank_id, q.reg);
	answer(v, part, bank_id, q);
}

/* Hand an instruction to an execution unit. */
static bool dispatch_unit(struct sm_view *v, const struct sub_view *part, const struct collector *cu, u32 kind)
{
	struct unit *u = unit_free(v, part, kind);
	if (!u || !result_room(v) || (cu->memory_op != NONE16 && !const_access(v, cu)))
		return false;
	u->free_at = unit_again(v, cu);
	u->issued++;
	if (cu->memory_op != NONE16)
		return true;
	value_due(v, unit_latency(v, cu), cu->context, cu->generation, cu->pc);
	return true;
}

/* A collector unit is free. */
static void release(struct sm_view *v, const struct sub_view *part, u32 index)
{
	static const struct collector unused = {.context = NONE16, .memory_op = NONE16};
	u32 bit = 1u << index;
	part->collector[index] = unused;
	part->sub->ready_collectors &= ~bit;
	part->sub->lsu_collectors &= ~bit;
	part->sub->latched &= ~bit;
	part->sub->free_collectors |= bit;
	v->sm->collectors_busy--;
}

/* Hand a memory instruction to the LSU. */
static inline bool dispatch_lsu(struct sm_view *v, const struct sub_view *part, const struct collector *cu)
{
	struct sm *sm = v->sm;
	u32 size = v->m->config.lsu_queue, at = sm->lsu_head + sm->lsu_count;
	if (sm->lsu_count >= size || sm->lsu_taken)
		return false;
	v->lsuq[at >= size ? at - size : at].memop = cu->memory_op;
	sm->lsu_count++;
	sm->lsu_taken = (u32)(part - v->part) + 1;
	return true;
}

/* The LSU has taken an operation of one slice or several: their collector units are free. */
static void hand_in(struct sm_view *v, const struct memop *op)
{
	v->sleep->active = 1;
	if (v->even) {
		v->sm->events[EVENT_DISPATCH] += v->m->config.sm_subcores;
		evenly_release(v, op->collector[0] - 1u);
		return;
	}
	for (u32 k = 0; k < v->m->config.sm_subcores; k++) {
		u32 index = op->collector[k] - 1u;
		if (!op->collector[k])
			continue;
		const struct collector *cu = &v->part[k].collector[index];
		emit(v, EVENT_DISPATCH, cu->context, cu->pc, 0, UNIT_LSU, index);
		release(v, &v->part[k], index);
	}
}

/* Hand the constants of a gang to the units of all its slices, at the first that gets there in a cycle: when all have
 * their operands, and the cache takes them. */
void collect_constants(struct sm_view *v, u32 memop)
{
	struct memop *op = &v->memop[memop];
	struct unit *unit[MAX_SUBCORES];
	u16 now = (u16)(view_cycle(v) % 65535 + 1);
	if (op->tried == now)
		return;
	op->tried = now;
	for (u32 k = 0; k < v->m->config.sm_subcores; k++)
		if (op->collector[k] && !(unit[k] = unit_free(v, &v->part[k], class_unit[CLASS_CONST])))
			return;
	if (!mates_ready(v, op) || !mates_room(v) || !const_access_shared(v, memop))
		return;
	for (u32 k = 0; k < v->m->config.sm_subcores; k++) {
		u32 index = op->collector[k] - 1u;
		if (!op->collector[k])
			continue;
		const struct collector *cu = &v->part[k].collector[index];
		unit[k]->free_at = unit_again(v, cu);
		unit[k]->issued++;
		emit(v, EVENT_DISPATCH, cu->context, cu->pc, 0, class_unit[CLASS_CONST], index);
		release(v, &v->part[k], index);
	}
	memop_release(v, memop);
	v->sleep->active = 1;
}

/* Dispatch one collector unit if its execution unit accepts. */
UNGUARDED static inline void dispatch(struct sm_view *v, const struct sub_view *part, u32 index)
{
	struct collector *cu = &part->collector[index];
	u32 kind = machine_unit_kind(v->m, class_unit[cu->class]);
	if (__builtin_expect(cu->class == CLASS_CONST, 0) && cu->memory_op != NONE16 &&
	    const_shared(v, &v->memop[cu->memory_op])) {
		collect_constants(v, cu->memory_op);
		return;
	}
	if (kind == UNIT_LSU ? !dispatch_lsu(v, part, cu) : !dispatch_unit(v, part, cu, kind))
		return;
	emit(v, EVENT_DISPATCH, cu->context, cu->pc, 0, kind, index);
	release(v, part, index);
	v->sleep->active = 1;
}

/* The oldest collector unit of a set. */
static u32 oldest(const struct collector *cu, u32 set)
{
	u32 best = (u32)__builtin_ctz(set);
	for (u32 rest = set & (set - 1); rest; rest &= rest - 1) {
		u32 i = (u32)__builtin_ctz(rest);
		if ((i32)(cu[i].age - cu[best].age) < 0)
			best = i;
	}
	return best;
}

/* collector.order first: of each kind of execution unit the first collector unit with all operands goes next, and no
 * other before it. */
static void latch(struct sm_view *v, const struct sub_view *part)
{
	u32 kinds = 0;
	for (u32 left = part->sub->latched; left; left &= left - 1)
		kinds |= 1u << machine_unit_kind(v->m, class_unit[part->collector[__builtin_ctz(left)].class]);
	for (u32 left = part->sub->ready_collectors & ~part->sub->latched; left; left &= left - 1) {
		u32 kind = machine_unit_kind(v->m, class_unit[part->collector[__builtin_ctz(left)].class]);
		if (kinds >> kind & 1)
			continue;
		kinds |= 1u << kind;
		part->sub->latched |= left & -left;
		v->sleep->active = 1;
	}
}

/* Those of the last arbitration go to their units, if these accept; others are next. */
static void __attribute__((noinline)) dispatch_latched(struct sm_view *v, const struct sub_view *part)
{
	for (u32 left = part->sub->latched; left; left &= left - 1)
		dispatch(v, part, (u32)__builtin_ctz(left));
	latch(v, part);
}

/* Dispatch what can go from one sub-core, oldest first. */
static inline void dispatch_ready(struct sm_view *v, const struct sub_view *part)
{
	if (__builtin_expect(v->m->config.collector_order, 0)) {
		dispatch_latched(v, part);
		return;
	}
	const struct collector *cu = part->collector;
	u32 set = part->sub->ready_collectors;
	if (v->sm->lsu_taken || v->sm->lsu_count >= v->m->config.lsu_queue)
		set &= ~part->sub->lsu_collectors;
	while (set) {
		u32 i = set & (set - 1) ? oldest(cu, set) : (u32)__builtin_ctz(set);
		dispatch(v, part, i);
		set &= ~(1u << i);
	}
}

u32 collect_oldest(const struct collector *cu, u32 set)
{
	return oldest(cu, set);
}

void collect_dispatch(struct sm_view *v, const struct sub_view *part)
{
	dispatch_ready(v, part);
}

/* Forget which reads the banks granted in the last cycle. */
static void clear_grants(struct sm_view *v)
{
	for (struct bank *b = v->bank, *end = b + v->m->section[SECTION_BANK].count; b < end; b++)
		b->granted_context = NONE16;
	v->sm->granted = 0;
	v->sleep->active = 1;
}

/* The same in sub-cores of slices. */
static void clear_slices(struct sm_view *v)
{
	u32 n = v->m->config.sm_banks, some = v->granted & (u32)((1ULL << n) - 1);
	struct bank *b = v->bank, *end = b + (v->even ? n : v->m->section[SECTION_BANK].count);
	for (; b < end; b += n)
		for (u32 left = some; left; left &= left - 1)
			b[__builtin_ctz(left)].granted_context = NONE16;
	v->sm->granted = 0;
	v->granted = v->even ? 0 : ~0u;
	v->sleep->active = 1;
}

/* Reads still wait at a bank after this cycle's grants: a conflict. */
static void conflict(struct sm_view *v, const struct sub_view *part, u32 bank_id)
{
	struct bank *bank = &part->bank[bank_id];
	const struct collector *cu = &part->collector[part->bankq[bank_id * v->bank_queue + bank->head].collector];
	bank->conflicts++;
	v->sm->stat[STAT_RF_CONFLICT]++;
	emit(v, EVENT_CONFLICT, cu->context, cu->pc, 0, bank_id, bank->count);
}

/* collector.delay: of banks those whose oldest read may be granted in an arbitration of this cycle. */
static u32 __attribute__((noinline))
not_too_early(const struct sm_view *v, const struct sub_view *part, u32 set, u32 pass)
{
	const struct config *c = &v->m->config;
	for (u32 rest = set; rest; rest &= rest - 1) {
		struct bankq q = first_read(v, part, (u32)__builtin_ctz(rest));
		u64 cycles = view_cycle(v) - part->collector[q.collector].issued_at - 1;
		if (cycles * c->collector_passes + pass < c->collector_delay)
			set &= ~(rest & -rest);
	}
	return set;
}

/* Banks of a sub-core with reads queued whose port no write holds in this arbitration. */
static inline u32 open_banks(const struct sm_view *v, const struct sub_view *part, u32 pass)
{
	const struct config *c = &v->m->config;
	u32 set = part->sub->busy_banks;
	if (__builtin_expect(c->collector_delay, 0))
		set = not_too_early(v, part, set, pass);
	for (u32 rest = c->collector_writes ? set : 0; rest; rest &= rest - 1)
		if (part->bank[__builtin_ctz(rest)].written_until > view_cycle(v) * c->collector_passes + pass)
			set &= ~(rest & -rest);
	return set;
}

/* Every bank of a sub-core with reads queued grants one, as often as there are passes; with collector.late units
 * dispatch before each. */
ALWAYS_INLINE void grant_all(struct sm_view *v, const struct sub_view *part, bool reuse)
{
	u32 granted = 0;
	for (u32 pass = 0; pass < v->m->config.collector_passes; pass++) {
		if (v->m->config.collector_late && part->sub->ready_collectors)
			pass && v->m->config.collector_order ? latch(v, part) : dispatch_ready(v, part);
		if (reuse)
			answer_all_kept(v, part);
		for (u32 banks = open_banks(v, part, pass); banks; banks &= banks - 1, granted++)
			grant(v, part, (u32)__builtin_ctz(banks), reuse);
	}
	if (reuse)
		answer_all_kept(v, part);
	v->sm->granted = 1;
	v->sleep->active = 1;
	v->sm->stat[STAT_RF_READS] += granted;
	u32 left = part->sub->busy_banks;
	if (__builtin_expect(v->m->config.collector_delay, 0))
		left = not_too_early(v, part, left, v->m->config.collector_passes - 1);
	for (; left; left &= left - 1)
		conflict(v, part, (u32)__builtin_ctz(left));
}

/* The same with a register cache before the banks. */
static void __attribute__((noinline)) grant_all_kept(struct sm_view *v, const struct sub_view *part)
{
	grant_all(v, part, true);
}

/* Take the reads of a collector unit out of the queue of a bank. */
static void bank_forget(struct sm_view *v, const struct sub_view *part, u32 bank_id, u32 index)
{
	struct bank *bank = &part->bank[bank_id];
	struct bankq *queue = &part->bankq[bank_id * v->bank_queue];
	u32 n = 0;
	for (u32 i = 0; i < bank->count; i++) {
		struct bankq q = queue[(bank->head + i) % v->bank_queue];
		if (q.collector != index)
			queue[(bank->head + n++) % v->bank_queue] = q;
	}
	bank->count = (u16)n;
	if (!n)
		part->sub->busy_banks &= ~(1u << bank_id);
}

/* A memory operation that the LSU or the constant cache has not seen, and its entry of the table of loads. */
static void memop_forget(struct sm_view *v, u32 memop, u32 sub)
{
	struct memop *op = &v->memop[memop];
	if (op->mates && mates_forget(v, op, sub))
		return;
	if (v->m->home_shift)
		op->collector[sub] = 0;
	if (op->class == CLASS_CONST && const_shared(v, op))
		return;
	if (op->load != NONE16)
		load_release(v, op->load);
	memop_release(v, memop);
}

void collect_forget(struct sm_view *v, u32 context)
{
	const struct sub_view *part = &v->part[view_sub(v, context)];
	evenly_end(v);
	for (u32 i = 0; i < v->m->config.sm_banks; i++)
		if (part->bank[i].granted_context == context)
			part->bank[i].granted_context = NONE16;
	for (u32 i = 0; i < v->m->config.sm_collectors; i++) {
		const struct collector *cu = &part->collector[i];
		if (cu->context != context)
			continue;
		for (u32 b = 0; cu->need && b < v->m->config.sm_banks; b++)
			bank_forget(v, part, b, i);
		if (cu->memory_op != NONE16)
			memop_forget(v, cu->memory_op, view_sub(v, context));
		release(v, part, i);
		v->sm->stat[STAT_STALE_OPERANDS]++;
	}
}

/* What of the slices waits for the LSU, slice after slice from `first` on, the oldest first of each: alone, or shared.
 */
static void __attribute__((noinline)) dispatch_memory(struct sm_view *v, u32 first)
{
	u32 subs = v->m->config.sm_subcores;
	v->sm->lsu_taken = 0;
	for (u32 i = 0; i < (v->even ? 1 : subs) && !v->sm->lsu_taken; i++) {
		u32 sub = (first + i) & (subs - 1);
		const struct sub_view *part = view_part(v, sub);
		u32 set = part->sub->ready_collectors & part->sub->lsu_collectors;
		while (set && !v->sm->lsu_taken && v->sm->lsu_count < v->m->config.lsu_queue) {
			u32 k = oldest(part->collector, set);
			const struct collector *cu = &part->collector[k];
			if (mates_ready(v, &v->memop[cu->memory_op]) && dispatch_lsu(v, &v->part[sub], cu))
				hand_in(v, &v->memop[cu->memory_op]);
			set &= ~(1u << k);
		}
	}
	if (v->sm->lsu_taken)
		v->sm->lsu_turn = (u16)(v->sm->lsu_taken == subs ? 0 : v->sm->lsu_taken);
	v->sm->lsu_taken = 1;
}

/* The same stage for slices: banks of all grant before units of any dispatch, pass by pass, so that slices that go
 * together find each other ready. */
static void __attribute__((noinline)) collect_slices(struct sm_view *v, u32 first)
{
	u32 subs = v->m->config.sm_subcores, late = v->m->config.collector_late, busy = 0, granted = 0;
	u32 reuse = v->m->config.collector_reuse;
	v->granted = ~0u;
	for (u32 k = 0; k < subs; k++)
		busy |= (u32)(v->sub[k].busy_banks != 0) << k;
	for (u32 pass = 0; pass < v->m->config.collector_passes; pass++) {
		for (u32 i = 0; i < subs && late; i++) {
			u32 k = (first + i) & (subs - 1);
			if (v->sub[k].ready_collectors && (!pass || busy >> k & 1))
				dispatch_ready(v, &v->part[k]);
		}
		for (u32 left = busy; left; left &= left - 1) {
			const struct sub_view *part = &v->part[__builtin_ctz(left)];
			if (reuse)
				answer_all_kept(v, part);
			for (u32 banks = open_banks(v, part, pass); banks; banks &= banks - 1, granted++)
				grant(v, part, (u32)__builtin_ctz(banks), reuse);
		}
	}
	for (u32 left = reuse ? busy : 0; left; left &= left - 1)
		answer_all_kept(v, &v->part[__builtin_ctz(left)]);
	v->sm->stat[STAT_RF_READS] += granted;
	v->sm->granted |= busy != 0;
	v->sleep->active |= busy != 0;
	for (u32 left = busy; left; left &= left - 1)
		for (u32 k = (u32)__builtin_ctz(left), banks = v->sub[k].busy_banks; banks; banks &= banks - 1)
			conflict(v, &v->part[k], (u32)__builtin_ctz(banks));
	for (u32 i = 0; i < subs; i++) {
		const struct sub_view *part = &v->part[(first + i) & (subs - 1)];
		if (!late && part->sub->ready_collectors)
			dispatch_ready(v, part);
		v->sleep->active |= (part->sub->ready_collectors & ~part->sub->lsu_collectors) != 0;
	}
}

/* Stage collect: banks grant, then collector units dispatch, in one sub-core after the other; of slices those that wait
 * for the LSU behind all others, so that who shares an operation has its operands by then. What waits for the LSU
 * alone waits until the LSU moves. */
void sm_collect(struct sm_view *v)
{
	struct sm *sm = v->sm;
	u32 subs = v->m->config.sm_subcores, first = sm->lsu_turn;
	if (sm->granted && __builtin_expect(v->m->home_shift, 0))
		clear_slices(v);
	else if (sm->granted)
		clear_grants(v);
	if (!sm->collectors_busy)
		return;
	if (__builtin_expect(v->m->home_shift, 0)) {
		if (v->even)
			evenly_collect(v, first);
		else
			collect_slices(v, first);
		if (sm->lsu_taken)
			dispatch_memory(v, first);
		return;
	}
	for (u32 i = 0; i < subs; i++) {
		const struct sub_view *part = &v->part[(first + i) & (subs - 1)];
		if (part->sub->busy_banks)
			v->m->config.collector_reuse ? grant_all_kept(v, part) : grant_all(v, part, false);
		else if (v->m->config.collector_late && part->sub->ready_collectors)
			dispatch_ready(v, part);
		if (!v->m->config.collector_late && part->sub->ready_collectors)
			dispatch_ready(v, part);
		v->sleep->active |= (part->sub->ready_collectors & ~part->sub->lsu_collectors) != 0;
	}
	if (sm->lsu_taken)
		sm->lsu_turn = (u16)(sm->lsu_taken == subs ? 0 : sm->lsu_taken);
	sm->lsu_taken = 0;
}
