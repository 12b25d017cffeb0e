/*
 * firstfit.c - registers and shared memory lie where they first fit: at the lowest stretch that is free and long
 * enough. What is free may then lie in pieces that are too small for anything.
 *
 * Source: Park, University of Michigan, 2016, section 5.3.4.1, where it is the usual way.
 */
#include "policy.h"

static u32 firstfit_allocate(const struct sched_view *v UNUSED, const struct ground *g, u32 launch UNUSED, u32 n)
{
	return ground_lowest(g, n);
}

const struct scheme scheme_firstfit = {
	.name = "firstfit",
	.paper = "Park, PhD thesis, University of Michigan, 2016, chapter V (comparator)",
	.doc = "first-fit allocation: registers and shared memory at the lowest free addresses, never moved",
	.decide.allocate = firstfit_allocate,
	.sm_local = true,
};
