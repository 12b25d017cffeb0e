/* cmd_after.c - after: what leads to the answer of a question. */
#include "command.h"
#include "complete.h"
#include "lesson.h"

#include <stdlib.h>

static enum status cmd_after_run(struct session *s, const struct args *a, struct error *e)
{
	char *line = xstrdup(a->line + a->token[1].column - 1);
	enum status st = command_find(a->token[1].s, e)
				 ? lesson_add(s, (struct lesson_item){.kind = LESSON_AFTER, .text = line}, e)
				 : STATUS_USAGE;

	free(line);
	return st;
}

const struct command command_after = {
	.name = "after",
	.group = "lessons",
	.summary = "give a command that leads to the answer of the preceding question",
	.details =
		"The command runs out of the reader's sight when the answer is computed. After the verdict it runs again, in\n"
		"the machine that the reader sees.",
	.examples = "part \"Waiting\"\nask number \"How many cycles does the kernel take?\" kernel.0.cycles\nafter run",
	.flags = COMMAND_SETUP | COMMAND_RUNS,
	.run = cmd_after_run,
	.arg = {{.name = "COMMAND", .type = ARG_REST, .complete = complete_command, .doc = "command to run"}},
};
