/*
 * test_simt.c - the SIMT stack: small cases by hand, then random programs in which each lane is also run alone.
 */
#include "ops.h"
#include "simt.h"

#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#define PROGRAM_MAX 400
#define STEPS_MAX 20000

static struct inst plain(void)
{
	return (struct inst){.op = OP_NOP};
}
static struct inst branch(u32 target, u32 reconverge)
{
	return (struct inst){.op = OP_BRA, .target = target, .reconverge = reconverge};
}

/* if/else with a shorter if inside: the order of paths, and every join. */
static void test_nested(void **state)
{
	/* 0: bra 5 (join 6)  1: bra 3 (join 3)  2: -  3: -  4: bra 6 always  5: -  6: - */
	struct inst outer = branch(5, 6), inner = branch(3, 3), jump = branch(6, 6), none = plain();
	struct simt_entry s[SIMT_DEPTH];
	u32 depth = simt_start(s, 8, 0xff);
	(void)state;

	depth = simt_advance(s, depth, &outer, 0, 0x0f, 0, false);
	assert_int_equal(s[depth - 1].pc, 5);
	assert_int_equal(s[depth - 1].mask, 0x0f);
	depth = simt_advance(s, depth, &none, 5, 0, 0, false);
	assert_int_equal(s[depth - 1].pc, 1);
	assert_int_equal(s[depth - 1].mask, 0xf0);
	depth = simt_advance(s, depth, &inner, 1, 0x30, 0, false);
	assert_int_equal(s[depth - 1].pc, 2);
	assert_int_equal(s[depth - 1].mask, 0xc0);
	depth = simt_advance(s, depth, &none, 2, 0, 0, false);
	assert_int_equal(s[depth - 1].pc, 3);
	assert_int_equal(s[depth - 1].mask, 0xf0);
	depth = simt_advance(s, depth, &none, 3, 0, 0, false);
	depth = simt_advance(s, depth, &jump, 4, 0xf0, 0, false);
	assert_int_equal(depth, 1);
	assert_int_equal(s[0].pc, 6);
	assert_int_equal(s[0].mask, 0xff);
}

/* The side that goes on at once: the target's, or the one that falls through, if the branch says so. */
static void test_first_side(void **state)
{
	(void)state;
	for (u32 fall = 0; fall < 2; fall++) {
		struct inst split = branch(5, 9);
		struct simt_entry s[SIMT_DEPTH];
		u32 depth = simt_start(s, 8, 0xff);

		split.aux = fall ? BRA_FALL_FIRST : 0;
		depth = simt_advance(s, depth, &split, 0, 0x0f, 0, false);
		assert_int_equal(depth, 3);
		assert_int_equal(s[2].pc, fall ? 1 : 5);
		assert_int_equal(s[2].mask, fall ? 0xf0 : 0x0f);
		assert_int_equal(s[1].pc, fall ? 5 : 1);
		assert_int_equal(s[1].mask, fall ? 0x0f : 0xf0);
	}
}

/* With most_first the side of more lanes goes on at once, the target's if both have as many; but not where a barrier
 * decides. */
static void test_most_first(void **state)
{
	static const struct {
		u8 aux;
		bool most_first;
		u32 taken, runs; /* of eight lanes; pc of what runs */
	} row[] = {{BRA_EITHER, false, 0x01, 5},   {BRA_EITHER, true, 0x01, 1}, {BRA_EITHER, true, 0x80, 1},
		   {BRA_EITHER, true, 0x07, 1},	   {BRA_EITHER, true, 0x0f, 5}, {BRA_EITHER, true, 0xf0, 5},
		   {BRA_EITHER, true, 0xf8, 5},	   {BRA_EITHER, true, 0x7f, 5}, {0, true, 0x01, 5},
		   {BRA_FALL_FIRST, true, 0x7f, 1}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct inst split = branch(5, 9);
		struct simt_entry s[SIMT_DEPTH];
		u32 depth = simt_start(s, 8, 0xff);

		split.aux = row[i].aux;
		depth = simt_advance(s, depth, &split, 0, row[i].taken, 0, row[i].most_first);
		assert_int_equal(depth, 3);
		assert_int_equal(s[2].pc, row[i].runs);
		assert_int_equal(s[2].mask, row[i].runs == 5 ? row[i].taken : 0xff & ~row[i].taken);
		assert_int_equal(s[1].mask, 0xff & ~s[2].mask);
		assert_int_equal(s[0].pc, 9);
	}
}

/* A barrier reached by some lanes misses those that have more to do than to exit, wherever on the stack they are. */
static void test_missing(void **state)
{
	/* 0: bra 3 (join 5)  1: -  2: bra 5 always  3: bra 5 (join 5)  4: barrier  5: exit */
	struct inst code[6] = {branch(3, 5), plain(), branch(5, 5), branch(5, 5), plain(), {.op = OP_EXIT}};
	struct simt_entry s[SIMT_DEPTH];
	u32 depth = simt_start(s, 6, 0xff);
	(void)state;

	assert_int_equal(simt_missing(s, depth, code, 6, 0xff), 0);
	assert_int_equal(simt_missing(s, depth, code, 6, 0xfe), 1);
	depth = simt_advance(s, depth, &code[0], 0, 0x3f, 0, false);
	depth = simt_advance(s, depth, &code[3], 3, 0x03, 0, false);
	assert_int_equal(s[depth - 1].pc, 4);
	assert_int_equal(simt_missing(s, depth, code, 6, 0x3c), 0xc0);
	assert_int_equal(simt_missing(s, depth, code, 6, 0x1c), 0xe0);
	depth = simt_start(s, 6, 0xff);
	depth = simt_advance(s, depth, &code[3], 3, 0x03, 0, false);
	assert_int_equal(simt_missing(s, depth, code, 6, 0xfc), 0);
	code[5].guard.kind = OPERAND_PRED;
	assert_int_equal(simt_missing(s, depth, code, 6, 0xfc), 0x03);
}

/* Lanes that exit on one side are missing at the join; the warp ends with its last lane. */
static void test_early_exit(void **state)
{
	struct inst split = branch(3, 4), leave = {.op = OP_EXIT}, none = plain();
	struct simt_entry s[SIMT_DEPTH];
	u32 depth = simt_start(s, 5, 0xf);
	(void)state;

	depth = simt_advance(s, depth, &split, 0, 0x3, 0, false);
	depth = simt_advance(s, depth, &leave, 3, 0, 0x3, false);
	assert_int_equal(simt_live(s, depth), 0xc);
	assert_int_equal(s[depth - 1].pc, 1);
	depth = simt_advance(s, depth, &leave, 1, 0, 0x4, false);
	assert_int_equal(s[depth - 1].pc, 2);
	depth = simt_advance(s, depth, &none, 2, 0, 0, false);
	depth = simt_advance(s, depth, &none, 3, 0, 0, false);
	assert_int_equal(depth, 1);
	assert_int_equal(s[0].pc, 4);
	assert_int_equal(s[0].mask, 0x8);
	assert_int_equal(simt_advance(s, depth, &leave, 4, 0, 0x8, false), 0);
	assert_int_equal(simt_live(s, 0), 0);
	assert_int_equal(simt_start(s, 5, 0), 0);
}

/* A branch whose sides meet only at exit: both run to their ends, live lanes stay known. */
static void test_exit_only(void **state)
{
	struct inst split = branch(2, 9), leave = {.op = OP_EXIT};
	struct simt_entry s[SIMT_DEPTH];
	u32 depth = simt_start(s, 9, 0xff);
	(void)state;

	depth = simt_advance(s, depth, &split, 0, 0xf0, 0, false);
	assert_int_equal(simt_live(s, depth), 0xff);
	assert_int_equal(s[depth - 1].pc, 2);
	depth = simt_advance(s, depth, &leave, 2, 0, 0xf0, false);
	assert_int_equal(s[depth - 1].pc, 1);
	assert_int_equal(s[depth - 1].mask, 0x0f);
	assert_int_equal(simt_live(s, depth), 0x0f);
	assert_int_equal(simt_advance(s, depth, &leave, 1, 0, 0x0f, false), 0);
}

/* A loop that lane l leaves after l turns: the stack does not grow, all meet behind it. */
static void test_loop(void **state)
{
	struct inst none = plain(), back = branch(0, 2);
	struct simt_entry s[SIMT_DEPTH];
	u32 depth = simt_start(s, 3, ~0u);
	(void)state;

	for (u32 turn = 0; turn < 32; turn++) {
		u32 again = turn == 31 ? 0 : ~0u << (turn + 1);

		assert_int_equal(s[depth - 1].pc, 0);
		assert_int_equal(s[depth - 1].mask, ~0u << turn);
		depth = simt_advance(s, depth, &none, 0, 0, 0, false);
		depth = simt_advance(s, depth, &back, 1, again, 0, false);
		assert_in_range(depth, 1, 2);
	}
	assert_int_equal(depth, 1);
	assert_int_equal(s[0].pc, 2);
	assert_int_equal(s[0].mask, ~0u);
}

/* A random structured program: its instructions and, for guarded branches and exits, who goes. */
struct random_program {
	struct inst inst[PROGRAM_MAX];
	u8 odds[PROGRAM_MAX]; /* of 8: a lane takes the branch or exits; 8 always, 0 not a branch */
	u32 n;
	u64 seed;
	bool exits;
};

static u32 pick(struct random_program *p, u32 n)
{
	return (u32)(mix64(p->seed++) % n);
}

static u32 emit(struct random_program *p, struct inst in, u32 odds)
{
	p->inst[p->n] = in;
	p->odds[p->n] = (u8)odds;
	return p->n++;
}

static void emit_block(struct random_program *p, u32 depth);

/* if (some) { } else { } */
static void emit_if(struct random_program *p, u32 depth)
{
	u32 split = emit(p, branch(0, 0), 1 + pick(p, 7)), jump;

	emit_block(p, depth - 1);
	jump = emit(p, branch(0, 0), 8);
	p->inst[split].target = p->n;
	emit_block(p, depth - 1);
	p->inst[split].reconverge = p->inst[jump].target = p->inst[jump].reconverge = p->n;
}

/* do { } while (some) */
static void emit_loop(struct random_program *p, u32 depth)
{
	u32 head = p->n;

	emit_block(p, depth - 1);
	emit(p, branch(head, p->n + 1), 1 + pick(p, 4));
}

static void emit_block(struct random_program *p, u32 depth)
{
	u32 items = 1 + pick(p, 3);

	for (u32 i = 0; i < items; i++) {
		emit(p, plain(), 0);
		if (p->exits && depth < 3 && !pick(p, 6))
			emit(p, (struct inst){.op = OP_EXIT}, 1);
		if (depth && p->n < PROGRAM_MAX / 2)
			pick(p, 2) ? emit_if(p, depth) : emit_loop(p, depth);
	}
	emit(p, plain(), 0);
}

/* What lane does at its v-th visit of pc: a pure function, so that it may be run alone. */
static bool goes(const struct random_program *p, u32 lane, u32 pc, u32 v)
{
	return mix64(p->seed ^ mix64((u64)lane << 40 | (u64)pc << 20 | v)) % 8 < p->odds[pc];
}

/* A lane alone: hash of the places it visits, and how many. */
static u64 lane_alone(const struct random_program *p, u32 lane, u32 *visits)
{
	u32 count[PROGRAM_MAX] = {0}, pc = 0;
	u64 path = 0;

	for (*visits = 0; pc < p->n && *visits < STEPS_MAX; ++*visits) {
		bool go = goes(p, lane, pc, count[pc]++);

		path = mix64(path ^ pc);
		if (go && p->inst[pc].op == OP_EXIT)
			return path;
		pc = go && p->inst[pc].op == OP_BRA ? p->inst[pc].target : pc + 1;
	}
	return path;
}

/* The warp: each lane's path as above; returns the greatest depth. The last instruction ends every lane. */
static u32 warp_together(const struct random_program *p, u64 path[32], u32 *last_mask)
{
	static u32 count[32][PROGRAM_MAX];
	struct simt_entry s[SIMT_DEPTH];
	u32 depth = simt_start(s, p->n, ~0u), most = depth, steps = 0;

	memset(count, 0, sizeof(count));
	while (depth && steps++ < 32 * STEPS_MAX) {
		u32 pc = s[depth - 1].pc, mask = s[depth - 1].mask, go = 0;
		const struct inst *in = &p->inst[pc];

		assert_in_range(pc, 0, p->n - 1);
		assert_true(mask && !(mask & ~simt_live(s, depth)));
		for (u32 l = 0; l < 32; l++) {
			if (!(mask >> l & 1))
				continue;
			path[l] = mix64(path[l] ^ pc);
			go |= (u32)goes(p, l, pc, count[l][pc]++) << l;
		}
		*last_mask = mask;
		depth = simt_advance(s, depth, in, pc, in->op == OP_BRA ? go : 0, in->op == OP_EXIT ? go : 0, false);
		most = max_u32(most, depth);
	}
	assert_int_equal(depth, 0);
	return most;
}

/* The same where paths are put aside and taken up, and lanes leave joins, all by chance; returns the greatest depth. */
static u32 warp_apart(const struct random_program *p, u64 path[32])
{
	static u32 count[32][PROGRAM_MAX];
	struct simt_entry s[SIMT_DEPTH];
	struct paths x = {.stack = s, .depth = simt_start(s, p->n, ~0u), .ninst = p->n, .code = p->inst};
	u32 most = 1;

	memset(count, 0, sizeof(count));
	for (u32 step = 0; x.depth && step < 32 * STEPS_MAX; step++) {
		u32 pc = s[x.depth - 1].pc, mask = s[x.depth - 1].mask, go = 0;
		const struct inst *in = &p->inst[pc];
		u64 chance = mix64(p->seed + step);

		assert_in_range(pc, 0, p->n - 1);
		assert_true(mask && !(mask & ~simt_live(s, x.depth)) && paths_is_path(&x, x.depth - 1));
		for (u32 l = 0; l < 32; l++) {
			if (!(mask >> l & 1))
				continue;
			path[l] = mix64(path[l] ^ pc);
			go |= (u32)goes(p, l, pc, count[l][pc]++) << l;
		}
		x.depth =
			simt_advance(s, x.depth, in, pc, in->op == OP_BRA ? go : 0, in->op == OP_EXIT ? go : 0, false);
		if (x.depth && chance % 5 == 0 && paths_may_turn(&x))
			paths_turn(&x, chance >> 8 & 1);
		if (x.depth && chance % 7 == 0)
			paths_merge(&x);
		assert_true(paths_choose(&x, (u32)(chance >> 16)));
		most = max_u32(most, x.depth);
	}
	assert_int_equal(x.depth, 0);
	return most;
}

/* Whatever the order of paths, every lane goes its own way to its end, and the stack is deep enough. */
static void test_random_paths(void **state)
{
	u32 deepest = 0;
	(void)state;

	for (u32 trial = 0; trial < 300; trial++) {
		static struct random_program p;
		u32 visits = 0, most = 0;
		u64 path[32] = {0}, alone[32];

		p = (struct random_program){.seed = trial * 1000, .exits = trial & 1};
		emit_block(&p, 2 + trial % 4);
		emit(&p, (struct inst){.op = OP_EXIT}, 8);
		for (u32 i = 0; i < p.n; i++)
			p.inst[i].flow = mix64(trial + i) & 1 ? FLOW_TELLS : 0;
		for (u32 l = 0; l < 32; l++) {
			alone[l] = lane_alone(&p, l, &visits);
			most = max_u32(most, visits);
		}
		if (most >= STEPS_MAX)
			continue;
		deepest = max_u32(deepest, warp_apart(&p, path));
		assert_memory_equal(path, alone, sizeof(path));
	}
	assert_in_range(deepest, 20, SIMT_DEPTH - 1);
}

static void test_random(void **state)
{
	u32 deepest = 0, compared = 0;
	(void)state;

	for (u32 trial = 0; trial < 300; trial++) {
		static struct random_program p;
		u32 visits = 0, most = 0, last = 0;
		u64 path[32] = {0}, alone[32];

		p = (struct random_program){.seed = trial * 1000, .exits = trial & 1};
		emit_block(&p, 2 + trial % 4);
		emit(&p, (struct inst){.op = OP_EXIT}, 8);
		for (u32 l = 0; l < 32; l++) {
			alone[l] = lane_alone(&p, l, &visits);
			most = max_u32(most, visits);
		}
		if (most >= STEPS_MAX)
			continue;
		deepest = max_u32(deepest, warp_together(&p, path, &last));
		assert_memory_equal(path, alone, sizeof(path));
		if (!p.exits)
			assert_int_equal(last, ~0u);
		compared++;
	}
	assert_true(compared > 100);
	assert_in_range(deepest, 5, SIMT_DEPTH);
}

/* The deepest nest there can be: at every branch one lane falls through and waits. */
static void test_depth_bound(void **state)
{
	struct simt_entry s[SIMT_DEPTH];
	u32 depth = simt_start(s, 1000, ~0u), mask = ~0u;
	(void)state;

	for (u32 i = 0; i < 31; i++) {
		struct inst in = branch(10 + 10 * i, 999 - i);

		mask &= mask - 1;
		depth = simt_advance(s, depth, &in, s[depth - 1].pc, mask, 0, false);
		assert_int_equal(s[depth - 1].mask, mask);
	}
	assert_int_equal(depth, 63);
}

/* Who has a turn when the top waits: a path with lanes that are waited for, else the innermost; then lanes at joins. */
static void test_choice(void **state)
{
	static const struct simt_entry tree[] = {
		{20, 40, 0x3ff}, {5, 20, 0x00f}, {15, 20, 0x2f0}, {7, 15, 0x030}, {9, 15, 0x0c0}};
	static const struct {
		u32 waits, wanted, pc, mask;
	} row[] = {
		{0x000, 0x001, 9, 0x0c0}, /* the top can go on */
		{0x0c0, 0x001, 5, 0x00f},  {0x0c0, 0x030, 7, 0x030},  {0x0c0, 0x100, 7, 0x030},
		{0x0f0, 0x200, 5, 0x00f},  {0x0ff, 0x100, 20, 0x100}, {0x0ff, 0x200, 15, 0x200},
		{0x0ff, 0x001, 15, 0x200},
	};
	static struct inst code[41];
	(void)state;

	for (u32 i = 0; i < 8; i++) {
		struct simt_entry s[SIMT_DEPTH];
		struct paths p = {s, 5, row[i].waits, 41, code};

		memcpy(s, tree, sizeof(tree));
		assert_true(paths_choose(&p, row[i].wanted));
		assert_int_equal(s[p.depth - 1].pc, row[i].pc);
		assert_int_equal(s[p.depth - 1].mask, row[i].mask);
	}
}

/* Paths at one place become one again, if they would join at the same place anyway; not across joins. */
static void test_merge(void **state)
{
	static struct inst code[41];
	struct simt_entry s[SIMT_DEPTH] = {
		{40, 41, 0xff}, {20, 40, 0x0f}, {9, 20, 0x03}, {20, 40, 0xf0}, {9, 20, 0x30}};
	struct paths p = {s, 5, 0, 41, code};
	(void)state;

	paths_merge(&p);
	assert_int_equal(p.depth, 5);
	assert_int_equal(s[4].mask, 0x30);
	s[4] = (struct simt_entry){9, 20, 0x0c};
	s[1].mask = 0x0f;
	s[3] = (struct simt_entry){30, 40, 0xf0};
	paths_merge(&p);
	assert_int_equal(p.depth, 3);
	assert_int_equal(s[2].mask, 0x0f);
	assert_int_equal(s[2].pc, 9);
	assert_int_equal(s[2].reconverge, 40);
	p.waits = 0xf0;
	s[1] = (struct simt_entry){9, 40, 0xf0};
	paths_merge(&p);
	assert_int_equal(p.depth, 3);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nested),	    cmocka_unit_test(test_first_side),
		cmocka_unit_test(test_most_first),  cmocka_unit_test(test_early_exit),
		cmocka_unit_test(test_missing),	    cmocka_unit_test(test_exit_only),
		cmocka_unit_test(test_loop),	    cmocka_unit_test(test_random),
		cmocka_unit_test(test_depth_bound), cmocka_unit_test(test_random_paths),
		cmocka_unit_test(test_choice),	    cmocka_unit_test(test_merge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
