/* cmd_begin.c - begin: what a part of a lesson begins with. */
#include "command.h"
#include "complete.h"
#include "lesson.h"

#include <stdlib.h>

static enum status cmd_begin_run(struct session *s, const struct args *a, struct error *e)
{
	char *line = xstrdup(a->line + a->token[1].column - 1);
	enum status st = command_find(a->token[1].s, e)
				 ? lesson_add(s, (struct lesson_item){.kind = LESSON_BEGIN, .text = line}, e)
				 : STATUS_USAGE;

	free(line);
	return st;
}

const struct command command_begin = {
	.name = "begin",
	.group = "lessons",
	.summary = "give a command with which a part of a lesson begins",
	.details =
		"The command runs when a step of the part begins, on the machine as the scenario created it, at cycle 0. A\n"
		"`begin` after a question applies to the questions that follow.",
	.examples = "part \"Waiting\"\nbegin goto 60",
	.flags = COMMAND_SETUP | COMMAND_RUNS,
	.run = cmd_begin_run,
	.arg = {{.name = "COMMAND", .type = ARG_REST, .complete = complete_command, .doc = "command to run"}},
};
