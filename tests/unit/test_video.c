/*
 * test_video.c - video instructions: random spellings against a reference that is written over the words of the
 * spelling and 128-bit integers, results worked out by hand, SIMD intrinsics that nvcc has compiled, and what is
 * refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx_bed.h"

typedef __int128 wide;

/* One instruction, in words. */
struct spelled {
	const char *name, *d, *a, *b; /* "vadd", types "u32" or "s32" */
	bool sat, wrap, plus_one, minus_a, minus_b, minus_c;
	const char *second, *compare; /* "add"; "lt" */
	u32 scale;
	char part[3][8]; /* ".h0" of d, a, b; "" */
};

static u32 pick(u32 n)
{
	static u64 state = 7;

	state = mix64(state + 1);
	return (u32)(state >> 32) % n;
}

static const char *pick_word(const char *const *words, u32 n)
{
	return words[pick(n)];
}

/* Lanes of an instruction: 1 of a scalar one. */
static u32 lanes_of(const struct spelled *s)
{
	char last = s->name[strlen(s->name) - 1];

	return last == '2' || last == '4' ? (u32)(last - '0') : 1;
}
static bool is_named(const struct spelled *s, const char *name)
{
	return !strncmp(s->name, name, strlen(name)) && strlen(s->name) - strlen(name) <= (lanes_of(s) > 1);
}

/* A selector of a source: any lanes of two registers; of d: some lanes, the highest first. */
static void pick_part(const struct spelled *s, u32 which, char *out)
{
	static const char *const scalars[] = {".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
	u32 n = lanes_of(s), mask = 1 + pick((1u << n) - 1);
	char *at = out;

	*out = 0;
	if (pick(2) || (!which && (s->second || is_named(s, "vmad")) && n == 1))
		return;
	if (n == 1) {
		snprintf(out, 8, "%s", pick_word(scalars, ARRAY_LEN(scalars)));
		return;
	}
	*at++ = '.';
	*at++ = n == 2 ? 'h' : 'b';
	for (u32 i = n; i-- > 0;)
		if (which)
			*at++ = (char)('0' + pick(2 * n));
		else if (mask >> i & 1)
			*at++ = (char)('0' + i);
	*at = 0;
}

static struct spelled spell(void)
{
	static const char *const names[] = {"vadd",	 "vsub",      "vabsdiff", "vmin",  "vmax",  "vshl",
					    "vshr",	 "vset",      "vmad",	  "vadd2", "vsub2", "vavrg2",
					    "vabsdiff2", "vmin2",     "vmax2",	  "vset2", "vadd4", "vsub4",
					    "vavrg4",	 "vabsdiff4", "vmin4",	  "vmax4", "vset4"};
	static const char *const types[] = {"u32", "s32"}, *const seconds[] = {"add", "min", "max"};
	static const char *const compares[] = {"eq", "ne", "lt", "le", "gt", "ge"};
	struct spelled s = {.name = pick_word(names, ARRAY_LEN(names)),
			    .d = pick_word(types, 2),
			    .a = pick_word(types, 2),
			    .b = pick_word(types, 2)};

	if (is_named(&s, "vshl") || is_named(&s, "vshr")) {
		s.b = "u32";
		s.wrap = pick(2);
	}
	s.sat = pick(2) && !is_named(&s, "vset");
	if (is_named(&s, "vset")) {
		s.compare = pick_word(compares, ARRAY_LEN(compares));
		s.d = "u32";
	}
	if (is_named(&s, "vmad")) {
		static const u32 scales[] = {0, 7, 15};

		s.scale = scales[pick(3)];
		s.plus_one = !pick(3);
		s.minus_a = !s.plus_one && !pick(3);
		s.minus_b = !s.plus_one && !pick(3);
		s.minus_c = !s.plus_one && s.minus_a == s.minus_b && !pick(3);
	} else if (pick(2) && (lanes_of(&s) == 1 || !s.sat)) {
		s.second = lanes_of(&s) > 1 ? "add" : pick_word(seconds, 3);
	}
	for (u32 i = 0; i < 3; i++)
		pick_part(&s, i, s.part[i]);
	return s;
}

/* The instruction as PTX: registers d, a, b, c are %r0 to %r3. */
static void write_text(struct text *t, const struct spelled *s)
{
	bool c = s->second || lanes_of(s) > 1 || is_named(s, "vmad") || *s->part[0];

	text_add(t, "%s", s->name);
	if (!s->compare)
		text_add(t, ".%s", s->d);
	text_add(t, ".%s.%s", s->a, s->b);
	if (s->compare)
		text_add(t, ".%s", s->compare);
	text_add(t, "%s%s", s->plus_one ? ".po" : "", s->sat ? ".sat" : "");
	if (is_named(s, "vshl") || is_named(s, "vshr"))
		text_add(t, "%s", s->wrap ? ".wrap" : ".clamp");
	if (s->scale)
		text_add(t, ".shr%u", s->scale);
	if (s->second)
		text_add(t, ".%s", s->second);
	text_add(t, " %%r0%s, %s%%r1%s, %s%%r2%s", s->part[0], s->minus_a ? "-" : "", s->part[1], s->minus_b ? "-" : "",
		 s->part[2]);
	if (c)
		text_add(t, ", %s%%r3", s->minus_c ? "-" : "");
	text_add(t, ";\n");
}

/* Bits [first, first + n) of x as a number of a type. */
static wide number(u64 x, u32 first, u32 n, const char *type)
{
	wide v = (wide)(x >> first) % ((wide)1 << n);

	return *type == 's' && v >= (wide)1 << (n - 1) ? v - ((wide)1 << n) : v;
}
static wide clamp_to(wide x, u32 n, bool is_signed)
{
	wide least = is_signed ? -((wide)1 << (n - 1)) : 0, most = least + ((wide)1 << n) - 1;

	return x < least ? least : x > most ? most : x;
}

static bool holds(const char *c, wide a, wide b)
{
	bool want_equal = c[1] == 'e' || !strcmp(c, "eq");

	if (*c == 'e' || *c == 'n')
		return (a == b) == (*c == 'e');
	return a == b ? want_equal : *c == 'l' ? a < b : a > b;
}

/* Two numbers, as the ISA's table of operations has it. */
static wide operate(const struct spelled *s, wide a, wide b)
{
	if (s->compare)
		return holds(s->compare, a, b);
	if (is_named(s, "vadd"))
		return a + b;
	if (is_named(s, "vsub"))
		return a - b;
	if (is_named(s, "vabsdiff"))
		return a > b ? a - b : b - a;
	if (is_named(s, "vmin"))
		return a > b ? b : a;
	if (is_named(s, "vmax"))
		return a > b ? a : b;
	if (is_named(s, "vavrg"))
		return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
	b = s->wrap ? b & 31 : b > 32 ? 32 : b;
	return is_named(s, "vshl") ? a * ((wide)1 << b) : a >> b;
}

/* The bits that a scalar's selector means. */
static void scalar_bits(const char *part, u32 *first, u32 *n)
{
	*n = !*part ? 32 : part[1] == 'b' ? 8 : 16;
	*first = *part ? (u32)(part[2] - '0') * *n : 0;
}
static wide scalar_number(const char *part, u32 x, const char *type)
{
	u32 first, n;

	scalar_bits(part, &first, &n);
	return number(x, first, n, type);
}

static u32 mad(const struct spelled *s, u32 a, u32 b, u32 c)
{
	bool is_signed = *s->a == 's' || *s->b == 's' || s->minus_a != s->minus_b || s->minus_c;
	wide x = scalar_number(s->part[1], a, s->a) * scalar_number(s->part[2], b, s->b);
	wide z = number(c, 0, 32, is_signed ? "s32" : "u32");

	x = s->minus_a != s->minus_b ? -x : x;
	/* the ISA: c is inverted before its sign is taken, then 1 is added */
	z = s->minus_c ? number(~c, 0, 32, "s32") + 1 : z;
	x = (x + z + s->plus_one) >> s->scale;
	return (u32)(s->sat ? clamp_to(x, 32, is_signed) : x);
}

static u32 scalar(const struct spelled *s, u32 a, u32 b, u32 c)
{
	wide x = operate(s, scalar_number(s->part[1], a, s->a), scalar_number(s->part[2], b, s->b));
	wide z = number(c, 0, 32, s->d);
	u32 first, n;

	scalar_bits(s->part[0], &first, &n);
	x = s->sat ? clamp_to(x, n, *s->d == 's') : x;
	if (s->second)
		return (u32)(*s->second == 'a' ? x + z : (s->second[1] == 'i') == (x < z) ? x : z);
	if (!*s->part[0])
		return (u32)x;
	for (u32 i = 0; i < n; i++)
		c = (c & ~(1u << (first + i))) | (u32)(x >> i & 1) << (first + i);
	return c;
}

static u32 packed(const struct spelled *s, u32 a, u32 b, u32 c)
{
	u32 n = lanes_of(s), bits = 32 / n, d = c;
	u64 both = (u64)b << 32 | a;

	for (u32 i = 0; i < n; i++) {
		u32 la = *s->part[1] ? (u32)(s->part[1][1 + n - i] - '0') : i;
		u32 lb = *s->part[2] ? (u32)(s->part[2][1 + n - i] - '0') : n + i;
		wide x = operate(s, number(both, la * bits, bits, s->a), number(both, lb * bits, bits, s->b));

		if (*s->part[0] && !strchr(s->part[0], (char)('0' + i)))
			continue;
		x = s->sat ? clamp_to(x, bits, *s->d == 's') : x;
		if (s->second)
			d += (u32)x;
		for (u32 k = 0; k < bits && !s->second; k++)
			d = (d & ~(1u << (i * bits + k))) | (u32)(x >> k & 1) << (i * bits + k);
	}
	return d;
}

static u32 expected(const struct spelled *s, u32 a, u32 b, u32 c)
{
	return is_named(s, "vmad") ? mad(s, a, b, c) : lanes_of(s) > 1 ? packed(s, a, b, c) : scalar(s, a, b, c);
}

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
#define STATEMENTS 250

/* A kernel that writes the results of all statements for a, b, c of each lane: out[statement][lane]. */
static char *kernel_of(const struct spelled *s, u32 n)
{
	struct text t = {0};

	text_add(&t,
		 HEAD ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
		      ".reg .b32 %%r<5>; .reg .b64 %%d<4>;\nld.param.u64 %%d1, [in]; ld.param.u64 %%d2, [out];\n"
		      "mov.u32 %%r4, %%tid.x; mad.wide.u32 %%d1, %%r4, 4, %%d1; mad.wide.u32 %%d2, %%r4, 4, %%d2;\n"
		      "ld.global.u32 %%r1, [%%d1]; ld.global.u32 %%r2, [%%d1+128]; ld.global.u32 %%r3, [%%d1+256];\n");
	for (u32 i = 0; i < n; i++) {
		write_text(&t, &s[i]);
		text_add(&t, "st.global.u32 [%%d2+%u], %%r0;\n", 128 * i);
	}
	text_add(&t, "ret;\n}\n");
	return t.s;
}

/* Values at which numbers of 8, 16 and 32 bits change their sign, and any. */
static u32 value(void)
{
	static const u32 edge[] = {0,	       1,	   0x7f,       0x80,	   0xff,       0x7fff,
				   0x8000,     0xffff,	   31,	       32,	   33,	       0x7fffffff,
				   0x80000000, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0xff00ff00, 0x80007fff};

	return pick(2) ? edge[pick(ARRAY_LEN(edge))] : pick(0xffffffff);
}

static void random_spellings(void **state)
{
	(void)state;
	for (u32 round = 0; round < 12; round++) {
		struct spelled s[STATEMENTS];
		u32 in[3][32], got;
		struct bed b;
		u64 at[2];
		char *text;

		for (u32 i = 0; i < STATEMENTS; i++)
			s[i] = spell();
		text = kernel_of(s, STATEMENTS);
		bed_text(&b, text, "k", 1, 32);
		free(text);
		at[0] = give_buffer(&b, sizeof(in));
		at[1] = give_buffer(&b, 128 * STATEMENTS);
		bed_fill(&b);
		for (u32 i = 0; i < 96; i++)
			in[i / 32][i % 32] = value();
		store_poke(&b.store, at[0], in, sizeof(in));
		bed_good(&b);
		for (u32 i = 0; i < 32 * STATEMENTS; i++) {
			u32 l = i % 32, want = expected(&s[i / 32], in[0][l], in[1][l], in[2][l]);

			store_read(&b.store, at[1] + 4ull * i, &got, 4);
			if (got != want) {
				struct text t = {0};

				write_text(&t, &s[i / 32]);
				fail_msg("%x %x %x: %x, not %x: %s", in[0][l], in[1][l], in[2][l], got, want, t.s);
			}
		}
		bed_close(&b);
	}
}

/* One statement on a, b, c. */
static u32 result_of(const char *statement, u32 a, u32 b, u32 c)
{
	struct text t = {0};
	struct bed bed;
	u64 out;

	text_add(&t,
		 HEAD
		 ".visible .entry k(.param .u64 out) { .reg .b32 %%r<4>; .reg .b64 %%d<2>; ld.param.u64 %%d1, [out];\n"
		 "mov.u32 %%r1, %u; mov.u32 %%r2, %u; mov.u32 %%r3, %u;\n%s\nst.global.u32 [%%d1], %%r0; ret; }\n",
		 a, b, c, statement);
	bed_text(&bed, t.s, "k", 1, 1);
	text_free(&t);
	out = give_buffer(&bed, 4);
	bed_fill(&bed);
	bed_good(&bed);
	a = (u32)int_at(&bed, out, 0);
	bed_close(&bed);
	return a;
}

/* Worked out by hand from the ISA's description. */
static void by_hand(void **state)
{
	(void)state;
	/* 0xff is -1 as a signed byte; 200 + 100 stays at 255, and is put into byte 3 */
	assert_int_equal(result_of("vadd.s32.s32.u32 %r0, %r1.b1, %r2.h1;", 0xff00, 0x50000, 0), 4);
	assert_int_equal(result_of("vadd.u32.u32.u32.sat %r0.b3, %r1, %r2, %r3;", 200, 100, 0x11223344), 0xff223344);
	assert_int_equal(result_of("vadd.u32.u32.u32 %r0.b3, %r1, %r2, %r3;", 200, 100, 0x11223344), 0x2c223344);
	/* 0xffffffff + 1 has 33 bits; it stays at the bound, or wraps; the greater of 2^32 and 5 wraps to 0 */
	assert_int_equal(result_of("vadd.u32.u32.u32.sat %r0, %r1, %r2;", 0xffffffff, 1, 0), 0xffffffff);
	assert_int_equal(result_of("vadd.u32.u32.u32.max %r0, %r1, %r2, %r3;", 0xffffffff, 1, 5), 0);
	assert_int_equal(result_of("vsub.u32.u32.u32.sat %r0, %r1, %r2;", 3, 5, 0), 0);
	assert_int_equal(result_of("vmin.s32.s32.u32 %r0, %r1, %r2;", 0xffffffff, 1, 0), 0xffffffff);
	/* by 40 is by 32 with .clamp, by 8 with .wrap; a byte that is shifted out of d stays at its bound */
	assert_int_equal(result_of("vshl.u32.u32.u32.clamp %r0, %r1, %r2;", 3, 40, 0), 0);
	assert_int_equal(result_of("vshl.u32.u32.u32.sat.clamp %r0, %r1, %r2;", 3, 40, 0), 0xffffffff);
	assert_int_equal(result_of("vshl.u32.u32.u32.wrap %r0, %r1, %r2;", 3, 40, 0), 0x300);
	assert_int_equal(result_of("vshr.s32.s32.u32.clamp %r0, %r1.b0, %r2;", 0x80, 3, 0), 0xfffffff0);
	/* 300 x 300 - 1 = 89999, over 128: 703; one more by .po: 90000 + 127 + 1 over 128 */
	assert_int_equal(result_of("vmad.s32.s32.s32.shr7 %r0, %r1, %r2, -%r3;", 300, 300, 1), 703);
	assert_int_equal(result_of("vmad.u32.u32.u32.po.shr7 %r0, %r1, %r2, %r3;", 300, 300, 127), 704);
	assert_int_equal(result_of("vmad.u32.u32.u32.sat %r0, -%r1, %r2, %r3;", 0xffffffff, 0xffffffff, 0), 0x80000000);
	assert_int_equal(result_of("vset.u32.s32.gt.add %r0, %r1, %r2, %r3;", 1, 0xffffffff, 41), 42);
	/* lanes 0 to 3 are a's bytes, 4 to 7 b's: 0x04 + 0x08, 0x03 + 0x07 into lanes 0 and 1; b's against a's */
	assert_int_equal(result_of("vadd4.u32.u32.u32 %r0.b10, %r1, %r2, %r3;", 0x01020304, 0x05060708, 0xaabbccdd),
			 0xaabb0a0c);
	assert_int_equal(result_of("vsub4.s32.s32.s32 %r0, %r1.b7654, %r2.b3210, %r3;", 0x01020304, 0x05060708, 0),
			 0x04040404);
	/* |1 - 5| four times, and 100; (-3 + -4) / 2 is -4, (3 + 4) / 2 is 4 */
	assert_int_equal(result_of("vabsdiff4.u32.u32.u32.add %r0, %r1, %r2, %r3;", 0x01020304, 0x05060708, 100), 116);
	assert_int_equal(result_of("vavrg2.s32.s32.s32 %r0, %r1, %r2, %r3;", 0xfffd0003, 0xfffc0004, 0), 0xfffc0004);
	assert_int_equal(result_of("vset2.u32.u32.ne %r0.h1, %r1, %r2, %r3;", 0x00010002, 0x00020002, 9), 0x00010009);
}

/* What an intrinsic does with a lane of n bits. */
enum lane_work { ADD, SUB, DIFFERENCE, MEAN, MOST, LEAST, EQUAL, GREATER, LESS, NOT_GREATER };
static const struct intrinsic {
	enum lane_work work;
	u32 bits;
	bool is_signed, at_bounds, sum, ones, relu;
} intrinsics[] = {{ADD, 8, 0, 0, 0, 0, 0},	  {ADD, 8, 1, 1, 0, 0, 0},	    {ADD, 8, 0, 1, 0, 0, 0},
		  {SUB, 8, 0, 0, 0, 0, 0},	  {SUB, 8, 1, 1, 0, 0, 0},	    {SUB, 8, 0, 1, 0, 0, 0},
		  {DIFFERENCE, 8, 1, 0, 0, 0, 0}, {DIFFERENCE, 8, 0, 0, 0, 0, 0},   {MEAN, 8, 1, 0, 0, 0, 0},
		  {MEAN, 8, 0, 0, 0, 0, 0},	  {MOST, 8, 1, 0, 0, 0, 0},	    {LEAST, 8, 0, 0, 0, 0, 0},
		  {DIFFERENCE, 8, 1, 0, 1, 0, 0}, {DIFFERENCE, 8, 0, 0, 1, 0, 0},   {EQUAL, 8, 0, 0, 0, 0, 0},
		  {GREATER, 8, 1, 0, 0, 1, 0},	  {ADD, 16, 0, 0, 0, 0, 0},	    {ADD, 16, 1, 1, 0, 0, 0},
		  {SUB, 16, 0, 1, 0, 0, 0},	  {DIFFERENCE, 16, 1, 0, 0, 0, 0},  {MEAN, 16, 1, 0, 0, 0, 0},
		  {MOST, 16, 1, 0, 0, 0, 0},	  {DIFFERENCE, 16, 1, 0, 1, 0, 0},  {DIFFERENCE, 16, 0, 0, 1, 0, 0},
		  {LESS, 16, 0, 0, 0, 0, 0},	  {NOT_GREATER, 16, 0, 0, 0, 1, 0}, {MOST, 16, 1, 0, 0, 0, 1},
		  {LEAST, 32, 1, 0, 0, 0, 1}};

static wide lane_result(const struct intrinsic *f, wide x, wide y)
{
	switch (f->work) {
	case ADD: return x + y;
	case SUB: return x - y;
	case DIFFERENCE: return x > y ? x - y : y - x;
	case MEAN: return (x + y + (x + y >= 0)) >> 1; /* CUDA: rounded, a half away from zero */
	case MOST: return x > y ? x : y;
	case LEAST: return x > y ? y : x;
	case EQUAL: return x == y;
	case GREATER: return x > y;
	case LESS: return x < y;
	default: return x <= y;
	}
}

static u32 intrinsic(const struct intrinsic *f, u32 a, u32 b)
{
	u32 d = 0, sum = 0;

	for (u32 i = 0; i < 32 / f->bits; i++) {
		const char *type = f->is_signed ? "s32" : "u32";
		wide x = lane_result(f, number(a, i * f->bits, f->bits, type), number(b, i * f->bits, f->bits, type));

		x = f->at_bounds ? clamp_to(x, f->bits, f->is_signed) : f->relu && x < 0 ? 0 : f->ones ? -x : x;
		sum += (u32)x;
		d |= (u32)((u64)x & ((1ull << f->bits) - 1)) << i * f->bits;
	}
	return f->sum ? sum : d;
}

/* CUDA's SIMD intrinsics, of which nvcc makes video instructions and others. */
static void compiled(void **state)
{
	u32 in[2][32], got;
	struct bed b;
	u64 at[3];

	(void)state;
	bed_open(&b, "tests/ptx/video.ptx", "intrinsics", 1, 32);
	for (u32 i = 0; i < 3; i++)
		at[i] = give_buffer(&b, 128 * ARRAY_LEN(intrinsics));
	bed_fill(&b);
	for (u32 i = 0; i < 64; i++)
		in[i / 32][i % 32] = value();
	for (u32 i = 0; i < 2; i++)
		store_poke(&b.store, at[i], in[i], sizeof(in[i]));
	bed_good(&b);
	for (u32 i = 0; i < 32 * ARRAY_LEN(intrinsics); i++) {
		u32 want = intrinsic(&intrinsics[i / 32], in[0][i % 32], in[1][i % 32]);

		store_read(&b.store, at[2] + 4ull * i, &got, 4);
		if (got != want)
			fail_msg("row %u of %x and %x: %x, not %x", i / 32, in[0][i % 32], in[1][i % 32], got, want);
	}
	bed_close(&b);
}

/* What is wrong, and where. */
static void bad_spellings(void **state)
{
	static const struct {
		const char *statement;
		u32 column;
		const char *want;
	} rows[] = {
		{"vadd.s32.s32 %r0, %r1, %r2;", 1, "unknown instruction 'vadd.s32.s32'"},
		{"vadd4.u32.u32.u32.sat.add %r0, %r1, %r2, %r3;", 1, "unknown instruction"},
		{"vadd4.u32.u32.u32.min %r0, %r1, %r2, %r3;", 1, "unknown instruction"},
		{"vshl.u32.u32.s32.wrap %r0, %r1, %r2;", 1, "unknown instruction"},
		{"vset.u32.u32.lo %r0, %r1, %r2;", 1, "unknown instruction"},
		{"vadd.s32.s32.s32 %r0, %r1, %r2, %r3;", 1, "takes 3 operands, not 4"},
		{"vadd.s32.s32.s32.add %r0, %r1, %r2;", 1, "takes 4 operands, not 3"},
		{"vadd.s32.s32.s32 %r0.b0, %r1, %r2;", 1, "takes 4 operands, not 3"},
		{"vadd2.s32.s32.s32 %r0, %r1, %r2;", 1, "takes 4 operands, not 3"},
		{"vadd.s32.s32.s32 %r0, %r1.b4, %r2;", 23,
		 "'.b4' does not select a part of a register here (.b0 to .b3"},
		{"vadd.s32.s32.s32 %r0, %r1.h2, %r2;", 23, "'.h2' does not select"},
		{"vadd.s32.s32.s32 %r0, %r1.h10, %r2;", 23, "'.h10' does not select"},
		{"vadd2.s32.s32.s32 %r0, %r1.h1, %r2, %r3;", 24, "'.h1' does not select"},
		{"vadd2.s32.s32.s32 %r0, %r1.h14, %r2, %r3;", 24, "'.h14' does not select"},
		{"vadd2.s32.s32.s32 %r0.h01, %r1, %r2, %r3;", 19, "'.h01' does not select"},
		{"vadd4.s32.s32.s32 %r0.h1, %r1, %r2, %r3;", 19, "'.h1' does not select"},
		{"vadd4.s32.s32.s32 %r0.b43, %r1, %r2, %r3;", 19, "'.b43' does not select"},
		{"vadd.s32.s32.s32 %r0, -%r1, %r2;", 1, "cannot have '-' before these operands"},
		{"vmad.s32.s32.s32 %r0, -%r1, %r2, -%r3;", 1, "before a or b, or before c"},
		{"vmad.s32.s32.s32.po %r0, %r1, %r2, -%r3;", 1, "not with .po"},
		{"vmad.s32.s32.s32 %r0, %r1, %r2, %r3.h0;", 33, "takes a whole register here, without a selector"},
		{"add.s32 %r0, %r1.b0, %r2;", 14, "takes a whole register here, without a selector"},
		{"add.s32 %r0, -%r1, %r2;", 14, "takes a whole register here, without a '-'"},
		{"add.s32 %r0, %r9.b0, %r2;", 14, "%r9.b0' is not declared"},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
		struct text t = {0};
		struct error e = {0};
		struct module *m;

		text_add(&t, HEAD ".entry k() { .reg .b32 %%r<4>;\n%s\nret; }\n", rows[i].statement);
		assert_int_equal(ptx_load_text("t.ptx", t.s, strlen(t.s), &m, &e), STATUS_USAGE);
		if (e.line != 5 || e.column != rows[i].column || !strstr(e.message, rows[i].want))
			fail_msg("%s: %u:%u: %s", rows[i].statement, e.line, e.column, e.message);
		text_free(&t);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(random_spellings), cmocka_unit_test(by_hand),
						  cmocka_unit_test(compiled), cmocka_unit_test(bad_spellings)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
