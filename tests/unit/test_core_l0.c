/*
 * test_core_l0.c - L0 instruction caches and their stream buffers (l0i.latency, l1i.stream), cycle by cycle.
 *
 * A line has 8 instructions, the kernel 10 and an exit: two lines. A lookup of the L0 that misses in t is one of the
 * L1I in t + 1. There a hit is in the L0 l0i.latency = 10 cycles later, t + 11, and fetched in that cycle; what is
 * fetched in a cycle is issued two later. A cold L1I gets a line 14 cycles after it has missed it
 * (test_core_control.c): in t + 15, so that it is in the L0 in t + 25; a line asked for beside another comes 4 cycles
 * behind it.
 */
#include "core_bed.h"

static struct bed *l0_bed(u32 bytes, u32 stream)
{
	struct bed *b = bed_new();

	b->config.l1i_perfect = 0;
	b->config.l0i_latency = 10;
	b->config.l0i_bytes = bytes;
	b->config.l0i_line = 128;
	b->config.l1i_stream = stream;
	for (u32 i = 0; i < 10; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i % 24, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	return b;
}

/* Line 0: missed in 1, fetched in 26, issued from 28 on. Line 1: missed in 27, fetched in 52, issued from 54 on. */
static void a_miss_takes_both_caches(void **state)
{
	struct bed *b = l0_bed(1024, 0);

	(void)state;
	bed_expect(b, 0,
		   "........................."
		   "00000000"
		   ".................."
		   "000");
	assert_int_equal(bed_stat(b, STAT_L0I_MISSES), 2);
	assert_int_equal(bed_stat(b, STAT_L0I_HITS), 2);
	assert_int_equal(bed_stat(b, STAT_FETCHES), 2);
	assert_int_equal(bed_stat(b, STAT_L1I_MISSES), 2);
	assert_int_equal(bed_stat(b, STAT_STREAM_ISSUED), 0);
	bed_close(b);
}

/* Line 1 is asked for with line 0, in the L0's buffer in 16 + 4 + 10 = 30, and wanted in 27: late, but soon enough for
 * the last instruction of line 0, issued in 35. The kernel has no line 2. */
static void the_stream_buffer_goes_ahead(void **state)
{
	struct bed *b = l0_bed(1024, 8);

	(void)state;
	bed_expect(b, 0,
		   "........................."
		   "00000000"
		   "000");
	assert_int_equal(bed_stat(b, STAT_L0I_MISSES), 2);
	assert_int_equal(bed_stat(b, STAT_STREAM_ISSUED), 1);
	assert_int_equal(bed_stat(b, STAT_STREAM_HITS), 1);
	assert_int_equal(bed_stat(b, STAT_STREAM_LATE), 1);
	assert_int_equal(bed_stat(b, STAT_L1I_MISSES), 2);
	bed_close(b);
}

/* Cycles of two launches, one after the other, of the same kernel of 26 instructions and an exit: four lines. */
static u64 two_launches(u32 bytes, u32 stream)
{
	struct bed *b = l0_bed(bytes, stream);
	u64 cycles;

	b->kernel[0].ninst--;
	for (u32 i = 0; i < 16; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i % 24, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	cycles = bed_run(b);
	assert_int_equal(bed_stat(b, STAT_L1I_HITS), bytes == 128 ? 4 : 0);
	bed_close(b);
	return cycles;
}

/* A CTA that comes in X looks up in X + 1, and issues from X + 3 to X + 29 if the L0 holds all lines. An L0 of one line
 * holds line 3 at first: line 0 is missed in X + 1 and fetched in X + 12, line 1 is missed in X + 13, line 2 in X + 25,
 * line 3 in X + 37, fetched in X + 48, and issued from X + 50 to X + 52. With the buffer all but line 0 are there
 * before they are wanted, so that the last issues 26 cycles after the first, X + 14. */
static void a_hit_of_the_l1i_costs_its_latency(void **state)
{
	(void)state;
	assert_int_equal(two_launches(128, 0) - two_launches(1024, 0), 23);
	assert_int_equal(two_launches(128, 2) - two_launches(1024, 2), 11);
}

/* Two sub-cores have an L0 each, and one L1I: the second lookup of a line joins the first. With one port it comes a
 * cycle later, which the wait for the L2 hides. */
static void sub_cores_share_the_l1i(void **state)
{
	(void)state;
	for (u32 ports = 1; ports <= 2; ports++) {
		struct bed *b = l0_bed(1024, 0);

		b->config.sm_subcores = 2;
		b->config.l1i_ports = ports;
		b->launch[0].block[0] = 64;
		launch_prepare(&b->launch[0]);
		for (u32 sched = 0; sched < 2; sched++)
			bed_expect(b, sched, sched ? ".........................4" : ".........................0");
		bed_run_to(b, 30);
		assert_int_equal(bed_stat(b, STAT_L0I_MISSES), 4);
		assert_int_equal(bed_stat(b, STAT_L1I_MERGES), 2);
		bed_close(b);
	}
}

/* Instruction 0 jumps to line 5. The buffer of two lines asks for 1 and 2, and 1 is wanted before the jump is issued.
 * Nobody wants these any more when line 5 is missed: they are dropped for 6 and 7, and when 6 has been taken 8 follows,
 * the last. */
static void a_jump_drops_the_stream(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.l1i_perfect = 0;
	b->config.l0i_latency = 10;
	b->config.l0i_bytes = 1024;
	b->config.l0i_line = 128;
	b->config.l1i_stream = 2;
	bed_branch(b, 0, BED_NO_PRED, 40, 40);
	for (u32 i = 1; i < 64; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i % 24, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(bed_stat(b, STAT_L0I_MISSES), 6); /* 0, 1, 5, 6, 7, 8 */
	assert_int_equal(bed_stat(b, STAT_STREAM_ISSUED), 5);
	assert_int_equal(bed_stat(b, STAT_STREAM_HITS), 4);
	assert_int_equal(bed_stat(b, STAT_L1I_MISSES), 7);
	assert_int_equal(b->sim.view[0].sm->l0i_misses, 0);
	bed_close(b);
}

/* l1i.perfect l1i: line 0 is missed in 1, looked up in 2, in the L0 and fetched in 12, issued from 14 on; line 1 is
 * missed in 13, looked up in 14, fetched in 24, issued from 26 on. */
static void a_perfect_l1i_has_all_lines(void **state)
{
	struct bed *b = l0_bed(1024, 0);

	(void)state;
	b->config.l1i_perfect = PERFECT_L1I;
	bed_expect(b, 0,
		   "..........."
		   "00000000"
		   "...."
		   "000");
	assert_int_equal(bed_stat(b, STAT_L0I_MISSES), 2);
	assert_int_equal(bed_stat(b, STAT_FETCHES), 2);
	assert_int_equal(bed_stat(b, STAT_L1I_HITS), 2);
	assert_int_equal(bed_stat(b, STAT_L1I_MISSES), 0);
	bed_close(b);
}

/* Two launches of a kernel of two lines: with l1i.perfect l1i the second misses them again; what the stream buffer has
 * asked for and nobody wants any more goes with the kernel. */
static void a_kernel_finds_the_l0_empty(void **state)
{
	static const u32 misses[] = {[PERFECT_OFF] = 2, [PERFECT_ON] = 0, [PERFECT_L1I] = 4};

	(void)state;
	for (u32 perfect = 0; perfect < ARRAY_LEN(misses); perfect++) {
		struct bed *b = l0_bed(1024, 0);

		b->config.l1i_perfect = perfect;
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		bed_run(b);
		assert_int_equal(bed_stat(b, STAT_L0I_MISSES), misses[perfect]);
		bed_close(b);
	}
	for (u32 perfect = 0; perfect < ARRAY_LEN(misses); perfect++) {
		struct bed *b = l0_bed(1024, 8);

		b->config.l1i_perfect = perfect;
		b->kernel[0].inst[3] = b->kernel[0].inst[b->kernel[0].ninst - 1]; /* an exit */
		for (u32 i = 0; i < 40; i++)
			bed_alu(b, 0, CLASS_INT, 1, 0);
		bed_open(b);
		bed_run(b);
		assert_int_equal(b->sim.view[0].sm->l0i_misses > 0, perfect == PERFECT_OFF);
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_miss_takes_both_caches),
		cmocka_unit_test(the_stream_buffer_goes_ahead),
		cmocka_unit_test(a_hit_of_the_l1i_costs_its_latency),
		cmocka_unit_test(sub_cores_share_the_l1i),
		cmocka_unit_test(a_jump_drops_the_stream),
		cmocka_unit_test(a_perfect_l1i_has_all_lines),
		cmocka_unit_test(a_kernel_finds_the_l0_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
