/*
 * mascar.c - memory-aware hold: while the memory system is full only one warp, the owner, issues memory instructions,
 * so that one after the other gets all of its loads instead of all some of theirs.
 *
 * Full means that something waits in a re-execution queue or that every MSHR of the L1D is in use; without a queue
 * (lsu.reexec off) nothing is held. The owner is the oldest warp whose next instruction is one of global or local
 * memory. It is so until its next instruction waits for a load, it ends or gives its slot away, or the memory system is
 * full no more. All schedulers of an SM have one owner. Source: Sethia, Jamshidi, Mahlke, "Mascar", HPCA 2015, as the
 * comparator of Yoon et al., "Virtual Thread", ISCA 2016.
 *
 * What the original does besides are settings. mascar.hits: others may issue loads, which are served if the L1D has
 * the line or if it is on its way, and else wait in the queue, whatever room there is: none is sent to the L2 but the
 * owner's. Then, as long as loads wait in the queue, the owner is the oldest that has one there, until it has left:
 * what nobody lets go would keep the memory system full for ever. mascar.first: as long as memory is not full those
 * whose next instruction is one of memory go first, and while it is, all others before these, and of these the owner.
 */
#include "policy_mascar.h"

#define MASCAR_FIELDS(F, A) \
	F(u32, owner, "owner: warp number + 1 (0 = none)") \
	F(u32, generation, "generation of the owner's warp number")
OWN_STRUCT(mascar, MASCAR_FIELDS)

static const struct mascar *mascar_own_of(const struct sched_view *v)
{
	return scheme_own(v->m, SCHEME_mascar, v->sm_id);
}

u32 mascar_owner(const struct machine *m, u32 sm)
{
	const struct mascar *own = scheme_own(m, SCHEME_mascar, sm);
	return own->owner ? own->owner - 1 : NONE32;
}

/* Is the memory system full? */
static bool mascar_full(const struct sched_view *v)
{
	const struct config *c = &v->m->config;
	return c->lsu_reexec && (v->sm->reexec_count || v->sm->reexec_inactive || v->sm->mshrs_used >= c->l1d_mshrs);
}

/* Is the next instruction of a slot, in whose buffer there is one, of global or local memory? A load? */
static u32 mascar_next_class(const struct sched_view *v, u32 slot)
{
	return v->slot[slot].buffered ? slot_inst(v, slot)->class : CLASS_CONTROL;
}
static bool mascar_wants_memory(const struct sched_view *v, u32 slot)
{
	u32 class = mascar_next_class(v, slot);
	return class == CLASS_LOAD || class == CLASS_STORE || class == CLASS_ATOMIC;
}

/* Has a warp a load in the re-execution queue? */
static bool mascar_waits_aside(const struct sched_view *v, u32 context, u32 generation)
{
	for (u32 i = 0; i < v->sm->reexec_count; i++) {
		const struct memop *op = &v->memop[v->reexec[i].memop];
		if (op->context == context && op->generation == generation && op->class == CLASS_LOAD)
			return true;
	}
	return false;
}

/* The older of two slots, of which one may be NONE32. */
static u32 mascar_older(const struct sched_view *v, u32 a, u32 b)
{
	if (a == NONE32 || b == NONE32)
		return a == NONE32 ? b : a;
	return slot_age(v, a) < slot_age(v, b) ? a : b;
}

/* The slot of the oldest warp that waits for nothing but its turn at a memory instruction; NONE32: none. */
static u32 mascar_oldest_of_memory(const struct sched_view *v)
{
	u32 best = NONE32;
	SET_EACH (i, &v->sm->set[SET_READY * v->m->words], v->m->words)
		if (mascar_wants_memory(v, i))
			best = mascar_older(v, best, i);
	return best;
}

/* The slot of the oldest warp that has a load in the queue; NONE32: none. */
static u32 mascar_oldest_aside(const struct sched_view *v)
{
	u32 best = NONE32;
	for (u32 i = 0; i < v->sm->reexec_count; i++) {
		const struct memop *op = &v->memop[v->reexec[i].memop];
		const struct warp *w = &v->warp[op->context];
		if (op->class == CLASS_LOAD && w->generation == op->generation && w->slot != NONE16)
			best = mascar_older(v, best, w->slot);
	}
	return best;
}

/* Is it still the owner's turn? */
static bool mascar_keeps(const struct sched_view *v, const struct mascar *own)
{
	const struct warp *w = &v->warp[own->owner - 1];
	if (!own->owner || w->generation != own->generation || w->cta == NONE16 || w->slot == NONE16)
		return false;
	if (v->m->config.mascar_hits && mascar_oldest_aside(v) != NONE32)
		return mascar_waits_aside(v, own->owner - 1, own->generation);
	return w->depth && v->slot[w->slot].set != SET_LONG;
}

/* Whose turn it is next. */
static u32 mascar_next_owner(const struct sched_view *v)
{
	u32 aside = v->m->config.mascar_hits ? mascar_oldest_aside(v) : NONE32;
	return aside != NONE32 ? aside : mascar_oldest_of_memory(v);
}

/* Before the schedulers choose: whose turn it is. */
static void mascar_on_notice(const struct sched_view *v, const struct notice *n UNUSED, void *bytes)
{
	struct mascar *own = bytes;
	u32 slot;
	if (mascar_full(v) && mascar_keeps(v, own))
		return;
	*own = (struct mascar){0};
	slot = mascar_full(v) ? mascar_next_owner(v) : NONE32;
	if (slot != NONE32)
		*own = (struct mascar){v->slot[slot].context + 1u, v->warp[v->slot[slot].context].generation};
}

static void mascar_hold(const struct sched_view *v, u64 *ready)
{
	const struct mascar *own = mascar_own_of(v);
	bool hits = v->m->config.mascar_hits;
	if (!mascar_full(v))
		return;
	SET_EACH (i, ready, v->m->words)
		if (mascar_wants_memory(v, i) && v->slot[i].context + 1u != own->owner &&
		    !(hits && mascar_next_class(v, i) == CLASS_LOAD))
			SET_DEL(ready, i);
}

/* Slot l1d.miss: what nobody waits for any more, and what has no slot to be the owner with, goes. */
static bool mascar_miss(const struct sched_view *v, u32 context)
{
	const struct mascar *own = mascar_own_of(v);
	return !v->m->config.mascar_hits || !mascar_full(v) || !own->owner || context + 1 == own->owner ||
	       v->warp[context].slot == NONE16;
}

/* Leave those of the candidates that want memory, or the others, if there are any. */
static bool mascar_narrow(const struct sched_view *v, u64 *candidates, bool memory)
{
	u64 left[SLOT_WORDS] = {0};
	SET_EACH (i, candidates, v->m->words)
		if (mascar_wants_memory(v, i) == memory)
			SET_ADD(left, i);
	if (set_first(left, v->m->words) == NONE32)
		return false;
	for (u32 w = 0; w < v->m->words; w++)
		candidates[w] = left[w];
	return true;
}

static void mascar_rank(const struct sched_view *v, u64 *candidates)
{
	const struct mascar *own = mascar_own_of(v);
	u32 slot = own->owner ? v->warp[own->owner - 1].slot : NONE16;
	if (!v->m->config.mascar_first || !v->m->config.lsu_reexec || mascar_narrow(v, candidates, !mascar_full(v)) ||
	    !mascar_full(v))
		return;
	if (slot == NONE16 || !SET_HAS(candidates, slot))
		return;
	for (u32 w = 0; w < v->m->words; w++)
		candidates[w] = w == slot / 64 ? 1ULL << slot % 64 : 0;
}

static const char *mascar_idle(const struct config *c)
{
	return c->lsu_reexec ? NULL
			     : "lsu.reexec is off, and the policy needs the re-execution queue (`set lsu.reexec car`)";
}

const struct scheme scheme_mascar = {
	.name = "mascar",
	.paper = "Sethia, Jamshidi, Mahlke, \"Mascar\", HPCA 2015",
	.doc = "memory-aware scheduling: while the memory system is saturated only one warp of an SM, the owner, issues memory instructions (with lsu.reexec car)",
	.neutral = "lsu.reexec off",
	.idle = mascar_idle,
	.decide.hold = mascar_hold,
	.decide.rank = mascar_rank,
	.decide.l1d_miss = mascar_miss,
	.on_notice = mascar_on_notice,
	.subscribes = 1ULL << NOTICE_CHOOSE,
	.sm_local = true,
	.own = {OWN(mascar, "mascar", IN_SM, NULL)},
};
