/*
 * print.c - what a hit prints instead of stopping: a format as of printf, and an expression for each conversion.
 *
 * It prints where the machine runs forwards, once for each event of the cycle that is a hit; backwards it is silent.
 * Deviation from C: lengths (%ld) mean nothing, every number has 64 bits; %d shows an unsigned one as it is; %s is a
 * value's word, where it has one.
 */
#include "hits.h"

#include <ctype.h>

#define WIDTH_MOST 80

struct print {
	char *format, *text; /* text: the expressions as typed */
	struct expr **value;
	u32 nvalues;
};

/* One conversion: %-08.3f. */
struct conversion {
	bool left, zero, plus, prefix;
	u32 width;
	int precision; /* -1 none */
	char letter;
};

/* A number of few digits at *f. */
static u32 take_digits(const char **f)
{
	u32 n = 0;

	while (isdigit((u8) * *f))
		n = min_u32(n * 10 + (u32)(*(*f)++ - '0'), WIDTH_MOST);
	return n;
}

/* The conversion whose % stands before *f; *f is moved behind it. False: there is none of that letter. */
static bool take_conversion(const char **f, struct conversion *c)
{
	*c = (struct conversion){.precision = -1};
	for (; **f && strchr("-0+#", **f); ++*f) {
		c->left |= **f == '-';
		c->zero |= **f == '0';
		c->plus |= **f == '+';
		c->prefix |= **f == '#';
	}
	c->width = take_digits(f);
	if (**f == '.') {
		++*f;
		c->precision = (int)take_digits(f);
	}
	*f += strspn(*f, "hlzjt");
	c->letter = **f;
	if (!c->letter || !strchr("diuxXocfegs%", c->letter))
		return false;
	++*f;
	return true;
}

/* Values that a format wants; an error for a conversion that there is not. */
static enum status count_values(const char *format, u32 column, u32 *n, struct error *e)
{
	struct conversion c;

	for (const char *f = format; *f;) {
		if (*f++ != '%')
			continue;
		if (!take_conversion(&f, &c))
			return usage_at(
				e, column,
				"unknown conversion '%%%s' (%%d %%i %%u %%x %%X %%o %%c %%f %%e %%g %%s and %%%%, with width and precision)",
				safe_text(f));
		*n += c.letter != '%';
	}
	return STATUS_OK;
}

/* Where an expression ends: at a comma outside brackets, or at the end. */
static size_t expression_end(const char *text)
{
	int depth = 0;
	size_t i = 0;

	for (; text[i] && (depth || text[i] != ','); i++)
		depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
	return i;
}

/* The next expression of the list at *text, in column *column. */
static enum status take_expression(struct session *s, struct breakpoint *b, struct print *p, const char **text,
				   u32 *column, struct error *e)
{
	size_t blanks = strspn(*text, " \t"), n = expression_end(*text);
	char *one = xstrndup(*text + min_u64(blanks, n), n - min_u64(blanks, n));
	struct expr *x = NULL;
	enum status st = breakpoint_compile(s, one, *column + (u32)blanks, &x, e);

	free(one);
	if (!st)
		st = breakpoint_names(b, x, *column + (u32)blanks, e);
	if (st) {
		expr_free(x);
		return st;
	}
	p->value = xrealloc(p->value, (p->nvalues + 1) * sizeof(*p->value));
	p->value[p->nvalues++] = x;
	*text += n + ((*text)[n] == ',');
	*column += (u32)n + 1;
	return STATUS_OK;
}

enum status breakpoint_print(struct session *s, struct breakpoint *b, const char *format, const char *text, u32 column,
			     struct error *e)
{
	struct print *p = xcalloc(1, sizeof(*p));
	u32 wanted = 0, at = column;
	enum status st = count_values(format, column, &wanted, e);
	bool more = text[strspn(text, " \t")];

	p->format = xstrdup(format);
	p->text = xstrdup(text + strspn(text, " \t"));
	while (!st && more) {
		const char *before = text;

		st = take_expression(s, b, p, &text, &at, e);
		more = !st && text[-1] == ',' && text > before;
	}
	if (!st && p->nvalues != wanted)
		st = usage_at(e, column, "the format needs %u value%s, %u %s given", wanted, plural(wanted), p->nvalues,
			      p->nvalues == 1 ? "is" : "are");
	if (st) {
		print_free(p);
		return st;
	}
	print_free(b->print);
	b->print = p;
	return STATUS_OK;
}

void print_free(struct print *p)
{
	if (!p)
		return;
	for (u32 i = 0; i < p->nvalues; i++)
		expr_free(p->value[i]);
	free(p->value);
	free(p->format);
	free(p->text);
	free(p);
}

void print_text(const struct print *p, struct text *out)
{
	if (!p)
		return;
	text_add(out, ", \"");
	for (const char *f = p->format; *f; f++) {
		if (*f == '\n' || *f == '\t')
			text_add(out, *f == '\n' ? "\\n" : "\\t");
		else
			text_add(out, strchr("\"\\", *f) ? "\\%c" : "%c", *f);
	}
	text_add(out, "\"%s", p->nvalues ? ", " : "");
	text_add_safe(out, p->text, strlen(p->text));
}

/* A whole number by its letter. */
static void add_integer(const struct conversion *c, struct value v, struct text *out)
{
	const char *prefix = c->prefix ? c->letter == 'o' ? "0" : "0x" : "";
	char letter = v.is_unsigned && strchr("di", c->letter) ? 'u' : c->letter;
	i64 n = v.i;

	if (letter != c->letter && c->plus)
		text_add(out, "+");
	switch (letter) {
	case 'u': text_add(out, "%llu", n); break;
	case 'x': text_add(out, "%s%llx", prefix, n); break;
	case 'X': text_add(out, "%s%llX", prefix, n); break;
	case 'o': text_add(out, "%s%llo", prefix, n); break;
	case 'c': text_add(out, "%c", n >= 0x20 && n < 0x7f ? (int)n : '.'); break;
	default: text_add(out, c->plus ? "%+lld" : "%lld", n);
	}
}

/* A real number by its letter. */
static void add_real(const struct conversion *c, double r, struct text *out)
{
	int digits = c->precision < 0 ? 6 : c->precision;

	if (c->plus && r >= 0)
		text_add(out, "+");
	switch (c->letter) {
	case 'f': text_add(out, "%.*f", digits, r); break;
	case 'e': text_add(out, "%.*e", digits, r); break;
	default: text_add(out, "%.*g", digits, r);
	}
}

/* A value as its conversion has it, without blanks. */
static void add_value(const struct conversion *c, const struct expr *x, struct value v, struct text *out)
{
	char room[32];
	const char *word = c->letter == 's' ? expr_word(x, v, room) : NULL;
	struct value whole = value_whole(v);

	if (word)
		text_add(out, "%s", word);
	else if (c->letter == 's')
		value_format(v, 0, out);
	else if (strchr("feg", c->letter))
		add_real(c, value_as_real(v), out);
	else if (whole.kind == VALUE_INT)
		add_integer(c, whole, out);
	else
		text_add(out, "<out of range>");
}

/* A value in its width. */
static void add_padded(struct session *s, const struct conversion *c, const struct expr *x, const struct record *r,
		       struct text *out)
{
	struct expr_scope scope = {.record = r->kind == NO_EVENT ? NULL : r};
	struct text one = {0};
	struct value v;
	u32 sign;

	text_add(&one, "%s", "");
	if (expr_eval(s, x, &scope, &v, NULL))
		text_add(&one, "<not available>");
	else
		add_value(c, x, v, &one);
	sign = one.s[0] == '-' || one.s[0] == '+';
	if (c->zero && !c->left && c->width > one.len && isdigit((u8)one.s[sign]))
		text_add(out, "%.*s%0*d%s", (int)sign, one.s, (int)(c->width - one.len), 0, one.s + sign);
	else
		text_add(out, "%*s", c->left ? -(int)c->width : (int)c->width, one.s);
	text_free(&one);
}

/* The text for one event. */
static void compose(struct session *s, const struct print *p, const struct record *r, struct text *out)
{
	struct conversion c;
	u32 next = 0;

	text_add(out, "%s", "");
	for (const char *f = p->format; *f;) {
		const char byte = *f++;

		if (byte == '%' && take_conversion(&f, &c) && c.letter != '%')
			add_padded(s, &c, p->value[next++], r, out);
		else if (byte == '\t')
			text_add(out, "%*s", (int)(8 - out->len % 8), "");
		else
			text_addn(out, &byte, 1);
	}
	while (out->len && out->s[out->len - 1] == '\n')
		out->s[--out->len] = '\0';
}

/* Print for one event. */
static void print_one(struct session *s, const struct breakpoint *b, const struct record *r)
{
	struct text out = {0};

	compose(s, b->print, r, &out);
	session_print(s, "%s\n", out.s);
	if (s->json)
		json_put(json_pack("{s:{s:i,s:I,s:s}}", "dprintf", "number", (int)b->number, "cycle",
				   (json_int_t)sim_clock(&s->sim), "text", safe_text(out.s)));
	text_free(&out);
}

void print_hit(struct session *s, struct breakpoint *b, const struct sim *sim, const struct hit *h)
{
	struct sim one = *sim;
	struct hit each;

	if (b->kind != break_kind_table[BREAK_event] && b->kind != break_kind_table[BREAK_pc]) {
		print_one(s, b, &h->record);
		return;
	}
	one.bus.count = 1;
	for (u32 i = 0; i < sim->bus.count; i++) { /* the kind is asked about each alone */
		one.bus.record = &sim->bus.record[i];
		if (b->kind->check(s, b, &one, &each))
			print_one(s, b, one.bus.record);
	}
}
