/* kind_deadline.c - stop where an instance of a launch with a deadline ends in time or has missed it: `break deadline`,
 * `break deadline missed`, `break deadline met`. */
#include "events.h"
#include "hits.h"

#include <string.h>

#define MET 1
#define MISSED 2

/* [missed|met] */
static enum status deadline_parse(struct session *s UNUSED, struct breakpoint *b, const char *text, u32 column,
				  struct error *e)
{
	char word[64] = "";

	b->match = MET | MISSED;
	if (!word_take(&text, word, sizeof(word)))
		return STATUS_OK;
	if (strcmp(word, "missed") && strcmp(word, "met"))
		return error_at(e, STATUS_USAGE, NULL, 0, column,
				"unexpected '%s' after `deadline` (missed, met or nothing)", safe_text(word));
	b->match = word[1] == 'i' ? MISSED : MET;
	return words_end(text, column, e);
}

static event_set deadline_want(const struct breakpoint *b UNUSED)
{
	return EVENT_BIT(EVENT_DEADLINE);
}

/* Did an instance end as is wanted? */
static bool deadline_fits(const struct breakpoint *b, const struct sim *sim UNUSED, const struct record *r)
{
	return b->match & (r->a ? MISSED : MET);
}

/* What is said. */
static void deadline_describe(const struct session *s, const struct breakpoint *b UNUSED, const struct hit *h,
			      struct text *out)
{
	const struct record *r = &h->record;
	const char *name = r->launch < s->program.nlaunch ? s->program.launch[r->launch].name : "-";

	text_add(out, "kernel %u (%s) ", r->launch, safe_text(name));
	if (r->a)
		text_add(out, "missed its deadline and is killed with %u CTAs unfinished", r->b);
	else
		text_add(out, "finished %u cycles before its deadline", r->b);
}

const struct break_kind break_kind_deadline = {
	.name = "deadline",
	.words = "missed met",
	.usage = "deadline [missed|met]",
	.doc = "stop when an instance of a launch misses its deadline (missed) or finishes in time (met)",
	.parse = deadline_parse,
	.want = deadline_want,
	.named = true,
	.check = records_check,
	.fits = deadline_fits,
	.describe = deadline_describe,
};
