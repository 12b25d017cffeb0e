/*
 * fetch.c - stages decode and fetch: instruction buffers filled through the L1I.
 *
 * Each sub-core asks for fetch.width warps per cycle, up to fetch.insts instructions of one line each; the SM's L1I
 * answers l1i.ports lookups per cycle, sub-cores in turn. What hits is decoded in the next cycle (fetch.direct: some of
 * it in the same one); a miss goes to the L2 and the warp tries again when the line is there. Which warp is next is the
 * fetch policy's choice.
 *
 * Slices (warp.size below 32) have instruction caches of their own, l0i.bytes each, fully associative, least recently
 * used: who finds a line there takes no port of the L1I; what is found in the L1I is kept. Gangs come first, and a
 * gang's fetch overrides those of its slices: it is one of the fetch.width that each of them may make in a cycle, so
 * that two gangs are fetched for in one cycle only if they share no slice. Source: Rogers et al., "A Variable Warp Size
 * Architecture", ISCA 2015, sections 4.1 and 4.6. That several gangs may be is ours, where 4.1 has one scheduler that
 * fetches for gangs: the two gangs a cycle of section 6.3 could not issue otherwise.
 *
 * With l1i.prefetch a lookup asks for the next line of the kernel, too, as long as memory is not busy: fewer MSHRs of
 * L1I and L1D in use than that. A line remembers that it was asked for ahead until a fetch wants it. Source: Park,
 * "Enabling Efficient Resource Utilization on Multitasking Throughput Processors", 2016, section 3.3.5; the setting is
 * its threshold. Deviation: what a miss of the same lookup takes is counted as in use.
 */
#include "gangs.h"

#include <string.h>

/* What was fetched for a slot enters its instruction buffer. */
static inline bool decode(struct slot *s, u32 n)
{
	if (s->discard) {
		s->discard = 0;
		return false;
	}
	s->buffered = (u8)(s->buffered + n);
	s->fetching = 0;
	return true;
}

/* The same stage for slices: those of a gang whose slots hold the same have been fetched for together. */
static void __attribute__((noinline)) decode_slices(struct sm_view *v)
{
	u32 at = 0, done = 0; /* slices of a gang that have been decoded for, and where the slot of the next one is */
	for (struct sub *sub = v->sub, *end = sub + v->m->config.sm_subcores; sub < end;
	     sub++, at += v->m->slots_per_sub) {
		u32 n = sub->ndecode, slice = (u32)(sub - v->sub);
		sub->ndecode = 0;
		for (u32 i = 0; i < n; i++) {
			if (sub->decode_slot[i] == at && done >> slice & 1)
				continue;
			struct slot *s = &v->slot[sub->decode_slot[i]];
			u32 context = s->context, entry = alike_entry(v, context);
			if (entry == NONE32) {
				if (decode(s, sub->decode_count[i]))
					slot_decoded(v, context);
				continue;
			}
			if (v->members[entry].first != slice)
				continue;
			INVARIANT(!s->discard); /* it issues between a jump and being alike */
			at = sub->decode_slot[i];
			done = v->gang[entry].mask;
			decode(s, sub->decode_count[i]);
			gang_slots_follow(v, entry, slot_decoded);
		}
	}
}

/* What was fetched for a sub-core enters its instruction buffers. */
static inline void decode_sub(struct sm_view *v, struct sub *sub)
{
	for (u32 i = 0; i < sub->ndecode; i++) {
		struct slot *s = &v->slot[sub->decode_slot[i]];
		if (decode(s, sub->decode_count[i]))
			slot_decoded(v, s->context);
	}
	sub->ndecode = 0;
}

/* fetch.direct: so many fetches of this cycle are decoded in it, those of sub-cores in their turn, of which `first` was
 * the first. */
static void __attribute__((noinline)) decode_directly(struct sm_view *v, u32 first)
{
	u32 left = v->m->config.fetch_direct, last = v->m->config.sm_subcores - 1;
	for (u32 i = 0; i <= last; i++) {
		struct sub *sub = v->part[(first + i) & last].sub;
		if (sub->ndecode > left)
			return;
		left -= sub->ndecode;
		v->sm->decoding -= sub->ndecode;
		decode_sub(v, sub);
	}
}

/* Stage decode: what was fetched in the last cycle enters the instruction buffers. */
void sm_decode(struct sm_view *v)
{
	if (!v->sm->decoding)
		return;
	v->sm->decoding = 0;
	v->sleep->active = 1;
	if (__builtin_expect(v->m->home_shift, 0)) {
		decode_slices(v);
		return;
	}
	for (struct sub *sub = v->sub, *end = sub + v->m->config.sm_subcores; sub < end; sub++)
		decode_sub(v, sub);
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

/* Ask the L2 for a line, with a free miss entry (NULL: none is). False: no room. */
static bool ask_for_line(struct sm_view *v, u64 line, struct imiss *unused, u32 ahead)
{
	u64 at = line * v->m->config.l1i_line;
	if (!unused || !port_send(v, (at >> v->m->line_shift) * 16 + ((1u << v->m->sectors) - 1),
				  (u32)(unused - v->imiss), PACKET_FETCH))
		return false;
	*unused = (struct imiss){.line = line + 1, .ahead = ahead};
	v->sm->imiss_used++;
	return true;
}

/* A fetch wants a line that was asked for ahead. */
static void __attribute__((noinline)) line_wanted(struct sm_view *v, bool late)
{
	v->sm->stat[STAT_L1I_AHEAD_USEFUL]++;
	v->sm->stat[STAT_L1I_AHEAD_LATE] += late;
}

/* A miss: wait for the line. False: refused, try again. */
static bool wait_for_line(struct sm_view *v, u32 context, u64 line)
{
	struct imiss *unused, *m = imiss_find(v, line + 1, &unused);
	if (m) {
		v->sm->stat[STAT_L1I_MERGES]++;
		if (m->ahead == 1) {
			m->ahead = 2;
			line_wanted(v, true);
		}
	} else {
		if (!ask_for_line(v, line, unused, 0)) {
			v->sm->stat[STAT_L1I_REFUSED]++;
			return false;
		}
		m = unused;
		v->sm->stat[STAT_L1I_MISSES]++;
	}
	SET_ADD(m->slots, context);
	return true;
}

/* Ask for a line ahead of the fetches of a context's kernel: if it is the kernel's and neither there nor on its way. */
static void __attribute__((noinline)) ask_ahead(struct sm_view *v, u32 context, u64 line)
{
	const struct config *c = &v->m->config;
	u32 launch = v->warp[context].launch, used = v->sm->imiss_used + v->sm->mshrs_used;
	u64 end = v->sim->code[launch] + (u64)v->sim->kernel[launch]->ninst * c->gpu_inst_bytes;
	struct imiss *unused;
	if (line * c->l1i_line >= end || tag_find(l1i_set(v, line), c->l1i_ways, line + 1) ||
	    imiss_find(v, line + 1, &unused))
		return;
	if (used >= c->l1i_prefetch) {
		v->sm->stat[STAT_L1I_AHEAD_HELD]++;
	} else if (!ask_for_line(v, line, unused, 1)) {
		v->sm->stat[STAT_L1I_AHEAD_REFUSED]++;
	} else {
		v->sm->stat[STAT_L1I_AHEAD]++;
		emit(v, EVENT_IPREFETCH, context, NONE32, line * c->l1i_line, used, 0);
	}
}

/* A context no longer waits for a code line. */
void l1i_forget(struct sm_view *v, u32 context)
{
	for (u32 i = 0; i < v->m->config.l1i_mshrs; i++)
		SET_DEL(v->imiss[i].slots, context);
}

bool fetch_waits(const struct sm_view *v, u32 context)
{
	const struct sub *sub = &v->sub[view_sub(v, context)];
	bool waits = false;
	for (u32 i = 0; i < sub->ndecode; i++)
		waits |= sub->decode_slot[i] == v->warp[context].slot;
	for (u32 i = 0; i < v->m->config.l1i_mshrs; i++)
		waits |= SET_HAS(v->imiss[i].slots, context);
	return waits;
}

/* A code line has arrived: fill it, let those who wait for it fetch again. */
void l1i_fill(struct sm_view *v, const struct packet *p)
{
	struct imiss *m = &v->imiss[p->tag];
	u64 line = m->line;
	INVARIANT(line);
	struct tag *set = l1i_set(v, line - 1), *t = tag_victim(set, v->m->config.l1i_ways);
	v->sm->stat[STAT_L1I_AHEAD_WASTED] += t->ahead;
	*t = (struct tag){.line = line, .used = ++v->sm->l1i_clock, .valid = 1, .ahead = m->ahead == 1};
	SET_EACH (i, m->slots, CONTEXT_WORDS) {
		v->slot[v->warp[i].slot].fetching = 0;
		unlike(v, i);
		slot_want(v, i);
	}
	*m = (struct imiss){0};
	v->sm->imiss_used--;
}

/* Is a code line in the L1I? */
static inline __attribute__((always_inline)) bool lookup(struct sm_view *v, u64 line)
{
	if (v->m->config.l1i_perfect)
		return true;
	struct tag *t = tag_find(l1i_set(v, line), v->m->config.l1i_ways, line + 1);
	if (!t)
		return false;
	t->used = ++v->sm->l1i_clock;
	if (__builtin_expect(t->ahead, 0)) {
		t->ahead = 0;
		line_wanted(v, false);
	}
	return true;
}

/* Where the next instruction of a slot to be fetched lies. */
static inline u64 code_of(const struct sm_view *v, u32 slot)
{
	const struct slot *s = &v->slot[slot];
	return v->sim->code[v->warp[s->context].launch] + (u64)s->fetch_pc * v->m->config.gpu_inst_bytes;
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

/* Instructions for a slot are there, and are decoded in the next cycle. */
static inline void fetched(struct sm_view *v, struct sub *sub, u32 slot, u32 n)
{
	struct slot *s = &v->slot[slot];
	INVARIANT(sub->ndecode < DECODE_WIDTH);
	sub->decode_slot[sub->ndecode] = (u16)slot;
	sub->decode_count[sub->ndecode++] = (u16)n;
	v->sm->decoding++;
	s->fetch_pc += n;
	s->fetching = (u8)n;
}

/* One lookup for a slot of a sub-core, which brings instructions of one line of so many bytes; true: they are there. */
static inline __attribute__((always_inline)) bool look_up_for(struct sm_view *v, struct sub *sub, u32 slot, u32 bytes)
{
	const struct config *c = &v->m->config;
	const struct slot *s = &v->slot[slot];
	u32 context = s->context, launch = v->warp[context].launch;
	u64 address = v->sim->code[launch] + (u64)s->fetch_pc * c->gpu_inst_bytes;
	u64 line = address >> __builtin_ctz(c->l1i_line);
	u32 n = fetch_count(c, v->sim->kernel[launch], address, s->fetch_pc, bytes);
	bool present = lookup(v, line);
	sub->fetch_last = (u16)slot;
	v->sm->stat[STAT_FETCHES]++;
	emit(v, EVENT_FETCH, context, s->fetch_pc, address, n, present);
	if (present) {
		v->sm->stat[STAT_L1I_HITS]++;
		fetched(v, sub, slot, n);
	} else if (wait_for_line(v, context, line)) {
		v->slot[slot].fetching = 1;
	}
	if (__builtin_expect(c->l1i_prefetch, 0) && !c->l1i_perfect)
		ask_ahead(v, context, line + 1);
	slot_want(v, context);
	return present;
}

/* The same, of a line of the L1I. */
static void __attribute__((noinline)) fetch_slot(struct sm_view *v, struct sub *sub, u32 slot)
{
	look_up_for(v, sub, slot, v->m->config.l1i_line);
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
	u32 slot = scheme_table[v->m->policy.in[POLICY_fetch] - 1]->fetch(&v->look_fetch[sub_id], open);
	INVARIANT(slot < words * 64 && SET_HAS(open, slot));
	SET_ADD(tried, slot);
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
	for (u32 i = 0; i < words; i++)
		bits |= v->sm->set[SET_WANT * words + i] & ~v->sm->set[SET_HALTED * words + i];
	if (!bits)
		return;
	for (u32 round = c->fetch_width; round; round--)
		for (u32 i = 0; i <= last && ports; i++)
			ports -= fetch_sub(v, (first + i) & last, tried, words);
	v->sm->fetch_turn = (u16)((first + 1) & last);
}

/* A lookup for a slice, or for the first of a gang; true: it was a hit. */
static bool __attribute__((noinline)) fetch_part(struct sm_view *v, u32 slot, u32 bytes)
{
	return look_up_for(v, v->part[view_sub(v, v->slot[slot].context)].sub, slot, bytes);
}

/* What has been found for the first slice of a gang whose slots hold the same is there for the others. */
static void fetched_alike(struct sm_view *v, u32 entry)
{
	const struct alike *g = &v->members[entry];
	u32 n = v->slot[g->lead].fetching, per = v->m->slots_per_sub;
	for (u32 left = g->others; left; left &= left - 1) {
		u32 k = (u32)__builtin_ctz(left);
		struct sub *sub = &v->sub[k];
		INVARIANT(sub->ndecode < DECODE_WIDTH);
		sub->decode_slot[sub->ndecode] = (u16)(g->lead + (k - g->first) * per);
		sub->decode_count[sub->ndecode++] = (u16)n;
		v->sm->decoding++;
	}
	gang_slots_follow(v, entry, slot_want);
}

/* What a gang's first slice has found, or waits for, is the others', too. */
static void follow_fetch(struct sm_view *v, u32 lead, u32 others, bool there)
{
	u32 first = lead & ~((1u << v->m->home_shift) - 1), slot = v->warp[lead].slot;
	for (u32 left = others; left; left &= left - 1) {
		u32 context = first + (u32)__builtin_ctz(left), own = v->warp[context].slot;
		struct imiss *unused, *m;
		if (there) {
			fetched(v, v->part[view_sub(v, context)].sub, own, v->slot[slot].fetching);
			SET_DEL(sm_set(v, SET_WANT), own);
		} else if ((m = imiss_find(v, code_of(v, slot) / v->m->config.l1i_line + 1, &unused)) != NULL &&
			   SET_HAS(m->slots, lead)) {
			m->slots[context / 64] |= 1ULL << context % 64;
			v->slot[own].fetching = 1;
			SET_DEL(sm_set(v, SET_WANT), own);
		}
	}
}

/* One lookup for all slices of a gang. */
void fetch_gang(struct sm_view *v, u32 entry)
{
	u32 lead = gang_first_slice(v, entry), mask = v->gang[entry].mask, slot = v->warp[lead].slot;
	u32 pc = v->slot[slot].fetch_pc;
	bool there = fetch_part(v, slot, v->m->config.l1i_line);
	v->sm->stat[STAT_GANG_FETCHES]++;
	if (there && v->alike[entry / GANG_ENTRIES] >> entry % GANG_ENTRIES & 1)
		fetched_alike(v, entry);
	else
		follow_fetch(v, lead, mask & (mask - 1), there);
	INVARIANT(there || v->slot[slot].fetch_pc == pc);
	v->sleep->active = 1;
}

/* A slice does not find a line in its own cache: with a port of the L1I that is free it looks there, and keeps what it
 * finds. How many ports it takes. */
static u32 fetch_through(struct sm_view *v, u32 sub_id, u32 slot, u32 ports)
{
	u64 line = code_of(v, slot) / v->m->config.l0i_line + 1;
	struct tag *set = &v->l0i[sub_id * v->l0i_ways];
	if (!v->l0i_ways && ports)
		fetch_part(v, slot, v->m->config.l1i_line);
	if (!v->l0i_ways || !ports) {
		v->sm->stat[STAT_L0I_WAITS] += v->l0i_ways != 0;
		v->sleep->active |= ports != 0;
		return ports != 0;
	}
	v->sm->stat[STAT_L0I_MISSES]++;
	emit(v, EVENT_L0IMISS, v->slot[slot].context, v->slot[slot].fetch_pc, code_of(v, slot), 0, 0);
	if (fetch_part(v, slot, v->m->config.l0i_line))
		*tag_victim(set, v->l0i_ways) = (struct tag){.line = line, .used = ++v->sm->l1i_clock, .valid = 1};
	v->sleep->active = 1;
	return 1;
}

/* The next fetch of a slice, if any of its slots wants one that has not been tried in this cycle, from its own cache or
 * through the L1I. How many ports of that it takes. */
static u32 fetch_slice(struct sm_view *v, u32 sub_id, u64 *tried, u32 ports)
{
	const struct config *c = &v->m->config;
	u64 open[SLOT_WORDS];
	for (u32 i = 0; i < v->m->words; i++)
		open[i] = sm_set(v, SET_WANT)[i] & ~sm_set(v, SET_HALTED)[i] & v->part[sub_id].pool[i] & ~tried[i];
	if (set_first(open, v->m->words) == NONE32)
		return 0;
	u32 slot = policy_one(v->m, POLICY_fetch)->fetch(&v->look_fetch[sub_id], open);
	INVARIANT(slot < v->m->words * 64 && SET_HAS(open, slot));
	SET_ADD(tried, slot);
	u64 address = code_of(v, slot);
	struct tag *t = tag_find(&v->l0i[sub_id * v->l0i_ways], v->l0i_ways, address / c->l0i_line + 1);
	if (!t)
		return fetch_through(v, sub_id, slot, ports);
	const struct kernel *k = view_kernel(v, v->slot[slot].context);
	u32 n = fetch_count(c, k, address, v->slot[slot].fetch_pc, c->l0i_line);
	v->sm->l1i_clock++;
	t->used = v->sm->l1i_clock;
	v->sm->stat[STAT_L0I_HITS]++;
	v->part[sub_id].sub->fetch_last = (u16)slot;
	fetched(v, v->part[sub_id].sub, slot, n);
	slot_want(v, v->slot[slot].context);
	v->sleep->active = 1;
	return 0;
}

/* Slices in turn: those that find their lines in their own caches take no port of the L1I. */
static void __attribute__((noinline)) fetch_slices(struct sm_view *v)
{
	const struct config *c = &v->m->config;
	u64 tried[SLOT_WORDS] = {0}, bits = 0;
	u32 last = c->sm_subcores - 1, ports = c->l1i_ports, first = v->sm->fetch_turn;
	u8 left[MAX_SUBCORES]; /* fetches that each slice may still make, a gang's being one of each of its slices */
	memset(left, (int)c->fetch_width, sizeof left);
	if (v->m->policy_gangs && c->vws_reform)
		gangs_reform(v);
	for (u32 i = 0; i < v->m->words; i++)
		bits |= sm_set(v, SET_WANT)[i] & ~sm_set(v, SET_HALTED)[i];
	if (!bits)
		return;
	if (v->m->policy_gangs) {
		ports -= gangs_fetch(v, ports, left);
		bits = 0;
		for (u32 i = 0; i < v->m->words; i++)
			bits |= sm_set(v, SET_WANT)[i] & ~sm_set(v, SET_HALTED)[i];
		if (bits)
			gangs_slots(v, tried);
		for (u32 i = bits = 0; i < v->m->words; i++)
			bits |= sm_set(v, SET_WANT)[i] & ~(sm_set(v, SET_HALTED)[i] | tried[i]);
	}
	for (u32 round = bits ? c->fetch_width : 0; round; round--)
		for (u32 i = 0; i <= last; i++) {
			u32 k = (first + i) & last;
			if (left[k] && left[k]--)
				ports -= fetch_slice(v, k, tried, ports);
		}
	v->sm->fetch_turn = (u16)((v->sm->fetch_turn + 1u) & last);
}

/* Stage fetch. */
UNGUARDED void sm_fetch(struct sm_view *v)
{
	u32 first = v->sm->fetch_turn;
	if (__builtin_expect(v->m->home_shift, 0))
		fetch_slices(v);
	else if (v->m->words == 1)
		fetch_all(v, 1);
	else
		fetch_all(v, v->m->words);
	if (__builtin_expect(v->m->config.fetch_direct && v->sm->decoding, 0))
		decode_directly(v, first);
}
