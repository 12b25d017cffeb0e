/* cmd_reveal.c - reveal: the text shown when a question has been answered. */
#include "command.h"
#include "lesson.h"

static enum status cmd_reveal_run(struct session *s, const struct args *a, struct error *e)
{
	enum status st = lesson_braces(a->line, &a->token[1], e);

	return st ? st : lesson_add(s, (struct lesson_item){.kind = LESSON_REVEAL, .text = (char *)a->arg[0].text}, e);
}

const struct command command_reveal = {
	.name = "reveal",
	.group = "lessons",
	.summary = "give the text shown after the preceding question is answered or given up",
	.details =
		"Text in braces is an expression, replaced by its value in the machine of the answer: {kernel.0.cycles}.",
	.examples =
		"part \"Waiting\"\nask number \"How many cycles does the kernel take?\" kernel.0.cycles\nafter run\nreveal \"Of {slots.total} slots {slots.issued} issued.\"",
	.flags = COMMAND_SETUP,
	.run = cmd_reveal_run,
	.arg = {{.name = "TEXT", .type = ARG_STRING, .doc = "text, in quotes"}},
};
