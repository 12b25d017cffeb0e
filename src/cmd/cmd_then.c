/* cmd_then.c - then: a command that shows the answer to a question. */
#include "command.h"
#include "complete.h"
#include "lesson.h"

#include <stdlib.h>

static enum status cmd_then_run(struct session *s, const struct args *a, struct error *e)
{
	char *line = xstrdup(a->line + a->token[1].column - 1);
	enum status st = command_find(a->token[1].s, e)
				 ? lesson_add(s, (struct lesson_item){.kind = LESSON_THEN, .text = line}, e)
				 : STATUS_USAGE;

	free(line);
	return st;
}

const struct command command_then = {
	.name = "then",
	.group = "lessons",
	.summary = "give a command that shows the answer to the preceding question, after the verdict",
	.details = "The command runs after those of `after`: it shows a pane, a reason or a number.",
	.examples =
		"part \"Waiting\"\nask number \"How many cycles does the kernel take?\" kernel.0.cycles\nafter run\nthen stats slots.*",
	.flags = COMMAND_SETUP | COMMAND_RUNS,
	.run = cmd_then_run,
	.arg = {{.name = "COMMAND", .type = ARG_REST, .complete = complete_command, .doc = "command to run"}},
};
