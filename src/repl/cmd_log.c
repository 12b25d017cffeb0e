/* cmd_log.c - log: a copy of what is printed. */
#include "complete.h"
#include "repl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static enum status run(struct session *s, const struct args *a, struct error *e)
{
	struct repl *r = repl_of(s);
	bool off = !strcmp(a->arg[0].text, "off");
	char *path;
	FILE *f;

	if (off) {
		if (r->log)
			fclose(r->log);
		r->log = NULL;
		return STATUS_OK;
	}
	path = path_resolve(s, a, &a->token[1], true, e);
	if (!path)
		return STATUS_USAGE;
	f = fopen(path, "a");
	if (!f) {
		error_at(e, STATUS_FAILED, NULL, 0, a->arg[0].column, "cannot write %s: %s", safe_text(path), strerror(errno));
		free(path);
		return STATUS_FAILED;
	}
	free(path);
	if (r->log)
		fclose(r->log);
	r->log = f;
	return STATUS_OK;
}

const struct command command_log = {
	.name = "log", .group = "files",
	.summary = "append a copy of what is printed to a file; `log off` ends it",
	.examples = "log today.txt\nlog off",
	.flags = COMMAND_WRITES,
	.run = run,
	.arg = {{.name = "FILE | off", .type = ARG_WORD, .complete = complete_file, .doc = "file to append to"}},
};
