/*
 * race_global.c - the checks of global memory: bytes never written, and accesses of one launch that race.
 *
 * A byte counts as written if a buffer's contents were given (or a host loop resets it), if the user changed it, or
 * once a store or atomic has acted on it. Two accesses race if they reach the same bytes in one iteration of a launch,
 * at least one writes, they come from different threads, not both are atomic or .volatile (with which threads speak to
 * each other), and neither a barrier of their CTA nor (within a warp) an instruction lies between. A load of a cycle
 * comes before the stores of that cycle. Fences order too: two accesses of different CTAs or warps are taken to be
 * ordered if the first one's CTA has made a fence since, and the second one's a fence, an atomic or a .volatile load.
 * Whether these were about the same flag is not seen: some races are missed, none is made up. Deviations: of each word
 * only the last writer is kept, and the last reader with the last one of another warp; CTAs whose numbers are 4096
 * apart share their fences.
 */
#include "listen.h"
#include "checks/shadow_internal.h"

/* Who accessed a word of global memory. */
enum { VISIT_ATOMIC = 1, VISIT_STRONG = 2 };
struct visit {
	u32 run;	/* launch x 2^20 + iteration, + 1; 0: none */
	u32 cta, cycle; /* cycle: its low bits, they tell lanes of one instruction */
	u16 thread, epoch, pc;
	u8 mask; /* bytes of the word */
	u8 how;	 /* VISIT_* */
};
/* The readers of a word: the last one, and the last one of another warp. */
struct readers {
	struct visit last, other;
};
/* The last two cycles in which a CTA made a fence, and in which it did what may follow one: two, for what others do in
 * the same cycle must not be seen, whichever SM is visited first. */
struct sync {
	u32 fence[2], follow[2];
};
#define SYNCS 4096
#define WORDS (STORE_PAGE / 4)

/* Does an address lie in global memory, n bytes of it? */
static bool race_global_is_global(const struct sim *s, u64 address, u64 n)
{
	u64 size = (u64)s->store.npages * STORE_PAGE, at = address - STORE_GLOBAL_BASE;
	return address >= STORE_GLOBAL_BASE && at < size && size - at >= n;
}

static void race_global_mark(u64 *bits, u32 from, u32 n)
{
	for (u32 i = from; i < from + n; i++)
		SET_ADD(bits, i);
}

/* Does some host loop zero this buffer? */
static bool race_global_is_reset(const struct program *p, const struct buffer *b)
{
	for (u32 i = 0; i < p->nlaunch; i++)
		if (p->launch[i].loop.present && p->launch[i].loop.reset_bytes &&
		    p->launch[i].loop.reset_address == b->address)
			return true;
	return false;
}

/* The written bytes of a page; at first those of buffers whose contents were given. */
static u64 *race_global_page_written(struct sim *s, u32 page)
{
	bool fresh = !*shadow_slot(s, SHADOW_PAGE, page);
	u64 *bits = shadow_chunk(s, SHADOW_PAGE, page, STORE_PAGE / 8),
	    start = STORE_GLOBAL_BASE + (u64)page * STORE_PAGE;
	for (u32 i = program_buffer_from(s->program, start); fresh && i < s->program->nbuffer; i++) {
		const struct buffer *b = &s->program->buffer[i];
		if (b->address >= start + STORE_PAGE)
			break;
		u64 from = max_u64(b->address, start), to = min_u64(b->address + b->bytes, start + STORE_PAGE);
		if (from < to && (b->init || b->defined || race_global_is_reset(s->program, b)))
			race_global_mark(bits, (u32)(from - start), (u32)(to - from));
	}
	return bits;
}

/* Bytes that an access of n bytes at most 16 wide leaves in its page. */
static void race_global_mark_written(struct sim *s, u64 address, u64 n)
{
	while (n) {
		u64 at = address - STORE_GLOBAL_BASE, part = min_u64(n, STORE_PAGE - at % STORE_PAGE);
		race_global_mark(race_global_page_written(s, (u32)(at / STORE_PAGE)), (u32)(at % STORE_PAGE),
				 (u32)part);
		address += part;
		n -= part;
	}
}

void shadow_poke(struct sim *s, u64 address, u64 bytes)
{
	if (s->shadow & SHADOW_WRITTEN && race_global_is_global(s, address, bytes))
		race_global_mark_written(s, address, bytes);
}

/* The first byte of an access that was never written; NONE32: all were. */
static u32 race_global_unwritten(struct sim *s, u64 address, u32 bytes)
{
	u64 at = address - STORE_GLOBAL_BASE;
	const u64 *bits = race_global_page_written(s, (u32)(at / STORE_PAGE));
	for (u32 k = 0; k < bytes; k++)
		if (!SET_HAS(bits, (u32)(at % STORE_PAGE) + k))
			return k;
	return NONE32;
}

/* --- order --- */

/* Enter a cycle. */
static void race_global_sync_enter(u32 at[2], u32 now)
{
	if (at[0] == now)
		return;
	at[1] = at[0];
	at[0] = now;
}

/* The last cycle before now. */
static u32 race_global_sync_last(const u32 at[2], u32 now)
{
	return at[0] < now ? at[0] : at[1];
}

static struct sync *race_global_sync_of(struct sim *s, u32 cta)
{
	return (struct sync *)shadow_chunk(s, SHADOW_SYNC, 0, SYNCS * sizeof(struct sync)) + cta % SYNCS;
}

void shadow_sync(struct sm_view *v, u32 context, const struct inst *in)
{
	struct sync *y;
	if (in->op != OP_FENCE && in->op != OP_ATOM && !(in->op == OP_LD && in->aux & ACCESS_STRONG))
		return;
	y = race_global_sync_of(v->sim, v->cta[v->warp[context].cta].id);
	race_global_sync_enter(y->follow, (u32)view_cycle(v));
	if (in->op == OP_FENCE)
		race_global_sync_enter(y->fence, (u32)view_cycle(v));
}

/* Are two accesses of one run by lanes of one context? */
static bool race_global_same_context(const struct sim *s, const struct visit *a, const struct visit *b)
{
	return a->run == b->run && a->cta == b->cta && a->thread / s->m->lanes == b->thread / s->m->lanes;
}

/* Two accesses of one run to a word, a before b: are they without order? */
static bool race_global_unordered(struct sim *s, const struct visit *a, const struct visit *b)
{
	if (a->run != b->run || !(a->mask & b->mask) || (a->how && b->how))
		return false;
	if (race_global_same_context(s, a, b))
		return a->thread != b->thread && a->cycle == b->cycle && a->pc == b->pc;
	if (a->cta == b->cta && a->epoch != b->epoch)
		return false;
	return race_global_sync_last(race_global_sync_of(s, a->cta)->fence, b->cycle) <= a->cycle ||
	       race_global_sync_last(race_global_sync_of(s, b->cta)->follow, b->cycle) <= a->cycle;
}

/* The access of a lane, without its bytes. */
static struct visit race_global_visit_of(struct sm_view *v, const struct warp *w, u32 lane, u32 pc, u8 how)
{
	const struct launch_run *run = machine_gpu_section(v->m, SECTION_LAUNCH);
	return (struct visit){.run = ((u32)w->launch << 20 | (run[w->launch].iteration & 0xfffff)) + 1,
			      .cta = v->cta[w->cta].id,
			      .cycle = (u32)view_cycle(v),
			      .thread = (u16)(w->index * WARP_LANES + lane),
			      .epoch = (u16)shadow_cta(v, w->cta)->epoch,
			      .pc = shadow_pc(pc),
			      .how = how};
}

/* Of two reads, the later one; in one cycle that of the lower CTA and thread, so that the order of SMs does not count.
 */
static bool race_global_later(const struct visit *a, const struct visit *b)
{
	if (a->run != b->run || a->cycle != b->cycle)
		return a->run != b->run ? a->run > b->run : a->cycle > b->cycle;
	return a->cta != b->cta ? a->cta < b->cta : a->thread < b->thread;
}

/* Enter a read among the readers of a word. */
static void race_global_readers_enter(const struct sim *s, struct readers *r, const struct visit *me)
{
	if (race_global_later(me, &r->last)) {
		if (!race_global_same_context(s, me, &r->last))
			r->other = r->last;
		r->last = *me;
	} else if (!race_global_same_context(s, me, &r->last) && race_global_later(me, &r->other)) {
		r->other = *me;
	}
}

/* A lane reads n bytes: enter it into the words; the first writer without order against it is returned in *earlier. */
static bool race_global_enter_read(struct sim *s, u64 address, u32 n, struct visit me, struct visit *earlier)
{
	bool found = false;
	for (u32 k = 0, part; k < n; k += part) {
		u64 at = address + k - STORE_GLOBAL_BASE;
		u32 page = (u32)(at / STORE_PAGE), word = (u32)(at % STORE_PAGE) / 4;
		const struct visit *writer = shadow_chunk(s, SHADOW_WRITERS, page, WORDS * sizeof *writer);
		part = min_u32(n - k, 4 - (u32)(at % 4));
		me.mask = (u8)(((1u << part) - 1) << at % 4);
		if (!found && race_global_unordered(s, &writer[word], &me)) {
			found = true;
			*earlier = writer[word];
		}
		race_global_readers_enter(
			s,
			(struct readers *)shadow_chunk(s, SHADOW_READERS, page, WORDS * sizeof(struct readers)) + word,
			&me);
	}
	return found;
}

/* Check a load against the last writers; the first lane that races is reported. */
static void race_global_read(struct sm_view *v, u32 context, u32 pc, const struct inst *in,
			     const struct front_result *r)
{
	const struct warp *w = &v->warp[context];
	u32 bytes = inst_access_bytes(in);
	bool found = false;
	for (u32 mask = r->mask; mask; mask &= mask - 1) {
		u32 lane = (u32)__builtin_ctz(mask);
		struct visit earlier = {0},
			     me = race_global_visit_of(v, w, lane, pc, in->aux & ACCESS_STRONG ? VISIT_STRONG : 0);
		if (!race_global_is_global(v->sim, r->address[lane], bytes) ||
		    !race_global_enter_read(v->sim, r->address[lane], bytes, me, &earlier) || found)
			continue;
		found = true;
		shadow_report(v, context,
			      &(struct finding){.kind = FINDING_WRITE_READ,
						.space = SPACE_GLOBAL,
						.launch = w->launch,
						.pc = pc,
						.pc2 = earlier.pc,
						.count = 1,
						.cycle = view_cycle(v),
						.address = r->address[lane],
						.cta = me.cta,
						.cta2 = earlier.cta,
						.thread = me.thread,
						.thread2 = earlier.thread});
	}
}

/* Report the first byte of a load that was never written. */
static void race_global_uninitialised(struct sm_view *v, u32 context, u32 pc, const struct inst *in,
				      const struct front_result *r)
{
	const struct warp *w = &v->warp[context];
	u32 bytes = inst_access_bytes(in);
	for (u32 mask = r->mask; mask; mask &= mask - 1) {
		u32 lane = (u32)__builtin_ctz(mask), k;
		if (!race_global_is_global(v->sim, r->address[lane], bytes))
			continue;
		k = race_global_unwritten(v->sim, r->address[lane], bytes);
		if (k == NONE32)
			continue;
		shadow_report(v, context,
			      &(struct finding){.kind = FINDING_UNWRITTEN,
						.space = SPACE_GLOBAL,
						.launch = w->launch,
						.pc = pc,
						.pc2 = NONE32,
						.count = 1,
						.cycle = view_cycle(v),
						.address = r->address[lane] + k,
						.cta = v->cta[w->cta].id,
						.thread = (u16)(w->index * WARP_LANES + lane),
						.thread2 = 0xffff});
		return;
	}
}

void shadow_global_read(struct sm_view *v, u32 context, u32 pc, const struct inst *in, const struct front_result *r)
{
	if (v->sim->shadow & SHADOW_WRITTEN)
		race_global_uninitialised(v, context, pc, in, r);
	if (v->sim->shadow & SHADOW_RACES && (in->op == OP_LD || in->op == OP_COPY))
		race_global_read(v, context, pc, in, r);
}

/* Do the bytes that are about to be written stand there already? */
static bool race_global_stands_there(const struct sim *s, const struct write_entry *w)
{
	u8 now[16];
	if (w->atom)
		return false;
	store_read(&s->store, w->address, now, w->bytes);
	return !memcmp(now, w->data, w->bytes);
}

/* Does a write race with the last writer of the word or one of its readers, and with whom? */
static bool race_global_races_with(struct sim *s, const struct visit *writer, const struct readers *r,
				   const struct visit *me, struct visit *earlier, u8 *kind)
{
	*kind = FINDING_WRITE_WRITE;
	*earlier = *writer;
	if (race_global_unordered(s, writer, me))
		return true;
	*kind = FINDING_READ_WRITE;
	*earlier = race_global_same_context(s, &r->last, me) || !race_global_unordered(s, &r->last, me) ? r->other
													: r->last;
	return !race_global_same_context(s, earlier, me) && race_global_unordered(s, earlier, me);
}

/* Enter a write into the words that it touches; the first one without order against it is returned in *earlier. */
static bool race_global_enter(struct sim *s, const struct write_entry *w, struct visit me, struct visit *earlier,
			      u8 *kind)
{
	u64 at = w->address - STORE_GLOBAL_BASE;
	struct visit *word =
		(struct visit *)shadow_chunk(s, SHADOW_WRITERS, (u32)(at / STORE_PAGE), WORDS * sizeof *word);
	const struct readers *readers =
		shadow_chunk(s, SHADOW_READERS, (u32)(at / STORE_PAGE), WORDS * sizeof *readers);
	u32 first = (u32)(at % STORE_PAGE), per_lane = max_u32(1, w->bytes / write_lanes(w)), thread = me.thread;
	bool found = false;
	for (u32 k = 0; k < w->bytes;) {
		struct visit *x = &word[(first + k) / 4];
		u32 part = min_u32(w->bytes - k, 4 - (first + k) % 4);
		me.mask = (u8)(((1u << part) - 1) << (first + k) % 4);
		me.thread = (u16)(thread + k / per_lane);
		found = found || race_global_races_with(s, x, &readers[(first + k) / 4], &me, earlier, kind);
		if (x->run == me.run && x->cta == me.cta && x->thread == me.thread && x->pc == me.pc &&
		    x->cycle == me.cycle)
			me.mask |= x->mask;
		*x = me;
		k += part;
	}
	return found;
}

/* Check a store or atomic against the last writers and readers. */
static void race_global_race(struct sm_view *v, const struct write_entry *w, u32 pc)
{
	const struct warp *warp = &v->warp[w->context];
	const struct inst *in = &view_kernel(v, w->context)->inst[pc];
	bool same = race_global_stands_there(v->sim, w);
	u8 how = w->atom ? VISIT_ATOMIC : in->aux & ACCESS_STRONG ? VISIT_STRONG : 0, kind = 0;
	struct visit earlier = {0}, me = race_global_visit_of(v, warp, w->lane, pc, how);
	if (!race_global_enter(v->sim, w, me, &earlier, &kind))
		return;
	shadow_report(v, w->context,
		      &(struct finding){.kind = kind,
					.space = SPACE_GLOBAL,
					.launch = warp->launch,
					.pc = pc,
					.pc2 = earlier.pc,
					.count = 1,
					.same = same,
					.cycle = view_cycle(v),
					.address = w->address,
					.cta = me.cta,
					.cta2 = earlier.cta,
					.thread = me.thread,
					.thread2 = earlier.thread});
}

void shadow_write(struct sm_view *v, u32 i)
{
	const struct write_entry *w = &v->writes[i];
	if (v->sim->shadow & SHADOW_RACES && v->warp[w->context].cta != NONE16 &&
	    view_kernel(v, w->context)->front == FRONT_PTX)
		race_global_race(v, w, w->pc);
	if (v->sim->shadow & SHADOW_WRITTEN)
		race_global_mark_written(v->sim, w->address, w->bytes);
	if (v->sim->shadow & SHADOW_LISTENER)
		v->sim->listener->writes(v->sim->listener->self, v->sim, v->id, w);
}
