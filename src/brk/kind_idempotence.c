/* kind_idempotence.c - stop at an idempotence violation: `break idempotence`. The stop names the instruction, and why
 * its CTA can no longer be flushed. */
#include "events.h"
#include "hits.h"
#include "idempotence.h"

/* Nothing follows. */
static enum status idempotence_parse(struct session *s UNUSED, struct breakpoint *b UNUSED, const char *text,
				     u32 column, struct error *e)
{
	return words_end(text, column, e);
}

/* Its event. */
static event_set idempotence_want(const struct breakpoint *b UNUSED)
{
	return EVENT_BIT(EVENT_TRIP);
}

/* What is said: who, the instruction, the reason. */
static void idempotence_describe(const struct session *s, const struct breakpoint *b UNUSED, const struct hit *h,
				 struct text *out)
{
	const struct record *r = &h->record;
	const struct idempotence *x = r->launch < s->program.nlaunch ? s->sim.trips[r->launch] : NULL;
	struct text why = {0};

	record_who(s, r, out);
	text_add(out, " ends the idempotence of its CTA: ");
	record_instruction(s, r, out);
	if (x && r->pc < x->ninst) {
		idempotence_reason(x, &s->program, r->pc, &why);
		text_add(out, ": %s", safe_text(why.s));
	}
	text_free(&why);
}

const struct break_kind break_kind_idempotence = {
	.name = "idempotence",
	.usage = "idempotence",
	.doc = "stop at an idempotence violation: a CTA executes an instruction that prevents its restart, so it can no longer be flushed (recorded if preempt.ctas is not 0)",
	.parse = idempotence_parse,
	.want = idempotence_want,
	.check = records_check,
	.describe = idempotence_describe,
};
