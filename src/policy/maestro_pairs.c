/*
 * maestro_pairs.c - GPU Maestro with more than two kernels: which of them are pairs, and which SMs each pair has.
 *
 * An SM runs two kernels at most; with more, pairs of kernels have SMs apart. Source: Park, University of Michigan,
 * 2016, section 5.4.2, which leaves open which kernels are pairs and how many SMs each has. Decided: a pair stays one
 * as long as both run, the others are paired in their order; each kernel counts for as many SMs as any other, and what
 * that leaves over goes to the first, one SM each (spatial_shares()).
 */
#include "policy_maestro.h"
#include "policy_multi.h"

/* Which of n kernels a launch is, NONE32: none of them. */
static u32 maestro_pairs_find(const u64 *running, u32 n, u64 launch)
{
	for (u32 i = 0; launch && i < n; i++)
		if (running[i] == launch)
			return i;
	return NONE32;
}

void maestro_pair_up(const u64 *before, const u64 *running, u32 n, u64 *after)
{
	u32 at = 0, paired = 0;
	memset(after, 0, SMK_KERNELS * sizeof *after);
	for (u32 p = 0; p < MAESTRO_PAIRS; p++) {
		u32 a = maestro_pairs_find(running, n, before[2 * p]),
		    b = maestro_pairs_find(running, n, before[2 * p + 1]);
		if (a == NONE32 || b == NONE32)
			continue;
		after[at++] = running[a];
		after[at++] = running[b];
		paired |= 1u << a | 1u << b;
	}
	for (u32 i = 0; i < n; i++)
		if (!(paired >> i & 1))
			after[at++] = running[i];
}

/* How badly an SM suits a pair: CTAs there of others, less those of the pair, which would have to go otherwise. */
static i64 maestro_pairs_misfit(const struct machine *m, const struct maestro_kernel *kernel, u32 kernels, u32 pair,
				u32 sm)
{
	i64 sum = 0;
	for (u32 k = 0; k < kernels; k++) {
		i64 has = kernel_on(m, sm, (u32)kernel[k].launch - 1)->resident;
		sum += k / 2 == pair ? -has : has;
	}
	return sum;
}

void maestro_deal(const struct machine *m, const struct maestro_kernel *kernel, u32 kernels, struct maestro_sm *sm)
{
	u32 sms = m->config.gpu_sms, need[SMK_KERNELS] = {0}, share[SMK_KERNELS] = {0};
	for (u32 k = 0; k < kernels; k++)
		need[k] = sms;
	spatial_shares(need, kernels, sms, share);
	for (u32 i = 0; i < sms; i++)
		sm[i].pair = NEVER;
	for (u32 k = 0; k < kernels; k++)
		for (; share[k]; share[k]--) {
			u32 best = NONE32;
			for (u32 i = 0; i < sms; i++)
				if (sm[i].pair == NEVER &&
				    (best == NONE32 || maestro_pairs_misfit(m, kernel, kernels, k / 2, i) <
							       maestro_pairs_misfit(m, kernel, kernels, k / 2, best)))
					best = i;
			sm[best].pair = k / 2;
		}
}

u32 maestro_sms(const struct machine *m, u32 pair)
{
	struct maestro_state s = maestro_state(m);
	u32 n = 0;
	for (u32 i = 0; i < m->config.gpu_sms; i++)
		n += s.sm[i].pair == pair;
	return n;
}
