/* cmd_log.c - log: a copy of what is printed. */
#include "complete.h"
#include "paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static enum status cmd_log_run(struct session *s, const struct args *a, struct error *e)
{
	bool off = !strcmp(a->arg[0].text, "off");
	enum status st;
	char *path;
	FILE *f;

	if (off)
		return log_close(s, e);
	path = path_resolve(s, a, &a->token[1], true, e);
	if (!path)
		return STATUS_USAGE;
	f = fopen(path, "a");
	if (!f) {
		error_at(e, STATUS_FAILED, NULL, 0, a->arg[0].column, "cannot write %s: %s", safe_text(path),
			 strerror(errno));
		free(path);
		return STATUS_FAILED;
	}
	free(path);
	st = log_close(s, e);
	s->log = f;
	return st;
}

const struct command command_log = {
	.name = "log",
	.group = "files",
	.summary = "append a copy of what is printed to a file; `log off` ends it",
	.examples = "log today.txt\nlog off",
	.flags = COMMAND_WRITES | COMMAND_OPEN,
	.run = cmd_log_run,
	.arg = {{.name = "FILE | off", .type = ARG_WORD, .complete = complete_file, .doc = "file to append to"}},
};
