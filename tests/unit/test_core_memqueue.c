/*
 * test_core_memqueue.c - the memory queues of sub-cores (lsu.sub_queue), latencies by the width of an access.
 *
 * Huerta et al., MICRO 2025, table 1: independent accesses by a warp in each of one to four sub-cores. A sub-core
 * issues five in a row; the sixth when the first has left its queue, 11 cycles after its issue; then one each 4 cycles,
 * as addresses are calculated, or each 2 cycles one of all sub-cores in turn, as what they share takes them.
 */
#include "core_bed.h"

#define ACCESSES 9

/* A warp in each of n sub-cores loads from shared memory. */
static struct bed *queue_bed(u32 n, u32 bytes)
{
	struct bed *b = bed_new();

	b->config.sm_subcores = 4;
	b->config.sm_collectors = 8;
	b->config.lsu_sub_queue = 5;
	b->config.lsu_sub_delay = 11;
	b->config.lsu_sub_interval = 4;
	b->config.lsu_interval = 2;
	b->config.lsu_queue = 1;
	for (u32 i = 0; i < ACCESSES; i++) {
		struct inst *in = bed_memory(b, 0, OP_LD, CLASS_SHLOAD, 0);

		in->ndst = 1;
		in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = (u16)(1 + i * 2)};
		bed_writes(in, 1 + i * 2);
		in->vec = (u8)(bytes / 4);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32 * n)->shared = 64;
	return b;
}

/* Cycles after the first of the issue of each access, by row of table 1 less 2, and column: what sub-core s of n has.
 */
static u32 table_1(u32 i, u32 s, u32 n)
{
	static const u32 begins = 13 - 2;
	u32 period = n <= 2 ? 4 : 2 * n;

	return i < 5 ? i : begins + 2 * s + (i - 5) * period;
}

static void issue_cycles_of_table_1(void **state)
{
	(void)state;
	assert_int_equal(table_1(6, 1, 2), 19 - 2);
	assert_int_equal(table_1(7, 2, 3), 29 - 2);
	assert_int_equal(table_1(7, 3, 4), 35 - 2);
	for (u32 n = 1; n <= 4; n++)
		for (u32 s = 0; s < n; s++) {
			struct bed *b = queue_bed(n, 4);
			char want[64] = {0}, slot[2] = {(char)('0' + 2 * s), 0};

			memset(want, '.', table_1(ACCESSES - 1, s, n) + 1);
			for (u32 i = 0; i < ACCESSES; i++)
				want[table_1(i, s, n)] = slot[0];
			bed_expect(b, s, want);
			bed_close(b);
		}
}

/* A warp that cannot issue its sixth access waits for the LSU; another instruction would issue. */
static void the_queue_holds_accesses_alone(void **state)
{
	struct bed *b = queue_bed(1, 4);

	(void)state;
	b->kernel[0].inst[5] = b->kernel[0].inst[8];
	b->kernel[0].inst[4] =
		(struct inst){.op = OP_NOP, .class = CLASS_INT, .width = 4, .vec = 1, .write_pred = {0xff, 0xff}};
	bed_expect(b, 0, "000000.....0");
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_ISSUED);
	bed_open(b);
	bed_run_to(b, BED_FIRST + 8);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_LSU);
	assert_int_equal(b->sim.view[0].sched[0].outcome, SLOT_PIPELINE);
	bed_close(b);
}

/* From the issue of a load of 4, 8 or 16 bytes per lane, all lanes the same, to that of its reader. */
static u64 latency(u32 bytes)
{
	struct bed *b = bed_new();
	u64 issued;

	b->config.l1d_latency = 20;
	b->config.l1d_latency64 = 2;
	b->config.l1d_latency128 = 6;
	for (u32 i = 0; i < 2; i++) {
		struct inst *in = bed_load(b, 0, 1 + 4 * i, BED_BASE);

		in->vec = (u8)(bytes / 4);
		for (u32 r = 1; r < bytes / 4; r++)
			bed_writes(in, 1 + 4 * i + r);
		bed_alu(b, 0, CLASS_INT, 20, 1, 1 + 4 * i);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	issued = bed_when(b, 0, 0, 2); /* the second hits */
	issued = bed_when(b, 0, 0, 3) - issued;
	bed_close(b);
	return issued;
}

/* Dispatched a cycle after its issue, served in the next (core_bed.h): 2 + 20, and what the width adds (table 2: 2 and
 * 6 cycles more for 8 and 16 bytes). */
static void wide_accesses_take_longer(void **state)
{
	(void)state;
	assert_int_equal(latency(4), 22);
	assert_int_equal(latency(8), 24);
	assert_int_equal(latency(16), 28);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(issue_cycles_of_table_1),
		cmocka_unit_test(the_queue_holds_accesses_alone),
		cmocka_unit_test(wide_accesses_take_longer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
