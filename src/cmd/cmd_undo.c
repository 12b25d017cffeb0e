/* cmd_undo.c - undo: take back the last command that changed anything. */
#include "command.h"
#include "undo.h"

static enum status cmd_undo_run(struct session *s, const struct args *a, struct error *e)
{
	(void)a;
	return undo_last(s, e);
}

const struct command command_undo = {
	.name = "undo",
	.group = "time",
	.summary = "undo the last command that changed the position, a setting, the policy or the setup",
	.details = "A second `undo` undoes the command before. Breakpoints stay, and a restart cannot be undone.",
	.examples = "undo",
	.run = cmd_undo_run,
};
