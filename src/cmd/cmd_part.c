/* cmd_part.c - part: a part of a lesson. */
#include "command.h"
#include "lesson.h"

static enum status cmd_part_run(struct session *s, const struct args *a, struct error *e)
{
	return lesson_add(s, (struct lesson_item){.kind = LESSON_PART, .text = (char *)a->arg[0].text}, e);
}

const struct command command_part = {
	.name = "part",
	.group = "lessons",
	.summary = "begin a part of a lesson; the notes and questions that follow belong to it",
	.details =
		"Each question is a step, and so is a part without questions. `lesson` begins with the first step. A scenario\n"
		"with parts begins its lesson by itself when opened without -b and -q.",
	.examples = "part \"Why it waits\"\nnote \"Two warps, one line of memory.\"",
	.flags = COMMAND_SETUP,
	.run = cmd_part_run,
	.arg = {{.name = "TITLE", .type = ARG_STRING, .doc = "title of the part, in quotes"}},
};
