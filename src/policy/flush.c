/*
 * flush.c - CTAs that are to make room are forgotten and begin again elsewhere; those that have executed what cannot be
 * begun again (idempotence.h) run to their end instead.
 *
 * Costs, and how they are compared, are in preempting.c. Source: Park, Park, Mahlke, "Chimera", ASPLOS 2015.
 */
#include "policy_multi.h"

const struct scheme scheme_flush = {
	.name = "flush",
	.paper = "Park, Park, Mahlke, ASPLOS 2015",
	.doc = "CTAs that are too many are forgotten and begin again later; those that may not, drain",
	.preempt = ways_choose,
	.menu = MENU_FLUSH,
	.steady = true,
};
