/*
 * test_maestro.c - GPU Maestro on kernels that run: what it decides from an epoch's slowdowns, who gets which role,
 * when an epoch begins and ends, what is remembered, and how more than two kernels share the SMs. (Epoch by epoch:
 * test_maestro_epochs.c.)
 *
 * Source: Park, University of Michigan, 2016, sections 5.4.1 and 5.4.2; the numbers are computed by hand.
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

/* The option with the least mean of the slowdowns (equation 5.1), of those that were measured; the one that is keeps
 * its place where none is better. */
static u32 least_antt(const struct maestro_option *t, u32 now)
{
	u32 best = now;

	for (u32 i = 0; i < OPTION_COUNT; i++) {
		double antt = ((double)t[i].first + (double)t[i].second) / 2,
		       least = ((double)t[best].first + (double)t[best].second) / 2;

		if (t[i].first && (!t[best].first || antt < least))
			best = i;
	}
	return best;
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
		u32 best = least_antt(option, then.own.apart ? OPTION_SPATIAL : OPTION_SAME);
		assert_int_equal(now.own.decided, best);
		assert_int_equal(now.own.ctas, then.own.ctas + (best == OPTION_MORE) - (best == OPTION_LESS));
		assert_int_equal(now.own.epochs, then.own.epochs + 1);
	}
	assert_true(tried);
	bed_close(b);
}

/* CTAs that an SM is to hold: of the trial kernel (1) as many as followers, one more or one less; beside c of it 12 - 2
 * c, or 8 - c, of the other; a dedicated SM none of the other kernel. */
static u32 to_hold(const struct bed *b, u32 sm, u32 k)
{
	const struct maestro_sm *s = own_sm(b, sm);
	u32 c = own(b)->ctas + (s->role == ROLE_MORE) - (s->role == ROLE_LESS);

	if (s->role == ROLE_DEDICATED)
		return s->kernel == k ? NONE32 : 0;
	return k == 1 ? c : min_u32(12 - 2 * c, 8 - c);
}

/* An epoch begins when no SM holds more CTAs than it is to, however long that takes: here nobody is preempted, and CTAs
 * run for longer than an epoch. */
static void partition_reached(void **state)
{
	struct bed *b = two_kernels(8);
	u32 late = 0;

	(void)state;
	b->config.lat_int = 200;
	policy_clear(&b->policy, POLICY_preempt);
	bed_open(b);
	for (u32 epochs = 0; epochs < 4; epochs++) {
		u64 from = own(b)->since;
		while (own(b)->phase != PHASE_MEASURING)
			sim_cycle(&b->sim);
		late += own(b)->since - from > 2000;
		for (u32 i = 0; i < 16; i++)
			assert_true(resident(b, i / 2, i % 2) <= to_hold(b, i / 2, i % 2));
		while (own(b)->phase == PHASE_MEASURING)
			sim_cycle(&b->sim);
	}
	assert_true(late);
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

/* What is remembered of one of the two kernels: its part of the CTAs that fit, x 1000. */
static void set_history(const struct bed *b, u32 k, u32 part)
{
	struct maestro *m = (struct maestro *)(uintptr_t)own(b);
	u64 name = maestro_name(&b->launch[k]);

	if (part)
		m->history[maestro_place(m, name)] = name << 32 | part;
}

/* 8 of the first kernel fit and 6 of the second, which is the trial kernel: 4 and 3 are the even parts. Beside c of the
 * first (12 - c) / 2 of the second have room, and 8 - c places. */
static const struct {
	u32 first, trial, ctas; /* remembered, x 1000 of what fits; CTAs of the trial kernel to begin with */
} history[] = {
	{0, 0, 3},				   /* nothing is known */
	{0, 333, 2},   {0, 166, 1},		   /* the trial kernel came to less than 3 */
	{0, 500, 3},   {0, 833, 3},		   /* to as much, or more: that does not count */
	{125, 0, 5},   {250, 0, 5},   {375, 0, 4}, /* the first came to 1, 2, 3, less than 4 */
	{500, 0, 3},   {750, 0, 3},		   /* to as much, or more */
	{250, 833, 5}, {750, 333, 2},		   /* one to less, the other to more: the usual case */
	{250, 333, 2}, {125, 166, 1},		   /* both to less: the trial kernel's is what counts */
};
static void histories(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(history); i++) {
		struct bed *b = two_kernels(8);

		b->kernel[1].name = (char *)"second";
		b->launch[0].at = b->launch[1].at = 100;
		bed_open(b);
		set_history(b, 0, history[i].first);
		set_history(b, 1, history[i].trial);
		while (own(b)->phase == PHASE_OFF)
			sim_cycle(&b->sim);
		assert_int_equal(own(b)->trial, 1);
		assert_int_equal(own(b)->ctas, history[i].ctas);
		bed_close(b);
	}
}

/* After an epoch both kernels are known by what SMs that follow are to hold. */
static void both_remembered(void **state)
{
	struct bed *b = two_kernels(8);
	u32 c;

	(void)state;
	b->kernel[1].name = (char *)"second";
	bed_open(b);
	assert_int_equal(maestro_before(b->sim.m, &b->launch[0], 0), NONE32);
	while (!own(b)->epochs)
		sim_cycle(&b->sim);
	c = own(b)->ctas;
	assert_int_equal(maestro_before(b->sim.m, &b->launch[1], 1), c);
	assert_int_equal(maestro_before(b->sim.m, &b->launch[0], 0), min_u32(12 - 2 * c, 8 - c));
	bed_close(b);
}

/* Kernels by number + 1 that were in pairs, those that run, and their pairs then. */
static const struct {
	u64 before[SMK_KERNELS], running[SMK_KERNELS];
	u32 n;
	u64 after[SMK_KERNELS];
} pairing[] = {
	{{0}, {1, 2}, 2, {1, 2}},
	{{0}, {1, 2, 3, 4}, 4, {1, 2, 3, 4}},
	{{1, 2}, {1, 2, 3}, 3, {1, 2, 3}},	    /* a third begins: it is alone */
	{{1, 2, 3}, {1, 2, 3, 7}, 4, {1, 2, 3, 7}}, /* and gets a partner */
	{{1, 2, 3, 4}, {2, 3, 4}, 3, {3, 4, 2}},    /* one ends: its partner is alone, the other pair stays */
	{{3, 4, 2}, {2, 3, 4, 5}, 4, {3, 4, 2, 5}}, /* and gets one that begins */
	{{1, 2, 3, 4, 5}, {1, 4, 5}, 3, {1, 4, 5}}, /* two partners end */
	{{1, 2, 5}, {1, 2, 3, 5}, 4, {1, 2, 3, 5}}, /* an earlier launch begins later */
	{{1, 2, 3}, {2, 3}, 2, {2, 3}},
};
static void pairings(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(pairing); i++) {
		u64 after[SMK_KERNELS];

		maestro_pair_up(pairing[i].before, pairing[i].running, pairing[i].n, after);
		assert_memory_equal(after, pairing[i].after, sizeof after);
	}
}

/* n kernels without end to speak of, the odd ones with CTAs of two warps. */
static struct bed *many_kernels(u32 n, u32 sms)
{
	struct bed *b = two_kernels(sms);

	b->kernel[1].name = (char *)"second";
	b->config.maestro_epoch = 600;
	policy_put(&b->policy, POLICY_allocate, SCHEME_twoway);
	for (u32 k = 0; k < n; k++) {
		if (k > 1)
			bed_launch(b, k % 2, 3000, k % 2 ? 64 : 32)->stream = k;
		b->launch[k].grid[0] = b->launch[k].ctas = 60000;
	}
	return b;
}

/* Kernels with CTAs in an SM. */
static u32 kernels_in(const struct bed *b, u32 sm, u32 n)
{
	u32 with = 0;

	for (u32 k = 0; k < n; k++)
		with += resident(b, sm, k) > 0;
	return with;
}

/* SMs of a pair in a role; of dedicated ones those of one of its kernels. */
static u32 roles_of(const struct bed *b, u32 pair, u32 role, u32 kernel)
{
	u32 n = 0;

	for (u32 i = 0; i < b->config.gpu_sms; i++)
		n += own_sm(b, i)->pair == pair && own_sm(b, i)->role == role &&
		     (role != ROLE_DEDICATED || own_sm(b, i)->kernel == kernel);
	return n;
}

/* No SM holds CTAs of more than two kernels, nor, when an epoch is measured, those of a kernel that is not of its pair.
 */
static void look_at_sms(const struct bed *b, u32 n)
{
	for (u32 i = 0; i < b->config.gpu_sms; i++) {
		assert_true(kernels_in(b, i, n) <= 2);
		for (u32 k = 0; k < n && own(b)->phase == PHASE_MEASURING; k++)
			assert_true(own_sm(b, i)->pair == k / 2 || !resident(b, i, k));
	}
}

/* Warp instructions of a kernel. */
static u64 issued_of(const struct bed *b, u32 k)
{
	u64 n = 0;

	for (u32 i = 0; i < b->config.gpu_sms; i++)
		n += kernel_on(b->sim.m, i, k)->issued;
	return n;
}

/* So many cycles on, in which all n kernels get on. */
static void run_on(struct bed *b, u32 n, u32 cycles)
{
	u64 before[SMK_KERNELS];

	for (u32 k = 0; k < n; k++)
		before[k] = issued_of(b, k);
	for (u32 t = 0; t < cycles; t++) {
		look_at_sms(b, n);
		sim_cycle(&b->sim);
	}
	for (u32 k = 0; k < n; k++)
		assert_true(issued_of(b, k) > before[k]);
}

/* Three kernels on 16 SMs: 6, 5 and 5 are their parts, so that two of them are tried on 11 and one has 5 to itself. */
static void three(void **state)
{
	struct bed *b = many_kernels(3, 16);

	(void)state;
	b->launch[2].at = 400; /* all SMs hold the other two then */
	bed_open(b);
	run_on(b, 2, 300);
	assert_int_equal(own(b)->kernels, 2);
	while (own(b)->kernels < 3 || own(b)->phase != PHASE_MEASURING) {
		look_at_sms(b, 3);
		sim_cycle(&b->sim);
	}
	assert_true(own(b)->turn == 0 && own(b)->trial == 1 && own(b)->ctas == 3);
	assert_true(roles_of(b, 0, ROLE_DEDICATED, 0) == 1 && roles_of(b, 0, ROLE_DEDICATED, 1) == 1);
	assert_true(roles_of(b, 0, ROLE_MORE, 0) == 1 && roles_of(b, 0, ROLE_LESS, 0) == 1);
	assert_int_equal(roles_of(b, 0, ROLE_FOLLOWER, 0), 7);
	assert_int_equal(roles_of(b, 1, ROLE_DEDICATED, 0), 5);
	run_on(b, 3, 300);
	for (u32 i = 0; i < 16; i++) {
		bool alone = own_sm(b, i)->pair == 1, shared = own_sm(b, i)->role == ROLE_FOLLOWER;
		assert_true(alone || !shared || kernels_in(b, i, 3) == 2);
		assert_true(!alone || resident(b, i, 2) >= 7);
		assert_true(alone || !resident(b, i, 2));
	}
	assert_null(maestro_alone(b->sim.m, 2));
	while (own(b)->epochs < 2)
		run_on(b, 3, 1 + 600);
	for (u32 k = 0; k < 3; k++)
		assert_non_null(maestro_alone(b->sim.m, k));
	/* of SMs that a kernel has to itself: five times 600 cycles */
	assert_int_equal(maestro_alone(b->sim.m, 2)->cycles, 5 * 600);
	run_on(b, 3, 20000);
	assert_int_equal(own(b)->turn, 0); /* there is no other */
	bed_close(b);
}

/* Four on 16: two pairs with 8 SMs each, of which one is tried at a time; then the other is. */
static void four(void **state)
{
	struct bed *b = many_kernels(4, 16);
	u32 turns = 0, came = 0, epochs = 0;
	u64 issued[4] = {0};

	(void)state;
	bed_open(b);
	for (u32 t = 0; turns < 4 && t < 60000; t++) {
		u32 turn = own(b)->turn, other = !turn, before = own(b)->epochs;
		struct maestro_state s = maestro_state(b->sim.m);

		if (own(b)->phase == PHASE_MEASURING && t % 64 == 0) {
			struct maestro_pair waits = maestro_pair(&s, other);
			u32 apart = waits.apart ? 1 + waits.spatial : 0;
			assert_true(roles_of(b, turn, ROLE_MORE, 0) + roles_of(b, turn, ROLE_LESS, 0) >= 1);
			assert_int_equal(roles_of(b, other, ROLE_MORE, 0) + roles_of(b, other, ROLE_LESS, 0), 0);
			assert_int_equal(roles_of(b, other, ROLE_DEDICATED, 0), apart);
			assert_int_equal(roles_of(b, other, ROLE_DEDICATED, 1), apart);
			assert_int_equal(roles_of(b, other, ROLE_FOLLOWER, 0), 8 - 2 * apart);
			assert_int_equal(waits.ctas, turns ? came : 3); /* what it came to, or its even part */
			for (u32 i = 0; i < 16; i++)
				assert_true(own_sm(b, i)->pair != other || own_sm(b, i)->role != ROLE_FOLLOWER ||
					    resident(b, i, 2 * other + 1) <= waits.ctas);
		}
		look_at_sms(b, 4);
		sim_cycle(&b->sim);
		epochs += own(b)->epochs - before;
		s = maestro_state(b->sim.m);
		if (own(b)->turn == turn)
			continue;
		turns++;
		came = maestro_pair(&s, turn).ctas;
		assert_true(maestro_pair(&s, turn).steady || epochs == 10);
		assert_true(epochs >= 3 && epochs <= 10); /* two that change nothing, after the first */
		epochs = 0;
		for (u32 k = 0; k < 4; k++) {
			assert_true(issued_of(b, k) > issued[k] + 1000);
			issued[k] = issued_of(b, k);
		}
	}
	assert_int_equal(turns, 4);
	bed_close(b);
}

/* A pair goes on when a kernel of the other ends: it keeps what it came to. The kernel that is left over has its SMs to
 * itself: 6 + 5 and 5. */
static void regrouped(void **state)
{
	struct bed *b = many_kernels(4, 16);
	struct maestro_pair was;
	struct maestro_state s;

	(void)state;
	b->launch[0].grid[0] = b->launch[0].ctas = 2500;
	bed_open(b);
	while (own(b)->turn != 1 || !own(b)->turn_epochs) {
		assert_true(bed_cycle(b) < 60000);
		sim_cycle(&b->sim);
	}
	while (own(b)->kernels == 4) {
		s = maestro_state(b->sim.m);
		was = maestro_pair(&s, 1);
		sim_cycle(&b->sim);
	}
	s = maestro_state(b->sim.m);
	assert_int_equal(own(b)->kernels, 3);
	assert_true(s.kernel[0].launch == 3 && s.kernel[1].launch == 4 && s.kernel[2].launch == 2);
	assert_int_equal(maestro_pair(&s, 0).ctas, was.ctas);
	assert_int_equal(maestro_pair(&s, 0).steady, 0);
	assert_true(maestro_sms(b->sim.m, 0) == 11 && maestro_sms(b->sim.m, 1) == 5);
	assert_true(s.kernel[0].cycles && s.kernel[1].cycles && s.kernel[2].cycles); /* speeds are kept */
	bed_close(b);
}

/* On five SMs no pair has five: 2, 2 and 1 are shared evenly, nothing is tried, and a sixth kernel waits. */
static void too_few(void **state)
{
	struct bed *b = many_kernels(6, 5);
	u32 sms[3] = {0};

	(void)state;
	bed_open(b);
	run_on(b, 0, 1000);
	assert_true(own(b)->phase == PHASE_UNTRIED && own(b)->kernels == 5 && !own(b)->epochs);
	for (u32 i = 0; i < 5; i++) {
		u32 pair = (u32)own_sm(b, i)->pair;
		sms[pair]++;
		assert_int_equal(resident(b, i, 5), 0);
		assert_int_equal(own_sm(b, i)->role, pair == 2 ? ROLE_DEDICATED : ROLE_FOLLOWER);
		assert_true(pair == 2 || resident(b, i, 2 * pair + 1) <= 3);
	}
	assert_true(sms[0] == 2 && sms[1] == 2 && sms[2] == 1);
	run_on(b, 5, 2000);
	assert_true(own(b)->phase == PHASE_UNTRIED && !own(b)->epochs);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(decisions),
		cmocka_unit_test(fills),
		cmocka_unit_test(first_roles),
		cmocka_unit_test(an_epoch),
		cmocka_unit_test(partition_reached),
		cmocka_unit_test(alone),
		cmocka_unit_test(shares),
		cmocka_unit_test(histories),
		cmocka_unit_test(both_remembered),
		cmocka_unit_test(pairings),
		cmocka_unit_test(three),
		cmocka_unit_test(four),
		cmocka_unit_test(regrouped),
		cmocka_unit_test(too_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
