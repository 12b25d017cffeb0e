/*
 * credit.c - how many warp instructions of each kernel a scheduler issues before it counts anew: parts of a window.
 *
 * All is dealt out again when no kernel has credit left whose warps could issue in the window: those that wait for a
 * result or for memory can, so that a kernel keeps its part while it waits. A kernel whose warps there have all ended,
 * leave, or wait at barriers is not waited for: what they wait for may be held.
 *
 * A kernel's part is C = x S / T: x, how often a scheduler issues where the kernel runs alone, S, its CTAs that the SM
 * holds, T, those that it would hold of it alone. x is what an SM of its own has shown where Maestro gives it one, else
 * what launch ... alone PERCENT says, else always. Source: Park, University of Michigan, 2016, equation 5.4 and section
 * 5.5.2, which calls it the issue quota of simultaneous multikernels (Wang et al., HPCA 2016).
 */
#include "policy_maestro.h"

#define PART_SCALE (1000ULL << 24)

__extension__ typedef unsigned __int128 product;

/* C of a kernel, x PART_SCALE. */
static u64 credit_scaled(const struct kernel_part *p)
{
	return p->ctas ? (u64)((product)p->issued * PART_SCALE * p->ctas / ((product)p->slots * max_u32(p->most, 1)))
		       : 0;
}

void kernel_credits(const struct kernel_part *part, u32 n, u32 window, u64 *credit)
{
	u64 share[KERNEL_PLACES] = {0}, sum = 0;
	for (u32 i = 0; i < n; i++) {
		share[i] = credit_scaled(&part[i]);
		sum += share[i];
	}
	for (u32 i = 0; i < n; i++)
		credit[i] = part[i].ctas ? max_u64((share[i] * window + sum / 2) / max_u64(sum, 1), 1) : 0;
}

/* In how many of how many scheduler slots a launch issues alone. */
static void credit_alone_share(const struct sched_view *v, u32 launch, struct kernel_part *p)
{
	const struct maestro_kernel *shown = maestro_alone(v->m, launch);
	u32 told = v->launch[launch].alone;
	p->measured = shown != NULL;
	p->issued = shown ? shown->issued : told ? told : 1;
	p->slots = shown ? shown->cycles * v->m->schedulers : told ? 100 : 1;
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
		credit_alone_share(v, launch, p);
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

u32 credit_going(const struct sched_view *v, const struct kernel_credit *credit)
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

/* A scheduler has issued from a warp of a launch. */
static void credit_charge(const struct sched_view *v, u32 launch, u32 window, struct kernel_credit *credit)
{
	u64 *left = &credit[launch_place(v->m, launch)].credit;
	if (!credit_going(v, credit))
		kernel_reload(v, window, credit);
	if (*left)
		--*left;
}

void credits_on_notice(const struct sched_view *v, const struct notice *n, u32 window, struct kernel_credit *own)
{
	u64 could[SLOT_WORDS];
	u32 k;
	if (!window)
		return;
	if (n->kind == NOTICE_ISSUE) {
		k = issued_by(v, v->warp[n->context].slot, could);
		if (k != NONE32)
			credit_charge(&v[k], n->launch, window, own + k * KERNEL_PLACES);
	} else if (kernel_moves(v, n)) {
		memset(own, 0, sched_places(&v->m->config) * sizeof *own);
	}
}
