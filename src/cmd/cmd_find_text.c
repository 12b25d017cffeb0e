/* cmd_find_text.c - find: search in the focused pane. */
#include "command.h"
#include "tui.h"

/* find [-b] [TEXT] */
static enum status cmd_find_text_run(struct session *s, const struct args *a, struct error *e)
{
	const char *text = a->arg[1].present ? a->arg[1].text : NULL;

	if (text && !*text) {
		desk_find_nothing(s);
		return STATUS_OK;
	}
	if (text && strlen(text) > 60)
		return usage_at(e, a->arg[1].column, "find: the text is too long (limit: 60 bytes)");
	return desk_find(s, text, a->arg[0].present, e);
}

const struct command command_find_text = {
	.name = "find",
	.group = "screen",
	.summary = "search for text in the focused pane, or in the console",
	.details =
		"`find TEXT` scrolls to the next row that contains TEXT, ignoring case, and marks every match in the pane.\n"
		"`find` alone repeats the search, `find -b` upwards. In the console the search runs upwards, and with -b\n"
		"downwards. `find \"\"` removes the marks. `filter` hides rows that do not match.",
	.examples = "find ld\nfind\nfind -b",
	.flags = COMMAND_OPEN,
	.run = cmd_find_text_run,
	.arg = {{"-b", ARG_FLAG, .doc = "search upwards (in the console: downwards)", .optional = true},
		{"TEXT", ARG_STRING, .doc = "part of a row", .optional = true}},
};
