/*
 * test_maestro.c - GPU Maestro: what it decides from an epoch's slowdowns, who gets which role, when an epoch begins
 * and ends, and what is remembered.
 *
 * Source: Park, University of Michigan, 2016, section 5.4.1; the numbers are computed by hand.
 */
#include "core_bed.h"

#include "policy_kernels.h"
#include "policy_maestro.h"

/* Slowdowns x 1000 of both kernels: apart, the same, one more, one less; 0: not tried. */
struct decision {
	struct maestro_option t[OPTION_COUNT];
	u32 now, antt, stp;
};
/* clang-format off */
static const struct decision decision[] = {
	/* nobody is better than what is */
	{{{2000, 2000}, {1500, 1800}, {1600, 1800}, {1500, 1900}}, OPTION_SAME, OPTION_SAME, OPTION_SAME},
	/* one more, one less */
	{{{2000, 2000}, {1500, 1800}, {1400, 1800}, {1500, 1900}}, OPTION_SAME, OPTION_MORE, OPTION_MORE},
	{{{2000, 2000}, {1500, 1800}, {1600, 1800}, {1500, 1700}}, OPTION_SAME, OPTION_LESS, OPTION_LESS},
	/* apart: ANTT 2, STP 1 */
	{{{2000, 2000}, {1500, 2600}, {1400, 2700}, {2400, 2400}}, OPTION_SAME, OPTION_SPATIAL, OPTION_MORE},
	{{{2000, 2000}, {2100, 2100}, {0, 0}, {0, 0}}, OPTION_SAME, OPTION_SPATIAL, OPTION_SPATIAL},
	/* from SMs apart back to sharing */
	{{{2000, 2000}, {1900, 1900}, {1800, 1900}, {2400, 2400}}, OPTION_SPATIAL, OPTION_MORE, OPTION_MORE},
	/* ties keep what is */
	{{{2000, 2000}, {2000, 2000}, {2000, 2000}, {2000, 2000}}, OPTION_SAME, OPTION_SAME, OPTION_SAME},
	{{{2000, 2000}, {2000, 2000}, {2000, 2000}, {2000, 2000}}, OPTION_SPATIAL, OPTION_SPATIAL, OPTION_SPATIAL},
	/* ANTT and STP disagree: 1.1 and 3.0 are 2.05 and 1.24, 2.0 and 2.0 are 2 and 1 */
	{{{2000, 2000}, {1100, 3000}, {0, 0}, {0, 0}}, OPTION_SAME, OPTION_SPATIAL, OPTION_SAME},
	/* a kernel that starves; what was not tried is not chosen; nothing was measured */
	{{{2000, 2000}, {1000, MAESTRO_MOST}, {1200, 2500}, {0, 0}}, OPTION_SAME, OPTION_MORE, OPTION_MORE},
	{{{0, 0}, {0, 0}, {0, 0}, {0, 0}}, OPTION_SAME, OPTION_SAME, OPTION_SAME},
};
/* clang-format on */

static void decisions(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(decision); i++) {
		assert_int_equal(maestro_decide(decision[i].t, decision[i].now, false), decision[i].antt);
		assert_int_equal(maestro_decide(decision[i].t, decision[i].now, true), decision[i].stp);
	}
}

/* Two kernels without end to speak of, the second with CTAs of two warps; SMs of 8 places and 12 warps, so that 8 of
 * the first and 6 of the second fit, 3 of the second beside 6 of the first. */
static struct bed *two_kernels(u32 sms)
{
	struct bed *b = bed_new();

	b->config.gpu_sms = sms;
	b->config.sm_ctas = 8;
	b->config.sm_warps = 12;
	b->config.sm_threads = 12 * 32;
	b->config.preempt_ctas = 128;
	b->config.maestro_epoch = 1000;
	policy_put(&b->policy, POLICY_partition, SCHEME_maestro);
	policy_put(&b->policy, POLICY_preempt, SCHEME_flush);
	for (u32 k = 0; k < 2; k++) {
		for (u32 i = 0; i < 60; i++)
			bed_alu(b, k, CLASS_INT, 1 + i % 3, 1, 1 + i % 3);
		bed_exit(b, k);
		bed_launch(b, k, 3000, k ? 64 : 32)->stream = k;
	}
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
static u32 roles(const struct bed *b, u32 role)
{
	u32 n = 0;

	for (u32 i = 0; i < b->config.gpu_sms; i++)
		n += own_sm(b, i)->role == role;
	return n;
}

static void fills(void **state)
{
	struct bed *b = two_kernels(8);

	(void)state;
	bed_open(b);
	const struct launch *l = b->program.launch;
	/* 12 warps, 8 places: beside c of the second 12 - 2 c warps and 8 - c places */
	for (u32 c = 0; c <= 6; c++)
		assert_int_equal(maestro_fill(b->sim.m, &l[1], c, &l[0]), min_u32(12 - 2 * c, 8 - c));
	assert_int_equal(maestro_fill(b->sim.m, &l[1], 7, &l[0]), 0);
	bed_close(b);
}

/* Of 8 SMs two are dedicated, two try, four follow; each holds what it is to when the epoch begins. */
static void first_roles(void **state)
{
	struct bed *b = two_kernels(8);

	(void)state;
	bed_open(b);
	while (own(b)->phase != PHASE_MEASURING)
		sim_cycle(&b->sim);
	assert_int_equal(own(b)->trial, 1);
	assert_int_equal(own(b)->ctas, 3); /* half of 12 warps */
	assert_true(roles(b, ROLE_DEDICATED) == 2 && roles(b, ROLE_MORE) == 1 && roles(b, ROLE_LESS) == 1);
	assert_int_equal(roles(b, ROLE_FOLLOWER), 4);
	bed_run_to(b, bed_cycle(b) + 100);
	for (u32 i = 0; i < 8; i++) {
		static const u32 trial[] = {[ROLE_MORE] = 4, [ROLE_LESS] = 2, [ROLE_FOLLOWER] = 3};
		u32 role = own_sm(b, i)->role;
		if (role == ROLE_DEDICATED)
			assert_int_equal(resident(b, i, !own_sm(b, i)->kernel), 0);
		else
			assert_true(resident(b, i, 1) <= trial[role] && resident(b, i, 1) + 1 >= trial[role]);
	}
	bed_close(b);
}

/* What SMs have issued of a kernel at some moment. */
struct moment {
	struct maestro own;
	struct maestro_sm sm[8];
	u64 issued[8][2];
	struct maestro_kernel alone[2];
};
static void look(const struct bed *b, struct moment *at)
{
	struct maestro_state s = maestro_state(b->sim.m);

	at->own = *s.own;
	memcpy(at->sm, s.sm, sizeof at->sm);
	for (u32 k = 0; k < 2; k++) {
		at->alone[k] = s.kernel[k];
		for (u32 i = 0; i < 8; i++)
			at->issued[i][k] = kernel_on(b->sim.m, i, k)->issued;
	}
}

/* Instructions of a kernel in an epoch in the SM of a role (and kernel); one there is. */
static u64 in_role(const struct moment *then, const struct moment *now, u32 role, u32 kernel, u32 k)
{
	for (u32 i = 0; i < 8; i++)
		if (then->sm[i].role == role && (role != ROLE_DEDICATED || then->sm[i].kernel == kernel))
			return now->issued[i][k] - then->sm[i].issued[k];
	return 0;
}

/* At the end of an epoch the slowdowns are those of what SMs have issued, and what they say is done. */
static void an_epoch(void **state)
{
	struct bed *b = two_kernels(8);
	u32 tried = 0;

	(void)state;
	bed_open(b);
	for (u32 epochs = 0; epochs < 6; epochs++) {
		const struct maestro_option *option = maestro_state(b->sim.m).option;
		struct moment then, now;
		while (own(b)->phase != PHASE_MEASURING)
			sim_cycle(&b->sim);
		look(b, &then);
		bed_run_to(b, then.own.since + 1000);
		look(b, &now);
		const struct maestro_kernel *alone = now.alone;
		for (u32 k = 0; k < 2 && !then.own.steady && !then.own.spatial; k++) {
			assert_int_equal(alone[k].issued, in_role(&then, &now, ROLE_DEDICATED, k, k));
			assert_int_equal(alone[k].cycles, 1000);
		}
		u64 first = in_role(&then, &now, ROLE_MORE, 0, 0), second = in_role(&then, &now, ROLE_MORE, 0, 1);
		if (first && second) {
			assert_int_equal(option[OPTION_MORE].first,
					 alone[0].issued * 1000000 / (alone[0].cycles * first));
			assert_int_equal(option[OPTION_MORE].second,
					 alone[1].issued * 1000000 / (alone[1].cycles * second));
			tried++;
		}
		u32 best = maestro_decide(option, then.own.apart ? OPTION_SPATIAL : OPTION_SAME, false);
		assert_int_equal(now.own.decided, best);
		assert_int_equal(now.own.ctas, then.own.ctas + (best == OPTION_MORE) - (best == OPTION_LESS));
		assert_int_equal(now.own.epochs, then.own.epochs + 1);
	}
	assert_true(tried);
	bed_close(b);
}

/* Where the kernel that came first leaves nothing to the other SMs apart are best: each kernel gets one more after each
 * epoch, as long as a follower and the two that try are left. */
static void apart(void **state)
{
	struct bed *b = two_kernels(9);
	u32 most = 0;

	(void)state;
	b->config.maestro_epoch = 300;
	policy_put(&b->policy, POLICY_order, SCHEME_oldest);
	bed_open(b);
	for (u32 epochs = 0; epochs < 6; epochs++) {
		u64 before = own(b)->epochs;
		while (own(b)->epochs == before)
			sim_cycle(&b->sim);
		most = max_u32(most, own(b)->spatial);
		assert_int_equal(roles(b, ROLE_DEDICATED), own(b)->steady ? 0 : 2 + 2 * own(b)->spatial);
		assert_true(roles(b, ROLE_FOLLOWER) >= 1);
	}
	assert_int_equal(most, 2);
	bed_close(b);
}

/* One kernel has all SMs; with fewer than five SMs nothing is tried. */
static void alone(void **state)
{
	(void)state;
	for (u32 sms = 4; sms < 6; sms++) {
		struct bed *b = two_kernels(sms);

		b->config.preempt_ctas = 64;
		b->launch[1].at = 300;
		bed_open(b);
		bed_run_to(b, 200);
		assert_int_equal(own(b)->phase, PHASE_OFF);
		assert_int_equal(resident(b, 0, 0), 8);
		bed_run_to(b, 400);
		assert_int_equal(own(b)->phase != PHASE_OFF, sms == 5);
		bed_close(b);
	}
}

/* The parts of both kernels in all SMs that hold them: is x measured, and what it is. Who has been met, a set. */
static u32 parts(const struct bed *b, bool measured, const struct kernel_part *alone)
{
	struct kernel_part part[KERNEL_PLACES];
	u32 met = 0;

	for (u32 i = 0; i < 8; i++) {
		kernel_parts(sim_look(&b->sim, i, 0), part);
		for (u32 k = 0; k < 2; k++) {
			const struct kernel_part *p = &part[launch_place(b->sim.m, k)];
			if (!p->ctas)
				continue;
			assert_int_equal(p->measured, measured);
			assert_true(p->issued * alone[k].slots == alone[k].issued * p->slots);
			met |= 1u << k;
		}
	}
	return met;
}

/* kernel-fair deals out its window by what SMs of their own have shown: before the first epoch has ended nobody knows,
 * and what the launch says counts; then its part of the scheduler slots of a dedicated SM does. */
static void shares(void **state)
{
	struct bed *b = two_kernels(8);
	struct kernel_part told[2] = {{.issued = 100, .slots = 100}, {.issued = 40, .slots = 100}}, shown[2];

	(void)state;
	b->config.sm_subcores = 4;
	b->launch[1].alone = 40;
	policy_put(&b->policy, POLICY_rank, SCHEME_kernel_fair);
	bed_open(b);
	while (own(b)->phase != PHASE_MEASURING)
		sim_cycle(&b->sim);
	assert_int_equal(parts(b, false, told), 3);
	bed_run_to(b, own(b)->since + 1001);
	for (u32 k = 0; k < 2; k++)
		shown[k] = (struct kernel_part){.issued = maestro_state(b->sim.m).kernel[k].issued,
						.slots = 1000ULL * b->sim.m->schedulers};
	assert_true(shown[0].issued && shown[0].issued < 4000 && shown[1].issued && shown[1].issued != 1600);
	assert_int_equal(parts(b, true, shown), 3);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decisions), cmocka_unit_test(fills), cmocka_unit_test(first_roles),
		cmocka_unit_test(an_epoch),  cmocka_unit_test(apart), cmocka_unit_test(alone),
		cmocka_unit_test(shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
