/* cmd_quit.c - quit: leave, with a status. */
#include "arguments.h"
#include "lang.h"
#include "rights.h"
#include "tui.h"

static enum status cmd_quit_run(struct session *s, const struct args *a, struct error *e)
{
	if (a->arg[0].present && a->arg[0].number > 255)
		return usage_at(e, a->arg[0].column, "quit: the exit status is out of range (0 to 255)");
	if (!a->arg[0].present && tui_active() && s->depth == 1 && !rights_now(s)->root)
		return quit_asked(s, "quit or Ctrl-D", e);
	s->quit = true;
	s->quit_status = a->arg[0].present ? (int)a->arg[0].number : s->interactive ? 0 : (int)s->lang->status;
	return STATUS_OK;
}

const struct command command_quit = {
	.name = "quit",
	.alias = "q",
	.group = "session",
	.summary = "end the program with an exit status (default: 0, or that of the first failure of a script)",
	.details =
		"On the full screen, `quit` without a number, Ctrl-D and the key q ask first if breakpoints, checkpoints or\n"
		"inputs are not saved: the same again exits.",
	.examples = "quit\nquit 3",
	.flags = COMMAND_OPEN,
	.run = cmd_quit_run,
	.arg = {{"STATUS", ARG_NUMBER, .doc = "exit status, 0 to 255", .optional = true}},
};
