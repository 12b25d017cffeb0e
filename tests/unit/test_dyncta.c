/*
 * test_dyncta.c - DYNCTA and DYNCORE: the whole table of decisions, who is paused and who may come, both bounds on
 * starvation, the counters against a recount, the switching of SMs.
 *
 * One SM, six CTAs of one warp that runs for long; a window of 64 cycles. Before its end the test sets the counters to
 * what they are to have come to.
 */
#include "core_bed.h"

#include "policy_dyncta.h"

#define WINDOW 64

/* A kernel of n instructions and EXIT. */
static void long_kernel(struct bed *b, u32 n)
{
	for (u32 i = 0; i < n; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i % 8, 1, 1 + i % 8);
	bed_exit(b, 0);
}

/* `ctas` CTAs for an SM that takes N. */
static struct bed *dyncta_bed(u32 ctas, u32 most)
{
	struct bed *b = bed_new();

	b->config.sm_ctas = most;
	b->config.dyncta_window = WINDOW;
	policy_put(&b->policy, POLICY_cta_limit, SCHEME_dyncta);
	policy_put(&b->policy, POLICY_cta_pause, SCHEME_dyncta);
	long_kernel(b, 500);
	bed_launch(b, 0, ctas, 32);
	return b;
}

static struct dyncta *own(struct bed *b, u32 sm)
{
	return (struct dyncta *)(uintptr_t)scheme_own(b->sim.m, SCHEME_dyncta, sm);
}

static struct sm *sm_of(struct bed *b, u32 sm)
{
	return b->sim.view[sm].sm;
}

/* Run to the end of the window, with these counters in it. */
static void end_window(struct bed *b, u64 idle, u64 mem)
{
	u64 end = bed_cycle(b) - bed_cycle(b) % WINDOW + WINDOW;

	bed_run_to(b, end - 1);
	sim_sync(&b->sim);
	sm_of(b, 0)->stat[STAT_IDLE_CYCLES] = own(b, 0)->idle + idle;
	sm_of(b, 0)->stat[STAT_MEMORY_CYCLES] = own(b, 0)->mem + mem;
	bed_run_to(b, end);
	bed_check_sums(b);
}

/* The numbers of the paused CTAs, "4 5"; and those of all. */
static const char *numbers(struct bed *b, u64 places)
{
	static char text[64];
	u32 n = 0;

	text[0] = 0;
	for (u32 id = 0; id < 64; id++)
		for (u64 set = places; set; set &= set - 1)
			if (b->sim.view[0].cta[__builtin_ctzll(set)].id == id)
				n += (u32)snprintf(text + n, sizeof text - n, "%s%u", n ? " " : "", id);
	return text;
}

/* --- the decision --- */

/* Variables and thresholds of the report (section 4.1, "Parameters", table 3; section 4.2; section 5.3). */
static void numbers_of_the_report(void **state)
{
	struct config c;

	(void)state;
	config_default(&c);
	assert_true(c.dyncta_idle == 16 && c.dyncta_mem_low == 128 && c.dyncta_mem_high == 384);
	assert_int_equal(c.dyncta_window, 2048);
	assert_true(c.dyncta_start == START_HALF && dyncta_begin(&c, 5) == 2);
	assert_true(c.dyncore_active == 40960 && c.dyncore_cores == 8);
}

/* What the counters of a window make of n. */
static void the_table_of_decisions(void **state)
{
	static const struct {
		u32 idle, mem, n, most, next;
	} row[] = {
		/* the row of oracles: N = 6, n = 3 */
		{16, 500, 3, 6, 4},
		{15, 127, 3, 6, 4},
		{15, 128, 3, 6, 3},
		{15, 383, 3, 6, 3},
		{15, 384, 3, 6, 2},
		/* idle decides first, whatever memory says */
		{16, 0, 3, 6, 4},
		{16, 127, 3, 6, 4},
		{16, 128, 3, 6, 4},
		{16, 383, 3, 6, 4},
		{16, 384, 3, 6, 4},
		{2048, 2048, 3, 6, 4},
		{15, 2048, 3, 6, 2},
		{0, 0, 3, 6, 4},
		{0, 127, 3, 6, 4},
		{0, 128, 3, 6, 3},
		{0, 383, 3, 6, 3},
		{0, 384, 3, 6, 2},
		/* n = N: no more; n = 1: no fewer */
		{16, 500, 6, 6, 6},
		{15, 127, 6, 6, 6},
		{15, 128, 6, 6, 6},
		{15, 383, 6, 6, 6},
		{15, 384, 6, 6, 5},
		{16, 500, 1, 6, 2},
		{15, 127, 1, 6, 2},
		{15, 128, 1, 6, 1},
		{15, 383, 1, 6, 1},
		{15, 384, 1, 6, 1},
		{16, 500, 5, 6, 6},
		{15, 384, 2, 6, 1},
		{16, 0, 1, 1, 1},
		{15, 384, 1, 1, 1},
		{0, 0, 1, 1, 1},
	};
	struct config c;

	(void)state;
	config_default(&c);
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		if (dyncta_decide(&c, row[i].idle, row[i].mem, row[i].n, row[i].most) != row[i].next)
			fail_msg("row %u: idle %u mem %u n %u N %u", i, row[i].idle, row[i].mem, row[i].n, row[i].most);
}

/* The same in the machine: with nCTA CTAs there, who is paused, and whether the next may come. The window is short, so
 * that its thresholds are those of the settings by what the test puts into the counters. */
static void the_machine_decides_so(void **state)
{
	static const struct {
		u32 ctas, n, idle, mem, next;
		const char *paused;
		u32 then; /* CTAs some cycles later, if there are more to come */
	} row[] = {
		{3, 3, 16, 500, 4, "", 4},    {3, 3, 15, 127, 4, "", 4},	{3, 3, 15, 128, 3, "", 3},
		{3, 3, 15, 383, 3, "", 3},    {3, 3, 15, 384, 2, "2", 3},	{4, 3, 15, 384, 2, "2 3", 4},
		{4, 3, 15, 128, 3, "3", 4},   {4, 3, 15, 127, 4, "", 4},	{4, 2, 15, 127, 3, "3", 4},
		{5, 1, 16, 0, 2, "2 3 4", 5}, {5, 2, 15, 384, 1, "1 2 3 4", 5}, {2, 1, 15, 384, 1, "1", 2},
		{6, 6, 15, 127, 6, "", 6},    {6, 6, 15, 384, 5, "5", 6},	{6, 5, 16, 384, 6, "", 6},
		{1, 1, 15, 384, 1, "", 1},    {1, 1, 15, 127, 2, "", 2},	{2, 5, 15, 128, 5, "", 5},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = dyncta_bed(12, 6);

		b->config.dispatch_limit = row[i].ctas;
		b->config.dyncta_start = START_ALL;
		bed_open(b);
		bed_run_to(b, 20);
		assert_int_equal(sm_of(b, 0)->ctas, row[i].ctas);
		own(b, 0)->less = own(b, 0)->most - row[i].n;
		b->sim.m->config.dispatch_limit = 0;
		end_window(b, row[i].idle, row[i].mem);
		if (dyncta_n(b->sim.m, 0) != row[i].next || strcmp(numbers(b, sm_of(b, 0)->paused), row[i].paused))
			fail_msg("row %u: n %u, paused %s", i, dyncta_n(b->sim.m, 0), numbers(b, sm_of(b, 0)->paused));
		bed_run_to(b, bed_cycle(b) + 10);
		if (sm_of(b, 0)->ctas != row[i].then)
			fail_msg("row %u: %u CTAs came", i, sm_of(b, 0)->ctas);
		bed_close(b);
	}
}

/* The text's example: N = 4, n = 3. One fewer deprioritises the third CTA, a second the second; one more brings back
 * the second, a second restores the third; then a fourth comes. */
static void pause_and_resume(void **state)
{
	struct bed *b = dyncta_bed(8, 4);

	(void)state;
	b->config.dyncta_start = START_ONE;
	bed_open(b);
	bed_run_to(b, 20);
	own(b, 0)->less = 1;
	dispatch_wake(b->sim.view[0].gpu);
	bed_run_to(b, 30);
	assert_int_equal(sm_of(b, 0)->ctas, 3);
	end_window(b, 0, 384);
	assert_string_equal(numbers(b, sm_of(b, 0)->paused), "2");
	assert_int_equal(bed_records(b, EVENT_PAUSE, NULL), 1);
	assert_int_equal(bed_records(b, EVENT_THROTTLE, NULL), 1);
	end_window(b, 0, 384);
	assert_string_equal(numbers(b, sm_of(b, 0)->paused), "1 2");
	end_window(b, 0, 384);
	assert_string_equal(numbers(b, sm_of(b, 0)->paused), "1 2"); /* n = 1 */
	end_window(b, 0, 0);
	assert_string_equal(numbers(b, sm_of(b, 0)->paused), "2");
	assert_int_equal(bed_records(b, EVENT_RESUME, NULL), 1);
	end_window(b, 16, 2000);
	assert_string_equal(numbers(b, sm_of(b, 0)->paused), "");
	assert_int_equal(sm_of(b, 0)->ctas, 3);
	end_window(b, 16, 0);
	bed_run_to(b, bed_cycle(b) + 2);
	assert_int_equal(sm_of(b, 0)->ctas, 4);
	assert_int_equal(sm_of(b, 0)->events[EVENT_PAUSE], 2);
	assert_int_equal(sm_of(b, 0)->events[EVENT_RESUME], 2);
	assert_int_equal(sm_of(b, 0)->events[EVENT_THROTTLE], 5);
	bed_close(b);
}

/* When a CTA ends a paused one goes on, and none comes before that: n = 2, CTAs 0 to 3, of which 2 and 3 are paused. */
static void the_paused_go_on_before_others_come(void **state)
{
	struct bed *b = dyncta_bed(8, 4);
	struct record r;

	(void)state;
	b->config.dyncta_start = START_ALL;
	b->config.dyncta_mem_low = 0; /* n stays */
	b->config.dyncta_mem_high = 1000000;
	b->config.dyncta_idle = 1000000;
	bed_open(b);
	bed_run_to(b, 20);
	own(b, 0)->less = 2;
	end_window(b, 0, 0);
	assert_string_equal(numbers(b, sm_of(b, 0)->paused), "2 3");
	for (u32 ends = 0; ends < 2; ends++) {
		while (!bed_records(b, EVENT_CTA_END, NULL))
			sim_cycle(&b->sim);
		if (bed_records(b, EVENT_CTA_END, NULL) == 2)
			ends++; /* both in one cycle */
		else
			assert_string_equal(numbers(b, sm_of(b, 0)->paused), ends ? "" : "3");
		assert_true(bed_records(b, EVENT_RESUME, &r) && (r.cta == 2 || r.cta == 3));
		assert_int_equal(bed_records(b, EVENT_CTA_START, NULL), 0);
		sim_cycle(&b->sim);
	}
	while (!bed_records(b, EVENT_CTA_START, &r))
		sim_cycle(&b->sim);
	assert_true(sm_of(b, 0)->ctas == 2 && r.cta == 4);
	bed_close(b);
}

/* n at the beginning: half of N, at least 1; or 1, or N. */
static void where_n_starts(void **state)
{
	static const u32 row[][4] = {{1, 1, 1, 1}, {2, 1, 1, 2}, {3, 1, 1, 3},
				     {5, 2, 1, 5}, {6, 3, 1, 6}, {8, 4, 1, 8}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		for (u32 start = START_HALF; start <= START_ALL; start++) {
			struct bed *b = dyncta_bed(20, row[i][0]);

			b->config.dyncta_start = start;
			bed_open(b);
			bed_run_to(b, 20);
			assert_true(own(b, 0)->most == row[i][0] && own(b, 0)->launch == 1);
			assert_int_equal(dyncta_n(b->sim.m, 0), row[i][1 + start]);
			assert_int_equal(sm_of(b, 0)->ctas, row[i][1 + start]);
			bed_close(b);
		}
}

/* It starts again when an empty SM takes another launch, with the N of that; not while CTAs of the first are there, nor
 * when the same launch comes to an empty SM. */
static void it_starts_again(void **state)
{
	struct bed *b = dyncta_bed(2, 6);
	struct launch *second = bed_launch(b, 0, 9, 96);

	(void)state;
	assert_true(second->warps == 3);
	bed_open(b);
	bed_run_to(b, 20);
	assert_int_equal(dyncta_n(b->sim.m, 0), 3);
	end_window(b, 0, 384);
	assert_int_equal(dyncta_n(b->sim.m, 0), 2);
	while (own(b, 0)->launch == 1)
		sim_cycle(&b->sim);
	assert_true(own(b, 0)->most == 2 && dyncta_n(b->sim.m, 0) == 1 && sm_of(b, 0)->ctas == 1);
	assert_int_equal(own(b, 0)->ended, 2); /* the CTAs of the first launch are none that end in its windows */
	bed_close(b);
}

/* n stays: no window of any SM is idle, or hardly or long in memory. */
static void keep_n(struct bed *b)
{
	b->config.dyncta_mem_low = 0;
	b->config.dyncta_mem_high = b->config.dyncta_idle = 1000000;
}

/* Beside CTAs of the first launch those of a second start nothing: N stays 6 and n 5, where two CTAs of three warps fit
 * the eight slots and n would be 1. */
static void another_beside_starts_nothing(void **state)
{
	struct bed *b = dyncta_bed(2, 6);
	struct launch *second = bed_launch(b, 0, 4, 96);

	(void)state;
	second->stream = 1;
	second->at = 30;
	bed_open(b);
	bed_run_to(b, 20);
	own(b, 0)->less = 1;
	bed_run_to(b, 50);
	assert_int_equal(sm_of(b, 0)->ctas, 4);
	assert_true(own(b, 0)->launch == 1 && own(b, 0)->most == 6 && own(b, 0)->less == 1);
	bed_close(b);
}

/* CTAs of one launch that come one by one, each to an empty SM: n = 2 stays, where it began at 3. */
static void the_same_launch_goes_on(void **state)
{
	struct bed *b = dyncta_bed(3, 6);

	(void)state;
	keep_n(b);
	b->config.dispatch_limit = 1;
	bed_open(b);
	bed_run_to(b, 20);
	assert_int_equal(dyncta_n(b->sim.m, 0), 3);
	own(b, 0)->less = 4;
	while (sm_of(b, 0)->stat[STAT_CTA_STARTED] < 3) {
		sim_cycle(&b->sim);
		assert_int_equal(dyncta_n(b->sim.m, 0), 2);
	}
	bed_close(b);
}

/* --- windows --- */

/* Both counters are reset to 0 once a decision has been made (section 4.1). 10 cycles without a warp in each of two
 * windows are few (t_idle = 16), and 200 in which all wait are in the middle (128 to 383), so that n stays 3; summed up
 * they would be 20, of which n rises, and 400, of which it falls. */
static void counters_begin_anew_with_a_window(void **state)
{
	static const u32 row[][2] = {{10, 200}, {0, 200}, {10, 383}, {15, 128}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = dyncta_bed(12, 6);

		bed_open(b);
		for (u32 n = 1; n < 5; n++) {
			bed_run_to(b, n * WINDOW - 1);
			sim_sync(&b->sim);
			sm_of(b, 0)->stat[STAT_IDLE_CYCLES] += row[i][0];
			sm_of(b, 0)->stat[STAT_MEMORY_CYCLES] += row[i][1];
			bed_run_to(b, n * WINDOW);
			assert_int_equal(dyncta_n(b->sim.m, 0), 3);
		}
		bed_close(b);
	}
}

/* Windows are as long as dyncta.window, and the first begins with the kernel: begun in 10, of 64 cycles, they end with
 * 73, 137, ... */
static void windows_follow_each_other(void **state)
{
	static const u64 row[][3] = {{10, 10, 73}, {10, 73, 73}, {10, 74, 137},
				     {0, 0, 63},   {0, 64, 127}, {64, 64, 127}};
	struct config c;

	(void)state;
	config_default(&c);
	c.dyncta_window = WINDOW;
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		assert_int_equal(window_ends(&c, row[i][0], row[i][1]), row[i][2]);
}

/* An SM whose first CTA comes in the middle of a window, in cycle 40, is not judged by what it was before: it has an
 * unfinished warp that computes from then on, so that both counters are 0 at the end. */
static void a_late_start_is_not_judged_by_before(void **state)
{
	struct bed *b = dyncta_bed(1, 6);
	struct launch *second = bed_launch(b, 0, 1, 32);

	(void)state;
	second->stream = 1;
	second->at = 40;
	b->config.gpu_sms = 2;
	bed_open(b);
	bed_run_to(b, 30);
	sim_sync(&b->sim);
	assert_true(sm_of(b, 1)->stat[STAT_IDLE_CYCLES] >= 16 && !own(b, 1)->launch);
	sm_of(b, 1)->stat[STAT_MEMORY_CYCLES] += 500;
	bed_run_to(b, 45);
	assert_true(own(b, 1)->launch == 2 && sm_of(b, 1)->ctas == 1);
	bed_run_to(b, WINDOW);
	assert_true(own(b, 1)->c_idle == 0 && own(b, 1)->c_mem == 0);
	bed_close(b);
}

/* The first window of a kernel counts from its beginning: an SM of the kernel before that gets no CTA of it is idle for
 * the 64 cycles of the window, and not for those that it was in the window that the kernel has cut short. */
static void a_kernel_begins_the_counters(void **state)
{
	struct bed *b = dyncta_bed(2, 6);
	const struct dyncta_gpu *gpu;

	(void)state;
	bed_launch(b, 0, 1, 32);
	b->config.gpu_sms = 2;
	bed_open(b);
	gpu = scheme_own_gpu(b->sim.m, SCHEME_dyncta);
	bed_run_to(b, 20);
	assert_true(sm_of(b, 0)->ctas == 1 && sm_of(b, 1)->ctas == 1);
	while (!gpu->begun) {
		sim_sync(&b->sim);
		sm_of(b, 1)->stat[STAT_IDLE_CYCLES] = own(b, 1)->idle + 30;
		sm_of(b, 1)->stat[STAT_MEMORY_CYCLES] = own(b, 1)->mem + 300;
		sim_cycle(&b->sim);
	}
	bed_run_to(b, gpu->begun + WINDOW);
	assert_true(sm_of(b, 0)->ctas == 1 && sm_of(b, 1)->ctas == 0);
	assert_true(own(b, 1)->c_idle == WINDOW && own(b, 1)->c_mem == 0);
	assert_true(own(b, 0)->c_idle == 0 && own(b, 0)->c_mem == 0);
	bed_close(b);
}

/* --- what a pause is --- */

/* A warp of a paused CTA issues only where no ready warp belongs to another (section 4.1). Of instructions that wait
 * for none one of the other CTA is ready in every cycle, and the paused one issues none. In a chain of latency 4 a warp
 * issues in every fifth cycle: both do, side by side. */
static void the_paused_issue_where_no_other_can(void **state)
{
	(void)state;
	for (u32 chain = 0; chain < 2; chain++) {
		struct bed *b = dyncta_bed(2, 4);
		const struct warp *w;
		u32 before[2];

		if (chain) {
			bed_clear(b);
			for (u32 i = 0; i < 100; i++)
				bed_alu(b, 0, CLASS_INT, 1, 1, 1);
			bed_exit(b, 0);
			bed_launch(b, 0, 2, 32);
		}
		keep_n(b);
		b->config.dyncta_start = START_ALL;
		w = bed_open(b)->view[0].warp;
		bed_run_to(b, 20);
		own(b, 0)->less = 3;
		end_window(b, 0, 0);
		assert_string_equal(numbers(b, sm_of(b, 0)->paused), "1");
		for (u32 i = 0; i < 2; i++)
			before[i] = w[i].issued;
		bed_run_to(b, bed_cycle(b) + 50);
		assert_int_equal(w[0].issued - before[0], chain ? 10 : 50);
		assert_int_equal(w[1].issued - before[1], chain ? 10 : 0);
		bed_close(b);
	}
}

/* A paused CTA that ends does not resume: it "can resume execution only when another CTA finishes its execution, or n
 * is incremented" (section 4.1). */
static void one_that_ends_does_not_resume(void **state)
{
	struct bed *b = dyncta_bed(2, 4);

	(void)state;
	bed_clear(b);
	bed_compare(b, 0, 0, SREG_CTAID_X, 1);
	for (u32 i = 0; i < 30; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_branch(b, 0, 0, 33, 33);
	bed_exit(b, 0);
	for (u32 i = 0; i < 60; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 32);
	keep_n(b);
	b->config.dyncta_start = START_ALL;
	bed_open(b);
	bed_run_to(b, 20);
	own(b, 0)->less = 3;
	end_window(b, 0, 0);
	assert_string_equal(numbers(b, sm_of(b, 0)->paused), "1");
	while (sm_of(b, 0)->ctas == 2)
		sim_cycle(&b->sim);
	assert_true(b->sim.view[0].cta[0].launch == 0 && !sm_of(b, 0)->paused);
	assert_int_equal(sm_of(b, 0)->events[EVENT_RESUME], 0);
	bed_close(b);
}

/* Before the first CTA, and for another launch while it is empty, an SM takes what it would begin with: half of the six
 * CTAs of one warp, of the two of three warps one. Else it takes n. */
static void what_an_empty_sm_takes(void **state)
{
	struct bed *b = dyncta_bed(9, 6);
	const struct sched_view *v;

	(void)state;
	bed_launch(b, 0, 9, 96);
	v = bed_open(b)->view[0].look;
	assert_int_equal(scheme_dyncta.decide.cta_limit(v, 0), 3);
	bed_run_to(b, 20);
	own(b, 0)->less = 1;
	assert_int_equal(scheme_dyncta.decide.cta_limit(v, 0), 5);
	assert_int_equal(scheme_dyncta.decide.cta_limit(v, 1), 5);
	sm_of(b, 0)->ctas = 0;
	assert_int_equal(scheme_dyncta.decide.cta_limit(v, 0), 5);
	assert_int_equal(scheme_dyncta.decide.cta_limit(v, 1), 1);
	sm_of(b, 0)->ctas = 3;
	bed_close(b);
}

/* With Virtual Thread N counts the CTAs without slots that may come, as far as there is room: two have slots, four find
 * room. */
static void n_counts_virtual_ctas(void **state)
{
	static const u32 row[][2] = {{0, 2}, {1, 3}, {2, 4}, {8, 4}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = dyncta_bed(12, 2);

		policy_put(&b->policy, POLICY_cta_virtual, SCHEME_vt);
		b->config.sm_warps = 2;
		b->config.sm_contexts = b->config.sm_residents = 4;
		b->config.vt_virtual = row[i][0];
		bed_open(b);
		bed_run_to(b, 10);
		assert_int_equal(own(b, 0)->most, row[i][1]);
		bed_close(b);
	}
}

/* CTAs are dealt in turn: no two SMs differ by more than one, whatever n is. */
static void ctas_are_dealt_in_turn(void **state)
{
	struct bed *b = dyncta_bed(8, 6);

	(void)state;
	b->config.gpu_sms = 3;
	bed_open(b);
	bed_run_to(b, 20);
	assert_true(sm_of(b, 0)->ctas == 3 && sm_of(b, 1)->ctas == 3 && sm_of(b, 2)->ctas == 2);
	bed_close(b);
}

/* --- no starvation --- */

/* A CTA paused for three windows runs in the fourth and is paused again. */
static void a_paused_cta_has_its_window(void **state)
{
	static const char *const want[] = {"1", "1", "1", "", "1", "1", "1", ""};
	struct bed *b = dyncta_bed(2, 4);

	(void)state;
	b->config.dyncta_start = START_ALL;
	b->config.dyncta_max_paused = 3;
	bed_open(b);
	bed_run_to(b, 20);
	own(b, 0)->less = 2;
	for (u32 i = 0; i < ARRAY_LEN(want); i++) {
		end_window(b, 0, 500);
		assert_string_equal(numbers(b, sm_of(b, 0)->paused), want[i]);
	}
	bed_close(b);
}

/* It is the CTA that waits so long, not its place: one that comes where another was paused for one window or two is
 * paused at the end of its first window and of its second, and runs behind the third. */
static void a_place_is_not_paused(void **state)
{
	static const char *const want[] = {"1", "1", "", "1", "1", "1", ""};

	(void)state;
	for (u32 before = 0; before < 3; before++) {
		struct bed *b = dyncta_bed(2, 4);
		struct dyncta_place *place;

		b->config.dyncta_start = START_ALL;
		b->config.dyncta_max_paused = 3;
		bed_open(b);
		place = (struct dyncta_place *)(uintptr_t)own_sm_part(b->sim.m, SCHEME_dyncta, 0, 1);
		place[1].windows = before;
		bed_run_to(b, 20);
		own(b, 0)->less = 3;
		for (u32 i = 0; i < ARRAY_LEN(want); i++) {
			end_window(b, 0, 500);
			assert_string_equal(numbers(b, sm_of(b, 0)->paused), want[i]);
		}
		bed_close(b);
	}
}

/* A window of an SM is barren if none of the CTAs that it has ended, and others wait for a place. */
static void which_windows_are_barren(void **state)
{
	static const struct {
		u64 finished;
		u32 ctas;
		bool wait;
		u32 barren;
	} row[] = {{5, 2, true, 4}, {6, 2, true, 0}, {5, 2, false, 0}, {5, 0, true, 0}};
	struct sm *sm = xcalloc(1, sizeof *sm);

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		sm->stat[STAT_CTA_FINISHED] = row[i].finished;
		sm->ctas = row[i].ctas;
		assert_int_equal(windows_barren(sm, 5, 3, row[i].wait), row[i].barren);
	}
	free(sm);
}

/* No CTA ends while others wait: after three windows n rises by one, and does not fall until one ends; then it may. */
static void n_rises_where_nothing_ends(void **state)
{
	static const u32 want[] = {2, 1, 2, 2, 2, 3, 3, 3, 4, 4};
	struct bed *b = dyncta_bed(8, 4);

	(void)state;
	b->config.dyncta_max_paused = 3;
	b->config.dyncta_start = START_ALL;
	bed_open(b);
	bed_run_to(b, 20);
	own(b, 0)->less = 1;
	for (u32 i = 0; i < ARRAY_LEN(want); i++) {
		end_window(b, 0, 500);
		if (dyncta_n(b->sim.m, 0) != want[i])
			fail_msg("window %u: n %u", i, dyncta_n(b->sim.m, 0));
	}
	assert_int_equal(own(b, 0)->risen, 1);
	while (!sm_of(b, 0)->stat[STAT_CTA_FINISHED])
		end_window(b, 0, 500);
	end_window(b, 0, 500);
	assert_true(!own(b, 0)->risen && dyncta_n(b->sim.m, 0) < 4);
	bed_close(b);
}

/* A CTA that ends makes the window in which it does fruitful, and no other. */
static void windows_behind_an_end_are_barren(void **state)
{
	struct bed *b = dyncta_bed(12, 4);
	const struct dyncore *core;

	(void)state;
	keep_n(b);
	b->config.gpu_sms = 2;
	b->config.dyncore_cores = 1;
	policy_put(&b->policy, POLICY_cta_gate, SCHEME_dyncore);
	bed_open(b);
	core = scheme_own(b->sim.m, SCHEME_dyncore, 0);
	for (u32 i = 1; i < 6; i++) {
		sm_of(b, 0)->stat[STAT_CTA_FINISHED] += i == 2;
		bed_run_to(b, i * WINDOW);
		assert_int_equal(own(b, 0)->barren, i < 2 ? i : i - 2);
		assert_int_equal(core->barren, own(b, 0)->barren);
	}
	bed_close(b);
}

/* Nothing can go on, but in one SM n may rise: its windows go on. When n is N everywhere there is nothing to wait for.
 */
static void who_may_rise_is_not_stuck(void **state)
{
	struct bed *b = dyncta_bed(0, 4);
	const struct dyncta_gpu *gpu;

	(void)state;
	bed_clear(b);
	keep_n(b);
	b->config.dyncta_start = START_ALL;
	b->config.gpu_sms = 2;
	bed_compare(b, 0, 0, SREG_WARPID, 1);
	bed_branch(b, 0, 0, 3, 4);
	bed_branch(b, 0, BED_NO_PRED, 4, 4);
	bed_barrier(b, 0);
	bed_launch(b, 0, 40, 64);
	bed_open(b);
	gpu = scheme_own_gpu(b->sim.m, SCHEME_dyncta);
	bed_run_to(b, 40);
	for (u32 n = 1; n < 4; n++) {
		own(b, 0)->less = n == 1;
		own(b, 1)->less = n == 2;
		bed_run_to(b, n * WINDOW);
		assert_int_equal(gpu->stuck != 0, n == 3);
	}
	bed_close(b);
}

/* Where no CTA waits nothing of that kind happens. */
static void n_stays_where_nobody_waits(void **state)
{
	struct bed *b = dyncta_bed(2, 4);

	(void)state;
	b->config.dyncta_max_paused = 3;
	bed_open(b);
	bed_run_to(b, 20);
	for (u32 i = 0; i < 8; i++)
		end_window(b, 0, 500);
	assert_true(dyncta_n(b->sim.m, 0) == 1 && !own(b, 0)->risen);
	bed_close(b);
}

/* Warp 0 waits for ever at a barrier, warp 1 for instructions behind the end of its kernel, and CTAs wait: a deadlock,
 * which is found though windows end; n has risen to N before, and SMs have been closed and opened. */
static void a_deadlock_is_found(void **state)
{
	struct bed *b = dyncta_bed(0, 4);

	(void)state;
	bed_clear(b);
	b->config.dyncta_max_paused = 2;
	b->config.dyncore_cores = 1;
	b->config.gpu_sms = 2;
	policy_put(&b->policy, POLICY_cta_gate, SCHEME_dyncore);
	bed_compare(b, 0, 0, SREG_WARPID, 1);
	bed_branch(b, 0, 0, 3, 4);
	bed_branch(b, 0, BED_NO_PRED, 4, 4);
	bed_barrier(b, 0);
	bed_launch(b, 0, 40, 64);
	bed_open(b);
	b->sim.bus.want = 0;
	for (u32 i = 0; i < 10000 && !sim_finished(&b->sim); i++)
		if (sim_skip(&b->sim, NEVER - 1) == bed_cycle(b))
			sim_cycle(&b->sim);
	assert_true(sim_deadlocked(&b->sim));
	assert_true(sm_of(b, 0)->ctas == 4 && sm_of(b, 1)->ctas == 4);
	bed_close(b);
}

/* --- counters --- */

/* What an SM comes to in a cycle, told from the statuses of its warps. */
struct recount {
	u64 active, memory, idle;
};

static void recount(struct bed *b, u32 sm, struct recount *r)
{
	const struct sim *s = &b->sim;
	u32 stalled = s->m->config.dyncta_stalled, each = stalled ? s->m->config.issue_interval : 1;
	bool slot = !stalled || bed_cycle(b) % s->m->config.issue_interval == 0;
	u32 unfinished = 0, waits = 0, memory = 0, issued = 0, ready = 0;
	u64 standing = 0, served = 0;

	for (u32 i = 0; i < s->m->contexts; i++) {
		u32 status = sim_warp_status(s, sm, i);

		if (status >= WARP_STATUS_COUNT || status == WARP_DONE)
			continue;
		unfinished++;
		issued += status == WARP_ISSUED;
		ready += status == WARP_HELD || status >= WARP_LSU;
		bool served_here = status == WARP_LONG || (stalled && status == WARP_LSU);

		memory += served_here;
		waits += served_here || status == WARP_BARRIER || status == WARP_FENCE;
		if (served_here)
			served |= 1ULL << s->view[sm].warp[i].cta;
		else
			standing |= 1ULL << s->view[sm].warp[i].cta;
	}
	r->active += issued ? s->m->config.issue_interval : 0;
	r->memory += memory && slot && waits == unfinished && !(standing & ~served) ? each : 0;
	if (s->m->config.dyncta_idle_cycles == IDLE_TEXT)
		r->idle += !ready && bed_cycle(b) % s->m->config.issue_interval == 0 ? s->m->config.issue_interval : 0;
	else
		r->idle += !unfinished && !s->view[sm].sm->collectors_busy && !s->view[sm].sm->lsu_count;
}

/* CTAs of four warps that load, use, meet at a barrier, load again, store and end. */
static void memory_kernel(struct bed *b)
{
	bed_address_by(b, 0, 2, SREG_TID_X, BED_BASE, 256);
	bed_compare(b, 0, 0, SREG_WARPID, 2);
	for (u32 i = 0; i < 3; i++) {
		struct inst *in = bed_through(bed_load(b, 0, 8 + i, 0), 2);

		in->offset = (i32)i * 65536;
		if (i == 1)
			bed_guard(in, 0, false);
		bed_alu(b, 0, CLASS_INT, 12, 1, 8 + i);
		bed_barrier(b, 0);
	}
	bed_through(bed_memory(b, 0, OP_ST, CLASS_STORE, 0), 2);
	bed_exit(b, 0);
	bed_launch(b, 0, 6, 128);
	b->config.l2_latency = 60;
}

/* Of five CTAs the second stores and stands at a fence, the others load and use. */
static void fence_kernel(struct bed *b)
{
	bed_address_by(b, 0, 2, SREG_TID_X, BED_BASE, 256);
	bed_compare(b, 0, 0, SREG_CTAID_X, 1);
	bed_compare(b, 0, 1, SREG_CTAID_X, 2);
	bed_branch(b, 0, 0, 7, 9);
	bed_through(bed_guard(bed_memory(b, 0, OP_ST, CLASS_STORE, 0), 1, false), 2);
	bed_guard(bed_inst(b, 0, OP_FENCE, CLASS_FENCE), 1, false);
	bed_branch(b, 0, 1, 9, 9);
	bed_through(bed_load(b, 0, 8, 0), 2);
	bed_alu(b, 0, CLASS_INT, 12, 1, 8);
	bed_through(bed_memory(b, 0, OP_ST, CLASS_STORE, 0), 2);
	bed_exit(b, 0);
	bed_launch(b, 0, 5, 32);
	b->config.l2_latency = 200;
	b->config.sm_banks = 1;
}

/* The counters are those of a recount in the issue stage of every cycle. */
static void counters_are_what_warps_wait_for(void **state)
{
	(void)state;
	for (u32 j = 0; j < 24; j++) {
		u32 i = j % 12;
		struct bed *b = i >> 2 == 1 ? bed_crowd(7) : bed_new();
		struct recount r = {0};

		if (i < 4)
			memory_kernel(b);
		else if (i > 7)
			fence_kernel(b);
		b->config.issue_interval = i & 1 ? 4 : 1;
		b->config.dyncta_stalled = i >> 1 & 1;
		b->config.dyncta_idle_cycles = j < 12 ? IDLE_EMPTY : IDLE_TEXT;
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			while (b->sim.view[0].gpu->stage != STAGE_DECODE)
				sim_stage(&b->sim);
			recount(b, 0, &r);
			while (b->sim.view[0].gpu->stage)
				sim_stage(&b->sim);
		}
		sim_sync(&b->sim);
		assert_true(r.active && r.idle && ((i > 3 && i != 6 && i != 7) || r.memory > 50));
		assert_int_equal(sm_of(b, 0)->stat[STAT_ACTIVE_CYCLES], r.active);
		assert_int_equal(sm_of(b, 0)->stat[STAT_MEMORY_CYCLES], r.memory);
		assert_int_equal(sm_of(b, 0)->stat[STAT_IDLE_CYCLES], r.idle);
		bed_close(b);
	}
}

/* One warp waits at a barrier for another that waits for memory: counted. Of two CTAs, one of which stands at its
 * barrier for a sibling that computes: not. */
static void a_barrier_counts_beside_a_load(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_compare(b, 0, 0, SREG_WARPID, 1);
	bed_guard(bed_load(b, 0, 4, BED_BASE), 0, false); /* warp 0 alone */
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_barrier(b, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	b->config.l2_latency = 200;
	bed_open(b);
	while (!b->sim.view[0].sm->stat[STAT_L1D_MISSES])
		sim_cycle(&b->sim);
	bed_run_to(b, bed_cycle(b) + 100);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_LONG);
	assert_int_equal(sim_warp_status(&b->sim, 0, 1), WARP_BARRIER);
	sim_sync(&b->sim);
	u64 before = sm_of(b, 0)->stat[STAT_MEMORY_CYCLES];
	assert_true(before >= 80);
	bed_run_to(b, bed_cycle(b) + 50);
	sim_sync(&b->sim);
	assert_int_equal(sm_of(b, 0)->stat[STAT_MEMORY_CYCLES], before + 50);
	bed_close(b);
}

/* dyncta.n: n summed over SMs and cycles as long as CTAs wait; equal to a count cycle by cycle. */
static void the_mean_of_n(void **state)
{
	for (u32 lazily = 0; lazily < 2; lazily++) {
		struct bed *b = dyncta_bed(30, 6);
		u64 sum = 0, cycles = 0;

		(void)state;
		b->config.gpu_sms = 2;
		b->config.dyncta_mem_high = 200;
		bed_open(b);
		while (!lazily && !sim_finished(&b->sim)) {
			while (b->sim.view[0].gpu->stage != STAGE_CTA)
				sim_stage(&b->sim);
			bool wait = ctas_wait(&b->sim);
			for (u32 i = 0; i < 2; i++) {
				sum += wait && b->sim.view[i].bounds->limit ? b->sim.view[i].bounds->limit - 1 : 0;
				cycles += wait && b->sim.view[i].bounds->limit;
			}
			while (b->sim.view[0].gpu->stage)
				sim_stage(&b->sim);
		}
		b->sim.bus.want = 0;
		while (lazily && !sim_finished(&b->sim))
			assert_int_equal(sim_run(&b->sim, NEVER - 1), RUN_DONE);
		sim_sync(&b->sim);
		static u64 first[2];
		u64 got[2] = {sim_sm_stat(&b->sim, STAT_LIMIT_SUM), sim_sm_stat(&b->sim, STAT_LIMIT_CYCLES)};
		if (!lazily)
			assert_true(got[0] == sum && got[1] == cycles && cycles);
		else
			assert_true(got[0] == first[0] && got[1] == first[1]);
		first[0] = got[0];
		first[1] = got[1];
		bed_close(b);
	}
}

/* A static limit: no more CTAs than it says, and it may change while they run. */
static void a_static_limit(void **state)
{
	struct bed *b = dyncta_bed(12, 6);
	struct error e;

	(void)state;
	policy_clear(&b->policy, POLICY_cta_limit);
	policy_clear(&b->policy, POLICY_cta_pause);
	b->config.dispatch_limit = 2;
	bed_open(b);
	bed_run_to(b, 40);
	assert_int_equal(sm_of(b, 0)->ctas, 2);
	assert_int_equal(sim_set(&b->sim, SET_dispatch_limit, 5, &e), STATUS_OK);
	bed_run_to(b, 50);
	assert_int_equal(sm_of(b, 0)->ctas, 5);
	assert_int_equal(sim_set(&b->sim, SET_dispatch_limit, 0, &e), STATUS_OK);
	bed_run_to(b, 60);
	assert_int_equal(sm_of(b, 0)->ctas, 6);
	bed_run(b);
	assert_int_equal(sm_of(b, 0)->stat[STAT_CTA_FINISHED], 12);
	bed_close(b);
}

/* --- dyncore --- */

/* t_act is 40960 of 30 SMs and 2048 cycles, whatever is on: two thirds of the GPU's cycles; scaled, of those of the SMs
 * that are on. */
static void the_threshold_scales(void **state)
{
	static const struct {
		u32 sms, window, powered;
		bool scaled;
		u64 threshold;
	} row[] = {{30, 2048, 30, false, 40960}, {30, 2048, 22, false, 40960}, {15, 2048, 3, false, 20480},
		   {30, 2048, 30, true, 40960},	 {30, 2048, 22, true, 30038},  {30, 2048, 15, true, 20480},
		   {30, 1024, 30, true, 20480},	 {30, 4096, 30, true, 81920},  {30, 192, 1, true, 128},
		   {30, 1024, 22, false, 20480}};
	struct config c;

	(void)state;
	config_default(&c);
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		c.gpu_sms = row[i].sms;
		c.dyncta_window = row[i].window;
		c.dyncore_scaled = row[i].scaled;
		assert_true(dyncore_closes(&c, row[i].threshold - 1, row[i].powered));
		/* 22 x 2048 x 2 / 3 = 30037.3: the first whole number that is no longer below */
		assert_false(dyncore_closes(&c, row[i].threshold, row[i].powered));
	}
}

/* The report's cores: 8 of 30, 16 of 56, 32 of 110; of others in proportion, and a setting for 30 likewise. */
static void cores_grow_with_the_gpu(void **state)
{
	static const struct {
		u32 cores, sms, closed;
	} row[] = {{8, 30, 8},	 {8, 56, 16},  {8, 110, 32}, {8, 15, 4},  {8, 4, 1},
		   {8, 2, 1},	 {8, 1, 0},    {8, 80, 23},  {8, 43, 12}, {4, 56, 8},
		   {12, 30, 12}, {40, 30, 29}, {1, 3, 1},    {0, 30, 0},  {13, 110, 52}};
	struct config c;

	(void)state;
	config_default(&c);
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		c.dyncore_cores = row[i].cores;
		c.gpu_sms = row[i].sms;
		assert_int_equal(c.gpu_sms - dyncore_first(&c), row[i].closed);
	}
}

/* The first window of a kernel begins with it: one that begins late in what would be a window of the kernel before is
 * not judged by its first few cycles. One that begins beside another leaves its windows alone. */
static void windows_begin_with_the_kernel(void **state)
{
	(void)state;
	for (u32 beside = 0; beside < 2; beside++) {
		struct bed *b = dyncta_bed(60, 4);
		const struct dyncta_gpu *gpu;
		u64 begun[2] = {0}, ends = 0;
		struct launch *l;

		policy_put(&b->policy, POLICY_cta_gate, SCHEME_dyncore);
		l = bed_launch(b, 0, 2, 32);
		l->stream = beside;
		l->at = beside ? WINDOW / 2 : 0;
		bed_open(b);
		gpu = scheme_own_gpu(b->sim.m, SCHEME_dyncta);
		const struct dyncore_gpu *core = scheme_own_gpu(b->sim.m, SCHEME_dyncore);
		while (!sim_finished(&b->sim)) {
			struct record r;

			sim_cycle(&b->sim);
			if (bed_records(b, EVENT_KERNEL_START, &r))
				begun[r.launch] = bed_cycle(b) - 1;
			assert_int_equal(gpu->begun, beside ? begun[0] : begun[1]);
			assert_int_equal(core->begun, gpu->begun);
			ends += (bed_cycle(b) - gpu->begun) % WINDOW == 0;
		}
		assert_true(begun[1] > begun[0] && begun[1] % WINDOW && ends > 1);
		bed_close(b);
	}
}

/* Three SMs of which the last may be closed; many CTAs of many short instructions. */
static struct bed *dyncore_bed(void)
{
	struct bed *b = dyncta_bed(60, 4);

	b->config.gpu_sms = 3;
	b->config.dyncore_cores = 1;
	policy_clear(&b->policy, POLICY_cta_limit);
	policy_clear(&b->policy, POLICY_cta_pause);
	policy_put(&b->policy, POLICY_cta_gate, SCHEME_dyncore);
	return b;
}

/* Set what the SMs were active in the window, and run to its end. */
static void end_active_window(struct bed *b, u64 each)
{
	u64 end = bed_cycle(b) - bed_cycle(b) % WINDOW + WINDOW;

	bed_run_to(b, end - 1);
	sim_sync(&b->sim);
	for (u32 i = 0; i < 3; i++) {
		const struct dyncore *x = scheme_own(b->sim.m, SCHEME_dyncore, i);

		/* the last cycle of the window adds 1 to those that issue in it */
		sm_of(b, i)->stat[STAT_ACTIVE_CYCLES] = x->active + each;
	}
	bed_run_to(b, end);
}

/* It is closed, ends what it has, is switched off, and comes back; the cycles without power are counted. */
static void an_sm_is_switched_off_and_on(void **state)
{
	struct bed *b = dyncore_bed();
	const struct dyncore_gpu *gpu;
	u64 off, on;

	(void)state;
	bed_open(b);
	gpu = scheme_own_gpu(b->sim.m, SCHEME_dyncore);
	bed_run_to(b, 20);
	assert_true(sm_of(b, 2)->ctas == 4 && !b->sim.view[2].bounds->closed);
	end_active_window(b, 10);
	assert_true(b->sim.view[2].bounds->closed && !b->sim.view[2].bounds->off && !b->sim.view[1].bounds->closed);
	while (!bed_records(b, EVENT_GATE, NULL)) {
		assert_true(sm_of(b, 2)->ctas);
		if (bed_cycle(b) % WINDOW == WINDOW - 2)
			end_active_window(b, 10);
		else
			sim_cycle(&b->sim);
	}
	off = bed_cycle(b);
	assert_true(!sm_of(b, 2)->ctas && b->sim.view[2].bounds->off && sm_of(b, 1)->ctas == 4);
	end_active_window(b, 10);
	assert_true(gpu->powered == 2 && gpu->g_act >= 20 && gpu->g_act < 30);
	end_active_window(b, WINDOW);
	on = bed_cycle(b);
	assert_true(bed_records(b, EVENT_UNGATE, NULL) && !b->sim.view[2].bounds->off);
	sim_sync(&b->sim);
	assert_int_equal(sm_of(b, 2)->stat[STAT_GATED_CYCLES], on - off);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_GATED_CYCLES), on - off);
	bed_run_to(b, on + 10);
	assert_int_equal(sm_of(b, 2)->ctas, 4);
	bed_run(b);
	bed_check_sums(b);
	bed_close(b);
}

/* While an SM is off its n stays, and what it was idle for before is forgotten with the window. */
static void an_sm_that_is_off_decides_nothing(void **state)
{
	struct bed *b = dyncore_bed();
	u32 less;

	(void)state;
	policy_put(&b->policy, POLICY_cta_limit, SCHEME_dyncta);
	bed_open(b);
	bed_run_to(b, 20);
	while (!b->sim.view[2].bounds->off)
		end_active_window(b, 10);
	less = own(b, 2)->less = 2;
	sm_of(b, 2)->stat[STAT_IDLE_CYCLES] += 30;
	end_active_window(b, 10);
	assert_true(own(b, 2)->less == less && own(b, 2)->c_idle >= 30);
	end_active_window(b, 10);
	assert_true(own(b, 2)->less == less && own(b, 2)->c_idle == 0);
	assert_int_equal(own(b, 2)->idle, sm_of(b, 2)->stat[STAT_IDLE_CYCLES]);
	bed_close(b);
}

/* G_act is what SMs were active for in the window alone, the first of a kernel from its beginning on (section 4.2). */
static void activity_is_that_of_the_window(void **state)
{
	struct bed *b = dyncta_bed(9, 4);
	const struct dyncore_gpu *gpu;
	u64 begun = 0, base = 0, windows = 0;

	(void)state;
	bed_launch(b, 0, 6, 32);
	b->config.gpu_sms = 3;
	b->config.dyncore_cores = 1;
	policy_put(&b->policy, POLICY_cta_gate, SCHEME_dyncore);
	bed_open(b);
	gpu = scheme_own_gpu(b->sim.m, SCHEME_dyncore);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		sim_sync(&b->sim);
		u64 sum = sim_sm_stat(&b->sim, STAT_ACTIVE_CYCLES);
		bool end = (bed_cycle(b) - gpu->begun) % WINDOW == 0 && bed_cycle(b) > gpu->begun;
		if (gpu->begun != begun)
			base = sum; /* its first warps issue later */
		else if (end)
			assert_int_equal(gpu->g_act, sum - base);
		windows += end;
		base = end ? sum : base;
		begun = gpu->begun;
	}
	assert_true(begun && windows > 8 && !b->sim.view[2].bounds->off);
	bed_close(b);
}

/* Where no CTA of an SM ends for dyncta.max_paused windows and others wait, nothing stays closed. */
static void gates_are_lifted(void **state)
{
	struct bed *b = dyncore_bed();
	const struct dyncore_gpu *gpu;

	(void)state;
	b->config.dyncta_max_paused = 3;
	bed_open(b);
	gpu = scheme_own_gpu(b->sim.m, SCHEME_dyncore);
	for (u32 i = 0; i < 5; i++) {
		end_active_window(b, 10);
		assert_int_equal(gpu->closed, i < 2);
	}
	while (!sm_of(b, 0)->stat[STAT_CTA_FINISHED] || !sm_of(b, 1)->stat[STAT_CTA_FINISHED] ||
	       !sm_of(b, 2)->stat[STAT_CTA_FINISHED])
		end_active_window(b, 10);
	end_active_window(b, 10);
	assert_int_equal(gpu->closed, 1);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_the_report),
		cmocka_unit_test(the_table_of_decisions),
		cmocka_unit_test(the_machine_decides_so),
		cmocka_unit_test(pause_and_resume),
		cmocka_unit_test(the_paused_go_on_before_others_come),
		cmocka_unit_test(where_n_starts),
		cmocka_unit_test(it_starts_again),
		cmocka_unit_test(what_an_empty_sm_takes),
		cmocka_unit_test(n_counts_virtual_ctas),
		cmocka_unit_test(another_beside_starts_nothing),
		cmocka_unit_test(the_same_launch_goes_on),
		cmocka_unit_test(counters_begin_anew_with_a_window),
		cmocka_unit_test(windows_follow_each_other),
		cmocka_unit_test(a_late_start_is_not_judged_by_before),
		cmocka_unit_test(a_kernel_begins_the_counters),
		cmocka_unit_test(the_paused_issue_where_no_other_can),
		cmocka_unit_test(one_that_ends_does_not_resume),
		cmocka_unit_test(ctas_are_dealt_in_turn),
		cmocka_unit_test(a_paused_cta_has_its_window),
		cmocka_unit_test(a_place_is_not_paused),
		cmocka_unit_test(which_windows_are_barren),
		cmocka_unit_test(n_rises_where_nothing_ends),
		cmocka_unit_test(windows_behind_an_end_are_barren),
		cmocka_unit_test(who_may_rise_is_not_stuck),
		cmocka_unit_test(n_stays_where_nobody_waits),
		cmocka_unit_test(a_deadlock_is_found),
		cmocka_unit_test(counters_are_what_warps_wait_for),
		cmocka_unit_test(a_barrier_counts_beside_a_load),
		cmocka_unit_test(the_mean_of_n),
		cmocka_unit_test(a_static_limit),
		cmocka_unit_test(the_threshold_scales),
		cmocka_unit_test(cores_grow_with_the_gpu),
		cmocka_unit_test(windows_begin_with_the_kernel),
		cmocka_unit_test(an_sm_is_switched_off_and_on),
		cmocka_unit_test(an_sm_that_is_off_decides_nothing),
		cmocka_unit_test(activity_is_that_of_the_window),
		cmocka_unit_test(gates_are_lifted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
