/*
 * switch.c - CTAs that are to make room are saved and go on elsewhere.
 *
 * Costs, and how they are compared, are in preempting.c. Source: Park, Park, Mahlke, "Chimera", ASPLOS 2015.
 */
#include "policy_multi.h"

const struct scheme scheme_switch = {
	.name = "switch",
	.paper = "Park, Park, Mahlke, \"Chimera\", ASPLOS 2015",
	.doc = "preemption by context switching: surplus CTAs are saved and resumed later",
	.limited = ways_limited,
	.brings = "preempt.ctas 256, chimera.switch time",
	.decide.preempt = ways_choose,
	.menu = MENU_SWITCH,
	.sm_local = true,
};
