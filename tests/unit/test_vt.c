/*
 * test_vt.c - Virtual Thread: the paper's costs and its Figure 5, who swaps when, what a swap leaves alone.
 */
#include "core_bed.h"
#include "policy_swap.h"

/* `active` of `resident` CTAs of `warps` warps have slots; policy vt. */
static struct bed *vt_bed(u32 active, u32 resident, u32 warps)
{
	struct bed *b = bed_new();

	policy_put(&b->policy, POLICY_cta_virtual, SCHEME_vt);
	policy_put(&b->policy, POLICY_cta_swap, SCHEME_vt);
	b->config.sm_warps = active * warps;
	b->config.sm_ctas = active;
	b->config.sm_contexts = resident * warps;
	b->config.sm_residents = resident;
	return b;
}

/* A load of a line for each CTA and a reader of it, `n` times over, behind some other work. */
static void loads_and_readers(struct bed *b, u32 n)
{
	bed_address_by(b, 0, 2, SREG_CTAID_X, BED_BASE, 4096);
	for (u32 i = 0; i < n; i++) {
		for (u32 k = 0; k < 6; k++)
			bed_alu(b, 0, CLASS_INT, 8 + k, 0);
		bed_through(bed_load(b, 0, 4, 0), 2)->offset = (i32)(i * 128);
		bed_alu(b, 0, CLASS_INT, 6, 1, 4);
	}
	bed_exit(b, 0);
}

/* Who gave slots to whom, as "0>2 1>3": CTAs, by events that come in pairs. */
static void swaps(struct bed *b, char *out, u32 room)
{
	u32 n = 0, from = NONE32;

	out[0] = 0;
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		bed_check_sums(b);
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			const struct record *r = &b->sim.bus.record[i];

			if (r->kind == EVENT_SWAP_OUT)
				from = r->cta;
			if (r->kind != EVENT_SWAP_IN || from == NONE32)
				continue;
			n += (u32)snprintf(out + n, room - n, "%s%u>%u", n ? " " : "", from, r->cta);
			assert_true(n < room);
			from = NONE32;
		}
	}
	assert_false(sim_deadlocked(&b->sim));
}

/* Equations 1 and 2 of the paper. */
static void costs(void **state)
{
	struct config c;

	(void)state;
	config_default(&c);
	assert_int_equal(context_bits(&c, 8), 5227);
	assert_int_equal(context_cycles(&c, 8), 11);
	assert_int_equal(context_cycles(&c, 32), 41);
	c.vt_bandwidth = 256;
	assert_int_equal(context_cycles(&c, 8), 21);
	c.vt_bandwidth = 1024;
	assert_int_equal(context_cycles(&c, 8), 6);
	c.vt_context = 2;
	assert_int_equal(context_cycles(&c, 8), 11);
	c.vt_bandwidth = 0;
	assert_int_equal(context_cycles(&c, 8), 0);
}

/* In the machine: the slots of a CTA that comes back are held for as many cycles as its context takes, 11 for 8 warps;
 * those of one that has never run are not held. */
static void restoring_holds_the_slots(void **state)
{
	struct bed *b = vt_bed(1, 2, 8);
	struct sm_view *v;
	u64 held = 0, run = 0;

	(void)state;
	loads_and_readers(b, 2);
	b->config.dram_latency = 200;
	bed_launch(b, 0, 2, 256);
	v = &bed_open(b)->view[0];
	while (v->sm->stat[STAT_VT_SWAPS] < 1)
		sim_cycle(&b->sim);
	sim_sync(&b->sim);
	assert_int_equal(v->sm->restoring, 0);
	assert_int_equal(v->cta[0].save, 11);
	while (v->sm->stat[STAT_VT_SWAPS] < 2) {
		sim_cycle(&b->sim);
		assert_int_equal(sim_status_sum(&b->sim, WARP_HELD), 0);
	}
	assert_int_equal(v->cta[0].restore, 11);
	for (u32 i = 0; i < 30; i++) {
		sim_cycle(&b->sim);
		held += sim_warp_status(&b->sim, 0, 0) == WARP_HELD;
		run += v->warp[0].slot != NONE16 && v->slot[v->warp[0].slot].fetching;
		assert_true(!run || held == 11);
	}
	assert_int_equal(held, 11);
	assert_true(run > 0);
	sim_sync(&b->sim);
	assert_int_equal(sim_status_sum(&b->sim, WARP_HELD), 8 * 11);
	assert_int_equal(v->sm->stat[STAT_VT_SWAP_CYCLES], 11);
	bed_check_sums(b);
	bed_close(b);
}

/* Demand goes first: while the banks of shared memory are busy no context moves. */
static void demand_goes_first(void **state)
{
	struct bed *b = vt_bed(1, 2, 8);
	struct sm_view *v;

	(void)state;
	loads_and_readers(b, 2);
	b->config.dram_latency = 200;
	bed_launch(b, 0, 2, 256);
	v = &bed_open(b)->view[0];
	while (v->sm->stat[STAT_VT_SWAPS] < 1)
		sim_cycle(&b->sim);
	v->sm->shared_busy = bed_cycle(b) + 7;
	for (u32 i = 0; i < 7 + 10; i++)
		sim_cycle(&b->sim);
	assert_int_equal(v->cta[0].save, 1);
	sim_cycle(&b->sim);
	assert_int_equal(v->cta[0].save, 0);
	assert_int_equal(v->sm->saving, 0);
	bed_close(b);
}

/* Figure 5: two active CTAs of four. 0 stalls first and 2 takes its place, then 1 and 3; then they change back. */
static void figure_5(void **state)
{
	struct bed *b = vt_bed(2, 4, 2);
	char got[256];

	(void)state;
	loads_and_readers(b, 1);
	b->config.dram_latency = 80;
	bed_launch(b, 0, 4, 64);
	swaps(b, got, sizeof got);
	assert_string_equal(got, "0>2 1>3 2>0 3>1");
	bed_close(b);
}

/* An L1 hit is not long enough for vt.stall miss; it is for any. */
static void hits_are_not_long(void **state)
{
	(void)state;
	for (u32 any = 0; any < 2; any++) {
		struct bed *b = vt_bed(1, 2, 1);
		struct sm_view *v;

		b->config.vt_stall = any;
		b->config.l1d_latency = 60;
		bed_load(b, 0, 4, BED_BASE);
		bed_alu(b, 0, CLASS_INT, 6, 1, 4);
		bed_load(b, 0, 4, BED_BASE);
		bed_alu(b, 0, CLASS_INT, 6, 1, 4);
		bed_exit(b, 0);
		bed_launch(b, 0, 2, 32);
		v = &bed_open(b)->view[0];
		while (v->sm->stat[STAT_L1D_HITS] < 1)
			sim_cycle(&b->sim);
		u64 before = v->sm->stat[STAT_VT_SWAPS];
		bed_run(b);
		assert_int_equal(v->sm->stat[STAT_VT_SWAPS] > before, any);
		bed_close(b);
	}
}

/* A warp at a barrier counts as stalled if a sibling is stalled on memory, not if that one computes. */
static void barriers_count_with_a_stalled_sibling(void **state)
{
	(void)state;
	for (u32 memory = 0; memory < 2; memory++) {
		struct bed *b = vt_bed(1, 2, 2);

		b->config.dram_latency = 100;
		bed_compare(b, 0, 0, SREG_TID_X, 32);
		bed_branch(b, 0, 0, 3, 5);
		bed_branch(b, 0, BED_NO_PRED, 5, 5);
		if (memory)
			bed_load(b, 0, 4, BED_BASE);
		else
			bed_alu(b, 0, CLASS_IDIV, 4, 0);
		bed_alu(b, 0, CLASS_INT, 6, 1, 4);
		bed_barrier(b, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 2, 64);
		bed_open(b);
		bed_run(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_VT_SWAPS) > 0, memory);
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(costs),
		cmocka_unit_test(restoring_holds_the_slots),
		cmocka_unit_test(demand_goes_first),
		cmocka_unit_test(figure_5),
		cmocka_unit_test(hits_are_not_long),
		cmocka_unit_test(barriers_count_with_a_stalled_sibling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
