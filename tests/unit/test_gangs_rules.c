/*
 * test_gangs_rules.c - gangs, rule by rule: who stays with whom when loads come or lanes end, how pieces are put
 * together again, who is fetched for, what is shared in the memory unit.
 *
 * Source: Rogers, Johnson, O'Connor, Keckler, "A Variable Warp Size Architecture", ISCA 2015; sections stand at the
 * tests. Sets of slices are masks: slice 0 is bit 0, its lanes are 0 to 3.
 */
#include "gangs/gangs.h"
#include "core_bed.h"

/* A bed of slices of four lanes whose gangs issue as a scheme says, so many a cycle. */
static struct bed *ganged(enum scheme_id gang, u32 gangs)
{
	struct bed *b = bed_new();

	b->config.warp_size = 4;
	b->config.sm_subcores = 8;
	b->config.sm_bank_swizzle = 0;
	b->config.vws_gangs = gangs;
	b->config.l1i_ports = 2;
	policy_put(&b->policy, POLICY_gang, gang);
	policy_put(&b->policy, POLICY_order, SCHEME_gto);
	return b;
}

/* Masks of the gangs of home 0 as a set of at most four, in a number: the greatest first. */
static u32 gangs(const struct bed *b)
{
	u32 all = 0, least = 256;

	for (u32 n = 0; n < GANG_ENTRIES; n++) {
		u32 most = 0;

		for (u32 i = 0; i < GANG_ENTRIES; i++)
			if (b->sim.view[0].gang[i].mask < least)
				most = max_u32(most, b->sim.view[0].gang[i].mask);
		if (!most)
			break;
		all = all << 8 | most;
		least = most;
	}
	return all;
}
static struct slot *slot_of(const struct bed *b, u32 context)
{
	const struct sm_view *v = &b->sim.view[0];

	return &v->slot[v->warp[context].slot];
}

/* One cycle on, of not too many. */
static void step(struct bed *b)
{
	assert_true(!sim_finished(&b->sim) && bed_cycle(b) < 20000);
	sim_cycle(&b->sim);
}

/* Register 8 of lanes comes from words so many bytes apart. */
static void load(struct bed *b, u32 stride)
{
	struct inst *in;

	bed_address_by(b, 0, 2, SREG_LANEID, BED_BASE, stride);
	in = bed_writes(bed_through(bed_memory(b, 0, OP_LD, CLASS_LOAD, 0), 2), 8);
	in->ndst = 1;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 8};
}

/* The first line is there, for slices 0 and 1; three are not, each for two slices, and come one after the other.
 * `late`: who has its line also waits for a short result that takes longer than all lines. */
static struct bed *two_hit(u32 split, bool late)
{
	struct bed *b = ganged(SCHEME_bgto, 1);

	b->config.vws_split = split;
	b->config.lat_sfu = 300;
	load(b, 4);
	bed_alu(b, 0, CLASS_INT, 6, 1, 8);
	bed_alu(b, 0, CLASS_SFU, 5, 1, 6);
	load(b, 16);
	bed_alu(b, 0, CLASS_INT, 6, 2, 8, late ? 5 : 6);
	for (u32 i = 0; i < 40; i++)
		bed_alu(b, 0, CLASS_INT, 6, 1, 6);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	return b;
}

/* Section 4.4: "when more than one warp in a gang has its ready bit set in the same cycle, a new gang is created from
 * those warps", the others keep theirs; impatient: "the gang is completely split". */
static void who_is_answered_together_goes_together(void **state)
{
	struct bed *b = two_hit(SPLIT_GROUP, false);

	(void)state;
	while (!bed_stat(b, STAT_GANG_SPLIT_MEMORY)) {
		assert_true(!bed_cycle(b) || gangs(b) == 0xff);
		step(b);
	}
	assert_int_equal(gangs(b), 0xfc03);
	while (bed_stat(b, STAT_GANG_SPLIT_MEMORY) < 2)
		step(b);
	assert_int_equal(gangs(b), 0xf00c03);
	while (bed_stat(b, STAT_GANG_SPLIT_MEMORY) < 3)
		step(b);
	assert_int_equal(gangs(b), 0xc0300c03);
	bed_close(b);
	b = two_hit(SPLIT_IMPATIENT, false);
	while (!bed_stat(b, STAT_GANG_SPLIT_MEMORY))
		step(b);
	assert_int_equal(gangs(b), 0);
	bed_run(b);
	assert_int_equal(bed_stat(b, STAT_GANG_SPLIT_MEMORY), 1);
	bed_close(b);
}

/* What counts is that the load has come, though the next instruction waits for a short result, too: the gang has parted
 * before that is there. */
static void short_results_hide_no_skew(void **state)
{
	struct bed *b = two_hit(SPLIT_GROUP, true);

	(void)state;
	while (bed_stat(b, STAT_GANG_SPLIT_MEMORY) < 3) {
		step(b);
		assert_int_not_equal(slot_of(b, 0)->set, SET_READY + (slot_of(b, 0)->pc != 6));
	}
	assert_int_equal(gangs(b), 0xc0300c03);
	assert_int_equal(slot_of(b, 0)->set, SET_SHORT);
	bed_close(b);
}

/* Pieces that wait for a load do not join those that need not, else they would part again at once: three parts, and as
 * many meetings when the lines have come. */
static void who_waits_stays_apart(void **state)
{
	struct bed *b = two_hit(SPLIT_GROUP, true);

	(void)state;
	b->config.vws_reform = 1;
	b->config.sm_warps = 1;
	bed_open(b);
	bed_run(b);
	assert_int_equal(bed_stat(b, STAT_GANG_SPLIT_MEMORY), 3);
	assert_int_equal(bed_stat(b, STAT_GANG_MERGES), 3);
	bed_close(b);
}

/* The skew of one gang is no other's: of two halves the first loads a line that is there and one that is not, the
 * second two that are not. When the first comes apart the second is whole. */
static void skew_is_of_a_gang(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 2);

	(void)state;
	b->config.vws_split = SPLIT_IMPATIENT;
	load(b, 4);
	bed_alu(b, 0, CLASS_INT, 6, 1, 8);
	bed_compare(b, 0, 0, SREG_LANEID, 16);
	bed_branch(b, 0, 0, 9, 13);
	for (u32 i = 0; i < 2; i++) {
		load(b, 16);
		bed_alu(b, 0, CLASS_INT, 6, 1, 8);
		bed_exit(b, 0);
	}
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!bed_stat(b, STAT_GANG_SPLIT_MEMORY))
		step(b);
	assert_int_equal(gangs(b), 0xf0);
	bed_close(b);
}

/* Lanes 0 and 1 jump to 5. Of those that do not, lanes up to 11 end at 3: slices 1 and 2 as a whole; slice 0 goes on at
 * 5 with its other lanes, slices 3 to 7 at 4. Places differ: the split is one of control (section 4.4). */
static void places_differ_where_some_end(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 1);

	(void)state;
	bed_compare(b, 0, 0, SREG_LANEID, 2);
	bed_branch(b, 0, 0, 5, 5);
	bed_compare(b, 0, 1, SREG_LANEID, 12);
	bed_guard(bed_exit(b, 0), 1, false);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_alu(b, 0, CLASS_INT, 2, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!bed_stat(b, STAT_GANG_SPLIT_CONTROL) && !bed_stat(b, STAT_GANG_SPLIT_EXIT))
		step(b);
	assert_int_equal(gangs(b), 0xf8);
	bed_run(b);
	assert_true(bed_stat(b, STAT_GANG_SPLIT_CONTROL) == 1 && bed_stat(b, STAT_GANG_SPLIT_EXIT) == 0);
	bed_close(b);
}

/* Halves of the slices go their own ways from instruction 2 on, for so many each. */
static void halves(struct bed *b, u32 arm, u32 threads)
{
	bed_compare(b, 0, 0, SREG_LANEID, 16);
	bed_branch(b, 0, 0, 2 + arm, 2 + 2 * arm);
	for (u32 i = 0; i < 2 * arm; i++)
		if ((i + 1) % arm)
			bed_alu(b, 0, CLASS_INT, 1 + i % 28, 0);
		else
			bed_exit(b, 0);
	bed_launch(b, 0, 1, threads);
}

/* Pieces of a gang have issued when it did: they are greedy, and not those that have waited longest. */
static void pieces_have_issued(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 2);
	const struct gang *g;

	(void)state;
	halves(b, 20, 32);
	bed_open(b);
	while (!bed_stat(b, STAT_GANG_SPLIT_CONTROL))
		step(b);
	g = b->sim.view[0].gang;
	assert_int_equal(gangs(b), 0xf00f);
	for (u32 i = 0; i < GANG_ENTRIES; i++)
		assert_int_equal(g[i].mask ? g[i].last : bed_cycle(b), bed_cycle(b));
	bed_close(b);
}

/* --- together again (section 4.5) --- */

/* Sides of equal length of two warps: "one original gang is selected each cycle, in round-robin order", each has its
 * turn. */
static void every_warp_has_its_turn(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 4);

	(void)state;
	b->config.vws_reform = 1;
	b->config.sm_warps = 2;
	b->config.lat_int = 20;
	bed_compare(b, 0, 0, SREG_LANEID, 16);
	bed_branch(b, 0, 0, 9, 15);
	for (u32 i = 0; i < 6; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i, 0);
	bed_branch(b, 0, BED_NO_PRED, 15, 15);
	for (u32 i = 0; i < 6; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i, 0);
	for (u32 i = 0; i < 20; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	bed_open(b);
	bed_run(b);
	assert_int_equal(bed_stat(b, STAT_GANG_SPLIT_CONTROL), 2);
	assert_int_equal(bed_stat(b, STAT_GANG_MERGES), 2);
	bed_close(b);
}

/* One warp some cycles after its beginning, whose slices are about to be put somewhere. */
static struct bed *one_warp(void)
{
	struct bed *b = ganged(SCHEME_bgto, 1);

	b->config.sm_warps = 1;
	b->config.vws_reform = 1;
	for (u32 i = 0; i < 30; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i % 28, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run_to(b, BED_FIRST + 3);
	return b;
}

/* Two gangs with 1 and 3 instructions in their buffers become one, which has 1 and fetches what follows; what is on its
 * way, from the L1I or from behind it, comes for nobody. It has issued when the later of them has. */
static void buffers_are_cut_to_the_less(void **state)
{
	(void)state;
	for (u32 way = 0; way < 2; way++) {
		struct bed *b = one_warp();
		struct sm_view *v = &b->sim.view[0];
		u32 pc = slot_of(b, 0)->pc;

		gang_put(v, 0, 0x0f, way ? 3 : 2);
		gang_put(v, 1, 0xf0, way ? 2 : 3);
		for (u32 k = 0; k < 8; k++) {
			slot_of(b, k)->buffered = (k < 4) == !way ? 1 : 3;
			slot_of(b, k)->fetch_pc = pc + slot_of(b, k)->buffered;
			slot_of(b, k)->fetching = 1;
			SET_ADD(v->imiss[0].slots, k);
		}
		gangs_reform(v);
		assert_int_equal(gangs(b), 0xff);
		assert_int_equal(v->gang[0].mask ? v->gang[0].last : v->gang[1].last, 3);
		for (u32 k = 0; k < 8; k++) {
			assert_true(slot_of(b, k)->buffered == 1 && slot_of(b, k)->fetch_pc == pc + 1);
			assert_true(slot_of(b, k)->fetching == 0 && !SET_HAS(v->imiss[0].slots, k));
		}
		bed_close(b);
	}
}

/* One half jumps, which takes 20 cycles, and comes to where they meet after ten instructions more, 31 cycles behind the
 * branch; the other jumps there after n. Between 10 and 30 that one's jump is under way then: they become one, the jump
 * begins anew for both, and the gang goes on 20 cycles later at the earliest. */
static void jumps_begin_anew(void **state)
{
	u32 jumping = 0;

	(void)state;
	for (u32 n = 1; n < 40; n++) {
		struct bed *b = ganged(SCHEME_bgto, 2);
		u64 merged = 0, went = 0;

		b->config.vws_reform = 1;
		b->config.sm_warps = 1;
		b->config.lat_branch = 20;
		b->config.l1i_ports = 8;
		bed_compare(b, 0, 0, SREG_LANEID, 16);
		bed_branch(b, 0, 0, n + 3, n + 13);
		for (u32 i = 0; i < n; i++)
			bed_alu(b, 0, CLASS_INT, 1 + i % 28, 0);
		bed_branch(b, 0, BED_NO_PRED, n + 13, n + 13);
		for (u32 i = 0; i < 10; i++)
			bed_alu(b, 0, CLASS_INT, 1 + i, 0);
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			u64 before = bed_stat(b, STAT_GANG_MERGES);

			step(b);
			if (bed_stat(b, STAT_GANG_MERGES) > before && slot_of(b, 0)->pc == n + 13)
				merged = bed_cycle(b);
			if (!went && b->sim.view[0].warp[0].depth && slot_of(b, 0)->pc == n + 14)
				went = bed_cycle(b);
		}
		jumping += merged && went >= merged + 20;
		bed_close(b);
	}
	assert_true(jumping >= 15);
}

/* Where most slices are is looked at first: a gang of four and a single one are five, at instruction 5; three single
 * ones are at 2. Two pieces at a time. */
static void most_slices_come_first(void **state)
{
	struct bed *b = one_warp();
	struct sm_view *v = &b->sim.view[0];

	(void)state;
	gang_put(v, 0, 0x78, 1);
	for (u32 k = 0; k < 8; k++)
		slot_of(b, k)->pc = k < 3 ? 2 : 5;
	gangs_reform(v);
	assert_int_equal(gangs(b), 0xf8);
	gangs_reform(v);
	assert_int_equal(gangs(b), 0xf803);
	gangs_reform(v);
	assert_int_equal(gangs(b), 0xf807);
	bed_close(b);
}

/* --- who goes first (section 6.3) --- */

/* LRR: who has not issued for longest, though it is younger. LPC: of single warps the one at the lowest place; of
 * equals the older. */
static void orders(void **state)
{
	struct bed *b = ganged(SCHEME_gang_lrr, 1);
	struct sm_view *v;
	u64 ready[SLOT_WORDS] = {0}, gang[SLOT_WORDS] = {0};
	u32 a, c;

	(void)state;
	for (u32 i = 0; i < 10; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	bed_open(b);
	bed_run_to(b, BED_FIRST + 2);
	v = &b->sim.view[0];
	gang_put(v, 0, 0xff, 3);
	gang_put(v, GANG_ENTRIES, 0xff, 2);
	for (u32 k = 0; k < 16; k++)
		SET_ADD(ready, v->warp[k].slot);
	assert_true(scheme_table[SCHEME_gang_lrr]->decide.gang(v->look, ready, gang));
	assert_true(SET_HAS(gang, v->warp[8].slot) && !SET_HAS(gang, v->warp[0].slot));
	a = v->warp[0].slot; /* both of the first slice */
	c = v->warp[8].slot;
	memset(ready, 0, sizeof ready);
	SET_ADD(ready, a);
	SET_ADD(ready, c);
	for (u32 i = 0; i < 3; i++) {
		v->slot[a].pc = i == 1 ? 9 : 5;
		v->slot[c].pc = i == 2 ? 9 : 5;
		assert_int_equal(scheme_table[SCHEME_lpc]->decide.order(v->look, ready), i == 1 ? c : a);
	}
	/* whichever slot comes first */
	v->warp[8].age = 0;
	v->warp[0].age = 7;
	v->slot[a].pc = v->slot[c].pc = 5;
	assert_int_equal(scheme_table[SCHEME_lpc]->decide.order(v->look, ready), c);
	bed_close(b);
}

/* --- fetches (section 4.6) --- */

/* Lookups of the L1I in the last cycle, counted for slices or for warps. */
static u32 fetched(const struct bed *b, u32 *of, u32 per)
{
	u32 n = 0;

	for (u32 i = 0; i < b->sim.bus.count; i++)
		if (b->sim.bus.record[i].kind == EVENT_FETCH) {
			of[per == 1 ? b->sim.bus.record[i].warp % 8 : b->sim.bus.record[i].warp / per]++;
			n++;
		}
	return n;
}

/* Slices leave one after the other for places of their own: so many ways of so many lanes, of n instructions each. */
static void fan(struct bed *b, u32 ways, u32 each, u32 n)
{
	for (u32 i = 0; i + 1 < ways; i++) {
		bed_compare(b, 0, 0, SREG_LANEID, each * (i + 1));
		bed_branch(b, 0, 0, 2 * (ways - 1) + n * (i + 1), 0);
	}
	for (u32 i = 0; i < ways * n; i++)
		if ((i + 1) % n)
			bed_alu(b, 0, CLASS_INT, 1 + i % 28, 0);
		else
			bed_exit(b, 0);
	for (u32 i = 0; i < 2 * (ways - 1); i++)
		b->inst[0][i].reconverge = b->kernel[0].ninst;
	bed_launch(b, 0, 1, 32);
}

/* The gangs' fetches are of the L1I's ports, as those of slices. Two single slices and a gang of six, one port: one
 * lookup a cycle, the gang's first. */
static void ports_are_shared(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 1);
	u32 of[8] = {0}, both = 0;

	(void)state;
	b->config.l1i_ports = b->config.fetch_insts = 1;
	b->config.l0i_bytes = 0;
	fan(b, 3, 4, 40);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		u64 before = bed_stat(b, STAT_GANG_FETCHES);

		step(b);
		assert_true(fetched(b, of, 1) <= 1);
		both += gangs(b) == 0xfc && bed_stat(b, STAT_GANG_FETCHES) > before;
	}
	assert_true(both > 20);
	bed_close(b);
}

/* "An arbitration scheme prioritizes slice requests to ensure that each slice gets fair access": eight single slices on
 * one port have it in turn, ten times each in 80 cycles. */
static void slices_take_turns(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 1);
	u32 of[8] = {0};

	(void)state;
	b->config.l1i_ports = b->config.fetch_insts = 1;
	b->config.l0i_bytes = 0;
	fan(b, 8, 4, 40);
	bed_open(b);
	while (bed_stat(b, STAT_GANG_SPLIT_CONTROL) < 7)
		step(b);
	bed_run_to(b, bed_cycle(b) + 10);
	for (u32 i = 0; i < 80; i++) {
		step(b);
		fetched(b, of, 1);
	}
	for (u32 k = 0; k < 8; k++)
		assert_int_equal(of[k], 10);
	bed_close(b);
}

/* The gang fetch scheduler is loose round robin, too (table 1): four whole warps on one port. */
static void gangs_take_turns(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 1);
	u32 of[4] = {0};

	(void)state;
	b->config.l1i_ports = b->config.fetch_insts = 1;
	for (u32 i = 0; i < 100; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i % 28, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	bed_run_to(b, 20);
	for (u32 i = 0; i < 80; i++) {
		step(b);
		assert_int_equal(fetched(b, of, 8), 1);
	}
	for (u32 k = 0; k < 4; k++)
		assert_int_equal(of[k], 20);
	bed_close(b);
}

/* The gang front-end fetches for all members once: a slice whose warps are all ganged fetches nothing, though a port is
 * free that gangs may not use. */
static void members_do_not_fetch(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 1);

	(void)state;
	for (u32 i = 0; i < 100; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i % 28, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	bed_run(b);
	assert_true(bed_stat(b, STAT_GANG_FETCHES) > 20);
	assert_int_equal(bed_stat(b, STAT_FETCHES), bed_stat(b, STAT_GANG_FETCHES));
	bed_close(b);
}

/* vws.gang_fetches is the most that gangs have in a cycle, whatever may issue: halves of four warps, 4 ports. */
static void as_many_fetches_as_told(void **state)
{
	(void)state;
	for (u32 n = 0; n <= 3; n++) {
		struct bed *b = ganged(SCHEME_bgto, 2);
		u64 most = 0;

		b->config.l1i_ports = 4;
		b->config.fetch_insts = 1;
		b->config.vws_fetches = n;
		halves(b, 40, 128);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			u64 before = bed_stat(b, STAT_GANG_FETCHES);

			step(b);
			most = max_u64(most, bed_stat(b, STAT_GANG_FETCHES) - before);
		}
		assert_int_equal(most, n ? n : 2);
		bed_close(b);
	}
}

/* A slice's own cache forgets the line that was not used for longest: of two lines A B A C A only A, B and C miss. */
static void own_lines_are_kept_by_use(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 1);
	static const u32 jump[24] = {[1] = 8, [9] = 2, [3] = 16, [17] = 4};

	(void)state;
	b->config.gpu_inst_bytes = 8;
	b->config.l0i_line = 64;
	b->config.l0i_bytes = 128;
	b->config.fetch_insts = b->config.sm_ibuffer = 1;
	for (u32 i = 0; i < 24; i++)
		if (jump[i])
			bed_branch(b, 0, BED_NO_PRED, jump[i], 24);
		else if (i == 5)
			bed_exit(b, 0);
		else
			bed_alu(b, 0, CLASS_INT, 1 + i, 0);
	bed_launch(b, 0, 1, 4);
	bed_open(b);
	bed_run(b);
	assert_int_equal(bed_stat(b, STAT_INST_WARP), 10);
	assert_int_equal(bed_stat(b, STAT_L0I_MISSES), 3);
	bed_close(b);
}

/* --- what the memory unit shares (section 4.1) --- */

/* Halves of a warp, with or without gangs, go their own ways to a memory instruction each, behind so many others, each
 * of which reads so many registers; all wait for one result, the address, so that both ways begin in one cycle. */
static struct inst *two_ways(struct bed *b, u32 way, u32 before, u32 reads, enum op op, enum inst_class class)
{
	struct inst *in;

	if (!way) {
		bed_compare(b, 0, 0, SREG_LANEID, 16);
		bed_address_by(b, 0, 2, SREG_LANEID, class == CLASS_LOAD ? BED_BASE : 0, 8);
		b->inst[0][1].class = CLASS_SFU;
		b->config.lat_sfu = 40;
		bed_branch(b, 0, 0, 0, 0);
	} else {
		b->inst[0][2].target = b->kernel[0].ninst;
	}
	for (u32 i = 0; i < before; i++)
		bed_alu(b, 0, CLASS_INT, 10 + i, 1 + reads, 2, 20, 21, 22);
	in = bed_writes(bed_through(bed_memory(b, 0, op, class, 0), 2), 8);
	in->ndst = 1;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 8};
	bed_alu(b, 0, CLASS_INT, 9, 1, 8);
	bed_exit(b, 0);
	b->inst[0][2].reconverge = b->kernel[0].ninst;
	return in;
}
static struct bed *in_slices(u32 size)
{
	struct bed *b = bed_new();

	b->config.warp_size = size;
	b->config.sm_subcores = WARP_LANES / size;
	b->config.sm_bank_swizzle = 0;
	b->config.l1i_ports = 16;
	policy_put(&b->policy, POLICY_order, SCHEME_gto);
	return b;
}

/* "All memory requests generated by any slices in the same cycle" are one access, of one kind: a load that goes past
 * the L1D is none of one that does not, reads of shared memory are of one width, and what comes a cycle later is late.
 */
static void who_shares_an_access(void **state)
{
	(void)state;
	for (u32 i = 0; i < 5; i++) {
		struct bed *b = in_slices(16);
		enum inst_class class = i < 3 ? CLASS_LOAD : CLASS_SHLOAD;
		struct inst *in;

		b->config.sm_banks = 1; /* an operation stays in its unit for two reads */
		two_ways(b, 0, 1, 0, OP_LD, class);
		in = two_ways(b, 1, 1 + (i == 2), 0, OP_LD, class);
		if (i == 1)
			in->aux |= ACCESS_PAST;
		if (i == 4) {
			in->width = 8;
			bed_writes(in, 9);
		}
		bed_launch(b, 0, 1, 32)->shared = 1024;
		bed_open(b);
		bed_run(b);
		assert_false(sim_faulted(&b->sim));
		assert_int_equal(bed_stat(b, STAT_MEM_SHARED), i % 3 == 0);
		bed_close(b);
	}
}

/* Shared memory takes as long as the banks need for all lanes: words 0, 8, 16, 24 of one slice and 32 of another, of
 * which 0 and 32 are in one bank. */
static void banks_are_of_all_lanes(void **state)
{
	struct bed *b = in_slices(4);

	(void)state;
	bed_address_by(b, 0, 2, SREG_LANEID, 0, 32);
	bed_through(bed_memory(b, 0, OP_LD, CLASS_SHLOAD, 0), 2);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 5)->shared = 1024;
	bed_open(b);
	bed_run(b);
	assert_int_equal(bed_stat(b, STAT_MEM_SHARED), 1);
	assert_int_equal(bed_stat(b, STAT_SHARED_CYCLES), 2);
	bed_close(b);
}

/* Cycle in which both halves' loads have left their collector units, which they do together. */
static u64 leave(u32 reads, u32 others)
{
	struct bed *b = in_slices(16);
	u64 at = 0;
	u32 n = 0;

	b->config.sm_banks = 1;
	two_ways(b, 0, 1, reads, OP_LD, CLASS_LOAD);
	two_ways(b, 1, 1, others, OP_LD, CLASS_LOAD);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (n < 2) {
		step(b);
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			const struct record *r = &b->sim.bus.record[i];

			if (r->kind != EVENT_DISPATCH || (r->pc != 4 && r->pc != 8))
				continue;
			assert_true(!n || at == bed_cycle(b));
			at = bed_cycle(b);
			n++;
		}
	}
	assert_int_equal(bed_stat(b, STAT_MEM_SHARED), 1);
	bed_close(b);
	return at;
}

/* An access is presented when all its slices have their operands: three more reads of one bank before the load of one
 * slice delay both by three cycles. */
static void they_leave_together(void **state)
{
	u64 soon = leave(0, 0);

	(void)state;
	assert_int_equal(leave(0, 3), soon + 3);
	assert_int_equal(leave(3, 0), soon + 3);
	assert_int_equal(leave(3, 3), soon + 3);
}

/* Each slice has an entry of the table of loads, which has 16 x lsu.loads for eight slices (lsu.loads for each and as
 * many for writes). Of seven slices three load three times, one cycle after the other, four twice, in the last two of
 * these: 3, then 3 + 4. Of 16 entries 6 are left for the last two gangs, of which one waits; of 32 both have theirs. */
static void gangs_share_the_table_of_loads(void **state)
{
	(void)state;
	for (u32 loads = 1; loads <= 2; loads++) {
		struct bed *b = ganged(SCHEME_bgto, 2);
		u64 at[2] = {0};

		b->config.lsu_loads = loads;
		b->config.lat_sfu = 40;
		bed_compare(b, 0, 0, SREG_LANEID, 16);
		bed_address_by(b, 0, 2, SREG_LANEID, BED_BASE, 8);
		b->inst[0][1].class = CLASS_SFU;
		bed_branch(b, 0, 0, 8, 13);
		for (u32 i = 0; i < 8; i++) { /* from 3 on, from 8 on */
			bool first = i < 4;
			struct inst *in;

			if (!(i % 4)) {
				bed_alu(b, 0, CLASS_INT, 20, 1, 2);
				if (!first)
					bed_alu(b, 0, CLASS_INT, 21, 1, 2);
				continue;
			}
			if (i == 7)
				continue;
			in = bed_writes(bed_through(bed_memory(b, 0, OP_LD, CLASS_LOAD, 0), 2), 8 + i % 4);
			in->ndst = 1;
			in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = (u16)(8 + i % 4)};
			if (i == 3)
				bed_exit(b, 0);
		}
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 28);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			step(b);
			for (u32 i = 0; i < b->sim.bus.count; i++) {
				const struct record *r = &b->sim.bus.record[i];

				if (r->kind == EVENT_ISSUE && (r->pc == 6 || r->pc == 11))
					at[r->pc == 11] = bed_cycle(b);
			}
		}
		assert_true(at[0] && at[1]);
		assert_int_equal(at[0] == at[1], loads == 2);
		bed_close(b);
	}
}

/* With several schedulers for a slice as many gangs issue as vws.gangs says, and no more. */
static void no_more_gangs_than_told(void **state)
{
	(void)state;
	for (u32 n = 1; n <= 2; n++) {
		struct bed *b = ganged(SCHEME_bgto, n);
		u64 most = 0;

		b->config.sm_schedulers = 2;
		for (u32 i = 0; i < 30; i++)
			bed_alu(b, 0, CLASS_INT, 1 + i % 28, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 128);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			u64 before = bed_stat(b, STAT_GANG_ISSUES);

			step(b);
			most = max_u64(most, bed_stat(b, STAT_GANG_ISSUES) - before);
		}
		assert_int_equal(most, n);
		bed_close(b);
	}
}

/* A kernel is ready in a scheduler that could issue of it, whether in this cycle it does or not: of halves that go
 * their own ways one issues in a cycle, and all eight schedulers count. */
static void ready_halves_count(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 1);
	u64 before;

	(void)state;
	for (u32 i = 0; i < 4; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i, 0);
	halves(b, 40, 32);
	b->inst[0][5].target += 4;
	b->inst[0][5].reconverge += 4;
	bed_open(b);
	bed_run_to(b, BED_FIRST + 4);
	assert_int_equal(b->sim.view[0].kernel->ready, 4 * 8);
	while (!bed_stat(b, STAT_GANG_SPLIT_CONTROL))
		step(b);
	bed_run_to(b, bed_cycle(b) + 15);
	before = b->sim.view[0].kernel->ready;
	bed_run_to(b, bed_cycle(b) + 10);
	assert_int_equal(b->sim.view[0].kernel->ready - before, 10 * 8);
	bed_close(b);
}

/* An atomic's answer is a long result for each slice, in a run in which nobody looks as in steps. */
static void atomics_are_long(void **state)
{
	u64 waits[2], took[2];

	(void)state;
	for (u32 run = 0; run < 2; run++) {
		struct bed *b = ganged(SCHEME_bgto, 1);
		struct inst *in;

		for (u32 i = 0; i < 6; i++)
			bed_alu(b, 0, CLASS_INT, 1 + i, 0);
		in = bed_memory(b, 0, OP_ATOM, CLASS_ATOMIC, BED_BASE);
		in->ndst = 1;
		in->nsrc = 2;
		in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 8};
		in->src[1] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, 3)};
		in->aux = ATOM_ADD;
		bed_writes(in, 8);
		bed_alu(b, 0, CLASS_INT, 9, 1, 8);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		if (run) {
			b->sim.bus.want = 0;
			assert_int_equal(sim_run(&b->sim, 5000), RUN_DONE);
		} else {
			bed_run(b);
		}
		assert_true(sim_finished(&b->sim));
		sim_sync(&b->sim);
		waits[run] = sim_status_sum(&b->sim, WARP_LONG);
		took[run] = bed_cycle(b);
		bed_close(b);
	}
	assert_true(waits[0] > 8 * 4 && waits[1] == waits[0] && took[1] == took[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_is_answered_together_goes_together),
		cmocka_unit_test(short_results_hide_no_skew),
		cmocka_unit_test(who_waits_stays_apart),
		cmocka_unit_test(skew_is_of_a_gang),
		cmocka_unit_test(places_differ_where_some_end),
		cmocka_unit_test(pieces_have_issued),
		cmocka_unit_test(every_warp_has_its_turn),
		cmocka_unit_test(buffers_are_cut_to_the_less),
		cmocka_unit_test(jumps_begin_anew),
		cmocka_unit_test(most_slices_come_first),
		cmocka_unit_test(orders),
		cmocka_unit_test(ports_are_shared),
		cmocka_unit_test(slices_take_turns),
		cmocka_unit_test(gangs_take_turns),
		cmocka_unit_test(members_do_not_fetch),
		cmocka_unit_test(as_many_fetches_as_told),
		cmocka_unit_test(own_lines_are_kept_by_use),
		cmocka_unit_test(who_shares_an_access),
		cmocka_unit_test(banks_are_of_all_lanes),
		cmocka_unit_test(they_leave_together),
		cmocka_unit_test(gangs_share_the_table_of_loads),
		cmocka_unit_test(no_more_gangs_than_told),
		cmocka_unit_test(ready_halves_count),
		cmocka_unit_test(atomics_are_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
