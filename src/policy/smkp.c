/*
 * smkp.c - kernels share every SM so that their dominant shares are as equal as CTAs allow.
 *
 * A CTA's dominant share is the largest of its shares of threads, registers, shared memory and CTA slots. From none on,
 * the kernel with the least CTAs x dominant share gets one more, the first of equals; one whose next does not fit, or
 * that has as many as an SM's part of its grid, gets no more. Quotas are found when a kernel begins or ends. Source:
 * Wang et al., "Simultaneous Multikernel GPU", HPCA 2016 (partition of dominant resource fairness), by the simulator
 * that its authors published. Deviations: whole numbers; a kernel beyond the first sixteen waits.
 */
#include "policy_smk.h"

#include "policy_multi.h"

OWN_FIELDS(smkp, SMKP_FIELDS)

/* The kernel with the least CTAs x dominant share, the first of equals, of those that are not closed. */
static u32 smkp_least_share(const struct smk_want *want, u32 n, const bool *closed, const u32 *quota)
{
	u32 best = NONE32;
	for (u32 k = 0; k < n; k++)
		if (!closed[k] && (best == NONE32 || (u64)quota[k] * want[k].dominant * want[best].of <
							     (u64)quota[best] * want[best].dominant * want[k].of))
			best = k;
	return best;
}

/* The resource of which a CTA takes the largest part. */
static void smkp_find_dominant(struct smk_want *w, const struct smk_need *have)
{
	w->dominant = 0;
	w->of = 1;
	for (u32 i = 0; i < SMK_RESOURCES; i++)
		if (have->of[i] && (u64)w->need.of[i] * w->of > (u64)w->dominant * have->of[i]) {
			w->dominant = w->need.of[i];
			w->of = have->of[i];
		}
}

void smk_fair_shares(struct smk_want *want, u32 n, const struct smk_need *have, u32 *quota)
{
	struct smk_need taken = {{0}};
	u32 open = n;
	bool closed[SMK_KERNELS] = {false};
	for (u32 k = 0; k < n; k++) {
		smkp_find_dominant(&want[k], have);
		quota[k] = 0;
	}
	while (open) {
		u32 best = smkp_least_share(want, n, closed, quota);
		if (quota[best] == want[best].most || !smk_fits(&want[best].need, &taken, have)) {
			closed[best] = true;
			open--;
			continue;
		}
		quota[best]++;
		for (u32 i = 0; i < SMK_RESOURCES; i++)
			taken.of[i] += want[best].need.of[i];
	}
}

/* A kernel begins or ends: quotas of those that go on. */
static void smkp_on_notice_gpu(const struct gpu_view *v, const struct notice *notice UNUSED, struct scheme_bytes bytes)
{
	struct smkp *own = bytes.gpu;
	struct smk_need have = smk_have(v->m);
	struct smk_want want[SMK_KERNELS];
	u32 launch[SMK_KERNELS], quota[SMK_KERNELS], n = 0;
	for (u32 i = 0; i < v->launches && n < SMK_KERNELS; i++)
		if (launch_goes_on(&v->run[i], &v->launch[i])) {
			launch[n] = i;
			want[n++] = (struct smk_want){.need = smk_need(v->m, &v->launch[i]),
						      .most = ceil_div(v->launch[i].ctas, v->m->config.gpu_sms)};
		}
	smk_fair_shares(want, n, &have, quota);
	for (u32 k = 0; k < SMK_KERNELS; k++)
		own[k] = k < n ? (struct smkp){launch[k] + 1ULL, quota[k]} : (struct smkp){0};
}

/* While one kernel runs alone, as many as fit. */
static u32 smkp_partition(const struct sched_view *v, u32 launch)
{
	const struct smkp *own = scheme_own_gpu(v->m, SCHEME_smkp);
	if (!own[1].launch)
		return NONE32;
	for (u32 k = 0; k < SMK_KERNELS; k++)
		if (own[k].launch == launch + 1ULL)
			return (u32)own[k].quota;
	return 0;
}

static u32 smkp_kernels(const struct config *c UNUSED)
{
	return SMK_KERNELS;
}

const struct scheme scheme_smkp = {
	.name = "smkp",
	.paper = "Wang et al., \"Simultaneous Multikernel GPU\", HPCA 2016",
	.doc = "simultaneous multikernel, SMK-P: kernels share every SM, with CTA quotas that equalize their dominant resource shares",
	.decide.partition = smkp_partition,
	.sm_local = true,
	.on_notice_gpu = smkp_on_notice_gpu,
	.subscribes = 1ULL << NOTICE_KERNEL_START | 1ULL << NOTICE_KERNEL_END,
	.own = {OWN(smkp, "smkp.kernel", IN_GPU, smkp_kernels)},
};
