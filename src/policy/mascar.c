/*
 * mascar.c - memory-aware hold: while the memory system is full only one warp, the owner, issues memory instructions,
 * so that one after the other gets all of its loads instead of all some of theirs.
 *
 * Full means that something waits in a re-execution queue or that every MSHR of the L1D is in use; without a queue
 * (lsu.reexec off) nothing is held. The owner is the oldest warp whose next instruction is one of global or local
 * memory. It is so until its next instruction waits for a load, it ends or gives its slot away, or the memory system is
 * full no more. All schedulers of an SM have one owner. Source: Sethia, Jamshidi, Mahlke, "Mascar", HPCA 2015, as the
 * comparator of Yoon et al., "Virtual Thread", ISCA 2016. Deviation: what the others may not issue here, the original
 * issues and serves if it hits the L1D.
 */
#include "policy.h"

#define MASCAR_FIELDS(F, A) \
	F(u32, owner, "context of the owner, and 1 more; 0: none") \
	F(u32, generation, "of it")
OWN_STRUCT(mascar, MASCAR_FIELDS)

/* Is the memory system full? */
static bool full(const struct sched_view *v)
{
	const struct config *c = &v->m->config;
	return v->m->section[SECTION_REEXEC].count &&
	       (v->sm->reexec_count || v->sm->reexec_inactive || v->sm->mshrs_used >= c->l1d_mshrs);
}

/* Is the next instruction of a slot, in whose buffer there is one, of global or local memory? */
static bool wants_memory(const struct sched_view *v, u32 slot)
{
	const struct slot *s = &v->slot[slot];
	u32 class = v->kernel[v->warp[s->context].launch]->inst[s->pc].class;
	return s->buffered && (class == CLASS_LOAD || class == CLASS_STORE || class == CLASS_ATOMIC);
}

/* Is it still the owner's turn? */
static bool keeps(const struct sched_view *v, const struct mascar *own)
{
	const struct warp *w = &v->warp[own->owner - 1];
	return own->owner && w->generation == own->generation && w->cta != NONE16 && w->slot != NONE16 && w->depth &&
	       v->slot[w->slot].set != SET_LONG;
}

/* The slot of the oldest warp that waits for nothing but its turn at a memory instruction; NONE32: none. */
static u32 oldest_of_memory(const struct sched_view *v)
{
	u32 best = NONE32;
	SET_EACH (i, &v->sm->set[SET_READY * v->m->words], v->m->words)
		if (wants_memory(v, i) &&
		    (best == NONE32 || v->warp[v->slot[i].context].age < v->warp[v->slot[best].context].age))
			best = i;
	return best;
}

/* Before the schedulers choose: whose turn it is. */
static void told(const struct sched_view *v, const struct notice *n UNUSED, void *bytes)
{
	struct mascar *own = bytes;
	u32 slot;
	if (full(v) && keeps(v, own))
		return;
	*own = (struct mascar){0};
	slot = full(v) ? oldest_of_memory(v) : NONE32;
	if (slot != NONE32)
		*own = (struct mascar){v->slot[slot].context + 1u, v->warp[v->slot[slot].context].generation};
}

static void hold(const struct sched_view *v, u64 *ready)
{
	const struct mascar *own = scheme_own(v->m, SCHEME_mascar, v->sm_id);
	if (!full(v))
		return;
	SET_EACH (i, ready, v->m->words)
		if (wants_memory(v, i) && v->slot[i].context + 1u != own->owner)
			SET_DEL(ready, i);
}

const struct scheme scheme_mascar = {
	.name = "mascar",
	.paper = "Sethia, Jamshidi, Mahlke, HPCA 2015",
	.doc = "while the memory system is full only one warp issues memory instructions; it wants lsu.reexec car",
	.neutral = "lsu.reexec off",
	.hold = hold,
	.told = told,
	.hears = 1ULL << NOTICE_CHOOSE,
	.steady = true,
	.own = {OWN(mascar, "mascar", IN_SM, NULL)},
};
