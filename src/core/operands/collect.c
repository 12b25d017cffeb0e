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
#include "state/slices.h"
#include "state/units.h"

/* The oldest read of a bank. */
static inline struct bankq collect_first_read(const struct sm_view *v, const struct sub_view *part, u32 bank_id)
{
	return part->bankq[bank_id * v->bank_queue + part->bank[bank_id].head];
}

/* It leaves the queue: its collector unit has the operand. */
static inline void collect_answer(struct sm_view *v, const struct sub_view *part, u32 bank_id, struct bankq q)
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
static struct reuse *collect_place_of(const struct sm_view *v, const struct sub_view *part, u32 bank_id, struct bankq q)
{
	const struct collector *cu = &part->collector[q.collector];
	u32 place = view_kernel(v, cu->context)->inst[cu->pc].place[q.operand];
	return place < REUSE_PLACES ? &part->reuse[bank_id * REUSE_PLACES + place] : NULL;
}

/* A read has come to its place: its own register stays there if its reuse bit is set, else none. */
static void collect_keep(const struct sm_view *v, const struct collector *cu, struct bankq q, struct reuse *k)
{
	const struct inst *in = &view_kernel(v, cu->context)->inst[cu->pc];
	bool stays = v->control ? control_of(v, cu->context, cu->pc)->reuse >> in->place[q.operand] & 1
				: in->reuse >> q.operand & 1;
	*k = (struct reuse){0};
	if (stays)
		*k = (struct reuse){.owner = (u16)(cu->context + 1), .reg = q.reg, .generation = cu->generation};
}

bool collect_kept(const struct sm_view *v, const struct sub_view *part, u32 bank_id, struct bankq q)
{
	const struct collector *cu = &part->collector[q.collector];
	const struct reuse *k = collect_place_of(v, part, bank_id, q);
	if (!k || k->owner != cu->context + 1u || k->generation != cu->generation || k->reg != q.reg)
		return false;
	return true;
}

void collect_read_kept(struct sm_view *v, const struct sub_view *part, u32 bank_id, struct bankq q, bool kept)
{
	const struct collector *cu = &part->collector[q.collector];
	struct reuse *k = collect_place_of(v, part, bank_id, q);
	if (k)
		collect_keep(v, cu, q, k);
	if (!kept)
		return;
	v->sm->stat[STAT_RF_REUSED]++;
	emit(v, EVENT_REUSE, cu->context, cu->pc, 0, bank_id, q.reg);
}

/* The register cache answers the oldest read of a bank, or not. */
static bool collect_answer_kept(struct sm_view *v, const struct sub_view *part, u32 bank_id)
{
	struct bankq q = collect_first_read(v, part, bank_id);
	if (!collect_kept(v, part, bank_id, q))
		return false;
	collect_read_kept(v, part, bank_id, q, true);
	collect_answer(v, part, bank_id, q);
	return true;
}

/* Reads that the register cache answers leave the queues of a sub-core's banks, up to the first that needs a port. */
static void __attribute__((noinline)) collect_answer_all_kept(struct sm_view *v, const struct sub_view *part)
{
	for (u32 banks = part->sub->busy_banks; banks; banks &= banks - 1) {
		u32 bank_id = (u32)__builtin_ctz(banks);
		while (part->bank[bank_id].count && collect_answer_kept(v, part, bank_id))
			;
	}
}

/* The read that a bank grants comes to its place in the register cache. */
static void __attribute__((noinline)) collect_keep_granted(struct sm_view *v, const struct sub_view *part, u32 bank_id)
{
	struct bankq q = collect_first_read(v, part, bank_id);
	struct reuse *k = collect_place_of(v, part, bank_id, q);
	if (k)
		collect_keep(v, &part->collector[q.collector], q, k);
}

/* One bank grants its oldest read. */
ALWAYS_INLINE void collect_grant(struct sm_view *v, const struct sub_view *part, u32 bank_id, bool reuse)
{
	if (reuse)
		collect_keep_granted(v, part, bank_id);
	struct bank *bank = &part->bank[bank_id];
	struct bankq q = collect_first_read(v, part, bank_id);
	const struct collector *cu = &part->collector[q.collector];
	bank->granted_context = cu->context;
	bank->granted_register = q.reg;
	emit(v, EVENT_GRANT, cu->context, cu->pc, 0, bank_id, q.reg);
	collect_answer(v, part, bank_id, q);
}

/* Hand an instruction to an execution unit. */
ALWAYS_INLINE bool collect_dispatch_unit(struct sm_view *v, const struct sub_view *part, const struct collector *cu,
					 u32 kind)
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
ALWAYS_INLINE void collect_release_inline(struct sm_view *v, const struct sub_view *part, u32 index)
{
	static const struct collector unused = {.context = NONE16, .memory_op = NONE16};
	u32 bit = 1u << index;
	if (__builtin_expect(v->m->config.collector_share, 0))
		kinds_hold(v, (u32)(part - v->part), part->collector[index].class, ~0u);
	u32 context = part->collector[index].context;
	part->collector[index] = unused;
	part->sub->ready_collectors &= ~bit;
	part->sub->lsu_collectors &= ~bit;
	part->sub->latched &= ~bit;
	part->sub->free_collectors |= bit;
	v->sm->collectors_busy--;
	if (__builtin_expect(v->m->config.issue_readers, 0))
		readers_left(v, context);
}

void collect_release(struct sm_view *v, const struct sub_view *part, u32 index)
{
	collect_release_inline(v, part, index);
}

/* lsu.sub_queue: does an instruction leave the memory queue of its sub-core in this cycle? */
static bool __attribute__((noinline))
collect_leaves_queue(struct sm_view *v, const struct sub_view *part, struct collector *cu)
{
	const struct sub *sub = part->sub;
	u64 at = max_u64(max_u64(sub->lsu_at, v->sm->lsu_at), cu->issued_at + v->m->config.lsu_sub_delay);
	if (&part->collector[collect_oldest(part->collector, sub->lsu_collectors)] != cu)
		return false;
	if (view_cycle(v) >= at)
		return true;
	if (cu->counter || v->m->config.issue_readers)
		reading_waits(v, cu, at);
	v->sleep->active = 1;
	return false;
}

/* Hand a memory instruction to the LSU. */
inline bool collect_lsu(struct sm_view *v, const struct sub_view *part, struct collector *cu)
{
	struct sm *sm = v->sm;
	u32 size = v->m->config.lsu_queue, at = sm->lsu_head + sm->lsu_count;
	if (sm->lsu_count >= size || sm->lsu_taken)
		return false;
	if (__builtin_expect(cu->counter || v->m->config.issue_readers, 0) && !reading_room(v, cu))
		return false;
	if (__builtin_expect(v->m->config.lsu_sub_queue, 0)) {
		if (!collect_leaves_queue(v, part, cu))
			return false;
		part->sub->lsu_at = view_cycle(v) + v->m->config.lsu_sub_interval;
		sm->lsu_at = view_cycle(v) + v->m->config.lsu_interval;
	}
	v->lsuq[at >= size ? at - size : at].memop = cu->memory_op;
	sm->lsu_count++;
	sm->lsu_taken = (u32)(part - v->part) + 1;
	return true;
}

/* Dispatch one collector unit if its execution unit accepts. */
ALWAYS_INLINE void collect_dispatch_inline(struct sm_view *v, const struct sub_view *part, u32 index)
{
	struct collector *cu = &part->collector[index];
	u32 kind = machine_class_kind(v->m, cu->class);
	if (__builtin_expect(cu->class == CLASS_CONST, 0) && sliced(v) && cu->memory_op != NONE16 &&
	    v->slices->dispatch(v, cu->memory_op))
		return;
	if (kind == UNIT_LSU ? !collect_lsu(v, part, cu) : !collect_dispatch_unit(v, part, cu, kind))
		return;
	emit(v, EVENT_DISPATCH, cu->context, cu->pc, 0, kind, index);
	if (__builtin_expect(cu->counter || v->m->config.issue_readers, 0))
		reading_leaves(v, cu);
	collect_release_inline(v, part, index);
	v->sleep->active = 1;
}

/* The oldest collector unit of a set. */
inline u32 collect_oldest(const struct collector *cu, u32 set)
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
static void collect_latch(struct sm_view *v, const struct sub_view *part)
{
	u32 kinds = 0, left = part->sub->ready_collectors & ~part->sub->latched;
	if (!left)
		return;
	for (u32 next = part->sub->latched; next; next &= next - 1)
		kinds |= 1u << machine_class_kind(v->m, part->collector[__builtin_ctz(next)].class);
	for (; left; left &= left - 1) {
		u32 kind = machine_class_kind(v->m, part->collector[__builtin_ctz(left)].class);
		if (kinds >> kind & 1)
			continue;
		kinds |= 1u << kind;
		part->sub->latched |= left & -left;
		v->sleep->active = 1;
	}
}

/* Those of the last arbitration go to their units, if these accept; others are next. */
static void __attribute__((noinline)) collect_dispatch_latched(struct sm_view *v, const struct sub_view *part)
{
	for (u32 left = part->sub->latched; left; left &= left - 1)
		collect_dispatch_inline(v, part, (u32)__builtin_ctz(left));
	collect_latch(v, part);
}

/* Dispatch what can go from one sub-core, oldest first. */
ALWAYS_INLINE void collect_dispatch_oldest(struct sm_view *v, const struct sub_view *part)
{
	const struct collector *cu = part->collector;
	u32 set = part->sub->ready_collectors;
	if (v->sm->lsu_taken || v->sm->lsu_count >= v->m->config.lsu_queue)
		set &= ~part->sub->lsu_collectors;
	while (set) {
		u32 i = set & (set - 1) ? collect_oldest(cu, set) : (u32)__builtin_ctz(set);
		collect_dispatch_inline(v, part, i);
		set &= ~(1u << i);
	}
}

inline void collect_dispatch(struct sm_view *v, const struct sub_view *part)
{
	if (__builtin_expect(v->m->config.collector_order, 0))
		collect_dispatch_latched(v, part);
	else
		collect_dispatch_oldest(v, part);
}

/* Forget which reads the banks granted in the last cycle. */
static void collect_clear_grants(struct sm_view *v)
{
	for (struct bank *b = v->bank, *end = b + v->m->section[SECTION_BANK].count; b < end; b++)
		b->granted_context = NONE16;
	v->sm->granted = 0;
	v->sleep->active = 1;
}

/* Reads still wait at a bank after this cycle's grants: a conflict. */
static void collect_conflict(struct sm_view *v, const struct sub_view *part, u32 bank_id)
{
	struct bank *bank = &part->bank[bank_id];
	const struct collector *cu = &part->collector[part->bankq[bank_id * v->bank_queue + bank->head].collector];
	bank->conflicts++;
	v->sm->stat[STAT_RF_CONFLICT]++;
	emit(v, EVENT_CONFLICT, cu->context, cu->pc, 0, bank_id, bank->count);
}

/* collector.delay: of banks those whose oldest read may be granted in an arbitration of this cycle: any, in all but the
 * first collector.delay. */
static u32 __attribute__((noinline))
collect_not_too_early(const struct sm_view *v, const struct sub_view *part, u32 set, u32 pass)
{
	const struct config *c = &v->m->config;
	for (u32 rest = set; rest; rest &= rest - 1) {
		struct bankq q = collect_first_read(v, part, (u32)__builtin_ctz(rest));
		u64 cycles = view_cycle(v) - part->collector[q.collector].issued_at - 1;
		if (cycles * c->collector_passes + pass < c->collector_delay)
			set &= ~(rest & -rest);
	}
	return set;
}

/* Banks of a sub-core with reads queued whose port no write holds in this arbitration. */
static inline u32 collect_open_banks(const struct sm_view *v, const struct sub_view *part, u32 pass)
{
	const struct config *c = &v->m->config;
	u32 set = part->sub->busy_banks;
	if (__builtin_expect(c->collector_delay > pass, 0))
		set = collect_not_too_early(v, part, set, pass);
	for (u32 rest = c->collector_writes ? set : 0; rest; rest &= rest - 1)
		if (part->bank[__builtin_ctz(rest)].written_until > view_cycle(v) * c->collector_passes + pass)
			set &= ~(rest & -rest);
	return set;
}

/* One arbitration: every bank of a sub-core with reads queued grants one. How many did. */
ALWAYS_INLINE u32 collect_arbitrate_inline(struct sm_view *v, const struct sub_view *part, u32 pass, bool reuse)
{
	u32 granted = 0;
	if (reuse)
		collect_answer_all_kept(v, part);
	for (u32 banks = collect_open_banks(v, part, pass); banks; banks &= banks - 1, granted++)
		collect_grant(v, part, (u32)__builtin_ctz(banks), reuse);
	return granted;
}

/* Behind the last of a cycle: what still waits is in conflict. granted: reads in all of them. */
ALWAYS_INLINE void collect_count_reads(struct sm_view *v, const struct sub_view *part, u32 granted, bool reuse)
{
	if (reuse)
		collect_answer_all_kept(v, part);
	v->sm->granted = 1;
	v->sleep->active = 1;
	v->sm->stat[STAT_RF_READS] += granted;
	u32 left = part->sub->busy_banks;
	if (__builtin_expect(v->m->config.collector_delay >= v->m->config.collector_passes, 0))
		left = collect_not_too_early(v, part, left, v->m->config.collector_passes - 1);
	for (; left; left &= left - 1)
		collect_conflict(v, part, (u32)__builtin_ctz(left));
}

/* Most configurations with collector.late have collector.order first, too. */
ALWAYS_INLINE void collect_dispatch_late(struct sm_view *v, const struct sub_view *part)
{
	if (__builtin_expect(v->m->config.collector_order, 1))
		collect_dispatch_latched(v, part);
	else
		collect_dispatch(v, part);
}

/* collector.late: units dispatch before an arbitration. */
inline void collect_early(struct sm_view *v, const struct sub_view *part, u32 pass)
{
	if (v->m->config.collector_late && part->sub->ready_collectors)
		pass && v->m->config.collector_order ? collect_latch(v, part) : collect_dispatch_late(v, part);
}

/* The banks of a sub-core grant reads, as often as there are passes. */
ALWAYS_INLINE void collect_grant_all(struct sm_view *v, const struct sub_view *part, bool reuse)
{
	u32 granted = 0;
	for (u32 pass = 0; pass < v->m->config.collector_passes; pass++) {
		collect_early(v, part, pass);
		granted += collect_arbitrate_inline(v, part, pass, reuse);
	}
	collect_count_reads(v, part, granted, reuse);
}

/* The same with a register cache before the banks. */
static void __attribute__((noinline)) collect_grant_all_kept(struct sm_view *v, const struct sub_view *part)
{
	collect_grant_all(v, part, true);
}

/* Take the reads of a collector unit out of the queue of a bank. */
static void collect_bank_forget(struct sm_view *v, const struct sub_view *part, u32 bank_id, u32 index)
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
static void collect_memop_forget(struct sm_view *v, u32 memop, u32 sub)
{
	struct memop *op = &v->memop[memop];
	if (sliced(v) && v->slices->forget(v, op, sub))
		return;
	if (op->load != NONE16)
		load_release(v, op->load);
	memop_release(v, memop);
}

void collect_forget(struct sm_view *v, u32 context)
{
	const struct sub_view *part = &v->part[view_sub(v, context)];
	if (sliced(v))
		v->slices->spread(v);
	for (u32 i = 0; i < v->m->config.sm_banks; i++)
		if (part->bank[i].granted_context == context)
			part->bank[i].granted_context = NONE16;
	for (u32 i = 0; i < v->m->config.sm_collectors; i++) {
		const struct collector *cu = &part->collector[i];
		if (cu->context != context)
			continue;
		for (u32 b = 0; cu->need && b < v->m->config.sm_banks; b++)
			collect_bank_forget(v, part, b, i);
		if (cu->memory_op != NONE16)
			collect_memop_forget(v, cu->memory_op, view_sub(v, context));
		allocate_forget(part->sub, i);
		collect_release_inline(v, part, i);
		v->sm->stat[STAT_STALE_OPERANDS]++;
	}
}

/* Banks of a sub-core grant, then its collector units dispatch. */
static inline void collect_sub(struct sm_view *v, const struct sub_view *part)
{
	if (__builtin_expect(v->m->config.collector_allocate, 0))
		allocate_step(v, part);
	else if (part->sub->busy_banks)
		v->m->config.collector_reuse ? collect_grant_all_kept(v, part) : collect_grant_all(v, part, false);
	else if (v->m->config.collector_late && part->sub->ready_collectors)
		collect_dispatch_late(v, part);
	if (part->sub->ready_collectors && (!v->m->config.collector_late || v->m->config.collector_allocate))
		collect_dispatch(v, part);
	v->sleep->active |= (part->sub->ready_collectors & ~part->sub->lsu_collectors) != 0;
}

/* One bank grants its oldest read; what is left in its queue is in conflict. */
ALWAYS_INLINE void collect_grant_plain(struct sm_view *v, const struct sub_view *part, u32 bank_id)
{
	collect_grant(v, part, bank_id, false);
	if (part->bank[bank_id].count)
		collect_conflict(v, part, bank_id);
}

/* The same as collect_sub() where m->collect_plain: how many reads were granted. */
ALWAYS_INLINE u32 collect_sub_plain(struct sm_view *v, const struct sub_view *part)
{
	struct sub *sub = part->sub;
	u32 banks = sub->busy_banks, granted = (u32)__builtin_popcount(banks);
	for (; banks; banks &= banks - 1)
		collect_grant_plain(v, part, (u32)__builtin_ctz(banks));
	if (!sub->ready_collectors)
		return granted;
	collect_dispatch_oldest(v, part);
	if (sub->ready_collectors & ~sub->lsu_collectors)
		v->sleep->active = 1;
	return granted;
}

/* All sub-cores, from one on. */
ALWAYS_INLINE void collect_all_plain(struct sm_view *v, u32 first, u32 subs)
{
	u32 granted = 0;
	for (u32 i = 0; i < subs; i++)
		granted += collect_sub_plain(v, &v->part[(first + i) & (subs - 1)]);
	if (!granted)
		return;
	v->sm->granted = 1;
	v->sleep->active = 1;
	v->sm->stat[STAT_RF_READS] += granted;
}

/* issue.dependences control: warps whose instructions of known latency come late to their units stand still. */
static void collect_freeze(struct sm_view *v)
{
	u64 late[CONTEXT_WORDS] = {0};
	for (u32 i = 0; i < v->m->section[SECTION_COLLECTOR].count; i++) {
		const struct collector *cu = &v->collector[i];
		if (cu->context == NONE16)
			continue;
		const struct control *b = control_of(v, cu->context, cu->pc);
		if (b->due && view_cycle(v) >= cu->issued_at + b->window)
			SET_ADD(late, cu->context);
	}
	SET_EACH (context, late, CONTEXT_WORDS)
		control_freeze(v, context);
}

/* What control bits, or a scoreboard of reads, do between the collector units and the issue stage. */
static void __attribute__((noinline)) collect_judged(struct sm_view *v)
{
	if (!v->control) {
		readers_tick(v);
		return;
	}
	if (v->sm->collectors_busy)
		collect_freeze(v);
	control_tick(v);
}

/* Stage collect, in one sub-core after the other. What waits for the LSU alone waits until the LSU moves. */
ALWAYS_INLINE void collect_all(struct sm_view *v)
{
	struct sm *sm = v->sm;
	u32 subs = v->m->config.sm_subcores, first = sm->lsu_turn;
	if (sliced(v)) {
		v->slices->collect(v);
		return;
	}
	if (sm->granted)
		collect_clear_grants(v);
	if (!sm->collectors_busy)
		return;
	if (v->m->collect_plain)
		collect_all_plain(v, first, subs);
	else
		for (u32 i = 0; i < subs; i++)
			collect_sub(v, &v->part[(first + i) & (subs - 1)]);
	if (sm->lsu_taken)
		sm->lsu_turn = (u16)(sm->lsu_taken == subs ? 0 : sm->lsu_taken);
	sm->lsu_taken = 0;
}

UNGUARDED void sm_collect(struct sm_view *v)
{
	collect_all(v);
	if (__builtin_expect(v->judged, 0))
		collect_judged(v);
}

static u32 __attribute__((noinline)) collect_arbitrate_kept(struct sm_view *v, const struct sub_view *part, u32 pass)
{
	return collect_arbitrate_inline(v, part, pass, true);
}

u32 collect_arbitrate(struct sm_view *v, const struct sub_view *part, u32 pass)
{
	return v->m->config.collector_reuse ? collect_arbitrate_kept(v, part, pass)
					    : collect_arbitrate_inline(v, part, pass, false);
}

void collect_reads(struct sm_view *v, const struct sub_view *part, u32 granted)
{
	collect_count_reads(v, part, granted, v->m->config.collector_reuse);
}
