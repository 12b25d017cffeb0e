/* kind_deadline.c - stop where an instance of a launch with a deadline ends in time or has missed it: `break deadline`,
 * `break deadline missed`, `break deadline met`. */
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
				"`missed`, `met` or nothing is wanted after `deadline`, not '%s'", safe_text(word));
	b->match = word[1] == 'i' ? MISSED : MET;
	return words_end(text, column, e);
}

static event_set deadline_want(const struct breakpoint *b UNUSED)
{
	return EVENT_BIT(EVENT_DEADLINE);
}

/* A hit if an instance ended as is wanted. */
static bool deadline_check(struct session *s, struct breakpoint *b, const struct sim *sim, struct hit *h)
{
	for (u32 i = 0; i < sim->bus.count; i++) {
		const struct record *r = &sim->bus.record[i];

		if (r->kind != EVENT_DEADLINE || !(b->match & (r->a ? MISSED : MET)) || !breakpoint_holds(s, b, r))
			continue;
		h->record = *r;
		return true;
	}
	return false;
}

/* What is said. */
static void deadline_describe(const struct session *s, const struct breakpoint *b UNUSED, const struct hit *h,
			      struct text *out)
{
	const struct record *r = &h->record;
	const char *name = r->launch < s->program.nlaunch ? s->program.launch[r->launch].name : "-";

	text_add(out, "kernel %u (%s) ", r->launch, safe_text(name));
	if (r->a)
		text_add(out, "missed its deadline and is killed: %u of its CTAs had not ended", r->b);
	else
		text_add(out, "ended %u cycles before its deadline", r->b);
}

const struct break_kind break_kind_deadline = {
	.name = "deadline",
	.words = "missed met",
	.usage = "deadline [missed|met]",
	.doc = "when an instance of a launch with a deadline has missed it (missed) or ended in time (met)",
	.parse = deadline_parse,
	.want = deadline_want,
	.named = true,
	.check = deadline_check,
	.describe = deadline_describe,
};
