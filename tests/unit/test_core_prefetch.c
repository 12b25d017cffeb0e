/*
 * test_core_prefetch.c - code lines asked for ahead (l1i.prefetch), cycle by cycle.
 *
 * The times of a cold L1I are those of test_core_control.c: the lookup of line 0 in cycle 1 misses and its line is
 * there in 15; fetched again in 15, issued from 17 on. A request that leaves beside another comes 4 cycles behind it,
 * because a line holds the bus and the port of answers for 4: line 1, asked for in cycle 1, too, is there in 19. A line
 * has 8 instructions. A buffer of 16 has room for the second line in 16, a buffer of 8 when the first is empty, in 24.
 */
#include "core_bed.h"

/* n instructions and an exit behind a cold L1I; lookups ask ahead below `threshold`. */
static struct bed *cold_bed(u32 n, u32 threshold, u32 buffer)
{
	struct bed *b = bed_new();

	b->config.l1i_perfect = 0;
	b->config.l1i_prefetch = threshold;
	b->config.sm_ibuffer = buffer;
	for (u32 i = 0; i < n; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i % 24, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	return b;
}

/* What was asked for ahead: "1:line 1 used 1" for each, the cycle first; the program starts anew and ends. */
static void asked(struct bed *b, char *out, u32 room)
{
	u64 code;
	u32 n = 0;

	out[0] = 0;
	bed_open(b);
	code = b->sim.code[0];
	while (!sim_finished(&b->sim)) {
		u64 cycle = bed_cycle(b);
		struct record r;

		sim_cycle(&b->sim);
		if (!bed_records(b, EVENT_IPREFETCH, &r))
			continue;
		n += (u32)snprintf(out + n, room - n, "%s%llu:line %llu used %u", n ? ", " : "",
				   (unsigned long long)cycle, (unsigned long long)(r.address - code) / 128, r.a);
		assert_true(n < room);
	}
}

/* The buffer has room for line 1 in 16, three cycles before it is there: nothing is lost between 24 and 25. */
static void a_line_asked_for_ahead(void **state)
{
	struct bed *b = cold_bed(10, 16, 16);

	(void)state;
	bed_expect(b, 0,
		   ".............."
		   "00000000"
		   "000");
	assert_int_equal(bed_stat(b, STAT_FETCHES), 4); /* in 1, 15, 16, 19 */
	assert_int_equal(bed_stat(b, STAT_L1I_MISSES), 1);
	assert_int_equal(bed_stat(b, STAT_L1I_MERGES), 1);
	assert_int_equal(bed_stat(b, STAT_L1I_HITS), 2);
	assert_int_equal(bed_stat(b, STAT_L1I_AHEAD), 1);
	assert_int_equal(bed_stat(b, STAT_L1I_AHEAD_USEFUL), 1);
	assert_int_equal(bed_stat(b, STAT_L1I_AHEAD_LATE), 1);
	assert_int_equal(bed_stat(b, STAT_REQUESTS), 2);
	bed_close(b);
}

/* Wanted in 24, when it has been there since 19: decoded in 25, issued from 26 on. Without it, there in 24 + 14. */
static void a_line_there_in_time(void **state)
{
	struct bed *b = cold_bed(10, 16, 8);

	(void)state;
	bed_expect(b, 0,
		   ".............."
		   "00000000"
		   "."
		   "000");
	assert_int_equal(bed_stat(b, STAT_L1I_MISSES), 1);
	assert_int_equal(bed_stat(b, STAT_L1I_MERGES), 0);
	assert_int_equal(bed_stat(b, STAT_L1I_AHEAD_USEFUL), 1);
	assert_int_equal(bed_stat(b, STAT_L1I_AHEAD_LATE), 0);
	b->config.l1i_prefetch = 0;
	bed_expect(b, 0,
		   ".............."
		   "00000000"
		   "..............."
		   "000");
	assert_int_equal(bed_stat(b, STAT_L1I_MISSES), 2);
	assert_int_equal(bed_stat(b, STAT_L1I_AHEAD), 0);
	bed_close(b);
}

/* Threshold 1: the miss of cycle 1 is itself in use; the hit of 15 finds none in use and asks: there in 15 + 14. */
static void hits_ask_too(void **state)
{
	struct bed *b = cold_bed(10, 1, 16);
	char got[128];

	(void)state;
	bed_expect(b, 0,
		   ".............."
		   "00000000"
		   "......"
		   "000");
	assert_int_equal(bed_stat(b, STAT_L1I_AHEAD_HELD), 1);
	assert_int_equal(bed_stat(b, STAT_L1I_AHEAD_LATE), 1);
	asked(b, got, sizeof got);
	assert_string_equal(got, "15:line 1 used 0");
	b->config.l1i_prefetch = 2;
	asked(b, got, sizeof got);
	assert_string_equal(got, "1:line 1 used 1");
	bed_close(b);
}

/* MSHRs of the L1D are in use, too: loads issued from 17 on hold theirs from 19 and 20 to 27 and later, when the hit of
 * line 1 in 24 may ask for line 2. */
static void data_in_flight_counts(void **state)
{
	static const char *const want[] = {"1:line 1 used 1, 24:line 2 used 0", "1:line 1 used 1, 24:line 2 used 1",
					   "1:line 1 used 1"};

	(void)state;
	for (u32 loads = 0; loads < 3; loads++) {
		struct bed *b = bed_new();
		char got[128];

		b->config.l1i_perfect = 0;
		b->config.l1i_prefetch = 2;
		b->config.sm_ibuffer = 8;
		for (u32 i = 0; i < loads; i++)
			bed_load(b, 0, 4 + i, BED_BASE + i * 128);
		for (u32 i = loads; i < 18; i++)
			bed_alu(b, 0, CLASS_INT, 8 + i % 16, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		asked(b, got, sizeof got);
		assert_string_equal(got, want[loads]);
		assert_int_equal(bed_stat(b, STAT_L1I_AHEAD_HELD), loads == 2);
		bed_close(b);
	}
}

/* Eight instructions are one line: there is no other. With nine there is. */
static void not_beyond_the_kernel(void **state)
{
	(void)state;
	for (u32 more = 0; more < 2; more++) {
		struct bed *b = cold_bed(7 + more, 16, 16);

		bed_open(b);
		bed_run(b);
		assert_int_equal(bed_stat(b, STAT_L1I_AHEAD), more);
		assert_int_equal(bed_stat(b, STAT_L1I_AHEAD_HELD) + bed_stat(b, STAT_L1I_AHEAD_REFUSED), 0);
		bed_close(b);
	}
}

/* One MSHR: the miss of cycle 1 has it; the hit of 15 asks. One place in the queue of the crossbar: the same. */
static void no_room(void **state)
{
	(void)state;
	for (u32 queue = 0; queue < 2; queue++) {
		struct bed *b = cold_bed(10, 16, 16);
		char got[128];

		if (queue)
			b->config.icnt_queue = 1;
		else
			b->config.l1i_mshrs = 1;
		asked(b, got, sizeof got);
		assert_string_equal(got, "15:line 1 used 0");
		assert_int_equal(bed_stat(b, STAT_L1I_AHEAD_REFUSED), 1);
		bed_close(b);
	}
}

/* An L1I of two lines. Line 0 jumps to line 4 in 24: what was asked for behind line 0 is pushed out by the line behind
 * line 4, which is not wanted either and stays. */
static void a_line_nobody_wanted(void **state)
{
	struct bed *b = bed_new();
	char got[128];

	(void)state;
	b->config.l1i_perfect = 0;
	b->config.l1i_prefetch = 16;
	b->config.l1i_bytes = 256;
	b->config.l1i_ways = 2;
	b->config.sm_ibuffer = 8;
	for (u32 i = 0; i < 48; i++) {
		if (i == 7)
			bed_branch(b, 0, BED_NO_PRED, 32, 32);
		else if (i < 36)
			bed_alu(b, 0, CLASS_INT, 1 + i % 24, 0);
		else
			bed_exit(b, 0);
	}
	bed_launch(b, 0, 1, 32);
	asked(b, got, sizeof got);
	bed_run_to(b, bed_cycle(b) + 20);
	assert_string_equal(got, "1:line 1 used 1, 25:line 5 used 1");
	assert_int_equal(bed_stat(b, STAT_L1I_AHEAD_USEFUL), 0);
	assert_int_equal(bed_stat(b, STAT_L1I_AHEAD_WASTED), 1);
	assert_int_equal(b->sim.view[0].l1i[0].ahead + b->sim.view[0].l1i[1].ahead, 1);
	bed_close(b);
}

/* Line 1 jumps back to line 0, round and round: both are there, and nothing more is asked for. */
static void a_line_that_is_there(void **state)
{
	struct bed *b = cold_bed(10, 16, 8);

	(void)state;
	b->kernel[0].ninst = 9;
	bed_branch(b, 0, BED_NO_PRED, 0, 0);
	bed_exit(b, 0);
	bed_open(b);
	bed_run_to(b, 100);
	assert_true(bed_stat(b, STAT_L1I_HITS) > 8);
	assert_int_equal(bed_stat(b, STAT_L1I_AHEAD), 1);
	assert_int_equal(bed_stat(b, STAT_REQUESTS), 2);
	bed_close(b);
}

/* A perfect L1I asks for nothing. */
static void perfect(void **state)
{
	struct bed *b = cold_bed(20, 16, 16);

	(void)state;
	b->config.l1i_perfect = 1;
	bed_open(b);
	bed_run(b);
	assert_int_equal(bed_stat(b, STAT_L1I_AHEAD), 0);
	assert_int_equal(bed_stat(b, STAT_REQUESTS), 0);
	bed_close(b);
}

/* Each line asked for is wanted, wasted, there or on its way. */
static void all_accounted(struct sim *s)
{
	u64 left = 0;

	sim_sync(s);
	for (u32 i = 0; i < s->m->config.gpu_sms; i++) {
		const struct sm_view *v = &s->view[i];

		left += v->l1i[0].ahead + v->l1i[1].ahead;
		for (u32 k = 0; k < s->m->config.l1i_mshrs; k++)
			left += v->imiss[k].ahead == 1;
	}
	assert_int_equal(sim_sm_stat(s, STAT_L1I_AHEAD),
			 sim_sm_stat(s, STAT_L1I_AHEAD_USEFUL) + sim_sm_stat(s, STAT_L1I_AHEAD_WASTED) + left);
	assert_true(sim_sm_stat(s, STAT_L1I_AHEAD) > 0);
}

/* Even seeds: loads, stores and atomics of many warps, in code that the L1I does not hold. Odd ones: a load of 32
 * lines, one in a cycle, while a jump asks for two lines of code at once. The port has few places. */
static struct bed *crowd(u32 seed)
{
	struct bed *b = bed_crowd(seed);

	b->config.l1i_prefetch = 1 + seed;
	b->config.l1i_bytes = 256;
	b->config.l1i_ways = 2;
	b->config.l1i_mshrs = 4;
	b->config.icnt_queue = 3 + seed / 2 % 3;
	b->config.l1i_ports = 1;
	if (seed % 2 == 0)
		return b;
	bed_clear(b);
	b->config.l1i_prefetch = b->config.l1d_mshrs = 64;
	bed_address(b, 0, 2, BED_BASE, 128);
	bed_through(bed_load(b, 0, 4, 0), 2);
	for (u32 i = 0; i < 3; i++)
		bed_alu(b, 0, CLASS_INT, 9 + i, 0); /* meanwhile the first lines leave */
	bed_branch(b, 0, BED_NO_PRED, 32, 32);
	while (b->kernel[0].ninst < 48)
		bed_alu(b, 0, CLASS_INT, 8, 1, 8);
	bed_exit(b, 0);
	bed_launch(b, 0, 1 + seed / 6, 32);
	return b;
}

/* Many warps through short queues: asleep and ahead the same as cycle by cycle. */
static void a_crowd(void **state)
{
	(void)state;
	for (u32 seed = 0; seed < 24; seed++) {
		u64 hash[2];

		for (u32 fast = 0; fast < 2; fast++) {
			struct bed *b = crowd(seed);

			b->config.engine_sleep = b->config.engine_ahead = fast;
			bed_open(b);
			b->sim.bus.want = 0;
			if (!fast || sim_run(&b->sim, 100000) != RUN_DONE)
				bed_run(b);
			all_accounted(&b->sim);
			hash[fast] = machine_hash(b->sim.m) ^ machine_counted(b->sim.m);
			bed_close(b);
		}
		assert_int_equal(hash[0], hash[1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_asked_for_ahead),
		cmocka_unit_test(a_line_there_in_time),
		cmocka_unit_test(hits_ask_too),
		cmocka_unit_test(data_in_flight_counts),
		cmocka_unit_test(not_beyond_the_kernel),
		cmocka_unit_test(no_room),
		cmocka_unit_test(a_line_nobody_wanted),
		cmocka_unit_test(a_line_that_is_there),
		cmocka_unit_test(perfect),
		cmocka_unit_test(a_crowd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
