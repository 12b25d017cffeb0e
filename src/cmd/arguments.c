/* arguments.c - what words of a line name: breakpoints, cycles, a pane (arguments.h). */
#include "arguments.h"

#include "machine.h"
#include "pane.h"
#include "scene.h"

#include <ctype.h>
#include <errno.h>

#define LAUNCHES_SAID 8 /* numbers of launches that an error names */

struct breakpoint *numbers_one(struct session *s, const struct arg *word, struct error *e)
{
	struct breakpoint *b = breaks_named(s->breaks, word->text);
	struct value v;

	if (b)
		return b;
	if (expr_value(s, word->text, &v, e)) {
		failed_at(e, word->column, "no breakpoint '%s' (`info breakpoints` lists them)", safe_text(word->text));
		return NULL;
	}
	return breaks_find(s->breaks, v.kind == VALUE_REAL || v.i < 0 ? NONE32 : (u64)v.i, e);
}

/* N, A-B or a name, of one token. */
static enum status range_parse(struct breaks *list, const struct token *t, u64 *from, u64 *to, struct error *e)
{
	const struct breakpoint *b = breaks_named(list, t->s);
	char *end = NULL;

	if (b) {
		*from = *to = b->number;
		return STATUS_OK;
	}

	errno = 0;
	if (isdigit((u8)t->s[0])) {
		*from = *to = strtoull(t->s, &end, 10);
		if (*end == '-' && isdigit((u8)end[1]))
			*to = strtoull(end + 1, &end, 10);
	}
	if (!end || *end || errno || *from > *to)
		return usage_at(e, t->column, "'%s' is not a breakpoint's number or name, or a range A-B",
				safe_text(t->s));
	return STATUS_OK;
}

/* Whether some token names this number. */
static bool named(struct breaks *list, const struct args *a, u64 number)
{
	u64 from = 0, to = 0;

	for (u32 i = a->rest; i < a->ntokens; i++)
		if (!range_parse(list, &a->token[i], &from, &to, NULL) && number >= from && number <= to)
			return true;
	return a->rest >= a->ntokens;
}

/* Every token must be a range, and a single number must exist. */
static enum status check(struct session *s, const struct args *a, struct error *e)
{
	for (u32 i = a->rest; i < a->ntokens; i++) {
		u64 from = 0, to = 0;

		if (range_parse(s->breaks, &a->token[i], &from, &to, e))
			return STATUS_USAGE;
		if (from == to && !breaks_find(s->breaks, from, e))
			return STATUS_FAILED;
	}
	return STATUS_OK;
}

enum status numbers_each(struct session *s, const struct args *a, void (*fn)(struct session *s, struct breakpoint *b),
			 struct error *e)
{
	struct breaks *list = s->breaks;
	enum status st = check(s, a, e);
	u32 n = st ? 0 : list->n;
	struct breakpoint **chosen = xmalloc(n * sizeof(*chosen));

	for (u32 i = 0; i < n; i++)
		chosen[i] = named(list, a, list->list[i]->number) ? list->list[i] : NULL;
	for (u32 i = 0; i < n; i++)
		if (chosen[i])
			fn(s, chosen[i]);
	free(chosen);
	return st;
}

enum status cycle_take(struct session *s, const struct token *t, u64 *cycle, struct error *e)
{
	struct expr *x;
	struct value v;
	enum status st;

	if (isdigit((u8)t->s[0]) && !session_time(s, t->s, cycle, NULL))
		return STATUS_OK;
	st = expr_check(s, t->s, t->column, NULL, &x, e);
	if (st)
		return st;
	st = expr_eval(s, x, NULL, &v, e);
	expr_free(x);
	if (!st && (v.kind == VALUE_REAL || v.i < 0))
		st = usage_at(e, t->column, "a cycle must be an integer from 0, not '%s'", safe_text(t->s));
	*cycle = (u64)v.i;
	return st;
}

enum status cycles_take(struct session *s, const struct token *t, u32 n, u64 *from, u64 *to, struct error *e)
{
	for (u32 i = 0; i < n; i += 2) {
		bool is_from = !strcmp(t[i].s, "from");

		if (!is_from && strcmp(t[i].s, "to"))
			return usage_at(e, t[i].column, "unexpected '%s' (from CYCLE, to CYCLE)", safe_text(t[i].s));
		if (i + 1 == n)
			return usage_at(e, t[i].end + 1, "missing cycle after '%s'", t[i].s);
		if (cycle_take(s, &t[i + 1], is_from ? from : to, e))
			return e->status;
	}
	return STATUS_OK;
}

/* Does a launch have a name, its own or its kernel's; part: has it a part of one? */
static bool launch_has(const struct launch *l, const char *text, bool part)
{
	const struct kernel *k = l->kernel;

	INVARIANT(k); /* a launch has its kernel */
	if (part)
		return strstr(l->name, text) || strstr(k->name, text);
	return !strcmp(l->name, text) || kernel_is_called(k, text);
}

/* The number of a launch, digits alone; NONE32: it is no such number. */
static u32 launch_number(const struct session *s, const char *text)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = isdigit((u8)*text) ? strtoul(text, &end, 0) : NONE32;
	return n < s->program.nlaunch && !errno && !*end ? (u32)n : NONE32;
}

u32 launches_named(const struct session *s, const char *text, u32 *first)
{
	u32 n = 0;

	*first = launch_number(s, text);
	if (*first != NONE32 || !*text)
		return *first != NONE32;
	for (u32 part = 0; part < 2 && !n; part++)
		for (u32 i = 0; i < s->program.nlaunch; i++)
			if (launch_has(&s->program.launch[i], text, part) && !n++)
				*first = i;
	return n;
}

/* A word names several launches: which. */
static enum status launch_ambiguous(const struct session *s, const char *text, u32 column, struct error *e)
{
	struct text list = {0};
	bool part = true;
	u32 n = 0;

	for (u32 i = 0; i < s->program.nlaunch; i++)
		part &= !launch_has(&s->program.launch[i], text, false);
	for (u32 i = 0; i < s->program.nlaunch; i++)
		if (launch_has(&s->program.launch[i], text, part) && n++ < LAUNCHES_SAID)
			text_add(&list, part ? "%s%u %s" : "%s%u", list.len ? ", " : "", i,
				 safe_text(s->program.launch[i].name));
	failed_at(e, column, "'%s' names %u launches: kernel %s%s (give the number of one)", token_shown(text), n,
		  list.s, n > LAUNCHES_SAID ? ", ..." : "");
	text_free(&list);
	return STATUS_FAILED;
}

/* A word that names no launch: the nearest name, if there is one. */
static enum status launch_unknown(const struct session *s, const char *text, u32 column, struct error *e)
{
	const char **name = xmalloc((2 * s->program.nlaunch + 1) * sizeof(*name)), *near;
	u32 n = 0;

	for (u32 i = 0; i < s->program.nlaunch; i++) {
		name[n++] = s->program.launch[i].name;
		name[n++] = s->program.launch[i].kernel->name;
	}
	near = nearest_name(text, name, n);
	free(name);
	if (near)
		return failed_at(e, column, "no kernel '%s' is launched (did you mean '%s'?)", token_shown(text),
				 safe_text(near));
	return failed_at(e, column, "no kernel '%s' is launched (`info kernels` lists the launches)",
			 token_shown(text));
}

enum status launch_take(struct session *s, const char *text, u32 column, u32 *launch, struct error *e)
{
	u32 n = launches_named(s, text, launch);
	struct error none = {0};
	struct value v = {0};

	if (n == 1)
		return STATUS_OK;
	if (n > 1)
		return launch_ambiguous(s, text, column, e);
	if (!s->program.nlaunch)
		return failed_at(e, column, "no kernel is launched (`launch` adds one)");
	if (expr_value(s, text, &v, &none) || v.kind == VALUE_REAL || v.i < 0)
		return launch_unknown(s, text, column, e);
	if ((u64)v.i >= s->program.nlaunch)
		return failed_at(e, column, "kernel %lld does not exist (kernels: 0 to %u)", v.i,
				 s->program.nlaunch - 1);
	*launch = (u32)v.i;
	return STATUS_OK;
}

/* Do all launches that a word names have one kernel? Then it may stand for it. */
static const struct kernel *launches_kernel(const struct session *s, const char *text, u32 first)
{
	const struct program *p = &s->program;
	const struct kernel *k = p->launch[first].kernel;
	bool exact = false;

	if (launch_number(s, text) != NONE32)
		return k;
	for (u32 i = 0; i < p->nlaunch; i++)
		exact |= launch_has(&p->launch[i], text, false);
	for (u32 i = 0; i < p->nlaunch; i++)
		if (launch_has(&p->launch[i], text, !exact) && p->launch[i].kernel != k)
			return NULL;
	return k;
}

/* A kernel of the modules that is not launched, by its name, or by a part that it alone has. */
static const struct kernel *kernel_unlaunched(const struct program *p, const char *text)
{
	const struct kernel *part = NULL;
	u32 parts = 0;

	for (u32 i = 0; i < p->nmodule; i++)
		for (u32 j = 0; j < p->module[i]->nkernel; j++) {
			const struct kernel *k = &p->module[i]->kernel[j];

			if (kernel_is_called(k, text))
				return k;
			if (*text && strstr(k->name, text) && !parts++)
				part = k;
		}
	return parts == 1 ? part : NULL;
}

enum status kernel_take(struct session *s, const char *text, u32 column, const struct kernel **k,
			const struct launch **launch, struct error *e)
{
	u32 first, n = launches_named(s, text, &first);
	enum status st;

	*launch = NULL;
	*k = n ? launches_kernel(s, text, first) : kernel_unlaunched(&s->program, text);
	if (n && *k)
		*launch = &s->program.launch[first];
	if (*k)
		return STATUS_OK;
	if (n)
		return launch_ambiguous(s, text, column, e);
	st = scene_refused(s, text, e);
	if (st)
		return st;
	if (!s->program.nlaunch)
		return failed_at(e, column, "no kernel '%s' (`info modules` lists them)", token_shown(text));
	if (isdigit((u8)*text)) /* a number that is too large */
		return launch_take(s, text, column, &first, e);
	return launch_unknown(s, text, column, e);
}

bool focus_launch(struct session *s, const struct sim *sim, u64 launch, u64 cta)
{
	struct machine *m = sim->m;

	for (u32 i = 0; i < m->config.gpu_sms * m->contexts; i++) {
		u32 sm = i / m->contexts, warp = i % m->contexts;
		const struct warp *x = (struct warp *)machine_sm_section(m, sm, SECTION_WARP) + warp;
		const struct cta *c = machine_sm_section(m, sm, SECTION_CTA);

		if (x->cta == NONE16 || x->launch != launch || (cta != NONE32 && c[x->cta].id != cta))
			continue;
		s->focus = (struct focus){.sm = sm, .sub = warp % m->config.sm_subcores, .warp = warp};
		return true;
	}
	return false;
}

int pane_argument(const struct arg *a, struct error *e)
{
	int id = pane_find(a->text, e);

	if (id < 0)
		e->column = a->column;
	return id;
}
