/* cmd_reveal.c - reveal: what is said when a question has been answered. */
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
	.summary = "what is said when the question before it has been answered or given up",
	.details =
		"What stands in braces is an expression, shown as its value where the answer is so: {kernel.0.cycles}.",
	.examples =
		"part \"Waiting\"\nask number \"How many cycles does the kernel take?\" kernel.0.cycles\nafter run\nreveal \"Of {slots.total} slots {slots.issued} issued.\"",
	.flags = COMMAND_SETUP,
	.run = cmd_reveal_run,
	.arg = {{.name = "TEXT", .type = ARG_STRING, .doc = "sentence"}},
};
