/*
 * test_live.c - live registers: an example by hand, and for every instruction of many kernels the definition itself: a
 * register is live where some path reaches a read of it before a write that always happens.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it */
#include <cmocka.h>

#include "live.h"
#include "lang.h"
#include "session_ops.h"
#include "ops.h"

#include <stdlib.h>
#include <string.h>

/* Does in name reg among n registers? */
static bool names(const u8 *list, u32 n, u32 reg)
{
	for (u32 i = 0; i < n; i++)
		if (list[i] == reg)
			return true;
	return false;
}

/* Walk every path from pc. */
static bool reaches_read(const struct kernel *k, u32 pc, u32 reg, bool *seen)
{
	while (pc < k->ninst && !seen[pc]) {
		const struct inst *in = &k->inst[pc];
		bool sure = in->guard.kind == OPERAND_NONE;

		seen[pc] = true;
		if (names(in->read, in->nread, reg))
			return true;
		if (sure && names(in->write, in->nwrite, reg))
			return false;
		if (in->op == OP_EXIT && sure && k->front == FRONT_PTX)
			return false;
		if (in->op == OP_BRA && reaches_read(k, in->target, reg, seen))
			return true;
		if (in->op == OP_BRA && sure && k->front == FRONT_PTX)
			return false;
		pc++;
	}
	return false;
}

static void check_kernel(const struct kernel *k)
{
	bool *seen = xcalloc(k->ninst + 1, 1);

	for (u32 pc = 0; pc < k->ninst; pc++) {
		struct live l;

		assert_true(live_at(k, pc, &l));
		for (u32 reg = 0; reg < k->regs; reg++) {
			memset(seen, 0, k->ninst + 1);
			if (live_has(l.in, reg) != reaches_read(k, pc, reg, seen))
				fail_msg("%s: r%u at %u (%s)", k->name, reg, pc, kernel_text(k, pc));
			assert_int_equal(live_has(l.read, reg), names(k->inst[pc].read, k->inst[pc].nread, reg));
			assert_int_equal(live_has(l.written, reg), names(k->inst[pc].write, k->inst[pc].nwrite, reg));
			if (k->inst[pc].op != OP_BRA && k->inst[pc].op != OP_EXIT && pc + 1 < k->ninst) {
				struct live next;

				live_at(k, pc + 1, &next);
				assert_int_equal(live_has(l.out, reg), live_has(next.in, reg));
			}
		}
	}
	free(seen);
}

/* Kernels of the library, synthetic ones among them. */
static void every_kernel(void **state)
{
	static const char *const scenario[] = {"collatz", "bfs", "match", "reduce", "backprop", "synthetic", "latency"};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(scenario); i++) {
		struct session s;
		struct error e;
		char path[64];

		session_open(&s, &all_session_ops);
		s.out = fopen("/dev/null", "w");
		s.quiet = s.batch = true;
		snprintf(path, sizeof(path), "scenarios/%s.scn", scenario[i]);
		assert_int_equal(command_run_file(&s, path, &e), STATUS_OK);
		assert_int_equal(session_make(&s, &e), STATUS_OK);
		for (u32 k = 0; k < s.program.nlaunch; k++)
			check_kernel(s.program.launch[k].kernel);
		fclose(s.out);
		session_close(&s);
	}
}

/* r0 = ...; loop: r1 += r0, guarded r2 = r1, branch back; then r2 is read. */
static void by_hand(void **state)
{
	static struct inst code[] = {
		{.op = OP_MOV_32, .nwrite = 1, .write = {0}},
		{.op = OP_MOV_32, .nread = 2, .read = {1, 0}, .nwrite = 1, .write = {1}},
		{.op = OP_MOV_32, .guard = {.kind = OPERAND_PRED}, .nread = 1, .read = {1}, .nwrite = 1, .write = {2}},
		{.op = OP_BRA, .guard = {.kind = OPERAND_PRED}, .target = 1},
		{.op = OP_MOV_32, .nread = 1, .read = {2}, .nwrite = 1, .write = {3}},
		{.op = OP_EXIT},
	};
	static const u64 in[] = {0x6, 0x7, 0x7, 0x7, 0x4, 0}, out[] = {0x7, 0x7, 0x7, 0x7, 0, 0};
	struct kernel k = {.front = FRONT_PTX, .inst = code, .ninst = ARRAY_LEN(code), .regs = 4};
	struct live l;

	(void)state;
	for (u32 pc = 0; pc < k.ninst; pc++) {
		assert_true(live_at(&k, pc, &l));
		assert_int_equal(l.in[0], in[pc]);
		assert_int_equal(l.out[0], out[pc]);
	}
	assert_false(live_at(&k, k.ninst, &l));
	k.front = FRONT_TRACE;
	assert_false(live_at(&k, 1, &l));
	assert_int_equal(l.read[0], 3);
	assert_int_equal(l.in[0], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(every_kernel)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
