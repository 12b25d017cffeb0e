/* expr.c - the stack machine that runs a compiled expression, and values as text. */
#include "expr_code.h"
#include "machine.h"

#include <math.h>

#define FAIL(e, c, ...) error_at(e, STATUS_FAILED, NULL, 0, (c)->column, __VA_ARGS__)

/* Shift v by n, which must be 0 to 63. */
static enum status shift(const struct expr_code *c, struct value v, i64 n, struct value *out, struct error *e)
{
	u64 bits = (u64)v.i;

	if (n < 0 || n > 63)
		return FAIL(e, c, "shift count %lld is out of range (0 to 63)", n);
	v.i = c->op == X_SHL ? (i64)(bits << n) : v.is_unsigned ? (i64)(bits >> n) : v.i >> n;
	*out = v;
	return STATUS_OK;
}

/* Whole numbers divided; the one that does not fit wraps. */
static enum status divide(const struct expr_code *c, i64 a, i64 b, struct value *out, struct error *e)
{
	if (!b)
		return FAIL(e, c, "division by zero");
	if (b == -1)
		*out = value_int(c->op == X_DIV ? (i64)(0 - (u64)a) : 0);
	else
		*out = value_int(c->op == X_DIV ? a / b : a % b);
	return STATUS_OK;
}

/* Two whole numbers of which one is unsigned, where that makes a difference; false where it makes none. */
static bool binary_unsigned(const struct expr_code *c, u64 a, u64 b, struct value *out)
{
	switch (c->op) {
	case X_LT: *out = value_int(a < b); return true;
	case X_LE: *out = value_int(a <= b); return true;
	case X_GT: *out = value_int(a > b); return true;
	case X_GE: *out = value_int(a >= b); return true;
	case X_DIV: *out = value_uint(b ? a / b : 0); return b != 0;
	case X_REM: *out = value_uint(b ? a % b : 0); return b != 0;
	default: return false;
	}
}

/* Two whole numbers; they wrap. As in C the result is unsigned if one of them is. */
static enum status binary_int(const struct expr_code *c, struct value va, struct value vb, struct value *out,
			      struct error *e)
{
	bool is_unsigned = va.is_unsigned || vb.is_unsigned;
	i64 a = va.i, b = vb.i;
	u64 ua = (u64)a, ub = (u64)b;

	if (c->op == X_SHL || c->op == X_SHR)
		return shift(c, va, b, out, e);
	if (is_unsigned && binary_unsigned(c, ua, ub, out))
		return STATUS_OK;
	switch (c->op) {
	case X_MUL: *out = value_int((i64)(ua * ub)); break;
	case X_ADD: *out = value_int((i64)(ua + ub)); break;
	case X_SUB: *out = value_int((i64)(ua - ub)); break;
	case X_LT: *out = value_int(a < b); break;
	case X_LE: *out = value_int(a <= b); break;
	case X_GT: *out = value_int(a > b); break;
	case X_GE: *out = value_int(a >= b); break;
	case X_EQ: *out = value_int(a == b); break;
	case X_NE: *out = value_int(a != b); break;
	case X_AND: *out = value_int(a & b); break;
	case X_XOR: *out = value_int(a ^ b); break;
	case X_OR: *out = value_int(a | b); break;
	default: return divide(c, a, b, out, e);
	}
	out->is_unsigned = is_unsigned && c->op != X_EQ && c->op != X_NE;
	return STATUS_OK;
}

/* Two reals. In a formula a division by zero gives 0. */
static enum status binary_real(const struct expr_code *c, bool formula, double a, double b, struct value *out,
			       struct error *e)
{
	switch (c->op) {
	case X_MUL: *out = value_real(a * b); break;
	case X_ADD: *out = value_real(a + b); break;
	case X_SUB: *out = value_real(a - b); break;
	case X_LT: *out = value_int(a < b); break;
	case X_LE: *out = value_int(a <= b); break;
	case X_GT: *out = value_int(a > b); break;
	case X_GE: *out = value_int(a >= b); break;
	case X_EQ: *out = value_int(a == b); break;
	case X_NE: *out = value_int(a != b); break;
	case X_DIV:
		if (b == 0 && !formula)
			return FAIL(e, c, "division by zero");
		*out = value_real(b == 0 ? 0 : a / b);
		break;
	default:
		return FAIL(e, c, "%s needs integers, but an operand is a real number",
			    c->op == X_REM ? "'%'" : "this operator");
	}
	return STATUS_OK;
}

/* The negative of a whole number: signed, but where it is an unsigned one that has no other. */
static struct value negate(struct value v)
{
	u64 n = 0 - (u64)v.i;

	return v.is_unsigned && (u64)v.i > 1ULL << 63 ? value_uint(n) : value_int((i64)n);
}

/* - ! ~ */
static enum status unary(const struct expr_code *c, struct value v, struct value *out, struct error *e)
{
	if (c->op == X_NOT || c->op == X_TRUTH)
		*out = value_int(value_true(v) == (c->op == X_TRUTH));
	else if (c->op == X_NEGATE)
		*out = v.kind == VALUE_REAL ? value_real(-v.r) : negate(v);
	else if (v.kind == VALUE_REAL)
		return FAIL(e, c, "'~' needs an integer, not a real number");
	else
		*out = (struct value){.kind = VALUE_INT, .i = ~v.i, .is_unsigned = v.is_unsigned};
	return STATUS_OK;
}

/* The state of a run of the stack machine. */
struct run {
	struct session *s;
	const struct expr *x;
	const struct expr_scope *scope;
	struct value stack[EXPR_STACK];
	u32 top;
	struct error *e;
};

/* An index in a formula, which is calculated with reals: whole again if it is. */
static void make_whole(struct value *v)
{
	if (v->kind == VALUE_REAL && v->r >= 0 && v->r < 0x1p53 && v->r == (double)(u64)v->r)
		*v = value_int((i64)v->r);
}

/* Push what an operation loads; its indices are popped. */
static enum status run_load(struct run *r, const struct expr_code *c)
{
	struct value v = c->value;

	INVARIANT(r->top >= c->nargs);
	r->top -= c->nargs;
	for (u32 i = 0; r->x->formula && i < c->nargs; i++)
		make_whole(&r->stack[r->top + i]);
	if (c->op != X_VALUE && expr_load(r->s, c, r->scope, r->stack + r->top, &v, r->e))
		return STATUS_FAILED;
	if (r->top >= EXPR_STACK)
		return FAIL(r->e, c, "expression nested too deeply (put the parentheses on the left side)");
	r->stack[r->top++] = r->x->formula ? value_real(value_as_real(v)) : v;
	return STATUS_OK;
}

/* One operation on the values on top of the stack. */
static enum status run_operate(struct run *r, const struct expr_code *c)
{
	struct value *a, *b;

	if (c->op == X_NEGATE || c->op == X_NOT || c->op == X_COMPLEMENT || c->op == X_TRUTH) {
		INVARIANT(r->top >= 1);
		return unary(c, r->stack[r->top - 1], &r->stack[r->top - 1], r->e);
	}
	INVARIANT(r->top >= 2);
	a = &r->stack[--r->top - 1];
	b = a + 1;
	if (a->kind == VALUE_REAL || b->kind == VALUE_REAL) /* NOLINT(clang-analyzer-core.*): both were pushed */
		return binary_real(c, r->x->formula, value_as_real(*a), value_as_real(*b), a, r->e);
	return binary_int(c, *a, *b, a, r->e);
}

enum status expr_eval(struct session *s, const struct expr *x, const struct expr_scope *scope, struct value *out,
		      struct error *e)
{
	enum status st = STATUS_OK;
	struct run r;

	r.s = s;
	r.x = x;
	r.scope = scope;
	r.e = e;
	r.top = 0;
	if (x->stats && !x->formula)
		stats_sync(s);
	for (u32 at = 0; at < x->ncode && !st; at++) {
		const struct expr_code *c = &x->code[at];
		bool jump = c->op == X_JUMP;

		if (c->op < X_JUMP)
			st = run_load(&r, c);
		else if (c->op == X_JUMP_FALSE || c->op == X_JUMP_TRUE)
			jump = value_true(r.stack[--r.top]) == (c->op == X_JUMP_TRUE);
		else if (!jump)
			st = run_operate(&r, c);
		if (jump)
			at = c->b - 1;
	}
	if (!st) {
		INVARIANT(r.top == 1);
		*out = r.stack[0];
	}
	return st;
}

enum status expr_value(struct session *s, const char *text, struct value *out, struct error *e)
{
	struct expr *x = NULL;
	enum status st = expr_compile(s, text, &x, e);

	if (!st)
		st = expr_eval(s, x, NULL, out, e);
	expr_free(x);
	return st;
}

/* Is it an operation whose value lies somewhere? */
static bool lies(const struct expr_code *c)
{
	return c->op == X_BUFFER || c->op == X_GLOBAL || (c->op == X_DERIVED && derived_table[c->a].nargs);
}

/* Is it a control bit, which can be set, too? */
static bool is_control(const struct expr_code *c)
{
	return c->op == X_FIELD && c->a == SECTION_CONTROL && c->b < offsetof(struct control, due);
}

bool expr_lies(const struct expr *x)
{
	return lies(&x->code[x->ncode - 1]);
}

enum status expr_place(struct session *s, const struct expr *x, struct expr_place *out, struct error *e)
{
	struct expr_scope scope = {.place = out};
	struct value v;

	*out = (struct expr_place){0};
	if (!expr_lies(x) && !is_control(&x->code[x->ncode - 1]))
		return error_at(
			e, STATUS_USAGE, NULL, 0, x->code[x->ncode - 1].column,
			"left-hand side must be a memory element, register or predicate (BUFFER[I], reg[R][LANE], "
			"pred[P], shared.TYPE[I], local.TYPE[LANE][I], global.TYPE[ADDRESS], control[N].stall)");
	return expr_eval(s, x, &scope, &v, e);
}

const char *expr_unbound(const struct expr *x, u32 n, u32 *column)
{
	for (u32 i = 0; i < x->ncode; i++) {
		if (x->code[i].op != X_NAME || x->code[i].a != FALL_NONE || n--)
			continue;
		if (column)
			*column = x->code[i].column;
		return x->code[i].name;
	}
	return NULL;
}

void expr_operands(struct session *s, const struct expr *x,
		   void (*fn)(void *self, const char *name, bool valid, struct value v), void *self)
{
	stats_sync(s);
	for (u32 i = 0; i < x->ncode; i++) {
		const struct expr_code *c = &x->code[i];
		struct value v = {0};
		bool valid;

		if (c->nargs || (c->op != X_STAT && c->op != X_SETTING))
			continue;
		valid = !expr_load(s, c, NULL, NULL, &v, NULL);
		fn(self, c->op == X_STAT ? stat_table[c->a].name : setting_table[c->a].name, valid, v);
	}
}

const char *expr_word(const struct expr *x, struct value v, char *out)
{
	const struct expr_code *c = &x->code[x->ncode - 1];

	if (v.kind != VALUE_INT || v.i < 0)
		return NULL;
	if (c->op == X_DERIVED && c->a == DERIVED_STATUS)
		return v.i < WARP_STATUS_COUNT ? warp_status_table[v.i].name : "not resident";
	if (c->op == X_FIELD && c->a == SECTION_SCHED && !strcmp(section_of(c->a)->field[c->b].name, "outcome"))
		return v.i < SLOT_OUTCOME_COUNT ? slot_outcome_table[v.i].name : NULL;
	if (c->op == X_SETTING && setting_table[c->a].kind != KIND_NUMBER)
		return setting_text((enum setting_id)c->a, (u32)v.i, out);
	return NULL;
}

/* The low bits of a number in base 2. */
static void format_binary(u64 n, struct text *out)
{
	int bit = 63;

	while (bit > 0 && !(n >> bit & 1))
		bit--;
	text_add(out, "0b");
	for (; bit >= 0; bit--)
		text_add(out, "%c", n >> bit & 1 ? '1' : '0');
}

/* A number as a character between quotes. */
static void format_character(i64 n, struct text *out)
{
	char c = (char)n;

	text_add(out, "%lld '", n);
	text_add_safe(out, &c, 1);
	text_add(out, "'");
}

/* The low 32 bits (64 if there are more) seen as a floating point number. */
static double as_float(i64 n)
{
	u32 low = (u32)n;
	float f;
	double d;

	memcpy(&d, &n, sizeof(d));
	memcpy(&f, &low, sizeof(f));
	return (u64)n >> 32 ? d : f;
}

struct value value_whole(struct value v)
{
	/* cppcheck-suppress incorrectLogicOperator ; it misreads hexadecimal floats */
	if (v.kind == VALUE_REAL && v.r >= -0x1p63 && v.r < 0x1p63)
		return value_int((i64)v.r);
	return v.kind == VALUE_REAL && v.r >= 0x1p63 && v.r < 0x1p64 ? value_uint((u64)v.r) : v;
}

void value_format(struct value v, char format, struct text *out)
{
	struct value whole = value_whole(v);
	i64 n = whole.i;

	if (whole.kind == VALUE_REAL && format != 'r')
		format = 0;
	else if (format == 'd' && whole.is_unsigned)
		format = 'u';
	switch (format) {
	case 'x': text_add(out, "0x%llx", (u64)n); break;
	case 'u': text_add(out, "%llu", (u64)n); break;
	case 'o': text_add(out, "0%llo", (u64)n); break;
	case 'd': text_add(out, "%lld", n); break;
	case 't': format_binary((u64)n, out); break;
	case 'c': format_character(n, out); break;
	case 'f': text_add(out, "%.9g", v.kind == VALUE_REAL ? v.r : as_float(v.i)); break;
	default:
		if (v.kind == VALUE_INT)
			text_add(out, v.is_unsigned ? "%llu" : "%lld", v.i);
		else if (format == 'r')
			text_add(out, "%.17g", v.r);
		else
			text_add(out, "%.9g", v.r);
	}
}

void value_format_pair(struct value a, struct value b, struct text *x, struct text *y)
{
	value_format(a, 0, x);
	value_format(b, 0, y);
	if (strcmp(x->s, y->s))
		return;
	text_free(x);
	text_free(y);
	value_format(a, 'r', x);
	value_format(b, 'r', y);
}

json_t *value_json(struct value v)
{
	char digits[24];

	if (v.kind == VALUE_INT && v.is_unsigned && v.i < 0) {
		snprintf(digits, sizeof(digits), "%llu", (u64)v.i);
		return json_string(digits);
	}
	if (v.kind == VALUE_INT)
		return json_integer(v.i);
	return isfinite(v.r) ? json_real(v.r) : json_null();
}

enum status expr_check(struct session *s, const char *text, u32 column, const char *known, struct expr **out,
		       struct error *e)
{
	enum status st = expr_compile(s, text, out, e);
	const char *name = NULL;
	u32 at = 0;

	if (st) {
		e->column = e->column ? e->column + column - 1 : column;
		return st;
	}
	for (u32 n = 0; (name = expr_unbound(*out, n, &at)) && known && !strcmp(name, known);)
		n++;
	if (!name)
		return STATUS_OK;
	error_at(e, STATUS_USAGE, NULL, 0, at + column - 1,
		 "unknown name '%s' (expected a statistic, field, setting or buffer)", token_shown(name));
	expr_free(*out);
	*out = NULL;
	return STATUS_USAGE;
}
