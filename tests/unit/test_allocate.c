/*
 * test_allocate.c - where registers and shared memory lie under firstfit and twoway: pieces that are too small, and
 * none; who makes room first.
 *
 * Source: Park, University of Michigan, 2016, figures 5.4 and 5.9.
 */
#include "core_bed.h"

/* CTAs of each launch that an SM is to hold. */
static u32 wanted[3];
static u32 partition(const struct sched_view *v, u32 launch)
{
	(void)v;
	return wanted[launch];
}
const struct scheme scheme_trial[SCHEME_TRIALS] = {{.name = "wanted", .doc = "", .decide.partition = partition}};

/* Two launches side by side, of kernels 0 and 1: 10 kB of shared memory, CTAs of 2.5 and 3 kB. */
static struct bed *figure_54(u32 allocator, u32 first, u32 second)
{
	struct bed *b = bed_new();

	b->config.sm_shared = b->config.sm_cta_shared = 10240;
	b->config.sm_shared_unit = 512;
	b->config.preempt_ctas = 16;
	policy_put(&b->policy, POLICY_allocate, allocator);
	for (u32 k = 0; k < 2; k++) {
		for (u32 i = 0; i < 400; i++)
			bed_alu(b, k, CLASS_INT, 1, 1, 1);
		bed_exit(b, k);
		struct launch *l = bed_launch(b, k, k ? second : first, 32);
		l->stream = k;
		l->shared = k ? 3072 : 2560;
		l->at = 10 * k;
	}
	return b;
}

static u32 resident(const struct bed *b, u32 launch)
{
	return kernel_on(b->sim.m, 0, launch)->resident;
}

/* The place of the CTA of a launch whose shared memory begins at an address; NONE32: there is none. */
static u32 lies_at(const struct bed *b, u32 launch, u32 first)
{
	const struct sm_view *v = &b->sim.view[0];
	const struct stretch *s = sm_stretches(v->m, 0, true);

	for (u32 i = 0; i < v->m->residents; i++)
		if (v->cta[i].launch == launch && s[i].count && s[i].first == first)
			return i;
	return NONE32;
}

/* A CTA goes for good; then some cycles, in which others may come. */
static void goes(struct bed *b, u32 place)
{
	assert_int_not_equal(place, NONE32);
	assert_int_equal(sim_depart(&b->sim, 0, place, LEAVE_KILL, NULL), STATUS_OK);
	bed_run_to(b, bed_cycle(b) + 5);
}

/* Figure 5.4 (a): when the only CTA of kernel 0 has gone 4 kB are free, in pieces of 2.5 and 1.5 or in one. */
static void a_kernel_ends(void **state)
{
	(void)state;
	for (u32 two = 0; two < 2; two++) {
		struct bed *b = figure_54(two ? SCHEME_twoway : SCHEME_firstfit, 1, 3);

		bed_open(b);
		bed_run_to(b, 20);
		assert_true(resident(b, 0) == 1 && resident(b, 1) == 2);
		assert_int_not_equal(lies_at(b, 1, two ? 7168 : 2560), NONE32);
		goes(b, lies_at(b, 0, 0));
		assert_int_equal(resident(b, 1), 2 + two);
		assert_int_equal(lies_at(b, 1, 1024) != NONE32, two);
		bed_run(b);
		bed_close(b);
	}
}

/* Figure 5.4 (b): kernel 1 makes room for a CTA of kernel 0, and ends later; 5 kB are free then, in pieces of 3 and 2
 * or in one: for one CTA of 2.5 kB, or for two. */
static void a_kernel_makes_room(void **state)
{
	(void)state;
	for (u32 two = 0; two < 2; two++) {
		struct bed *b = figure_54(two ? SCHEME_twoway : SCHEME_firstfit, 4, 2);
		struct sm_view *v;

		policy_put(&b->policy, POLICY_partition, SCHEME_COUNT);
		wanted[0] = 1;
		wanted[1] = 2;
		v = &bed_open(b)->view[0];
		bed_run_to(b, 20);
		assert_true(resident(b, 0) == 1 && resident(b, 1) == 2);
		wanted[0] = 2;
		wanted[1] = 1;
		goes(b, two ? scheme_twoway.outermost(v->look, 6) : lies_at(b, 1, 5632));
		assert_true(resident(b, 0) == 2 && resident(b, 1) == 1);
		assert_int_not_equal(lies_at(b, 0, two ? 2560 : 5632), NONE32);
		wanted[0] = 4;
		wanted[1] = 0;
		goes(b, lies_at(b, 1, two ? 7168 : 2560));
		assert_true(resident(b, 0) == 3 + two && resident(b, 1) == 0);
		bed_run(b);
		bed_close(b);
	}
}

/* The kernel that comes to an SM where another has the high end gets the low one; a third kernel waits. */
static void ends_of_an_sm(void **state)
{
	struct bed *b = figure_54(SCHEME_twoway, 1, 1);
	struct launch *l = bed_launch(b, 0, 1, 32);

	(void)state;
	l->stream = 2;
	l->at = 20;
	l->shared = 512;
	bed_open(b);
	bed_run_to(b, 30);
	assert_true(lies_at(b, 0, 0) != NONE32 && lies_at(b, 1, 7168) != NONE32);
	assert_int_equal(resident(b, 2), 0);
	goes(b, lies_at(b, 0, 0));
	assert_int_equal(resident(b, 2), 1);
	assert_int_not_equal(lies_at(b, 2, 0), NONE32);
	bed_run(b);
	assert_false(sim_deadlocked(&b->sim));
	bed_close(b);
}

/* The units of a ground: what of them lies outside both launches' extents must be one piece, and holes within an
 * extent must be whole blocks of the launch, `block` units each. */
static void check_ground(const struct sm_view *v, u32 sub, const u32 *block)
{
	bool shared = sub == NONE32;
	const struct config *c = &v->m->config;
	const struct stretch *s = sm_stretches(v->m, v->id, shared);
	u32 unit = shared ? c->sm_shared_unit : c->sm_register_unit, n = shared ? v->m->residents : v->m->contexts;
	u32 step = shared ? 1 : c->sm_subcores, low[2] = {NONE32, NONE32}, high[2] = {0, 0}, sum[2] = {0, 0};

	for (u32 i = shared ? 0 : sub; i < n; i += step) {
		u32 l = shared ? v->cta[i].launch : v->warp[i].launch;
		if (!s[i].count)
			continue;
		assert_true(l < 2);
		low[l] = min_u32(low[l], s[i].first / unit);
		high[l] = max_u32(high[l], (s[i].first + s[i].count) / unit);
		sum[l] += s[i].count / unit;
	}
	for (u32 l = 0; l < 2; l++)
		assert_true(!sum[l] || (high[l] - low[l] - sum[l]) % block[l] == 0);
	if (sum[0] && sum[1]) {
		u32 down = low[0] < low[1] ? 0 : 1, all = shared ? c->sm_shared : c->sm_registers / c->sm_subcores;
		assert_true(high[down] <= low[!down]);
		/* what is at the ends was a block of theirs and will be filled again */
		assert_true(low[down] % block[down] == 0 && (all / unit - high[!down]) % block[!down] == 0);
	}
}

/* Kernels of different sizes whose CTAs end in any order: what is free lies in one piece, in every file and in shared
 * memory, in every cycle. */
static void free_in_one_piece(void **state)
{
	u64 both = 0, killed = 0;

	(void)state;
	for (u32 seed = 0; seed < 12; seed++) {
		struct bed *b = bed_new();
		u32 warps[2] = {1 + seed % 3, 2}, regs[2] = {16, 24 + 8 * (seed % 4)}, random = seed * 2654435761u + 1;
		struct sm_view *v;

		b->config.sm_subcores = 2;
		b->config.sm_ctas = 16;
		b->config.preempt_ctas = 16;
		b->config.sm_warps = 32;
		b->config.sm_registers = 16384;
		b->config.sm_register_unit = 256;
		b->config.sm_shared = b->config.sm_cta_shared = 16384;
		b->config.sm_shared_unit = 256;
		policy_put(&b->policy, POLICY_allocate, SCHEME_twoway);
		for (u32 k = 0; k < 2; k++) {
			for (u32 i = 0; i < 300; i++)
				bed_alu(b, k, CLASS_INT, 1, 1, 1);
			bed_exit(b, k);
			struct launch *l = bed_launch(b, k, 40, 32 * warps[k]);
			l->stream = k;
			l->regs = regs[k];
			l->shared = k ? 768 : 1280 + 256 * (seed % 5);
		}
		v = &bed_open(b)->view[0];
		while (!sim_finished(&b->sim)) {
			const struct launch *l = b->program.launch;
			sim_cycle(&b->sim);
			for (u32 g = 0; g < 3; g++)
				check_ground(v, g < 2 ? g : NONE32,
					     (u32[]){g < 2 ? regs[0] * 32 / 256 : l[0].shared / 256,
						     g < 2 ? regs[1] * 32 / 256 : l[1].shared / 256});
			both += resident(b, 0) && resident(b, 1);
			random = random * 1664525 + 1013904223;
			u32 at = random >> 16 & 15;
			if (random >> 28 == 0 && v->cta[at].launch != NONE16 && !v->cta[at].leaving)
				killed += sim_depart(&b->sim, 0, at, LEAVE_KILL, NULL) == STATUS_OK;
		}
		bed_close(b);
	}
	assert_true(both > 1000 && killed > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_ends),
		cmocka_unit_test(a_kernel_makes_room),
		cmocka_unit_test(ends_of_an_sm),
		cmocka_unit_test(free_in_one_piece),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
