/*
 * lesson_judge.c - answers: what was typed is read, compared with the truth, and explained; `lesson check` tries every
 * question so. The student's machine stays where it is until the verdict has been said.
 */
#include "lesson_run.h"

#include "expr.h"
#include "lang.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NEAR 0.005 /* a real number is right within so much of itself, unless `tolerance` says otherwise */

/* A number as people write it: 14,197; w3; 3 %. */
static bool read_number(const char *text, u8 ask, struct value *v)
{
	char digits[64], *end;
	size_t n = 0;

	if (ask == ASK_WARP)
		text += !strncasecmp(text, "warp ", 5) ? 5 : (text[0] | 32) == 'w';
	for (; *text && n + 1 < sizeof(digits); text++)
		if (*text != ',' && *text != '_')
			digits[n++] = *text;
	digits[n] = '\0';
	*v = value_real(strtod(digits, &end));
	end += strspn(end, " %");
	return end != digits && !*end && v->r == v->r;
}

/* The choice that is meant: its letter, with a bracket or without. */
static u32 read_choice(const struct lesson *l, u32 ask, const char *text)
{
	u32 n = 0;

	for (u32 i = ask + 1; i < lesson_ask_end(l, ask); i++) {
		if (l->item[i].kind != LESSON_CHOICE)
			continue;
		if (((text[0] | 32) == (char)('a' + n) && (!text[1] || !strcmp(text + 1, ")"))) ||
		    !strcasecmp(text, l->item[i].text))
			return n;
		n++;
	}
	return NONE32;
}

/* How far off a right answer may be; less than 0: as its kind says. */
static double tolerance(const struct lesson *l, u32 ask, double want)
{
	for (u32 i = ask + 1; i < lesson_ask_end(l, ask); i++)
		if (l->item[i].kind == LESSON_TOLERANCE) {
			double n = strtod(l->item[i].text, NULL);

			return strchr(l->item[i].text, '%') ? n / 100 * (want < 0 ? -want : want) : n;
		}
	return -1;
}

/* Is a guess right? */
static bool is_right(const struct lesson *l, u32 ask, const struct truth *t, const struct guess *g, const char *given)
{
	double want = value_as_real(t->v), apart = g->v.r - want, most;

	if (l->item[ask].ask == ASK_CHOICE)
		return t->choices >> g->choice & 1;
	if (t->word && !strcasecmp(given, t->word))
		return true;
	if (!g->is_number)
		return false;
	most = tolerance(l, ask, want);
	if (most < 0)
		most = t->v.kind == VALUE_REAL ? NEAR * (want < 0 ? -want : want) : 0;
	return (apart < 0 ? -apart : apart) <= most * (1 + 1e-12);
}

/* Read what was typed, or say what is wanted. */
static enum status take_guess(const struct lesson *l, u32 ask, const char *given, u32 column, struct guess *g,
			      struct error *e)
{
	const struct lesson_item *item = &l->item[ask];

	if (item->ask == ASK_CHOICE) {
		g->choice = read_choice(l, ask, given);
		g->v = value_int(g->choice);
		return g->choice != NONE32 ? STATUS_OK
					   : usage_at(e, column, "'%s' is not one of the choices (a letter: a, b, ...)",
						      token_shown(given));
	}
	g->is_number = read_number(given, item->ask, &g->v);
	if (g->is_number || (item->ask == ASK_NUMBER && *given))
		return STATUS_OK;
	return usage_at(e, column, "'%s' is not a number (expected a %s)", token_shown(given),
			ask_kind_name[item->ask]);
}

bool guess_fits(const struct lesson *l, u32 ask, const struct truth *t, const char *given)
{
	struct guess g = {0};
	struct error e;

	return !take_guess(l, ask, given, 0, &g, &e) && is_right(l, ask, t, &g, given);
}

enum status wrong_means(struct session *o, const struct lesson_item *w, u8 ask, struct guess *g, const char *given,
			bool *is, struct error *e)
{
	struct value v;
	char *of = xstrndup(w->text, strcspn(w->text, "\n"));
	enum status st = STATUS_OK;

	if (w->expr) {
		st = value_there(o, w->expr, g, &v, e);
		*is = !st && value_true(v);
	} else if (ask == ASK_CHOICE) {
		*is = !of[1] && (u32)((of[0] | 32) - 'a') == g->choice;
	} else {
		*is = !strcasecmp(of, given) || (g->is_number && read_number(of, ask, &v) && v.r == g->v.r);
	}
	free(of);
	return st;
}

/* What is said to an answer: why a wrong one is wrong, then what is so. */
static enum status explain(const struct lesson *l, u32 ask, struct truth *t, struct guess *g, const char *given,
			   bool right, struct text *out, struct error *e)
{
	enum status st = STATUS_OK;
	bool found = !given || right, is = false;

	for (u32 i = ask + 1; i < lesson_ask_end(l, ask) && !st; i++) {
		const struct lesson_item *item = &l->item[i];

		if (item->kind == LESSON_WRONG && !found) {
			st = wrong_means(&t->other, item, l->item[ask].ask, g, given, &is, e);
			found = is;
			if (is)
				st = lesson_fill(&t->other, item->text + strcspn(item->text, "\n") + 1, g, out, e);
		} else if (item->kind == LESSON_REVEAL) {
			st = lesson_fill(&t->other, item->text, NULL, out, e);
		} else {
			continue;
		}
		if (out->len && out->s[out->len - 1] != '\n')
			text_add(out, "\n");
	}
	return st;
}

/* Keep what became of a question. */
static void keep(struct lesson_answer *a, u8 state, const char *given, const struct truth *t, struct text *said)
{
	a->state = state;
	a->given = given ? xstrdup(given) : NULL;
	a->value = xstrdup(t->said.s);
	while (said->len && said->s[said->len - 1] == '\n')
		said->s[--said->len] = '\0';
	a->said = said->s;
	*said = (struct text){0};
}

/* "right: 5", "not so: it is 5, you said 4". */
static void verdict(const struct truth *t, const char *given, bool right, struct text *out)
{
	if (right)
		text_add(out, "Right: %s.\n", t->said.s);
	else if (given)
		text_add(out, "Wrong: the answer is %s; you answered %s.\n", t->said.s, safe_text(given));
	else
		text_add(out, "Given up: the answer is %s.\n", t->said.s);
}

/* Judge an answer; the question is closed if that could be done. */
static enum status judge(struct session *s, const struct lesson_step *step, const char *given, u32 column,
			 struct error *e)
{
	struct lesson *l = s->lesson;
	struct guess g = {0};
	struct text said = {0};
	struct truth t;
	bool right = false;
	enum status st = given ? take_guess(l, step->ask, given, column, &g, e) : STATUS_OK;

	if (st)
		return st;
	st = truth_find(s, step, &t, e);
	if (!st && given && !g.is_number && l->item[step->ask].ask != ASK_CHOICE && !t.word)
		st = usage_at(e, column, "'%s' is not a number (expected a number)", token_shown(given));
	if (!st) {
		right = given && is_right(l, step->ask, &t, &g, given);
		verdict(&t, given, right, &said);
		st = explain(l, step->ask, &t, &g, given, right, &said, e);
	}
	if (!st)
		keep(&l->item[step->ask].answer,
		     right   ? ANSWER_RIGHT
		     : given ? ANSWER_WRONG
			     : ANSWER_GIVEN_UP,
		     given, &t, &said);
	text_free(&said);
	truth_close(&t);
	return st;
}

enum status lesson_judge(struct session *s, const char *given, u32 column, struct error *e)
{
	struct lesson *l = s->lesson;
	const struct lesson_item *open = lesson_open(s);
	struct lesson_step step;
	enum status st;

	if (!open)
		return lesson_none_open(s, e);
	lesson_step(l, l->step, &step);
	st = open->ask == ASK_KERNEL ? lab_judge(s, &step, given, column, e) : judge(s, &step, given, column, e);
	if (st || lesson_open(s))
		return st;
	l->shown = l->step;
	lesson_say(s);
	st = lesson_do(s, step.ask, lesson_ask_end(l, step.ask), LESSON_AFTER, true, e);
	return st ? st : lesson_do(s, step.ask, lesson_ask_end(l, step.ask), LESSON_THEN, true, e);
}
