/* cmd_ask.c - ask: a question of a lesson, whose answer the machine knows. */
#include "complete.h"
#include "expr.h"
#include "interrupt.h"
#include "lang.h"

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

static enum status cmd_ask_run(struct session *s, const struct args *a, struct error *e)
{
	char *line, room[32];
	struct expr *x;
	struct value v;
	enum status st = expr_check(s, a->arg[1].text, a->arg[1].column, NULL, &x, e);

	if (st)
		return st;
	st = expr_eval(s, x, NULL, &v, e);
	if (st) {
		e->column = e->column ? e->column + a->arg[1].column - 1 : a->arg[1].column;
	} else if (s->batch) {
		session_print(s, "not asked in batch mode: %s\n", safe_text(a->arg[0].text));
	} else {
		session_print(s, "%s\n", safe_text(a->arg[0].text));
		interrupt_pause();
		line = s->answer ? s->answer(s, "answer: ") : NULL;
		interrupt_resume();
		cmd_ask_judge(s, line ? cmd_ask_trim(line) : NULL, v, expr_word(x, v, room));
		free(line);
	}
	expr_free(x);
	return st;
}

const struct command command_ask = {
	.name = "ask",
	.group = "files",
	.summary = "ask the reader of a lesson what EXPR is",
	.details =
		"A number or a word (of a status, a setting) is read and compared: whole numbers must be equal, others be within "
		"half a percent. It says what the value is, and how many answers were right so far. An empty answer does "
		"not count. In batch mode the question is passed over with a note.",
	.examples = "ask \"How many CTAs have finished?\" cta.finished",
	.flags = COMMAND_NEEDS_MACHINE,
	.run = cmd_ask_run,
	.arg = {{.name = "QUESTION", .type = ARG_STRING, .doc = "a sentence, in quotes"},
		{.name = "EXPR", .type = ARG_EXPR, .complete = complete_expr, .doc = "what the answer must equal"}},
};
