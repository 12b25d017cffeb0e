/*
 * test_control.c - control bits (issue.dependences control): those that the assembler's pass sets, counted by hand,
 * what they do to the issue stage, and what comes of bits that are wrong.
 */
#include "core_bed.h"

#include "control.h"

/* Results of class int and fp32 are ready five cycles behind the issue: one for the reads, lat.int or lat.fp32 of 4. */
static u32 due(const void *machine, const struct inst *in)
{
	(void)machine;
	return in->class == CLASS_INT || in->class == CLASS_FP32 ? 5 : 0;
}

/* The bits of the bed's kernel, as text. */
static void expect_bits(const struct bed *b, const char *const *want)
{
	static const struct control_times times = {NULL, due};
	struct control_bits bits[BED_INSTS];
	char text[CONTROL_TEXT];

	control_assign(&b->kernel[0], &times, bits);
	for (u32 i = 0; i < b->kernel[0].ninst; i++)
		assert_string_equal(control_text(&bits[i], text), want[i]);
}
#define EXPECT_BITS(b, ...) expect_bits(b, (const char *const[]){__VA_ARGS__})

static struct bed *control_bed(void)
{
	struct bed *b = bed_new();

	b->config.issue_dependences = 1;
	return b;
}

/* Known latencies: the instruction in front of the one that needs the result has what is left of them. */
static void stalls(void **state)
{
	struct bed *b = control_bed();

	(void)state;
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_alu(b, 0, CLASS_INT, 5, 0);
	bed_alu(b, 0, CLASS_FP32, 2, 1, 1);
	bed_alu(b, 0, CLASS_FP32, 2, 1, 1); /* writes what the one before writes */
	bed_exit(b, 0);
	EXPECT_BITS(b, "B------:R-:W-:-:S01", "B------:R-:W-:-:S04", "B------:R-:W-:-:S05", "B------:R-:W-:-:S01",
		    "B------:R-:W-:-:S01");
	bed_close(b);
}

/* Others take counters; the next instruction that waits for one comes two cycles later. */
static void counters(void **state)
{
	struct bed *b = control_bed();

	(void)state;
	bed_load(b, 0, 1, BED_BASE);
	bed_load(b, 0, 2, BED_BASE);
	bed_alu(b, 0, CLASS_FP32, 3, 2, 1, 2);
	bed_through(bed_load(b, 0, 6, BED_BASE), 4);
	bed_alu(b, 0, CLASS_INT, 4, 0); /* its address is written anew */
	bed_alu(b, 0, CLASS_FP32, 7, 1, 6);
	bed_exit(b, 0);
	EXPECT_BITS(b, "B------:R-:W0:-:S01", "B------:R-:W1:-:S02", "B01----:R-:W-:-:S01", "B------:R1:W0:-:S02",
		    "B-1----:R-:W-:-:S01", "B0-----:R-:W-:-:S01", "B------:R-:W-:-:S01");
	bed_close(b);
}

/* Where all six are in use the last one is shared, and whoever waits for it waits for all that have it. */
static void seven(void **state)
{
	struct bed *b = control_bed();

	(void)state;
	for (u32 i = 0; i < 8; i++)
		bed_load(b, 0, 1 + i, BED_BASE);
	bed_alu(b, 0, CLASS_FP32, 9, 1, 1);
	bed_alu(b, 0, CLASS_FP32, 10, 1, 6);
	bed_alu(b, 0, CLASS_FP32, 11, 1, 8);
	bed_exit(b, 0);
	EXPECT_BITS(b, "B------:R-:W0:-:S01", "B------:R-:W1:-:S01", "B------:R-:W2:-:S01", "B------:R-:W3:-:S01",
		    "B------:R-:W4:-:S01", "B------:R-:W5:-:S01", "B------:R-:W5:-:S01", "B------:R-:W5:-:S01",
		    "B0-----:R-:W-:-:S01", "B-----5:R-:W-:-:S01", "B------:R-:W-:-:S01", "B------:R-:W-:-:S01");
	bed_close(b);
}

/* Loads through an address that moves on: what writes it waits for its read, not for the load, as reads keep a counter
 * of their own and loads share another. Nor does what waits for a short result wait for a load. */
static void counters_of_a_purpose(void **state)
{
	struct bed *b = control_bed();

	(void)state;
	for (u32 i = 0; i < 7; i++) {
		bed_through(bed_load(b, 0, 1 + i, BED_BASE), 20);
		bed_alu(b, 0, CLASS_INT, 20, 1, 20);
	}
	bed_alu(b, 0, CLASS_FP32, 10, 1, 1);
	bed_exit(b, 0);
	EXPECT_BITS(b, "B------:R1:W0:-:S02", "B-1----:R-:W-:-:S05", "B------:R2:W1:-:S02", "B--2---:R-:W-:-:S05",
		    "B------:R3:W2:-:S02", "B---3--:R-:W-:-:S05", "B------:R4:W3:-:S02", "B----4-:R-:W-:-:S05",
		    "B------:R5:W4:-:S02", "B-----5:R-:W-:-:S05", "B------:R5:W4:-:S02", "B-----5:R-:W-:-:S05",
		    "B------:R5:W4:-:S02", "B-----5:R-:W-:-:S01", "B0-----:R-:W-:-:S01", "B------:R-:W-:-:S01");
	bed_clear(b);
	for (u32 i = 0; i < 5; i++)
		bed_load(b, 0, 1 + i, BED_BASE);
	bed_alu(b, 0, CLASS_SFU, 6, 0);
	bed_load(b, 0, 7, BED_BASE);
	bed_alu(b, 0, CLASS_SFU, 8, 0);
	bed_exit(b, 0);
	EXPECT_BITS(b, "B------:R-:W0:-:S01", "B------:R-:W1:-:S01", "B------:R-:W2:-:S01", "B------:R-:W3:-:S01",
		    "B------:R-:W4:-:S01", "B------:R-:W5:-:S01", "B------:R-:W4:-:S01", "B------:R-:W5:-:S01",
		    "B------:R-:W-:-:S01");
	bed_close(b);
}

/* A loop: the load waits for itself of the round before; what is on its way at the end of a block may be so, as far as
 * the instructions that follow take time before they need it. */
static void loop(void **state)
{
	struct bed *b = control_bed();

	(void)state;
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_through(bed_load(b, 0, 2, BED_BASE), 4); /* 1 */
	bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_compare(b, 0, 0, SREG_LANEID, 1);
	bed_branch(b, 0, 0, 1, 5); /* 4 */
	bed_alu(b, 0, CLASS_FP32, 3, 2, 1, 2);
	bed_exit(b, 0);
	EXPECT_BITS(b, "B------:R-:W-:-:S04", "B0-----:R-:W0:-:S01", "B------:R-:W-:-:S01", "B------:R-:W-:-:S05",
		    "B------:R-:W-:-:S01", "B0-----:R-:W-:-:S01", "B------:R-:W-:-:S01");
	bed_close(b);
}

/* Two sides of a branch that load into different registers, with different counters: behind them both are waited for.
 */
static void sides(void **state)
{
	struct bed *b = control_bed();

	(void)state;
	bed_compare(b, 0, 0, SREG_LANEID, 1);
	bed_branch(b, 0, 0, 4, 5);
	bed_load(b, 0, 1, BED_BASE); /* 2 */
	bed_branch(b, 0, BED_NO_PRED, 5, 5);
	bed_load(b, 0, 2, BED_BASE); /* 4 */
	bed_alu(b, 0, CLASS_FP32, 3, 2, 1, 2);
	bed_exit(b, 0);
	EXPECT_BITS(b, "B------:R-:W-:-:S05", "B------:R-:W-:-:S01", "B------:R-:W0:-:S01", "B------:R-:W-:-:S01",
		    "B------:R-:W1:-:S02", "B01----:R-:W-:-:S01", "B------:R-:W-:-:S01");
	bed_close(b);
}

/* Under control bits that are right instructions issue when a scoreboard lets them, where no counter is shared. */
static void same_cycles(void **state)
{
	struct bed *b = control_bed();

	(void)state;
	for (u32 on = 0; on < 2; on++) {
		bed_clear(b);
		b->config.issue_dependences = on;
		bed_alu(b, 0, CLASS_INT, 1, 0);
		bed_alu(b, 0, CLASS_INT, 5, 0);
		bed_alu(b, 0, CLASS_FP32, 2, 1, 1);
		bed_load(b, 0, 3, BED_BASE);
		bed_alu(b, 0, CLASS_FP32, 4, 1, 2);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_expect(b, 0, "00...00...00");
		assert_int_equal(bed_stat(b, STAT_CONTROL_HAZARDS), 0);
		assert_int_equal(bed_stat(b, STAT_CONTROL_LATE), 0);
	}
	bed_close(b);
}

/* const.cold: a constant load that writes no vector register (a trace's ULDC) keeps its warp from issuing until a
 * kernel's first constants are there, 30 cycles after its CTA came in 0; later ones do not, nor do those that write.
 * const.cold_block: until 27 cycles after the first issued, in 3. */
static void cold_constants_stall(void **state)
{
	(void)state;
	for (u32 k = 0; k < 4; k++) {
		u32 writes = k & 1, block = k >> 1;
		struct bed *b = control_bed();

		b->kernel[0].param_bytes = 64;
		b->config.const_cold = block ? 0 : 30;
		b->config.const_cold_block = block ? 27 : 0;
		for (u32 i = 0; i < 2; i++) {
			struct inst *in = bed_memory(b, 0, OP_LD, CLASS_CONST, 0);

			in->space = SPACE_PARAM;
			in->ndst = 1;
			in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 4 + i};
			in->constant = (u8)block;
			if (writes)
				bed_writes(in, 4 + i);
			bed_alu(b, 0, CLASS_INT, 1 + i, 0);
		}
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		assert_int_equal(bed_when(b, 0, 0, 1), writes ? 4 : 30);
		assert_int_equal(bed_when(b, 0, 0, 3), writes ? 6 : 32);
		bed_close(b);
	}
}

/* 5 into r1, r1 + r1 into r4, r4 into memory. */
static void sum(struct bed *b)
{
	struct inst *in = bed_writes(bed_inst(b, 0, OP_MOV_32, CLASS_INT), 1);

	in->ndst = in->nsrc = 1;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 1};
	in->src[0] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, 5)};
	in = bed_writes(bed_reads(bed_reads(bed_inst(b, 0, OP_ADD_32, CLASS_INT), 1), 1), 4);
	in->ndst = 1;
	in->nsrc = 2;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 4};
	in->src[0] = in->src[1] = (struct operand){.kind = OPERAND_REG, .value = 1};
	bed_out(b, 4, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
}

/* A stall counter that is too small reads the old value; what the pass sets is just enough. */
static void old_value(void **state)
{
	(void)state;
	for (u32 stall = 1; stall <= 6; stall++) {
		struct bed *b = control_bed();

		sum(b);
		assert_int_equal(((struct control *)machine_gpu_section(b->sim.m, SECTION_CONTROL))[0].stall, 5);
		((struct control *)machine_gpu_section(b->sim.m, SECTION_CONTROL))[0].stall = (u8)stall;
		bed_run(b);
		assert_int_equal(bed_got(b, 3, 0), stall < 5 ? 0 : 10);
		assert_int_equal(bed_stat(b, STAT_CONTROL_HAZARDS), stall < 5);
		assert_int_equal(bed_stat(b, STAT_CONTROL_HAZARDS_STALL), stall < 5);
		bed_close(b);
	}
}

/* A counter that is not waited for is a hazard, but not one of a stall counter; a load without a counter is. */
static void not_waited(void **state)
{
	(void)state;
	for (u32 missing = 0; missing < 3; missing++) {
		struct bed *b = control_bed();
		struct control *c;

		bed_load(b, 0, 1, BED_BASE);
		bed_alu(b, 0, CLASS_FP32, 2, 1, 1);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		c = machine_gpu_section(b->sim.m, SECTION_CONTROL);
		assert_int_equal(c[0].write, 0);
		assert_int_equal(c[1].wait, 1);
		c[1].wait = missing ? 0 : c[1].wait;
		c[0].write = missing == 2 ? CONTROL_NONE : c[0].write;
		bed_run(b);
		assert_int_equal(bed_stat(b, STAT_CONTROL_HAZARDS), missing > 0);
		assert_int_equal(bed_stat(b, STAT_CONTROL_HAZARDS_STALL), missing == 2);
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stalls),      cmocka_unit_test(counters),
		cmocka_unit_test(seven),       cmocka_unit_test(counters_of_a_purpose),
		cmocka_unit_test(loop),	       cmocka_unit_test(sides),
		cmocka_unit_test(same_cycles), cmocka_unit_test(cold_constants_stall),
		cmocka_unit_test(old_value),   cmocka_unit_test(not_waited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
