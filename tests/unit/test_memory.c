/*
 * test_memory.c - loads, stores, atomics, faults, and whole programs without time.
 */
#include "exec_bench.h"

#include <string.h>

static struct inst inst_memory(u32 op, u8 space, u8 width, u8 vec)
{
	struct inst in = {.op = (u16)op, .space = space, .width = width, .vec = vec, .src = {reg(30)}};

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
	static const u8 shape[][2] = {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {1, 4}, {2, 2}, {4, 2}, {4, 4}, {8, 2}};
	static const u32 masks[] = {~0u, 0x0f0f1234, 1u << 31};
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
				assert_int_equal(reg_read(&b, 2 * e, letter, l),
						 !(mask >> l & 1) ? (letter == 'd' ? 0x7777777777777777 : 0x77777777)
								  : reg_read(&b, 10 + 2 * e, letter, l) & keep);
	}
	b.env.active = ~0u;
	store_free(&b.store);
}

/* 32 words side by side from any word of a page, over its end: each where it belongs, none in two pieces. */
static void test_neighbours(void **state)
{
	struct inst st = inst_memory(OP_ST, SPACE_GLOBAL, 4, 1);
	static struct bench b;
	(void)state;

	bench_open(&b);
	for (u32 i = 0; i < WARP_LANES; i++)
		b.regs[10 * WARP_LANES + i] = 100 + i;
	for (u32 before = 0; before <= 33; before++) {
		u64 base = GLOBAL + STORE_PAGE - 4 * before;
		u32 got[WARP_LANES + 2], zero[WARP_LANES + 2] = {0};

		store_poke(&b.store, base - 4, zero, sizeof(zero));
		addresses(&b, base, 4);
		bench_issue(&b, &st);
		for (u32 i = 0; i < b.nqueue; i++)
			assert_true(b.queue[i].address % b.queue[i].bytes == 0);
		queue_apply(&b);
		store_read(&b.store, base - 4, got, sizeof(got));
		assert_int_equal(got[0] | got[WARP_LANES + 1], 0);
		for (u32 i = 0; i < WARP_LANES; i++)
			assert_int_equal(got[1 + i], 100 + i);
	}
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
	ld.is_signed = 1;
	bench_issue(&b, &ld);
	assert_int_equal(b.regs[0], 0x7f81);
	assert_int_equal(b.regs[1], 0xffff80ff);
	ld.is_signed = 0;
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
	static const struct {
		u8 op, space, width, vec;
		u64 base, step;
		u8 fault;
		u32 lane;
	} bad[] = {
		{OP_LD, SPACE_GLOBAL, 4, 1, GLOBAL + 7996 - 40, 4, FAULT_OUT_OF_BOUNDS, 11},
		{OP_ST, SPACE_GLOBAL, 4, 1, GLOBAL + 7996 - 40, 4, FAULT_OUT_OF_BOUNDS, 11},
		{OP_LD, SPACE_GLOBAL, 4, 4, GLOBAL + 8000 - 16 * 3, 16, FAULT_OUT_OF_BOUNDS, 3},
		{OP_LD, SPACE_GLOBAL, 8, 1, GLOBAL + 8192, 0, FAULT_OUT_OF_BOUNDS, 0},
		{OP_LD, SPACE_GLOBAL, 4, 1, GLOBAL + 16384, 4, FAULT_OUT_OF_BOUNDS, 0},
		{OP_LD, SPACE_GLOBAL, 4, 1, GLOBAL - 4, 4, FAULT_OUT_OF_BOUNDS, 0},
		{OP_LD, SPACE_GLOBAL, 4, 1, ~0ULL - 3, 0, FAULT_OUT_OF_BOUNDS, 0},
		{OP_LD, SPACE_GLOBAL, 4, 1, GLOBAL + 2, 4, FAULT_MISALIGNED, 0},
		{OP_LD, SPACE_GLOBAL, 4, 2, GLOBAL, 4, FAULT_MISALIGNED, 1},
		{OP_ST, SPACE_GLOBAL, 2, 1, GLOBAL, 1, FAULT_MISALIGNED, 1},
		{OP_LD, SPACE_GLOBAL, 4, 1, 0, 4, FAULT_NULL, 0},
		{OP_LD, SPACE_GLOBAL, 4, 1, 4092, 0, FAULT_NULL, 0},
		{OP_LD, SPACE_GLOBAL, 4, 1, 4096, 0, FAULT_OUT_OF_BOUNDS, 0},
		{OP_ATOM, SPACE_GLOBAL, 4, VALUE_U32, GLOBAL + 7996, 4, FAULT_OUT_OF_BOUNDS, 1},
		{OP_LD, SPACE_SHARED, 4, 1, 1024 - 4 * 31, 4, FAULT_SHARED_BOUNDS, 31},
		{OP_ST, SPACE_SHARED, 4, 1, 1024, 0, FAULT_SHARED_BOUNDS, 0},
		{OP_LD, SPACE_SHARED, 1, 1, 1024 - 31, 1, FAULT_SHARED_BOUNDS, 31},
		{OP_ATOM, SPACE_SHARED, 4, VALUE_U32, 1022, 0, FAULT_SHARED_MISALIGNED, 0},
		{OP_LD, SPACE_PARAM, 4, 1, 60, 1, FAULT_MISALIGNED, 1},
		{OP_LD, SPACE_PARAM, 4, 1, 60, 4, FAULT_PARAM_BOUNDS, 1},
		{OP_LD, SPACE_CONST, 8, 1, 64, 0, FAULT_CONST_BOUNDS, 0},
		{OP_LD, SPACE_LOCAL, 4, 1, 0, 0, FAULT_LOCAL_BOUNDS, 0},
		{OP_ST, SPACE_PARAM, 4, 1, 0, 0, FAULT_READ_ONLY, 0},
		{OP_ST, SPACE_CONST, 4, 1, 0, 0, FAULT_READ_ONLY, 0},
		{OP_LD, SPACE_GENERIC, 4, 1, GLOBAL + 7996, 4, FAULT_OUT_OF_BOUNDS, 1},
		{OP_LD, SPACE_GENERIC, 4, 1, 8, 4, FAULT_NULL, 0},
		{OP_ST, SPACE_GENERIC, 4, 1, SHARED_WINDOW + 1020, 4, FAULT_SHARED_BOUNDS, 1},
		{OP_ATOM, SPACE_GENERIC, 4, VALUE_U32, SHARED_WINDOW + 2, 0, FAULT_SHARED_MISALIGNED, 0},
		{OP_LD, SPACE_GENERIC, 4, 1, LOCAL_WINDOW, 4, FAULT_LOCAL_BOUNDS, 0},
		{OP_LD, SPACE_GENERIC, 4, 1, CONST_WINDOW + 60, 4, FAULT_CONST_BOUNDS, 1},
		{OP_ST, SPACE_GENERIC, 4, 1, PARAM_WINDOW, 4, FAULT_READ_ONLY, 0},
		{OP_LD, SPACE_GENERIC, 4, 1, SHARED_WINDOW - 4 * 16, 4, FAULT_OUT_OF_BOUNDS, 0},
	};
	static struct bench b;
	static u32 before[REGS * WARP_LANES];
	struct text t = {0};
	(void)state;

	bench_open(&b);
	for (u32 i = 0; i < ARRAY_LEN(bad); i++) {
		struct inst in =
			inst_memory(bad[i].op, bad[i].space, bad[i].width, bad[i].op == OP_ATOM ? 1 : bad[i].vec);

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
		fault_describe(&t, &b.program, &b.launch, 5, 0, &in, b.result.fault, b.result.fault_lane,
			       b.result.fault_address);
		assert_non_null(strstr(t.s, fault_name[bad[i].fault]));
		assert_non_null(strstr(t.s, "warp 0 in CTA 5 (2,1,0)"));
		if (i == 0)
			assert_non_null(strstr(t.s, "0 bytes after the end of buffer first, u32[2000]"));
	}
	text_free(&t);
	store_free(&b.store);
}

/* Atomics: each operation's value, lanes in order, shared at once and global through the queue. */
static void test_atomics(void **state)
{
	static const struct {
		u8 op, type, width;
		u64 old, a, b, want;
	} one[] = {
		{ATOM_ADD, VALUE_U32, 4, 0xffffffff, 2, 0, 1},
		{ATOM_ADD, VALUE_U64, 8, 0xffffffff, 2, 0, 0x100000001},
		{ATOM_ADD, VALUE_F32, 4, 0x3f800000, 0x40000000, 0, 0x40400000},
		{ATOM_ADD, VALUE_F64, 8, 0x3ff0000000000000, 0x3ff0000000000000, 0, 0x4000000000000000},
		{ATOM_MIN, VALUE_S32, 4, 5, 0xffffffff, 0, 0xffffffff},
		{ATOM_MIN, VALUE_U32, 4, 5, 0xffffffff, 0, 5},
		{ATOM_MAX, VALUE_S32, 4, 5, 0xffffffff, 0, 5},
		{ATOM_MAX, VALUE_U32, 4, 5, 0xffffffff, 0, 0xffffffff},
		{ATOM_MIN, VALUE_S64, 8, 5, ~0ULL, 0, ~0ULL},
		{ATOM_MAX, VALUE_U64, 8, 5, ~0ULL, 0, ~0ULL},
		{ATOM_AND, VALUE_U32, 4, 0xff, 0x3c, 0, 0x3c},
		{ATOM_OR, VALUE_U32, 4, 0xf0, 0x3c, 0, 0xfc},
		{ATOM_XOR, VALUE_U32, 4, 0xf0, 0x3c, 0, 0xcc},
		{ATOM_EXCH, VALUE_U32, 4, 1, 2, 0, 2},
		{ATOM_CAS, VALUE_U32, 4, 7, 7, 9, 9},
		{ATOM_CAS, VALUE_U32, 4, 7, 8, 9, 7},
		{ATOM_INC, VALUE_U32, 4, 3, 4, 0, 4},
		{ATOM_INC, VALUE_U32, 4, 4, 4, 0, 0},
		{ATOM_DEC, VALUE_U32, 4, 3, 4, 0, 2},
		{ATOM_DEC, VALUE_U32, 4, 0, 4, 0, 4},
		{ATOM_DEC, VALUE_U32, 4, 9, 4, 0, 4},
		{ATOM_MIN, VALUE_U64, 8, 5, ~0ULL, 0, 5},
		{ATOM_MAX, VALUE_S64, 8, 5, ~0ULL, 0, 5},
		{ATOM_MIN, VALUE_S64, 8, 0x7fffffffffffffff, 1ULL << 63, 0, 1ULL << 63},
		{ATOM_AND, VALUE_U64, 8, 0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0, 0x0f000f000f000f00},
		{ATOM_OR, VALUE_U64, 8, 1ULL << 63, 1, 0, (1ULL << 63) + 1},
		{ATOM_XOR, VALUE_U64, 8, ~0ULL, 0xff, 0, ~0xffULL},
		{ATOM_EXCH, VALUE_U64, 8, 1, 0x123456789abcdef0, 0, 0x123456789abcdef0},
		{ATOM_CAS, VALUE_U64, 8, 0x100000007, 0x100000007, 9, 9},
		{ATOM_CAS, VALUE_U64, 8, 0x100000007, 7, 9, 0x100000007},
		{ATOM_ADD, VALUE_S64, 8, 3, ~0ULL, 0, 2},
		{ATOM_ADD, VALUE_F32, 4, 0x7f800000, 0xff800000, 0, 0x7fffffff},
		{ATOM_CAS, VALUE_U16, 2, 7, 0xffff0007, 0xffff0009, 9}, /* 16 bits of the register */
	};
	static struct bench b;
	(void)state;

	bench_open(&b);
	for (u32 i = 0; i < 2 * ARRAY_LEN(one); i++) {
		struct inst in = {.op = OP_ATOM,
				  .space = i & 1 ? SPACE_SHARED : SPACE_GLOBAL,
				  .width = one[i / 2].width,
				  .vec = one[i / 2].type,
				  .aux = one[i / 2].op,
				  .ndst = 1,
				  .nsrc = 3,
				  .dst = {reg(4)},
				  .src = {reg(30), imm(0), imm(1)}};
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
		struct inst in = {.op = OP_ATOM,
				  .space = i ? SPACE_SHARED : SPACE_GLOBAL,
				  .width = 4,
				  .vec = VALUE_U32,
				  .aux = ATOM_ADD,
				  .ndst = 1,
				  .nsrc = 2,
				  .dst = {reg(2)},
				  .src = {reg(30), reg(2)}};

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
	{.op = OP_MOV_32, .ndst = 1, .nsrc = 1, .dst = {{OPERAND_REG, 0, 0}}, .src = {{OPERAND_SREG, 0, SREG_TID_X}}},
	{.op = OP_SHL_32,
	 .ndst = 1,
	 .nsrc = 2,
	 .dst = {{OPERAND_REG, 0, 1}},
	 .src = {{OPERAND_REG, 0, 0}, {OPERAND_IMM, 0, 0}}},
	{.op = OP_ST,
	 .space = SPACE_SHARED,
	 .width = 4,
	 .vec = 1,
	 .nsrc = 2,
	 .src = {{OPERAND_REG, 0, 1}, {OPERAND_REG, 0, 0}}},
	{.op = OP_BAR_SYNC},
	{.op = OP_XOR_32,
	 .ndst = 1,
	 .nsrc = 2,
	 .dst = {{OPERAND_REG, 0, 2}},
	 .src = {{OPERAND_REG, 0, 1}, {OPERAND_IMM, 0, 1}}},
	{.op = OP_LD,
	 .space = SPACE_SHARED,
	 .width = 4,
	 .vec = 1,
	 .ndst = 1,
	 .nsrc = 1,
	 .dst = {{OPERAND_REG, 0, 3}},
	 .src = {{OPERAND_REG, 0, 2}}},
	{.op = OP_LD,
	 .space = SPACE_PARAM,
	 .width = 8,
	 .vec = 1,
	 .ndst = 1,
	 .nsrc = 1,
	 .dst = {{OPERAND_REG, 0, 4}},
	 .src = {{OPERAND_IMM, 0, 2}}},
	{.op = OP_ATOM,
	 .space = SPACE_GLOBAL,
	 .width = 4,
	 .vec = VALUE_U32,
	 .aux = ATOM_ADD,
	 .nsrc = 2,
	 .src = {{OPERAND_REG, 0, 4}, {OPERAND_REG, 0, 3}}},
	{.op = OP_EXIT},
};

/* Launch two warps of the kernel's instructions. */
static void bench_launch(struct bench *b, struct inst *in, u32 n)
{
	static u32 tid[3][64], mask[2] = {~0u, ~0u};

	for (u32 t = 0; t < 64; t++)
		tid[0][t] = t;
	b->kernel.inst = in;
	b->kernel.ninst = n;
	b->launch.threads = b->launch.block[0] = 64;
	b->launch.warps = 2;
	b->launch.warp_mask = mask;
	b->launch.param = b->params;
	for (u32 d = 0; d < 3; d++)
		b->launch.tid[d] = tid[d];
}

static void test_functional(void **state)
{
	static struct bench b;
	struct functional_result count;
	struct error e = {0};
	u64 address = GLOBAL + 128;
	u32 sum = 0;
	(void)state;

	bench_open(&b);
	bench_launch(&b, rotate, ARRAY_LEN(rotate));
	b.imm[0] = 2;
	b.imm[1] = 32 * 4;
	memcpy(b.params, &address, 8);
	b.launch.loop = (struct host_loop){.present = true,
					   .type = VALUE_U32,
					   .compare = COMPARE_LT,
					   .address = address,
					   .value_int = 20000,
					   .max = 10,
					   .iteration_param = 16};
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
	store_free(&b.store);
}

/* Barriers that cannot be: a part of a warp, or warps of a CTA at two of them. */
static void test_barriers(void **state)
{
	static struct inst in[] = {
		{.op = OP_SETP_LT_U32,
		 .ndst = 1,
		 .nsrc = 2,
		 .dst = {{OPERAND_PRED, 0, 0}},
		 .src = {{OPERAND_SREG, 0, SREG_TID_X}, {OPERAND_IMM, 0, 0}}},
		{.op = OP_BRA, .guard = {OPERAND_PRED, 0, 0}, .target = 4, .reconverge = 6},
		{.op = OP_BAR_SYNC, .barrier = 1},
		{.op = OP_EXIT},
		{.op = OP_BAR_SYNC, .barrier = 0},
		{.op = OP_EXIT},
	};
	static struct bench b;
	struct functional_result count;
	struct error e = {0};
	(void)state;

	bench_open(&b);
	bench_launch(&b, in, ARRAY_LEN(in));
	b.imm[0] = 40;
	assert_int_equal(functional_run(&b.program, &b.store, 0, &count, &e), STATUS_CHECK);
	assert_non_null(strstr(e.message, "barrier reached by only some lanes of the warp"));
	assert_non_null(strstr(e.message, "warp 1"));
	b.imm[0] = 32;
	assert_int_equal(functional_run(&b.program, &b.store, 0, &count, &e), STATUS_DEADLOCK);
	assert_non_null(strstr(e.message, "barriers 0 and 1"));
	in[2].barrier = 0;
	assert_int_equal(functional_run(&b.program, &b.store, 0, &count, &e), STATUS_OK);
	store_free(&b.store);
}

/* Host loops end by their condition, in the element's type, or by their bound. */
static void test_host_loop(void **state)
{
	static const struct {
		u8 type, compare;
		u64 raw;
		i64 whole;
		double real;
		bool again;
	} at[] = {{VALUE_U32, COMPARE_NE, 0, 0, 0, false},
		  {VALUE_U32, COMPARE_NE, 1, 0, 0, true},
		  {VALUE_S32, COMPARE_LT, 0xffffffff, 0, 0, true},
		  {VALUE_U32, COMPARE_LT, 0xffffffff, 0, 0, false},
		  {VALUE_S8, COMPARE_EQ, 0xff, -1, 0, true},
		  {VALUE_U64, COMPARE_GT, ~0ULL, 5, 0, true},
		  {VALUE_U64, COMPARE_EQ, ~0ULL, -1, 0, true},
		  {VALUE_U64, COMPARE_GT, ~0ULL, -2, 0, true},
		  {VALUE_U64, COMPARE_LT, 1ULL << 63, -1, 0, true},
		  {VALUE_U64, COMPARE_LT, ~0ULL, INT64_MAX, 0, false},
		  {VALUE_F32, COMPARE_GE, 0x3f800000, 0, 1.0, true},
		  {VALUE_F64, COMPARE_LE, 0x3ff0000000000000, 0, 0.5, false},
		  {VALUE_F32, COMPARE_LT, 0x7fc00000, 0, 1.0, false},
		  {VALUE_F32, COMPARE_NE, 0x7fc00000, 0, 1.0, true}};
	static struct bench b;
	u8 params[64];
	u32 got = 0;
	(void)state;

	bench_open(&b);
	for (u32 i = 0; i < ARRAY_LEN(at); i++) {
		struct host_loop loop = {.present = true,
					 .type = at[i].type,
					 .compare = at[i].compare,
					 .address = GLOBAL + 8,
					 .value_int = at[i].whole,
					 .value_real = at[i].real,
					 .max = 3,
					 .reset_address = GLOBAL,
					 .reset_bytes = 5000};

		store_poke(&b.store, GLOBAL + 8, &at[i].raw, 8);
		assert_int_equal(host_loop_again(&loop, &b.store, 1), at[i].again);
		assert_false(host_loop_again(&loop, &b.store, 3));
		host_loop_reset(&loop, &b.store);
		store_read(&b.store, GLOBAL + 8, &got, 4);
		assert_int_equal(got, 0);
	}
	b.launch.param = b.params;
	b.launch.loop = (struct host_loop){.present = true, .iteration_param = 12};
	launch_params(&b.launch, 7, params);
	memcpy(&got, params + 12, 4);
	assert_int_equal(got, 7);
	store_free(&b.store);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_store_load), cmocka_unit_test(test_neighbours),
		cmocka_unit_test(test_load_kinds), cmocka_unit_test(test_faults),
		cmocka_unit_test(test_atomics),	   cmocka_unit_test(test_atomic_order),
		cmocka_unit_test(test_functional), cmocka_unit_test(test_barriers),
		cmocka_unit_test(test_host_loop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
