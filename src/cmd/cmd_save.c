/* cmd_save.c - save: a script that brings the session back. */
#include "complete.h"
#include "lang.h"
#include "paths.h"

static enum status cmd_save_run(struct session *s, const struct args *a, struct error *e)
{
	enum status st;
	char *path;

	if (strcmp(a->arg[0].text, "session"))
		return usage_at(e, a->arg[0].column, "'%s' cannot be saved (usage: `save session FILE`)",
				token_shown(a->arg[0].text));
	path = path_resolve(s, &a->token[2], true, e);
	if (!path)
		return STATUS_USAGE;
	st = session_save(s, path, e);
	if (!st)
		session_print(s, "written: %s\n", safe_text(path));
	free(path);
	return st;
}

const struct command command_save = {
	.name = "save",
	.group = "files",
	.summary = "write a script that restores this session",
	.details =
		"The script has the setup as it was given; settings and policies with the cycles in which they were changed;\n"
		"breakpoints with their commands and the hits still to ignore; displays, checkpoints, aliases, user-defined\n"
		"commands; the layout with its heights, focus and zoom; filters, sort orders, keys; and the position. `warpstep\n"
		"-x FILE` runs it. Breakpoints keep their numbers and their hits. A session already in FILE is replaced only\n"
		"when everything has been written.",
	.examples = "save session today.scn",
	.flags = COMMAND_WRITES | COMMAND_OPEN,
	.run = cmd_save_run,
	.arg = {{"session", ARG_WORD, .doc = "the word `session`", .complete = complete_sitting},
		{"FILE", ARG_OUTPUT, .doc = "file to write", .complete = complete_file}},
};
