/*
 * lesson_run.c - the steps of a lesson: the machine as the scenario made it, what the part begins with, its page and
 * question; what `save session` writes of it.
 */
#include "teach.h"

#include "breaks.h"
#include "lang.h"
#include "lesson_run.h"
#include "script.h"
#include "travel.h"
#include "tui.h"

#include <stdlib.h>
#include <string.h>

enum status lesson_begin(struct session *s, struct error *e)
{
	static const struct token word[] = {{.s = "lesson"}, {.s = "begin"}};
	struct lesson *l = s->lesson;
	struct args line = {.token = word, .ntokens = ARRAY_LEN(word), .line = "lesson begin"};

	if (!l || !l->n)
		return error_set(e, STATUS_FAILED, LESSON_NONE);
	if (l->begun)
		return error_set(e, STATUS_FAILED, "the lesson has already begun");
	l->begun = true;
	l->config = s->config;
	l->policy = s->policy;
	l->preset = s->preset;
	l->gpu = s->gpu;
	l->nscript = s->nscript;
	script_add(s, &line);
	l->nkept = s->nscript;
	return STATUS_OK;
}

enum status lesson_do(struct session *s, u32 from, u32 to, enum lesson_kind kind, bool said, struct error *e)
{
	const struct lesson *l = s->lesson;
	enum status st = STATUS_OK;

	for (u32 i = from; i < to && !st; i++) {
		if (l->item[i].kind != kind)
			continue;
		if (said)
			session_print(s, "> %s\n", safe_text(l->item[i].text));
		st = lines_run(s, l->item[i].text, l->item[i].from, NULL, 0, e);
		if (st != STATUS_CHECK && st != STATUS_DEADLOCK)
			continue;
		if (said && !s->lang->reported)
			report_error(s, e);
		s->lang->reported = false;
		st = STATUS_OK;
	}
	return st;
}

/* The machine as the scenario made it, without stops, then the lines that the step begins with. */
static enum status stage(struct session *s, const struct lesson_step *step, struct error *e)
{
	const struct lesson *l = s->lesson;
	u32 end = step->part + 1;
	enum status st;

	while (end < l->n && (step->ask == NONE32 ? l->item[end].kind != LESSON_PART : end < step->ask))
		end++;
	while (s->breaks->n)
		breaks_delete(s->breaks, s->breaks->list[0]->number);
	session_unmake(s);
	s->config = l->config;
	s->policy = l->policy;
	s->preset = l->preset;
	s->gpu = l->gpu;
	s->focus = (struct focus){0};
	script_truncate(s, l->nkept);
	st = session_restart(s, e);
	return st ? st : lesson_do(s, step->part + 1, end, LESSON_BEGIN, false, e);
}

/* A question as JSON; what it is only when it has been answered. */
static json_t *question_json(const struct lesson *l, u32 ask)
{
	const struct lesson_item *item = &l->item[ask];
	json_t *q = json_object(), *choices = json_array();

	member_int(q, "number", lesson_number(l, ask));
	member_text(q, "question", safe_text(item->text));
	member_text(q, "kind", ask_kind_name[item->ask]);
	member_text(q, "state", answer_state_name[item->answer.state]);
	member_int(q, "hints", item->answer.hints);
	if (item->ask == ASK_KERNEL)
		member_int(q, "tries", item->answer.tries);
	for (u32 i = ask + 1; i < lesson_ask_end(l, ask); i++)
		if (l->item[i].kind == LESSON_CHOICE || l->item[i].kind == LESSON_VERSION)
			json_array_append_new(choices, json_string(safe_text(l->item[i].text)));
	if (json_array_size(choices))
		json_object_set(q, "choices", choices);
	json_decref(choices);
	if (item->answer.given)
		member_text(q, "given", safe_text(item->answer.given));
	if (item->answer.state > ANSWER_OPEN && item->answer.value)
		member_text(q, "answer", safe_text(item->answer.value));
	return q;
}

json_t *lesson_questions(const struct lesson *l)
{
	json_t *all = json_array();

	for (u32 i = 0; i < l->n; i++)
		if (l->item[i].kind == LESSON_ASK)
			json_array_append_new(all, question_json(l, i));
	return all;
}

/* How an open question is answered. */
static void say_how(struct session *s, const struct lesson_item *open)
{
	char *source = open->ask == ASK_KERNEL ? lesson_lab_source(open) : NULL;

	if (source)
		session_print(s,
			      "`answer FILE.cu` compiles and tries your copy of %s, `answer LETTER` a given version; "
			      "`hint`, `give up`\n",
			      safe_text(source));
	else
		session_print(s, "`answer %s` answers; `hint` gives a hint, `give up` shows the answer\n",
			      ask_kind_answer[open->ask]);
	free(source);
}

/* The lines of a text. */
static json_t *lines_json(const char *text)
{
	json_t *lines = json_array();

	for (size_t n; *text; text += n + (text[n] == '\n')) {
		char *line = xstrndup(text, n = strcspn(text, "\n"));

		json_array_append_new(lines, json_string(safe_text(line)));
		free(line);
	}
	return lines;
}

/* Print them, safe to be shown. */
static void lines_print(struct session *s, const char *text)
{
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		char *line = xstrndup(text, n = strcspn(text, "\n"));

		session_print(s, "%s\n", safe_text(line));
		free(line);
	}
}

void lesson_say(struct session *s)
{
	const struct lesson *l = s->lesson;
	json_t *result = session_result(s);
	const struct lesson_item *open = lesson_open(s);
	struct text head = {0}, page = {0};
	struct lesson_step step;

	lesson_heading(s, &head);
	session_print(s, "%s\n", head.s);
	lesson_page(s, &page);
	text_add(&page, "%s", "");
	if (!tui_shows_notes(s))
		lines_print(s, page.s);
	if (open)
		say_how(s, open);
	else
		session_print(s, l->shown + 1 < lesson_steps(l) ? "`lesson next` continues\n"
								: "last step; `lesson report` shows the results\n");
	if (result && lesson_step(l, l->shown, &step)) {
		member_int(result, "step", l->shown + 1);
		member_int(result, "steps", lesson_steps(l));
		member_text(result, "title", safe_text(l->item[step.part].text));
		json_object_set_new(result, "page", lines_json(page.s));
		if (step.ask != NONE32)
			json_object_set_new(result, "question", question_json(l, step.ask));
	}
	text_free(&head);
	text_free(&page);
}

/* Does a part begin with anything? */
static bool begins(const struct lesson *l, u32 part)
{
	for (u32 i = part + 1; i < l->n && l->item[i].kind != LESSON_PART; i++)
		if (l->item[i].kind == LESSON_BEGIN)
			return true;
	return false;
}

enum status lesson_go(struct session *s, u32 i, struct error *e)
{
	struct lesson *l = s->lesson;
	struct lesson_step step;
	enum status st;

	if (!lesson_step(l, i, &step))
		return error_set(e, STATUS_FAILED, "the lesson has no such step");
	st = step.ask == NONE32 && s->live && !begins(l, step.part) ? STATUS_OK : stage(s, &step, e);
	if (st)
		return st;
	l->step = l->shown = i;
	if (step.ask != NONE32 && l->item[step.ask].answer.state == ANSWER_NONE)
		l->item[step.ask].answer.state = ANSWER_OPEN;
	return STATUS_OK;
}

void lesson_save(const struct session *s, struct text *out)
{
	const struct lesson *l = s->lesson;
	struct text word = {0};

	if (!l || l->step == NONE32)
		return;
	text_add(out, "lesson restore %u", l->step + 1);
	for (u32 i = 0; i < l->n; i++) {
		const struct lesson_answer *a = &l->item[i].answer;

		if (l->item[i].kind != LESSON_ASK)
			continue;
		text_add(&word, "%u %u ", a->state, a->hints);
		if (l->item[i].ask == ASK_KERNEL)
			text_add(&word, "%u ", a->tries);
		text_add(&word, "%s", a->given ? a->given : "");
		text_add(out, " ");
		word_add_quoted(out, word.s);
		text_clear(&word);
	}
	text_free(&word);
	text_add(out, "\n");
}

/* "STATE HINTS GIVEN" of a question, "STATE HINTS TRIES GIVEN" of a lab. */
static bool take_answer(struct lesson_item *item, const char *text)
{
	struct lesson_answer *a = &item->answer;
	unsigned state, hints, tries = 0;
	int end = 0, more = 0;

	if (sscanf(text, "%u %u%n", &state, &hints, &end) != 2 || state >= ANSWER_STATES || hints > 1000)
		return false;
	if (item->ask == ASK_KERNEL && (sscanf(text + end, "%u%n", &tries, &more) != 1 || tries > 1000000))
		return false;
	end += more;
	a->state = (u8)state;
	a->hints = hints;
	a->tries = tries;
	if (text[end] == ' ' && text[end + 1])
		a->given = xstrdup(text + end + 1);
	return true;
}

enum status lesson_restore(struct session *s, const struct args *a, struct error *e)
{
	struct lesson *l = s->lesson;
	u32 step = a->ntokens > 2 ? (u32)strtoul(a->token[2].s, NULL, 10) : 0, at = 3;
	bool fits = l && l->begun && l->step == NONE32 && step && step <= lesson_steps(l);

	for (u32 i = 0; fits && i < l->n; i++)
		if (l->item[i].kind == LESSON_ASK)
			fits = at < a->ntokens && take_answer(&l->item[i], a->token[at++].s);
	if (!fits || at != a->ntokens)
		return error_set(e, STATUS_USAGE,
				 "this line does not fit the lesson (`save session` writes such lines)");
	l->step = l->shown = step - 1;
	return STATUS_OK;
}
