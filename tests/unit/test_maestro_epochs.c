/*
 * test_maestro_epochs.c - GPU Maestro, epoch by epoch: what SMs have issued is written by hand, what follows is
 * computed by hand.
 *
 * Source: Park, University of Michigan, 2016, section 5.4.1 (epochs, roles, steady state, SMs apart), equations 5.1 and
 * 5.2 (ANTT, STP), section 5.4.2 (more than two kernels, one pair after the other). What these leave open stands at the
 * head of maestro.c, and is held to here.
 */
#include "core_bed.h"

#include "policy_maestro.h"
#include "policy_multi.h"

#define EPOCH 1000
#define ALONE 100000 /* instructions that a dedicated SM shows in an epoch, unless told; so x / ALONE is a speed */

/* Nobody issues, but by the test's hand. */
static void hold(const struct sched_view *v, u64 *ready)
{
	for (u32 i = 0; i < v->m->words; i++)
		ready[i] = 0;
}
const struct scheme scheme_trial[SCHEME_TRIALS] = {{.name = "hold", .doc = "", .decide.hold = hold}};

/* Kernels whose CTAs come and stay; odd ones have CTAs of two warps. SMs of 8 places and 12 warps hold 8 CTAs of the
 * first, 6 of the second, which is the trial kernel; beside c of that 12 - 2 c, or 8 - c, of the other. Even parts: 4
 * and 3. */
static struct bed *still(u32 kernels, u32 sms)
{
	struct bed *b = bed_new();

	b->config.gpu_sms = sms;
	b->config.sm_ctas = 8;
	b->config.sm_warps = 12;
	b->config.sm_threads = 12 * 32;
	b->config.preempt_ctas = 128;
	b->config.maestro_epoch = EPOCH;
	policy_put(&b->policy, POLICY_partition, SCHEME_maestro);
	policy_put(&b->policy, POLICY_preempt, SCHEME_flush);
	policy_put(&b->policy, POLICY_hold, SCHEME_COUNT);
	for (u32 k = 0; k < 2; k++) {
		bed_alu(b, k, CLASS_INT, 1, 1, 1);
		bed_exit(b, k);
	}
	b->kernel[1].name = (char *)"second";
	for (u32 k = 0; k < kernels; k++)
		bed_launch(b, k % 2, 30000, k % 2 ? 64 : 32)->stream = k;
	return b;
}

static const struct maestro *own(const struct bed *b)
{
	return maestro_state(b->sim.m).own;
}
static const struct maestro_sm *own_sm(const struct bed *b, u32 sm)
{
	return maestro_state(b->sim.m).sm + sm;
}
static u32 resident(const struct bed *b, u32 sm, u32 launch)
{
	return kernel_on(b->sim.m, sm, launch)->resident;
}
static struct maestro_pair pair(const struct bed *b, u32 which)
{
	struct maestro_state s = maestro_state(b->sim.m);

	return maestro_pair(&s, which);
}
/* SMs of a pair in a role. */
static u32 roles_of(const struct bed *b, u32 which, u32 role)
{
	u32 n = 0;

	for (u32 i = 0; i < b->config.gpu_sms; i++)
		n += own_sm(b, i)->pair == which && own_sm(b, i)->role == role;
	return n;
}
static u32 roles(const struct bed *b, u32 role)
{
	return roles_of(b, 0, role);
}

/* Instructions of the two kernels of a pair that each SM of a role shows for an epoch. */
struct shown {
	u64 alone[2], same[2], more[2], less[2];
};
/* Shared SMs are half as fast as dedicated ones; that is as good as SMs apart, and nothing changes. */
static const struct shown half = {{ALONE, ALONE}, {50000, 50000}, {40000, 40000}, {40000, 40000}};

/* To the last cycle of the epoch, in which nothing issues by itself; SMs then show what is given. */
static void show(struct bed *b, const struct shown *x)
{
	for (u64 limit = bed_cycle(b) + 20000; own(b)->phase != PHASE_MEASURING;) {
		assert_true(bed_cycle(b) < limit);
		sim_cycle(&b->sim);
	}
	bed_run_to(b, own(b)->since + EPOCH - 1);
	for (u32 i = 0; i < b->config.gpu_sms; i++) {
		const struct maestro_sm *sm = own_sm(b, i);
		const u64 *all = sm->role == ROLE_DEDICATED ? x->alone
				 : sm->role == ROLE_MORE    ? x->more
				 : sm->role == ROLE_LESS    ? x->less
							    : x->same;

		for (u32 k = 0; k < 2; k++) {
			u32 launch = maestro_launch(maestro_state(b->sim.m).kernel, (u32)sm->pair, k);
			bool has = launch != NONE32 && (sm->role != ROLE_DEDICATED || sm->kernel == k);

			if (launch != NONE32)
				((struct kernel_count *)(uintptr_t)kernel_on(b->sim.m, i, launch))->issued =
					sm->issued[k] + (has ? all[k] : 0);
		}
	}
}
/* The same, and its end. */
static void epoch(struct bed *b, const struct shown *x)
{
	u32 before = own(b)->epochs;

	show(b, x);
	sim_cycle(&b->sim);
	assert_int_equal(own(b)->epochs, before + 1);
}
static void epochs(struct bed *b, const struct shown *x, u32 n)
{
	while (n--)
		epoch(b, x);
}

/* What an epoch has measured of an option. */
static void measured(const struct bed *b, u32 option, u64 first, u64 second)
{
	const struct maestro_option *o = maestro_state(b->sim.m).option + option;

	assert_int_equal(o->first, first);
	assert_int_equal(o->second, second);
}

/* Slowdowns are those of equation 5.1, CPI beside another over CPI alone, x 1000; the least sum of them is taken up:
 * one CTA more, one less, and it is found again from there. */
static void slowdowns_decide(void **state)
{
	struct bed *b = still(2, 8);
	struct shown x = {{ALONE, 60000}, {50000, 30000}, {80000, 30000}, {40000, 24000}};

	(void)state;
	bed_open(b);
	epoch(b, &x);
	measured(b, OPTION_SPATIAL, 2000, 2000);
	measured(b, OPTION_SAME, 2000, 2000);
	measured(b, OPTION_MORE, 1250, 2000);
	measured(b, OPTION_LESS, 2500, 2500);
	assert_true(own(b)->decided == OPTION_MORE && own(b)->ctas == 4);
	x = (struct shown){{ALONE, 60000}, {50000, 40000}, {80000, 20000}, {ALONE, 40000}};
	epoch(b, &x);
	measured(b, OPTION_MORE, 1250, 3000);
	measured(b, OPTION_LESS, 1000, 1500);
	assert_true(own(b)->decided == OPTION_LESS && own(b)->ctas == 3);
	epoch(b, &x);
	assert_true(own(b)->decided == OPTION_LESS && own(b)->ctas == 2);
	/* a kernel that issues nothing is as slow as can be */
	x = (struct shown){{ALONE, 60000}, {50000, 0}, {50000, 29000}, {0, 60000}};
	epoch(b, &x);
	measured(b, OPTION_SAME, 2000, MAESTRO_MOST);
	measured(b, OPTION_LESS, MAESTRO_MOST, 1000);
	assert_true(own(b)->decided == OPTION_SPATIAL && own(b)->apart);
	bed_close(b);
}

/* The slowdown of a partition is the mean of its SMs': of four followers two are as fast as alone, one is half as fast,
 * one a third: (1 + 1 + 2 + 3) / 4. */
static void followers_count_by_their_mean(void **state)
{
	struct bed *b = still(2, 8);
	static const u64 speed[4] = {60000, 60000, 30000, 20000};
	struct shown x = {{60000, 60000}, {0, 60000}, {20000, 20000}, {20000, 20000}};
	u32 n = 0;

	(void)state;
	bed_open(b);
	show(b, &x);
	for (u32 i = 0; i < 8; i++)
		if (own_sm(b, i)->role == ROLE_FOLLOWER)
			((struct kernel_count *)(uintptr_t)kernel_on(b->sim.m, i, 0))->issued += speed[n++];
	assert_int_equal(n, 4);
	sim_cycle(&b->sim);
	measured(b, OPTION_SAME, 1750, 1000);
	measured(b, OPTION_MORE, 3000, 3000);
	bed_close(b);
}

/* SMs apart are halves of the pair's: of nine the first kernel has 5, the second 4. Of three kernels on 16 two share
 * 11: 6 and 5. (x 1000, rounded down.) */
static void apart_is_half_of_the_sms(void **state)
{
	struct bed *b = still(2, 9);

	(void)state;
	bed_open(b);
	epoch(b, &half);
	measured(b, OPTION_SPATIAL, 1800, 2250);
	bed_close(b);
	b = still(3, 16);
	bed_open(b);
	epoch(b, &half);
	measured(b, OPTION_SPATIAL, 1833, 2200);
	bed_close(b);
}

/* Where nobody knows how fast a kernel is alone nothing is measured and nothing changes; later what was known last
 * stands for an epoch in which its SM has issued nothing. */
static void nobody_knows(void **state)
{
	struct bed *b = still(2, 8);
	struct shown x = half;

	(void)state;
	bed_open(b);
	x.alone[1] = 0;
	epoch(b, &x);
	for (u32 i = 0; i < OPTION_COUNT; i++)
		measured(b, i, 0, 0);
	assert_true(own(b)->decided == OPTION_SAME && own(b)->ctas == 3 && !own(b)->apart);
	epoch(b, &half);
	measured(b, OPTION_SAME, 2000, 2000);
	epoch(b, &x);
	measured(b, OPTION_SAME, 2000, 2000);
	assert_int_equal(maestro_state(b->sim.m).kernel[1].issued, ALONE);
	bed_close(b);
}

/* Is it steady, and how many SMs are dedicated? */
static void stands(const struct bed *b, u32 steady, u32 dedicated)
{
	assert_int_equal(own(b)->steady, steady);
	assert_int_equal(roles(b, ROLE_DEDICATED), dedicated);
}

/* "When dedicated SMs show stable performance as the SMK partition reaches a steady state" they become followers. That
 * is, decided, after two epochs that change nothing and in which they were as fast as in the one before: the first
 * epoch has none before it. */
static void steady_after_two_epochs(void **state)
{
	struct bed *b = still(2, 8);

	(void)state;
	bed_open(b);
	epoch(b, &half);
	stands(b, 0, 2);
	epoch(b, &half);
	stands(b, 0, 2);
	epoch(b, &half);
	stands(b, 1, 0);
	assert_true(roles(b, ROLE_FOLLOWER) == 6 && roles(b, ROLE_MORE) == 1 && roles(b, ROLE_LESS) == 1);
	/* their performance is kept: the last epoch's */
	for (u32 k = 0; k < 2; k++)
		assert_true(maestro_state(b->sim.m).kernel[k].issued == ALONE &&
			    maestro_state(b->sim.m).kernel[k].cycles == EPOCH);
	epoch(b, &half);
	measured(b, OPTION_SAME, 2000, 2000);
	stands(b, 1, 0);
	bed_close(b);
}

/* As fast as before is within a twentieth of what was: 100000 after 95000 to 105000, both kernels. */
static void a_twentieth_is_as_fast(void **state)
{
	static const struct {
		u64 first, second;
		u32 steady;
	} row[] = {{ALONE, ALONE, 1},  {105000, ALONE, 1}, {105001, ALONE, 0}, {95000, ALONE, 1}, {94999, ALONE, 0},
		   {ALONE, 105000, 1}, {ALONE, 105001, 0}, {ALONE, 95000, 1},  {ALONE, 94999, 0}, {105000, 95000, 1}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = still(2, 8);
		struct shown x = half;

		bed_open(b);
		epochs(b, &half, 2);
		x.alone[0] = row[i].first;
		x.alone[1] = row[i].second;
		for (u32 k = 0; k < 2; k++)
			x.same[k] = x.alone[k]; /* the best there is */
		epoch(b, &x);
		stands(b, row[i].steady, row[i].steady ? 0 : 2);
		/* else two more such epochs are needed */
		epoch(b, &x);
		assert_int_equal(own(b)->steady, row[i].steady);
		epoch(b, &x);
		stands(b, 1, 0);
		bed_close(b);
	}
}

/* They are "reassigned when [...] thread blocks are repartitioned, or once every hundred epochs": after 100 epochs in
 * which they followed; two more without a change, and they follow again. */
static void dedicated_sms_return(void **state)
{
	struct bed *b = still(2, 8);
	struct shown more = half;

	(void)state;
	bed_open(b);
	epochs(b, &half, 3);
	for (u32 i = 0; i < 99; i++) {
		epoch(b, &half);
		stands(b, 1, 0);
	}
	epoch(b, &half);
	stands(b, 0, 2);
	epoch(b, &half);
	stands(b, 0, 2);
	epoch(b, &half);
	stands(b, 1, 0);
	/* again after a hundred of these, not after what is left of 100 of all */
	epochs(b, &half, 60);
	stands(b, 1, 0);
	/* a repartition: at once, and for two epochs more than it */
	more.more[0] = more.more[1] = 60000;
	epoch(b, &more);
	assert_int_equal(own(b)->ctas, 4);
	stands(b, 0, 2);
	epoch(b, &half);
	stands(b, 0, 2);
	epoch(b, &half);
	stands(b, 1, 0);
	bed_close(b);
}

/* Of two epochs without a change none is a repartition, though dedicated SMs are as fast as ever. */
static void a_change_is_not_steady(void **state)
{
	struct bed *b = still(2, 8);
	struct shown more = half;

	(void)state;
	more.more[0] = more.more[1] = 60000;
	bed_open(b);
	epochs(b, &half, 2);
	epoch(b, &more);
	stands(b, 0, 2);
	epoch(b, &half);
	stands(b, 0, 2);
	epoch(b, &half);
	stands(b, 1, 0);
	bed_close(b);
}

/* Shared SMs are a third as fast: SMs apart, with ANTT 2, are better. */
static const struct shown third = {{ALONE, ALONE}, {33000, 33000}, {30000, 30000}, {30000, 30000}};

/* "When spatial multitasking performs better than SMK, [it] adds one SM per kernel from followers [...] at each
 * repartitioning epoch"; trial and follower SMs go on to provide SMK performance, so that one follower stays: of nine
 * SMs 2, 4, 6 are dedicated, of eight 2 and 4. They follow again when sharing is better, and only then: nothing is
 * steady as long as SMs apart are best. */
static void apart_one_by_one(void **state)
{
	static const u32 nine[] = {4, 6, 6, 6, 6}, eight[] = {4, 4, 4, 4, 4};

	(void)state;
	for (u32 sms = 8; sms <= 9; sms++) {
		struct bed *b = still(2, sms);
		struct shown best = half;

		bed_open(b);
		assert_true(own(b)->phase == PHASE_OFF);
		for (u32 i = 0; i < 5; i++) {
			epoch(b, &third);
			assert_int_equal(own(b)->apart, 1);
			stands(b, 0, sms == 9 ? nine[i] : eight[i]);
			assert_true(roles(b, ROLE_MORE) == 1 && roles(b, ROLE_LESS) == 1);
			assert_int_equal(roles(b, ROLE_FOLLOWER), sms - 2 - (sms == 9 ? nine[i] : eight[i]));
		}
		assert_true(own(b)->epochs_apart == 5 && !own(b)->epochs_even && !own(b)->epochs_other);
		/* a kernel's CPI is over the cycles of all its SMs: all have issued ALONE in EPOCH */
		assert_int_equal(maestro_state(b->sim.m).kernel[0].issued, (sms == 9 ? 3 : 2) * ALONE);
		assert_int_equal(maestro_state(b->sim.m).kernel[0].cycles, (sms == 9 ? 3 : 2) * EPOCH);
		best.same[0] = best.same[1] = 60000;
		epoch(b, &best);
		assert_int_equal(own(b)->apart, 0);
		measured(b, OPTION_SAME, 1666, 1666);
		stands(b, 0, 2);
		assert_true(own(b)->epochs_apart == 5 && own(b)->epochs_even == 1 && !own(b)->epochs_other);
		bed_close(b);
	}
}

/* Ties keep what is: SMs apart, where sharing is as good. */
static void ties_stay_apart(void **state)
{
	struct bed *b = still(2, 8);

	(void)state;
	bed_open(b);
	epoch(b, &third);
	assert_int_equal(own(b)->apart, 1);
	epoch(b, &half);
	measured(b, OPTION_SAME, 2000, 2000);
	assert_true(own(b)->apart == 1 && own(b)->decided == OPTION_SPATIAL);
	bed_close(b);
}

/* To SMs apart and back again are changes, too. */
static void apart_and_back_is_not_steady(void **state)
{
	struct bed *b = still(2, 8);
	struct shown best = half;

	(void)state;
	best.same[0] = best.same[1] = 60000;
	bed_open(b);
	epoch(b, &best);
	epoch(b, &third);
	assert_int_equal(own(b)->apart, 1);
	epoch(b, &best);
	assert_int_equal(own(b)->apart, 0);
	stands(b, 0, 2);
	epochs(b, &best, 2);
	stands(b, 1, 0);
	bed_close(b);
}

/* Roles of all SMs as a row: D and d dedicated to the first and the second kernel, + one more, - one less, f follower.
 */
static void row_of_roles(const struct bed *b, const char *want)
{
	char got[17] = {0};

	for (u32 i = 0; i < b->config.gpu_sms; i++)
		got[i] =
			own_sm(b, i)->role == ROLE_DEDICATED ? "Dd"[own_sm(b, i)->kernel] : "0?+-f"[own_sm(b, i)->role];
	assert_string_equal(got, want);
}

/* "Trial and follower SMs can change to minimize the preemption overhead" (figure 5.8). CTAs (trial kernel's, other's):
 * SM 2 has (4, 4), SM 3 (2, 6), followers (3, 5). With 4 instead of 3 the new roles are more (5, 2), less (3, 5),
 * followers (4, 4). SM 2 is nearest to more: 1 + 2, SM 3 is off by 3 + 4, followers by 2 + 3. One less is what a
 * follower has, the first of which gets it; SM 3 follows. Back at 3: one more is (4, 4), which followers have, now from
 * SM 3 on; one less (2, 6), from which SM 4 with (3, 5) is the least away; so it stays. */
static void roles_go_where_ctas_suit(void **state)
{
	struct bed *b = still(2, 8);
	struct shown more = half, less = half;

	(void)state;
	more.more[0] = more.more[1] = 60000;
	less.less[0] = less.less[1] = 60000;
	bed_open(b);
	bed_run_to(b, 100);
	row_of_roles(b, "Dd+-ffff");
	epoch(b, &more);
	row_of_roles(b, "Dd+f-fff");
	epoch(b, &less);
	row_of_roles(b, "Ddf+-fff");
	bed_close(b);
}

/* CTAs that are yet to come count as those that have to go: with four CTAs of the trial kernel one more is (5, 2); SM
 * 4, which holds nothing, is 7 away, SM 5 with (5, 3) 1. */
static void who_lacks_ctas_is_far(void **state)
{
	struct bed *b = still(2, 8);
	struct shown more = half;

	(void)state;
	more.more[0] = more.more[1] = 60000;
	bed_open(b);
	show(b, &more);
	for (u32 k = 0; k < 2; k++) {
		((struct kernel_count *)(uintptr_t)kernel_on(b->sim.m, 2, k))->resident = 0;
		((struct kernel_count *)(uintptr_t)kernel_on(b->sim.m, 4, k))->resident = 0;
		((struct kernel_count *)(uintptr_t)kernel_on(b->sim.m, 5, k))->resident = k ? 5 : 3;
	}
	sim_cycle(&b->sim);
	assert_int_equal(own_sm(b, 5)->role, ROLE_MORE);
	bed_close(b);
}

/* What is remembered of a kernel, as a part of the CTAs that fit, x 1000. */
static void remember(const struct bed *b, u32 k, u32 part)
{
	struct maestro *m = (struct maestro *)(uintptr_t)own(b);
	u64 name = maestro_name(&b->launch[k]);

	m->history[maestro_place(m, name)] = name << 32 | part;
}

/* A trial that would leave either kernel without a CTA is skipped. With 1 CTA of the trial kernel one less is none;
 * with 5, beside 2 of the other (remembered: 2 of 8), one more is 6, which need all 12 warps. */
static void trials_leave_each_a_cta(void **state)
{
	(void)state;
	for (u32 few = 0; few < 2; few++) {
		struct bed *b = still(2, 8);

		b->launch[0].at = b->launch[1].at = 100;
		bed_open(b);
		remember(b, few, few ? 166 : 250);
		epoch(b, &half);
		assert_int_equal(own(b)->ctas, few ? 1 : 5);
		assert_int_equal(roles(b, ROLE_LESS), !few);
		assert_int_equal(roles(b, ROLE_MORE), few);
		assert_int_equal(roles(b, ROLE_FOLLOWER), 5);
		measured(b, few ? OPTION_LESS : OPTION_MORE, 0, 0);
		bed_close(b);
	}
}

/* The kernel that came to less than even begins with that, also beside one that came to just its even part: 3 of 8
 * leave min((12 - 3) / 2, 8 - 3) = 4 to the trial kernel. */
static void history_counts_beside_an_even_one(void **state)
{
	struct bed *b = still(2, 8);

	(void)state;
	b->launch[0].at = b->launch[1].at = 100;
	bed_open(b);
	remember(b, 0, 375);
	remember(b, 1, 500);
	bed_run_to(b, 200);
	assert_int_equal(own(b)->ctas, 4);
	bed_close(b);
}

/* When no CTA of the one is to come the other fills SMs up: with 12 CTAs of the second there is at most c of them in an
 * SM, and beside them 12 - 2 c, or 8 - c. */
static void what_is_left_is_filled(void **state)
{
	struct bed *b = still(2, 8);
	u32 fewer = 0;

	(void)state;
	b->launch[1].grid[0] = b->launch[1].ctas = 12;
	bed_open(b);
	bed_run_to(b, 400);
	for (u32 i = 0; i < 8; i++) {
		u32 c = resident(b, i, 1);

		if (own_sm(b, i)->role == ROLE_DEDICATED)
			continue;
		assert_int_equal(resident(b, i, 0), min_u32(12 - 2 * c, 8 - c));
		fewer += c < 3;
	}
	assert_true(fewer > 0);
	bed_close(b);
}

/* A resource may be full to its end, if the other needs none of it: two CTAs with 24 kB each in 48 kB leave 12 - 4
 * warps and 8 - 2 places. */
static void the_last_byte_counts(void **state)
{
	struct bed *b = still(2, 8);

	(void)state;
	b->config.sm_shared = b->config.sm_cta_shared = 48 * 1024;
	b->launch[1].shared = 24 * 1024;
	bed_open(b);
	assert_int_equal(maestro_fill(b->sim.m, &b->launch[1], 2, &b->launch[0]), 6);
	assert_int_equal(maestro_fill(b->sim.m, &b->launch[1], 3, &b->launch[0]), 0);
	bed_close(b);
}

/* Dedicated SMs "run each kernel without SMK": as many CTAs as fit, 8 and 6; others 3, one more, one less of the trial
 * kernel and what that leaves. The trial kernel is the one of which fewer fit, whichever came first. */
static void trial_is_the_larger(void **state)
{
	(void)state;
	for (u32 swap = 0; swap < 2; swap++) {
		struct bed *b = still(2, 8);
		static const u32 trial[] = {[ROLE_MORE] = 4, [ROLE_LESS] = 2, [ROLE_FOLLOWER] = 3},
				 other[] = {[ROLE_MORE] = 4, [ROLE_LESS] = 6, [ROLE_FOLLOWER] = 5};

		for (u32 k = 0; k < 2; k++) {
			b->launch[k].block[0] = (k == 1) != swap ? 64 : 32;
			launch_prepare(&b->launch[k]);
		}
		bed_open(b);
		epoch(b, &half);
		assert_int_equal(own(b)->trial, !swap);
		for (u32 i = 0; i < 8; i++) {
			const struct maestro_sm *sm = own_sm(b, i);
			bool alone = sm->role == ROLE_DEDICATED, of_trial = sm->kernel == !swap;

			assert_int_equal(resident(b, i, !swap), alone ? of_trial * 6u : trial[sm->role]);
			assert_int_equal(resident(b, i, swap), alone ? !of_trial * 8u : other[sm->role]);
		}
		bed_close(b);
	}
}

/* The performance objective is a setting: 1.1 and 3.0 are an ANTT of 2.05 and an STP of 1.24, SMs apart 2 and 1. */
static void the_objective_is_told(void **state)
{
	static const struct shown x = {{33000, 33000}, {30000, 11000}, {1000, 1000}, {1000, 1000}};

	(void)state;
	for (u32 stp = 0; stp < 2; stp++) {
		struct bed *b = still(2, 8);

		b->config.maestro_objective = stp ? OBJECTIVE_STP : OBJECTIVE_ANTT;
		bed_open(b);
		epoch(b, &x);
		measured(b, OPTION_SAME, 1100, 3000);
		assert_int_equal(own(b)->decided, stp ? OPTION_SAME : OPTION_SPATIAL);
		bed_close(b);
	}
}

/* What an epoch's event tells: CTAs of the trial kernel from now on, and before; 0 where SMs are apart. Epochs are
 * counted by what was decided: four CTAs are not even, and neither are SMs apart. */
static void decisions_are_told(void **state)
{
	struct bed *b = still(2, 8);
	struct shown more = half, same = half;
	struct record r = {0};

	(void)state;
	more.more[0] = more.more[1] = 60000;
	same.same[0] = same.same[1] = 60000;
	bed_open(b);
	epoch(b, &more);
	assert_int_equal(bed_records(b, EVENT_EPOCH, &r), 1);
	assert_true(r.a == 4 && r.b == 3);
	epoch(b, &third);
	assert_int_equal(bed_records(b, EVENT_EPOCH, &r), 1);
	assert_true(r.a == 0 && r.b == 4);
	epoch(b, &third);
	assert_int_equal(bed_records(b, EVENT_EPOCH, &r), 1);
	assert_true(r.a == 0 && r.b == 0);
	epoch(b, &same);
	assert_int_equal(bed_records(b, EVENT_EPOCH, &r), 1);
	assert_true(r.a == 4 && r.b == 0);
	assert_true(own(b)->epochs_apart == 2 && own(b)->epochs_even == 0 && own(b)->epochs_other == 2);
	bed_close(b);
}

/* --- more than two --- */

/* Each pair is measured by its own kernels' speeds alone. */
static void pairs_have_speeds_of_their_own(void **state)
{
	struct bed *b = still(4, 16);
	static const struct shown slower = {{60000, 30000}, {30000, 15000}, {1000, 1000}, {1000, 1000}};

	(void)state;
	bed_open(b);
	epochs(b, &half, 3);
	assert_int_equal(own(b)->turn, 1);
	epoch(b, &slower);
	measured(b, OPTION_SAME, 2000, 2000);
	assert_int_equal(own(b)->last, 1);
	bed_close(b);
}

/* A kernel that is left over has its SMs to itself; whether it is as fast as before is of no account to the pair. */
static void others_are_no_reason(void **state)
{
	struct bed *b = still(3, 16);

	(void)state;
	bed_open(b);
	for (u32 n = 0; n < 3; n++) {
		show(b, &half);
		for (u32 i = 0; i < 16; i++)
			if (own_sm(b, i)->pair == 1)
				((struct kernel_count *)(uintptr_t)kernel_on(b->sim.m, i, 2))->issued += n * ALONE;
		sim_cycle(&b->sim);
	}
	stands(b, 1, 0);
	bed_close(b);
}

/* A pair of exactly five SMs is tried: 3 and 2 of seven, which three kernels share. */
static void five_are_enough_for_a_pair(void **state)
{
	struct bed *b = still(3, 7);

	(void)state;
	bed_open(b);
	epoch(b, &half);
	assert_true(roles(b, ROLE_MORE) == 1 && roles(b, ROLE_LESS) == 1 && roles(b, ROLE_FOLLOWER) == 1);
	assert_int_equal(roles(b, ROLE_DEDICATED), 2);
	bed_close(b);
}

/* Two pairs of eight SMs. SMs of the other pair say nothing of the one that is measured. When that has become steady,
 * after three epochs, the other has its turn. A pair that is steady already has ten epochs; the hundred after which its
 * dedicated SMs return go on meanwhile. */
static void pairs_have_turns(void **state)
{
	struct bed *b = still(4, 16);
	struct shown more = half;

	(void)state;
	bed_open(b);
	show(b, &half);
	for (u32 i = 0; i < 16; i++)
		for (u32 k = 2; k < 4 && own_sm(b, i)->pair == 1; k++)
			((struct kernel_count *)(uintptr_t)kernel_on(b->sim.m, i, k))->issued += 7000;
	sim_cycle(&b->sim);
	measured(b, OPTION_SAME, 2000, 2000);
	epochs(b, &half, 2);
	assert_true(own(b)->epochs == 3 && own(b)->turn == 1 && pair(b, 0).steady && !pair(b, 0).waited);
	assert_int_equal(roles_of(b, 0, ROLE_FOLLOWER), 8);
	epochs(b, &half, 3);
	assert_true(own(b)->turn == 0 && pair(b, 1).steady);
	assert_int_equal(own(b)->waited, 3);
	stands(b, 1, 0);
	/* it has become steady before: ten epochs, unless it is no more and is again */
	epochs(b, &half, 9);
	assert_true(own(b)->turn == 0 && own(b)->turn_epochs == 9);
	epoch(b, &half);
	assert_int_equal(own(b)->turn, 1);
	assert_true(pair(b, 0).waited == 13 && own(b)->waited == 10);
	/* steady no more: its turn goes on */
	more.more[0] = more.more[1] = 60000;
	epoch(b, &more);
	assert_true(own(b)->turn == 1 && !own(b)->steady && own(b)->ctas == 4);
	epoch(b, &half);
	assert_int_equal(own(b)->turn, 1);
	epoch(b, &half); /* steady again */
	assert_true(own(b)->turn == 0 && pair(b, 1).steady && pair(b, 1).ctas == 4);
	bed_close(b);
}

/* Pairs that go on with fewer SMs: SMs apart are as many as leave a follower and the two that try, of 6 SMs none beside
 * the first for each kernel; with less than five SMs they are shared. */
static void pairs_keep_what_fits(void **state)
{
	struct bed *b = still(3, 9);

	(void)state;
	/* 9 SMs apart: 2 + 2 x 2. A third kernel comes: 3 + 3 of 9 */
	b->launch[2].at = 2700;
	bed_open(b);
	epochs(b, &third, 2);
	stands(b, 0, 6);
	assert_true(bed_cycle(b) < 2700);
	bed_run_to(b, 2702);
	assert_true(own(b)->kernels == 3 && pair(b, 0).apart == 1 && pair(b, 0).spatial == 0);
	assert_true(roles(b, ROLE_DEDICATED) == 2 && roles(b, ROLE_FOLLOWER) == 2);
	bed_close(b);
	/* 8 SMs apart; two more kernels come: 4 and 4 */
	b = still(4, 8);
	b->launch[2].at = b->launch[3].at = 2700;
	bed_open(b);
	epochs(b, &third, 2);
	stands(b, 0, 4);
	bed_run_to(b, 2702);
	assert_true(own(b)->kernels == 4 && own(b)->phase == PHASE_UNTRIED && !pair(b, 0).apart);
	assert_true(roles_of(b, 0, ROLE_FOLLOWER) == 4 && roles_of(b, 1, ROLE_FOLLOWER) == 4);
	bed_close(b);
}

/* An SM suits a pair by CTAs of others there less its own. Four kernels, four SMs, two for each pair. CTAs of kernels 0
 * to 3: SM 0 (3, 0, 5, 0): 2 for the first pair; SM 1 (0, 0, 0, 0): 0; SM 2 (2, 2, 5, 0): 1; SM 3 (3, 0, 6, 0): 3. The
 * first pair has SMs 1 and 2. */
static void sms_are_dealt_by_ctas(void **state)
{
	static const u32 ctas[4][4] = {{3, 0, 5, 0}, {0, 0, 0, 0}, {2, 2, 5, 0}, {3, 0, 6, 0}};
	struct maestro_kernel kernel[SMK_KERNELS] = {{.launch = 1}, {.launch = 2}, {.launch = 3}, {.launch = 4}};
	struct maestro_sm sm[4] = {{0}};
	struct bed *b = still(4, 4);

	(void)state;
	bed_open(b);
	bed_run_to(b, 2);
	for (u32 i = 0; i < 16; i++)
		((struct kernel_count *)(uintptr_t)kernel_on(b->sim.m, i / 4, i % 4))->resident = ctas[i / 4][i % 4];
	maestro_deal(b->sim.m, kernel, 4, sm);
	assert_true(sm[0].pair == 1 && sm[1].pair == 0 && sm[2].pair == 0 && sm[3].pair == 1);
	/* what its own count for: SM 0 is as good as empty SM 1 but for 1 CTA of its own: -1 before 0 */
	((struct kernel_count *)(uintptr_t)kernel_on(b->sim.m, 0, 0))->resident = 6;
	maestro_deal(b->sim.m, kernel, 4, sm);
	assert_true(sm[0].pair == 0 && sm[1].pair == 0 && sm[2].pair == 1 && sm[3].pair == 1);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slowdowns_decide),
		cmocka_unit_test(followers_count_by_their_mean),
		cmocka_unit_test(apart_is_half_of_the_sms),
		cmocka_unit_test(nobody_knows),
		cmocka_unit_test(steady_after_two_epochs),
		cmocka_unit_test(a_twentieth_is_as_fast),
		cmocka_unit_test(dedicated_sms_return),
		cmocka_unit_test(a_change_is_not_steady),
		cmocka_unit_test(apart_one_by_one),
		cmocka_unit_test(ties_stay_apart),
		cmocka_unit_test(apart_and_back_is_not_steady),
		cmocka_unit_test(roles_go_where_ctas_suit),
		cmocka_unit_test(who_lacks_ctas_is_far),
		cmocka_unit_test(trials_leave_each_a_cta),
		cmocka_unit_test(history_counts_beside_an_even_one),
		cmocka_unit_test(what_is_left_is_filled),
		cmocka_unit_test(the_last_byte_counts),
		cmocka_unit_test(trial_is_the_larger),
		cmocka_unit_test(the_objective_is_told),
		cmocka_unit_test(decisions_are_told),
		cmocka_unit_test(pairs_have_speeds_of_their_own),
		cmocka_unit_test(others_are_no_reason),
		cmocka_unit_test(five_are_enough_for_a_pair),
		cmocka_unit_test(pairs_have_turns),
		cmocka_unit_test(pairs_keep_what_fits),
		cmocka_unit_test(sms_are_dealt_by_ctas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
