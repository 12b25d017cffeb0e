/*
 * drain.c - CTAs that are to make room run to their end, before all others.
 *
 * Costs, and how they are compared, are in preempting.c. Source: Park, Park, Mahlke, "Chimera", ASPLOS 2015.
 */
#include "policy_multi.h"

const struct scheme scheme_drain = {
	.name = "drain",
	.paper = "Park, Park, Mahlke, \"Chimera\", ASPLOS 2015",
	.doc = "preemption by draining: surplus CTAs run to their end, before all other warps of the SM",
	.decide.preempt = ways_choose,
	.menu = MENU_DRAIN,
	.sm_local = true,
};
