/*
 * exec_reference.h - what a PTX instruction means, from its spelling alone: the tests' second opinion.
 *
 * Written over 128-bit integers and the C library, independent of the bodies in ops.def.
 */
#ifndef EXEC_REFERENCE_H
#define EXEC_REFERENCE_H

#include "base.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 wide;

/* A spelling cut at its dots: "cvt.rni.s32.f32" has 4 words. */
struct spelling {
	char text[64], form[64];
	char *word[10];
	u32 n;
	u8 special; /* enum special of exec_reference_narrow.h, and 1 more; 0: not looked for */
};

/* UNKNOWN: there is no reference, which only test_exec.c's list of approximations may have. */
enum verdict { EXACT, RELATIVE, ABSOLUTE, UNKNOWN };

/* The expected result; bits for EXACT, else real within tolerance. */
struct expected {
	enum verdict verdict;
	u64 bits;
	double real, tolerance;
};

static inline void spelling_cut(struct spelling *s, const char *form)
{
	s->n = s->special = 0;
	snprintf(s->text, sizeof(s->text), "%s", form);
	memcpy(s->form, s->text, sizeof(s->form));
	for (char *t = strtok(s->text, "."); t; t = strtok(NULL, "."))
		s->word[s->n++] = t;
}

/* The same, kept from the last few calls. */
static inline struct spelling *spelling_kept(const char *form)
{
	static struct spelling kept[4];
	static u32 next;

	for (u32 i = 0; i < ARRAY_LEN(kept); i++)
		if (!strcmp(kept[i].form, form))
			return &kept[i];
	next = (next + 1) % ARRAY_LEN(kept);
	spelling_cut(&kept[next], form);
	return &kept[next];
}

static inline bool spelling_has(const struct spelling *s, const char *word)
{
	for (u32 i = 1; i < s->n; i++)
		if (!strcmp(s->word[i], word))
			return true;
	return false;
}

/* Type names: "s32" is s and 32. */
static inline u32 type_bits(const char *t)
{
	return (u32)atoi(t + 1);
}
static inline bool type_real(const char *t)
{
	return t[0] == 'f';
}
static inline wide type_integer(const char *t, u64 raw)
{
	u32 n = type_bits(t);
	wide v = (wide)(n == 64 ? raw : raw & ((1ULL << n) - 1));

	return t[0] == 's' && v >> (n - 1) & 1 ? v - ((wide)1 << n) : v;
}
static inline u64 type_cut(const char *t, wide v)
{
	return type_bits(t) == 64 ? (u64)v : (u64)v & ((1ULL << type_bits(t)) - 1);
}
static inline double raw_real(const char *t, u64 raw)
{
	u32 low = (u32)raw;
	double d;
	float f;

	memcpy(&d, &raw, 8);
	memcpy(&f, &low, 4);
	return type_bits(t) == 32 ? (double)f : d;
}
static inline u64 real_raw(const char *t, double x)
{
	float f = (float)x;
	u32 low;
	u64 raw;

	memcpy(&low, &f, 4);
	memcpy(&raw, &x, 8);
	if (type_bits(t) == 32)
		return isnan(x) ? 0x7fffffff : low;
	return isnan(x) ? 0xfff8000000000000 : raw;
}

static inline double flushed_below(double x, double least)
{
	return fabs(x) < least ? copysign(0, x) : x;
}
static inline double flushed(double x)
{
	return flushed_below(x, 0x1p-126);
}

static inline int rounding_of(const struct spelling *s)
{
	if (spelling_has(s, "rz"))
		return FE_TOWARDZERO;
	if (spelling_has(s, "rm"))
		return FE_DOWNWARD;
	return spelling_has(s, "rp") ? FE_UPWARD : FE_TONEAREST;
}

/* x op y (op z) in the type's precision and the rounding mode; c the operation's first letters. */
static inline double real_operate(const char *t, const char *c, double a, double b, double e, int mode)
{
	volatile double x = a, y = b, z = e, r;
	volatile float fx = (float)a, fy = (float)b, fz = (float)e, fr;
	bool single = type_bits(t) == 32;

	fesetround(mode);
	if (!strcmp(c, "add"))
		single ? (fr = fx + fy) : (r = x + y);
	else if (!strcmp(c, "sub"))
		single ? (fr = fx - fy) : (r = x - y);
	else if (!strcmp(c, "mul"))
		single ? (fr = fx * fy) : (r = x * y);
	else if (!strcmp(c, "div"))
		single ? (fr = fx / fy) : (r = x / y);
	else if (!strcmp(c, "sqrt"))
		single ? (fr = sqrtf(fx)) : (r = sqrt(x));
	else
		single ? (fr = fmaf(fx, fy, fz)) : (r = fma(x, y, z));
	fesetround(FE_TONEAREST);
	return single ? (double)fr : r;
}

static inline double real_least(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	if (a == b)
		return signbit(a) ? a : b;
	return a < b ? a : b;
}

static inline double saturated(double x)
{
	return isnan(x) || x <= 0 ? 0.0 : x > 1 ? 1.0 : x;
}

static inline struct expected exact(u64 bits)
{
	return (struct expected){.verdict = EXACT, .bits = bits};
}

/* The approximations: error bounds of the PTX ISA (full range forms: a few units in the last place). */
static inline struct expected reference_approx(const struct spelling *s, const char *t, double x, double y)
{
	const char *c = s->word[0];
	double unit = t[1] == '3' ? 0x1p-23 : 0x1p-19;

	if (!strcmp(c, "sin") || !strcmp(c, "cos"))
		return (struct expected){.verdict = fabs(x) > 100000 && !isinf(x) ? UNKNOWN : ABSOLUTE,
					 .tolerance = 0x1p-20,
					 .real = *c == 's' ? sin(x) : cos(x)};
	if (!strcmp(c, "lg2"))
		return (struct expected){
			.verdict = ABSOLUTE, .tolerance = 0x1p-22 * fmax(1, fabs(log2(x))), .real = log2(x)};
	if (!strcmp(c, "ex2"))
		return (struct expected){.verdict = RELATIVE, .tolerance = 0x1p-22, .real = exp2(x)};
	/* The ISA: a divisor above 2^126 gives zero, and of infinity NaN. */
	if (!strcmp(c, "div") && spelling_has(s, "approx") && fabs(y) > 0x1p126 && !isinf(y))
		return exact(real_raw(t, isinf(x) ? NAN : x * 0 * copysign(1, y)));
	if (!strcmp(c, "tanh"))
		return (struct expected){.verdict = RELATIVE, .tolerance = 0x1p-11, .real = tanh(x)};
	return (struct expected){.verdict = RELATIVE,
				 .tolerance = 2 * unit,
				 .real = !strcmp(c, "rcp")     ? 1 / x
					 : !strcmp(c, "sqrt")  ? sqrt(x)
					 : !strcmp(c, "rsqrt") ? 1 / sqrt(x)
							       : x / y};
}

/* min and max with .NaN or .xorsign.abs, as the PTX ISA writes them. */
static inline u64 reference_lesser(const struct spelling *s, const char *t, double a, double b, const u64 *raw)
{
	bool sign = spelling_has(s, "xorsign"), negative = (raw[0] ^ raw[1]) >> 31 & 1;
	double r;

	if (sign) {
		a = fabs(a);
		b = fabs(b);
	}
	if ((isnan(a) && isnan(b)) || (spelling_has(s, "NaN") && (isnan(a) || isnan(b))))
		return 0x7fffffff;
	r = isnan(a) ? b : isnan(b) ? a : !strcmp(s->word[0], "min") ? real_least(a, b) : -real_least(-a, -b);
	r = spelling_has(s, "ftz") ? flushed(r) : r;
	return sign ? (real_raw(t, r) & 0x7fffffff) | (u64)negative << 31 : real_raw(t, r);
}

/*
 * A result that is denormal becomes zero, and that is asked of what it would be rounded to if there were no least
 * exponent: of 2^64 times it. So (1 - 2^-24) 2^-126, which has 24 digits, is flushed, and not rounded up to 2^-126
 * first.
 */
static inline double flushed_result(double r, double up)
{
	return fabs(up) < 0x1p-62 ? copysign(0, r) : flushed(r);
}

/* Floating point arithmetic. */
static inline struct expected reference_real(const struct spelling *s, const char *t, const u64 *raw)
{
	const char *c = s->word[0];
	bool ftz = spelling_has(s, "ftz");
	double v[3], r, up = 1;

	for (u32 k = 0; k < 3; k++) {
		v[k] = raw_real(t, raw[k]);
		v[k] = ftz ? flushed_below(v[k], type_bits(t) == 32 ? 0x1p-126 : 0x1p-1022) : v[k];
	}
	/* The ISA: of doubles with .ftz the upper word alone is looked at, and what would be denormal is zero. */
	if (spelling_has(s, "approx") && ftz && type_bits(t) == 64) {
		v[0] = flushed_below(raw_real(t, raw[0] >> 32 << 32), 0x1p-1022);
		if (!strcmp(c, "rcp") && fabs(1 / v[0]) < 0x1p-1022)
			return exact(real_raw(t, copysign(0, v[0])));
	}
	if (spelling_has(s, "approx") || spelling_has(s, "full"))
		return reference_approx(s, t, v[0], v[1]);
	if (!strcmp(c, "neg") || !strcmp(c, "abs")) {
		u64 top = 1ULL << (type_bits(t) - 1), bits = ftz ? real_raw(t, v[0]) : raw[0];

		if (ftz && isnan(v[0]))
			return exact(0x7fffffff);
		return exact(*c == 'n' ? bits ^ top : bits & ~top);
	}
	if (!strcmp(c, "copysign"))
		return exact((raw[0] & 1ULL << (type_bits(t) - 1)) | (raw[1] & ~(1ULL << (type_bits(t) - 1))));
	if (spelling_has(s, "xorsign") || spelling_has(s, "NaN"))
		return exact(reference_lesser(s, t, v[0], v[1], raw));
	if (!strcmp(c, "min"))
		r = real_least(v[0], v[1]);
	else if (!strcmp(c, "max"))
		r = -real_least(-v[0], -v[1]);
	else if (!strcmp(c, "rcp"))
		r = real_operate(t, "div", 1, v[0], 0, rounding_of(s));
	else
		r = real_operate(t, c, v[0], v[1], v[2], rounding_of(s));
	if (ftz && !strcmp(c, "rcp"))
		up = real_operate(t, "div", 0x1p64, v[0], 0, rounding_of(s));
	else if (ftz && (!strcmp(c, "mul") || !strcmp(c, "div") || !strcmp(c, "fma") || !strcmp(c, "mad")))
		up = real_operate(t, c, v[0] * 0x1p64, v[1], v[2] * 0x1p64, rounding_of(s));
	r = ftz ? flushed_result(r, up) : r;
	return exact(real_raw(t, spelling_has(s, "sat") ? saturated(r) : r));
}

/* Whether a compare holds; u-suffixed ones also for NaN. */
static inline bool compare_holds(const char *c, int order, bool unordered)
{
	if (!strcmp(c, "num") || !strcmp(c, "nan"))
		return unordered == !strcmp(c, "nan");
	if (unordered)
		return c[2] == 'u';
	if (c[0] == 'e' || !strncmp(c, "ne", 2))
		return (order == 0) == (c[0] == 'e');
	if (c[0] == 'g' || c[0] == 'h')
		return order > 0 || (order == 0 && (c[1] == 'e' || c[1] == 's'));
	return order < 0 || (order == 0 && (c[1] == 'e' || c[1] == 's'));
}

static inline bool reference_compare(const struct spelling *s, const char *t, const u64 *raw)
{
	double x = raw_real(t, raw[0]), y = raw_real(t, raw[1]);
	wide a, b;

	if (!type_real(t)) {
		a = type_integer(t, raw[0]);
		b = type_integer(t, raw[1]);
		return compare_holds(s->word[1], (a > b) - (a < b), false);
	}
	x = spelling_has(s, "ftz") ? flushed(x) : x;
	y = spelling_has(s, "ftz") ? flushed(y) : y;
	return compare_holds(s->word[1], (x > y) - (x < y), isnan(x) || isnan(y));
}

/* Integer limits. */
static inline wide type_least(const char *t)
{
	return t[0] == 's' ? -((wide)1 << (type_bits(t) - 1)) : 0;
}
static inline wide type_most(const char *t)
{
	return ((wide)1 << (type_bits(t) - (t[0] == 's'))) - 1;
}
static inline wide clamped(const char *t, wide v)
{
	return v < type_least(t) ? type_least(t) : v > type_most(t) ? type_most(t) : v;
}
/* A narrow result fills its 32-bit register, extended as its type says. */
static inline u64 filled(const char *t, wide v)
{
	return type_bits(t) == 64 ? type_cut(t, v) : (u32)type_integer(t, type_cut(t, v));
}

static inline double whole(const struct spelling *s, double x)
{
	if (spelling_has(s, "rni"))
		return nearbyint(x);
	if (spelling_has(s, "rzi"))
		return trunc(x);
	return spelling_has(s, "rmi") ? floor(x) : spelling_has(s, "rpi") ? ceil(x) : x;
}

/* cvt.MODIFIERS.D.S */
static inline struct expected reference_cvt(const struct spelling *s, u64 raw)
{
	const char *d = s->word[s->n - 2], *t = s->word[s->n - 1];
	double x = raw_real(t, raw);
	volatile double vx;
	volatile float f, up = 1;

	if (!type_real(t) && !type_real(d)) {
		wide v = type_integer(t, raw);

		return exact(filled(d, spelling_has(s, "sat") ? clamped(d, v) : v));
	}
	x = spelling_has(s, "ftz") && !strcmp(t, "f32") ? flushed(x) : x;
	if (!type_real(d)) {
		if (isnan(x))
			return exact(!strcmp(t, "f32") && type_bits(d) < 64 ? 0
									    : filled(d, (wide)1 << (type_bits(d) - 1)));
		x = whole(s, x);
		return exact(filled(d, fabs(x) < 0x1p100 ? clamped(d, (wide)x) : x > 0 ? type_most(d) : type_least(d)));
	}
	if (type_real(t) && s->n == 3 && !strcmp(d, t))
		return exact(raw);
	fesetround(rounding_of(s));
	if (!type_real(t)) {
		volatile i64 si = (i64)type_integer(t, raw);
		volatile u64 ui = raw;
		bool big = !strcmp(t, "u64");

		f = big ? (float)ui : (float)si;
		vx = big ? (double)ui : (double)si;
	} else {
		vx = x;
		f = (float)vx;
		up = (float)(vx * 0x1p64);
	}
	fesetround(FE_TONEAREST);
	x = !strcmp(d, "f32") ? (double)f : vx;
	x = whole(s, x);
	x = spelling_has(s, "ftz") && !strcmp(d, "f32") ? flushed_result(x, strcmp(d, t) ? (double)up : 1) : x;
	return exact(real_raw(d, spelling_has(s, "sat") ? saturated(x) : x));
}

static inline wide high_part(const char *t, wide product)
{
	return product >> type_bits(t);
}

/* The upper half of a 64 by 64-bit product by 32-bit digits. */
static inline wide high64(const char *t, u64 a, u64 b)
{
	u64 al = (u32)a, ah = a >> 32, bl = (u32)b, bh = b >> 32;
	u64 middle = ah * bl + (al * bl >> 32), other = al * bh + (u32)middle;
	u64 high = ah * bh + (middle >> 32) + (other >> 32);

	if (t[0] == 's')
		high -= ((i64)a < 0 ? b : 0) + ((i64)b < 0 ? a : 0);
	return (wide)high;
}

/* mul and mad of integers, also the 24-bit ones. */
static inline wide reference_mul(const struct spelling *s, const char *t, const u64 *raw, wide *c)
{
	bool narrow = strstr(s->word[0], "24") != NULL;
	const char *t24 = t[0] == 's' ? "s24" : "u24";
	wide a = type_integer(narrow ? t24 : t, raw[0]), b = type_integer(narrow ? t24 : t, raw[1]);

	*c = 0;
	if (s->word[0][1] == 'a')
		*c = (wide)raw[2];
	if (!strcmp(s->word[1], "hi") && narrow)
		return a * b >> 16;
	if (!strcmp(s->word[1], "hi"))
		return type_bits(t) == 64 ? high64(t, raw[0], raw[1]) : high_part(t, a * b);
	if (type_bits(t) == 64)
		return (wide)(raw[0] * raw[1]);
	return a * b;
}

static inline wide reference_shift(const char *c, const char *t, u64 raw, u32 n)
{
	wide v = type_integer(t, raw);

	if (!strcmp(c, "shl"))
		return n >= type_bits(t) ? 0 : (wide)((u64)v << n);
	return v >> (n > 64 ? 64 : n);
}

static inline wide reference_divide(const char *c, const char *t, u64 ra, u64 rb)
{
	wide a = type_integer(t, ra), b = type_integer(t, rb);

	return !b ? -1 : *c == 'd' ? a / b : a % b;
}

/* Plain integer arithmetic and logic; false: not one of these. */
static inline bool reference_integer(const struct spelling *s, const char *t, const u64 *raw, wide *out)
{
	const char *c = s->word[0];
	wide a = type_integer(t, raw[0]), b = type_integer(t, raw[1]), e = type_integer(t, raw[2]);

	if (!strcmp(c, "add"))
		*out = spelling_has(s, "sat") ? clamped(t, a + b) : a + b;
	else if (!strcmp(c, "sub"))
		*out = spelling_has(s, "sat") ? clamped(t, a - b) : a - b;
	else if (!strcmp(c, "abs"))
		*out = a < 0 ? -a : a;
	else if (!strcmp(c, "neg"))
		*out = -a;
	else if (!strcmp(c, "min"))
		*out = a < b ? a : b;
	else if (!strcmp(c, "max"))
		*out = a < b ? b : a;
	else if (!strcmp(c, "and"))
		*out = a & b;
	else if (!strcmp(c, "or"))
		*out = a | b;
	else if (!strcmp(c, "xor"))
		*out = a ^ b;
	else if (!strcmp(c, "not"))
		*out = ~a;
	else if (!strcmp(c, "cnot"))
		*out = a == 0;
	else if (!strcmp(c, "sad"))
		*out = e + (a < b ? b - a : a - b);
	else if (!strcmp(c, "shl") || !strcmp(c, "shr"))
		*out = reference_shift(c, t, raw[0], (u32)raw[1]);
	else if (!strcmp(c, "div") || !strcmp(c, "rem"))
		*out = reference_divide(c, t, raw[0], raw[1]);
	else
		return false;
	return true;
}

/* Counts and positions of bits; the highest bit that differs from the sign is what bfind finds. */
static inline bool reference_count(const struct spelling *s, const char *t, u64 a, u64 *out)
{
	const char *c = s->word[0];
	u32 n = type_bits(t), set = 0, first = ~0u;
	bool negative = t[0] == 's' && a >> (n - 1) & 1;

	for (u32 i = 0; i < n; i++) {
		set += a >> i & 1;
		first = (a >> i & 1) != negative ? i : first;
	}
	if (!strcmp(c, "popc"))
		*out = set;
	else if (!strcmp(c, "clz"))
		*out = first == ~0u ? n : n - 1 - first;
	else if (!strcmp(c, "bfind"))
		*out = first == ~0u || s->n == 2 ? first : n - 1 - first;
	else
		return false;
	return true;
}

static inline u64 reference_bfe(const char *t, u64 a, u32 pos, u32 len)
{
	u32 n = type_bits(t), top = pos + len - 1;
	u64 sign = t[0] == 'u' || !len ? 0 : a >> (top < n ? top : n - 1) & 1, r = 0;

	for (u32 i = 0; i < n; i++)
		r |= (i < len && pos + i < n ? a >> (pos + i) & 1 : sign) << i;
	return r;
}

static inline u64 reference_bfi(const char *t, u64 a, u64 r, u32 pos, u32 len)
{
	for (u32 i = 0; i < len && pos + i < type_bits(t); i++)
		r = (r & ~(1ULL << (pos + i))) | (a >> i & 1) << (pos + i);
	return r;
}

static inline u64 reference_prmt(const u64 *raw)
{
	u8 byte[8];
	u64 r = 0;

	memcpy(byte, &raw[0], 4);
	memcpy(byte + 4, &raw[1], 4);
	for (u32 i = 0; i < 4; i++) {
		u32 sel = raw[2] >> (4 * i) & 15;

		r |= (u64)(sel & 8 ? (byte[sel & 7] & 0x80 ? 0xff : 0) : byte[sel & 7]) << (8 * i);
	}
	return r;
}

/* The modes of prmt: the table of the PTX ISA, sources of bytes 3 to 0 for each value of c's low two bits. */
static inline u64 reference_prmt_mode(const char *mode, const u64 *raw)
{
	static const struct {
		const char *mode, *source[4];
	} row[] = {{"f4e", {"3210", "4321", "5432", "6543"}}, {"b4e", {"5670", "6701", "7012", "0123"}},
		   {"rc8", {"0000", "1111", "2222", "3333"}}, {"ecl", {"3210", "3211", "3222", "3333"}},
		   {"ecr", {"0000", "1110", "2210", "3210"}}, {"rc16", {"1010", "3232", "1010", "3232"}}};
	u64 both = (u32)raw[0] | raw[1] << 32, r = 0;
	u32 k = 0;

	while (strcmp(row[k].mode, mode))
		k++;
	for (u32 i = 0; i < 4; i++)
		r |= (both >> 8 * (u32)(row[k].source[raw[2] & 3][3 - i] - '0') & 0xff) << (8 * i);
	return r;
}

/* As the PTX ISA writes it. */
static inline u64 reference_szext(const struct spelling *s, const char *t, const u64 *raw)
{
	u32 a = (u32)raw[0], b = (u32)raw[1], b1 = b & 31;
	bool large = b >= 32 && spelling_has(s, "clamp");
	u32 mask = large ? 0 : ~0u << b1;
	bool sign = b1 && !large && t[0] == 's' && a >> (b1 - 1) & 1;

	return (a & ~mask) | (sign ? mask : 0);
}

static inline u64 reference_shf(const struct spelling *s, const u64 *raw)
{
	u32 by = (u32)raw[2];
	u64 r = 0;

	by = spelling_has(s, "wrap") ? by % 32 : by > 32 ? 32 : by;
	for (u32 i = 0; i < 32; i++) {
		u32 at = s->word[1][0] == 'l' ? 32 + i - by : i + by;

		r |= ((at < 32 ? raw[0] >> at : raw[1] >> (at - 32)) & 1) << i;
	}
	return r;
}

/* Fields, counts and permutations of bits, one bit or byte at a time as the PTX ISA writes them. */
static inline bool reference_bits(const struct spelling *s, const char *t, const u64 *raw, u64 *out)
{
	const char *c = s->word[0];
	u64 a = type_cut(t, (wide)raw[0]);

	*out = 0;
	if (!strcmp(c, "brev"))
		for (u32 i = 0; i < type_bits(t); i++)
			*out |= (a >> i & 1) << (type_bits(t) - 1 - i);
	else if (!strcmp(c, "bfe"))
		*out = reference_bfe(t, a, raw[1] & 0xff, raw[2] & 0xff);
	else if (!strcmp(c, "bfi"))
		*out = reference_bfi(t, a, type_cut(t, (wide)raw[1]), raw[2] & 0xff, raw[3] & 0xff);
	else if (!strcmp(c, "bmsk")) {
		u32 wrap = spelling_has(s, "wrap") ? 32 : 0, from = wrap ? raw[0] % wrap : (u32)raw[0];

		for (u64 i = 0; i < 32; i++)
			*out |= (u64)(i >= from && i < (u64)from + (wrap ? raw[1] % wrap : (u32)raw[1])) << i;
	} else if (!strcmp(c, "szext"))
		*out = reference_szext(s, t, raw);
	else if (!strcmp(c, "shf"))
		*out = reference_shf(s, raw);
	else if (!strcmp(c, "lop3"))
		for (u32 i = 0; i < 32; i++)
			*out |= (raw[3] >> ((raw[0] >> i & 1) << 2 | (raw[1] >> i & 1) << 1 | (raw[2] >> i & 1)) & 1)
				<< i;
	else
		return reference_count(s, t, a, out);
	return true;
}

static inline u64 reference_testp(const struct spelling *s, double x, bool single)
{
	double least = single ? 0x1p-126 : 0x1p-1022;
	const char *c = s->word[1];

	if (!strcmp(c, "finite"))
		return isfinite(x);
	if (!strcmp(c, "infinite"))
		return isinf(x) != 0;
	if (!strcmp(c, "number"))
		return !isnan(x);
	if (!strcmp(c, "notanumber"))
		return isnan(x);
	if (!strcmp(c, "normal"))
		return isfinite(x) && (fabs(x) >= least || x == 0); /* the ISA counts zeros among the normal numbers */
	return x != 0 && fabs(x) < least;
}

/* Where the window of a space begins; global memory has none. */
static inline u64 reference_window(const char *space)
{
	static const char *const name[] = {"shared", "local", "const", "param"};

	for (u64 i = 0; i < 4; i++)
		if (!strncmp(space, name[i], strlen(name[i])))
			return 0x6fff00000000 + (i << 24);
	return 0;
}

/* cvta.SPACE into the window, cvta.to.SPACE out of it. */
static inline u64 reference_cvta(const struct spelling *s, u64 raw)
{
	return !strcmp(s->word[1], "to") ? raw - reference_window(s->word[2]) : raw + reference_window(s->word[1]);
}

/* dp4a, dp2a: products of packed numbers from the lowest on. */
static inline u64 reference_dot(const struct spelling *s, const u64 *raw)
{
	bool four = s->word[0][2] == '4';
	const char *ta = s->word[s->n - 2], *tb = s->word[s->n - 1];
	u64 a = raw[0], b = spelling_has(s, "hi") ? raw[1] >> 16 : raw[1];
	wide sum = (wide)raw[2];

	for (u32 i = 0; i < (four ? 4 : 2); i++) {
		char small[4] = {ta[0], four ? '8' : '1', four ? 0 : '6'}, byte[3] = {tb[0], '8'};

		sum += type_integer(small, a >> i * (four ? 8 : 16)) * type_integer(byte, b >> 8 * i);
	}
	return (u32)sum;
}

#include "exec_reference_half.h"
#include "exec_reference_narrow.h"

/* What the instruction spelled `form` gives for the operands' bits. */
static inline struct expected reference(const char *form, const u64 *raw)
{
	struct spelling *s = spelling_kept(form);
	const char *c = s->word[0], *t = s->word[s->n - 1];
	wide v, addend;
	struct expected special;
	u64 bits;

	if (reference_special(form, s, raw, &special))
		return special;
	if (!strcmp(c, "prmt"))
		return exact(s->n > 2 ? reference_prmt_mode(s->word[2], raw) : reference_prmt(raw));
	if (strstr(form, ".f16") || strstr(form, ".bf16"))
		return exact(reference_half(s, raw));
	if (c[0] == 'd' && c[1] == 'p')
		return exact(reference_dot(s, raw));
	if (!strcmp(c, "cvt"))
		return reference_cvt(s, raw[0]);
	if (!strcmp(c, "setp"))
		return exact(reference_compare(s, t, raw));
	if (!strcmp(c, "set"))
		return exact(!reference_compare(s, t, raw)	 ? 0
			     : !strcmp(s->word[s->n - 2], "f32") ? 0x3f800000
								 : 0xffffffff);
	if (!strcmp(c, "selp"))
		return exact(type_cut(t, (wide)(raw[2] & 1 ? raw[0] : raw[1])));
	if (!strcmp(c, "slct"))
		return exact(type_cut(s->word[s->n - 2],
				      (wide)((type_real(t) ? (spelling_has(s, "ftz") ? flushed(raw_real(t, raw[2]))
										     : raw_real(t, raw[2])) >= 0
							   : (i32)raw[2] >= 0)
						     ? raw[0]
						     : raw[1])));
	if (!strcmp(c, "mov"))
		return exact(type_cut(t, (wide)raw[0]));
	if (!strcmp(c, "cvta"))
		return exact(reference_cvta(s, raw[0]));
	if (!strcmp(c, "isspacep"))
		return exact(strcmp(s->word[1], "global") ? raw[0] >> 24 == reference_window(s->word[1]) >> 24
							  : raw[0] >> 26 > 0x6fff00000000 >> 26);
	if (!strcmp(c, "testp"))
		return exact(reference_testp(s, raw_real(t, raw[0]), type_bits(t) == 32));
	if (type_real(t))
		return reference_real(s, t, raw);
	if (reference_bits(s, t, raw, &bits))
		return exact(bits);
	if (!strncmp(c, "mul", 3) || !strncmp(c, "mad", 3)) {
		v = reference_mul(s, t, raw, &addend) + addend;
		if (spelling_has(s, "sat"))
			v = clamped(t, reference_mul(s, t, raw, &addend) + type_integer(t, raw[2]));
		return exact(!strcmp(s->word[1], "wide") ? type_bits(t) == 32 ? (u64)v : (u32)v : type_cut(t, v));
	}
	if (reference_integer(s, t, raw, &v))
		return exact(type_cut(t, v));
	return (struct expected){.verdict = UNKNOWN};
}

#endif
