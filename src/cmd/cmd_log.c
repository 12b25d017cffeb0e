/* cmd_log.c - log: a copy of what is printed. */
#include "complete.h"
#include "paths.h"

static enum status cmd_log_run(struct session *s, const struct args *a, struct error *e)
{
	bool off = !strcmp(a->arg[0].text, "off");
	enum status st;
	FILE *f;

	if (off)
		return log_close(s, e);
	f = path_open(s, &a->token[1], OUTFILE_APPEND, e);
	if (!f)
		return e->status;
	st = log_close(s, e);
	s->log = f;
	return st;
}

const struct command command_log = {
	.name = "log",
	.group = "files",
	.summary = "append a copy of the output to a file (`log off` stops)",
	.examples = "log today.txt\nlog off",
	.flags = COMMAND_WRITES | COMMAND_OPEN,
	.run = cmd_log_run,
	.arg = {{"FILE | off", ARG_OUTPUT, .doc = "file to append to", .complete = complete_file}},
};
