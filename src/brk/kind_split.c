/* kind_split.c - stop where a gang of slices comes apart: `break split`, `break split control`, `break split memory
 * exit`. The stop says why, and where the slices of the warp go on. */
#include "events.h"
#include "hits.h"

#include <string.h>

/* By the number that the event gives. */
static const char *const cause_name[] = {"control", "exit", "memory"};
static const char *const cause_text[] = {"control flow diverges", "some have exited",
					 "a load has returned for some before the others"};

/* [control|memory|exit]... */
static enum status split_parse(struct session *s UNUSED, struct breakpoint *b, const char *text, u32 column,
			       struct error *e)
{
	char word[64] = "";

	b->match = 0;
	while (word_take(&text, word, sizeof(word))) {
		u32 cause = 0;

		while (cause < ARRAY_LEN(cause_name) && strcmp(word, cause_name[cause]))
			cause++;
		if (cause == ARRAY_LEN(cause_name))
			return error_at(e, STATUS_USAGE, NULL, 0, column,
					"unexpected '%s' after `split` (control, memory, exit or nothing)",
					safe_text(word));
		b->match |= 1u << cause;
	}
	if (!b->match)
		b->match = (1u << ARRAY_LEN(cause_name)) - 1;
	return STATUS_OK;
}

/* Its event. */
static event_set split_want(const struct breakpoint *b UNUSED)
{
	return EVENT_BIT(EVENT_GANGSPLIT);
}

/* Did a gang come apart for such a cause? */
static bool split_fits(const struct breakpoint *b, const struct sim *sim UNUSED, const struct record *r)
{
	return b->match >> r->b & 1;
}

/* What is said: how many slices, whose, why, and where they are now. */
static void split_describe(const struct session *s, const struct breakpoint *b UNUSED, const struct hit *h,
			   struct text *out)
{
	const struct record *r = &h->record;

	text_add(out, "a gang of %u small warps splits, %s: ", r->a, r->b < 3 ? cause_text[r->b] : "");
	record_who(s, r, out);
	slices_now(s, h, out);
}

const struct break_kind break_kind_split = {
	.name = "split",
	.named = true,
	.words = "control memory exit",
	.usage = "split [control|memory|exit]...",
	.doc = "stop when a gang splits: control flow diverges (control), a load returns for some of its small warps first (memory, vws.split), or some exit (exit)",
	.parse = split_parse,
	.want = split_want,
	.check = records_check,
	.fits = split_fits,
	.describe = split_describe,
};
