/* cmd_lesson.c - lesson: go through the steps of a lesson, and say how it went. */
#include "command.h"
#include "teach.h"
#include "row_words.h"

#include <string.h>

/* Begin, if that is still to be done: the first step. */
static enum status cmd_lesson_first(struct session *s, struct error *e)
{
	enum status st = s->lesson && s->lesson->begun ? STATUS_OK : lesson_begin(s, e);

	return st ? st : lesson_go(s, 0, e);
}

/* lesson: where it stands */
static enum status cmd_lesson_here(struct session *s, struct error *e)
{
	bool begins = !s->lesson || s->lesson->step == NONE32;
	enum status st = begins ? cmd_lesson_first(s, e) : STATUS_OK;

	if (st)
		return st;
	s->lesson->shown = s->lesson->step;
	lesson_say(s);
	return STATUS_OK;
}

/* lesson next: in a batch nobody answers, and the question is given up */
static enum status cmd_lesson_next(struct session *s, struct error *e)
{
	struct lesson *l = s->lesson;
	enum status st;

	if (!l || l->step == NONE32)
		return cmd_lesson_here(s, e);
	if (lesson_open(s) && s->batch && (st = lesson_judge(s, NULL, 0, e)))
		return st;
	if (lesson_holds(s, e))
		return STATUS_FAILED;
	if (l->shown + 1 >= lesson_steps(l))
		return error_set(e, STATUS_FAILED, "that was the last step; `lesson report` says how it went");
	st = lesson_go(s, l->shown + 1, e);
	if (!st)
		lesson_say(s);
	return st;
}

/* lesson back: a step again that has been; while a question waits it is only read */
static enum status cmd_lesson_back(struct session *s, struct error *e)
{
	struct lesson *l = s->lesson;
	enum status st = STATUS_OK;

	if (!l || l->step == NONE32 || !l->shown)
		return error_set(e, STATUS_FAILED, "there is no step before this one");
	if (lesson_open(s))
		l->shown--;
	else
		st = lesson_go(s, l->shown - 1, e);
	if (!st)
		lesson_say(s);
	return st;
}

/* lesson again: the step from its beginning */
static enum status cmd_lesson_again(struct session *s, struct error *e)
{
	enum status st;

	if (!s->lesson || s->lesson->step == NONE32)
		return cmd_lesson_here(s, e);
	st = lesson_go(s, s->lesson->step, e);
	if (!st)
		lesson_say(s);
	return st;
}

/* One question of the report. */
static void cmd_lesson_row(struct session *s, const struct lesson *l, u32 i)
{
	const struct lesson_item *item = &l->item[i];
	const struct lesson_answer *a = &item->answer;

	session_print(s, "%2u  %-9s  %s\n", lesson_number(l, i), answer_state_name[a->state], safe_text(item->text));
	if (a->state <= ANSWER_OPEN)
		return;
	session_print(s, "    %s%s%s%s", a->given ? "said " : "", a->given ? safe_text(a->given) : "",
		      a->given && a->value ? ", " : "", a->value ? "it is " : "");
	session_print(s, "%s", a->value ? safe_text(a->value) : "");
	session_print(s, a->hints ? " (%u hint%s)\n" : "\n", a->hints, a->hints == 1 ? "" : "s");
}

/* lesson report */
static enum status cmd_lesson_report(struct session *s, struct error *e)
{
	const struct lesson *l = s->lesson;
	struct lesson_score score = lesson_score(l);
	json_t *result = session_result(s);

	if (!l)
		return error_set(e, STATUS_FAILED, "there is no lesson here");
	for (u32 i = 0; i < l->n; i++)
		if (l->item[i].kind == LESSON_ASK)
			cmd_lesson_row(s, l, i);
	session_print(s, "%u of %u question%s answered rightly, %u not asked or open\n", score.right, score.questions,
		      score.questions == 1 ? "" : "s", score.questions - score.closed);
	if (result) {
		json_object_set_new(result, "scenario",
				    s->scenario ? json_string(safe_text(s->scenario)) : json_null());
		json_object_set_new(result, "questions", lesson_questions(l));
		json_object_set_new(result, "right", json_integer(score.right));
		json_object_set_new(result, "closed", json_integer(score.closed));
		json_object_set_new(result, "of", json_integer(score.questions));
	}
	return STATUS_OK;
}

/* lesson check: for who writes one */
static enum status cmd_lesson_check(struct session *s, struct error *e)
{
	u32 problems = 0;
	enum status st;

	if (!s->lesson)
		return error_set(e, STATUS_FAILED, "there is no lesson here");
	if (lesson_holds(s, e))
		return STATUS_FAILED;
	st = s->lesson->begun ? STATUS_OK : lesson_begin(s, e);
	if (!st)
		st = lesson_check(s, &problems, e);
	if (st)
		return st;
	if (session_result(s))
		json_object_set_new(session_result(s), "problems", json_integer(problems));
	if (problems)
		return error_set(e, STATUS_CHECK, "%u problem%s", problems, problems == 1 ? "" : "s");
	session_print(s, "%u questions, %u steps: each answer can be computed, each page fits\n",
		      lesson_score(s->lesson).questions, lesson_steps(s->lesson));
	return STATUS_OK;
}

/* lesson walk: all that is left, given up */
static enum status cmd_lesson_walk(struct session *s, struct error *e)
{
	enum status st = cmd_lesson_here(s, e);

	while (!st) {
		if (lesson_open(s))
			st = lesson_judge(s, NULL, 0, e);
		if (st || s->lesson->shown + 1 >= lesson_steps(s->lesson))
			break;
		st = cmd_lesson_next(s, e);
	}
	return st;
}

static const struct {
	const char *name, *doc;
	enum status (*run)(struct session *s, struct error *e);
} row[] = {
	{"next", "the next question, or part", cmd_lesson_next},
	{"back", "the step before; while a question waits, only to read", cmd_lesson_back},
	{"again", "this step from its beginning", cmd_lesson_again},
	{"report", "each question, what was said and what it is, and the score; with -j for a teacher's records",
	 cmd_lesson_report},
	{"check", "for who writes a lesson: computes every answer, says what is wrong with it", cmd_lesson_check},
	{"walk", "through all that is left, each question given up: to read it, and for tests", cmd_lesson_walk},
};

/* The rows, for help. */
static void cmd_lesson_rows(struct text *out)
{
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		help_row(out, row[i].name, 7, row[i].doc);
}

/* Completion. */
static const char *cmd_lesson_word(struct session *s, const char *partial, u32 index)
{
	(void)s;
	(void)partial;
	return index < ARRAY_LEN(row) ? row[index].name : NULL;
}

static enum status cmd_lesson_run(struct session *s, const struct args *a, struct error *e)
{
	const char *word = a->ntokens > 1 ? a->token[1].s : NULL;

	if (!word)
		return cmd_lesson_here(s, e);
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		if (!strcmp(word, row[i].name) && a->ntokens == 2)
			return row[i].run(s, e);
	if (!strcmp(word, "begin") && a->ntokens == 2)
		return lesson_begin(s, e);
	if (!strcmp(word, "restore"))
		return lesson_restore(s, a, e);
	return error_at(e, STATUS_USAGE, NULL, 0, a->token[1].column,
			"`%s` is nothing that a lesson does; next, back, again, report, check or walk",
			token_shown(word));
}

const struct command command_lesson = {
	.name = "lesson",
	.group = "lessons",
	.summary = "begin the lesson of the scenario; show its step again, go on, back, report",
	.details =
		"A step begins with the machine as the scenario made it. While its question waits, what would show the answer is held back: "
		"what moves the machine, what changes it, what looks ahead. In batch mode, where nobody answers, `lesson next` gives "
		"a question up that waits. `save session` writes `lesson begin` and `lesson restore`, which bring a lesson back.",
	.rows = cmd_lesson_rows,
	.examples = "lesson report",
	.flags = COMMAND_OPEN,
	.run = cmd_lesson_run,
	.arg = {{.name = "WHAT",
		 .type = ARG_REST,
		 .optional = 1,
		 .complete = cmd_lesson_word,
		 .doc = "next, back, again, report, check, walk"}},
};
