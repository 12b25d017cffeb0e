/* cmd_forward.c - forward: to the position that `back` left. */
#include "command.h"
#include "undo.h"

static enum status cmd_forward_run(struct session *s, const struct args *a, struct error *e)
{
	(void)a;
	return visited_go(s, 1, e);
}

const struct command command_forward = {
	.name = "forward",
	.group = "time",
	.summary = "go to the position that `back` left",
	.examples = "forward",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_forward_run,
};
