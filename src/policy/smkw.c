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

#include <string.h>

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

/* A scheduler has issued from a warp of a launch. */
static void charge(const struct sched_view *v, u32 launch, struct kernel_credit *credit)
{
	u64 *left = &credit[launch_place(v->m, launch)].credit;
	if (!places_going(v, credit))
		kernel_reload(v, v->m->config.smk_epoch, credit);
	if (*left)
		--*left;
}

static void told(const struct sched_view *v, const struct notice *n, void *bytes)
{
	struct kernel_credit *own = bytes;
	u64 could[SLOT_WORDS];
	u32 k;
	if (!v->m->config.smk_epoch)
		return;
	if (n->kind == NOTICE_ISSUE) {
		k = issued_by(v, v->warp[n->context].slot, could);
		if (k != NONE32)
			charge(&v[k], n->launch, own + k * KERNEL_PLACES);
	} else if (kernel_moves(v, n)) {
		memset(own, 0, sched_places(&v->m->config) * sizeof *own);
	}
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
