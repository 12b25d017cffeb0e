/* cmd_part.c - part, begin, after, then, choice, version, tolerance, reveal, wrong: what a lesson consists of, beside
 * its questions (ask) and hints. */
#include "lesson.h"
#include "complete.h"

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
	.arg = {{"TITLE", ARG_STRING, .doc = "title of the part, in quotes"}},
};

/* Add a command to run, which must be one. */
static enum status cmd_part_add_line(struct session *s, const struct args *a, enum lesson_kind kind, struct error *e)
{
	char *line = (char *)(uintptr_t)a->arg[0].text;

	return command_find(a->token[1].s, e) ? lesson_add(s, (struct lesson_item){.kind = kind, .text = line}, e)
					      : STATUS_USAGE;
}

static enum status cmd_part_begin_run(struct session *s, const struct args *a, struct error *e)
{
	return cmd_part_add_line(s, a, LESSON_BEGIN, e);
}

const struct command command_begin = {
	.name = "begin",
	.group = "lessons",
	.summary = "give a command with which a part of a lesson begins",
	.details =
		"The command runs when a step of the part begins, on the machine as the scenario created it, at cycle 0. A\n"
		"`begin` after a question applies to the questions that follow.",
	.examples = "part \"Waiting\"\nbegin goto 60",
	.flags = COMMAND_SETUP | COMMAND_RUNS,
	.run = cmd_part_begin_run,
	.arg = {{"COMMAND", ARG_REST, .doc = "command to run", .complete = complete_command}},
};

static enum status cmd_part_after_run(struct session *s, const struct args *a, struct error *e)
{
	return cmd_part_add_line(s, a, LESSON_AFTER, e);
}

const struct command command_after = {
	.name = "after",
	.group = "lessons",
	.summary = "give a command that leads to the answer of the preceding question",
	.details =
		"The command runs out of the reader's sight when the answer is computed. After the verdict it runs again, in\n"
		"the machine that the reader sees.",
	.examples = "part \"Waiting\"\nask number \"How many cycles does the kernel take?\" kernel.0.cycles\nafter run",
	.flags = COMMAND_SETUP | COMMAND_RUNS,
	.run = cmd_part_after_run,
	.arg = {{"COMMAND", ARG_REST, .doc = "command to run", .complete = complete_command}},
};

static enum status cmd_part_then_run(struct session *s, const struct args *a, struct error *e)
{
	return cmd_part_add_line(s, a, LESSON_THEN, e);
}

const struct command command_then = {
	.name = "then",
	.group = "lessons",
	.summary = "give a command that shows the answer to the preceding question, after the verdict",
	.details = "The command runs after those of `after`: it shows a pane, a reason or a number.",
	.examples =
		"part \"Waiting\"\nask number \"How many cycles does the kernel take?\" kernel.0.cycles\nafter run\nthen stats slots.*",
	.flags = COMMAND_SETUP | COMMAND_RUNS,
	.run = cmd_part_then_run,
	.arg = {{"COMMAND", ARG_REST, .doc = "command to run", .complete = complete_command}},
};

static enum status cmd_part_choice_run(struct session *s, const struct args *a, struct error *e)
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
	.run = cmd_part_choice_run,
	.arg = {{"TEXT", ARG_STRING, .doc = "the answer, in quotes"},
		{"if", ARG_WORD, .doc = "the word `if`"},
		{"EXPR", ARG_EXPR, .doc = "true if this answer is correct", .complete = complete_expr}},
};

static enum status cmd_part_version_run(struct session *s, const struct args *a, struct error *e)
{
	u8 verdict = 0;

	while (verdict < TRY_VERDICTS && strcmp(a->arg[0].text, try_verdict_name[verdict]))
		verdict++;
	if (verdict == TRY_VERDICTS)
		return usage_at(e, a->arg[0].column, "'%s' is not a verdict (right, short or wrong)",
				token_shown(a->arg[0].text));
	return lesson_add(s,
			  (struct lesson_item){.kind = LESSON_VERSION,
					       .verdict = verdict,
					       .path = (char *)a->arg[1].text,
					       .text = (char *)a->arg[2].text},
			  e);
}

/* The verdicts, for completion. */
static const char *cmd_part_verdict(struct session *s UNUSED, const char *partial UNUSED, u32 index)
{
	return index < TRY_VERDICTS ? try_verdict_name[index] : NULL;
}

const struct command command_version = {
	.name = "version",
	.group = "lessons",
	.summary = "add a version of the kernel to the preceding lab, to choose without a compiler",
	.details =
		"The first version is a, the second b: `answer b` tries it as `answer FILE` would. VERDICT is what it comes to:\n"
		"right; short (the results are right, but the aim is not reached); wrong. `lesson check` runs each version and\n"
		"compares; the reader never sees the word.",
	.examples = "part \"A lab\"\nask kernel kernels/matmul.ptx until kernel.0.cycles < 3000\n"
		    "version short kernels/matmul.ptx \"as it is\"",
	.flags = COMMAND_SETUP | COMMAND_READS,
	.run = cmd_part_version_run,
	.arg = {{"VERDICT", ARG_WORD, .doc = "right, short or wrong", .complete = cmd_part_verdict},
		{"FILE", ARG_PATH, .doc = "PTX file"},
		{"TEXT", ARG_STRING, .doc = "what it changes, in quotes"}},
};

static enum status cmd_part_tolerance_run(struct session *s, const struct args *a, struct error *e)
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
	.run = cmd_part_tolerance_run,
	.arg = {{"N", ARG_WORD, .doc = "number, or N%"}},
};

static enum status cmd_part_reveal_run(struct session *s, const struct args *a, struct error *e)
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
	.run = cmd_part_reveal_run,
	.arg = {{"TEXT", ARG_STRING, .doc = "text, in quotes"}},
};

static enum status cmd_part_wrong_run(struct session *s, const struct args *a, struct error *e)
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
	.run = cmd_part_wrong_run,
	.arg = {{"VALUE|if EXPR", ARG_REST, .doc = "the answer, or a condition on it; then the text, in quotes"}},
};
