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
		"Paths in it start at its own directory. It may not read above the scenario's directory nor write files, nor may\n"
		"what its lines keep for later, unless the program was started with --trust: warpstep-trust(7).",
	.examples = "source stops.scn",
	.flags = COMMAND_READS | COMMAND_RUNS,
	.run = cmd_source_run,
	.arg = {{.name = "FILE", .type = ARG_PATH, .doc = "file of commands"}},
};
