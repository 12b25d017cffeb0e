/*
 * test_core_copies.c - groups of asynchronous copies: what a wait leaves on its way, in which cycle a warp goes on, and
 * where a warp has as many groups and copies as are counted.
 *
 * All lines hit (ideal.l1d) but where said: a copy that issues in cycle t is done in t + 2 + l1d.latency, and who waits
 * for it may issue in that very cycle.
 */
#include "core_bed.h"

#define DONE (2 + 8) /* cycles from the issue of a copy to its end, in the bed */

static struct bed *new_bed(void)
{
	struct bed *b = bed_new();

	b->config.ideal_l1d = 1;
	b->kernel[0].static_shared = 4096;
	return b;
}

/* A copy of 4 bytes from an address to shared memory. */
static struct inst *copy(struct bed *b, u64 address)
{
	struct inst *in = bed_memory(b, 0, OP_COPY, CLASS_LOAD, address);

	in->nsrc = 3;
	in->src[1] = in->src[2] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, 0)};
	return in;
}

static void commit(struct bed *b)
{
	bed_inst(b, 0, OP_COPY_COMMIT, CLASS_INT);
}

/* Wait until at most n of the newest groups are on their way; returns its pc. */
static u32 wait_for(struct bed *b, u32 n)
{
	bed_inst(b, 0, OP_COPY_WAIT, CLASS_INT)->aux = (u8)n;
	return b->kernel[0].ninst - 1;
}

/* n groups of a copy each, then what is to be waited for: the cycle in which the wait issues. */
static u64 waited(u32 groups, u32 n)
{
	struct bed *b = new_bed();
	u64 when;
	u32 pc;

	for (u32 i = 0; i < groups; i++) {
		copy(b, BED_BASE + 128 * i);
		commit(b);
	}
	pc = wait_for(b, n);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	when = bed_when(b, 0, 0, pc);
	bed_check_sums(b);
	bed_close(b);
	return when;
}

/* Copies issue in cycles 3, 5 and 7: to leave n of the groups is to wait for the copy before them. */
static void a_wait_leaves_the_newest(void **state)
{
	(void)state;
	assert_int_equal(waited(3, 0), BED_FIRST + 4 + DONE);
	assert_int_equal(waited(3, 1), BED_FIRST + 2 + DONE);
	assert_int_equal(waited(3, 2), BED_FIRST + DONE);
	assert_int_equal(waited(3, 3), BED_FIRST + 6);
	assert_int_equal(waited(3, 62), BED_FIRST + 6);
	assert_int_equal(waited(0, 0), BED_FIRST);
	assert_int_equal(waited(3, COPIES_ALL), BED_FIRST + 4 + DONE);
}

/* A commit without copies closes an empty group, which counts. */
static void empty_groups_count(void **state)
{
	struct bed *b = new_bed();
	u32 pc;

	(void)state;
	copy(b, BED_BASE);
	commit(b);
	commit(b);
	pc = wait_for(b, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	assert_int_equal(bed_when(b, 0, 0, pc), BED_FIRST + DONE);
	bed_close(b);
}

/* Copies that have not been committed are waited for by a wait for all, and by no other. */
static void the_open_group_is_not_waited_for(void **state)
{
	(void)state;
	for (u32 all = 0; all < 2; all++) {
		struct bed *b = new_bed();
		u32 pc;

		copy(b, BED_BASE);
		pc = wait_for(b, all ? COPIES_ALL : 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		assert_int_equal(bed_when(b, 0, 0, pc), all ? BED_FIRST + DONE : BED_FIRST + 1);
		bed_close(b);
	}
}

/* A commit by no lane closes nothing. */
static void who_does_not_commit_closes_no_group(void **state)
{
	struct bed *b = new_bed();
	u64 when;
	u32 pc;

	(void)state;
	bed_compare(b, 0, 0, SREG_LANEID, 0);
	copy(b, BED_BASE);
	bed_guard(bed_inst(b, 0, OP_COPY_COMMIT, CLASS_INT), 0, false);
	pc = wait_for(b, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	when = bed_when(b, 0, 0, pc - 1);
	assert_int_equal(bed_when(b, 0, 0, pc), when + 1);
	assert_int_equal(b->sim.view[0].warp[0].copies, 1);
	assert_int_equal(b->sim.view[0].warp[0].copy_group, 0);
	bed_run(b);
	bed_close(b);
}

/* The warp goes on while copies are on their way, and can end before they do: its CTA cannot. */
static void a_cta_stays_for_its_copies(void **state)
{
	struct bed *b = new_bed();
	struct record r;
	u64 cycle;

	(void)state;
	copy(b, BED_BASE);
	commit(b);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	assert_int_equal(bed_when(b, 0, 0, 2), BED_FIRST + 2);
	do {
		cycle = bed_cycle(b);
		sim_cycle(&b->sim);
	} while (!bed_records(b, EVENT_CTA_END, &r));
	assert_int_equal(cycle, BED_FIRST + DONE);
	bed_run(b);
	bed_close(b);
}

/* The second group, of a line that is there, is done before the first, of a line that is not: it is waited for all the
 * same, and with it the second is left. A copy by no lane is none. */
static void groups_are_told_apart_by_age(void **state)
{
	struct bed *b = new_bed();
	u64 ended[2] = {0};
	struct record r;
	u32 pc;

	(void)state;
	b->config.ideal_l1d = 0;
	b->config.dram_latency = 100;
	bed_load(b, 0, 4, BED_BASE + 1024);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_compare(b, 0, 0, SREG_LANEID, 0);
	copy(b, BED_BASE);
	commit(b);
	copy(b, BED_BASE + 1024);
	commit(b);
	bed_guard(copy(b, BED_BASE + 4096), 0, false);
	commit(b);
	pc = wait_for(b, 2);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	for (bool issued = false; !issued;) {
		u64 cycle = bed_cycle(b);

		sim_cycle(&b->sim);
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			r = b->sim.bus.record[i];
			if (r.kind == EVENT_WRITEBACK && (r.pc == 3 || r.pc == 5))
				ended[r.pc == 5] = cycle;
			issued |= r.kind == EVENT_ISSUE && r.pc == pc;
			if (r.kind == EVENT_ISSUE && r.pc == pc)
				assert_int_equal(cycle, ended[0]);
		}
	}
	assert_true(ended[1] && ended[1] + 90 < ended[0]);
	bed_run(b);
	assert_int_equal(b->sim.view[0].sm->stat[STAT_COPIES], 2);
	assert_int_equal(b->sim.view[0].sm->stat[STAT_COPY_COMMITS], 3);
	bed_close(b);
}

/* So many groups are told apart, the open one among them: the commit that would need one more waits for the first. */
static void a_commit_waits_for_a_place(void **state)
{
	struct bed *b = new_bed();

	(void)state;
	b->config.l1d_latency = 400;
	for (u32 i = 0; i < COPY_GROUPS; i++) {
		copy(b, BED_BASE + 128 * i);
		commit(b);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	assert_int_equal(bed_when(b, 0, 0, 2 * COPY_GROUPS - 3), BED_FIRST + 2 * COPY_GROUPS - 3);
	assert_int_equal(bed_when(b, 0, 0, 2 * COPY_GROUPS - 1), BED_FIRST + 2 + 400);
	bed_run(b);
	bed_close(b);
}

/* Of one group so many copies are counted: the next waits for the first. */
static void a_copy_waits_for_room_in_its_group(void **state)
{
	struct bed *b = new_bed();

	(void)state;
	b->config.l1d_latency = 400;
	b->config.lsu_loads = 400;
	for (u32 i = 0; i <= GROUP_COPIES; i++)
		copy(b, BED_BASE + 128 * i);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	assert_int_equal(bed_when(b, 0, 0, GROUP_COPIES - 1), BED_FIRST + GROUP_COPIES - 1);
	assert_int_equal(bed_when(b, 0, 0, GROUP_COPIES), BED_FIRST + 2 + 400);
	bed_run(b);
	bed_close(b);
}

/* A warp that waits for copies is long; whether their lines were missed is known, as of loads: the second time they
 * hit. */
static void who_waits_is_long(void **state)
{
	(void)state;
	for (u32 miss = 0; miss < 2; miss++) {
		struct bed *b = new_bed();
		const struct sm_view *v;

		b->config.ideal_l1d = !miss;
		copy(b, BED_BASE);
		commit(b);
		wait_for(b, 0);
		copy(b, BED_BASE);
		commit(b);
		wait_for(b, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		v = bed_open(b)->view;
		bed_run_to(b, BED_FIRST + 7);
		assert_int_equal(v->slot[0].set, SET_LONG);
		assert_int_equal(v->warp[0].copies, 1);
		assert_int_equal(SET_HAS(v->missed[0].registers, HAZARD_COPIES), miss);
		bed_when(b, 0, 0, 4);
		bed_run_to(b, bed_cycle(b) + 4);
		assert_int_equal(v->slot[0].set, SET_LONG);
		assert_int_equal(SET_HAS(v->missed[0].registers, HAZARD_COPIES), 0);
		bed_run(b);
		assert_int_equal(v->sm->statuses[WARP_LONG], 2 * (DONE - 2));
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wait_leaves_the_newest),
		cmocka_unit_test(empty_groups_count),
		cmocka_unit_test(the_open_group_is_not_waited_for),
		cmocka_unit_test(who_does_not_commit_closes_no_group),
		cmocka_unit_test(a_cta_stays_for_its_copies),
		cmocka_unit_test(groups_are_told_apart_by_age),
		cmocka_unit_test(a_commit_waits_for_a_place),
		cmocka_unit_test(a_copy_waits_for_room_in_its_group),
		cmocka_unit_test(who_waits_is_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
