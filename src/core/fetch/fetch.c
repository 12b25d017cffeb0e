/*
 * fetch.c - stages decode and fetch: instruction buffers filled through the L1I.
 *
 * Each sub-core asks for fetch.width warps per cycle, up to fetch.insts instructions of one line each; the SM's L1I
 * answers l1i.ports lookups per cycle, sub-cores in turn. What hits is decoded in the next cycle (fetch.direct: some of
 * it in the same one); a miss goes to the L2 and the warp tries again when the line is there. Which warp is next is the
 * fetch policy's choice.
 */
#include "fetch/fetch.h"
#include "memory/l0i.h"
#include "state/slices.h"

/* What was fetched for a slot enters its instruction buffer; false: it is thrown away. */
static inline bool fetch_decode_inline(struct slot *s, u32 n)
{
	if (s->discard) {
		s->discard = 0;
		return false;
	}
	s->buffered = (u8)(s->buffered + n);
	s->fetching = 0;
	return true;
}

/* What was fetched for a sub-core enters its instruction buffers. */
static inline void fetch_decode_sub(struct sm_view *v, struct sub *sub)
{
	for (u32 i = 0; i < sub->ndecode; i++) {
		struct slot *s = &v->slot[sub->decode_slot[i]];
		if (fetch_decode_inline(s, sub->decode_count[i]))
			slot_decoded(v, s->context);
	}
	sub->ndecode = 0;
}

/* fetch.direct: so many fetches of this cycle are decoded in it, those of sub-cores in their turn, of which `first` was
 * the first. */
static void __attribute__((noinline)) fetch_decode_directly(struct sm_view *v, u32 first)
{
	u32 left = v->m->config.fetch_direct, last = v->m->config.sm_subcores - 1;
	for (u32 i = 0; i <= last; i++) {
		struct sub *sub = v->part[(first + i) & last].sub;
		if (sub->ndecode > left)
			return;
		left -= sub->ndecode;
		v->sm->decoding -= sub->ndecode;
		fetch_decode_sub(v, sub);
	}
}

/* Stage decode: what was fetched in the last cycle enters the instruction buffers. */
void sm_decode(struct sm_view *v)
{
	if (!v->sm->decoding)
		return;
	v->sm->decoding = 0;
	v->sleep->active = 1;
	if (sliced(v)) {
		v->slices->decode(v);
		return;
	}
	for (struct sub *sub = v->sub, *end = sub + v->m->config.sm_subcores; sub < end; sub++)
		fetch_decode_sub(v, sub);
}

bool fetch_waits(const struct sm_view *v, u32 context)
{
	const struct sub *sub = &v->sub[view_sub(v, context)];
	bool waits = l0i_waits(v, context);
	for (u32 i = 0; i < sub->ndecode; i++)
		waits |= sub->decode_slot[i] == v->warp[context].slot;
	for (u32 i = 0; i < v->m->config.l1i_mshrs; i++)
		waits |= SET_HAS(v->imiss[i].slots, context);
	return waits;
}

/* Instructions that one fetch from pc brings: up to fetch.insts, of one line, of the kernel. Lines and instructions are
 * powers of two. */
static inline u32 fetch_count(const struct config *c, const struct kernel *k, u64 address, u32 pc, u32 line)
{
	u32 left = line - (u32)(address & (line - 1)), n = min_u32(c->fetch_insts, c->sm_ibuffer);
	if (n * c->gpu_inst_bytes > left)
		n = max_u32(left / c->gpu_inst_bytes, 1);
	return min_u32(n, k->ninst - pc);
}

/* One lookup for a slot of a sub-core, which brings instructions of one line of so many bytes; true: they are there. */
static inline __attribute__((always_inline)) bool fetch_look_up_for(struct sm_view *v, struct sub *sub, u32 slot,
								    u32 bytes)
{
	const struct config *c = &v->m->config;
	const struct slot *s = &v->slot[slot];
	u32 context = s->context, launch = v->warp[context].launch;
	u64 address = v->sim->code[launch] + (u64)s->fetch_pc * c->gpu_inst_bytes;
	u64 line = address >> __builtin_ctz(c->l1i_line);
	u32 n = fetch_count(c, v->sim->kernel[launch], address, s->fetch_pc, bytes);
	bool present = l1i_has(v, line);
	sub->fetch_last = (u16)slot;
	v->sm->stat[STAT_FETCHES]++;
	emit(v, EVENT_FETCH, context, s->fetch_pc, address, n, present);
	if (present) {
		v->sm->stat[STAT_L1I_HITS]++;
		fetch_found(v, sub, slot, n);
	} else if (l1i_wait(v, context, line)) {
		v->slot[slot].fetching = 1;
	}
	if (__builtin_expect(c->l1i_prefetch, 0) && !c->l1i_perfect)
		l1i_ask_ahead(v, context, line + 1);
	slot_want(v, context);
	return present;
}

/* The same, of a line of the sub-core's L0. */
static void __attribute__((noinline)) fetch_near_slot(struct sm_view *v, struct sub *sub, u32 slot)
{
	const struct slot *s = &v->slot[slot];
	u32 bytes = v->m->config.gpu_inst_bytes, context = s->context;
	u64 address = v->sim->code[v->warp[context].launch] + (u64)s->fetch_pc * bytes;
	if (l0i_look_up(v, context, address / v->m->config.l0i_line)) {
		fetch_near(v, sub, slot, address, v->m->config.l0i_line);
		return;
	}
	sub->fetch_last = (u16)slot;
	slot_want(v, context);
}

/* The same, of a line of the L1I. */
static void __attribute__((noinline)) fetch_slot(struct sm_view *v, struct sub *sub, u32 slot)
{
	fetch_look_up_for(v, sub, slot, v->m->config.l1i_line);
}

/* The next lookup of a sub-core, if any of its slots wants one that has not been tried in this cycle. */
static inline bool fetch_sub(struct sm_view *v, u32 sub_id, u64 *tried, u32 words)
{
	const u64 *want = &v->sm->set[SET_WANT * words], *halted = &v->sm->set[SET_HALTED * words],
		  *mine = v->part[sub_id].pool;
	u64 open[SLOT_WORDS], bits = 0;
	for (u32 i = 0; i < words; i++)
		bits |= open[i] = want[i] & ~halted[i] & mine[i] & ~tried[i];
	if (!bits)
		return false;
	u32 slot = scheme_table[v->m->policy.in[POLICY_fetch] - 1]->decide.fetch(&v->look_fetch[sub_id], open);
	INVARIANT(slot < words * 64 && SET_HAS(open, slot));
	SET_ADD(tried, slot);
	if (__builtin_expect(l0i_used(v), 0))
		fetch_near_slot(v, v->part[sub_id].sub, slot);
	else
		fetch_slot(v, v->part[sub_id].sub, slot);
	v->sleep->active = 1;
	return true;
}

/* Sub-cores in turn, round after round, while ports and wishes last. `words` is a constant where it can be. */
static inline __attribute__((always_inline)) void fetch_all(struct sm_view *v, u32 words)
{
	u64 tried[SLOT_WORDS] = {0}, bits = 0;
	const struct config *c = &v->m->config;
	u32 last = c->sm_subcores - 1, ports = c->l1i_ports, first = v->sm->fetch_turn;
	if (__builtin_expect(l0i_used(v), 0)) {
		ports = c->fetch_width * c->sm_subcores;
		l0i_step(v);
	}
	for (u32 i = 0; i < words; i++)
		bits |= v->sm->set[SET_WANT * words + i] & ~v->sm->set[SET_HALTED * words + i];
	if (!bits)
		return;
	for (u32 round = c->fetch_width; round; round--)
		for (u32 i = 0; i <= last && ports; i++)
			ports -= fetch_sub(v, (first + i) & last, tried, words);
	v->sm->fetch_turn = (u16)((first + 1) & last);
}

/* Stage fetch. */
UNGUARDED void sm_fetch(struct sm_view *v)
{
	u32 first = v->sm->fetch_turn;
	if (sliced(v))
		v->slices->fetch(v);
	else if (v->m->words == 1)
		fetch_all(v, 1);
	else
		fetch_all(v, v->m->words);
	if (__builtin_expect(v->m->config.fetch_direct && v->sm->decoding, 0))
		fetch_decode_directly(v, first);
}

/* --- parts of it, for slices --- */

bool fetch_decode(struct slot *s, u32 n)
{
	return fetch_decode_inline(s, n);
}

bool fetch_look_up(struct sm_view *v, u32 slot, u32 bytes)
{
	return fetch_look_up_for(v, v->part[view_sub(v, v->slot[slot].context)].sub, slot, bytes);
}

void fetch_near(struct sm_view *v, struct sub *sub, u32 slot, u64 address, u32 bytes)
{
	const struct slot *s = &v->slot[slot];
	const struct kernel *k = view_kernel(v, s->context);
	sub->fetch_last = (u16)slot;
	fetch_found(v, sub, slot, fetch_count(&v->m->config, k, address, s->fetch_pc, bytes));
	slot_want(v, s->context);
}

bool fetch_joins(struct sm_view *v, u64 line, u32 context, u32 other)
{
	struct imiss *unused, *m = imiss_find(v, line + 1, &unused);
	if (!m || !SET_HAS(m->slots, context))
		return false;
	SET_ADD(m->slots, other);
	return true;
}
