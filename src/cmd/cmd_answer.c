/* cmd_answer.c - answer, give up, hint: what a reader says to a question of a lesson, or asks. */
#include "command.h"
#include "complete.h"
#include "teach.h"
#include "paths.h"

/* Of an answer that is a file: may this line read it? */
static enum status cmd_answer_may_read(struct session *s, const char *given, u32 column, struct error *e)
{
	const struct token t = {.s = given, .column = column, .end = column};
	char *path;

	if (!ends_with(given, ".cu") && !ends_with(given, ".ptx"))
		return STATUS_OK;
	path = path_resolve(s, &t, false, e);
	free(path);
	return path ? STATUS_OK : STATUS_USAGE;
}

static enum status cmd_answer_run(struct session *s, const struct args *a, struct error *e)
{
	struct text given = {0};
	enum status st;

	for (u32 i = 1; i < a->ntokens; i++)
		text_add(&given, "%s%s", i > 1 ? " " : "", a->token[i].s);
	st = cmd_answer_may_read(s, given.s, a->token[1].column, e);
	st = st ? st : lesson_judge(s, given.s, a->token[1].column, e);
	text_free(&given);
	return st;
}

const struct command command_answer = {
	.name = "answer",
	.group = "lessons",
	.summary = "answer the current question of a lesson",
	.details =
		"VALUE is a number, a word such as a warp state, a warp, a cycle, or the letter of a choice. Only the first\n"
		"answer counts. After the verdict the commands that lead to the answer are run.\n"
		"A lab is answered with FILE.cu, a changed copy of its source, which the lesson's `compile` command makes into\n"
		"FILE.ptx beside it; with FILE.ptx; or with the letter of a given version. Each try runs to its end on a separate\n"
		"machine, and the lab stays open until one is right. The simulation that is shown does not change; `compare\n"
		"FILE.ptx` shows what a version changes.",
	.examples = "answer 14000\nlesson next\nanswer b",
	.flags = COMMAND_OPEN | COMMAND_READS | COMMAND_LOADS,
	.run = cmd_answer_run,
	.arg = {{"VALUE", ARG_REST, .doc = "number, word or letter; for a lab a file", .complete = complete_answer}},
};

static enum status cmd_answer_give_up_run(struct session *s, const struct args *a UNUSED, struct error *e)
{
	return lesson_judge(s, NULL, 0, e);
}

const struct command command_give_up = {
	.name = "give up",
	.group = "lessons",
	.summary = "show the answer to the current question",
	.details = "The question counts as asked, but not as answered correctly; `lesson report` lists it.",
	.examples = "give up",
	.flags = COMMAND_OPEN,
	.run = cmd_answer_give_up_run,
};

/* Show the next hint to the open question. */
static enum status cmd_answer_hint_show(struct session *s, struct error *e)
{
	struct lesson *l = s->lesson;
	const struct lesson_item *open = lesson_open(s);
	json_t *result = session_result(s);
	u32 ask = open ? (u32)(open - l->item) : 0, hints = 0;

	if (!open)
		return lesson_none_open(s, e);
	for (u32 i = ask + 1; i < lesson_ask_end(l, ask); i++) {
		if (l->item[i].kind != LESSON_HINT || l->item[i].expr || hints++ < open->answer.hints)
			continue;
		l->item[ask].answer.hints++;
		session_print(s, "%s\n", safe_text(l->item[i].text));
		member_text(result, "hint", safe_text(l->item[i].text));
		return STATUS_OK;
	}
	return error_set(e, STATUS_FAILED, "hint: no %shint for this question (`give up` shows the answer)",
			 hints ? "further " : "");
}

static enum status cmd_answer_hint_run(struct session *s, const struct args *a, struct error *e)
{
	const struct token *last = &a->token[a->ntokens - 1];
	char *expr = NULL;
	enum status st;

	if (a->ntokens == 1)
		return cmd_answer_hint_show(s, e);
	if (!last->quoted || (a->ntokens != 2 && (a->ntokens < 4 || a->token[1].quoted || strcmp(a->token[1].s, "if"))))
		return usage_at(e, a->token[1].column,
				"hint: expected `hint TEXT` or `hint if EXPR TEXT`, TEXT in quotes");
	if (a->ntokens > 2)
		expr = xstrndup(a->line + a->token[2].column - 1, last->column - a->token[2].column);
	st = expr ? lesson_braces(a->line, last, e) : STATUS_OK;
	if (!st)
		st = lesson_add(
			s, (struct lesson_item){.kind = LESSON_HINT, .text = (char *)(uintptr_t)last->s, .expr = expr},
			e);
	free(expr);
	return st;
}

const struct command command_hint = {
	.name = "hint",
	.group = "lessons",
	.summary = "show a hint for the current question; with TEXT, add a hint to the preceding question",
	.details =
		"Each `hint` shows one more hint; `lesson report` counts them. `hint TEXT` is for the author of a lesson.\n"
		"`hint if EXPR TEXT`, of a lab, is shown with a try that is not right, if EXPR is true on its machine; the first\n"
		"that matches counts. `failed` in EXPR is the number of the scenario's checks that fail (-1 if the run does not\n"
		"come to its end, and then only conditions with `failed` are tried). Text in braces is replaced by its value.",
	.examples =
		"part \"Waiting\"\nask number \"How many cycles does the kernel take?\" kernel.0.cycles\nafter run\n"
		"hint \"A miss takes some 400.\"",
	.flags = COMMAND_SETUP | COMMAND_OPEN,
	.run = cmd_answer_hint_run,
	.arg = {{"[if EXPR] TEXT", ARG_REST, .doc = "sentence, in quotes; a condition for it", .optional = true}},
};
