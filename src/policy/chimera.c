/*
 * chimera.c - of each CTA that is to make room the cheapest way that is fast enough (chimera.bound): it drains, is
 * flushed or is switched.
 *
 * Costs, and how they are compared, are in preempting.c. Source: Park, Park, Mahlke, "Chimera", ASPLOS 2015.
 */
#include "policy_multi.h"

const struct scheme scheme_chimera = {
	.name = "chimera",
	.paper = "Park, Park, Mahlke, \"Chimera\", ASPLOS 2015",
	.doc = "collaborative preemption: each surplus CTA is drained, flushed or switched, by the cheapest technique within the latency target (chimera.bound)",
	.limited = ways_limited,
	.brings = "preempt.ctas 256, chimera.switch time",
	.decide.preempt = ways_choose,
	.menu = MENU_ALL,
	.sm_local = true,
};
