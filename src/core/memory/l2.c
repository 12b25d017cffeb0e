/*
 * l2.c - an L2 slice: sectored, write-back, write-allocate without fetching; atomics are performed here.
 *
 * A request that arrives is looked up once its latency has passed, one in each clock of the L2. A miss waits in an MSHR
 * for the DRAM and its line finds a place when the data come; a write makes its sectors valid and dirty at once; dirty
 * sectors go to DRAM when their line leaves. With l2.sectors reads come sector by sector, and MSHRs are for sectors.
 * With l2.fetch 64 or 128 the rest of the block around a missing sector comes with it, as
 * cudaLimitMaxL2FetchGranularity says (measured on an H200: after a miss the other sector of its 64 bytes hits, those
 * of the next 64 bytes do not). An atomic or reduction needs its sectors present, makes them dirty and holds the slice
 * for l2.atomic_interval clocks for each, and longer where its lanes meet at one address (l2.atomic_lanes,
 * l2.atomic_float; timing only: values act at seal). Whatever cannot be taken (MSHRs, merges, DRAM queue, answer queue)
 * stays at the head, is counted by cause and tried again.
 *
 * With l2.halves 2 a line belongs to a slice of one half, and an SM asks the slice of its own half that stands for it:
 * a read that finds a copy there is answered, all else goes on, l2.far clocks away, and is answered from there; what a
 * read brought is a copy then, until anybody writes. (Ernst's gpu-benches: an A100 has what its SMs read in both halves
 * as long as it fits into one.) Deviations: a copy is there as soon as its answer leaves; the way between the halves is
 * long, not narrow; which SMs are of which half is ours; bank conflicts within a slice are not modelled, and a partly
 * written sector counts as whole.
 */
#include "memory/tags.h"
#include "memory/lsu.h"
#include "memory/memory.h"

/* Why a slice did not take a request, and what counts that: what the other half does not take is no refusal here. */
enum refusal_l2 { L2_MSHRS = 1, L2_MERGES, L2_DRAM, L2_ANSWERS, L2_OTHER_HALF };
static const u16 refusal_counter[] = {
	[L2_MSHRS] = STAT_L2_REFUSED_MSHRS,	[L2_MERGES] = STAT_L2_REFUSED_MERGES,  [L2_DRAM] = STAT_L2_REFUSED_DRAM,
	[L2_ANSWERS] = STAT_L2_REFUSED_ANSWERS, [L2_OTHER_HALF] = STAT_L2_REFUSED_FAR,
};

struct slice_view {
	struct sim *sim;
	struct machine *m;
	struct slice *slice;
	struct tag *tag;
	struct mshr *mshr;
	struct packet *waiter;
	struct waiter *link;
	u32 id, ways, sets;
};

static struct slice_view l2_slice_view(struct sim *s, u32 id)
{
	struct machine *m = s->m;
	return (struct slice_view){.sim = s,
				   .m = m,
				   .id = id,
				   .slice = machine_slice_section(m, id, SECTION_SLICE),
				   .tag = machine_slice_section(m, id, SECTION_L2),
				   .mshr = machine_slice_section(m, id, SECTION_L2_MSHR),
				   .waiter = machine_slice_section(m, id, SECTION_L2_WAITER),
				   .link = machine_slice_section(m, id, SECTION_L2_LINK),
				   .ways = m->config.l2_ways,
				   .sets = m->section[SECTION_L2].count / m->config.l2_ways};
}

/* First tag of a line's set: the slice's own lines, counted without the bits that chose the slice. */
static struct tag *l2_set_of(const struct slice_view *v, u64 number)
{
	u64 per_piece = 256 >> v->m->line_shift, piece = number / per_piece;
	u64 own = piece / v->m->config.l2_slices * per_piece + number % per_piece;
	return &v->tag[((own ^ own / v->sets) % v->sets) * v->ways];
}

static bool l2_answer_room(const struct slice_view *v, u32 n)
{
	return v->slice->out_count + n <= v->m->config.l2_queue;
}

/* Tell what became of a request. */
static void l2_tell(struct slice_view *v, enum event_kind kind, const struct packet *p)
{
	memory_emit(v->sim, kind, p->sm, p->line, (u32)__builtin_popcountll(p->line & 15), v->id);
}

/* The sectors that come from DRAM with these: the blocks of l2.fetch bytes in which they lie. */
static u32 l2_blocks(const struct slice_view *v, u32 sectors)
{
	u32 bytes = v->m->config.l2_fetch;
	if (bytes == 32)
		return sectors;
	sectors |= (sectors & 5) << 1 | (sectors & 10) >> 1;
	if (bytes == 128)
		sectors |= sectors << 2 | sectors >> 2;
	return sectors & ((1u << v->m->config.l1d_line / 32) - 1);
}

static void l2_copy_line(struct slice_view *v, const struct packet *p);
static void l2_forget_copy(struct slice_view *v, u64 line);

/* Send an answer back to the SM. Room was checked. */
static void l2_answer(struct slice_view *v, const struct packet *p)
{
	struct ring out = slice_ring(v->m, v->id, SECTION_SLICE_OUT);
	struct packet *q = ring_add(&out);
	*q = *p;
	q->ready = machine_gpu(v->m)->cycle + 1;
	SET_ADD(memory_visits(v->m)->answers, v->id);
	v->slice->stat[STAT_L2_REPLIES]++;
	if (__builtin_expect(v->m->config.l2_halves > 1, 0))
		l2_copy_line(v, p);
}

/* Make room for a line in its set; dirty sectors go to DRAM, which must have `keep` more places. NULL: it has not. */
static struct tag *l2_allocate(struct slice_view *v, u64 number, u32 keep)
{
	struct tag *t = tag_victim(l2_set_of(v, number), v->ways);
	if (t->line && t->dirty) {
		if (!dram_request(v->sim, v->id, (t->line - 1) * 16 + t->dirty, NONE16, keep))
			return NULL;
		v->slice->stat[STAT_L2_WRITEBACKS] += (u32)__builtin_popcount(t->dirty);
	}
	*t = (struct tag){.line = number + 1};
	return t;
}

/* --- halves --- */

/* A read, which a copy answers. */
static bool l2_is_read(const struct packet *p)
{
	return p->kind == PACKET_READ || p->kind == PACKET_FETCH || p->kind == PACKET_CONST || p->kind == PACKET_PAST;
}

/* The slice of the other half in which copies of this one's lines are. */
static struct slice_view l2_other_half(const struct slice_view *v)
{
	u32 half = v->m->config.l2_slices / 2;
	return l2_slice_view(v->sim, v->id < half ? v->id + half : v->id - half);
}

/* What a read of an SM of the other half was answered is there now, if a place can be had; what anybody wrote is not.
 */
static void l2_copy_line(struct slice_view *v, const struct packet *p)
{
	u64 number = p->line >> 4;
	if (slice_home(v->m, p->line) != v->id)
		return;
	if (!l2_is_read(p) && p->kind != PACKET_RESTORE) {
		l2_forget_copy(v, p->line);
		return;
	}
	if (!l2_is_read(p) || slice_asked(v->m, p->sm, p->line) == v->id)
		return;
	struct slice_view o = l2_other_half(v);
	struct tag *t = tag_find(l2_set_of(&o, number), o.ways, number + 1);
	if (!t && !(t = l2_allocate(&o, number, 1)))
		return;
	t->valid |= p->line & 15;
	if (v->m->config.l2_fetch > 32) {
		const struct tag *own = tag_find(l2_set_of(v, number), v->ways, number + 1);
		t->valid |= (u8)(l2_blocks(v, p->line & 15) & (own ? own->valid : 0u));
	}
	t->used = ++o.slice->clock;
}

/* The other half's copy of some sectors is out of date. */
static void l2_forget_copy(struct slice_view *v, u64 line)
{
	struct slice_view o = l2_other_half(v);
	struct tag *t = tag_find(l2_set_of(&o, line >> 4), o.ways, (line >> 4) + 1);
	if (t)
		t->valid &= (u8) ~(line & 15);
}

/* A request goes on to the slice of the other half. */
static enum refusal_l2 l2_send_far(struct slice_view *v, const struct packet *p, u64 clock)
{
	u32 other = l2_other_half(v).id;
	struct ring far = slice_ring(v->m, other, SECTION_SLICE_FAR);
	if (ring_full(&far))
		return L2_OTHER_HALF;
	struct packet *q = ring_add(&far);
	*q = *p;
	q->ready = domain_cycle(&v->m->config, v->m->config.l2_clock, clock + max_u32(1, v->m->config.l2_far));
	v->slice->stat[STAT_L2_FAR]++;
	memory_visit(v->m, other, q->ready);
	SET_ADD(machine_gpu(v->m)->slice_set, other);
	return 0;
}

static bool l2_is_atomic(const struct packet *p)
{
	return p->kind == PACKET_ATOMIC || p->kind == PACKET_REDUCTION;
}

/* A request whose sectors are present. */
static enum refusal_l2 l2_hit(struct slice_view *v, struct tag *t, const struct packet *p)
{
	if (!l2_answer_room(v, 1))
		return L2_ANSWERS;
	t->used = ++v->slice->clock;
	if (l2_is_atomic(p)) {
		t->dirty |= p->line & 15;
		v->slice->stat[STAT_L2_ATOMICS]++;
	}
	v->slice->stat[STAT_L2_ACCESSES]++;
	v->slice->stat[STAT_L2_HITS]++;
	l2_tell(v, EVENT_L2_HIT, p);
	l2_answer(v, p);
	return 0;
}

/* A write: its sectors become valid and dirty; nothing is fetched. */
static enum refusal_l2 l2_write_line(struct slice_view *v, struct tag *t, const struct packet *p)
{
	if (!l2_answer_room(v, 1))
		return L2_ANSWERS;
	bool present = t != NULL;
	if (!t && !(t = l2_allocate(v, p->line >> 4, 1)))
		return L2_DRAM;
	t->valid |= p->line & 15;
	t->dirty |= p->line & 15;
	t->used = ++v->slice->clock;
	v->slice->stat[STAT_L2_ACCESSES]++;
	v->slice->stat[present ? STAT_L2_HITS : STAT_L2_MISSES]++;
	v->slice->stat[STAT_L2_WRITE_MISSES] += !present;
	l2_tell(v, present ? EVENT_L2_HIT : EVENT_L2_MISS, p);
	l2_answer(v, p);
	return 0;
}

static struct mshr_table l2_table(const struct slice_view *v)
{
	return (struct mshr_table){v->mshr, v->m->config.l2_mshrs, &v->slice->mshr_free};
}

/* What an MSHR is for: a line, or with l2.sectors a sector, which is what reads ask for; what asks for several, atomics
 * and instructions, has one of its own for these. */
static u64 l2_mshr_key(const struct slice_view *v, const struct packet *p)
{
	return v->m->config.l2_sectors ? p->line : (p->line >> 4) + 1;
}

/* Keep a request until its MSHR is complete. */
static void l2_wait_in(struct slice_view *v, struct mshr *m, const struct packet *p)
{
	u16 at = v->slice->waiter_free;
	INVARIANT(at != NONE16);
	v->slice->waiter_free = v->link[at].next;
	v->link[at] = (struct waiter){.next = NONE16, .sectors = (u8)(p->line & 15)};
	v->waiter[at] = *p;
	if (m->count++)
		v->link[m->last].next = at;
	else
		m->first = at;
	m->last = at;
	v->slice->stat[STAT_L2_ACCESSES]++;
}

/* A read or atomic whose sectors are not all present. */
static enum refusal_l2 l2_miss(struct slice_view *v, const struct tag *t, const struct packet *p)
{
	u64 key = l2_mshr_key(v, p);
	struct mshr *m = mshr_find(l2_table(v), key), *unused = mshr_spare(l2_table(v));
	u32 need = (p->line & 15) & ~(t ? t->valid : 0u);
	if (m ? m->count >= v->m->config.l2_merges : !unused)
		return m ? L2_MERGES : L2_MSHRS;
	u32 extra = l2_blocks(v, need) & ~((t ? t->valid : 0u) | (m ? m->asked : 0u));
	bool joined = m != NULL;
	m = m ? m : unused;
	if (extra && !dram_request(v->sim, v->id, (p->line & ~15ULL) | extra, (u32)(m - v->mshr), 1))
		return L2_DRAM;
	if (!joined) {
		mshr_take(l2_table(v), key);
		v->slice->mshrs_used++;
	}
	m->asked |= (u8)extra;
	v->slice->stat[joined ? STAT_L2_MERGES : STAT_L2_MISSES]++;
	l2_tell(v, joined ? EVENT_L2_MERGE : EVENT_L2_MISS, p);
	l2_wait_in(v, m, p);
	return 0;
}

/* Every request hits, and no line comes or goes (ideal.l2). */
static enum refusal_l2 __attribute__((noinline)) l2_hit_anyway(struct slice_view *v, const struct packet *p)
{
	struct tag nowhere = {0};
	return l2_hit(v, &nowhere, p);
}

/* A request for a line of the other half: a read hits a copy, all else goes on. */
static enum refusal_l2 __attribute__((noinline)) l2_serve_far(struct slice_view *v, const struct packet *p, u64 clock)
{
	struct tag *t = tag_find(l2_set_of(v, p->line >> 4), v->ways, (p->line >> 4) + 1);
	u32 sectors = p->line & 15;
	if (!l2_is_read(p) || !t || (t->valid & sectors) != sectors)
		return l2_send_far(v, p, clock);
	enum refusal_l2 why = l2_hit(v, t, p);
	v->slice->stat[STAT_L2_COPIES] += !why;
	return why;
}

/* A request at the head of a queue of a slice looks up the tags. 0: taken. */
static enum refusal_l2 l2_serve(struct slice_view *v, const struct packet *p, u64 clock)
{
	if (__builtin_expect(v->m->config.ideal_l2, 0))
		return l2_hit_anyway(v, p);
	if (__builtin_expect(v->m->config.l2_halves > 1, 0) && slice_home(v->m, p->line) != v->id)
		return l2_serve_far(v, p, clock);
	struct tag *t = tag_find(l2_set_of(v, p->line >> 4), v->ways, (p->line >> 4) + 1);
	u32 sectors = p->line & 15;
	if (p->kind == PACKET_WRITE || p->kind == PACKET_SAVE)
		return l2_write_line(v, t, p);
	if (t && (t->valid & sectors) == sectors)
		return l2_hit(v, t, p);
	return l2_miss(v, t, p);
}

/* The clocks for which an atomic holds its slice: for each of its sectors, and for each lane that finds another at its
 * address. */
static u32 l2_atomic_clocks(const struct config *c, const struct packet *p)
{
	bool adds = p->meets & MEETS_FLOAT && c->l2_atomic_float;
	u32 more = adds ? c->l2_atomic_float : c->l2_atomic_lanes;
	return c->l2_atomic_interval * (u32)__builtin_popcountll(p->line & 15) + more * (p->meets & (MEETS_FLOAT - 1u));
}

/* The head request of a queue has been taken; an atomic that was performed here holds the slice. */
static void l2_pop_request(struct slice_view *v, const struct ring *r, u64 clock, bool here)
{
	struct slice *slice = v->slice;
	const struct packet *p = ring_at(r, 0);
	if (l2_is_atomic(p) && here) {
		slice->free_at = clock + l2_atomic_clocks(&v->m->config, p);
		slice->stat[STAT_L2_ATOMIC_MEETS] += p->meets & (MEETS_FLOAT - 1u);
	}
	ring_take(r, 0);
	if (!slice->in_count && !slice->out_count && !slice->far_count)
		SET_DEL(machine_gpu(v->m)->slice_set, v->id);
}

/* Try the head request of a queue: true, it was taken. */
static bool l2_try_head(struct slice_view *v, const struct ring *r, u64 clock)
{
	struct slice *slice = v->slice;
	const struct packet *p = ring_at(r, 0);
	bool halves = v->m->config.l2_halves > 1, here = !halves || slice_home(v->m, p->line) == v->id;
	enum refusal_l2 why = l2_serve(v, p, clock);
	slice->stuck = why == L2_DRAM && !halves;
	if (!why) {
		l2_pop_request(v, r, clock, here);
		return true;
	}
	slice->stat[refusal_counter[why]]++;
	slice->stat[STAT_L2_REFUSED] += why != L2_OTHER_HALF;
	return false;
}

/* The head request of a slice waits for a place in the queue of its DRAM channel, and still has none: nothing else has
 * changed for it. (Where there are halves, a slice is never stuck.) */
static bool l2_still_stuck(struct sim *s, u32 id, struct slice *slice)
{
	if (!slice->stuck || !dram_full(s, id))
		return false;
	slice->stat[refusal_counter[L2_DRAM]]++;
	slice->stat[STAT_L2_REFUSED]++;
	return true;
}

/* Of a slice's own requests and those that the other half's slice sent on, that head goes first which has been ready
 * for longer, and if it is refused the other. */
void l2_cycle(struct sim *s, u32 id, u64 clock)
{
	struct ring near = slice_ring(s->m, id, SECTION_SLICE_IN), far = slice_ring(s->m, id, SECTION_SLICE_FAR);
	u64 now = machine_gpu(s->m)->cycle, one = ring_ready(&near), other = ring_ready(&far);
	struct slice *slice = machine_slice_section(s->m, id, SECTION_SLICE);
	u64 *due = &memory_visits(s->m)->due[id];
	*due = min_u64(one, other);
	if (*due > now || slice->free_at > clock || l2_still_stuck(s, id, slice))
		return;
	struct slice_view v = l2_slice_view(s, id);
	if (!l2_try_head(&v, other < one ? &far : &near, clock) && max_u64(one, other) <= now)
		l2_try_head(&v, other < one ? &near : &far, clock);
	*due = min_u64(ring_ready(&near), ring_ready(&far));
}

/* Answer everything that waits for an MSHR and free it. */
static void l2_serve_waiters(struct slice_view *v, struct tag *t, struct mshr *m)
{
	for (u16 at = m->first; at != NONE16;) {
		u16 next = v->link[at].next;
		if (l2_is_atomic(&v->waiter[at])) {
			t->dirty |= v->waiter[at].line & 15;
			v->slice->stat[STAT_L2_ATOMICS]++;
		}
		l2_answer(v, &v->waiter[at]);
		v->link[at].next = v->slice->waiter_free;
		v->slice->waiter_free = at;
		at = next;
	}
	mshr_release(l2_table(v), m);
	v->slice->mshrs_used--;
}

bool l2_fill(struct sim *s, u32 id, u32 mshr, u64 line)
{
	struct slice_view v = l2_slice_view(s, id);
	struct mshr *m = &v.mshr[mshr];
	v.slice->stuck = 0;
	INVARIANT(s->m->config.l2_sectors ? m->line >> 4 == line >> 4 : m->line == (line >> 4) + 1);
	u32 arrived = m->arrived | (line & 15);
	if (arrived != m->asked) {
		m->arrived = (u8)arrived;
		return true;
	}
	if (!l2_answer_room(&v, m->count))
		return false;
	struct tag *t = tag_find(l2_set_of(&v, line >> 4), v.ways, (line >> 4) + 1);
	if (!t && !(t = l2_allocate(&v, line >> 4, 0)))
		return false;
	t->valid |= m->asked;
	t->used = ++v.slice->clock;
	l2_serve_waiters(&v, t, m);
	SET_ADD(machine_gpu(s->m)->slice_set, id);
	return true;
}
