/*
 * test_trips.c - CTAs that may be flushed and those that may not any more: when a marked instruction issues, what it
 * leaves in the machine and tells, and that a CTA which had written but not tripped writes the same again.
 *
 * The marks themselves are looked at in test_idempotence.c.
 */
#include "core_bed.h"

#include "idempotence.h"
#include "synth.h"

#define OTHER (BED_BASE + BED_BYTES / 2) /* a second buffer */

/* A bed of two buffers in which CTAs can wait; the kernel loads from the first, then stores 77 into both words of the
 * buffer at `to`. PCs: 0 move, 1 load, 2 to 6 a wait for it, 7 and 8 the stores, 9 exit. */
static struct bed *writer(u64 to)
{
	static struct buffer buffer[2];
	struct bed *b = bed_new();

	b->config.preempt_ctas = 2;
	buffer[0] = (struct buffer){
		.name = (char *)"first", .type = VALUE_U32, .address = BED_BASE, .bytes = BED_BYTES / 2};
	buffer[1] =
		(struct buffer){.name = (char *)"second", .type = VALUE_U32, .address = OTHER, .bytes = BED_BYTES / 2};
	b->program.buffer = buffer;
	b->program.nbuffer = 2;
	*bed_alu(b, 0, CLASS_INT, 9, 0) = (struct inst){.op = OP_MOV_32,
							.class = CLASS_INT,
							.width = 4,
							.vec = 1,
							.ndst = 1,
							.nsrc = 1,
							.dst = {{.kind = OPERAND_REG}},
							.src = {{.kind = OPERAND_IMM, .value = bed_imm(b, 0, 77)}},
							.write_pred = {0xff, 0xff}};
	bed_load(b, 0, 4, BED_BASE + 64);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	for (u32 i = 0; i < 4; i++)
		bed_alu(b, 0, CLASS_INT, 5, 1, 5);
	bed_memory(b, 0, OP_ST, CLASS_STORE, to);
	bed_memory(b, 0, OP_ST, CLASS_STORE, to + 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	return b;
}

static struct cta *cta(struct bed *b)
{
	return &b->sim.view[0].cta[0];
}

/* Instructions issued by the CTA that is there. */
static u64 issued(struct bed *b)
{
	return cta_issued(cta(b), b->sim.view[0].warp);
}

/* Run until so many instructions have issued. */
static void run_past(struct bed *b, u64 n)
{
	while (!sim_finished(&b->sim) && issued(b) < n)
		sim_cycle(&b->sim);
	assert_int_equal(issued(b), n);
}

static enum status flush(struct bed *b)
{
	struct error e = {0};

	return sim_depart(&b->sim, 0, 0, LEAVE_FLUSH, &e);
}

/* To the end; both words of `to` are 77. */
static void finish(struct bed *b, u64 to)
{
	u32 value[2];

	bed_run(b);
	assert_false(sim_faulted(&b->sim) || sim_deadlocked(&b->sim));
	store_read(&b->sim.store, to, value, 8);
	assert_true(value[0] == 77 && value[1] == 77);
	bed_close(b);
}

/* What nothing reads may be written again: after one store, after both. The second time it writes the same. */
static void what_has_written_begins_again(void **state)
{
	(void)state;
	for (u32 n = 8; n <= 9; n++) {
		struct bed *b = writer(OTHER);
		struct kernel_count *sum;
		u32 value;

		bed_open(b);
		run_past(b, n);
		assert_true(!cta(b)->tripped && !machine_residency(b->sim.m, 0)->marked);
		store_read(&b->sim.store, OTHER, &value, 4);
		assert_int_equal(value, 77);
		assert_int_equal(flush(b), STATUS_OK);
		sim_cycle(&b->sim);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_FLUSHED), 1);
		bed_run(b);
		sim_sync(&b->sim);
		sum = machine_gpu_section(b->sim.m, SECTION_KERNEL_SUM);
		assert_true(sum->wasted == n && sum->issued == n + 10);
		assert_int_equal(sim_event_count(&b->sim, EVENT_TRIP), 0);
		finish(b, OTHER);
	}
}

/* What is read may not: the first store trips its CTA as it issues, the second finds that done. Saved, the CTA keeps
 * that. */
static void what_overwrites_does_not(void **state)
{
	struct bed *b = writer(BED_BASE);
	struct record r = {0};

	(void)state;
	bed_open(b);
	assert_int_equal(machine_residency(b->sim.m, 0)->marked, 2);
	run_past(b, 7);
	assert_int_equal(cta(b)->tripped, 0);
	run_past(b, 8);
	assert_int_equal(cta(b)->tripped, 7 + 1);
	assert_int_equal(bed_records(b, EVENT_TRIP, &r), 1);
	assert_true(r.sm == 0 && r.cta == 0 && r.warp == 0 && r.pc == 7 && r.a == TRIP_READ && r.b == 1);
	assert_int_equal(flush(b), STATUS_FAILED);
	assert_int_equal(sim_depart(&b->sim, 0, 0, LEAVE_SAVE, NULL), STATUS_OK);
	bed_run_to(b, bed_cycle(b) + 2);
	assert_int_equal(cta(b)->tripped, 7 + 1);
	assert_int_equal(flush(b), STATUS_FAILED);
	run_past(b, 9);
	assert_int_equal(sim_event_count(&b->sim, EVENT_TRIP), 1);
	finish(b, BED_BASE);
}

/* Flushed just before, it begins again with its right to. */
static void flushed_before(void **state)
{
	struct bed *b = writer(BED_BASE);

	(void)state;
	bed_open(b);
	run_past(b, 7);
	assert_int_equal(flush(b), STATUS_OK);
	bed_run_to(b, bed_cycle(b) + 2);
	assert_true(!issued(b) && !cta(b)->tripped);
	assert_int_equal(flush(b), STATUS_OK);
	finish(b, BED_BASE);
}

/* Asked in the cycle in which it trips: it leaves as the next begins, and has tripped by then. */
static void too_late(void **state)
{
	struct bed *b = writer(BED_BASE);

	(void)state;
	bed_open(b);
	run_past(b, 7);
	while (b->sim.view[0].gpu->stage != STAGE_ISSUE || issued(b) < 7 || !b->sim.view[0].slot[0].buffered)
		sim_stage(&b->sim);
	assert_int_equal(flush(b), STATUS_OK);
	while (issued(b) < 8 || b->sim.view[0].gpu->stage)
		sim_stage(&b->sim);
	sim_cycle(&b->sim);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_STAYED), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_FLUSHED), 0);
	finish(b, BED_BASE);
}

/* strict: a kernel with a mark is not flushed, not even before; one without is. */
static void strict(void **state)
{
	(void)state;
	for (u32 marked = 0; marked < 2; marked++) {
		struct bed *b = writer(marked ? BED_BASE : OTHER);

		b->config.chimera_idempotence = IDEMPOTENCE_STRICT;
		bed_open(b);
		run_past(b, 3);
		assert_int_equal(flush(b), marked ? STATUS_FAILED : STATUS_OK);
		if (marked) {
			assert_int_equal(sim_set(&b->sim, SET_chimera_idempotence, IDEMPOTENCE_RELAXED, NULL),
					 STATUS_OK);
			assert_int_equal(flush(b), STATUS_OK);
		}
		finish(b, marked ? BED_BASE : OTHER);
	}
}

/* A store that no lane executes overwrites nothing. */
static void no_lane(void **state)
{
	struct bed *b = writer(BED_BASE);

	(void)state;
	for (u32 i = 7; i < 9; i++)
		bed_guard(&b->inst[0][i], 0, false);
	bed_open(b);
	run_past(b, 9);
	assert_int_equal(cta(b)->tripped, 0);
	bed_run(b);
	bed_close(b);
}

/* Where CTAs stay nothing is looked for; a fork sees what the machine sees. */
static void only_where_ctas_leave(void **state)
{
	struct bed *b = writer(BED_BASE);
	struct sim fork;

	(void)state;
	b->config.preempt_ctas = 0;
	bed_open(b);
	run_past(b, 9);
	assert_true(!cta(b)->tripped && !b->sim.trips[0]);
	finish(b, BED_BASE);
	b = writer(BED_BASE);
	bed_open(b);
	run_past(b, 7);
	sim_fork(&fork, &b->sim);
	while (!fork.view[0].cta[0].tripped && !sim_finished(&fork))
		sim_cycle(&fork);
	assert_true(fork.view[0].cta[0].tripped == 8 && !cta(b)->tripped);
	sim_close(&fork);
	finish(b, BED_BASE);
}

/* A synthetic kernel without stores trips as a warp begins that part of its iterations. */
static void a_part_of_the_iterations(void **state)
{
	struct bed *b = bed_new();
	struct module *m;
	struct synth s;

	(void)state;
	synth_default(&s);
	s.body = 5;
	s.iterations = 10;
	s.idempotent = 40;
	s.mix[CLASS_INT] = 1;
	assert_int_equal(synth_make("part", &s, &m, NULL), STATUS_OK);
	b->config.preempt_ctas = 2;
	b->config.chimera_notice = 1; /* a branch is not told of */
	bed_launch(b, 0, 1, 64)->kernel = m->kernel;
	bed_open(b);
	while (!cta(b)->tripped) {
		u32 most = max_u32(b->sim.view[0].warp[0].iteration, b->sim.view[0].warp[1].iteration);

		assert_true(most < 4);
		sim_cycle(&b->sim);
	}
	assert_int_equal(max_u32(b->sim.view[0].warp[0].iteration, b->sim.view[0].warp[1].iteration), 4);
	assert_int_equal(cta(b)->tripped, 4 + 1);
	assert_int_equal(flush(b), STATUS_FAILED);
	bed_run(b);
	sim_sync(&b->sim);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_PREEMPT_NOTICES), 0);
	bed_close(b);
	module_free(m);
}

/* What a run of the writer comes to. */
struct outcome {
	u64 cycle, hash, issued, notices, requests;
};
static struct outcome run_writer(struct bed *b, u64 to)
{
	bed_run(b);
	sim_sync(&b->sim);
	struct outcome x = {bed_cycle(b), sim_hash(&b->sim), sim_sm_stat(&b->sim, STAT_INST_WARP),
			    sim_sm_stat(&b->sim, STAT_PREEMPT_NOTICES), sim_sm_stat(&b->sim, STAT_REQUESTS)};
	finish(b, to);
	return x;
}
static struct outcome told(u64 to, u32 notice, u32 places)
{
	struct bed *b = writer(to);

	b->config.chimera_notice = notice;
	b->config.preempt_ctas = places;
	bed_open(b);
	return run_writer(b, to);
}

/* chimera.notice: before each of both stores one is issued that tells of it, which takes a cycle of the scheduler's and
 * a write of its own; nothing changes where nothing is marked, or nobody looks. */
static void notices(void **state)
{
	struct outcome off = told(BED_BASE, 0, 2), on = told(BED_BASE, 1, 2);
	struct bed *b = writer(BED_BASE);

	(void)state;
	assert_true(!off.notices && on.notices == 2);
	assert_true(on.issued == off.issued + 2 && on.requests == off.requests + 2);
	assert_true(on.cycle > off.cycle);
	for (u32 places = 0; places <= 2; places += 2) {
		u64 to = places ? OTHER : BED_BASE;
		off = told(to, 0, places);
		on = told(to, 1, places);
		assert_true(!on.notices && on.cycle == off.cycle && on.hash == off.hash);
	}
	b->config.chimera_notice = 1;
	bed_open(b);
	u64 first = bed_when(b, 0, 0, 7);
	assert_true(!cta(b)->tripped && b->sim.view[0].slot[0].pc == 7);
	assert_int_equal(bed_when(b, 0, 0, 7), first + 1);
	assert_int_equal(cta(b)->tripped, 7 + 1);
	assert_int_equal(bed_when(b, 0, 0, 8), first + 2);
	assert_int_equal(bed_when(b, 0, 0, 8), first + 3);
	assert_int_equal(bed_when(b, 0, 0, 9), first + 4);
	finish(b, BED_BASE);
}

/* One whose instruction no lane executes writes nothing; a CTA that is flushed after it tells once more. */
static void notices_in_vain(void **state)
{
	struct bed *b = writer(BED_BASE);
	struct outcome x;

	(void)state;
	b->config.chimera_notice = 1;
	for (u32 i = 7; i < 9; i++)
		bed_guard(&b->inst[0][i], 0, false);
	bed_open(b);
	bed_run(b);
	sim_sync(&b->sim);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_PREEMPT_NOTICES), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_REQUESTS), 1);
	bed_close(b);

	b = writer(BED_BASE);
	b->config.chimera_notice = 1;
	bed_open(b);
	run_past(b, 8);
	assert_true(!cta(b)->tripped && b->sim.view[0].slot[0].told);
	assert_int_equal(flush(b), STATUS_OK);
	x = run_writer(b, BED_BASE);
	assert_int_equal(x.notices, 3);
	assert_int_equal(x.issued, 8 + 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_has_written_begins_again),
					   cmocka_unit_test(what_overwrites_does_not),
					   cmocka_unit_test(flushed_before),
					   cmocka_unit_test(too_late),
					   cmocka_unit_test(strict),
					   cmocka_unit_test(no_lane),
					   cmocka_unit_test(only_where_ctas_leave),
					   cmocka_unit_test(a_part_of_the_iterations),
					   cmocka_unit_test(notices),
					   cmocka_unit_test(notices_in_vain)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
