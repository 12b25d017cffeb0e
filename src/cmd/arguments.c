/* arguments.c - what words of a line name: breakpoints, cycles, a pane (arguments.h). */
#include "arguments.h"

#include "expr.h"
#include "pane.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

int pane_argument(const struct arg *a, struct error *e)
{
	int id = pane_find(a->text, e);

	if (id < 0)
		e->column = a->column;
	return id;
}
