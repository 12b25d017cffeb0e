/* number.c - see number.h. */
#include "number.h"

const struct format format_f64 = {11, 52, 1023, 0xfff8000000000000u, false, 0};
const struct format format_f32 = {8, 23, 127, 0x7fffffff, false, 0};
const struct format format_f16 = {5, 10, 15, 0x7fff, false, 0};
const struct format format_bf16 = {8, 7, 127, 0x7fff, false, 0};
const struct format format_tf32 = {8, 10, 127, 0x3ffff, false, 0}; /* shifted up by 13 where it is stored */
/* Of the formats of a byte and less, e5m2 has infinities, and e4m3 has one NaN for each sign. */
const struct format format_e4m3 = {4, 3, 7, 0x7f, true, 0x7e};
const struct format format_e5m2 = {5, 2, 15, 0x7f, false, 0};
const struct format format_e2m3 = {2, 3, 1, 0x1f, true, 0x1f};
const struct format format_e3m2 = {3, 2, 3, 0x1f, true, 0x1f};
const struct format format_e2m1 = {2, 1, 1, 7, true, 7};

static int length(wide x)
{
	uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;

	return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

struct number number_unpack(uint64_t bits, const struct format *f)
{
	uint64_t mantissa = bits & ((1ULL << f->mantissa) - 1), top = (1ULL << f->exponent) - 1;
	uint64_t exponent = bits >> f->mantissa & top;
	struct number x = {.minus = bits >> (f->mantissa + f->exponent) & 1};

	if (exponent == top && !f->finite) {
		x.kind = mantissa ? NUMBER_NAN : NUMBER_INFINITE;
	} else if (f == &format_e4m3 && (bits & 0x7f) == 0x7f) {
		x.kind = NUMBER_NAN;
	} else if (exponent) {
		x.kind = NUMBER_FINITE;
		x.significand = mantissa | 1ULL << f->mantissa;
		x.exponent = (int)exponent - f->bias - f->mantissa;
	} else if (mantissa) {
		x.kind = NUMBER_FINITE;
		x.significand = mantissa;
		x.exponent = 1 - f->bias - f->mantissa;
	}
	return x;
}

/* x / 2^shift, rounded to a whole number. */
static wide rounded(wide x, int shift, bool minus, enum rounding r)
{
	wide whole, rest, half;
	bool up = false;

	if (shift <= 0)
		return x << -shift;
	if (shift > 127) {
		whole = 0;
		rest = 1;
		half = 2;
	} else {
		whole = x >> shift;
		rest = x - (whole << shift);
		half = (wide)1 << (shift - 1);
	}
	if (r == ROUND_NEAREST)
		up = rest > half || (rest == half && (whole & 1));
	else if (r == ROUND_AWAY)
		up = rest >= half;
	else if (r == ROUND_DOWN)
		up = rest && minus;
	else if (r == ROUND_UP)
		up = rest && !minus;
	return whole + up;
}

uint64_t number_pack(struct number x, const struct format *f, enum rounding r, bool limit)
{
	uint64_t sign = (uint64_t)x.minus << (f->mantissa + f->exponent), infinity = ((1ULL << f->exponent) - 1)
										     << f->mantissa;
	uint64_t most = f->finite ? f->most : infinity - 1, bits;
	int top, least = 1 - f->bias;
	bool toward_zero = r == ROUND_ZERO || (r == ROUND_DOWN && !x.minus) || (r == ROUND_UP && x.minus);

	if (x.kind == NUMBER_NAN)
		return f->nan;
	if (x.kind == NUMBER_ZERO)
		return sign;
	if (x.kind == NUMBER_INFINITE)
		return sign | (limit || f->finite ? most : infinity);
	top = x.exponent + length(x.significand) - 1;
	if (top < least) {
		bits = (uint64_t)rounded(x.significand, least - f->mantissa - x.exponent, x.minus, r);
	} else if (top > f->bias + 1) {
		bits = most + 1;
	} else {
		bits = (uint64_t)rounded(x.significand, top - f->mantissa - x.exponent, x.minus, r);
		bits += (uint64_t)(top + f->bias - 1) << f->mantissa;
	}
	if (bits > most)
		bits = limit || f->finite || toward_zero ? most : infinity;
	return sign | bits;
}

struct number number_of_int(wide magnitude, bool minus)
{
	return (struct number){magnitude ? NUMBER_FINITE : NUMBER_ZERO, magnitude && minus, magnitude, 0};
}

struct number number_whole(struct number x, enum rounding r)
{
	if (x.kind == NUMBER_FINITE && x.exponent < 0) {
		x.significand = rounded(x.significand, -x.exponent, x.minus, r);
		x.exponent = 0;
		if (!x.significand)
			x.kind = NUMBER_ZERO;
	}
	return x;
}

uint64_t number_to_int(struct number x, int bits, bool sign, enum rounding r, uint64_t of_nan)
{
	wide most = sign ? ((wide)1 << (bits - 1)) - !x.minus : x.minus ? 0 : ((wide)1 << bits) - 1, m;

	x = number_whole(x, r);
	if (x.kind == NUMBER_NAN)
		return of_nan;
	if (x.kind == NUMBER_ZERO)
		return 0;
	m = x.kind == NUMBER_INFINITE || x.exponent + length(x.significand) > 100 ? most : x.significand << x.exponent;
	if (m > most)
		m = most;
	return x.minus ? -(uint64_t)m : (uint64_t)m;
}

struct number number_times(struct number a, struct number b)
{
	struct number x = {.minus = a.minus != b.minus};

	if (a.kind == NUMBER_NAN || b.kind == NUMBER_NAN || (a.kind == NUMBER_ZERO && b.kind == NUMBER_INFINITE) ||
	    (a.kind == NUMBER_INFINITE && b.kind == NUMBER_ZERO)) {
		x.kind = NUMBER_NAN;
	} else if (a.kind == NUMBER_INFINITE || b.kind == NUMBER_INFINITE) {
		x.kind = NUMBER_INFINITE;
	} else if (a.kind == NUMBER_FINITE && b.kind == NUMBER_FINITE) {
		x.kind = NUMBER_FINITE;
		x.significand = a.significand * b.significand;
		x.exponent = a.exponent + b.exponent;
	}
	return x;
}

struct number number_minus(struct number a)
{
	a.minus = !a.minus;
	return a;
}

/* To nearest: a sum that cancels is +0. Significands have at most 48 bits; what lies far below is one bit that is not
 * zero. */
struct number number_plus(struct number a, struct number b)
{
	struct number x = a;
	wide p, q;

	if (a.kind == NUMBER_NAN || b.kind == NUMBER_NAN ||
	    (a.kind == NUMBER_INFINITE && b.kind == NUMBER_INFINITE && a.minus != b.minus))
		return (struct number){.kind = NUMBER_NAN};
	if (a.kind == NUMBER_INFINITE || b.kind == NUMBER_INFINITE)
		return a.kind == NUMBER_INFINITE ? a : b;
	if (a.kind == NUMBER_ZERO && b.kind == NUMBER_ZERO)
		return (struct number){.kind = NUMBER_ZERO, .minus = a.minus && b.minus};
	if (a.kind == NUMBER_ZERO || b.kind == NUMBER_ZERO)
		return a.kind == NUMBER_ZERO ? b : a;
	if (a.exponent < b.exponent) {
		x = a;
		a = b;
		b = x;
	}
	if (a.exponent - b.exponent + length(a.significand) < 126) {
		p = a.significand << (a.exponent - b.exponent);
		q = b.significand;
		x.exponent = b.exponent;
	} else {
		int far = 125 - length(a.significand) - length(b.significand);

		p = a.significand << far;
		q = 1;
		x.exponent = a.exponent - far;
	}
	x.kind = NUMBER_FINITE;
	x.minus = a.minus;
	if (a.minus == b.minus) {
		x.significand = p + q;
	} else if (p > q) {
		x.significand = p - q;
	} else {
		x.significand = q - p;
		x.minus = b.minus;
	}
	return x.significand ? x : (struct number){.kind = NUMBER_ZERO};
}

static int magnitude_compare(struct number a, struct number b)
{
	int la, lb;

	if (a.kind != b.kind)
		return a.kind < b.kind ? -1 : 1;
	if (a.kind != NUMBER_FINITE)
		return 0;
	la = length(a.significand) + a.exponent;
	lb = length(b.significand) + b.exponent;
	if (la != lb)
		return la < lb ? -1 : 1;
	a.significand <<= 127 - length(a.significand);
	b.significand <<= 127 - length(b.significand);
	return a.significand < b.significand ? -1 : a.significand > b.significand;
}

bool number_below(struct number a, const struct format *f, enum rounding r)
{
	struct number least = {NUMBER_FINITE, false, 1, 1 - f->bias};
	int more = length(a.significand) - f->mantissa - 1;

	if (more > 0) {
		a.significand = rounded(a.significand, more, a.minus, r);
		a.exponent += more;
	}
	return magnitude_compare(a, least) < 0;
}

int number_compare(struct number a, struct number b)
{
	if (a.kind == NUMBER_NAN || b.kind == NUMBER_NAN)
		return 2;
	if (a.kind == NUMBER_ZERO && b.kind == NUMBER_ZERO)
		return 0;
	if (a.minus != b.minus)
		return a.minus ? -1 : 1;
	return a.minus ? magnitude_compare(b, a) : magnitude_compare(a, b);
}

struct number number_extreme(struct number a, struct number b, bool greater)
{
	int c = number_compare(a, b);

	if (c == 2)
		return a.kind == NUMBER_NAN ? b : a;
	if (!c)
		return a.minus != greater ? a : b;
	return (c > 0) == greater ? a : b;
}
