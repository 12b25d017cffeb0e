/*
 * smk.c - kernels share every SM: as long as several have CTAs to come, each gets an equal part of every resource.
 *
 * Its CTAs in an SM are those that fit into that part of CTA slots, threads, registers and shared memory, at least one.
 * A kernel fills what others release when no more of theirs are to come. Source: Park, University of Michigan, 2016,
 * section 5.5.1 (SMK with even partitioning).
 */
#include "policy_smk.h"

struct smk_need smk_need(const struct machine *m, const struct launch *l)
{
	return (struct smk_need){
		{launch_contexts(m, l) * m->lanes, launch_contexts(m, l) * warp_registers(m, l), cta_shared(m, l), 1}};
}

struct smk_need smk_have(const struct machine *m)
{
	const struct config *c = &m->config;
	return (struct smk_need){{min_u32(config_threads(c), config_slots(c) * m->lanes), c->sm_registers, c->sm_shared,
				  config_active(c)}};
}

bool smk_fits(const struct smk_need *need, const struct smk_need *taken, const struct smk_need *have)
{
	for (u32 i = 0; i < SMK_RESOURCES; i++)
		if (taken->of[i] + need->of[i] > have->of[i])
			return false;
	return true;
}

u32 smk_even(const struct machine *m, const struct launch *l, u32 kernels)
{
	struct smk_need need = smk_need(m, l), have = smk_have(m);
	u32 ctas = NONE32;
	for (u32 i = 0; i < SMK_RESOURCES; i++)
		if (need.of[i])
			ctas = min_u32(ctas, have.of[i] / kernels / need.of[i]);
	return max_u32(ctas, 1);
}

static u32 smk_partition(const struct sched_view *v, u32 launch)
{
	u32 kernels = kernels_going(v);
	return kernels > 1 && others_wait(v, launch) ? smk_even(v->m, &v->launch[launch], kernels) : NONE32;
}

const struct scheme scheme_smk = {
	.name = "smk",
	.paper = "Park, PhD thesis, University of Michigan, 2016, section 5.5.1",
	.doc = "simultaneous multikernel, even: kernels share every SM, and each that has CTAs to dispatch gets an equal part of its resources",
	.decide.partition = smk_partition,
	.sm_local = true,
	.depends_on_remaining_ctas = true,
};
