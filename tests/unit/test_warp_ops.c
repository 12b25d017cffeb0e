/*
 * test_warp_ops.c - between lanes: shfl, vote, match, redux; carries, special registers, barriers' operands. References
 * follow the definitions in CUDA's terms, lane by lane.
 */
#include "exec_bench.h"

#include <string.h>

#define TRIALS 400

static u32 popcount(u32 x)
{
	return (u32)__builtin_popcount(x);
}

/* Random bits, few values at times so that lanes agree. */
static void fill_random(struct bench *b, u32 r, u32 values)
{
	for (u32 l = 0; l < WARP_LANES; l++)
		b->regs[r * WARP_LANES + l] = values ? (u32)random_next() % values : (u32)random_next();
}

/* A mask: all lanes, some, or one. */
static u32 random_mask(u32 trial)
{
	u32 x = (u32)random_next();

	return trial % 3 == 0 ? ~0u : trial % 3 == 1 && x ? x : 1u << (x & 31);
}

/* --- shfl --- */

/* What __shfl_*_sync(..., width) reads: the source lane, or -1 when it is outside the segment. */
static i32 shuffle_lane(u32 op, i32 lane, i32 n, i32 width)
{
	i32 start = lane / width * width, end = start + width - 1, j;

	switch (op) {
	case OP_SHFL_UP: j = lane - n; return j < start ? -1 : j;
	case OP_SHFL_DOWN: j = lane + n; return j > end ? -1 : j;
	case OP_SHFL_BFLY: j = lane ^ n; return j > end ? -1 : j; /* an earlier segment may be read */
	default: return start + n % width;
	}
}

/* Every mode, width and distance; masks of execution and membership; with and without the predicate. */
static void test_shfl(void **state)
{
	static struct bench b;
	(void)state;

	bench_open(&b);
	random_state = 11;
	for (u32 trial = 0; trial < 4 * 6 * TRIALS; trial++) {
		u32 op = OP_SHFL_UP + trial % 4, width = 1u << (trial / 4 % 6), active = random_mask(trial / 24);
		struct inst in = {.op = (u16)op,
				  .ndst = 2,
				  .nsrc = 4,
				  .dst = {reg(0), pred(1)},
				  .src = {reg(2), reg(4), imm(0), imm(1)}};
		u32 members = trial / 100 % 2 ? (u32)random_next() : ~0u;

		fill_random(&b, 2, 0);
		fill_random(&b, 4, 40);
		memset(b.regs, 0x77, WARP_LANES * 4);
		b.preds[1] = 0x5555aaaa;
		b.imm[0] = (32 - width) << 8 | (op == OP_SHFL_UP ? 0 : 31);
		b.imm[1] = members;
		b.env.active = active;
		bench_issue(&b, &in);
		for (i32 l = 0; l < WARP_LANES; l++) {
			i32 n = (i32)(b.regs[4 * WARP_LANES + l] & 31), j = shuffle_lane(op, l, n, (i32)width);
			i32 from = j < 0 || !(active & members & 1u << j) ? l : j;
			bool runs = active >> l & 1;

			assert_int_equal(b.regs[l], runs ? b.regs[2 * WARP_LANES + from] : 0x77777777);
			assert_int_equal(b.preds[1] >> l & 1, runs ? (u32)(j >= 0) : 0x5555aaaau >> l & 1);
		}
	}
	store_free(&b.store);
}

/* A clamp within a segment, by hand: down by 2 with clamp 5 in segments of 8; and the destination may be the source. */
static void test_shfl_clamp(void **state)
{
	struct inst in = {.op = OP_SHFL_DOWN,
			  .ndst = 2,
			  .nsrc = 4,
			  .dst = {reg(2), pred(0)},
			  .src = {reg(2), imm(0), imm(1), imm(2)}};
	static struct bench b;
	(void)state;

	bench_open(&b);
	for (u32 l = 0; l < WARP_LANES; l++)
		b.regs[2 * WARP_LANES + l] = 100 + l;
	b.imm[0] = 2;
	b.imm[1] = 24 << 8 | 5;
	b.imm[2] = ~0u;
	bench_issue(&b, &in);
	assert_int_equal(b.preds[0], 0x0f0f0f0f); /* lanes 0..3 of 8 reach lane 5 at most */
	assert_int_equal(b.regs[2 * WARP_LANES + 3], 105);
	assert_int_equal(b.regs[2 * WARP_LANES + 4], 104);
	assert_int_equal(b.regs[2 * WARP_LANES + 11], 113);
	in.ndst = 1;
	in.op = OP_SHFL_IDX;
	b.imm[0] = 7;
	b.imm[1] = 31;
	bench_issue(&b, &in);
	assert_int_equal(b.regs[2 * WARP_LANES + 31], 107);
	assert_int_equal(b.preds[0], 0x0f0f0f0f);
	store_free(&b.store);
}

/* --- vote, match, redux --- */

static void test_vote(void **state)
{
	static struct bench b;
	(void)state;

	bench_open(&b);
	random_state = 12;
	for (u32 trial = 0; trial < 4 * TRIALS; trial++) {
		u32 op = OP_VOTE_ALL + trial % 4, active = random_mask(trial / 4), sides = trial / 12 % 3;
		u32 p = sides == 0 ? ~0u : sides == 1 ? 0 : (u32)random_next(), before = (u32)random_next();
		struct inst in = {.op = (u16)op, .ndst = 1, .nsrc = 2, .src = {pred(1), reg(4)}};

		in.dst[0] = op == OP_VOTE_BALLOT ? reg(0) : pred(2);
		in.src[0].negate = trial / 7 % 2;
		b.preds[1] = in.src[0].negate ? ~p : p;
		b.preds[2] = before;
		for (u32 l = 0; l < WARP_LANES; l++)
			b.regs[4 * WARP_LANES + l] = trial / 5 % 2 ? 0xffffu << (l & 16) : ~0u; /* two tiles of 16 */
		b.env.active = active;
		bench_issue(&b, &in);
		for (u32 l = 0; l < WARP_LANES; l++) {
			u32 among = active & b.regs[4 * WARP_LANES + l], n = popcount(among), yes = popcount(p & among);
			bool want = op == OP_VOTE_ALL ? yes == n : op == OP_VOTE_ANY ? yes > 0 : yes == 0 || yes == n;

			if (!(active >> l & 1))
				assert_int_equal(b.preds[2] >> l & 1, before >> l & 1);
			else if (op == OP_VOTE_BALLOT)
				assert_int_equal(b.regs[l], p & among);
			else
				assert_int_equal(b.preds[2] >> l & 1, want);
		}
	}
	store_free(&b.store);
}

static void test_match(void **state)
{
	static struct bench b;
	(void)state;

	bench_open(&b);
	random_state = 13;
	for (u32 trial = 0; trial < 4 * TRIALS; trial++) {
		u32 op = OP_MATCH_ANY_32 + trial % 4, active = random_mask(trial / 4),
		    members = trial % 5 ? ~0u : (u32)random_next();
		bool wide = op == OP_MATCH_ANY_64 || op == OP_MATCH_ALL_64, all = op >= OP_MATCH_ALL_32;
		struct inst in = {.op = (u16)op,
				  .ndst = (u8)(all ? 2 : 1),
				  .nsrc = 2,
				  .dst = {reg(0), pred(3)},
				  .src = {reg(2), imm(0)}};

		fill_random(&b, 2, 1 + trial / 16 % 3);
		fill_random(&b, 3, 1 + trial / 48 % 2);
		b.imm[0] = members;
		b.env.active = active;
		bench_issue(&b, &in);
		for (u32 l = 0; l < WARP_LANES; l++) {
			u32 same = 0, among = active & members;

			for (u32 k = 0; k < WARP_LANES; k++)
				same |= (reg_read(&b, 2, wide ? 'd' : 'w', k) == reg_read(&b, 2, wide ? 'd' : 'w', l))
						? 1u << k
						: 0;
			same &= among;
			if (!(active >> l & 1))
				continue;
			assert_int_equal(b.regs[l], all && same != among ? 0 : same);
			if (all)
				assert_int_equal(b.preds[3] >> l & 1, same == among);
		}
	}
	store_free(&b.store);
}

/* The expected value of a reduction over some lanes. */
static u32 reduced(u32 op, const u32 *v, u32 among)
{
	i64 sum = 0, low = INT64_MAX, high = INT64_MIN;
	u32 ands = ~0u, ors = 0, xors = 0;

	for (u32 l = 0; l < WARP_LANES; l++) {
		i64 x = op == OP_REDUX_MIN_S || op == OP_REDUX_MAX_S ? (i64)(i32)v[l] : (i64)v[l];

		if (!(among >> l & 1))
			continue;
		sum += x;
		low = x < low ? x : low;
		high = x > high ? x : high;
		ands &= v[l];
		ors |= v[l];
		xors ^= v[l];
	}
	return op == OP_REDUX_ADD			      ? (u32)sum
	       : op == OP_REDUX_MIN_S || op == OP_REDUX_MIN_U ? (u32)low
	       : op == OP_REDUX_MAX_S || op == OP_REDUX_MAX_U ? (u32)high
	       : op == OP_REDUX_AND			      ? ands
	       : op == OP_REDUX_OR			      ? ors
							      : xors;
}

static void test_redux_and_activemask(void **state)
{
	static struct bench b;
	struct inst mask = {.op = OP_ACTIVEMASK, .ndst = 1, .dst = {reg(0)}, .guard = pred(1)};
	(void)state;

	bench_open(&b);
	random_state = 14;
	for (u32 trial = 0; trial < 8 * TRIALS; trial++) {
		struct inst in = {.op = (u16)(OP_REDUX_ADD + trial % 8),
				  .ndst = 1,
				  .nsrc = 2,
				  .dst = {reg(0)},
				  .src = {reg(2), imm(0)}};

		fill_random(&b, 2, 0);
		b.imm[0] = ~0u;
		b.env.active = random_mask(trial / 8);
		bench_issue(&b, &in);
		for (u32 l = 0; l < WARP_LANES; l++)
			if (b.env.active >> l & 1)
				assert_int_equal(b.regs[l], reduced(in.op, b.regs + 2 * WARP_LANES, b.env.active));
	}
	b.env.active = 0x00ffff00;
	b.preds[1] = 0xffff0000;
	b.regs[31] = 7;
	bench_issue(&b, &mask);
	assert_int_equal(b.regs[16], 0x00ff0000);
	assert_int_equal(b.regs[31], 7);
	store_free(&b.store);
}

/* --- carries --- */

/* One row's result and carry out of 128-bit arithmetic. in: the carry, 2: none goes in. Of a subtraction it is that of
 * a plus the complement of b, plus one where none goes in. */
static void carry_want(u32 op, u64 a, u64 b, u64 c, u32 in, u64 *value, u32 *out)
{
	bool subtracts = op == OP_SUBC_32 || op == OP_SUBC_64;
	bool wide = op == OP_ADDC_64 || op == OP_SUBC_64 || op == OP_MADC_LO_64 || op >= OP_MADC_HI_S64;
	u32 bits = wide ? 64 : 32;
	__int128 one = 1, product = op == OP_MADC_HI_S32   ? (__int128)((i64)(i32)a * (i32)b)
				    : op == OP_MADC_HI_S64 ? (__int128)(i64)a * (i64)b
							   : (__int128)((unsigned __int128)a * b);
	__int128 modulus = one << bits, sum;

	in = in == 2 ? subtracts : in;
	if (op == OP_ADDC_32 || op == OP_ADDC_64)
		sum = (__int128)a + b + in;
	else if (subtracts)
		sum = (__int128)a + (modulus - 1 - (__int128)b) + in;
	else if (op == OP_MADC_LO_32 || op == OP_MADC_LO_64)
		sum = (__int128)(u64)(product & (modulus - 1)) + c + in;
	else
		sum = (__int128)(u64)((unsigned __int128)product >> bits & (modulus - 1)) + c + in;
	*value = (u64)(sum & (modulus - 1));
	*out = sum >= modulus;
}

static void test_carry(void **state)
{
	static const u64 edge[] = {0,
				   1,
				   0x7fffffff,
				   0x80000000,
				   0xffffffff,
				   0x100000000,
				   0x7fffffffffffffff,
				   0x8000000000000000,
				   0xffffffffffffffff};
	static struct bench b;
	(void)state;

	bench_open(&b);
	random_state = 15;
	for (u32 trial = 0; trial < 10 * TRIALS; trial++) {
		u32 op = OP_ADDC_32 + trial % 10, n = op >= OP_MADC_LO_32 ? 3 : 2, with = trial / 10 % 3;
		bool wide = op == OP_ADDC_64 || op == OP_SUBC_64 || op == OP_MADC_LO_64 || op >= OP_MADC_HI_S64;
		struct inst in = {.op = (u16)op,
				  .ndst = 2,
				  .nsrc = (u8)(n + (with > 0)),
				  .dst = {reg(0), pred(1)},
				  .src = {reg(2), reg(4), reg(6)}};

		in.src[n] = with == 2 ? pred(2) : (struct operand){.kind = OPERAND_NONE};
		for (u32 i = 0; i < 3 * WARP_LANES; i++)
			reg_write(&b, 2 + 2 * (i / WARP_LANES), 'd', i % WARP_LANES,
				  random_next() % 3 ? edge[random_next() % ARRAY_LEN(edge)] : random_next());
		b.preds[2] = (u32)random_next();
		bench_issue(&b, &in);
		for (u32 l = 0; l < WARP_LANES; l++) {
			char letter = wide ? 'd' : 'w';
			u64 value;
			u32 out;

			carry_want(op, reg_read(&b, 2, letter, l), reg_read(&b, 4, letter, l),
				   reg_read(&b, 6, letter, l), with == 2 ? b.preds[2] >> l & 1 : 2, &value, &out);
			assert_int_equal(reg_read(&b, 0, letter, l), value);
			assert_int_equal(b.preds[1] >> l & 1, out);
		}
	}
	store_free(&b.store);
}

/* add.cc, addc as compilers use them: 96-bit sums; lanes that do not execute keep their carry. */
static void test_carry_chain(void **state)
{
	struct inst chain[3] = {
		{.op = OP_ADDC_32, .ndst = 2, .nsrc = 2, .dst = {reg(0), pred(0)}, .src = {reg(0), reg(3)}},
		{.op = OP_ADDC_32, .ndst = 2, .nsrc = 3, .dst = {reg(1), pred(0)}, .src = {reg(1), reg(4), pred(0)}},
		{.op = OP_ADDC_32, .ndst = 1, .nsrc = 3, .dst = {reg(2)}, .src = {reg(2), reg(5), pred(0)}},
	};
	static struct bench b;
	(void)state;

	bench_open(&b);
	for (u32 l = 0; l < WARP_LANES; l++)
		for (u32 r = 0; r < 6; r++)
			b.regs[r * WARP_LANES + l] = r < 2 ? ~0u : r == 3 ? 1 : 0;
	b.env.active = 0xffff;
	for (u32 i = 0; i < 3; i++)
		bench_issue(&b, &chain[i]);
	assert_int_equal(b.regs[0], 0);
	assert_int_equal(b.regs[WARP_LANES + 15], 0);
	assert_int_equal(b.regs[2 * WARP_LANES + 15], 1);
	assert_int_equal(b.regs[2 * WARP_LANES + 16], 0);
	assert_int_equal(b.preds[0], 0xffff);
	store_free(&b.store);
}

/* --- special registers --- */

static void test_special(void **state)
{
	static const struct {
		u8 sreg;
		char letter;
		u64 want;
	} at[] = {{SREG_LANEMASK_EQ, 'w', 1u << 9},
		  {SREG_LANEMASK_LT, 'w', 0x1ff},
		  {SREG_LANEMASK_LE, 'w', 0x3ff},
		  {SREG_LANEMASK_GT, 'w', 0xfffffc00},
		  {SREG_LANEMASK_GE, 'w', 0xfffffe00},
		  {SREG_CLOCK, 'w', 0x9abcdef0},
		  {SREG_CLOCK_HI, 'w', 0x12345678},
		  {SREG_CLOCK64, 'd', 0x123456789abcdef0},
		  {SREG_GLOBALTIMER, 'd', 0x123456789abcdef0 / 2},
		  {SREG_SMID, 'w', 5},
		  {SREG_NSMID, 'w', 30},
		  {SREG_GRIDID, 'd', 0},
		  {SREG_TOTAL_SMEM, 'w', 1024},
		  {SREG_LANEMASK_LE, 'd', 0x3ff},
		  {SREG_GLOBALTIMER_LO, 'w', 0x4d5e6f78},
		  {SREG_GLOBALTIMER_HI, 'w', 0x91a2b3c}};
	static struct bench b;
	(void)state;

	bench_open(&b);
	b.clock = 0x123456789abcdef0;
	b.site = (struct front_site){.clock = &b.clock, .sm = 5, .sms = 30, .mhz = 2000};
	for (u32 i = 0; i < ARRAY_LEN(at); i++) {
		struct inst in = {.op = at[i].letter == 'd' ? OP_MOV_64 : OP_MOV_32,
				  .ndst = 1,
				  .nsrc = 1,
				  .dst = {reg(0)},
				  .src = {sreg(at[i].sreg)}};

		bench_issue(&b, &in);
		assert_int_equal(reg_read(&b, 0, at[i].letter, 9), at[i].want);
	}
	store_free(&b.store);
}

/* --- barriers, traps --- */

static void test_barrier_operands(void **state)
{
	struct inst in = {.op = OP_BAR_RED,
			  .aux = BAR_RED_POPC,
			  .ndst = 1,
			  .nsrc = 3,
			  .dst = {reg(0)},
			  .src = {reg(2), reg(4), pred(1)}};
	static const struct {
		u32 number, threads, fault;
	} bad[] = {{16, 64, FAULT_BARRIER_NUMBER},
		   {~0u, 64, FAULT_BARRIER_NUMBER},
		   {1, 0, FAULT_BARRIER_COUNT},
		   {1, 33, FAULT_BARRIER_COUNT},
		   {1, 96, FAULT_BARRIER_COUNT}};
	struct text t = {0};
	static struct bench b;
	char said[100];
	(void)state;

	bench_open(&b);
	b.launch.warps = 2;
	b.preds[1] = 0xf0f0f0f0;
	b.env.active = 0xffff00;
	for (u32 i = 0; i < ARRAY_LEN(bad); i++) {
		for (u32 l = 0; l < WARP_LANES; l++) {
			b.regs[2 * WARP_LANES + l] = bad[i].number;
			b.regs[4 * WARP_LANES + l] = bad[i].threads;
		}
		bench_issue(&b, &in);
		assert_int_equal(b.result.fault, bad[i].fault);
		assert_int_equal(b.result.fault_lane, 8);
		b.kernel.inst = &in;
		text_clear(&t);
		fault_describe(&t, &b.program, &b.launch, 0, 0, &in, b.result.fault, 8, b.result.fault_address);
		snprintf(said, sizeof(said),
			 bad[i].fault == FAULT_BARRIER_NUMBER
				 ? "; barrier %u does not exist: a CTA has barriers 0 to 15"
				 : "; %u threads: must be a multiple of 32, from 32 to 64",
			 bad[i].fault == FAULT_BARRIER_NUMBER ? bad[i].number : bad[i].threads);
		assert_non_null(strstr(t.s, said));
		b.regs[2 * WARP_LANES + 8] = 15;
		b.regs[4 * WARP_LANES + 8] = 64;
		bench_issue(&b, &in);
		assert_int_equal(b.result.fault, FAULT_NONE);
		assert_int_equal(b.result.barrier, 15);
		assert_int_equal(b.result.threads, 64);
		assert_int_equal(b.result.votes, 0xf0f000);
	}
	in = (struct inst){.op = OP_BAR_SYNC, .barrier = 3};
	bench_issue(&b, &in);
	assert_int_equal(b.result.barrier, 3);
	assert_int_equal(b.result.threads, 0);
	text_free(&t);
	store_free(&b.store);
}

static void test_barrier_deliver(void **state)
{
	static const struct {
		u8 aux;
		u32 threads, votes, want;
	} at[] = {
		{BAR_RED_POPC, 64, 17, 17}, {BAR_RED_AND, 64, 63, 0}, {BAR_RED_AND, 64, 64, 1},
		{BAR_RED_OR, 64, 0, 0},	    {BAR_RED_OR, 64, 1, 1},
	};
	static struct bench b;
	(void)state;

	bench_open(&b);
	for (u32 i = 0; i < ARRAY_LEN(at); i++) {
		struct inst in = {.op = OP_BAR_RED, .aux = at[i].aux, .ndst = 1};

		in.dst[0] = at[i].aux == BAR_RED_POPC ? reg(1) : pred(1);
		b.preds[1] = at[i].want ? 0 : ~0u;
		b.regs[WARP_LANES + 16] = 5;
		barrier_deliver(&in, b.regs, b.preds, 0xffff, at[i].threads, at[i].votes);
		if (at[i].aux == BAR_RED_POPC) {
			assert_int_equal(b.regs[WARP_LANES + 15], 17);
			assert_int_equal(b.regs[WARP_LANES + 16], 5);
		} else {
			assert_int_equal(b.preds[1], at[i].want ? 0xffff : 0xffff0000);
		}
	}
	store_free(&b.store);
}

static void test_traps(void **state)
{
	static const u8 fault[][2] = {
		{(u8)OP_TRAP, FAULT_TRAP}, {(u8)OP_BRKPT, FAULT_BREAKPOINT}, {(u8)OP_ASSERT, FAULT_ASSERT}};
	struct text t = {0};
	static struct bench b;
	(void)state;

	bench_open(&b);
	for (u32 i = 0; i < ARRAY_LEN(fault); i++) {
		struct inst in = {.op = fault[i][0], .guard = pred(1)};

		b.kernel.inst = &in;
		b.preds[1] = 0;
		bench_issue(&b, &in);
		assert_int_equal(b.result.fault, FAULT_NONE);
		b.preds[1] = 0x30;
		bench_issue(&b, &in);
		assert_int_equal(b.result.fault, fault[i][1]);
		assert_int_equal(b.result.fault_lane, 4);
		text_clear(&t);
		fault_describe(&t, &b.program, &b.launch, 0, 0, &in, b.result.fault, 4, 0);
		assert_non_null(strstr(t.s, fault_name[fault[i][1]]));
		assert_null(strstr(t.s, "address"));
	}
	text_free(&t);
	store_free(&b.store);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shfl),
		cmocka_unit_test(test_shfl_clamp),
		cmocka_unit_test(test_vote),
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_redux_and_activemask),
		cmocka_unit_test(test_carry),
		cmocka_unit_test(test_carry_chain),
		cmocka_unit_test(test_special),
		cmocka_unit_test(test_barrier_operands),
		cmocka_unit_test(test_barrier_deliver),
		cmocka_unit_test(test_traps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
