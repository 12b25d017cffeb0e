/*
 * gangs_one_slot.c - gangs that have one slot, that of their first slice, with one instruction buffer, PC and
 * scoreboard.
 *
 * When a gang issues its slices' slots hold the same nearly always. They then have one until something happens to some
 * of the slices alone: a load of one is answered, they jump, the gang comes apart or becomes larger. Sets of slots name
 * all of them at any time. A gang has one slot only in a run in which nobody looks or changes anything between cycles
 * (run_ahead.c), and where no policy looks at slots but those that it is to choose from.
 */
#include "policy_gangs.h"
#include "gangs/gangs.h"

/* Do the slots of two slices hold the same, and do their warps go on alike behind it? Those that have asynchronous
 * copies on their way may wait for different groups. */
static bool gangs_one_slot_same(const struct sm_view *v, u32 a, u32 b)
{
	const struct warp *w = &v->warp[a], *x = &v->warp[b];
	const struct slot *s = &v->slot[w->slot], *t = &v->slot[x->slot];
	const struct simt_entry *p = &v->stack[a * SIMT_DEPTH + w->depth - 1],
				*q = &v->stack[b * SIMT_DEPTH + x->depth - 1];
	u32 from = offsetof(struct slot, buffered);
	return !memcmp((const u8 *)s + from, (const u8 *)t + from, sizeof *s - from) &&
	       p->reconverge == q->reconverge && !(w->copies | x->copies);
}

/* They do: what is to be known of them. */
static void gangs_one_slot_note_one_slot(struct sm_view *v, u32 entry)
{
	u32 first = entry / GANG_ENTRIES << v->m->parent_shift, mask = v->gang[entry].mask;
	u32 lead = (u32)__builtin_ctz(mask), slot = v->warp[first + lead].slot;
	struct one_slot *a = &v->one_slots[entry];
	*a = (struct one_slot){.lead = (u16)slot, .first = (u8)lead, .others = (u8)(mask & (mask - 1))};
	gang_slots_at(v->m, v->gang_map, entry % GANG_ENTRIES, slot % v->m->slots_per_sub, a->slots);
	for (u32 left = mask; left; left &= left - 1) {
		u32 context = first + (u32)__builtin_ctz(left);
		a->lanes |= v->stack[context * SIMT_DEPTH + v->warp[context].depth - 1].mask;
	}
	v->one_slot[entry / GANG_ENTRIES] |= (u8)(1u << entry % GANG_ENTRIES);
}

bool one_slot_join(struct sm_view *v, u32 entry)
{
	u32 parent = entry / GANG_ENTRIES, first = parent << v->m->parent_shift, mask = v->gang[entry].mask;
	u32 lead = first + (u32)__builtin_ctz(mask);
	if (!v->folds)
		return false;
	if (v->one_slot[parent] >> entry % GANG_ENTRIES & 1)
		return true;
	for (u32 left = mask & (mask - 1); left; left &= left - 1)
		if (!gangs_one_slot_same(v, lead, first + (u32)__builtin_ctz(left)))
			return false;
	gangs_one_slot_note_one_slot(v, entry);
	return true;
}

/* The slices of a gang that had one slot have their own. */
static void gangs_one_slot_part(struct sm_view *v, u32 entry)
{
	const struct one_slot *g = &v->one_slots[entry];
	const struct slot *lead = &v->slot[g->lead];
	u32 from = offsetof(struct slot, buffered), per = v->m->slots_per_sub, slot = g->lead;
	for (u32 left = (u32)g->others >> g->first >> 1; left; left >>= 1) {
		slot += per; /* all have one position, each in its sub-core */
		if (left & 1)
			memcpy((u8 *)&v->slot[slot] + from, (const u8 *)lead + from, sizeof *lead - from);
	}
}

void one_slot_part(struct sm_view *v, u32 context)
{
	u32 parent = context_parent(v->m, context);
	for (u32 left = v->one_slot[parent]; left; left &= left - 1)
		gangs_one_slot_part(v, parent * GANG_ENTRIES + (u32)__builtin_ctz(left));
	v->one_slot[parent] = 0;
}

/* Slots join a set, or leave it. */
ALWAYS_INLINE void gangs_one_slot_put(u64 *set, const u64 *slots, bool in, u32 words)
{
	if (in)
#pragma GCC unroll 4
		for (u32 i = 0; i < words; i++)
			set[i] |= slots[i];
	else
#pragma GCC unroll 4
		for (u32 i = 0; i < words; i++)
			set[i] &= ~slots[i];
}

/* The slots of a gang leave a set, and are in those in which the first is. */
ALWAYS_INLINE void gangs_one_slot_join_sets(struct sm_view *v, const struct one_slot *g, u32 before, u32 words)
{
	u64 *set = v->sm->set, bit = 1ULL << g->lead % 64;
	u32 now = v->slot[g->lead].set, at = g->lead / 64;
	if (now != before) {
		gangs_one_slot_put(&set[before * words], g->slots, false, words);
		gangs_one_slot_put(&set[now * words], g->slots, true, words);
	}
	if (now == SET_READY || before == SET_READY) {
		gangs_one_slot_put(&set[SET_CONTROL * words], g->slots, set[SET_CONTROL * words + at] & bit, words);
		gangs_one_slot_put(&set[SET_LOADS * words], g->slots, set[SET_LOADS * words + at] & bit, words);
		gangs_one_slot_put(v->global, g->slots, v->global[at] & bit, words);
	}
	gangs_one_slot_put(&set[SET_WANT * words], g->slots, set[SET_WANT * words + at] & bit, words);
}

void one_slot_follow(struct sm_view *v, u32 entry, void (*how)(struct sm_view *v, u32 context))
{
	const struct one_slot *g = &v->one_slots[entry];
	const struct slot *lead = &v->slot[g->lead];
	u32 before = lead->set;
	how(v, lead->context);
	if (v->m->words == SLOT_WORDS)
		gangs_one_slot_join_sets(v, g, before, SLOT_WORDS);
	else
		gangs_one_slot_join_sets(v, g, before, v->m->words);
}

/* Registers of all n slices of a gang that has one slot are written. */
static void gangs_one_slot_written(struct sm_view *v, u32 entry, u32 n, const struct inst *in)
{
	struct warp *w = &v->warp[entry / GANG_ENTRIES << v->m->parent_shift];
	struct cta *cta = &v->cta[w->cta];
	u64 *pending = v->slot[v->one_slots[entry].lead].pending_short, freed[HAZARD_WORDS] = {0};
	u32 none = cta->inflight < n;
	inst_written(in, freed);
	for (u32 left = v->gang[entry].mask; left; left >>= 1, w++) {
		none |= left & (w->inflight == 0);
		w->inflight -= left & 1;
	}
	INVARIANT(!none);
	cta->inflight -= n;
	for (u32 i = 0; i < HAZARD_WORDS; i++)
		pending[i] &= ~freed[i];
	v->sm->stat[STAT_RF_WRITES] += (u64)in->nwrite * n;
	v->sm->events[EVENT_WRITEBACK] += n;
	one_slot_follow(v, entry, slot_woken);
}

void gangs_write_back(struct sm_view *v, const struct result *r)
{
	u32 first = r->context & ~((1u << v->m->parent_shift) - 1), n = (u32)__builtin_popcount(r->load);
	u32 entry = one_slot_entry(v, first + (u32)__builtin_ctz(r->load));
	v->sm->results_used -= n - 1;
	if (entry != NONE32 && v->gang[entry].mask == r->load && view_current(v, r->context, r->generation) &&
	    !v->m->config.collector_writes) {
		gangs_one_slot_written(v, entry, n, &view_kernel(v, first)->inst[r->pc]);
		return;
	}
	one_slot_part(v, first);
	for (u32 left = r->load; left; left &= left - 1) {
		u32 context = first + (u32)__builtin_ctz(left);
		if (view_current(v, context, r->generation))
			value_written(v, context, r->pc);
		else
			v->sm->stat[STAT_STALE_RESULTS]++;
	}
}

/* Does no policy look at slots but those that it is to choose from? */
static bool gangs_one_slot_unwatched(const struct sm_view *v)
{
	const struct config *c = &v->m->config;
	u64 others = 0;
	for (u32 i = 0; i < POLICY_SLOTS; i++)
		if (i != POLICY_order && i != POLICY_fetch && i != POLICY_assign && i != POLICY_gang)
			others |= v->m->policy.in[i];
	return !others && !policy_one(v->m, POLICY_order)->reads_other_slots && !c->vws_sync && !c->unit_branch_count;
}

void gangs_steady(struct sm_view *v, bool on)
{
	v->steady = on;
	v->folds = on && gangs_one_slot_unwatched(v);
	v->even_again = 0;
	if (on)
		lockstep_begin(v);
	else
		lockstep_end(v);
	for (u32 parent = 0; !on && parent < machine_parents(v->m); parent++)
		one_slot_part(v, parent << v->m->parent_shift);
}
