/*
 * test_core_reexec.c - the re-execution queue of the LSU, cycle by cycle: who moves aside, who passes, who comes back
 * when.
 *
 * One warp issues its first memory instruction in cycle 3, so that the LSU has it in cycle 5, the next in 6, and so on.
 * The L1D has one MSHR; the line that takes it in cycle 5 is back in cycle 13, which frees it for that cycle's try.
 */
#include "core_bed.h"

#define LINE 128

/* What happened in which cycle: "6 reexec 1" is event reexec with a = 1. */
static void story(struct bed *b, char *out, u32 room)
{
	static const enum event_kind kind[] = {EVENT_REEXEC, EVENT_BYPASS, EVENT_REEXEC_SERVED};
	u32 n = 0;

	out[0] = 0;
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		u64 cycle = bed_cycle(b);

		sim_cycle(&b->sim);
		bed_check_sums(b);
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			const struct record *r = &b->sim.bus.record[i];

			for (u32 k = 0; k < ARRAY_LEN(kind); k++)
				if (r->kind == kind[k])
					n += (u32)snprintf(out + n, room - n, "%s%llu %s %u", n ? ", " : "",
							   (unsigned long long)cycle, event_table[r->kind].name, r->a);
			assert_true(n < room);
		}
	}
	assert_int_equal(b->sim.view[0].sm->reexec_count + b->sim.view[0].sm->reexec_at, 0);
}

static struct bed *bed_of(enum reexec kind, u32 entries)
{
	struct bed *b = bed_new();

	b->config.lsu_reexec = kind;
	b->config.lsu_reexec_entries = entries;
	b->config.l1d_mshrs = 1;
	return b;
}

/* Loads of line 0, of line 1, which is refused, and of line 0 again, which joins the first. */
static struct bed *three_loads(enum reexec kind, u32 entries)
{
	struct bed *b = bed_of(kind, entries);

	bed_load(b, 0, 4, BED_BASE);
	bed_load(b, 0, 5, BED_BASE + LINE);
	bed_load(b, 0, 6, BED_BASE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	return b;
}

/* newcar: the third passes the second, which is tried in every idle cycle and taken when the line of the first is back.
 */
static void a_load_passes(void **state)
{
	struct bed *b = three_loads(REEXEC_NEWCAR, 2);
	char got[256];

	(void)state;
	story(b, got, sizeof got);
	assert_string_equal(got, "6 reexec 1, 7 bypass 1, 13 reexecserved 0");
	assert_int_equal(bed_stat(b, STAT_REEXEC_MOVED), 1);
	assert_int_equal(bed_stat(b, STAT_REEXEC_UNTRIED), 0);
	assert_int_equal(bed_stat(b, STAT_REEXEC_RESUMED), 1);
	assert_int_equal(bed_stat(b, STAT_REEXEC_BYPASSES), 1);
	assert_int_equal(bed_stat(b, STAT_REEXEC_TRIES), 6);   /* cycles 8 to 13 */
	assert_int_equal(bed_stat(b, STAT_REEXEC_WAITING), 7); /* cycles 7 to 13 */
	assert_int_equal(bed_stat(b, STAT_REEXEC_FULL), 0);
	assert_int_equal(bed_stat(b, STAT_L1D_REFUSED_MSHRS), 6); /* cycle 6, and 8 to 12 */
	assert_int_equal(bed_stat(b, STAT_L1D_MERGES), 1);
	bed_close(b);
}

/* car: a warp keeps its order; the third waits in the LSU, whose cycles are idle, and finds its line there in cycle 14.
 */
static void car_keeps_the_order(void **state)
{
	struct bed *b = three_loads(REEXEC_CAR, 2);
	char got[256];

	(void)state;
	story(b, got, sizeof got);
	assert_string_equal(got, "6 reexec 1, 13 reexecserved 0");
	assert_int_equal(bed_stat(b, STAT_REEXEC_TRIES), 7); /* cycles 7 to 13 */
	assert_int_equal(bed_stat(b, STAT_L1D_HITS), 1);
	bed_close(b);
}

/* car: warps have an instruction each aside, the second one behind the first: in cycle 13 one takes the MSHR, in 14 the
 * other joins it. */
static void a_place_for_each_warp(void **state)
{
	struct bed *b = bed_of(REEXEC_CAR, 2);
	char got[256];

	(void)state;
	bed_load(b, 0, 4, BED_BASE);
	bed_load(b, 0, 5, BED_BASE + LINE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64); /* they take turns: cycles 5 and 6 of the LSU are line 0's, 7 and 8 line 1's */
	story(b, got, sizeof got);
	assert_string_equal(got, "7 reexec 1, 8 reexec 1, 13 reexecserved 1, 14 reexecserved 0");
	bed_close(b);
}

/* newcar: a store may not pass a load of its warp: it moves behind it, untried, in a cycle in which the queue is
 * served. */
static void a_store_stays_behind(void **state)
{
	struct bed *b = bed_of(REEXEC_NEWCAR, 2);
	char got[256];

	(void)state;
	bed_load(b, 0, 4, BED_BASE);
	bed_load(b, 0, 5, BED_BASE + LINE);
	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE + 2 * LINE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	story(b, got, sizeof got);
	assert_string_equal(got, "6 reexec 1, 7 reexec 0, 13 reexecserved 1, 14 reexecserved 0");
	assert_int_equal(bed_stat(b, STAT_REEXEC_UNTRIED), 1);
	assert_int_equal(bed_stat(b, STAT_REEXEC_TRIES), 8); /* cycles 7 to 14: the store is tried once */
	bed_close(b);
}

/* With one place the LSU stands still as long as it is taken, up to the cycle in which it is free again. */
static void a_full_queue_stops_the_lsu(void **state)
{
	struct bed *b = three_loads(REEXEC_NEWCAR, 1);
	char got[256];

	(void)state;
	story(b, got, sizeof got);
	assert_string_equal(got, "6 reexec 1, 13 reexecserved 0");
	assert_int_equal(bed_stat(b, STAT_REEXEC_FULL), 7); /* cycles 7 to 13 */
	assert_int_equal(bed_stat(b, STAT_L1D_HITS), 1);    /* the third, in cycle 14 */
	bed_close(b);
	/* with nobody behind the second nobody stands still */
	b = bed_of(REEXEC_NEWCAR, 1);
	bed_load(b, 0, 4, BED_BASE);
	bed_load(b, 0, 5, BED_BASE + LINE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	story(b, got, sizeof got);
	assert_string_equal(got, "6 reexec 1, 13 reexecserved 0");
	assert_int_equal(bed_stat(b, STAT_REEXEC_FULL), 0);
	bed_close(b);
}

/* Shared memory passes all, and keeps the LSU busy while the queue is served. */
static void shared_memory_passes(void **state)
{
	struct bed *b = bed_of(REEXEC_CAR, 2);
	char got[256];

	(void)state;
	bed_load(b, 0, 4, BED_BASE);
	bed_load(b, 0, 5, BED_BASE + LINE);
	bed_memory(b, 0, OP_LD, CLASS_SHLOAD, 0)->ndst = 0;
	bed_exit(b, 0);
	b->kernel[0].static_shared = 128;
	bed_launch(b, 0, 1, 32);
	story(b, got, sizeof got);
	assert_string_equal(got, "6 reexec 1, 13 reexecserved 0");
	assert_int_equal(bed_stat(b, STAT_SHARED_ACCESSES), 1);
	assert_int_equal(bed_stat(b, STAT_REEXEC_TRIES), 7); /* cycle 7, in which shared memory is served, to 13 */
	bed_close(b);
}

/* The youngest place first. */
static u32 youngest(const struct sched_view *v, const u64 *places)
{
	u32 last = NONE32;

	SET_EACH (i, places, SLOT_WORDS)
		last = i;
	assert_true(last < v->sm->reexec_count);
	return last;
}

const struct scheme scheme_trial[SCHEME_TRIALS] = {{.name = "youngest", .doc = "", .decide.reexec = youngest}};

/* Three warps wait aside, each for a line of its own: who leaves is a policy's choice, by default the oldest. */
static void a_policy_names_who_leaves(void **state)
{
	static const char *const want[] = {"012", "210"};

	(void)state;
	for (u32 named = 0; named < 2; named++) {
		struct bed *b = bed_of(REEXEC_CAR, 4);
		char got[8] = "";
		u32 n = 0;

		if (named)
			policy_put(&b->policy, POLICY_reexec, SCHEME_COUNT);
		b->config.dram_latency = 40;
		bed_address_by(b, 0, 2, SREG_TID_X, BED_BASE, 4);
		bed_load(b, 0, 4, BED_BASE + 4096);
		bed_through(bed_load(b, 0, 5, 0), 2);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 96);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			struct record r;

			sim_cycle(&b->sim);
			if (bed_records(b, EVENT_REEXEC_SERVED, &r))
				got[n++] = (char)('0' + r.warp);
		}
		assert_string_equal(got, want[named]);
		bed_close(b);
	}
}

/* Off: nothing of it exists, and the second keeps the LSU until it is taken. */
static void off(void **state)
{
	struct bed *b = three_loads(REEXEC_OFF, 32);
	char got[256];

	(void)state;
	story(b, got, sizeof got);
	assert_string_equal(got, "");
	assert_int_equal(b->sim.m->section[SECTION_REEXEC].count, 0);
	assert_int_equal(bed_stat(b, STAT_L1D_REFUSED_MSHRS), 7); /* cycles 6 to 12 */
	bed_close(b);
}

/* Loads, stores and atomics of many warps through short queues: all are answered, and what moved aside came back. */
static void a_crowd(void **state)
{
	(void)state;
	for (u32 seed = 0; seed < 12; seed++) {
		struct bed *b = bed_crowd(seed);
		const struct sim *s = &b->sim;

		b->config.lsu_reexec = seed % 2 ? REEXEC_CAR : REEXEC_NEWCAR;
		b->config.lsu_reexec_entries = 1 + seed % 5;
		bed_open(b);
		bed_run(b);
		assert_int_equal(sim_sm_stat(s, STAT_REEXEC_MOVED), sim_sm_stat(s, STAT_REEXEC_RESUMED));
		assert_true(sim_sm_stat(s, STAT_REEXEC_MOVED) > 0);
		assert_int_equal(sim_sm_stat(s, STAT_REQUESTS), sim_sm_stat(s, STAT_REPLIES));
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_load_passes),
		cmocka_unit_test(car_keeps_the_order),
		cmocka_unit_test(a_place_for_each_warp),
		cmocka_unit_test(a_store_stays_behind),
		cmocka_unit_test(a_full_queue_stops_the_lsu),
		cmocka_unit_test(shared_memory_passes),
		cmocka_unit_test(a_policy_names_who_leaves),
		cmocka_unit_test(off),
		cmocka_unit_test(a_crowd),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
