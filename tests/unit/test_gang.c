/*
 * test_gang.c - warps that issue together: what a gang policy is offered, that its gangs take schedulers before these
 * choose, and that one for which there is not enough is refused whole.
 *
 * The schemes are the program's own, in the rows for trials; the tests say which gangs they name.
 */
#include "core_bed.h"

#include <string.h>

static u64 named[4];   /* gangs to name, one after the other, as bit sets of slots */
static u64 once, last; /* offered at the first asking of a cycle, and at the last */
static u32 times;      /* askings in this cycle */
static u64 cycle;
static u64 held; /* slots that another policy holds */

static bool gang(const struct sched_view *v, const u64 *ready, u64 *out)
{
	assert_true(v->sched_id == 0 && ready[0] && !out[0]);
	if (sched_now(v) != cycle)
		times = 0;
	cycle = sched_now(v);
	if (!times)
		once = ready[0];
	last = ready[0];
	while (times < 4 && named[times]) {
		out[0] = named[times++];
		if (!(out[0] & ~ready[0]))
			return true;
		out[0] = 0;
	}
	return false;
}

static bool never(const struct sched_view *v, const u64 *ready, u64 *out)
{
	(void)out;
	return !v->m || !ready[0];
}

static void hold(const struct sched_view *v, u64 *ready)
{
	(void)v;
	ready[0] &= ~held;
}

const struct scheme scheme_trial[SCHEME_TRIALS] = {
	{.name = "gang", .doc = "", .decide.gang = gang},
	{.name = "never", .doc = "", .decide.gang = never},
	{.name = "hold", .doc = "", .decide.hold = hold},
};

/* Two sub-cores with eight slots each and four warps in each, which have ten independent instructions, and a load
 * before them if wanted; oldest first, unless told: warps 0 and 8. */
static struct bed *two_bed(u32 schedulers, bool load)
{
	struct bed *b = bed_new();

	memset(named, 0, sizeof named);
	times = 0;
	cycle = NEVER;
	held = 0;
	b->config.sm_subcores = 2;
	b->config.sm_warps = 16;
	b->config.sm_schedulers = schedulers;
	if (load)
		bed_load(b, 0, 20, BED_BASE);
	for (u32 i = 0; i < 10; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 256);
	policy_put(&b->policy, POLICY_order, SCHEME_oldest);
	policy_put(&b->policy, POLICY_gang, SCHEME_COUNT);
	bed_open(b);
	return b;
}

/* One cycle on; the slots that issued in it. */
static u64 issued(struct bed *b)
{
	struct sm_view *v = &b->sim.view[0];
	u64 set = 0;

	sim_cycle(&b->sim);
	for (u32 i = 0; i < v->m->schedulers; i++)
		set |= v->sched[i].chosen == NONE16 ? 0 : 1ULL << v->sched[i].chosen;
	assert_int_equal(set, sm_seen(v, WARP_ISSUED)[0]);
	return set;
}

#define AT(sub, n) (1ULL << ((sub)*8 + (n)))

/* A gang goes before what the schedulers would choose, and takes them; another takes what is left; the rest choose. */
static void gangs_go_first(void **state)
{
	struct bed *b = two_bed(1, false);

	(void)state;
	bed_run_to(b, BED_FIRST);
	assert_int_equal(issued(b), AT(0, 0) | AT(1, 0));
	assert_int_equal(once, 0x0f0f);
	named[0] = AT(0, 2) | AT(1, 3);
	assert_int_equal(issued(b), AT(0, 2) | AT(1, 3));
	assert_true(times == 1 && bed_stat(b, STAT_GANG_ISSUES) == 1 && bed_stat(b, STAT_GANG_SLOTS) == 2);
	assert_int_equal(sm_seen(&b->sim.view[0], WARP_ELIGIBLE)[0], 0x0f0f & ~(AT(0, 2) | AT(1, 3)));
	named[0] = AT(1, 1);
	assert_int_equal(issued(b), AT(0, 0) | AT(1, 1));
	named[1] = AT(0, 3);
	assert_int_equal(issued(b), AT(0, 3) | AT(1, 1));
	assert_true(bed_stat(b, STAT_GANG_ISSUES) == 4 && bed_stat(b, STAT_GANG_SLOTS) == 5 &&
		    !bed_stat(b, STAT_GANG_REFUSED));
	assert_int_equal(sim_event_count(&b->sim, EVENT_GANG), 4);
	assert_int_equal(b->sim.view[0].kernel->ready, 8);
	bed_close(b);
}

/* What is held or paused is not offered. */
static void the_held_stay_out(void **state)
{
	struct bed *b = two_bed(1, false);
	struct sm_view *v = &b->sim.view[0];

	(void)state;
	policy_put(&b->policy, POLICY_hold, SCHEME_COUNT + 2);
	sim_set_policy(&b->sim, &b->policy);
	held = AT(0, 1) | AT(1, 2);
	bed_run_to(b, BED_FIRST);
	named[0] = AT(0, 1) | AT(1, 0);
	assert_int_equal(issued(b), AT(0, 0) | AT(1, 0));
	assert_int_equal(once, 0x0f0f & ~held);
	assert_int_equal(sm_seen(v, WARP_HELD)[0], held);
	held = 0;
	v->sm->paused = 1;
	v->sm->set[SET_PAUSED] = 0x0f;
	assert_int_equal(issued(b), AT(0, 0) | AT(1, 0));
	assert_true(once == 0x0f00 && !bed_stat(b, STAT_GANG_ISSUES));
	bed_close(b);
}

/* Two of a sub-core with one collector unit; two loads and one entry for loads. */
static void a_gang_goes_whole_or_not(void **state)
{
	struct bed *b = two_bed(2, false);

	(void)state;
	b->config.sm_collectors = 1;
	bed_open(b);
	bed_run_to(b, BED_FIRST);
	named[0] = AT(0, 0) | AT(0, 1);
	named[1] = AT(0, 2) | AT(1, 3);
	assert_int_equal(issued(b), AT(0, 2) | AT(1, 3));
	assert_true(bed_stat(b, STAT_GANG_REFUSED) == 1 && bed_stat(b, STAT_GANG_ISSUES) == 1);
	assert_true(!(last & named[0]) && once == 0x0f0f);
	assert_int_equal(sm_seen(&b->sim.view[0], WARP_UNIT)[0] | sm_seen(&b->sim.view[0], WARP_ELIGIBLE)[0] |
				 sm_seen(&b->sim.view[0], WARP_ISSUED)[0],
			 0x0f0f);
	bed_close(b);
	b = two_bed(1, true);
	b->config.lsu_loads = 1;
	bed_open(b);
	bed_run_to(b, BED_FIRST);
	named[0] = AT(0, 1) | AT(1, 1);
	named[1] = AT(1, 2);
	assert_int_equal(issued(b), AT(1, 2));
	assert_true(bed_stat(b, STAT_GANG_REFUSED) == 1 && bed_stat(b, STAT_GANG_ISSUES) == 1);
	bed_close(b);
}

/* Two branches of a sub-core with one branch unit, whose other scheduler then finds none either; with two. */
static void gangs_share_branch_units(void **state)
{
	(void)state;
	for (u32 n = 1; n <= 2; n++) {
		struct bed *b = two_bed(2, false);

		for (u32 i = 0; i < 10; i++) {
			b->kernel[0].inst[i].op = OP_BRA;
			b->kernel[0].inst[i].class = CLASS_CONTROL;
			b->kernel[0].inst[i].target = b->kernel[0].inst[i].reconverge = i + 1;
		}
		b->config.unit_branch_count = n;
		bed_open(b);
		bed_run_to(b, BED_FIRST);
		named[0] = AT(0, 0) | AT(0, 1);
		named[1] = n == 1 ? AT(0, 2) | AT(1, 3) : 0;
		assert_int_equal(issued(b), n == 1 ? AT(0, 2) | AT(1, 3) : AT(0, 0) | AT(0, 1) | AT(1, 0) | AT(1, 1));
		assert_int_equal(bed_stat(b, STAT_GANG_REFUSED), 2 - n);
		bed_close(b);
	}
}

/* A pool that schedulers share: as many of it as they are. */
static void a_shared_pool(void **state)
{
	struct bed *b = two_bed(2, false);

	(void)state;
	b->config.sched_pool = 1;
	bed_open(b);
	bed_run_to(b, BED_FIRST);
	named[0] = AT(0, 1) | AT(0, 3) | AT(1, 2);
	assert_int_equal(issued(b), AT(0, 1) | AT(0, 3) | AT(1, 2) | AT(1, 0));
	assert_int_equal(b->sim.view[0].sched[2].chosen, 10);
	bed_close(b);
}

/* One that never names any is the baseline. */
static void none_is_the_baseline(void **state)
{
	u64 hash[2], counted[2];

	(void)state;
	for (u32 i = 0; i < 2; i++) {
		struct bed *b = bed_crowd(3);

		if (i)
			policy_put(&b->policy, POLICY_gang, SCHEME_COUNT + 1);
		bed_open(b);
		bed_run_to(b, 2000);
		hash[i] = sim_hash(&b->sim);
		counted[i] = sim_counted(&b->sim);
		assert_true(bed_stat(b, STAT_INST_WARP) > 100);
		bed_close(b);
	}
	assert_true(hash[0] == hash[1] && counted[0] == counted[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(gangs_go_first),
					   cmocka_unit_test(the_held_stay_out),
					   cmocka_unit_test(a_gang_goes_whole_or_not),
					   cmocka_unit_test(gangs_share_branch_units),
					   cmocka_unit_test(a_shared_pool),
					   cmocka_unit_test(none_is_the_baseline)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
