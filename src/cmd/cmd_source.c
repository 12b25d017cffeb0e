/* cmd_source.c - source: run a file of commands. */
#include "lang.h"

static enum status cmd_source_run(struct session *s, const struct args *a, struct error *e)
{
	return command_run_file(s, a->arg[0].text, e);
}

const struct command command_source = {
	.name = "source",
	.group = "files",
	.summary = "run the commands of a file",
	.details =
		"Paths in the file are relative to the file's directory. Unless the program was started with --trust, the file\n"
		"may not read above the scenario's directory or write files. The same holds for what its lines store for later:\n"
		"warpstep-trust(7).",
	.examples = "source stops.scn",
	.flags = COMMAND_READS | COMMAND_RUNS,
	.run = cmd_source_run,
	.arg = {{"FILE", ARG_PATH, .doc = "file of commands"}},
};
