/*
 * kernel_lrr.c - kernels take turns: in each scheduler one of the SM's kernels goes first, and the next one after a
 * slot in which that could have issued, too.
 *
 * With two kernels it is a bit in each scheduler, flipped when the lower kernel had a candidate, whether or not the
 * higher one had. Which warp of a kernel issues is left to the order. Source: Park, University of Michigan, 2016,
 * section 5.4.3. With more kernels the turn goes to the next of them, by seat, that had a candidate.
 */
#include "policy_kernels.h"

OWN_FIELDS(kernel_lrr, KERNEL_LRR_FIELDS)

/* The first seat from one on, round, whose kernel has CTAs in the SM; `from` if none has. */
static u32 kernel_lrr_seat_from(const struct sched_view *v, u32 from)
{
	const struct kernel_count *seat = seats_of(v->m, v->sm_id);
	u32 n = seat_count(v->m);
	for (u32 i = 0; i < n; i++)
		if (seat[(from + i) % n].resident)
			return (from + i) % n;
	return from;
}

/* The same of those with slots in a set. */
static u32 kernel_lrr_seat_in(const struct sched_view *v, u32 from, const u64 *set)
{
	const struct kernel_count *seat = seats_of(v->m, v->sm_id);
	u32 n = seat_count(v->m), i = 0;
	while (i < n && !seat_among(v->m, &seat[(from + i) % n], set))
		i++;
	return n ? (from + i) % n : from;
}

u32 kernel_lrr_first(const struct sched_view *v)
{
	const struct kernel_lrr *own = scheme_own(v->m, SCHEME_kernel_lrr, v->sm_id);
	return kernel_lrr_seat_from(v, own[sched_number(v)].first);
}

static void kernel_lrr_rank(const struct sched_view *v, u64 *candidates)
{
	u32 first = kernel_lrr_seat_in(v, kernel_lrr_first(v), candidates);
	for (u32 w = 0; w < v->m->words; w++)
		candidates[w] &= seats_of(v->m, v->sm_id)[first].slots[w];
}

/* A scheduler has issued: if another kernel than the first could have, it is that one's turn. */
static void kernel_lrr_on_notice(const struct sched_view *v, const struct notice *n, void *bytes)
{
	struct kernel_lrr *own = bytes;
	u64 could[SLOT_WORDS];
	u32 k = issued_by(v, v->warp[n->context].slot, could);
	if (k == NONE32)
		return;
	own[k].first = kernel_lrr_seat_in(v, kernel_lrr_seat_from(v, own[k].first) + 1, could);
}

const struct scheme scheme_kernel_lrr = {
	.name = "kernel-lrr",
	.paper =
		"Park, Park, Mahlke, \"Dynamic Resource Management for Efficient Utilization of Multitasking GPUs\", ASPLOS 2017; thesis, 2016, section 5.4.3",
	.doc = "round robin between kernels: in each scheduler one kernel has priority, until the next kernel has a ready warp in an issue slot and takes the priority over",
	.decide.rank = kernel_lrr_rank,
	.defers_to_order = true,
	.on_notice = kernel_lrr_on_notice,
	.subscribes = 1ULL << NOTICE_ISSUE,
	.sm_local = true,
	.own = {OWN(kernel_lrr, "lrr.turn", IN_SM, sched_count)},
};
