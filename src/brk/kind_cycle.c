/* kind_cycle.c - stop in a cycle: `break cycle N`. */
#include "hits.h"

/* cycle N */
static enum status cycle_parse(struct session *s, struct breakpoint *b, const char *text, u32 column, struct error *e)
{
	const char *rest = text;
	char word[64];
	enum status st;

	if (word_take(&rest, word, sizeof(word)) && word[strlen(word) - 1] == 's' &&
	    !session_time(s, word, &b->cycle, e))
		return words_end(rest, column, e);
	st = word_number(&text, "cycle number", NEVER - 1, column, &b->cycle, e);
	return st ? st : words_end(text, column, e);
}

/* The cycle itself, unless it is past. */
static u64 cycle_next(const struct breakpoint *b, u64 now)
{
	return b->cycle > now ? b->cycle : NEVER;
}

/* A hit in that cycle. */
static bool cycle_check(struct session *s, struct breakpoint *b, const struct sim *sim UNUSED, struct hit *h)
{
	return h->cycle == b->cycle && breakpoint_holds(s, b, NULL);
}

/* What is said. */
static void cycle_describe(const struct session *s UNUSED, const struct breakpoint *b, const struct hit *h UNUSED,
			   struct text *out)
{
	text_add(out, "cycle %llu", b->cycle);
}

const struct break_kind break_kind_cycle = {
	.name = "cycle",
	.usage = "[cycle] N",
	.doc = "stop when cycle N is complete",
	.parse = cycle_parse,
	.next_cycle = cycle_next,
	.check = cycle_check,
	.describe = cycle_describe,
};
