/*
 * test_core_holds.c - hold, rank and order compose: what a hold policy forbids cannot issue, the best-ranked go first,
 * the order policy chooses among what is left.
 *
 * Its own schemes, in the rows for trials, are hold and rank policies whose sets the tests choose.
 */
#include "core_bed.h"

static u64 held, held_too, invented, preferred, preferred_more; /* bit sets of slots */
static u32 asked_hold, asked_rank;

static void hold_some(const struct sched_view *v, u64 *ready)
{
	assert_true(v->m && v->sm && v->slot && v->pool);
	asked_hold++;
	ready[0] &= ~held;
}

/* Another, which may add what was not ready: it is not listened to. */
static void hold_and_invent(const struct sched_view *v, u64 *ready)
{
	(void)v;
	ready[0] = (ready[0] & ~held_too) | invented;
}

/* Narrow to the preferred, if any of them is there. */
static void narrow(u64 *candidates, u64 to)
{
	asked_rank++;
	assert_true(candidates[0]);
	if (candidates[0] & to)
		candidates[0] &= to;
}

static void rank_first(const struct sched_view *v, u64 *candidates)
{
	(void)v;
	narrow(candidates, preferred);
}

static void rank_second(const struct sched_view *v, u64 *candidates)
{
	(void)v;
	narrow(candidates, preferred_more);
}

const struct scheme scheme_trial[SCHEME_TRIALS] = {
	{.name = "first", .decide.hold = hold_some, .decide.rank = rank_first},
	{.name = "second", .decide.hold = hold_and_invent, .decide.rank = rank_second},
};
#define FIRST (1ULL << SCHEME_COUNT)
#define SECOND (1ULL << (SCHEME_COUNT + 1))

/* Four warps of three independent instructions and EXIT; round robin unless told. */
static struct bed *four_bed(void)
{
	struct bed *b = bed_new();

	held = held_too = invented = preferred = preferred_more = 0;
	asked_hold = asked_rank = 0;
	for (u32 i = 0; i < 3; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	return b;
}

/* Slots 1 and 2 are held: round robin among 0 and 3; those held say so, and the SM does not sleep over them. */
static void the_held_wait(void **state)
{
	struct bed *b = four_bed();

	(void)state;
	b->policy.in[POLICY_hold] = FIRST;
	held = 1 << 1 | 1 << 2;
	bed_expect(b, 0,
		   "03030303"
		   "....");
	assert_int_equal(sim_warp_status(&b->sim, 0, 1), WARP_HELD);
	assert_int_equal(sim_warp_status(&b->sim, 0, 2), WARP_HELD);
	assert_int_equal(b->sim.view[0].sched[0].outcome, SLOT_HELD);
	held = 0;
	bed_trace(b, 0, 8, (char[16]){0});
	assert_true(bed_cycle(b) == BED_FIRST + 20 && asked_hold == 8 + 4 + 8);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_WARP), 16);
	bed_close(b);
}

/* What a hold policy adds to the ready is taken out again. */
static void a_hold_adds_nothing(void **state)
{
	struct bed *b = four_bed();

	(void)state;
	b->policy.in[POLICY_hold] = SECOND;
	held_too = 14;
	bed_expect(b, 0, "0000");
	invented = 1; /* warp 0 has ended from the fifth cycle on */
	bed_expect(b, 0,
		   "0000"
		   "....");
	bed_close(b);
}

/* Two holds: either forbids. */
static void holds_add_up(void **state)
{
	struct bed *b = four_bed();

	(void)state;
	b->policy.in[POLICY_hold] = FIRST | SECOND;
	held = 1 << 2;
	held_too = 1 << 0;
	bed_expect(b, 0,
		   "13131313"
		   "..");
	assert_int_equal(asked_hold, 10);
	bed_close(b);
}

/* The preferred go first, in their own round robin; the others are paused, then have their turn. */
static void the_preferred_go_first(void **state)
{
	struct bed *b = four_bed();

	(void)state;
	b->policy.in[POLICY_rank] = FIRST;
	preferred = 1 << 2 | 1 << 3;
	bed_expect(b, 0,
		   "23232323"
		   "01010101");
	bed_open(b);
	bed_run_to(b, BED_FIRST + 1);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_PAUSED);
	assert_int_equal(sim_warp_status(&b->sim, 0, 1), WARP_PAUSED);
	assert_int_equal(sim_warp_status(&b->sim, 0, 2), WARP_ISSUED);
	assert_int_equal(sim_warp_status(&b->sim, 0, 3), WARP_ELIGIBLE);
	bed_close(b);
}

/* Ranks are compared one after the other: {2, 3} before {0, 1}, and among each {1, 3} before {0, 2}; GTO at the end. */
static void ranks_are_lexicographic(void **state)
{
	struct bed *b = four_bed();

	(void)state;
	b->policy.in[POLICY_rank] = FIRST | SECOND;
	policy_put(&b->policy, POLICY_order, SCHEME_gto);
	preferred = 1 << 2 | 1 << 3;
	preferred_more = 1 << 1 | 1 << 3;
	bed_expect(b, 0,
		   "3333"
		   "2222"
		   "1111"
		   "0000");
	bed_close(b);
}

/* Hold comes before rank: the preferred warp that is held does not keep the others waiting. */
static void hold_before_rank(void **state)
{
	struct bed *b = four_bed();

	(void)state;
	b->policy.in[POLICY_hold] = FIRST;
	b->policy.in[POLICY_rank] = FIRST;
	held = preferred = 1 << 0;
	bed_expect(b, 0,
		   "123123123123"
		   "..");
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_HELD);
	bed_close(b);
}

/* Acceptance comes before rank: with the one collector unit taken, a preferred warp that needs it does not keep a
 * branch back. */
static void acceptance_before_rank(void **state)
{
	struct bed *b = four_bed();

	(void)state;
	bed_clear(b);
	b->config.sm_collectors = b->config.sm_banks = 1;
	b->policy.in[POLICY_rank] = FIRST;
	bed_alu(b, 0, CLASS_INT, 1, 3, 4, 5, 6); /* three reads of one bank: the unit is taken for three cycles */
	bed_barrier(b, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	preferred = 1 << 1;
	/* 3: warp 1 first; 4: it is at the barrier; 6: warp 0; 7: the barrier is complete; 8, 9: EXIT of 1, of 0 */
	bed_expect(b, 0,
		   "11"
		   "."
		   "00"
		   "10");
	bed_close(b);
}

/* A pool shared by two schedulers: what the first held, ranked or chose is decided anew for the second. */
static void both_schedulers_of_a_pool_ask(void **state)
{
	struct bed *b = four_bed();

	(void)state;
	b->config.sm_schedulers = 2;
	b->config.sched_pool = 1;
	b->config.unit_int_count = 2;
	b->policy.in[POLICY_hold] = b->policy.in[POLICY_rank] = FIRST;
	held = 1 << 0;
	preferred = 1 << 3;
	/* first scheduler: 3 as long as it goes; second: the others in turn, from what is left */
	bed_expect(b, 0,
		   "3333"
		   "12");
	bed_expect(b, 1,
		   "1212"
		   "21");
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_HELD);
	bed_close(b);
}

/* Two levels, groups of one warp: a group that is held, or behind others by a rank that does not yield, is left. */
static void a_group_kept_back_is_left(void **state)
{
	struct bed *b = four_bed();

	(void)state;
	policy_put(&b->policy, POLICY_order, SCHEME_two_level);
	b->config.sched_group = 1;
	b->policy.in[POLICY_hold] = FIRST;
	held = 1 << 0;
	bed_expect(b, 0,
		   "111122223333"
		   "..");
	held = 0;
	b->policy.in[POLICY_hold] = 0;
	b->policy.in[POLICY_rank] = FIRST;
	preferred = 1 << 2;
	bed_expect(b, 0, "2222333300001111");
	/* one that becomes so in the middle */
	preferred = 0;
	bed_open(b);
	bed_run_to(b, BED_FIRST + 2);
	preferred = 1 << 1;
	bed_trace(b, 0, 14, (char[16]){0});
	assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_WARP), 16);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_held_wait),
		cmocka_unit_test(a_hold_adds_nothing),
		cmocka_unit_test(holds_add_up),
		cmocka_unit_test(the_preferred_go_first),
		cmocka_unit_test(ranks_are_lexicographic),
		cmocka_unit_test(hold_before_rank),
		cmocka_unit_test(acceptance_before_rank),
		cmocka_unit_test(both_schedulers_of_a_pool_ask),
		cmocka_unit_test(a_group_kept_back_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
