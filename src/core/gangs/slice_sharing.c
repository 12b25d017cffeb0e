/*
 * slice_sharing.c - memory operations that slices share: instructions of one class that several slices of an SM issue
 * in one cycle reach the LSU as one access of up to 32 lanes.
 *
 * The first becomes an operation that others may join in this cycle, each slice once, of whichever warp it is. Its line
 * accesses are those of all, each line once; a line says which slices want it. It is handed to the LSU when the
 * collector units of all slices have their operands. Each slice has an entry of the table of loads, whose list begins
 * with the first, and is answered once, when its own lines have come; the entries are given back together. Shared
 * memory takes as many cycles as the banks need for all lanes together. Source: Rogers et al., "A Variable Warp Size
 * Architecture", ISCA 2015, section 4.1. Deviations: loads, stores, atomics with and without an answer, reads and
 * writes of shared memory (of one width) are kinds of their own, so that up to six operations can come of a cycle;
 * what needs more than 32 lines together stays apart, and so does everything where the LSU has a re-execution queue.
 */
#include "gangs/gangs.h"

static bool slice_sharing_is_shared(const struct memop *op)
{
	return op->class == CLASS_SHLOAD || op->class == CLASS_SHSTORE;
}

/* What an operation of a class could be joined by; answered: registers wait for it. */
static u32 slice_sharing_kind_as(u32 class, bool answered, bool past)
{
	static const u8 kind[CLASS_COUNT] = {
		[CLASS_STORE] = 1, [CLASS_SHLOAD] = 2, [CLASS_SHSTORE] = 3, [CLASS_ATOMIC] = 4};
	return past ? 6 : kind[class] + (u32)(class == CLASS_ATOMIC && answered);
}
static u32 slice_sharing_kind_of(const struct memop *op)
{
	return slice_sharing_kind_as(op->class, op->load != NONE16, op->past);
}

/* Is it an atomic on shared memory whose lanes take turns? Then it is a slice's own. */
static bool slice_sharing_takes_turns(const struct sm_view *v, const struct inst *in)
{
	return in->op == OP_ATOM && in->class == CLASS_SHLOAD && v->m->config.shared_atomic &&
	       !(in->counted && v->m->config.shared_count_ones);
}

/* Line accesses of two operations as one: by how many more it has than the first; MAX_TRANSACTIONS + 1: too many. */
static u32 slice_sharing_more_lines(const struct memop *a, const struct memop *b)
{
	u32 more = 0;
	for (u32 i = 0; i < b->count; i++) {
		u32 k = 0;
		while (k < a->count && a->line[k] >> 4 != b->line[i] >> 4)
			k++;
		more += k == a->count;
	}
	return a->count + more <= MAX_TRANSACTIONS ? more : MAX_TRANSACTIONS + 1;
}

/* Lines of operation b, of a slice, become part of a. */
static void slice_sharing_add_lines(struct memop *a, const struct memop *b, u32 slice)
{
	for (u32 i = 0; i < b->count; i++) {
		u32 k = 0;
		while (k < a->count && a->line[k] >> 4 != b->line[i] >> 4)
			k++;
		if (k == a->count) {
			a->line[a->count++] = b->line[i];
			a->share[k] = 0;
		}
		a->line[k] |= b->line[i];
		a->share[k] |= (u8)(1u << slice);
	}
}

/* Sectors of all lines. */
static u32 slice_sharing_sectors(const struct memop *op)
{
	u32 n = 0;
	for (u32 i = 0; i < op->count; i++)
		n += (u32)__builtin_popcountll(op->line[i] & 15);
	return n;
}

/* The entry of a slice's part of an operation: that which a load has, else a fresh one. */
static u32 slice_sharing_entry_of(struct sm_view *v, const struct memop *op)
{
	return op->load != NONE16 ? op->load
				  : load_take(v, op->context, op->pc, slice_sharing_is_shared(op) ? 0 : op->count);
}

/* An operation of one context becomes one that others share. */
static void slice_sharing_start(struct sm_view *v, struct memop *op)
{
	u32 first = slice_sharing_entry_of(v, op);
	op->mates = (u16)(first + 1);
	v->load[first].leads = op->mates;
	if (!slice_sharing_is_shared(op))
		memset(op->share, 1 << view_sub(v, op->context), op->count);
}

/* One more entry behind the others. */
static void slice_sharing_append(struct sm_view *v, const struct memop *op, u32 entry)
{
	u32 last = op->mates - 1u;
	while (v->load[last].mate)
		last = v->load[last].mate - 1u;
	v->load[last].mate = (u16)(entry + 1);
	v->load[entry].leads = op->mates;
}

/* Addresses of lanes come to those of an operation. */
static void slice_sharing_stretch(struct open_op *open, const struct front_result *r)
{
	for (u32 mask = r->mask; mask; mask &= mask - 1) {
		u32 lane = (u32)__builtin_ctz(mask), at = (u32)r->address[lane];
		open->address[lane] = r->address[lane];
		open->low = min_u32(open->low, at);
		open->high = max_u32(open->high, at);
	}
}

/* The lines, or the bank cycles, of a slice's operation are those of another, too. */
static void slice_sharing_join_access(struct sm_view *v, struct open_op *open, struct memop *op,
				      const struct memop *mine, const struct front_result *r)
{
	struct front_result all;
	if (!slice_sharing_is_shared(op)) {
		v->sm->stat[STAT_MEM_LINES] -= op->count + mine->count;
		v->sm->stat[STAT_MEM_SECTORS] -= slice_sharing_sectors(op) + slice_sharing_sectors(mine);
		slice_sharing_add_lines(op, mine, view_sub(v, mine->context));
		v->sm->stat[STAT_MEM_LINES] += op->count;
		v->sm->stat[STAT_MEM_SECTORS] += slice_sharing_sectors(op);
		return;
	}
	slice_sharing_stretch(open, r);
	if (open->bytes <= 4 && open->high / 4 - open->low / 4 < v->m->config.shared_banks) {
		op->count = 1;
		return;
	}
	all.mask = open->lanes | r->mask;
	all.span.known = 0;
	memcpy(all.address, open->address, sizeof all.address);
	op->count = (u8)shared_degree(v->m, &all, open->bytes);
}

/* May a slice's operation join the one that is open? */
static bool slice_sharing_fits(const struct sm_view *v, const struct open_op *open, const struct memop *mine, u32 bytes,
			       u32 lanes)
{
	const struct memop *op = &v->memop[open->memop];
	if (op->collector[view_sub(v, mine->context)] || open->lanes & lanes)
		return false;
	if (mine->load == NONE16 && !loads_left(v, v->promised + (op->mates ? 1 : 2)))
		return false;
	return slice_sharing_is_shared(mine) ? open->bytes == bytes
					     : slice_sharing_more_lines(op, mine) <= MAX_TRANSACTIONS;
}

/* An operation that others may join, if there are any. */
static void slice_sharing_offer(struct open_op *open, u32 memop, u32 bytes, const struct front_result *r, bool others)
{
	open->memop = (u16)memop;
	open->bytes = (u16)bytes;
	open->lanes = r->mask;
	open->low = ~0u;
	open->high = 0;
	if (others)
		slice_sharing_stretch(open, r);
}

/* Is what is said to be open an operation of this cycle, of that kind? (Who goes back in time leaves what was.) */
static bool slice_sharing_still_open(const struct sm_view *v, u32 kind)
{
	u32 at = v->open[kind].memop;
	const struct memop *op = &v->memop[at];
	if (at >= v->m->section[SECTION_MEMOP].count || class_unit[op->class] != UNIT_LSU ||
	    slice_sharing_kind_of(op) != kind || op->context >= v->m->contexts)
		return false;
	u32 sub = view_sub(v, op->context), unit = op->collector[sub] - 1u;
	const struct collector *cu = &v->part[sub].collector[unit];
	return unit < v->m->config.sm_collectors && cu->memory_op == at && cu->issued_at == view_cycle(v);
}

/* A context's operation joins that of another slice, or stays: which it is then. */
static u32 slice_sharing_join_open(struct sm_view *v, u32 memop, const struct inst *in, const struct front_result *r)
{
	struct memop *mine = &v->memop[memop];
	u32 kind = slice_sharing_kind_of(mine);
	struct open_op *open = &v->open[kind];
	bool there = slice_sharing_still_open(v, kind);
	memset(mine->collector, 0, sizeof mine->collector);
	if (mine->banks || slice_sharing_takes_turns(v, in) || v->m->section[SECTION_REEXEC].count) {
		open->memop = NONE16;
		return memop;
	}
	if (!there || !slice_sharing_fits(v, open, mine, inst_access_bytes(in), r->mask)) {
		slice_sharing_offer(open, memop, inst_access_bytes(in), r, true);
		return memop;
	}
	struct memop *op = &v->memop[open->memop];
	if (!op->mates)
		slice_sharing_start(v, op);
	slice_sharing_append(v, op, slice_sharing_entry_of(v, mine));
	slice_sharing_join_access(v, open, op, mine, r);
	open->lanes |= r->mask;
	op->mask |= mine->mask;
	memop_release(v, memop);
	v->sm->stat[STAT_MEM_SHARED]++;
	return open->memop;
}

/* The unit that will hold an operation of a context is the next of its sub-core. */
static void slice_sharing_note_unit(struct sm_view *v, u32 memop, u32 sub)
{
	u32 free = v->sub[v->even ? 0 : sub].free_collectors;
	v->memop[memop].collector[sub] = (u8)(__builtin_ctz(free) + 1);
}

u32 slice_sharing_join(struct sm_view *v, u32 memop, const struct inst *in, const struct front_result *r)
{
	u32 sub = view_sub(v, v->memop[memop].context);
	memop = slice_sharing_join_open(v, memop, in, r);
	slice_sharing_note_unit(v, memop, sub);
	return memop;
}

u32 slice_sharing_constants(struct sm_view *v, u32 context, const struct inst *in, const struct front_result *r)
{
	u32 at = v->ganged && v->const_open != NONE16 ? v->const_open : perform_constants(v);
	const_lines(v, context, in, r, &v->memop[at]);
	if (v->ganged) {
		slice_sharing_note_unit(v, at, view_sub(v, context));
		v->const_open = (u16)at;
	}
	return at;
}

/* Do the lines of an instruction's load or atomic come back for registers? */
static bool slice_sharing_is_answered(const struct inst *in)
{
	return in->class == CLASS_LOAD || (in->class == CLASS_ATOMIC && in->ndst);
}

/* Is it a load that goes past the L1D? Of those that slices share, none is of local memory. */
static bool slice_sharing_past(const struct inst *in)
{
	return in->class == CLASS_LOAD && in->aux & ACCESS_PAST;
}

/* Can n slices share a memory instruction without being asked one by one? Those that are answered have their entries of
 * the table of loads. */
static bool slice_sharing_whole_fits(const struct sm_view *v, const struct inst *in, u32 n)
{
	bool shared = in->class == CLASS_SHLOAD || in->class == CLASS_SHSTORE;
	if (slice_sharing_takes_turns(v, in) || v->m->section[SECTION_REEXEC].count ||
	    in->space != (shared ? SPACE_SHARED : SPACE_GLOBAL) || (v->m->config.preempt_ctas && !shared))
		return false;
	return loads_left(v, v->promised + n) &&
	       !slice_sharing_still_open(
		       v, slice_sharing_kind_as(in->class, slice_sharing_is_answered(in), slice_sharing_past(in)));
}

/* Lines of an operation that a slice wants. */
static u32 slice_sharing_lines_of(const struct memop *op, u32 slice)
{
	u32 n = 0;
	for (u32 i = 0; i < op->count; i++)
		n += op->share[i] >> slice & 1;
	return n;
}

/* The slices of a gang have their entries, one behind the other, as load_take() gives them. */
static void slice_sharing_enter(struct sm_view *v, struct memop *op, u32 first, u32 mask)
{
	struct load fresh = {.next = NONE16, .pc = op->pc, .issued_at = view_cycle(v)}, *last = NULL;
	u32 at = v->sm->load_free, next;
	int unit = __builtin_ctz(v->sub->free_collectors | 1u << 31) + 1;
	bool lines = !slice_sharing_is_shared(op);
	op->mates = fresh.leads = (u16)(at + 1);
	for (u32 left = mask; left; left &= left - 1, at = next) {
		u32 slice = (u32)__builtin_ctz(left);
		struct load *l = &v->load[at];
		next = l->next;
		fresh.context = (u16)(first + slice);
		fresh.generation = v->warp[first + slice].generation;
		fresh.waiting = (u16)(lines ? slice_sharing_lines_of(op, slice) : 0);
		*l = fresh;
		if (last)
			last->mate = (u16)(at + 1);
		last = l;
		if (!v->even)
			unit = __builtin_ctz(v->part[slice].sub->free_collectors) + 1;
		op->collector[slice] = (u8)unit;
	}
	v->sm->load_free = (u16)at;
}

/* The lines of a gang's operation, or its bank cycles, and counts. */
static void slice_sharing_reach(struct sm_view *v, struct memop *op, u32 n, u32 bytes, const struct front_result *r)
{
	v->sm->stat[STAT_MEM_SHARED] += n - 1;
	if (slice_sharing_is_shared(op)) {
		op->count = (u8)shared_degree(v->m, r, bytes);
		return;
	}
	op->count = (u8)coalesce_shared(v->m, r, bytes, v->m->lanes, op->line, op->share);
	v->sm->stat[STAT_MEM_INSTS] += n;
	v->sm->stat[STAT_MEM_LINES] += op->count;
	v->sm->stat[STAT_MEM_SECTORS] += slice_sharing_sectors(op);
}

u32 slice_sharing_begin(struct sm_view *v, u32 first, u32 mask, u32 pc, const struct inst *in,
			const struct front_result *r)
{
	u32 n = (u32)__builtin_popcount(mask), at = v->sm->memop_free, lead = first + (u32)__builtin_ctz(mask);
	u32 bytes = inst_access_bytes(in);
	bool answered = slice_sharing_is_answered(in);
	if (!slice_sharing_whole_fits(v, in, n))
		return NONE16;
	INVARIANT(at != NONE16);
	struct memop *op = &v->memop[at];
	v->sm->memop_free = op->next;
	op->context = (u16)lead;
	op->generation = v->warp[lead].generation;
	op->pc = pc;
	op->mask = r->mask;
	op->class = in->class;
	op->past = slice_sharing_past(in);
	op->next = NONE16;
	slice_sharing_reach(v, op, n, bytes, r);
	slice_sharing_enter(v, op, first, mask);
	for (u32 left = slice_sharing_is_shared(op) || answered ? 0 : mask; left; left &= left - 1)
		expect_stores(v, first + (u32)__builtin_ctz(left),
			      slice_sharing_lines_of(op, (u32)__builtin_ctz(left)));
	op->load = answered ? (u16)(op->mates - 1) : NONE16;
	slice_sharing_offer(&v->open[slice_sharing_kind_of(op)], at, bytes, r,
			    mask != (1u << v->m->config.sm_subcores) - 1);
	return at;
}

bool slice_sharing_ready(const struct sm_view *v, const struct memop *op)
{
	for (u32 k = 0; k < (v->even ? 1 : v->m->config.sm_subcores); k++)
		if (op->collector[k] && !(v->part[k].sub->ready_collectors >> (op->collector[k] - 1) & 1))
			return false;
	return true;
}

/* All entries of an operation are given back, once everybody has been answered. */
static void slice_sharing_release_all(struct sm_view *v, u32 first)
{
	u32 all = 0;
	for (u32 at = first + 1; at; at = v->load[at - 1].mate)
		all |= v->load[at - 1].waiting;
	if (all)
		return;
	for (u32 at = first + 1, next; at; at = next) {
		struct load *l = &v->load[at - 1];
		next = l->mate;
		l->context = NONE16;
		l->next = v->sm->load_free;
		v->sm->load_free = (u16)(at - 1);
	}
	v->sleep->marked = 0;
}

void slice_sharing_shared(struct sm_view *v, const struct memop *op, u32 cycles)
{
	u32 delay = shared_delay(&v->m->config, op, cycles), at, slices = 0, n = 0;
	u32 parent = context_parent(v->m, op->context);
	struct result r = {.kind = RESULT_VALUE, .context = op->context, .generation = op->generation, .pc = op->pc};
	for (at = v->load[op->mates - 1].mate; at; at = v->load[at - 1].mate, n++) {
		const struct load *l = &v->load[at - 1];
		if (context_parent(v->m, l->context) != parent || l->generation != op->generation || l->pc != op->pc)
			break;
		slices |= 1u << view_sub(v, l->context);
	}
	if (n)
		result_due_slices(v, delay, &r, slices, n);
	for (; at; at = v->load[at - 1].mate) {
		const struct load *l = &v->load[at - 1];
		value_due(v, delay, l->context, l->generation, l->pc);
	}
	slice_sharing_release_all(v, op->mates - 1u);
}

/* A slice that waits for no line any more has its load answered. */
static void slice_sharing_answer(struct sm_view *v, u32 load)
{
	struct load *l = &v->load[load];
	if (l->waiting || l->quick == LOAD_ANSWERED)
		return;
	load_answer(v, load);
	v->load[load].quick = LOAD_ANSWERED;
}

void slice_sharing_finish(struct sm_view *v, const struct memop *op)
{
	for (u32 at = op->mates; at; at = v->load[at - 1].mate) {
		const struct load *l = &v->load[at - 1];
		if (op->load != NONE16)
			slice_sharing_answer(v, at - 1);
		else if (view_current(v, l->context, l->generation))
			warp_retired(v, l->context, 1);
		else
			v->sm->stat[STAT_STALE_STORES]++;
	}
	slice_sharing_release_all(v, op->mates - 1u);
}

/* A line that some slices share has come, or has been written: each waits for one less, and `now` is done for it. */
static void slice_sharing_come(struct sm_view *v, u32 first, u32 mates, void (*now)(struct sm_view *v, u32 load))
{
	for (u32 at = first + 1; at; at = v->load[at - 1].mate) {
		struct load *l = &v->load[at - 1];
		if (!(mates >> view_sub(v, l->context) & 1))
			continue;
		INVARIANT(l->waiting > 0);
		l->waiting--;
		now(v, at - 1);
	}
	slice_sharing_release_all(v, first);
}

void slice_sharing_arrived(struct sm_view *v, u32 first, u32 mates)
{
	slice_sharing_come(v, first, mates, slice_sharing_answer);
}

static void slice_sharing_store_done(struct sm_view *v, u32 load)
{
	const struct load *l = &v->load[load];
	if (view_current(v, l->context, l->generation))
		store_done(v, l->context);
	else
		v->sm->stat[STAT_STALE_WRITES]++;
}

void slice_sharing_acknowledged(struct sm_view *v, u32 first, u32 mates)
{
	slice_sharing_come(v, first, mates, slice_sharing_store_done);
}

void slice_sharing_missed(struct sm_view *v, u32 first, u32 mates)
{
	for (u32 at = first + 1; at; at = v->load[at - 1].mate)
		if (mates >> view_sub(v, v->load[at - 1].context) & 1)
			load_missed(v, at - 1);
}

bool slice_sharing_forget(struct sm_view *v, struct memop *op, u32 sub)
{
	op->collector[sub] = 0;
	if (!op->mates)
		return op->class == CLASS_CONST && const_shared(v, op);
	for (u32 k = 0; k < v->m->config.sm_subcores; k++)
		if (op->collector[k])
			return true;
	for (u32 at = op->mates; at; at = v->load[at - 1].mate)
		v->load[at - 1].waiting = 0;
	slice_sharing_release_all(v, op->mates - 1u);
	op->load = NONE16;
	return false;
}
