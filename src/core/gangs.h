/*
 * gangs.h - slices of a warp together: the table of gangs, slots of their slices that hold the same, sub-cores that go
 * on alike. For src/core only.
 */
#ifndef WARPSTEP_GANGS_H
#define WARPSTEP_GANGS_H

#include "core.h"

/* gangs.c: the table of gangs (where policy_gangs is set). An entry changes; a context has got a slot, or is about to
 * lose it. A CTA has come, with slots or without: its warps are gangs; a context leaves; other policies are chosen.
 * The gang of a context issues; slices of a home have been moved; loads part gangs (vws.split). */
void gang_put(struct sm_view *v, u32 entry, u32 mask, u64 last);
void gangs_slot(struct sm_view *v, u32 context, bool has);
void gangs_begin(struct sm_view *v, u32 cta);
void gangs_forget(struct sm_view *v, u32 context);
void gangs_keep(struct sm_view *v);
void gang_perform(struct sm_view *v, u32 entry);
void gangs_moved(struct sm_view *v, u32 home);
void gangs_split(struct sm_view *v);
/* gangs_issue.c: gangs of the table, given by a slot of each, act one after the other; all their loads together take so
 * many entries of the table of loads, which operations that slices share on the way must leave them */
void gangs_act(struct sm_view *v, const u16 *lead, u32 n, u32 loads);
/* gangs_look.c: which gangs are ready or want a fetch. Of the ready slots: those of gangs that are ready as a whole,
 * and of others, which leave `ready`. Of `left`, slots of gangs that are whole and have not issued: those that were not
 * accepted, and those with mates that were not. What all these wait for is seen then, where parts wait for the rest of
 * their gangs. Lookups for gangs, at most so many, and of each slice at most `left` of it, which becomes less; how many
 * there were. The slots of all gangs. */
void gangs_look(struct sm_view *v, u64 *ready, u64 *whole, u64 *parts);
void gangs_stopped(struct sm_view *v, const u64 *left, u64 *stopped, u64 *mates);
void gangs_tell(struct sm_view *v, const u64 *left, const u64 *stopped, const u64 *mates, const u64 *parts);
u32 gangs_fetch(struct sm_view *v, u32 ports, u8 *left);
void gangs_slots(const struct sm_view *v, u64 *out);
/* gangs_sync.c: ready slots whose pieces wait where the sides of a branch meet (vws.sync) leave `ready` for `waits`. */
void gangs_sync(struct sm_view *v, u64 *ready, u64 *waits);
/* gangs_form.c: pieces of a warp become one gang (vws.reform), before a cycle's fetches. */
void gangs_reform(struct sm_view *v);
/* fetch.c: one lookup of the L1I for the slices of a gang. */
void fetch_gang(struct sm_view *v, u32 entry);

/* gangs_alike.c: slices whose slots hold the same. What slot_moved(), slot_woken(), slot_decoded() or slot_want() does to
 * the slot of the first is done to all, which then hold what it does. */
void gang_slots_follow(struct sm_view *v, u32 entry, void (*how)(struct sm_view *v, u32 context));
/* Do the slots of a gang's slices hold the same? It is asked when they issue; the entry of a slice's
 * gang of which it is known, NONE32: of none. */
bool gang_alike(struct sm_view *v, u32 entry);
static inline u32 alike_entry(const struct sm_view *v, u32 context)
{
	u32 home = context_home(v->m, context), slice = context & ((1u << v->m->home_shift) - 1);
	for (u32 left = v->alike[home]; left; left &= left - 1) {
		u32 e = home * GANG_ENTRIES + (u32)__builtin_ctz(left);
		if (v->gang[e].mask >> slice & 1)
			return e;
	}
	return NONE32;
}
/* The gang of a slice, NULL: it is alone. */
static inline struct gang *gang_of(const struct sm_view *v, u32 context)
{
	struct gang *g = &v->gang[context_home(v->m, context) * GANG_ENTRIES];
	u32 slice = context & ((1u << v->m->home_shift) - 1), k = 0;
	while (k < GANG_ENTRIES && !(g[k].mask >> slice & 1))
		k++;
	return k < GANG_ENTRIES ? &g[k] : NULL;
}
/* The first slice of a gang, a context. */
static inline u32 gang_first_slice(const struct sm_view *v, u32 entry)
{
	return (entry / GANG_ENTRIES << v->m->home_shift) + (u32)__builtin_ctz(v->gang[entry].mask);
}
/* Of no gang of a context's home it is known any more. */
static inline void unlike(struct sm_view *v, u32 context)
{
	v->alike[context_home(v->m, context)] = 0;
}

/* collect.c: what evenly.c does with the sub-cores of slices one by one. The oldest collector unit of a set; an
 * execution unit of a kind that takes an instruction now, NULL: none, and when it takes another; what can go from a
 * sub-core does. Constants of a gang go to all its slices' units. */
u32 collect_oldest(const struct collector *cu, u32 set);
struct unit *collect_unit(struct sm_view *v, const struct sub_view *part, u32 kind);
u64 collect_unit_again(const struct sm_view *v, const struct collector *cu);
void collect_dispatch(struct sm_view *v, const struct sub_view *part);
void collect_constants(struct sm_view *v, u32 memop);
/* evenly.c: sub-cores of slices that go on alike, of which the first alone is kept. That begins where it can, and ends:
 * the others hold again what they would. They have free collector units and ready ones as the first does, and what a
 * collector unit holds. A gang of all slices of a home takes a collector unit in each; its operands are asked of banks.
 * Stage collect but for what waits for the LSU, the slice that would be served first being given; a collector unit of
 * each is free. */
struct asking {
	struct collector unit;
	u32 n;	    /* operands that are asked of banks */
	u8 bank[8]; /* of each: its bank and request */
	struct bankq ask[8];
	u32 banks; /* as a bit set */
};
void evenly_begin(struct sm_view *v);
void evenly_spread(struct sm_view *v);
static inline void evenly_end(struct sm_view *v)
{
	if (__builtin_expect(v->even, 0))
		evenly_spread(v);
}
void evenly_show(struct sm_view *v);
void evenly_show_unit(struct sm_view *v, u32 index);
void evenly_release(struct sm_view *v, u32 index);
/* The sub-core of a slice, or one that stands for it. */
static inline const struct sub_view *view_part(const struct sm_view *v, u32 sub)
{
	return &v->part[v->even ? 0 : sub];
}
void evenly_take(struct sm_view *v, u32 first, const struct asking *a, bool lsu);
void evenly_collect(struct sm_view *v, u32 first);

#endif
