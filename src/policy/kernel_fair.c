/*
 * kernel_fair.c - kernels that have credit in a scheduler go first; a warp instruction costs one; when no kernel that
 * could issue in the window has any, all get their part of fair.window again (credit.c).
 *
 * Parts are those of the moment of reloading. When a kernel comes to the SM or leaves it credits begin anew. Source:
 * Park, University of Michigan, 2016, section 5.5.2 ("Fair"), which is smkw (Wang et al., HPCA 2016) "except for the
 * thread block partitioning". Decided: as a rank, which holds nobody, it equals smkw with smk.lend: scheduler slots
 * that no kernel with credit can use go to the others, at no cost.
 */
#include "policy_kernels.h"

OWN_FIELDS(kernel_credit, KERNEL_CREDIT_FIELDS)

static void kernel_fair_rank(const struct sched_view *v, u64 *candidates)
{
	const struct kernel_credit *own = scheme_own(v->m, SCHEME_kernel_fair, v->sm_id);
	u32 with = with_credit(own + sched_number(v) * KERNEL_PLACES, places_among(v, candidates));
	if (with && v->m->config.fair_window)
		keep_places(v, candidates, with);
}

static void kernel_fair_on_notice(const struct sched_view *v, const struct notice *n, void *bytes)
{
	credits_on_notice(v, n, v->m->config.fair_window, bytes);
}

static const char *kernel_fair_idle(const struct config *c)
{
	return c->fair_window ? NULL : "fair.window is 0, so that no kernel has a quota";
}

const struct scheme scheme_kernel_fair = {
	.name = "kernel-fair",
	.paper = "Park, PhD thesis, University of Michigan, 2016, section 5.5.2",
	.doc = "issue quotas: in each scheduler the kernels that have not used their quota of fair.window have priority",
	.neutral = "fair.window 0",
	.idle = kernel_fair_idle,
	.decide.rank = kernel_fair_rank,
	.defers_to_order = true,
	.on_notice = kernel_fair_on_notice,
	.subscribes = 1ULL << NOTICE_ISSUE | 1ULL << NOTICE_ADMIT | 1ULL << NOTICE_LEAVE,
	.sm_local = true,
	.own = {OWN(kernel_credit, "fair.kernel", IN_SM, sched_places)},
};
