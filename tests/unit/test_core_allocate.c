/*
 * test_core_allocate.c - reservation of register reads (collector.allocate), cycle by cycle.
 *
 * An instruction that issues in t is in Control in t + 1 and in Allocate in t + 2; there it takes ports of its banks in
 * t + 3, t + 4 and t + 5, the first that are free. Two banks, one port each; even registers are in bank 0. Figures:
 * Huerta et al., MICRO 2025, listing 1 and section 5.3.
 */
#include "core_bed.h"

static struct bed *allocate_bed(void)
{
	struct bed *b = bed_new();

	b->config.collector_allocate = 1;
	b->config.sm_banks = 2;
	b->config.sm_bank_swizzle = 0;
	b->config.lat_int = b->config.lat_fp32 = 2;
	return b;
}

/* An exit, and a warp. */
static void end(struct bed *b, u32 threads)
{
	bed_exit(b, 0);
	bed_launch(b, 0, 1, threads);
}

/* Listing 1: an instruction, FFMA R11, R10, R12, R14, FFMA R13, R16, RX, RY, two more. Between the first and the last
 * lie five cycles if RX and RY are odd, six if one is even, seven if both are (the last not counted): the first FFMA
 * takes bank 0 in t + 3, 4, 5, the second may in t + 4, 5, 6, of which it needs as many as it reads even registers.
 * While it is held the next instruction is in Control, and the one behind that does not issue. */
static void listing_1(u32 x, u32 y, const char *want, u32 held)
{
	struct bed *b = allocate_bed();

	bed_alu(b, 0, CLASS_FP32, 24, 0);
	bed_alu(b, 0, CLASS_FP32, 11, 3, 10, 12, 14);
	bed_alu(b, 0, CLASS_FP32, 13, 3, 16, x, y);
	bed_alu(b, 0, CLASS_FP32, 21, 0);
	bed_alu(b, 0, CLASS_FP32, 22, 0);
	end(b, 32);
	bed_expect(b, 0, want);
	assert_int_equal(bed_stat(b, STAT_RF_HELD), held);
	bed_close(b);
}

static void ports_of_listing_1(void **state)
{
	(void)state;
	listing_1(19, 21, "000000", 0);
	listing_1(18, 21, "0000.00", 1);
	listing_1(18, 20, "0000..00", 2);
}

/* Cycles from the issue of the first to that of the last of 20 instructions, all of two or three registers. */
static u64 twenty(u32 n, u32 a, u32 b_, u32 c, u32 passes)
{
	struct bed *b = allocate_bed();
	u64 first, last;

	b->config.collector_passes = passes;
	for (u32 i = 0; i < 20; i++)
		if (n == 2)
			bed_alu(b, 0, CLASS_FP32, 21 + i % 8, 2, a, b_);
		else
			bed_alu(b, 0, CLASS_FP32, 21 + i % 8, 3, a, b_, c);
	end(b, 32);
	bed_open(b);
	first = bed_when(b, 0, 0, 0);
	last = bed_when(b, 0, 0, 19);
	bed_close(b);
	return last - first;
}

/* Section 5.3: FMUL with both operands in one bank has a bubble of a cycle, in two banks none; FFMA with all three in
 * one bank has two. Counted from the cycle in which the first leaves Allocate, two after its issue, the i-th leaves it
 * when its last read and those before it end within three cycles: k x i + k - 3, of k reads of the bank. The last, 19,
 * issues when 17 leaves Allocate and 18 Control. With two ports (their 2R) none waits. */
static void bubbles_of_section_5_3(void **state)
{
	(void)state;
	assert_int_equal(twenty(2, 1, 2, 0, 1), 19);
	/* i leaves Allocate at 2 i + 2 - 3 = 2 i - 1 (i > 0) */
	assert_int_equal(twenty(2, 2, 4, 0, 1), 33 + 2);
	assert_int_equal(twenty(2, 2, 4, 0, 2), 19);
	/* at 3 i + 3 - 3 = 3 i */
	assert_int_equal(twenty(3, 2, 4, 6, 1), 51 + 2);
	assert_int_equal(twenty(3, 2, 4, 1, 2), 19);
}

/* A reader issues lat + 2 cycles after what it reads (collector.window 1 or 2), lat + 3 with a window of 3; FADD and
 * FFMA alike, whether the operands of FFMA lie in one bank or not. */
static void latencies_are_fixed(void **state)
{
	(void)state;
	for (u32 window = 1; window <= 3; window++)
		for (u32 one = 0; one < 3; one++) {
			struct bed *b = allocate_bed();

			b->config.collector_window = window;
			if (one)
				bed_alu(b, 0, CLASS_FP32, 20, 3, 2, 4, one == 1 ? 6 : 7);
			else
				bed_alu(b, 0, CLASS_FP32, 20, 1, 2);
			bed_alu(b, 0, CLASS_FP32, 21, 1, 20);
			end(b, 32);
			bed_expect(b, 0, window < 3 ? "0...0" : "0....0");
			bed_close(b);
		}
}

/* The register cache saves ports: listing 1 with two even registers, of which R10 is the one that the first FFMA has
 * read at the same position with its reuse bit. Then two reads of bank 0 remain, one bubble. */
static void a_kept_register_needs_no_port(void **state)
{
	struct bed *b = allocate_bed();
	struct inst *in;

	(void)state;
	b->config.collector_reuse = 1;
	bed_alu(b, 0, CLASS_FP32, 24, 0);
	in = bed_alu(b, 0, CLASS_FP32, 11, 3, 10, 12, 14);
	in->place[1] = 1;
	in->place[2] = 2;
	in->reuse = 1;
	in = bed_alu(b, 0, CLASS_FP32, 13, 3, 10, 18, 20);
	in->place[1] = 1;
	in->place[2] = 2;
	bed_alu(b, 0, CLASS_FP32, 21, 0);
	bed_alu(b, 0, CLASS_FP32, 22, 0);
	end(b, 32);
	bed_expect(b, 0, "0000.00");
	assert_int_equal(bed_stat(b, STAT_RF_REUSED), 1);
	assert_int_equal(bed_stat(b, STAT_RF_READS), 5);
	bed_close(b);
}

/* With control bits that which an instruction has now counts: taken away by hand, nothing is kept. */
static void a_reuse_bit_by_hand(void **state)
{
	(void)state;
	for (u32 kept = 0; kept < 2; kept++) {
		struct bed *b = allocate_bed();
		struct inst *in;

		b->config.collector_reuse = 1;
		b->config.issue_dependences = 1;
		in = bed_alu(b, 0, CLASS_FP32, 11, 3, 10, 12, 14);
		in->place[1] = 1;
		in->place[2] = 2;
		in->reuse = 1;
		in = bed_alu(b, 0, CLASS_FP32, 13, 3, 10, 18, 20);
		in->place[1] = 1;
		in->place[2] = 2;
		end(b, 32);
		bed_open(b);
		if (!kept)
			sim_poke_values(&b->sim, 0, 0, VALUES_CONTROL, offsetof(struct control, reuse), &(u8){0}, 1);
		while (!sim_finished(&b->sim))
			sim_cycle(&b->sim);
		assert_int_equal(bed_stat(b, STAT_RF_REUSED), kept);
		assert_int_equal(bed_stat(b, STAT_RF_READS), 6 - kept);
		bed_close(b);
	}
}

/* What is held keeps the other warps of its sub-core back, too, and a branch; a load waits beside and does not. Three
 * reads of bank 0 by each of two warps: the second is held two cycles. */
static void what_is_held_holds_all(void **state)
{
	struct bed *b = allocate_bed();

	(void)state;
	bed_alu(b, 0, CLASS_FP32, 11, 3, 10, 12, 14);
	bed_alu(b, 0, CLASS_INT, 12, 0);
	end(b, 96);
	bed_expect(b, 0,
		   "012"
		   "..0"
		   "..120"
		   "12");
	bed_close(b);
}

/* A unit that takes an instruction every other cycle: the other kind issues in between, nothing is held. */
static void units_are_looked_at_before_issue(void **state)
{
	struct bed *b = allocate_bed();

	(void)state;
	b->config.unit_fp32_interval = 2;
	for (u32 i = 0; i < 3; i++)
		bed_alu(b, 0, CLASS_FP32, 11 + i, 0);
	bed_alu(b, 0, CLASS_INT, 14, 0);
	end(b, 32);
	bed_expect(b, 0, "0.0.000");
	assert_int_equal(bed_stat(b, STAT_RF_HELD), 0);
	assert_int_equal(b->sim.view[0].sm->statuses[WARP_UNIT], 2);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ports_of_listing_1),
		cmocka_unit_test(bubbles_of_section_5_3),
		cmocka_unit_test(latencies_are_fixed),
		cmocka_unit_test(a_kept_register_needs_no_port),
		cmocka_unit_test(a_reuse_bit_by_hand),
		cmocka_unit_test(what_is_held_holds_all),
		cmocka_unit_test(units_are_looked_at_before_issue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
