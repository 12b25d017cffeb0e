/* cmd_answer.c - answer: say what the question of a lesson asks for. */
#include "command.h"
#include "teach.h"

static enum status cmd_answer_run(struct session *s, const struct args *a, struct error *e)
{
	struct text given = {0};
	enum status st;

	for (u32 i = 1; i < a->ntokens; i++)
		text_add(&given, "%s%s", i > 1 ? " " : "", a->token[i].s);
	st = lesson_judge(s, given.s, a->token[1].column, e);
	text_free(&given);
	return st;
}

const struct command command_answer = {
	.name = "answer",
	.group = "lessons",
	.summary = "answer the current question of a lesson",
	.details =
		"VALUE is a number, a word such as a warp state, a warp, a cycle, or the letter of a choice. Only the first\n"
		"answer counts. After the verdict the commands that lead to the answer are run.",
	.examples = "answer 14000\nlesson next\nanswer b",
	.flags = COMMAND_OPEN,
	.run = cmd_answer_run,
	.arg = {{.name = "VALUE", .type = ARG_REST, .doc = "number, word or letter"}},
};
