/* numbers.c - the breakpoints that a command names. */
#include "numbers.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

/* N or A-B of one token. */
static enum status range_parse(const struct token *t, u64 *from, u64 *to, struct error *e)
{
	char *end = NULL;

	errno = 0;
	if (isdigit((u8)t->s[0])) {
		*from = *to = strtoull(t->s, &end, 10);
		if (*end == '-' && isdigit((u8)end[1]))
			*to = strtoull(end + 1, &end, 10);
	}
	if (!end || *end || errno || *from > *to)
		return error_at(e, STATUS_USAGE, NULL, 0, t->column, "a breakpoint's number is wanted, or A-B, not '%s'",
				safe_text(t->s));
	return STATUS_OK;
}

/* Whether some token names this number. */
static bool named(const struct args *a, u64 number)
{
	u64 from = 0, to = 0;

	for (u32 i = a->rest; i < a->ntokens; i++)
		if (!range_parse(&a->token[i], &from, &to, NULL) && number >= from && number <= to)
			return true;
	return a->rest >= a->ntokens;
}

/* Every token must be a range, and a single number must exist. */
static enum status check(struct session *s, const struct args *a, struct error *e)
{
	for (u32 i = a->rest; i < a->ntokens; i++) {
		u64 from = 0, to = 0;

		if (range_parse(&a->token[i], &from, &to, e))
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
		chosen[i] = named(a, list->list[i]->number) ? list->list[i] : NULL;
	for (u32 i = 0; i < n; i++)
		if (chosen[i])
			fn(s, chosen[i]);
	free(chosen);
	return st;
}
