/* cmd_give_up.c - give up: show the answer to the current question. */
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
	.summary = "show the answer to the current question",
	.details = "The question counts as asked, but not as answered correctly; `lesson report` lists it.",
	.examples = "give up",
	.flags = COMMAND_OPEN,
	.run = cmd_give_up_run,
};
