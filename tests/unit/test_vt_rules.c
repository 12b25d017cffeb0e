/*
 * test_vt_rules.c - Virtual Thread, rule by rule: which CTA counts as stalled, who goes and who comes, in which order
 * contexts move, how much shared memory they take (Yoon et al., ISCA 2016, sections IV.A to IV.D).
 */
#include "core_bed.h"
#include "policy_swap.h"

/* bed_vt() with a memory that answers soon enough for many swaps. */
static struct bed *vt_bed(u32 active, u32 resident, u32 warps)
{
	struct bed *b = bed_vt(active, resident, warps);

	b->config.dram_latency = 80;
	return b;
}

/* Kernel k loads, and waits for it. */
static void stalls(struct bed *b, u32 k)
{
	bed_load(b, k, 4, BED_BASE + k * 4096);
	bed_alu(b, k, CLASS_INT, 6, 1, 4);
	bed_exit(b, k);
}

/* Kernel k is a chain of n instructions that never waits for memory. */
static void computes(struct bed *b, u32 k, u32 n)
{
	for (u32 i = 0; i < n; i++)
		bed_alu(b, k, CLASS_INT, 1, 1, 1);
	bed_exit(b, k);
}

/* To the stage behind cta, in the cycle; and to the end of that. */
static void to_epoch(struct bed *b, u64 cycle)
{
	bed_run_to(b, cycle);
	while (b->sim.view[0].gpu->stage != STAGE_EPOCH)
		sim_stage(&b->sim);
}
static void end_cycle(struct bed *b)
{
	while (b->sim.view[0].gpu->stage)
		sim_stage(&b->sim);
}

/* Who goes and who comes in the first swap. */
static void first_swap(struct bed *b, struct record *out, struct record *in)
{
	while (!bed_records(b, EVENT_SWAP_OUT, out)) {
		assert_false(sim_finished(&b->sim));
		sim_cycle(&b->sim);
	}
	assert_int_equal(bed_records(b, EVENT_SWAP_IN, in), 1);
}

/* --- who is stalled --- */

/* Warp 0 waits for a load. A CTA goes when all its warps are stalled: a sibling that has ended has nothing more to do,
 * one at a barrier or fence waits with it, one that could issue does not. With none that waits for memory it stays. */
static void all_live_warps_are_stalled(void **state)
{
	static const struct {
		bool done, barrier, fence, ready, stalled;
	} row[] = {{.done = true, .stalled = true},
		   {.barrier = true, .stalled = true},
		   {.fence = true, .stalled = true},
		   {.ready = true},
		   {.stalled = true}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = bed_new();
		struct sm_view *v;

		stalls(b, 0);
		bed_launch(b, 0, 1, 64);
		v = &bed_open(b)->view[0];
		bed_when(b, 0, 1, 0);
		bed_run_to(b, bed_cycle(b) + 1);
		if (row[i].done)
			v->warp[1].depth = 0;
		v->warp[1].at_barrier = row[i].barrier;
		v->warp[1].at_fence = row[i].fence;
		if (row[i].ready)
			memset(v->slot[1].pending_long, 0, sizeof v->slot[1].pending_long);
		slot_eval(v, 1);
		assert_int_equal(cta_stalled(v->look, 0, false), row[i].stalled);
		v->warp[0].at_barrier = 1;
		slot_eval(v, 0);
		assert_int_equal(cta_stalled(v->look, 0, false), i == 4); /* the last waits for memory itself */
		bed_close(b);
	}
}

/* A long stall is one for what has missed: a warp whose next instruction waits for a register that a hit will write is
 * not stalled because of another that a miss will. */
static void the_register_that_missed_counts(void **state)
{
	struct bed *b = bed_new();
	struct sm_view *v;

	(void)state;
	b->config.dram_latency = 80;
	stalls(b, 0);
	bed_launch(b, 0, 1, 32);
	v = &bed_open(b)->view[0];
	while (!v->sm->stat[STAT_L1D_MISSES])
		sim_cycle(&b->sim);
	bed_run_to(b, bed_cycle(b) + 2);
	assert_true(cta_stalled(v->look, 0, true) && slot_missed(v->look, 0));
	SET_DEL(v->missed[0].registers, 4);
	SET_ADD(v->missed[0].registers, 9);
	assert_false(cta_stalled(v->look, 0, true) || slot_missed(v->look, 0));
	assert_true(cta_stalled(v->look, 0, false));
	bed_close(b);
}

/* --- who comes --- */

/* First ready, first served, wherever they stand: place 2 was ready before place 1. */
static void the_first_ready_comes_first(void **state)
{
	struct bed *b = vt_bed(1, 3, 1);
	struct record out, in;
	struct sm_view *v;

	(void)state;
	stalls(b, 0);
	bed_launch(b, 0, 3, 32);
	v = &bed_open(b)->view[0];
	bed_run_to(b, 4);
	assert_int_equal(v->sm->ready, 6);
	v->cta[1].ready = 9;
	v->cta[2].ready = 3;
	first_swap(b, &out, &in);
	assert_true(out.cta == 0 && in.cta == 2);
	assert_int_equal(out.a, 1); /* the register of the load */
	bed_close(b);
}

/* Three slots: one of a CTA of one warp, which stalls, two of one of two warps, which computes. Of those that are ready
 * the first, of two warps, does not fit the slot that becomes free; the second, of one warp, does. */
static void who_does_not_fit_is_passed_over(void **state)
{
	struct bed *b = vt_bed(1, 4, 3);
	struct record out, in;

	(void)state;
	b->config.sm_ctas = 2;
	stalls(b, 0);
	computes(b, 1, 200);
	bed_launch(b, 0, 1, 32);
	bed_launch(b, 1, 2, 64)->stream = 1;
	bed_launch(b, 1, 1, 32)->stream = 2;
	bed_open(b);
	bed_run_to(b, 5);
	assert_int_equal(b->sim.view[0].sm->ready, 0xc);
	first_swap(b, &out, &in);
	assert_true(out.launch == 0 && in.launch == 2);
	bed_run(b);
	bed_close(b);
}

/* Two that stall, the first of one warp, the second of two; the one that is ready, of two warps, fits the second's
 * slots alone: that one goes. */
static void who_can_be_replaced_goes(void **state)
{
	struct bed *b = vt_bed(1, 3, 3);
	struct record out, in;

	(void)state;
	b->config.sm_ctas = 2;
	b->config.dram_latency = 400;
	stalls(b, 0);
	bed_launch(b, 0, 1, 32);
	for (u32 i = 0; i < 6; i++)
		bed_alu(b, 1, CLASS_INT, 1, 1, 1);
	stalls(b, 1);
	bed_launch(b, 1, 2, 64)->stream = 1;
	bed_open(b);
	bed_run_to(b, 5);
	assert_int_equal(b->sim.view[0].sm->ready, 4);
	first_swap(b, &out, &in);
	assert_true(out.launch == 1 && out.cta == 0 && in.launch == 1 && in.cta == 1);
	assert_true(cta_stalled(b->sim.view[0].look, 0, true)); /* the first waits yet */
	bed_run(b);
	bed_close(b);
}

/* Of two that are stalled the one goes whose last instruction, of whichever warp, issued first: that in place 1, which
 * issued last in cycle 9, and not that in place 0, of which one warp issued in 4, but the other in 19. Alike, the
 * lowest place goes. */
static void who_issued_last_goes_last(void **state)
{
	static const u64 since[][4] = {
		{20, 5, 10, 10}, {5, 20, 10, 10}, {10, 10, 20, 5}, {10, 10, 5, 20}, {7, 8, 8, 7}};
	static const u32 out[] = {1, 1, 0, 0, 0};
	struct bed *b = vt_bed(2, 3, 2);
	struct sm_view *v;

	(void)state;
	stalls(b, 0);
	bed_launch(b, 0, 3, 64);
	v = &bed_open(b)->view[0];
	bed_run_to(b, 4);
	assert_int_equal(v->sm->ready, 4);
	v->sm->ready = 0;
	while (!cta_stalled(v->look, 0, true) || !cta_stalled(v->look, 1, true))
		sim_cycle(&b->sim);
	v->sm->ready = 4;
	for (u32 i = 0; i < ARRAY_LEN(out); i++) {
		for (u32 k = 0; k < 4; k++)
			v->slot[k].since = since[i][k];
		struct swap s = scheme_vt.decide.cta_swap(v->look);
		assert_true(s.out == out[i] && s.in == 2);
	}
	bed_close(b);
}

/* --- contexts move --- */

/* Contexts are saved one after the other, in the order of the swaps: the CTA in place 1 gave its slots away before that
 * in place 0. Each takes 11 cycles (8 warps: 5227 bits at 512 a cycle), and the first has had one when the second
 * begins. */
static void the_first_to_go_is_saved_first(void **state)
{
	struct bed *b = vt_bed(2, 4, 8);
	struct sm_view *v;

	(void)state;
	computes(b, 0, 100);
	bed_launch(b, 0, 4, 256);
	v = &bed_open(b)->view[0];
	to_epoch(b, 8);
	cta_swap(v, 1, 2);
	end_cycle(b);
	to_epoch(b, 9);
	assert_int_equal(v->cta[1].save, 10);
	cta_swap(v, 0, 3);
	end_cycle(b);
	for (u32 i = 1; i <= 21; i++) {
		sim_cycle(&b->sim);
		assert_int_equal(v->cta[1].save, i < 10 ? 10 - i : 0);
		assert_int_equal(v->cta[0].save, i <= 10 ? 11 : 21 - i);
		assert_int_equal(v->sm->ready >> 1 & 1, i >= 10);
		assert_int_equal(v->sm->ready & 1, i == 21);
	}
	bed_close(b);
}

/* A CTA that goes while its context is still being restored has it in shared memory yet: nothing is to be saved, and it
 * is ready at once; when it comes again all of it is restored. */
static void half_restored_is_not_saved_again(void **state)
{
	struct bed *b = vt_bed(1, 2, 8);
	struct sm_view *v;

	(void)state;
	computes(b, 0, 100);
	bed_launch(b, 0, 2, 256);
	v = &bed_open(b)->view[0];
	to_epoch(b, 8);
	cta_swap(v, 0, 1);
	end_cycle(b);
	while (!(v->sm->ready & 1))
		sim_cycle(&b->sim);
	to_epoch(b, bed_cycle(b));
	cta_swap(v, 1, 0);
	assert_int_equal(v->cta[0].restore, 11);
	end_cycle(b);
	to_epoch(b, bed_cycle(b) + 2);
	assert_int_equal(v->cta[0].restore, 8);
	cta_deactivate(v, 0);
	assert_true(v->cta[0].save == 0 && v->sm->ready & 1);
	cta_activate(v, 0);
	assert_int_equal(v->cta[0].restore, 11);
	bed_close(b);
}

/* The tracking counter of a CTA that goes is the number of registers that will yet be written, of all its warps, and
 * falls with each: two warps that have loaded a pair wait for four. */
static void the_counter_is_of_registers(void **state)
{
	struct bed *b = vt_bed(1, 2, 2);
	struct record out, in;
	struct sm_view *v;

	(void)state;
	bed_writes(bed_load(b, 0, 4, BED_BASE), 5);
	bed_alu(b, 0, CLASS_INT, 6, 2, 4, 5);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 64);
	v = &bed_open(b)->view[0];
	first_swap(b, &out, &in);
	assert_true(out.a == 4 && v->cta[0].pending == 4);
	while (v->cta[0].pending) {
		assert_int_equal(v->cta[0].pending % 2, 0);
		assert_int_equal(v->sm->ready & 1, 0);
		sim_cycle(&b->sim);
	}
	bed_run(b);
	assert_false(sim_deadlocked(&b->sim));
	assert_int_equal(v->sm->stat[STAT_CTA_FINISHED], 2);
	bed_close(b);
}

/* One CTA of two is active, and the place of the other's context takes 256 bytes: so they are counted in each cycle. */
static void occupancy_tells_the_active(void **state)
{
	struct bed *b = vt_bed(1, 2, 2);
	struct sm_view *v;
	u64 active, resident, shared;

	(void)state;
	computes(b, 0, 40);
	bed_launch(b, 0, 2, 64);
	v = &bed_open(b)->view[0];
	bed_run_to(b, 10);
	sim_sync(&b->sim);
	active = v->sm->stat[STAT_ACTIVE_CTAS];
	resident = v->sm->stat[STAT_RESIDENT_CTAS];
	shared = v->sm->stat[STAT_SHARED_CYCLES_HELD];
	bed_run_to(b, 30);
	sim_sync(&b->sim);
	assert_int_equal(v->sm->stat[STAT_ACTIVE_CTAS] - active, 20);
	assert_int_equal(v->sm->stat[STAT_RESIDENT_CTAS] - resident, 40);
	assert_int_equal(v->sm->stat[STAT_SHARED_CYCLES_HELD] - shared, 20 * 256);
	bed_close(b);
}

/* A CTA that is paused without slots is paused with those that it gets. */
static void a_pause_goes_with_the_cta(void **state)
{
	struct bed *b = vt_bed(1, 2, 2);
	struct sm_view *v;

	(void)state;
	computes(b, 0, 100);
	bed_launch(b, 0, 2, 64);
	v = &bed_open(b)->view[0];
	to_epoch(b, 8);
	assert_int_equal(v->sm->inactive, 2);
	ctas_pause(v, 2, true);
	assert_int_equal(sm_set(v, SET_PAUSED)[0], 0);
	cta_swap(v, 0, 1);
	assert_int_equal(sm_set(v, SET_PAUSED)[0], 3);
	assert_int_equal(v->cta_slots[0].slots[0], 0);
	assert_int_equal(v->cta_slots[1].slots[0], 3);
	bed_close(b);
}

/* What was asked of the L1I for a slot is not for its next owner: the fetch buffers of a CTA that goes are flushed. */
static void a_fetch_that_missed_is_forgotten(void **state)
{
	struct bed *b = vt_bed(1, 2, 1);
	struct sm_view *v;
	u32 waits = 0;

	(void)state;
	b->config.l1i_perfect = 0;
	computes(b, 0, 10);
	bed_launch(b, 0, 2, 32);
	v = &bed_open(b)->view[0];
	to_epoch(b, 3);
	for (u32 i = 0; i < b->config.l1i_mshrs; i++)
		waits += SET_HAS(v->imiss[i].slots, 0);
	assert_int_equal(waits, 1);
	cta_deactivate(v, 0);
	for (u32 i = 0; i < b->config.l1i_mshrs; i++)
		assert_false(SET_HAS(v->imiss[i].slots, 0));
	end_cycle(b);
	bed_run(b);
	assert_int_equal(v->sm->stat[STAT_INST_WARP], 2 * 11);
	bed_close(b);
}

/* --- the region of contexts --- */

/* The bits of equation 1 in whole bytes, 5227 / 8 = 653.4, in whole units of allocation. */
static void places_are_whole_units(void **state)
{
	struct config c;

	(void)state;
	config_default(&c);
	c.sm_shared_unit = 1;
	assert_int_equal(context_region(&c, 0, 8), 0);
	assert_int_equal(context_region(&c, 1, 8), 654);
	assert_int_equal(context_region(&c, 3, 8), 3 * 654);
	c.sm_shared_unit = 256;
	assert_int_equal(context_region(&c, 1, 8), 768);
	assert_int_equal(context_region(&c, 3, 8), 3 * 768);
	c.sm_shared_unit = 653;
	assert_int_equal(context_region(&c, 1, 8), 2 * 653);
}

/* Beside data of 256 bytes a CTA the contexts of two warps (8 + 1 + 96 + 1280 bits = 174 bytes) take 256 of each CTA
 * beyond the two that are active: eight CTAs take 8 x 256 + 6 x 256 = 3584 bytes, and come if there are so many. */
static void contexts_may_fill_shared_memory(void **state)
{
	static const u32 row[][2] = {{3584, 8}, {3328, 7}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = vt_bed(2, 8, 2);

		b->config.sm_shared = b->config.sm_cta_shared = row[i][0];
		b->kernel[0].static_shared = 256;
		computes(b, 0, 40);
		bed_launch(b, 0, 8, 64);
		bed_open(b);
		bed_run_to(b, 20);
		assert_int_equal(b->sim.view[0].sm->ctas, row[i][1]);
		bed_close(b);
	}
}

/* All places are as large as the largest CTA that is there needs: of four warps 8 + 2 + 96 + 2560 bits, 334 bytes, two
 * units of 256; of one warp 8 + 0 + 96 + 640, 93 bytes, one. */
static void places_are_as_large_as_the_largest(void **state)
{
	struct bed *b = vt_bed(1, 4, 4);
	const struct sm_view *v;
	u32 seen[2] = {0};

	(void)state;
	computes(b, 0, 12);
	bed_launch(b, 0, 4, 128);
	bed_launch(b, 0, 4, 32)->stream = 1;
	v = &bed_open(b)->view[0];
	while (!sim_finished(&b->sim)) {
		u32 n, large = 0;

		sim_cycle(&b->sim);
		n = (u32)__builtin_popcountll(v->sm->inactive);
		for (u32 i = 0; i < 4; i++)
			large |= v->cta[i].launch != NONE16 && v->cta[i].warps == 4;
		assert_int_equal(v->sm->region, n * (large ? 512 : 256));
		seen[large] += n > 0;
	}
	assert_true(seen[0] && seen[1]);
	bed_close(b);
}

/* --- the two load queues --- */

/* A swap waits for room for what the CTA itself has among the loads of active ones, not for that of others. */
static void others_loads_need_no_room(void **state)
{
	struct bed *b = vt_bed(2, 6, 1);
	const struct sm_view *v;
	u32 beside = 0, full = 0, room = 2;

	(void)state;
	b->config.lsu_reexec = REEXEC_CAR;
	b->config.lsu_reexec_entries = 8;
	b->config.lsu_reexec_inactive = room;
	b->config.l1d_mshrs = 1;
	bed_address_by(b, 0, 2, SREG_CTAID_X, BED_BASE, 4096);
	for (u32 i = 0; i < 4; i++)
		bed_through(bed_load(b, 0, 10 + i, 0), 2)->offset = (i32)(i * 1024);
	bed_alu(b, 0, CLASS_INT, 8, 2, 10, 13);
	bed_exit(b, 0);
	bed_launch(b, 0, 12, 32);
	v = &bed_open(b)->view[0];
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		for (u64 set = active_places(b->sim.m, v->sm); set; set &= set - 1) {
			u32 cta = (u32)__builtin_ctzll(set), mine = 0, all = v->sm->reexec_inactive;

			for (u32 i = 0; i < v->sm->reexec_count; i++)
				mine += v->warp[v->memop[v->reexec[i].memop].context].cta == cta;
			assert_int_equal(reexec_room(v->look, cta), all + mine <= room);
			beside += all + mine <= room && all + v->sm->reexec_count > room;
			full += all + mine == room && mine;
		}
	}
	assert_true(beside && full);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_live_warps_are_stalled),
		cmocka_unit_test(the_register_that_missed_counts),
		cmocka_unit_test(the_first_ready_comes_first),
		cmocka_unit_test(who_does_not_fit_is_passed_over),
		cmocka_unit_test(who_can_be_replaced_goes),
		cmocka_unit_test(who_issued_last_goes_last),
		cmocka_unit_test(the_first_to_go_is_saved_first),
		cmocka_unit_test(half_restored_is_not_saved_again),
		cmocka_unit_test(the_counter_is_of_registers),
		cmocka_unit_test(occupancy_tells_the_active),
		cmocka_unit_test(a_pause_goes_with_the_cta),
		cmocka_unit_test(a_fetch_that_missed_is_forgotten),
		cmocka_unit_test(places_are_whole_units),
		cmocka_unit_test(contexts_may_fill_shared_memory),
		cmocka_unit_test(places_are_as_large_as_the_largest),
		cmocka_unit_test(others_loads_need_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
