/*
 * fetch.c - stages decode and fetch: instruction buffers filled through the L1I.
 *
 * Each sub-core asks for fetch.width warps per cycle, up to fetch.insts instructions of one line each; the SM's L1I answers
 * l1i.ports lookups per cycle, sub-cores in turn. What hits is decoded in the next cycle; a miss goes to the L2 and the
 * warp tries again when the line is there. Which warp is next is the fetch policy's choice.
 */
#include "core.h"

/* Stage decode: what was fetched in the last cycle enters the instruction buffers. */
void sm_decode(struct sm_view *v)
{
	if (!v->sm->decoding)
		return;
	v->sm->decoding = 0;
	v->sleep->active = 1;
	for (u32 k = 0; k < v->m->config.sm_subcores; k++) {
		struct sub *sub = &v->sub[k];
		for (u32 i = 0; i < sub->ndecode; i++) {
			struct slot *s = &v->slot[sub->decode_slot[i]];
			if (s->discard) {
				s->discard = 0;
				continue;
			}
			s->buffered = (u8)(s->buffered + sub->decode_count[i]);
			s->fetching = 0;
			slot_eval(v, s->context);
			slot_want(v, s->context);
		}
		sub->ndecode = 0;
	}
}

/* First tag of a code line's set. */
static struct tag *l1i_set(struct sm_view *v, u64 line)
{
	return &v->l1i[(line % v->l1i_sets) * v->m->config.l1i_ways];
}

/* The miss entry of a line (number + 1), or a free one in *unused. */
static struct imiss *imiss_find(struct sm_view *v, u64 line, struct imiss **unused)
{
	*unused = NULL;
	for (u32 i = 0; i < v->m->config.l1i_mshrs; i++) {
		if (v->imiss[i].line == line)
			return &v->imiss[i];
		if (!v->imiss[i].line && !*unused)
			*unused = &v->imiss[i];
	}
	return NULL;
}

/* A miss: wait for the line. False: refused, try again. */
static bool wait_for_line(struct sm_view *v, u32 context, u64 line)
{
	struct imiss *unused, *m = imiss_find(v, line + 1, &unused);
	u64 at = line * v->m->config.l1i_line;
	if (m) {
		v->sm->stat[STAT_L1I_MERGES]++;
	} else {
		if (!unused || !port_send(v, (at >> v->m->line_shift) * 16 + ((1u << v->m->sectors) - 1),
					  (u32)(unused - v->imiss), PACKET_FETCH)) {
			v->sm->stat[STAT_L1I_REFUSED]++;
			return false;
		}
		m = unused;
		*m = (struct imiss){ .line = line + 1 };
		v->sm->imiss_used++;
		v->sm->stat[STAT_L1I_MISSES]++;
	}
	SET_ADD(m->slots, context);
	return true;
}

/* A context no longer waits for a code line. */
void l1i_forget(struct sm_view *v, u32 context)
{
	for (u32 i = 0; i < v->m->config.l1i_mshrs; i++)
		SET_DEL(v->imiss[i].slots, context);
}

/* A code line has arrived: fill it, let those who wait for it fetch again. */
void l1i_fill(struct sm_view *v, const struct packet *p)
{
	struct imiss *m = &v->imiss[p->tag];
	u64 line = m->line;
	INVARIANT(line);
	struct tag *set = l1i_set(v, line - 1), *t = tag_victim(set, v->m->config.l1i_ways);
	*t = (struct tag){ .line = line, .used = ++v->sm->l1i_clock, .valid = 1 };
	SET_EACH(i, m->slots, CONTEXT_WORDS) {
		v->slot[v->warp[i].slot].fetching = 0;
		slot_want(v, i);
	}
	*m = (struct imiss){ 0 };
	v->sm->imiss_used--;
}

/* Is a code line in the L1I? */
static bool lookup(struct sm_view *v, u64 line)
{
	if (v->m->config.l1i_perfect)
		return true;
	struct tag *t = tag_find(l1i_set(v, line), v->m->config.l1i_ways, line + 1);
	if (t)
		t->used = ++v->sm->l1i_clock;
	return t != NULL;
}

/* Instructions that one fetch from pc brings: up to fetch.insts, of one line, of the kernel. */
static u32 fetch_count(struct sm_view *v, const struct kernel *k, u64 address, u32 pc)
{
	const struct config *c = &v->m->config;
	u32 in_line = (u32)(c->l1i_line - address % c->l1i_line) / c->gpu_inst_bytes;
	return min_u32(min_u32(min_u32(c->fetch_insts, c->sm_ibuffer), max_u32(in_line, 1)), k->ninst - pc);
}

/* One lookup for a slot of a sub-core. */
static void fetch_slot(struct sm_view *v, u32 sub_id, u32 slot)
{
	struct sub *sub = &v->sub[sub_id];
	struct slot *s = &v->slot[slot];
	struct warp *w = &v->warp[s->context];
	u64 address = v->sim->code[w->launch] + (u64)s->fetch_pc * v->m->config.gpu_inst_bytes;
	u64 line = address / v->m->config.l1i_line;
	u32 n = fetch_count(v, view_kernel(v, s->context), address, s->fetch_pc);
	bool present = lookup(v, line);
	sub->fetch_last = (u16)slot;
	v->sm->stat[STAT_FETCHES]++;
	emit(v, EVENT_FETCH, s->context, s->fetch_pc, address, n, present);
	if (present) {
		v->sm->stat[STAT_L1I_HITS]++;
		sub->decode_slot[sub->ndecode] = (u16)slot;
		sub->decode_count[sub->ndecode++] = (u16)n;
		v->sm->decoding++;
		s->fetch_pc += n;
		s->fetching = (u8)n;
	} else if (wait_for_line(v, s->context, line)) {
		s->fetching = 1;
	}
	slot_want(v, s->context);
}

/* The next lookup of a sub-core, if any of its slots wants one that has not been tried in this cycle. */
static bool fetch_sub(struct sm_view *v, u32 sub_id, u64 *tried)
{
	const u64 *want = sm_set(v, SET_WANT), *mine = v->pools->sub[sub_id];
	u64 open[SLOT_WORDS], bits = 0;
	for (u32 i = 0; i < v->m->words; i++)
		bits |= open[i] = want[i] & mine[i] & ~tried[i];
	if (!bits)
		return false;
	struct sched_view view = { .m = v->m, .sm = v->sm, .sub = &v->sub[sub_id], .warp = v->warp, .stack = v->stack,
				   .slot = v->slot, .kernel = v->sim->kernel, .pool = mine,
				   .sched = &v->sched[sub_id * v->m->config.sm_schedulers],
				   .sm_id = v->id, .sub_id = sub_id };
	u32 slot = scheme_table[v->m->policy_fetch]->fetch(&view, open);
	INVARIANT(slot < v->m->section[SECTION_SLOT].count && SET_HAS(open, slot));
	SET_ADD(tried, slot);
	fetch_slot(v, sub_id, slot);
	v->sleep->active = 1;
	return true;
}

/* Does any slot of the SM want a fetch? */
static bool any_want(struct sm_view *v)
{
	u64 bits = 0;
	for (u32 i = 0; i < v->m->words; i++)
		bits |= sm_set(v, SET_WANT)[i];
	return bits != 0;
}

/* Stage fetch: sub-cores in turn, round after round, while ports and wishes last. */
void sm_fetch(struct sm_view *v)
{
	u64 tried[SLOT_WORDS] = { 0 };
	u32 subs = v->m->config.sm_subcores, ports = v->m->config.l1i_ports, first = v->sm->fetch_turn;
	if (!any_want(v))
		return;
	for (u32 round = 0; round < v->m->config.fetch_width; round++)
		for (u32 i = 0, k = first; i < subs && ports; i++, k = k + 1 == subs ? 0 : k + 1)
			if (fetch_sub(v, k, tried))
				ports--;
	v->sm->fetch_turn = (u16)(first + 1u == subs ? 0 : first + 1);
}
