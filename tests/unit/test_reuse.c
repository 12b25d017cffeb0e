/*
 * test_reuse.c - the register cache (collector.reuse): the four examples of Huerta et al., MICRO 2025, listing 4, whose
 * it is, and the reuse bits that the front ends set.
 */
#include "core_bed.h"

/* Two banks, no swizzle: register r lies in bank r mod 2. */
static struct bed *reuse_bed(void)
{
	struct bed *b = bed_new();

	b->config.sm_banks = 2;
	b->config.sm_bank_swizzle = 0;
	b->config.collector_reuse = 1;
	return b;
}

/* An instruction that reads three registers and writes another; flags: reads with the reuse bit. */
static struct inst *three(struct bed *b, u32 write, u32 flags, u32 x, u32 y, u32 z)
{
	struct inst *in = bed_alu(b, 0, CLASS_FP32, write, 3, x, y, z);

	for (u32 i = 0; i < 3; i++)
		in->place[i] = (u8)i;
	in->reuse = (u8)flags;
	return in;
}

/* Run to the end of the launches; cycle by cycle from the first issue stage on: a and A for grants of banks 0 and 1,
 * r and R for reads that the cache answered, '!' and the PC for a dispatch, blanks between cycles. */
static void watch(struct bed *b, u32 cycles, char *out)
{
	bed_open(b);
	bed_run_to(b, BED_FIRST + 1);
	for (u32 i = 0; i < cycles; i++) {
		sim_cycle(&b->sim);
		for (u32 k = 0; k < b->sim.bus.count; k++) {
			const struct record *r = &b->sim.bus.record[k];

			if (r->kind == EVENT_GRANT)
				*out++ = r->a ? 'A' : 'a';
			if (r->kind == EVENT_REUSE)
				*out++ = r->a ? 'R' : 'r';
			if (r->kind != EVENT_DISPATCH)
				continue;
			*out++ = '!';
			*out++ = (char)('0' + r->pc);
		}
		*out++ = i + 1 < cycles ? ' ' : 0;
	}
}

/* The three instructions of an example: R2 is the first's first operand, with its reuse bit, and the third's. */
static void example(struct bed *b, u32 flags, u32 x, u32 y, u32 z, bool on, char *out)
{
	bed_clear(b);
	b->config.collector_reuse = on;
	three(b, 1, 1, 2, 3, 4);
	three(b, 5, flags, x, y, z);
	three(b, 10, 0, 2, 12, 13);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	watch(b, 6, out);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_RF_REUSED), sim_event_count(&b->sim, EVENT_REUSE));
	assert_int_equal(sim_sm_stat(&b->sim, STAT_RF_READS) + sim_sm_stat(&b->sim, STAT_RF_REUSED), 9);
}

/*
 * They issue in cycles 3, 4, 5. Bank 0 has R2 R4, then R2 R8, then R2 R12; bank 1 one read of each. 1: the second
 * instruction's R2 is answered behind R4, the third's needs the port. 2: that is answered, too. 3: R2 is the second's
 * second operand, whose place has kept nothing, and its first, R7, is of the other bank. 4: R4 takes R2's place.
 */
static void examples_of_the_paper(void **state)
{
	static const struct {
		u32 flags, x, y, z;
		bool on;
		const char *want;
	} known[] = {
		{0, 2, 7, 8, false, "aA aA!0 aA a!1 a a!2"}, {0, 2, 7, 8, true, "aA aAr!0 aA!1 a a!2 "},
		{1, 2, 7, 8, true, "aA aAr!0 aAr!1 a!2  "},  {0, 7, 2, 8, true, "aA aA!0 aA ar!1 a!2 "},
		{0, 4, 7, 8, true, "aA aA!0 aA a!1 a a!2"},
	};
	struct bed *b = reuse_bed();
	char got[256];

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		example(b, known[i].flags, known[i].x, known[i].y, known[i].z, known[i].on, got);
		assert_string_equal(got, known[i].want);
	}
	bed_close(b);
}

/* What is kept is one warp's: another's register of that number is read, and takes its place; that of a warp which has
 * left is not its successor's. */
static void of_one_warp(void **state)
{
	static const struct {
		u32 ctas, threads, at_once, reused;
	} known[] = {{1, 32, 1, 1}, {1, 64, 1, 0}, {2, 32, 1, 2}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		struct bed *b = reuse_bed();

		b->config.sm_ctas = known[i].at_once;
		three(b, 1, 1, 2, 3, 5);
		three(b, 7, 1, 2, 9, 11);
		bed_exit(b, 0);
		bed_launch(b, 0, known[i].ctas, known[i].threads);
		bed_open(b);
		bed_run_to(b, 200);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_RF_REUSED), known[i].reused);
		bed_close(b);
	}
}

/* A memory instruction has no place there: it neither finds nor ends what is kept. */
static void memory_passes_by(void **state)
{
	struct bed *b = reuse_bed();
	struct inst *in;

	(void)state;
	three(b, 1, 1, 2, 3, 5);
	in = three(b, 6, 1, 2, 9, 11);
	in->place[0] = in->place[1] = in->place[2] = REUSE_PLACES;
	three(b, 7, 0, 2, 9, 11);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run_to(b, 100);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_RF_REUSED), 1);
	assert_int_equal(sim_event_count(&b->sim, EVENT_GRANT), 8);
	bed_close(b);
}

/* The bits that kernel_reuse() sets for a first instruction 1 = f(2, 3, 4), given the second and third. */
static u32 bits(struct bed *b, enum inst_class between, const u32 second[4], const u32 third[4])
{
	u32 found;

	bed_clear(b);
	three(b, 1, 0, 2, 3, 4);
	three(b, second[0], 0, second[1], second[2], second[3])->class = (u8)between;
	three(b, third[0], 0, third[1], third[2], third[3]);
	bed_exit(b, 0);
	kernel_reuse(&b->kernel[0]);
	found = b->inst[0][0].reuse;
	return found;
}

/* A bit says that the next read of the bank at that position is of the same register, which nothing writes before. */
static void bits_by_rule(void **state)
{
	static const struct {
		enum inst_class between;
		u32 second[4], third[4], want;
	} known[] = {
		{CLASS_FP32, {5, 2, 3, 4}, {6, 7, 7, 7}, 7},	{CLASS_FP32, {5, 2, 3, 6}, {6, 7, 7, 4}, 3},
		{CLASS_FP32, {5, 7, 8, 9}, {6, 2, 3, 4}, 7},	{CLASS_FP32, {5, 8, 8, 8}, {6, 2, 3, 4}, 2},
		{CLASS_FP32, {2, 7, 8, 9}, {6, 2, 3, 4}, 6},	{CLASS_FP32, {5, 3, 2, 9}, {6, 7, 7, 7}, 0},
		{CLASS_LOAD, {5, 8, 8, 8}, {6, 2, 3, 4}, 7},	{CLASS_LOAD, {5, 2, 3, 4}, {6, 9, 9, 9}, 0},
		{CLASS_CONTROL, {5, 2, 3, 4}, {6, 2, 3, 4}, 0}, {CLASS_FP32, {2, 2, 3, 4}, {6, 7, 7, 7}, 7},
	};
	struct bed *b = reuse_bed();

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(known); i++)
		assert_int_equal(bits(b, known[i].between, known[i].second, known[i].third), known[i].want);
	bed_close(b);
}

/* A register that its own instruction writes is not kept, nor over the beginning of a block, nor for later than eight
 * instructions on. */
static void bits_end(void **state)
{
	struct bed *b = reuse_bed();
	struct inst *in;

	(void)state;
	for (u32 i = 0; i < 8; i++)
		three(b, 9, 0, 2, i == 3 ? 9 : 3, 4);
	three(b, 2, 0, 2, 3, 4); /* 8 */
	for (u32 i = 0; i < 9; i++)
		three(b, 9, 0, i < 8 ? 7 : 2, i < 7 ? 6 : 3, 4);
	in = bed_inst(b, 0, OP_BRA, CLASS_CONTROL);
	in->target = 2;
	bed_exit(b, 0);
	kernel_reuse(&b->kernel[0]);
	assert_int_equal(b->inst[0][0].reuse, 7);
	assert_int_equal(b->inst[0][1].reuse, 0); /* a branch goes to 2 */
	assert_int_equal(b->inst[0][2].reuse,
			 5); /* the next at position 1 reads 9, of the same bank, which is written */
	assert_int_equal(b->inst[0][3].reuse, 5);
	assert_int_equal(b->inst[0][8].reuse, 6); /* 3 comes eight instructions on; 2 nine, and is written here */
	assert_int_equal(b->inst[0][17].reuse, 0);
	bed_close(b);
}

/* Products of matrices: two registers of A are one operand, then B, then C; a fourth operand has no place. */
static void places_of_operands(void **state)
{
	static const struct {
		u16 op;
		u8 class, place[6];
	} known[] = {{OP_MMA, CLASS_TENSOR, {0, 0, 1, 2, 2, 2}},
		     {OP_MMA_QUAD, CLASS_TENSOR, {0, 0, 1, 1, 2, 2}},
		     {OP_DMMA, CLASS_DMMA, {0, 1, 2, 2, 2, 2}},
		     {OP_NOP, CLASS_TENSOR, {0, 1, 2, 255, 255, 255}},
		     {OP_LD, CLASS_LOAD, {255, 255, 255, 255, 255, 255}},
		     {OP_LD, CLASS_CONST, {255, 255, 255, 255, 255, 255}}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		struct bed *b = reuse_bed();
		struct inst *in = bed_alu(b, 0, known[i].class, 9, 6, 0, 1, 2, 3, 4, 5);

		in->op = known[i].op;
		for (u32 k = 0; k < 6; k++)
			in->place[k] = (u8)k;
		kernel_reuse(&b->kernel[0]);
		assert_memory_equal(in->place, known[i].place, sizeof known[i].place);
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples_of_the_paper),
		cmocka_unit_test(of_one_warp),
		cmocka_unit_test(memory_passes_by),
		cmocka_unit_test(bits_by_rule),
		cmocka_unit_test(bits_end),
		cmocka_unit_test(places_of_operands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
