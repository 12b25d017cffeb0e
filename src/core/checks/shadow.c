/*
 * shadow.c - the shadow chunks of the store: counts per instruction, findings, and where they lie (shadow.h).
 *
 * Chunks, in this order: counts of each SM, findings of each SM, one for each CTA slot and each CTA that waits, one bit
 * set of written bytes, one list of last writers and one of last readers for each page of global memory, when CTAs
 * made fences, the last access of each SM to shared memory, and of each SM what it has printed (output.h). A chunk that
 * is absent holds zeros.
 */
#include "output.h"
#include "checks/shadow_internal.h"

u32 shadow_bits(const struct config *c)
{
	u32 bits = (c->check_races ? SHADOW_RACES : 0) | (c->check_uninitialised ? SHADOW_WRITTEN : 0) |
		   (c->check_barriers ? SHADOW_BARRIERS : 0) | (c->check_banks ? SHADOW_BANKS : 0) |
		   (c->check_coalescing ? SHADOW_COALESCING : 0);
	bool lines = c->stats_lines || c->check_banks || c->check_coalescing;
	return bits | (lines ? SHADOW_LINES : 0);
}

/* The number of a chunk of an SM, of a CTA slot, of a page. */
static u32 shadow_chunk_number(const struct sim *s, enum shadow_chunk kind, u32 i)
{
	u32 sms = s->m->config.gpu_sms, ctas = sms * s->m->residents, pages = s->store.npages;
	const u32 count[SHADOW_CHUNKS] = {
		sms, sms, ctas + s->m->config.preempt_ctas, pages, pages, pages, 1, sms, sms, sms * OUTPUT_CHUNKS};
	for (u32 k = 0; k < kind; k++)
		i += count[k];
	return i;
}

struct chunk **shadow_slot(struct sim *s, enum shadow_chunk kind, u32 i)
{
	if (!s->store.nshadow)
		store_shadow(&s->store, shadow_chunk_number(s, SHADOW_CHUNKS, 0));
	return &s->store.shadow[shadow_chunk_number(s, kind, i)];
}

void *shadow_chunk(struct sim *s, enum shadow_chunk kind, u32 i, u64 bytes)
{
	struct chunk **slot = shadow_slot(s, kind, i);
	INVARIANT(bytes < NONE32);
	if (!*slot)
		store_reset(&s->store, slot, (u32)bytes);
	return store_write(&s->store, slot);
}

const void *shadow_read(const struct sim *s, enum shadow_chunk kind, u32 i)
{
	const struct chunk *c = s->store.nshadow ? s->store.shadow[shadow_chunk_number(s, kind, i)] : NULL;
	return c ? c->data : NULL;
}

/* --- findings --- */

const char *const finding_name[FINDING_KIND_COUNT] = {
	[FINDING_WRITE_WRITE] = "write after write",
	[FINDING_READ_WRITE] = "write after read",
	[FINDING_WRITE_READ] = "read after write",
	[FINDING_UNWRITTEN] = "read of bytes never written",
	[FINDING_BARRIERS] = "warps wait at different barriers",
};

const struct findings *shadow_findings(const struct sim *s, u32 sm)
{
	return shadow_read(s, SHADOW_FOUND, sm);
}

u64 shadow_events(const struct sim *s, u32 kind)
{
	u64 sum = 0;
	for (u32 i = 0; i < s->m->config.gpu_sms; i++) {
		const struct findings *f = shadow_findings(s, i);
		sum += f ? f->events[kind] : 0;
	}
	return sum;
}

/* Is it a finding of the same kind about the same instructions? */
static bool shadow_same_finding(const struct sim *s, const struct finding *a, const struct finding *b)
{
	return a->kind == b->kind && a->space == b->space && a->pc == b->pc && a->pc2 == b->pc2 &&
	       s->kernel[a->launch] == s->kernel[b->launch];
}

void shadow_event(struct sm_view *v, u32 kind, u32 context, u32 pc, u64 address, u32 a, u32 b)
{
	struct findings *f = shadow_chunk(v->sim, SHADOW_FOUND, v->id, sizeof *f);
	f->events[kind]++;
	if (v->sim->bus.want >> kind & 1)
		emit_record(v, kind, context, pc, address, a, b);
}

void shadow_found(struct sm_view *v, const struct finding *x)
{
	struct findings *f = shadow_chunk(v->sim, SHADOW_FOUND, v->id, sizeof *f);
	u32 i = 0;
	while (i < f->n && !shadow_same_finding(v->sim, &f->item[i], x))
		i++;
	if (i == MAX_FINDINGS) {
		f->dropped++;
		return;
	}
	if (i == f->n) {
		f->item[f->n++] = *x;
		return;
	}
	f->item[i].count++;
	f->item[i].same += x->same;
}

/* --- counts per instruction --- */

static struct line_count *shadow_lines_of(struct sm_view *v, u32 launch)
{
	struct line_count *c = shadow_chunk(v->sim, SHADOW_COUNTS, v->id, (u64)v->sim->nlines * sizeof *c);
	return c + v->sim->line_base[launch];
}

void shadow_count_issue(struct sm_view *v, u32 context, u32 pc, const struct front_result *r)
{
	struct line_count *c = shadow_lines_of(v, v->warp[context].launch) + pc;
	c->statuses[WARP_ISSUED]++;
	if (r->fault)
		return;
	c->issues++;
	c->threads += (u32)__builtin_popcount(r->mask);
}

/* Shared memory: cycles of its banks, and those of an access without conflicts. */
static void shadow_count_shared(struct sm_view *v, u32 pc, const struct memop *op, struct line_count *c, u32 bytes)
{
	u32 cycles = max_u32(op->count, 1), lanes = WARP_LANES / max_u32(1, bytes / 4), best = 0;
	for (u32 first = 0; first < WARP_LANES; first += lanes)
		best += (op->mask >> first & (u32)((1ULL << lanes) - 1)) != 0;
	best = max_u32(best, 1);
	c->shared++;
	c->shared_cycles += cycles;
	c->shared_best += min_u32(best, cycles);
	c->degree = max_u64(c->degree, cycles);
	if (cycles > best && v->sim->shadow & SHADOW_BANKS)
		shadow_event(v, EVENT_BANK_CONFLICT, op->context, pc, 0, cycles, best);
}

void shadow_memory(struct sm_view *v, u32 pc, const struct inst *in, const struct front_result *r,
		   const struct memop *op, u32 turns)
{
	struct line_count *c;
	u32 bytes = inst_access_bytes(in), sectors = 0, best = ceil_div((u32)__builtin_popcount(r->mask) * bytes, 32);
	if (!(v->sim->shadow & SHADOW_LINES))
		return;
	c = shadow_lines_of(v, v->warp[op->context].launch) + pc;
	if (op->class == CLASS_SHLOAD || op->class == CLASS_SHSTORE) {
		shadow_count_shared(v, pc, op, c, bytes);
		c->turns += turns;
		return;
	}
	for (u32 i = 0; i < op->count; i++)
		sectors += (u32)__builtin_popcountll(op->line[i] & 15);
	c->accesses++;
	c->lines += op->count;
	c->sectors += sectors;
	c->sectors_best += min_u32(best, sectors);
	c->degree = max_u64(c->degree, sectors);
	if (sectors > best && v->sim->shadow & SHADOW_COALESCING)
		shadow_event(v, EVENT_UNCOALESCED, op->context, pc, r->address[__builtin_ctz(r->mask)], sectors, best);
}

/* The instruction at which a warp stands: the next one, but the last one for those that have ended or wait at it. */
static u32 shadow_stands_at(const struct sm_view *v, u32 slot, u32 status)
{
	const struct slot *s = &v->slot[slot];
	const struct kernel *k = v->sim->kernel[v->warp[s->context].launch];
	u32 last = k->ninst - 1, before = min_u32(s->pc ? s->pc - 1 : 0, last);
	if (status == WARP_BARRIER)
		return v->warp[s->context].barrier_pc;
	if (status == WARP_DONE || (status == WARP_FENCE && k->inst[before].class == CLASS_FENCE))
		return before;
	return min_u32(s->pc, last);
}

/* Warps without a slot stand at the top of their stacks, or behind the last instruction. */
static void shadow_count_inactive(struct sm_view *v, u64 cycles)
{
	for (u64 left = v->sm->inactive; left; left &= left - 1)
		SET_EACH (i, v->cta[__builtin_ctzll(left)].contexts, CONTEXT_WORDS) {
			const struct warp *w = &v->warp[i];
			u32 last = v->sim->kernel[w->launch]->ninst - 1, top = w->depth ? w->depth - 1 : 0;
			u32 status = w->depth ? WARP_SWAPPED : WARP_DONE;
			shadow_lines_of(v,
					w->launch)[w->depth ? min_u32(v->stack[i * SIMT_DEPTH + top].pc, last) : last]
				.statuses[status] += cycles;
		}
}

/* The collector unit of a context's sub-core that was taken first; NULL: all are free. */
static const struct collector *shadow_oldest_collector(const struct sm_view *v, u32 context)
{
	const struct collector *cu = v->part[view_sub(v, context)].collector, *best = NULL;
	for (u32 i = 0; i < v->m->config.sm_collectors; i++)
		if (cu[i].context != NONE16 && (!best || (i32)(cu[i].age - best->age) < 0))
			best = &cu[i];
	return best;
}

void shadow_served(struct sm_view *v, const struct memop *op)
{
	struct served *x;
	if (!(v->sim->shadow & SHADOW_LINES))
		return;
	x = shadow_chunk(v->sim, SHADOW_SERVED, v->id, sizeof *x);
	*x = (struct served){.context = op->context, .generation = op->generation, .pc = op->pc, .known = true};
}

/* What the LSU is busy with in the cycle that is being counted: an access to shared memory whose banks it keeps busy,
 * else the first in its queue. False: it is not. */
static bool shadow_lsu_busy_with(const struct sm_view *v, struct served *out)
{
	const struct served *x = shadow_read(v->sim, SHADOW_SERVED, v->id);
	const struct memop *op = &v->memop[v->lsuq[v->sm->lsu_head].memop];
	if (x && x->known && v->sm->shared_busy > v->sleep->counted) {
		*out = *x;
		return true;
	}
	if (!v->sm->lsu_count)
		return false;
	*out = (struct served){.context = op->context, .generation = op->generation, .pc = op->pc, .known = true};
	return true;
}

/* The counts of the instruction for which a ready warp of a slot waits, where the pipeline did not take it. */
static struct line_count *shadow_blocker(struct sm_view *v, u32 slot, u32 status, struct line_count *own)
{
	struct served by = {0};
	if (status != WARP_LSU || !shadow_lsu_busy_with(v, &by)) {
		const struct collector *cu = shadow_oldest_collector(v, v->slot[slot].context);
		if (cu)
			by = (struct served){cu->context, cu->generation, cu->pc, true};
	}
	if (!by.known || !view_current(v, by.context, by.generation))
		return own;
	return shadow_lines_of(v, v->warp[by.context].launch) + by.pc;
}

void shadow_account(struct sm_view *v, u64 cycles)
{
	if (!(v->sim->shadow & SHADOW_LINES) || !v->sm->warps)
		return;
	for (u32 k = 0; k < WARP_ISSUED; k++)
		SET_EACH (slot, sm_seen(v, k), v->m->words) {
			struct line_count *c = shadow_lines_of(v, v->warp[v->slot[slot].context].launch) +
					       shadow_stands_at(v, slot, k);
			c->statuses[k] += cycles;
			if (k == WARP_LSU || k == WARP_UNIT || k == WARP_COLLECTOR)
				shadow_blocker(v, slot, k, c)->blocks += cycles;
		}
	if (v->sm->inactive)
		shadow_count_inactive(v, cycles);
}

bool shadow_line(const struct sim *s, u32 launch, u32 pc, struct line_count *out)
{
	u64 *to = (u64 *)(void *)out;
	*out = (struct line_count){0};
	if (!(s->shadow & SHADOW_LINES))
		return false;
	for (u32 i = 0; i < s->m->config.gpu_sms; i++) {
		const struct line_count *c = shadow_read(s, SHADOW_COUNTS, i);
		const u64 *from = c ? (const u64 *)(const void *)&c[s->line_base[launch] + pc] : NULL;
		u64 most = max_u64(out->degree, from ? c[s->line_base[launch] + pc].degree : 0);
		for (u32 k = 0; from && k < sizeof *out / sizeof *to; k++)
			to[k] += from[k];
		out->degree = most;
	}
	return true;
}
