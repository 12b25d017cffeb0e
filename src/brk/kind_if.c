/* kind_if.c - stop when an expression becomes true: `break if EXPR`. */
#include "hits.h"

/* The expression, with names that are known without an event. */
static enum status if_parse(struct session *s, struct breakpoint *b, const char *text, u32 column, struct error *e)
{
	return text[0] ? breakpoint_value(s, text, column, &b->expr, e)
		       : usage_at(e, column, "missing expression after `if`");
}

/* The expression's value; false where it has none. */
static bool if_value(struct session *s, struct breakpoint *b, struct value *out)
{
	return !expr_eval(s, b->expr, NULL, out, NULL);
}

/* Remember whether it holds here. */
static void if_placed(struct session *s, struct breakpoint *b, const struct sim *sim UNUSED)
{
	b->known = if_value(s, b, &b->last);
}

/* A hit if it holds and did not in the cycle before. */
static bool if_check(struct session *s, struct breakpoint *b, const struct sim *sim UNUSED, struct hit *h)
{
	struct value v = {0};
	bool was = b->known && value_true(b->last);
	bool is = if_value(s, b, &v) && value_true(v);

	h->after = v;
	b->last = value_int(is);
	b->known = true;
	return is && !was && breakpoint_holds(s, b, NULL);
}

/* What is said. */
static void if_describe(const struct session *s UNUSED, const struct breakpoint *b, const struct hit *h UNUSED,
			struct text *out)
{
	text_add_safe(out, b->text, strlen(b->text));
}

const struct break_kind break_kind_if = {
	.name = "if",
	.usage = "if EXPR",
	.doc = "stop when the expression becomes true",
	.parse = if_parse,
	.every_cycle = true,
	.placed = if_placed,
	.check = if_check,
	.describe = if_describe,
};
