/* cmd_answer.c - answer, give up, hint: what a reader says to a question of a lesson, or asks. */
#include "command.h"
#include "teach.h"
#include "lesson.h"

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
	.arg = {{"VALUE", ARG_REST, .doc = "number, word or letter"}},
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
		if (l->item[i].kind != LESSON_HINT || hints++ < open->answer.hints)
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
	if (!a->arg[0].present)
		return cmd_answer_hint_show(s, e);
	return lesson_add(s, (struct lesson_item){.kind = LESSON_HINT, .text = (char *)a->arg[0].text}, e);
}

const struct command command_hint = {
	.name = "hint",
	.group = "lessons",
	.summary = "show a hint for the current question; with TEXT, add a hint to the preceding question",
	.details =
		"Each `hint` shows one more hint; `lesson report` counts them. `hint TEXT` is for the author of a lesson.",
	.examples =
		"part \"Waiting\"\nask number \"How many cycles does the kernel take?\" kernel.0.cycles\nafter run\n"
		"hint \"A miss takes some 400.\"",
	.flags = COMMAND_SETUP | COMMAND_OPEN,
	.run = cmd_answer_hint_run,
	.arg = {{"TEXT", ARG_STRING, .doc = "sentence, in quotes", .optional = true}},
};
