/* cmd_lesson.c - lesson: go through the steps of a lesson, and say how it went. */
#include "teach.h"

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

/* lesson next: a batch has no reader, so the question is given up; from a step that is only read back to where it waits
 */
static enum status cmd_lesson_next(struct session *s, struct error *e)
{
	struct lesson *l = s->lesson;
	enum status st;

	if (!l || l->step == NONE32)
		return cmd_lesson_here(s, e);
	if (lesson_open(s) && s->batch && (st = lesson_judge(s, NULL, 0, e)))
		return st;
	if (lesson_open(s) && l->shown < l->step) {
		l->shown++;
		lesson_say(s);
		return STATUS_OK;
	}
	if (lesson_waits(s, e))
		return STATUS_FAILED;
	if (!lesson_goes_on(l))
		return error_set(e, STATUS_FAILED,
				 "lesson next: this is the last step (`lesson report` shows the score)");
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
		return error_set(e, STATUS_FAILED, "lesson back: this is the first step");
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
	session_print(s, "    %s%s%s%s", a->given ? "given: " : "", a->given ? safe_text(a->given) : "",
		      a->given && a->value ? ", " : "", a->value ? "answer: " : "");
	session_print(s, "%s", a->value ? safe_text(a->value) : "");
	if (a->tries)
		session_print(s, " (%u tr%s)", a->tries, a->tries == 1 ? "y" : "ies");
	session_print(s, a->hints ? " (%u hint%s)\n" : "\n", a->hints, plural(a->hints));
}

/* lesson report */
static enum status cmd_lesson_report(struct session *s, struct error *e)
{
	const struct lesson *l = s->lesson;
	struct lesson_score score = lesson_score(l);
	json_t *result = session_result(s);

	if (!l)
		return error_set(e, STATUS_FAILED, "lesson: the scenario has no lesson");
	for (u32 i = 0; i < l->n; i++)
		if (l->item[i].kind == LESSON_ASK)
			cmd_lesson_row(s, l, i);
	session_print(s, "%u of %u question%s answered correctly, %u not asked or open\n", score.right, score.questions,
		      plural(score.questions), score.questions - score.closed);
	member_text(result, "scenario", s->scenario ? safe_text(s->scenario) : NULL);
	json_object_set_new(result, "questions", lesson_questions(l));
	member_int(result, "right", score.right);
	member_int(result, "closed", score.closed);
	member_int(result, "of", score.questions);
	return STATUS_OK;
}

/* lesson check: for its author */
static enum status cmd_lesson_check(struct session *s, struct error *e)
{
	u32 problems = 0;
	enum status st;

	if (!s->lesson)
		return error_set(e, STATUS_FAILED, "lesson: the scenario has no lesson");
	if (lesson_waits(s, e))
		return STATUS_FAILED;
	st = s->lesson->begun ? STATUS_OK : lesson_begin(s, e);
	if (!st)
		st = lesson_check(s, &problems, e);
	if (st)
		return st;
	member_int(session_result(s), "problems", problems);
	if (problems)
		return error_set(e, STATUS_CHECK, "lesson check: %u problem%s", problems, plural(problems));
	session_print(s, "%u questions, %u steps: every answer can be computed, every page fits\n",
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
	{"next", "go to the next question or part", cmd_lesson_next},
	{"back", "go to the previous step; while a question is open, only to read it", cmd_lesson_back},
	{"again", "start this step again", cmd_lesson_again},
	{"report",
	 "list each question with the given and the correct answer, and the score; with -j for a teacher's records",
	 cmd_lesson_report},
	{"check", "verify the lesson, for its author: compute every answer and list the problems", cmd_lesson_check},
	{"walk", "go through all remaining steps and give up each question: to read the lesson, and for tests",
	 cmd_lesson_walk},
};

/* The rows, for help. */
static void cmd_lesson_rows(struct text *out)
{
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		help_row(out, row[i].name, 7, row[i].doc);
}

/* Completion. */
static const char *cmd_lesson_word(struct session *s UNUSED, const char *partial UNUSED, u32 index)
{
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
	return usage_at(e, a->token[1].column, "unexpected '%s' (next, back, again, report, check or walk)",
			token_shown(word));
}

const struct command command_lesson = {
	.name = "lesson",
	.group = "lessons",
	.summary = "begin the lesson of the scenario, or continue it",
	.details =
		"A step begins with the machine as the scenario created it. While the question of a step is open, commands that\n"
		"would show the answer cannot run: those that move the machine, change it, or look ahead. In batch mode there\n"
		"is no reader, so `lesson next` gives up an open question. `save session` writes `lesson begin` and `lesson\n"
		"restore`, which restore a lesson.",
	.rows = cmd_lesson_rows,
	.examples = "lesson report",
	.flags = COMMAND_OPEN,
	.run = cmd_lesson_run,
	.arg = {{"WHAT", ARG_REST, .doc = "next, back, again, report, check, walk", .complete = cmd_lesson_word,
		 .optional = true}},
};
