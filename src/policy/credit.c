/*
 * credit.c - how many warp instructions of each kernel a scheduler issues before it counts anew: parts of a window.
 *
 * A kernel's part is C = x S / T: x, how often a scheduler issues where the kernel runs alone (launch ... alone
 * PERCENT), S, its CTAs that the SM holds, T, those that it would hold of it alone. Source: Park, University of
 * Michigan, 2016, equation 5.4, which calls it the issue quota of simultaneous multikernels (Wang et al., HPCA 2016).
 */
#include "policy_kernels.h"

#define PART_SCALE (1ULL << 24)

void kernel_credits(const struct kernel_part *part, u32 n, u32 window, u64 *credit)
{
	u64 share[KERNEL_PLACES] = {0}, sum = 0;
	for (u32 i = 0; i < n; i++) {
		share[i] = part[i].ctas ? part[i].alone * PART_SCALE * part[i].ctas / max_u32(part[i].most, 1) : 0;
		sum += share[i];
	}
	for (u32 i = 0; i < n; i++)
		credit[i] = part[i].ctas ? max_u64((share[i] * window + sum / 2) / max_u64(sum, 1), 1) : 0;
}

void kernel_parts(const struct sched_view *v, struct kernel_part *part)
{
	for (u32 i = 0; i < KERNEL_PLACES; i++)
		part[i] = (struct kernel_part){0};
	for (u32 i = 0; i < v->m->residents; i++) {
		u32 launch = v->cta[i].launch;
		if (launch == NONE16)
			continue;
		struct kernel_part *p = &part[launch_place(v->m, launch)];
		p->alone = v->launch[launch].alone ? v->launch[launch].alone : 100;
		p->most = launch_residency(v->m, launch)->fit;
		p->ctas++;
	}
}

void kernel_reload(const struct sched_view *v, u32 window, struct kernel_credit *credit)
{
	struct kernel_part part[KERNEL_PLACES];
	u64 n[KERNEL_PLACES];
	kernel_parts(v, part);
	kernel_credits(part, KERNEL_PLACES, window, n);
	for (u32 i = 0; i < KERNEL_PLACES; i++)
		credit[i].credit = n[i];
}

u32 with_credit(const struct kernel_credit *credit, u32 places)
{
	u32 with = 0;
	for (; places; places &= places - 1)
		with |= credit[__builtin_ctz(places)].credit ? places & -places : 0;
	return with;
}
