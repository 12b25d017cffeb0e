/*
 * gangs.h - slices of a warp together: the table of gangs, slots of their slices that hold the same, sub-cores that go
 * on alike. For src/core only.
 */
#ifndef WARPSTEP_GANGS_H
#define WARPSTEP_GANGS_H

#include "issue/issue.h"
#include "fetch/fetch.h"
#include "state/slices.h"

/* gangs.c: the table of gangs (where policy_gangs is set). An entry changes; the gang of a context issues; slices of a
 * parent warp have been moved; loads part gangs (vws.split). */
void gang_put(struct sm_view *v, u32 entry, u32 mask, u64 last);
void gang_perform(struct sm_view *v, u32 entry);
void gangs_moved(struct sm_view *v, u32 parent);
void gangs_split(struct sm_view *v);
/* Stages of slices: gang.c, gangs_fetch.c, gangs_collect.c (slices.h). */
u32 gangs_issue(struct sm_view *v, u64 *ready);
void gangs_decode(struct sm_view *v);
void gangs_fetch(struct sm_view *v);
void gangs_collect(struct sm_view *v);
/* Constants that several slices share go to the units of all; false: they are one slice's own. */
bool gangs_constants(struct sm_view *v, u32 memop);
/* gangs_issue.c: gangs of the table, where each slice has one scheduler; gangs of the table, given by a slot of each,
 * act one after the other; all their loads together take so many entries of the table of loads, which operations that
 * slices share on the way must leave them */
u32 gangs_issue_sliced(struct sm_view *v, u64 *ready);
void gangs_act(struct sm_view *v, const u16 *lead, u32 n, u32 loads);
/* gangs_look.c: which gangs are ready. Of the ready slots: those of gangs that are ready as a whole,
 * and of others, which leave `ready`. Of `left`, slots of gangs that are whole and have not issued: those that were not
 * accepted, and those with mates that were not. What all these wait for is seen then, where parts wait for the rest of
 * their gangs. */
void gangs_look(struct sm_view *v, u64 *ready, u64 *whole, u64 *parts);
void gangs_stopped(struct sm_view *v, const u64 *left, u64 *stopped, u64 *mates);
void gangs_tell(struct sm_view *v, const u64 *left, const u64 *stopped, const u64 *mates, const u64 *parts);
/* gangs_sync.c: ready slots whose pieces wait where the sides of a branch meet (vws.sync) leave `ready` for `waits`. */
void gangs_sync(struct sm_view *v, u64 *ready, u64 *waits);
/* gangs_form.c: pieces of a warp become one gang (vws.reform), before a cycle's fetches. */
void gangs_reform(struct sm_view *v);

/* gangs_one_slot.c: gangs with one slot: that of the first slice holds what all others would, which are not kept. It is
 * found when a gang issues whether they hold the same, and they have one then; from now on every slice of a context's
 * parent warp has its own. What slot_moved(), slot_woken(), slot_decoded() or slot_want() does to the one slot is done
 * to all. The entry of a slice's gang that has one slot, NONE32: none. */
bool one_slot_join(struct sm_view *v, u32 entry);
void one_slot_part(struct sm_view *v, u32 context);
void one_slot_follow(struct sm_view *v, u32 entry, void (*how)(struct sm_view *v, u32 context));
static inline u32 one_slot_entry(const struct sm_view *v, u32 context)
{
	u32 parent = context_parent(v->m, context), slice = context & ((1u << v->m->parent_shift) - 1);
	for (u32 left = v->one_slot[parent]; left; left &= left - 1) {
		u32 e = parent * GANG_ENTRIES + (u32)__builtin_ctz(left);
		if (v->gang[e].mask >> slice & 1)
			return e;
	}
	return NONE32;
}
/* The gang of a slice, NULL: it is alone. */
static inline struct gang *gang_of(const struct sm_view *v, u32 context)
{
	struct gang *g = &v->gang[context_parent(v->m, context) * GANG_ENTRIES];
	u32 slice = context & ((1u << v->m->parent_shift) - 1), k = 0;
	while (k < GANG_ENTRIES && !(g[k].mask >> slice & 1))
		k++;
	return k < GANG_ENTRIES ? &g[k] : NULL;
}
/* The first slice of a gang, a context. */
static inline u32 gang_first_slice(const struct sm_view *v, u32 entry)
{
	return (entry / GANG_ENTRIES << v->m->parent_shift) + (u32)__builtin_ctz(v->gang[entry].mask);
}
/* A result of some slices of a parent warp is there (slices.h). */
void gangs_write_back(struct sm_view *v, const struct result *r);
/* A run in which nothing but the SM's stages changes it begins, or ends. */
void gangs_steady(struct sm_view *v, bool on);
/* perform_gang.c: the slices of a gang issue their instruction, performed for all lanes at once; one: they have one
 * slot. NOT: each is to perform it for itself, nothing is done. WHOLE: all have gone on to the next instruction. */
enum together { TOGETHER_NOT, TOGETHER_DONE, TOGETHER_WHOLE };
enum together perform_gang(struct sm_view *v, u32 entry, bool one);

/* slice_sharing.c: memory operations that slices share (slices.h). Slices of a parent warp, as `mask`, issue a memory
 * instruction together: the operation that they share from the beginning, as if one after the other had joined it;
 * NONE16: they cannot, or another is open that they may join. Have all collector units of an operation their operands?
 */
u32 slice_sharing_begin(struct sm_view *v, u32 first, u32 mask, u32 pc, const struct inst *in,
			const struct front_result *r);
bool slice_sharing_ready(const struct sm_view *v, const struct memop *op);
u32 slice_sharing_join(struct sm_view *v, u32 memop, const struct inst *in, const struct front_result *r);
u32 slice_sharing_constants(struct sm_view *v, u32 context, const struct inst *in, const struct front_result *r);
void slice_sharing_shared(struct sm_view *v, const struct memop *op, u32 cycles);
void slice_sharing_finish(struct sm_view *v, const struct memop *op);
void slice_sharing_arrived(struct sm_view *v, u32 first, u32 mates);
void slice_sharing_acknowledged(struct sm_view *v, u32 first, u32 mates);
void slice_sharing_missed(struct sm_view *v, u32 first, u32 mates);
bool slice_sharing_forget(struct sm_view *v, struct memop *op, u32 sub);

/* lockstep.c: sub-cores of slices that go on alike, of which the first alone is kept. That begins where it can, and
 * ends: the others hold again what they would. They have free collector units and ready ones as the first does, and
 * what a collector unit holds; it is free. A gang of all slices of a parent warp takes a collector unit in each. Stage
 * collect but for what waits for the LSU, the slice that would be served first being given. */
void lockstep_begin(struct sm_view *v);
void lockstep_end(struct sm_view *v);
void lockstep_show(struct sm_view *v);
void lockstep_show_unit(struct sm_view *v, u32 index);
void lockstep_release(struct sm_view *v, u32 index);
void lockstep_take(struct sm_view *v, u32 first, u32 pc, const struct inst *in, u32 memop);
void lockstep_collect(struct sm_view *v, u32 first);

#endif
