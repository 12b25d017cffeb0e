/*
 * test_core_sectors.c - accesses, MSHRs and requests by sector (l1d.sectors), the crossbar whose receivers choose
 * (icnt.arbiter slip), slices by a polynomial (l2.hash).
 */
#include "core_bed.h"
#include "memory/memory.h"

/* A warp loads a line of four sectors twice, the second time when it has the first: the cycle of its end. */
static u64 twice_a_line(u32 sectors, u32 ports, u32 mshrs, struct bed *b)
{
	b->config.l1d_sectors = sectors;
	b->config.l1d_ports = ports;
	b->config.l1d_mshrs = mshrs;
	bed_address(b, 0, 2, BED_BASE, 4);
	bed_through(bed_load(b, 0, 4, 0), 2);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_through(bed_load(b, 0, 4, 0), 2);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	return machine_gpu(b->sim.m)->cycle;
}

static void a_sector_is_an_access(void **state)
{
	static const struct {
		u32 sectors, ports, mshrs, accesses, refused;
	} want[] = {{0, 1, 8, 1, 0}, {1, 4, 8, 4, 0}, {1, 2, 8, 4, 0}, {1, 1, 8, 4, 0}, {1, 4, 3, 4, 1}};
	u64 end[ARRAY_LEN(want)];

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(want); i++) {
		struct bed *b = bed_new();

		end[i] = twice_a_line(want[i].sectors, want[i].ports, want[i].mshrs, b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_MEM_LINES), 2 * want[i].accesses);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_MEM_SECTORS), 8);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MISSES), want[i].accesses);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), want[i].accesses);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_REQUESTS), want[i].accesses);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_REFUSED_MSHRS) > 0, want[i].refused);
		assert_int_equal(b->sim.view[0].sm->mshrs_used, 0);
		for (u32 k = 0; k < b->sim.view[0].l1d_ways_max * b->sim.view[0].l1d_sets; k++)
			assert_int_equal(b->sim.view[0].l1d[k].reserved, 0);
		bed_close(b);
	}
	/* requests leave one a cycle whatever the ports; the hits take two cycles and four */
	assert_int_equal(end[2], end[1] + 1);
	assert_int_equal(end[3], end[1] + 3);
}

/* The cycle of the end of a warp of two lanes that load words `stride` bytes apart, twice. */
static u64 two_lanes_twice(u32 stride)
{
	struct bed *b = bed_new();

	b->config.l1d_sectors = 1;
	b->config.l1d_ports = 4;
	bed_address(b, 0, 2, BED_BASE, stride);
	for (u32 i = 0; i < 2; i++) {
		bed_through(bed_load(b, 0, 4, 0), 2);
		bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 2);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), 2);
	u64 end = bed_cycle(b);
	bed_close(b);
	return end;
}

/* Sectors s of all lines share port s: two of them take two cycles, which shows where requests do not leave one a
 * cycle. */
static void a_port_serves_a_sector(void **state)
{
	(void)state;
	assert_int_equal(two_lanes_twice(128), two_lanes_twice(128 + 32) + 1);
	assert_int_equal(two_lanes_twice(256 + 128), two_lanes_twice(256 + 96) + 1);
}

/* A miss leaves l1d.miss cycles later, and so does a store; a hit, what goes past the L1D and an atomic as before. */
static void misses_are_looked_up_first(void **state)
{
	enum { MISS, PAST, STORE, ATOMIC, WAYS };
	u64 end[WAYS][2];

	(void)state;
	for (u32 way = 0; way < WAYS; way++)
		for (u32 late = 0; late < 2; late++) {
			struct bed *b = bed_new();

			b->config.l1d_miss = 7 * late;
			for (u32 i = 0; i < 2; i++) {
				if (way == STORE || way == ATOMIC) {
					struct inst *in = bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE);

					in->op = way == STORE ? OP_ST : OP_ATOM;
					in->class = way == STORE ? CLASS_STORE : CLASS_ATOMIC;
					in->aux = way == STORE ? 0 : ATOM_ADD;
					in->vec = way == STORE ? 1 : VALUE_U32;
					continue;
				}
				bed_load(b, 0, 4, BED_BASE)->aux = way == PAST ? ACCESS_PAST : 0;
				bed_alu(b, 0, CLASS_INT, 5, 1, 4);
			}
			bed_exit(b, 0);
			bed_launch(b, 0, 1, 32);
			bed_open(b);
			bed_run(b);
			end[way][late] = machine_gpu(b->sim.m)->cycle;
			bed_close(b);
		}
	assert_int_equal(end[MISS][1], end[MISS][0] + 7);
	assert_int_equal(end[PAST][1], end[PAST][0]);
	assert_int_equal(end[STORE][1], end[STORE][0] + 7);
	assert_int_equal(end[ATOMIC][1], end[ATOMIC][0]);
}

/* Of two warps that load a line each MSHR holds two accesses of one sector. */
static void a_sector_has_its_merges(void **state)
{
	(void)state;
	for (u32 merges = 1; merges <= 2; merges++) {
		struct bed *b = bed_new();

		b->config.l1d_sectors = 1;
		b->config.l1d_merges = merges;
		bed_address(b, 0, 2, BED_BASE, 4);
		bed_through(bed_load(b, 0, 4, 0), 2);
		bed_alu(b, 0, CLASS_INT, 5, 1, 4);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 64);
		bed_open(b);
		bed_run(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MISSES), 4);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MERGES), merges == 2 ? 4 : 0);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), merges == 2 ? 0 : 4);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_REFUSED_MERGES) > 0, merges == 1);
		bed_close(b);
	}
}

/* Stores, loads past the L1D and atomics are packets of one sector each, and each is answered. */
static void everything_goes_by_sector(void **state)
{
	static const enum op op[] = {OP_ST, OP_LD, OP_ATOM};
	static const enum inst_class class[] = {CLASS_STORE, CLASS_LOAD, CLASS_ATOMIC};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(op); i++) {
		struct bed *b = bed_new();

		b->config.l1d_sectors = 1;
		bed_address(b, 0, 2, BED_BASE, 4);
		struct inst *in = op[i] == OP_LD ? bed_load(b, 0, 4, 0) : bed_memory(b, 0, OP_ST, CLASS_STORE, 0);
		in->op = op[i];
		in->class = class[i];
		in->aux = op[i] == OP_LD ? ACCESS_PAST : op[i] == OP_ATOM ? ATOM_ADD : 0;
		in->vec = op[i] == OP_ATOM ? VALUE_U32 : 1;
		bed_through(in, 2);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		bed_run(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_REQUESTS), 4);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_REPLIES), 4);
		assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_ACCESSES), 4);
		bed_close(b);
	}
}

/* Two lanes load from pieces k and k + 1, the second goes first: how often an answer waits for another's. */
static u64 answers_that_wait(u32 arbiter, u32 k, bool *ascending)
{
	struct bed *b = bed_new();
	u64 at = BED_BASE + k * 256;

	b->config.icnt_arbiter = arbiter;
	b->config.l1d_sectors = 1;
	b->config.l1d_ports = 8;
	b->config.l2_slices = 4;
	b->config.ideal_l2 = 1;
	bed_address(b, 0, 2, at, 256 + 32); /* another port of the L1D */
	bed_through(bed_load(b, 0, 4, 0), 2);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 2);
	bed_open(b);
	*ascending = slice_home(b->sim.m, (at + 256) / 128 * 16) < slice_home(b->sim.m, at / 128 * 16);
	bed_run(b);
	u64 waited = sim_l2_stat(&b->sim, STAT_ICNT_REFUSED_SM);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_REPLIES), 2);
	bed_close(b);
	return waited;
}

/* A sender serves two slices in one clock if the second is behind the first: their answers meet at the SM. */
static void a_sender_serves_several(void **state)
{
	u32 met = 0;

	(void)state;
	for (u32 k = 0; k < 8; k++) {
		bool ascending;
		assert_int_equal(answers_that_wait(0, k, &ascending), 0);
		assert_int_equal(answers_that_wait(1, k, &ascending), ascending);
		met += ascending;
	}
	assert_in_range(met, 1, 7);
}

/* SMs that want one slice at once take turns, and the next turn begins behind the last. */
static void receivers_take_turns(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.gpu_sms = 3;
	b->config.icnt_arbiter = 1;
	b->config.ideal_l2 = 1;
	b->config.l1d_enabled = 0;
	bed_load(b, 0, 4, BED_BASE);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 32);
	bed_open(b);
	bed_run(b);
	const struct slice *slice = machine_slice_section(b->sim.m, 0, SECTION_SLICE);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_ICNT_REFUSED_SLICE), 1);
	assert_int_equal(slice->turn, 2);
	assert_int_equal(b->sim.view[0].port->turn, 0);
	bed_close(b);
}

/* Two SMs and two slices, all queues empty, receivers choose; nothing runs: packets are put there by hand. */
static struct bed *receivers(void)
{
	struct bed *b = bed_new();

	b->config.gpu_sms = 2;
	b->config.l2_slices = 2;
	b->config.icnt_arbiter = 1;
	b->config.icnt_bytes = 32;
	b->config.icnt_answer_bytes = 32;
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	return b;
}

/* One more request of an SM for slice 0 or 1, or answer of a slice to an SM; of so many sectors. */
static void put(struct bed *b, u32 from, u32 to, enum packet_kind kind, u32 sectors, bool answer)
{
	struct machine *m = b->sim.m;
	struct ring r = answer ? slice_ring(m, from, SECTION_SLICE_OUT) : port_ring(m, from, SECTION_OUT);
	u64 line = BED_BASE / 128 * 16;

	while (!answer && slice_asked(m, from, line) != to)
		line += 16;
	*ring_add(&r) = (struct packet){
		.line = line | ((1u << sectors) - 1), .sm = (u16)(answer ? to : from), .kind = (u8)kind};
	if (answer)
		SET_ADD(memory_visits(m)->answers, from);
	else
		SET_ADD(machine_gpu(m)->out_set, from);
}

static u32 waiting(const struct bed *b, u32 sm)
{
	return *port_ring(b->sim.m, sm, SECTION_OUT).count;
}

/* A request of four sectors holds its SM's port for four clocks: the next leaves in the fifth, not with it. */
static void a_port_is_held_by_what_is_long(void **state)
{
	struct bed *b = receivers();

	(void)state;
	put(b, 0, 0, PACKET_WRITE, 4, false);
	put(b, 0, 1, PACKET_READ, 1, false);
	for (u64 clock = 0; clock < 5; clock++) {
		slip_requests(&b->sim, clock);
		assert_int_equal(waiting(b, 0), clock < 4);
	}
	bed_close(b);
}

/* An SM that has sent in this clock is not refused where it would have gone next; one that has not is. */
static void who_has_sent_is_not_refused(void **state)
{
	(void)state;
	for (u32 turn = 0; turn < 2; turn++) {
		struct bed *b = receivers();

		((struct slice *)machine_slice_section(b->sim.m, 1, SECTION_SLICE))->turn = (u16)turn;
		put(b, 0, 0, PACKET_READ, 1, false);
		put(b, 0, 1, PACKET_READ, 1, false);
		put(b, 1, 1, PACKET_READ, 1, false);
		slip_requests(&b->sim, 0);
		assert_int_equal(waiting(b, 0), turn);
		assert_int_equal(waiting(b, 1), 1 - turn);
		assert_int_equal(b->sim.view[0].sm->stat[STAT_ICNT_REFUSED_SLICE], 0);
		assert_int_equal(b->sim.view[1].sm->stat[STAT_ICNT_REFUSED_SLICE], 1 - turn);
		bed_close(b);
	}
}

/* The same of answers: a short one lets the next go to an SM behind, a long one does not. */
static void a_slice_sends_to_several(void **state)
{
	(void)state;
	for (u32 sectors = 1; sectors <= 4; sectors++) {
		struct bed *b = receivers();

		put(b, 0, 0, PACKET_READ, sectors, true);
		put(b, 0, 1, PACKET_READ, 1, true);
		for (u64 clock = 0; clock < 5; clock++) {
			slip_answers(&b->sim, clock);
			assert_int_equal(*slice_ring(b->sim.m, 0, SECTION_SLICE_OUT).count,
					 sectors > 1 && clock < sectors);
		}
		bed_close(b);
	}
}

/* Pieces at a distance of any power of two are spread over all slices, where those of `fold' meet in a few. */
static void a_polynomial_spreads_strides(void **state)
{
	u32 fewest[2] = {64, 64};

	(void)state;
	for (u32 hash = 0; hash < 2; hash++) {
		struct bed *b = bed_new();

		b->config.l2_hash = hash;
		b->config.l2_slices = 64;
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		for (u32 shift = 0; shift < 24; shift++) {
			u64 seen = 0;
			for (u64 i = 0; i < 64; i++)
				seen |= 1ULL << slice_home(b->sim.m, (i << shift) * 256 / 128 * 16);
			fewest[hash] = min_u32(fewest[hash], (u32)__builtin_popcountll(seen));
		}
		bed_close(b);
	}
	assert_int_equal(fewest[1], 64);
	assert_true(fewest[0] < 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sector_is_an_access),	  cmocka_unit_test(misses_are_looked_up_first),
		cmocka_unit_test(a_sector_has_its_merges),	  cmocka_unit_test(everything_goes_by_sector),
		cmocka_unit_test(a_sender_serves_several),	  cmocka_unit_test(receivers_take_turns),
		cmocka_unit_test(a_polynomial_spreads_strides),	  cmocka_unit_test(a_port_serves_a_sector),
		cmocka_unit_test(a_port_is_held_by_what_is_long), cmocka_unit_test(who_has_sent_is_not_refused),
		cmocka_unit_test(a_slice_sends_to_several),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
