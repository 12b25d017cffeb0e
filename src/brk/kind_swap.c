/* kind_swap.c - stop where a CTA gives its warp slots away or gets some: `break swap`, `break swap out`, `break swap
 * in`. */
#include "events.h"
#include "hits.h"

#include <string.h>

#define OUT 1
#define IN 2

/* [out|in] */
static enum status swap_parse(struct session *s UNUSED, struct breakpoint *b, const char *text, u32 column,
			      struct error *e)
{
	char word[64] = "";

	b->match = OUT | IN;
	if (!word_take(&text, word, sizeof(word)))
		return STATUS_OK;
	if (strcmp(word, "out") && strcmp(word, "in"))
		return error_at(e, STATUS_USAGE, NULL, 0, column, "unexpected '%s' after `swap` (out, in or nothing)",
				safe_text(word));
	b->match = word[0] == 'o' ? OUT : IN;
	return words_end(text, column, e);
}

/* Its events. */
static event_set swap_want(const struct breakpoint *b)
{
	return (b->match & OUT ? EVENT_BIT(EVENT_SWAP_OUT) : 0) | (b->match & IN ? EVENT_BIT(EVENT_SWAP_IN) : 0);
}

/* What is said. */
static void swap_describe(const struct session *s UNUSED, const struct breakpoint *b UNUSED, const struct hit *h,
			  struct text *out)
{
	const struct record *r = &h->record;

	if (r->kind == EVENT_SWAP_OUT)
		text_add(out, "CTA %u (SM %u, CTA slot %u) was swapped out with %u register writes outstanding", r->cta,
			 r->sm, r->b, r->a);
	else
		text_add(out, "CTA %u (SM %u, CTA slot %u) was swapped in; restoring its context takes %u cycles",
			 r->cta, r->sm, r->b, r->a);
}

const struct break_kind break_kind_swap = {
	.name = "swap",
	.words = "out in",
	.usage = "swap [out|in]",
	.doc = "stop when a CTA is swapped out (out) or in (in)",
	.parse = swap_parse,
	.want = swap_want,
	.check = records_check,
	.describe = swap_describe,
};
