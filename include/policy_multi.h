/*
 * policy_multi.h - several kernels at once: how SMs are divided among them, and what it costs that a CTA gives way.
 * For the policies, and for those who show what they decide.
 *
 * Costs are those of Park, Park and Mahlke, "Chimera", ASPLOS 2015 (and Park, University of Michigan, 2016, chapter
 * IV).
 */
#ifndef WARPSTEP_POLICY_MULTI_H
#define WARPSTEP_POLICY_MULTI_H

#include "policy.h"

/* Ways in which a CTA gives way before its end, as a menu (struct scheme). */
#define MENU_DRAIN (1u << VERDICT_DRAIN)
#define MENU_FLUSH (1u << VERDICT_FLUSH)
#define MENU_SWITCH (1u << VERDICT_SAVE)
#define MENU_ALL (MENU_DRAIN | MENU_FLUSH | MENU_SWITCH)

/* What a way costs: cycles until the CTA is gone, warp instructions that are lost. Both NEVER: it cannot be had, or
 * nothing is known of it. */
struct way_cost {
	u64 latency, overhead;
};
/* The CTAs of one SM and what is needed to price them. */
struct ctas_view {
	const struct machine *m;
	const struct cta *cta;	 /* by place */
	const struct warp *warp; /* contexts */
	u32 sm_id;
	u64 now;
};
/* What a kernel has done so far, summed over the SMs. */
struct kernel_mean {
	u64 ended, issued, cycles; /* CTAs that ended, their instructions and cycles */
	u64 all_issued, held;	   /* instructions of all its CTAs; SM-cycles in which an SM had some of them */
};

static inline struct ctas_view ctas_of_sched(const struct sched_view *v)
{
	return (struct ctas_view){v->m, v->cta, v->warp, v->sm_id, sched_now(v)};
}
static inline struct ctas_view ctas_of_gpu(const struct gpu_view *v, u32 sm)
{
	return (struct ctas_view){v->m, gpu_sm_section(v, sm, SECTION_CTA), gpu_sm_section(v, sm, SECTION_WARP), sm,
				  v->cycle};
}

/* May a CTA be thrown away and begun again (chimera.idempotence)? Where CTAs may leave at all (preempt.ctas). */
static inline bool cta_may_flush(const struct machine *m, const struct cta *cta)
{
	bool strict = m->config.chimera_idempotence == IDEMPOTENCE_STRICT;
	return !cta->tripped && !(strict && launch_residency(m, cta->launch)->marked);
}
/* Bytes of the context of a CTA: its registers and its shared memory. */
static inline u64 cta_context_bytes(const struct cta *cta)
{
	return (u64)cta->registers * 4 + cta->shared;
}
/* Cycles in which an SM's share of DRAM's bandwidth moves so many bytes, rounded up. */
u64 context_moves(const struct config *c, u64 bytes);
/* The same of a launch, as of cycle `now`. */
struct kernel_mean kernel_mean(const struct machine *m, u32 launch, u64 now);
/* What a way (VERDICT_DRAIN, _FLUSH, _SAVE) costs for one of `ctas`, CTAs of a launch in an SM that are to go, as a bit
 * set of places. */
struct way_cost way_cost(const struct ctas_view *v, const struct kernel_mean *k, u64 ctas, u32 place, u32 way);
/* The cheapest way of a menu that meets the bound (cycles; chimera.bound), else the switch if it is on the menu, else
 * the quickest (a menu is not empty); and what it costs. */
u32 way_chosen(const struct ctas_view *v, const struct kernel_mean *k, u64 ctas, u32 place, u32 menu,
	       struct way_cost *cost);
/* The menu of the scheme in slot preempt; where there is none CTAs run to their end. */
u32 preempt_menu(const struct machine *m);
/* The CTAs of a launch that are resident in an SM, as a bit set of places. */
u64 ctas_of_launch(const struct ctas_view *v, u32 launch);
/* What it costs that all CTAs of a launch leave an SM: overheads summed, the longest latency. */
struct way_cost sm_cost(const struct ctas_view *v, const struct kernel_mean *k, u32 launch, u32 menu);
/* Is it better that a kernel gives up the first SM than the second: one that meets the bound first, then the one with
 * less overhead, then the one that is gone sooner? Of those that miss it sooner comes first where the menu has no
 * switch. */
bool sm_cheaper(const struct way_cost *a, const struct way_cost *b, u64 bound, u32 menu);

/* What a scheme with a menu answers in slot preempt: of the CTAs that may go, as many as are too many, the cheapest
 * first. */
void ways_choose(const struct sched_view *v, const struct make_way *r, u8 *verdict);
/* Why no CTA can go but by a drain under a configuration, NULL: another way may be taken (scheme.limited). */
const char *ways_limited(const struct config *c);

/* What policies that divide the SMs keep, by SM. */
#define SPATIAL_FIELDS(F, A) \
	F(u64, owner, "launch whose CTAs the SM accepts, + 1 (0 = any)") \
	F(u64, lender, \
	  "launch that the SM was taken from for one that requests SMs, and to which it returns, + 1 (0 = none)")
struct spatial {
	SPATIAL_FIELDS(FIELD_MEMBER, FIELD_ARRAY)
};
static inline u32 spatial_sms(const struct config *c)
{
	return c->gpu_sms;
}
/* Divide the SMs anew among the kernels that run: those that ask for so many (launch ... sms N) have them, in their
 * order, the others share the rest. smart: none gets more than its CTAs that have not ended can fill. */
void spatial_divide(const struct gpu_view *v, bool smart, struct spatial *own);
/* What they answer in slot partition: all CTAs that fit where the SM is the launch's, or while one runs alone; of a
 * launch that asks for so many SMs, as many to each as make up its grid. */
u32 spatial_wanted(const struct sched_view *v, const struct spatial *own, u32 launch);
/* Is there no launch whose turn came before and that keeps this one waiting: one that has CTAs that have not been
 * dispatched, or (whole) that has not ended? */
bool launch_in_turn(const struct sched_view *v, u32 launch, bool whole);

/* SMs for each of n kernels of which each can use `need`: equal shares, but none gets more than it needs; what is left
 * over goes one by one in the order of kernels. share: n numbers. Source: Adriaens, Compton, Kim, Schulte, "The Case
 * for GPGPU Spatial Multitasking", HPCA 2012 (smart even), as Park takes it up. */
void spatial_shares(const u32 *need, u32 n, u32 sms, u32 *share);

/* Does a launch run, and has it CTAs that have not ended? */
static inline bool launch_goes_on(const struct launch_run *run, const struct launch *launch)
{
	return run->state == LAUNCH_RUNNING && run->finished < launch->ctas;
}

#endif
