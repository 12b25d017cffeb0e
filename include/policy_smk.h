/*
 * policy_smk.h - kernels that share every SM: what a CTA takes of one, and how the CTAs of an SM are divided among
 * kernels. For the policies, and for those who show what they decide.
 */
#ifndef WARPSTEP_POLICY_SMK_H
#define WARPSTEP_POLICY_SMK_H

#include "policy_kernels.h"

/* What a CTA takes of an SM, and what an SM has: threads (whole warps), registers, bytes of shared memory, CTA slots.
 */
#define SMK_RESOURCES 4
struct smk_need {
	u32 of[SMK_RESOURCES];
};
struct smk_need smk_need(const struct machine *m, const struct launch *l);
struct smk_need smk_have(const struct machine *m);
/* Does one more CTA fit beside what is taken? */
bool smk_fits(const struct smk_need *need, const struct smk_need *taken, const struct smk_need *have);

/* smk.c: CTAs of a launch that fit into one of `kernels` equal parts of an SM, at least 1. */
u32 smk_even(const struct machine *m, const struct launch *l, u32 kernels);

/* What a kernel wants of an SM. */
#define SMK_KERNELS 16 /* that are dealt with at once */
struct smk_want {
	struct smk_need need; /* of a CTA */
	u32 most;	      /* CTAs that are of use */
	u32 dominant, of;     /* the largest of its shares, as a fraction: found */
};
#define SMKP_FIELDS(F, A) \
	F(u64, launch, "launch with unfinished CTAs, + 1 (0 = none)") \
	F(u64, quota, "CTAs of the launch that each SM should hold")
struct smkp {
	SMKP_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};
/* smkp.c: CTAs for each of n kernels, so that their dominant shares of an SM are as equal as CTAs allow. */
void smk_fair_shares(struct smk_want *want, u32 n, const struct smk_need *have, u32 *quota);

#endif
