/*
 * lrr.c - loose round robin: the next ready slot after the one that issued last. Also the baseline's fetch order.
 *
 * Source: the baseline scheduler of Yoon et al., "Virtual Thread", ISCA 2016, section IV.
 */
#include "policy.h"

static u32 lrr_order(const struct sched_view *v, const u64 *candidates)
{
	u32 last = v->sched->last;
	return set_next(candidates, v->m->words, last == NONE16 ? 0 : last + 1u);
}

/* Slots from the one after the last issue on: the next goes first. */
static u32 lrr_score(const struct sched_view *v, u32 slot, struct score *out)
{
	u32 n = v->m->words * 64, last = v->sched->last;
	*out = (struct score){"distance", (slot + n - (last == NONE16 ? 0 : last + 1u)) % n};
	return 1;
}

static u32 lrr_fetch(const struct sched_view *v, const u64 *want)
{
	u32 last = v->sub->fetch_last;
	return set_next(want, v->m->words, last == NONE16 ? 0 : last + 1u);
}

const struct scheme scheme_lrr = {
	.name = "lrr",
	.paper = "Yoon, Kim, Lee, Ro, Annavaram, \"Virtual Thread\", ISCA 2016 (baseline)",
	.doc = "loose round robin: the next ready warp slot after the one that issued last, or (hook fetch) was fetched for last",
	.decide.order = lrr_order,
	.score = lrr_score,
	.decide.fetch = lrr_fetch,
};
