/*
 * test_core_collect.c - operand collectors, register-file banks and execution units: grants and dispatches by cycle,
 * and the issue rates that they allow.
 */
#include "core_bed.h"

/* Two banks, two collector units, no swizzle: register r lies in bank r mod 2. */
static struct bed *collect_bed(void)
{
	struct bed *b = bed_new();

	b->config.sm_banks = b->config.sm_collectors = 2;
	b->config.sm_bank_swizzle = 0;
	return b;
}

/* Run one CTA of some threads for `cycles` cycles after the first issue stage. In out, cycle by cycle: letters a, b,
 * ... for grants of context 0, 1, ... in upper case in bank 1, '!' and the PC for a dispatch, blanks between cycles. */
static void watch(struct bed *b, u32 threads, u32 cycles, char *out)
{
	if (!b->program.nlaunch) {
		bed_exit(b, 0);
		bed_launch(b, 0, 1, threads);
	}
	bed_open(b);
	bed_run_to(b, BED_FIRST + 1);
	for (u32 i = 0; i < cycles; i++) {
		sim_cycle(&b->sim);
		for (u32 k = 0; k < b->sim.bus.count; k++) {
			const struct record *r = &b->sim.bus.record[k];

			if (r->kind == EVENT_GRANT)
				*out++ = (char)((r->a ? 'A' : 'a') + r->warp);
			if (r->kind != EVENT_DISPATCH)
				continue;
			*out++ = '!';
			*out++ = (char)('0' + r->pc);
		}
		*out++ = i + 1 < cycles ? ' ' : 0;
	}
}

/* 2 + 1 operands: both banks grant in the first cycle, the second of bank 0 in the next, and dispatch comes with it. */
static void two_and_one(void **state)
{
	struct bed *b = collect_bed();
	char got[256];

	(void)state;
	bed_alu(b, 0, CLASS_FP32, 1, 3, 0, 2, 3);
	watch(b, 32, 3, got);
	assert_string_equal(got, "aA a!0 ");
	assert_int_equal(sim_sm_stat(&b->sim, STAT_RF_READS), 3);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_RF_CONFLICT), 1);
	assert_int_equal(b->sim.view[0].bank[0].conflicts, 1);
	assert_int_equal(b->sim.view[0].bank[1].conflicts, 0);
	bed_close(b);
}

/* Three operands of one bank take three cycles, in two of which a read waits. */
static void one_bank_three_times(void **state)
{
	struct bed *b = collect_bed();
	char got[256];

	(void)state;
	bed_alu(b, 0, CLASS_FP32, 1, 3, 0, 2, 4);
	watch(b, 32, 4, got);
	assert_string_equal(got, "a a a!0 ");
	assert_int_equal(sim_sm_stat(&b->sim, STAT_RF_CONFLICT), 2);
	assert_int_equal(sim_event_count(&b->sim, EVENT_CONFLICT), 2);
	bed_close(b);
}

/* No operands: dispatched in the next cycle; a result is there lat later. */
static void no_operand_goes_at_once(void **state)
{
	struct bed *b = collect_bed();
	char got[256];

	(void)state;
	bed_alu(b, 0, CLASS_FP32, 1, 0);
	bed_alu(b, 0, CLASS_FP32, 2, 1, 1);
	watch(b, 32, 6, got);
	assert_string_equal(got, "!0     A!1");
	bed_close(b);
}

/* A 64-bit operand is an aligned pair: two requests in two banks. */
static void a_pair_is_two_requests(void **state)
{
	struct bed *b = collect_bed();
	char got[256];

	(void)state;
	bed_alu(b, 0, CLASS_FP64, 1, 2, 2, 3);
	watch(b, 32, 1, got);
	assert_string_equal(got, "aA!0");
	assert_int_equal(sim_sm_stat(&b->sim, STAT_RF_READS), 2);
	bed_close(b);
}

/* A register named twice is two requests, or one with collector.merge. */
static void merge_reads_once(void **state)
{
	struct bed *b = collect_bed();
	char got[256];

	(void)state;
	bed_alu(b, 0, CLASS_FP32, 1, 3, 0, 0, 2);
	watch(b, 32, 3, got);
	assert_string_equal(got, "a a a!0");
	b->config.collector_merge = 1;
	watch(b, 32, 3, got);
	assert_string_equal(got, "a a!0 ");
	assert_int_equal(sim_sm_stat(&b->sim, STAT_RF_READS), 2);
	bed_close(b);
}

/* Two arbitrations a cycle: two reads of one bank in the first, the third in the second. */
static void two_passes_grant_twice(void **state)
{
	struct bed *b = collect_bed();
	char got[256];

	(void)state;
	b->config.collector_passes = 2;
	bed_alu(b, 0, CLASS_FP32, 1, 3, 0, 2, 4);
	watch(b, 32, 3, got);
	assert_string_equal(got, "aa a!0 ");
	bed_close(b);
}

/* collector.late: a unit dispatches an arbitration after its last read, before the banks grant again. */
static void late_dispatch(void **state)
{
	static const struct {
		u32 passes;
		const char *want;
	} known[] = {{1, "a a a !0 "}, {2, "aa a!0  "}};
	char got[256];

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		struct bed *b = collect_bed();

		b->config.collector_late = 1;
		b->config.collector_passes = known[i].passes;
		bed_alu(b, 0, CLASS_FP32, 1, 3, 0, 2, 4);
		watch(b, 32, known[i].passes == 1 ? 5 : 4, got);
		assert_string_equal(got, known[i].want);
		bed_close(b);
	}
}

/* With collector.order first a unit is chosen in the arbitration behind its last read, and goes "from the next cycle
 * on" though another arbitration of this one is left: reads of warp 1 keep the bank busy while warp 0's unit is chosen.
 * Of three reads of one warp the last is granted in the first arbitration of the second cycle, and the unit chosen in
 * the second. */
static void the_chosen_goes_in_the_next_cycle(void **state)
{
	char got[256];

	(void)state;
	for (u32 i = 0; i < 2; i++) {
		struct bed *b = collect_bed();

		b->config.collector_late = b->config.collector_order = 1;
		b->config.collector_passes = 2;
		if (i)
			bed_alu(b, 0, CLASS_FP32, 1, 3, 0, 2, 4);
		else
			bed_alu(b, 0, CLASS_FP32, 1, 2, 0, 2);
		watch(b, i ? 32 : 64, 4, got);
		assert_string_equal(got, i ? "aa a !0 " : "aa bb !0 !0");
		bed_close(b);
	}
}

/* collector.writes: the result of the first instruction comes with the second's first read and takes its bank for a
 * cycle; with both registers of a result in one bank, for two. */
static void writes_go_first(void **state)
{
	static const struct {
		u32 writes, target, pair, conflicts;
		const char *want;
	} known[] = {{0, 8, 0, 0, "!0 a!1   "},
		     {1, 8, 0, 1, "!0  a!1  "},
		     {1, 9, 0, 0, "!0 a!1   "},
		     {1, 8, 1, 2, "!0   a!1 "}};
	char got[256];

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		struct bed *b = collect_bed();

		b->config.collector_writes = known[i].writes;
		b->config.lat_fp32 = 1;
		struct inst *first = bed_alu(b, 0, CLASS_FP32, known[i].target, 0);

		if (known[i].pair)
			first->write[first->nwrite++] = 10;
		bed_alu(b, 0, CLASS_INT, 1, 1, 2);
		watch(b, 32, 5, got);
		assert_string_equal(got, known[i].want);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_RF_CONFLICT), known[i].conflicts);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_RF_READS), 1);
		bed_close(b);
	}
}

/* The bank of a register moves with the context: register 1 of context 1 lies in bank 0. */
static void swizzle_moves_banks(void **state)
{
	struct bed *b = collect_bed();
	char got[256];

	(void)state;
	b->config.sm_bank_swizzle = 1;
	bed_alu(b, 0, CLASS_FP32, 1, 1, 1);
	watch(b, 64, 2, got);
	assert_string_equal(got, "A!0 b!0");
	bed_close(b);
}

/*
 * Warp 0 asks in cycle 3, warp 1 in cycle 4, each for three registers of one bank. In two banks they do not meet: a in
 * 4, 5, 6, B in 5, 6, 7. In one bank the oldest request goes first: a in 4, 5, 6, then b.
 */
static void banks_serve_the_oldest(void **state)
{
	struct bed *b = collect_bed();
	char got[256];

	(void)state;
	b->config.sm_bank_swizzle = 1;
	bed_alu(b, 0, CLASS_FP32, 9, 3, 0, 2, 4); /* warp 0: bank 0 three times; warp 1: bank 1 three times */
	watch(b, 64, 5, got);
	assert_string_equal(got, "a aB aB!0 B!0 ");
	bed_clear(b);
	b->config.sm_bank_swizzle = 0; /* both warps ask bank 0 for three and bank 1 for none */
	bed_alu(b, 0, CLASS_FP32, 9, 3, 0, 2, 4);
	watch(b, 64, 7, got);
	assert_string_equal(got, "a a a!0 b b b!0 ");
	bed_close(b);
}

/*
 * Interval 4, one unit, two collector units. Four instructions without hazards:
 * 0	issues in 3, is dispatched in 4. 1: issues in 4 (into the unit that has just been freed), its unit is free in 8.
 * 2	issues in 5, dispatched in 12. 3: no collector unit until 1 goes in 8; issues then, is dispatched in 16.
 * Instruction 2 sits in collector 1 and 3 in collector 0: age decides, not the number.
 */
static void a_busy_unit_holds_collectors(void **state)
{
	struct bed *b = collect_bed();
	char got[256];

	(void)state;
	b->config.unit_fp32_interval = 4;
	for (u32 i = 0; i < 4; i++)
		bed_alu(b, 0, CLASS_FP32, 10 + i, 1, i);
	watch(b, 32, 14, got);
	assert_string_equal(got, "a!0 A a  !1 A   !2    !3 ");
	bed_open(b);
	bed_run_to(b, 7);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_UNIT); /* both holders wait only for the unit */
	assert_int_equal(b->sim.view[0].sched[0].outcome, SLOT_PIPELINE);
	assert_int_equal(b->sim.view[0].sm->stat[STAT_PIPELINE_UNIT],
			 b->sim.view[0].sm->outcomes[SLOT_PIPELINE]); /* all of them for that */
	bed_run_to(b, 9);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_ISSUED);
	bed_close(b);
}

/* Two units of a kind take two instructions in a cycle. */
static void two_units_take_two(void **state)
{
	struct bed *b = collect_bed();
	char got[256];

	(void)state;
	b->config.sm_schedulers = 2;
	b->config.unit_fp32_count = 2;
	b->config.unit_fp32_interval = 4;
	b->config.sm_bank_swizzle = 1;
	bed_alu(b, 0, CLASS_FP32, 1, 1, 0);
	watch(b, 64, 1, got);
	assert_string_equal(got, "aB!0!0");
	bed_close(b);
}

/* One collector unit whose operands are still being read: the next instruction waits for a collector. */
static void status_collector(void **state)
{
	struct bed *b = collect_bed();

	(void)state;
	b->config.sm_collectors = 1;
	bed_alu(b, 0, CLASS_FP32, 1, 3, 0, 2, 4);
	bed_alu(b, 0, CLASS_FP32, 9, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0,
		   "0"
		   ".."
		   "0"
		   "0"); /* dispatched in 6, and the unit is free for the issue stage of 6 */
	bed_open(b);
	bed_run_to(b, 5);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_COLLECTOR);
	assert_int_equal(b->sim.view[0].sched[0].outcome, SLOT_PIPELINE);
	assert_int_equal(b->sim.view[0].sm->stat[STAT_PIPELINE_COLLECTOR],
			 b->sim.view[0].sm->outcomes[SLOT_PIPELINE]); /* all of them for that */
	bed_close(b);
}

/*
 * Shared memory at 32 cycles an access, an LSU queue of one, one collector unit. The pair of the address is written 5
 * cycles after its issue in 3: loads issue in 8 (served in 10, busy to 42), 9 (in the queue from 10), 10 (waits in the
 * collector).
 */
static void status_lsu(void **state)
{
	struct bed *b = collect_bed();

	(void)state;
	b->config.sm_collectors = b->config.lsu_queue = 1;
	b->kernel[0].static_shared = 4096;
	bed_address(b, 0, 2, 0, 128);
	for (u32 i = 0; i < 4; i++) {
		struct inst *in = bed_through(bed_memory(b, 0, OP_LD, CLASS_SHLOAD, 0), 2);

		in->ndst = 1;
		in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = (u16)(8 + i)};
		bed_writes(in, 8 + i);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0,
		   "0"
		   "...."
		   "000"
		   "..............................."
		   "0"
		   "0");
	bed_open(b);
	bed_run_to(b, 20);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_LSU);
	assert_int_equal(b->sim.view[0].sched[0].outcome, SLOT_PIPELINE);
	assert_int_equal(b->sim.view[0].sm->stat[STAT_PIPELINE_LSU],
			 b->sim.view[0].sm->outcomes[SLOT_PIPELINE]); /* all of them for that */
	bed_close(b);
}

/* Control instructions need no collector unit: a branch passes while all are taken. */
static void control_needs_no_collector(void **state)
{
	struct bed *b = collect_bed();

	(void)state;
	b->config.sm_collectors = 1;
	bed_alu(b, 0, CLASS_FP32, 1, 3, 0, 2, 4);
	bed_barrier(b, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0, "000");
	bed_close(b);
}

/* The LSU takes one instruction a cycle from all sub-cores: four that all have loads get a quarter each. */
static void subcores_take_turns_at_the_lsu(void **state)
{
	struct bed *b = collect_bed();
	u32 taken[4] = {0};
	struct record r = {0};

	(void)state;
	b->config.sm_subcores = 4;
	for (u32 i = 0; i < 28; i++)
		bed_load(b, 0, i, BED_BASE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	for (u32 n = 0; n < 80;) {
		sim_cycle(&b->sim);
		u32 now = bed_records(b, EVENT_DISPATCH, &r);

		assert_true(now <= 1);
		n += now;
		taken[r.sub] += now;
	}
	for (u32 k = 0; k < 4; k++)
		assert_in_range(taken[k], 19, 21);
	bed_close(b);
}

/* --- rates --- */

#define FMAS 480

/* Issue rate of FMAS FMAs without hazards, one warp, operand k of instruction i in bank bank[i % n][k]. */
static double rate(const u8 (*bank)[3], u32 n)
{
	struct bed *b = collect_bed();

	for (u32 i = 0; i < FMAS; i++) {
		const u8 *at = bank[i % n];
		u32 parity[2] = {0, 0}, reg[3];

		for (u32 k = 0; k < 3; k++)
			reg[k] = parity[at[k]]++ * 2 + at[k];
		bed_alu(b, 0, CLASS_FP32, 8 + i % 24, 3, reg[0], reg[1], reg[2]);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	u64 first = bed_when(b, 0, 0, 0), last = bed_when(b, 0, 0, FMAS - 1);
	bed_check_sums(b);
	bed_close(b);
	return (FMAS - 1.0) / (double)(last - first);
}

static void assert_rate(double got, double want)
{
	if (got < want * 0.99 || got > want * 1.01)
		fail_msg("%.4f instructions per cycle, want %.4f", got, want);
}

/* Operands that alternate 2 + 1 and 1 + 2: three reads per bank in two instructions. */
static void alternating_operands_two_thirds(void **state)
{
	static const u8 bank[][3] = {{0, 0, 1}, {1, 1, 0}};

	(void)state;
	assert_rate(rate(bank, 2), 2.0 / 3);
}

static void lopsided_operands_one_half(void **state)
{
	static const u8 bank[][3] = {{0, 0, 1}};

	(void)state;
	assert_rate(rate(bank, 1), 1.0 / 2);
}

static void operands_of_one_bank_one_third(void **state)
{
	static const u8 bank[][3] = {{1, 1, 1}};

	(void)state;
	assert_rate(rate(bank, 1), 1.0 / 3);
}

/* Operands in banks at random, independently: about 0.55 (Barnes et al.), which is taken as 0.52 to 0.58. */
static void random_operands(void **state)
{
	static u8 bank[FMAS][3];
	double sum = 0;

	(void)state;
	for (u32 seed = 0; seed < 8; seed++) {
		for (u32 i = 0; i < FMAS; i++)
			for (u32 k = 0; k < 3; k++)
				bank[i][k] = mix64(seed * 10000 + i * 3 + k) >> 33 & 1;
		sum += rate((const u8(*)[3])bank, FMAS);
	}
	print_message("random banks: %.4f instructions per cycle\n", sum / 8);
	assert_true(sum / 8 > 0.52 && sum / 8 < 0.58);
}

/* Two units of three operands each in one bank: never more than 6 reads in a queue, and that is reached. */
static void queues_reach_six(void **state)
{
	struct bed *b = collect_bed();
	u32 longest = 0;

	(void)state;
	b->config.sm_schedulers = 2;
	for (u32 i = 0; i < 20; i++)
		bed_alu(b, 0, CLASS_FP32, 9 + i, 3, 0, 2, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		longest = max_u32(longest, b->sim.view[0].bank[0].count);
		assert_int_equal(b->sim.view[0].bank[1].count, 0);
	}
	assert_int_equal(longest, 6);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_and_one),
		cmocka_unit_test(one_bank_three_times),
		cmocka_unit_test(no_operand_goes_at_once),
		cmocka_unit_test(a_pair_is_two_requests),
		cmocka_unit_test(merge_reads_once),
		cmocka_unit_test(two_passes_grant_twice),
		cmocka_unit_test(late_dispatch),
		cmocka_unit_test(the_chosen_goes_in_the_next_cycle),
		cmocka_unit_test(writes_go_first),
		cmocka_unit_test(swizzle_moves_banks),
		cmocka_unit_test(banks_serve_the_oldest),
		cmocka_unit_test(a_busy_unit_holds_collectors),
		cmocka_unit_test(two_units_take_two),
		cmocka_unit_test(status_collector),
		cmocka_unit_test(status_lsu),
		cmocka_unit_test(control_needs_no_collector),
		cmocka_unit_test(subcores_take_turns_at_the_lsu),
		cmocka_unit_test(alternating_operands_two_thirds),
		cmocka_unit_test(lopsided_operands_one_half),
		cmocka_unit_test(operands_of_one_bank_one_third),
		cmocka_unit_test(random_operands),
		cmocka_unit_test(queues_reach_six),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
