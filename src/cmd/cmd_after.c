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
	.summary = "a command after which the answer of the question before it is so",
	.details =
		"It is run where nobody sees it when the question is judged, and in the machine that is seen behind the verdict.",
	.examples = "part \"Waiting\"\nask number \"How many cycles does the kernel take?\" kernel.0.cycles\nafter run",
	.flags = COMMAND_SETUP | COMMAND_RUNS,
	.run = cmd_after_run,
	.arg = {{.name = "COMMAND", .type = ARG_REST, .complete = complete_command, .doc = "command"}},
};
