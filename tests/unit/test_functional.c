/*
 * test_functional.c - the run without timing where CTAs wait for each other: each ends, in a fixed number of
 * instructions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx_bed.h"

#define HEAD \
	".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n.reg .pred %p<3>; " \
	".reg .b32 %r<10>; .reg .b64 %rd<6>;\nld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x;\n"

/* CTA c waits until word c + 1 is not 0 (the last one does not) and writes one more to word c. */
#define BACKWARDS \
	HEAD "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; add.s32 %r3, %r1, 1; setp.eq.s32 %p1, %r3, %r2;\n" \
	     "mov.u32 %r4, 0; @%p1 bra LAST;\nSPIN: ld.volatile.global.u32 %r4, [%rd3+4]; setp.eq.s32 %p2, %r4, 0; @%p2 bra SPIN;\n" \
	     "LAST: add.s32 %r5, %r4, 1; st.volatile.global.u32 [%rd3], %r5; ret;\n}\n"

/* Two barriers of the whole grid; in between, the value that the next CTA wrote before the first. */
#define GRID \
	HEAD "mov.u32 %r9, 0;\nmul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3+64], %r1;\n" \
	     "ROUND: add.s32 %r9, %r9, %r2; atom.global.add.u32 %r3, [%rd1], 1;\n" \
	     "WAIT: ld.volatile.global.u32 %r4, [%rd1]; setp.lt.u32 %p1, %r4, %r9; @%p1 bra WAIT;\n" \
	     "add.s32 %r5, %r1, 1; rem.u32 %r5, %r5, %r2; mul.wide.u32 %rd4, %r5, 4; add.s64 %rd5, %rd1, %rd4;\n" \
	     "ld.volatile.global.u32 %r6, [%rd5+64]; st.global.u32 [%rd3+128], %r6;\n" \
	     "shl.b32 %r7, %r2, 1; setp.lt.u32 %p2, %r9, %r7; @%p2 bra ROUND; ret;\n}\n"

/* A lock that CTA 0 takes and gives back only when all others have tried and counted themselves. */
#define LOCKED \
	HEAD "setp.ne.s32 %p1, %r1, 0; @%p1 bra OTHERS; atom.global.exch.b32 %r3, [%rd1], 1; add.s32 %r4, %r2, -1;\n" \
	     "WAIT: ld.volatile.global.u32 %r5, [%rd1+4]; setp.lt.u32 %p2, %r5, %r4; @%p2 bra WAIT;\n" \
	     "atom.global.exch.b32 %r3, [%rd1], 0; ret;\nOTHERS: atom.global.add.u32 %r3, [%rd1+4], 1;\n" \
	     "TRY: atom.global.cas.b32 %r3, [%rd1], 0, 1; setp.ne.s32 %p2, %r3, 0; @%p2 bra TRY;\n" \
	     "ld.volatile.global.u32 %r5, [%rd1+8]; add.s32 %r5, %r5, %r1; st.volatile.global.u32 [%rd1+8], %r5;\n" \
	     "atom.global.exch.b32 %r3, [%rd1], 0; ret;\n}\n"

/* Run one thread in each of `grid` CTAs; what is in the buffer then, and the instructions of all. */
static u64 run(const char *text, u32 grid, u64 limit, i32 *out, u32 n)
{
	struct functional_result count;
	struct error e = {0};
	struct bed b;
	u64 at;

	bed_text(&b, text, "k", grid, 1);
	at = give_buffer(&b, 4096);
	bed_fill(&b);
	launch_prepare(&b.launch);
	b.program.launch = &b.launch;
	b.program.nlaunch = 1;
	if (functional_run(&b.program, &b.store, limit, &count, &e))
		fail_msg("%s", e.message);
	for (u32 i = 0; i < n; i++)
		out[i] = int_at(&b, at, i);
	bed_close(&b);
	return count.warp_instructions;
}

/* The first CTA waits for the last: one long wait, then short ones. */
static void backwards(void **state)
{
	i32 out[100];
	u64 first;

	(void)state;
	first = run(BACKWARDS, 100, 4000000, out, 100);
	for (i32 i = 0; i < 100; i++)
		assert_int_equal(out[i], 100 - i);
	assert_true(first > 1u << 18);
	assert_int_equal(run(BACKWARDS, 100, 4000000, out, 100), first);
}

static void whole_grid(void **state)
{
	i32 out[48];

	(void)state;
	run(GRID, 16, 400000, out, 48);
	assert_int_equal(out[0], 32);
	for (i32 i = 0; i < 16; i++)
		assert_int_equal(out[32 + i], (i + 1) % 16);
}

/* A CTA that tries in vain changes nothing, though its atomics write. */
static void locked(void **state)
{
	i32 out[3];

	(void)state;
	run(LOCKED, 10, 400000, out, 3);
	assert_int_equal(out[0], 0);
	assert_int_equal(out[1], 9);
	assert_int_equal(out[2], 45);
}

/* CTAs that wait for nobody run one after the other: the last to write a word is the last of the grid. */
static void in_order(void **state)
{
	static const char text[] = HEAD
		"mov.u32 %r3, 0;\nLOOP: add.s32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 5000; @%p1 bra LOOP;\n"
		"atom.global.add.u32 %r4, [%rd1], 1; st.global.u32 [%rd1+4], %r1; mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n"
		"st.global.u32 [%rd3+64], %r1; ret;\n}\n";
	i32 out[22];

	(void)state;
	run(text, 6, 0, out, 22);
	assert_int_equal(out[1], 5);
	for (i32 i = 0; i < 6; i++)
		assert_int_equal(out[16 + i], i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(backwards),
		cmocka_unit_test(whole_grid),
		cmocka_unit_test(locked),
		cmocka_unit_test(in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
