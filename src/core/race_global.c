/*
 * race_global.c - the checks of global memory: bytes never written, and stores of one launch that race.
 *
 * A byte counts as written if a buffer's contents were given (or a host loop resets it), if the user changed it, or once a store or
 * atomic has acted on it. Two stores race if they reach the same bytes in one iteration of a launch, come from different
 * threads, not both are atomics, and neither a barrier of their CTA nor (within a warp) an instruction lies between.
 * Deviations: reads are not followed here, for how kernels order them by fences and flags is not seen; of each word only the
 * last writer is kept.
 */
#include "shadow_internal.h"

#include <string.h>

/* The last writer of a word of global memory. */
struct writer {
	u32 run;	/* launch x 2^20 + iteration, + 1; 0: none */
	u32 cta, cycle;	/* cycle: its low bits, they tell lanes of one instruction */
	u16 thread, epoch, pc;
	u8 mask;	/* bytes of the word */
	u8 atomic;
};
#define WORDS (STORE_PAGE / 4)

/* Does an address lie in global memory, n bytes of it? */
static bool is_global(const struct sim *s, u64 address, u64 n)
{
	u64 size = (u64)s->store.npages * STORE_PAGE, at = address - STORE_GLOBAL_BASE;
	return address >= STORE_GLOBAL_BASE && at < size && size - at >= n;
}

static void mark(u64 *bits, u32 from, u32 n)
{
	for (u32 i = from; i < from + n; i++)
		SET_ADD(bits, i);
}

/* Does some host loop zero this buffer? */
static bool is_reset(const struct program *p, const struct buffer *b)
{
	for (u32 i = 0; i < p->nlaunch; i++)
		if (p->launch[i].loop.present && p->launch[i].loop.reset_bytes && p->launch[i].loop.reset_address == b->address)
			return true;
	return false;
}

/* The written bytes of a page; at first those of buffers whose contents were given. */
static u64 *page_written(struct sim *s, u32 page)
{
	bool fresh = !*shadow_slot(s, SHADOW_PAGE, page);
	u64 *bits = shadow_chunk(s, SHADOW_PAGE, page, STORE_PAGE / 8), start = STORE_GLOBAL_BASE + (u64)page * STORE_PAGE;
	for (u32 i = 0; fresh && i < s->program->nbuffer; i++) {
		const struct buffer *b = &s->program->buffer[i];
		u64 from = max_u64(b->address, start), to = min_u64(b->address + b->bytes, start + STORE_PAGE);
		if (from < to && (b->init || b->defined || is_reset(s->program, b)))
			mark(bits, (u32)(from - start), (u32)(to - from));
	}
	return bits;
}

/* Bytes that an access of n bytes at most 16 wide leaves in its page. */
static void mark_written(struct sim *s, u64 address, u64 n)
{
	while (n) {
		u64 at = address - STORE_GLOBAL_BASE, part = min_u64(n, STORE_PAGE - at % STORE_PAGE);
		mark(page_written(s, (u32)(at / STORE_PAGE)), (u32)(at % STORE_PAGE), (u32)part);
		address += part;
		n -= part;
	}
}

void shadow_poke(struct sim *s, u64 address, u64 bytes)
{
	if (s->shadow & SHADOW_WRITTEN && is_global(s, address, bytes))
		mark_written(s, address, bytes);
}

/* The first byte of an access that was never written; NONE32: all were. */
static u32 unwritten(struct sim *s, u64 address, u32 bytes)
{
	u64 at = address - STORE_GLOBAL_BASE;
	const u64 *bits = page_written(s, (u32)(at / STORE_PAGE));
	for (u32 k = 0; k < bytes; k++)
		if (!SET_HAS(bits, (u32)(at % STORE_PAGE) + k))
			return k;
	return NONE32;
}

void shadow_global_read(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r)
{
	const struct warp *w = &v->warp[context];
	u32 bytes = shadow_access_bytes(in);
	for (u32 mask = r->mask; mask; mask &= mask - 1) {
		u32 lane = (u32)__builtin_ctz(mask), k;
		if (!is_global(v->sim, r->address[lane], bytes))
			continue;
		k = unwritten(v->sim, r->address[lane], bytes);
		if (k == NONE32)
			continue;
		shadow_report(v, context, &(struct finding){
			.kind = FINDING_UNWRITTEN, .space = SPACE_GLOBAL, .launch = w->launch, .pc = pc, .pc2 = NONE32, .count = 1,
			.cycle = view_cycle(v), .address = r->address[lane] + k, .cta = v->cta[w->cta].id,
			.thread = (u16)(w->index * WARP_LANES + lane), .thread2 = 0xffff });
		return;
	}
}

/* Two writes of one run to a word: are they without order? */
static bool unordered(const struct writer *a, const struct writer *b)
{
	if (a->run != b->run || !(a->mask & b->mask) || (a->atomic && b->atomic))
		return false;
	if (a->cta != b->cta)
		return true;
	if (a->thread / WARP_LANES != b->thread / WARP_LANES)
		return a->epoch == b->epoch;
	return a->thread != b->thread && a->cycle == b->cycle && a->pc == b->pc;
}

/* Do the bytes that are about to be written stand there already? */
static bool stands_there(const struct sim *s, const struct write_entry *w)
{
	u8 now[16];
	if (w->atom)
		return false;
	store_read(&s->store, w->address, now, w->bytes);
	return !memcmp(now, w->data, w->bytes);
}

/* Enter a write into the words that it touches; the first one without order against it is returned in *earlier. */
static bool enter(struct sim *s, const struct write_entry *w, struct writer me, struct writer *earlier)
{
	u64 at = w->address - STORE_GLOBAL_BASE;
	struct writer *word = (struct writer *)shadow_chunk(s, SHADOW_WRITERS, (u32)(at / STORE_PAGE), WORDS * sizeof *word);
	u32 first = (u32)(at % STORE_PAGE), per_lane = max_u32(1, w->bytes / write_lanes(w)), thread = me.thread;
	bool found = false;
	for (u32 k = 0; k < w->bytes;) {
		struct writer *x = &word[(first + k) / 4];
		u32 part = min_u32(w->bytes - k, 4 - (first + k) % 4);
		me.mask = (u8)(((1u << part) - 1) << (first + k) % 4);
		me.thread = (u16)(thread + k / per_lane);
		if (!found && unordered(x, &me)) {
			found = true;
			*earlier = *x;
		}
		if (x->run == me.run && x->cta == me.cta && x->thread == me.thread && x->pc == me.pc && x->cycle == me.cycle)
			me.mask |= x->mask;
		*x = me;
		k += part;
	}
	return found;
}

/* Check a store or atomic against the last writers. */
static void race(struct sm_view *v, const struct write_entry *w, u32 pc)
{
	const struct warp *warp = &v->warp[w->context];
	const struct cta *cta = &v->cta[warp->cta];
	const struct launch_run *run = machine_gpu_section(v->m, SECTION_LAUNCH);
	bool same = stands_there(v->sim, w);
	struct writer earlier = { 0 }, me = {
		.run = ((u32)warp->launch << 20 | (run[warp->launch].iteration & 0xfffff)) + 1, .cta = cta->id,
		.cycle = (u32)view_cycle(v), .thread = (u16)(warp->index * WARP_LANES + w->lane),
		.epoch = (u16)shadow_cta(v, warp->cta)->epoch, .pc = shadow_pc(pc), .atomic = w->atom != 0 };
	if (!enter(v->sim, w, me, &earlier))
		return;
	shadow_report(v, w->context, &(struct finding){
		.kind = FINDING_WRITE_WRITE, .space = SPACE_GLOBAL, .launch = warp->launch, .pc = pc, .pc2 = earlier.pc, .count = 1,
		.same = same, .cycle = view_cycle(v), .address = w->address, .cta = cta->id, .cta2 = earlier.cta,
		.thread = me.thread, .thread2 = earlier.thread });
}

void shadow_write(struct sm_view *v, u32 i)
{
	const struct write_entry *w = &v->writes[i];
	u32 pc = v->sim->write_pc[v->id * v->m->section[SECTION_WRITES].count + i];
	if (v->sim->shadow & SHADOW_RACES && v->warp[w->context].cta != NONE16 && view_kernel(v, w->context)->front == FRONT_PTX)
		race(v, w, pc);
	if (v->sim->shadow & SHADOW_WRITTEN)
		mark_written(v->sim, w->address, w->bytes);
}
