/* cmd_while.c - while: run as long as an expression is true. */
#include "complete.h"
#include "travel.h"

static enum status cmd_while_run(struct session *s, const struct args *a, struct error *e)
{
	return travel_until(s, a, true, e);
}

const struct command command_while = {
	.name = "while",
	.group = "time",
	.summary = "run while EXPR is true at the end of a cycle",
	.details =
		"The run stops after the first cycle at whose end EXPR is false; if EXPR is false now, the machine does not\n"
		"move. A breakpoint stops the run earlier.",
	.examples = "while inst.warp < 1000\nwhile sm[0].warp[3].state == barrier",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_while_run,
	.arg = {{.name = "EXPR", .type = ARG_EXPR, .complete = complete_expr, .doc = "condition"}},
};
