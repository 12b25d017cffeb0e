/*
 * test_comparators.c - static wavefront limiting, the two versions of two-level scheduling, and what mascar does by its
 * settings: numbers of their pages, traces worked out by hand (test_core_schedulers.c says when what is ready), and
 * what must hold in every cycle.
 */
#include "core_bed.h"

#include "policy_swl.h"

/* --- swl --- */

/*
 * Four warps of A, C (waits for A), a barrier, EXIT, in turns, of which the two oldest may issue.
 * 3, 4	A of 0, 1. 5..7: both wait for A; 2 and 3 are ready and held. 8, 9: C. 10, 11: the barrier.
 * 12..20	warp 1, the youngest that may, waits there: 2 and 3 issue up to the barrier, with the same bubble.
 * 21..24	it is complete: EXIT of 0; with each that ends another may.
 */
static void swl_holds_all_but_the_oldest(void **state)
{
	static const char *const want[] = {"01..."
					   "01"
					   "01"
					   "23"
					   "..."
					   "23"
					   "23"
					   "0123",
					   "0123."
					   "0123"
					   "0123"
					   "0123"};
	(void)state;
	for (u32 on = 0; on < 2; on++) {
		struct bed *b = bed_new();

		b->config.swl_limit = on ? 0 : 2;
		b->config.sm_warps = 4;
		policy_put(&b->policy, POLICY_hold, SCHEME_swl);
		bed_alu(b, 0, CLASS_INT, 1, 1, 0);
		bed_alu(b, 0, CLASS_INT, 3, 1, 1);
		bed_barrier(b, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 128);
		bed_expect(b, 0, want[on]);
		bed_close(b);
	}
}

/* Warps 0 and 1 at the barrier of their CTA: 2 and 3 may issue; with only warp 0 there they are held. */
static void swl_is_lifted_at_a_barrier(void **state)
{
	struct bed *b = bed_new();
	u32 held[2];

	(void)state;
	b->config.swl_limit = 2;
	b->config.sm_warps = 4;
	policy_put(&b->policy, POLICY_order, SCHEME_swl);
	policy_put(&b->policy, POLICY_hold, SCHEME_swl);
	bed_barrier(b, 0);
	bed_alu(b, 0, CLASS_INT, 1, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	for (u32 i = 0; i < 2; i++) {
		bed_run_to(b, BED_FIRST + 2 + i);
		held[i] = (sim_warp_status(&b->sim, 0, 2) == WARP_HELD) + (sim_warp_status(&b->sim, 0, 3) == WARP_HELD);
		assert_int_equal(swl_lifted(&b->sim.view[0].look[0]), i);
	}
	assert_int_equal(held[0], 2);
	assert_int_equal(held[1], 0);
	bed_expect(b, 0, "0123");
	bed_close(b);
}

/* Five CTAs of a warp for four slots: the last comes when the first has ended, into its slot, and is the youngest:
 * those in slots 2 and 3 go before it. */
static void swl_goes_by_age(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.swl_limit = 2;
	b->config.sm_warps = b->config.sm_ctas = 4;
	policy_put(&b->policy, POLICY_order, SCHEME_swl);
	policy_put(&b->policy, POLICY_hold, SCHEME_swl);
	for (u32 i = 0; i < 40; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 5, 32);
	bed_open(b);
	while (b->sim.view[0].sm->stat[STAT_CTA_STARTED] < 5)
		sim_cycle(&b->sim);
	bed_run_to(b, bed_cycle(b) + 6);
	assert_int_equal(b->sim.view[0].cta[b->sim.view[0].warp[0].cta].id, 4);
	assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_HELD);
	assert_int_not_equal(sim_warp_status(&b->sim, 0, 2), WARP_HELD);
	assert_int_not_equal(sim_warp_status(&b->sim, 0, 3), WARP_HELD);
	bed_close(b);
}

/* --- two levels --- */

/* Four warps of ALU, a load and its reader. */
static struct bed *page_bed(enum scheme_id order)
{
	struct bed *b = bed_new();

	policy_put(&b->policy, POLICY_order, order);
	b->config.sm_warps = 4;
	bed_alu(b, 0, CLASS_INT, 1, 1, 0);
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	return b;
}

/* With groups of 2 the first load is the third instruction, in turns of all the fifth. */
static void groups_stagger_their_loads(void **state)
{
	struct bed *b = page_bed(SCHEME_two_level);

	(void)state;
	b->config.sched_group = 2;
	bed_expect(b, 0,
		   "01"
		   "01"
		   "23"
		   "23");
	bed_close(b);
	b = page_bed(SCHEME_lrr);
	bed_expect(b, 0, "01230123");
	bed_close(b);
}

/* "1 0 | 2 3": the pool and the queue of scheduler 0. */
static const char *pool_text(struct bed *b)
{
	static char text[64];
	const struct sched_view *v = &b->sim.view[0].look[0];
	u32 n = 0, pool = 0;

	text[0] = 0;
	for (u32 k = 0; k < 8; k++)
		for (u32 slot = 0; slot < 4; slot++) {
			struct score s;

			scheme_two_level_active.score(v, slot, &s);
			pool += s.word[0] == 'p' && !k && !s.value;
			if (s.value == k % 4 && (s.word[0] == 'p') == (k < 4))
				n += (u32)snprintf(text + n, sizeof text - n, "%s%s%u", n ? " " : "",
						   k == 4 ? "| " : "", slot);
		}
	assert_int_equal(pool, 1);
	return text;
}

/* Pool [0,1], queue [2,3]; 0 issues: [1,0]; 1 waits for memory: pool [0,2], queue [3,1]. */
static void the_pool_of_the_page(void **state)
{
	struct bed *b = page_bed(SCHEME_two_level_active);
	struct sm_view *v;

	(void)state;
	b->config.sched_active = 2;
	v = &bed_open(b)->view[0];
	bed_run_to(b, BED_FIRST);
	assert_string_equal(pool_text(b), "0 1 | 2 3");
	bed_run_to(b, BED_FIRST + 1);
	assert_string_equal(pool_text(b), "1 0 | 2 3");
	SET_ADD(v->slot[1].pending_long, 0); /* what its next instruction reads */
	slot_eval(v, 1);
	bed_run_to(b, BED_FIRST + 2);
	assert_true(v->sched[0].chosen == 0);
	assert_string_equal(pool_text(b), "2 0 | 3 1");
	bed_close(b);
}

/* A warp whose parts all wait for each other's lanes makes room. */
static void who_is_stuck_leaves_the_pool(void **state)
{
	struct bed *b = page_bed(SCHEME_two_level_active);
	struct sm_view *v;

	(void)state;
	b->config.sched_active = 2;
	v = &bed_open(b)->view[0];
	bed_run_to(b, BED_FIRST + 1);
	v->warp[1].stuck = 1;
	v->slot[1].buffered = 0;
	slot_eval(v, 1);
	bed_run_to(b, BED_FIRST + 2);
	assert_string_equal(pool_text(b), "2 0 | 3 1");
	bed_close(b);
}

/* Tell the scheme so: of the schedulers that are about to choose, or of cycles that the SM has slept. */
static void tell_pool(struct bed *b, u16 kind, u64 count)
{
	void *own = (void *)(uintptr_t)scheme_own(b->sim.m, SCHEME_two_level_active, 0);

	scheme_two_level_active.on_notice(b->sim.view[0].look, &(struct notice){.kind = kind, .count = count}, own);
}

/* Who waits at a barrier or fence, for memory, or has ended makes room, and stands behind those that waited before; who
 * waits for an instruction to come or for a short operation keeps its place. */
static void who_waits_long_leaves_the_pool(void **state)
{
	static const struct {
		u8 set;
		bool goes;
	} row[] = {{SET_DONE, true},   {SET_BARRIER, true}, {SET_FENCE, true}, {SET_LONG, true},
		   {SET_FETCH, false}, {SET_SHORT, false},  {SET_READY, false}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = page_bed(SCHEME_two_level_active);

		b->config.sched_active = 2;
		bed_open(b);
		bed_run_to(b, BED_FIRST);
		b->sim.view[0].slot[1].set = row[i].set;
		tell_pool(b, NOTICE_CHOOSE, 0);
		assert_string_equal(pool_text(b), row[i].goes ? "0 2 | 3 1" : "0 1 | 2 3");
		bed_close(b);
	}
}

/* Deviation: who was held by a policy in the cycle before, was paused for the sake of others, or whose CTA is halted
 * makes room, too. */
static void who_is_kept_leaves_the_pool(void **state)
{
	(void)state;
	for (u32 i = 0; i < 4; i++) {
		struct bed *b = page_bed(SCHEME_two_level_active);
		struct sm *sm;

		b->config.sched_active = 2;
		bed_open(b);
		bed_run_to(b, BED_FIRST);
		sm = b->sim.view[0].sm;
		if (i == 1)
			SET_ADD(&sm->seen[WARP_HELD * b->sim.m->words], 1);
		if (i == 2)
			SET_ADD(&sm->seen[WARP_PAUSED * b->sim.m->words], 1);
		if (i == 3)
			SET_ADD(&sm->set[SET_HALTED * b->sim.m->words], 1);
		tell_pool(b, NOTICE_CHOOSE, 0);
		assert_string_equal(pool_text(b), i ? "0 2 | 3 1" : "0 1 | 2 3");
		bed_close(b);
	}
}

/* All four wait for memory: each cycle the three of the pool go behind the fourth, [3 0 1 | 2], [2 3 0 | 1], [1 2 3 |
 * 0], and after four it is as it was. So it is after as many cycles of sleep. */
static void who_waits_goes_round(void **state)
{
	static const char *const after[] = {"0 1 2 | 3", "3 0 1 | 2", "2 3 0 | 1", "1 2 3 | 0"};

	(void)state;
	for (u32 n = 1; n < 10; n++)
		for (u32 sleeps = 0; sleeps < 2; sleeps++) {
			struct bed *b = page_bed(SCHEME_two_level_active);

			b->config.sched_active = 3;
			bed_open(b);
			bed_run_to(b, BED_FIRST);
			for (u32 i = 0; i < 4; i++)
				b->sim.view[0].slot[i].set = SET_LONG;
			if (sleeps)
				tell_pool(b, NOTICE_CYCLES, n);
			for (u32 i = 0; !sleeps && i < n; i++)
				tell_pool(b, NOTICE_CHOOSE, 0);
			assert_string_equal(pool_text(b), after[n % 4]);
			bed_close(b);
		}
}

/*
 * A, B, C, L, U, EXIT of bed_stall(), two warps in the pool.
 * 3..10	A A B B of 0, 1, a bubble, C C, L of 0. 11: it waits for memory, the pool is 1, 2: L of 1.
 * 12..20	2 and 3: A A B B, a bubble, C C, L of 2; in 20 the line is back, the pool is 3, 0: L of 3.
 * 21..24	U U EXIT EXIT of 0, 1: in 24 the pool is 1, 2, and 2, 1 when it has gone round. From then on 0 and 1
 * have ended, 2 and 3 wait for hits (back in 29 and 30): the pool is 3 0, 2 1, 3 0, 2 1 in 25 to 28. 29..32	2 is
 * ready and stays, 3 comes for 1 and is ready in 30: U U EXIT EXIT.
 */
static void active_by_hand(void **state)
{
	struct bed *b = bed_stall(SCHEME_two_level_active);

	(void)state;
	b->config.sched_active = 2;
	bed_expect(b, 0,
		   "0101"
		   "."
		   "01"
		   "01"
		   "2323"
		   "."
		   "23"
		   "23"
		   "01"
		   "01"
		   "...."
		   "23"
		   "23");
	bed_close(b);
}

/* A pool of all slots is round robin. */
static void a_pool_of_all_takes_turns(void **state)
{
	struct bed *b = page_bed(SCHEME_two_level_active);

	(void)state;
	b->config.sched_active = 6;
	bed_expect(b, 0, "01230123");
	bed_close(b);
}

/* So does one at a fence, one whose CTA is halted, and one that a policy held in the cycle before. */
static void who_cannot_issue_leaves_the_pool(void **state)
{
	(void)state;
	for (u32 i = 0; i < 3; i++) {
		struct bed *b = page_bed(SCHEME_two_level_active);
		struct sm_view *v;

		b->config.sched_active = 2;
		v = &bed_open(b)->view[0];
		bed_run_to(b, BED_FIRST + 1);
		assert_string_equal(pool_text(b), "1 0 | 2 3");
		v->warp[1].at_fence = i == 0;
		v->sm->halted = i == 1;
		if (i)
			SET_ADD(i == 1 ? sm_set(v, SET_HALTED) : sm_seen(v, WARP_HELD), 1);
		slot_eval(v, 1);
		bed_run_to(b, BED_FIRST + 2);
		assert_string_equal(pool_text(b), "2 0 | 3 1");
		bed_close(b);
	}
}

/* Warps at a barrier make room for those that release it. */
static void the_pool_is_left_at_a_barrier(void **state)
{
	struct bed *b = bed_new();
	char got[32];

	(void)state;
	policy_put(&b->policy, POLICY_order, SCHEME_two_level_active);
	b->config.sm_warps = 4;
	b->config.sched_active = 2;
	bed_barrier(b, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	bed_issue_order(b, got);
	assert_memory_equal(got, "0123", 4);
	assert_true(strlen(got) == 8 && !sim_deadlocked(&b->sim));
	bed_close(b);
}

/* The slots in the pool and behind it, of four. */
static void list_of(struct bed *b, u32 *out)
{
	sim_sync(&b->sim);
	for (u32 slot = 0; slot < 4; slot++) {
		struct score s;

		scheme_two_level_active.score(&b->sim.view[0].look[0], slot, &s);
		out[s.value + (s.word[0] == 'p' ? 0 : b->config.sched_active)] = slot;
	}
}

/* While all wait for memory the pool goes to the end of the queue in every cycle, and as many from its head replace it:
 * after k cycles, which may pass at once, the list has gone round by k pools. */
static void the_list_goes_round_while_all_wait(void **state)
{
	(void)state;
	for (u32 i = 0; i < 18; i++) {
		struct bed *b = page_bed(SCHEME_two_level_active);
		u32 k = 1 + i % 6, active = b->config.sched_active = 1 + i / 6, before[4], after[4];

		b->config.dram_latency = 400;
		bed_open(b);
		b->sim.bus.want = 0;
		bed_run_to(b, 80);
		list_of(b, before);
		while (bed_cycle(b) < 80 + k)
			if (sim_skip(&b->sim, 80 + k) < 80 + k)
				sim_cycle(&b->sim);
		list_of(b, after);
		for (u32 at = 0; at < 4; at++)
			assert_int_equal(after[at], before[(at + k * active) % 4]);
		bed_close(b);
	}
}

/* Many cycles at once are as many single ones: the lists of SMs that sleep are those of SMs that do not. */
static void sleep_turns_the_lists(void **state)
{
	(void)state;
	for (u32 seed = 0; seed < 20; seed++) {
		u64 hash[2];

		for (u32 sleep = 0; sleep < 2; sleep++) {
			struct bed *b = seed < 16 ? bed_crowd(seed) : page_bed(SCHEME_two_level_active);

			if (seed >= 16) /* all wait at once, and their SM sleeps while they go round */
				b->config.icnt_latency = 40;
			b->config.sched_active = 1 + seed % 5;
			b->config.sm_schedulers = 1 + seed % 2;
			b->config.sched_pool = seed / 2 % 2;
			policy_put(&b->policy, POLICY_order, SCHEME_two_level_active);
			bed_open(b);
			b->sim.sleep = sleep;
			b->sim.bus.want = 0;
			for (u64 to = 97; !sim_finished(&b->sim); to += 97) {
				while (bed_cycle(b) < to && !sim_finished(&b->sim))
					if (sim_skip(&b->sim, to) < to)
						sim_cycle(&b->sim);
				hash[sleep] = (to == 97 ? 0 : hash[sleep]) * 31 + sim_hash(&b->sim);
			}
			bed_close(b);
		}
		assert_int_equal(hash[0], hash[1]);
	}
}

/* --- mascar --- */

struct owner {
	u32 owner, generation;
};

/* Whose turn it was in each SM, whether it had a load aside, and how much was. */
struct turn_of {
	struct owner own;
	bool waits;
	u32 aside;
};

static struct turn_of turn_now(struct bed *b, u32 sm)
{
	const struct sm_view *v = &b->sim.view[sm];
	struct turn_of t = {.own = *(const struct owner *)scheme_own(b->sim.m, SCHEME_mascar, sm),
			    .aside = v->sm->reexec_count};

	for (u32 i = 0; i < t.aside; i++) {
		const struct memop *op = &v->memop[v->reexec[i].memop];

		t.waits |= op->class == CLASS_LOAD && op->context + 1u == t.own.owner &&
			   op->generation == t.own.generation;
	}
	return t;
}

/* What others than the owner did in a cycle in which there was one and something waited aside. */
struct others {
	u32 hits, issues, misses, lost; /* lost: turns of an owner that had a load aside before and after */
};

static void look_at_others(struct bed *b, const struct turn_of *before, struct others *x)
{
	struct turn_of after[3];

	for (u32 i = 0; i < 3; i++) {
		after[i] = turn_now(b, i);
		for (u32 k = 0; before[i].waits && k < after[i].aside; k++) {
			const struct memop *op = &b->sim.view[i].memop[b->sim.view[i].reexec[k].memop];

			x->lost += op->class == CLASS_LOAD && op->context + 1u == before[i].own.owner &&
				   op->generation == before[i].own.generation &&
				   after[i].own.owner != before[i].own.owner;
		}
	}
	for (u32 i = 0; i < b->sim.bus.count; i++) {
		const struct record *r = &b->sim.bus.record[i];
		bool there = r->sm < 3 && before[r->sm].aside && before[r->sm].own.owner;

		if (!there || r->warp + 1u == before[r->sm].own.owner || r->warp + 1u == after[r->sm].own.owner)
			continue;
		x->hits += r->kind == EVENT_L1D_HIT;
		x->misses += r->kind == EVENT_L1D_MISS;
		x->issues += r->kind == EVENT_ISSUE && r->b == CLASS_LOAD && after[r->sm].aside;
	}
}

/* While something waits aside and there is an owner, no miss of another goes to the L2; others load, and are served if
 * they hit; an owner with a load aside stays it. */
static void mascar_lets_others_hit(void **state)
{
	struct others x = {0};
	u32 refused = 0;

	(void)state;
	for (u32 seed = 0; seed < 12; seed++) {
		struct bed *b = bed_crowd(seed);

		b->config.lsu_reexec = seed % 2 ? REEXEC_CAR : REEXEC_NEWCAR;
		b->config.lsu_reexec_entries = 1 + seed;
		b->config.mascar_hits = 1;
		policy_put(&b->policy, POLICY_hold, SCHEME_mascar);
		policy_put(&b->policy, POLICY_l1d_miss, SCHEME_mascar);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			struct turn_of before[3] = {turn_now(b, 0), turn_now(b, 1), turn_now(b, 2)};

			sim_cycle(&b->sim);
			look_at_others(b, before, &x);
		}
		refused += (u32)sim_sm_stat(&b->sim, STAT_L1D_REFUSED_POLICY);
		assert_false(sim_deadlocked(&b->sim));
		bed_close(b);
	}
	assert_true(x.hits > 20 && x.issues > 20 && refused > 100);
	assert_int_equal(x.misses + x.lost, 0);
}

/*
 * Two warps of A, L, EXIT. As long as memory is not full who is to load goes first: L of 0 before A of 1. With one
 * MSHR, which that load has from 6 on, who is not goes first: EXIT of 0 before L of 1. In turns it is 0101 and 01.
 */
static void mascar_puts_first(void **state)
{
	static const char *const want[] = {"010101", "001011", "001101"};

	(void)state;
	for (u32 i = 0; i < 3; i++) {
		struct bed *b = bed_new();

		b->config.lsu_reexec = REEXEC_CAR;
		b->config.mascar_first = i > 0;
		b->config.l1d_mshrs = i == 1 ? 1 : 8;
		policy_put(&b->policy, POLICY_hold, SCHEME_mascar);
		policy_put(&b->policy, POLICY_rank, SCHEME_mascar);
		bed_alu(b, 0, CLASS_INT, 1, 1, 0);
		bed_load(b, 0, 4, BED_BASE);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 64);
		bed_expect(b, 0, want[i]);
		bed_close(b);
	}
}

/* --- constants --- */

/*
 * What settings are unless told otherwise: the papers' constants.
 * ELF (thesis, section 3.4): "32 program point slots", "the score field is 8-bit"; CAR "with 32 entry re-execution
 * queue" (3.3.4). CCWS (table 3): base score 100, K 8, victim tag arrays of 16 entries, 8-way. Two levels: groups of 8;
 * GPGPU-Sim 3.2.2's "two_level_active:6:0:1". Chimera (4.4): a bound of 15 us at 1400 MHz.
 */
static void constants(void **state)
{
	struct config c;

	(void)state;
	config_default(&c);
	assert_int_equal(c.elf_points, 32);
	assert_int_equal(c.elf_bits, 8);
	assert_int_equal(c.lsu_reexec_entries, 32);
	assert_int_equal(c.ccws_base, 100);
	assert_int_equal(c.ccws_k, 8);
	assert_int_equal(c.ccws_entries, 16);
	assert_int_equal(c.ccws_ways, 8);
	assert_int_equal(c.sched_group, 8);
	assert_int_equal(c.sched_active, 6);
	assert_int_equal(c.chimera_bound, 15 * 1400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(swl_holds_all_but_the_oldest),
		cmocka_unit_test(swl_is_lifted_at_a_barrier),
		cmocka_unit_test(swl_goes_by_age),
		cmocka_unit_test(groups_stagger_their_loads),
		cmocka_unit_test(the_pool_of_the_page),
		cmocka_unit_test(who_is_stuck_leaves_the_pool),
		cmocka_unit_test(who_waits_long_leaves_the_pool),
		cmocka_unit_test(who_is_kept_leaves_the_pool),
		cmocka_unit_test(who_waits_goes_round),
		cmocka_unit_test(active_by_hand),
		cmocka_unit_test(a_pool_of_all_takes_turns),
		cmocka_unit_test(who_cannot_issue_leaves_the_pool),
		cmocka_unit_test(the_pool_is_left_at_a_barrier),
		cmocka_unit_test(the_list_goes_round_while_all_wait),
		cmocka_unit_test(sleep_turns_the_lists),
		cmocka_unit_test(mascar_lets_others_hit),
		cmocka_unit_test(mascar_puts_first),
		cmocka_unit_test(constants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
