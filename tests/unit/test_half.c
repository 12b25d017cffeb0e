/*
 * test_half.c - half precision, f16 and bf16, by hand: where rounding goes, what overflows, denormals; and kernels that
 * nvcc has compiled.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "ptx_bed.h"

/* A kernel of one thread: d = op(a, b, c) on words of `in`. */
static u32 compute(const char *op, const char *letter, u32 a, u32 b, u32 c)
{
	struct text t = {0};
	struct bed bed;
	u32 in[3] = {a, b, c}, got;
	u64 at;

	text_add(
		&t,
		".version 7.0\n.target sm_75\n.address_size 64\n.entry k(.param .u64 p)\n{\n.reg .b64 %%d<2>; .reg .b32 %%w<8>; "
		".reg .b16 %%h<8>;\nld.param.u64 %%d1, [p];\n");
	for (u32 i = 1; i <= 3; i++)
		text_add(&t, "ld.global.u32 %%w%u, [%%d1+%u]; cvt.u16.u32 %%h%u, %%w%u;\n", i, 4 * i - 4, i, i);
	text_add(&t, "mov.u32 %%w4, 0; mov.b16 %%h4, 0;\n%s %%%c4", op, letter[0]);
	for (u32 i = 1; letter[i]; i++)
		text_add(&t, ", %%%c%u", letter[i], i);
	text_add(&t, ";\n%sst.global.u32 [%%d1+12], %%w4; ret;\n}\n", letter[0] == 'h' ? "cvt.u32.u16 %w4, %h4; " : "");
	bed_text(&bed, t.s, "k", 1, 1);
	at = give_buffer(&bed, 16);
	bed_fill(&bed);
	store_poke(&bed.store, at, in, sizeof(in));
	bed_good(&bed);
	got = (u32)int_at(&bed, at, 3);
	bed_close(&bed);
	text_free(&t);
	return got;
}

/* 0x3c00 is 1, 0x3c01 the next one, 2^-10 above; 0x7bff is 65504; 0x0001 is 2^-24; 0x0400 is 2^-14. */
struct example {
	const char *op, *letter;
	u32 a, b, c, want;
};

/* Run the examples. */
static void check(const struct example *row, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		u32 got = compute(row[i].op, row[i].letter, row[i].a, row[i].b, row[i].c);

		if (got != row[i].want)
			fail_msg("%s of %x %x %x: %x, not %x", row[i].op, row[i].a, row[i].b, row[i].c, got,
				 row[i].want);
	}
}

static void by_hand(void **state)
{
	static const struct example row[] = {
		{"add.f16", "hhh", 0x3c00, 0x3c00, 0, 0x4000},
		{"add.rn.f16", "hhh", 0x3c00, 0x1000, 0, 0x3c00}, /* 1 + 2^-11: a tie, to even */
		{"add.f16", "hhh", 0x3c01, 0x1000, 0, 0x3c02},	  /* the next tie goes up */
		{"add.f16", "hhh", 0x3c00, 0x1001, 0, 0x3c01},	  /* just above the tie */
		{"sub.f16", "hhh", 0x3c00, 0x3c00, 0, 0x0000},
		{"add.f16", "hhh", 0x8000, 0x8000, 0, 0x8000}, /* -0 + -0 */
		{"add.f16", "hhh", 0x7bff, 0x4c00, 0, 0x7c00}, /* 65504 + 16: a tie with 65536, to even */
		{"add.f16", "hhh", 0x7bff, 0x4bff, 0, 0x7bff},
		{"add.f16", "hhh", 0x7c00, 0xfc00, 0, 0x7fff}, /* inf - inf */
		{"mul.f16", "hhh", 0x0400, 0x3800, 0, 0x0200}, /* 2^-14 / 2: a denormal */
		{"mul.ftz.f16", "hhh", 0x0400, 0x3800, 0, 0x0000},
		{"mul.f16", "hhh", 0x0001, 0x3800, 0, 0x0000}, /* 2^-25: a tie, to even */
		{"mul.f16", "hhh", 0x0003, 0x3800, 0, 0x0002}, /* 1.5 x 2^-24 */
		{"mul.f16", "hhh", 0x5c00, 0x5c00, 0, 0x7c00}, /* 256 x 256 */
		{"mul.sat.f16", "hhh", 0x5c00, 0x5c00, 0, 0x3c00},
		{"fma.rn.f16", "hhhh", 0x3c01, 0x3c01, 0xbc02,
		 0x0010}, /* (1 + 2^-10)^2 - (1 + 2^-9) = 2^-20, one rounding */
		{"fma.rn.relu.f16", "hhhh", 0x3c00, 0xbc00, 0x0000, 0x0000},
		{"fma.rn.f16", "hhhh", 0x5bff, 0x5bff, 0x0001, 0x7bfe}, /* 255.875^2 = 65472.02 -> 65472 */
		{"neg.f16", "hh", 0x3c00, 0, 0, 0xbc00},
		{"abs.f16", "hh", 0xfbff, 0, 0, 0x7bff},
		{"min.f16", "hhh", 0x7e00, 0x4000, 0, 0x4000},	   /* a NaN loses ... */
		{"min.NaN.f16", "hhh", 0x7e00, 0x4000, 0, 0x7fff}, /* ... or wins */
		{"max.f16", "hhh", 0x8000, 0x0000, 0, 0x0000},
		{"cvt.rn.f16.f32", "hw", 0x3f801000, 0, 0, 0x3c00}, /* 1 + 2^-11 */
		{"cvt.rn.f16.f32", "hw", 0x3f803000, 0, 0, 0x3c02},
		{"cvt.rp.f16.f32", "hw", 0x3f800001, 0, 0, 0x3c01},
		{"cvt.rz.f16.f32", "hw", 0x477fffff, 0, 0, 0x7bff}, /* 65535.996 */
		{"cvt.rn.f16.f32", "hw", 0x477ff000, 0, 0, 0x7c00}, /* 65520: the tie with 65536 */
		{"cvt.rm.f16.f32", "hw", 0x80000001, 0, 0, 0x8001},
		{"cvt.rn.f16.s32", "hw", 2049, 0, 0, 0x6800}, /* 2048 and 2050 */
		{"cvt.rn.f16.s32", "hw", 2051, 0, 0, 0x6802},
		{"cvt.f32.f16", "wh", 0x0001, 0, 0, 0x33800000},
		{"cvt.f32.f16", "wh", 0xfc00, 0, 0, 0xff800000},
		{"cvt.rzi.s32.f16", "wh", 0xc1ff, 0, 0, 0xfffffffe}, /* -2.998 */
		{"cvt.rni.f16.f16", "hh", 0x4100, 0, 0, 0x4000},     /* 2.5 */
		{"add.f16x2", "www", 0x3c004000, 0xbc003c00, 0, 0x00004200},
		{"fma.rn.f16x2", "wwww", 0x40004200, 0x42003c00, 0x3c00bc00, 0x47004000},
		{"cvt.rn.f16x2.f32", "www", 0x40000000, 0x3f800000, 0,
		 0x40003c00}, /* the first one is the upper half */
		{"set.lt.f16x2.f16x2", "www", 0x3c003c00, 0x40003c00, 0, 0x3c000000},
		{"set.le.u32.f16x2", "www", 0x3c003c00, 0x40003c00, 0, 0xffffffff}};

	(void)state;
	check(row, ARRAY_LEN(row));
}

/* bf16: 0x3f80 is 1, 0x3f81 the next one, 2^-7 above; 0x7f7f the greatest; 0x0001 is 2^-133, 0x0080 2^-126. */
static void brain_by_hand(void **state)
{
	static const struct example row[] = {
		{"add.bf16", "hhh", 0x3f80, 0x3f80, 0, 0x4000},
		{"add.rn.bf16", "hhh", 0x3f80, 0x3b80, 0, 0x3f80}, /* 1 + 2^-8: a tie, to even */
		{"add.bf16", "hhh", 0x3f81, 0x3b80, 0, 0x3f82},
		{"sub.bf16", "hhh", 0x3f80, 0x3f81, 0, 0xbc00}, /* -2^-7 */
		{"mul.bf16", "hhh", 0x3f81, 0x3f81, 0, 0x3f82}, /* 1 + 2^-6 + 2^-14 */
		{"mul.bf16", "hhh", 0x0080, 0x3f00, 0, 0x0040}, /* 2^-126 / 2: a denormal */
		{"mul.bf16", "hhh", 0x0001, 0x3f00, 0, 0x0000}, /* 2^-134: a tie, to even */
		{"mul.bf16", "hhh", 0x7f7f, 0x4000, 0, 0x7f80},
		{"add.bf16", "hhh", 0x7f80, 0xff80, 0, 0x7fff},
		{"fma.rn.bf16", "hhhh", 0x3fc0, 0x3fd6, 0x0001, 0x4021}, /* 2.5078125: a tie, but for 2^-133 */
		{"fma.rn.bf16", "hhhh", 0x3fc0, 0x3fd6, 0x0000, 0x4020},
		{"fma.rn.bf16", "hhhh", 0x3fc0, 0x3fd6, 0x8001, 0x4020},
		{"fma.rn.relu.bf16", "hhhh", 0x3f80, 0xbf80, 0x0000, 0x0000},
		{"neg.bf16", "hh", 0x3f80, 0, 0, 0xbf80},
		{"min.bf16", "hhh", 0x7fc0, 0x4000, 0, 0x4000},
		{"max.NaN.bf16", "hhh", 0x7fc0, 0x4000, 0, 0x7fff},
		{"cvt.rn.bf16.f32", "hw", 0x3f808000, 0, 0, 0x3f80},
		{"cvt.rn.bf16.f32", "hw", 0x3f808001, 0, 0, 0x3f81},
		{"cvt.rn.bf16.f32", "hw", 0x7f7f8000, 0, 0, 0x7f80},
		{"cvt.rz.bf16.f32", "hw", 0x7f7fffff, 0, 0, 0x7f7f},
		{"cvt.rn.bf16.f32", "hw", 0x00008001, 0, 0, 0x0001},
		{"cvt.f32.bf16", "wh", 0xc0a0, 0, 0, 0xc0a00000},
		{"cvt.rn.bf16.s32", "hw", 257, 0, 0, 0x4380}, /* 256 and 258 */
		{"cvt.rn.bf16x2.f32", "www", 0x40000000, 0x3f800000, 0, 0x40003f80},
		{"fma.rn.bf16x2", "wwww", 0x40004040, 0x40403f80, 0x3f80bf80, 0x40e04000}, /* 2 x 3 + 1, 3 x 1 - 1 */
		{"set.lt.bf16x2.bf16x2", "www", 0x3f803f80, 0x40003f80, 0, 0x3f800000},
		{"ex2.approx.ftz.bf16", "hh", 0x4040, 0, 0, 0x4100},	  /* 2^3 */
		{"ex2.approx.f16", "hh", 0xc200, 0, 0, 0x3000},		  /* 2^-3 */
		{"tanh.approx.f16x2", "ww", 0x4900b800, 0, 0, 0x3c00b765} /* tanh 10, tanh -0.5 = -0.46212 */
	};

	(void)state;
	check(row, ARRAY_LEN(row));
}

/* Every half goes to single precision and back unchanged, but NaNs. */
static void there_and_back(void **state)
{
	static const char text[] =
		".version 7.0\n.target sm_75\n.address_size 64\n.entry k(.param .u64 p)\n{\n.reg .b64 %d<4>; .reg .b32 %r<6>; "
		".reg .f16 %h<2>; .reg .f32 %f;\nld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; "
		"mad.lo.s32 %r3, %r2, 1024, %r1; mul.wide.u32 %d2, %r3, 4; add.s64 %d3, %d1, %d2; cvt.u16.u32 %h1, %r3; "
		"cvt.f32.f16 %f, %h1; cvt.rn.f16.f32 %h1, %f; cvt.u32.u16 %r4, %h1; st.global.u32 [%d3], %r4; ret;\n}\n";
	struct bed b;
	u64 at;

	(void)state;
	bed_text(&b, text, "k", 64, 1024);
	at = give_buffer(&b, 65536 * 4);
	bed_fill(&b);
	bed_good(&b);
	for (u32 h = 0; h < 65536; h++)
		assert_int_equal(int_at(&b, at, h), (h & 0x7fff) > 0x7c00 ? 0x7fff : h);
	bed_close(&b);
}

/* Two buffers of halves and a factor. */
static void run_axpy(const char *file, const char *kernel, u32 threads, const u16 *x, const u16 *y, float a, u16 *out)
{
	struct bed b;
	u64 in, at;

	bed_open(&b, file, kernel, 1, threads);
	in = give_buffer(&b, 16);
	at = give_buffer(&b, 16);
	give(&b, &a, 4);
	bed_fill(&b);
	store_poke(&b.store, in, x, 8);
	store_poke(&b.store, at, y, 8);
	bed_good(&b);
	store_read(&b.store, at, out, 8);
	bed_close(&b);
}

/* 3 x 1 + 2, 3 x 0.5 - 1, 3 x (1 + 2^-10) - 3, 3 x 65504: the third is 3 x 2^-10 with one rounding, 2^-8 with two. */
static void compiled(void **state)
{
	static const u16 x[4] = {0x3c00, 0x3800, 0x3c01, 0x7bff}, y[4] = {0x4000, 0xbc00, 0xc200, 0};
	static const u16 once[4] = {0x4500, 0x3800, 0x1a00, 0x7c00}, twice[4] = {0x4500, 0x3800, 0x1c00, 0x7c00};
	static const u16 mixed[4] = {0x3c00, 0xc100, 0x3800, 0x7e00};
	static const float want[3] = {1, -4.5, 0.5};
	u16 out[4];
	struct bed b;
	u64 in, at;

	(void)state;
	run_axpy("tests/ptx/half.ptx", "axpy", 4, x, y, 3, out);
	assert_memory_equal(out, once, sizeof(out));
	run_axpy("tests/ptx/half.ptx", "axpy2", 2, x, y, 3, out);
	assert_memory_equal(out, twice, sizeof(out));
	bed_open(&b, "tests/ptx/half.ptx", "mixed", 1, 4);
	in = give_buffer(&b, 16);
	at = give_buffer(&b, 16);
	bed_fill(&b);
	store_poke(&b.store, in, mixed, sizeof(mixed));
	bed_good(&b);
	for (u32 i = 0; i < 3; i++)
		assert_true(float_at(&b, at, i) == want[i]);
	assert_true(isnan(float_at(&b, at, 3)));
	bed_close(&b);
}

/* 3 x 1 + 2, 3 x 0.5 - 1, 3 x (1 + 2^-7) - 3, 3 x the greatest; with two roundings the third is 2^-5. */
static void brain_compiled(void **state)
{
	static const u16 x[4] = {0x3f80, 0x3f00, 0x3f81, 0x7f7f}, y[4] = {0x4000, 0xbf80, 0xc040, 0};
	static const u16 once[4] = {0x40a0, 0x3f00, 0x3cc0, 0x7f80}, twice[4] = {0x40a0, 0x3f00, 0x3d00, 0x7f80};
	u16 out[4];

	(void)state;
	run_axpy("tests/ptx/brain.ptx", "axpy", 4, x, y, 3, out);
	assert_memory_equal(out, once, sizeof(out));
	run_axpy("tests/ptx/brain.ptx", "axpy2", 2, x, y, 3, out);
	assert_memory_equal(out, twice, sizeof(out));
}

/* 64 lanes add 1 and 0.5 in each half: sums that are exact, whatever their order; 16-bit cas by its low half alone. */
static void atomics(void **state)
{
	static const char cas[] =
		".version 7.0\n.target sm_75\n.address_size 64\n.entry k(.param .u64 p)\n{\n.reg .b64 %d<4>; .reg .b16 %h<4>; "
		".reg .b32 %r<4>;\nld.param.u64 %d1, [p]; mov.b16 %h1, 7; mov.b16 %h2, 9; atom.global.cas.b16 %h3, [%d1+2], %h1, %h2; "
		"cvt.u32.u16 %r1, %h3; st.global.u32 [%d1+4], %r1; red.global.add.noftz.f16 [%d1], 0x3c00; ret;\n}\n";
	u32 x[64], y[64], words[2] = {0x00074000, 0};
	struct bed b;
	u64 at[4];

	(void)state;
	for (u32 i = 0; i < 64; i++) {
		x[i] = 0x3c003800;
		y[i] = 0x3f803f00;
	}
	bed_open(&b, "tests/ptx/brain.ptx", "total", 1, 64);
	for (u32 i = 0; i < 4; i++)
		at[i] = give_buffer(&b, 256);
	bed_fill(&b);
	store_poke(&b.store, at[0], x, sizeof(x));
	store_poke(&b.store, at[2], y, sizeof(y));
	bed_good(&b);
	assert_int_equal(int_at(&b, at[1], 0), 0x54005000);
	assert_int_equal(int_at(&b, at[3], 0), 0x42804200);
	bed_close(&b);
	bed_text(&b, cas, "k", 1, 1);
	at[0] = give_buffer(&b, 8);
	bed_fill(&b);
	store_poke(&b.store, at[0], words, sizeof(words));
	bed_good(&b);
	assert_int_equal(int_at(&b, at[0], 0), 0x00094200);
	assert_int_equal(int_at(&b, at[0], 1), 7);
	bed_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand), cmocka_unit_test(brain_by_hand),  cmocka_unit_test(brain_compiled),
		cmocka_unit_test(atomics), cmocka_unit_test(there_and_back), cmocka_unit_test(compiled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
