/*
 * ws_divide.c - how an SM is divided by what is known of each kernel with so many CTAs: policy ws without its state.
 *
 * A kernel's speed counts by its best. Each gets one CTA; then the slowest, the first of equals, has as many as its
 * next speed needs, if they fit, else no more; until none can have more. Source: Xu et al., "Warped-Slicer", ISCA 2016,
 * as far as studies that compare with it tell: max-min by water filling, and the form of the correction for bandwidth.
 */
#include "policy_ws.h"

#define SCALE 1024 /* of corrected values */

/* The best that a kernel can be. */
static u64 ws_divide_best_of(const struct ws_curve *k)
{
	u64 best = 0;
	for (u32 i = 0; i < k->points; i++)
		best = max_u64(best, k->value[i]);
	return max_u64(best, 1);
}

/* The slowest kernel that may yet have more; NONE32: none may. */
static u32 ws_divide_slowest(const struct ws_curve *kernel, u32 n, const u32 *ctas, const bool *frozen)
{
	u32 least = NONE32;
	for (u32 k = 0; k < n; k++)
		if (!frozen[k] &&
		    (least == NONE32 || kernel[k].value[ctas[k] - 1] * ws_divide_best_of(&kernel[least]) <
						kernel[least].value[ctas[least] - 1] * ws_divide_best_of(&kernel[k])))
			least = k;
	return least;
}

/* CTAs with which a kernel is faster than with so many, the fewest; 0: it is not. */
static u32 ws_divide_next_step(const struct ws_curve *k, u32 ctas)
{
	for (u32 more = ctas + 1; more <= k->points; more++)
		if (k->value[more - 1] > k->value[ctas - 1])
			return more;
	return 0;
}

/* Take n CTAs more, if they fit. */
static bool ws_divide_take(const struct smk_need *need, u32 n, struct smk_need *taken, const struct smk_need *have)
{
	struct smk_need all = *need;
	for (u32 i = 0; i < SMK_RESOURCES; i++)
		all.of[i] *= n;
	if (!smk_fits(&all, taken, have))
		return false;
	for (u32 i = 0; i < SMK_RESOURCES; i++)
		taken->of[i] += all.of[i];
	return true;
}

bool ws_divide(const struct ws_curve *kernel, u32 n, const struct smk_need *have, u32 *ctas)
{
	struct smk_need taken = {{0}};
	bool frozen[WS_KERNELS] = {false};
	for (u32 k = 0; k < n; k++) {
		ctas[k] = 1;
		if (!kernel[k].points || !ws_divide_take(&kernel[k].need, 1, &taken, have))
			return false;
	}
	for (u32 k = ws_divide_slowest(kernel, n, ctas, frozen); k != NONE32;
	     k = ws_divide_slowest(kernel, n, ctas, frozen)) {
		u32 next = ws_divide_next_step(&kernel[k], ctas[k]);
		if (next && ws_divide_take(&kernel[k].need, next - ctas[k], &taken, have))
			ctas[k] = next;
		else
			frozen[k] = true;
	}
	return true;
}

bool ws_loses(const struct ws_curve *kernel, u32 n, const u32 *ctas, u32 percent)
{
	for (u32 k = 0; k < n; k++) {
		u64 best = ws_divide_best_of(&kernel[k]);
		if ((best - kernel[k].value[ctas[k] - 1]) * 100 * n > best * percent)
			return true;
	}
	return false;
}

u64 ws_scale(u64 value, u64 stalled, u64 slots, u32 ctas, u32 ctas_sum, u32 sms)
{
	u64 part = slots ? stalled * SCALE / slots : 0, average = (u64)ctas_sum * SCALE / ((u64)sms * ctas);
	return value * (SCALE - part) + value * part * average / SCALE;
}

void ws_fill(u64 *value, u32 points)
{
	u32 known = 0; /* counts up to here have values */
	for (u32 j = 1; j <= points; j++) {
		if (!value[j - 1])
			continue;
		for (u32 i = known + 1; i < j; i++) {
			u64 from = known ? value[known - 1] : 0;
			value[i - 1] = (from * (j - i) + value[j - 1] * (i - known)) / (j - known);
		}
		known = j;
	}
	for (u32 i = known; known && i < points; i++)
		value[i] = value[known - 1];
}

u32 ws_sampled(u32 m, u32 sms, u32 fit)
{
	if (sms >= fit)
		return min_u32(m, fit);
	return max_u32(1, (m * fit + sms / 2) / sms);
}
