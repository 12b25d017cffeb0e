/*
 * flush.c - CTAs that are to make room are forgotten and begin again elsewhere; those that have executed what cannot be
 * begun again (idempotence.h) run to their end instead.
 *
 * Costs, and how they are compared, are in preempting.c. Source: Park, Park, Mahlke, "Chimera", ASPLOS 2015.
 */
#include "policy_multi.h"

const struct scheme scheme_flush = {
	.name = "flush",
	.paper = "Park, Park, Mahlke, \"Chimera\", ASPLOS 2015",
	.doc = "preemption by flushing: surplus CTAs are discarded and restarted later; those that may not be flushed are drained",
	.limited = ways_limited,
	.brings = "preempt.ctas 256",
	.decide.preempt = ways_choose,
	.menu = MENU_FLUSH,
	.sm_local = true,
};
