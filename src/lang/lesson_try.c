/*
 * lesson_try.c - a try of a lab: another version of its kernel on a machine of its own, made as the scenario makes the
 * student's; run to its end; judged by the scenario's checks, then by the aim of the lab.
 */
#include "lesson_run.h"

#include "interrupt.h"
#include "lang.h"
#include "other.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CYCLES 10000000u /* of a try: one that counts for ever is no livelock that can be proven */

void attempt_close(struct attempt *t)
{
	other_free(t->other);
	text_free(&t->said);
	t->other = NULL;
}

/* --- the aim, part by part --- */

/* "kernel.0.cycles < 9000" of an aim whose parts && joins; without what it compares it is all left. */
struct aim_part {
	char *whole, *left, *right;
	const char *words; /* "below"; NULL: nothing is compared */
};

static void part_free(struct aim_part *p)
{
	free(p->whole);
	free(p->left);
	free(p->right);
	*p = (struct aim_part){0};
}

/* The comparison at the beginning of a text; NULL: none. */
static const char *comparison(const char *at, size_t *length)
{
	static const struct {
		const char *sign, *words;
	} row[] = {{"<=", "at most"}, {">=", "at least"}, {"==", "equal to"},
		   {"!=", "not"},     {"<", "below"},	  {">", "above"}};

	if (!strncmp(at, "<<", 2) || !strncmp(at, ">>", 2))
		return NULL;
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		if (!strncmp(at, row[i].sign, strlen(row[i].sign))) {
			*length = strlen(row[i].sign);
			return row[i].words;
		}
	return NULL;
}

/* A piece of a text without the blanks around it; xmalloc'ed. */
static char *piece(const char *from, const char *to)
{
	while (from < to && *from == ' ')
		from++;
	while (to > from && to[-1] == ' ')
		to--;
	return xstrndup(from, (size_t)(to - from));
}

/* The next part of an aim, *at moved behind it; false: there is none. A choice (||) is one part. */
static bool next_part(const char **at, struct aim_part *p)
{
	const char *from = *at, *to = from, *sign = NULL;
	size_t length = 0;
	u32 depth = 0;

	*p = (struct aim_part){0};
	if (!*from)
		return false;
	for (; *to && (depth || strncmp(to, "&&", 2) || strstr(from, "||")); to++) {
		depth += *to == '(' || *to == '[';
		depth -= depth && (*to == ')' || *to == ']');
		if (depth || p->words)
			continue;
		p->words = comparison(to, &length);
		sign = p->words ? to : sign;
		to += !p->words && (!strncmp(to, "<<", 2) || !strncmp(to, ">>", 2));
	}
	if (strstr(from, "||"))
		p->words = NULL;
	p->whole = piece(from, to);
	p->left = piece(from, p->words ? sign : to);
	p->right = p->words ? piece(sign + length, to) : NULL;
	*at = to + (*to ? 2 : 0);
	return true;
}

/* A number as people write it. */
static void number_add(struct value v, struct text *out)
{
	double r = value_as_real(v);
	char room[32];

	if (v.kind != VALUE_REAL || r > 9999 || r < -9999)
		text_add(out, "%s", grouped((i64)(r < 0 ? r - 0.5 : r + 0.5), room));
	else
		text_add(out, "%.4g", r);
}

/* How far a machine is from a part of the aim: "kernel.0.cycles is 11,288 (aim: below 9,000)". */
static enum status part_said(struct session *o, const struct aim_part *p, struct text *out, struct error *e)
{
	struct value v, want;
	enum status st = value_there(o, p->left, NULL, &v, e);

	if (st)
		return st;
	if (!p->words) {
		text_add(out, "%s is %s", p->whole, value_true(v) ? "true" : "not true");
		return STATUS_OK;
	}
	st = value_there(o, p->right, NULL, &want, e);
	if (st)
		return st;
	text_add(out, "%s is ", p->left);
	number_add(v, out);
	text_add(out, " (aim: %s ", p->words);
	number_add(want, out);
	text_add(out, ")");
	return STATUS_OK;
}

/* The parts of an aim that are reached, or those that are not. How many of these there are is added to *n. */
static enum status aim_said(struct session *o, const char *aim, bool reached, u32 *n, struct text *out, struct error *e)
{
	enum status st = STATUS_OK;
	struct aim_part p;
	struct value is;

	for (; !st && next_part(&aim, &p); part_free(&p)) {
		st = value_there(o, p.whole, NULL, &is, e);
		if (st || value_true(is) != reached)
			continue;
		text_add(out, (*n)++ ? ", " : "");
		st = part_said(o, &p, out, e);
	}
	return st;
}

void attempt_ratio(const struct attempt *t, const struct attempt *given, const char *aim, struct text *out)
{
	struct aim_part p;
	struct value v, was;
	struct error e;
	u32 n = 0;

	for (; next_part(&aim, &p); part_free(&p)) {
		if (!p.words || value_there(t->other, p.left, NULL, &v, &e) ||
		    value_there(given->other, p.left, NULL, &was, &e) || value_as_real(v) == value_as_real(was))
			continue;
		text_add(out, n++ ? ", " : "the given kernel: ");
		text_add(out, "%s ", p.left);
		number_add(was, out);
		if (value_as_real(v) > 0 && value_as_real(was) > 0)
			text_add(out, " (%.2f times as many)", value_as_real(was) / value_as_real(v));
	}
}

/* --- a try --- */

/* A machine as the lab's step begins with it. */
static enum status make_machine(struct session *s, const struct lesson_step *step, const char *module,
				const struct line_origin *from, struct attempt *t, struct error *e)
{
	char real[PATH_MAX];
	const struct other_wish wish = {.module = module ? real : NULL, .lines = s->lesson->nscript, .from = from};
	enum status st;
	struct session *o;

	if (module && !realpath(module, real))
		return error_set(e, STATUS_USAGE, "%s: cannot open: %s", safe_text(module), strerror(errno));
	if (s->lesson->apart)
		return error_set(e, STATUS_FAILED, "another question is being evaluated");
	st = other_make(s, &wish, &t->other, e);
	o = t->other;
	if (!st && o->lesson)
		st = lesson_begin(o, e);
	if (st || !o->lesson)
		return st;
	o->lesson->apart = true;
	o->quiet_depth++; /* nothing of it is recorded */
	return lesson_do(o, step->part + 1, step->ask, LESSON_BEGIN, false, e);
}

/* Results that are wrong, as the checks say. */
static void say_wrong(struct attempt *t, const struct judged *j)
{
	t->verdict = TRY_WRONG;
	t->failed = (i32)j->failed;
	text_add(&t->said, "wrong results: %s", safe_text(j->first));
	if (j->failed > 1)
		text_add(&t->said, " (and %u more check%s)", j->failed - 1, plural(j->failed - 1));
}

/* The checks hold: is the aim reached, and how far off is it? */
static enum status say_aim(struct attempt *t, const char *aim, struct error *e)
{
	struct value v;
	u32 n = 0;
	enum status st = value_there(t->other, aim, NULL, &v, e);

	if (st)
		return st;
	t->verdict = value_true(v) ? TRY_RIGHT : TRY_SHORT;
	text_add(&t->said, t->verdict == TRY_RIGHT ? "" : "results right, but ");
	return aim_said(t->other, aim, t->verdict == TRY_RIGHT, &n, &t->said, e);
}

enum status attempt_run(struct session *s, const struct lesson_step *step, const char *module,
			const struct line_origin *from, struct attempt *t, struct error *e)
{
	const struct lesson_item *ask = &s->lesson->item[step->ask];
	struct judged judged;
	struct error end = {0}, none;
	char room[32];
	enum status st;

	*t = (struct attempt){0};
	st = make_machine(s, step, module, from, t, e);
	if (st)
		return st;
	t->other->max_cycles = min_u64(s->max_cycles ? s->max_cycles : NEVER, MOST_CYCLES);
	st = text_run(t->other, "run", NULL, true, &end);
	if (interrupt_wanted())
		return interrupt_status(s, e);
	if (sim_finished(&t->other->sim) && !session_end_status(t->other, &none)) {
		s->above->judge(t->other, &judged);
		if (!judged.failed)
			return say_aim(t, ask->expr, e);
		say_wrong(t, &judged);
		return STATUS_OK;
	}
	t->verdict = TRY_WRONG;
	t->failed = -1;
	text_add(&t->said, "the run does not come to its end: ");
	if (session_now(t->other).cycle >= t->other->max_cycles)
		text_add(&t->said, "it still runs after %s cycles", grouped((i64)t->other->max_cycles, room));
	else
		text_add(&t->said, "%s", st ? safe_text(end.message) : "it stops before");
	return STATUS_OK;
}

enum status attempt_hint(const struct lesson *l, u32 ask, struct attempt *t, struct text *out, bool *found,
			 struct error *e)
{
	struct guess checks = {.name = "failed", .v = value_int(t->failed)};
	enum status st = STATUS_OK;

	*found = false;
	for (u32 i = ask + 1; i < lesson_ask_end(l, ask) && !st && !*found; i++)
		if (l->item[i].kind == LESSON_HINT && l->item[i].expr &&
		    (t->failed >= 0 || strstr(l->item[i].expr, "failed"))) {
			struct value v = {0};

			st = value_there(t->other, l->item[i].expr, &checks, &v, e);
			*found = !st && value_true(v);
			if (*found)
				st = lesson_fill(t->other, l->item[i].text, &checks, out, e);
		}
	return st;
}
