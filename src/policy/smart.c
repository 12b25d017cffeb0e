/*
 * smart.c - SMs belong to kernels: as many to each that runs, but no more than it can fill with CTAs that have not
 * ended, which is looked at every spatial.window cycles.
 *
 * How SMs change hands is in spatial.c. Source: Adriaens, Compton, Kim, Schulte, HPCA 2012.
 */
#include "policy_multi.h"

OWN_FIELDS(spatial, SPATIAL_FIELDS)

static u32 smart_partition(const struct sched_view *v, u32 launch)
{
	return spatial_wanted(v, scheme_own_gpu(v->m, SCHEME_smart), launch);
}

static void smart_on_notice_gpu(const struct gpu_view *v, const struct notice *n UNUSED, struct scheme_bytes bytes)
{
	spatial_divide(v, true, bytes.gpu);
}

/* While kernels share the SMs. */
static u64 smart_due(const struct gpu_view *v, u64 from)
{
	u64 window = v->m->config.spatial_window;
	u32 n = 0;
	for (u32 i = 0; i < v->launches; i++)
		n += v->run[i].state == LAUNCH_RUNNING;
	return n > 1 && window ? window_last(window, from) : NEVER;
}

const struct scheme scheme_smart = {
	.name = "smart",
	.paper = "Adriaens, Compton, Kim, Schulte, \"The Case for GPGPU Spatial Multitasking\", HPCA 2012",
	.doc = "spatial partitioning: each running kernel gets an equal number of SMs, but no more than it can fill",
	.decide.partition = smart_partition,
	.sm_local = true,
	.on_notice_gpu = smart_on_notice_gpu,
	.subscribes = 1ULL << NOTICE_KERNEL_START | 1ULL << NOTICE_KERNEL_END | 1ULL << NOTICE_EPOCH,
	.due = smart_due,
	.own = {OWN(spatial, "smart.sm", IN_GPU, spatial_sms)},
};
