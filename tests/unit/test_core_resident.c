/*
 * test_core_resident.c - more residents than slots: who gets which slot, what a context loses with it and keeps without
 * it.
 */
#include "core_bed.h"

/* CTAs beyond the slots come in, as many as fit. */
static u32 all_come(const struct sched_view *v, u32 launch)
{
	(void)launch;
	return v->m->residents;
}

const struct scheme scheme_trial[SCHEME_TRIALS] = {
	{.name = "crowd", .doc = "", .decide.cta_virtual = all_come, .sm_local = true}};

/* Two CTAs of two warps are resident, one of them active: 2 slots, 4 contexts. Every CTA runs kernel 0. */
static struct bed *two_of_four(u32 ctas)
{
	struct bed *b = bed_new();

	b->config.sm_warps = 2;
	b->config.sm_contexts = 4;
	b->config.sm_ctas = 1;
	b->config.sm_threads = 64;
	b->config.sm_residents = 2;
	bed_launch(b, 0, ctas, 64);
	return b;
}

/* Open it; CTAs beyond the slots come in, and change places at no cost. */
static struct sm_view *crowd_open(struct bed *b)
{
	policy_put(&b->policy, POLICY_cta_virtual, SCHEME_COUNT);
	b->config.vt_context = 0;
	return &bed_open(b)->view[0];
}

/* To the end of stage cta of cycle `cycle`. */
static void run_to_cta(struct bed *b, u64 cycle)
{
	bed_run_to(b, cycle);
	while (machine_gpu(b->sim.m)->stage != STAGE_EPOCH)
		sim_stage(&b->sim);
}

/* --- slots --- */

/* With a slot for every context slots follow contexts: those of sub-core k are k x slots + 0, 1, ... */
static void slots_follow_contexts(void **state)
{
	struct bed *b = bed_new();
	struct sm_view *v;

	(void)state;
	b->config.sm_subcores = 2;
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 30, 96);
	v = &bed_open(b)->view[0];
	for (u32 c = 0; c < 60 && !sim_finished(&b->sim); c++) {
		sim_cycle(&b->sim);
		for (u32 i = 0; i < 8; i++)
			if (v->warp[i].cta != NONE16)
				assert_int_equal(v->warp[i].slot, i % 2 * 4 + i / 2);
	}
	assert_true(v->sm->stat[STAT_CTA_STARTED] > 4);
	bed_close(b);
}

/* The second CTA comes in without slots and is counted so; when the first gives its own up, it gets the same ones. */
static void slots_change_hands(void **state)
{
	struct bed *b = two_of_four(2);
	struct sm_view *v;

	(void)state;
	for (u32 i = 0; i < 40; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	v = crowd_open(b);
	run_to_cta(b, 4);
	assert_int_equal(v->sm->ctas, 2);
	assert_int_equal(v->sm->inactive, 2);
	assert_int_equal(v->sm->threads, 64);
	assert_int_equal(b->config.sm_threads, 64); /* no room for a thread more */
	assert_int_equal(v->warp[2].slot, NONE16);
	assert_int_equal(sim_warp_status(&b->sim, 0, 2), WARP_SWAPPED);
	assert_int_equal(sim_slots_left(&b->sim, 0, 0), 0);
	assert_false(cta_fits_slots(v, 1));
	cta_deactivate(v, 0);
	assert_int_equal(sim_slots_left(&b->sim, 0, 0), 2);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_SWAPPED);
	assert_true(cta_fits_slots(v, 1));
	cta_activate(v, 1);
	assert_int_equal(v->warp[2].slot, 0);
	assert_int_equal(v->warp[3].slot, 1);
	assert_int_equal(v->slot[1].context, 3);
	assert_int_equal(sim_warp_status(&b->sim, 0, 2),
			 WARP_SWAPPED); /* as in the cycle that ends, not as slot 0 was */
	assert_int_equal(v->sm->inactive, 1);
	while (machine_gpu(b->sim.m)->stage)
		sim_stage(&b->sim);
	bed_run_to(b, 240);
	assert_int_equal(v->warp[0].depth, 1);
	assert_true(v->cta[1].launch == NONE16);
	bed_close(b);
}

/* A CTA has slots when there is one for each of its contexts: with one left of three, one of two warps stays. */
static void half_a_cta_gets_no_slots(void **state)
{
	struct bed *b = two_of_four(2);
	struct sm_view *v;

	(void)state;
	b->config.sm_warps = 3;
	b->config.sm_ctas = 2;
	b->config.sm_threads = 128;
	for (u32 i = 0; i < 40; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	v = crowd_open(b);
	run_to_cta(b, 4);
	assert_int_equal(v->sm->inactive, 2);
	assert_int_equal(sim_slots_left(&b->sim, 0, 0), 1);
	assert_false(cta_fits_slots(v, 1));
	while (machine_gpu(b->sim.m)->stage)
		sim_stage(&b->sim);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_FINISHED), 2);
	bed_close(b);
}

/* In every cycle each resident context has one status, and a scheduler whose only live warps have no slots is `held`,
 * not idle: both CTAs are inactive and wait for a load. */
static void contexts_without_slots_are_counted(void **state)
{
	struct bed *b = two_of_four(2);
	struct sm_view *v;
	u64 swapped, held;

	(void)state;
	b->config.dram_latency = 60;
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 1, 1, 4);
	bed_exit(b, 0);
	v = crowd_open(b);
	run_to_cta(b, 20);
	assert_int_equal(v->sm->inactive, 2);
	cta_deactivate(v, 0);
	while (machine_gpu(b->sim.m)->stage)
		sim_stage(&b->sim);
	bed_check_sums(b);
	assert_int_equal(sim_status_sum(&b->sim, WARP_SWAPPED),
			 2 * 19); /* the second CTA came behind the issue stage of cycle 1 */
	run_to_cta(b, 30);
	assert_int_equal(v->sm->inactive, 1); /* and had slots in cycle 21 */
	cta_deactivate(v, 1);
	while (machine_gpu(b->sim.m)->stage)
		sim_stage(&b->sim);
	sim_sync(&b->sim);
	swapped = sim_status_sum(&b->sim, WARP_SWAPPED);
	held = sim_outcome_sum(&b->sim, SLOT_HELD);
	for (u32 i = 0; i < 10; i++)
		sim_cycle(&b->sim);
	bed_check_sums(b);
	assert_int_equal(sim_status_sum(&b->sim, WARP_SWAPPED) - swapped, 4 * 10);
	assert_int_equal(sim_outcome_sum(&b->sim, SLOT_HELD) - held, 10);
	bed_close(b);
}

/* --- what is on its way --- */

/* A load that comes back to a context without a slot writes its register and leaves the slot's new owner alone; only
 * then is the CTA ready, and it goes on at the instruction behind. */
static void answers_find_contexts_without_slots(void **state)
{
	struct bed *b = two_of_four(2);
	struct sm_view *v;

	(void)state;
	b->config.dram_latency = 40;
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 1, 1, 4);
	bed_exit(b, 0);
	v = crowd_open(b);
	run_to_cta(b, 6);
	cta_deactivate(v, 0);
	assert_int_equal(v->cta[0].pending, 2);
	cta_activate(v, 1);
	assert_int_equal(v->slot[0].pending_long[0], 0);
	while (v->cta[0].pending) {
		sim_cycle(&b->sim);
		assert_true(bed_cycle(b) < 100);
	}
	assert_true(bed_cycle(b) > 40);
	assert_int_equal(v->warp[0].inflight, 0);
	assert_true(v->cta[1].launch != NONE16 && v->sm->inactive == 1);
	while (v->cta[1].launch != NONE16)
		sim_cycle(&b->sim);
	assert_int_equal(v->sm->inactive, 0); /* it has the slots of the CTA that has left */
	assert_int_equal(v->slot[v->warp[0].slot].pc, 1);
	assert_true(bed_run(b) < 200);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_WARP), 4 * 3);
	bed_close(b);
}

/* What was fetched is fetched again: nothing of the old owner is left in the decode latch or with the L1I, and a jump's
 * fetch that still waits does not start one for a later tenure. */
static void fetches_are_forgotten(void **state)
{
	struct bed *b = two_of_four(1);
	struct sm_view *v;

	(void)state;
	b->config.fetch_insts = 1;
	b->config.lat_branch = 50;
	bed_branch(b, 0, BED_NO_PRED, 2, 2);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	for (u32 i = 0; i < 100; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	v = crowd_open(b);
	run_to_cta(b, 1); /* both warps have been fetched for */
	assert_int_equal(v->sub[0].ndecode, 2);
	cta_deactivate(v, 0);
	assert_int_equal(v->sub[0].ndecode + v->sm->decoding, 0);
	cta_activate(v, 0);
	run_to_cta(b, 10); /* both have jumped, their fetches may start in cycle 55 or so */
	assert_int_equal(v->slot[0].pc, 2);
	assert_int_equal(v->slot[0].fetching, 1);
	cta_deactivate(v, 0);
	cta_activate(v, 0);
	assert_int_equal(v->slot[0].fetching, 0);
	for (u64 end = bed_cycle(b) + 80; bed_cycle(b) < end; sim_stage(&b->sim))
		assert_true(v->slot[0].buffered + v->slot[0].fetching <= b->config.sm_ibuffer);
	assert_true(v->warp[0].issued > 10);
	bed_run(b);
	assert_int_equal(v->warp[0].issued, 102);
	bed_close(b);
}

/* --- schedulers --- */

/* gto: the warp that takes over the slot of the last issue is not the greedy one, though it has issued elsewhere; the
 * oldest goes. */
static void a_newcomer_is_not_greedy(void **state)
{
	struct bed *b = bed_new();
	struct sm_view *v;

	(void)state;
	policy_put(&b->policy, POLICY_order, SCHEME_gto);
	b->config.sm_warps = 2;
	b->config.sm_contexts = 4;
	b->config.sm_ctas = 2;
	b->config.sm_residents = 4;
	for (u32 i = 0; i < 60; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i % 8, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 3, 32);
	v = crowd_open(b);
	run_to_cta(b, 12);
	assert_int_equal(v->sched->last, 0); /* context 0, the oldest, is greedy in slot 0 */
	cta_deactivate(v, 0);
	cta_activate(v, 2); /* the youngest has slot 0 */
	assert_int_equal(v->warp[2].slot, 0);
	while (machine_gpu(b->sim.m)->stage)
		sim_stage(&b->sim);
	bed_run_to(b, 17);
	assert_int_equal(v->sched->last, 1);
	run_to_cta(b, 20);
	cta_deactivate(v, 1);
	assert_int_equal(v->warp[0].issued > 0, 1);
	cta_activate(v, 0); /* it has issued before, but not in slot 1 */
	assert_int_equal(v->warp[0].slot, 1);
	assert_int_equal(v->slot[1].since, 0);
	bed_close(b);
}

/* --- occupancy and rules --- */

/* Scheduling limits are those of slots; as many CTAs can be resident as capacity and contexts allow. */
static void residents_are_not_occupancy(void **state)
{
	struct config c;
	struct occupancy o;
	struct error e = {0};

	(void)state;
	config_default(&c);
	c.sm_subcores = 1;
	c.sm_warps = 48;
	c.sm_ctas = 8;
	c.sm_threads = 1536;
	c.sm_registers = 32768;
	c.sm_register_unit = 64;
	c.sm_shared = c.sm_cta_shared = 49152;
	assert_int_equal(occupancy_of(&c, 128, 16, 4096, &o, &e), STATUS_OK);
	assert_int_equal(o.ctas, 8);
	assert_int_equal(o.resident, 8);
	c.sm_contexts = 256;
	c.sm_residents = 64;
	assert_int_equal(occupancy_of(&c, 128, 16, 4096, &o, &e), STATUS_OK);
	assert_int_equal(o.ctas, 8);
	assert_int_equal(o.resident, 12); /* shared memory */
	assert_int_equal(occupancy_of(&c, 128, 16, 1024, &o, &e), STATUS_OK);
	assert_int_equal(o.resident, 16); /* registers */
	assert_int_equal(occupancy_of(&c, 512, 4, 0, &o, &e), STATUS_OK);
	assert_int_equal(o.resident, 16); /* contexts */
	assert_int_equal(occupancy_of(&c, 32, 4, 0, &o, &e), STATUS_OK);
	assert_int_equal(o.resident, 64);
	c.sm_contexts = 40;
	assert_int_equal(config_check(&c, &e), STATUS_FAILED);
	c.sm_subcores = 4;
	c.sm_contexts = 50;
	assert_int_equal(config_check(&c, &e), STATUS_FAILED);
	c.sm_contexts = 52;
	assert_int_equal(config_check(&c, &e), STATUS_OK);
	c.sm_contexts = 0;
	c.sm_residents = 7;
	assert_int_equal(config_check(&c, &e), STATUS_FAILED);
}

/* A CTA that comes in without slots is placed so that it can have them one day: never more of it in a sub-core than
 * that has slots. */
static void placed_for_slots_to_come(void **state)
{
	struct bed *b = bed_new();
	struct sm_view *v;

	(void)state;
	policy_put(&b->policy, POLICY_assign, SCHEME_hashed);
	b->config.assign_table = 0; /* all to sub-core 0 */
	b->config.sm_subcores = 2;
	b->config.sm_warps = 4;
	b->config.sm_contexts = 16;
	b->config.sm_ctas = 1;
	b->config.sm_residents = 4;
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 6, 128);
	v = crowd_open(b);
	bed_run_to(b, 4);
	assert_int_equal(v->sm->inactive, 0xe);
	for (u32 i = 0; i < 4; i++)
		assert_int_equal(__builtin_popcountll(v->cta[i].contexts[0] & 0x5555), 2);
	bed_run(b);
	assert_false(sim_deadlocked(&b->sim));
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_FINISHED), 6);
	bed_close(b);
}

/* CTAs that came without slots get them by age as others leave, and all come to their ends, however the engine visits
 * SMs. */
static void all_have_their_turn(void **state)
{
	u64 hash[4];

	(void)state;
	for (u32 i = 0; i < 4; i++) {
		struct bed *b = bed_crowd(3);
		struct sm_view *v;

		b->config.sm_warps = 4;
		b->config.sm_contexts = 16;
		b->config.sm_ctas = 1;
		b->config.sm_residents = 4;
		b->config.engine_sleep = i != 1;
		b->config.engine_ahead = i == 2;
		v = crowd_open(b);
		bed_run_to(b, 5);
		assert_int_equal(v->sm->ctas, 4);
		assert_int_equal(v->sm->inactive, 0xe);
		for (u32 k = 0; k < 3; k++)
			assert_int_equal(b->sim.view[k].sm->inactive, 0xe);
		if (i == 2) {
			b->sim.bus.want = 0;
			assert_int_equal(sim_run(&b->sim, 200000), RUN_DONE);
		}
		if (i == 3)
			b->sim.stage_major = true;
		bed_run(b);
		assert_false(sim_deadlocked(&b->sim));
		assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_FINISHED), 12);
		bed_check_sums(b);
		hash[i] = sim_hash(&b->sim);
		assert_int_equal(hash[i], hash[0]);
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_follow_contexts),
		cmocka_unit_test(slots_change_hands),
		cmocka_unit_test(half_a_cta_gets_no_slots),
		cmocka_unit_test(contexts_without_slots_are_counted),
		cmocka_unit_test(answers_find_contexts_without_slots),
		cmocka_unit_test(fetches_are_forgotten),
		cmocka_unit_test(a_newcomer_is_not_greedy),
		cmocka_unit_test(residents_are_not_occupancy),
		cmocka_unit_test(all_have_their_turn),
		cmocka_unit_test(placed_for_slots_to_come),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
