/* cmd_x.c - x: what lies in global memory at an address. */
#include "complete.h"
#include "expr.h"
#include "lang.h"

#define MOST 1024
#define LINE_BYTES 32 /* of a line, which has at most 8 values */

/* NFU behind the slash: how many, in which format, of which size. */
struct shape {
	u32 count;
	char format;
	const char *type; /* of global.TYPE */
	u32 size;
};

/* The type of values of a format and a unit. */
static const char *cmd_x_type(char format, char unit)
{
	switch (unit) {
	case 'b': return format == 'd' ? "s8" : "u8";
	case 'h': return format == 'd' ? "s16" : "u16";
	case 'g': return format == 'f' ? "f64" : format == 'd' ? "s64" : "u64";
	default: return format == 'f' ? "f32" : format == 'd' ? "s32" : "u32";
	}
}

/* /4xw, /f, /16b: letters in any order behind the number. */
static enum status cmd_x_shape(const struct token *verb, struct shape *out, struct error *e)
{
	const char *at = strchr(verb->s, '/');
	char unit = 'w', *end;
	unsigned long n = 1;

	*out = (struct shape){.format = 'x'};
	at = at ? at + 1 : "";
	if (*at >= '0' && *at <= '9') {
		n = strtoul(at, &end, 10);
		at = end;
	}
	for (; *at; at++) {
		if (strchr("xduotfc", *at))
			out->format = *at;
		else if (strchr("bhwg", *at))
			unit = *at;
		else
			return usage_at(
				e, verb->column,
				"x: unknown format (x/NFU: a number, a format of x d u o t f c, a size of b h w g; "
				"example: `x/8fw a`)");
	}
	if (!n || n > MOST)
		return usage_at(e, verb->column, "x: the number of values is out of range (1 to %u)", MOST);
	if (out->format == 'f' && (unit == 'b' || unit == 'h'))
		return usage_at(e, verb->column, "x: format f needs size w or g");
	out->count = (u32)n;
	out->size = unit == 'b' ? 1 : unit == 'h' ? 2 : unit == 'w' ? 4 : 8;
	out->type = cmd_x_type(out->format, unit);
	return STATUS_OK;
}

/* Lines of values, the first address before each. */
static enum status cmd_x_show(struct session *s, const struct shape *x, u64 address, struct error *e)
{
	INVARIANT(x->size);
	u32 per_line = min_u32(LINE_BYTES / x->size, 8);
	json_t *list = s->json ? json_array() : NULL;
	struct text out = {0};
	enum status st = STATUS_OK;

	for (u32 i = 0; i < x->count && !st; i++) {
		char one[64];
		struct value v = {0};

		snprintf(one, sizeof(one), "global.%s[%llu]", x->type, address + i * x->size);
		st = expr_value(s, one, &v, e);
		if (i % per_line == 0)
			text_add(&out, "%s0x%llx:", i ? "\n" : "", address + i * x->size);
		text_add(&out, " ");
		value_format(v, x->format, &out);
		json_array_append_new(list, value_json(v));
	}
	if (!st)
		session_print(s, "%s\n", out.s);
	if (list && !st)
		json_object_set(session_result(s), "elements", list);
	json_decref(list);
	text_free(&out);
	return st;
}

static enum status cmd_x_run(struct session *s, const struct args *a, struct error *e)
{
	struct shape shape;
	struct value v = {0};
	enum status st = cmd_x_shape(&a->token[0], &shape, e);

	if (st)
		return st;
	st = expr_value(s, a->arg[0].text, &v, e);
	if (st) {
		e->column = e->column ? e->column + a->arg[0].column - 1 : a->arg[0].column;
		return st;
	}
	if (v.kind != VALUE_INT)
		return usage_at(e, a->arg[0].column, "x: the address must be a whole number");
	st = cmd_x_show(s, &shape, (u64)v.i, e);
	if (st)
		e->column = a->arg[0].column;
	return st;
}

const struct command command_x = {
	.name = "x",
	.group = "inspect",
	.summary = "examine global memory from an address on, as gdb's x/NFU",
	.details =
		"N values (default 1) are printed in format F, one of x d u o t f c, and of size U: b, h, w or g for 1, 2, 4 or\n"
		"8 bytes (default w). The name of a buffer is its address, and a register pair holds an address in two halves.\n"
		"`print shared.f32[0..7]` shows other memories.",
	.examples = "x/8fw a\nx/4xw a + 64\nx/16b c",
	.flags = COMMAND_NEEDS_MACHINE | COMMAND_OPEN,
	.run = cmd_x_run,
	.arg = {{"ADDRESS", ARG_EXPR, .doc = "expression", .complete = complete_expr}},
};
