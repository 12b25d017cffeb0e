/* cmd_back.c - back: to the position visited before this one. */
#include "command.h"
#include "undo.h"

static enum status cmd_back_run(struct session *s, const struct args *a, struct error *e)
{
	(void)a;
	return visited_go(s, -1, e);
}

const struct command command_back = {
	.name = "back",
	.group = "time",
	.summary = "go to the position visited before the current one",
	.details = "The visited positions are those at which commands have left the machine. `forward` returns.",
	.examples = "back",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_back_run,
};
