/* kind_throttle.c - stop where policies let an SM have fewer or more CTAs, or fewer or more of its warps load: `break
 * throttle`, `break throttle less`, `break throttle more`. */
#include "events.h"
#include "hits.h"

#include <string.h>

#define LESS 1
#define MORE 2

/* [less|more] */
static enum status throttle_parse(struct session *s UNUSED, struct breakpoint *b, const char *text, u32 column,
				  struct error *e)
{
	char word[64] = "";

	b->match = LESS | MORE;
	if (!word_take(&text, word, sizeof(word)))
		return STATUS_OK;
	if (strcmp(word, "less") && strcmp(word, "more"))
		return error_at(e, STATUS_USAGE, NULL, 0, column,
				"unexpected '%s' after `throttle` (less, more or nothing)", safe_text(word));
	b->match = word[0] == 'l' ? LESS : MORE;
	return words_end(text, column, e);
}

/* Its events. */
static event_set throttle_want(const struct breakpoint *b UNUSED)
{
	return EVENT_BIT(EVENT_THROTTLE) | EVENT_BIT(EVENT_LOAD_LIMIT);
}

/* Did a limit fall or rise as is wanted? */
static bool throttle_fits(const struct breakpoint *b, const struct sim *sim UNUSED, const struct record *r)
{
	return b->match & (r->a < r->b ? LESS : MORE);
}

/* What is said. */
static void throttle_describe(const struct session *s UNUSED, const struct breakpoint *b UNUSED, const struct hit *h,
			      struct text *out)
{
	const struct record *r = &h->record;

	if (r->kind == EVENT_THROTTLE)
		text_add(out, "policies now limit SM %u to %u CTA%s (was %u)", r->sm, r->a, r->a == 1 ? "" : "s", r->b);
	else
		text_add(out, "warps that may load: now %u on SM %u (was %u)", r->a, r->sm, r->b);
}

const struct break_kind break_kind_throttle = {
	.name = "throttle",
	.words = "less more",
	.usage = "throttle [less|more]",
	.doc = "stop when policies lower (less) or raise (more) the CTA limit of an SM, or the number of its warps that may load",
	.parse = throttle_parse,
	.want = throttle_want,
	.named = true,
	.check = records_check,
	.fits = throttle_fits,
	.describe = throttle_describe,
};
