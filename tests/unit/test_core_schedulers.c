/*
 * test_core_schedulers.c - the issue order of every scheduler, cycle by cycle, against traces worked out by hand.
 */
#include "core_bed.h"

/*
 * A in 3..6, B in 7..10, C in 11..14 (ready from 8), L in 15..18; the miss of warp 0 comes back in 15 + 10 and all
 * four, which wait for the same line, go on from there.
 */
static void lrr_takes_turns(void **state)
{
	struct bed *b = bed_stall(SCHEME_lrr);

	(void)state;
	bed_expect(b, 0,
		   "0123"
		   "0123"
		   "0123"
		   "0123"
		   "......"
		   "0123"
		   "0123");
	bed_close(b);
}

/*
 * 3, 4	A and B of warp 0; its C waits until 8. 5, 6: warp 1, 7, 8: warp 2 (in 8 warp 0 is ready, but 2 goes on).
 * 9, 10	warp 2 waits (C from 12): the oldest ready is 0, C and L (its line is back in 20).
 * 11, 12	warp 1 (C ready since 10). 13, 14: warp 2 (C ready since 12). 15, 16: warp 3, A and B. 17..19: nothing.
 * 20, 21	the line is back and 0, 1, 2 are ready, but warp 3 issued last and its C is ready too: C, then L, a hit.
 * 22..27	the oldest first: U and EXIT of 0, of 1, of 2.
 * 31, 32	the hit of 21 is back after 10.
 */
static void gto_is_greedy_then_oldest(void **state)
{
	struct bed *b = bed_stall(SCHEME_gto);

	(void)state;
	bed_expect(b, 0,
		   "00"
		   "11"
		   "22"
		   "00"
		   "11"
		   "22"
		   "33"
		   "..."
		   "33"
		   "00"
		   "11"
		   "22"
		   "..."
		   "33");
	bed_close(b);
}

/*
 * As GTO up to 7, but in 8 warp 0 is ready again and older than 2: C and L of 0 in 8, 9 (line back in 19), of 1 in
 * 10, 11, then 2: B, C, L in 12, 13, 14, then A and B of 3. 17, 18: nothing. 19..24: U and EXIT of 0, 1, 2, although
 * warp 3 is ready from 20. 25, 26: C and L of 3, a hit: back in 36.
 */
static void oldest_always_returns_to_the_oldest(void **state)
{
	struct bed *b = bed_stall(SCHEME_oldest);

	(void)state;
	bed_expect(b, 0,
		   "0011"
		   "2"
		   "00"
		   "11"
		   "222"
		   "33"
		   ".."
		   "00"
		   "11"
		   "22"
		   "33"
		   "........."
		   "33");
	bed_close(b);
}

/*
 * Groups {0, 1} and {2, 3}; the other group runs only when both warps wait for memory (or have ended).
 * 3..6	A A B B of 0, 1. 7: both wait for A, a short latency: nothing, though 2 and 3 are ready. 8..11: C C L L.
 * 12..20	both wait for memory: the same of 2 and 3, a bubble in 16.
 * 21..24	2 and 3 wait (hits of 19 and 20, back in 29 and 30); the line of 10 is back since 20: U U EXIT EXIT of
 * 0, 1. 25..28	0, 1 have ended, 2, 3 wait. 29..32: U U EXIT EXIT of 2, 3.
 */
static void two_level_stays_in_its_group(void **state)
{
	struct bed *b = bed_stall(SCHEME_two_level);

	(void)state;
	b->config.sched_group = 2;
	bed_expect(b, 0,
		   "0101"
		   "."
		   "01"
		   "01"
		   "2323"
		   "."
		   "23"
		   "23"
		   "01"
		   "01"
		   "...."
		   "23"
		   "23");
	bed_close(b);
}

/* All four warps fit one group of 8: round robin. */
static void two_level_with_one_group_is_lrr(void **state)
{
	struct bed *b = bed_stall(SCHEME_two_level);

	(void)state;
	b->config.sched_group = 8;
	bed_expect(b, 0,
		   "0123"
		   "0123"
		   "0123"
		   "0123"
		   "......"
		   "0123"
		   "0123");
	bed_close(b);
}

/* A group all of whose warps wait at a barrier is left for the other, whose warps release it: BAR of 0, 1, then of 2,
 * 3, then, of the group of the last issue first, EXIT of 2, 3 and of 0, 1. */
static void two_level_leaves_a_group_at_a_barrier(void **state)
{
	struct bed *b = bed_new();
	char got[32];

	(void)state;
	policy_put(&b->policy, POLICY_order, SCHEME_two_level);
	b->config.sched_group = 2;
	bed_barrier(b, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	bed_issue_order(b, got);
	assert_string_equal(got, "01232301");
	assert_false(sim_deadlocked(&b->sim));
	bed_close(b);
}

/* Warps that something else keeps back for as long as it likes leave their group to others: those of halted CTAs, those
 * that a policy holds or pauses. Who only yields (a rank that defers to the order) does not; a paused CTA's does. */
static void two_level_leaves_who_is_kept_back(void **state)
{
	struct bed *b = bed_stall(SCHEME_two_level);
	const u64 others[SLOT_WORDS] = {0xc};
	struct sm_view *v;

	(void)state;
	b->config.sched_group = 2;
	v = &bed_open(b)->view[0];
	bed_run_to(b, BED_FIRST);
	u64 *kept[] = {sm_set(v, SET_HALTED), sm_seen(v, WARP_HELD), sm_seen(v, WARP_PAUSED)};
	assert_int_equal(scheme_two_level.decide.order(v->look, others), NONE32);
	for (u32 i = 0; i < ARRAY_LEN(kept); i++) {
		kept[i][0] = 3;
		assert_int_equal(scheme_two_level.decide.order(v->look, others), 2);
		kept[i][0] = 1;
		assert_int_equal(scheme_two_level.decide.order(v->look, others), NONE32);
		kept[i][0] = 0;
	}
	sm_seen(v, WARP_PAUSED)[0] = 3;
	v->m->policy_defers = 1;
	assert_int_equal(scheme_two_level.decide.order(v->look, others), NONE32);
	sm_set(v, SET_PAUSED)[0] = 3;
	assert_int_equal(scheme_two_level.decide.order(v->look, others), 2);
	bed_close(b);
}

/* What it shows is the order in which it would take them: groups from that of the last issue on, in each the slots
 * behind the last issue, of four groups of two. */
static void two_level_shows_its_order(void **state)
{
	static const struct {
		u16 last;
		u8 group[8], distance[8];
	} row[] = {
		{NONE16, {0, 0, 1, 1, 2, 2, 3, 3}, {0, 1, 0, 1, 0, 1, 0, 1}},
		{3, {3, 3, 0, 0, 1, 1, 2, 2}, {0, 1, 0, 1, 0, 1, 0, 1}},
		{4, {2, 2, 3, 3, 0, 0, 1, 1}, {0, 1, 0, 1, 1, 0, 0, 1}},
	};
	struct bed *b = bed_stall(SCHEME_two_level);
	struct score score[2];

	(void)state;
	b->config.sm_warps = 8;
	b->config.sched_group = 2;
	bed_open(b);
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		for (u32 k = 0; k < 8; k++) {
			b->sim.view[0].sched[0].last = row[i].last;
			assert_int_equal(scheme_two_level.score(sim_look(&b->sim, 0, 0), k, score), 2);
			assert_int_equal(score[0].value, row[i].group[k]);
			assert_int_equal(score[1].value, row[i].distance[k]);
		}
	bed_close(b);
}

/* In the bubble of cycle 7 the warps of the other group are paused, those of the active group wait: the slot says
 * short. */
static void two_level_pauses_the_others(void **state)
{
	struct bed *b = bed_stall(SCHEME_two_level);

	(void)state;
	b->config.sched_group = 2;
	bed_open(b);
	bed_run_to(b, 8);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_SHORT);
	assert_int_equal(sim_warp_status(&b->sim, 0, 1), WARP_SHORT);
	assert_int_equal(sim_warp_status(&b->sim, 0, 2), WARP_PAUSED);
	assert_int_equal(sim_warp_status(&b->sim, 0, 3), WARP_PAUSED);
	assert_int_equal(b->sim.view[0].sched[0].outcome, SLOT_SHORT);
	bed_close(b);
}

/* Statuses and outcomes along the GTO trace: one cycle of each kind. */
static void statuses_follow_the_trace(void **state)
{
	static const struct {
		u64 cycle;
		u8 status[4], outcome;
	} at[] = {
		{2, {WARP_FETCH, WARP_FETCH, WARP_FETCH, WARP_FETCH}, SLOT_FETCH},
		{3, {WARP_ISSUED, WARP_ELIGIBLE, WARP_ELIGIBLE, WARP_ELIGIBLE}, SLOT_ISSUED},
		{5, {WARP_SHORT, WARP_ISSUED, WARP_ELIGIBLE, WARP_ELIGIBLE}, SLOT_ISSUED},
		{17, {WARP_LONG, WARP_LONG, WARP_LONG, WARP_SHORT}, SLOT_SHORT},
		{24, {WARP_DONE, WARP_ISSUED, WARP_ELIGIBLE, WARP_LONG}, SLOT_ISSUED},
		{29, {WARP_DONE, WARP_DONE, WARP_DONE, WARP_LONG}, SLOT_LONG},
	};
	struct bed *b = bed_stall(SCHEME_gto);

	(void)state;
	bed_open(b);
	for (u32 i = 0; i < ARRAY_LEN(at); i++) {
		bed_run_to(b, at[i].cycle + 1);
		for (u32 w = 0; w < 4; w++)
			assert_int_equal(sim_warp_status(&b->sim, 0, w), at[i].status[w]);
		assert_int_equal(b->sim.view[0].sched[0].outcome, at[i].outcome);
	}
	bed_close(b);
}

/* Two schedulers over one sub-core; warps run A and B, C that waits for A, EXIT. */
static struct bed *pool_bed(u32 pool, u32 warps)
{
	struct bed *b = bed_new();

	b->config.sm_warps = 4;
	b->config.sm_schedulers = 2;
	b->config.sched_pool = pool;
	b->config.unit_int_count = 2;
	bed_alu(b, 0, CLASS_INT, 1, 1, 0);
	bed_alu(b, 0, CLASS_INT, 2, 1, 0);
	bed_alu(b, 0, CLASS_INT, 3, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, warps * 32);
	return b;
}

/* Slot S belongs to scheduler S mod 2: each takes turns between two warps; C is ready 5 cycles after A. */
static void static_pools_are_apart(void **state)
{
	struct bed *b = pool_bed(0, 4);

	(void)state;
	bed_expect(b, 0,
		   "02"
		   "02"
		   "."
		   "02"
		   "02");
	bed_expect(b, 1,
		   "13"
		   "13"
		   "."
		   "13"
		   "13");
	bed_close(b);
}

/*
 * The second scheduler takes its next after its own last from what the first left:
 * 3: 0 and 1 (A A). 4: after 0 comes 1 (B); after 1 comes 2 (A). 5: after 1 comes 2 (B); after 2 comes 3 (A). 6: after
 * 2 comes 3 (B); after 3 comes 0 (B). 7: C of 0 and 1 from 8, of 2 from 9, of 3 from 10. 8: after 3 comes 0; 1. 9: 1
 * (EXIT); 2 (C). 10: 2 (EXIT); 3 (C). 11: 3 (EXIT); after 3 comes 0 (EXIT).
 */
static void a_shared_pool_is_one(void **state)
{
	struct bed *b = pool_bed(1, 4);

	(void)state;
	bed_expect(b, 0,
		   "0123"
		   "."
		   "0123");
	bed_expect(b, 1,
		   "1230"
		   "."
		   "1230");
	bed_close(b);
}

/* With one ready warp the first scheduler takes it; nothing issues twice, the other's slot has the other outcome. */
static void a_shared_pool_issues_a_warp_once(void **state)
{
	struct bed *b = pool_bed(1, 1);

	(void)state;
	bed_expect(b, 0,
		   "00"
		   "..."
		   "00");
	bed_expect(b, 1,
		   "....."
		   "..");
	assert_int_equal(sim_outcome_sum(&b->sim, SLOT_ISSUED), 4);
	bed_close(b);
}

/* A scheduler slot every fourth cycle: 4, 8, ...; between them ready warps are eligible and no slot is counted. */
static void issue_interval_spreads_slots(void **state)
{
	struct bed *b = pool_bed(0, 4);

	(void)state;
	b->config.sm_schedulers = 1;
	b->config.issue_interval = 4;
	bed_expect(b, 0,
		   "."
		   "0...1...2...3..."
		   "0...1...2...3..."
		   "0...1...2...3..."
		   "0...1...2...3...");
	bed_open(b);
	bed_run_to(b, 6);
	assert_int_equal(sim_warp_status(&b->sim, 0, 1), WARP_ELIGIBLE);
	assert_int_equal(sim_outcome_sum(&b->sim, SLOT_ISSUED), 1);
	bed_close(b);
}

/* With two sub-cores warps alternate and each sub-core has its own scheduler. */
static void subcores_issue_apart(void **state)
{
	struct bed *b = pool_bed(0, 4);

	(void)state;
	b->config.sm_schedulers = 1;
	b->config.sm_subcores = 2;
	bed_expect(b, 0,
		   "01"
		   "01"
		   "."
		   "01"
		   "01"); /* slots 0, 1: warps 0 and 2 */
	bed_expect(b, 1,
		   "23"
		   "23"
		   "."
		   "23"
		   "23"); /* slots 2, 3: warps 1 and 3 */
	bed_close(b);
}

/* More than 64 slots: sets have two words, and round robin passes from one to the next and back. */
static void lrr_crosses_words(void **state)
{
	struct bed *b = bed_new();
	char want[512], got[512];

	(void)state;
	b->config.sm_warps = 96;
	b->config.sm_threads = 96 * 32;
	b->config.sm_registers = 1 << 18;
	bed_alu(b, 0, CLASS_INT, 1, 1, 0);
	bed_alu(b, 0, CLASS_INT, 2, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 3, 32 * 32);
	/* three CTAs of 32 warps come in cycles 0, 1, 2; four warps a cycle are fetched for */
	for (u32 i = 0; i < 96 * 3; i++)
		want[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[i % 96 % 36];
	want[96 * 3] = 0;
	bed_open(b);
	bed_trace(b, 0, BED_FIRST, got);
	bed_trace(b, 0, 96 * 3, got);
	assert_string_equal(got, want);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lrr_takes_turns),
		cmocka_unit_test(gto_is_greedy_then_oldest),
		cmocka_unit_test(oldest_always_returns_to_the_oldest),
		cmocka_unit_test(two_level_stays_in_its_group),
		cmocka_unit_test(two_level_with_one_group_is_lrr),
		cmocka_unit_test(two_level_leaves_a_group_at_a_barrier),
		cmocka_unit_test(two_level_leaves_who_is_kept_back),
		cmocka_unit_test(two_level_shows_its_order),
		cmocka_unit_test(two_level_pauses_the_others),
		cmocka_unit_test(statuses_follow_the_trace),
		cmocka_unit_test(static_pools_are_apart),
		cmocka_unit_test(a_shared_pool_is_one),
		cmocka_unit_test(a_shared_pool_issues_a_warp_once),
		cmocka_unit_test(issue_interval_spreads_slots),
		cmocka_unit_test(subcores_issue_apart),
		cmocka_unit_test(lrr_crosses_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
