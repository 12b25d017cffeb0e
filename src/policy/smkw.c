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

/* The places of kernels that have credit in a scheduler, of those with warps there that had not ended when the SM's
 * schedulers began to choose, and that wait for no other warp. */
static u32 places_going(const struct sched_view *v, const struct kernel_credit *credit)
{
	u32 words = v->m->words;
	u64 going[SLOT_WORDS];
	for (u32 w = 0; w < words; w++) {
		going[w] = 0;
		for (u32 s = SET_DONE; s <= SET_READY; s++)
			going[w] |= v->sm->set[s * words + w];
		going[w] &= v->pool[w] & ~(v->sm->seen[WARP_DONE * words + w] | v->sm->seen[WARP_BARRIER * words + w] |
					   v->sm->seen[WARP_PREEMPTING * words + w]);
	}
	return with_credit(credit, places_among(v, going));
}

static void hold(const struct sched_view *v, u64 *ready)
{
	const struct kernel_credit *own = scheme_own(v->m, SCHEME_smkw, v->sm_id);
	u32 with = v->m->config.smk_epoch ? places_going(v, own + sched_number(v) * KERNEL_PLACES) : 0;
	if (with && (!v->m->config.smk_lend || places_among(v, ready) & with))
		keep_places(v, ready, with);
}

/* Has a kernel credit that could go on, whether or not a scheduler could issue of it now? */
static bool any_left(const struct sched_view *v, const u64 *could UNUSED, const struct kernel_credit *credit)
{
	return places_going(v, credit) != 0;
}

static void told(const struct sched_view *v, const struct notice *n, void *bytes)
{
	credits_told(v, n, v->m->config.smk_epoch, any_left, bytes);
}

static const char *idle(const struct config *c)
{
	return c->smk_epoch ? NULL : "smk.epoch is 0: no kernel has a quota";
}

const struct scheme scheme_smkw = {
	.name = "smkw",
	.paper = "Wang et al., HPCA 2016",
	.doc = "a kernel that has spent its part of smk.epoch issues of a scheduler waits until the others have spent theirs",
	.neutral = "smk.epoch 0",
	.idle = idle,
	.hold = hold,
	.told = told,
	.hears = 1ULL << NOTICE_ISSUE | 1ULL << NOTICE_ADMIT | 1ULL << NOTICE_LEAVE,
	.steady = true,
	.own = {OWN(kernel_credit, "smkw.kernel", IN_SM, sched_places)},
};
