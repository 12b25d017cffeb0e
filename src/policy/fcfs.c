/*
 * fcfs.c - first come, first served: a kernel comes to the GPU when the one before it has ended. Source: the baseline
 * without preemption of Park, Park, Mahlke, "Chimera", ASPLOS 2015.
 */
#include "policy_multi.h"

static u32 fcfs_partition(const struct sched_view *v, u32 launch)
{
	return launch_in_turn(v, launch, true) ? NONE32 : 0;
}

const struct scheme scheme_fcfs = {
	.name = "fcfs",
	.paper = "Park, Park, Mahlke, \"Chimera\", ASPLOS 2015 (baseline)",
	.doc = "first come, first served: a kernel is dispatched when the previous one has ended",
	.decide.partition = fcfs_partition,
	.sm_local = true,
};
