/* cmd_give_up.c - give up: be told the answer of the question that waits. */
#include "command.h"
#include "teach.h"

static enum status cmd_give_up_run(struct session *s, const struct args *a, struct error *e)
{
	(void)a;
	return lesson_judge(s, NULL, 0, e);
}

const struct command command_give_up = {
	.name = "give up",
	.group = "lessons",
	.summary = "be told the answer of the question that waits",
	.details = "It counts as asked, not as right; `lesson report` says so.",
	.examples = "give up",
	.flags = COMMAND_OPEN,
	.run = cmd_give_up_run,
};
