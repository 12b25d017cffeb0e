/*
 * lesson_check.c - `lesson check`: every question of a lesson tried as its author would: what is the answer, does the
 * file call just the others wrong, has each page room on a terminal of 80x24?
 */
#include "lesson_run.h"

#include "interrupt.h"

#include <stdlib.h>
#include <string.h>

#define ROWS 11	   /* lines of a page that the layout `lesson` shows on 80x24 */
#define COLUMNS 78 /* of the pane there */

/* What is looked at, and how much is wrong with it. */
struct check {
	struct session *s;
	struct lesson_step step;
	u32 problems, lines; /* lines: of the page behind the answer */
	struct text found;   /* problems of the question, a line each */
};

/* One more problem. */
static void PRINTF_LIKE(2, 3) problem(struct check *c, const char *fmt, ...)
{
	va_list ap;

	text_add(&c->found, "  ");
	va_start(ap, fmt);
	text_addv(&c->found, fmt, ap);
	va_end(ap);
	text_add(&c->found, "\n");
	c->problems++;
}

/* A sentence as it will be said; its lines. */
static u32 said_lines(struct check *c, struct truth *t, const char *text, struct guess *g)
{
	struct text out = {0};
	struct error e;
	u32 lines = 0;

	if (lesson_fill(&t->other, text, g, &out, &e))
		problem(c, "%s", e.message);
	else
		lines = out.s ? wrapped_lines(out.s, COLUMNS) : 0;
	text_free(&out);
	return lines;
}

/* A line `wrong`: it must not mean the right answer. Returns the lines that it takes. */
static u32 check_wrong(struct check *c, const struct lesson_item *item, struct truth *t)
{
	const char *why = item->text + strcspn(item->text, "\n") + 1;
	char *value = xstrndup(item->text, (size_t)(why - 1 - item->text));
	struct guess g = {.v = t->v, .is_number = true};
	struct value v = {0};
	struct error e;

	if (item->expr && value_there(&t->other, item->expr, &g, &v, &e))
		problem(c, "wrong if %s: %s", item->expr, e.message);
	if (item->expr ? value_true(v) : guess_fits(c->s->lesson, c->step.ask, t, value))
		problem(c, "`wrong` matches the right answer: %s", why);
	free(value);
	return said_lines(c, t, why, &g);
}

/* Is there a line `wrong` for an answer? */
static bool is_explained(struct check *c, struct truth *t, struct guess g, const char *given)
{
	const struct lesson *l = c->s->lesson;
	struct error e;
	bool is = false;

	for (u32 i = c->step.ask + 1; i < lesson_ask_end(l, c->step.ask) && !is; i++)
		if (l->item[i].kind == LESSON_WRONG)
			wrong_means(&t->other, &l->item[i], l->item[c->step.ask].ask, &g, given, &is, &e);
	return is;
}

/* Wrong numbers between the answer and one far above (side 1) or far below it (side -1), ever further apart: each needs
 * a line `wrong`, or who is just off the mark is told nothing. Whole numbers only where the answer is one. */
static void check_between(struct check *c, struct truth *t, double want, double far, double side)
{
	bool whole = t->v.kind != VALUE_REAL;
	double gap = whole ? 1 : (far / 1000) / 200;

	while (gap < far) {
		double n = want + side * (whole ? (double)(u64)gap : gap);
		char given[40];

		snprintf(given, sizeof(given), "%.9g", n);
		if (!guess_fits(c->s->lesson, c->step.ask, t, given) &&
		    !is_explained(c, t, (struct guess){.v = value_real(n), .is_number = true}, given)) {
			problem(c, "no `wrong` for the answer %s", given);
			return;
		}
		gap *= 1.25;
	}
}

/* Other answers, each of which needs a line `wrong`: so a key that is the wrong way round contradicts the file. Of
 * numbers one far above and one far below, and those between. */
static void check_others(struct check *c, struct truth *t)
{
	double want = value_as_real(t->v), far = 1000 * (1 + (want < 0 ? -want : want));

	if (c->s->lesson->item[c->step.ask].ask != ASK_CHOICE) {
		for (u32 i = 0; i < 2; i++) {
			struct guess off = {.v = value_real(i ? want - far : want + far), .is_number = true};

			if (!is_explained(c, t, off, ""))
				problem(c, "no `wrong` for answers far %s %s", i ? "below" : "above", t->said.s);
			else
				check_between(c, t, want, far, i ? -1 : 1);
		}
		return;
	}
	for (u32 i = 0; i < t->nchoices; i++) {
		char letter[] = {(char)('a' + i), '\0'};

		if (!(t->choices >> i & 1) &&
		    !is_explained(c, t, (struct guess){.v = value_int(i), .choice = i}, letter))
			problem(c, "no `wrong %s`, but %s is not the answer", letter, letter);
	}
}

/* The lines of a question, and how long the page behind it may get. */
static void check_lines(struct check *c, struct truth *t)
{
	const struct lesson *l = c->s->lesson;
	u32 most = 0, lines = 1 + wrapped_lines(t->said.s, COLUMNS), after = 0;

	for (u32 i = c->step.ask + 1; i < lesson_ask_end(l, c->step.ask); i++) {
		const struct lesson_item *item = &l->item[i];

		if (item->kind == LESSON_WRONG)
			most = max_u32(most, check_wrong(c, item, t));
		else if (item->kind == LESSON_REVEAL)
			lines += said_lines(c, t, item->text, NULL);
		after += item->kind == LESSON_AFTER;
	}
	if (!after)
		problem(c, "no `after`: the answer is visible before the question is asked");
	c->lines = lines + most;
}

/* The page as it is while the question waits; and behind it. */
static void check_pages(struct check *c, u32 index)
{
	struct lesson *l = c->s->lesson;
	struct lesson_answer *a = &l->item[c->step.ask].answer;
	struct lesson_answer kept = *a;
	u32 shown = l->shown, lines;
	struct text page = {0};

	l->shown = index;
	*a = (struct lesson_answer){0};
	lesson_page(c->s, &page);
	lines = wrapped_lines(page.s, COLUMNS);
	if (lines > ROWS)
		problem(c, "notes and question take %u lines (at most %u)", lines, ROWS);
	text_clear(&page);
	*a = (struct lesson_answer){.state = ANSWER_RIGHT, .said = (char *)""};
	lesson_page(c->s, &page);
	lines = wrapped_lines(page.s, COLUMNS) + c->lines;
	if (lines > ROWS)
		problem(c, "the page after the answer may take %u lines (at most %u)", lines, ROWS);
	text_free(&page);
	*a = kept;
	l->shown = shown;
}

/* A part that asks nothing: its notes. */
static void check_reading(struct check *c, u32 index)
{
	struct lesson *l = c->s->lesson;
	u32 shown = l->shown, lines;
	struct text page = {0};

	l->shown = index;
	lesson_page(c->s, &page);
	lines = page.s ? wrapped_lines(page.s, COLUMNS) : 0;
	if (lines > ROWS)
		session_print(c->s, "step %u: notes take %u lines (at most %u)\n", index + 1, lines, ROWS);
	c->problems += lines > ROWS;
	text_free(&page);
	l->shown = shown;
}

/* A line for a question: its answer as computed, the answers that the file calls wrong, and whether they agree. */
static void say_question(struct check *c, const struct truth *t)
{
	const struct lesson *l = c->s->lesson;
	struct text wrong = {0};

	for (u32 i = c->step.ask + 1; i < lesson_ask_end(l, c->step.ask); i++) {
		const char *what = l->item[i].expr ? l->item[i].expr : l->item[i].text;
		size_t n = strcspn(what, "\n");

		if (l->item[i].kind != LESSON_WRONG)
			continue;
		while (n && what[n - 1] == ' ')
			n--;
		text_add(&wrong, "%s%.*s", wrong.len ? ", " : "", (int)n, what);
	}
	session_print(c->s, "question %u: %s: answer %s; wrong: %s\n", lesson_number(l, c->step.ask),
		      c->found.len ? "not ok" : "ok", t->said.len ? safe_text(t->said.s) : "unknown",
		      wrong.len ? safe_text(wrong.s) : "nothing");
	if (c->found.len)
		session_print(c->s, "%s", c->found.s);
	text_clear(&c->found);
	text_free(&wrong);
}

/* A problem of a lab. */
static void tell_problem(void *self, const char *text)
{
	problem(self, "%s", text);
}

/* A lab: what its versions come to. */
static enum status check_lab(struct check *c, u32 index, struct error *e)
{
	struct text answer = {0};
	enum status st = lab_check(c->s, &c->step, COLUMNS, tell_problem, c, &answer, &c->lines, e);

	if (!st)
		check_pages(c, index);
	session_print(c->s, "question %u: %s: %s\n", lesson_number(c->s->lesson, c->step.ask),
		      c->found.len ? "not ok" : "ok", answer.len ? safe_text(answer.s) : "unknown");
	if (c->found.len)
		session_print(c->s, "%s", c->found.s);
	text_clear(&c->found);
	text_free(&answer);
	return st;
}

/* One question. */
static enum status check_question(struct check *c, u32 index, struct error *e)
{
	struct truth t;
	enum status st;

	if (c->s->lesson->item[c->step.ask].ask == ASK_KERNEL)
		return check_lab(c, index, e);
	st = truth_find(c->s, &c->step, &t, e);
	if (st && interrupt_wanted()) {
		truth_close(&t);
		return st;
	}
	if (st) {
		problem(c, "%s", e->message);
	} else {
		if (t.nchoices && t.choices == (1ULL << t.nchoices) - 1)
			problem(c, "every choice is right");
		check_lines(c, &t);
		check_others(c, &t);
		check_pages(c, index);
	}
	say_question(c, &t);
	truth_close(&t);
	return STATUS_OK;
}

enum status lesson_check(struct session *s, u32 *problems, struct error *e)
{
	struct check c = {.s = s};
	enum status st = STATUS_OK;

	for (u32 i = 0; !st && lesson_step(s->lesson, i, &c.step); i++)
		if (c.step.ask != NONE32)
			st = check_question(&c, i, e);
		else
			check_reading(&c, i);
	*problems = c.problems;
	text_free(&c.found);
	return st;
}
