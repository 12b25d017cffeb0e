/*
 * test_territory.c - stretches of registers and shared memory: the lowest that fits; pieces move together where
 * counting admits; two never meet.
 */
#include "core_bed.h"

#include "blocks/blocks.h"

#define OWNERS 24

/* Allocators: the lowest stretch that is free; kernels from opposite ends. */
static u32 first_fit(const struct sched_view *v, const struct ground *g, u32 launch, u32 n)
{
	assert_true(v->launch[launch].warps && g->unit && (g->sub < v->m->config.sm_subcores || g->sub == NONE32));
	return ground_lowest(g, n);
}
static u32 two_way(const struct sched_view *v, const struct ground *g, u32 launch, u32 n)
{
	(void)v;
	return launch ? ground_highest(g, n) : ground_lowest(g, n);
}
/* Nothing at all in sub-core 0. */
static u32 elsewhere(const struct sched_view *v, const struct ground *g, u32 launch, u32 n)
{
	(void)v;
	(void)launch;
	return g->sub ? ground_lowest(g, n) : NONE32;
}
const struct scheme scheme_trial[SCHEME_TRIALS] = {
	{.name = "first", .doc = "", .decide.allocate = first_fit},
	{.name = "two", .doc = "", .decide.allocate = two_way},
	{.name = "elsewhere", .doc = "", .decide.allocate = elsewhere},
};

/* A territory of its own, of shared memory in units of 512 bytes. */
struct land {
	struct map_word map[4];
	struct stretch stretch[OWNERS];
	struct territory t;
};

static struct land *land_new(u32 units)
{
	struct land *l = xcalloc(1, sizeof *l);

	l->t = (struct territory){.ground = {.map = l->map, .units = units, .unit = 512, .sub = NONE32},
				  .map = l->map,
				  .stretch = l->stretch,
				  .step = 1,
				  .owners = OWNERS};
	return l;
}

/* Taken units. */
static u32 taken(const struct land *l)
{
	u32 n = 0;

	for (u32 i = 0; i < 4; i++)
		n += (u32)__builtin_popcountll(l->map[i].taken);
	return n;
}

/* Every stretch lies inside, none meets another, and the map is their union. */
static void check_land(const struct land *l)
{
	u32 sum = 0;

	for (u32 i = 0; i < OWNERS; i++) {
		const struct stretch *a = &l->stretch[i];

		sum += a->count / 512;
		assert_true(a->first + a->count <= l->t.ground.units * 512);
		for (u32 u = a->first / 512; u < (a->first + a->count) / 512; u++)
			assert_true(l->map[u / 64].taken >> u % 64 & 1);
		for (u32 k = 0; k < i; k++) {
			const struct stretch *b = &l->stretch[k];

			assert_true(!a->count || !b->count || a->first + a->count <= b->first ||
				    b->first + b->count <= a->first);
		}
	}
	assert_int_equal(taken(l), sum);
}

/* The lowest hole that is long enough, across the words of the map. */
static void the_lowest_that_fits(void **state)
{
	struct land *l = land_new(200);

	(void)state;
	for (u32 i = 0; i < 10; i++)
		stretch_take(&l->t, i, 20 * 512);
	assert_int_equal(l->stretch[9].first, 180 * 512);
	assert_int_equal(ground_lowest(&l->t.ground, 1), NONE32);
	stretch_give(&l->t, 3); /* 60 .. 79: over a word's end */
	stretch_give(&l->t, 7);
	stretch_give(&l->t, 8); /* 140 .. 179 */
	assert_int_equal(ground_lowest(&l->t.ground, 20), 60);
	assert_int_equal(ground_lowest(&l->t.ground, 21), 140);
	assert_int_equal(ground_lowest(&l->t.ground, 40), 140);
	assert_int_equal(ground_lowest(&l->t.ground, 41), NONE32);
	assert_int_equal(ground_highest(&l->t.ground, 20), 160);
	assert_int_equal(ground_highest(&l->t.ground, 40), 140);
	assert_int_equal(ground_highest(&l->t.ground, 41), NONE32);
	stretch_take(&l->t, 20, 30 * 512);
	assert_int_equal(l->stretch[20].first, 140 * 512);
	stretch_take(&l->t, 21, 0);
	assert_int_equal(l->stretch[21].count, 0);
	check_land(l);
	free(l);
}

/* 10 kB with blocks of 2.5, 3 and 2.5 kB: when the first has left there are holes of 2.5 and 2 kB. First fit finds no
 * place for another of 3, which counting admits: what is resident moves together. */
static void pieces_move_together(void **state)
{
	struct land *l = land_new(20);

	(void)state;
	stretch_take(&l->t, 0, 5 * 512);
	stretch_take(&l->t, 1, 6 * 512);
	stretch_take(&l->t, 2, 5 * 512);
	stretch_give(&l->t, 0); /* 5 free, 6, 5, 4 free */
	assert_int_equal(ground_lowest(&l->t.ground, 5), 0);
	assert_int_equal(ground_lowest(&l->t.ground, 6), NONE32);
	stretch_take(&l->t, 3, 6 * 512);
	assert_int_equal(l->stretch[1].first, 0);
	assert_int_equal(l->stretch[2].first, 6 * 512);
	assert_int_equal(l->stretch[3].first, 11 * 512);
	check_land(l);
	free(l);
}

/* 20000 comings and goings of random amounts, admitted by count alone: they always find room, and never meet. */
static void counting_always_finds_room(void **state)
{
	struct land *l = land_new(220);
	u32 moved = 0;

	(void)state;
	for (u32 i = 0; i < 20000; i++) {
		u64 x = mix64(i);
		u32 owner = x % OWNERS, n = 1 + x / OWNERS % 40;

		if (l->stretch[owner].count) {
			stretch_give(&l->t, owner);
		} else if (taken(l) + n <= 220) {
			moved += ground_lowest(&l->t.ground, n) == NONE32;
			stretch_take(&l->t, owner, n * 512);
			assert_int_equal(l->stretch[owner].count, n * 512);
		}
		check_land(l);
	}
	assert_true(moved > 100);
	for (u32 i = 0; i < OWNERS; i++)
		stretch_give(&l->t, i);
	assert_int_equal(taken(l), 0);
	free(l);
}

/* In a machine: warps of a CTA lie one behind the other in the files of their sub-cores, CTAs in shared memory. */
static void warps_lie_in_their_sub_cores(void **state)
{
	struct bed *b = bed_new();
	struct sm_view *v;

	(void)state;
	b->config.sm_subcores = 2;
	b->config.sm_register_unit = 256;
	b->config.sm_shared_unit = 512;
	for (u32 i = 0; i < 20; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 128)->shared = 700;
	v = &bed_open(b)->view[0];
	bed_run_to(b, 3);
	const struct stretch *file = machine_sm_section(v->m, 0, SECTION_REGISTER_STRETCH);
	const struct stretch *shared = machine_sm_section(v->m, 0, SECTION_SHARED_STRETCH);
	for (u32 i = 0; i < 8; i++) {
		assert_int_equal(file[i].first, i / 2 * 1024);
		assert_int_equal(file[i].count, 1024);
	}
	assert_int_equal(shared[0].first, 0);
	assert_int_equal(shared[1].first, 1024);
	assert_int_equal(shared[1].count, 1024);
	bed_run(b);
	assert_int_equal(file[0].count + file[7].count + shared[0].count + shared[1].count, 0);
	bed_close(b);
}

/* Figure 5.4 of the thesis: 10 kB of shared memory, blocks of 2.5 and of 3 kB. One of 2.5, one of 3 and one of 2.5 run;
 * when the first has left another of 3 comes, if what is resident may move. When that one came, the cycle in which the
 * one of 3 before it left. */
static void fourth_comes(u32 policy, u64 *came, u64 *left)
{
	struct bed *b = bed_new();
	struct record r;

	b->config.sm_shared = b->config.sm_cta_shared = 10240;
	b->config.sm_shared_unit = 512;
	if (policy != NONE32)
		policy_put(&b->policy, POLICY_allocate, policy);
	for (u32 k = 0; k < 2; k++) {
		for (u32 i = 0; i < 20 + 200 * k; i++)
			bed_alu(b, k, CLASS_INT, 1, 1, 1);
		bed_exit(b, k);
	}
	for (u32 i = 0; i < 4; i++) {
		struct launch *l = bed_launch(b, i ? 1 : 0, 1, 32);

		l->stream = i;
		l->shared = i % 2 ? 3072 : 2560;
		l->at = i == 3 ? 200 : i;
	}
	bed_open(b);
	*came = *left = 0;
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		if (bed_records(b, EVENT_CTA_START, &r) && r.launch == 3)
			*came = bed_cycle(b) - 1;
		if (bed_records(b, EVENT_CTA_END, &r) && r.launch == 1 && !*left)
			*left = bed_cycle(b) - 1;
	}
	assert_false(sim_deadlocked(&b->sim));
	bed_close(b);
}

static void holes_keep_a_block_out(void **state)
{
	u64 came, left;

	(void)state;
	fourth_comes(NONE32, &came, &left);
	assert_int_equal(came, 200);
	assert_true(left > 500);
	fourth_comes(SCHEME_COUNT, &came, &left);
	assert_int_equal(came, left); /* it takes the place that is free from then on */
}

/* Two kernels from opposite ends: what is free lies in one piece, in every file and in shared memory. */
static void two_kernels_from_two_ends(void **state)
{
	struct bed *b = bed_new();
	struct sm_view *v;

	(void)state;
	b->config.sm_subcores = 2;
	b->config.sm_warps = 16;
	policy_put(&b->policy, POLICY_allocate, SCHEME_COUNT + 1);
	for (u32 i = 0; i < 50; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	for (u32 i = 0; i < 2; i++) {
		struct launch *l = bed_launch(b, 0, 2, 64);

		l->stream = i;
		l->shared = 1024;
	}
	v = &bed_open(b)->view[0];
	bed_run_to(b, 10);
	const struct stretch *file = machine_sm_section(v->m, 0, SECTION_REGISTER_STRETCH);
	const struct stretch *shared = machine_sm_section(v->m, 0, SECTION_SHARED_STRETCH);
	for (u32 i = 0; i < 8; i++) {
		u32 cta = i / 2, depth = 0;

		for (u32 k = 0; k < cta; k++)
			depth += v->cta[k].launch == v->cta[cta].launch;
		assert_int_equal(v->warp[i].cta, cta);
		assert_int_equal(file[i].first, v->cta[cta].launch ? 32768 - 1024 * (depth + 1) : 1024 * depth);
	}
	for (u32 i = 0; i < 4; i++)
		assert_true(v->cta[i].launch ? shared[i].first >= b->config.sm_shared - 2048 : shared[i].first < 2048);
	bed_run(b);
	assert_false(sim_deadlocked(&b->sim));
	bed_close(b);
}

/* Addresses are state where an allocator goes by them, and nowhere else. */
static void addresses_are_state_for_an_allocator(void **state)
{
	(void)state;
	for (u32 with = 0; with < 2; with++) {
		struct bed *b = bed_new();
		struct stretch *file;
		u64 before;

		if (with)
			policy_put(&b->policy, POLICY_allocate, SCHEME_COUNT);
		bed_alu(b, 0, CLASS_INT, 1, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		bed_run_to(b, 3);
		before = sim_hash(&b->sim);
		file = machine_sm_section(b->sim.m, 0, SECTION_REGISTER_STRETCH);
		file->first += 1024;
		assert_int_equal(sim_hash(&b->sim) != before, with);
		file->first -= 1024;
		bed_close(b);
	}
}

/* Where an allocator has no place in a sub-core the warp goes to the next; a CTA that does not come leaves nothing
 * taken. */
static void refusals_take_nothing(void **state)
{
	struct bed *b = bed_new();
	struct sm_view *v;

	(void)state;
	b->config.sm_subcores = 2;
	b->config.sm_warps = 8;
	policy_put(&b->policy, POLICY_allocate, SCHEME_COUNT + 2);
	for (u32 i = 0; i < 50; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 3, 96);
	v = &bed_open(b)->view[0];
	bed_run_to(b, 10);
	const struct map_word *map = machine_sm_section(v->m, 0, SECTION_REGISTER_MAP);
	assert_int_equal(v->sm->ctas, 1); /* of four slots in sub-core 1 three are taken */
	assert_int_equal(map[0].taken, 0);
	assert_int_equal(__builtin_popcountll(map[v->m->section[SECTION_REGISTER_MAP].count / 2].taken),
			 3 * 1024 / 256);
	assert_int_equal(v->sm->stat[STAT_DEFLECTED], 2);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_FINISHED), 3);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_lowest_that_fits),	      cmocka_unit_test(pieces_move_together),
		cmocka_unit_test(counting_always_finds_room), cmocka_unit_test(warps_lie_in_their_sub_cores),
		cmocka_unit_test(holes_keep_a_block_out),     cmocka_unit_test(two_kernels_from_two_ends),
		cmocka_unit_test(refusals_take_nothing),      cmocka_unit_test(addresses_are_state_for_an_allocator),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
