/*
 * test_core_l1d.c - the places of the L1D: their lists against what the tags say, MSHRs found by line, and the array
 * that the L1D shares with shared memory.
 */
#include "core_bed.h"

/* --- the lists say what the tags say --- */

/* Every line is found in its place, and in no other; returns how many there are. */
static u32 assert_lines_found(const struct sm_view *v)
{
	u32 n = v->l1d_sets * v->l1d_ways_max, lines = 0;

	for (u32 i = 0; i < n; i++) {
		if (!v->l1d[i].line)
			continue;
		lines++;
		assert_ptr_equal(l1d_find(v, v->l1d[i].line), &v->l1d[i]);
		assert_int_equal((v->l1d[i].line - 1) % v->l1d_sets, i / v->l1d_ways_max);
		assert_true(i % v->l1d_ways_max < v->sm->l1d_ways);
	}
	return lines;
}

/* The list of a set has each of its ways once, empty ones first, then in the order of use. */
static void assert_set_ordered(const struct sm_view *v, u32 set)
{
	u32 first = set * v->l1d_ways_max, n = 0, used = 0;
	bool lines = false;

	for (u32 at = v->l1d_chain[first].oldest; at; at = v->l1d_chain[at - 1].newer, n++) {
		const struct tag *t = &v->l1d[at - 1];

		assert_int_equal((at - 1) / v->l1d_ways_max, set);
		assert_true(t->line ? t->used > used : !lines);
		lines = t->line != 0;
		used = t->used;
		if (!v->l1d_chain[at - 1].newer)
			assert_int_equal(v->l1d_chain[first].newest, at);
	}
	assert_int_equal(n, v->sm->l1d_ways);
}

/* Those who wait for an MSHR are as many as it says, each for a sector that was asked for; with l1d.early,
 * where what has come can be hit, for one that has not come. */
static void assert_waiters_counted(const struct sm_view *v, const struct mshr *m)
{
	const struct config *c = &v->m->config;
	u32 n = 0, there = c->l1d_early && c->l1d_allocate ? m->arrived : 0;
	u16 last = NONE16;

	for (u16 at = m->first; n < m->count && at != NONE16; at = v->waiter[at].next, n++) {
		assert_true(v->waiter[at].sectors & m->asked & ~there);
		last = at;
	}
	assert_int_equal(n, m->count);
	assert_int_equal(last, m->last);
	assert_int_equal(v->waiter[last].next, NONE16);
}

/* Every MSHR with a line is found; the free ones are the others. */
static void assert_mshrs_found(const struct sm_view *v)
{
	struct mshr_table t = {v->mshr, v->m->config.l1d_mshrs, &v->sm->mshr_free};
	u32 used = 0, unused = 0;

	for (u32 i = 0; i < t.n; i++) {
		used += t.mshr[i].line != 0;
		if (!t.mshr[i].line)
			continue;
		assert_ptr_equal(mshr_find(t, t.mshr[i].line), &t.mshr[i]);
		assert_waiters_counted(v, &t.mshr[i]);
	}
	for (u32 at = *t.free; at; at = t.mshr[at - 1].next, unused++)
		assert_int_equal(t.mshr[at - 1].line, 0);
	assert_int_equal(used, v->sm->mshrs_used);
	assert_int_equal(used + unused, t.n);
}

/* Where a miss takes its place, every line on its way has one that is kept for it, whatever stores throw out; else none
 * is. */
static void assert_places_kept(const struct sm_view *v)
{
	u32 n = v->l1d_sets * v->l1d_ways_max, kept = 0;

	for (u32 i = 0; i < n; i++)
		kept += v->l1d[i].reserved;
	assert_int_equal(kept, v->m->config.l1d_allocate ? v->sm->mshrs_used : 0);
	for (u32 i = 0; i < v->m->config.l1d_mshrs && kept; i++)
		if (v->mshr[i].line)
			assert_true(l1d_find(v, v->mshr[i].line)->reserved);
}

/* In runs full of loads, stores, atomics and kernel ends, with few places, in every 16th cycle. */
static void lists_and_tags_agree(void **state)
{
	u32 most = 0;

	(void)state;
	for (u32 seed = 0; seed < 12; seed++) {
		struct bed *b = bed_crowd(seed);
		struct sm_view *v;

		b->config.l1d_bytes = 2048;
		b->config.l1d_ways = seed & 1 ? 8 : 2;
		b->config.l1d_allocate = seed >> 1 & 1;
		b->config.l1d_write = seed >> 2 & 1;
		b->config.l1d_unified = seed & 8 ? 16384 : 0;
		b->config.l1d_early = seed % 3 == 0;
		bed_open(b);
		v = b->sim.view;
		while (!sim_finished(&b->sim)) {
			sim_cycle(&b->sim);
			if (bed_cycle(b) % 16 || !v->sm->l1d_ways)
				continue;
			u32 lines = assert_lines_found(v);

			most = lines > most ? lines : most;
			for (u32 set = 0; set < v->l1d_sets; set++)
				assert_set_ordered(v, set);
			assert_mshrs_found(v);
			assert_places_kept(v);
		}
		bed_close(b);
	}
	assert_true(most > 8);
}

/* A line has one sector, a second is on its way, and a store throws out the first: the place is kept for what comes. */
static void a_store_leaves_the_place(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.l1d_line = 128;
	b->config.l1d_allocate = b->config.l1d_write = 1;
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4); /* the next load waits for the first */
	bed_load(b, 0, 6, BED_BASE + 32);
	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		assert_places_kept(b->sim.view);
	}
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MISSES), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_WRITE_HITS), 1);
	bed_close(b);
}

/*
 * Two loads of a line before it is there, one that goes past the L1D and two plain ones behind it: the one past it
 * takes an L2's round trip though the line is present, and brings no line; it needs no MSHR and has its counter.
 */
static void some_loads_go_past(void **state)
{
	static const u64 same[] = {0, 0, 0, 0};

	(void)state;
	for (u32 enabled = 0; enabled < 2; enabled++) {
		struct bed *b = bed_chain(same, 4);

		b->config.l1d_enabled = enabled;
		b->config.l1d_mshrs = 1;
		b->config.l1d_latency = 1;
		b->config.icnt_latency = 20;
		b->kernel[0].inst[0].aux = b->kernel[0].inst[4].aux = ACCESS_PAST;
		bed_open(b);
		u64 first = bed_round_trip(b, 0), second = bed_round_trip(b, 1), third = bed_round_trip(b, 2);
		u64 fourth = bed_round_trip(b, 3);
		assert_true(first > 40 && second > 40 && third > 40);
		assert_int_equal(second, third); /* neither finds it in the L1D; both hit the L2 */
		if (enabled)
			assert_true(fourth < 10);
		else
			assert_int_equal(fourth, second);
		bed_run(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_PAST), enabled ? 2 : 0);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_ACCESSES), enabled ? 2 : 4);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), enabled ? 1 : 0);
		assert_int_equal(sim_event_count(&b->sim, EVENT_L1D_PAST), enabled ? 2 : 0);
		bed_close(b);
	}
}

/* Local memory is in the L1D, whatever a load says. */
static void local_memory_does_not(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->kernel[0].local_bytes = 64;
	for (u32 i = 0; i < 2; i++) {
		struct inst *in = bed_load(b, 0, 4 + i, 8);

		in->space = SPACE_LOCAL;
		in->aux = ACCESS_PAST;
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_PAST), 0);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_ACCESSES), 2);
	bed_close(b);
}

/* A store to `space`, then a load of the word that it wrote and one of the word that it did not: hits of loads, and
 * lines written that were there. */
static void store_then_loads(u32 local, enum space space, u64 *hits, u64 *present)
{
	struct bed *b = bed_new();
	u64 base = space == SPACE_LOCAL ? 8 : BED_BASE;
	struct inst *in;

	b->config.l1d_local = local;
	b->kernel[0].local_bytes = 256;
	for (u32 i = 0; i < 2; i++)
		bed_memory(b, 0, OP_ST, CLASS_STORE, base)->space = (u8)space;
	for (u32 i = 0; i < 2; i++) {
		in = bed_load(b, 0, 4 + i, base + i * 64);
		in->space = (u8)space;
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	*hits = sim_sm_stat(&b->sim, STAT_L1D_HITS);
	*present = sim_sm_stat(&b->sim, STAT_L1D_WRITE_HITS);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_WRITES), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_ACCESSES), 2);
	bed_close(b);
}

/* l1d.local: what a local store wrote is in the L1D, and nothing else. */
static void local_stores_stay(void **state)
{
	u64 hits, present;
	struct config c;
	struct error e = {0};

	(void)state;
	store_then_loads(0, SPACE_LOCAL, &hits, &present);
	assert_int_equal(hits + present, 0);
	store_then_loads(1, SPACE_LOCAL, &hits, &present);
	assert_int_equal(hits, 1);
	assert_int_equal(present, 1);
	store_then_loads(1, SPACE_GLOBAL, &hits, &present);
	assert_int_equal(hits + present, 0);
	config_default(&c);
	c.l1d_local = c.l1d_write = 1;
	assert_int_equal(config_check(&c, &e), STATUS_FAILED);
}

/*
 * A load of sector 0, 20 other instructions, loads of sectors 1 and 0 of the same line, and one of sector 0 for which
 * the MSHR has no merge left. With l1d.early who needs sector 0 does not wait for sector 1, and the last load hits it
 * then, unless lines get their places only when they are complete: it merges again, and is answered with the second.
 */
static void a_load_waits_for_its_own_sectors(void **state)
{
	static const u64 one[] = {0};
	static const u32 reads[] = {4, 6, 7, 5}; /* sector 0, 0 merged, 0 refused, 1 */
	struct bed *b = bed_chain(one, 1);

	(void)state;
	b->config.icnt_latency = 20;
	bed_open(b);
	u64 trip = bed_round_trip(b, 0);
	bed_close(b);
	for (u32 i = 0; i < 4; i++) {
		bool early = i & 1, on_miss = i & 2;

		b = bed_new();
		b->config.l1d_early = early;
		b->config.l1d_allocate = on_miss;
		b->config.l1d_merges = 3;
		b->config.icnt_latency = 20;
		bed_load(b, 0, 4, BED_BASE);
		for (u32 k = 0; k < 20; k++)
			bed_alu(b, 0, CLASS_INT, 8 + k % 4, 0);
		bed_load(b, 0, 5, BED_BASE + 32);
		bed_load(b, 0, 6, BED_BASE);
		bed_load(b, 0, 7, BED_BASE);
		for (u32 k = 0; k < 4; k++)
			bed_alu(b, 0, CLASS_INT, 16 + k, 1, reads[k]); /* instructions 24 to 27 */
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		u64 come = bed_when(b, 0, 0, 0) + trip, all = bed_when(b, 0, 0, 21) + trip, served = early ? come : all;
		assert_true(bed_cycle(b) < come && come + 10 < all);
		assert_int_equal(bed_when(b, 0, 0, 24), served);
		assert_mshrs_found(b->sim.view);
		assert_int_equal(bed_when(b, 0, 0, 25), served + 1);
		assert_int_equal(bed_when(b, 0, 0, 26), early && !on_miss ? all : served + b->config.l1d_latency);
		bed_run(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MISSES), 1);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MERGES), early && !on_miss ? 3 : 2);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), early && !on_miss ? 0 : 1);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_REQUESTS), 2);
		assert_mshrs_found(b->sim.view);
		assert_int_equal(b->sim.view->sm->mshrs_used, 0);
		bed_close(b);
	}
}

/* --- one array for the L1D and shared memory --- */

/* 9 KiB in one set of lines of 128 bytes: a kernel without shared memory has 72 ways; with at most 8 KiB of it 8, with
 * more 1. */
static void shared_memory_takes_ways(void **state)
{
	static const struct {
		u32 shared, ways;
	} known[] = {{0, 72}, {4, 8}, {8192, 8}, {8193, 1}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		struct bed *b = bed_new();

		b->config.l1d_line = 128;
		b->config.l1d_ways = 8;
		b->config.l1d_bytes = 1024;
		b->config.l1d_unified = 9216;
		b->config.sm_ctas = 1; /* else as much shared memory as the CTAs that fit take */
		bed_load(b, 0, 4, BED_BASE);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32)->shared = known[i].shared;
		bed_open(b);
		bed_run(b);
		assert_int_equal(b->sim.view[0].sm->l1d_ways, known[i].ways);
		bed_close(b);
	}
}

/* A line each of 16: read twice they hit the second time if the array leaves room for them. */
static void room_is_used(void **state)
{
	(void)state;
	for (u32 shared = 0; shared < 2; shared++) {
		struct bed *b = bed_new();

		b->config.l1d_line = 128;
		b->config.l1d_ways = 8;
		b->config.l1d_bytes = 1024;
		b->config.l1d_unified = 9216;
		for (u32 i = 0; i < 32; i++)
			bed_load(b, 0, 4 + i % 16, BED_BASE + i % 16 * 128);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32)->shared = shared * 128;
		bed_open(b);
		bed_run(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), shared ? 0 : 16);
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_and_tags_agree),	    cmocka_unit_test(a_store_leaves_the_place),
		cmocka_unit_test(some_loads_go_past),	    cmocka_unit_test(local_memory_does_not),
		cmocka_unit_test(shared_memory_takes_ways), cmocka_unit_test(room_is_used),
		cmocka_unit_test(local_stores_stay),	    cmocka_unit_test(a_load_waits_for_its_own_sectors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
