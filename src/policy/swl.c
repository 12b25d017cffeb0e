/*
 * swl.c - static wavefront limiting: of the warps of an SM that have not ended only the swl.limit oldest may issue,
 * greedy then oldest (Rogers, O'Connor, Aamodt, MICRO 2012).
 *
 * While the youngest of these waits at a barrier the limit is lifted, so that the others of its CTA can arrive. Age is
 * the order of admission to the SM; where CTAs are swapped, warps with slots count.
 */
#include "policy_age.h"
#include "policy_swl.h"

/* The slots of warps that had not ended when the schedulers began to choose: what one of them does shows in the next
 * cycle. */
static inline u64 unended(const struct sched_view *v, u32 word)
{
	u64 set = 0;
	for (u32 s = SET_DONE; s <= SET_READY; s++)
		set |= v->sm->set[s * v->m->words + word];
	return set & ~v->sm->seen[WARP_DONE * v->m->words + word];
}

u32 swl_older(const struct sched_view *v, u32 slot)
{
	u64 age = v->warp[v->slot[slot].context].age;
	u32 n = 0;
	for (u32 w = 0; w < v->m->words; w++)
		for (u64 set = unended(v, w); set; set &= set - 1)
			n += v->warp[v->slot[w * 64 + (u32)__builtin_ctzll(set)].context].age < age;
	return n;
}

bool swl_lifted(const struct sched_view *v)
{
	SET_EACH (i, &v->sm->seen[WARP_BARRIER * v->m->words], v->m->words)
		if (swl_older(v, i) + 1 == v->m->config.swl_limit)
			return true;
	return false;
}

static void hold(const struct sched_view *v, u64 *ready)
{
	u32 limit = v->m->config.swl_limit, n = 0;
	for (u32 w = 0; w < v->m->words; w++)
		n += (u32)__builtin_popcountll(unended(v, w));
	if (!limit || n <= limit || swl_lifted(v))
		return;
	SET_EACH (i, ready, v->m->words)
		if (swl_older(v, i) >= limit)
			SET_DEL(ready, i);
}

static const char *idle(const struct config *c)
{
	return c->swl_limit ? NULL : "swl.limit is 0: every warp may issue";
}

const struct scheme scheme_swl = {
	.name = "swl",
	.paper = "Rogers, O'Connor, Aamodt, MICRO 2012",
	.doc = "static wavefront limiting: only the swl.limit oldest warps of an SM issue; greedy then oldest",
	.neutral = "swl.limit 0",
	.equals = {[POLICY_order] = "gto"},
	.idle = idle,
	.hold = hold,
	.order = greedy_slot,
	.score = greedy_score,
	.steady = true,
};
