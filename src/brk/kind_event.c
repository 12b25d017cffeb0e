/* kind_event.c - stop at events of a kind: `break event KIND [NAME VALUE]`, `break grant bank 1`. */
#include "hits.h"
#include "settings.h"

/* NAME VALUE: one of the event's two numbers. */
static enum status match_parse(struct breakpoint *b, const char **text, u32 column, struct error *e)
{
	const struct event_row *row = &event_table[b->event];
	char word[64];
	bool is_a, is_b;
	u64 n;

	word_take(text, word, sizeof(word));
	is_a = row->a[0] && !strcmp(word, row->a);
	is_b = row->b[0] && !strcmp(word, row->b);
	if (!is_a && !is_b)
		return usage_at(e, column, "event %s has no number '%s'%s%s%s%s%s", row->name, safe_text(word),
				row->a[0] ? " (numbers: " : "", row->a, row->b[0] ? ", " : "", row->b,
				row->a[0] ? ")" : "");
	if (word_number(text, word, UINT32_MAX, column, &n, e))
		return STATUS_USAGE;
	b->match |= is_a ? 1 : 2;
	*(is_a ? &b->want_a : &b->want_b) = (u32)n;
	return STATUS_OK;
}

/* KIND [NAME VALUE]... */
static enum status event_parse(struct session *s, struct breakpoint *b, const char *text, u32 column, struct error *e)
{
	char word[64];
	int kind;

	if (!word_take(&text, word, sizeof(word)))
		return usage_at(e, column, "missing name of an event (`explain events` lists them)");
	kind = event_find(word, e);
	if (kind < 0) {
		if (e)
			e->column = column;
		return STATUS_USAGE;
	}
	b->event = (u32)kind;
	while (*text)
		if (match_parse(b, &text, column, e))
			return STATUS_USAGE;
	check_on(s, b->event);
	return STATUS_OK;
}

/* Its kind of event. */
static event_set event_want(const struct breakpoint *b)
{
	return EVENT_BIT(b->event);
}

/* Has an event the numbers that are wanted? */
static bool event_fits(const struct breakpoint *b, const struct sim *sim UNUSED, const struct record *r)
{
	return (!(b->match & 1) || r->a == b->want_a) && (!(b->match & 2) || r->b == b->want_b);
}

const struct break_kind break_kind_event = {
	.name = "event",
	.usage = "[event] KIND [NAME VALUE]...",
	.doc = "stop when an event of this kind happens; each NAME VALUE pair restricts it to events with that number",
	.parse = event_parse,
	.want = event_want,
	.named = true,
	.check = records_check,
	.fits = event_fits,
	.describe = record_describe,
};
