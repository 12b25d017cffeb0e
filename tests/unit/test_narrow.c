/*
 * test_narrow.c - conversions to and from floating point of 8, 6 and 4 bits, tf32 and halves that stay finite: each
 * code by the definition of its format, rounding, overflow and NaN by hand; minimum and maximum of three numbers;
 * compares of two halves; what is packed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "ptx_bed.h"

#define CODES 256

/* A kernel of n threads: %w5 as `statement' makes it of the thread's number (%w1, %h1) and its three words of `in'
 * (%w2 to %w4). */
static void compute(const char *statement, const u32 *in, u32 n, u32 *out)
{
	struct text t = {0};
	struct bed bed;
	u64 from, to;

	text_add(
		&t,
		".version 9.0\n.target sm_100a\n.address_size 64\n.entry k(.param .u64 p, .param .u64 q)\n{\n"
		".reg .b64 %%d<6>; .reg .b32 %%w<8>; .reg .b16 %%h<4>; .reg .pred %%p<4>;\n"
		"ld.param.u64 %%d1, [p]; ld.param.u64 %%d2, [q]; mov.u32 %%w1, %%tid.x; cvt.u16.u32 %%h1, %%w1;\n"
		"mul.wide.u32 %%d3, %%w1, 12; add.u64 %%d1, %%d1, %%d3; mul.wide.u32 %%d3, %%w1, 4; add.u64 %%d2, %%d2, %%d3;\n"
		"ld.global.u32 %%w2, [%%d1]; ld.global.u32 %%w3, [%%d1+4]; ld.global.u32 %%w4, [%%d1+8]; mov.u32 %%w5, 0;\n"
		"%s\nst.global.u32 [%%d2], %%w5; ret;\n}\n",
		statement);
	bed_text(&bed, t.s, "k", 1, n);
	from = give_buffer(&bed, 12 * CODES);
	to = give_buffer(&bed, 4 * CODES);
	bed_fill(&bed);
	if (in)
		store_poke(&bed.store, from, in, 12 * n);
	bed_good(&bed);
	for (u32 i = 0; i < n; i++)
		out[i] = (u32)int_at(&bed, to, i);
	bed_close(&bed);
	text_free(&t);
}

/* A format by its definition: sign, exponent, fraction; `top' codes at the end of each sign are no numbers. */
struct format {
	const char *name;
	u32 exponent, fraction, bias, special, shift;
	u32 most, nan; /* the greatest number's code, that of NaN */
};
static const struct format format[] = {{"e4m3x2", 4, 3, 7, 1, 8, 0x7e, 0x7f},
				       {"e5m2x2", 5, 2, 15, 4, 8, 0x7b, 0x7f},
				       {"e2m3x2", 2, 3, 1, 0, 8, 0x1f, 0x1f},
				       {"e3m2x2", 3, 2, 3, 0, 8, 0x1f, 0x1f},
				       {"e2m1x2", 2, 1, 1, 0, 4, 0x7, 0x7}};

static u32 codes_of(const struct format *f)
{
	return 2u << (f->exponent + f->fraction);
}

static double value_of(const struct format *f, u32 code)
{
	u32 half = codes_of(f) / 2, m = code % half, e = m >> f->fraction, part = m % (1u << f->fraction);
	double x = e ? ldexp(1 + ldexp(part, -(int)f->fraction), (int)e - (int)f->bias)
		     : ldexp(part, 1 - (int)f->bias - (int)f->fraction);

	if (m >= half - f->special)
		x = f->special == 4 && m == half - 4 ? INFINITY : NAN;
	return code < half ? x : -x;
}

/* A half's value by its definition. */
static double half_value(u32 h)
{
	u32 e = h >> 10 & 31, part = h & 1023;
	double x = e == 31 ? (part ? NAN : INFINITY) : e ? ldexp(1024 + part, (int)e - 25) : ldexp(part, -24);

	return h & 0x8000 ? -x : x;
}

static bool same(double a, double b)
{
	return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

/* Every code, as both numbers of a pair: 1, 2, ... below and its complement above. */
static void every_code_to_half(void **state)
{
	(void)state;
	for (u32 k = 0; k < ARRAY_LEN(format); k++) {
		const struct format *f = &format[k];
		u32 n = codes_of(f), out[CODES], relu[CODES];
		char text[200];

		snprintf(
			text, sizeof(text),
			"xor.b32 %%w6, %%w1, %u; shl.b32 %%w6, %%w6, %u; or.b32 %%w6, %%w6, %%w1; cvt.u16.u32 %%h2, %%w6; "
			"cvt.rn.f16x2.%s %%w5, %%h2;",
			n - 1, f->shift, f->name);
		compute(text, NULL, n, out);
		snprintf(text, sizeof(text), "cvt.rn.relu.f16x2.%s %%w5, %%h1;", f->name);
		compute(text, NULL, n, relu);
		for (u32 c = 0; c < n; c++) {
			double x = value_of(f, c), r = x < 0 || (x == 0 && signbit(x)) ? 0 : x;

			if (!same(half_value(out[c] & 0xffff), x) ||
			    !same(half_value(out[c] >> 16), value_of(f, c ^ (n - 1))))
				fail_msg("%s %02x: %08x", f->name, c, out[c]);
			if (!same(half_value(relu[c] & 0xffff), r))
				fail_msg("%s %02x with .relu: %08x", f->name, c, relu[c]);
			assert_true(!isnan(x) || (out[c] & 0xffff) == 0x7fff);
		}
	}
}

/* Every code back from its own value, and from the middle between it and the next one: the even one of them. */
static void every_code_from_float(void **state)
{
	(void)state;
	for (u32 k = 0; k < ARRAY_LEN(format); k++) {
		const struct format *f = &format[k];
		u32 n = codes_of(f), half = n / 2, in[3 * CODES], out[CODES];
		char text[200];

		for (u32 c = 0; c < n; c++) {
			bool last = c % half >= f->most;
			float x = (float)value_of(f, c),
			      middle = last ? x : (float)((value_of(f, c) + value_of(f, c + 1)) / 2);

			memcpy(&in[3 * c], &middle, 4);
			memcpy(&in[3 * c + 1], &x, 4);
		}
		snprintf(text, sizeof(text), "cvt.rn.satfinite.%s.f32 %%h2, %%w2, %%w3; cvt.u32.u16 %%w5, %%h2;",
			 f->name);
		compute(text, in, n, out);
		for (u32 c = 0; c < n; c++) {
			double x = value_of(f, c);
			u32 m = c % half, sign = c - m, own = isnan(x) ? f->nan : m > f->most ? sign + f->most : c;
			u32 even = m >= f->most ? own : c + (c & 1);

			if (out[c] != (even << f->shift | own))
				fail_msg("%s %02x: %04x, not %02x %02x", f->name, c, out[c], even, own);
		}
	}
}

/* An instruction on words, its result, and why. */
struct example {
	const char *statement;
	u32 a, b, c, want;
};
#define TO(type) "cvt.rn.satfinite." type ".f32 %h2, %w2, %w3; cvt.u32.u16 %w5, %h2;"
#define FLOATS(op) op " %w5, %w2, %w3, %w4;"

static void check(const struct example *row, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		u32 in[3] = {row[i].a, row[i].b, row[i].c}, out[1];

		compute(row[i].statement, in, 1, out);
		if (out[0] != row[i].want)
			fail_msg("row %u, %s of %x %x %x: %x, not %x", i, row[i].statement, row[i].a, row[i].b,
				 row[i].c, out[0], row[i].want);
	}
}

static void by_hand(void **state)
{
	static const struct example row[] = {
		/* e4m3: the greatest is 448 = 0x7e, 0x08 is 2^-6, 0x01 is 2^-9; 1 = 0x38, its neighbour 1.125 */
		{TO("e4m3x2"), 0x3f800000, 0xbf800000, 0, 0x38b8},
		{TO("e4m3x2"), 0x3f880000, 0x3f980000, 0, 0x383a}, /* 1.0625 and 1.1875: ties, to even */
		{TO("e4m3x2"), 0x3f880001, 0x3f87ffff, 0, 0x3938}, /* beside the tie */
		{TO("e4m3x2"), 0x43e80000, 0x43e80001, 0, 0x7e7e}, /* 464, the tie with what would be 480 */
		{TO("e4m3x2"), 0x7f800000, 0xff800000, 0, 0x7efe}, /* infinity stays finite */
		{TO("e4m3x2"), 0x7fc00000, 0xffc12345, 0, 0x7f7f}, /* NaN has no sign */
		{TO("e4m3x2"), 0x3a800000, 0x3a800001, 0, 0x0001}, /* 2^-10: the tie between 0 and 2^-9 */
		{TO("e4m3x2"), 0x80000000, 0x80000001, 0, 0x8080}, /* -0, and -2^-149 that becomes it */
		{TO("e4m3x2"), 0x3c700000, 0x3c780000, 0, 0x0808}, /* 7.5 x 2^-9 and 7.75 x 2^-9: to 2^-6 */
		/* e5m2: the greatest is 57344 = 0x7b, 0x04 is 2^-14, 0x01 is 2^-16; 1 = 0x3c */
		{TO("e5m2x2"), 0x3f900000, 0x3fb00000, 0, 0x3c3e}, /* 1.125 and 1.375: ties */
		{TO("e5m2x2"), 0x47700000, 0x47600000, 0, 0x7b7b}, /* 61440, the tie with 65536; 57344 */
		{TO("e5m2x2"), 0x7f800000, 0x7f800001, 0, 0x7b7f},
		{TO("e5m2x2"), 0xb7000000, 0x37000001, 0, 0x8001}, /* -2^-17, the tie with 0; a little above 2^-17 */
		/* e2m3: the greatest is 7.5 = 0x1f, NaN becomes it; e3m2: 28; e2m1: 6 = 7 */
		{TO("e2m3x2"), 0x40f80000, 0xffc00000, 0, 0x1f1f},
		{TO("e2m3x2"), 0xc1200000, 0x3d800000, 0, 0x3f00}, /* -10; 2^-4, the tie between 0 and 2^-3 */
		{TO("e3m2x2"), 0x41d00000, 0xc1f00000, 0, 0x1e3f}, /* 26, the tie of 24 and 28, to even; -30 */
		{TO("e2m1x2"), 0x40a00000, 0x3e800000, 0,
		 0x60}, /* 5, the tie of 4 and 6, to even; 0.25, of 0 and 0.5 */
		{TO("e2m1x2"), 0xc0e00000, 0x7fc00000, 0, 0xf7},
		{"cvt.rn.satfinite.relu.e4m3x2.f32 %h2, %w2, %w3; cvt.u32.u16 %w5, %h2;", 0xc0000000, 0x40000000, 0,
		 0x0040},
		{"cvt.rn.satfinite.e4m3x2.f16x2 %h2, %w2; cvt.u32.u16 %w5, %h2;", 0x7bff3c00, 0, 0, 0x7e38},
		{"cvt.rn.relu.satfinite.e5m2x2.f16x2 %h2, %w2; cvt.u32.u16 %w5, %h2;", 0xbc007e00, 0, 0, 0x007f},
		/* ue8m0: 2^(code - 127), 0xff NaN; towards zero and up; the sign is lost */
		{"cvt.rz.ue8m0x2.f32 %h2, %w2, %w3; cvt.u32.u16 %w5, %h2;", 0x3fc00000, 0xc0000000, 0, 0x7f80},
		{"cvt.rp.ue8m0x2.f32 %h2, %w2, %w3; cvt.u32.u16 %w5, %h2;", 0x3fc00000, 0x3f800000, 0, 0x807f},
		{"cvt.rp.ue8m0x2.f32 %h2, %w2, %w3; cvt.u32.u16 %w5, %h2;", 0x7f7fffff, 0x00000001, 0, 0xff00},
		{"cvt.rp.satfinite.ue8m0x2.f32 %h2, %w2, %w3; cvt.u32.u16 %w5, %h2;", 0x7f7fffff, 0x7f800000, 0,
		 0xfefe},
		{"cvt.rz.satfinite.ue8m0x2.bf16x2 %h2, %w2; cvt.u32.u16 %w5, %h2;", 0x7fc04000, 0, 0, 0xff80},
		{"mov.b16 %h2, 0x00ff; cvt.rn.bf16x2.ue8m0x2 %w5, %h2;", 0, 0, 0, 0x00407fff},
		/* tf32: 10 bits of fraction; 1 + 2^-11 is a tie */
		{"cvt.rna.tf32.f32 %w5, %w2;", 0x3f801000, 0, 0, 0x3f802000},
		{"cvt.rn.tf32.f32 %w5, %w2;", 0x3f801000, 0, 0, 0x3f800000},
		{"cvt.rn.tf32.f32 %w5, %w2;", 0x3f803000, 0, 0, 0x3f804000},
		{"cvt.rz.tf32.f32 %w5, %w2;", 0xbf803fff, 0, 0, 0xbf802000},
		{"cvt.rn.satfinite.tf32.f32 %w5, %w2;", 0x7f7fffff, 0, 0, 0x7f7fe000},
		{"cvt.rn.tf32.f32 %w5, %w2;", 0x7f7fffff, 0, 0, 0x7f800000},
		{"cvt.rn.satfinite.relu.tf32.f32 %w5, %w2;", 0xbf800000, 0, 0, 0},
		/* halves: 65504 = 0x7bff and 0x7f7f are the greatest */
		{"cvt.rn.satfinite.f16x2.f32 %w5, %w2, %w3;", 0x47800000, 0xff800000, 0, 0x7bfffbff},
		{"cvt.rn.satfinite.relu.bf16x2.f32 %w5, %w2, %w3;", 0x7f7fffff, 0xbf800000, 0, 0x7f7f0000},
		{"cvt.rp.bf16.f32 %h2, %w2; cvt.u32.u16 %w5, %h2;", 0x3f800001, 0, 0, 0x3f81},
		{"cvt.rm.bf16.f32 %h2, %w2; cvt.u32.u16 %w5, %h2;", 0xbf800001, 0, 0, 0xbf81},
		/* three numbers: a NaN loses or wins, -0 is below 0 */
		{FLOATS("min.f32"), 0x40400000, 0x3f800000, 0x40000000, 0x3f800000},
		{FLOATS("max.f32"), 0x7fc00000, 0x3f800000, 0xc0000000, 0x3f800000},
		{FLOATS("max.f32"), 0x7fc00000, 0x7fc00000, 0xff800000, 0xff800000},
		{FLOATS("min.f32"), 0x7fc00000, 0x7f800001, 0xffc00000, 0x7fffffff},
		{FLOATS("min.NaN.f32"), 0x3f800000, 0x3f800000, 0x7fc00000, 0x7fffffff},
		{FLOATS("min.f32"), 0x00000000, 0x00000000, 0x80000000, 0x80000000},
		{FLOATS("max.abs.f32"), 0xc0400000, 0x3f800000, 0x40000000, 0x40400000},
		{FLOATS("min.ftz.f32"), 0x00000001, 0x3f800000, 0x3f800000, 0x00000000},
		{"min.f32 %w5, %w2, %w3;", 0x40400000, 0x3f800000, 0, 0x3f800000},
		/* compares of two halves, of which the lower one gives the first result */
		{"setp.lt.f16x2 %p1|%p2, %w2, %w3; selp.u32 %w5, 1, 0, %p1; @%p2 add.u32 %w5, %w5, 2;", 0x40003c00,
		 0x3c004000, 0, 1},
		{"setp.gt.f16x2 %p1|%p2, %w2, %w3; selp.u32 %w5, 1, 0, %p1; @%p2 add.u32 %w5, %w5, 2;", 0x40003c00,
		 0x3c004000, 0, 2},
		/* a result that is c, or the guard, is written last: below 1 and 2, above 1 and 1 */
		{"setp.eq.u32 %p1, %w2, %w2; setp.le.and.f16x2 %p1|%p2, %w2, %w3, !%p1; selp.u32 %w5, 1, 0, %p1; "
		 "@%p2 add.u32 %w5, %w5, 2;",
		 0x3c003c00, 0x3c004000, 0, 0},
		{"setp.eq.u32 %p1, %w2, %w2; setp.lt.xor.f16x2 %p1|%p2, %w2, %w3, %p1; selp.u32 %w5, 1, 0, %p1; "
		 "@%p2 add.u32 %w5, %w5, 2;",
		 0x3c003c00, 0x3c004000, 0, 2},
		{"setp.eq.u32 %p1, %w2, %w2; setp.ne.u32 %p2, %w2, %w2; @%p1 setp.ge.f16x2 %p1|%p2, %w2, %w3; "
		 "selp.u32 %w5, 1, 0, %p1; @%p2 add.u32 %w5, %w5, 2;",
		 0x3c003c00, 0x3c004000, 0, 2},
		{"setp.eq.u32 %p2, %w2, %w2; setp.ne.u32 %p1, %w2, %w2; @%p2 setp.ge.xor.f16x2 %p1|%p2, %w2, %w3, %p2; "
		 "selp.u32 %w5, 1, 0, %p1; @%p2 add.u32 %w5, %w5, 2;",
		 0x3c003c00, 0x3c004000, 0, 1},
		{"setp.eq.u32 %p1, %w2, %w2; @%p1 setp.ge.xor.f16x2 %p1|%p2, %w2, %w3, %p1; "
		 "selp.u32 %w5, 1, 0, %p1; @%p2 add.u32 %w5, %w5, 2;",
		 0x3c003c00, 0x3c004000, 0, 1},
		{"setp.eq.u32 %p3, %w2, 0; setp.lt.or.bf16x2 _|%p2, %w2, %w3, !%p3; selp.u32 %w5, 1, 0, %p2;",
		 0x40003f80, 0x3f803f80, 0, 1},
		{"setp.ne.u32 %p3, %w2, 0; set.lt.and.u32.s32 %w5, %w2, %w3, %p3;", 1, 2, 0, 0xffffffff},
		{"setp.eq.u32 %p3, %w2, 0; set.lt.and.u32.s32 %w5, %w2, %w3, %p3;", 1, 2, 0, 0},
		{"set.eq.u32.f16x2 %w5, %w2, %w3;", 0x3c004000, 0x3c003c00, 0, 0xffff0000},
		{"setp.ne.u32 %p3, %w2, 0; set.lt.xor.bf16x2.bf16x2 %w5, %w2, %w3, %p3;", 0x3f804000, 0x40003f80, 0,
		 0x00003f80},
		{"set.gt.f16.f32 %h2, %w2, %w3; cvt.u32.u16 %w5, %h2;", 0x40000000, 0x3f800000, 0, 0x3c00},
		/* d and whether it is not zero: 0xc0 is a & b */
		{"setp.eq.u32 %p3, %w2, %w2; lop3.and.b32 %w5|%p1, %w2, %w3, %w4, 0xc0, %p3; @%p1 add.u32 %w5, %w5, 100;",
		 6, 3, 0, 102},
		{"setp.ne.u32 %p3, %w2, %w2; lop3.and.b32 %w5|%p1, %w2, %w3, %w4, 0xc0, %p3; @%p1 add.u32 %w5, %w5, "
		 "100;",
		 6, 3, 0, 2},
		{"setp.ne.u32 %p3, %w2, %w2; lop3.or.b32 _|%p1, %w2, %w3, %w4, 0xc0, %p3; @%p1 mov.u32 %w5, 7;", 6, 9,
		 0, 0},
		/* packed: b below a, c above both */
		{"cvt.pack.sat.u16.s32 %w5, %w2, %w3;", 70000, (u32)-5, 0, 0xffff0000},
		{"cvt.pack.sat.s8.s32.b32 %w5, %w2, %w3, %w4;", (u32)-300, 7, 0x12345678, 0x56788007},
		{"add.u16x2 %w5, %w2, %w3;", 0x0001ffff, 0x00010001, 0, 0x00020000},
		{"min.relu.s16x2 %w5, %w2, %w3;", 0x0005ffff, 0x00030007, 0, 0x00030000},
		{"fns.b32 %w5, %w2, %w3, 1;", 0xaaaaaaaa, 2, 0, 3}, /* the examples of the ISA */
		{"fns.b32 %w5, %w2, %w3, -1;", 0xaaaaaaaa, 2, 0, 1},
		{"fns.b32 %w5, %w2, %w3, -1;", 0xaaaaaaaa, 3, 0, 3},
		/* the half 2^-11 and 1 + 2^-23 */
		{"cvt.u16.u32 %h2, %w2; add.rp.f32.f16 %w5, %h2, %w3;", 0x1000, 0x3f800001, 0, 0x3f801001},
		{"cvt.u16.u32 %h2, %w2; fma.rn.sat.f32.bf16 %w5, %h2, %h2, %w3;", 0x4000, 0xc0700000, 0,
		 0x3e800000}, /* 4 - 3.75 */
		{"mov.b64 %d4, {%w2, %w3}; add.rn.f32x2 %d5, %d4, %d4; mov.b64 {%w6, %w5}, %d5;", 0x3f800000,
		 0x40400000, 0, 0x40c00000}};

	(void)state;
	check(row, ARRAY_LEN(row));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(every_code_to_half),
						  cmocka_unit_test(every_code_from_float), cmocka_unit_test(by_hand)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
