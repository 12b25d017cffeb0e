/*
 * gangs_fetch.c - stages decode and fetch of slices (fetch.c).
 *
 * Slices have instruction caches of their own, l0i.bytes each, fully associative, least recently used: who finds a line
 * there takes no port of the L1I; what is found in the L1I is kept. Gangs come first, and a gang's fetch overrides
 * those of its slices: it is one of the fetch.width that each of them may make in a cycle, so that two gangs are
 * fetched for in one cycle only if they share no slice. Source: Rogers et al., "A Variable Warp Size Architecture",
 * ISCA 2015, sections 4.1 and 4.6. That several gangs may be is ours, where 4.1 has one scheduler that fetches for
 * gangs: the two gangs a cycle of section 6.3 could not issue otherwise.
 */
#include "policy_gangs.h"
#include "gangs/gangs.h"

void gangs_decode(struct sm_view *v)
{
	u32 at = 0, done = 0; /* slices of a gang that have been decoded for, and where the slot of the next one is */
	for (struct sub *sub = v->sub, *end = sub + v->m->config.sm_subcores; sub < end; sub++, done >>= 1) {
		u32 n = sub->ndecode;
		sub->ndecode = 0;
		for (u32 i = 0; i < n; i++) {
			u32 slot = sub->decode_slot[i];
			if (slot == at && done & 1)
				continue;
			u32 context = v->slot[slot].context, entry = one_slot_entry(v, context);
			if (entry != NONE32 && v->one_slots[entry].lead != slot)
				continue; /* with the first of its gang */
			bool kept = fetch_decode(&v->slot[slot], sub->decode_count[i]);
			if (entry != NONE32) {
				one_slot_follow(v, entry, slot_decoded);
				at = slot;
				done = (u32)v->gang[entry].mask >> (sub - v->sub);
			} else if (kept) {
				slot_decoded(v, context);
			}
		}
		at += v->m->slots_per_sub;
	}
}

/* Where the next instruction of a slot to be fetched lies. */
static u64 gangs_fetch_code_of(const struct sm_view *v, u32 slot)
{
	const struct slot *s = &v->slot[slot];
	return v->sim->code[v->warp[s->context].launch] + (u64)s->fetch_pc * v->m->config.gpu_inst_bytes;
}

/* What has been found for the one slot of a gang is there for all its slices. */
static void gangs_fetch_found_for_all(struct sm_view *v, u32 entry, u32 n)
{
	const struct one_slot *g = &v->one_slots[entry];
	u32 slot = g->lead, per = v->m->slots_per_sub;
	struct sub *sub = &v->sub[g->first];
	for (u32 left = (u32)g->others >> g->first >> 1; left; left >>= 1) {
		sub++;
		slot += per;
		if (!(left & 1))
			continue;
		INVARIANT(sub->ndecode < DECODE_WIDTH);
		sub->decode_slot[sub->ndecode] = (u16)slot;
		sub->decode_count[sub->ndecode++] = (u16)n;
	}
	v->sm->decoding += slices_count(g->others);
	for (u32 i = 0; i < v->m->words; i++)
		sm_set(v, SET_WANT)[i] &= ~g->slots[i];
}

/* One lookup for all slices of a gang: what its first has found, or waits for, is the others', too. */
static void gangs_fetch_one(struct sm_view *v, u32 entry)
{
	u32 lead = gang_first_slice(v, entry), slot = v->warp[lead].slot, others = v->gang[entry].mask;
	u64 line = gangs_fetch_code_of(v, slot) / v->m->config.l1i_line;
	bool there = fetch_look_up(v, slot, v->m->config.l1i_line);
	u32 n = v->slot[slot].fetching, own = slot;
	v->sm->stat[STAT_GANG_FETCHES]++;
	v->sleep->active = 1;
	if (there && one_slot_entry(v, lead) == entry) {
		gangs_fetch_found_for_all(v, entry, n);
		return;
	}
	for (u32 k = (u32)__builtin_ctz(others) + 1; others >> k; k++) {
		own += v->m->slots_per_sub;
		if (!(others >> k & 1))
			continue;
		if (there)
			fetch_found(v, &v->sub[k], own, n);
		else if (fetch_joins(v, line, lead, v->slot[own].context))
			v->slot[own].fetching = 1;
		else
			continue;
		SET_DEL(sm_set(v, SET_WANT), own);
	}
}

/* Slices that may still make a fetch in this cycle, and of these more, a gang's being one of each of its slices. */
struct turns {
	u32 open[DECODE_WIDTH], width;
};

/* Slices make one. */
static void gangs_fetch_take_turn(struct turns *t, u32 slices)
{
	for (u32 i = 0; i < t->width; i++)
		t->open[i] &= ~slices | (i + 1 < t->width ? t->open[i + 1] : 0);
}

/* Lookups for gangs of a parent warp, at most so many: for those that are in `wish`, by entry and position, and whose
 * slices may all still make one. How many. */
static u32 gangs_fetch_parent(struct sm_view *v, u32 parent, u32 position, const u64 *wish, u32 most, struct turns *t)
{
	u32 n = 0;
	for (u32 k = 0; k < GANG_ENTRIES && n < most; k++) {
		u32 mask = v->gang[parent * GANG_ENTRIES + k].mask;
		if (!SET_HAS(&wish[k * POSITION_WORDS], position) || mask & ~t->open[0])
			continue;
		gangs_fetch_take_turn(t, mask);
		gangs_fetch_one(v, parent * GANG_ENTRIES + k);
		n++;
	}
	return n;
}

/* Lookups for gangs all of whose slices want one, those of one parent warp after the other in turn. Returns how many.
 */
static u32 gangs_fetch_all(struct sm_view *v, const u64 *want, u32 ports, struct turns *t)
{
	u64 wish[GANG_ENTRIES * POSITION_WORDS], any[POSITION_WORDS] = {0};
	u32 parents = machine_parents(v->m), parent = v->sm->gang_home / GANG_ENTRIES, taken = 0;
	u32 most = min_u32(ports, v->m->config.vws_fetches ? v->m->config.vws_fetches : v->m->config.vws_gangs);
	for (u32 k = 0; k < GANG_ENTRIES; k++) {
		u64 *at = &wish[k * POSITION_WORDS];
		gangs_within(v->m, v->gang_map, k, want, at);
		for (u32 i = 0; i < POSITION_WORDS; i++)
			any[i] |= at[i];
	}
	for (u32 i = any[0] | any[1] ? 0 : parents; i < parents && taken < most && t->open[0]; i++) {
		u32 n, position = v->warp[parent << v->m->parent_shift]
					  .slot; /* its first slice is in the first sub-core */
		u32 next = parent + 1 < parents ? parent + 1 : 0;
		if (position != NONE16 && SET_HAS(any, position)) {
			n = gangs_fetch_parent(v, parent, position, wish, most - taken, t);
			if (n && !taken)
				v->sm->gang_home = next * GANG_ENTRIES;
			taken += n;
		}
		parent = next;
	}
	return taken;
}

/* A slice does not find a line in its own cache: with a port of the L1I that is free it looks there, and keeps what it
 * finds. How many ports it takes. */
static u32 gangs_fetch_through(struct sm_view *v, u32 sub_id, u32 slot, u32 ports)
{
	u64 line = gangs_fetch_code_of(v, slot) / v->m->config.l0i_line + 1;
	struct tag *set = &v->l0i[sub_id * v->l0i_ways];
	if (!v->l0i_ways && ports)
		fetch_look_up(v, slot, v->m->config.l1i_line);
	if (!v->l0i_ways || !ports) {
		v->sm->stat[STAT_L0I_WAITS] += v->l0i_ways != 0;
		v->sleep->active |= ports != 0;
		return ports != 0;
	}
	v->sm->stat[STAT_L0I_MISSES]++;
	emit(v, EVENT_L0IMISS, v->slot[slot].context, v->slot[slot].fetch_pc, gangs_fetch_code_of(v, slot), 0, 0);
	if (fetch_look_up(v, slot, v->m->config.l0i_line))
		*tag_victim(set, v->l0i_ways) = (struct tag){.line = line, .used = ++v->sm->l1i_clock, .valid = 1};
	v->sleep->active = 1;
	return 1;
}

/* The next fetch of a slice for a slot of those that want one, which is then no more among them, from its own cache or
 * through the L1I. How many ports of that it takes. */
static u32 gangs_fetch_slice(struct sm_view *v, u32 sub_id, u64 *want, u32 ports)
{
	const struct config *c = &v->m->config;
	u64 open[SLOT_WORDS];
	for (u32 i = 0; i < v->m->words; i++)
		open[i] = want[i] & v->part[sub_id].pool[i];
	if (set_first(open, v->m->words) == NONE32)
		return 0;
	u32 slot = policy_one(v->m, POLICY_fetch)->decide.fetch(&v->look_fetch[sub_id], open);
	INVARIANT(slot < v->m->words * 64 && SET_HAS(open, slot));
	SET_DEL(want, slot);
	u64 address = gangs_fetch_code_of(v, slot);
	struct tag *t = tag_find(&v->l0i[sub_id * v->l0i_ways], v->l0i_ways, address / c->l0i_line + 1);
	if (!t)
		return gangs_fetch_through(v, sub_id, slot, ports);
	v->sm->l1i_clock++;
	t->used = v->sm->l1i_clock;
	v->sm->stat[STAT_L0I_HITS]++;
	fetch_near(v, v->part[sub_id].sub, slot, address, c->l0i_line);
	v->sleep->active = 1;
	return 0;
}

/* The slots that want a fetch, but for those in a set; false: none does. */
static bool gangs_fetch_find_wants(struct sm_view *v, const u64 *others, u64 *want)
{
	u64 any = 0;
	for (u32 i = 0; i < v->m->words; i++)
		any |= want[i] = sm_set(v, SET_WANT)[i] & ~(sm_set(v, SET_HALTED)[i] | others[i]);
	return any != 0;
}

/* Gangs first, then slices in turn: those that find their lines in their own caches take no port of the L1I. */
void gangs_fetch(struct sm_view *v)
{
	static const u64 none[SLOT_WORDS];
	u64 want[SLOT_WORDS] = {0};
	u32 last = v->m->config.sm_subcores - 1, ports = v->m->config.l1i_ports, first = v->sm->fetch_turn;
	struct turns t = {.width = v->m->config.fetch_width};
	for (u32 i = 0; i < t.width; i++)
		t.open[i] = (2u << last) - 1;
	if (v->m->policy_gangs && v->m->config.vws_reform)
		gangs_reform(v);
	if (!gangs_fetch_find_wants(v, none, want))
		return;
	v->sm->fetch_turn = (u16)((first + 1) & last);
	if (v->m->policy_gangs) {
		ports -= gangs_fetch_all(v, want, ports, &t);
		if (!gangs_fetch_find_wants(v, v->gang_map->any, want))
			return;
	}
	for (u32 round = t.width; round; round--)
		for (u32 i = 0; i <= last; i++) {
			u32 k = (first + i) & last;
			if (!(t.open[0] >> k & 1))
				continue;
			gangs_fetch_take_turn(&t, 1u << k);
			ports -= gangs_fetch_slice(v, k, want, ports);
		}
}
