/*
 * test_core_reexec_rules.c - the re-execution queue of the LSU: who may pass whom (Park, 2016, figure 3.5), what an
 * entry keeps, how many tries a cycle has, what is no reason to move aside, and no queue at all.
 */
#include "core_bed.h"

#define LINE 128

/* Memory instructions of the table. */
enum kind { LOAD, STORE, ATOMIC, REDUCTION, SHARED };

/* A memory instruction on a line, into a register; all but loads take their address from r2, a word for each lane. */
static void memory(struct bed *b, enum kind kind, u32 line, u32 reg)
{
	struct inst *in;

	if (kind == LOAD) {
		bed_load(b, 0, reg, BED_BASE + line * LINE);
	} else if (kind == SHARED) {
		bed_memory(b, 0, OP_LD, CLASS_SHLOAD, 0)->ndst = 0;
	} else if (kind == STORE) {
		bed_through(bed_memory(b, 0, OP_ST, CLASS_STORE, 0), 2)->offset = (i32)line * LINE;
	} else {
		in = bed_through(bed_memory(b, 0, OP_ATOM, CLASS_ATOMIC, 0), 2);
		in->offset = (i32)line * LINE;
		in->aux = ATOM_ADD;
		in->vec = VALUE_U32;
		in->nsrc = 2;
		in->src[1] = (struct operand){.kind = OPERAND_REG, .value = 0};
		if (kind == ATOMIC) {
			in->ndst = 1;
			in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = (u16)reg};
			bed_writes(in, reg);
		}
	}
}

/* A row's program. Warp 0 fills what will refuse: the one MSHR by a load of line 0, or the port by two stores of whole
 * lines; then comes what is to wait aside, then, if it is of the same warp, what comes behind. Warp 1 starts later. */
static struct bed *row_bed(enum reexec mode, enum kind queued, enum kind comes, bool other, u32 *pc)
{
	struct bed *b = bed_new();
	struct inst *jump;

	b->config.lsu_reexec = mode;
	b->config.l1d_mshrs = 1;
	b->config.icnt_bytes = 8;
	b->config.icnt_queue = queued == LOAD ? 32 : 2;
	b->config.dram_latency = 100;
	b->kernel[0].static_shared = 128;
	bed_address(b, 0, 2, BED_BASE, 4);
	bed_compare(b, 0, 0, SREG_WARPID, 1);
	jump = bed_branch(b, 0, 0, 0, 0);
	for (u32 i = 0; i < 4; i++)
		bed_alu(b, 0, CLASS_INT, 8, 1, 8);
	pc[1] = b->kernel[0].ninst;
	if (other)
		memory(b, comes, 0, 20);
	bed_exit(b, 0);
	jump->target = jump->reconverge = b->kernel[0].ninst;
	if (queued == LOAD)
		memory(b, LOAD, 0, 10);
	else
		for (u32 i = 2; i < 5; i++)
			memory(b, STORE, i, 0);
	pc[0] = b->kernel[0].ninst;
	memory(b, queued, 1, 11);
	if (!other)
		pc[1] = b->kernel[0].ninst;
	if (!other)
		memory(b, comes, 0, 20);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	return b;
}

/* What becomes of the instruction at pc[1] while the one at pc[0] waits aside: 't' it is tried or served, 'b' it moves
 * behind it untried, 'w' it waits in the LSU. Nothing that waits is served before it. */
static char verdict(struct bed *b, const u32 *pc)
{
	bool aside = false, served = false, mine = false;
	char got = 'w';

	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		bed_check_sums(b);
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			const struct record *r = &b->sim.bus.record[i];

			aside |= r->kind == EVENT_REEXEC && r->pc == pc[0] && r->a;
			if (r->pc == pc[0] && r->kind == EVENT_REEXEC_SERVED) {
				served = true;
				assert_true(got == 't' || !mine);
			}
			mine |= r->pc == pc[1] && r->kind == EVENT_REEXEC_SERVED;
			if (r->pc != pc[1] || !aside || served)
				continue;
			if (r->kind == EVENT_BYPASS || r->kind == EVENT_SHARED || (r->kind == EVENT_REEXEC && r->a))
				got = 't';
			else if (r->kind == EVENT_REEXEC)
				got = 'b';
		}
	}
	assert_true(aside && served);
	assert_int_equal(bed_stat(b, STAT_REEXEC_MOVED), bed_stat(b, STAT_REEXEC_RESUMED));
	return got;
}

/* Figure 3.5: what comes (load, store, atomic, reduction, shared) while a load, a store or an atomic of W[0] waits,
 * from W[0] and from another warp. Atomics are as stores; car keeps the order of a warp, with one entry each. */
static void figure_3_5(void **state)
{
	static const struct {
		enum kind queued;
		const char *same, *other, *car;
	} row[] = {
		{LOAD, "tbbbt", "ttttt", "wwwwt"},
		{STORE, "bbbbt", "ttttt", "wwwwt"},
		{ATOMIC, "bbbbt", "ttttt", "wwwwt"},
		{REDUCTION, "bbbbt", "ttttt", "wwwwt"},
	};
	static const char *const name[] = {"load", "store", "atomic", "reduction", "shared load"};

	(void)state;
	for (u32 k = 0; k < ARRAY_LEN(row) * 5 * 4; k++) {
		u32 comes = k % 5, other = k / 5 % 2, at = k / 20, pc[2];
		enum reexec mode = k / 10 % 2 ? REEXEC_CAR : REEXEC_NEWCAR;
		struct bed *b = row_bed(mode, row[at].queued, comes, other, pc);
		char got = verdict(b, pc), want = (other		? row[at].other
						   : mode == REEXEC_CAR ? row[at].car
									: row[at].same)[comes];

		if (got != want)
			fail_msg("a %s of %s warp behind a %s, %s: '%c', not '%c'", name[comes],
				 other ? "another" : "the same", name[row[at].queued],
				 mode == REEXEC_CAR ? "car" : "newcar", got, want);
		bed_close(b);
	}
}

/* What was told in which cycle. */
static void story(struct bed *b, char *out, u32 room)
{
	static const enum event_kind kind[] = {EVENT_REEXEC, EVENT_REEXEC_SERVED};
	u32 n = 0;

	out[0] = 0;
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		u64 cycle = bed_cycle(b);

		sim_cycle(&b->sim);
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			const struct record *r = &b->sim.bus.record[i];

			for (u32 k = 0; k < ARRAY_LEN(kind); k++)
				if (r->kind == kind[k])
					n += (u32)snprintf(out + n, room - n, "%s%llu %s w%u", n ? ", " : "",
							   (unsigned long long)cycle, event_table[r->kind].name,
							   r->warp);
			assert_true(n < room);
		}
	}
}

/*
 * An entry is a whole instruction that keeps how many of its lines are made. Two MSHRs and four whole lines, the
 * address of which is there in 8: the LSU makes line 0 in 10, line 1 in 11 and is refused line 2 in 12. A whole line is
 * back 14 cycles after it was asked for, a second one 4 behind it (test_core_control.c): in 24 and 28 two are back,
 * lines 2 and 3 go, and the entry is done. No line is asked for twice.
 */
static void an_entry_keeps_what_is_done(void **state)
{
	struct bed *b = bed_new();
	char got[256];

	(void)state;
	b->config.lsu_reexec = REEXEC_NEWCAR;
	b->config.l1d_mshrs = 2;
	bed_address(b, 0, 2, BED_BASE, 16);
	bed_through(bed_load(b, 0, 4, 0), 2);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	story(b, got, sizeof got);
	assert_string_equal(got, "12 reexec w0, 28 reexecserved w0");
	assert_int_equal(bed_stat(b, STAT_L1D_MISSES), 4);
	assert_int_equal(bed_stat(b, STAT_L1D_ACCESSES), 4);
	bed_close(b);
}

/* Two warps wait aside for the same line. With one port it is one of them in a cycle, with two ports both: from 9, the
 * first cycle that the LSU leaves, to 13, when the line is there. Nothing is tried twice in a cycle. */
static void a_try_for_each_port(void **state)
{
	static const char *const want[] = {
		"7 reexec w0, 8 reexec w1, 13 reexecserved w0, 14 reexecserved w1",
		"7 reexec w0, 8 reexec w1, 13 reexecserved w0, 13 reexecserved w1",
	};

	(void)state;
	for (u32 i = 0; i < 4; i++) {
		u32 two = i % 2, alone = i / 2;
		struct bed *b = bed_new();
		char got[256];

		b->config.lsu_reexec = REEXEC_CAR;
		b->config.l1d_mshrs = 1;
		b->config.l1d_ports = 1 + two;
		bed_load(b, 0, 4, BED_BASE);
		bed_load(b, 0, 5, BED_BASE + LINE);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, alone ? 32 : 64);
		story(b, got, sizeof got);
		assert_string_equal(got, alone ? "6 reexec w0, 13 reexecserved w0" : want[two]);
		assert_int_equal(bed_stat(b, STAT_REEXEC_TRIES), alone ? 7 : two ? 5 * 2 : 5 + 1);
		bed_close(b);
	}
}

/* A hit for which there is no room among the results under way stays in the LSU. */
static void results_are_no_reason(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.lsu_reexec = REEXEC_NEWCAR;
	b->config.l1d_latency = 500;
	b->config.l1d_ports = 8;
	bed_address(b, 0, 2, BED_BASE, 128);
	bed_through(bed_load(b, 0, 4, 0), 2);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	for (u32 i = 0; i < 4; i++)
		bed_through(bed_load(b, 0, 6 + i, 0), 2);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 256);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		for (u32 i = 0; i < b->sim.bus.count; i++)
			assert_false(b->sim.bus.record[i].kind == EVENT_REEXEC &&
				     b->sim.bus.record[i].a == REFUSED_RESULTS);
	}
	assert_true(bed_stat(b, STAT_L1D_REFUSED_RESULTS) > 0);
	bed_close(b);
}

/* A CTA is flushed while a load of it waits aside, and begins anew in the same context: what that asks for is another
 * warp's, and passes. */
static void the_next_owner_passes(void **state)
{
	struct bed *b = bed_new();
	struct error e = {0};
	u32 passed = 0, most = 0;

	(void)state;
	b->config.lsu_reexec = REEXEC_CAR;
	b->config.l1d_mshrs = 1;
	b->config.dram_latency = 100;
	b->config.preempt_ctas = 2;
	bed_load(b, 0, 4, BED_BASE);
	bed_load(b, 0, 5, BED_BASE + LINE);
	bed_alu(b, 0, CLASS_INT, 6, 1, 5);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run_to(b, 8);
	assert_int_equal(b->sim.view[0].sm->reexec_count, 1);
	assert_int_equal(sim_depart(&b->sim, 0, 0, LEAVE_FLUSH, &e), STATUS_OK);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		passed += bed_records(b, EVENT_BYPASS, NULL);
		most = max_u32(most, b->sim.view[0].sm->reexec_count);
	}
	assert_int_equal(passed, 1);
	assert_int_equal(most, 2);
	assert_int_equal(bed_stat(b, STAT_REEXEC_RESUMED), 2);
	bed_close(b);
}

/* A queue that nothing enters changes nothing: bank conflicts hold the LSU, a load behind them waits. */
static void an_empty_queue(void **state)
{
	u64 end[3];

	(void)state;
	for (u32 mode = REEXEC_OFF; mode <= REEXEC_NEWCAR; mode++) {
		struct bed *b = bed_new();

		b->config.lsu_reexec = mode;
		b->kernel[0].static_shared = 4096;
		bed_address(b, 0, 2, 0, 128); /* one bank: 32 cycles */
		bed_through(bed_memory(b, 0, OP_LD, CLASS_SHLOAD, 0), 2)->ndst = 0;
		bed_load(b, 0, 4, BED_BASE);
		bed_alu(b, 0, CLASS_INT, 5, 1, 4);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		end[mode] = bed_when(b, 0, 0, 3);
		bed_run(b);
		assert_int_equal(bed_stat(b, STAT_SHARED_CYCLES), 32);
		assert_int_equal(bed_stat(b, STAT_REEXEC_MOVED), 0);
		bed_close(b);
	}
	assert_true(end[1] == end[0] && end[2] == end[0]);
}

/* No entries: the baseline, cycle for cycle, whatever lsu.reexec says. */
static void no_entries(void **state)
{
	(void)state;
	for (u32 seed = 0; seed < 6; seed++) {
		u64 hash[3], end[3];

		for (u32 mode = REEXEC_OFF; mode <= REEXEC_NEWCAR; mode++) {
			struct bed *b = bed_crowd(seed);

			b->config.lsu_reexec = mode;
			b->config.lsu_reexec_entries = mode ? 0 : 32;
			b->config.lsu_reexec_inactive = mode ? 4 : 0;
			bed_open(b);
			b->sim.bus.want = 0;
			bed_run(b);
			end[mode] = bed_cycle(b);
			hash[mode] = sim_hash(&b->sim) ^ sim_counted(&b->sim);
			assert_int_equal(sim_sm_stat(&b->sim, STAT_REEXEC_MOVED), 0);
			bed_close(b);
		}
		for (u32 mode = 1; mode < 3; mode++)
			assert_true(end[mode] == end[0] && hash[mode] == hash[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figure_3_5),
		cmocka_unit_test(an_entry_keeps_what_is_done),
		cmocka_unit_test(a_try_for_each_port),
		cmocka_unit_test(results_are_no_reason),
		cmocka_unit_test(the_next_owner_passes),
		cmocka_unit_test(an_empty_queue),
		cmocka_unit_test(no_entries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
