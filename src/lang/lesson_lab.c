/*
 * lesson_lab.c - an answer to a lab: a given version, a file of PTX, or a source that is compiled; what its try comes
 * to is said, and the lab is closed by one that is right. `lesson check` runs all given versions.
 */
#include "lesson_run.h"

#include "compile.h"
#include "interrupt.h"
#include "lang.h"
#include "rights.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct lesson_item *lab_version(const struct lesson *l, u32 ask, u32 i)
{
	for (u32 k = ask + 1; k < lesson_ask_end(l, ask); k++)
		if (l->item[k].kind == LESSON_VERSION && !i--)
			return &l->item[k];
	return NULL;
}

/* --- which file --- */

/* The file of an answer. */
struct chosen {
	char *path;
	const struct line_origin *from; /* NULL: of the line that gives it */
};

/* Does a file lie in the folder of another? */
static bool is_beside(const char *path, const char *other)
{
	char *dir = path_dir(path), *there = path_dir(other), a[PATH_MAX], b[PATH_MAX];
	bool is = realpath(dir, a) && realpath(there, b) && !strcmp(a, b);

	free(dir);
	free(there);
	return is;
}

/* Make PTX of a source beside it; *path becomes that file's. */
static enum status compile(struct session *s, const struct lesson_item *ask, u32 column, char **path, struct error *e)
{
	char *out, *dir;
	enum status st;

	if (!rights_full(s, rights_now(s)))
		return usage_at(e, column, "a file of commands may not compile (type `answer FILE.cu`)");
	if (is_beside(*path, ask->path))
		return usage_at(e, column,
				"%s lies beside the lab's own files, which stay as they are (answer with a copy "
				"of it elsewhere)",
				safe_text(*path));
	out = xasprintf("%.*s.ptx", (int)strlen(*path) - 3, *path);
	dir = path_dir(ask->path);
	st = compile_file(s, *path, out, dir, e);
	free(dir);
	free(*path);
	*path = out;
	return st;
}

/* The file that an answer means; the command has asked whether its line may read it. */
static enum status choose(struct session *s, u32 ask, const char *given, u32 column, struct chosen *c, struct error *e)
{
	const struct lesson *l = s->lesson;
	const struct lesson_item *version = NULL;

	if ((given[0] | 32) >= 'a' && (given[0] | 32) <= 'z' && (!given[1] || !strcmp(given + 1, ")")))
		version = lab_version(l, ask, (u32)((given[0] | 32) - 'a'));
	if (version) {
		*c = (struct chosen){xstrdup(version->path), version->from};
		return STATUS_OK;
	}
	if (!ends_with(given, ".cu") && !ends_with(given, ".ptx"))
		return usage_at(e, column, "'%s' is neither the letter of a version nor a file (FILE.cu or FILE.ptx)",
				token_shown(given));
	*c = (struct chosen){path_join(rights_now(s)->dir, given), NULL};
	if (access(c->path, R_OK))
		return usage_at(e, column, "%s: no such file", safe_text(c->path));
	return ends_with(given, ".cu") ? compile(s, &l->item[ask], column, &c->path, e) : STATUS_OK;
}

/* --- what is said --- */

/* A line of people's text, and the same as a member of the result. */
static void say(struct session *s, const char *member, const char *lead, const char *text)
{
	session_print(s, "%s%s\n", lead, safe_text(text));
	member_text(session_result(s), member, safe_text(text));
}

/* A try that is not right: why, and the hint that fits. */
static enum status say_not_right(struct session *s, u32 ask, const char *given, struct attempt *t, struct error *e)
{
	struct text hint = {0};
	char *lead = xasprintf("Try %u, %s: ", s->lesson->item[ask].answer.tries, safe_text(given));
	bool found;
	enum status st = attempt_hint(s->lesson, ask, t, &hint, &found, e);

	say(s, "said", lead, t->said.s);
	if (found && !st)
		say(s, "hint", "Hint: ", hint.s);
	member_text(session_result(s), "verdict", try_verdict_name[t->verdict]);
	free(lead);
	text_free(&hint);
	return st;
}

/* The lab is closed: what is so, and what the author adds. */
static enum status close_lab(struct session *s, const struct lesson_step *step, const char *given, const char *name,
			     const char *path, struct attempt *t, struct error *e)
{
	struct lesson *l = s->lesson;
	struct lesson_answer *a = &l->item[step->ask].answer;
	struct attempt was = {0};
	struct text said = {0};
	enum status st = attempt_run(s, step, NULL, NULL, &was, e);

	if (!st) {
		text_add(&said, given ? "Right (try %u): " : "Given up after %u tr%s: ", a->tries,
			 a->tries == 1 ? "y" : "ies");
		text_add(&said, "with %s %s", name, t->said.s);
		if (was.other) {
			struct text ratio = {0};

			attempt_ratio(t, &was, l->item[step->ask].expr, &ratio);
			text_add(&said, ratio.len ? "; %s" : "%s", ratio.len ? ratio.s : "");
			text_free(&ratio);
		}
		text_add(&said, given ? ". `compare %s` shows what it changes." : ".", path);
	}
	for (u32 i = step->ask + 1; i < lesson_ask_end(l, step->ask) && !st; i++)
		if (l->item[i].kind == LESSON_REVEAL) {
			text_add(&said, "\n");
			st = lesson_fill(t->other, l->item[i].text, NULL, &said, e);
		}
	attempt_close(&was);
	if (st) {
		text_free(&said);
		return st;
	}
	a->state = given ? ANSWER_RIGHT : ANSWER_GIVEN_UP;
	free(a->given);
	a->given = given ? xstrdup(given) : NULL;
	a->value = given ? xstrdup(t->said.s) : xasprintf("with %s %s", name, t->said.s);
	a->said = said.s;
	return STATUS_OK;
}

/* The version that its author calls right, tried; *name: which it is. */
static enum status try_right(struct session *s, const struct lesson_step *step, char name[16], struct attempt *t,
			     struct error *e)
{
	const struct lesson_item *v;

	for (u32 i = 0; (v = lab_version(s->lesson, step->ask, i)); i++)
		if (v->verdict == TRY_RIGHT) {
			snprintf(name, 16, "version %c", 'a' + i);
			return attempt_run(s, step, v->path, v->from, t, e);
		}
	return error_set(e, STATUS_FAILED, "the lab has no version that is right");
}

enum status lab_judge(struct session *s, const struct lesson_step *step, const char *given, u32 column, struct error *e)
{
	struct lesson_answer *a = &s->lesson->item[step->ask].answer;
	struct chosen c = {0};
	struct attempt t = {0};
	char name[16];
	enum status st = given ? choose(s, step->ask, given, column, &c, e) : STATUS_OK;

	if (!st)
		st = given ? attempt_run(s, step, c.path, c.from, &t, e) : try_right(s, step, name, &t, e);
	if (!st && given) {
		a->tries++;
		member_int(session_result(s), "try", a->tries);
	}
	if (!st && given && t.verdict != TRY_RIGHT)
		st = say_not_right(s, step->ask, given, &t, e);
	else if (!st)
		st = close_lab(s, step, given, given ? given : name, c.path, &t, e);
	attempt_close(&t);
	free(c.path);
	return st;
}

/* --- lesson check --- */

/* What is looked at. */
struct lab_checks {
	const struct lesson *l;
	u32 ask, width, said_lines, right;
	void (*tell)(void *self, const char *problem);
	void *self;
	struct text *answer;
};

static void PRINTF_LIKE(2, 3) problem(struct lab_checks *c, const char *fmt, ...)
{
	struct text line = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&line, fmt, ap);
	va_end(ap);
	c->tell(c->self, line.s);
	text_free(&line);
}

/* Is a try that is not right explained? */
static void check_hint(struct lab_checks *c, const char *name, struct attempt *t)
{
	struct text hint = {0};
	struct error e;
	bool found;

	if (attempt_hint(c->l, c->ask, t, &hint, &found, &e))
		problem(c, "hint if: %s", e.message);
	else if (!found)
		problem(c, "no `hint if` for %s: %s", name, t->said.s);
	text_free(&hint);
}

/* The page behind a right try: its lines of `reveal`. */
static void check_reveal(struct lab_checks *c, struct attempt *t)
{
	u32 lines = wrapped_lines(t->said.s, c->width) + 2; /* the verdict also names the given kernel's numbers */

	for (u32 i = c->ask + 1; i < lesson_ask_end(c->l, c->ask); i++) {
		struct text out = {0};
		struct error e;

		if (c->l->item[i].kind != LESSON_REVEAL)
			continue;
		if (lesson_fill(t->other, c->l->item[i].text, NULL, &out, &e))
			problem(c, "%s", e.message);
		lines += out.s ? wrapped_lines(out.s, c->width) : 0;
		text_free(&out);
	}
	c->said_lines = max_u32(c->said_lines, lines);
}

/* One version; v NULL: the given kernel, which must not be right. */
static enum status check_version(struct session *s, const struct lesson_step *step, struct lab_checks *c, u32 i,
				 const struct lesson_item *v, struct error *e)
{
	struct attempt t;
	enum status st = attempt_run(s, step, v ? v->path : NULL, v ? v->from : NULL, &t, e);
	char name[24];

	snprintf(name, sizeof(name), v ? "version %c" : "the given kernel", 'a' + i);
	if (st && !interrupt_wanted()) {
		problem(c, "%s: %s", name, e->message);
		st = STATUS_OK;
	} else if (!st) {
		text_add(c->answer, "%s%s %s", c->answer->len ? ", " : "", name, try_verdict_name[t.verdict]);
		if (v ? t.verdict != v->verdict : t.verdict == TRY_RIGHT)
			problem(c, "%s is %s, not %s: %s", name, try_verdict_name[t.verdict],
				v ? try_verdict_name[v->verdict] : "faulty", t.said.s);
		if (t.verdict == TRY_RIGHT) {
			check_reveal(c, &t);
			c->right += v != NULL;
		} else {
			check_hint(c, name, &t);
		}
	}
	attempt_close(&t);
	return st;
}

enum status lab_check(struct session *s, const struct lesson_step *step, u32 width,
		      void (*tell)(void *self, const char *problem), void *self, struct text *answer, u32 *lines,
		      struct error *e)
{
	struct lab_checks c = {
		.l = s->lesson, .ask = step->ask, .width = width, .tell = tell, .self = self, .answer = answer};
	const struct lesson_item *v;
	enum status st = check_version(s, step, &c, 0, NULL, e);
	u32 n = 0;

	for (; !st && (v = lab_version(s->lesson, step->ask, n)); n++)
		st = check_version(s, step, &c, n, v, e);
	if (!st && !c.right)
		problem(&c, "no version is right: the lab cannot be done without a compiler");
	if (!st && c.right == n && n)
		problem(&c, "every version is right");
	*lines = c.said_lines;
	return st;
}
