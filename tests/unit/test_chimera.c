/*
 * test_chimera.c - how a CTA makes room, and which CTA and which SM: the rules of algorithm 3 and of section 4.3.2
 * (Park, University of Michigan, 2016, chapter IV) row by row, with numbers worked out by hand.
 */
#include "core_bed.h"
#include "blocks/blocks.h"

#include "policy_multi.h"

/* An SM with four CTAs of a warp each that have issued so many instructions; DRAM moves 4 bytes a cycle. */
struct four {
	struct bed *b;
	struct ctas_view v;
};

static struct cta *cta_of(struct four *f, u32 place)
{
	return &f->b->sim.view[0].cta[place];
}

static void have_issued(struct four *f, u32 a, u32 b, u32 c, u32 d)
{
	for (u32 i = 0; i < 4; i++)
		f->b->sim.view[0].warp[set_first(cta_of(f, i)->contexts, CONTEXT_WORDS)].issued =
			(u32[]){a, b, c, d}[i];
}

static struct four four_ctas(u64 bound, u32 contexts)
{
	struct four f = {.b = bed_pair(1, 40, 1, 100000)};

	f.b->config.preempt_ctas = contexts;
	f.b->config.dram_channels = 1;
	f.b->config.dram_bytes = 8;
	f.b->config.dram_clock = f.b->config.gpu_clock / 2;
	f.b->config.chimera_bound = bound;
	f.b->config.chimera_switch = SWITCH_TIME;
	policy_put(&f.b->policy, POLICY_preempt, SCHEME_chimera);
	bed_open(f.b);
	bed_run_to(f.b, 5);
	f.v = (struct ctas_view){f.b->sim.m, f.b->sim.view[0].cta, f.b->sim.view[0].warp, 0, 1000};
	have_issued(&f, 60, 90, 120, 0);
	return f;
}

/* What the kernel has done: a mean CTA of 100 instructions at 9 cycles; an IPC of 0.35 on an SM. */
static const struct kernel_mean mean = {.ended = 4, .issued = 400, .cycles = 3600, .all_issued = 700, .held = 2000};

/* Section 4.2.4: a context's bytes over the SM's share of bandwidth. 4 bytes a cycle: 4096 bytes in 1024 cycles, one
 * byte more takes another; with two SMs the share is half. */
static void a_byte_more_is_a_cycle_more(void **state)
{
	struct config c = {.gpu_sms = 1, .gpu_clock = 2000, .dram_channels = 1, .dram_bytes = 8, .dram_clock = 1000};

	(void)state;
	assert_int_equal(context_moves(&c, 4096), 1024);
	assert_int_equal(context_moves(&c, 4097), 1025);
	assert_int_equal(context_moves(&c, 4100), 1025);
	c.gpu_sms = 2;
	assert_int_equal(context_moves(&c, 4096), 2048);
}

/* The context of a CTA is its registers, 4 bytes each, and its shared memory: with 512 bytes of it 4096 are 4608, 1152
 * cycles; the four together 18432 bytes, 4608 cycles. 2 x 4608 at 0.35 are 3225.6, 3226; a quarter is 806.5, 807. */
static void shared_memory_moves_too(void **state)
{
	struct four f = four_ctas(500, 16);
	struct way_cost c;

	(void)state;
	for (u32 i = 0; i < 4; i++)
		cta_of(&f, i)->shared = 512;
	assert_int_equal(cta_context_bytes(cta_of(&f, 0)), 4608);
	c = way_cost(&f.v, &mean, 1, 0, VERDICT_SAVE);
	assert_int_equal(c.latency, 1152);
	c = way_cost(&f.v, &mean, 15, 0, VERDICT_SAVE);
	assert_true(c.latency == 4608 && c.overhead == 807);
	bed_close(f.b);
}

/* "When the cost cannot be estimated due to the lack of gathered statistics, the maximum value is [...] used": one CTA
 * that has ended is enough. 100 instructions at 9 cycles, less the 60 that are done: 360. */
static void one_end_is_knowledge(void **state)
{
	struct four f = four_ctas(500, 16);
	struct kernel_mean one = {.ended = 1, .issued = 100, .cycles = 900};
	struct way_cost c = way_cost(&f.v, &one, 15, 0, VERDICT_DRAIN);

	(void)state;
	assert_true(c.latency == 360 && c.overhead == 60);
	bed_close(f.b);
}

/* The mean CTA is that of those that have ended, on whatever SM: 2 with 250 instructions in 2000 cycles, whatever
 * others have issued. */
static void the_mean_is_of_ended_ones(void **state)
{
	struct bed *b = bed_pair(2, 40, 1, 100000);

	(void)state;
	bed_open(b);
	bed_run_to(b, 5);
	for (u32 i = 0; i < 2; i++) {
		struct kernel_count *k = (struct kernel_count *)(uintptr_t)kernel_on(b->sim.m, i, 0);

		k->ended = 1;
		k->ended_issued = 100 + 50 * i;
		k->ended_cycles = 900 + 200 * i;
		k->issued = 1000;
	}
	struct kernel_mean m = kernel_mean(b->sim.m, 0, 5);

	assert_true(m.ended == 2 && m.issued == 250 && m.cycles == 2000 && m.all_issued == 2000);
	bed_close(b);
}

/* Lines 8 to 13: the first that meets the bound in the order of overhead; of equal ones the one that is gone sooner. A
 * switch of one CTA costs 1024 cycles and 717 instructions; one that has issued 717 is flushed. */
static void of_equal_ones_the_quicker(void **state)
{
	struct four f = four_ctas(1024, 16);
	struct way_cost c;

	(void)state;
	have_issued(&f, 60, 90, 717, 0);
	assert_int_equal(way_chosen(&f.v, &mean, 4, 2, MENU_FLUSH | MENU_SWITCH, &c), VERDICT_FLUSH);
	assert_true(c.latency == 0 && c.overhead == 717);
	have_issued(&f, 60, 90, 718, 0);
	assert_int_equal(way_chosen(&f.v, &mean, 4, 2, MENU_FLUSH | MENU_SWITCH, &c), VERDICT_SAVE);
	bed_close(f.b);
}

/* Lines 14 to 16: a CTA that meets the bound by no way is switched, though a drain would be quicker: 360 cycles against
 * 4096 for all four, with a bound of 100. */
static void who_misses_the_bound_is_switched(void **state)
{
	struct four f = four_ctas(100, 16);
	struct way_cost c;

	(void)state;
	assert_int_equal(way_chosen(&f.v, &mean, 15, 0, MENU_DRAIN | MENU_SWITCH, &c), VERDICT_SAVE);
	assert_int_equal(c.latency, 4096);
	cta_of(&f, 0)->tripped = 1;
	assert_int_equal(way_chosen(&f.v, &mean, 15, 0, MENU_ALL, &c), VERDICT_SAVE);
	bed_close(f.b);
	/* where there is no room for contexts it drains */
	f = four_ctas(100, 0);
	assert_int_equal(way_chosen(&f.v, &mean, 15, 0, MENU_ALL, &c), VERDICT_DRAIN);
	assert_true(c.latency == 360 && c.overhead == 60);
	bed_close(f.b);
}

/* An SM's cost: overheads summed, the longest latency, whichever CTA's it is. What one does not know nobody knows. */
static void an_sm_costs_what_its_ctas_do(void **state)
{
	struct four f = four_ctas(100000, 16);
	struct way_cost c;

	(void)state;
	/* drains: 900, 360, 90, 0 cycles; 120 - 0, 120 - 60, 120 - 90, 120 - 120 instructions */
	have_issued(&f, 0, 60, 90, 120);
	c = sm_cost(&f.v, &mean, 0, MENU_DRAIN);
	assert_true(c.latency == 900 && c.overhead == 210);
	cta_of(&f, 0)->tripped = 1;
	c = sm_cost(&f.v, &mean, 0, MENU_FLUSH);
	assert_true(c.latency == NEVER && c.overhead == NEVER);
	bed_close(f.b);
}

/* What is answered where some of the four CTAs are to go, one bit each. Nothing is known of the kernel's ends. */
static u32 who_goes(struct four *f, u32 ctas, u32 surplus, u8 *verdict)
{
	u32 gone = 0;

	ways_choose(f->b->sim.view[0].look, &(struct make_way){.ctas = ctas, .surplus = surplus}, verdict);
	for (u32 i = 0; i < 4; i++)
		gone |= (u32)(verdict[i] != VERDICT_STAY) << i;
	return gone;
}

/* Line 7 for CTAs: the least overhead goes first, of equal ones the first, and no more than are too many. */
static void the_cheapest_ctas_go(void **state)
{
	static const struct {
		u32 issued[4], ctas, surplus, gone;
	} row[] = {{{60, 90, 120, 30}, 15, 1, 8}, {{60, 90, 120, 30}, 15, 2, 9}, {{60, 90, 120, 30}, 15, 3, 11},
		   {{60, 90, 120, 30}, 7, 1, 1},  {{60, 60, 120, 60}, 15, 1, 1}, {{60, 60, 120, 60}, 14, 1, 2},
		   {{120, 60, 30, 60}, 15, 2, 6}, {{0, 0, 0, 0}, 15, 2, 3}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct four f = four_ctas(500, 16);
		u8 verdict[64] = {0};

		have_issued(&f, row[i].issued[0], row[i].issued[1], row[i].issued[2], row[i].issued[3]);
		assert_int_equal(who_goes(&f, row[i].ctas, row[i].surplus, verdict), row[i].gone);
		for (u32 k = 0; k < 4; k++)
			assert_int_equal(verdict[k], row[i].gone >> k & 1 ? VERDICT_FLUSH : VERDICT_STAY);
		bed_close(f.b);
	}
}

/* By overhead, not by latency. Of CTAs that have issued 20, 90 and 100 the first is flushed at once for 20 (a drain
 * takes 720 cycles, and the bound is 500), the second drains in 90 cycles for 100 - 90, the third at once for nothing.
 */
static void cheaper_is_not_quicker(void **state)
{
	struct four f = four_ctas(500, 16);
	struct kernel_count *k = (struct kernel_count *)(uintptr_t)kernel_on(f.b->sim.m, 0, 0);
	u8 verdict[64] = {0};

	(void)state;
	k->ended = 4;
	k->ended_issued = 400;
	k->ended_cycles = 3600;
	have_issued(&f, 20, 90, 100, 0);
	assert_int_equal(who_goes(&f, 7, 1, verdict), 4);
	assert_int_equal(verdict[2], VERDICT_DRAIN);
	memset(verdict, 0, sizeof verdict);
	have_issued(&f, 20, 90, 100, 0);
	assert_int_equal(who_goes(&f, 7, 2, verdict), 6);
	assert_true(verdict[1] == VERDICT_DRAIN && verdict[2] == VERDICT_DRAIN);
	bed_close(f.b);
}

/* Section 5.4.2: with two-way allocation "preemption priority is the reverse direction of the resource allocation": the
 * CTA that came last borders on what is free and goes first, though it costs most. */
static void two_ways_have_their_order(void **state)
{
	struct four f = {.b = bed_pair(1, 40, 1, 100000)};
	u8 verdict[64] = {0};

	(void)state;
	policy_put(&f.b->policy, POLICY_preempt, SCHEME_chimera);
	policy_put(&f.b->policy, POLICY_allocate, SCHEME_twoway);
	bed_open(f.b);
	bed_run_to(f.b, 5);
	have_issued(&f, 60, 90, 0, 120);
	assert_int_equal(who_goes(&f, 15, 1, verdict), 8);
	assert_int_equal(who_goes(&f, 7, 1, memset(verdict, 0, sizeof verdict)), 4);
	bed_close(f.b);
}

/* --- what the numbers are made of --- */

/* One SM with one place and four CTAs of two warps, of ten instructions and EXIT; or (saved) of a warp of 60. */
static struct bed *one_place(bool saved)
{
	struct bed *b = bed_new();

	b->config.sm_ctas = 1;
	b->config.preempt_ctas = 4;
	b->config.chimera_switch = SWITCH_TIME;
	for (u32 i = 0; i < (saved ? 60 : 10); i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 4, saved ? 32 : 64);
	bed_open(b);
	return b;
}

/* Section 4.3.2: instructions of a thread block are counted by warp, 2 x 11 of each, its cycles once, from its coming
 * to its end. */
static void instructions_by_warp_cycles_by_cta(void **state)
{
	struct bed *b = one_place(false);
	struct kernel_mean m = {0};
	u64 cycles = 0;

	(void)state;
	while (m.ended < 3) {
		cycles += b->sim.view[0].sm->ctas;
		sim_cycle(&b->sim);
		m = kernel_mean(b->sim.m, 0, bed_cycle(b));
	}
	assert_int_equal(m.issued, 3 * 2 * 11);
	assert_int_equal(m.cycles, cycles);
	bed_close(b);
}

/* A CTA that was saved goes on counting: its cycles are those that it has run, before and after, without those in which
 * its context moves; its instructions are its 61. */
static void a_saved_cta_has_run_twice(void **state)
{
	struct bed *b = one_place(true);
	const struct cta *cta = b->sim.view[0].cta;
	struct kernel_mean m = {0};
	u64 cycles = 0, moving = 0;

	(void)state;
	for (u32 i = 0; !m.ended; i++) {
		if (i == 50)
			assert_int_equal(sim_depart(&b->sim, 0, 0, LEAVE_SAVE, NULL), STATUS_OK);
		/* it runs again in the cycle for which its context is due */
		bool moves = cta->moves_at > bed_cycle(b) || cta->leaving;
		cycles += b->sim.view[0].sm->ctas && (!cta->moves_at || !moves);
		moving += cta->moves_at && moves;
		sim_cycle(&b->sim);
		m = kernel_mean(b->sim.m, 0, bed_cycle(b));
	}
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_RESTORED), 1);
	assert_true(moving > 10);
	assert_int_equal(m.issued, 61);
	assert_int_equal(m.cycles, cycles);
	bed_close(b);
}

/* What a CTA has issued that is killed is as lost as that of one that is flushed. */
static void who_is_killed_has_wasted(void **state)
{
	(void)state;
	for (u32 i = 0; i < 3; i++) {
		static const u8 how[] = {LEAVE_FLUSH, LEAVE_KILL, LEAVE_SAVE};
		struct bed *b = bed_pair(1, 40, 1, 100000);
		u64 issued;

		b->config.chimera_switch = SWITCH_FREE;
		bed_open(b);
		bed_run_to(b, 40);
		issued = cta_issued(&b->sim.view[0].cta[1], b->sim.view[0].warp);
		assert_true(issued > 5);
		assert_int_equal(sim_depart(&b->sim, 0, 1, how[i], NULL), STATUS_OK);
		sim_cycle(&b->sim);
		assert_int_equal(kernel_on(b->sim.m, 0, 0)->wasted, i < 2 ? issued : 0);
		bed_close(b);
	}
}

/* Room for one CTA outside the SMs: it is taken as soon as one begins to leave. Others may be killed. */
static void who_leaves_has_taken_the_room(void **state)
{
	struct four f = four_ctas(500, 1);

	(void)state;
	assert_int_equal(sim_depart(&f.b->sim, 0, 0, LEAVE_SAVE, NULL), STATUS_OK);
	for (u32 i = 0; i < 2; i++) {
		assert_int_equal(sim_depart(&f.b->sim, 0, 1, LEAVE_SAVE, NULL), STATUS_FAILED);
		assert_int_equal(sim_depart(&f.b->sim, 0, 1, LEAVE_FLUSH, NULL), STATUS_FAILED);
		bed_run_to(f.b, bed_cycle(f.b) + 100);
		assert_true(!sim_sm_stat(&f.b->sim, STAT_CTA_SAVED) && cta_of(&f, 0)->moves_at);
	}
	assert_int_equal(sim_depart(&f.b->sim, 0, 1, LEAVE_KILL, NULL), STATUS_OK);
	bed_close(f.b);
}

/* Whose context is coming back cannot leave before it is there. */
static void who_comes_back_cannot_leave(void **state)
{
	struct four f = four_ctas(500, 4);
	static const u8 how[] = {LEAVE_FLUSH, LEAVE_KILL, LEAVE_SAVE};

	(void)state;
	assert_int_equal(sim_depart(&f.b->sim, 0, 2, LEAVE_SAVE, NULL), STATUS_OK);
	while (!sim_sm_stat(&f.b->sim, STAT_CTA_RESTORED))
		sim_cycle(&f.b->sim);
	assert_true(cta_of(&f, 2)->id == 2 && cta_of(&f, 2)->moves_at && !cta_of(&f, 2)->leaving);
	for (u32 i = 0; i < 3; i++)
		assert_int_equal(sim_depart(&f.b->sim, 0, 2, how[i], NULL), STATUS_FAILED);
	while (cta_of(&f, 2)->moves_at)
		sim_cycle(&f.b->sim);
	assert_int_equal(sim_depart(&f.b->sim, 0, 2, LEAVE_FLUSH, NULL), STATUS_OK);
	bed_close(f.b);
}

/* A CTA is saved when its context has gone and what it has in flight is back: of a load that takes 400 cycles it is
 * kept longer than the 64 that its context takes. Nothing comes back for nobody. */
static void what_is_in_flight_comes_back_first(void **state)
{
	struct bed *b = bed_new();
	const struct cta *cta;

	(void)state;
	b->config.preempt_ctas = 4;
	b->config.chimera_switch = SWITCH_TIME;
	b->config.icnt_latency = 200;
	b->config.dram_bytes = 64;
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	cta = b->sim.view[0].cta;
	bed_run_to(b, BED_FIRST + 5);
	assert_int_equal(sim_depart(&b->sim, 0, 0, LEAVE_SAVE, NULL), STATUS_OK);
	bed_run_to(b, 100);
	assert_true(cta->inflight && cta->moves_at < 100);
	while (cta->inflight)
		sim_cycle(&b->sim);
	assert_true(bed_cycle(b) > 400 && !sim_sm_stat(&b->sim, STAT_CTA_SAVED));
	sim_cycle(&b->sim);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_CTA_SAVED), 1);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_STALE_LOADS), 0);
	bed_close(b);
}

/* A launch that is killed has no CTA left, not of those that wait outside the SMs either. */
static void none_is_left_of_who_is_killed(void **state)
{
	struct bed *b = bed_pair(1, 40, 1, 100000);

	(void)state;
	bed_open(b);
	bed_run_to(b, 5);
	b->sim.m->config.dispatch_limit = 1; /* nobody comes any more */
	assert_int_equal(sim_depart(&b->sim, 0, 0, LEAVE_FLUSH, NULL), STATUS_OK);
	sim_cycle(&b->sim);
	assert_int_equal(machine_gpu(b->sim.m)->parked, 1);
	retire_all(&b->sim, 0);
	assert_int_equal(machine_gpu(b->sim.m)->parked, 0);
	assert_int_equal(launch_runs(b->sim.m)[0].finished, 40);
	assert_int_equal(launch_runs(b->sim.m)[0].state, LAUNCH_DONE);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_byte_more_is_a_cycle_more),
		cmocka_unit_test(shared_memory_moves_too),
		cmocka_unit_test(one_end_is_knowledge),
		cmocka_unit_test(the_mean_is_of_ended_ones),
		cmocka_unit_test(of_equal_ones_the_quicker),
		cmocka_unit_test(who_misses_the_bound_is_switched),
		cmocka_unit_test(an_sm_costs_what_its_ctas_do),
		cmocka_unit_test(the_cheapest_ctas_go),
		cmocka_unit_test(cheaper_is_not_quicker),
		cmocka_unit_test(two_ways_have_their_order),
		cmocka_unit_test(instructions_by_warp_cycles_by_cta),
		cmocka_unit_test(a_saved_cta_has_run_twice),
		cmocka_unit_test(who_is_killed_has_wasted),
		cmocka_unit_test(who_leaves_has_taken_the_room),
		cmocka_unit_test(who_comes_back_cannot_leave),
		cmocka_unit_test(what_is_in_flight_comes_back_first),
		cmocka_unit_test(none_is_left_of_who_is_killed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
