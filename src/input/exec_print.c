/*
 * exec_print.c - printf and assert of device code: what a lane prints, as text, from the format and the buffer of
 * arguments that nvcc and clang put into memory for vprintf.
 *
 * Source: CUDA C++ Programming Guide, "Formatted Output" and "Assertion". A format has %[flags][width][.precision]
 * [size]type with flags #, blank, 0, +, -, width and precision * or digits, sizes h, l, ll and types c d i o u x X p e
 * E f g G a A s; at most 32 arguments are taken. What is no conversion stands as it is, and so does one of an argument
 * beyond the 32nd. Arguments lie one behind the other, each aligned to its size: 4 bytes of int, unsigned and char, 8
 * of long, long long, double and pointers. The value is that of CUDA: the number of arguments, -1 for no format, -2
 * where memory cannot be read. Deviations: a call prints PRINT_BYTES bytes at the most; strings and arguments that
 * cannot be read are told, not faults.
 */
#include "exec_internal.h"

#define FORMAT_BYTES 2048 /* of a format or a string, its end included */
#define MOST_ARGUMENTS 32

/* One call of one lane. */
struct printer {
	const struct front_env *env;
	u32 lane;
	u64 buffer;  /* of arguments */
	u32 at, n;   /* bytes taken from it; arguments */
	bool broken; /* it cannot be read */
	struct print_result *out;
};

/* One conversion: %-8.3lld. */
struct conversion {
	char flags[8];
	int width, precision; /* -1: none */
	u8 longs, shorts;     /* l, ll; h, hh */
	char type;
	u32 stars; /* arguments that width and precision take */
	bool star_width, star_precision;
};

/* What went wrong first. */
static void trouble(struct printer *p, enum print_problem what)
{
	if (!p->out->problem)
		p->out->problem = (u8)what;
}

/* n bytes of text, as many as there is room for. */
static void put(struct printer *p, const char *s, u32 n)
{
	u32 room = PRINT_BYTES - p->out->length;

	if (n > room)
		trouble(p, PRINT_LONG);
	memcpy(p->out->text + p->out->length, s, min_u32(n, room));
	p->out->length += min_u32(n, room);
}

/* A string of the program's; false: it cannot be read. One that is too long is cut. */
static bool string_at(struct printer *p, u64 address, char out[FORMAT_BYTES])
{
	for (u32 i = 0; i + 1 < FORMAT_BYTES; i++) {
		if (!front_peek(p->env, p->lane, address + i, &out[i], 1))
			return false;
		if (!out[i])
			return true;
	}
	out[FORMAT_BYTES - 1] = '\0';
	trouble(p, PRINT_LONG);
	return true;
}

/* The next argument, of 4 or 8 bytes. */
static u64 argument(struct printer *p, u32 bytes)
{
	u64 value = 0;

	p->at = round_up(p->at, bytes);
	if (!front_peek(p->env, p->lane, p->buffer + p->at, &value, bytes))
		p->broken = true;
	p->at += bytes;
	p->n++;
	return value;
}

/* Digits or a star at *f. */
static int number(const char **f, bool *star)
{
	int n = 0;

	*star = **f == '*';
	if (*star) {
		++*f;
		return -1;
	}
	for (; **f >= '0' && **f <= '9'; ++*f)
		n = n < 100000 ? n * 10 + (**f - '0') : n;
	return n;
}

/* The conversion whose % stands before *f, which is moved behind it; false: it is none. */
static bool take(const char **f, struct conversion *c)
{
	u32 n = 0;

	*c = (struct conversion){.width = -1, .precision = -1};
	for (; **f && strchr("-+ #0", **f); ++*f)
		if (!strchr(c->flags, **f) && n + 1 < sizeof(c->flags))
			c->flags[n++] = **f;
	if (**f == '*' || (**f >= '1' && **f <= '9'))
		c->width = number(f, &c->star_width);
	if (**f == '.') {
		++*f;
		c->precision = number(f, &c->star_precision);
	}
	c->stars = (u32)c->star_width + c->star_precision;
	for (; **f == 'l' || **f == 'h'; ++*f)
		**f == 'l' ? c->longs++ : c->shorts++;
	c->type = **f;
	if (!c->type || !strchr("cdiouxXpeEfgGaAs", c->type) || c->longs > 2 || c->shorts > 2 ||
	    (c->longs && c->shorts))
		return false;
	++*f;
	return true;
}

/* The conversion as C's printf takes it, with width and precision as arguments and this size. */
static void spell(const struct conversion *c, const char *size, char out[32])
{
	snprintf(out, 32, "%%%s%s%s%s%c", c->flags, c->width >= 0 ? "*" : "", c->precision >= 0 ? ".*" : "", size,
		 c->type);
}

/* What one value becomes. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#define PRINT(value) \
	(c->width >= 0 && c->precision >= 0 ? snprintf(text, sizeof(text), format, c->width, c->precision, value) \
	 : c->width >= 0		    ? snprintf(text, sizeof(text), format, c->width, value) \
	 : c->precision >= 0		    ? snprintf(text, sizeof(text), format, c->precision, value) \
					    : snprintf(text, sizeof(text), format, value))
static void convert(struct printer *p, const struct conversion *c, u64 bits, const char *string)
{
	char text[PRINT_BYTES], format[32];
	i64 whole = c->longs ? (i64)bits : c->shorts == 2 ? (i8)bits : c->shorts ? (i16)bits : (i32)bits;
	u64 plain = c->longs ? bits : c->shorts == 2 ? (u8)bits : c->shorts ? (u16)bits : (u32)bits;
	double real;
	int n;

	memcpy(&real, &bits, sizeof(real));
	spell(c, strchr("diouxX", c->type) ? "ll" : "", format);
	if (c->type == 'd' || c->type == 'i')
		n = PRINT(whole);
	else if (strchr("ouxX", c->type))
		n = PRINT(plain);
	else if (c->type == 'c')
		n = PRINT((int)(u8)bits);
	else if (c->type == 'p')
		n = PRINT((void *)(uintptr_t)bits);
	else if (c->type == 's')
		n = PRINT(string);
	else
		n = PRINT(real);
	if (n < 0)
		trouble(p, PRINT_FORMAT);
	else if ((u32)n >= sizeof(text))
		trouble(p, PRINT_LONG);
	if (n > 0)
		put(p, text, min_u32((u32)n, sizeof(text) - 1));
}
#pragma GCC diagnostic pop

/* Width and precision that the arguments give; a negative width is the flag -, a negative precision none. */
static void stars(struct printer *p, struct conversion *c)
{
	if (c->star_width) {
		i32 width = (i32)argument(p, 4);

		if (width < 0)
			c->flags[strlen(c->flags)] = '-';
		c->width = width < 0 ? -(width + 1) + 1 : width;
		if (c->width < 0 || c->width > 100000)
			c->width = 100000;
	}
	if (c->star_precision) {
		c->precision = (i32)argument(p, 4);
		if (c->precision > 100000)
			c->precision = 100000;
	}
}

/* One conversion with what it takes from the buffer. */
static void print_one(struct printer *p, struct conversion *c)
{
	char string[FORMAT_BYTES] = "(null)";
	bool wide = strchr("peEfgGaAs", c->type) || (c->longs && c->type != 'c');
	u64 bits;

	stars(p, c);
	bits = argument(p, wide ? 8 : 4);
	if (c->type == 's' && bits && !string_at(p, bits, string)) {
		trouble(p, PRINT_MEMORY);
		snprintf(string, sizeof(string), "(unreadable: 0x%llx)", bits);
	}
	convert(p, c, bits, string);
}

/* The whole format. */
static void print_all(struct printer *p, const char *format)
{
	for (const char *f = format; *f;) {
		const char *from, *end = strchrnul(f, '%');
		struct conversion c;

		put(p, f, (u32)(end - f));
		f = end;
		if (!*f)
			return;
		from = f++;
		if (*f == '%') {
			put(p, f++, 1);
			continue;
		}
		if (!take(&f, &c)) {
			trouble(p, PRINT_FORMAT);
			put(p, from, (u32)(f - from));
		} else if (p->n + c.stars + 1 > MOST_ARGUMENTS) {
			trouble(p, PRINT_MANY);
			put(p, from, (u32)(f - from));
		} else {
			print_one(p, &c);
		}
	}
}

/* Source k of a lane. */
static u64 source(const struct front_env *env, const struct inst *in, u32 k, u32 lane, char letter)
{
	struct lane_operand room;
	const u32 *words = exec_source(env, in, k, letter, &room);

	return words[lane] | (letter == 'd' ? (u64)words[WARP_LANES + lane] << 32 : 0);
}

/* A string that __assertfail is given, "?" where there is none. */
static void assert_string(struct printer *p, const struct inst *in, u32 k, char out[FORMAT_BYTES])
{
	u64 address = k < in->nsrc ? source(p->env, in, k, p->lane, 'd') : 0;

	if (!address || !string_at(p, address, out))
		snprintf(out, FORMAT_BYTES, "?");
}

/* "slow.cu:12: void k(): block: [0,0,0], thread: [3,0,0] Assertion `x > 0` failed." */
static void print_assert(struct printer *p, const struct inst *in)
{
	const struct front_env *env = p->env;
	const struct launch *l = env->launch;
	u32 thread = env->warp * WARP_LANES + p->lane;
	char message[FORMAT_BYTES], file[FORMAT_BYTES], function[FORMAT_BYTES], text[PRINT_BYTES];
	int n;

	assert_string(p, in, 0, message);
	assert_string(p, in, 1, file);
	assert_string(p, in, 3, function);
	n = snprintf(text, sizeof(text),
		     "%.1000s:%u: %.1000s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%.1000s` failed.\n", file,
		     in->nsrc > 2 ? (u32)source(env, in, 2, p->lane, 'w') : 0, function, env->ctaid[0], env->ctaid[1],
		     env->ctaid[2], l->tid[0][thread], l->tid[1][thread], l->tid[2][thread], message);
	put(p, text, (u32)n);
}

void front_print(const struct front_env *env, const struct inst *in, u32 lane, struct print_result *out)
{
	struct printer p = {.env = env, .lane = lane, .out = out};
	char format[FORMAT_BYTES];
	u64 address;

	out->length = 0;
	out->problem = PRINT_FINE;
	out->value = 0;
	if (in->op == OP_ASSERT) {
		print_assert(&p, in);
		return;
	}
	address = source(env, in, 0, lane, 'd');
	p.buffer = source(env, in, 1, lane, 'd');
	if (!address || !string_at(&p, address, format)) {
		out->value = address ? -2 : -1;
		out->problem = PRINT_MEMORY;
		return;
	}
	print_all(&p, format);
	if (p.broken)
		out->problem = PRINT_MEMORY;
	out->value = p.broken ? -2 : (i32)p.n;
}

void print_issue(const struct front_env *env, const struct inst *in, u32 mask)
{
	u32 value[WARP_LANES];
	struct print_result one;

	if (env->print && mask)
		env->print(env, in, mask);
	LANES_EACH (lane, mask) {
		front_print(env, in, lane, &one);
		value[lane] = (u32)one.value;
	}
	for (u32 left = mask; left && in->dst[0].kind == OPERAND_REG; left &= left - 1) {
		u32 lane = (u32)__builtin_ctz(left);

		env->regs[in->dst[0].value * WARP_LANES + lane] = value[lane];
	}
}
