/*
 * l1d.c - the L1 data cache: sectored lines, write-through without allocation, MSHRs with merges, filled on return.
 *
 * A line access that hits answers after l1d.latency. A miss joins the MSHR of its line or takes a new one; the sectors not
 * yet asked for go out as one request. When all sectors asked for have arrived the line is filled and every waiting access is
 * served. Refusals (no MSHR, no room for a merge, no room in the crossbar) leave everything as it was.
 */
#include "core.h"

#include <string.h>

/* First tag of a line's set. */
static struct tag *l1d_set(struct sm_view *v, u64 line)
{
	return &v->l1d[(line % v->l1d_sets) * v->m->config.l1d_ways];
}

bool port_send(struct sm_view *v, u64 line, u32 tag, u32 kind)
{
	struct port *port = v->port;
	u32 size = v->m->config.icnt_queue;
	if (port->out_count >= size)
		return false;
	u32 at = port->out_head + port->out_count;
	v->out[at >= size ? at - size : at] = (struct packet){
		.line = line, .ready = view_cycle(v) + 1, .born = view_cycle(v),
		.sm = (u16)v->id, .tag = (u16)tag, .kind = (u8)kind };
	port->out_count++;
	SET_ADD(v->gpu->out_set, v->id);
	v->sm->stat[STAT_REQUESTS]++;
	emit(v, EVENT_REQUEST, NONE16, NONE32, (line >> 4) << v->m->line_shift, kind,
	     (u32)__builtin_popcountll(line & 15));
	return true;
}

/* The MSHR of a line (number + 1), or a free one in *unused. */
static struct mshr *mshr_find(struct sm_view *v, u64 line, struct mshr **unused)
{
	*unused = NULL;
	for (u32 i = 0, left = v->sm->mshrs_used; i < v->m->config.l1d_mshrs && (left || !*unused); i++) {
		struct mshr *m = &v->mshr[i];
		if (m->line == line)
			return m;
		if (m->line)
			left--;
		else if (!*unused)
			*unused = m;
	}
	return NULL;
}

/* Append a waiting access to an MSHR. */
static void mshr_wait(struct sm_view *v, struct mshr *m, u32 load, u32 sectors)
{
	u16 at = v->sm->waiter_free;
	INVARIANT(at != NONE16);
	v->sm->waiter_free = v->waiter[at].next;
	v->waiter[at] = (struct waiter){ .next = NONE16, .load = (u16)load, .sectors = (u8)sectors };
	if (m->count++)
		v->waiter[m->last].next = at;
	else
		m->first = at;
	m->last = at;
}

/* A hit: the line arrives after the cache's latency. */
static enum refusal hit(struct sm_view *v, u32 load, u32 sectors)
{
	if (!result_room(v))
		return REFUSED_MSHRS;
	result_due(v, v->m->config.l1d_latency, &(struct result){ .kind = RESULT_LINE, .load = (u16)load });
	v->sm->stat[STAT_L1D_ACCESSES]++;
	v->sm->stat[STAT_L1D_HITS]++;
	emit(v, EVENT_L1D_HIT, v->load[load].context, v->load[load].pc, 0, (u32)__builtin_popcount(sectors), 0);
	return 0;
}

/* A miss on a line that has an MSHR. `have`: sectors already present. */
static enum refusal merge(struct sm_view *v, struct mshr *m, u64 line, u32 load, u32 have)
{
	u32 sectors = line & 15, extra = sectors & ~(m->asked | have);
	if (m->count >= v->m->config.l1d_merges)
		return REFUSED_MERGES;
	if (extra && !port_send(v, (line & ~15ULL) | extra, (u32)(m - v->mshr), PACKET_READ))
		return REFUSED_INTERCONNECT;
	m->asked |= (u8)extra;
	mshr_wait(v, m, load, sectors);
	v->sm->stat[STAT_L1D_ACCESSES]++;
	v->sm->stat[STAT_L1D_MERGES]++;
	emit(v, EVENT_L1D_MERGE, v->load[load].context, v->load[load].pc, (line >> 4) << v->m->line_shift,
	     (u32)__builtin_popcount(sectors), 0);
	return 0;
}

/* A miss that takes a free MSHR and goes out. `have`: sectors already present. */
static enum refusal miss(struct sm_view *v, struct mshr *m, u64 line, u32 load, u32 have)
{
	u32 sectors = line & 15, need = sectors & ~have;
	if (!m)
		return REFUSED_MSHRS;
	if (!port_send(v, (line & ~15ULL) | need, (u32)(m - v->mshr), PACKET_READ))
		return REFUSED_INTERCONNECT;
	*m = (struct mshr){ .line = (line >> 4) + 1, .first = NONE16, .last = NONE16, .asked = (u8)need };
	v->sm->mshrs_used++;
	mshr_wait(v, m, load, sectors);
	v->sm->stat[STAT_L1D_ACCESSES]++;
	v->sm->stat[STAT_L1D_MISSES]++;
	emit(v, EVENT_L1D_MISS, v->load[load].context, v->load[load].pc, (line >> 4) << v->m->line_shift,
	     (u32)__builtin_popcount(need), 0);
	return 0;
}

/* One line access (line number x 16 + sectors) of a load. 0: accepted. */
enum refusal l1d_load(struct sm_view *v, u64 line, u32 load)
{
	u64 key = (line >> 4) + 1;
	struct tag *t = v->m->config.l1d_enabled ?
		tag_find(l1d_set(v, line >> 4), v->m->config.l1d_ways, key) : NULL;
	u32 sectors = line & 15, have = t ? t->valid : 0;
	if (t && (have & sectors) == sectors) {
		enum refusal why = hit(v, load, sectors);
		if (!why)
			t->used = ++v->sm->l1d_clock;
		return why;
	}
	struct mshr *unused, *m = mshr_find(v, key, &unused);
	return m ? merge(v, m, line, load, have) : miss(v, unused, line, load, have);
}

/* Serve everything that waits for an MSHR and free it. */
static void mshr_serve(struct sm_view *v, struct mshr *m)
{
	u16 at = m->first;
	while (at != NONE16) {
		struct waiter w = v->waiter[at];
		v->waiter[at].next = v->sm->waiter_free;
		v->sm->waiter_free = at;
		at = w.next;
		load_arrived(v, w.load);
	}
	*m = (struct mshr){ .first = NONE16, .last = NONE16 };
	v->sm->mshrs_used--;
}

/* Sectors of a line have arrived. */
enum refusal l1d_fill(struct sm_view *v, const struct packet *p)
{
	struct mshr *m = &v->mshr[p->tag];
	INVARIANT(m->line == (p->line >> 4) + 1);
	m->arrived |= p->line & 15;
	if (m->arrived != m->asked)
		return 0;
	if (v->m->config.l1d_enabled) {
		struct tag *set = l1d_set(v, p->line >> 4);
		struct tag *t = tag_find(set, v->m->config.l1d_ways, m->line);
		if (!t) {
			t = tag_victim(set, v->m->config.l1d_ways);
			*t = (struct tag){ .line = m->line };
		}
		t->valid |= m->asked;
		t->used = ++v->sm->l1d_clock;
	}
	mshr_serve(v, m);
	return 0;
}

/* Kernel boundaries are memory barriers: nothing stays in the L1D. */
void l1d_flush(struct sm_view *v)
{
	memset(v->l1d, 0, (size_t)v->m->section[SECTION_L1D].count * sizeof *v->l1d);
}
