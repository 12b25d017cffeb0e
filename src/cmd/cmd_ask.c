/* cmd_ask.c - ask: a question of a lesson, whose answer the machine computes. */
#include "complete.h"
#include "expr.h"
#include "interrupt.h"
#include "lang.h"
#include "lesson.h"
#include "paths.h"
#include "scene.h"
#include "script.h"

#include <limits.h>
#include <strings.h>

#define NEAR 0.005 /* a real number is right within so much of itself */

/* Is the answer the value's number or, if it has one, its word? */
static bool cmd_ask_is_right(const char *answer, struct value v, const char *word)
{
	char *end;
	double n = strtod(answer, &end), want = value_as_real(v), apart;

	if (word && !strcasecmp(answer, word))
		return true;
	if (end == answer || *end)
		return false;
	apart = n > want ? n - want : want - n;
	return apart <= (v.kind == VALUE_REAL ? NEAR * (want < 0 ? -want : want) : 0);
}

/* Take the blanks around an answer away. */
static char *cmd_ask_trim(char *answer)
{
	size_t n;

	answer += strspn(answer, " \t\r\n");
	n = strlen(answer);
	while (n && strchr(" \t\r\n", answer[n - 1]))
		answer[--n] = '\0';
	return answer;
}

/* "right (2 of 3)", or what it is. */
static void cmd_ask_judge(struct session *s, const char *answer, struct value v, const char *word)
{
	struct lang *l = s->lang;
	struct text value = {0};
	json_t *result = session_result(s);
	bool given = answer && *answer, right = given && cmd_ask_is_right(answer, v, word);

	if (word)
		text_add(&value, "%s", safe_text(word));
	else
		value_format(v, 0, &value);
	l->asked += given;
	l->right += right;
	if (right)
		session_print(s, "right: %s (%u of %u)\n", value.s, l->right, l->asked);
	else if (given)
		session_print(s, "wrong: the answer is %s (%u of %u)\n", value.s, l->right, l->asked);
	else
		session_print(s, "not answered: the answer is %s\n", value.s);
	member_bool(result, "right", right);
	json_object_set_new(result, "value", value_json(v));
	member_int(result, "asked", l->asked);
	member_int(result, "answered_rightly", l->right);
	text_free(&value);
}

/* ask QUESTION EXPR: at once, of the machine as it is. */
static enum status cmd_ask_now(struct session *s, const char *question, const char *text, u32 column, struct error *e)
{
	char *line, room[32];
	struct expr *x;
	struct value v;
	enum status st = session_make(s, e);

	st = st ? st : expr_check(s, text, column, NULL, &x, e);
	if (st)
		return st;
	st = expr_eval(s, x, NULL, &v, e);
	if (st) {
		e->column = e->column ? e->column + column - 1 : column;
	} else if (s->batch) {
		session_print(s, "not asked in batch mode: %s\n", safe_text(question));
	} else {
		session_print(s, "%s\n", safe_text(question));
		interrupt_pause();
		line = s->answer ? s->answer(s, "answer: ") : NULL;
		interrupt_resume();
		cmd_ask_judge(s, line ? cmd_ask_trim(line) : NULL, v, expr_word(x, v, room));
		free(line);
	}
	expr_free(x);
	return st;
}

/* ask KIND QUESTION [EXPR]: of a lesson. */
static enum status cmd_ask_later(struct session *s, const struct args *a, u8 kind, struct error *e)
{
	const char *expr = a->ntokens > 3 ? a->line + a->token[3].column - 1 : NULL;
	enum status st;

	if (kind == ASK_NUMBER && !expr)
		return usage_at(e, a->token[2].end + 1,
				"ask number: missing EXPR after the question (the correct answer)");
	if (kind == ASK_CHOICE && expr)
		return usage_at(e, a->token[3].column,
				"ask choice: takes no EXPR (each answer is a line `choice TEXT if EXPR`)");
	st = lesson_add(s,
			(struct lesson_item){
				.kind = LESSON_ASK, .ask = kind, .text = (char *)a->token[2].s, .expr = (char *)expr},
			e);
	if (!st && !s->quiet_depth)
		script_add(s, a);
	return st;
}

/* Is a file one of the session's modules? In a machine of a try another stands in its place. */
static bool cmd_ask_is_module(const struct session *s, const char *path)
{
	char real[PATH_MAX], other[PATH_MAX];

	if (!realpath(path, real))
		return false;
	for (u32 i = 0; i < s->scene->nmodule; i++)
		if (realpath(s->scene->module[i]->path, other) && !strcmp(real, other))
			return true;
	return s->rehearses;
}

/* ask kernel FILE until EXPR: a lab. */
static enum status cmd_ask_lab(struct session *s, const struct args *a, struct error *e)
{
	struct lesson_item item = {.kind = LESSON_ASK, .ask = ASK_KERNEL};
	char *source, *name;
	enum status st;

	if (a->ntokens < 4 || strcmp(a->token[3].s, "until"))
		return usage_at(e, a->ntokens < 4 ? a->token[2].end + 1 : a->token[3].column,
				"ask kernel: expected `until` (usage: `ask kernel FILE until EXPR`)");
	if (a->ntokens < 5)
		return usage_at(e, a->token[3].end + 1,
				"ask kernel: missing EXPR after `until` (what a right kernel comes to)");
	item.path = path_resolve(s, &a->token[2], false, e);
	if (!item.path)
		return STATUS_USAGE;
	if (!ends_with(item.path, ".ptx") || !cmd_ask_is_module(s, item.path)) {
		free(item.path);
		return usage_at(e, a->token[2].column,
				"'%s' is not a module of this scenario (`module FILE.ptx` loads one)",
				token_shown(a->token[2].s));
	}
	item.expr = (char *)a->line + a->token[4].column - 1;
	source = lesson_lab_source(&item);
	name = strrchr(source, '/');
	item.text = xasprintf("Change %s until the results are right and %s.", name ? name + 1 : source, item.expr);
	st = lesson_add(s, item, e);
	if (!st && !s->quiet_depth)
		script_add(s, a);
	free(item.text);
	free(item.path);
	free(source);
	return st;
}

static enum status cmd_ask_run(struct session *s, const struct args *a, struct error *e)
{
	u8 kind = 0;

	while (kind < ASK_KINDS && (a->token[1].quoted || strcmp(a->token[1].s, ask_kind_name[kind])))
		kind++;
	if (a->ntokens < 3)
		return usage_at(e, a->token[1].end + 1,
				kind < ASK_KINDS ? "ask: missing QUESTION (usage: `ask KIND QUESTION [EXPR]`)"
						 : "ask: missing EXPR (usage: `ask QUESTION EXPR`)");
	if (kind == ASK_KERNEL)
		return cmd_ask_lab(s, a, e);
	if (kind < ASK_KINDS)
		return cmd_ask_later(s, a, kind, e);
	return cmd_ask_now(s, a->token[1].s, a->line + a->token[2].column - 1, a->token[2].column, e);
}

/* The kinds, for completion. */
static const char *cmd_ask_kind(struct session *s UNUSED, const char *partial UNUSED, u32 index)
{
	return index < ASK_KINDS ? ask_kind_name[index] : NULL;
}

/* The kinds, for help. */
static void cmd_ask_rows(struct text *out)
{
	help_row(out, "number", 7,
		 "the value of EXPR, within `tolerance`, or its word (such as the name of a warp state)");
	help_row(out, "choice", 7, "one of the `choice TEXT if EXPR` lines that follow");
	help_row(
		out, "warp", 7,
		"a warp (without EXPR: the warp focused after the `after` commands, such as the warp of the event that stops `after continue`)");
	help_row(out, "cycle", 7, "a cycle (without EXPR: the cycle that the `after` commands reach)");
	help_row(
		out, "kernel", 7,
		"a lab, `ask kernel FILE until EXPR`: another version of the module FILE, with which the checks of the "
		"scenario hold and EXPR is true");
}

const struct command command_ask = {
	.name = "ask",
	.group = "lessons",
	.summary = "ask the reader of a lesson a question before the answer is visible",
	.details =
		"With a KIND, the question is a step of the lesson and is asked when the lesson reaches it. The lines that\n"
		"belong to it follow: `after` (commands that lead to the answer), `choice`, `tolerance`, `wrong`, `hint`,\n"
		"`reveal`, and `then` (commands that show the answer). The answer is computed in a separate machine. Nothing\n"
		"that would show it can run until the question is answered or given up.\n"
		"Without a KIND, the question is asked at once, about the machine in its current state: `ask QUESTION EXPR`.\n"
		"The reply is a number or a word (of a warp state or a setting). Whole numbers must be equal, other numbers\n"
		"must agree within half a percent. An empty reply is not counted. In batch mode the question is skipped with a\n"
		"note.\n"
		"A lab, `ask kernel`, is answered with a changed kernel (`help answer`). Each try runs to its end on a separate\n"
		"machine, which the scenario sets up with the changed module. A lab hides nothing: all commands can run. Its\n"
		"lines are `version` (versions to choose from), `hint if`, `hint`, `reveal` and `then`.",
	.rows = cmd_ask_rows,
	.examples =
		"part \"Waiting\"\nask number \"How many cycles does the kernel take?\" kernel.0.cycles\nask \"How many CTAs have finished?\" cta.finished\n"
		"part \"A lab\"\nask kernel kernels/matmul.ptx until kernel.0.cycles < 3000",
	.flags = COMMAND_READS,
	.run = cmd_ask_run,
	.arg = {{"[KIND] QUESTION [EXPR]", ARG_REST,
		 .doc = "number, choice, warp or cycle; the question, in quotes; the correct answer; or kernel FILE until EXPR",
		 .complete = cmd_ask_kind}},
};
