/*
 * test_core_leave.c - CTAs that leave their SM before their end: what is under way is dropped, they come back, nothing
 * is lost.
 */
#include "core_bed.h"

#include "policy_multi.h"

/* Run to cycle `to` or the end, whichever comes first. */
static void run_to(struct bed *b, u64 to)
{
	while (!sim_finished(&b->sim) && bed_cycle(b) < to)
		sim_cycle(&b->sim);
}

/* The CTA in slot 0 of SM 0 leaves as cycle `at` begins. */
static enum status depart(struct bed *b, u64 at, enum leaving how)
{
	struct error e = {0};

	if (!b->open)
		bed_open(b);
	run_to(b, at);
	assert_int_equal(bed_cycle(b), at);
	return sim_depart(&b->sim, 0, 0, how, &e);
}

static u64 stat(const struct bed *b, enum sm_counter id)
{
	return sim_sm_stat(&b->sim, id);
}

/* Instructions of launch 0 that were lost. */
static u64 wasted(struct bed *b)
{
	sim_sync(&b->sim);
	return ((struct kernel_count *)machine_gpu_section(b->sim.m, SECTION_KERNEL_SUM))->wasted;
}

/* A bed in which CTAs can wait. */
static struct bed *leave_bed(void)
{
	struct bed *b = bed_new();

	b->config.preempt_ctas = 2;
	return b;
}

/* Run to the end, and on until no answer can be under way; sums and requests must be right. */
static void finish(struct bed *b)
{
	run_to(b, 2000);
	assert_true(sim_finished(&b->sim));
	assert_false(sim_faulted(&b->sim) || sim_deadlocked(&b->sim));
	bed_check_sums(b);
	for (u32 i = 0; i < 200; i++)
		sim_cycle(&b->sim);
	assert_int_equal(stat(b, STAT_REQUESTS), stat(b, STAT_REPLIES));
}

/* A chain of two instructions: fetched in cycle 1, decoded in 2, issued in 3 and 8; EXIT in 9. */
static struct bed *chain(void)
{
	struct bed *b = leave_bed();

	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_alu(b, 0, CLASS_INT, 2, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	return b;
}

/* Which of the stale.* a departure in each cycle leads to. */
static void what_is_dropped(void **state)
{
	static const struct {
		u64 at;
		enum sm_counter dropped;
		u64 issued;
	} row[] = {
		{2, STAT_STALE_FETCHES, 0}, {4, STAT_STALE_OPERANDS, 1}, {5, STAT_STALE_RESULTS, 1},
		{8, STAT_STALE_RESULTS, 1}, {9, STAT_STALE_OPERANDS, 2},
	};

	(void)state;
	for (u32 i = 0; i < 2 * ARRAY_LEN(row); i++) {
		struct bed *b = chain();
		enum leaving how = i % 2 ? LEAVE_SAVE : LEAVE_FLUSH;
		u64 issued = row[i / 2].issued, sum = 0;

		assert_int_equal(depart(b, row[i / 2].at, how), STATUS_OK);
		finish(b);
		for (u32 k = 0; k < SM_STAT_COUNT; k++)
			if (!strncmp(sm_stat_table[k].name, "stale.", 6))
				sum += stat(b, k);
		assert_int_equal(stat(b, row[i / 2].dropped), 1);
		assert_int_equal(sum, 1);
		assert_int_equal(stat(b, STAT_INST_WARP), 3 + (how == LEAVE_FLUSH ? issued : 0));
		assert_int_equal(wasted(b), how == LEAVE_FLUSH ? issued : 0);
		assert_int_equal(stat(b, STAT_RF_READS), issued < 2 || how == LEAVE_FLUSH);
		assert_int_equal(b->sim.view[0].warp[0].generation, 3);
		bed_close(b);
	}
}

/* A CTA whose barrier is complete is flushed in the cycle before its warps may go on: it begins anew in that cycle,
 * waits at the barrier for as long, and nobody leaves it for those who were there before. */
static void a_barrier_is_forgotten(void **state)
{
	u64 whole = 0;

	(void)state;
	for (u32 flushed = 0; flushed < 2; flushed++) {
		struct bed *b = leave_bed();
		const struct sm_view *v;
		u64 at;

		b->config.barrier_latency = 40;
		bed_barrier(b, 0);
		bed_alu(b, 0, CLASS_INT, 2, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 64);
		bed_open(b);
		v = b->sim.view;
		run_to(b, 20);
		assert_int_equal(v->cta[0].arrived, 2);
		at = v->warp[0].released - 1;
		assert_true(at > 40 && v->warp[1].released == at + 1);
		if (flushed) {
			assert_int_equal(depart(b, at, LEAVE_FLUSH), STATUS_OK);
			run_to(b, at + 3);
			assert_int_equal(v->cta[0].arrived, 0);
		}
		bed_run(b);
		whole = flushed ? whole : bed_cycle(b);
		assert_int_equal(bed_cycle(b), flushed ? at + whole : whole);
		finish(b);
		bed_close(b);
	}
}

/* Saved in cycle 6 it comes back in the same cycle and begins with a fetch in 7: its second instruction issues in 9,
 * not in 8. The result of the first, due in 8, is not waited for. */
static void a_saved_cta_goes_on(void **state)
{
	struct bed *b = chain();
	const struct slot *slot;

	(void)state;
	assert_int_equal(depart(b, 6, LEAVE_SAVE), STATUS_OK);
	run_to(b, 7);
	assert_int_equal(stat(b, STAT_CTA_RESTORED), 1);
	slot = &b->sim.view[0].slot[0];
	assert_int_equal(slot->pc, 1);
	assert_false(slot->pending_short[0]);
	run_to(b, 10);
	assert_int_equal(slot->since, 9);
	finish(b);
	bed_close(b);
}

/* All that a CTA is comes back with it, whatever it was. */
static void nothing_is_forgotten(void **state)
{
	struct bed *b = chain();
	struct sm_view *v;
	struct cta cta;
	struct warp warp[2];
	struct simt_entry stack[2][3];

	(void)state;
	bed_launch(b, 0, 1, 64)->stream = 1;
	b->program.launch = b->launch + 1;
	b->program.nlaunch = 1;
	bed_open(b);
	run_to(b, 4);
	v = &b->sim.view[0];
	for (u32 i = 0; i < 2; i++) {
		struct warp *w = &v->warp[i];

		w->depth = 3;
		w->iteration = 100 + i;
		w->issued = 200 + i;
		w->at_barrier = (u8)(3 + i);
		w->barrier_pc = 1 + i;
		w->barrier_mask = 0xff << i;
		w->cursor = 300 + i;
		w->released = 500 + 10 * i;
		for (u32 k = 0; k < 3; k++)
			v->stack[i * SIMT_DEPTH + k] =
				(struct simt_entry){.pc = k, .reconverge = 2 + i, .mask = 15 << k};
		memcpy(stack[i], &v->stack[i * SIMT_DEPTH], sizeof stack[i]);
		warp[i] = *w;
	}
	v->cta[0].arrived = 2;
	v->cta[0].barriers = 12;
	v->cta[0].tripped = 77;
	for (u32 i = 0; i < MAX_BARRIERS; i++) {
		v->cta[0].bar_arrived[i] = (u16)(1 + i);
		v->cta[0].bar_needed[i] = (u16)(20 + i);
		v->cta[0].bar_threads[i] = (u16)(40 + i);
		v->cta[0].bar_votes[i] = (u16)(60 + i);
	}
	cta = v->cta[0];
	cta.earlier = 4; /* cycles that it has run there */
	cta.inflight = 0;
	assert_int_equal(depart(b, 4, LEAVE_SAVE), STATUS_OK);
	sim_cycle(&b->sim);
	cta.started = 4;
	assert_memory_equal(&v->cta[0], &cta, sizeof cta);
	for (u32 i = 0; i < 2; i++) {
		struct warp want = warp[i];

		want.inflight = 0;
		want.age = v->warp[i].age;
		want.departed = 1;
		want.generation = 3;
		want.slot = v->warp[i].slot;
		assert_memory_equal(&v->warp[i], &want, sizeof want);
		assert_memory_equal(&v->stack[i * SIMT_DEPTH], stack[i], sizeof stack[i]);
	}
	assert_int_equal(v->sm->released[0], 3);
	assert_int_equal(v->sm->release_at, 500);
	b->program.launch = b->launch;
	b->program.nlaunch = 2;
	bed_close(b);
}

/* A CTA of which one warp has ended is saved with that: when the other has ended, too, it retires. */
static void an_ended_warp_stays_ended(void **state)
{
	struct bed *b = leave_bed();

	(void)state;
	bed_compare(b, 0, 0, SREG_WARPID, 1);
	bed_branch(b, 0, 0, 3, 3);
	bed_exit(b, 0);
	for (u32 i = 0; i < 30; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	assert_int_equal(depart(b, 40, LEAVE_SAVE), STATUS_OK);
	assert_int_equal(b->sim.view[0].cta[0].done, 1);
	finish(b);
	assert_int_equal(stat(b, STAT_CTA_SAVED), 1);
	assert_int_equal(stat(b, STAT_CTA_FINISHED), 1);
	bed_close(b);
}

/* A CTA whose context is on its way to memory has its place among those that wait: with room for one a second is told
 * to stay. */
static void who_is_on_its_way_has_a_place(void **state)
{
	struct bed *b = leave_bed();
	struct error e = {0};

	(void)state;
	b->config.preempt_ctas = 1;
	b->config.chimera_switch = SWITCH_TIME;
	for (u32 i = 0; i < 30; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 32);
	assert_int_equal(depart(b, 10, LEAVE_SAVE), STATUS_OK);
	run_to(b, 12);
	assert_true(b->sim.view[0].cta[0].leaving && machine_gpu(b->sim.m)->departing == 1);
	assert_int_equal(machine_gpu(b->sim.m)->parked, 0);
	assert_int_equal(sim_depart(&b->sim, 0, 1, LEAVE_SAVE, &e), STATUS_FAILED);
	assert_non_null(strstr(e.message, "the queue of preempted CTAs is full"));
	run_to(b, 2000);
	assert_true(sim_finished(&b->sim) && !sim_deadlocked(&b->sim));
	assert_int_equal(stat(b, STAT_CTA_FINISHED), 2);
	bed_close(b);
}

/* A bed whose CTAs take the time of their contexts to leave: 4 bytes a cycle. */
static struct bed *slow_bed(void)
{
	struct bed *b = leave_bed();

	b->config.chimera_switch = SWITCH_TIME;
	b->config.dram_channels = 1;
	b->config.dram_bytes = 8;
	b->config.dram_clock = b->config.gpu_clock / 2;
	return b;
}

/* For the cycles that its context takes a CTA stands still, on its way out, when it grows no older, and on its way
 * back: its warp is counted as preempting in as many cycles as the context has words, each time. */
static void it_stands_as_long_as_its_context_takes(void **state)
{
	struct bed *b = slow_bed();
	const struct cta *cta;
	u64 cycles, before;

	(void)state;
	for (u32 i = 0; i < 30; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	assert_int_equal(depart(b, 20, LEAVE_SAVE), STATUS_OK);
	cta = b->sim.view[0].cta;
	cycles = (cta_context_bytes(cta) + 3) / 4;
	assert_int_equal(cta_age(cta, 20), 20);
	run_to(b, 20 + cycles);
	assert_true(cta->leaving);
	assert_int_equal(cta_age(cta, 20 + cycles), 20);
	while (!bed_records(b, EVENT_RESTORED, NULL))
		sim_cycle(&b->sim);
	sim_sync(&b->sim);
	before = sim_status_sum(&b->sim, WARP_PREEMPTING);
	assert_int_equal(before, cycles);
	while (!sim_finished(&b->sim))
		sim_cycle(&b->sim);
	sim_sync(&b->sim);
	assert_int_equal(sim_status_sum(&b->sim, WARP_PREEMPTING), before + cycles);
	bed_close(b);
}

/* One whose context comes back goes on in the cycle of its date, and in none before: not in the last before, either, in
 * which another CTA of the SM leaves. */
static void nobody_goes_on_too_early(void **state)
{
	struct bed *b = slow_bed();
	const struct cta *cta;

	(void)state;
	for (u32 i = 0; i < 500; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 32);
	assert_int_equal(depart(b, 20, LEAVE_SAVE), STATUS_OK);
	cta = b->sim.view[0].cta;
	while (!bed_records(b, EVENT_RESTORED, NULL))
		sim_cycle(&b->sim);
	assert_true(cta[0].moves_at > bed_cycle(b) && cta[1].launch == 0);
	run_to(b, cta[0].moves_at - 1);
	assert_int_equal(sim_depart(&b->sim, 0, 1, LEAVE_FLUSH, NULL), STATUS_OK);
	sim_cycle(&b->sim);
	assert_int_equal(stat(b, STAT_CTA_FLUSHED), 1);
	assert_true(b->sim.view[0].sm->halted & 1);
	sim_cycle(&b->sim);
	assert_false(b->sim.view[0].sm->halted & 1);
	bed_close(b);
}

/* A load that is in flight when its CTA is told to leave comes back first, also when that takes longer than its
 * context; then nothing of it is stale. */
static void what_is_in_flight_comes_back_first(void **state)
{
	struct bed *b = slow_bed();
	const struct cta *cta;
	u64 cycles;

	(void)state;
	b->config.dram_latency = 6000;
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 1, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	assert_int_equal(depart(b, 20, LEAVE_SAVE), STATUS_OK);
	cta = b->sim.view[0].cta;
	cycles = (cta_context_bytes(cta) + 3) / 4;
	assert_true(cta->inflight && 20 + cycles < 6000);
	while (!stat(b, STAT_CTA_SAVED))
		sim_cycle(&b->sim);
	assert_true(bed_cycle(b) > 6000);
	for (u32 k = 0; k < SM_STAT_COUNT; k++)
		if (!strncmp(sm_stat_table[k].name, "stale.", 6))
			assert_int_equal(stat(b, k), 0);
	bed_close(b);
}

/* A load that is under way when its CTA leaves, in any cycle, is dropped once, and its entries are free. */
static void loads_are_dropped(void **state)
{
	(void)state;
	for (u64 at = 5; at <= 12; at++) {
		struct bed *b = leave_bed();

		bed_load(b, 0, 4, BED_BASE);
		bed_alu(b, 0, CLASS_INT, 5, 1, 4);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		assert_int_equal(depart(b, at, at % 2 ? LEAVE_SAVE : LEAVE_FLUSH), STATUS_OK);
		finish(b);
		assert_int_equal(stat(b, STAT_STALE_LOADS), 1);
		assert_int_equal(stat(b, STAT_RF_WRITES), at % 2 ? 1 : 2);
		bed_close(b);
	}
}

/* A store of cycle 3 that the LSU has (5) goes out, and its acknowledgement (10) is nobody's: the fence that its CTA
 * goes on with after its return waits for the second store alone. */
static void stores_go_out(void **state)
{
	(void)state;
	for (u64 at = 4; at <= 9; at++) {
		struct bed *b = leave_bed();
		u32 value = 0;

		bed_alu(b, 0, CLASS_INT, 9, 0);
		bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE);
		bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE + 4096);
		bed_inst(b, 0, OP_FENCE, CLASS_FENCE);
		bed_exit(b, 0);
		b->inst[0][0] = (struct inst){.op = OP_MOV_32,
					      .class = CLASS_INT,
					      .width = 4,
					      .vec = 1,
					      .ndst = 1,
					      .nsrc = 1,
					      .dst = {{.kind = OPERAND_REG}},
					      .src = {{.kind = OPERAND_IMM, .value = bed_imm(b, 0, 77)}},
					      .write_pred = {0xff, 0xff}};
		bed_launch(b, 0, 1, 32);
		assert_int_equal(depart(b, at, LEAVE_SAVE), STATUS_OK);
		finish(b);
		store_read(&b->sim.store, BED_BASE + 4096, &value, 4);
		assert_int_equal(value, 77);
		assert_int_equal(stat(b, STAT_STALE_STORES) <= 2 && stat(b, STAT_STALE_WRITES) <= 2, true);
		/* each of the two stores: thrown out of its collector unit, or its line has gone out and been
		 * acknowledged */
		assert_int_equal(stat(b, STAT_STALE_OPERANDS) + stat(b, STAT_L1D_WRITES), 2 + (at == 4));
		bed_close(b);
	}
}

/* Once it has written a CTA cannot begin again. The old value of an atomic, which comes at seal, goes with it. */
static void what_was_written_stays(void **state)
{
	struct bed *b = leave_bed();
	struct inst *in = bed_memory(b, 0, OP_ATOM, CLASS_ATOMIC, BED_BASE);
	u32 value = 0;

	(void)state;
	in->aux = ATOM_INC;
	in->vec = VALUE_U32;
	in->nsrc = 2;
	in->src[1] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, 1000)};
	in->ndst = 1;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 0};
	bed_writes(in, 0);
	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE + 4096);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	assert_int_equal(depart(b, 3, LEAVE_FLUSH), STATUS_OK); /* nothing has issued */
	run_to(b, 7);
	assert_int_equal(stat(b, STAT_INST_WARP), 1);
	assert_int_equal(depart(b, 7, LEAVE_FLUSH), STATUS_FAILED);
	assert_int_equal(depart(b, 7, LEAVE_SAVE), STATUS_OK);
	finish(b);
	store_read(&b->sim.store, BED_BASE, &value, 4);
	assert_int_equal(value, 32);
	store_read(&b->sim.store, BED_BASE + 4096, &value, 4);
	assert_int_equal(value, 31); /* lane 31 stores last */
	bed_close(b);
}

/* What cannot leave, and why. */
static void who_stays(void **state)
{
	struct bed *b = chain();
	struct error e = {0};

	(void)state;
	assert_int_equal(depart(b, 0, LEAVE_SAVE), STATUS_FAILED);		    /* not there yet */
	assert_int_equal(sim_depart(&b->sim, 1, 0, LEAVE_SAVE, &e), STATUS_FAILED); /* no CTA waits in place 0 */
	assert_int_equal(sim_depart(&b->sim, 2, 0, LEAVE_SAVE, &e), STATUS_FAILED); /* no such SM */
	assert_int_equal(sim_depart(&b->sim, 0, 4, LEAVE_SAVE, &e), STATUS_FAILED); /* no such slot */
	assert_int_equal(sim_depart(&b->sim, 0, 0, LEAVE_RETIRE, &e), STATUS_FAILED);
	assert_int_equal(depart(b, 3, LEAVE_SAVE), STATUS_OK);
	assert_int_equal(depart(b, 3, LEAVE_SAVE), STATUS_FAILED); /* it leaves already */
	run_to(b, 40);
	assert_int_equal(stat(b, STAT_CTA_SAVED), 1);
	bed_close(b);

	b = chain();
	bed_launch(b, 0, 3, 32)->stream = 1;
	assert_int_equal(depart(b, 3, LEAVE_SAVE), STATUS_OK);
	assert_int_equal(sim_depart(&b->sim, 0, 1, LEAVE_SAVE, &e), STATUS_OK);
	assert_int_equal(sim_depart(&b->sim, 0, 2, LEAVE_SAVE, &e), STATUS_FAILED); /* two wait */
	assert_int_equal(sim_depart(&b->sim, 0, 2, LEAVE_KILL, &e), STATUS_OK);
	finish(b);
	assert_int_equal(stat(b, STAT_CTA_KILLED), 1);
	bed_close(b);

	b = chain();
	b->config.preempt_ctas = 0;
	assert_int_equal(depart(b, 3, LEAVE_KILL), STATUS_FAILED);
	bed_close(b);

	b = leave_bed();
	bed_load(b, 0, 4, BED_BASE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	assert_int_equal(depart(b, 6, LEAVE_KILL), STATUS_FAILED); /* its warp has ended */
	finish(b);
	bed_close(b);
}

/* CTAs dispatched, in order; slot 0 leaves as cycle `at` begins. */
static u32 dispatched(struct bed *b, u64 at, enum leaving how, u32 *cta, u32 max)
{
	u32 n = 0;

	bed_open(b);
	while (!sim_finished(&b->sim) && bed_cycle(b) < 2000) {
		if (bed_cycle(b) == at)
			assert_int_equal(sim_depart(&b->sim, 0, 0, how, NULL), STATUS_OK);
		sim_cycle(&b->sim);
		for (u32 i = 0; i < b->sim.bus.count; i++)
			if (b->sim.bus.record[i].kind == EVENT_CTA_START && n < max)
				cta[n++] = b->sim.bus.record[i].cta;
	}
	return n;
}

/* One that was flushed or saved comes before new ones; one that was killed counts as finished, and the kernel ends. */
static void those_that_wait_come_first(void **state)
{
	static const u32 again[] = {0, 0, 1, 2}, killed[] = {0, 1, 2};
	u32 got[8];

	(void)state;
	for (enum leaving how = LEAVE_FLUSH; how <= LEAVE_KILL; how++) {
		struct bed *b = chain();
		u32 n = how == LEAVE_KILL ? 3 : 4;

		b->config.sm_ctas = 1;
		bed_launch(b, 0, 2, 32);
		b->launch[0].ctas = b->launch[0].grid[0] = 3;
		b->program.nlaunch = 1;
		assert_int_equal(dispatched(b, 4, how, got, 8), n);
		assert_memory_equal(got, how == LEAVE_KILL ? killed : again, n * sizeof(u32));
		assert_int_equal(((struct launch_run *)machine_gpu_section(b->sim.m, SECTION_LAUNCH))->finished, 3);
		assert_int_equal(stat(b, STAT_CTA_FINISHED), how == LEAVE_KILL ? 2 : 3);
		b->program.nlaunch = 2;
		bed_close(b);
	}
}

/* A CTA that waits for room is killed where it waits, and with it the kernel ends. */
static void one_that_waits_is_killed(void **state)
{
	struct bed *b = chain();

	(void)state;
	b->config.sm_ctas = 1;
	b->launch[0].priority = 0;
	bed_launch(b, 0, 1, 32)->stream = 1;
	b->launch[1].priority = 5;
	b->launch[1].at = 4; /* it takes the place of the first, which is saved in cycle 4 */
	assert_int_equal(depart(b, 4, LEAVE_SAVE), STATUS_OK);
	run_to(b, 6);
	assert_int_equal(machine_gpu(b->sim.m)->parked, 1);
	assert_int_equal(sim_depart(&b->sim, 1, 0, LEAVE_SAVE, NULL), STATUS_FAILED);
	assert_int_equal(sim_depart(&b->sim, 1, 0, LEAVE_KILL, NULL), STATUS_OK);
	assert_int_equal(sim_depart(&b->sim, 1, 0, LEAVE_KILL, NULL), STATUS_FAILED);
	run_to(b, 7);
	assert_int_equal(machine_gpu(b->sim.m)->parked, 0);
	assert_int_equal(((struct launch_run *)machine_gpu_section(b->sim.m, SECTION_LAUNCH))->state, LAUNCH_DONE);
	finish(b);
	assert_int_equal(stat(b, STAT_CTA_KILLED_SAVED), 1);
	assert_int_equal(wasted(b), 1);
	bed_close(b);
}

/* The last of those that wait is killed: the next one waits behind the one before it. */
static void the_last_that_waits_is_killed(void **state)
{
	struct bed *b = chain();
	struct launch_run *run;

	(void)state;
	b->config.lat_idiv = 100;
	bed_alu(b, 1, CLASS_IDIV, 1, 0);
	bed_alu(b, 1, CLASS_INT, 2, 1, 1);
	bed_exit(b, 1);
	b->config.sm_ctas = 2;
	b->launch[0].ctas = b->launch[0].grid[0] = 2;
	bed_launch(b, 1, 2, 32)->stream = 1;
	b->launch[1].priority = 5;
	b->launch[1].at = 4; /* its CTAs take the places of the first's */
	assert_int_equal(depart(b, 4, LEAVE_SAVE), STATUS_OK);
	assert_int_equal(sim_depart(&b->sim, 0, 1, LEAVE_SAVE, NULL), STATUS_OK);
	run_to(b, 6);
	run = machine_gpu_section(b->sim.m, SECTION_LAUNCH);
	assert_int_equal(run->parked, 2);
	assert_int_equal(run->first_parked, 1);
	assert_int_equal(run->last_parked, 2);
	assert_int_equal(sim_depart(&b->sim, 1, 1, LEAVE_KILL, NULL), STATUS_OK);
	run_to(b, 7);
	assert_int_equal(run->parked, 1);
	assert_int_equal(run->first_parked, 1);
	assert_int_equal(run->last_parked, 1);
	finish(b);
	assert_int_equal(stat(b, STAT_CTA_RESTORED), 1);
	assert_int_equal(run->first_parked + run->last_parked + run->parked, 0);
	bed_close(b);
}

/* Between stages, too, nobody sees a warp that has left. */
static void nobody_sees_it(void **state)
{
	struct bed *b = chain();
	const struct sm *sm;

	(void)state;
	assert_int_equal(depart(b, 6, LEAVE_SAVE), STATUS_OK);
	sm = b->sim.view[0].sm;
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_SHORT);
	sim_stage(&b->sim);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_STATUS_COUNT);
	for (u32 i = 0; i < WARP_STATUS_COUNT * SLOT_WORDS; i++)
		assert_int_equal(sm->seen[i], 0);
	finish(b);
	bed_close(b);
}

/* A CTA without slots is saved as one that has them, and comes back with slots. */
static void an_inactive_cta_leaves(void **state)
{
	(void)state;
	for (enum leaving how = LEAVE_FLUSH; how <= LEAVE_KILL; how++) {
		struct bed *b = chain();

		bed_open(b);
		run_to(b, 4);
		while (machine_gpu(b->sim.m)->stage < STAGE_CTA)
			sim_stage(&b->sim);
		cta_deactivate(&b->sim.view[0], 0);
		run_to(b, 5);
		assert_int_equal(depart(b, 5, how), STATUS_OK);
		finish(b);
		assert_int_equal(stat(b, STAT_CTA_FINISHED), how != LEAVE_KILL);
		assert_int_equal(b->sim.view[0].sm->inactive, 0);
		assert_int_equal(b->sim.view[0].sm->swapped, 0);
		bed_close(b);
	}
}

/* Two kernels that overlap: the end of the short one leaves the lines of the long one in the L1D; alone it empties it.
 */
static void a_kernel_ends_beside_another(void **state)
{
	(void)state;
	for (u32 beside = 0; beside < 2; beside++) {
		struct bed *b = leave_bed();
		u32 lines = 0;

		bed_load(b, 0, 4, BED_BASE);
		bed_alu(b, 0, CLASS_INT, 5, 1, 4);
		bed_exit(b, 0);
		b->config.lat_idiv = 100;
		bed_alu(b, 1, CLASS_IDIV, 1, 0);
		bed_alu(b, 1, CLASS_INT, 2, 1, 1);
		bed_exit(b, 1);
		bed_launch(b, 0, 1, 32);
		bed_launch(b, 1, 1, 32)->stream = beside;
		bed_open(b);
		run_to(b, 60);
		assert_int_equal(stat(b, STAT_CTA_FINISHED), 1);
		for (u32 i = 0; i < b->sim.m->section[SECTION_L1D].count; i++)
			lines += b->sim.view[0].l1d[i].line != 0;
		assert_int_equal(lines, beside);
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_dropped),
		cmocka_unit_test(a_saved_cta_goes_on),
		cmocka_unit_test(a_barrier_is_forgotten),
		cmocka_unit_test(nothing_is_forgotten),
		cmocka_unit_test(an_ended_warp_stays_ended),
		cmocka_unit_test(who_is_on_its_way_has_a_place),
		cmocka_unit_test(it_stands_as_long_as_its_context_takes),
		cmocka_unit_test(nobody_goes_on_too_early),
		cmocka_unit_test(what_is_in_flight_comes_back_first),
		cmocka_unit_test(loads_are_dropped),
		cmocka_unit_test(stores_go_out),
		cmocka_unit_test(what_was_written_stays),
		cmocka_unit_test(who_stays),
		cmocka_unit_test(those_that_wait_come_first),
		cmocka_unit_test(one_that_waits_is_killed),
		cmocka_unit_test(the_last_that_waits_is_killed),
		cmocka_unit_test(nobody_sees_it),
		cmocka_unit_test(an_inactive_cta_leaves),
		cmocka_unit_test(a_kernel_ends_beside_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
