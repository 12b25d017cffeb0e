/*
 * test_copy.c - asynchronous copies to shared memory and barriers there: kernels that nvcc has compiled, sources that
 * end early, phases.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx_bed.h"

#define HEAD \
	".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p)\n{\n.reg .b64 %d<9>; .reg .b32 %r<20>; .reg .pred %q<4>; " \
	".shared .align 16 .b8 s[512];\nld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, s;\n"

static void staged(void **state)
{
	struct bed b;
	u64 at[3];

	(void)state;
	bed_open(&b, "tests/ptx/copies.ptx", "staged", 1, 64);
	for (u32 i = 0; i < 3; i++)
		at[i] = give_buffer(&b, 1024);
	bed_fill(&b);
	for (u32 i = 0; i < 64; i++) {
		u32 wide[4] = {i, 99, 98, i % 7}, part[2] = {i % 5, 77};

		store_poke(&b.store, at[0] + 16 * i, wide, 16);
		store_poke(&b.store, at[1] + 8 * i, part, 8);
	}
	bed_good(&b);
	for (u32 i = 0; i < 64; i++) {
		u32 k = (i + 1) % 64;

		assert_int_equal(int_at(&b, at[2], i), k + k % 7 * 10 + k % 5 * 100);
	}
	bed_close(&b);
}

static void arriving(void **state)
{
	struct bed b;
	u64 in, out;

	(void)state;
	bed_open(&b, "tests/ptx/copies.ptx", "arriving", 1, 64);
	in = give_buffer(&b, 256);
	out = give_buffer(&b, 256);
	bed_fill(&b);
	for (u32 i = 0; i < 64; i++)
		store_poke(&b.store, in + 4 * i, &(u32){1000 + i}, 4);
	bed_good(&b);
	for (u32 i = 0; i < 64; i++)
		assert_int_equal(int_at(&b, out, i), 1000 + 63 - i);
	bed_close(&b);
}

/* Lane l's source has l % 17 bytes: the rest of 16 is zero. Lane 0's is no address at all, and is not read. */
static void early_end(void **state)
{
	static const char text[] =
		HEAD "mul.wide.u32 %d2, %r1, 16; add.s64 %d3, %d1, %d2; rem.u32 %r3, %r1, 17; setp.eq.u32 %q1, %r1, 0; "
		     "selp.b64 %d4, 0, %d3, %q1; shl.b32 %r4, %r1, 4; add.u32 %r4, %r4, %r2;\n"
		     "cp.async.ca.shared.global.L2::128B [%r4], [%d4], 16, %r3;\ncp.async.wait_all;\n"
		     "ld.shared.v4.u32 {%r5,%r6,%r7,%r8}, [%r4]; st.global.v4.u32 [%d3], {%r5,%r6,%r7,%r8}; ret;\n}\n";
	u8 got[512];
	struct bed b;
	u64 at;

	(void)state;
	bed_text(&b, text, "k", 1, 32);
	at = give_buffer(&b, 512);
	bed_fill(&b);
	for (u32 i = 0; i < 512; i++)
		store_poke(&b.store, at + i, &(u8){(u8)(i | 1)}, 1);
	bed_good(&b);
	store_read(&b.store, at, got, 512);
	for (u32 i = 0; i < 512; i++)
		assert_int_equal(got[i], i % 16 < i / 16 % 17 ? (u8)(i | 1) : 0);
	bed_close(&b);
}

/* Ignored sources, guards, and an address register that changes between a copy and its store. */
static void order(void **state)
{
	static const char text[] = HEAD
		"mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2; shl.b32 %r4, %r1, 2; add.u32 %r4, %r4, %r2; "
		"mov.u32 %r5, -1; st.shared.u32 [%r4+128], %r5; setp.ge.u32 %q1, %r1, 30; setp.lt.u32 %q2, %r1, 3;\n"
		"cp.async.ca.shared.global [%r4], [%d3], 4, %q1;\nadd.u32 %r4, %r4, 128;\n@%q2 cp.async.ca.shared.global [%r4], [%d3], 4;\n"
		"cp.async.commit_group; cp.async.wait_group 0;\nld.shared.u32 %r6, [%r4]; ld.shared.u32 %r7, [%r4+-128]; "
		"st.global.u32 [%d3], %r6; st.global.u32 [%d3+128], %r7; ret;\n}\n";
	struct bed b;
	u64 at;

	(void)state;
	bed_text(&b, text, "k", 1, 32);
	at = give_buffer(&b, 256);
	bed_fill(&b);
	for (u32 i = 0; i < 32; i++)
		store_poke(&b.store, at + 4 * i, &(u32){500 + i}, 4);
	bed_good(&b);
	for (u32 i = 0; i < 32; i++) {
		assert_int_equal(int_at(&b, at, i), i < 3 ? 500 + (int)i : -1);
		assert_int_equal(int_at(&b, at, 32 + i), i < 30 ? 500 + i : 0);
	}
	bed_close(&b);
}

/* The memory that cooperative groups find by a special register lies behind the variables and before the dynamic
 * memory. */
static void reserved(void **state)
{
	static const char text[] =
		HEAD "mov.u32 %r3, %reserved_smem_offset_1; st.shared.u32 [%r3+1020], %r3; ld.shared.u32 %r4, [s+508]; "
		     "ld.shared.u32 %r5, [s+1532]; add.u32 %r5, %r5, %r4; st.global.u32 [%d1], %r5; ret;\n}\n";
	struct bed b;
	u64 at;

	(void)state;
	bed_text(&b, text, "k", 1, 1);
	at = give_buffer(&b, 4);
	assert_int_equal(b.launch.kernel->static_shared, 512 + 1024);
	bed_fill(&b);
	bed_good(&b);
	assert_int_equal(int_at(&b, at, 0), 512);
	bed_close(&b);
}

/* A barrier of 3 arrivals: two do not complete its phase, two more at once complete it and leave none over. */
static void phases(void **state)
{
	static const char text[] = HEAD
		"mbarrier.init.shared.b64 [s], 3; mov.u32 %r3, 2; mov.u32 %r5, 0;\n"
		"mbarrier.arrive.shared.b64 %d2, [%r2];\nmbarrier.arrive.release.cta.shared::cta.b64 _, [s];\n"
		"mbarrier.test_wait.shared.b64 %q1, [%r2], %d2; @%q1 or.b32 %r5, %r5, 1;\n"
		"mbarrier.test_wait.parity.shared.b64 %q1, [%r2], 1; @%q1 or.b32 %r5, %r5, 2;\n"
		"cp.async.mbarrier.arrive.shared.b64 [s]; mbarrier.test_wait.shared.b64 %q1, [%r2], %d2; @%q1 or.b32 %r5, %r5, 4;\n"
		"cp.async.mbarrier.arrive.noinc.shared.b64 [s]; mbarrier.try_wait.shared.b64 %q1, [%r2], %d2; @%q1 or.b32 %r5, %r5, 8;\n"
		"mbarrier.test_wait.parity.shared.b64 %q1, [%r2], 0; @%q1 or.b32 %r5, %r5, 16;\n"
		"mbarrier.arrive.shared.b64 %d3, [s], 2; mbarrier.arrive.shared.b64 %d4, [s];\n"
		"mbarrier.test_wait.shared.b64 %q1, [s], %d3; @%q1 or.b32 %r5, %r5, 32;\n"
		"mbarrier.try_wait.parity.shared.b64 %q1, [s], 1, %r3; @%q1 or.b32 %r5, %r5, 64;\n"
		"mbarrier.test_wait.parity.shared.b64 %q1, [s], 0; @%q1 or.b32 %r5, %r5, 128;\nmbarrier.inval.shared.b64 [s];\n"
		"st.global.u32 [%d1], %r5; ret;\n}\n";
	struct bed b;
	u64 at;

	(void)state;
	bed_text(&b, text, "k", 1, 1);
	at = give_buffer(&b, 4);
	bed_fill(&b);
	bed_good(&b);
	assert_int_equal(int_at(&b, at, 0), 2 | 8 | 16 | 32 | 64);
	bed_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(staged), cmocka_unit_test(arriving), cmocka_unit_test(early_end),
		cmocka_unit_test(order),  cmocka_unit_test(phases),   cmocka_unit_test(reserved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
