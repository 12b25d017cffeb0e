/*
 * test_mates.c - memory operations that slices share: one access for what several issue in a cycle, an answer for each.
 */
#include "core_bed.h"

/* A bed whose warps are cut into slices of `size` lanes; banks by register alone, so that slices read alike. */
static struct bed *sliced(u32 size)
{
	struct bed *b = bed_new();

	b->config.warp_size = size;
	b->config.sm_subcores = WARP_LANES / size;
	b->config.sm_bank_swizzle = 0;
	return b;
}

static struct inst *through(struct bed *b, enum op op, enum inst_class class)
{
	struct inst *in = bed_through(bed_memory(b, 0, op, class, 0), 2);

	if (op != OP_LD)
		return in;
	in->ndst = 1;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 8};
	return bed_writes(in, 8);
}

/* Cycles of warps that do a memory instruction on words `stride` bytes apart, use its result, and end. */
static u64 cycles(u32 size, enum op op, enum inst_class class, u32 stride, u64 *stat)
{
	struct bed *b = sliced(size);
	bool shared = class == CLASS_SHLOAD || class == CLASS_SHSTORE;
	u64 took;

	bed_address_by(b, 0, 2, SREG_TID_X, shared ? 0 : BED_BASE, stride);
	for (u32 i = 0; i < 3; i++) {
		through(b, op, class);
		bed_alu(b, 0, CLASS_INT, 9, 1, 8);
	}
	bed_inst(b, 0, OP_FENCE, CLASS_FENCE);
	bed_barrier(b, 0);
	through(b, op, class);
	bed_exit(b, 0);
	bed_launch(b, 0, 3, 64)->shared = 8192;
	bed_open(b);
	took = bed_run(b);
	sim_sync(&b->sim);
	assert_true(!sim_faulted(&b->sim) && sim_finished(&b->sim));
	for (u32 i = 0; i < SM_STAT_COUNT; i++)
		stat[i] = sim_sm_stat(&b->sim, i);
	bed_close(b);
	return took;
}

/* As long as slices are in step they take the cycles, the accesses and the lines of whole warps. */
static void in_step_they_are_one(void **state)
{
	static const struct {
		enum op op;
		enum inst_class class;
		u32 most; /* bytes between words: with more, lines of a warp's load come at different times */
	} row[] = {{OP_LD, CLASS_LOAD, 4},
		   {OP_ST, CLASS_STORE, 128},
		   {OP_LD, CLASS_SHLOAD, 128},
		   {OP_ST, CLASS_SHSTORE, 128}};
	static const enum sm_counter same[] = {STAT_MEM_LINES, STAT_MEM_SECTORS,     STAT_L1D_ACCESSES,
					       STAT_L1D_HITS,  STAT_L1D_MISSES,	     STAT_L1D_WRITES,
					       STAT_REQUESTS,  STAT_SHARED_ACCESSES, STAT_SHARED_CYCLES,
					       STAT_REPLIES,   STAT_INST_THREAD};
	u64 want[SM_STAT_COUNT], got[SM_STAT_COUNT];

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		for (u32 stride = 0; stride <= row[i].most; stride = stride ? stride * 2 : 4) {
			u64 took = cycles(WARP_LANES, row[i].op, row[i].class, stride, want);

			for (u32 size = 4; size < WARP_LANES; size *= 2) {
				assert_int_equal(cycles(size, row[i].op, row[i].class, stride, got), took);
				for (u32 k = 0; k < ARRAY_LEN(same); k++)
					assert_int_equal(got[same[k]], want[same[k]]);
				assert_int_equal(got[STAT_MEM_SHARED],
						 want[STAT_INST_WARP] / 10 * 4 * (WARP_LANES / size - 1));
			}
		}
}

/* Of eight slices one finds its line and seven do not: it has its answer first, and each has one. */
static void each_is_answered_for_its_lines(void **state)
{
	struct bed *b = sliced(4);
	struct record r;
	u64 at[8] = {0};

	(void)state;
	bed_address_by(b, 0, 2, SREG_LANEID, BED_BASE, 4);
	through(b, OP_LD, CLASS_LOAD); /* the first line is there */
	bed_alu(b, 0, CLASS_INT, 6, 1, 8);
	bed_address_by(b, 0, 2, SREG_LANEID, BED_BASE, 32);
	through(b, OP_LD, CLASS_LOAD);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			r = b->sim.bus.record[i];
			if (r.kind == EVENT_WRITEBACK && r.pc == 4) {
				assert_int_equal(at[r.warp], 0);
				at[r.warp] = bed_cycle(b);
			}
		}
	}
	for (u32 i = 1; i < 8; i++)
		assert_true(at[0] && at[0] < at[i]);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_ACCESSES), 1 + 8);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), 1);
	bed_close(b);
}

/* An atomic of all slices on one word is one access whose answers are all different. */
static void atomics_are_one_access(void **state)
{
	struct bed *b = sliced(8);
	struct inst *in = bed_memory(b, 0, OP_ATOM, CLASS_ATOMIC, BED_BASE);
	u32 sum;

	(void)state;
	in->ndst = 1;
	in->nsrc = 2;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 8};
	in->src[1] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, 3)};
	in->aux = ATOM_ADD;
	bed_writes(in, 8);
	bed_alu(b, 0, CLASS_INT, 9, 1, 8);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	store_read(&b->sim.store, BED_BASE, &sum, 4);
	assert_int_equal(sum, 96);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_MEM_LINES), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_MEM_SHARED), 3);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_step_they_are_one),
		cmocka_unit_test(each_is_answered_for_its_lines),
		cmocka_unit_test(atomics_are_one_access),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
