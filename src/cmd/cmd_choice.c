/* cmd_choice.c - choice: one of the answers that a question offers. */
#include "command.h"
#include "complete.h"
#include "lesson.h"

#include <string.h>

static enum status cmd_choice_run(struct session *s, const struct args *a, struct error *e)
{
	if (strcmp(a->arg[1].text, "if"))
		return usage_at(e, a->arg[1].column, "expected `if` (usage: `choice TEXT if EXPR`)");
	return lesson_add(s,
			  (struct lesson_item){.kind = LESSON_CHOICE,
					       .text = (char *)a->arg[0].text,
					       .expr = (char *)a->arg[2].text},
			  e);
}

const struct command command_choice = {
	.name = "choice",
	.group = "lessons",
	.summary = "add an answer to the preceding `ask choice`, correct if EXPR is true",
	.details =
		"The first choice is a, the second b. EXPR is evaluated in the machine of the answer, after the `after`\n"
		"commands. At least one choice must be correct.",
	.examples = "part \"Order\"\nask choice \"Which kernel is longer?\"\nafter run\nchoice \"the first\" if "
		    "kernel.0.cycles > kernel.1.cycles\nchoice \"the second\" if kernel.0.cycles < kernel.1.cycles",
	.flags = COMMAND_SETUP,
	.run = cmd_choice_run,
	.arg = {{.name = "TEXT", .type = ARG_STRING, .doc = "the answer, in quotes"},
		{.name = "if", .type = ARG_WORD, .doc = "the word `if`"},
		{.name = "EXPR", .type = ARG_EXPR, .complete = complete_expr, .doc = "true if this answer is correct"}},
};
