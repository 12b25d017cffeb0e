/*
 * vt.c - Virtual Thread: CTAs come up to the capacity limit and run up to the scheduling limit; one all of whose warps
 * wait for memory gives its warp slots to one that is ready.
 *
 * First ready, first served; of several CTAs that wait, the one whose last instruction issued first goes out. A wait
 * is long if the L1D has missed or refused the load (vt.stall miss), or whatever answers it (any). With vt.virtual 0
 * no more CTAs come than have slots; those that are there without are still let in. Source: Yoon, Kim, Lee, Ro,
 * Annavaram, "Virtual Thread", ISCA 2016, section IV.A.
 *
 * Deviation: there a CTA is marked when its counter of warps that are stalled on memory reaches W, all its warps. Here
 * it may go below W: a warp at a barrier or fence counts beside one that is stalled, as it can only wait for that one,
 * and a warp that has ended does not count at all; read to the letter, a CTA in which a warp has ended, or one waits
 * for another at a barrier, would keep its slots however long it waits.
 */
#include "policy_swap.h"

/* Every CTA for which an SM has room elsewhere finds warp slots, a CTA slot and threads, too. */
static const char *vt_idle(const struct config *c)
{
	if (config_contexts(c) > config_slots(c) || config_contexts(c) * config_lanes(c) > config_threads(c) ||
	    config_residents(c) > config_active(c))
		return NULL;
	return c->sm_unlimited
		       ? "sm.unlimited is on, so that every dispatched CTA has warp slots"
		       : "no CTA fits beyond the warp slots, CTA slots and threads (raise sm.contexts above sm.warps "
			 "or sm.threads / 32, or sm.residents above sm.ctas)";
}

static u32 vt_beyond(const struct sched_view *v, u32 launch UNUSED)
{
	return vt_idle(&v->m->config) ? 0 : v->m->config.vt_virtual;
}

/* Cycle in which a CTA issued last, plus one; 0: it has issued nothing since it got its slots. */
static inline u64 vt_last_issue(const struct sched_view *v, u32 cta)
{
	u64 last = 0;
	SET_EACH (i, v->cta_slots[cta].slots, v->m->words)
		last = max_u64(last, v->slot[i].since);
	return last;
}

/* The CTA that has been ready longest of those that can have the slots of another; NONE32: none. */
static u32 vt_first_ready(const struct sched_view *v, u32 out)
{
	u32 best = NONE32;
	for (u64 left = v->sm->ready; left; left &= left - 1) {
		u32 i = (u32)__builtin_ctzll(left);
		if ((best == NONE32 || v->cta[i].ready < v->cta[best].ready) && cta_takes_slots(v, out, i))
			best = i;
	}
	return best;
}

/* The active CTAs that are to go when somebody can take their slots, as a bit set of places. */
static inline __attribute__((always_inline)) u64 vt_marked(const struct sched_view *v, u32 words)
{
	u64 active = active_places(v->m, v->sm), set = 0;
	struct slots_waiting w;
	if (!slots_wait(v, words, v->m->config.vt_stall == 0, &w))
		return 0;
	for (; active; active &= active - 1) {
		u32 i = (u32)__builtin_ctzll(active);
		if (cta_waits(v, words, i, &w) && cta_may_go(v, i))
			set |= 1ULL << i;
	}
	return set;
}

/* Of some CTAs, the one whose last instruction issued first. */
static u32 vt_first_stalled(const struct sched_view *v, u64 set)
{
	u32 best = (u32)__builtin_ctzll(set);
	u64 least = vt_last_issue(v, best);
	for (set &= set - 1; set; set &= set - 1) {
		u64 last = vt_last_issue(v, (u32)__builtin_ctzll(set));
		if (last >= least)
			continue;
		least = last;
		best = (u32)__builtin_ctzll(set);
	}
	return best;
}

/* Of some CTAs that are to go, the first for which another is ready, and that other. */
static struct swap __attribute__((noinline)) vt_best_of(const struct sched_view *v, u64 left)
{
	while (left) {
		u32 out = vt_first_stalled(v, left), in = vt_first_ready(v, out);
		if (in != NONE32)
			return (struct swap){out, in};
		left &= ~(1ULL << out);
	}
	return (struct swap){NONE32, NONE32};
}

static struct swap vt_swap(const struct sched_view *v)
{
	u64 left = 0;
	if (v->m->config.vt_virtual)
		left = v->m->words == 1 ? vt_marked(v, 1) : vt_marked(v, v->m->words);
	return left ? vt_best_of(v, left) : (struct swap){NONE32, NONE32};
}

const struct scheme scheme_vt = {
	.name = "vt",
	.paper = "Yoon, Kim, Lee, Ro, Annavaram, \"Virtual Thread\", ISCA 2016",
	.doc = "Virtual Thread: CTAs are dispatched beyond the warp slots, as inactive ones; an active CTA that waits for memory is swapped out for a ready one",
	.neutral = "vt.virtual 0",
	.idle = vt_idle,
	.decide.cta_virtual = vt_beyond,
	.decide.cta_swap = vt_swap,
	.sm_local = true,
};
