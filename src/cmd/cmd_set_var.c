/* cmd_set_var.c - set var: a value where a buffer, a register or another memory holds it. */
#include "complete.h"
#include "settings.h"
#include "values.h"

/* The sign that gives a value, not one that compares; NULL: there is none. */
static const char *cmd_set_var_sign(const char *text)
{
	for (const char *at = text; (at = strchr(at, '=')); at++) {
		if (at[1] == '=')
			at++;
		else if (at > text && !strchr("<>!", at[-1]))
			return at;
	}
	return NULL;
}

/* Compile a part of the text, from..to; errors have the column of the line. */
static enum status cmd_set_var_compile(struct session *s, const struct arg *a, const char *from, const char *to,
				       struct expr **out, struct error *e)
{
	char *text = xstrndup(from, (size_t)(to - from));
	enum status st = expr_compile(s, text, out, e);

	if (st)
		e->column += a->column - 1 + (u32)(from - a->text);
	free(text);
	return st;
}

/* A value as bytes of the place's type; a register takes a real number as the bits of an f32, and words of 32 bits a
 * negative one. */
static enum status cmd_set_var_bytes(const struct expr_place *p, struct value v, u32 column, u8 *bytes, struct error *e)
{
	bool real = p->type == VALUE_F32 || p->type == VALUE_F64, word = p->type == VALUE_U32;

	if (v.kind == VALUE_REAL && word && p->space == PLACE_CONTEXT && !p->mask) {
		value_store(VALUE_F32, v.r, 0, bytes);
		return STATUS_OK;
	}
	if (v.kind == VALUE_REAL && !real)
		return usage_at(e, column, "type %s needs a whole number", value_type_name[p->type]);
	value_store(p->type, value_as_real(v), v.i, bytes);
	if (!real && value_load(p->type, bytes).i != v.i && !(word && v.i >= INT32_MIN && v.i < 0))
		return usage_at(e, column, "%lld does not fit type %s", v.i, value_type_name[p->type]);
	return STATUS_OK;
}

/* What stands there, as text. */
static void cmd_set_var_text(struct session *s, const struct expr *x, struct text *out)
{
	struct value v;

	if (!expr_eval(s, x, NULL, &v, NULL))
		value_format(v, 0, out);
}

/* Give it the value, and say what was there. */
static enum status cmd_set_var_put(struct session *s, const struct expr *to, const struct expr_place *p, u8 *bytes,
				   struct error *e)
{
	struct text before = {0}, after = {0};
	const char *says = NULL;
	enum status st;

	cmd_set_var_text(s, to, &before);
	st = value_apply(s, p, bytes, &says, e);
	if (!st) {
		cmd_set_var_text(s, to, &after);
		session_print(s, "%s: %s -> %s\n", safe_text(expr_text(to)), before.s, after.s);
	}
	if (!st && says)
		session_print(s, "%s\n", says);
	text_free(&before);
	text_free(&after);
	return st;
}

static enum status cmd_set_var_run(struct session *s, const struct args *a, struct error *e)
{
	const struct arg *arg = &a->arg[0];
	const char *sign = cmd_set_var_sign(arg->text), *left;
	u32 right = sign ? arg->column + (u32)(sign - arg->text) + 1 : 0;
	struct expr *to = NULL, *from = NULL;
	struct expr_place place;
	struct value v = {0};
	u8 bytes[8] = {0};
	enum status st;

	if (!sign)
		return usage_at(e, arg->column, "set var: missing `= VALUE` (example: `set var a[3] = 7`)");
	for (left = sign; left > arg->text && left[-1] == ' ';)
		left--;
	st = cmd_set_var_compile(s, arg, arg->text, left, &to, e);
	if (!st)
		st = cmd_set_var_compile(s, arg, sign + 1, sign + strlen(sign), &from, e);
	if (!st) {
		st = expr_place(s, to, &place, e);
		if (st && e->column)
			e->column += arg->column - 1;
	}
	if (!st) {
		st = expr_eval(s, from, NULL, &v, e);
		if (st && e->column)
			e->column += right - 1;
	}
	if (!st)
		st = cmd_set_var_bytes(&place, v, right, bytes, e);
	if (!st)
		st = cmd_set_var_put(s, to, &place, bytes, e);
	expr_free(to);
	expr_free(from);
	return st;
}

const struct command command_set_var = {
	.name = "set var",
	.group = "setup",
	.summary = "write an element of memory, a lane of a register or a predicate",
	.details =
		"LOCATION is a[3], global.f32[ADDRESS], shared.u32[I], local.f32[LANE][I], reg[R][LANE] or pred[P] of the\n"
		"focused warp, or of another warp (warp[5].reg[4][0]). A register takes a real number as the bits of an f32.\n"
		"With issue.dependences control, LOCATION may be a control bit: control[N].stall (also yield, write, read, wait\n"
		"and reuse; N as in `info control`). The simulator then computes what hardware would with such bits.\n"
		"The write is recorded like a setting: going back undoes it, and `undo` takes it back. The recorded future\n"
		"after this cycle is discarded.",
	.examples =
		"set var a[3] = 7\nset var reg[4][0] = 1.5\nset var shared.f32[0] = a[0] * 2\nset var pred[0] = 0xffffffff",
	.flags = COMMAND_SETUP | COMMAND_NEEDS_MACHINE,
	.run = cmd_set_var_run,
	.arg = {{"LOCATION = VALUE", ARG_EXPR, .doc = "location and expression", .complete = complete_expr}},
};
