/*
 * twoway.c - two-way allocation: of the two kernels of an SM one takes registers and shared memory from the low end,
 * the other from the high end, so that what is free lies in one piece between them.
 *
 * The kernel that comes first to an SM grows from the low end; the one that comes while another is there takes the end
 * that is free. A kernel keeps its end as long as it has CTAs in the SM. It fills holes that its own CTAs have left
 * first, and never those of the other. A third kernel waits. CTAs make room in the reverse order: first those that
 * border on what is free, whatever they cost. The other kernel does not wait until all have gone: what they release
 * "adjacent to the free space [...] will allow the other kernel to start allocating". Source: Park, University of
 * Michigan, 2016, section 5.4.2.
 */
#include "policy.h"

#define TWOWAY_FIELDS(F, A) \
	F(u32, low, "launch whose CTAs are allocated from the low end, + 1 (0 = none)") \
	F(u32, high, "launch whose CTAs are allocated from the high end, + 1 (0 = none)")
OWN_STRUCT(twoway, TWOWAY_FIELDS)

/* CTAs of a launch in an SM, but for one; or (other) those of all other launches. */
static u32 twoway_residents(const struct sched_view *v, u32 launch, u32 but, bool other)
{
	u32 n = 0;
	for (u32 i = 0; i < v->m->residents; i++)
		n += i != but && v->cta[i].launch != NONE16 && (v->cta[i].launch == launch) != other;
	return n;
}

/* Which end is a launch's, if a CTA of it comes: 0 low, 1 high, NONE32 neither. */
static u32 twoway_end_of(const struct sched_view *v, const struct twoway *own, u32 launch)
{
	if (own->low == launch + 1 || own->high == launch + 1)
		return own->high == launch + 1;
	if (own->low && own->high)
		return NONE32;
	if (own->low || own->high)
		return own->low != 0;
	return twoway_residents(v, launch, NONE32, true) > 0;
}

/* The units of a ground that the other launches take lie in [*first, *end); both 0: nowhere. */
static void twoway_others(const struct sched_view *v, const struct ground *g, u32 launch, u32 *first, u32 *end)
{
	bool shared = g->sub == NONE32;
	const struct stretch *s = sm_stretches(v->m, v->sm_id, shared);
	u32 n = shared ? v->m->residents : v->m->contexts, step = shared ? 1 : v->m->config.sm_subcores;
	*first = *end = 0;
	for (u32 i = shared ? 0 : g->sub; i < n; i += step) {
		u32 owner = shared ? v->cta[i].launch : v->warp[i].launch, from = s[i].first / g->unit;
		bool free = shared ? owner == NONE16 : SET_HAS(v->sm->free_contexts, i);
		if (!s[i].count || free || owner == launch)
			continue;
		*first = *end ? min_u32(*first, from) : from;
		*end = max_u32(*end, from + s[i].count / g->unit);
	}
}

static u32 twoway_allocate(const struct sched_view *v, const struct ground *g, u32 launch, u32 n)
{
	u32 end = twoway_end_of(v, scheme_own(v->m, SCHEME_twoway, v->sm_id), launch), from, to, at;
	if (end == NONE32)
		return NONE32;
	twoway_others(v, g, launch, &from, &to);
	at = end ? ground_highest(g, n) : ground_lowest(g, n);
	if (at == NONE32 || !to)
		return at;
	return end ? (at >= to ? at : NONE32) : (at + n <= from ? at : NONE32);
}

/* How far from the low end of its ground a CTA reaches: its shared memory if it has any, else the registers of the
 * warp that reaches farthest. `low`: how near it comes. */
static u32 twoway_reach(const struct sched_view *v, u32 place, bool low)
{
	const struct stretch *shared = sm_stretches(v->m, v->sm_id, true), *file = sm_stretches(v->m, v->sm_id, false);
	u32 least = NONE32, most = 0;
	if (shared[place].count)
		return low ? shared[place].first : shared[place].first + shared[place].count;
	SET_EACH (i, v->cta[place].contexts, CONTEXT_WORDS) {
		least = min_u32(least, file[i].first);
		most = max_u32(most, file[i].first + file[i].count);
	}
	return low ? least : most;
}

/* Of some CTAs of one launch, the one that borders on what is free. */
static u32 twoway_outermost(const struct sched_view *v, u64 ctas)
{
	const struct twoway *own = scheme_own(v->m, SCHEME_twoway, v->sm_id);
	u32 best = (u32)__builtin_ctzll(ctas);
	bool high = twoway_end_of(v, own, v->cta[best].launch) == 1;
	for (u64 left = ctas & (ctas - 1); left; left &= left - 1) {
		u32 i = (u32)__builtin_ctzll(left), a = twoway_reach(v, i, high), b = twoway_reach(v, best, high);
		if (high ? a < b : a > b)
			best = i;
	}
	return best;
}

static void twoway_on_notice(const struct sched_view *v, const struct notice *n, void *bytes)
{
	struct twoway *own = bytes;
	u32 launch = v->cta[n->cta].launch, end = twoway_end_of(v, own, launch);
	if (n->kind == NOTICE_ADMIT && end != NONE32)
		*(end ? &own->high : &own->low) = launch + 1;
	if (n->kind != NOTICE_LEAVE || twoway_residents(v, launch, n->cta, false))
		return;
	own->low = own->low == launch + 1 ? 0 : own->low;
	own->high = own->high == launch + 1 ? 0 : own->high;
}

const struct scheme scheme_twoway = {
	.name = "twoway",
	.paper =
		"Park, Park, Mahlke, \"Dynamic Resource Management for Efficient Utilization of Multitasking GPUs\", ASPLOS 2017; thesis, 2016, chapter V",
	.doc = "two-way allocation: the two kernels of an SM take registers and shared memory from opposite ends, and are preempted in reverse order",
	.decide.allocate = twoway_allocate,
	.outermost = twoway_outermost,
	.sm_local = true,
	.on_notice = twoway_on_notice,
	.subscribes = 1ULL << NOTICE_ADMIT | 1ULL << NOTICE_LEAVE,
	.own = {OWN(twoway, "twoway", IN_SM, NULL)},
};
