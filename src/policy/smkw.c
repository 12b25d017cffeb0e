/*
 * smkw.c - the warps of a kernel that has spent its part of an epoch's issues in a scheduler are held until the others
 * have spent theirs.
 *
 * An epoch is smk.epoch warp instructions of a scheduler, dealt out in the parts of credit.c. When all kernels are at
 * zero that have warps there which can go on, the next begins. A kernel whose warps all wait at barriers has none of
 * these: what they wait for may be held. With smk.lend a scheduler that could issue of nobody else issues of a kernel
 * without credit. When a kernel comes to the SM or leaves it an epoch begins anew. Source: Wang et al., "Simultaneous
 * Multikernel GPU", HPCA 2016 (fair warp scheduling), as Park, University of Michigan, 2016, equation 5.4, has its
 * quotas.
 */
#include "policy_kernels.h"

OWN_FIELDS(kernel_credit, KERNEL_CREDIT_FIELDS)

static void smkw_hold(const struct sched_view *v, u64 *ready)
{
	const struct kernel_credit *own = scheme_own(v->m, SCHEME_smkw, v->sm_id);
	u32 with = v->m->config.smk_epoch ? credit_going(v, own + sched_number(v) * KERNEL_PLACES) : 0;
	if (with && (!v->m->config.smk_lend || places_among(v, ready) & with))
		keep_places(v, ready, with);
}

static void smkw_on_notice(const struct sched_view *v, const struct notice *n, void *bytes)
{
	credits_on_notice(v, n, v->m->config.smk_epoch, bytes);
}

static const char *smkw_idle(const struct config *c)
{
	return c->smk_epoch ? NULL : "smk.epoch is 0, so that no kernel has a quota";
}

const struct scheme scheme_smkw = {
	.name = "smkw",
	.paper = "Wang et al., \"Simultaneous Multikernel GPU\", HPCA 2016",
	.doc = "simultaneous multikernel, SMK-W: a kernel that has used its quota of smk.epoch issues of a scheduler is held until the others have used theirs",
	.neutral = "smk.epoch 0",
	.idle = smkw_idle,
	.decide.hold = smkw_hold,
	.on_notice = smkw_on_notice,
	.subscribes = 1ULL << NOTICE_ISSUE | 1ULL << NOTICE_ADMIT | 1ULL << NOTICE_LEAVE,
	.sm_local = true,
	.own = {OWN(kernel_credit, "smkw.kernel", IN_SM, sched_places)},
};
