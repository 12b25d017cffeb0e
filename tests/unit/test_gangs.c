/*
 * test_gangs.c - the table of gangs: slices of a warp that issue together, how they come apart, who of them goes first.
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
	b->config.l1i_ports = 1;
	policy_put(&b->policy, POLICY_gang, gang);
	policy_put(&b->policy, POLICY_order, SCHEME_gto);
	return b;
}

/* Masks of the gangs of a home, the entries that are in use. */
static u32 masks(const struct bed *b, u32 home, u8 *out)
{
	const struct gang *g = &b->sim.view[0].gang[home * GANG_ENTRIES];
	u32 n = 0;

	for (u32 i = 0; i < GANG_ENTRIES; i++)
		if (g[i].mask)
			out[n++] = g[i].mask;
	return n;
}

/* The slices of home 0 that issued in the last cycle. */
static u32 issuing(const struct bed *b)
{
	const struct sm_view *v = &b->sim.view[0];
	u32 set = 0;

	for (u32 i = 0; i < 8; i++)
		set |= (u32)(v->sched[i].chosen != NONE16) << i;
	return set;
}

/* In every cycle: slices of a home are in one gang at most, which has two or more, alive, at one place. */
static void check_table(const struct bed *b)
{
	const struct sm_view *v = &b->sim.view[0];

	for (u32 home = 0; home < machine_parents(v->m); home++) {
		u8 mask[GANG_ENTRIES];
		u32 n = masks(b, home, mask), seen = 0;

		for (u32 i = 0; i < n; i++) {
			u32 lead = home * 8 + (u32)__builtin_ctz(mask[i]);

			assert_true(!(seen & mask[i]) && mask[i] & (mask[i] - 1));
			seen |= mask[i];
			for (u32 k = 0; k < 8; k++) {
				const struct slot *x = &v->slot[v->warp[home * 8 + k].slot],
						  *y = &v->slot[v->warp[lead].slot];

				if (mask[i] >> k & 1)
					assert_true(v->warp[home * 8 + k].depth && x->pc == y->pc &&
						    x->fetch_pc == y->fetch_pc && x->buffered == y->buffered);
			}
		}
	}
}

/* The sets of slots say what the table says. */
static void check_map(const struct bed *b)
{
	const struct sm_view *v = &b->sim.view[0];
	u64 slots[GANG_ENTRIES][SLOT_WORDS] = {{0}};

	for (u32 e = 0; e < machine_parents(v->m) * GANG_ENTRIES; e++)
		for (u32 k = 0; k < 8; k++)
			if (v->gang[e].mask >> k & 1)
				SET_ADD(slots[e % GANG_ENTRIES], v->warp[e / GANG_ENTRIES * 8 + k].slot);
	assert_memory_equal(slots, v->gang_map->slots, sizeof slots);
}

/* Gangs that issued are counted by their sizes. */
static void check_sizes(const struct bed *b)
{
	u64 gangs = 0, slices = 0;

	for (u32 n = 2; n <= 8; n++) {
		u64 of = sim_sm_stat(&b->sim, (enum sm_counter)gang_size_counter[n]);
		char name[16];

		snprintf(name, sizeof(name), "gang.size.%u", n);
		assert_string_equal(sm_stat_table[gang_size_counter[n]].name, name);

		gangs += of;
		slices += n * of;
	}
	assert_int_equal(gangs, sim_sm_stat(&b->sim, STAT_GANG_ISSUES));
	assert_int_equal(slices, sim_sm_stat(&b->sim, STAT_GANG_SLOTS));
}

/* To the end, the table being looked at in every cycle; statistics are summed. */
static u64 run(struct bed *b)
{
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		check_table(b);
		check_map(b);
		assert_true(bed_cycle(b) < 20000);
	}
	sim_sync(&b->sim);
	check_sizes(b);
	assert_false(sim_faulted(&b->sim));
	return bed_cycle(b);
}

/* Loads, stores, shared memory, long and short instructions, a shuffle and a barrier; nobody goes astray. */
static void convergent(struct bed *b)
{
	struct inst *in;

	b->kernel[0].regs = 16;
	bed_address_by(b, 0, 2, SREG_TID_X, BED_BASE, 4);
	for (u32 i = 0; i < 4; i++) {
		in = bed_writes(bed_through(bed_memory(b, 0, OP_LD, CLASS_LOAD, 0), 2), 8 + i);
		in->ndst = 1;
		in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = (u16)(8 + i)};
		bed_alu(b, 0, i % 2 ? CLASS_FP32 : CLASS_SFU, 12, 2, 8 + i, 4);
	}
	in = bed_writes(bed_reads(bed_inst(b, 0, OP_SHFL_BFLY, CLASS_SHFL), 8), 9);
	in->meet = MEET_MEMBERS;
	in->ndst = 1;
	in->nsrc = 4;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 9};
	in->src[0] = (struct operand){.kind = OPERAND_REG, .value = 8};
	in->src[1] = in->src[2] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, 31)};
	in->src[3] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, ~0u)};
	bed_barrier(b, 0);
	in = bed_reads(bed_through(bed_memory(b, 0, OP_ST, CLASS_STORE, 0), 2), 9);
	in->src[1] = (struct operand){.kind = OPERAND_REG, .value = 9};
	bed_inst(b, 0, OP_FENCE, CLASS_FENCE);
	bed_alu(b, 0, CLASS_INT, 12, 2, 12, 9);
	bed_exit(b, 0);
	bed_launch(b, 0, 7, 96);
}

/* With one gang a cycle and one port a convergent kernel takes the cycles, fetches and accesses of whole warps. */
static void whole_gangs_are_whole_warps(void **state)
{
	static const enum sm_counter same[] = {STAT_FETCHES,   STAT_L1I_HITS,	STAT_L1D_ACCESSES, STAT_L1D_MISSES,
					       STAT_MEM_LINES, STAT_L1D_WRITES, STAT_REQUESTS,	   STAT_INST_THREAD};

	(void)state;
	for (u32 size = 4; size < WARP_LANES; size *= 2) {
		struct bed *whole = ganged(SCHEME_bgto, 1), *b = ganged(SCHEME_bgto, 1);
		u64 cycles;

		whole->config.warp_size = WARP_LANES;
		whole->config.sm_subcores = 1;
		b->config.warp_size = size;
		b->config.sm_subcores = WARP_LANES / size;
		convergent(whole);
		convergent(b);
		bed_open(whole);
		cycles = bed_run(whole);
		bed_open(b);
		assert_int_equal(bed_run(b), cycles);
		sim_sync(&whole->sim);
		sim_sync(&b->sim);
		for (u32 i = 0; i < ARRAY_LEN(same); i++)
			assert_int_equal(sim_sm_stat(&b->sim, same[i]), sim_sm_stat(&whole->sim, same[i]));
		assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_ISSUES), sim_sm_stat(&whole->sim, STAT_INST_WARP));
		assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_FETCHES), sim_sm_stat(&whole->sim, STAT_FETCHES));
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L0I_HITS), 0);
		bed_close(whole);
		bed_close(b);
	}
}

/* Schedulers that share the slots of a slice take two gangs a cycle, and never one twice. */
static void who_has_issued_is_not_offered(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 2);
	u32 both = 0;

	(void)state;
	b->config.sm_schedulers = 2;
	b->config.sched_pool = 1;
	convergent(b);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		const struct sched *s = b->sim.view[0].sched;

		sim_cycle(&b->sim);
		for (u32 i = 0; i < 16; i += 2)
			if (s[i].chosen != NONE16 && s[i + 1].chosen != NONE16) {
				assert_int_not_equal(s[i].chosen, s[i + 1].chosen);
				both++;
			}
		assert_true(bed_cycle(b) < 20000);
	}
	assert_true(both > 0);
	bed_close(b);
}

#define ARM 24 /* instructions of each way */

/* So many ways for `each` lanes, who leave one after the other for places of their own and meet nowhere. */
static void fan(struct bed *b, u32 ways, u32 each)
{
	u32 branches = 2 * (ways - 1), tail = branches, at;

	for (u32 i = 0; i + 1 < ways; i++) {
		bed_compare(b, 0, 0, SREG_LANEID, each * (i + 1));
		bed_branch(b, 0, 0, tail + ARM * (i + 1), 0);
	}
	for (at = 0; at < ways; at++)
		for (u32 i = 0; i < ARM; i++)
			if (i + 1 < ARM)
				bed_alu(b, 0, CLASS_INT, 1 + i, 0);
			else
				bed_exit(b, 0);
	for (u32 i = 0; i < branches; i++)
		b->inst[0][i].reconverge = b->kernel[0].ninst;
	bed_launch(b, 0, 1, 32);
}

/* A warp's threads in rows of four: the x of a thread is its lane in its slice. */
static void in_fours(struct bed *b)
{
	struct launch *l = bed_launch(b, 0, 1, 4);

	l->block[1] = 8;
	launch_prepare(l);
}

/* Run to a cycle as where nobody looks at what happens on the way. */
static void run_unseen(struct bed *b, u64 cycle)
{
	bed_open(b);
	b->sim.bus.want = 0;
	assert_int_equal(sim_run(&b->sim, cycle), RUN_DONE);
	sim_sync(&b->sim);
	assert_false(sim_faulted(&b->sim));
}

/* Lanes of one slice skip what the others execute with the rest of the gang: they go on together behind it. */
static void sides_meet_behind_an_instruction(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 1);

	(void)state;
	bed_compare(b, 0, 0, SREG_LANEID, 2);
	bed_branch(b, 0, 0, 4, 4);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_alu(b, 0, CLASS_INT, 2, 0);
	bed_alu(b, 0, CLASS_INT, 3, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_WARP), 6 * 8);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_THREAD), 3 * 32 + 2 * 30 + 2);
	bed_close(b);
}

/* The first lane of every slice skips two instructions, in a run in which nobody looks. All slices hold the same, and
 * the gang has one slot; behind the second instruction the sides of each slice meet. 6 instructions of 8 slices: the
 * branch is executed by who jumps, what they skip by the others, three of four. */
static void sides_of_one_slot_meet(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 1);

	(void)state;
	bed_compare(b, 0, 0, SREG_TID_X, 1);
	bed_branch(b, 0, 0, 4, 4);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_alu(b, 0, CLASS_INT, 2, 0);
	bed_alu(b, 0, CLASS_INT, 3, 0);
	bed_exit(b, 0);
	in_fours(b);
	run_unseen(b, 2000);
	assert_true(sim_finished(&b->sim));
	assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_WARP), 6 * 8);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_THREAD), 3 * 32 + 8 + 2 * 24);
	bed_close(b);
}

/* Of slices of a gang with one slot, too, it is known what they issued in the last cycle, and by which lanes. Nothing
 * waits for anything: the comparison issues in the first cycle, the branch when its predicate is written 5 cycles later
 * (core_bed.h), by the first lane of each slice, then one more in each cycle by the other three. */
static void what_one_slot_issued_is_known(void **state)
{
	(void)state;
	for (u32 i = 0; i < 8; i++) {
		struct bed *b = ganged(SCHEME_bgto, 1);

		bed_compare(b, 0, 0, SREG_TID_X, 1);
		bed_branch(b, 0, 0, 12, 12);
		for (u32 k = 0; k < 10; k++)
			bed_alu(b, 0, CLASS_INT, 1 + k, 0);
		bed_exit(b, 0);
		in_fours(b);
		run_unseen(b, BED_FIRST + 5 + 1 + i);
		for (u32 k = 0; k < 8; k++) {
			u32 lanes = 0;

			assert_int_equal(sim_warp_issued(&b->sim, 0, k, &lanes), 1 + i);
			assert_int_equal(lanes, (i ? 0xeu : 0x1u) << 4 * k);
		}
		bed_close(b);
	}
}

/* A branch that half of the slices take: two gangs of four, which issue in one cycle if two may. */
static void halves_stay_together(void **state)
{
	(void)state;
	for (u32 gangs = 1; gangs <= 2; gangs++) {
		struct bed *b = ganged(SCHEME_bgto, gangs);
		u8 mask[GANG_ENTRIES];
		u32 together = 0;

		b->config.l1i_ports = 2;
		fan(b, 2, 16);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			sim_cycle(&b->sim);
			check_table(b);
			if (masks(b, 0, mask) != 2)
				continue;
			assert_int_equal(mask[0] ^ mask[1], 0xff);
			assert_true(mask[0] == 0x0f || mask[0] == 0xf0);
			together += issuing(b) == 0xff;
		}
		assert_int_equal(together >= 5, gangs == 2);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_SPLIT_CONTROL), 1);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_SLOTS), sim_sm_stat(&b->sim, STAT_INST_WARP));
		bed_close(b);
	}
}

/* Eight paths: no gang is left, and each slice's scheduler has its own. */
static void eight_paths_are_eight_singles(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 2);
	u8 mask[GANG_ENTRIES];
	u32 before;

	(void)state;
	fan(b, 8, 4);
	run(b);
	before = (u32)sim_sm_stat(&b->sim, STAT_GANG_ISSUES);
	assert_int_equal(masks(b, 0, mask), 0);
	/* 7 comparisons and branches, less a slice each time until one is alone; then nothing goes in gangs */
	assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_SLOTS), 2 * (8 + 7 + 6 + 5 + 4 + 3 + 2));
	assert_int_equal(before, 2 * 7);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_SPLIT_CONTROL), 7);
	bed_close(b);
}

/* Slices that end leave their gang; the others go on as one. */
static void who_ends_leaves(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 1);
	struct inst *in;

	(void)state;
	bed_compare(b, 0, 0, SREG_LANEID, 12);
	in = bed_exit(b, 0);
	bed_guard(in, 0, false);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_SPLIT_EXIT), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_SPLIT_CONTROL), 0);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_SLOTS), 8 + 8 + 5 + 5);
	bed_close(b);
}

/* A kernel in which one slice's line is there and seven wait. */
static void skewed(struct bed *b)
{
	struct inst *in;

	for (u32 i = 0; i < 2; i++) {
		bed_address_by(b, 0, 2, SREG_LANEID, BED_BASE, i ? 32 : 4);
		in = bed_writes(bed_through(bed_memory(b, 0, OP_LD, CLASS_LOAD, 0), 2), 8);
		in->ndst = 1;
		in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 8};
		bed_alu(b, 0, CLASS_INT, 6, 1, 8);
	}
	for (u32 i = 0; i < 4; i++)
		bed_alu(b, 0, CLASS_INT, 9, 1, 6);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
}

/* The gang waits for all, its ready member as one of a gang. */
static void the_ready_wait_for_their_mates(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 1);

	(void)state;
	skewed(b);
	run(b);
	assert_true(sim_status_sum(&b->sim, WARP_GANG) > 0);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_ISSUES), 11);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_SPLIT_CONTROL) + sim_sm_stat(&b->sim, STAT_GANG_SPLIT_EXIT), 0);
	bed_close(b);
}

static u64 held; /* slots that a policy holds */
static void hold(const struct sched_view *v, u64 *ready)
{
	(void)v;
	ready[0] &= ~held;
}

const struct scheme scheme_trial[SCHEME_TRIALS] = {{.name = "hold", .doc = "", .decide.hold = hold}};

/* "All member warps in a gang issue their instructions in lockstep" (section 4.3): where a policy holds one of eight
 * nobody issues, and the seven others wait for it. The other warp's gang issues. */
static void who_is_held_holds_the_gang(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 2);

	(void)state;
	policy_put(&b->policy, POLICY_hold, SCHEME_COUNT);
	b->config.l1i_ports = 2;
	for (u32 i = 0; i < 20; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	bed_open(b);
	bed_run_to(b, BED_FIRST);
	held = 1ULL << b->sim.view[0].warp[2].slot;
	for (u32 i = 0; i < 10; i++) {
		sim_cycle(&b->sim);
		for (u32 k = 0; k < 8; k++) {
			assert_int_equal(sim_warp_status(&b->sim, 0, k), k == 2 ? WARP_HELD : WARP_GANG);
			assert_int_equal(sim_warp_status(&b->sim, 0, 8 + k), WARP_ISSUED);
		}
	}
	held = 0;
	bed_close(b);
}

/* With vws.split the one goes on alone, and the seven stay a gang (group) or go alone, too (impatient): 8, 1 + 7, 8 x 1
 * slices. */
static void loads_part_gangs(void **state)
{
	(void)state;
	for (u32 split = SPLIT_CONTROL; split <= SPLIT_IMPATIENT; split++) {
		struct bed *b = ganged(SCHEME_bgto, 1);
		u32 sizes = 0;

		b->config.vws_split = split;
		skewed(b);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			u8 mask[GANG_ENTRIES];
			u32 n;

			sim_cycle(&b->sim);
			check_table(b);
			n = masks(b, 0, mask);
			for (u32 i = 0; i < n && b->sim.view[0].warp[0].depth; i++)
				sizes |= 1u << __builtin_popcount(mask[i]);
			if (sim_sm_stat(&b->sim, STAT_GANG_SPLIT_MEMORY) && b->sim.view[0].warp[0].depth)
				assert_int_equal(n, split == SPLIT_GROUP && !(mask[0] & 1));
		}
		assert_int_equal(sizes & 1u << 8, 1u << 8);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_SPLIT_MEMORY) > 0, split != SPLIT_CONTROL);
		bed_close(b);
	}
}

/* An if and an else of the same length, by slice: apart on the way, and with vws.reform one gang again behind it. */
static void arms_come_together(void **state)
{
	(void)state;
	for (u32 reform = 0; reform < 2; reform++) {
		struct bed *b = ganged(SCHEME_bgto, 2);
		u8 mask[GANG_ENTRIES];
		u32 most = 0;

		b->config.vws_reform = reform;
		b->config.l1i_ports = 2;
		b->config.sm_warps = 1;
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
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			sim_cycle(&b->sim);
			check_table(b);
			if (sim_sm_stat(&b->sim, STAT_GANG_SPLIT_CONTROL) && masks(b, 0, mask) == 1)
				most = mask[0];
		}
		assert_int_equal(most == 0xff, reform);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_MERGES), reform);
		assert_int_equal(sim_event_count(&b->sim, EVENT_GANGFORM), reform);
		bed_close(b);
	}
}

#define JOIN 26

/* Four gangs and a slice alone come in one cycle: a slice makes four fetches (fetch.width), the fifth comes later. */
static void many_are_fetched_for(void **state)
{
	u32 most = 0;

	(void)state;
	for (u32 threads = 132; threads <= 160; threads += 28) {
		struct bed *b = ganged(SCHEME_bgto, 8);

		b->config.l1i_ports = 16;
		for (u32 i = 0; i < 20; i++)
			bed_alu(b, 0, CLASS_INT, 1 + i, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 4, threads);
		bed_open(b);
		while (!sim_finished(&b->sim)) {
			sim_cycle(&b->sim);
			check_table(b);
			assert_true(bed_cycle(b) < 20000);
			most = max_u32(most, b->sim.view[0].sub[0].ndecode);
		}
		assert_int_equal(most, DECODE_WIDTH);
		bed_close(b);
	}
}

/* The most lookups for gangs in a cycle while there are `gangs` of a home. */
static u64 most_fetches(struct bed *b, u32 gangs)
{
	u64 most = 0;
	u8 mask[GANG_ENTRIES];

	b->config.l1i_ports = 8;
	b->config.fetch_insts = b->config.sm_ibuffer = 1;
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		u64 before = sim_sm_stat(&b->sim, STAT_GANG_FETCHES);

		sim_cycle(&b->sim);
		for (u32 k = 0; k < 8; k++)
			assert_true(b->sim.view[0].sub[k].ndecode <= b->config.fetch_width);
		if (masks(b, 0, mask) == gangs)
			most = max_u64(most, sim_sm_stat(&b->sim, STAT_GANG_FETCHES) - before);
		assert_true(bed_cycle(b) < 20000);
	}
	bed_close(b);
	return most;
}

/* A gang's fetch is one of each of its slices: gangs of all slices are fetched for one by one, halves two at a time,
 * where a slice fetches once in a cycle. */
static void fetches_are_of_slices(void **state)
{
	(void)state;
	for (u32 width = 1; width <= 2; width++) {
		struct bed *whole = ganged(SCHEME_bgto, 2), *halves = ganged(SCHEME_bgto, 2),
			   *uneven = ganged(SCHEME_bgto, 2);

		whole->config.fetch_width = halves->config.fetch_width = uneven->config.fetch_width = width;
		for (u32 i = 0; i < 20; i++)
			bed_alu(whole, 0, CLASS_INT, 1 + i, 0);
		bed_exit(whole, 0);
		bed_launch(whole, 0, 1, 128);
		assert_int_equal(most_fetches(whole, 1), width);
		/* gangs of all eight and of four slices, the turn being now at the one, now at the other */
		for (u32 i = 0; i < 20; i++)
			bed_alu(uneven, 0, CLASS_INT, 1 + i, 0);
		bed_exit(uneven, 0);
		bed_launch(uneven, 0, 1, 112);
		assert_int_equal(most_fetches(uneven, 1), width);
		fan(halves, 2, 16);
		halves->launch[0].grid[0] = 4;
		launch_prepare(&halves->launch[0]);
		assert_int_equal(most_fetches(halves, 2), 2);
	}
}

/* Half of the slices jump to where the others come after a load and 23 instructions. */
static struct bed *skips(u32 sync)
{
	struct bed *b = ganged(SCHEME_bgto, 2);

	b->config.vws_reform = 1;
	b->config.vws_sync = sync;
	b->config.l1i_ports = 2;
	bed_compare(b, 0, 0, SREG_LANEID, 16);
	bed_branch(b, 0, 0, JOIN, JOIN);
	bed_load(b, 0, 1, BED_BASE);
	for (u32 i = 3; i < JOIN; i++)
		bed_alu(b, 0, CLASS_INT, 1, 1, 1);
	bed_alu(b, 0, CLASS_INT, 2, 1, 2);
	bed_exit(b, 0);
	b->inst[0][JOIN].flow |= FLOW_JOINS;
	bed_launch(b, 0, 1, 32);
	return b;
}

/* The cycle, by the clock when it begins, of the branch and of slice 0's instruction behind the join; in between it is
 * ready, or it is said to wait for the other half until its time is over. */
static u32 waited(struct bed *b, u32 *together)
{
	const struct sm_view *v;
	u64 branch = 0;

	bed_open(b);
	bed_run_to(b, BED_FIRST + 1);
	v = &b->sim.view[0];
	while (v->slot[v->warp[0].slot].pc <= JOIN) {
		u32 missing;
		u64 until = sim_warp_sync(&b->sim, 0, 0, &missing);
		bool ready = v->slot[v->warp[0].slot].set == SET_READY;

		assert_true(!until || b->config.vws_reform);
		sim_cycle(&b->sim);
		check_table(b);
		check_map(b);
		assert_true(bed_cycle(b) < 2000);
		if (v->slot[v->warp[0].slot].pc == JOIN && !branch)
			branch = bed_cycle(b);
		if (v->slot[v->warp[0].slot].pc != JOIN || !until)
			continue;
		assert_int_equal(until, branch + b->config.vws_sync);
		assert_int_equal(missing, 0xf0);
		if (ready && bed_cycle(b) <= until)
			assert_int_equal(sim_warp_status(&b->sim, 0, 0), WARP_GANG);
	}
	*together = issuing(b);
	return (u32)(bed_cycle(b) - branch);
}

/* Where sides meet the first wait as long as vws.sync says, to the cycle, or until all have come; without vws.reform,
 * and as one gang, not at all. */
static void sides_wait_where_they_meet(void **state)
{
	struct bed *b = skips(0);
	u32 together, fetched = waited(b, &together);

	(void)state;
	assert_int_equal(together, 0x0f);
	bed_close(b);
	for (u32 more = 0; more < 30; more++) { /* while the other half issues, and while nothing happens */
		b = skips(fetched + more);
		assert_int_equal(waited(b, &together), fetched + more + 1);
		assert_int_equal(together & 0x0f, 0x0f);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_SYNC), 4 * (more + 1));
		bed_close(b);
	}
	b = skips(fetched - 1);
	assert_int_equal(waited(b, &together), fetched);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_SYNC), 0);
	bed_close(b);
	b = skips(65535);
	waited(b, &together);
	assert_int_equal(together, 0xff);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_GANG_MERGES), 1);
	bed_close(b);
	b = skips(fetched + 9);
	b->config.vws_reform = 0;
	assert_int_equal(waited(b, &together), fetched);
	bed_close(b);
}

/* Slices 0 to 3 jump from 1 to where all meet, 4 and 5 from 3, some cycles later; the others are not there yet when the
 * time of the first is over. The two pieces are one gang by then, and the first to come decides: it issues vws.sync
 * cycles and one after the first branch. */
static void the_first_to_come_decides(void **state)
{
	(void)state;
	for (u32 sync = 30; sync < 50; sync++) {
		struct bed *b = ganged(SCHEME_bgto, 2);
		u64 at[2] = {0};

		b->config.vws_reform = 1;
		b->config.vws_sync = sync;
		b->config.l1i_ports = 2;
		b->config.sm_warps = 1;
		bed_compare(b, 0, 0, SREG_LANEID, 16);
		bed_branch(b, 0, 0, JOIN, JOIN);
		bed_compare(b, 0, 1, SREG_LANEID, 24);
		bed_branch(b, 0, 1, JOIN, JOIN);
		for (u32 i = 4; i < JOIN; i++)
			bed_alu(b, 0, CLASS_INT, 1, 1, 1);
		bed_alu(b, 0, CLASS_INT, 2, 1, 2);
		bed_exit(b, 0);
		b->inst[0][JOIN].flow |= FLOW_JOINS;
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		at[0] = bed_when(b, 0, 0, 1);
		at[1] = bed_when(b, 0, 4, 3);
		assert_true(at[1] > at[0] && at[1] < at[0] + 20);
		assert_int_equal(bed_when(b, 0, 0, JOIN), at[0] + 1 + sync);
		assert_int_equal(issuing(b) & 0x3f, 0x3f);
		assert_true(b->sim.view[0].slot[b->sim.view[0].warp[6].slot].pc < JOIN);
		bed_close(b);
	}
}

/* A shuffle of a whole gang is one meeting of nobody. */
static void gangs_meet_at_once(void **state)
{
	struct bed *b = ganged(SCHEME_bgto, 1);
	u32 n = 0;

	(void)state;
	convergent(b);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		n += bed_records(b, EVENT_RENDEZVOUS, NULL);
	}
	assert_int_equal(n, 0);
	bed_close(b);
}

/* Who of a gang of six and an older one of four goes first where one may: the bigger, the smaller, the older, the one
 * that is not greedy, the one at the lower place. */
static void schemes_differ(void **state)
{
	static const struct {
		enum scheme_id gang;
		u32 first;
	} row[] = {{SCHEME_bgto, 1}, {SCHEME_lgto, 0}, {SCHEME_gang_gto, 0}, {SCHEME_gang_lrr, 0}, {SCHEME_lpc, 0}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = ganged(row[i].gang, 1);
		struct sm_view *v;
		u64 ready[SLOT_WORDS] = {0}, gang[SLOT_WORDS] = {0};

		for (u32 k = 0; k < 8; k++)
			bed_alu(b, 0, CLASS_INT, 1 + k, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 64);
		bed_open(b);
		bed_run_to(b, BED_FIRST + 3);
		v = &b->sim.view[0];
		gang_put(v, 0, 0x0f, 1);
		gang_put(v, GANG_ENTRIES, 0x3f, 2);
		v->sm->ganged_at = 5;
		for (u32 k = 0; k < 16; k++)
			SET_ADD(ready, v->warp[k].slot);
		for (u32 k = 8; k < 16; k++)
			v->slot[v->warp[k].slot].pc = 7;
		assert_true(scheme_table[row[i].gang]->decide.gang(v->look, ready, gang));
		assert_int_equal(SET_HAS(gang, v->warp[8].slot), row[i].first);
		assert_int_equal(SET_HAS(gang, v->warp[0].slot), !row[i].first);
		v->sm->ganged_at = 2; /* now the younger is greedy */
		memset(gang, 0, sizeof gang);
		gang_put(v, 0, 0x3f, 1);
		assert_true(scheme_table[row[i].gang]->decide.gang(v->look, ready, gang));
		assert_int_equal(SET_HAS(gang, v->warp[8].slot),
				 row[i].gang != SCHEME_gang_lrr && row[i].gang != SCHEME_lpc);
		bed_close(b);
	}
}

/* Parts of the slices of a home, by chance: gangs of two or more. */
static void part_by_chance(struct sm_view *v, u32 home, u64 *seed)
{
	u32 left = 0xff;

	for (u32 k = 0; k < GANG_ENTRIES; k++)
		gang_put(v, home * GANG_ENTRIES + k, 0, 0);
	for (u32 k = 0; k < GANG_ENTRIES; k++) {
		u32 mask = left & (u32)(*seed = mix64(*seed));

		if (*seed >> 40 & 1)
			mask = left;
		if (!(mask & (mask - 1)))
			continue;
		gang_put(v, home * GANG_ENTRIES + k, mask, *seed >> 50 & 3);
		left &= ~mask;
	}
}

/* Is a gang to go before another, by size (1 bigger, -1 smaller, 0 whatever), then who is greedy, then by age? */
static bool goes_before(const struct sm_view *v, u32 a, u32 b, int size)
{
	const struct gang *g = &v->gang[a], *h = &v->gang[b];
	int more = size * (__builtin_popcount(g->mask) - __builtin_popcount(h->mask));
	bool x = g->last && g->last == v->sm->ganged_at, y = h->last && h->last == v->sm->ganged_at;
	u32 i = a / GANG_ENTRIES * 8 + (u32)__builtin_ctz(g->mask),
	    k = b / GANG_ENTRIES * 8 + (u32)__builtin_ctz(h->mask);

	if (more)
		return more > 0;
	return x != y ? x : v->warp[i].age < v->warp[k].age;
}

/* The gang to go first of those whose slots are all ready, NONE32: none. */
static u32 first_of(const struct sm_view *v, const u64 *ready, int size)
{
	u32 best = NONE32;

	for (u32 e = 0; e < machine_parents(v->m) * GANG_ENTRIES; e++) {
		bool all = v->gang[e].mask != 0;

		for (u32 k = 0; k < 8; k++)
			if (v->gang[e].mask >> k & 1 && !SET_HAS(ready, v->warp[e / GANG_ENTRIES * 8 + k].slot))
				all = false;
		if (all && (best == NONE32 || goes_before(v, e, best, size)))
			best = e;
	}
	return best;
}

/* Tables, ready slots and last issues by chance: schemes choose what a look at each gang would. */
static void sets_choose_as_looks_do(void **state)
{
	static const struct {
		enum scheme_id gang;
		int size;
	} row[] = {{SCHEME_bgto, 1}, {SCHEME_lgto, -1}, {SCHEME_gang_gto, 0}};
	u64 seed = 7;
	u32 found = 0;

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row) * 300; i++) {
		struct bed *b = ganged(row[i % ARRAY_LEN(row)].gang, 1);
		struct sm_view *v;
		u64 ready[SLOT_WORDS] = {0}, gang[SLOT_WORDS] = {0}, want[SLOT_WORDS] = {0};
		u32 best;

		bed_alu(b, 0, CLASS_INT, 1, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 2, 96);
		bed_open(b);
		bed_run_to(b, 2);
		v = &b->sim.view[0];
		for (u32 home = 0; home < 6; home++)
			part_by_chance(v, home, &seed);
		v->sm->ganged_at = 1 + (seed >> 20) % 3;
		for (u32 k = 0; k < 48; k++)
			if ((seed = mix64(seed)) % 16)
				SET_ADD(ready, v->warp[k].slot);
		best = first_of(v, ready, row[i % ARRAY_LEN(row)].size);
		found += best != NONE32;
		assert_int_equal(scheme_table[row[i % ARRAY_LEN(row)].gang]->decide.gang(v->look, ready, gang),
				 best != NONE32);
		for (u32 k = 0; best != NONE32 && k < 8; k++)
			if (v->gang[best].mask >> k & 1)
				SET_ADD(want, v->warp[best / GANG_ENTRIES * 8 + k].slot);
		assert_memory_equal(gang, want, sizeof gang);
		bed_close(b);
	}
	assert_true(found > 300);
}

/* Runs in which nobody looks, so long each, end where steps do; slices stay together, or part and meet again. */
static void runs_are_steps(void **state)
{
	(void)state;
	for (u32 way = 0; way < 6; way++) {
		struct bed *a = ganged(SCHEME_bgto, 1 + way % 2), *b = ganged(SCHEME_bgto, 1 + way % 2);
		u32 length = 5 + 28 * way;

		a->config.vws_reform = b->config.vws_reform = way % 3 == 2;
		(way / 2 ? convergent(a) : fan(a, 2, 16));
		(way / 2 ? convergent(b) : fan(b, 2, 16));
		bed_open(a);
		bed_open(b);
		a->sim.bus.want = 0;
		while (!sim_finished(&a->sim)) {
			u64 limit = bed_cycle(a) + length;

			assert_int_equal(sim_run(&a->sim, limit), RUN_DONE);
			while (!sim_finished(&b->sim) && bed_cycle(b) < bed_cycle(a))
				sim_cycle(&b->sim);
			assert_true(sim_hash(&a->sim) == sim_hash(&b->sim));
			assert_true(sim_counted(&a->sim) == sim_counted(&b->sim));
			assert_true(bed_cycle(a) < 20000);
		}
		bed_close(a);
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_gangs_are_whole_warps),
		cmocka_unit_test(who_has_issued_is_not_offered),
		cmocka_unit_test(sides_meet_behind_an_instruction),
		cmocka_unit_test(sides_of_one_slot_meet),
		cmocka_unit_test(what_one_slot_issued_is_known),
		cmocka_unit_test(halves_stay_together),
		cmocka_unit_test(eight_paths_are_eight_singles),
		cmocka_unit_test(who_ends_leaves),
		cmocka_unit_test(the_ready_wait_for_their_mates),
		cmocka_unit_test(who_is_held_holds_the_gang),
		cmocka_unit_test(gangs_meet_at_once),
		cmocka_unit_test(loads_part_gangs),
		cmocka_unit_test(arms_come_together),
		cmocka_unit_test(sides_wait_where_they_meet),
		cmocka_unit_test(the_first_to_come_decides),
		cmocka_unit_test(many_are_fetched_for),
		cmocka_unit_test(fetches_are_of_slices),
		cmocka_unit_test(schemes_differ),
		cmocka_unit_test(sets_choose_as_looks_do),
		cmocka_unit_test(runs_are_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
