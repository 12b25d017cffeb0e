/*
 * test_generic.c - generic addresses and their windows, local memory: values and faults, lanes in any mixture of
 * spaces.
 */
#include "exec_bench.h"

#include <string.h>

#define TRIALS 400

/* The bench with local memory: a frame of 64 bytes for each lane. */
static u8 local[64 * WARP_LANES];
static void bench_open_local(struct bench *b)
{
	bench_open(b);
	b->kernel.local_bytes = 64;
	b->env.local = local;
	memset(local, 0, sizeof(local));
}

/* A mask: all lanes, some, or one. */
static u32 random_mask(u32 trial)
{
	u32 x = (u32)random_next();

	return trial % 3 == 0 ? ~0u : trial % 3 == 1 && x ? x : 1u << (x & 31);
}

/* The bytes that a generic address means in lane l. */
static u8 *place(struct bench *b, u64 address, u32 l)
{
	if (address >= WINDOWS_END)
		return store_page_write(&b->store, address) + address % STORE_PAGE;
	if (address >= PARAM_WINDOW)
		return b->params + (address - PARAM_WINDOW);
	if (address >= CONST_WINDOW)
		return b->constants + (address - CONST_WINDOW);
	if (address >= LOCAL_WINDOW)
		return local + l * 64 + (address - LOCAL_WINDOW);
	return b->shared + (address - SHARED_WINDOW);
}

static u64 peek(struct bench *b, u64 address, u32 l)
{
	u64 v;

	memcpy(&v, place(b, address, l), 8);
	return v;
}

static void put(struct bench *b, u64 address, u32 l, u64 v)
{
	memcpy(place(b, address, l), &v, 8);
}

/* Apply the queue as the end of the cycle does. */
static void queue_apply(struct bench *b)
{
	for (u32 i = 0; i < b->nqueue; i++)
		write_finish(&b->store, &b->queue[i], b->regs);
	b->nqueue = 0;
}

/* Lane l's address in one of the spaces that `spaces` names, its own 8 bytes. */
static u64 spread(u32 spaces, u32 l)
{
	static const u64 base[] = {GLOBAL + 256, SHARED_WINDOW + 128, LOCAL_WINDOW, CONST_WINDOW, PARAM_WINDOW};
	u32 k = (u32)random_next() % 5;

	while (!(spaces >> k & 1))
		k = (k + 1) % 5;
	return base[k] + (k > 2 ? l % 8 * 8 : k == 2 ? l % 4 * 8 : l * 8);
}

/* Loads, stores and atomics through generic addresses, lanes in any mixture of spaces. */
static void test_generic(void **state)
{
	static struct bench b;
	u64 address[WARP_LANES], before[WARP_LANES];
	(void)state;

	bench_open_local(&b);
	random_state = 16;
	for (u32 trial = 0; trial < 3 * TRIALS; trial++) {
		u32 op = trial % 3 == 0 ? OP_LD : trial % 3 == 1 ? OP_ST : OP_ATOM, most = op == OP_LD ? 31 : 7;
		u32 spaces = 1 + (u32)random_next() % most, mask = random_mask(trial / 3), inside = 0, elsewhere = 0;
		struct inst in = {.op = (u16)op,
				  .space = SPACE_GENERIC,
				  .width = 8,
				  .vec = op == OP_ATOM ? VALUE_U64 : 1,
				  .aux = ATOM_ADD,
				  .ndst = op != OP_ST,
				  .nsrc = op == OP_LD ? 1 : 2,
				  .dst = {reg(0)},
				  .src = {reg(30), reg(4)},
				  .offset = 8};

		for (u32 l = 0; l < WARP_LANES; l++) {
			address[l] = spread(spaces, l);
			inside |= address[l] >= WINDOWS_END ? 1u << l : 0;
			elsewhere |=
				address[l] >= WINDOWS_END || address[l] - SHARED_WINDOW >= WINDOW_BYTES ? 1u << l : 0;
			reg_write(&b, 30, 'd', l, address[l] - 8);
			reg_write(&b, 4, 'd', l, random_next());
			reg_write(&b, 0, 'd', l, 0x77);
			if (op != OP_LD || address[l] < CONST_WINDOW || address[l] >= WINDOWS_END)
				put(&b, address[l], l, random_next());
			before[l] = peek(&b, address[l], l);
		}
		b.env.active = mask;
		bench_issue(&b, &in);
		assert_int_equal(b.result.fault, FAULT_NONE);
		assert_int_equal(b.result.mask, mask);
		queue_apply(&b);
		for (u32 l = 0; l < WARP_LANES; l++) {
			u64 now = peek(&b, address[l], l), value = reg_read(&b, 4, 'd', l);
			bool runs = mask >> l & 1;

			assert_int_equal(now, !runs || op == OP_LD ? before[l]
					      : op == OP_ST	   ? value
								   : before[l] + value);
			assert_int_equal(reg_read(&b, 0, 'd', l), runs && op != OP_ST ? before[l] : 0x77);
		}
		if (!(inside & mask) && !(elsewhere & mask))
			assert_int_equal(b.result.space, SPACE_SHARED);
		if ((inside & mask) == mask || !(inside & mask))
			assert_true(!b.result.aside || b.result.aside == mask);
		if ((inside & mask) && (inside & mask) != mask)
			assert_int_equal(b.result.aside, mask & ~inside);
	}
	store_free(&b.store);
}

/* One bad lane among several spaces: the fault, and nothing has changed. */
static void test_generic_faults(void **state)
{
	struct inst in = {
		.op = OP_ST, .space = SPACE_GENERIC, .width = 4, .vec = 1, .nsrc = 2, .src = {reg(30), reg(4)}};
	static const u64 bad[][2] = {
		{SHARED_WINDOW + 1024, FAULT_SHARED_BOUNDS},
		{LOCAL_WINDOW + 64, FAULT_LOCAL_BOUNDS},
		{CONST_WINDOW, FAULT_READ_ONLY},
		{GLOBAL + 8000, FAULT_OUT_OF_BOUNDS},
		{0, FAULT_NULL},
		{LOCAL_WINDOW + 2, FAULT_MISALIGNED},
	};
	static struct bench b;
	(void)state;

	bench_open_local(&b);
	for (u32 i = 0; i < ARRAY_LEN(bad); i++) {
		for (u32 l = 0; l < WARP_LANES; l++)
			reg_write(&b, 30, 'd', l, (l & 1 ? SHARED_WINDOW : l & 2 ? GLOBAL : LOCAL_WINDOW) + l % 16 * 4);
		reg_write(&b, 30, 'd', 21, bad[i][0]);
		memset(b.shared, 0x11, sizeof(b.shared));
		memset(local, 0x11, sizeof(local));
		bench_issue(&b, &in);
		assert_int_equal(b.result.fault, bad[i][1]);
		assert_int_equal(b.result.fault_lane, 21);
		assert_int_equal(b.nqueue, 0);
		for (u32 k = 0; k < sizeof(b.shared); k++)
			assert_int_equal(b.shared[k], 0x11);
		for (u32 k = 0; k < sizeof(local); k++)
			assert_int_equal(local[k], 0x11);
	}
	store_free(&b.store);
}

/* cvta there and back, and which space an address is in. */
static void test_windows(void **state)
{
	static const u16 to[] = {OP_CVTA_SHARED, OP_CVTA_LOCAL, OP_CVTA_CONST, OP_CVTA_PARAM};
	static const u16 back[] = {OP_CVTA_TO_SHARED, OP_CVTA_TO_LOCAL, OP_CVTA_TO_CONST, OP_CVTA_TO_PARAM};
	static const u16 is[] = {OP_ISSPACEP_SHARED, OP_ISSPACEP_LOCAL, OP_ISSPACEP_CONST, OP_ISSPACEP_PARAM,
				 OP_ISSPACEP_GLOBAL};
	static struct bench b;
	(void)state;

	bench_open(&b);
	for (u32 k = 0; k < 5; k++) {
		struct inst in = {.ndst = 1, .nsrc = 1, .dst = {reg(2)}, .src = {reg(0)}};

		reg_write(&b, 0, 'd', 3, k < 4 ? 0xfffff8 : GLOBAL);
		in.op = k < 4 ? to[k] : OP_MOV_64;
		bench_issue(&b, &in);
		for (u32 i = 0; i < 5; i++) {
			struct inst test = {.op = is[i], .ndst = 1, .nsrc = 1, .dst = {pred(0)}, .src = {reg(2)}};

			bench_issue(&b, &test);
			assert_int_equal(b.preds[0] >> 3 & 1, i == k);
		}
		in.op = k < 4 ? back[k] : OP_MOV_64;
		in.dst[0] = reg(4);
		in.src[0] = reg(2);
		bench_issue(&b, &in);
		assert_int_equal(reg_read(&b, 4, 'd', 3), k < 4 ? 0xfffff8 : GLOBAL);
	}
	assert_true(SHARED_WINDOW > 4096 && WINDOWS_END <= STORE_GLOBAL_BASE);
	store_free(&b.store);
}

/* Frames of lanes lie apart: the same offset is another place in each. */
static void test_local(void **state)
{
	struct inst st = {
		.op = OP_ST, .space = SPACE_LOCAL, .width = 4, .vec = 2, .nsrc = 3, .src = {imm(0), reg(4), reg(5)}};
	struct inst ld = {.op = OP_LD,
			  .space = SPACE_LOCAL,
			  .width = 8,
			  .vec = 1,
			  .ndst = 1,
			  .nsrc = 1,
			  .dst = {reg(0)},
			  .src = {imm(0)}};
	static struct bench b;
	(void)state;

	bench_open_local(&b);
	random_state = 17;
	for (u32 i = 0; i < 2 * WARP_LANES; i++)
		b.regs[4 * WARP_LANES + i] = (u32)random_next();
	b.imm[0] = 56;
	bench_issue(&b, &st);
	bench_issue(&b, &ld);
	assert_int_equal(b.nqueue, 0);
	for (u32 l = 0; l < WARP_LANES; l++) {
		assert_int_equal(reg_read(&b, 0, 'd', l), reg_read(&b, 4, 'd', l));
		assert_int_equal(local[l * 64], 0);
	}
	b.imm[0] = 60;
	bench_issue(&b, &ld);
	assert_int_equal(b.result.fault, FAULT_MISALIGNED);
	b.imm[0] = 64;
	bench_issue(&b, &ld);
	assert_int_equal(b.result.fault, FAULT_LOCAL_BOUNDS);
	store_free(&b.store);
}

/* Single precision sums in global memory flush denormals, in shared memory they do not. */
static void test_atomic_denormals(void **state)
{
	static struct bench b;
	(void)state;

	bench_open(&b);
	for (u32 shared = 0; shared < 2; shared++) {
		struct inst in = {.op = OP_ATOM,
				  .space = SPACE_GENERIC,
				  .width = 4,
				  .vec = VALUE_F32,
				  .aux = ATOM_ADD,
				  .nsrc = 2,
				  .src = {reg(30), imm(0)}};
		u32 tiny = 0x00000003, got;

		b.imm[0] = 0x00000001;
		store_poke(&b.store, GLOBAL, &tiny, 4);
		memcpy(b.shared, &tiny, 4);
		reg_write(&b, 30, 'd', 0, shared ? SHARED_WINDOW : GLOBAL);
		b.env.active = 1;
		bench_issue(&b, &in);
		queue_apply(&b);
		store_read(&b.store, GLOBAL, &got, 4);
		if (shared)
			memcpy(&got, b.shared, 4);
		assert_int_equal(got, shared ? 4 : 0);
	}
	store_free(&b.store);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_generic), cmocka_unit_test(test_generic_faults),	 cmocka_unit_test(test_windows),
		cmocka_unit_test(test_local),	cmocka_unit_test(test_atomic_denormals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
