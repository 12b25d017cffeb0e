/* test_synth.c - synthetic kernels: the code that is made, and what it does lane by lane. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "front.h"
#include "ops.h"
#include "synth.h"

/* A kernel from keys and values; must be possible. */
static struct module *make(const char *const *words)
{
	struct synth s;
	struct module *m;
	struct error e;

	synth_default(&s);
	for (; *words; words += 2) {
		u32 k = 0;

		while (k < synth_table_rows && strcmp(synth_table[k].name, words[0]))
			k++;
		if (k < synth_table_rows)
			assert_int_equal(synth_key_set(&s, &synth_table[k], words[1], &e), STATUS_OK);
		else
			assert_int_equal(synth_mix_set(&s, words[0], words[1], &e), STATUS_OK);
	}
	assert_int_equal(synth_make("t", &s, &m, &e), STATUS_OK);
	return m;
}

/* Run one warp; count its instructions by class into count, and the lanes of each. */
static u32 run_warp(const struct kernel *k, u32 cta, u32 warp, u64 count[CLASS_COUNT], u64 *lanes)
{
	struct launch l = {.kernel = k, .warps = 4};
	struct front_env env = {.launch = &l, .cta = cta, .warp = warp};
	struct simt_state {
		u32 pc, mask;
	} stack[4] = {{0, 0xffffffff}};
	u32 steps = 0, waiting = 0;

	memset(count, 0, CLASS_COUNT * sizeof(*count));
	*lanes = 0;
	while (steps++ < 1000000) {
		const struct inst *in = &k->inst[stack->pc];
		struct front_result r;

		env.active = stack->mask;
		memset(&r, 0xa5, sizeof(r)); /* nobody has put anything there */
		synth_issue(&env, in, &r);
		assert_int_equal(r.fault, FAULT_NONE);
		assert_int_equal(r.mask, stack->mask);
		assert_int_equal(r.taken & ~stack->mask, 0);
		assert_true(!r.barrier && !r.threads && !r.votes);
		count[in->class]++;
		*lanes += (u64)__builtin_popcount(r.mask);
		if (r.exited)
			return steps;
		if (in->op == OP_BRA && in->target <= stack->pc) {
			/* lanes that leave wait behind the loop, where it reconverges */
			waiting |= stack->mask & ~r.taken;
			env.iteration += r.taken != 0;
			stack->pc = r.taken ? in->target : in->reconverge;
			stack->mask = r.taken ? r.taken : waiting;
		} else {
			stack->pc = r.taken ? in->target : stack->pc + 1;
		}
	}
	fail_msg("the warp does not end");
	return 0;
}

/* The body has the mix that was asked for, and every warp runs it as often as it should. */
static void test_mix(void **state UNUSED)
{
	static const char *const words[] = {"body", "21", "iterations", "50", "fp32", "60",
					    "int",  "20", "load",	"20", NULL};
	struct module *m = make(words);
	u64 count[CLASS_COUNT], lanes;
	u32 steps = run_warp(m->kernel, 0, 0, count, &lanes);

	assert_int_equal(m->kernel->ninst, 22);
	assert_int_equal(count[CLASS_FP32], 12 * 50);
	assert_int_equal(count[CLASS_INT], 4 * 50);
	assert_int_equal(count[CLASS_LOAD], 4 * 50);
	assert_int_equal(count[CLASS_CONTROL], 50 + 1);
	assert_int_equal(steps, 21 * 50 + 1);
	assert_int_equal(lanes, 32ull * steps);
	module_free(m);
}

/* The classes are spread, not in lumps: no run of loads when one in five is one. */
static void test_spread_of_classes(void **state UNUSED)
{
	static const char *const words[] = {"body", "101", "fp32", "80", "load", "20", NULL};
	struct module *m = make(words);

	for (u32 i = 0; i + 1 < m->kernel->ninst; i++)
		assert_false(m->kernel->inst[i].class == CLASS_LOAD && m->kernel->inst[i + 1].class == CLASS_LOAD);
	module_free(m);
}

/* An instruction reads what the one `distance` before it wrote, round the loop too. */
static void test_distance(void **state UNUSED)
{
	static const char *const words[] = {"body", "33", "distance", "5", "regs", "16", "fp32", "1", NULL};
	struct module *m = make(words);
	const struct kernel *k = m->kernel;

	for (u32 i = 0; i < 32; i++) {
		assert_int_equal(k->inst[i].write[0], i % 16);
		assert_int_equal(k->inst[i].read[0], (i + 32 - 5) % 32 % 16);
		assert_true(k->inst[i].hazard[0] >> k->inst[i].read[0] & 1);
		assert_true(k->inst[i].hazard[0] >> k->inst[i].write[0] & 1);
	}
	module_free(m);
}

/* Where the sides of a loop's branch meet is marked, and nothing else. */
static void test_joins(void **state UNUSED)
{
	static const char *const diverge[] = {"none", "half", "slice", "lanes"};
	u32 marked = 0;

	for (u32 i = 0; i < ARRAY_LEN(diverge); i++) {
		const char *const words[] = {"body", "10", "iterations", "8", "diverge", diverge[i], "int", "1", NULL};
		struct module *m = make(words);
		const struct kernel *k = m->kernel;

		for (u32 pc = 0; pc < k->ninst; pc++) {
			bool joins = false;

			for (u32 b = 0; b < k->ninst; b++)
				joins |= k->inst[b].op == OP_BRA && k->inst[b].reconverge == pc;
			assert_int_equal((k->inst[pc].flow & FLOW_JOINS) != 0, joins);
			marked += joins;
		}
		module_free(m);
	}
	assert_true(marked >= 3);
}

/* Registers stay below the number asked for, pairs are aligned. */
static void test_registers(void **state UNUSED)
{
	static const char *const words[] = {"body", "200", "regs", "7", "fp64", "1", "int", "1", "store", "1", NULL};
	struct module *m = make(words);

	assert_int_equal(m->kernel->regs, 7);
	for (u32 i = 0; i < m->kernel->ninst; i++) {
		const struct inst *in = &m->kernel->inst[i];

		for (u32 k = 0; k < in->nread; k++)
			assert_true(in->read[k] < 7);
		for (u32 k = 0; k < in->nwrite; k++)
			assert_true(in->write[k] < 7);
		if (in->class == CLASS_FP64) {
			assert_int_equal(in->nwrite, 2);
			assert_int_equal(in->write[0] % 2, 0);
		}
		if (in->class == CLASS_STORE)
			assert_int_equal(in->nwrite, 0);
		assert_true(strlen(kernel_text(m->kernel, i)) > 0);
	}
	module_free(m);
}

/* Lanes that leave early: how many lane-instructions each pattern gives. */
static void test_divergence(void **state UNUSED)
{
	static const struct {
		const char *pattern;
		u64 lane_bodies;
	} row[] = {{"none", 32 * 16}, {"half", 16 * 16 + 16 * 8}, {"slice", 4 * (2 + 4 + 6 + 8 + 10 + 12 + 14 + 16)}};

	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		const char *words[] = {"body", "2", "iterations", "16", "diverge", row[i].pattern, NULL};
		struct module *m = make(words);
		u64 count[CLASS_COUNT], lanes;

		run_warp(m->kernel, 0, 0, count, &lanes);
		assert_int_equal(lanes, 2 * row[i].lane_bodies + 32);
		assert_int_equal(count[CLASS_INT], 16);
		module_free(m);
	}
}

/* A spread: warps differ, within bounds, the same each time. */
static void test_iterations_spread(void **state UNUSED)
{
	static const char *const words[] = {"body", "2", "iterations", "10", "spread", "20", NULL};
	struct module *m = make(words);
	u64 count[CLASS_COUNT], again[CLASS_COUNT], lanes, least = ~0ULL, most = 0;

	for (u32 w = 0; w < 64; w++) {
		run_warp(m->kernel, w / 4, w % 4, count, &lanes);
		run_warp(m->kernel, w / 4, w % 4, again, &lanes);
		assert_memory_equal(count, again, sizeof(count));
		least = min_u64(least, count[CLASS_INT]);
		most = count[CLASS_INT] > most ? count[CLASS_INT] : most;
	}
	assert_true(least >= 10 && most <= 30 && most > least + 10);
	module_free(m);
}

/* Barriers come behind every so many bodies. */
static void test_barriers(void **state UNUSED)
{
	static const char *const words[] = {"body", "4", "iterations", "20", "barrier", "5", NULL};
	struct module *m = make(words);
	u64 count[CLASS_COUNT], lanes, barriers = 0;
	u32 steps = run_warp(m->kernel, 0, 0, count, &lanes);

	assert_true(m->kernel->has_barrier);
	/* 3 + skip + loop branch each time, a barrier every fifth, an exit */
	barriers = steps - 20 * 5 - 1;
	assert_int_equal(barriers, 4);
	module_free(m);
}

/* Addresses: within the footprint, aligned, and as the pattern says. */
static void test_addresses(void **state UNUSED)
{
	static const char *const pattern[] = {"stream", "strided", "random", "broadcast"};

	for (u32 p = 0; p < 4; p++) {
		const char *words[] = {"body",	 "3",  "load",	 "1",	     "footprint", "8192",
				       "stride", "64", "access", pattern[p], NULL};
		struct module *m = make(words);
		struct launch l = {.kernel = m->kernel, .warps = 4};
		struct front_env env = {.launch = &l, .active = 0xffffffff, .cta = 3, .warp = 1, .iteration = 7};
		struct front_result r;

		synth_issue(&env, &m->kernel->inst[0], &r);
		for (u32 i = 0; i < 32; i++) {
			assert_true(r.address[i] < 8192 && r.address[i] % 4 == 0);
			if (i && p == SYNTH_STREAM)
				assert_int_equal(r.address[i], (r.address[0] + i * 4) % 8192);
			if (i && p == SYNTH_STRIDED)
				assert_int_equal(r.address[i], (r.address[0] + i * 64) % 8192);
			if (p == SYNTH_BROADCAST)
				assert_int_equal(r.address[i], r.address[0]);
		}
		if (p == SYNTH_RANDOM)
			assert_true(r.address[1] != r.address[0] + 4 || r.address[2] != r.address[1] + 4);
		module_free(m);
	}
}

/* Stores stay out of the idempotent part. */
static void test_idempotent(void **state UNUSED)
{
	static const char *const words[] = {"body", "41", "int", "3", "store", "1", "idempotent", "50", NULL};
	struct module *m = make(words);
	u32 stores = 0;

	for (u32 i = 0; i < 40; i++) {
		bool store = m->kernel->inst[i].class == CLASS_STORE;

		assert_false(store && i < 20);
		stores += store;
	}
	assert_true(stores >= 8 && stores <= 12);
	module_free(m);
}

/* What cannot be is refused. */
static void test_refused(void **state UNUSED)
{
	struct synth s;
	struct module *m;
	struct error e;

	synth_default(&s);
	assert_int_equal(synth_mix_set(&s, "control", "1", &e), STATUS_USAGE);
	assert_int_equal(synth_mix_set(&s, "fp33", "1", &e), STATUS_USAGE);
	assert_int_equal(synth_mix_set(&s, "fp32", "-1", &e), STATUS_USAGE);
	for (u32 k = 0; k < synth_table_rows; k++) {
		assert_int_equal(synth_key_set(&s, &synth_table[k], "x", &e), STATUS_USAGE);
		assert_int_equal(synth_key_set(&s, &synth_table[k], "", &e), STATUS_USAGE);
		assert_int_equal(synth_key_set(&s, &synth_table[k], "99999999999999999999", &e), STATUS_USAGE);
	}
	s.barrier_every = 1;
	s.diverge = SYNTH_HALF;
	assert_int_equal(synth_make("t", &s, &m, &e), STATUS_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mix),
		cmocka_unit_test(test_spread_of_classes),
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_joins),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_divergence),
		cmocka_unit_test(test_iterations_spread),
		cmocka_unit_test(test_barriers),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_idempotent),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
