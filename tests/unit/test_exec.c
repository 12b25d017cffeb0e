/*
 * test_exec.c - PTX instructions: every spelling of ops.def against its reference on edge values, masks, operand
 * kinds, the three widths of the lane functions against each other, memory, atomics, faults, whole programs.
 */
#include "exec_internal.h"
#include "exec_reference.h"

#include <setjmp.h>
#include <cmocka.h>

#define REGS 32
#define GLOBAL STORE_GLOBAL_BASE

struct row {
	const char *id, *forms, *sig;
	u8 class;
};
static const struct row row[OP_COUNT] = {
#define OP(id, forms, sig, class, body) [OP_##id] = { #id, forms, sig, CLASS_##class },
#include "ops.def"
#undef OP
};

/* Values at which instructions go wrong: integers, then floats, denormals, infinities, NaNs, halves. */
static const u32 edge32[] = {
	0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0xffffff, 0x7ffffffe,
	0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0xdeadbeef, 0x00ff00ff, 0x0f0f1e2d,
	0x00000001, 0x807fffff, 0x00800000, 0x80800000, 0x3f000000, 0xbf000000, 0x3f7fffff, 0x3f800000, 0xbf800000,
	0x3f800001, 0x3fc00000, 0xc0200000, 0x40490fdb, 0x41200000, 0x42c80000, 0xc3000000, 0x4b000001, 0x4effffff,
	0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
	0x7f800001, 0xffc12345,
};
static const u64 edge64[] = {
	0, 1, 2, 31, 32, 63, 64, 255, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x123456789abcdef0,
	0x7ffffffffffffffe, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001, 0xfffffffffffffffe,
	0xffffffffffffffff, 0xffffffff00000000, 0xffffffff80000000, 0x000fffffffffffff, 0x8010000000000000,
	0x3fe0000000000000, 0xbfe0000000000000, 0x3fefffffffffffff, 0x3ff0000000000000, 0xbff0000000000000,
	0x3ff0000000000001, 0x3ff8000000000000, 0xc004000000000000, 0x400921fb54442d18, 0x3ff0000010000000,
	0x36a0000000000000, 0x47efffffe0000000, 0x47effffff0000000, 0x41dfffffffc00000, 0x41e0000000000000,
	0xc1e0000000000000, 0x41f0000000000000, 0x43dfffffffffffff, 0x43e0000000000000, 0xc3e0000000000000,
	0x43f0000000000000, 0x4340000000000001, 0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
	0x7ff8000000000000, 0x7ff0000000000001, 0xfff8123456789abc,
};

/* A warp on its own: registers, predicates, memories. */
struct bench {
	struct kernel kernel;
	struct module module;
	struct launch launch;
	struct program program;
	struct buffer buffer[2];
	struct store store;
	struct write_entry queue[64];
	u32 nqueue;
	u64 imm[8];
	u32 regs[REGS * WARP_LANES] __attribute__((aligned(64)));
	u32 preds[8], warp_mask[1], tid[3][WARP_LANES];
	u8 shared[1024], params[64], constants[64];
	struct front_env env;
	struct front_result result;
};

static u64 random_state;
static u64 random_next(void) { return mix64(random_state++); }

static void bench_open(struct bench *b)
{
	memset(b, 0, sizeof(*b));
	b->kernel = (struct kernel){
		.name = "test", .front = FRONT_PTX, .imm = b->imm, .nimm = 8, .param_bytes = 64, .regs = REGS, .preds = 8,
		.module = &b->module
	};
	b->module = (struct module){ .constants = b->constants, .nconstants = sizeof(b->constants) };
	b->launch = (struct launch){
		.kernel = &b->kernel, .grid = { 3, 2, 1 }, .block = { 32, 1, 1 }, .ctas = 6, .threads = 32, .warps = 1,
		.shared = sizeof(b->shared), .warp_mask = b->warp_mask, .tid = { b->tid[0], b->tid[1], b->tid[2] }
	};
	b->buffer[0] = (struct buffer){ .name = "first", .type = VALUE_U32, .count = 2000, .address = GLOBAL, .bytes = 8000 };
	b->buffer[1] = (struct buffer){ .name = "second", .type = VALUE_U8, .count = 4, .address = GLOBAL + 8192, .bytes = 4 };
	b->program = (struct program){ .buffer = b->buffer, .nbuffer = 2, .launch = &b->launch, .nlaunch = 1,
				       .global_bytes = 16384 };
	store_init(&b->store, 0, 0, 16384);
	b->warp_mask[0] = ~0u;
	b->env = (struct front_env){
		.launch = &b->launch, .program = &b->program, .store = &b->store, .regs = b->regs, .preds = b->preds,
		.shared = b->shared, .queue = b->queue, .nqueue = &b->nqueue, .params = b->params, .ctaid = { 2, 1, 0 },
		.cta = 5, .active = ~0u
	};
}

static void bench_issue(struct bench *b, const struct inst *in)
{
	front_issue(&b->env, in, &b->result);
}

static struct operand reg(u32 n) { return (struct operand){ .kind = OPERAND_REG, .value = (u16)n }; }
static struct operand pred(u32 n) { return (struct operand){ .kind = OPERAND_PRED, .value = (u16)n }; }
static struct operand imm(u32 n) { return (struct operand){ .kind = OPERAND_IMM, .value = (u16)n }; }
static struct operand sreg(u32 n) { return (struct operand){ .kind = OPERAND_SREG, .value = (u16)n }; }

static u64 reg_read(const struct bench *b, u32 n, char letter, u32 l)
{
	u64 low = b->regs[n * WARP_LANES + l];

	return letter == 'd' ? low | (u64)b->regs[(n + 1) * WARP_LANES + l] << 32 : low;
}

static void reg_write(struct bench *b, u32 n, char letter, u32 l, u64 v)
{
	b->regs[n * WARP_LANES + l] = (u32)v;
	if (letter == 'd')
		b->regs[(n + 1) * WARP_LANES + l] = (u32)(v >> 32);
}

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
	struct inst in = { .op = (u16)op, .class = row[op].class, .ndst = 1, .nsrc = (u8)strlen(letter) };

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
	if (want.verdict == UNKNOWN)
		return true;
	if (isnan(want.real) || isnan(got))
		return isnan(want.real) && isnan(got);
	if (isinf(want.real) || fabs(want.real) > 3.4e38)
		return got == want.real || (fabs(want.real) > 3.4e38 && fabs(got) > 3.4e38);
	if (want.verdict == RELATIVE)
		return fabs(got - want.real) <= want.tolerance * fabs(want.real) + 0x1.1p-149;
	return fabs(got - want.real) <= want.tolerance;
}

/* Compare one lane's result with the reference for a spelling. */
static void check_result(const char *form, char letter, u64 got, const u64 *raw)
{
	struct expected want = reference(form, raw);
	u64 seen = letter == 'd' ? got : (u32)got;
	double real = raw_real(letter == 'd' ? "f64" : "f32", seen);
	bool ftz = strstr(form, ".ftz") && fabs(want.real) < 0x1.1p-126 && letter == 'w';

	if (want.verdict == EXACT ? seen == want.bits : close_enough(want, real) || (ftz && real == 0))
		return;
	fail_msg("%s of %llx %llx %llx %llx: got %llx, want %llx (%g, %g)", form, (unsigned long long)raw[0],
		 (unsigned long long)raw[1], (unsigned long long)raw[2], (unsigned long long)raw[3],
		 (unsigned long long)seen, (unsigned long long)want.bits, real, want.real);
}

/* All lanes of one warp instruction against the reference of each spelling of its row. */
static void check_warp(const struct bench *b, u32 op, u64 raw[WARP_LANES][4])
{
	char letter = row[op].sig[0];
	char forms[512], *save = NULL;

	snprintf(forms, sizeof(forms), "%s", row[op].forms);
	for (char *form = strtok_r(forms, " ", &save); form; form = strtok_r(NULL, " ", &save))
		for (u32 l = 0; l < WARP_LANES; l++)
			check_result(form, letter, letter == 'p' ? b->preds[0] >> l & 1 : reg_read(b, 0, letter, l), raw[l]);
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
		assert_int_equal(reg_read(b, 0, letter, l),
				 mask >> l & 1 ? want[l] : letter == 'd' ? 0x5a5a5a5aa5a5a5a5 : 0xa5a5a5a5);
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
	store_free(&b.store);
}

/* Spellings that kernels live on are there, each once. */
static void test_spellings(void **state)
{
	static const char *const must[] = {
		"add.s32", "add.f32", "fma.rn.f32", "mad.lo.s32", "mul.wide.u32", "setp.ge.s32", "setp.neu.f32", "cvt.rn.f32.s32",
		"cvt.rzi.s32.f32", "cvt.u16.u8", "div.rn.f32", "sqrt.rn.f64", "selp.b32", "shl.b64", "bfe.u32", "ex2.approx.ftz.f32",
		"cvt.sat.f32.f32", "cvt.rpi.f32.f32", "mov.u64", "cvta.to.global.u64", "set.eq.u32.f32", "prmt.b32", "sad.s32"
	};
	static char all[1 << 16];
	u32 found = 0;
	(void)state;

	strcpy(all, " ");
	for (u32 op = 0; op < OP_COUNT; op++) {
		char forms[512], word[80], *save = NULL;

		snprintf(forms, sizeof(forms), "%s", row[op].forms);
		for (char *form = strtok_r(forms, " ", &save); form; form = strtok_r(NULL, " ", &save)) {
			snprintf(word, sizeof(word), " %s ", form);
			if (strstr(all, word))
				fail_msg("%s stands in two rows", form);
			strcat(all, form);
			strcat(all, " ");
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
				u64 v = sample(i < strlen(letter) * WARP_LANES ? letter[i / WARP_LANES] : 'd', i / WARP_LANES,
					       4000 + (u32)random_next() % 8000);

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

/* A destination may be a source, or hold a source in one of its halves. */
static void test_overlap(void **state)
{
	struct inst in = { .op = OP_MAD_WIDE_S32, .ndst = 1, .nsrc = 3, .dst = { reg(2) },
			   .src = { reg(2), reg(3), reg(2) } };
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
	struct inst add = { .op = OP_ADD_64, .ndst = 1, .nsrc = 2, .dst = { reg(0) }, .src = { reg(2), imm(1) } };
	struct inst mov = { .op = OP_MOV_32, .ndst = 1, .nsrc = 1, .dst = { reg(0) } };
	static const struct { u8 sreg; u32 want; } special[] = {
		{ SREG_NTID_X, 32 }, { SREG_NTID_Y, 1 }, { SREG_CTAID_X, 2 }, { SREG_CTAID_Y, 1 }, { SREG_CTAID_Z, 0 },
		{ SREG_NCTAID_X, 3 }, { SREG_NCTAID_Y, 2 }, { SREG_NCTAID_Z, 1 }, { SREG_WARPID, 0 }, { SREG_NWARPID, 1 },
	};
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
	mov.guard = (struct operand){ .kind = OPERAND_PRED, .negate = 1, .value = 3 };
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
	struct inst in = { .op = OP_PAND, .ndst = 1, .nsrc = 2, .dst = { pred(0) }, .src = { pred(1), pred(2) } };
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
	in = (struct inst){ .op = OP_SETP_LT_S32, .ndst = 2, .nsrc = 3, .aux = 1, .dst = { pred(4), pred(5) },
			    .src = { reg(2), imm(0), { .kind = OPERAND_PRED, .negate = 1, .value = 1 } } };
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
	in = (struct inst){ .op = OP_BRA, .guard = pred(1) };
	bench_issue(&b, &in);
	assert_int_equal(b.result.taken, 0xff00ff00);
	in.op = OP_EXIT;
	bench_issue(&b, &in);
	assert_int_equal(b.result.exited, 0xff00ff00);
	assert_int_equal(b.result.taken, 0);
	store_free(&b.store);
}

static struct inst inst_memory(u32 op, u8 space, u8 width, u8 vec)
{
	struct inst in = { .op = (u16)op, .space = space, .width = width, .vec = vec, .src = { reg(30) } };

	in.ndst = op == OP_LD ? vec : 0;
	in.nsrc = op == OP_LD ? 1 : (u8)(1 + vec);
	for (u32 e = 0; e < vec; e++) {
		in.dst[e] = op == OP_LD ? reg(2 * e) : (struct operand){0};
		if (op == OP_ST)
			in.src[1 + e] = reg(10 + 2 * e);
	}
	return in;
}

static void addresses(struct bench *b, u64 base, u64 step)
{
	for (u32 l = 0; l < WARP_LANES; l++)
		reg_write(b, 30, 'd', l, base + l * step);
}

/* Lanes that the queue speaks of. */
static u32 queue_lanes(const struct bench *b)
{
	u32 n = 0;

	for (u32 i = 0; i < b->nqueue; i++)
		n += write_lanes(&b->queue[i]);
	return n;
}

static void queue_apply(struct bench *b)
{
	for (u32 i = 0; i < b->nqueue; i++)
		write_finish(&b->store, &b->queue[i], b->regs);
	b->nqueue = 0;
}

/* What is stored in any shape comes back: widths, vectors, masks, spaces, coalesced or not, across pages. */
static void test_store_load(void **state)
{
	static const u8 shape[][2] = {
		{ 1, 1 }, { 2, 1 }, { 4, 1 }, { 8, 1 }, { 1, 4 }, { 2, 2 }, { 4, 2 }, { 4, 4 }, { 8, 2 }
	};
	static const u32 masks[] = { ~0u, 0x0f0f1234, 1u << 31 };
	static struct bench b;
	(void)state;

	bench_open(&b);
	random_state = 5;
	for (u32 trial = 0; trial < ARRAY_LEN(shape) * 3 * 2 * 3; trial++) {
		u32 w = shape[trial % 9][0], v = shape[trial % 9][1], mask = masks[trial / 9 % 3];
		u8 space = trial / 27 % 2 ? SPACE_SHARED : SPACE_GLOBAL;
		u64 base = space == SPACE_SHARED ? 0 : GLOBAL + (trial / 54 == 2 ? STORE_PAGE - 16 * w * v : 0);
		struct inst st = inst_memory(OP_ST, space, (u8)w, (u8)v), ld = inst_memory(OP_LD, space, (u8)w, (u8)v);
		char letter = w == 8 ? 'd' : 'w';
		u64 keep = w == 8 ? ~0ULL : (1ULL << 8 * w) - 1;

		st.offset = ld.offset = (i32)(w * v);
		addresses(&b, base - w * v, trial / 54 == 1 && space == SPACE_GLOBAL ? 4 * w * v : w * v);
		for (u32 i = 0; i < 8 * WARP_LANES; i++)
			b.regs[10 * WARP_LANES + i] = (u32)random_next();
		for (u32 i = 0; i < 8 * WARP_LANES; i++)
			b.regs[i] = 0x77777777;
		b.env.active = mask;
		bench_issue(&b, &st);
		assert_int_equal(b.result.fault, FAULT_NONE);
		assert_int_equal(queue_lanes(&b), space == SPACE_GLOBAL ? __builtin_popcount(mask) : 0);
		queue_apply(&b);
		bench_issue(&b, &ld);
		assert_int_equal(b.result.fault, FAULT_NONE);
		for (u32 l = 0; l < WARP_LANES; l++)
			for (u32 e = 0; e < v; e++)
				assert_int_equal(reg_read(&b, 2 * e, letter, l), !(mask >> l & 1) ?
						 (letter == 'd' ? 0x7777777777777777 : 0x77777777) :
						 reg_read(&b, 10 + 2 * e, letter, l) & keep);
	}
	b.env.active = ~0u;
	store_free(&b.store);
}

/* Global stores wait for the queue; sub-words extend; parameters and constants read; immediates address. */
static void test_load_kinds(void **state)
{
	struct inst ld = inst_memory(OP_LD, SPACE_GLOBAL, 1, 1), st = inst_memory(OP_ST, SPACE_GLOBAL, 4, 1);
	u32 word = 0x80ff7f81;
	static struct bench b;
	(void)state;

	bench_open(&b);
	store_poke(&b.store, GLOBAL, &word, 4);
	addresses(&b, GLOBAL, 1);
	ld.is_signed = 1;
	bench_issue(&b, &ld);
	assert_int_equal(b.regs[0], 0xffffff81);
	assert_int_equal(b.regs[1], 0x7f);
	assert_int_equal(b.regs[2], ~0u);
	ld.is_signed = 0;
	ld.width = 2;
	addresses(&b, GLOBAL, 2);
	bench_issue(&b, &ld);
	assert_int_equal(b.regs[1], 0x80ff);
	addresses(&b, GLOBAL, 4);
	b.regs[10 * WARP_LANES] = 42;
	bench_issue(&b, &st);
	ld = inst_memory(OP_LD, SPACE_GLOBAL, 4, 1);
	bench_issue(&b, &ld);
	assert_int_equal(b.regs[0], word);
	queue_apply(&b);
	bench_issue(&b, &ld);
	assert_int_equal(b.regs[0], 42);
	ld = inst_memory(OP_LD, SPACE_PARAM, 8, 1);
	ld.src[0] = imm(2);
	ld.offset = 8;
	b.imm[2] = 16;
	memset(b.params + 24, 0x3c, 8);
	bench_issue(&b, &ld);
	assert_int_equal(reg_read(&b, 0, 'd', 31), 0x3c3c3c3c3c3c3c3c);
	ld.space = SPACE_CONST;
	b.constants[24] = 9;
	bench_issue(&b, &ld);
	assert_int_equal(reg_read(&b, 0, 'd', 17), 9);
	store_free(&b.store);
}

/* Every fault: its kind, lane and address, and that nothing else has changed. */
static void test_faults(void **state)
{
	static const struct { u8 op, space, width, vec; u64 base, step; u8 fault; u32 lane; } bad[] = {
		{ OP_LD, SPACE_GLOBAL, 4, 1, GLOBAL + 7996 - 40, 4, FAULT_OUT_OF_BOUNDS, 11 },
		{ OP_ST, SPACE_GLOBAL, 4, 1, GLOBAL + 7996 - 40, 4, FAULT_OUT_OF_BOUNDS, 11 },
		{ OP_LD, SPACE_GLOBAL, 4, 4, GLOBAL + 8000 - 16 * 3, 16, FAULT_OUT_OF_BOUNDS, 3 },
		{ OP_LD, SPACE_GLOBAL, 8, 1, GLOBAL + 8192, 0, FAULT_OUT_OF_BOUNDS, 0 },
		{ OP_LD, SPACE_GLOBAL, 4, 1, GLOBAL + 16384, 4, FAULT_OUT_OF_BOUNDS, 0 },
		{ OP_LD, SPACE_GLOBAL, 4, 1, GLOBAL - 4, 4, FAULT_OUT_OF_BOUNDS, 0 },
		{ OP_LD, SPACE_GLOBAL, 4, 1, ~0ULL - 3, 0, FAULT_OUT_OF_BOUNDS, 0 },
		{ OP_LD, SPACE_GLOBAL, 4, 1, GLOBAL + 2, 4, FAULT_MISALIGNED, 0 },
		{ OP_LD, SPACE_GLOBAL, 4, 2, GLOBAL, 4, FAULT_MISALIGNED, 1 },
		{ OP_ST, SPACE_GLOBAL, 2, 1, GLOBAL, 1, FAULT_MISALIGNED, 1 },
		{ OP_LD, SPACE_GLOBAL, 4, 1, 0, 4, FAULT_NULL, 0 },
		{ OP_ATOM, SPACE_GLOBAL, 4, VALUE_U32, GLOBAL + 7996, 4, FAULT_OUT_OF_BOUNDS, 1 },
		{ OP_LD, SPACE_SHARED, 4, 1, 1024 - 4 * 31, 4, FAULT_SHARED_BOUNDS, 31 },
		{ OP_ST, SPACE_SHARED, 4, 1, 1024, 0, FAULT_SHARED_BOUNDS, 0 },
		{ OP_ATOM, SPACE_SHARED, 4, VALUE_U32, 1022, 0, FAULT_SHARED_MISALIGNED, 0 },
		{ OP_LD, SPACE_PARAM, 4, 1, 60, 1, FAULT_MISALIGNED, 1 },
		{ OP_LD, SPACE_PARAM, 4, 1, 60, 4, FAULT_PARAM_BOUNDS, 1 },
		{ OP_LD, SPACE_CONST, 8, 1, 64, 0, FAULT_OUT_OF_BOUNDS, 0 },
		{ OP_LD, SPACE_LOCAL, 4, 1, 0, 0, FAULT_OUT_OF_BOUNDS, 0 },
		{ OP_ST, SPACE_PARAM, 4, 1, 0, 0, FAULT_READ_ONLY, 0 },
		{ OP_ST, SPACE_CONST, 4, 1, 0, 0, FAULT_READ_ONLY, 0 },
	};
	static struct bench b;
	static u32 before[REGS * WARP_LANES];
	struct text t = {0};
	(void)state;

	bench_open(&b);
	for (u32 i = 0; i < ARRAY_LEN(bad); i++) {
		struct inst in = inst_memory(bad[i].op, bad[i].space, bad[i].width, bad[i].op == OP_ATOM ? 1 : bad[i].vec);

		if (bad[i].op == OP_ATOM)
			in.vec = bad[i].vec;
		addresses(&b, bad[i].base, bad[i].step);
		memset(b.shared, 0x11, sizeof(b.shared));
		memcpy(before, b.regs, sizeof(before));
		bench_issue(&b, &in);
		assert_int_equal(b.result.fault, bad[i].fault);
		assert_int_equal(b.result.fault_lane, bad[i].lane);
		assert_int_equal(b.nqueue, 0);
		assert_memory_equal(before, b.regs, sizeof(before));
		for (u32 k = 0; k < sizeof(b.shared); k++)
			assert_int_equal(b.shared[k], 0x11);
		b.kernel.inst = &in;
		text_clear(&t);
		fault_describe(&t, &b.program, &b.launch, 5, 0, &in, b.result.fault, b.result.fault_lane, b.result.fault_address);
		assert_non_null(strstr(t.s, fault_name[bad[i].fault]));
		assert_non_null(strstr(t.s, "CTA 2,1,0"));
		if (i == 0)
			assert_non_null(strstr(t.s, "0 bytes after the end of buffer first, u32[2000]"));
	}
	text_free(&t);
	store_free(&b.store);
}

/* Atomics: each operation's value, lanes in order, shared at once and global through the queue. */
static void test_atomics(void **state)
{
	static const struct { u8 op, type, width; u64 old, a, b, want; } one[] = {
		{ ATOM_ADD, VALUE_U32, 4, 0xffffffff, 2, 0, 1 },
		{ ATOM_ADD, VALUE_U64, 8, 0xffffffff, 2, 0, 0x100000001 },
		{ ATOM_ADD, VALUE_F32, 4, 0x3f800000, 0x40000000, 0, 0x40400000 },
		{ ATOM_ADD, VALUE_F64, 8, 0x3ff0000000000000, 0x3ff0000000000000, 0, 0x4000000000000000 },
		{ ATOM_MIN, VALUE_S32, 4, 5, 0xffffffff, 0, 0xffffffff },
		{ ATOM_MIN, VALUE_U32, 4, 5, 0xffffffff, 0, 5 },
		{ ATOM_MAX, VALUE_S32, 4, 5, 0xffffffff, 0, 5 },
		{ ATOM_MAX, VALUE_U32, 4, 5, 0xffffffff, 0, 0xffffffff },
		{ ATOM_MIN, VALUE_S64, 8, 5, ~0ULL, 0, ~0ULL },
		{ ATOM_MAX, VALUE_U64, 8, 5, ~0ULL, 0, ~0ULL },
		{ ATOM_AND, VALUE_U32, 4, 0xff, 0x3c, 0, 0x3c },
		{ ATOM_OR, VALUE_U32, 4, 0xf0, 0x3c, 0, 0xfc },
		{ ATOM_XOR, VALUE_U32, 4, 0xf0, 0x3c, 0, 0xcc },
		{ ATOM_EXCH, VALUE_U32, 4, 1, 2, 0, 2 },
		{ ATOM_CAS, VALUE_U32, 4, 7, 7, 9, 9 },
		{ ATOM_CAS, VALUE_U32, 4, 7, 8, 9, 7 },
		{ ATOM_INC, VALUE_U32, 4, 3, 4, 0, 4 },
		{ ATOM_INC, VALUE_U32, 4, 4, 4, 0, 0 },
		{ ATOM_DEC, VALUE_U32, 4, 3, 4, 0, 2 },
		{ ATOM_DEC, VALUE_U32, 4, 0, 4, 0, 4 },
		{ ATOM_DEC, VALUE_U32, 4, 9, 4, 0, 4 },
	};
	static struct bench b;
	(void)state;

	bench_open(&b);
	for (u32 i = 0; i < 2 * ARRAY_LEN(one); i++) {
		struct inst in = { .op = OP_ATOM, .space = i & 1 ? SPACE_SHARED : SPACE_GLOBAL, .width = one[i / 2].width,
				   .vec = one[i / 2].type, .aux = one[i / 2].op, .ndst = 1, .nsrc = 3, .dst = { reg(4) },
				   .src = { reg(30), imm(0), imm(1) } };
		u64 got = 0;

		b.imm[0] = one[i / 2].a;
		b.imm[1] = one[i / 2].b;
		addresses(&b, i & 1 ? 64 : GLOBAL + 64, 0);
		memcpy(b.shared + 64, &one[i / 2].old, 8);
		store_poke(&b.store, GLOBAL + 64, &one[i / 2].old, 8);
		b.env.active = 1u << 7;
		bench_issue(&b, &in);
		assert_int_equal(b.nqueue, !(i & 1));
		queue_apply(&b);
		store_read(&b.store, GLOBAL + 64, &got, one[i / 2].width);
		if (i & 1)
			memcpy(&got, b.shared + 64, one[i / 2].width);
		assert_int_equal(got, one[i / 2].want);
		assert_int_equal(reg_read(&b, 4, in.width == 8 ? 'd' : 'w', 7), one[i / 2].old);
	}
	b.env.active = ~0u;
	store_free(&b.store);
}

/* All lanes at one address: each sees what the lanes before it left. */
static void test_atomic_order(void **state)
{
	static struct bench b;
	u32 sum = 0;
	(void)state;

	bench_open(&b);
	for (u32 i = 0; i < 2; i++) {
		struct inst in = { .op = OP_ATOM, .space = i ? SPACE_SHARED : SPACE_GLOBAL, .width = 4, .vec = VALUE_U32,
				   .aux = ATOM_ADD, .ndst = 1, .nsrc = 2, .dst = { reg(2) }, .src = { reg(30), reg(2) } };

		addresses(&b, i ? 0 : GLOBAL, 0);
		for (u32 l = 0; l < WARP_LANES; l++)
			b.regs[2 * WARP_LANES + l] = l * l;
		bench_issue(&b, &in);
		queue_apply(&b);
		sum = 0;
		for (u32 l = 0; l < WARP_LANES; l++) {
			assert_int_equal(b.regs[2 * WARP_LANES + l], sum);
			sum += l * l;
		}
	}
	store_read(&b.store, GLOBAL, &sum, 4);
	assert_int_equal(sum, 10416);
	store_free(&b.store);
}

/* A program by hand: every thread of 2 warps leaves its index in shared memory, meets, and adds its neighbour's. */
static struct inst rotate[] = {
	{ .op = OP_MOV_32, .ndst = 1, .nsrc = 1, .dst = { { OPERAND_REG, 0, 0 } }, .src = { { OPERAND_SREG, 0, SREG_TID_X } } },
	{ .op = OP_SHL_32, .ndst = 1, .nsrc = 2, .dst = { { OPERAND_REG, 0, 1 } },
	  .src = { { OPERAND_REG, 0, 0 }, { OPERAND_IMM, 0, 0 } } },
	{ .op = OP_ST, .space = SPACE_SHARED, .width = 4, .vec = 1, .nsrc = 2,
	  .src = { { OPERAND_REG, 0, 1 }, { OPERAND_REG, 0, 0 } } },
	{ .op = OP_BAR_SYNC },
	{ .op = OP_XOR_32, .ndst = 1, .nsrc = 2, .dst = { { OPERAND_REG, 0, 2 } },
	  .src = { { OPERAND_REG, 0, 1 }, { OPERAND_IMM, 0, 1 } } },
	{ .op = OP_LD, .space = SPACE_SHARED, .width = 4, .vec = 1, .ndst = 1, .nsrc = 1, .dst = { { OPERAND_REG, 0, 3 } },
	  .src = { { OPERAND_REG, 0, 2 } } },
	{ .op = OP_LD, .space = SPACE_PARAM, .width = 8, .vec = 1, .ndst = 1, .nsrc = 1, .dst = { { OPERAND_REG, 0, 4 } },
	  .src = { { OPERAND_IMM, 0, 2 } } },
	{ .op = OP_ATOM, .space = SPACE_GLOBAL, .width = 4, .vec = VALUE_U32, .aux = ATOM_ADD, .nsrc = 2,
	  .src = { { OPERAND_REG, 0, 4 }, { OPERAND_REG, 0, 3 } } },
	{ .op = OP_EXIT },
};

static void test_functional(void **state)
{
	static struct bench b;
	static u32 tid[3][64], mask[2] = { ~0u, ~0u };
	struct functional_result count;
	struct error e = {0};
	u64 address = GLOBAL + 128;
	u32 sum = 0;
	(void)state;

	bench_open(&b);
	for (u32 t = 0; t < 64; t++)
		tid[0][t] = t;
	b.imm[0] = 2;
	b.imm[1] = 32 * 4;
	b.imm[2] = 0;
	memcpy(b.params, &address, 8);
	b.kernel.inst = rotate;
	b.kernel.ninst = ARRAY_LEN(rotate);
	b.launch.threads = b.launch.block[0] = 64;
	b.launch.warps = 2;
	b.launch.warp_mask = mask;
	b.launch.param = b.params;
	for (u32 d = 0; d < 3; d++)
		b.launch.tid[d] = tid[d];
	b.launch.loop = (struct host_loop){ .present = true, .type = VALUE_U32, .compare = COMPARE_LT, .address = address,
					    .value_int = 20000, .max = 10, .iteration_param = 16 };
	assert_int_equal(functional_run(&b.program, &b.store, 0, &count, &e), STATUS_OK);
	store_read(&b.store, address, &sum, 4);
	assert_int_equal(sum, 2 * 6 * 2016);
	assert_int_equal(count.warp_instructions, 2 * 6 * 2 * ARRAY_LEN(rotate));
	assert_int_equal(count.thread_instructions, 32 * count.warp_instructions);
	assert_int_equal(functional_run(&b.program, &b.store, 50, &count, &e), STATUS_LIMIT);
	b.imm[1] = 4096;
	assert_int_equal(functional_run(&b.program, &b.store, 0, &count, &e), STATUS_CHECK);
	assert_non_null(strstr(e.message, "shared memory access out of bounds"));
	assert_non_null(strstr(e.message, "pc 5"));
	b.imm[1] = 128;
	rotate[3].guard = pred(0);
	b.launch.loop.present = false;
	assert_int_equal(functional_run(&b.program, &b.store, 0, &count, &e), STATUS_OK);
	store_free(&b.store);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_spelling),
		cmocka_unit_test(test_spellings),
		cmocka_unit_test(test_tables_agree),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_operands),
		cmocka_unit_test(test_predicates),
		cmocka_unit_test(test_store_load),
		cmocka_unit_test(test_load_kinds),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_atomics),
		cmocka_unit_test(test_atomic_order),
		cmocka_unit_test(test_functional),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
