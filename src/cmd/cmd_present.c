/* cmd_present.c - present: the screen for a lecture. */
#include "complete.h"
#include "tui.h"

#include <string.h>

static enum status cmd_present_run(struct session *s, const struct args *a, struct error *e)
{
	bool off = a->arg[0].present;

	if (off && strcmp(a->arg[0].text, "off"))
		return error_at(e, STATUS_USAGE, NULL, 0, a->arg[0].column,
				"`present` or `present off` is meant, not `%s`", token_shown(a->arg[0].text));
	desk_present(s, !off);
	return STATUS_OK;
}

const struct command command_present = {
	.name = "present",
	.group = "screen",
	.summary = "the screen for a lecture: large notes, no prompt, a key for the next step; `present off` ends it",
	.details =
		"Space, Right or PgDn goes to the lesson's next step, Backspace, Left or PgUp back (a presenter's buttons are "
		"PgDn and PgUp); all other keys do what they do in single-key mode, : asks for a command, q ends it. "
		"`record FILE` makes a film of it.",
	.examples = "present\npresent off",
	.flags = COMMAND_OPEN,
	.run = cmd_present_run,
	.arg = {{.name = "off", .type = ARG_WORD, .complete = complete_off, .optional = true, .doc = "end it"}},
};
