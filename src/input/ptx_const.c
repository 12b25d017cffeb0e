/*
 * ptx_const.c - constant expressions, and the bits of a constant as a value of a type.
 *
 * Integers are 64 bits wide, division and right shift signed; floats know no operator but the sign.
 * Source: PTX ISA 8.x, section 4.5. Deviation: no comparisons, no ?:.
 */
#include "ptx_internal.h"

static bool constant_level(struct ptx *p, struct ptx_token *out, u32 level, u32 depth);

/* A literal, a parenthesis, or a sign before one. */
static bool constant_unary(struct ptx *p, struct ptx_token *out, u32 depth)
{
	struct ptx_token t = p->token;

	*out = t;
	if (depth > PTX_MAX_SCOPES)
		return ptx_fail(p, PTX_AT(&t), "this constant expression is nested too deeply");
	if (t.kind == '-' || t.kind == '~' || t.kind == '+') {
		if (!ptx_next(p) || !constant_unary(p, out, depth + 1))
			return false;
		if (t.kind == '~' && out->kind == TOKEN_FLOAT)
			return ptx_fail(p, PTX_AT(&t), "'~' needs an integer");
		if (t.kind == '-' && out->kind == TOKEN_FLOAT)
			out->value ^= out->single ? 1ull << 31 : 1ull << 63;
		else if (t.kind != '+')
			out->value = t.kind == '-' ? 0 - out->value : ~out->value;
	} else if (t.kind == '(') {
		if (!ptx_next(p) || !constant_level(p, out, 0, depth + 1) || !ptx_expect(p, ')', "')'"))
			return false;
	} else if (t.kind == TOKEN_INT || t.kind == TOKEN_FLOAT) {
		*out = t;
		return ptx_next(p);
	} else {
		return ptx_expected(p, "a number");
	}
	out->s = t.s;
	out->line = t.line;
	out->column = t.column;
	return true;
}

/* The precedence of a binary operator, lowest 0; PTX_NONE for what is none. << and >> arrive as two tokens. */
static u32 operator_level(const struct ptx *p)
{
	switch (p->token.kind) {
	case '|': return 0;
	case '^': return 1;
	case '&': return 2;
	case '<':
	case '>': return 3;
	case '+':
	case '-': return 4;
	case '*':
	case '/':
	case '%': return 5;
	default: return PTX_NONE;
	}
}

/* a op b on 64-bit integers, division and right shift signed. */
static u64 apply_operator(int op, u64 a, u64 b)
{
	bool divides = b && !((i64)a == INT64_MIN && (i64)b == -1);

	switch (op) {
	case '|': return a | b;
	case '^': return a ^ b;
	case '&': return a & b;
	case '<': return b < 64 ? a << b : 0;
	case '>': return (i64)a >= 0 ? a >> min_u64(b, 63) : ~(~a >> min_u64(b, 63));
	case '+': return a + b;
	case '-': return a - b;
	case '*': return a * b;
	case '/': return divides ? (u64)((i64)a / (i64)b) : 0 - a;
	default: return divides ? (u64)((i64)a % (i64)b) : 0;
	}
}

/* Operators of at least this level, left to right. */
static bool constant_level(struct ptx *p, struct ptx_token *out, u32 level, u32 depth)
{
	if (!constant_unary(p, out, depth))
		return false;
	for (;;) {
		struct ptx_token op = p->token, right;
		u32 here = operator_level(p);

		if (here == PTX_NONE || here < level)
			return true;
		if (!ptx_next(p) || ((op.kind == '<' || op.kind == '>') && !ptx_expect(p, op.kind, "a shift")) ||
		    !constant_level(p, &right, here + 1, depth + 1))
			return false;
		if (out->kind != TOKEN_INT || right.kind != TOKEN_INT)
			return ptx_fail(p, PTX_AT(&op), "constant expressions must be integers");
		if ((op.kind == '/' || op.kind == '%') && !right.value)
			return ptx_fail(p, PTX_AT(&op), "division by zero");
		out->value = apply_operator(op.kind, out->value, right.value);
	}
}

/* A constant expression into out: kind TOKEN_INT or TOKEN_FLOAT, its bits, its place and spelling. */
bool ptx_constant(struct ptx *p, struct ptx_token *out)
{
	if (!constant_level(p, out, 0, 0))
		return false;
	out->len = (u32)(p->last_end - out->s);
	return true;
}

/* The bits of constant t as a value of this type; false when it does not fit. */
bool ptx_constant_bits(const struct ptx_token *t, u32 bits, char letter, u64 *out)
{
	double d;
	float f;
	u32 single;

	*out = t->value;
	if (t->kind == TOKEN_INT) {
		i64 v = (i64)t->value;

		if (letter == 'f')
			return false;
		if (bits == 64)
			return true;
		*out &= (1ull << bits) - 1;
		return v >= 0 ? t->value >> bits == 0 : v >= -(i64)(1ull << (bits - 1));
	}
	if (letter != 'f' && letter != 'b')
		return false;
	if (t->single && bits == 64 && letter == 'f') {
		single = (u32)t->value;
		memcpy(&f, &single, sizeof(f));
		d = f;
		memcpy(out, &d, sizeof(d));
	} else if (!t->single && bits == 32 && letter == 'f') {
		memcpy(&d, &t->value, sizeof(d));
		f = (float)d;
		memcpy(&single, &f, sizeof(f));
		*out = single;
	} else {
		return bits == (t->single ? 32 : 64);
	}
	return true;
}
