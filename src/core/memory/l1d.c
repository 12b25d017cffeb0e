/*
 * l1d.c - the L1 data cache: sectored lines, least recently used, MSHRs with merges; written through without
 * allocation.
 *
 * A line access that hits answers after l1d.latency. A miss joins the MSHR of its line or takes a new one; the sectors
 * not yet asked for go out as one request. When all sectors asked for have arrived the line is filled and every waiting
 * access is served; with l1d.early each is served when its own have, and sectors whose line has a place can be hit.
 * With l1d.allocate = miss a new MSHR also reserves the line's place, which nothing else can take before the fill; with
 * fill the place is found when the data are there. A store updates or throws out the sectors that are present
 * (l1d.write), and with l1d.local one of local memory brings them. A load that no L1 may answer (.cg, .cv, .volatile,
 * .relaxed.gpu) goes to the L2 as an atomic does: it looks up no tag, takes no MSHR and fills nothing; without an L1D
 * it is a load like others. Refusals (MSHRs, merges, a set full of reserved lines, miss queue, interconnect, results)
 * leave everything as it was and are counted by cause. Deviations: tags are looked up when the access is made and data
 * ports are not modelled; with l1d.unified the L1D keeps its ways while an SM runs CTAs of several kernels, whatever
 * the later ones need.
 */
#include "ops.h"
#include "memory/memory.h"
#include "memory/tags.h"
#include "memory/lsu.h"
#include "ring.h"

/* What counts each cause of a refusal. */
static const u16 refusal_counter[] = {
	[REFUSED_MSHRS] = STAT_L1D_REFUSED_MSHRS,	[REFUSED_MERGES] = STAT_L1D_REFUSED_MERGES,
	[REFUSED_INTERCONNECT] = STAT_L1D_REFUSED_ICNT, [REFUSED_SET] = STAT_L1D_REFUSED_SET,
	[REFUSED_QUEUE] = STAT_L1D_REFUSED_QUEUE,	[REFUSED_RESULTS] = STAT_L1D_REFUSED_RESULTS,
	[REFUSED_POLICY] = STAT_L1D_REFUSED_POLICY,
};

/* A packet at the end of the SM's port. */
static void l1d_port_put(struct sm_view *v, u64 line, u32 tag, u32 kind, u32 departed)
{
	struct port *port = v->port;
	struct ring out = port_ring(v->m, v->id, SECTION_OUT);
	u32 lookup = kind == PACKET_READ || kind == PACKET_WRITE ? v->m->config.l1d_miss : 0;
	*ring_add(&out) = (struct packet){.line = line,
					  .ready = view_cycle(v) + 1 + lookup,
					  .born = view_cycle(v),
					  .sm = (u8)v->id,
					  .tag = (u16)tag,
					  .kind = (u8)kind,
					  .mates = (u8)(tag >> 16),
					  .departed = (u16)departed};
	port->misses += kind == PACKET_READ;
	if (!v->away.requests++)
		v->away.until = away_back(&v->m->config, view_cycle(v));
	gpu_set_add(v->gpu->out_set, v->id);
	v->sm->stat[STAT_REQUESTS]++;
	emit(v, EVENT_REQUEST, NONE16, NONE32, (line >> 4) << v->m->line_shift, kind,
	     (u32)__builtin_popcountll(line & 15));
}

/* A read whose sectors go one by one, the last first (l2.sectors). */
static bool __attribute__((noinline)) l1d_send_sectors(struct sm_view *v, u64 line, u32 tag)
{
	if (v->port->out_count + (u32)__builtin_popcountll(line & 15) > v->m->config.icnt_queue)
		return false;
	for (u32 sector = 8; sector; sector >>= 1)
		if (line & sector)
			l1d_port_put(v, (line & ~15ULL) | sector, tag, PACKET_READ, 0);
	return true;
}

bool port_send_for(struct sm_view *v, u64 line, u32 tag, u32 kind, u32 departed)
{
	if (__builtin_expect(v->m->config.l2_sectors, 0) && kind == PACKET_READ)
		return l1d_send_sectors(v, line, tag);
	if (v->port->out_count >= v->m->config.icnt_queue)
		return false;
	l1d_port_put(v, line, tag, kind, departed);
	return true;
}

static struct mshr_table l1d_table(const struct sm_view *v)
{
	return (struct mshr_table){v->mshr, v->m->config.l1d_mshrs, &v->sm->mshr_free};
}

/* What an MSHR is for: a line, or with l1d.sectors a sector. */
static inline u64 l1d_mshr_key(const struct sm_view *v, u64 line)
{
	return __builtin_expect(v->m->config.l1d_sectors, 0) ? line : (line >> 4) + 1;
}

/* Append a waiting access to an MSHR. */
static void l1d_mshr_wait(struct sm_view *v, struct mshr *m, u32 load, u32 sectors)
{
	u16 at = v->sm->waiter_free;
	INVARIANT(at != NONE16);
	v->sm->waiter_free = v->waiter[at].next;
	v->waiter[at] =
		(struct waiter){.next = NONE16, .load = (u16)load, .sectors = (u8)sectors, .mates = (u8)(load >> 16)};
	if (m->count++)
		v->waiter[m->last].next = at;
	else
		m->first = at;
	m->last = at;
}

/* The context of a load, or of the first slice that shares it, NONE16 if its CTA has left. */
static inline u16 l1d_load_owner(const struct sm_view *v, u32 load)
{
	const struct load *l = &v->load[load_id(load)];
	return view_current(v, l->context, l->generation) ? l->context : NONE16;
}

/* An event of a load. */
static inline void l1d_emit_load(struct sm_view *v, enum event_kind kind, u32 load, u64 address, u32 a, u32 b)
{
	const struct load *l = &v->load[load_id(load)];
	emit_late(v, kind, l->context, l->generation, l->pc, address, a, b);
}

/* Cycles by which a hit of 8 or 16 bytes per lane takes longer. */
static u32 l1d_wide_delay(const struct sm_view *v, const struct load *l)
{
	const struct config *c = &v->m->config;
	if (!(c->l1d_latency64 | c->l1d_latency128) || !view_current(v, l->context, l->generation))
		return 0;
	u32 bytes = inst_access_bytes(&view_kernel(v, l->context)->inst[l->pc]);
	return bytes >= 16 ? c->l1d_latency128 : bytes >= 8 ? c->l1d_latency64 : 0;
}

/* A hit: the line arrives after the cache's latency. */
static enum refusal l1d_hit(struct sm_view *v, u32 load, u32 sectors)
{
	if (!result_room(v))
		return REFUSED_RESULTS;
	result_due(v, v->m->config.l1d_latency + l1d_wide_delay(v, &v->load[load_id(load)]),
		   &(struct result){.kind = RESULT_LINE, .load = (u16)load, .pc = load >> 16});
	v->sm->stat[STAT_L1D_ACCESSES]++;
	v->sm->stat[STAT_L1D_HITS]++;
	l1d_emit_load(v, EVENT_L1D_HIT, load, 0, (u32)__builtin_popcount(sectors), 0);
	return 0;
}

/* Does some policy keep the misses of a load's warp from the L2? */
static bool __attribute__((noinline)) l1d_kept_back(const struct sm_view *v, u32 load)
{
	u32 context = l1d_load_owner(v, load);
	POLICY_EACH (x, v->m, POLICY_l1d_miss)
		if (context != NONE16 && !x->decide.l1d_miss(v->look, context))
			return true;
	return false;
}

/* Send a request for sectors of a line that a load misses: through the miss queue into the crossbar. */
static enum refusal l1d_send_miss(struct sm_view *v, u64 line, u32 mshr, u32 load)
{
	if (__builtin_expect(v->m->policy.in[POLICY_l1d_miss] != 0, 0) && l1d_kept_back(v, load))
		return REFUSED_POLICY;
	if (v->port->misses >= v->m->config.l1d_queue)
		return REFUSED_QUEUE;
	return port_send(v, line, mshr, PACKET_READ) ? 0 : REFUSED_INTERCONNECT;
}

/* A miss on a line that has an MSHR. `have`: sectors already present. */
static enum refusal l1d_merge(struct sm_view *v, struct mshr *m, u64 line, u32 load, u32 have)
{
	u32 sectors = line & 15, extra = sectors & ~(m->asked | have);
	if (m->count >= v->m->config.l1d_merges)
		return REFUSED_MERGES;
	enum refusal why = extra ? l1d_send_miss(v, (line & ~15ULL) | extra, (u32)(m - v->mshr), load) : 0;
	if (why)
		return why;
	m->asked |= (u8)extra;
	l1d_mshr_wait(v, m, load, sectors);
	v->sm->stat[STAT_L1D_ACCESSES]++;
	v->sm->stat[STAT_L1D_MERGES]++;
	l1d_emit_load(v, EVENT_L1D_MERGE, load, (line >> 4) << v->m->line_shift, (u32)__builtin_popcount(sectors), 0);
	return 0;
}

/* Give a line the place t and keep it for the fill. */
static void l1d_reserve(struct sm_view *v, struct tag *t, u64 key)
{
	if (t->line != key)
		l1d_place(v, t, key);
	t->reserved++;
	l1d_use(v, t);
}

/* A miss that takes a free MSHR and goes out. t: the line's place if it has one. */
static enum refusal l1d_take_miss(struct sm_view *v, u64 line, u32 load, struct tag *t)
{
	struct mshr *m = mshr_spare(l1d_table(v));
	u32 sectors = line & 15, need = sectors & ~(t ? t->valid : 0u), there = t != NULL;
	bool place = v->m->config.l1d_allocate && v->m->config.l1d_enabled;
	if (!m)
		return REFUSED_MSHRS;
	if (place && !t && !(t = l1d_victim(v, (line >> 4) + 1)))
		return REFUSED_SET;
	enum refusal why = l1d_send_miss(v, (line & ~15ULL) | need, (u32)(m - v->mshr), load);
	if (why)
		return why;
	if (place)
		l1d_reserve(v, t, (line >> 4) + 1);
	mshr_take(l1d_table(v), l1d_mshr_key(v, line));
	m->asked = (u8)need;
	m->placeless = v->m->config.l1d_sectors && !place;
	mshrs_more(v);
	l1d_mshr_wait(v, m, load, sectors);
	v->sm->stat[STAT_L1D_ACCESSES]++;
	v->sm->stat[STAT_L1D_MISSES]++;
	l1d_emit_load(v, EVENT_L1D_MISS, load, (line >> 4) << v->m->line_shift, (u32)__builtin_popcount(need), 0);
	if (notice_subscribed(v, NOTICE_L1D_MISS))
		notify(v, &(struct notice){.kind = NOTICE_L1D_MISS,
					   .context = l1d_load_owner(v, load),
					   .pc = v->load[load_id(load)].pc,
					   .line = (line >> 4) << v->m->line_shift,
					   .place = t ? (u32)(t - v->l1d) : NONE32,
					   .count = there});
	return 0;
}

/* Look up a line access of a load, and take it if nothing stands against it. */
static enum refusal l1d_access_line(struct sm_view *v, u64 line, u32 load)
{
	u64 key = (line >> 4) + 1;
	struct tag *t = v->m->config.l1d_enabled ? l1d_find(v, key) : NULL;
	u32 sectors = line & 15, have = t ? t->valid : 0;
	if (t && (have & sectors) == sectors) {
		enum refusal why = l1d_hit(v, load, sectors);
		if (!why)
			l1d_use(v, t);
		return why;
	}
	if (__builtin_expect(v->m->config.ideal_l1d, 0))
		return l1d_hit(v, load, sectors);
	struct mshr *m = mshr_find(l1d_table(v), l1d_mshr_key(v, line));
	load_missed(v, load);
	return m ? l1d_merge(v, m, line, load, have) : l1d_take_miss(v, line, load, t);
}

/* Something has changed in the L1D: what it refused it may take now. */
static void l1d_changed(struct sm_view *v)
{
	v->sleep->refused = 0;
	v->sm->reexec_at = v->sm->reexec_inactive_at = 0;
}

/* Would an access that was refused be refused again? Nothing has changed in the L1D since. */
static enum refusal l1d_refuse_again(const struct sm_view *v)
{
	const struct config *c = &v->m->config;
	enum refusal why = v->sleep->refusal;
	if (why != REFUSED_QUEUE && why != REFUSED_INTERCONNECT)
		return why;
	if (v->port->misses >= c->l1d_queue)
		return REFUSED_QUEUE;
	return v->port->out_count >= c->icnt_queue ? REFUSED_INTERCONNECT : 0;
}

/* One line access (line number x 16 + sectors, not 0) of a load. 0: accepted. An LSU that is refused asks again in
 * every cycle. */
enum refusal l1d_load(struct sm_view *v, u64 line, u32 load)
{
	enum refusal why = v->sleep->refused == line ? l1d_refuse_again(v) : 0;
	if (why)
		return why;
	why = l1d_access_line(v, line, load);
	v->sleep->refused = why && why < REFUSED_RESULTS ? line : 0;
	v->sleep->refusal = why;
	return why;
}

enum refusal l1d_texel(struct sm_view *v, u64 line, u32 load)
{
	u64 *stat = v->sm->stat, hits = stat[STAT_L1D_HITS];
	enum refusal why = l1d_load(v, line, load);
	if (!why)
		stat[stat[STAT_L1D_HITS] > hits ? STAT_TEX_HITS : STAT_TEX_MISSES]++;
	return why;
}

enum refusal l1d_past(struct sm_view *v, u64 line, u32 load)
{
	if (!v->m->config.l1d_enabled || v->m->config.ideal_l1d)
		return l1d_load(v, line, load);
	load_missed(v, load);
	if (__builtin_expect(v->m->policy.in[POLICY_l1d_miss] != 0, 0) && l1d_kept_back(v, load))
		return REFUSED_POLICY;
	if (!port_send(v, line, load, PACKET_PAST))
		return REFUSED_INTERCONNECT;
	v->sm->stat[STAT_L1D_PAST]++;
	l1d_emit_load(v, EVENT_L1D_PAST, load, (line >> 4) << v->m->line_shift, (u32)__builtin_popcount(line & 15), 0);
	return 0;
}

/* Serve what waits for an MSHR, but for those that need one of the sectors `lacking`; they keep their order. */
static void l1d_mshr_serve(struct sm_view *v, struct mshr *m, u32 lacking)
{
	u16 *link = &m->first, before = NONE16;
	for (u16 at = *link; at != NONE16; at = *link) {
		struct waiter w = v->waiter[at];
		if (w.sectors & lacking) {
			before = at;
			link = &v->waiter[at].next;
			continue;
		}
		*link = w.next;
		m->count--;
		v->waiter[at].next = v->sm->waiter_free;
		v->sm->waiter_free = at;
		load_arrived(v, w.load | (u32)w.mates << 16);
	}
	m->last = before;
}

/* l1d.early: some sectors have come, but not all. Those who need no more are served; somebody waits for the others. */
static void __attribute__((noinline)) l1d_fill_early(struct sm_view *v, struct mshr *m, u64 key)
{
	struct tag *t = v->m->config.l1d_enabled ? l1d_find(v, key) : NULL;
	if (t)
		t->valid |= m->arrived;
	l1d_mshr_serve(v, m, m->asked & ~m->arrived);
	INVARIANT(m->count);
	l1d_changed(v);
}

/* A line that had no place gets one. */
static struct tag *l1d_place_late(struct sm_view *v, const struct mshr *m, u64 key)
{
	struct tag *t = l1d_victim(v, key);
	if (!t)
		return NULL;
	l1d_place(v, t, key);
	if (notice_subscribed(v, NOTICE_L1D_FILL))
		notify(v, &(struct notice){.kind = NOTICE_L1D_FILL,
					   .context = l1d_load_owner(v, v->waiter[m->first].load),
					   .pc = NONE32,
					   .line = (key - 1) << v->m->line_shift,
					   .place = (u32)(t - v->l1d)});
	return t;
}

/* Sectors of a line have arrived. */
enum refusal l1d_fill(struct sm_view *v, const struct packet *p)
{
	struct mshr *m = &v->mshr[p->tag];
	u64 key = (p->line >> 4) + 1;
	INVARIANT(m->line == l1d_mshr_key(v, p->line));
	m->arrived |= p->line & 15;
	if (m->arrived != m->asked) {
		if (v->m->config.l1d_early)
			l1d_fill_early(v, m, key);
		return 0;
	}
	if (v->m->config.l1d_enabled) {
		struct tag *t = l1d_find(v, key);
		if (!t)
			t = l1d_place_late(v, m, key);
		INVARIANT(t);
		t->valid |= m->asked;
		t->reserved = (u8)(t->reserved - (t->reserved && !m->placeless));
		l1d_use(v, t);
	}
	l1d_mshr_serve(v, m, 0);
	mshr_release(l1d_table(v), m);
	mshrs_less(v);
	l1d_changed(v);
	return 0;
}

/* A store of sectors of a line leaves for the L2. */
/* With l1d.local the sectors of local memory that a store writes are in the L1D then, if a line can be had. */
static struct tag *__attribute__((noinline)) l1d_keep_local(struct sm_view *v, u64 line, struct tag *t)
{
	u64 key = (line >> 4) + 1;
	if (((line >> 4) << v->m->line_shift) - LOCAL_BASE >= LOCAL_BYTES)
		return t;
	if (!t && (t = l1d_victim(v, key)))
		l1d_place(v, t, key);
	if (t)
		t->valid |= (u8)(line & 15);
	return t;
}

void l1d_store(struct sm_view *v, u64 line)
{
	const struct config *c = &v->m->config;
	struct tag *t = c->l1d_enabled ? l1d_find(v, (line >> 4) + 1) : NULL;
	bool hit = t && t->valid & line & 15;
	v->sm->stat[STAT_L1D_WRITES]++;
	if (__builtin_expect(c->l1d_local, 0) && c->l1d_enabled)
		t = l1d_keep_local(v, line, t);
	if (notice_subscribed(v, NOTICE_L1D_STORE))
		notify(v, &(struct notice){.kind = NOTICE_L1D_STORE,
					   .context = NONE16,
					   .line = (line >> 4) << v->m->line_shift});
	if (!t || !(t->valid & line & 15))
		return;
	v->sm->stat[STAT_L1D_WRITE_HITS] += hit;
	l1d_changed(v);
	if (!c->l1d_write)
		l1d_use(v, t);
	else if (!(t->valid &= (u8) ~(line & 15)) && !t->reserved)
		l1d_empty(v, t);
}

void l1d_refused(struct sm_view *v, const struct memop *op, u64 line, enum refusal why)
{
	v->sm->stat[STAT_L1D_REFUSED]++;
	v->sm->stat[refusal_counter[why]]++;
	emit_late(v, EVENT_L1D_REFUSED, op->context, op->generation, op->pc, (line >> 4) << v->m->line_shift, why, 0);
}

void l1d_refused_again(struct sm_view *v, u64 cycles)
{
	v->sm->stat[STAT_L1D_REFUSED] += cycles;
	v->sm->stat[refusal_counter[v->sleep->refusal]] += cycles;
	v->sm->events[EVENT_L1D_REFUSED] += cycles;
}
