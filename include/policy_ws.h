/*
 * policy_ws.h - what policy ws goes by: how fast each kernel is with so many CTAs on an SM, and how it divides an SM by
 * that. For the policy, and for those who show what it decides.
 */
#ifndef WARPSTEP_POLICY_WS_H
#define WARPSTEP_POLICY_WS_H

#include "policy_multi.h"
#include "policy_smk.h"

#define WS_KERNELS 8 /* that are dealt with at once; of more each gets SMs of its own */

/* WS_IDLE: no two kernels run. */
enum ws_mode { WS_IDLE, WS_WARM, WS_SAMPLE, WS_RUN, WS_SPATIAL };
#define WS_FIELDS(F, A) \
	F(u64, until, "last cycle of the mode or of the monitoring window (all ones = none)") \
	F(u32, mode, \
	  "mode: 0 = fewer than two kernels, 1 = warm-up, 2 = SMs are measured, 3 = quotas in force, 4 = separate SMs") \
	F(u32, kernels, "kernels with unfinished CTAs") \
	F(u64, profiles, "times that the kernels' curves were measured or looked up")
#define WS_KERNEL_FIELDS(F, A) \
	F(u64, launch, "launch + 1 (0 = none)") \
	F(u64, issued, "warp instructions that the kernel had issued at the start of the window") \
	F(u64, base, "warp instructions of the kernel in its first window after the measurement") \
	F(u32, quota, "CTAs of the kernel that each SM should hold") \
	F(u32, odd, "consecutive windows in which the kernel's speed deviated by more than ws.change from the first") \
	A(u64, value, MAX_RESIDENTS, "speed of the kernel with 1, 2, ... CTAs per SM, in arbitrary units")
#define WS_SM_FIELDS(F, A) \
	F(u32, place, "kernel measured on the SM, + 1 (0 = none)") \
	F(u32, ctas, "CTAs of the measured kernel on the SM") \
	F(u64, issued, "warp instructions of the SM at the start of the window") \
	F(u64, stalled, "issue slots of the SM stalled on memory at the start of the window") \
	F(u64, slots, "issue slots of the SM at the start of the window")
enum ws_own { WS_OWN, WS_OWN_KERNEL, WS_OWN_SM, WS_OWN_SPATIAL }; /* arrays of the GPU; the last: policy_multi.h */
struct ws {
	WS_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};
struct ws_kernel {
	WS_KERNEL_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};
struct ws_sm {
	WS_SM_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};

/* A kernel to divide an SM for: how fast it is with 1 .. points CTAs there. */
struct ws_curve {
	struct smk_need need; /* of a CTA */
	const u64 *value;     /* of one CTA more than the index */
	u32 points;
};
/* ws_divide.c: CTAs for each of n kernels, so that the worst of them, measured by its best, is as fast as can be: the
 * one that is slowest has its next step, as long as it fits. False: not even one CTA of each fits. */
bool ws_divide(const struct ws_curve *kernel, u32 n, const struct smk_need *have, u32 *ctas);
/* Does some kernel lose more than `percent` / n per cent of its best with these CTAs? */
bool ws_loses(const struct ws_curve *kernel, u32 n, const u32 *ctas, u32 percent);
/* A measurement with `ctas` CTAs, by what it would be with the average of all SMs, ctas_sum / sms: of the part of
 * scheduler slots that memory holds, stalled / slots, an SM with more CTAs takes more of the bandwidth than is its
 * part. */
u64 ws_scale(u64 value, u64 stalled, u64 slots, u32 ctas, u32 ctas_sum, u32 sms);
/* The values of counts that were not measured (0) lie on lines between their neighbours; before the first from 0 on,
 * behind the last they stay. */
void ws_fill(u64 *value, u32 points);
/* CTAs that the m-th of `sms` SMs runs where a kernel is measured that fits `fit` times: 1, 2, ..., or as far apart as
 * need be for the last to run all. */
u32 ws_sampled(u32 m, u32 sms, u32 fit);

#endif
