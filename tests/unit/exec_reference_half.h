/*
 * exec_reference_half.h - what instructions on half precision mean, from their spelling: part of exec_reference.h.
 *
 * Values are 128-bit floating point, in which sums and products of halves are exact; the nearest half is searched among them.
 */
#ifndef EXEC_REFERENCE_HALF_H
#define EXEC_REFERENCE_HALF_H

typedef __float128 quad;

/* The value of a half that is not NaN; exponent 31 stands for 2^16, where rounding becomes infinity. */
static inline double half_scale(u32 h)
{
	u32 e = h >> 10 & 31, m = h & 0x3ff;

	return e ? ldexp(1024 + m, (int)e - 25) : ldexp(m, -24);
}
static inline double half_value(u64 raw)
{
	u32 h = (u32)raw & 0x7fff;
	double x = h > 0x7c00 ? NAN : h == 0x7c00 ? INFINITY : half_scale(h);

	return raw & 0x8000 ? -x : x;
}

/* The half to which x is rounded. */
static inline u32 half_nearest(quad x, int mode)
{
	bool minus = __builtin_signbit(x), away;
	quad m = minus ? -x : x;
	u32 low = 0, high = 0x7c00;

	if (x != x)
		return 0x7fff;
	if (m == (quad)INFINITY)
		return minus ? 0xfc00 : 0x7c00;
	while (high - low > 1) {
		u32 middle = (low + high) / 2;

		*(half_scale(middle) <= m ? &low : &high) = middle;
	}
	if (m == half_scale(low))
		away = false;
	else if (mode == FE_TONEAREST)
		away = m - half_scale(low) > half_scale(high) - m || (m - half_scale(low) == half_scale(high) - m && low & 1);
	else
		away = mode == (minus ? FE_DOWNWARD : FE_UPWARD);
	if (m >= half_scale(0x7c00))
		away = away || mode == FE_TONEAREST || mode == (minus ? FE_DOWNWARD : FE_UPWARD);
	return (away ? high : low) | (minus ? 0x8000 : 0);
}

static inline double half_flushed(double x) { return flushed_below(x, 0x1p-14); }

/* cvt.MODIFIERS.D.S, one of them a half. */
static inline u64 half_cvt(const struct spelling *s, const u64 *raw)
{
	const char *d = s->word[s->n - 2], *t = s->word[s->n - 1];
	bool from_half = !strcmp(t, "f16");
	quad x = from_half ? half_value(raw[0]) : type_real(t) ? raw_real(t, raw[0]) : (quad)type_integer(t, raw[0]);

	if (!strcmp(d, "f16x2")) {
		u32 high = half_nearest(raw_real(t, raw[0]), rounding_of(s)), low = half_nearest(raw_real(t, raw[1]), rounding_of(s));

		if (spelling_has(s, "relu")) {
			high = high >= 0x8000 ? 0 : high;
			low = low >= 0x8000 ? 0 : low;
		}
		return high << 16 | low;
	}
	if (type_real(t) && !from_half && spelling_has(s, "ftz") && !strcmp(t, "f32"))
		x = flushed((double)x);
	if (!type_real(d)) {
		if (x != x)
			return type_bits(d) < 64 ? 0 : filled(d, (wide)1 << (type_bits(d) - 1));
		x = whole(s, (double)x);
		return filled(d, (double)x > 1e6 ? type_most(d) : (double)x < -1e6 ? type_least(d) : clamped(d, (wide)x));
	}
	if (from_half && s->n == 3 && !strcmp(d, t))
		return raw[0] & 0xffff;
	if (from_half)
		x = whole(s, (double)x);
	if (spelling_has(s, "sat"))
		x = x > 0 ? x > 1 ? 1 : x : 0;
	return strcmp(d, "f16") ? real_raw(d, (double)x) : half_nearest(x, rounding_of(s));
}

/* One half each of add, sub, mul, fma, neg, abs, min, max; set gives 1 and 0. */
static inline u32 half_one(const struct spelling *s, u64 ra, u64 rb, u64 rc)
{
	const char *c = s->word[0];
	bool ftz = spelling_has(s, "ftz");
	double a = half_value(ra & 0xffff), b = half_value(rb & 0xffff), e = half_value(rc & 0xffff);
	u32 h;
	quad x;

	if (ftz) {
		a = half_flushed(a);
		b = half_flushed(b);
		e = half_flushed(e);
	}
	if (!strcmp(c, "neg") || !strcmp(c, "abs")) {
		h = ftz ? half_nearest(a, FE_TONEAREST) : (u32)ra & 0xffff;
		return c[0] == 'n' ? isnan(a) && ftz ? h : h ^ 0x8000 : h & 0x7fff;
	}
	if (!strcmp(c, "set"))
		return compare_holds(s->word[1], (a > b) - (a < b), isnan(a) || isnan(b)) ? 0x3c00 : 0;
	if (!strcmp(c, "min") || !strcmp(c, "max")) {
		if (spelling_has(s, "NaN") && (isnan(a) || isnan(b)))
			return 0x7fff;
		x = c[1] == 'i' ? real_least(a, b) : -real_least(-a, -b);
		return half_nearest(x, FE_TONEAREST);
	}
	x = !strcmp(c, "add") ? (quad)a + b : !strcmp(c, "sub") ? (quad)a - b : (quad)a * b;
	if (!strcmp(c, "fma"))
		x += e;
	if (spelling_has(s, "sat"))
		x = x > 0 ? x > 1 ? 1 : x : 0;
	h = half_nearest(x, FE_TONEAREST);
	if (ftz && !(h & 0x7c00))
		h &= 0x8000;
	return spelling_has(s, "relu") && h & 0x8000 ? 0 : h;
}

/* What a spelling with halves in it gives. */
static inline u64 reference_half(const struct spelling *s, const u64 *raw)
{
	const char *c = s->word[0], *t = s->word[s->n - 1];
	bool two = !strcmp(t, "f16x2");

	if (!strcmp(c, "cvt"))
		return half_cvt(s, raw);
	if (two && !strcmp(c, "set") && strcmp(s->word[s->n - 2], t))
		return (half_one(s, raw[0], raw[1], 0) ? 0xffff : 0) | (half_one(s, raw[0] >> 16, raw[1] >> 16, 0) ? 0xffff0000 : 0);
	if (!strcmp(c, "setp") || (!strcmp(c, "set") && strcmp(s->word[s->n - 2], t))) {
		double a = half_value(raw[0]), b = half_value(raw[1]);
		bool ftz = spelling_has(s, "ftz"), holds;

		a = ftz ? half_flushed(a) : a;
		b = ftz ? half_flushed(b) : b;
		holds = compare_holds(s->word[1], (a > b) - (a < b), isnan(a) || isnan(b));
		return !strcmp(c, "setp") ? holds : !holds ? 0 : !strcmp(s->word[s->n - 2], "f32") ? 0x3f800000 : 0xffffffff;
	}
	return half_one(s, raw[0], raw[1], raw[2]) | (two ? half_one(s, raw[0] >> 16, raw[1] >> 16, raw[2] >> 16) << 16 : 0);
}

#endif
