/* kind_form.c - stop where pieces of a warp become one gang again: `break form`. The stop says which slices of the warp
 * stand where now. */
#include "events.h"
#include "hits.h"

/* Nothing follows. */
static enum status form_parse(struct session *s UNUSED, struct breakpoint *b UNUSED, const char *text, u32 column,
			      struct error *e)
{
	return words_end(text, column, e);
}

/* Its event. */
static event_set form_want(const struct breakpoint *b UNUSED)
{
	return EVENT_BIT(EVENT_GANGFORM);
}

/* What is said: whose, of how many slices, and where all are now. */
static void form_describe(const struct session *s, const struct breakpoint *b UNUSED, const struct hit *h,
			  struct text *out)
{
	const struct record *r = &h->record;

	text_add(out, "a gang of %u small warps is re-formed at ", r->a);
	record_instruction(s, r, out);
	text_add(out, ": ");
	record_who(s, r, out);
	slices_now(s, h, out);
}

const struct break_kind break_kind_form = {
	.name = "form",
	.usage = "form",
	.named = true,
	.doc = "stop when two parts of a split warp reach the same instruction and re-form one gang (vws.reform)",
	.parse = form_parse,
	.want = form_want,
	.check = records_check,
	.describe = form_describe,
};
