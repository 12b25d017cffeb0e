/* cmd_find_text.c - find: search in the focused pane. */
#include "command.h"
#include "tui.h"

#include <string.h>

/* find [-b] [TEXT] */
static enum status cmd_find_text_run(struct session *s, const struct args *a, struct error *e)
{
	const char *text = a->arg[1].present ? a->arg[1].text : NULL;

	if (text && !*text) {
		desk_find_nothing(s);
		return STATUS_OK;
	}
	if (text && strlen(text) > 60)
		return error_at(e, STATUS_USAGE, NULL, 0, a->arg[1].column,
				"what is searched for has 60 bytes at most");
	return desk_find(s, text, a->arg[0].present, e);
}

const struct command command_find_text = {
	.name = "find",
	.group = "screen",
	.summary = "search in the focused pane, or in the console",
	.details =
		"The next row that holds TEXT, letters of either case, is scrolled to, and TEXT is marked wherever the pane shows it;\n"
		"`find` alone looks for it again, with -b upwards. In the console the next line above is meant. `find \"\"` ends the\n"
		"marks; `filter` leaves out what does not match.",
	.examples = "find ld\nfind\nfind -b",
	.flags = COMMAND_OPEN,
	.run = cmd_find_text_run,
	.arg = {{.name = "-b", .type = ARG_FLAG, .optional = true, .doc = "upwards; in the console downwards"},
		{.name = "TEXT", .type = ARG_STRING, .optional = true, .doc = "part of a row"}},
};
