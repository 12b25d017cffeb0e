/* cmd_reverse_continue.c - reverse-continue: back to the last stop. */
#include "lang.h"
#include "travel.h"

static enum status cmd_reverse_continue_run(struct session *s, const struct args *a, struct error *e)
{
	(void)a;
	return travel_reverse(s, NULL, e);
}

const struct command command_reverse_continue = {
	.name = "reverse-continue",
	.alias = "rc",
	.group = "time",
	.summary = "run backwards to the last breakpoint or watchpoint, or to the beginning",
	.examples = "reverse-continue",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_reverse_continue_run,
};
