/* cmd_expect.c - expect: an expression that must be true. */
#include "complete.h"
#include "settings.h"

/* Where an expression is one comparison of two sides: the operator's place and length, 0 if it is none. */
static size_t cmd_expect_find_comparison(const char *x, u32 *length)
{
	size_t found = 0;
	int depth = 0;

	for (size_t i = 0; x[i]; i++) {
		bool shift = (x[i] == '<' || x[i] == '>') && x[i + 1] == x[i];

		if (strchr("([", x[i]))
			depth++;
		else if (strchr(")]", x[i]))
			depth--;
		else if (shift || depth)
			i += shift;
		else if (strchr("&|?^", x[i]) || (strchr("=!<>", x[i]) && found))
			return 0;
		else if (strchr("<>", x[i]) || (strchr("=!", x[i]) && x[i + 1] == '=')) {
			found = i;
			*length = 1 + (x[i + 1] == '=');
			i += *length - 1;
		}
	}
	return found;
}

/* One side's value as text, "?" if it has none. */
static void cmd_expect_add_side(struct session *s, struct text *out, const char *from, size_t n)
{
	char *side = xstrndup(from, n);
	struct error e;
	struct value v;

	if (!expr_value(s, side, &v, &e))
		value_format(v, 0, out);
	else
		text_add(out, "?");
	free(side);
}

/* "EXPR (LEFT OP RIGHT)": what was expected, and what the sides are. */
static void cmd_expect_describe(struct session *s, const char *text, struct text *out)
{
	u32 length = 0;
	size_t at = cmd_expect_find_comparison(text, &length);

	text_add(out, "%s", safe_text(text));
	if (!at)
		return;
	text_add(out, " (");
	cmd_expect_add_side(s, out, text, at);
	text_add(out, " %.*s ", (int)length, text + at);
	cmd_expect_add_side(s, out, text + at + length, strlen(text + at + length));
	text_add(out, ")");
}

static enum status cmd_expect_run(struct session *s, const struct args *a, struct error *e)
{
	const char *text = a->arg[0].text;
	struct text what = {0};
	struct expr *x;
	struct value v;
	enum status st = expr_check(s, text, a->arg[0].column, NULL, &x, e);

	if (st)
		return st;
	checks_wanted(s);
	st = expr_eval(s, x, NULL, &v, e);
	expr_free(x);
	if (st) {
		e->column = e->column ? e->column + a->arg[0].column - 1 : a->arg[0].column;
		return st;
	}
	if (v.kind == VALUE_REAL ? v.r != 0 : v.i != 0) {
		session_passed(s);
		return STATUS_OK;
	}
	cmd_expect_describe(s, text, &what);
	error_at(e, STATUS_CHECK, NULL, 0, a->arg[0].column, "expected %s", what.s);
	text_free(&what);
	return STATUS_CHECK;
}

const struct command command_expect = {
	.name = "expect",
	.group = "files",
	.summary = "fail (exit status 3) unless EXPR is true",
	.details = "If EXPR is a comparison, both sides are printed.",
	.examples = "expect cta.finished >= 16\nexpect ipc > 0.5",
	.flags = COMMAND_NEEDS_MACHINE,
	.run = cmd_expect_run,
	.arg = {{"EXPR", ARG_EXPR, .doc = "condition", .complete = complete_expr}},
};
