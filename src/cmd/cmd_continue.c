/* cmd_continue.c - continue, reverse-continue: to the next stop, to the one before. */
#include "lang.h"
#include "travel.h"

static enum status cmd_continue_run(struct session *s, const struct args *a UNUSED, struct error *e)
{
	return travel_run(s, NULL, false, e);
}

const struct command command_continue = {
	.name = "continue",
	.alias = "c",
	.group = "time",
	.summary = "run to the next breakpoint or watchpoint, or to the end",
	.examples = "continue",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_continue_run,
};

static enum status cmd_continue_reverse_continue_run(struct session *s, const struct args *a UNUSED, struct error *e)
{
	return travel_reverse(s, NULL, e);
}

const struct command command_reverse_continue = {
	.name = "reverse-continue",
	.alias = "rc",
	.group = "time",
	.summary = "run backwards to the last breakpoint or watchpoint, or to the beginning",
	.examples = "reverse-continue",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_continue_reverse_continue_run,
};
