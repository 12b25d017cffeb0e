/*
 * drain.c - CTAs that are to make room run to their end, before all others.
 *
 * Costs, and how they are compared, are in preempting.c. Source: Park, Park, Mahlke, "Chimera", ASPLOS 2015.
 */
#include "policy_multi.h"

const struct scheme scheme_drain = {
	.name = "drain",
	.paper = "Park, Park, Mahlke, ASPLOS 2015",
	.doc = "CTAs that are too many end first, before all others",
	.preempt = ways_choose,
	.menu = MENU_DRAIN,
	.steady = true,
};
