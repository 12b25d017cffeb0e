/*
 * gangs.c - the table of gangs: which slices of a warp issue together, and how gangs come apart.
 *
 * Where a policy that goes by the table stands in slot gang, the slices with lanes of a warp that comes are one gang.
 * A slice is in one gang or in none; a gang has two slices or more, so four entries are enough for eight. The members
 * of a gang stand at one instruction with as many behind it buffered, and issue together or not at all. When they have,
 * those that are to go on at one place stay together, two or more as a gang, and one that is alone is its slice's
 * scheduler's from then on. With vws.split a gang comes apart, too, when a load has come for some of its slices before
 * others: those that need not wait any more go on as one, or each alone. Whether pieces come together again is for
 * gangs_form.c. Source: Rogers, Johnson, O'Connor, Keckler, "A Variable
 * Warp Size Architecture", ISCA 2015, sections 4.2 to 4.5 and 6.6.
 */
#include "policy_gangs.h"
#include "meet.h"
#include "gangs/gangs.h"

/* The entries of a parent warp. */
static struct gang *gangs_entries(const struct sm_view *v, u32 parent)
{
	return &v->gang[parent * GANG_ENTRIES];
}

/* Are two slices to go on at one place, with the same instructions there? */
static bool gangs_same_place(const struct sm_view *v, u32 a, u32 b)
{
	const struct warp *x = &v->warp[a], *y = &v->warp[b];
	if (x->slot == NONE16 || y->slot == NONE16)
		return x->slot == y->slot &&
		       v->stack[a * SIMT_DEPTH + x->depth - 1].pc == v->stack[b * SIMT_DEPTH + y->depth - 1].pc;
	const struct slot *s = &v->slot[x->slot], *t = &v->slot[y->slot];
	return s->pc == t->pc && s->fetch_pc == t->fetch_pc && s->buffered == t->buffered &&
	       s->fetching == t->fetching && s->discard == t->discard && x->stuck == y->stuck;
}

/* The slices of a set that are where its first is. */
static u32 gangs_company(const struct sm_view *v, u32 parent, u32 mask)
{
	u32 first = parent << v->m->parent_shift, lead = first + (u32)__builtin_ctz(mask), same = 0;
	for (u32 left = mask; left; left &= left - 1)
		if (gangs_same_place(v, lead, first + (u32)__builtin_ctz(left)))
			same |= left & -left;
	return same;
}

/* Slices that have not ended. */
static u32 gangs_live(const struct sm_view *v, u32 parent, u32 mask)
{
	u32 first = parent << v->m->parent_shift, on = 0;
	for (u32 left = mask; left; left &= left - 1)
		if (v->warp[first + (u32)__builtin_ctz(left)].depth)
			on |= left & -left;
	return on;
}

void gang_put(struct sm_view *v, u32 entry, u32 mask, u64 last)
{
	struct gang *g = &v->gang[entry];
	u32 first = entry / GANG_ENTRIES << v->m->parent_shift;
	one_slot_part(v, first);
	u64 *slots = &v->gang_map->slots[entry % GANG_ENTRIES * SLOT_WORDS];
	for (u32 left = g->mask ^ mask; left; left &= left - 1) {
		u32 slot = v->warp[first + (u32)__builtin_ctz(left)].slot;
		if (slot == NONE16)
			continue;
		slots[slot / 64] ^= 1ULL << slot % 64;
		v->gang_map->any[slot / 64] ^= 1ULL << slot % 64;
	}
	*g = (struct gang){.mask = (u8)mask, .last = last};
}

static void gangs_slot(struct sm_view *v, u32 context, bool has)
{
	u32 slot = v->warp[context].slot, slice = context & ((1u << v->m->parent_shift) - 1);
	one_slot_part(v, context);
	if (!slice) { /* its sub-core is the first */
		v->gang_map->age[slot] = v->warp[context].age;
		v->gang_map->parent[slot] = (u16)context_parent(v->m, context);
	}
	SET_DEL(v->gang_map->any, slot);
	for (u32 k = 0; k < GANG_ENTRIES; k++) {
		u64 *slots = &v->gang_map->slots[k * SLOT_WORDS];
		SET_DEL(slots, slot);
		if (!has || !(gangs_entries(v, context_parent(v->m, context))[k].mask >> slice & 1))
			continue;
		SET_ADD(slots, slot);
		SET_ADD(v->gang_map->any, slot);
	}
}

/* Slices become gangs by where they are; those that are alone are in none. */
static void gangs_form_pieces(struct sm_view *v, u32 parent, u32 mask, u64 last)
{
	struct gang *g = gangs_entries(v, parent);
	for (u32 same; mask; mask &= ~same) {
		u32 k = 0;
		same = gangs_company(v, parent, mask);
		if (!(same & (same - 1)))
			continue;
		while (k < GANG_ENTRIES && g[k].mask)
			k++;
		INVARIANT(k < GANG_ENTRIES);
		gang_put(v, parent * GANG_ENTRIES + k, same, last);
	}
}

/* A gang whose slices have issued, or have been moved, comes apart if they are not all where its first is. */
static void gangs_settle(struct sm_view *v, u32 parent, u32 entry)
{
	struct gang before = v->gang[entry];
	u32 on = gangs_live(v, parent, before.mask),
	    lead = (parent << v->m->parent_shift) + (u32)__builtin_ctz(before.mask);
	bool ended = on != before.mask, apart = on && gangs_company(v, parent, on) != on;
	if (!ended && !apart)
		return;
	gang_put(v, entry, 0, 0);
	gangs_form_pieces(v, parent, on, before.last);
	if (!on)
		return;
	v->sm->stat[apart ? STAT_GANG_SPLIT_CONTROL : STAT_GANG_SPLIT_EXIT]++;
	emit(v, EVENT_GANGSPLIT, lead, v->warp[lead].slot == NONE16 ? NONE32 : v->slot[v->warp[lead].slot].pc, 0,
	     (u32)__builtin_popcount(before.mask), !apart);
}

static void gangs_begin(struct sm_view *v, u32 cta_slot)
{
	const struct cta *cta = &v->cta[cta_slot];
	for (u32 first = 0; v->m->policy_gangs && first < v->m->contexts; first += 1u << v->m->parent_shift) {
		u32 parent = first >> v->m->parent_shift, all = (1u << (1u << v->m->parent_shift)) - 1;
		if (SET_HAS(cta->contexts, first))
			gangs_form_pieces(v, parent, gangs_live(v, parent, all), 0);
	}
}

static void gangs_forget(struct sm_view *v, u32 context)
{
	for (u32 k = 0; k < GANG_ENTRIES; k++)
		gang_put(v, context_parent(v->m, context) * GANG_ENTRIES + k, 0, 0);
}

static void gangs_keep(struct sm_view *v)
{
	if (v->m->policy_gangs)
		return;
	memset(v->gang, 0, v->m->section[SECTION_GANG].count * sizeof *v->gang);
	memset(v->gang_map, 0, offsetof(struct gang_map, age));
}

void gangs_moved(struct sm_view *v, u32 parent)
{
	one_slot_part(v, parent << v->m->parent_shift);
	for (u32 e = parent * GANG_ENTRIES; e < (parent + 1) * GANG_ENTRIES; e++)
		if (v->gang[e].mask)
			gangs_settle(v, parent, e);
}

/* The slices of a gang that are in some sets. */
static u32 gangs_in_sets(struct sm_view *v, u32 entry, u32 sets)
{
	u32 first = entry / GANG_ENTRIES << v->m->parent_shift, in = 0;
	for (u32 left = v->gang[entry].mask; left; left &= left - 1) {
		u32 slot = v->warp[first + (u32)__builtin_ctz(left)].slot;
		if (slot != NONE16 && sets >> v->slot[slot].set & 1)
			in |= left & -left;
	}
	return in;
}

/* A gang some of whose slices still wait for a load while others need not comes apart. */
static void gangs_part_by_memory(struct sm_view *v, u32 entry)
{
	struct gang before = v->gang[entry];
	u32 parent = entry / GANG_ENTRIES, lead = (parent << v->m->parent_shift) + (u32)__builtin_ctz(before.mask);
	u32 wait = gangs_in_sets(v, entry, 1u << SET_LONG),
	    back = gangs_in_sets(v, entry, 1u << SET_READY | 1u << SET_SHORT);
	if (!wait || !back)
		return;
	gang_put(v, entry, 0, 0);
	if (v->m->config.vws_split == SPLIT_GROUP) {
		u32 rest = before.mask & ~back;
		if (rest & (rest - 1))
			gang_put(v, entry, rest, before.last);
		gangs_form_pieces(v, parent, back, before.last);
	}
	v->sm->stat[STAT_GANG_SPLIT_MEMORY]++;
	emit(v, EVENT_GANGSPLIT, lead, v->slot[v->warp[lead].slot].pc, 0, (u32)__builtin_popcount(before.mask), 2);
	v->sleep->active = 1;
}

/* Homes of which a gang has slices that wait for a load and others that need not. */
static void gangs_skewed(struct sm_view *v, u64 *parents)
{
	const u64 *wait = sm_set(v, SET_LONG), *ready = sm_set(v, SET_READY), *soon = sm_set(v, SET_SHORT);
	for (u32 k = 0; k < GANG_ENTRIES; k++) {
		const u64 *in = &v->gang_map->slots[k * SLOT_WORDS];
		u64 late[SLOT_WORDS] = {0}, back[SLOT_WORDS] = {0}, at[POSITION_WORDS], with[POSITION_WORDS];
		for (u32 i = 0; i < v->m->words; i++) {
			late[i] = in[i] & wait[i];
			back[i] = in[i] & (ready[i] | soon[i]);
		}
		positions_of(v->m, late, at);
		positions_of(v->m, back, with);
		for (u32 i = 0; i < POSITION_WORDS; i++)
			at[i] &= with[i];
		SET_EACH (p, at, POSITION_WORDS)
			SET_ADD(parents, v->gang_map->parent[p]);
	}
}

void gangs_split(struct sm_view *v)
{
	u64 parents[POSITION_WORDS] = {0};
	gangs_skewed(v, parents);
	SET_EACH (parent, parents, POSITION_WORDS) {
		one_slot_part(v, parent << v->m->parent_shift);
		for (u32 e = parent * GANG_ENTRIES; e < (parent + 1) * GANG_ENTRIES; e++)
			if (v->gang[e].mask)
				gangs_part_by_memory(v, e);
	}
}

/* The members of a gang that is one instruction between lanes perform it as one; false: somebody else is needed. */
static bool gangs_perform_together(struct sm_view *v, u32 first, u32 mask, const struct inst *in)
{
	u32 all = 0, lanes = 0;
	for (u32 k = 0; k < 1u << v->m->parent_shift; k++) {
		const struct warp *w = &v->warp[first + k];
		all |= simt_live(&v->stack[(first + k) * SIMT_DEPTH], w->depth);
		if (mask >> k & 1)
			lanes |= v->stack[(first + k) * SIMT_DEPTH + w->depth - 1].mask;
	}
	return perform_union(v, first, mask, in, lanes, all);
}

void gang_perform(struct sm_view *v, u32 entry)
{
	u32 parent = entry / GANG_ENTRIES, first = parent << v->m->parent_shift, mask = v->gang[entry].mask;
	u32 lead = first + (u32)__builtin_ctz(mask);
	const struct kernel *k = view_kernel(v, lead);
	const struct inst *in = &k->inst[v->slot[v->warp[lead].slot].pc];
	bool one = one_slot_join(v, entry), meets = k->front == FRONT_PTX && (in->meet || in->op == OP_ACTIVEMASK);
	enum together how = TOGETHER_NOT;
	v->gang[entry].last = v->sm->ganged_at = view_cycle(v) + 1;
	for (u32 left = one ? 0 : mask & (mask - 1); left; left &= left - 1)
		INVARIANT(gangs_same_place(v, lead, first + (u32)__builtin_ctz(left)));
	v->ganged = true;
	v->const_open = NONE16;
	if (!meets)
		how = perform_gang(v, entry, one);
	if (how == TOGETHER_NOT) {
		one_slot_part(v, first);
		if (class_unit[in->class] != UNIT_NONE)
			lockstep_end(v);
		if (!meets || !gangs_perform_together(v, first, mask, in))
			for (u32 left = mask; left; left &= left - 1)
				perform(v, first + (u32)__builtin_ctz(left));
	}
	v->ganged = false;
	if (how != TOGETHER_WHOLE)
		gangs_moved(v, parent);
}

/* --- what the rest of an SM calls (slices.h) --- */

const struct slice_hooks slice_hooks = {
	.decode = gangs_decode,
	.fetch = gangs_fetch,
	.collect = gangs_collect,
	.issue = gangs_issue,
	.dispatch = gangs_constants,
	.join = slice_sharing_join,
	.constants = slice_sharing_constants,
	.shared = slice_sharing_shared,
	.finish = slice_sharing_finish,
	.arrived = slice_sharing_arrived,
	.acknowledged = slice_sharing_acknowledged,
	.missed = slice_sharing_missed,
	.forget = slice_sharing_forget,
	.write_back = gangs_write_back,
	.apart = one_slot_part,
	.spread = lockstep_end,
	.begin = gangs_begin,
	.slot = gangs_slot,
	.leave = gangs_forget,
	.moved = gangs_moved,
	.keep = gangs_keep,
};
