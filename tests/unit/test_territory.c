/*
 * test_territory.c - stretches of registers and shared memory: the lowest that fits; pieces move together where counting admits; two
 * never meet.
 */
#include "core_bed.h"

#include "../../src/core/cta.h"

#define OWNERS 24

/* A territory of its own, of shared memory in units of 512 bytes. */
struct land {
	struct map_word map[4];
	struct stretch stretch[OWNERS];
	struct territory t;
};

static struct land *land_new(u32 units)
{
	struct land *l = xcalloc(1, sizeof *l);

	l->t = (struct territory){ .map = l->map, .stretch = l->stretch, .units = units, .unit = 512, .step = 1, .owners = OWNERS };
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
		assert_true(a->first + a->count <= l->t.units * 512);
		for (u32 u = a->first / 512; u < (a->first + a->count) / 512; u++)
			assert_true(l->map[u / 64].taken >> u % 64 & 1);
		for (u32 k = 0; k < i; k++) {
			const struct stretch *b = &l->stretch[k];

			assert_true(!a->count || !b->count || a->first + a->count <= b->first || b->first + b->count <= a->first);
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
	assert_int_equal(stretch_find(&l->t, 1), NONE32);
	stretch_give(&l->t, 3); /* 60 .. 79: over a word's end */
	stretch_give(&l->t, 7);
	stretch_give(&l->t, 8); /* 140 .. 179 */
	assert_int_equal(stretch_find(&l->t, 20), 60);
	assert_int_equal(stretch_find(&l->t, 21), 140);
	assert_int_equal(stretch_find(&l->t, 40), 140);
	assert_int_equal(stretch_find(&l->t, 41), NONE32);
	stretch_take(&l->t, 20, 30 * 512);
	assert_int_equal(l->stretch[20].first, 140 * 512);
	stretch_take(&l->t, 21, 0);
	assert_int_equal(l->stretch[21].count, 0);
	check_land(l);
	free(l);
}

/* 10 kB with blocks of 2.5, 3 and 2.5 kB: when the first has left there are holes of 2.5 and 2 kB. First fit finds no place for another
 * of 3, which counting admits: what is resident moves together. */
static void pieces_move_together(void **state)
{
	struct land *l = land_new(20);

	(void)state;
	stretch_take(&l->t, 0, 5 * 512);
	stretch_take(&l->t, 1, 6 * 512);
	stretch_take(&l->t, 2, 5 * 512);
	stretch_give(&l->t, 0);	/* 5 free, 6, 5, 4 free */
	assert_int_equal(stretch_find(&l->t, 5), 0);
	assert_int_equal(stretch_find(&l->t, 6), NONE32);
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
			moved += stretch_find(&l->t, n) == NONE32;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_lowest_that_fits), cmocka_unit_test(pieces_move_together),
		cmocka_unit_test(counting_always_finds_room), cmocka_unit_test(warps_lie_in_their_sub_cores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
