/*
 * even.c - SMs belong to kernels: as many to each that runs.
 *
 * How SMs change hands is in spatial.c. Source: Adriaens, Compton, Kim, Schulte, HPCA 2012.
 */
#include "policy_multi.h"

OWN_FIELDS(spatial, SPATIAL_FIELDS)

static u32 even_partition(const struct sched_view *v, u32 launch)
{
	return spatial_wanted(v, scheme_own_gpu(v->m, SCHEME_even), launch);
}

static void even_on_notice_gpu(const struct gpu_view *v, const struct notice *n UNUSED, struct scheme_bytes bytes)
{
	spatial_divide(v, false, bytes.gpu);
}

const struct scheme scheme_even = {
	.name = "even",
	.paper = "Adriaens, Compton, Kim, Schulte, \"The Case for GPGPU Spatial Multitasking\", HPCA 2012",
	.doc = "spatial partitioning: each running kernel gets an equal number of SMs",
	.decide.partition = even_partition,
	.sm_local = true,
	.on_notice_gpu = even_on_notice_gpu,
	.subscribes = 1ULL << NOTICE_KERNEL_START | 1ULL << NOTICE_KERNEL_END,
	.own = {OWN(spatial, "even.sm", IN_GPU, spatial_sms)},
};
