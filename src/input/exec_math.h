/*
 * exec_math.h - what one lane computes: the arithmetic that the bodies of ops.def name.
 *
 * Free of branches where that lets a loop over 32 lanes become vector code, and free of the C library: the same bits
 * on every host. Source: PTX ISA 8.x, "Integer Arithmetic", "Floating Point", "Data Movement and Conversion".
 */
#ifndef WARPSTEP_EXEC_MATH_H
#define WARPSTEP_EXEC_MATH_H

#include "base.h"

#define LANE static inline __attribute__((always_inline))

/* What is one expression is one line. */
/* clang-format off */
/* PTX's names for the signed types, as the rows of ops.def spell them. */
typedef i8 s8;
typedef i16 s16;
typedef i32 s32;
typedef i64 s64;

LANE float float_of(u32 b) { float x; memcpy(&x, &b, 4); return x; }
LANE double double_of(u64 b) { double x; memcpy(&x, &b, 8); return x; }
LANE u32 float_bits(float x) { u32 b; memcpy(&b, &x, 4); return b; }
LANE u64 double_bits(double x) { u64 b; memcpy(&b, &x, 8); return b; }

/* The hardware's one NaN of each type (CUDA's math_constants.h: CUDART_NAN_F, CUDART_NAN). */
LANE u64 canonical_f32(float x) { return x == x ? float_bits(x) : 0x7fffffffu; }
LANE u64 canonical_f64(double x) { return x == x ? double_bits(x) : 0xfff8000000000000u; }

/* Denormals become zeros of their sign. */
LANE u32 flush_bits(u32 b) { return b & 0x7f800000 ? b : b & 0x80000000; }
LANE float flush_f32(float x) { return float_of(flush_bits(float_bits(x))); }
/* x, but zero if the same number times 2^64 says that it is denormal: x may have been rounded up from there. */
LANE float flush_up_f32(float x, float up)
{
	u32 tiny = (float_bits(up) & 0x7fffffff) < (u32)(127 - 62) << 23 ? 0x80000000 : ~0u;

	return flush_f32(float_of(float_bits(x) & tiny));
}
LANE u64 magnitude_f64(u64 b) { return b & INT64_MAX; }
LANE double flush_f64(double x)
{
	u64 b = double_bits(x);

	return double_of(b & 0x7ff0000000000000 ? b : b & 1ULL << 63);
}
/* rcp and rsqrt with .approx.ftz.f64: of upper words alone; what is denormal is zero; their NaN is one of its own. */
LANE u64 near_reciprocal(u64 bits, bool root)
{
	double x = flush_f64(double_of(bits >> 32 << 32)), r = 1 / (root ? __builtin_sqrt(x) : x);

	return r == r ? double_bits(flush_f64(r)) >> 32 << 32 : 0x7fffffff00000000;
}
/* div.approx: by a number above 2^126 it gives zero, of infinity NaN. */
LANE float near_quotient(float a, float b)
{
	float m = float_of(float_bits(b) & 0x7fffffff);

	return m > 0x1p126f && m < float_of(0x7f800000) ? a * 0 * (b > 0 ? 1 : -1.0f) : a / b;
}

/* .sat: into [0, 1], NaN to +0. */
LANE float unit_f32(float x) { x = x > 0 ? x : 0; return x < 1 ? x : 1; }
LANE double unit_f64(double x) { x = x > 0 ? x : 0; return x < 1 ? x : 1; }

/* A NaN loses against a number; of two zeros the negative one is less. */
#define LESSER(name, type, than, zero) \
	LANE type name(type a, type b) \
	{ \
		type m = a than b ? a : b; \
\
		m = a == b ? type##_of(type##_bits(a) zero type##_bits(b)) : m; \
		m = a != a ? b : m; \
		return b != b ? a : m; \
	}
LESSER(min_f32, float, <, |)
LESSER(max_f32, float, >, &)
LESSER(min_f64, double, <, |)
LESSER(max_f64, double, >, &)
#undef LESSER

/* m, but NaN if one of two is. */
LANE float either_nan_f32(float a, float b, float m) { return a == a && b == b ? m : float_of(0x7fffffff); }
LANE float any_nan_f32(float a, float b, float c, float m)
{
	return a == a && b == b && c == c ? m : float_of(0x7fffffff);
}
LANE float abs_f32(float a) { return float_of(float_bits(a) & 0x7fffffff); }
/* m with the sign of another number; a NaN has none. */
LANE float xorsign_f32(u32 sign, float m)
{
	return m == m ? float_of((float_bits(m) & 0x7fffffff) | (sign & 0x80000000)) : m;
}

/*
 * Half precision, in double: sums, products and products with a sum of halves are exact there where the half they are
 * rounded to depends on it. half_to: the value of 16 bits; half_round: the half near x, to nearest even or in a
 * direction; its NaN is 0x7fff.
 */
enum half_mode { HALF_RN, HALF_RZ, HALF_RM, HALF_RP };
LANE double half_to(u32 h)
{
	u32 m = h & 0x7fff;
	float small = (float)(i32)m * 0x1p-24f, v = float_of((m << 13) + (112u << 23));

	v = m < 0x400 ? small : v;
	v = m < 0x7c00 ? v : float_of(m << 13 | 0xffu << 23);
	return (double)float_of(float_bits(v) | (h & 0x8000) << 16);
}
LANE u32 half_flush(u32 h) { return h & 0x7c00 ? h : h & 0x8000; }
LANE u32 half_round(double x, enum half_mode mode)
{
	u64 b = double_bits(x), mag = magnitude_f64(b), e = mag >> 52;
	u32 minus = (u32)(b >> 63), bits;
	bool down = mode == HALF_RZ || (mode == HALF_RM && !minus) || (mode == HALF_RP && minus);
	bool up = (mode == HALF_RM && minus) || (mode == HALF_RP && !minus);
	double m = double_of(mag), r, big, step;

	e = e < 1009 ? 1009 : e > 1043 ? 1043 : e; /* 2^-14, 2^20 */
	big = double_of((e + 42) << 52);
	step = double_of((e - 10) << 52);
	r = m + big - big;
	r = down && r > m ? r - step : r;
	r = up && r < m ? r + step : r;
	bits = (u32)(i32)((r < 0x1p-14 ? r : 0) * 0x1p24);
	bits = r < 0x1p-14 ? bits : (u32)(double_bits(r) >> 42) - (1008u << 10);
	bits = r < 0x1p16 ? bits : down && mag < (u64)0x7ff << 52 ? 0x7bff : 0x7c00;
	return x == x ? bits | minus << 15 : 0x7fff;
}
LANE u32 half_of(double x) { return half_round(x, HALF_RN); }
/* Flushed, as what it would be rounded to if there were no least exponent says: times 2^8, it is below 2^-6. */
LANE u32 half_flush_up(double x)
{
	u32 h = half_of(x);

	return (half_of(x * 0x1p8) & 0x7fff) < (15 - 6) << 10 ? h & 0x8000 : h;
}
LANE u32 half_pair(u32 low, u32 high) { return low | high << 16; }
/* .relu: what is below zero becomes zero, -0 too. */
LANE u32 half_relu(u32 h) { return h & 0x8000 ? 0 : h; }
/* .satfinite: the greatest number in place of infinity. */
LANE u32 half_finite(u32 h) { return (h & 0x7fff) == 0x7c00 ? h - 1 : h; }
LANE u32 brain_finite(u32 h) { return (h & 0x7fff) == 0x7f80 ? h - 1 : h; }
/* .xorsign: h with a sign, which a NaN has not. */
LANE u32 half_sign(u32 h, u32 sign, u32 infinity)
{
	return (h & 0x7fff) > infinity ? h : (h & 0x7fff) | (sign & 0x8000);
}
LANE double abs_f64(double a) { return double_of(magnitude_f64(double_bits(a))); }
/* min.NaN, max.NaN: m, unless one of two is NaN. */
LANE double half_nan(double a, double b, double m) { return a == a && b == b ? m : double_of(0x7ff8000000000000); }

/*
 * bf16: the upper half of a float; its NaN is 0x7fff. Products are exact in double, sums of distant values are not:
 * they are rounded to odd there, which leaves the second rounding, to bf16, what it would have been of the exact sum.
 */
LANE double brain_to(u32 h) { return (double)float_of(h << 16); }
LANE u32 brain_round(double x, enum half_mode mode)
{
	u64 mag = magnitude_f64(double_bits(x)), e = mag >> 52;
	u32 minus = (u32)(double_bits(x) >> 63), bits;
	bool down = mode == HALF_RZ || (mode == HALF_RM && !minus) || (mode == HALF_RP && minus);
	bool up = (mode == HALF_RM && minus) || (mode == HALF_RP && !minus);
	double m = double_of(mag), r, big, step;

	e = e < 897 ? 897 : e > 1151 ? 1151 : e; /* 2^-126, 2^128 */
	big = double_of((e + 45) << 52);
	step = double_of((e - 7) << 52);
	r = m + big - big;
	r = down && r > m ? r - step : r;
	r = up && r < m ? r + step : r;
	bits = float_bits((float)r) >> 16;
	bits = down && bits == 0x7f80 && mag < (u64)0x7ff << 52 ? 0x7f7f : bits;
	return x == x ? bits | minus << 15 : 0x7fff;
}
LANE u32 brain_flush(u32 h) { return h & 0x7f80 ? h : h & 0x8000; }
/*
 * tf32: a float of 10 bits of fraction, to nearest (ties to even; _away: away from zero) or towards zero. finite: what
 * is beyond the greatest number becomes it; relu: what is below zero becomes zero.
 */
LANE u32 tf32_of(u32 b, u32 rounded, bool finite, bool relu)
{
	u32 sign = b & 0x80000000, m = b & 0x7fffffff, r = rounded & 0x7fffe000;

	r = m >= 0x7f800000 ? m : r;
	r = finite && r > 0x7f7fe000 ? 0x7f7fe000 : r;
	return m > 0x7f800000 ? 0x7fffffff : relu && sign ? 0 : r | sign;
}
LANE u32 tf32_near(u32 b) { return b + 0xfff + (b >> 13 & 1); }
LANE u32 tf32_away(u32 b) { return b + 0x1000; }
LANE u32 brain_of(double x) { return brain_round(x, HALF_RN); }
LANE double odd_sum(double a, double b)
{
	double s = a + b, t = s - a, rest = (a - (s - t)) + (b - t);
	u64 bits = double_bits(s), step = (rest > 0) == (s > 0) ? 1 : ~(u64)0;

	return double_of((rest > 0 || rest < 0) && !(bits & 1) ? bits + step : bits);
}

/*
 * Formats of 8, 6 and 4 bits: a sign (bit `top'), an exponent whose least is `least', `fraction' bits. Rounded to
 * nearest even; what is beyond the greatest code becomes it. A NaN is 0x7f, or, where there is none, the greatest code.
 */
LANE u32 small_of(double x, int least, u32 fraction, u32 greatest, u32 nan, u32 top)
{
	u64 b = double_bits(x), mag = magnitude_f64(b), e = mag >> 52, low = (u64)(1023 + least);
	u32 minus = (u32)(b >> 63), bits, normal;
	double big, r;

	e = e < low ? low : e > 1043 ? 1043 : e; /* 2^20 is beyond all of them */
	big = double_of((e + 52 - fraction) << 52);
	r = double_of(mag) + big - big;
	bits = (u32)(i32)((r < 1 ? r : 0) * double_of((u64)(1023 + (i32)fraction - least) << 52));
	normal = (u32)(double_bits(r) >> (52 - fraction)) - (u32)((low - 1) << fraction);
	bits = r < double_of(low << 52) ? bits : normal;
	bits = bits > greatest ? greatest : bits;
	return x == x ? bits | minus << top : nan;
}
LANE u32 e4m3_of(double x) { return small_of(x, -6, 3, 0x7e, 0x7f, 7); }
LANE u32 e5m2_of(double x) { return small_of(x, -14, 2, 0x7b, 0x7f, 7); }
LANE u32 e2m3_of(double x) { return small_of(x, 0, 3, 0x1f, 0x1f, 5); }
LANE u32 e3m2_of(double x) { return small_of(x, -2, 2, 0x1f, 0x1f, 5); }
LANE u32 e2m1_of(double x) { return small_of(x, 0, 1, 0x7, 0x7, 3); }
LANE u32 e4m3_relu(double x) { return e4m3_of(x < 0 ? 0 : x) & 0x7f; }
LANE u32 e5m2_relu(double x) { return e5m2_of(x < 0 ? 0 : x) & 0x7f; }
LANE u32 e2m3_relu(double x) { return e2m3_of(x < 0 ? 0 : x) & 0x1f; }
LANE u32 e3m2_relu(double x) { return e3m2_of(x < 0 ? 0 : x) & 0x1f; }
LANE u32 e2m1_relu(double x) { return e2m1_of(x < 0 ? 0 : x) & 0x7; }
LANE u32 byte_pair(u32 low, u32 high) { return low | high << 8; }
/* The halves of the codes, which are exact: seen as a half, a code is too small by the difference of the biases. */
LANE u32 e4m3_half(u32 c)
{
	u32 m = c & 0x7f;

	return m == 0x7f ? 0x7fff : half_of(half_to(m << 7) * 0x1p8) | (c & 0x80) << 8;
}
LANE u32 e5m2_half(u32 c) { return (c & 0x7f) > 0x7c ? 0x7fff : (c & 0xff) << 8; }
LANE u32 e2m3_half(u32 c) { return half_of(half_to((c & 0x1f) << 7) * 0x1p14) | (c & 0x20) << 10; }
LANE u32 e3m2_half(u32 c) { return half_of(half_to((c & 0x1f) << 8) * 0x1p12) | (c & 0x20) << 10; }
LANE u32 e2m1_half(u32 c) { return half_of(half_to((c & 0x7) << 9) * 0x1p14) | (c & 0x8) << 12; }
/* ue8m0: powers of two from 2^-127 on, without a sign; 0xff is NaN. */
LANE u32 scale_of(float x, bool up, bool finite)
{
	u32 m = float_bits(x) & 0x7fffffff, c = m >> 23;

	c += up && m < 0x7f800000 && m > 0x400000 && (m & 0x7fffff) ? 1 : 0;
	return m > 0x7f800000 ? 0xff : finite && c == 0xff ? 0xfe : c;
}
LANE u32 scale_brain(u32 c) { return c == 0xff ? 0x7fff : c ? c << 7 : 0x40; }

/* Two floats of a register pair. */
LANE u64 float_pair(float low, float high) { return canonical_f32(low) | canonical_f32(high) << 32; }
/* Two halves of a word as integers, and what is below zero as zero. */
LANE u32 int_pair(i32 low, i32 high) { return ((u32)low & 0xffff) | (u32)high << 16; }
LANE i32 least_s32(i32 a, i32 b) { return a < b ? a : b; }
LANE i32 most_s32(i32 a, i32 b) { return a > b ? a : b; }
/* v in n bits, clamped to those that a signed or unsigned number of them has. */
LANE u32 bits_clamp(i32 v, u32 n, bool sign)
{
	i32 low = sign ? -(1 << (n - 1)) : 0, high = (1 << (sign ? n - 1 : n)) - 1;

	return (u32)least_s32(most_s32(v, low), high) & ((1u << n) - 1);
}
/* The n-th set bit of mask from base on, upwards, or downwards for n < 0; base itself if n is 0 and its bit is set. */
LANE u32 bits_nth(u32 mask, u32 base, i32 n)
{
	u32 left = n < 0 ? 0u - (u32)n : (u32)n, found = ~0u;

	for (u32 k = 0; k < 32; k++) {
		u32 at = n < 0 ? base - k : base + k;
		bool set = at < 32 && mask >> (at & 31) & 1;

		found = set && found == ~0u && left == 1 ? at : found;
		left -= set && left ? 1 : 0;
	}
	found = n ? found : mask >> (base & 31) & 1 ? base : ~0u;
	return base < 32 ? found : ~0u;
}

/* Packed products: byte or half i of a word, as a number; sums modulo 2^32. */
LANE i32 packed_byte(u32 x, u32 i, bool sign) { return sign ? (i8)(x >> 8 * i) : (i32)(x >> 8 * i & 0xff); }
LANE i32 packed_half(u32 x, u32 i, bool sign) { return sign ? (i16)(x >> 16 * i) : (i32)(x >> 16 * i & 0xffff); }
LANE u32 dot_4(u32 a, u32 b, u32 c, bool sa, bool sb)
{
	for (u32 i = 0; i < 4; i++)
		c += (u32)(packed_byte(a, i, sa) * packed_byte(b, i, sb));
	return c;
}
LANE u32 dot_2(u32 a, u32 b, u32 c, bool sa, bool sb)
{
	for (u32 i = 0; i < 2; i++)
		c += (u32)(packed_half(a, i, sa) * packed_byte(b, i, sb));
	return c;
}

/* Upper halves of products; the low 24 bits of an operand. */
LANE u16 high_s16(i16 a, i16 b) { return (u16)((a * b) >> 16); }
LANE u16 high_u16(u16 a, u16 b) { return (u16)((u32)a * b >> 16); }
LANE u32 high_s32(i32 a, i32 b) { return (u32)((i64)a * b >> 32); }
LANE u32 high_u32(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
LANE u64 high_s64(i64 a, i64 b) { return (u64)((__int128)a * b >> 64); }
LANE u64 high_u64(u64 a, u64 b) { return (u64)((unsigned __int128)a * b >> 64); }
LANE i32 low24_s(u32 a) { return (i32)(a << 8) >> 8; }
LANE u32 low24_u(u32 a) { return a & 0xffffff; }
LANE i64 sat_s32(i64 v) { v = v < INT32_MAX ? v : INT32_MAX; return v > INT32_MIN ? v : INT32_MIN; }

/* Quotients and remainders without traps: x / 0 is all ones, x % 0 is x, the least number / -1 wraps. */
#define DIVISIONS(n) \
	LANE u##n div_u##n(u##n a, u##n b) \
	{ \
		return b ? (u##n)(a / b) : (u##n) ~(u##n)0; \
	} \
	LANE u##n rem_u##n(u##n a, u##n b) \
	{ \
		return b ? (u##n)(a % b) : (u##n) ~(u##n)0; \
	} \
	LANE u##n div_s##n(i##n a, i##n b) \
	{ \
		if (b == -1) \
			return (u##n)(0u - (u##n)a); \
		return b ? (u##n)(a / b) : (u##n) ~(u##n)0; \
	} \
	LANE u##n rem_s##n(i##n a, i##n b) \
	{ \
		if (b == -1) \
			return 0; \
		return b ? (u##n)(a % b) : (u##n) ~(u##n)0; \
	}
DIVISIONS(16)
DIVISIONS(32)
DIVISIONS(64)
#undef DIVISIONS

/* Counts of bits. */
LANE u32 bits_popc(u32 x)
{
	x -= x >> 1 & 0x55555555;
	x = (x & 0x33333333) + (x >> 2 & 0x33333333);
	x = (x + (x >> 4)) & 0x0f0f0f0f;
	return x * 0x01010101 >> 24;
}
LANE u32 bits_clz(u32 x)
{
	x |= x >> 1;
	x |= x >> 2;
	x |= x >> 4;
	x |= x >> 8;
	x |= x >> 16;
	return bits_popc(~x);
}
LANE u32 bits_clz64(u64 x)
{
	u32 high = (u32)(x >> 32);

	return high ? bits_clz(high) : 32 + bits_clz((u32)x);
}
/* Shift that brings the highest set bit to the top, all ones for none. */
LANE u32 bits_amount(u64 x, u32 top)
{
	u32 n = top == 31 ? bits_clz((u32)x) : bits_clz64(x);

	return n > top ? ~0u : n;
}
LANE u32 bits_brev(u32 x)
{
	x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
	x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
	x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(x);
}

/* Bit fields: position and length are the low bytes of p and n; bits beyond the top are absent. */
#define BIT_FIELDS(w) \
	LANE u##w bits_ones_##w(u32 n) \
	{ \
		return n < w ? ((u##w)1 << (n & (w - 1))) - 1 : ~(u##w)0; \
	} \
	LANE u##w bits_bfe_u##w(u##w a, u32 p, u32 n) \
	{ \
		p &= 0xff; \
		return (p < w ? a >> (p & (w - 1)) : 0) & bits_ones_##w(n & 0xff); \
	} \
	LANE u##w bits_bfe_s##w(u##w a, u32 p, u32 n) \
	{ \
		u32 pos = p & 0xff, len = n & 0xff, end = pos + len; \
		u##w whole = (u##w)((i##w)a >> (pos < w ? pos : w - 1)); \
		u##w part = (u##w)((i##w)(a << ((w - end) & (w - 1))) >> ((w - len) & (w - 1))); \
\
		return !len ? 0 : end >= w ? whole : part; \
	} \
	LANE u##w bits_bfi_##w(u##w a, u##w b, u32 p, u32 n) \
	{ \
		u32 pos = p & 0xff; \
		u##w mask = pos < w ? bits_ones_##w(n & 0xff) << (pos & (w - 1)) : 0; \
\
		return (b & ~mask) | (a << (pos & (w - 1)) & mask); \
	}
BIT_FIELDS(32)
BIT_FIELDS(64)
#undef BIT_FIELDS

/* One byte of prmt: the selector's low three bits choose among b:a, its fourth replicates the sign. */
LANE u32 bits_prmt_byte(u64 v, u32 s)
{
	u32 byte = (u32)(v >> (s & 7) * 8) & 0xff;

	return s & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}
LANE u32 bits_prmt(u32 a, u32 b, u32 s)
{
	u64 v = a | (u64)b << 32;

	return bits_prmt_byte(v, s) | bits_prmt_byte(v, s >> 4) << 8 | bits_prmt_byte(v, s >> 8) << 16 |
	       bits_prmt_byte(v, s >> 12) << 24;
}
/* Selectors of prmt: byte i is that of i or of s, whichever is higher (from the left edge on), or lower. */
LANE u32 bits_edge_left(u32 s) { return 0x3000 + (s > 2 ? s : 2) * 0x100 + (s > 1 ? s : 1) * 0x10 + s; }
LANE u32 bits_edge_right(u32 s) { return s * 0x1000 + (s < 2 ? s : 2) * 0x100 + (s < 1 ? s : 1) * 0x10; }
/* n ones from bit a on. */
LANE u32 bits_mask(u32 a, u32 n)
{
	u32 ones = n < 32 ? (1u << (n & 31)) - 1 : ~0u;

	return a < 32 ? ones << (a & 31) : 0;
}
/* The low n bits with their sign. */
LANE u32 bits_extend(u32 a, u32 n)
{
	u32 mask = bits_mask(0, n);

	return (a & mask) | (n - 1 < 31 && a >> ((n - 1) & 31) & 1 ? ~mask : 0);
}
/* Funnel shifts of b:a by n <= 32: the upper word of the left one, the lower word of the right one. */
LANE u32 bits_funnel_left(u32 a, u32 b, u32 n) { return (u32)((a | (u64)b << 32) << n >> 32); }
LANE u32 bits_funnel_right(u32 a, u32 b, u32 n) { return (u32)((a | (u64)b << 32) >> n); }
/* The truth table's bit at a:b:c, for each bit: one of eight minterms a time. */
LANE u32 bits_lop3(u32 a, u32 b, u32 c, u32 lut)
{
	u32 low = ((0u - (lut & 1)) & ~b & ~c) | ((0u - (lut >> 1 & 1)) & ~b & c) | ((0u - (lut >> 2 & 1)) & b & ~c) |
		  ((0u - (lut >> 3 & 1)) & b & c);
	u32 high = ((0u - (lut >> 4 & 1)) & ~b & ~c) | ((0u - (lut >> 5 & 1)) & ~b & c) |
		   ((0u - (lut >> 6 & 1)) & b & ~c) | ((0u - (lut >> 7 & 1)) & b & c);

	return (~a & low) | (a & high);
}

/* Saturating conversions between integers: from any signed or narrower value (s), and from u64 (u). */
#define SATURATE(t, low, high) \
	LANE t sat_s_##t(i64 v) \
	{ \
		v = v < (i64)(low) ? (i64)(low) : v; \
		return (t)(v > (i64)(high) ? (i64)(high) : v); \
	} \
	LANE t sat_u_##t(u64 v) \
	{ \
		return (t)(v > (u64)(high) ? (u64)(high) : v); \
	}
SATURATE(u8, 0, UINT8_MAX)
SATURATE(s8, INT8_MIN, INT8_MAX)
SATURATE(u16, 0, UINT16_MAX)
SATURATE(s16, INT16_MIN, INT16_MAX)
SATURATE(u32, 0, UINT32_MAX)
SATURATE(s32, INT32_MIN, INT32_MAX)
SATURATE(s64, INT64_MIN, INT64_MAX)
#undef SATURATE
LANE u64 sat_s_u64(i64 v) { return v < 0 ? 0 : (u64)v; }
LANE u64 sat_u_u64(u64 v) { return v; }

/* Whole numbers near x: to nearest even, towards zero, down, up; the sign is kept, also of a zero. */
LANE double round_rni(double x) { return __builtin_rint(x); }
LANE double round_rzi(double x) { return __builtin_trunc(x); }
LANE double round_rmi(double x) { return __builtin_floor(x); }
LANE double round_rpi(double x) { return __builtin_ceil(x); }

/* Whole numbers into an integer's range. A NaN of single precision gives 0 (clamp), one of double precision the top bit
 * alone (clampd), and so does either of them in 64 bits. Narrow ones stay as wide as the register: no lane is packed.
 */
#define CLAMP(t, wide, low, high) \
	LANE wide clamp_##t(double x) \
	{ \
		x = x == x ? x : 0; \
		x = x < (double)(low) ? (double)(low) : x; \
		return (wide)(x > (double)(high) ? (double)(high) : x); \
	} \
	LANE wide clampd_##t(double x) \
	{ \
		return x == x ? clamp_##t(x) : (t)(1u << (sizeof(t) * 8 - 1)); \
	}
CLAMP(u8, i32, 0, UINT8_MAX)
CLAMP(s8, i32, INT8_MIN, INT8_MAX)
CLAMP(u16, i32, 0, UINT16_MAX)
CLAMP(s16, i32, INT16_MIN, INT16_MAX)
CLAMP(u32, u32, 0, UINT32_MAX)
CLAMP(s32, i32, INT32_MIN, INT32_MAX)
#undef CLAMP
LANE s64 clamp_s64(double x)
{
	/* cppcheck-suppress incorrectLogicOperator ; it misreads hexadecimal floats */
	i64 v = (i64)(x >= -0x1p63 && x < 0x1p63 ? x : 0);

	return x >= 0x1p63 ? INT64_MAX : x >= -0x1p63 ? v : INT64_MIN;
}
LANE u64 clamp_u64(double x)
{
	u64 v = (u64)(x > 0 && x < 0x1p64 ? x : 0);

	return x >= 0x1p64 ? UINT64_MAX : x == x ? v : (u64)1 << 63;
}
LANE s64 clampd_s64(double x) { return clamp_s64(x); }
LANE u64 clampd_u64(double x) { return clamp_u64(x); }

/* 2^t for |t| < 1000: a whole power times the exponential series of the rest, to 2^-42. */
LANE double power_of_two(double t)
{
	double n = t + 0x1.8p52, f = (t - (n - 0x1.8p52)) * 0x1.62e42fefa39efp-1;
	double p = 1.0 / 3628800;

	p = p * f + 1.0 / 362880;
	p = p * f + 1.0 / 40320;
	p = p * f + 1.0 / 5040;
	p = p * f + 1.0 / 720;
	p = p * f + 1.0 / 120;
	p = p * f + 1.0 / 24;
	p = p * f + 1.0 / 6;
	p = p * f + 1.0 / 2;
	p = p * f + 1.0;
	p = p * f + 1.0;
	return p * double_of((double_bits(n) + 1023) << 52);
}
/* Beyond the clamps the result is 0 or infinity in single precision anyway. */
LANE float approx_ex2(float x)
{
	double t = x;

	t = t > 130 ? 130 : t;
	return (float)power_of_two(t < -160 ? -160 : t);
}
/* The same for halves, before they are rounded. */
LANE double half_ex2(double t)
{
	t = t > 300 ? 300 : t;
	return power_of_two(t < -300 ? -300 : t);
}
/* tanh x = 1 - 2 / (e^2x + 1); near 0 by its series, where that cancels. */
LANE double half_tanh(double x)
{
	double t = x * (2 * 0x1.71547652b82fep0), q = x * x, far = 1 - 2 / (half_ex2(t) + 1);
	double near = x * (1 - q * (1.0 / 3 - q * (2.0 / 15 - q * (17.0 / 315 - q * (62.0 / 2835)))));

	return q < 0x1p-8 ? near : far;
}
/* Mantissa in [sqrt 1/2, sqrt 2) by its series in (m - 1) / (m + 1), to 2^-38. */
LANE float approx_lg2(float x)
{
	u64 b = double_bits(x), moved = b + (0x3ff0000000000000 - 0x3fe6a09e667f3bcd);
	double e = (double)((i32)(moved >> 52 & 0x7ff) - 1023);
	double m = double_of((moved & 0xfffffffffffff) + 0x3fe6a09e667f3bcd);
	double s = (m - 1) / (m + 1), q = s * s, p = 1.0 / 13;
	double r;

	p = p * q + 1.0 / 11;
	p = p * q + 1.0 / 9;
	p = p * q + 1.0 / 7;
	p = p * q + 1.0 / 5;
	p = p * q + 1.0 / 3;
	p = p * q + 1.0;
	r = e + p * s * (2 * 0x1.71547652b82fep0);
	r = x > 0 ? r : double_of(0x7ff8000000000000);
	r = x == 0 ? double_of(0xfff0000000000000) : r;
	return (float)(x == double_of(0x7ff0000000000000) ? x : r);
}
/* Sine of x + quarters x pi/2: reduced to +-pi/4, then Taylor's series; beyond 2^30 only bounded, as PTX allows. */
LANE float approx_turn(float x, u64 quarters)
{
	double n = x * 0x1.45f306dc9c883p-1 + 0x1.8p52, k = n - 0x1.8p52;
	double r = x - k * 0x1.921fb544p0 - k * 0x1.0b4611a626331p-34, q, sine, cosine;
	u64 quadrant = double_bits(n) + quarters;

	r = r > 0.79 ? 0.79 : r;
	r = r < -0.79 ? -0.79 : r;
	q = r * r;
	sine = r + r * q * (-1.0 / 6 + q * (1.0 / 120 + q * (-1.0 / 5040 + q * (1.0 / 362880 - q / 39916800))));
	cosine = 1 + q * (-1.0 / 2 + q * (1.0 / 24 + q * (-1.0 / 720 + q * (1.0 / 40320 - q / 3628800))));
	sine = quadrant & 1 ? cosine : sine;
	return (float)(quadrant & 2 ? -sine : sine);
}
LANE float approx_sin(float x) { return approx_turn(x, 0); }
LANE float approx_cos(float x) { return approx_turn(x, 1); }
LANE float approx_tanh(float x) { return (float)half_tanh(x); }

#endif
