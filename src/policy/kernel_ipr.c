/*
 * kernel_ipr.c - the kernel goes first whose warps have issued least often when they were ready.
 *
 * Of each kernel a scheduler sums up the warps that it has issued, and those that were ready in each cycle: they had
 * all but what the pipeline lets them have. Less issued for the ready goes first, equals are left to the order. The
 * sums begin again when a kernel comes to the SM or leaves it, and when slot partition wants other numbers of CTAs
 * there. Source: Park, University of Michigan, 2016, equation 5.3 (it follows ICOUNT of Tullsen et al., ISCA 1996).
 * Deviation: where schedulers share a pool, a warp that is ready is ready for each of them.
 */
#include "policy_kernels.h"

OWN_FIELDS(kernel_ipr, KERNEL_IPR_FIELDS)

__extension__ typedef unsigned __int128 product;

/* Has a issued less for what was ready than b? */
static bool kernel_ipr_less(const struct kernel_ipr *a, const struct kernel_ipr *b)
{
	return (product)a->issued * b->ready < (product)b->issued * a->ready;
}

/* A kernel of which nothing was ready yet is not behind any. */
u32 kernel_ipr_least(const struct kernel_ipr *sums, u32 places)
{
	u32 best = NONE32, least = 0;
	for (u32 left = places; left; left &= left - 1) {
		u32 i = (u32)__builtin_ctz(left);
		if (sums[i].ready && (best == NONE32 || kernel_ipr_less(&sums[i], &sums[best])))
			best = i;
	}
	for (u32 left = places; left; left &= left - 1) {
		u32 i = (u32)__builtin_ctz(left);
		if (best == NONE32 || !kernel_ipr_less(&sums[best], &sums[i]))
			least |= 1u << i;
	}
	return least;
}

static void kernel_ipr_rank(const struct sched_view *v, u64 *candidates)
{
	const struct kernel_ipr *own = scheme_own(v->m, SCHEME_kernel_ipr, v->sm_id);
	u32 places = places_among(v, candidates);
	keep_places(v, candidates, kernel_ipr_least(own + sched_number(v) * KERNEL_PLACES, places));
}

/* Warps of the kernel of a seat that a scheduler has in one of some statuses. */
static u32 kernel_ipr_count_seen(const struct sched_view *v, const struct kernel_count *seat, u32 from, u32 to)
{
	u32 n = 0, words = v->m->words;
	for (u32 w = 0; w < words; w++) {
		u64 set = 0;
		for (u32 s = from; s <= to; s++)
			set |= v->sm->seen[s * words + w];
		n += (u32)__builtin_popcountll(set & seat->slots[w] & v->pool[w]);
	}
	return n;
}

/* Cycles are over in which statuses were those that stand there. */
static void kernel_ipr_add_cycles(const struct sched_view *v, u64 cycles, struct kernel_ipr *own)
{
	const struct kernel_count *seat = seats_of(v->m, v->sm_id);
	u32 n = seat_count(v->m);
	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; seat[i].resident && k < v->m->schedulers; k++) {
			struct kernel_ipr *sum = &own[k * KERNEL_PLACES + i % KERNEL_PLACES];
			sum->issued += cycles * kernel_ipr_count_seen(&v[k], &seat[i], WARP_ISSUED, WARP_ISSUED);
			sum->ready += cycles * kernel_ipr_count_seen(&v[k], &seat[i], WARP_LSU, WARP_ISSUED);
		}
}

static void kernel_ipr_on_notice(const struct sched_view *v, const struct notice *n, void *bytes)
{
	struct kernel_ipr *own = bytes;
	if (n->kind == NOTICE_CYCLES)
		kernel_ipr_add_cycles(v, n->count, own);
	else if (n->kind == NOTICE_PARTITION || kernel_moves(v, n))
		memset(own, 0, sched_places(&v->m->config) * sizeof *own);
}

const struct scheme scheme_kernel_ipr = {
	.name = "kernel-ipr",
	.paper = "Park, PhD thesis, University of Michigan, 2016, section 5.5.2",
	.doc = "issues per ready warp: in each scheduler the kernel with the lowest ratio of issued to ready warps has priority",
	.decide.rank = kernel_ipr_rank,
	.defers_to_order = true,
	.on_notice = kernel_ipr_on_notice,
	.subscribes = 1ULL << NOTICE_CYCLES | 1ULL << NOTICE_ADMIT | 1ULL << NOTICE_LEAVE | 1ULL << NOTICE_PARTITION,
	.sm_local = true,
	.own = {OWN(kernel_ipr, "ipr.kernel", IN_SM, sched_places)},
};
