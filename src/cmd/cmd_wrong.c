/* cmd_wrong.c - wrong: why a wrong answer to a question is wrong. */
#include "command.h"
#include "lesson.h"

#include <stdlib.h>
#include <string.h>

static enum status cmd_wrong_run(struct session *s, const struct args *a, struct error *e)
{
	const struct token *last = &a->token[a->ntokens - 1];
	bool by_value = a->ntokens == 3, by_expr = a->ntokens > 3 && !strcmp(a->token[1].s, "if");
	char *text, *expr = NULL;
	enum status st;

	if ((!by_value && !by_expr) || !last->quoted)
		return usage_at(e, a->token[1].column,
				"wrong: expected `wrong VALUE \"WHY\"` or `wrong if EXPR \"WHY\"`, WHY in quotes");
	st = lesson_braces(a->line, last, e);
	if (st)
		return st;
	if (by_expr)
		expr = xstrndup(a->line + a->token[2].column - 1, last->column - a->token[2].column);
	text = xasprintf("%s\n%s", by_expr ? "" : a->token[1].s, last->s);
	st = lesson_add(s, (struct lesson_item){.kind = LESSON_WRONG, .text = text, .expr = expr}, e);
	free(text);
	free(expr);
	return st;
}

const struct command command_wrong = {
	.name = "wrong",
	.group = "lessons",
	.summary = "give the text shown for a wrong answer to the preceding question",
	.details =
		"`wrong VALUE \"WHY\"` is for one answer: a number, a word, the letter of a choice. `wrong if EXPR \"WHY\"` is for\n"
		"all answers for which EXPR is true; in EXPR `answer` is the given answer, and all else has its value in the\n"
		"machine of the answer. The first line that matches is shown. Text in braces in WHY is replaced by its value.",
	.examples =
		"part \"Waiting\"\nask number \"How many cycles does the kernel take?\" kernel.0.cycles\nafter run\n"
		"wrong if answer < kernel.0.cycles \"Memory alone takes longer.\"",
	.flags = COMMAND_SETUP,
	.run = cmd_wrong_run,
	.arg = {{.name = "VALUE|if EXPR",
		 .type = ARG_REST,
		 .doc = "the answer, or a condition on it; then the text, in quotes"}},
};
