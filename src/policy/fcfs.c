/*
 * fcfs.c - first come, first served: a kernel comes to the GPU when the one before it has ended. Source: the baseline
 * without preemption of Park, Park, Mahlke, "Chimera", ASPLOS 2015.
 */
#include "policy_multi.h"

static u32 partition(const struct sched_view *v, u32 launch)
{
	return launch_in_turn(v, launch, true) ? NONE32 : 0;
}

const struct scheme scheme_fcfs = {
	.name = "fcfs",
	.paper = "the baseline of Park, Park, Mahlke, ASPLOS 2015",
	.doc = "a kernel comes to the GPU when the one before it has ended",
	.partition = partition,
	.steady = true,
};
