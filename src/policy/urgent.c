/*
 * urgent.c - what another kernel waits for goes first: the warps of the boundary CTA of a kernel of which no CTA is to
 * come, where CTAs of another are.
 *
 * Registers and shared memory of a kernel that is near its end are of use to another only when they are given back at
 * its boundary: by the CTA that is outermost where slot allocate knows of one, else by the one that came last. CTAs
 * that drain go before all others in any case (core's preempt.c). Source: Park, University of Michigan, 2016,
 * section 5.4.3.
 */
#include "policy_kernels.h"

#include "policy_multi.h"

u32 boundary_cta(const struct sched_view *v, u32 launch)
{
	const struct scheme *allocator = policy_one(v->m, POLICY_allocate);
	struct ctas_view all = ctas_of_sched(v);
	u64 ctas = ctas_of_launch(&all, launch);
	u32 last = NONE32;
	if (ctas && allocator && allocator->outermost)
		return allocator->outermost(v, ctas);
	for (; ctas; ctas &= ctas - 1) {
		u32 i = (u32)__builtin_ctzll(ctas);
		if (last == NONE32 || v->cta[i].started > v->cta[last].started)
			last = i;
	}
	return last;
}

bool launch_urgent(const struct sched_view *v, u32 launch)
{
	return !launch_waits(&v->run[launch], &v->launch[launch]) && others_wait(v, launch);
}

/* The slots of urgent CTAs. */
static void urgent_find_urgent(const struct sched_view *v, u64 *slots)
{
	for (u32 i = 0; i < v->m->residents; i++) {
		u32 launch = v->cta[i].launch;
		if (launch == NONE16 || !launch_urgent(v, launch) || boundary_cta(v, launch) != i)
			continue;
		for (u32 w = 0; w < v->m->words; w++)
			slots[w] |= v->cta_slots[i].slots[w];
	}
}

static void urgent_rank(const struct sched_view *v, u64 *candidates)
{
	u64 slots[SLOT_WORDS] = {0}, any = 0;
	urgent_find_urgent(v, slots);
	for (u32 w = 0; w < v->m->words; w++)
		any |= slots[w] & candidates[w];
	for (u32 w = 0; any && w < v->m->words; w++)
		candidates[w] &= slots[w];
}

const struct scheme scheme_urgent = {
	.name = "urgent",
	.paper =
		"Park, Park, Mahlke, \"Dynamic Resource Management for Efficient Utilization of Multitasking GPUs\", ASPLOS 2017; thesis, 2016, section 5.4.3",
	.doc = "urgent CTAs first: of a kernel that has no more CTAs to dispatch, the CTA whose resources another kernel waits for issues first",
	.decide.rank = urgent_rank,
	.defers_to_order = true,
	.sm_local = true,
	.depends_on_remaining_ctas = true,
};
