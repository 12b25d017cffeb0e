/* cmd_tolerance.c - tolerance: how far off a right answer may be. */
#include "command.h"
#include "lesson.h"

#include <stdlib.h>
#include <string.h>

static enum status cmd_tolerance_run(struct session *s, const struct args *a, struct error *e)
{
	char *end;
	double n = strtod(a->arg[0].text, &end);

	if (end == a->arg[0].text || !(n >= 0) || (*end && strcmp(end, "%")))
		return usage_at(e, a->arg[0].column,
				"'%s' is not a tolerance (a number of at least 0, or a percentage)",
				token_shown(a->arg[0].text));
	return lesson_add(s, (struct lesson_item){.kind = LESSON_TOLERANCE, .text = (char *)a->arg[0].text}, e);
}

const struct command command_tolerance = {
	.name = "tolerance",
	.group = "lessons",
	.summary = "set how far an answer to the preceding question may be from the correct value",
	.details =
		"N is a number, or a percentage of the answer. Without `tolerance`, whole numbers must be equal and other\n"
		"numbers must agree within half a percent.",
	.examples =
		"part \"Waiting\"\nask number \"How many cycles does the kernel take?\" kernel.0.cycles\ntolerance 10%\nafter run",
	.flags = COMMAND_SETUP,
	.run = cmd_tolerance_run,
	.arg = {{.name = "N", .type = ARG_WORD, .doc = "number, or N%"}},
};
