/*
 * exec_reference_half.h - what instructions on half precision mean, from their spelling: part of exec_reference.h.
 *
 * Values are 128-bit floating point, in which sums and products of halves are exact; the nearest half is searched among
 * them. The format is IEEE's (f16) or the upper half of a float (bf16), whose distant values have sums with a rest.
 */
#ifndef EXEC_REFERENCE_HALF_H
#define EXEC_REFERENCE_HALF_H

typedef __float128 quad;

/* A format: its bits of fraction, the exponent of its least normal value, its 1 and its infinity. */
struct half_format {
	u32 fraction;
	int least;
	u32 one, infinity;
};
static const struct half_format half_ieee = {10, -14, 0x3c00, 0x7c00}, half_brain = {7, -126, 0x3f80, 0x7f80};
static inline const struct half_format *half_format_of(const char *type)
{
	return type[0] == 'b' ? &half_brain : &half_ieee;
}
static inline bool half_is(const char *type)
{
	return !strcmp(type, "f16") || !strcmp(type, "bf16");
}

/* The value of a half that is not NaN; the infinity stands for the power of two where rounding becomes it. */
static inline double half_scale(const struct half_format *f, u32 h)
{
	u32 unit = 1u << f->fraction, e = h / unit, m = h % unit;

	return e ? ldexp(unit + m, (int)e - 1 + f->least - (int)f->fraction) : ldexp(m, f->least - (int)f->fraction);
}
static inline double half_value(const struct half_format *f, u64 raw)
{
	u32 h = (u32)raw & 0x7fff;
	double x = h > f->infinity ? NAN : h == f->infinity ? INFINITY : half_scale(f, h);

	return raw & 0x8000 ? -x : x;
}

/* The half to which x is rounded; rest, which is far less than x, decides ties. */
static inline u32 half_nearest_of(const struct half_format *f, quad x, quad rest, int mode)
{
	bool minus = __builtin_signbit(x), away;
	quad m = minus ? -x : x, more = minus ? -rest : rest;
	u32 low = 0, high = f->infinity;

	if (x != x)
		return 0x7fff;
	if (m == (quad)INFINITY)
		return f->infinity | (minus ? 0x8000 : 0);
	while (high - low > 1) {
		u32 middle = (low + high) / 2;

		*(half_scale(f, middle) <= m ? &low : &high) = middle;
	}
	if (m == half_scale(f, low))
		away = false;
	else if (mode == FE_TONEAREST && m - half_scale(f, low) == half_scale(f, high) - m)
		away = more > 0 || (more == 0 && low & 1);
	else if (mode == FE_TONEAREST)
		away = m - half_scale(f, low) > half_scale(f, high) - m;
	else
		away = mode == (minus ? FE_DOWNWARD : FE_UPWARD);
	if (m >= half_scale(f, f->infinity))
		away = away || mode == FE_TONEAREST || mode == (minus ? FE_DOWNWARD : FE_UPWARD);
	return (away ? high : low) | (minus ? 0x8000 : 0);
}

static inline u32 half_nearest(const struct half_format *f, quad x, int mode)
{
	return half_nearest_of(f, x, 0, mode);
}

static inline double half_flushed(const struct half_format *f, double x)
{
	return flushed_below(x, ldexp(1, f->least));
}

/* The greatest number of its sign in place of infinity. */
static inline u32 half_kept(const struct half_format *f, u32 h)
{
	return (h & 0x7fff) == f->infinity ? h - 1 : h;
}

/* cvt.MODIFIERS.D.S, one of them a half. */
static inline u64 half_cvt(const struct spelling *s, const u64 *raw)
{
	const char *d = s->word[s->n - 2], *t = s->word[s->n - 1];
	const struct half_format *f = half_format_of(d);
	bool from_half = half_is(t);
	quad x = from_half	? half_value(half_format_of(t), raw[0])
		 : type_real(t) ? raw_real(t, raw[0])
				: (quad)type_integer(t, raw[0]);

	if (strstr(d, "f16x2")) {
		u32 high = half_nearest(f, raw_real(t, raw[0]), rounding_of(s)),
		    low = half_nearest(f, raw_real(t, raw[1]), rounding_of(s));

		if (spelling_has(s, "satfinite")) {
			high = half_kept(f, high);
			low = half_kept(f, low);
		}
		if (spelling_has(s, "relu")) {
			high = high >= 0x8000 ? 0 : high;
			low = low >= 0x8000 ? 0 : low;
		}
		return high << 16 | low;
	}
	if (type_real(t) && !from_half && spelling_has(s, "ftz") && !strcmp(t, "f32"))
		x = flushed((double)x);
	if (!type_real(d) && !half_is(d)) {
		if (x != x)
			return type_bits(d) < 64 ? 0 : filled(d, (wide)1 << (type_bits(d) - 1));
		x = whole(s, (double)x);
		return filled(d, (double)x > 1e30    ? type_most(d)
				 : (double)x < -1e30 ? type_least(d)
						     : clamped(d, (wide)x));
	}
	if (from_half && s->n == 3 && !strcmp(d, t))
		return raw[0] & 0xffff;
	if (from_half && !spelling_has(s, "rn") && !spelling_has(s, "rz"))
		x = whole(s, (double)x);
	if (spelling_has(s, "sat"))
		x = x > 0 ? x > 1 ? 1 : x : 0;
	if (spelling_has(s, "relu") && x < 0)
		return 0;
	if (spelling_has(s, "relu") && x == 0)
		x = 0;
	if (!half_is(d))
		return real_raw(d, spelling_has(s, "ftz") && !strcmp(d, "f32") ? flushed((double)x) : (double)x);
	return spelling_has(s, "satfinite") ? half_kept(f, half_nearest(f, x, rounding_of(s)))
					    : half_nearest(f, x, rounding_of(s));
}

/* One half each of add, sub, mul, fma, neg, abs, min, max; set gives 1 and 0. */
static inline u32 half_one(const struct spelling *s, u64 ra, u64 rb, u64 rc)
{
	const struct half_format *f = half_format_of(s->word[s->n - 1]);
	const char *c = s->word[0];
	bool ftz = spelling_has(s, "ftz");
	double a = half_value(f, ra & 0xffff), b = half_value(f, rb & 0xffff), e = half_value(f, rc & 0xffff);
	u32 h;
	quad x, product, rest = 0;

	if (ftz) {
		a = half_flushed(f, a);
		b = half_flushed(f, b);
		e = half_flushed(f, e);
	}
	if (!strcmp(c, "neg") || !strcmp(c, "abs")) {
		h = ftz ? half_nearest(f, a, FE_TONEAREST) : (u32)ra & 0xffff;
		return c[0] == 'n' ? isnan(a) && ftz ? h : h ^ 0x8000 : h & 0x7fff;
	}
	if (!strcmp(c, "set"))
		return compare_holds(s->word[1], (a > b) - (a < b), isnan(a) || isnan(b)) ? f->one : 0;
	if (!strcmp(c, "min") || !strcmp(c, "max")) {
		if (spelling_has(s, "NaN") && (isnan(a) || isnan(b)))
			return 0x7fff;
		if (spelling_has(s, "xorsign")) {
			a = fabs(a);
			b = fabs(b);
		}
		x = c[1] == 'i' ? real_least(a, b) : -real_least(-a, -b);
		h = half_nearest(f, x, FE_TONEAREST);
		return spelling_has(s, "xorsign") && x == x ? (h & 0x7fff) | ((ra ^ rb) & 0x8000) : h;
	}
	if (spelling_has(s, "approx")) {
		h = half_nearest(f, c[0] == 'e' ? exp2(a) : tanh(a), FE_TONEAREST);
		return ftz && !(h & f->infinity) ? h & 0x8000 : h;
	}
	x = !strcmp(c, "add") ? (quad)a + b : !strcmp(c, "sub") ? (quad)a - b : (quad)a * b;
	if (!strcmp(c, "fma")) {
		product = x;
		x = product + e;
		rest = fabs((double)product) > fabs(e) ? e - (x - product) : product - (x - e);
	}
	if (spelling_has(s, "sat"))
		x = x > 0 ? x > 1 ? 1 : x : 0;
	h = half_nearest_of(f, x, rest, FE_TONEAREST);
	/* Is it denormal if there is no least exponent? Of 2^8 times it that is below 2^-6. */
	if (ftz && (half_nearest_of(f, x * 256, rest * 256, FE_TONEAREST) & 0x7fff) < 9 << 10)
		h &= 0x8000;
	return spelling_has(s, "relu") && h & 0x8000 ? 0 : h;
}

/* What a spelling with halves in it gives. */
static inline u64 reference_half(const struct spelling *s, const u64 *raw)
{
	const char *c = s->word[0], *t = s->word[s->n - 1];
	bool two = strstr(t, "f16x2") != NULL;

	if (!strcmp(c, "cvt"))
		return half_cvt(s, raw);
	if (two && !strcmp(c, "set") && strcmp(s->word[s->n - 2], t))
		return (half_one(s, raw[0], raw[1], 0) ? 0xffff : 0) |
		       (half_one(s, raw[0] >> 16, raw[1] >> 16, 0) ? 0xffff0000 : 0);
	if (!strcmp(c, "setp") || (!strcmp(c, "set") && strcmp(s->word[s->n - 2], t))) {
		double a = half_value(half_format_of(t), raw[0]), b = half_value(half_format_of(t), raw[1]);
		bool ftz = spelling_has(s, "ftz"), holds;

		a = ftz ? half_flushed(half_format_of(t), a) : a;
		b = ftz ? half_flushed(half_format_of(t), b) : b;
		holds = compare_holds(s->word[1], (a > b) - (a < b), isnan(a) || isnan(b));
		return !strcmp(c, "setp")		   ? holds
		       : !holds				   ? 0
		       : !strcmp(s->word[s->n - 2], "f32") ? 0x3f800000
							   : 0xffffffff;
	}
	return half_one(s, raw[0], raw[1], raw[2]) |
	       (two ? half_one(s, raw[0] >> 16, raw[1] >> 16, raw[2] >> 16) << 16 : 0);
}

#endif
