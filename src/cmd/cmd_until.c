/* cmd_until.c - until: run until an expression is true. */
#include "complete.h"
#include "lang.h"
#include "travel.h"

static enum status cmd_until_run(struct session *s, const struct args *a, struct error *e)
{
	return travel_until(s, a, false, e);
}

const struct command command_until = {
	.name = "until",
	.alias = "u",
	.group = "time",
	.summary = "run until EXPR is true at the end of a cycle, or the focused warp reaches a location",
	.details =
		"EXPR is evaluated after every cycle; a number alone is a cycle. FILE:LINE, KERNEL:LABEL and `pc N` are\n"
		"locations, as for `break`: the run ends when the focused warp issues an instruction there, or has ended\n"
		"(`advance`: any warp). A breakpoint stops the run earlier.",
	.examples = "until 60\nuntil pc 12\nuntil inst.warp >= 1000\nuntil sm[0].warp[3].state == barrier",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_until_run,
	.arg = {{.name = "EXPR", .type = ARG_EXPR, .complete = complete_expr, .doc = "condition, cycle or location"}},
};
