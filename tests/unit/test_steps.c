/*
 * test_steps.c - synthetic kernels described by time: when their CTAs end, computed, with results that are due soon and
 * with those that have dates; who is so far already; that they leave when asked, and that waiting costs the host
 * nothing.
 */
#include "core_bed.h"
#include "synth.h"

static struct module *module;

/* A bed with one launch of a kernel with time. */
static struct bed *steps_bed(u64 time, u32 steps, u32 stagger, u32 ctas)
{
	struct bed *b = bed_new();
	struct synth s;
	struct error e;

	synth_default(&s);
	s.time = time;
	s.steps = steps;
	s.stagger = stagger;
	assert_int_equal(synth_make("wait", &s, &module, &e), STATUS_OK);
	b->kernel[0] = *module->kernel;
	bed_launch(b, 0, ctas, 32);
	return b;
}

static void steps_close(struct bed *b)
{
	assert_int_equal(b->sim.view[0].sm->alarm, 0);
	assert_int_equal(b->sim.view[0].sm->results_used, 0);
	b->kernel[0] = (struct kernel){.inst = b->inst[0]};
	bed_close(b);
	module_free(module);
}

/* To the end; how many cycles the host had to run one by one. */
static u32 run(struct bed *b)
{
	u32 cycles = 0;

	b->sim.bus.want = 0;
	while (!sim_finished(&b->sim)) {
		u64 now = bed_cycle(b);

		if (sim_skip(&b->sim, NEVER) == now) {
			sim_cycle(&b->sim);
			cycles++;
		}
	}
	assert_false(sim_deadlocked(&b->sim));
	return cycles;
}

/* The cycle in which the last CTA of the launch has gone. */
static u64 ended(const struct bed *b)
{
	const struct launch_run *run_of = machine_gpu_section(b->sim.m, SECTION_LAUNCH);

	return run_of->last_retire;
}

/* Cycles that its CTAs have run. */
static u64 ended_cycles(struct bed *b)
{
	sim_sync(&b->sim);
	return ((struct kernel_count *)machine_gpu_section(b->sim.m, SECTION_KERNEL_SUM))->ended_cycles;
}

/* A CTA that comes in cycle 0 issues first in BED_FIRST, and ends its time later, however many share the SM: one comes
 * in each cycle. */
static void a_cta_takes_its_time(void **state)
{
	static const struct {
		u64 time;
		u32 steps, ctas;
	} row[] = {{1000, 4, 1},	  {4092, 4, 1}, {4096, 4, 1},	{10007, 10, 1},	 {12345, 1, 1}, {12345, 12, 4},
		   {1ULL << 40, 4000, 4}, {6, 3, 1},	{100000, 7, 4}, {5000000, 9, 3}, {1000, 10, 2}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = steps_bed(row[i].time, row[i].steps, 0, row[i].ctas);

		bed_open(b);
		run(b);
		assert_int_equal(ended(b), BED_FIRST + row[i].time + row[i].ctas - 1);
		assert_int_equal(b->sim.view[0].sm->stat[STAT_INST_WARP], (row[i].steps + 1) * row[i].ctas);
		steps_close(b);
	}
}

/* The next wave begins when the first ends: eight CTAs where four fit take twice the time, and what it takes to come.
 */
static void waves_follow(void **state)
{
	struct bed *b = steps_bed(50000, 10, 0, 8);

	(void)state;
	bed_open(b);
	run(b);
	assert_in_range(ended(b), 2 * 50000, 2 * 50000 + 20);
	steps_close(b);
}

/* The parts of the time add up, and no two differ by more than a cycle. */
static void steps_add_up(void **state)
{
	struct synth s;

	(void)state;
	synth_default(&s);
	for (u32 i = 0; i < 200; i++) {
		s.steps = 1 + (u32)(mix64(i) % 4096);
		s.time = s.steps + mix64(i + 1000) % 1000000000000ULL;
		u64 sum = 0;
		for (u32 k = 0; k < s.steps; k++) {
			u64 cycles = synth_step(&s, &(struct synth_cta){.sms = 1, .wave = 1}, k);

			sum += cycles;
			assert_in_range(cycles, s.time / s.steps, s.time / s.steps + 1);
		}
		assert_int_equal(sum, s.time);
	}
}

/* Cycles that a CTA of a GPU of 1000 SMs, where two fit each, has still to go when it comes. */
static u64 left_of(const struct synth *s, u32 launch, u32 id)
{
	struct synth_cta cta = {.id = id, .launch = launch, .sms = 1000, .wave = 2000};
	u64 left = 0;

	for (u32 k = 0; k < s->steps; k++)
		left += synth_step(s, &cta, k);
	assert_int_equal(left + synth_behind(s, &cta), s->time);
	return left;
}

/* Of the first wave alone, CTAs are ahead; those of an SM equally, those of many SMs by every part of their time, and
 * of another launch by other parts. */
static void the_first_wave_is_ahead(void **state)
{
	struct synth s;
	u64 sum = 0;
	u32 same = 0;

	(void)state;
	synth_default(&s);
	s.time = 100000;
	s.steps = 100;
	s.stagger = 1;
	for (u32 id = 0; id < 3000; id++) {
		u64 left = left_of(&s, 0, id);

		assert_int_equal(left, id < 2000 ? left_of(&s, 0, id % 1000) : s.time);
		assert_true(left > 0 && left % 1000 == 0);
		same += left == left_of(&s, 1, id);
		sum += id < 1000 ? left : 0;
	}
	assert_in_range(sum / 1000, 48000, 53000);
	assert_in_range(same, 1000, 1060);
}

/* In the machine: the first wave of an SM ends early, the second takes all its time. */
static void a_wave_ends_early(void **state)
{
	struct bed *b = steps_bed(40000, 20, 1, 8);
	u64 first = 0;

	(void)state;
	for (u32 k = 0; k < 20; k++)
		first += synth_step(module->kernel->synth, &(struct synth_cta){.sms = 1, .wave = 4}, k);
	assert_true(first < 40000);
	bed_open(b);
	run(b);
	assert_in_range(ended(b), first + 40000, first + 40000 + 200);
	/* what lies behind them counts, so that a mean CTA takes its time */
	assert_in_range(ended_cycles(b), 8 * 40000, 8 * 40000 + 800);
	steps_close(b);
}

/* Waiting is free: a CTA of a minute's cycles is simulated in as many visits as one of a microsecond's. */
static void waiting_is_cheap(void **state)
{
	struct bed *b = steps_bed(2000, 10, 0, 4);
	u32 little;

	(void)state;
	bed_open(b);
	little = run(b);
	steps_close(b);
	b = steps_bed(80000000000ULL, 10, 0, 4);
	bed_open(b);
	assert_in_range(run(b), 10, little + 40);
	steps_close(b);
}

/* One that is flushed in the middle of a step forgets it and begins again; one that is saved goes on behind it. */
static void one_leaves_in_the_middle(void **state)
{
	(void)state;
	for (u32 how = LEAVE_FLUSH; how <= LEAVE_SAVE; how++) {
		struct bed *b = steps_bed(100000, 10, 0, 1);
		struct error e;

		b->config.preempt_ctas = 2;
		bed_open(b);
		while (bed_cycle(b) < 34000)
			sim_cycle(&b->sim);
		assert_int_equal(sim_depart(&b->sim, 0, 0, how, &e), STATUS_OK);
		run(b);
		assert_int_equal(b->sim.view[0].sm->stat[STAT_STALE_LOADS], 1);
		u64 left = how == LEAVE_FLUSH ? 100000 : 60000, all = how == LEAVE_FLUSH ? 100000 : 34000 + 60000;
		assert_in_range(ended(b), 34000 + left, 34000 + left + 10);
		assert_in_range(ended_cycles(b), all, all + 10);
		steps_close(b);
	}
}

/* More warps wait than the table of loads has entries: 36 steps, eight at a time, are done in five rounds. */
static void the_table_is_full(void **state)
{
	struct bed *b = steps_bed(30000, 3, 0, 1);

	(void)state;
	bed_clear(b);
	b->kernel[0] = *module->kernel;
	bed_launch(b, 0, 2, 192);
	b->config.sm_warps = 16;
	b->config.lsu_loads = 8;
	bed_open(b);
	run(b);
	assert_in_range(ended(b), 5 * 10000, 5 * 10000 + 100);
	steps_close(b);
}

/* The block's right to begin again ends with the first step behind its idempotent part. */
static void the_idempotent_part_ends(void **state)
{
	struct synth s;

	(void)state;
	synth_default(&s);
	s.steps = 20;
	static const u32 row[][2] = {{0, 0}, {1, 1}, {47, 10}, {50, 10}, {95, 19}, {96, 20}, {99, 20}, {100, 20}};
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		s.idempotent = row[i][0];
		assert_int_equal(synth_step_trips(&s), row[i][1]);
	}
}

/* In the machine: a CTA trips with that step, and with none before, where CTAs may leave. */
static void it_trips_there(void **state)
{
	(void)state;
	for (u32 parked = 0; parked < 2; parked++) {
		struct bed *b = steps_bed(100000, 10, 0, 1);

		((struct synth *)(uintptr_t)module->kernel->synth)->idempotent = 47;
		b->config.preempt_ctas = parked;
		bed_open(b);
		while (bed_cycle(b) < BED_FIRST + 50000)
			sim_cycle(&b->sim);
		assert_int_equal(b->sim.view[0].cta[0].tripped, 0);
		sim_cycle(&b->sim);
		assert_int_equal(b->sim.view[0].cta[0].tripped, parked ? 6 : 0);
		run(b);
		steps_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cta_takes_its_time),
		cmocka_unit_test(waves_follow),
		cmocka_unit_test(steps_add_up),
		cmocka_unit_test(the_first_wave_is_ahead),
		cmocka_unit_test(a_wave_ends_early),
		cmocka_unit_test(waiting_is_cheap),
		cmocka_unit_test(one_leaves_in_the_middle),
		cmocka_unit_test(the_table_is_full),
		cmocka_unit_test(the_idempotent_part_ends),
		cmocka_unit_test(it_trips_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
