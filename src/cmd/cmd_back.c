/* cmd_back.c - back, forward, undo, restart: to where the session has been. */
#include "command.h"
#include "undo.h"
#include "travel.h"

static enum status cmd_back_run(struct session *s, const struct args *a UNUSED, struct error *e)
{
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

static enum status cmd_back_forward_run(struct session *s, const struct args *a UNUSED, struct error *e)
{
	return visited_go(s, 1, e);
}

const struct command command_forward = {
	.name = "forward",
	.group = "time",
	.summary = "go to the position that `back` left",
	.examples = "forward",
	.flags = COMMAND_MOVES | COMMAND_REPEATS,
	.run = cmd_back_forward_run,
};

static enum status cmd_back_undo_run(struct session *s, const struct args *a UNUSED, struct error *e)
{
	return undo_last(s, e);
}

const struct command command_undo = {
	.name = "undo",
	.group = "time",
	.summary = "undo the last command that changed the position, a setting, the policy or the setup",
	.details = "A second `undo` undoes the command before. Breakpoints stay, and a restart cannot be undone.",
	.examples = "undo",
	.run = cmd_back_undo_run,
};

static enum status cmd_back_restart_run(struct session *s, const struct args *a UNUSED, struct error *e)
{
	enum status st = session_restart(s, e);

	if (!st)
		session_stopped(s, STOP_START, NULL);
	return st;
}

const struct command command_restart = {
	.name = "restart",
	.group = "time",
	.summary = "create the machine again at cycle 0, with all settings, buffers and launches declared so far",
	.details =
		"Layout settings, and buffers and launches added while the machine ran, take effect now. The recorded past is\n"
		"discarded; breakpoints stay.",
	.examples = "set l1d.bytes 65536\nrestart",
	.run = cmd_back_restart_run,
};
