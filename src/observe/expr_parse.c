/*
 * expr_parse.c - text of an expression to code: C's operators and precedence over numbers and names.
 *
 * Precedence climbing; only parentheses, signs, choices and brackets nest, and they are counted.
 */
#include "expr_parse.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>

struct operator
{
	const char *sign;
	u8 precedence, op;
};
/* Longer signs first where one begins another. */
static const struct operator operator_table[] = {
	{"||", 1, X_JUMP_TRUE}, {"&&", 2, X_JUMP_FALSE}, {"==", 6, X_EQ}, {"!=", 6, X_NE}, {"<<", 8, X_SHL},
	{">>", 8, X_SHR},	{"<=", 7, X_LE},	 {">=", 7, X_GE}, {"|", 3, X_OR},  {"^", 4, X_XOR},
	{"&", 5, X_AND},	{"<", 7, X_LT},		 {">", 7, X_GT},  {"+", 9, X_ADD}, {"-", 9, X_SUB},
	{"*", 10, X_MUL},	{"/", 10, X_DIV},	 {"%", 10, X_REM}};

/* 1-based column of what comes next, blanks skipped. */
u32 expr_column(struct parser *p)
{
	while (p->text[p->at] == ' ' || p->text[p->at] == '\t')
		p->at++;
	return (u32)p->at + 1;
}

/* What comes next, quoted; nothing at the end. */
static void shown_next(const struct parser *p, struct text *out)
{
	char part[24] = "";
	size_t n = 0;

	if (!p->text[p->at])
		return;
	while (n < sizeof(part) - 1 && p->text[p->at + n] && (!n || isalnum((u8)p->text[p->at + n])))
		n++;
	memcpy(part, p->text + p->at, n);
	text_add(out, "'%s'", safe_text(part));
}

/* What stands before that, quoted: a word or a sign; nothing at the beginning. */
static void shown_before(const struct parser *p, struct text *out)
{
	char part[24] = "";
	size_t end = p->at, n;

	while (end && (p->text[end - 1] == ' ' || p->text[end - 1] == '\t'))
		end--;
	for (n = 0; n < end && n < sizeof(part) - 1 && isalnum((u8)p->text[end - n - 1]);)
		n++;
	n += !n && end; /* a sign */
	memcpy(part, p->text + end - n, n);
	if (n)
		text_add(out, "'%s'", safe_text(part));
}

enum status expr_expected(struct parser *p, const char *fmt, ...)
{
	struct text next = {0}, before = {0}, what = {0};
	u32 at = expr_column(p);
	va_list ap;

	va_start(ap, fmt);
	text_addv(&what, fmt, ap);
	va_end(ap);
	shown_next(p, &next);
	shown_before(p, &before);
	WRONG(p, at, "unexpected %s%s: expected %s%s%s", next.len ? next.s : "end of expression",
	      next.len ? " in expression" : "", what.s, before.len ? " after " : "", before.len ? before.s : "");
	text_free(&next);
	text_free(&before);
	text_free(&what);
	return STATUS_USAGE;
}

/* Append an operation; NULL with an error when there are too many. The pointer holds until the next one. */
struct expr_code *expr_emit(struct parser *p, u8 op, u32 at)
{
	struct expr *x = p->x;

	if (x->ncode >= EXPR_CODE) {
		WRONG(p, at, "expression too long (at most %d operations)", EXPR_CODE);
		return NULL;
	}
	x->code = array_grow(x->code, x->ncode, sizeof(*x->code));
	x->code[x->ncode] = (struct expr_code){.op = op, .column = at};
	return &x->code[x->ncode++];
}

/* Take a sign if it comes next. */
bool expr_take(struct parser *p, char sign)
{
	expr_column(p);
	if (p->text[p->at] != sign)
		return false;
	p->at++;
	return true;
}

/* One level deeper; an error when that is too deep. */
enum status expr_enter(struct parser *p)
{
	if (++p->depth <= EXPR_DEPTH)
		return STATUS_OK;
	return WRONG(p, expr_column(p), "expression nested too deeply (at most %d levels)", EXPR_DEPTH);
}

/* 0x1f, 17, 1.5e-3. */
static enum status parse_number(struct parser *p)
{
	u32 at = expr_column(p);
	const char *start = p->text + p->at;
	char *end, *real_end;
	bool hex = start[0] == '0' && (start[1] == 'x' || start[1] == 'X');
	struct expr_code *c = expr_emit(p, X_VALUE, at);
	unsigned long long whole;
	double real;

	if (!c)
		return STATUS_USAGE;
	errno = 0;
	whole = strtoull(start, &end, hex ? 16 : 10);
	c->value = whole > INT64_MAX ? value_uint(whole) : value_int((i64)whole);
	if (!hex) {
		real = strtod(start, &real_end);
		if (real_end > end) {
			end = real_end;
			errno = isinf(real) ? ERANGE : 0;
			c->value = value_real(real);
		}
	}
	if (errno == ERANGE)
		return WRONG(p, at, "number too large (at most %llu for integers, %g for real numbers)",
			     (u64)(u64)UINT64_MAX, DBL_MAX);
	if (isalnum((u8)*end) || *end == '_' || *end == '.')
		return WRONG(p, at, "'%.*s' is not a number (examples: 17, 0x11, 1.5, 1e-3)",
			     (int)min_u64((u64)(end - start) + 1, 24), start);
	p->at += (size_t)(end - start);
	return STATUS_OK;
}

/* A name with its dots: letters, digits, _ and $; a dot only before more of them. */
enum status expr_take_name(struct parser *p, char out[EXPR_NAME])
{
	u32 at = expr_column(p);
	const char *start = p->text + p->at;
	size_t n = 0;

	while (isalnum((u8)start[n]) || start[n] == '_' || start[n] == '$' ||
	       (start[n] == '.' && n && (isalnum((u8)start[n + 1]) || start[n + 1] == '_')))
		n++;
	if (n >= EXPR_NAME)
		return WRONG(p, at, "name too long (at most %d characters)", EXPR_NAME - 1);
	if (!n)
		return expr_expected(p, "a name");
	memcpy(out, start, n);
	out[n] = '\0';
	p->at += n;
	return STATUS_OK;
}

/* Anything that begins with a name. */
static enum status parse_name(struct parser *p)
{
	char name[EXPR_NAME];
	u32 at = expr_column(p);
	struct expr_code *c;
	bool taken = false;

	if (expr_take_name(p, name))
		return STATUS_USAGE;
	expr_column(p);
	if (p->text[p->at] == '[') {
		enum status st = expr_path_follows(p) ? expr_path(p, name, at, &taken) : STATUS_OK;

		return taken ? st : expr_element_of(p, name, at);
	}
	c = expr_emit(p, X_VALUE, at);
	if (!c || expr_resolve(p->s, name, c, p->e))
		return STATUS_USAGE;
	p->x->stats |= c->op == X_STAT;
	if (c->op == X_STAT && stat_table[c->a].source == FROM_SUBCORE)
		return WRONG(p, at, "'%s' is an array (example: %s[0])", name, name);
	return STATUS_OK;
}

/* A number, a name, something in parentheses. */
static enum status parse_primary(struct parser *p)
{
	u32 at = expr_column(p);
	u8 c = (u8)p->text[p->at];

	if (isdigit(c) || (c == '.' && isdigit((u8)p->text[p->at + 1])))
		return parse_number(p);
	if (isalpha(c) || c == '_' || c == '$')
		return parse_name(p);
	if (!expr_take(p, '('))
		return expr_expected(p, "a value");
	if (expr_enter(p) || expr_conditional(p))
		return STATUS_USAGE;
	p->depth--;
	if (!expr_take(p, ')'))
		return expr_expected(p, "')' for the '(' in column %u", at);
	return STATUS_OK;
}

/* - + ! ~ before a primary. */
static enum status parse_unary(struct parser *p)
{
	u32 at = expr_column(p);
	char sign = p->text[p->at];
	u8 op = sign == '-' ? X_NEGATE : sign == '!' ? X_NOT : X_COMPLEMENT;

	if (!sign || !strchr("-+!~", sign))
		return parse_primary(p);
	p->at++;
	if (expr_enter(p) || parse_unary(p))
		return STATUS_USAGE;
	p->depth--;
	return sign == '+' || expr_emit(p, op, at) ? STATUS_OK : STATUS_USAGE;
}

/* The binary operator that comes next, NULL if none does. */
static const struct operator* next_operator(struct parser *p)
{
	expr_column(p);
	for (u32 i = 0; i < ARRAY_LEN(operator_table); i++)
		if (!strncmp(p->text + p->at, operator_table[i].sign, strlen(operator_table[i].sign)))
			return &operator_table[i];
	return NULL;
}

static enum status parse_binary(struct parser *p, u8 least);

/* What follows && or ||: the right side is run only if the left does not decide. */
static enum status parse_decided(struct parser *p, const struct operator* o, u32 at)
{
	u32 decide, leave;

	decide = p->x->ncode;
	if (!expr_emit(p, o->op, at) || parse_binary(p, o->precedence + 1) || !expr_emit(p, X_TRUTH, at))
		return STATUS_USAGE;
	leave = p->x->ncode;
	if (!expr_emit(p, X_JUMP, at))
		return STATUS_USAGE;
	p->x->code[decide].b = p->x->ncode;
	if (!expr_emit(p, X_VALUE, at))
		return STATUS_USAGE;
	p->x->code[p->x->ncode - 1].value = value_int(o->op == X_JUMP_TRUE);
	p->x->code[leave].b = p->x->ncode;
	return STATUS_OK;
}

/* Operators of at least this precedence, left to right. */
static enum status parse_binary(struct parser *p, u8 least)
{
	const struct operator* o;

	if (parse_unary(p))
		return STATUS_USAGE;
	while ((o = next_operator(p)) && o->precedence >= least) {
		u32 at = expr_column(p);

		p->at += strlen(o->sign);
		if (o->op == X_JUMP_TRUE || o->op == X_JUMP_FALSE) {
			if (parse_decided(p, o, at))
				return STATUS_USAGE;
		} else if (parse_binary(p, o->precedence + 1) || !expr_emit(p, o->op, at)) {
			return STATUS_USAGE;
		}
	}
	return STATUS_OK;
}

/* CONDITION ? A : B, and everything below. */
enum status expr_conditional(struct parser *p)
{
	u32 at, decide, leave;

	if (parse_binary(p, 1))
		return STATUS_USAGE;
	at = expr_column(p);
	if (!expr_take(p, '?'))
		return STATUS_OK;
	decide = p->x->ncode;
	if (!expr_emit(p, X_JUMP_FALSE, at) || expr_enter(p) || expr_conditional(p))
		return STATUS_USAGE;
	leave = p->x->ncode;
	if (!expr_emit(p, X_JUMP, at))
		return STATUS_USAGE;
	if (!expr_take(p, ':'))
		return expr_expected(p, "':' for the '?' in column %u", at);
	p->x->code[decide].b = p->x->ncode;
	if (expr_conditional(p))
		return STATUS_USAGE;
	p->depth--;
	p->x->code[leave].b = p->x->ncode;
	return STATUS_OK;
}

/* Compile all of text; formula: see struct expr. */
static enum status compile(struct session *s, const char *text, bool formula, struct expr **out, struct error *e)
{
	struct error local = {0};
	struct parser p = {.s = s, .e = e ? e : &local};
	enum status st;

	p.e->status = STATUS_OK;
	p.x = xcalloc(1, sizeof(*p.x));
	p.x->formula = formula;
	p.text = p.x->text = xstrdup(text);
	st = expr_conditional(&p);
	expr_column(&p);
	if (!st && p.text[p.at])
		st = expr_expected(&p, "an operator or the end");
	if (st) {
		expr_free(p.x);
		return st;
	}
	*out = p.x;
	return STATUS_OK;
}

enum status expr_compile(struct session *s, const char *text, struct expr **out, struct error *e)
{
	return compile(s, text, false, out, e);
}

enum status expr_compile_formula(struct session *s, const char *text, struct expr **out, struct error *e)
{
	return compile(s, text, true, out, e);
}

const char *expr_text(const struct expr *x)
{
	return x->text;
}

void expr_free(struct expr *x)
{
	if (!x)
		return;
	for (u32 i = 0; i < x->ncode; i++)
		free(x->code[i].name);
	free(x->code);
	free(x->text);
	free(x);
}
