/*
 * leftover.c - a kernel comes to an SM when all CTAs of those before it have been dispatched, even if these fit nowhere
 * and its own would: what they leave free stays free. It is what studies of sharing take the hardware to do.
 */
#include "policy_multi.h"

static u32 leftover_partition(const struct sched_view *v, u32 launch)
{
	return launch_in_turn(v, launch, false) ? NONE32 : 0;
}

const struct scheme scheme_leftover = {
	.name = "leftover",
	.doc = "leftover: CTAs of a kernel are dispatched when all CTAs of earlier kernels have been dispatched",
	.decide.partition = leftover_partition,
	.sm_local = false, /* a kernel may come to an SM as soon as the last CTA of another has come elsewhere */
};
