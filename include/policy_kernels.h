/*
 * policy_kernels.h - kernels that share an SM, as its schedulers see them: whose warps a scheduler could issue, whose
 * turn it is, what each has issued or may issue yet. For the policies, and for those who show what they decide.
 *
 * A kernel counts in an SM in its seat (machine.h). What is kept of each kernel has KERNEL_PLACES places; launches
 * whose seats are equal modulo that share one.
 */
#ifndef WARPSTEP_POLICY_KERNELS_H
#define WARPSTEP_POLICY_KERNELS_H

#include "policy.h"

#define KERNEL_PLACES 8

/* What the schemes of slot rank keep in an SM: of each scheduler, or of each scheduler and place. */
#define KERNEL_LRR_FIELDS(F, A) F(u32, first, "entry (seat) of the kernel that has priority in this scheduler")
#define KERNEL_IPR_FIELDS(F, A) \
	F(u64, issued, "warps of the kernel that this scheduler has issued since the SM was last partitioned") \
	F(u64, ready, "ready warps of the kernel, summed over the cycles since the SM was last partitioned")
#define KERNEL_CREDIT_FIELDS(F, A) \
	F(u64, credit, "warp instructions that the kernel may still issue in this scheduler before its quota is used")
struct kernel_lrr {
	KERNEL_LRR_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};
struct kernel_ipr {
	KERNEL_IPR_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};
struct kernel_credit {
	KERNEL_CREDIT_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};

/* Schedulers of an SM; the number of one among them; elements of what is kept by scheduler and place. */
static inline u32 sched_count(const struct config *c)
{
	return c->sm_subcores * c->sm_schedulers;
}
static inline u32 sched_number(const struct sched_view *v)
{
	return v->sub_id * v->m->config.sm_schedulers + v->sched_id;
}
static inline u32 sched_places(const struct config *c)
{
	return sched_count(c) * KERNEL_PLACES;
}

/* The seats of an SM, and the place of a launch. */
static inline u32 seat_count(const struct machine *m)
{
	return m->section[SECTION_KERNEL].count;
}
static inline const struct kernel_count *seats_of(const struct machine *m, u32 sm)
{
	const u8 *block = (const u8 *)m + m->sm_base + sm * m->sm_stride;
	return (const void *)(block + m->section[SECTION_KERNEL].offset);
}
static inline u32 launch_place(const struct machine *m, u32 launch)
{
	const struct turn *turn = (const void *)((const u8 *)m + m->section[SECTION_TURN].offset);
	return turn[launch].seat % KERNEL_PLACES;
}

/* Has the kernel of a seat a slot in a set? */
bool seat_among(const struct machine *m, const struct kernel_count *seat, const u64 *set);
/* The places whose kernels have a slot in a set, a bit set. */
u32 places_among(const struct sched_view *v, const u64 *set);
/* Leave in a set the slots of the kernels of some places. */
void keep_places(const struct sched_view *v, u64 *set, u32 places);

/* The scheduler of an SM that has just issued from a slot, in NOTICE_ISSUE, as its number; `could`: the slots that it
 * could have issued from, this one among them. NONE32: none has, the warp was let issue beside a chosen one. */
u32 issued_by(const struct sched_view *v, u32 slot, u64 *could);
/* In NOTICE_ADMIT and NOTICE_LEAVE: does the kernel come to the SM, or leave it? */
static inline bool kernel_moves(const struct sched_view *v, const struct notice *n)
{
	return kernel_on(v->m, v->sm_id, n->launch)->resident == 1;
}

/* kernel_lrr.c: the seat that goes first in a scheduler, of those that have CTAs in its SM. */
u32 kernel_lrr_first(const struct sched_view *v);
/* kernel_ipr.c: of some places those whose warps have issued least often when they were ready. */
u32 kernel_ipr_least(const struct kernel_ipr *sums, u32 places);

/* One kernel's part of the scheduler slots, by what it would have alone. */
struct kernel_part {
	u64 issued, slots; /* in how many of how many scheduler slots it issues where it runs alone */
	u32 ctas, most;	   /* CTAs that the SM holds, and would hold of it alone */
	bool measured;	   /* ... as an SM of its own has shown */
};
/* credit.c: credits out of `window` for n kernels, in the parts C = alone x ctas / most of each in the sum of all:
 * rounded, at least 1 where there are CTAs. Source: Park, University of Michigan, 2016, equation 5.4. */
void kernel_credits(const struct kernel_part *part, u32 n, u32 window, u64 *credit);
/* The parts of the kernels in an SM, by place. */
void kernel_parts(const struct sched_view *v, struct kernel_part *part);
/* The same as credits: those of a scheduler that begins anew. */
void kernel_reload(const struct sched_view *v, u32 window, struct kernel_credit *credit);

/* Of some places those with credit. */
u32 with_credit(const struct kernel_credit *credit, u32 places);

/* The places of kernels that have credit in a scheduler, of those with warps there that had not ended when the SM's
 * schedulers began to choose, and that wait for no other warp. */
u32 credit_going(const struct sched_view *v, const struct kernel_credit *credit);

/* What schemes that deal out credit do in NOTICE_ISSUE, _ADMIT and _LEAVE: a warp instruction of a scheduler costs its
 * kernel one, all get their part of `window` (0: nothing is done) again where no kernel with credit can go on, and
 * begin anew when a kernel comes to the SM or leaves it. own: by scheduler and place. */
void credits_on_notice(const struct sched_view *v, const struct notice *n, u32 window, struct kernel_credit *own);

/* kernels.c: kernels that run and have CTAs that have not ended. Are CTAs of one of them to come, other than this? */
u32 kernels_going(const struct sched_view *v);
bool others_wait(const struct sched_view *v, u32 launch);

/* urgent.c: the CTA of a launch in an SM that holds what other kernels could have next, as its place: the
 * outermost, as slot allocate has it, else the one that came last. NONE32: it has none there. */
u32 boundary_cta(const struct sched_view *v, u32 launch);
/* Is its boundary CTA urgent: no CTA of it is to come, and some of another kernel are? */
bool launch_urgent(const struct sched_view *v, u32 launch);

#endif
