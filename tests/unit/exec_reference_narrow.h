/*
 * exec_reference_narrow.h - what instructions on narrow and packed numbers mean, from their spelling: part of
 * exec_reference.h.
 *
 * A narrow format is the list of the values of its codes; the nearest one is searched in it. What is packed is taken
 * apart, and each part has the reference of the instruction that is not packed.
 */
#ifndef EXEC_REFERENCE_NARROW_H
#define EXEC_REFERENCE_NARROW_H

static inline struct expected reference(const char *form, const u64 *raw);

/* Bits of exponent and fraction, the exponent's bias, the greatest code without a sign, what a NaN becomes. */
struct narrow_format {
	const char *name;
	u32 exponent, fraction;
	int bias;
	u32 greatest, nan;
};
static inline const struct narrow_format *narrow_format_of(const char *type)
{
	static const struct narrow_format row[] = {{"e4m3x2", 4, 3, 7, 0x7e, 0x7f},
						   {"e5m2x2", 5, 2, 15, 0x7b, 0x7f},
						   {"e2m3x2", 2, 3, 1, 0x1f, 0x1f},
						   {"e3m2x2", 3, 2, 3, 0x1f, 0x1f},
						   {"e2m1x2", 2, 1, 1, 0x7, 0x7}};

	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		if (!strcmp(row[i].name, type))
			return &row[i];
	return NULL;
}

/* The value of a code, whose sign is the bit above its exponent; beyond the greatest one there are NaN and infinity. */
static inline double narrow_value(const struct narrow_format *f, u32 code)
{
	u32 sign = 1u << (f->exponent + f->fraction), m = code & (sign - 1), e = m >> f->fraction;
	u32 part = m & ((1u << f->fraction) - 1);
	double x = e ? ldexp(part + (1u << f->fraction), (int)e - f->bias - (int)f->fraction)
		     : ldexp(part, 1 - f->bias - (int)f->fraction);

	if (m > f->greatest)
		x = f->exponent == 5 && !part ? INFINITY : NAN;
	return code & sign ? -x : x;
}

/* The code nearest to x, of two that are as near the even one; all that is above the greatest is it. */
static inline u32 narrow_nearest(const struct narrow_format *f, double x, bool relu)
{
	u32 sign = signbit(x) ? 1u << (f->exponent + f->fraction) : 0, low = 0, high = f->greatest;
	double m = fabs(x), below, above;

	if (isnan(x))
		return f->nan;
	if (relu && sign)
		return 0;
	if (m >= narrow_value(f, high))
		return high | sign;
	while (high - low > 1) {
		u32 middle = (low + high) / 2;

		*(narrow_value(f, middle) <= m ? &low : &high) = middle;
	}
	below = m - narrow_value(f, low);
	above = narrow_value(f, high) - m;
	return (below < above || (below == above && !(low & 1)) ? low : high) | sign;
}

/* The code of the power of two at or below |x| (or at or above it), 2^(code - 127). */
static inline u32 scale_code(double x, bool up, bool finite)
{
	int code = 0, first = isfinite(x) && x != 0 ? ilogb(x) + 126 : 0;

	if (isnan(x))
		return 0xff;
	x = fabs(x);
	if (isinf(x))
		return finite ? 0xfe : 0xff;
	code = first > 0 ? first : 0;
	while (code < 0xff && (up ? ldexp(1, code - 127) < x : ldexp(1, code + 1 - 127) <= x))
		code++;
	return finite && code == 0xff ? 0xfe : (u32)code;
}

/* cvt between two narrow numbers and two others. */
static inline u64 reference_narrow(const struct spelling *s, const u64 *raw)
{
	const char *d = s->word[s->n - 2], *t = s->word[s->n - 1];
	const struct narrow_format *to = narrow_format_of(d), *from = narrow_format_of(t);
	bool relu = spelling_has(s, "relu");
	u32 width = strstr(s->word[s->n - 1], "e2m1") || strstr(s->word[s->n - 2], "e2m1") ? 4 : 8;
	double x[2]; /* the upper one first */

	if (!strcmp(t, "ue8m0x2")) {
		for (u32 i = 0; i < 2; i++) {
			u32 code = raw[0] >> (i ? 0 : 8) & 0xff;

			x[i] = code == 0xff ? NAN : ldexp(1, (int)code - 127);
		}
		return (u64)half_nearest(&half_brain, x[0], FE_TONEAREST) << 16 |
		       half_nearest(&half_brain, x[1], FE_TONEAREST);
	}
	if (from) {
		u32 h[2];

		for (u32 i = 0; i < 2; i++) {
			h[i] = half_nearest(&half_ieee,
					    narrow_value(from, raw[0] >> (i ? 0 : width) & ((1u << width) - 1)),
					    FE_TONEAREST);
			h[i] = relu && h[i] & 0x8000 ? 0 : h[i];
		}
		return (u64)h[0] << 16 | h[1];
	}
	if (!strcmp(t, "f32")) {
		x[0] = raw_real(t, raw[0]);
		x[1] = raw_real(t, raw[1]);
	} else {
		x[0] = half_value(half_format_of(t), raw[0] >> 16 & 0xffff);
		x[1] = half_value(half_format_of(t), raw[0] & 0xffff);
	}
	if (!to)
		return (u64)scale_code(x[0], spelling_has(s, "rp"), spelling_has(s, "satfinite")) << 8 |
		       scale_code(x[1], spelling_has(s, "rp"), spelling_has(s, "satfinite"));
	return (u64)narrow_nearest(to, x[0], relu) << width | narrow_nearest(to, x[1], relu);
}

/* cvt to tf32: 11 significant bits. */
static inline u64 reference_tf32(const struct spelling *s, u64 raw)
{
	double x = raw_real("f32", raw), most = ldexp(2047, 117), scaled, r;
	int e;

	if (isnan(x))
		return 0x7fffffff;
	if (spelling_has(s, "relu") && signbit(x))
		return 0;
	r = x;
	if (isfinite(x) && x != 0) {
		frexp(x, &e);
		e = e - 11 < -136 ? -136 : e - 11;
		scaled = ldexp(x, -e);
		r = ldexp(spelling_has(s, "rna")  ? round(scaled)
			  : spelling_has(s, "rn") ? nearbyint(scaled)
						  : trunc(scaled),
			  e);
	}
	if (spelling_has(s, "satfinite") && fabs(r) > most)
		r = copysign(most, x);
	return real_raw("f32", r);
}

/* cvt.pack, as the PTX ISA writes it: b, a, c from the lowest bit on. */
static inline u64 reference_pack(const struct spelling *s, const u64 *raw)
{
	const char *t = s->word[3];
	u32 n = type_bits(t);
	u64 a = type_cut(t, clamped(t, (i32)raw[0])), b = type_cut(t, clamped(t, (i32)raw[1]));

	return (u32)(n == 16 ? a << 16 | b : raw[2] << 2 * n | a << n | b);
}

/* fns, as the PTX ISA writes it. */
static inline u64 reference_fns(const u64 *raw)
{
	u32 mask = (u32)raw[0], base = (u32)raw[1];
	i32 offset = (i32)raw[2];
	i64 count = llabs((i64)offset) - 1;

	if (offset == 0)
		return base < 32 && mask >> base & 1 ? base : 0xffffffff;
	for (i64 pos = base; pos >= 0 && pos<32; pos += offset> 0 ? 1 : -1)
		if (mask >> pos & 1 && count-- == 0)
			return (u32)pos;
	return 0xffffffff;
}

/* The spelling with its last `cut' letters gone. */
static inline const char *shorter(const char *form, size_t cut)
{
	static char text[64];

	snprintf(text, sizeof(text), "%.*s", (int)(strlen(form) - cut), form);
	return text;
}

/* Two floats of a pair, two integers of a word: each by itself. */
static inline u64 reference_two(const char *form, u32 bits, const u64 *raw)
{
	u64 part[2];

	for (u32 i = 0; i < 2; i++) {
		u64 one[4];

		for (u32 k = 0; k < 3; k++)
			one[k] = raw[k] >> (i * bits) & ((1ull << bits) - 1);
		part[i] = reference(shorter(form, 2), one).bits & ((1ull << bits) - 1);
	}
	return part[0] | part[1] << bits;
}

/* Sums of floats of which one or two are halves: those as floats, exactly. */
static inline struct expected reference_mixed(const char *form, const struct spelling *s, const u64 *raw)
{
	const char *t = s->word[s->n - 1];
	u64 full[4] = {raw[0], raw[1], raw[2]};

	for (u32 k = 0; k < (s->word[0][0] == 'f' ? 2 : 1); k++)
		full[k] = real_raw("f32", half_value(half_format_of(t), raw[k] & 0xffff));
	return reference(shorter(form, strlen(t) + 1), full);
}

/* min and max of three floats: of two of them, and the third. */
static inline u64 reference_three(const char *form, const struct spelling *s, const u64 *raw)
{
	double x[3], r = NAN;
	u32 nan = 0;

	for (u32 k = 0; k < 3; k++) {
		x[k] = raw_real("f32", raw[k]);
		x[k] = spelling_has(s, "ftz") ? flushed(x[k]) : x[k];
		x[k] = strstr(form, ".abs.") ? fabs(x[k]) : x[k];
		nan += isnan(x[k]) != 0;
		r = isnan(r) ? x[k] : isnan(x[k]) ? r : form[1] == 'i' ? real_least(r, x[k]) : -real_least(-r, -x[k]);
	}
	return real_raw("f32", spelling_has(s, "NaN") && nan ? NAN : r);
}

/* .relu of integers: what is below zero is zero. */
static inline u64 reference_relu(const struct spelling *s, const u64 *raw)
{
	const char *t = s->word[s->n - 1];
	wide a = type_integer(t, raw[0]), b = type_integer(t, raw[1]), r = (a < b) == (s->word[0][1] == 'i') ? a : b;

	return type_cut(t, r < 0 ? 0 : r);
}

enum special { NOT_SPECIAL, PACK, TF32, NARROW, THREE, FLOATS, INTEGERS, MIXED, RELU, FNS };

/* Which of these an instruction is. */
static inline enum special special_of(const char *form, const struct spelling *s)
{
	const char *c = s->word[0], *t = s->word[s->n - 1];

	if (!strncmp(form, "cvt.pack", 8))
		return PACK;
	if (strstr(form, ".tf32."))
		return TF32;
	if (narrow_format_of(t) || narrow_format_of(s->word[s->n - 2]) || strstr(form, "ue8m0"))
		return NARROW;
	if (strstr(form, "/3"))
		return THREE;
	if (!strcmp(t, "f32x2"))
		return FLOATS;
	if (!strcmp(t, "u16x2") || !strcmp(t, "s16x2"))
		return INTEGERS;
	if (half_is(t) && s->n > 2 && !strcmp(s->word[s->n - 2], "f32") &&
	    (!strcmp(c, "add") || !strcmp(c, "sub") || !strcmp(c, "fma")))
		return MIXED;
	if (spelling_has(s, "relu") && (!strcmp(t, "s32") || !strcmp(t, "s16")))
		return RELU;
	return strcmp(c, "fns") ? NOT_SPECIAL : FNS;
}

/* Is the instruction one of these? */
static inline bool reference_special(const char *form, struct spelling *s, const u64 *raw, struct expected *out)
{
	if (!s->special)
		s->special = (u8)(special_of(form, s) + 1);
	switch ((enum special)(s->special - 1)) {
	case PACK: *out = exact(reference_pack(s, raw)); return true;
	case TF32: *out = exact(reference_tf32(s, raw[0])); return true;
	case NARROW: *out = exact(reference_narrow(s, raw)); return true;
	case THREE: *out = exact(reference_three(form, s, raw)); return true;
	case FLOATS: *out = exact(reference_two(form, 32, raw)); return true;
	case INTEGERS: *out = exact(reference_two(form, 16, raw)); return true;
	case MIXED: *out = reference_mixed(form, s, raw); return true;
	case RELU: *out = exact(reference_relu(s, raw)); return true;
	case FNS: *out = exact(reference_fns(raw)); return true;
	default: return false;
	}
}

#endif
