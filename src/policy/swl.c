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
static inline u64 swl_unended(const struct sched_view *v, u32 word)
{
	u64 set = 0;
	for (u32 s = SET_DONE; s <= SET_READY; s++)
		set |= v->sm->set[s * v->m->words + word];
	return set & ~v->sm->seen[WARP_DONE * v->m->words + word];
}

u32 swl_older(const struct sched_view *v, u32 slot)
{
	u64 age = slot_age(v, slot);
	u32 n = 0;
	for (u32 w = 0; w < v->m->words; w++)
		for (u64 set = swl_unended(v, w); set; set &= set - 1)
			n += slot_age(v, w * 64 + (u32)__builtin_ctzll(set)) < age;
	return n;
}

/* The slot of the youngest warp of those that may issue: the limit-th oldest; NONE32: there are fewer. */
static u32 swl_last_allowed(const struct sched_view *v, u32 limit)
{
	u16 best[SLOT_WORDS * 64];
	u64 age[SLOT_WORDS * 64];
	u32 n = 0;
	for (u32 w = 0; w < v->m->words; w++)
		for (u64 set = swl_unended(v, w); set; set &= set - 1) {
			u32 slot = w * 64 + (u32)__builtin_ctzll(set), at;
			u64 a = slot_age(v, slot);
			if (n == limit && a > age[n - 1])
				continue;
			n += n < limit;
			for (at = n - 1; at && age[at - 1] > a; at--) {
				age[at] = age[at - 1];
				best[at] = best[at - 1];
			}
			age[at] = a;
			best[at] = (u16)slot;
		}
	/* cppcheck-suppress uninitvar ; the first n are there, and the limit is not 0 */
	return n < limit ? NONE32 : best[n - 1];
}

bool swl_lifted(const struct sched_view *v)
{
	u32 last = v->m->config.swl_limit ? swl_last_allowed(v, v->m->config.swl_limit) : NONE32;
	return last == NONE32 || SET_HAS(&v->sm->seen[WARP_BARRIER * v->m->words], last);
}

static void swl_hold(const struct sched_view *v, u64 *ready)
{
	u32 limit = v->m->config.swl_limit, last = limit ? swl_last_allowed(v, limit) : NONE32;
	if (last == NONE32 || SET_HAS(&v->sm->seen[WARP_BARRIER * v->m->words], last))
		return;
	SET_EACH (i, ready, v->m->words)
		if (slot_age(v, i) > slot_age(v, last))
			SET_DEL(ready, i);
}

static const char *swl_idle(const struct config *c)
{
	return c->swl_limit ? NULL : "swl.limit is 0, so that every warp may issue";
}

const struct scheme scheme_swl = {
	.name = "swl",
	.paper = "Rogers, O'Connor, Aamodt, \"Cache-Conscious Wavefront Scheduling\", MICRO 2012",
	.doc = "static wavefront limiting: only the swl.limit oldest warps of an SM issue, greedy then oldest",
	.neutral = "swl.limit 0",
	.equals = {[POLICY_order] = "gto"},
	.idle = swl_idle,
	.decide.hold = swl_hold,
	.decide.order = greedy_slot,
	.score = greedy_score,
	.sm_local = true,
};
