/*
 * ptx_survey.c - what stands in the way of each kernel of a file: reading goes on behind what is refused.
 *
 * A module is loaded without the entries that are refused, which are read over from there to their end; a declaration
 * that is refused concerns the entries that use its names. A survey tells all that is refused: the same parser and
 * lowering as for loading; an error is entered in the list of its kernel and forgiven. A construct refused twice with
 * the same words is one problem with a count. Behind a refused declaration in a body, only the opcodes of the rest are
 * looked at, since its names would all be unknown.
 */

#include "ptx_internal.h"

#define MAX_PROBLEMS 4096u

/* The problem of the current kernel with the same message, or NULL. */
static struct ptx_problem *find_problem(const struct ptx_survey *s, u32 kernel, const char *message)
{
	for (u32 i = s->nproblem; i-- > 0 && s->problem[i].kernel == kernel;)
		if (!strcmp(s->problem[i].message, message))
			return &s->problem[i];
	return NULL;
}

void ptx_survey_problem(struct ptx_survey *s, u32 kernel, const struct error *e)
{
	s->problem = array_grow(s->problem, s->nproblem, sizeof(*s->problem));
	s->problem[s->nproblem++] = (struct ptx_problem){
		.kernel = kernel, .line = e->line, .column = e->column, .count = 1, .message = xstrdup(e->message)};
}

/* Enter the error and go on; false when there is none, or nobody surveys. */
bool ptx_forgive(struct ptx *p)
{
	struct ptx_survey *s = p->survey;
	u32 kernel = p->entry && s ? s->nverdict - 1 : PTX_NONE;
	struct ptx_problem *same;

	if (!s || !p->failed || p->interrupted || s->nproblem == MAX_PROBLEMS)
		return false;
	same = find_problem(s, kernel, p->error->message);
	if (same)
		same->count++;
	else
		ptx_survey_problem(s, kernel, p->error);
	if (kernel != PTX_NONE)
		s->verdict[kernel].problems += !same;
	p->failed = false;
	*p->error = (struct error){0};
	return true;
}

/* A kernel begins. */
void ptx_survey_kernel(struct ptx *p, const struct ptx_token *t)
{
	struct ptx_survey *s = p->survey;

	if (!s)
		return;
	s->verdict = xrealloc(s->verdict, (s->nverdict + 1) * sizeof(*s->verdict));
	s->verdict[s->nverdict++] = (struct ptx_verdict){.kernel = xstrndup(t->s, t->len), .line = t->line};
}

/* After an error in what began at `start`: forgive it and read on behind the next `;'. */
bool ptx_skip_bad(struct ptx *p, const struct ptx_place *start)
{
	if (!ptx_forgive(p))
		return false;
	ptx_go(p, start);
	while (!ptx_is(p, ';') && !ptx_is(p, TOKEN_END))
		if (!ptx_next(p))
			return false;
	return !ptx_is(p, ';') || ptx_next(p);
}

/* Go on behind an error: any in a survey, else what is not supported only. */
static bool set_aside(struct ptx *p)
{
	if (p->survey)
		return ptx_forgive(p);
	if (!p->failed || !p->unsupported || p->interrupted)
		return false;
	if (!p->first.status)
		p->first = *p->error;
	p->failed = p->unsupported = false;
	*p->error = (struct error){0};
	return true;
}

/* A word of a declaration that is refused: if it could be a name, uses of it are refused too. */
static bool refuse_name(struct ptx *p)
{
	const struct ptx_token *t = &p->token;
	struct ptx_name *n;
	u32 index;

	if (t->kind != TOKEN_WORD || memchr(t->s, '.', t->len) || ptx_resolve(p, t->s, t->len, &index) ||
	    ptx_find_function(p, t->s, t->len))
		return true;
	n = ptx_declare(p, t, NAME_REFUSED, p->nrefusal - 1, 0);
	return n != NULL;
}

/* Fail: the word t means something that was refused where it was declared. */
bool ptx_use_refused(struct ptx *p, const struct ptx_token *t, const struct ptx_name *n)
{
	return ptx_refuse(p, PTX_AT(t), "'%s' cannot be used because of line %u: %s", ptx_shown(t->s, t->len), n->line,
			  p->refusal[n->index]);
}

/* After an error in an entry whose name is behind `start`: behind its body. */
bool ptx_skip_entry(struct ptx *p, const struct ptx_place *start)
{
	if (!set_aside(p))
		return false;
	ptx_go(p, start);
	while (!ptx_is(p, '{') && !ptx_is(p, TOKEN_END) && !ptx_is_word(p, ".entry") && !ptx_is_word(p, ".func"))
		if (!ptx_next(p))
			return false;
	return !ptx_is(p, '{') || ptx_skip_braces(p);
}

/* After an error outside bodies: behind the next `;' or block. */
bool ptx_skip_declaration(struct ptx *p, const struct ptx_place *start)
{
	const char *why = arena_text(&p->arena, p->error->message, strlen(p->error->message));

	if (!set_aside(p))
		return false;
	ptx_go(p, start);
	p->refusal = ptx_grow(&p->arena, p->refusal, p->nrefusal, &p->cap_refusal, sizeof(*p->refusal));
	p->refusal[p->nrefusal++] = why;
	while (!ptx_is(p, ';') && !ptx_is(p, '{') && !ptx_is(p, TOKEN_END))
		if (!refuse_name(p) || !ptx_next(p))
			return false;
	if (ptx_is(p, '{'))
		return ptx_skip_braces(p);
	return !ptx_is(p, ';') || ptx_next(p);
}

enum status ptx_survey(const char *path, struct ptx_survey *out, struct error *e)
{
	enum status st;
	char *text;
	size_t len;

	*out = (struct ptx_survey){0};
	st = file_read_text(path, PTX_MAX_TEXT, &text, &len, e);
	if (st != STATUS_OK)
		return st;
	st = ptx_survey_text(path, text, len, out, e);
	free(text);
	if (st != STATUS_OK)
		ptx_survey_free(out);
	return st;
}

void ptx_survey_free(struct ptx_survey *s)
{
	for (u32 i = 0; i < s->nproblem; i++)
		free(s->problem[i].message);
	for (u32 i = 0; i < s->nverdict; i++)
		free(s->verdict[i].kernel);
	free(s->problem);
	free(s->verdict);
	*s = (struct ptx_survey){0};
}
