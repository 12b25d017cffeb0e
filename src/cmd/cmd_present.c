/* cmd_present.c - present: the screen for a lecture. */
#include "complete.h"
#include "tui.h"

static enum status cmd_present_run(struct session *s, const struct args *a, struct error *e)
{
	bool off = a->arg[0].present;

	if (off && strcmp(a->arg[0].text, "off"))
		return usage_at(e, a->arg[0].column, "unexpected '%s' (usage: `present` or `present off`)",
				token_shown(a->arg[0].text));
	desk_present(s, !off);
	return STATUS_OK;
}

const struct command command_present = {
	.name = "present",
	.group = "screen",
	.summary = "show the screen for a lecture (`present off` ends it)",
	.details =
		"Notes are large, there is no prompt. If the layout has the pane datapath or floor, that is large, above the notes.\n"
		"Space, Right or PgDn goes to the next step of the lesson, Backspace, Left or PgUp to the previous one (a\n"
		"presenter's buttons are PgDn and PgUp). All other keys work as in single-key mode: `:` opens a prompt for one command,\n"
		"q ends the presentation. While a question is open, a answers it, H gives a hint, G gives up; a key that has to wait\n"
		"says so. `record FILE` records it.",
	.examples = "present\npresent off",
	.flags = COMMAND_OPEN,
	.run = cmd_present_run,
	.arg = {{"off", ARG_WORD, .doc = "end the presentation", .complete = complete_off, .optional = true}},
};
