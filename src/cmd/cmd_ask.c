/* cmd_ask.c - ask: a question of a lesson, whose answer the machine knows. */
#include "complete.h"
#include "expr.h"
#include "interrupt.h"
#include "lang.h"
#include "lesson.h"
#include "script.h"

#include <stdlib.h>
#include <string.h>
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
		session_print(s, "not so: it is %s (%u of %u)\n", value.s, l->right, l->asked);
	else
		session_print(s, "no answer: it is %s\n", value.s);
	if (result) {
		json_object_set_new(result, "right", json_boolean(right));
		json_object_set_new(result, "value", value_json(v));
		json_object_set_new(result, "asked", json_integer(l->asked));
		json_object_set_new(result, "answered_rightly", json_integer(l->right));
	}
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
		return error_at(e, STATUS_USAGE, NULL, 0, a->token[2].end + 1,
				"an expression is wanted behind the question: what the answer must equal");
	if (kind == ASK_CHOICE && expr)
		return error_at(e, STATUS_USAGE, NULL, 0, a->token[3].column,
				"what is right is said by `choice TEXT if EXPR`, a line for each answer");
	st = lesson_add(s,
			(struct lesson_item){
				.kind = LESSON_ASK, .ask = kind, .text = (char *)a->token[2].s, .expr = (char *)expr},
			e);
	if (!st && !s->quiet_depth)
		script_add(s, a);
	return st;
}

static enum status cmd_ask_run(struct session *s, const struct args *a, struct error *e)
{
	u8 kind = 0;

	while (kind < ASK_KINDS && (a->token[1].quoted || strcmp(a->token[1].s, ask_kind_name[kind])))
		kind++;
	if (a->ntokens < 3)
		return error_at(e, STATUS_USAGE, NULL, 0, a->token[1].end + 1,
				kind < ASK_KINDS ? "ask: missing `QUESTION`; usage: ask KIND QUESTION [EXPR]"
						 : "ask: missing `EXPR`; usage: ask QUESTION EXPR");
	if (kind < ASK_KINDS)
		return cmd_ask_later(s, a, kind, e);
	return cmd_ask_now(s, a->token[1].s, a->line + a->token[2].column - 1, a->token[2].column, e);
}

/* The kinds, for completion. */
static const char *cmd_ask_kind(struct session *s, const char *partial, u32 index)
{
	(void)s;
	(void)partial;
	return index < ASK_KINDS ? ask_kind_name[index] : NULL;
}

/* The kinds, for help. */
static void cmd_ask_rows(struct text *out)
{
	help_row(out, "number", 7, "what EXPR is: within `tolerance`, or its word, as a status has");
	help_row(out, "choice", 7, "one of the lines `choice TEXT if EXPR` that follow");
	help_row(
		out, "warp", 7,
		"a warp: without EXPR the one that is focused then, as that of the event at which `after continue` stops");
	help_row(out, "cycle", 7, "a cycle: without EXPR the one that `after` leads to");
}

const struct command command_ask = {
	.name = "ask",
	.group = "lessons",
	.summary = "ask the reader of a lesson, before the answer can be seen",
	.details =
		"With a KIND it is a step of the lesson, asked when that is reached. What belongs to it follows: `after` what leads to the "
		"answer, `choice`, `tolerance`, `wrong`, `hint`, `reveal`, `then` what to show behind it. The answer is computed in a machine of its own; nothing "
		"that would show it runs before it has been answered or given up.\n"
		"Without a KIND it is asked at once, of the machine as it is: ask QUESTION EXPR. A number or a word (of a status, a setting) is "
		"read and compared: whole numbers must be equal, others be within "
		"half a percent. An empty answer does not count. In batch mode the question is passed over with a note.",
	.rows = cmd_ask_rows,
	.examples =
		"part \"Waiting\"\nask number \"How many cycles does the kernel take?\" kernel.0.cycles\nask \"How many CTAs have finished?\" cta.finished",
	.run = cmd_ask_run,
	.arg = {{.name = "[KIND] QUESTION [EXPR]",
		 .type = ARG_REST,
		 .complete = cmd_ask_kind,
		 .doc = "number, choice, warp or cycle; a sentence, in quotes; what the answer must equal"}},
};
