/* kind_watch.c - stop when a value changes, rises, falls or crosses a threshold: `watch EXPR`. */
#include "hits.h"

#include <stdlib.h>
#include <string.h>

static const char *const mode_name[] = {"change", "rise", "fall", "above", "below"};

/* The word that says how to watch, and a threshold where it takes one. */
static enum status mode_parse(struct breakpoint *b, const char **text, u32 column, struct error *e)
{
	const char *rest = *text;
	char word[64], *end;

	word_take(&rest, word, sizeof(word));
	for (u32 i = 0; i < ARRAY_LEN(mode_name); i++) {
		if (strcmp(word, mode_name[i]))
			continue;
		b->mode = (u8)i;
		*text = rest;
		if (i < WATCH_ABOVE)
			return STATUS_OK;
		word_take(text, word, sizeof(word));
		b->threshold = strtod(word, &end);
		if (*end || end == word)
			return error_at(e, STATUS_USAGE, NULL, 0, column, "a number is wanted after `%s`, not '%s'",
					mode_name[i], safe_text(word));
		return STATUS_OK;
	}
	return STATUS_OK;
}

/* [change|rise|fall|above V|below V] EXPR */
static enum status watch_parse(struct session *s, struct breakpoint *b, const char *text, u32 column, struct error *e)
{
	const char *start = text, *name;
	u32 at;

	if (mode_parse(b, &text, column, e))
		return STATUS_USAGE;
	if (!*text)
		return error_at(e, STATUS_USAGE, NULL, 0, column,
				"an expression is wanted: watch [change|rise|fall|above V|below V] EXPR");
	column += (u32)(text - start);
	if (breakpoint_compile(s, text, column, &b->expr, e))
		return STATUS_USAGE;
	name = expr_unbound(b->expr, 0, &at);
	if (name)
		return error_at(e, STATUS_USAGE, NULL, 0, column + at - 1, "nothing is called '%s'", safe_text(name));
	return STATUS_OK;
}

/* The value with which the next cycle's is compared. */
static void watch_placed(struct session *s, struct breakpoint *b, const struct sim *sim UNUSED)
{
	b->known = !expr_eval(s, b->expr, NULL, &b->last, NULL);
}

/* Whether a step from `before` to `after` is what is watched for. */
static bool watch_hits(const struct breakpoint *b, double before, double after)
{
	switch ((enum watch_mode)b->mode) {
	case WATCH_RISE: return after > before;
	case WATCH_FALL: return after < before;
	case WATCH_ABOVE: return before <= b->threshold && after > b->threshold;
	case WATCH_BELOW: return before >= b->threshold && after < b->threshold;
	default: return after != before;
	}
}

/* A hit if the value stepped so. Where it has no value it is not compared. */
static bool watch_check(struct session *s, struct breakpoint *b, const struct sim *sim UNUSED, struct hit *h)
{
	struct value before = b->last;
	bool known = b->known, hit;

	b->known = !expr_eval(s, b->expr, NULL, &b->last, NULL);
	if (!known || !b->known)
		return false;
	h->before = before;
	h->after = b->last;
	if (before.kind == VALUE_INT && b->last.kind == VALUE_INT && b->mode == WATCH_CHANGE)
		hit = before.i != b->last.i;
	else
		hit = watch_hits(b, value_as_real(before), value_as_real(b->last));
	return hit && breakpoint_holds(s, b, NULL);
}

/* What is said: the two values. */
static void watch_describe(const struct session *s UNUSED, const struct breakpoint *b, const struct hit *h,
			   struct text *out)
{
	text_add_safe(out, expr_text(b->expr), strlen(expr_text(b->expr)));
	text_add(out, ": ");
	value_format(h->before, 0, out);
	text_add(out, " -> ");
	value_format(h->after, 0, out);
}

const struct break_kind break_kind_watch = {
	.name = "watch",
	.usage = "watch [change|rise|fall|above V|below V] EXPR",
	.doc = "when the value changes, rises, falls or crosses V",
	.parse = watch_parse,
	.every_cycle = true,
	.placed = watch_placed,
	.check = watch_check,
	.describe = watch_describe,
};
