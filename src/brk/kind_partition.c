/* kind_partition.c - stop where the policy partition lets an SM have other CTAs than before, or an SM that was asked to
 * give up CTAs has done so: `break partition`, `break partition changed`, `break partition reached`. */
#include "events.h"
#include "hits.h"

#include <string.h>

#define CHANGED 1
#define REACHED 2

/* [changed|reached] */
static enum status partition_parse(struct session *s UNUSED, struct breakpoint *b, const char *text, u32 column,
				   struct error *e)
{
	char word[64] = "";

	b->match = CHANGED | REACHED;
	if (!word_take(&text, word, sizeof(word)))
		return STATUS_OK;
	if (strcmp(word, "changed") && strcmp(word, "reached"))
		return error_at(e, STATUS_USAGE, NULL, 0, column,
				"unexpected '%s' after `partition` (changed, reached or nothing)", safe_text(word));
	b->match = word[0] == 'c' ? CHANGED : REACHED;
	return words_end(text, column, e);
}

static event_set partition_want(const struct breakpoint *b)
{
	return (b->match & CHANGED ? EVENT_BIT(EVENT_PARTITION) : 0) |
	       (b->match & REACHED ? EVENT_BIT(EVENT_REACHED) : 0);
}

/* What is said. */
static void partition_describe(const struct session *s, const struct breakpoint *b UNUSED, const struct hit *h,
			       struct text *out)
{
	const struct record *r = &h->record;
	const char *name = r->launch < s->program.nlaunch ? s->program.launch[r->launch].name : "-";

	if (r->kind == EVENT_PARTITION)
		text_add(out, "SM %u: the target is now %u CTAs of kernel %u (%s), was %u", r->sm, r->a, r->launch,
			 safe_text(name), r->b);
	else
		text_add(
			out,
			"SM %u: CTAs of kernel %u (%s) are down to the target, %u cycles after preemption request %u began",
			r->sm, r->launch, safe_text(name), r->a, r->b);
}

const struct break_kind break_kind_partition = {
	.name = "partition",
	.words = "changed reached",
	.usage = "partition [changed|reached]",
	.doc = "stop when the number of CTAs of a kernel that an SM should hold changes (changed), or when the CTAs above that number have left the SM (reached)",
	.parse = partition_parse,
	.want = partition_want,
	.named = true,
	.check = records_check,
	.describe = partition_describe,
};
