/*
 * lesson_truth.c - what a question asks for: a machine of its own, made as the scenario made the student's, does what
 * stands behind `after`, and expressions are evaluated there.
 */
#include "lesson_run.h"

#include "expr.h"
#include "lang.h"
#include "other.h"
#include "script.h"

#include <stdlib.h>
#include <string.h>

/* Run the lines that made the stage in another session, each with its origin. */
static enum status stage_again(struct session *s, struct session *o, struct error *e)
{
	enum status st = STATUS_OK;
	struct text before = {0};

	for (u32 i = 0; i < s->lesson->nscript && !st; i++) {
		text_clear(&before);
		script_before(s, i, &before);
		if (before.len)
			st = text_run(o, before.s, NULL, true, e);
		if (!st)
			st = lines_run(o, s->script[i].text, s->script[i].from, NULL, 0, e);
	}
	text_free(&before);
	return st;
}

/* Another session on the same stage, which nobody sees and which writes nothing, as it stands when the step of a
 * question begins. */
static enum status stage_open(struct session *s, struct session *o, const struct lesson_step *step, struct error *e)
{
	enum status st = other_begin(s, o, e);

	if (!st && s->lesson->apart)
		st = error_set(e, STATUS_FAILED, "another question is being evaluated");
	if (!st)
		st = stage_again(s, o, e);
	if (!st)
		st = session_restart(o, e);
	if (!st && o->lesson)
		st = lesson_begin(o, e);
	if (!st && o->lesson) {
		o->lesson->apart = true;
		o->quiet_depth++; /* nothing of it is recorded */
		st = lesson_do(o, step->part + 1, step->ask, LESSON_BEGIN, false, e);
	}
	return st;
}

void truth_close(struct truth *t)
{
	text_free(&t->said);
	other_end(&t->other);
}

/* A value as people say it: whole, or in four digits. */
static void value_said(struct value v, struct text *out)
{
	if (v.kind == VALUE_REAL && (v.r > 9999 || v.r < -9999))
		text_add(out, "%.0f", v.r);
	else if (v.kind == VALUE_REAL)
		text_add(out, "%.4g", v.r);
	else
		value_format(v, 0, out);
}

static const char *guess_name(const struct guess *g)
{
	return g->name ? g->name : "answer";
}

static bool find_guess(void *self, const char *name, struct value *out)
{
	const struct guess *g = self;

	if (!g || strcmp(name, guess_name(g)))
		return false;
	*out = g->v;
	return true;
}

enum status value_there(struct session *o, const char *text, struct guess *g, struct value *v, struct error *e)
{
	struct expr_scope scope = {.lookup = find_guess, .self = g};
	struct expr *x;
	enum status st = expr_check(o, text, 1, g ? guess_name(g) : NULL, &x, e);

	if (st)
		return st;
	st = expr_eval(o, x, g ? &scope : NULL, v, e);
	expr_free(x);
	return st;
}

/* The word that a value has, as a status has. */
static const char *word_there(struct session *o, const char *text, struct value v, char *room)
{
	struct expr *x;
	struct error e;
	const char *word;

	if (expr_compile(o, text, &x, &e))
		return NULL;
	word = expr_word(x, v, room);
	if (word && word != room)
		word = memcpy(room, word, min_u64(strlen(word), 31) + 1);
	room[31] = '\0';
	expr_free(x);
	return word;
}

enum status lesson_fill(struct session *o, const char *text, struct guess *g, struct text *out, struct error *e)
{
	for (const char *open, *end; (open = strchr(text, '{')) && (end = strchr(open, '}')); text = end + 1) {
		char *inner = xstrndup(open + 1, (size_t)(end - open) - 1);
		struct value v;
		enum status st = value_there(o, inner, g, &v, e);

		free(inner);
		if (st)
			return st;
		text_addn(out, text, (size_t)(open - text));
		value_said(v, out);
	}
	text_add(out, "%s", text);
	return STATUS_OK;
}

/* Which choices are right. */
static enum status find_choices(struct truth *t, const struct lesson *l, u32 ask, struct error *e)
{
	struct value v;
	enum status st;

	for (u32 i = ask + 1; i < lesson_ask_end(l, ask); i++) {
		if (l->item[i].kind != LESSON_CHOICE)
			continue;
		st = value_there(&t->other, l->item[i].expr, NULL, &v, e);
		if (st)
			return st;
		if (value_true(v)) {
			t->choices |= 1ULL << t->nchoices;
			text_add(&t->said, "%s%c) %s", t->said.len ? " or " : "", 'a' + t->nchoices, l->item[i].text);
		}
		t->nchoices++;
	}
	return t->choices ? STATUS_OK : error_set(e, STATUS_FAILED, "no choice is right on this machine");
}

enum status truth_find(struct session *s, const struct lesson_step *step, struct truth *t, struct error *e)
{
	static const char *const natural[ASK_KINDS] = {[ASK_WARP] = "$warp", [ASK_CYCLE] = "cycle"};
	const struct lesson *l = s->lesson;
	const struct lesson_item *item = &l->item[step->ask];
	const char *text = item->expr ? item->expr : natural[item->ask];
	enum status st;

	*t = (struct truth){0};
	st = stage_open(s, &t->other, step, e);
	if (!st)
		st = lesson_do(&t->other, step->ask, lesson_ask_end(l, step->ask), LESSON_AFTER, false, e);
	if (!st && item->ask == ASK_CHOICE)
		st = find_choices(t, l, step->ask, e);
	if (st || item->ask == ASK_CHOICE)
		return st;
	st = value_there(&t->other, text, NULL, &t->v, e);
	if (st)
		return st;
	t->word = word_there(&t->other, text, t->v, t->room);
	if (t->word)
		text_add(&t->said, "%s", t->word);
	else
		value_said(t->v, &t->said);
	return STATUS_OK;
}
