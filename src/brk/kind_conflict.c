/* kind_conflict.c - stop where reads wait at a register-file bank: `break conflict [bank B] [depth N]`. */
#include "events.h"
#include "hits.h"

/* [bank B] [depth N], in any order */
static enum status conflict_parse(struct session *s UNUSED, struct breakpoint *b, const char *text, u32 column,
				  struct error *e)
{
	char word[64];
	u64 n;

	b->event = EVENT_CONFLICT;
	b->want_b = 1;
	while (word_take(&text, word, sizeof(word))) {
		bool bank = !strcmp(word, "bank");

		if (!bank && strcmp(word, "depth"))
			return usage_at(e, column, "event conflict has no number '%s' (bank, depth)", safe_text(word));
		if (word_number(&text, word, UINT32_MAX, column, &n, e))
			return STATUS_USAGE;
		if (!bank && !n)
			return usage_at(e, column, "depth 0: not a conflict (at least 1)");
		b->match |= bank ? 1 : 2;
		*(bank ? &b->want_a : &b->want_b) = (u32)n;
	}
	return STATUS_OK;
}

/* A bank that the sub-cores of the machine have. */
static enum status conflict_resolve(struct session *s, struct breakpoint *b, struct error *e)
{
	u32 banks = sim_config(&s->sim)->sm_banks;

	if (!(b->match & 1) || b->want_a < banks)
		return STATUS_OK;
	return error_set(e, STATUS_FAILED, "no bank %u: a sub-core has %u banks, 0 to %u (sm.banks)", b->want_a, banks,
			 banks - 1);
}

/* Has a bank at least so many reads waiting after its grant, is it the bank that is wanted? */
static bool conflict_fits(const struct breakpoint *b, const struct sim *sim UNUSED, const struct record *r)
{
	return (!(b->match & 1) || r->a == b->want_a) && r->b >= b->want_b;
}

const struct break_kind break_kind_conflict = {
	.name = "conflict",
	.words = "bank depth",
	.usage = "conflict [bank B] [depth N]",
	.doc = "stop when N or more reads (1 by default) wait at register bank B, or at any bank, after its grant",
	.parse = conflict_parse,
	.resolve = conflict_resolve,
	.events = EVENT_BIT(EVENT_CONFLICT),
	.named = true,
	.check = records_check,
	.fits = conflict_fits,
	.describe = record_describe,
};
