/* cmd_hint.c - hint: help with a question, given by the lesson and shown on request. */
#include "command.h"
#include "lesson.h"

/* Show the next hint to the open question. */
static enum status cmd_hint_show(struct session *s, struct error *e)
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

static enum status cmd_hint_run(struct session *s, const struct args *a, struct error *e)
{
	if (!a->arg[0].present)
		return cmd_hint_show(s, e);
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
	.run = cmd_hint_run,
	.arg = {{.name = "TEXT", .type = ARG_STRING, .optional = 1, .doc = "sentence, in quotes"}},
};
