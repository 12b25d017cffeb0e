/*
 * test_exec.c - PTX instructions: every spelling of ops.def against its reference on edge values, masks, operand
 * kinds, predicates, the three widths of the lane functions against each other.
 */
#include "exec_bench.h"
#include "exec_reference.h"

struct row {
	const char *id, *forms, *sig;
	u8 class;
};
static const struct row row[OP_COUNT] = {
#define OP(id, forms, sig, class, body) [OP_##id] = {#id, forms, sig, CLASS_##class},
#include "ops.def"
#undef OP
};

/* Values at which instructions go wrong: integers, then floats, denormals, infinities, NaNs, halves. */
static const u32 edge32[] = {
	0,	    1,		2,	    3,		7,	    31,		32,	    33,		63,
	64,	    127,	128,	    255,	256,	    0x7fff,	0x8000,	    0xffff,	0x10000,
	0xffffff,   0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0xdeadbeef, 0x00ff00ff,
	0x0f0f1e2d, 0x00000001, 0x807fffff, 0x00800000, 0x80800000, 0x3f000000, 0xbf000000, 0x3f7fffff, 0x3f800000,
	0xbf800000, 0x3f800001, 0x3fc00000, 0xc0200000, 0x40490fdb, 0x41200000, 0x42c80000, 0xc3000000, 0x4b000001,
	0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
	0x7fc00000, 0x7f800001, 0xffc12345, 0x3c00bc00, 0x7c00fc00, 0x04000401, 0x000103ff, 0x7bff7c01, 0x3c014248,
	0x80018400, 0x477fefff, 0x477ff000, 0x33000000, 0x33000001, 0x38800fff, 0x3f801000, 0x3f803000, 0x3f808000,
	0x3f818000, 0x3f808001, 0x7f7f8000, 0x7f7f7fff, 0x00004000, 0x3f813f7f, 0x3f803b80, 0x00010080, 0x7f7f3f81,
	0x3f888790};
static const u64 edge64[] = {0,
			     1,
			     2,
			     31,
			     32,
			     63,
			     64,
			     255,
			     0xffff,
			     0x7fffffff,
			     0x80000000,
			     0xffffffff,
			     0x100000000,
			     0x123456789abcdef0,
			     0x7ffffffffffffffe,
			     0x7fffffffffffffff,
			     0x8000000000000000,
			     0x8000000000000001,
			     0xfffffffffffffffe,
			     0xffffffffffffffff,
			     0xffffffff00000000,
			     0xffffffff80000000,
			     0x000fffffffffffff,
			     0x8010000000000000,
			     0x3fe0000000000000,
			     0xbfe0000000000000,
			     0x3fefffffffffffff,
			     0x3ff0000000000000,
			     0xbff0000000000000,
			     0x3ff0000000000001,
			     0x3ff8000000000000,
			     0xc004000000000000,
			     0x400921fb54442d18,
			     0x3ff0000010000000,
			     0x36a0000000000000,
			     0x47efffffe0000000,
			     0x47effffff0000000,
			     0x41dfffffffc00000,
			     0x41e0000000000000,
			     0xc1e0000000000000,
			     0x41f0000000000000,
			     0x43dfffffffffffff,
			     0x43e0000000000000,
			     0xc3e0000000000000,
			     0x43f0000000000000,
			     0x4340000000000001,
			     0x7fefffffffffffff,
			     0x7ff0000000000000,
			     0xfff0000000000000,
			     0x7ff8000000000000,
			     0x7ff0000000000001,
			     0xfff8123456789abc};

/* The letters of a row's sources. */
static const char *sources(u32 op)
{
	const char *colon = strchr(row[op].sig, ':');

	return colon ? colon + 1 : "";
}

/* The n-th test value of a source: all pairs of edges appear, then mixtures and random bits. */
static u64 sample(char letter, u32 k, u32 n)
{
	u64 which = k == 0 ? n : k == 1 ? n / 61 + n : mix64(n * 4 + k);

	if (letter == 'p')
		return mix64(n + k) & 1;
	if (n > 4000 && (n & 1))
		return letter == 'd' ? random_next() : (u32)random_next();
	return letter == 'd' ? edge64[which % ARRAY_LEN(edge64)] : edge32[which % ARRAY_LEN(edge32)];
}

/* Sources are registers 2, 4, 6, 8 or predicates 1..4; the destination is register 0 or predicate 0. */
static struct inst inst_plain(u32 op)
{
	const char *letter = sources(op);
	struct inst in = {.op = (u16)op, .class = row[op].class, .ndst = 1, .nsrc = (u8)strlen(letter)};

	in.dst[0] = row[op].sig[0] == 'p' ? pred(0) : reg(0);
	for (u32 k = 0; letter[k]; k++)
		in.src[k] = letter[k] == 'p' ? pred(k + 1) : reg(2 + 2 * k);
	return in;
}

/* Fill the sources with samples from number `from` on. */
static void fill_sources(struct bench *b, const char *letter, u32 from, u64 raw[WARP_LANES][4])
{
	memset(raw, 0, WARP_LANES * sizeof(raw[0]));
	for (u32 l = 0; l < WARP_LANES; l++) {
		for (u32 k = 0; letter[k]; k++) {
			raw[l][k] = sample(letter[k], k, from + l);
			if (letter[k] == 'p')
				b->preds[k + 1] = (b->preds[k + 1] & ~(1u << l)) | (u32)raw[l][k] << l;
			else
				reg_write(b, 2 + 2 * k, letter[k], l, raw[l][k]);
		}
	}
}

static bool close_enough(struct expected want, double got)
{
	if (isnan(want.real) || isnan(got))
		return isnan(want.real) && isnan(got);
	if (isinf(want.real) || fabs(want.real) > 3.4e38)
		return got == want.real || (fabs(want.real) > 3.4e38 && fabs(got) > 3.4e38);
	if (want.verdict == RELATIVE)
		return fabs(got - want.real) <= want.tolerance * fabs(want.real) + 0x1.1p-149;
	return fabs(got - want.real) <= want.tolerance;
}

/* Approximations that have no reference for some operands: PTX bounds the error of sin and cos up to 100,000 only. */
static struct unbounded {
	const char *form;
	u32 known, unknown; /* results with and without a reference */
} unbounded[] = {{.form = "sin.approx.f32"},
		 {.form = "sin.approx.ftz.f32"},
		 {.form = "cos.approx.f32"},
		 {.form = "cos.approx.ftz.f32"}};

static struct unbounded *unbounded_of(const char *form)
{
	for (u32 i = 0; i < ARRAY_LEN(unbounded); i++)
		if (!strcmp(unbounded[i].form, form))
			return &unbounded[i];
	return NULL;
}

/* Compare one lane's result with the reference for a spelling. */
static void check_result(const char *form, char letter, u64 got, const u64 *raw)
{
	struct unbounded *listed = unbounded_of(form);
	struct expected want = reference(form, raw);
	u64 seen = letter == 'd' ? got : (u32)got;
	double real = raw_real(letter == 'd' ? "f64" : "f32", seen);
	bool ftz = strstr(form, ".ftz") && fabs(want.real) < 0x1.1p-126 && letter == 'w';

	if (want.verdict == UNKNOWN && !listed)
		fail_msg("%s: exec_reference.h does not know it", form);
	if (listed)
		*(want.verdict == UNKNOWN ? &listed->unknown : &listed->known) += 1;
	if (want.verdict == UNKNOWN)
		return;
	if (want.verdict == EXACT ? seen == want.bits : close_enough(want, real) || (ftz && real == 0))
		return;
	fail_msg("%s of %llx %llx %llx %llx: got %llx, want %llx (%g, %g)", form, (unsigned long long)raw[0],
		 (unsigned long long)raw[1], (unsigned long long)raw[2], (unsigned long long)raw[3],
		 (unsigned long long)seen, (unsigned long long)want.bits, real, want.real);
}

/* The spelling of which the reference knows: "max.s32.relu", as nvcc writes it, is max.relu.s32. */
static const char *known_spelling(const char *form)
{
	static char text[80];
	const char *relu = strstr(form, ".relu"), *dot = strchr(form, '.');

	if (!relu || relu[5] || relu == dot)
		return form;
	snprintf(text, sizeof(text), "%.*s.relu%.*s", (int)(dot - form), form, (int)(relu - dot), dot);
	return text;
}

/* All lanes of one warp instruction against the reference of each spelling of its row. */
static void check_warp(const struct bench *b, u32 op, u64 raw[WARP_LANES][4])
{
	char letter = row[op].sig[0];
	char forms[512], *save = NULL;

	snprintf(forms, sizeof(forms), "%s", row[op].forms);
	for (char *form = strtok_r(forms, " ", &save); form; form = strtok_r(NULL, " ", &save))
		for (u32 l = 0; l < WARP_LANES; l++)
			check_result(known_spelling(form), letter,
				     letter == 'p' ? b->preds[0] >> l & 1 : reg_read(b, 0, letter, l), raw[l]);
}

/* Issue again for some lanes only, over a marked destination: the others keep it. */
static void check_masked(struct bench *b, const struct inst *in, char letter)
{
	u32 mask = (u32)random_next(), want_preds = b->preds[0];
	u64 want[WARP_LANES];

	for (u32 l = 0; l < WARP_LANES; l++) {
		want[l] = reg_read(b, 0, letter, l);
		reg_write(b, 0, letter, l, 0x5a5a5a5aa5a5a5a5);
	}
	b->preds[0] = 0xcafebabe;
	b->env.active = mask;
	bench_issue(b, in);
	b->env.active = ~0u;
	assert_int_equal(b->result.mask, mask);
	if (letter == 'p')
		assert_int_equal(b->preds[0], (want_preds & mask) | (0xcafebabe & ~mask));
	for (u32 l = 0; l < WARP_LANES && letter != 'p'; l++)
		assert_int_equal(reg_read(b, 0, letter, l), mask >> l & 1   ? want[l]
							    : letter == 'd' ? 0x5a5a5a5aa5a5a5a5
									    : 0xa5a5a5a5);
}

static void test_every_spelling(void **state)
{
	static struct bench b;
	u64 raw[WARP_LANES][4];
	u32 bodies = 0;
	(void)state;

	bench_open(&b);
	random_state = 1;
	for (u32 op = 0; op < OP_COUNT; op++) {
		struct inst in = inst_plain(op);

		if (!exec_lanes()->op[op] || !*row[op].forms)
			continue;
		bodies++;
		for (u32 n = 0; n < 6400; n += WARP_LANES) {
			fill_sources(&b, sources(op), n, raw);
			bench_issue(&b, &in);
			check_warp(&b, op, raw);
			if (n % 640 == 0)
				check_masked(&b, &in, row[op].sig[0]);
		}
	}
	assert_true(bodies > 800);
	for (u32 i = 0; i < ARRAY_LEN(unbounded); i++)
		assert_true(unbounded[i].unknown && unbounded[i].known > unbounded[i].unknown);
	store_free(&b.store);
}

/* Spellings that kernels live on are there, each once. */
static void test_spellings(void **state)
{
	static const char *const must[] = {"add.s32",	      "add.f32",	 "fma.rn.f32",	 "mad.lo.s32",
					   "mul.wide.u32",    "setp.ge.s32",	 "setp.neu.f32", "cvt.rn.f32.s32",
					   "cvt.rzi.s32.f32", "cvt.u16.u8",	 "div.rn.f32",	 "sqrt.rn.f64",
					   "selp.b32",	      "shl.b64",	 "bfe.u32",	 "ex2.approx.ftz.f32",
					   "cvt.sat.f32.f32", "cvt.rpi.f32.f32", "mov.u64",	 "cvta.to.global.u64",
					   "set.eq.u32.f32",  "prmt.b32",	 "sad.s32"};
	static char all[1 << 17];
	u32 found = 0;
	(void)state;

	snprintf(all, sizeof(all), " ");
	for (u32 op = 0; op < OP_COUNT; op++) {
		char forms[512], word[80], *save = NULL;

		snprintf(forms, sizeof(forms), "%s", row[op].forms);
		for (char *form = strtok_r(forms, " ", &save); form; form = strtok_r(NULL, " ", &save)) {
			snprintf(word, sizeof(word), " %s ", form);
			if (strstr(all, word))
				fail_msg("%s stands in two rows", form);
			snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s ", form);
		}
	}
	for (u32 i = 0; i < ARRAY_LEN(must); i++) {
		char word[80];

		snprintf(word, sizeof(word), " %s ", must[i]);
		found += strstr(all, word) != NULL;
	}
	assert_int_equal(found, ARRAY_LEN(must));
}

/* The lane functions of one table against the baseline's, on random bits and edges. */
static void compare_tables(const struct lane_table *t)
{
	static u32 in[4][2 * WARP_LANES], want[2 * WARP_LANES], got[2 * WARP_LANES];

	for (u32 op = 0; op < OP_COUNT; op++) {
		const char *letter = sources(op);

		assert_int_equal(!t->op[op], !lanes_baseline.op[op]);
		for (u32 n = 0; n < 40 && t->op[op]; n++) {
			for (u32 i = 0; i < 4 * WARP_LANES; i++) {
				u64 v = sample(i < strlen(letter) * WARP_LANES ? letter[i / WARP_LANES] : 'd',
					       i / WARP_LANES, 4000 + (u32)random_next() % 8000);

				in[i / WARP_LANES][i % WARP_LANES] = (u32)v;
				in[i / WARP_LANES][WARP_LANES + i % WARP_LANES] = (u32)(v >> 32);
			}
			memset(want, 0, sizeof(want));
			memset(got, 0, sizeof(got));
			lanes_baseline.op[op](want, in[0], in[1], in[2], in[3]);
			t->op[op](got, in[0], in[1], in[2], in[3]);
			if (memcmp(want, got, sizeof(want)))
				fail_msg("%s differs between baseline and %s", row[op].id, t->name);
		}
	}
}

static void test_tables_agree(void **state)
{
	(void)state;
	random_state = 77;
	compare_tables(&lanes_baseline);
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		compare_tables(&lanes_avx2);
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
	    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
		compare_tables(&lanes_avx512);
#endif
}

/*
 * Rounding, by results worked out by hand. With .ftz a result that is denormal is zero, which is asked of its 24 (or
 * 11) digits as they would be if there were no least exponent: (1 - 2^-24) 2^-126 has 24 digits, so it is zero; (1 -
 * 2^-25) 2^-126 is rounded to 2^-126. A remainder by zero is all ones.
 */
static void test_rounding(void **state)
{
	static const struct {
		u16 op;
		u64 a, b, c, want;
	} known[] = {
		{OP_ADD_RP_F32, 0x3f800000, 0x30800000, 0, 0x3f800001},
		{OP_ADD_RZ_F32, 0xbf800000, 0xb0800000, 0, 0xbf800000},
		{OP_ADD_RM_F32, 0xbf800000, 0xb0800000, 0, 0xbf800001},
		{OP_ADD_RM_F32, 0x3f800000, 0xbf800000, 0, 0x80000000},
		{OP_ADD_RP_F32, 0x3f800000, 0xbf800000, 0, 0},
		{OP_SUB_RM_F32, 0x3f800000, 0x30800000, 0, 0x3f7fffff},
		{OP_MUL_RZ_F32, 0x7f7fffff, 0x40000000, 0, 0x7f7fffff},
		{OP_MUL_RP_F32, 0x7f7fffff, 0x40000000, 0, 0x7f800000},
		{OP_FMA_RP_F64, 0x3ff0000000000000, 0x3ff0000000000000, 0x3c30000000000000, 0x3ff0000000000001},
		{OP_DIV_RM_F32, 0x3f800000, 0x40400000, 0, 0x3eaaaaaa},
		{OP_DIV_RP_F32, 0x3f800000, 0x40400000, 0, 0x3eaaaaab},
		{OP_SQRT_RZ_F32, 0x40000000, 0, 0, 0x3fb504f3},
		{OP_SQRT_RP_F32, 0x40000000, 0, 0, 0x3fb504f4},
		{OP_CVT_rm_f32_u32, 0xffffffff, 0, 0, 0x4f7fffff},
		{OP_CVT_rp_f32_u32, 0xffffffff, 0, 0, 0x4f800000},
		{OP_CVT_rp_f64_u64, 0xffffffffffffffff, 0, 0, 0x43f0000000000000},
		{OP_CVT_RZ_F32_F64, 0x3ff0000010000001, 0, 0, 0x3f800000},
		{OP_CVT_RP_F32_F64, 0x3ff0000000000001, 0, 0, 0x3f800001},
		{OP_MUL_F32, 0x3f7fffff, 0x00800000, 0, 0x00800000},
		{OP_MUL_F32_FTZ, 0x3f7fffff, 0x80800000, 0, 0x80000000},
		{OP_FMA_F32_FTZ, 0x3f7fffff, 0x00800000, 0, 0},
		{OP_MUL_RM_F32_FTZ, 0x3f7fffff, 0x80800000, 0, 0x80000000},
		{OP_FMA_RP_F32_FTZ, 0x3f7fffff, 0x00800000, 0, 0},
		{OP_DIV_RP_F32, 0x00800000, 0x3f800001, 0, 0x00800000},
		{OP_DIV_RP_F32_FTZ, 0x00800000, 0x3f800001, 0, 0},
		{OP_RCP_RP_F32, 0x7e800001, 0, 0, 0x00800000},
		{OP_RCP_RP_F32_FTZ, 0x7e800001, 0, 0, 0},
		{OP_CVT_RN_F32_F64_FTZ, 0x380fffffe0000000, 0, 0, 0},
		{OP_CVT_RN_F32_F64_FTZ, 0x380ffffff0000000, 0, 0, 0x00800000},
		{OP_CVT_RP_F32_F64_FTZ, 0x380fffffe0000000, 0, 0, 0},
		{OP_MUL_F16, 0x3bff, 0x0400, 0, 0x0400},
		{OP_MUL_F16_FTZ, 0x3bff, 0x8400, 0, 0x8000},
		{OP_FMA_F16_FTZ, 0x3bff, 0x0400, 0, 0},
		{OP_REM_S32, 7, 0, 0, 0xffffffff},
		{OP_REM_U64, 7, 0, 0, 0xffffffffffffffff},
	};
	static struct bench b;
	(void)state;

	bench_open(&b);
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		struct inst in = inst_plain(known[i].op);

		reg_write(&b, 2, 'd', 5, known[i].a);
		reg_write(&b, 4, 'd', 5, known[i].b);
		reg_write(&b, 6, 'd', 5, known[i].c);
		bench_issue(&b, &in);
		assert_int_equal(reg_read(&b, 0, row[known[i].op].sig[0], 5), known[i].want);
	}
	store_free(&b.store);
}

/* A destination may be a source, or hold a source in one of its halves. */
static void test_overlap(void **state)
{
	struct inst in = {
		.op = OP_MAD_WIDE_S32, .ndst = 1, .nsrc = 3, .dst = {reg(2)}, .src = {reg(2), reg(3), reg(2)}};
	static struct bench b;
	(void)state;

	bench_open(&b);
	for (u32 l = 0; l < WARP_LANES; l++)
		reg_write(&b, 2, 'd', l, ((u64)(l * 77777) << 32) | (u32)(-5 - (i32)l));
	bench_issue(&b, &in);
	for (u32 l = 0; l < WARP_LANES; l++) {
		u64 was = ((u64)(l * 77777) << 32) | (u32)(-5 - (i32)l);

		assert_int_equal(reg_read(&b, 2, 'd', l), (u64)((i64)(-5 - (i32)l) * (i64)(l * 77777)) + was);
	}
	store_free(&b.store);
}

/* Immediates, special registers, guards. */
static void test_operands(void **state)
{
	struct inst add = {.op = OP_ADD_64, .ndst = 1, .nsrc = 2, .dst = {reg(0)}, .src = {reg(2), imm(1)}};
	struct inst mov = {.op = OP_MOV_32, .ndst = 1, .nsrc = 1, .dst = {reg(0)}};
	static const struct {
		u8 sreg;
		u32 want;
	} special[] = {{SREG_NTID_X, 32}, {SREG_NTID_Y, 1},   {SREG_CTAID_X, 2},  {SREG_CTAID_Y, 1},
		       {SREG_CTAID_Z, 0}, {SREG_NCTAID_X, 3}, {SREG_NCTAID_Y, 2}, {SREG_NCTAID_Z, 1},
		       {SREG_WARPID, 0},  {SREG_NWARPID, 1}};
	static struct bench b;
	(void)state;

	bench_open(&b);
	b.imm[1] = 0x1234567890abcdef;
	reg_write(&b, 2, 'd', 9, 0xffffffffffffffff);
	bench_issue(&b, &add);
	assert_int_equal(reg_read(&b, 0, 'd', 9), 0x1234567890abcdee);
	assert_int_equal(reg_read(&b, 0, 'd', 8), 0x1234567890abcdef);
	for (u32 i = 0; i < ARRAY_LEN(special); i++) {
		mov.src[0] = sreg(special[i].sreg);
		bench_issue(&b, &mov);
		assert_int_equal(b.regs[13], special[i].want);
	}
	for (u32 l = 0; l < WARP_LANES; l++)
		b.tid[1][l] = 100 + l;
	mov.src[0] = sreg(SREG_TID_Y);
	bench_issue(&b, &mov);
	assert_int_equal(b.regs[31], 131);
	mov.src[0] = sreg(SREG_LANEID);
	mov.guard = (struct operand){.kind = OPERAND_PRED, .negate = 1, .value = 3};
	b.preds[3] = 0x0000ffff;
	bench_issue(&b, &mov);
	assert_int_equal(b.result.mask, 0xffff0000);
	assert_int_equal(b.regs[15], 115);
	assert_int_equal(b.regs[16], 16);
	store_free(&b.store);
}

/* Predicate logic, setp with a boolean operator and two destinations, branches and exits. */
static void test_predicates(void **state)
{
	struct inst in = {.op = OP_PAND, .ndst = 1, .nsrc = 2, .dst = {pred(0)}, .src = {pred(1), pred(2)}};
	static struct bench b;
	(void)state;

	bench_open(&b);
	b.preds[1] = 0xff00ff00;
	b.preds[2] = 0xf0f0f0f0;
	bench_issue(&b, &in);
	assert_int_equal(b.preds[0], 0xf000f000);
	in.src[1].negate = 1;
	in.op = OP_POR;
	b.env.active = 0xffff;
	bench_issue(&b, &in);
	assert_int_equal(b.preds[0], 0xf000ff0f);
	in = (struct inst){.op = OP_SETP_LT_S32,
			   .ndst = 2,
			   .nsrc = 3,
			   .aux = 1,
			   .dst = {pred(4), pred(5)},
			   .src = {reg(2), imm(0), {.kind = OPERAND_PRED, .negate = 1, .value = 1}}};
	b.env.active = ~0u;
	for (u32 l = 0; l < WARP_LANES; l++)
		b.regs[2 * WARP_LANES + l] = l & 1 ? -3u : 3;
	bench_issue(&b, &in);
	assert_int_equal(b.preds[4], 0xaaaaaaaa & 0x00ff00ff);
	assert_int_equal(b.preds[5], 0x55555555 & 0x00ff00ff);
	in.aux = 3;
	bench_issue(&b, &in);
	assert_int_equal(b.preds[4], 0xaaaaaaaa ^ 0x00ff00ff);
	assert_int_equal(b.preds[5], 0x55555555 ^ 0x00ff00ff);
	in = (struct inst){.op = OP_BRA, .guard = pred(1)};
	bench_issue(&b, &in);
	assert_int_equal(b.result.taken, 0xff00ff00);
	in.op = OP_EXIT;
	bench_issue(&b, &in);
	assert_int_equal(b.result.exited, 0xff00ff00);
	assert_int_equal(b.result.taken, 0);
	store_free(&b.store);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_spelling), cmocka_unit_test(test_spellings),
		cmocka_unit_test(test_tables_agree),   cmocka_unit_test(test_rounding),
		cmocka_unit_test(test_overlap),	       cmocka_unit_test(test_operands),
		cmocka_unit_test(test_predicates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
