/*
 * test_vt.c - Virtual Thread: the paper's costs and its Figure 5, who swaps when, what a swap leaves alone.
 */
#include "core_bed.h"
#include "policy_swap.h"

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
	struct bed *b = bed_vt(1, 2, 8);
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
	struct bed *b = bed_vt(1, 2, 8);
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

/* Contexts move one at a time, in the order of the swaps; each CTA that waits for its own counts. */
static void contexts_move_in_order(void **state)
{
	struct bed *b = bed_vt(2, 4, 8);
	const struct sm_view *v;
	u64 waited = 0, together = 0;

	(void)state;
	loads_and_readers(b, 3);
	b->config.dram_latency = 80;
	b->config.vt_bandwidth = 128;
	bed_launch(b, 0, 8, 256);
	v = &bed_open(b)->view[0];
	while (!sim_finished(&b->sim)) {
		u64 restoring = v->sm->restoring;
		u32 first = restoring ? (u32)__builtin_ctzll(restoring) : 0, before[4];

		for (u32 i = 0; i < 4; i++) {
			before[i] = v->cta[i].restore;
			if (restoring >> i & 1 && v->cta[i].moved < v->cta[first].moved)
				first = i;
		}
		waited += (u64)__builtin_popcountll(restoring);
		sim_cycle(&b->sim);
		for (u32 i = 0; i < 4; i++)
			if (restoring >> i & 1)
				assert_int_equal(v->cta[i].restore, before[i] - (i == first));
		if (__builtin_popcountll(restoring) > 1)
			together +=
				v->cta[first].moved != v->cta[63 - __builtin_clzll(restoring & ~(1ULL << first))].moved;
	}
	assert_true(together > 4);
	assert_int_equal(v->sm->stat[STAT_VT_SWAP_CYCLES], waited);
	bed_close(b);
}

/* The CTA in place 1 changed places before that in place 0: its context is restored first, in two cycles of the port,
 * and then the other's. */
static void the_first_swapped_comes_first(void **state)
{
	static const u32 left[][2] = {{2, 1}, {2, 0}, {1, 0}, {0, 0}};
	struct bed *b = bed_vt(2, 2, 1);
	struct sm_view *v;

	(void)state;
	for (u32 i = 0; i < 60; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 32);
	v = &bed_open(b)->view[0];
	bed_run_to(b, 8);
	v->sm->restoring = 3;
	v->cta[0].restore = v->cta[1].restore = 2;
	v->cta[0].moved = 6;
	v->cta[1].moved = 5;
	for (u32 n = 0; n < ARRAY_LEN(left); n++) {
		v->sleep->until = bed_cycle(b);
		sim_cycle(&b->sim);
		assert_true(v->cta[0].restore == left[n][0] && v->cta[1].restore == left[n][1]);
	}
	assert_int_equal(v->sm->restoring, 0);
	bed_close(b);
}

/* Figure 5: two active CTAs of four. 0 stalls first and 2 takes its place, then 1 and 3; then they change back. */
static void figure_5(void **state)
{
	struct bed *b = bed_vt(2, 4, 2);
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
		struct bed *b = bed_vt(1, 2, 1);
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
		bed_run(b);
		assert_int_equal(v->sm->stat[STAT_L1D_HITS], 2);
		if (any)
			assert_true(v->sm->stat[STAT_VT_SWAPS] > 1);
		else
			assert_int_equal(v->sm->stat[STAT_VT_SWAPS], 1); /* for the first load of the first CTA */
		bed_close(b);
	}
}

/* A warp at a barrier counts as stalled if a sibling is stalled on memory, not if that one computes. */
static void barriers_count_with_a_stalled_sibling(void **state)
{
	(void)state;
	for (u32 memory = 0; memory < 2; memory++) {
		struct bed *b = bed_vt(1, 2, 2);

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

/* A kernel reads and writes as many registers with VT as without. */
static void register_reads_are_equal(void **state)
{
	u64 reads[2], writes[2];

	(void)state;
	for (u32 on = 0; on < 2; on++) {
		struct bed *b = bed_vt(2, 4, 2);

		b->config.dram_latency = 80;
		if (!on)
			policy_default(&b->policy);
		loads_and_readers(b, 5);
		bed_launch(b, 0, 12, 64);
		bed_open(b);
		bed_run(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_VT_SWAPS) > 0, on);
		reads[on] = sim_sm_stat(&b->sim, STAT_RF_READS);
		writes[on] = sim_sm_stat(&b->sim, STAT_RF_WRITES);
		bed_close(b);
	}
	assert_int_equal(reads[0], reads[1]);
	assert_int_equal(writes[0], writes[1]);
	assert_true(reads[0] > 12 * 2 * 5);
}

/* A kernel that capacity limits: not a cycle, not a bit of the state is another with VT. */
static void type_c_is_untouched(void **state)
{
	u64 hash[2];

	(void)state;
	for (u32 on = 0; on < 2; on++) {
		struct bed *b = on ? bed_vt(4, 8, 2) : bed_new();

		b->config.sm_warps = 8;
		b->config.sm_contexts = 16;
		b->config.sm_ctas = 4;
		b->config.sm_residents = 8;
		b->config.sm_registers = 2 * 2 * 32 * 32; /* two CTAs of two warps of 32 registers */
		loads_and_readers(b, 3);
		bed_launch(b, 0, 9, 64);
		bed_open(b);
		bed_run(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_VT_SWAPS), 0);
		hash[on] = sim_hash(&b->sim) ^ bed_cycle(b);
		bed_close(b);
	}
	assert_int_equal(hash[0], hash[1]);
}

/* The region of contexts takes shared memory, so that fewer CTAs fit; with twice the context fewer still. */
static void contexts_take_shared_memory(void **state)
{
	static const u32 want[] = {8, 7, 5}; /* n x 256 + (n - 2) x (0, 256 or 512) is at most 3328 */

	(void)state;
	for (u32 times = 0; times < 3; times++) {
		struct bed *b = bed_vt(2, 8, 2);
		u32 most = 0;

		b->config.vt_context = times;
		b->config.sm_shared = b->config.sm_cta_shared = 3328;
		b->kernel[0].static_shared = 256;
		loads_and_readers(b, 2);
		bed_launch(b, 0, 12, 64);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			const struct sm *sm = b->sim.view[0].sm;

			sim_cycle(&b->sim);
			most = max_u32(most, sm->ctas);
			assert_true(sm->region <= sm->shared_free);
		}
		assert_int_equal(most, want[times]);
		bed_close(b);
	}
}

/* Data that lie where the region of contexts is to be make way for it, if there is room. */
static void data_make_way_for_contexts(void **state)
{
	struct bed *b = bed_new();
	struct sm_view *v;
	const struct stretch *x;

	(void)state;
	b->config.sm_ctas = 4;
	b->config.sm_shared = b->config.sm_cta_shared = 4096;
	b->kernel[0].static_shared = 1024;
	bed_compare(b, 0, 0, SREG_CTAID_X, 3);
	bed_branch(b, 0, 0, 43, 43);
	for (u32 i = 0; i < 40; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 4, 64);
	v = &bed_open(b)->view[0];
	x = machine_sm_section(b->sim.m, 0, SECTION_SHARED_STRETCH);
	while (v->sm->stat[STAT_CTA_FINISHED] < 3)
		sim_cycle(&b->sim);
	while (machine_gpu(b->sim.m)->stage != STAGE_EPOCH)
		sim_stage(&b->sim);
	assert_int_equal(x[3].first, 3072);
	assert_false(region_grow(v, 1, 2, 3072));
	assert_int_equal(x[3].first, 3072);
	assert_true(region_grow(v, 1, 2, 1024));
	assert_int_equal(x[3].first, 0);
	assert_int_equal(v->sm->region, 256);
	region_settle(v);
	assert_int_equal(v->sm->region, 0);
	bed_run(b);
	bed_close(b);
}

/* Switched off in the middle: nothing is swapped out any more, nobody comes beyond the slots; what is inactive still
 * gets its turn. */
static void switched_off_in_the_middle(void **state)
{
	(void)state;
	for (u32 how = 0; how < 2; how++) {
		struct bed *b = bed_vt(1, 4, 2);
		struct policy_choice plain;
		struct sm_view *v;
		u64 swaps;

		loads_and_readers(b, 4);
		bed_launch(b, 0, 8, 64);
		v = &bed_open(b)->view[0];
		while (v->sm->stat[STAT_VT_SWAPS] < 5)
			sim_cycle(&b->sim);
		policy_default(&plain);
		if (how)
			assert_int_equal(sim_set(&b->sim, SET_vt_virtual, 0, NULL), STATUS_OK);
		else
			sim_set_policy(&b->sim, &plain);
		swaps = v->sm->stat[STAT_VT_SWAPS];
		u64 started = v->sm->stat[STAT_CTA_STARTED];
		assert_int_equal(v->sm->ctas, 4);
		while (v->sm->inactive) {
			sim_cycle(&b->sim);
			assert_true(v->sm->stat[STAT_CTA_STARTED] == started || !v->sm->inactive);
		}
		bed_run(b);
		assert_int_equal(v->sm->stat[STAT_VT_SWAPS], swaps);
		assert_int_equal(v->sm->stat[STAT_CTA_FINISHED], 8);
		assert_false(sim_deadlocked(&b->sim));
		bed_close(b);
	}
}

/* When an active CTA retires the one that has been ready longest takes its place, before a new one; new ones join the
 * queue at its tail. */
static void retirement_serves_the_queue(void **state)
{
	struct bed *b = bed_vt(1, 3, 1);
	struct sm_view *v;
	char order[32] = "";
	u32 n = 0, last = NONE32;

	(void)state;
	b->config.sm_threads = 32; /* no more than the one that is active */
	for (u32 i = 0; i < 20; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 6, 32);
	v = &bed_open(b)->view[0];
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		for (u32 i = 0; i < 3; i++)
			if (v->cta[i].launch != NONE16 && !(v->sm->inactive >> i & 1) && v->cta[i].id != last) {
				last = v->cta[i].id;
				order[n++] = (char)('0' + last);
			}
	}
	assert_string_equal(order, "012345");
	bed_close(b);
}

/* Do the contexts of a CTA follow each other in every sub-core, from one row on? */
static bool in_a_block(const struct sm_view *v, u32 cta, u32 n)
{
	const u64 *set = v->cta[cta].contexts;
	u32 base = set_first(set, CONTEXT_WORDS) / n, rows[MAX_SUBCORES] = {0};
	bool good = true;

	SET_EACH (i, set, CONTEXT_WORDS)
		good &= i / n == base + rows[i % n]++;
	return good;
}

/* The contexts of a CTA stand together, in the sub-cores that the assignment names: warps elsewhere are those that are
 * counted, and so they would be without Virtual Thread. */
static void contexts_stand_together(void **state)
{
	static const u8 assign[] = {SCHEME_rr, SCHEME_srr, SCHEME_shuffle, SCHEME_hashed};

	(void)state;
	for (u32 a = 0; a < ARRAY_LEN(assign); a++) {
		struct bed *b = bed_vt(1, 5, 8);
		const struct sm_view *v;
		u32 elsewhere = 0, seen = 0;

		policy_put(&b->policy, POLICY_assign, assign[a]);
		b->config.sm_subcores = 4;
		b->config.sm_warps = 16;
		b->config.sm_contexts = 64;
		b->config.dram_latency = 80;
		loads_and_readers(b, 2);
		bed_launch(b, 0, 12, 6 * 32);
		v = &bed_open(b)->view[0];
		while (!sim_finished(&b->sim)) {
			sim_cycle(&b->sim);
			for (u32 k = 0; k < 64; k++) {
				const struct warp *w = &v->warp[k];
				u32 id = w->cta == NONE16 ? NONE32 : v->cta[w->cta].id;

				if (id == NONE32 || id * 6 + w->index < seen)
					continue;
				assert_true(in_a_block(v, w->cta, 4));
				elsewhere += k % 4 != scheme_table[assign[a]]->decide.assign(
							      v->look, &(struct newcomer){.number = id * 6 + w->index});
			}
			seen = v->sm->assigned;
		}
		assert_int_equal(seen, 72);
		assert_int_equal(elsewhere, v->sm->stat[STAT_DEFLECTED]);
		assert_true(v->sm->stat[STAT_VT_SWAPS] > 2);
		bed_close(b);
	}
}

/* Cycles of 64 CTAs of so many warps that never wait for memory, in four sub-cores; CTAs of the fullest and of the
 * emptiest sub-core when the SM holds most. */
static u64 crowd(u32 warps, u32 contexts, u32 residents, bool vt, u32 *most, u32 *least)
{
	struct bed *b = bed_vt(16, residents, 1);
	struct sm_view *v;
	u64 cycles;
	u32 resident = 0;

	b->config.vt_virtual = vt ? 64 : 0;
	b->config.sm_subcores = 4;
	b->config.sm_warps = 32;
	b->config.sm_contexts = contexts;
	for (u32 i = 0; i < 40; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 64, warps * 32);
	v = &bed_open(b)->view[0];
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		if (v->sm->warps <= resident)
			continue;
		u32 n[4] = {0};
		resident = v->sm->warps;
		for (u32 k = 0; k < contexts; k++)
			n[k % 4] += v->warp[k].cta != NONE16;
		*most = max_u32(max_u32(n[0], n[1]), max_u32(n[2], n[3]));
		*least = min_u32(min_u32(n[0], n[1]), min_u32(n[2], n[3]));
	}
	cycles = machine_gpu(b->sim.m)->cycle;
	bed_close(b);
	return cycles;
}

/* CTAs of fewer warps than there are sub-cores use all of them, whether they find slots or not: work that never waits
 * takes as long. With no room beyond the slots nothing changes. */
static void sub_cores_share(void **state)
{
	u32 most, least;

	(void)state;
	for (u32 warps = 1; warps <= 6; warps++) {
		u64 plain = crowd(warps, 32, 16, false, &most, &least);

		assert_int_equal(crowd(warps, 32, 16, true, &most, &least), plain);
		assert_in_range(crowd(warps, 64, 32, true, &most, &least), plain - plain / 50, plain + plain / 50);
		assert_in_range(most, least, least + 1);
	}
}

/* Room for more CTAs alone, or for more warps, or than there are threads, is room beyond the slots. */
static void room_beyond_any_limit(void **state)
{
	static const struct {
		u32 contexts, residents, threads;
		bool idle;
	} room[] = {{8, 4, 256, true}, {16, 4, 256, false}, {8, 8, 256, false}, {8, 4, 128, false}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(room); i++) {
		struct bed *b = bed_vt(4, room[i].residents, 2);

		b->config.sm_contexts = room[i].contexts;
		b->config.sm_threads = room[i].threads;
		b->config.dram_latency = 80;
		assert_int_equal(scheme_vt.idle(&b->config) != NULL, room[i].idle);
		loads_and_readers(b, 3);
		bed_launch(b, 0, 16, i == 2 ? 32 : 64);
		if (i == 1)
			b->config.sm_warps = 6;
		bed_open(b);
		bed_run(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_VT_SWAPS) != 0, !room[i].idle);
		bed_close(b);
	}
}

/* Beneath it any order issues: all ends, with swaps, and statuses add up. */
static void beneath_every_order(void **state)
{
	static const u8 order[] = {SCHEME_lrr, SCHEME_gto, SCHEME_two_level, SCHEME_oldest, SCHEME_rba};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(order); i++) {
		struct bed *b = bed_vt(2, 6, 3);
		char got[1024];

		policy_put(&b->policy, POLICY_order, order[i]);
		b->config.sched_group = 3;
		b->config.dram_latency = 60;
		loads_and_readers(b, 3);
		bed_launch(b, 0, 9, 96);
		swaps(b, got, sizeof got);
		assert_true(strlen(got) > 20);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_FINISHED), 9);
		bed_close(b);
	}
}

/* CTAs leave before their end whatever they are at: active, inactive, ready, being saved, being restored. */
static void departures_of_all_kinds(void **state)
{
	u32 left[5] = {0};

	(void)state;
	for (u32 seed = 0; seed < 40; seed++) {
		struct bed *b = bed_vt(2, 6, 4);
		struct sm_view *v;

		b->config.preempt_ctas = 8;
		b->config.dram_latency = 60;
		b->config.vt_bandwidth = 128;
		loads_and_readers(b, 4);
		bed_launch(b, 0, 16, 128);
		v = &bed_open(b)->view[0];
		for (u64 n = 0; !sim_finished(&b->sim); n++) {
			u64 chance = mix64(seed * 100000 + n);
			u32 i = (u32)(chance >> 32) % 6;

			sim_cycle(&b->sim);
			bed_check_sums(b);
			if (chance % 41 || sim_depart(&b->sim, 0, i, chance >> 20 & 1 ? LEAVE_SAVE : LEAVE_FLUSH, NULL))
				continue;
			left[v->sm->restoring >> i & 1	? 0
			     : v->sm->saving >> i & 1	? 1
			     : v->sm->ready >> i & 1	? 2
			     : v->sm->inactive >> i & 1 ? 3
							: 4]++;
		}
		assert_false(sim_deadlocked(&b->sim));
		assert_int_equal(v->sm->stat[STAT_CTA_FINISHED], 16);
		assert_int_equal(v->sm->inactive | v->sm->ready | v->sm->saving | v->sm->restoring | v->sm->region, 0);
		assert_int_equal(v->stock->registers, 0);
		bed_close(b);
	}
	for (u32 i = 0; i < 5; i++)
		assert_true(left[i] > 0);
}

/* A CTA of two warps cannot have the slot of a CTA of one, but one of one can have those of two. */
static void only_what_fits_comes_in(void **state)
{
	struct bed *b = bed_vt(1, 4, 2);
	struct sm_view *v;
	u32 seen = 0;

	(void)state;
	b->config.sm_ctas = 2;
	b->config.sm_warps = 3;
	b->config.sm_contexts = 12;
	b->config.dram_latency = 80;
	loads_and_readers(b, 4);
	bed_launch(b, 0, 6, 64)->stream = 0;
	bed_launch(b, 0, 6, 32)->stream = 1;
	v = &bed_open(b)->view[0];
	while (!sim_finished(&b->sim)) {
		u32 warps = 0;

		sim_cycle(&b->sim);
		for (u32 i = 0; i < 4; i++)
			if (v->cta[i].launch != NONE16 && !(v->sm->inactive >> i & 1))
				warps += v->cta[i].warps;
		assert_true(warps <= 3);
		seen |= 1u << warps;
	}
	assert_int_equal(seen >> 3 & 1, 1);
	assert_int_equal(v->sm->stat[STAT_CTA_FINISHED], 12);
	assert_true(v->sm->stat[STAT_VT_SWAPS] > 3);
	bed_close(b);
}

/* --- the two re-execution queues --- */

/* A warp whose parts all wait for each other's lanes keeps its CTA from going no more than one at a barrier. */
static void who_is_stuck_is_stalled_with_a_sibling(void **state)
{
	struct bed *b = bed_new();
	struct sm_view *v;

	(void)state;
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	v = &bed_open(b)->view[0];
	bed_when(b, 0, 1, 0);
	bed_run_to(b, bed_cycle(b) + 1);
	assert_true(cta_stalled(v->look, 0, false));
	for (u32 i = 0; i < 2; i++) {
		v->warp[i].stuck = 1;
		v->slot[i].buffered = 0;
		slot_eval(v, i);
		assert_int_equal(v->slot[i].set, SET_GANG);
		assert_int_equal(cta_stalled(v->look, 0, false), i == 0);
	}
	bed_close(b);
}

/* Two CTAs of two warps, one active; every warp loads a line of its own, of which the one MSHR takes one. */
static struct bed *queues_bed(u32 inactive)
{
	struct bed *b = bed_vt(1, 2, 2);

	b->config.lsu_reexec = REEXEC_CAR;
	b->config.lsu_reexec_entries = 4;
	b->config.lsu_reexec_inactive = inactive;
	b->config.l1d_mshrs = 1;
	b->config.dram_latency = 150;
	bed_address_by(b, 0, 2, SREG_TID_X, BED_BASE, 4);
	bed_through(bed_load(b, 0, 4, 0), 2);
	bed_alu(b, 0, CLASS_INT, 6, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 64);
	return b;
}

/* What a CTA has in the queue moves into the other when it is swapped out, and is served when the first has nothing. */
static void loads_follow_their_cta(void **state)
{
	struct bed *b = queues_bed(4);
	struct sm_view *v;
	u32 most = 0;

	(void)state;
	b->config.l1d_ports = 2;
	v = &bed_open(b)->view[0];
	while (v->sm->stat[STAT_VT_SWAPS] < 1) {
		assert_int_equal(v->sm->reexec_inactive, 0);
		sim_cycle(&b->sim);
	}
	assert_int_equal(v->sm->inactive, 1);
	assert_int_equal(v->sm->reexec_count, 0);
	assert_int_equal(v->sm->reexec_inactive, 1);
	assert_int_equal(v->memop[v->reexec_inactive[0].memop].context, 1);
	assert_int_equal(v->sm->stat[STAT_REEXEC_INACTIVE], 1);
	while (!sim_finished(&b->sim)) {
		u32 before = v->sm->reexec_inactive, active = v->sm->reexec_count;
		u64 swaps = v->sm->stat[STAT_VT_SWAPS];

		sim_cycle(&b->sim);
		most = max_u32(most, v->sm->reexec_inactive);
		if (v->sm->reexec_inactive < before && swaps == v->sm->stat[STAT_VT_SWAPS])
			assert_int_equal(active, 0);
	}
	assert_true(most >= 1);
	assert_int_equal(v->sm->stat[STAT_REEXEC_MOVED], v->sm->stat[STAT_REEXEC_RESUMED]);
	assert_int_equal(v->sm->reexec_count + v->sm->reexec_inactive, 0);
	bed_close(b);
}

/* The memory operation at the head of the LSU, if its warp has no slot, waits for nothing in shared memory, and has
 * another aside; NONE32: none such. */
static u32 inactive_head(const struct sm_view *v)
{
	u32 at = v->sm->lsu_count ? v->lsuq[v->sm->lsu_head].memop : NONE32;
	const struct memop *op = &v->memop[at == NONE32 ? 0 : at];
	bool aside = false;

	for (u32 i = 0; i < v->sm->reexec_count; i++)
		aside |= v->memop[v->reexec[i].memop].context == op->context;
	for (u32 i = 0; i < v->sm->reexec_inactive; i++)
		aside |= v->memop[v->reexec_inactive[i].memop].context == op->context;
	return at != NONE32 && aside && v->warp[op->context].slot == NONE16 ? at : NONE32;
}

/* Loads of active CTAs go before those of inactive ones in the LSU, too: under car a second load of a warp keeps it
 * waiting as long as its CTA is active, and not for a cycle afterwards, whether there is room among its like or not. */
static void inactive_loads_keep_nobody_waiting(void **state)
{
	(void)state;
	for (u32 room = 2; room <= 8; room += 3) {
		struct bed *b = bed_vt(2, 6, 1);
		const struct sm_view *v;
		u32 heads = 0;

		b->config.lsu_reexec = REEXEC_CAR;
		b->config.lsu_reexec_entries = 8;
		b->config.lsu_reexec_inactive = room;
		b->config.l1d_mshrs = 2;
		b->config.dram_latency = 90;
		bed_address_by(b, 0, 2, SREG_CTAID_X, BED_BASE, 4096);
		for (u32 i = 0; i < 4; i++)
			bed_through(bed_load(b, 0, 10 + i, 0), 2)->offset = (i32)(i * 1024);
		bed_alu(b, 0, CLASS_INT, 8, 2, 10, 13);
		bed_exit(b, 0);
		bed_launch(b, 0, 12, 32);
		v = &bed_open(b)->view[0];
		while (!sim_finished(&b->sim)) {
			u32 head = inactive_head(v);

			sim_cycle(&b->sim);
			bed_check_sums(b);
			heads += head != NONE32;
			if (head != NONE32 && v->sm->lsu_count)
				assert_int_not_equal(v->lsuq[v->sm->lsu_head].memop, head);
		}
		assert_false(sim_deadlocked(&b->sim));
		assert_true(heads > 0);
		assert_int_equal(v->sm->stat[STAT_REEXEC_UNTRIED], heads);
		assert_int_equal(v->sm->stat[STAT_CTA_FINISHED], 12);
		bed_close(b);
	}
}

/* What is known to be missed is pending: nothing of a slot's last owner is left to its next. */
static void only_the_pending_is_missed(const struct bed *b)
{
	const struct sm_view *v = &b->sim.view[0];

	for (u32 i = 0; i < b->sim.m->slots_per_sub; i++)
		for (u32 k = 0; k < HAZARD_WORDS && v->slot[i].context != NONE16; k++)
			assert_int_equal(v->missed[i].registers[k] & ~v->slot[i].pending_long[k], 0);
}

/* One stage. What leaves the queue with its CTA takes no turn from what stays: the next try is of the same instruction,
 * unless that has left, too. Returns how many places it has moved up. */
static u32 stage_keeps_the_turn(struct bed *b)
{
	struct sm_view *v = &b->sim.view[0];
	u32 at = v->sm->reexec_at, left = v->sm->reexec_inactive, turn = v->reexec[at].memop;
	bool swaps = v->gpu->stage != STAGE_EXECUTE && at < v->sm->reexec_count;

	sim_stage(&b->sim);
	only_the_pending_is_missed(b);
	if (!swaps || v->sm->reexec_inactive <= left)
		return 0;
	for (u32 i = 0; i < v->sm->reexec_count; i++)
		if (v->reexec[i].memop == turn)
			assert_int_equal(v->sm->reexec_at, i);
	return at - v->sm->reexec_at;
}

static void who_leaves_takes_no_turn(void **state)
{
	u32 moved = 0;

	(void)state;
	for (u32 loads = 1; loads < 4; loads++) {
		struct bed *b = bed_vt(2, 6, 2);

		b->config.lsu_reexec = REEXEC_NEWCAR;
		b->config.lsu_reexec_entries = b->config.lsu_reexec_inactive = 16;
		b->config.l1d_mshrs = 1;
		b->config.dram_latency = 90 + loads;
		bed_address_by(b, 0, 2, SREG_TID_X, BED_BASE, 4);
		bed_address_by(b, 0, 6, SREG_CTAID_X, BED_BASE, 4096);
		for (u32 i = 0; i < loads; i++)
			bed_through(bed_load(b, 0, 10 + i, 0), i % 2 ? 6 : 2)->offset = (i32)(i * 1024);
		for (u32 i = 0; i < 8; i++)
			bed_alu(b, 0, CLASS_INT, 9, 1, 9); /* meanwhile the queue is served */
		bed_alu(b, 0, CLASS_INT, 8, 2, 10, 10 + loads - 1);
		bed_exit(b, 0);
		bed_launch(b, 0, 6, 64);
		bed_open(b);
		while (!sim_finished(&b->sim))
			moved += stage_keeps_the_turn(b);
		assert_true(b->sim.view[0].sm->stat[STAT_VT_SWAPS] > 3);
		bed_close(b);
	}
	assert_true(moved > 0);
}

/*
 * A store that waits among those of inactive CTAs is older than what its warp asks for when it has slots again: a load,
 * of a line that is there, does not pass it. The store finds the port full, its CTA goes for want of a load, and is
 * back before the store has gone, for the other CTA keeps the port full.
 */
static void what_waits_outside_is_older(void **state)
{
	struct bed *b = bed_vt(1, 2, 1);
	u32 barred = 0, stores = 0;

	(void)state;
	b->config.lsu_reexec = REEXEC_NEWCAR;
	b->config.lsu_reexec_entries = b->config.lsu_reexec_inactive = 8;
	b->config.icnt_queue = 2;
	b->config.icnt_bytes = 8;
	bed_address_by(b, 0, 2, SREG_CTAID_X, BED_BASE, 4096);
	bed_address(b, 0, 6, BED_BASE + 65536, 4);
	bed_through(bed_load(b, 0, 4, 0), 2);
	for (u32 i = 0; i < 6; i++)
		bed_through(bed_memory(b, 0, OP_ST, CLASS_STORE, 0), 6)->offset = (i32)(i * 128);
	bed_alu(b, 0, CLASS_INT, 8, 1, 4);
	u32 pc = b->kernel[0].ninst;
	bed_through(bed_load(b, 0, 9, 0), 2);
	bed_alu(b, 0, CLASS_INT, 10, 1, 9);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 32);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		const struct sm_view *v = &b->sim.view[0];

		sim_cycle(&b->sim);
		only_the_pending_is_missed(b);
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			const struct record *r = &b->sim.bus.record[i];
			u32 outside = 0;

			for (u32 k = 0; k < v->sm->reexec_inactive; k++)
				outside += v->memop[v->reexec_inactive[k].memop].context == r->warp;
			stores += r->kind == EVENT_REEXEC_SERVED && r->pc < pc;
			barred += r->kind == EVENT_REEXEC && r->pc == pc && !r->a && outside;
			if (r->pc == pc && (r->kind == EVENT_BYPASS || r->kind == EVENT_REEXEC_SERVED))
				assert_int_equal(outside, 0);
		}
	}
	assert_true(barred > 0);
	assert_true(stores > 0);
	bed_close(b);
}

/* Without room in the other queue the swap waits. */
static void a_swap_waits_for_room(void **state)
{
	struct bed *b = queues_bed(1);
	struct sm_view *v;
	u32 waited = 0;

	(void)state;
	b->config.sm_warps = 4;
	b->config.sm_contexts = 8;
	b->launch[0].grid[0] = 2;
	bed_clear(b);
	bed_address_by(b, 0, 2, SREG_TID_X, BED_BASE, 4);
	bed_through(bed_load(b, 0, 4, 0), 2);
	bed_alu(b, 0, CLASS_INT, 6, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 128);
	v = &bed_open(b)->view[0];
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		if (!v->sm->ready || v->sm->inactive != 2 || !cta_stalled(v->look, 0, false))
			continue;
		waited += v->sm->reexec_count > 1;
		assert_int_equal(reexec_room(v->look, 0), v->sm->reexec_count < 2);
		assert_false(cta_swap_fits(v->look, 0, 1) && v->sm->reexec_count > 1);
	}
	assert_true(waited > 10);
	bed_close(b);
}

/* --- comparators --- */

/* Warps in the order in which they issue loads. */
static void load_order(struct bed *b, char *out)
{
	u32 n = 0;

	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		bed_check_sums(b);
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			const struct record *r = &b->sim.bus.record[i];

			if (r->kind == EVENT_ISSUE && r->b == CLASS_LOAD)
				out[n++] = (char)('0' + r->warp);
		}
	}
	out[n] = 0;
	assert_false(sim_deadlocked(&b->sim));
}

/* mascar: once 0a and 1a have the two MSHRs only the owner issues loads: 0, until its next instruction depends on them,
 * then 1, then 2, which lrr lets go third. */
static void mascar_serves_one_warp(void **state)
{
	static const char *const want[] = {"012012", "010122"};
	char got[32];

	(void)state;
	for (u32 on = 0; on < 2; on++) {
		struct bed *b = bed_new();

		b->config.lsu_reexec = REEXEC_CAR;
		b->config.lsu_reexec_entries = 8;
		b->config.l1d_mshrs = 2;
		b->config.lat_idiv = 15; /* warp 2 comes when 0 is ready again */
		b->config.dram_latency = 200;
		if (on)
			policy_put(&b->policy, POLICY_hold, SCHEME_mascar);
		bed_address_by(b, 0, 2, SREG_TID_X, BED_BASE, 4);
		bed_compare(b, 0, 0, SREG_TID_X, 64);
		bed_branch(b, 0, 0, 4, 4);
		bed_alu(b, 0, CLASS_IDIV, 8, 1, 8);
		bed_through(bed_reads(bed_load(b, 0, 4, 0), 8), 2);
		for (u32 i = 0; i < 3; i++)
			bed_alu(b, 0, CLASS_INT, 9, 1, 9);
		bed_through(bed_reads(bed_load(b, 0, 5, 0), 9), 2)->offset = 4096;
		bed_alu(b, 0, CLASS_INT, 6, 2, 4, 5);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 96);
		load_order(b, got);
		assert_string_equal(got, want[on]);
		bed_close(b);
	}
}

/* max: with sm.unlimited as many CTAs are active as capacity allows, and none is inactive. */
static void unlimited_lifts_the_limits(void **state)
{
	struct bed *b = bed_vt(1, 4, 2);
	struct occupancy o;
	struct error e;
	struct sm_view *v;
	u32 most = 0;

	(void)state;
	b->config.sm_threads = 64;
	assert_int_equal(occupancy_of(&b->config, 64, 32, 0, &o, &e), STATUS_OK);
	assert_int_equal(o.ctas, 1);
	b->config.sm_unlimited = 1;
	assert_int_equal(occupancy_of(&b->config, 64, 32, 0, &o, &e), STATUS_OK);
	assert_int_equal(o.ctas, 4);
	loads_and_readers(b, 2);
	bed_launch(b, 0, 9, 64);
	v = &bed_open(b)->view[0];
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		most = max_u32(most, active_ctas(v->sm));
		assert_int_equal(v->sm->inactive, 0);
	}
	assert_int_equal(most, 4);
	assert_int_equal(v->sm->stat[STAT_CTA_FINISHED], 9);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(costs),
		cmocka_unit_test(restoring_holds_the_slots),
		cmocka_unit_test(demand_goes_first),
		cmocka_unit_test(contexts_move_in_order),
		cmocka_unit_test(the_first_swapped_comes_first),
		cmocka_unit_test(figure_5),
		cmocka_unit_test(hits_are_not_long),
		cmocka_unit_test(barriers_count_with_a_stalled_sibling),
		cmocka_unit_test(who_is_stuck_is_stalled_with_a_sibling),
		cmocka_unit_test(register_reads_are_equal),
		cmocka_unit_test(type_c_is_untouched),
		cmocka_unit_test(contexts_take_shared_memory),
		cmocka_unit_test(data_make_way_for_contexts),
		cmocka_unit_test(switched_off_in_the_middle),
		cmocka_unit_test(retirement_serves_the_queue),
		cmocka_unit_test(contexts_stand_together),
		cmocka_unit_test(sub_cores_share),
		cmocka_unit_test(room_beyond_any_limit),
		cmocka_unit_test(beneath_every_order),
		cmocka_unit_test(departures_of_all_kinds),
		cmocka_unit_test(only_what_fits_comes_in),
		cmocka_unit_test(loads_follow_their_cta),
		cmocka_unit_test(inactive_loads_keep_nobody_waiting),
		cmocka_unit_test(who_leaves_takes_no_turn),
		cmocka_unit_test(what_waits_outside_is_older),
		cmocka_unit_test(a_swap_waits_for_room),
		cmocka_unit_test(mascar_serves_one_warp),
		cmocka_unit_test(unlimited_lifts_the_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
