/*
 * test_core_memory.c - line accesses and bank conflicts, and the way of a request: L1D, crossbar, L2, DRAM and back.
 *
 * A load that issues in cycle t is dispatched in t + 1 and served by the LSU in t + 2. A hit is back l1d.latency later. A
 * miss is moved into the crossbar in t + 3 and looked up in the L2 in T = t + 3 + icnt.latency + l2.latency. A hit there
 * is answered in T + 1 and reaches the SM icnt.latency later. A miss starts in DRAM in T + 1 at the earliest, holds the bus
 * for one clock per sector (32 bytes a clock), has its data dram.latency clocks later and is answered one cycle after that.
 * Every sector beyond the first adds a cycle of the answer's port (32 bytes a cycle). A reader issues in the very cycle.
 */
#include "core_bed.h"

/* --- coalesce() --- */

/* Every byte of every lane on its own: lines in the order in which they first appear. */
static u32 coalesce_slowly(u32 line_bytes, const struct front_result *r, u32 bytes, u64 *line)
{
	u32 n = 0, i;

	for (u32 lane = 0; lane < 32; lane++)
		for (u32 k = 0; k < bytes && r->mask >> lane & 1; k++) {
			u64 at = r->address[lane] + k;

			for (i = 0; i < n && line[i] / 16 != at / line_bytes; i++)
				;
			if (i == n)
				line[n++] = at / line_bytes * 16;
			line[i] |= 1u << (at % line_bytes / 32);
		}
	return n;
}

/* Only what coalesce() and shared_degree() look at. */
static struct machine *small_machine(u32 line, u32 banks)
{
	struct config c;

	bed_config(&c);
	c.l1d_line = line;
	c.shared_banks = banks;
	return machine_new(&c, 1);
}

/* Addresses base + stride x lane. */
static struct front_result lanes(u32 mask, u64 base, u64 stride)
{
	struct front_result r = { .mask = mask };

	for (u32 i = 0; i < 32; i++)
		r.address[i] = base + i * stride;
	return r;
}

static void coalesce_known(void **state)
{
	static const struct { u32 line, mask; u64 base, stride; u32 bytes, n; u64 first, last; } known[] = {
		{ 128, ~0u, 0x1000, 4, 4, 1, 0x20 * 16 + 15, 0x20 * 16 + 15 },
		{ 128, ~0u, 0x1000, 8, 8, 2, 0x20 * 16 + 15, 0x21 * 16 + 15 },
		{ 128, ~0u, 0x1000, 16, 16, 4, 0x20 * 16 + 15, 0x23 * 16 + 15 },
		{ 64, ~0u, 0x1000, 4, 4, 2, 0x40 * 16 + 3, 0x41 * 16 + 3 },
		{ 32, ~0u, 0x1000, 4, 4, 4, 0x80 * 16 + 1, 0x83 * 16 + 1 },
		{ 32, ~0u, 0x1000, 16, 16, 16, 0x80 * 16 + 1, 0x8f * 16 + 1 },
		{ 128, ~0u, 0x1004, 4, 4, 2, 0x20 * 16 + 15, 0x21 * 16 + 1 },	 /* the last lane is in the next line */
		{ 128, ~0u, 0x1060, 4, 4, 2, 0x20 * 16 + 8, 0x21 * 16 + 7 },
		{ 128, ~0u, 0x1000, 0, 4, 1, 0x20 * 16 + 1, 0x20 * 16 + 1 },	 /* broadcast */
		{ 128, ~0u, 0x1000, 128, 4, 32, 0x20 * 16 + 1, 0x3f * 16 + 1 },
		{ 128, ~0u, 0x1000, 8, 4, 2, 0x20 * 16 + 15, 0x21 * 16 + 15 },
		{ 128, 0x80000001, 0x1000, 4, 4, 1, 0x20 * 16 + 9, 0x20 * 16 + 9 }, /* lanes 0 and 31 */
		{ 128, ~0u, 0x1000, 1, 1, 1, 0x20 * 16 + 1, 0x20 * 16 + 1 },
		{ 128, 0, 0x1000, 4, 4, 0, 0, 0 },
	};
	u64 line[MAX_TRANSACTIONS + 1];

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		struct machine *m = small_machine(known[i].line, 32);
		struct front_result r = lanes(known[i].mask, known[i].base, known[i].stride);
		u32 n = coalesce(m, &r, known[i].bytes, line);

		assert_int_equal(n, known[i].n);
		if (n) {
			assert_int_equal(line[0], known[i].first);
			assert_int_equal(line[n - 1], known[i].last);
		}
		free(m);
	}
}

/* Random, strided and dense addresses with whole and partial masks, against the slow way. */
static void coalesce_random(void **state)
{
	static const u32 sizes[] = { 32, 64, 128 };

	(void)state;
	for (u32 trial = 0; trial < 6000; trial++) {
		u64 x = mix64(trial), got[MAX_TRANSACTIONS], want[MAX_TRANSACTIONS];
		u32 size = sizes[trial % 3], bytes = 1u << x % 5, kind = x >> 8 & 3;
		struct machine *m = small_machine(size, 32);
		struct front_result r = lanes(x >> 10 & 1 ? ~0u : (u32)(x >> 32), 0x10000 + (x >> 12 & 31) * bytes,
					      kind == 0 ? bytes : kind == 1 ? bytes * (x >> 20 & 15) : 0);

		for (u32 i = 0; i < 32 && kind >= 2; i++)
			r.address[i] = (mix64(x + i) & (kind == 2 ? 0x3ff : 0xfffff)) / bytes * bytes;
		u32 n = coalesce(m, &r, bytes, got);

		assert_int_equal(n, coalesce_slowly(size, &r, bytes, want));
		assert_memory_equal(got, want, n * sizeof *got);
		free(m);
	}
}

/* --- shared_degree() --- */

static void shared_known(void **state)
{
	static const struct { u32 banks, mask; u64 base, stride; u32 bytes, degree; } known[] = {
		{ 32, ~0u, 0, 4, 4, 1 },	{ 32, ~0u, 0, 0, 4, 1 },	/* no conflict; broadcast */
		{ 32, ~0u, 64, 4, 4, 1 },	{ 32, ~0u, 0, 1, 1, 1 },	/* over two rows; bytes of one word */
		{ 32, ~0u, 0, 8, 4, 2 },	{ 32, ~0u, 0, 16, 4, 4 },	/* strides of 2, 4, ... 32 words */
		{ 32, ~0u, 0, 32, 4, 8 },	{ 32, ~0u, 0, 64, 4, 16 },
		{ 32, ~0u, 0, 128, 4, 32 },	{ 32, ~0u, 0, 132, 4, 1 },	/* padded by a word */
		{ 32, ~0u, 0, 12, 4, 1 },	{ 32, ~0u, 0, 24, 4, 2 },	/* odd; 6 words */
		{ 32, 0xffff, 0, 128, 4, 16 },	{ 32, 1, 0, 128, 4, 1 },
		{ 32, 0, 0, 4, 4, 0 },
		{ 32, ~0u, 0, 8, 8, 2 },	{ 32, ~0u, 0, 0, 8, 2 },	/* half warps, one after the other */
		{ 32, ~0u, 0, 16, 8, 4 },	{ 32, ~0u, 0, 128, 8, 32 },
		{ 32, 0xffff, 0, 8, 8, 1 },
		{ 32, ~0u, 0, 16, 16, 4 },	{ 32, ~0u, 0, 128, 16, 32 },	/* quarter warps of 8 lanes */
		{ 32, ~0u, 0, 32, 16, 8 },	{ 32, 0xff, 0, 16, 16, 1 },
		{ 16, ~0u, 0, 4, 4, 2 },	{ 1, ~0u, 0, 4, 4, 32 },	/* fewer banks */
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		struct machine *m = small_machine(128, known[i].banks);
		struct front_result r = lanes(known[i].mask, known[i].base, known[i].stride);

		assert_int_equal(shared_degree(m, &r, known[i].bytes), known[i].degree);
		free(m);
	}
}

/* The most distinct words of one bank, group by group, the slow way: a word counts if no earlier lane named it. */
static u32 degree_slowly(const struct front_result *r, u32 bytes, u32 banks)
{
	u32 words = bytes / 4 ? bytes / 4 : 1, group = 32 / words, total = 0;

	for (u32 g = 0; g < 32; g += group) {
		u8 seen[4096] = { 0 };
		u32 count[64] = { 0 }, worst = 0;

		for (u32 i = g; i < g + group; i++)
			for (u32 k = 0; k < words && r->mask >> i & 1; k++) {
				u32 w = (u32)r->address[i] / 4 + k;

				count[w % banks] += !seen[w];
				seen[w] = 1;
				worst = max_u32(worst, count[w % banks]);
			}
		total += worst;
	}
	return total;
}

static void shared_random(void **state)
{
	(void)state;
	for (u32 trial = 0; trial < 6000; trial++) {
		u64 x = mix64(trial + 77);
		u32 bytes = 1u << x % 5, banks = 1u << (x >> 4 & 7) % 6;
		struct machine *m = small_machine(128, banks);
		struct front_result r = lanes(x >> 10 & 1 ? ~0u : (u32)(x >> 32), 0, (x >> 12 & 15) * bytes);

		for (u32 i = 0; i < 32 && x >> 11 & 1; i++)
			r.address[i] = mix64(x + i) % 4096 / bytes * bytes;
		assert_int_equal(shared_degree(m, &r, bytes), degree_slowly(&r, bytes, banks));
		free(m);
	}
}

/* A shared load is back after 2 + shared.latency + degree - 1; the next one is served when the banks are free. */
static void shared_timing(void **state)
{
	(void)state;
	for (u32 stride = 4; stride <= 128; stride *= 2) {
		struct bed *b = bed_new();
		u32 degree = stride / 4;

		b->kernel[0].static_shared = 4096;
		bed_address(b, 0, 2, 0, stride);
		for (u32 i = 0; i < 2; i++) {
			struct inst *in = bed_through(bed_memory(b, 0, OP_LD, CLASS_SHLOAD, 0), 2);

			in->ndst = 1;
			in->dst[0] = (struct operand){ .kind = OPERAND_REG, .value = (u16)(4 + i) };
			bed_writes(in, 4 + i);
		}
		bed_alu(b, 0, CLASS_INT, 6, 1, 4);
		bed_alu(b, 0, CLASS_INT, 7, 1, 5);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		u64 t = bed_when(b, 0, 0, 1), u = bed_when(b, 0, 0, 3), w = bed_when(b, 0, 0, 4);
		assert_int_equal(u - t, 2 + 20 + degree - 1);
		assert_int_equal(w - u, degree);
		bed_run(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_SHARED_ACCESSES), 2);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_SHARED_CYCLES), 2 * degree);
		bed_close(b);
	}
}

/* --- one load and its way --- */

/* A bed with a load of one sector and a reader of it, `n` times over, at addresses that the caller gives. */
static struct bed *chain_bed(const u64 *address, u32 n)
{
	struct bed *b = bed_new();

	for (u32 i = 0; i < n; i++) {
		bed_load(b, 0, 4, BED_BASE + address[i]);
		bed_alu(b, 0, CLASS_INT, 4, 1, 4); /* the next load waits for this */
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	return b;
}

/* Cycles from the issue of load i to the issue of its reader. */
static u64 round_trip(struct bed *b, u32 i)
{
	u64 t = bed_when(b, 0, 0, 2 * i);

	return bed_when(b, 0, 0, 2 * i + 1) - t;
}

static void hit_takes_its_latency(void **state)
{
	static const u64 at[] = { 0, 4, 8 };
	struct bed *b = chain_bed(at, 3);

	(void)state;
	b->config.l1d_latency = 17;
	bed_open(b);
	round_trip(b, 0);
	assert_int_equal(round_trip(b, 1), 2 + 17);
	assert_int_equal(round_trip(b, 2), 2 + 17);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MISSES), 1);
	bed_close(b);
}

/* 32 lines that hit: l1d.ports of them a cycle, from t + 2 on; the last is back l1d.latency after its lookup. */
static void hits_use_the_ports(void **state)
{
	(void)state;
	for (u32 ports = 1; ports <= 8; ports *= 2) {
		struct bed *b = bed_new();

		b->config.l1d_ports = ports;
		bed_address(b, 0, 2, BED_BASE, 128);
		for (u32 i = 0; i < 2; i++) {
			bed_through(bed_load(b, 0, 4, 0), 2);
			bed_alu(b, 0, CLASS_INT, 4, 1, 4);
		}
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		u64 t = bed_when(b, 0, 0, 3);
		assert_int_equal(bed_when(b, 0, 0, 4) - t, 2 + 32 / ports - 1 + 8);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), 32);
		bed_close(b);
	}
}

/* To DRAM and back: 3 + icnt + l2, then 1 + 1 + dram, then 1 + icnt; to the L2: 3 + icnt + l2 + 1 + icnt. */
static void miss_is_the_sum_of_its_latencies(void **state)
{
	static const u32 lat[][3] = { { 1, 1, 1 }, { 7, 11, 13 }, { 40, 90, 120 }, { 1, 200, 3 } };
	static const u64 at[] = { 0, 0, 4096 };

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(lat); i++) {
		struct bed *b = chain_bed(at, 3);
		u32 icnt = lat[i][0], l2 = lat[i][1], dram = lat[i][2];

		b->config.icnt_latency = icnt;
		b->config.l2_latency = l2;
		b->config.dram_latency = dram;
		b->config.l1d_enabled = 0;
		bed_open(b);
		assert_int_equal(round_trip(b, 0), 3 + icnt + l2 + 2 + dram + 1 + icnt);
		assert_int_equal(round_trip(b, 1), 3 + icnt + l2 + 1 + icnt); /* the L2 has it now */
		assert_int_equal(round_trip(b, 2), 3 + icnt + l2 + 2 + dram + 1 + icnt);
		bed_run(b);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_REPLY_READS), 3);
		/* the round trip of a request begins when it leaves the L1: 2 cycles after the issue */
		assert_int_equal(sim_sm_stat(&b->sim, STAT_REPLY_LATENCY), 3 * (2 + 2 * icnt + l2) + 2 * (2 + dram));
		assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_HITS), 1);
		assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_MISSES), 2);
		assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_READS), 2);
		assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_BUSY), 2);
		bed_close(b);
	}
}

/* A chase of pointers that lie in memory: as many round trips as loads, and the values arrive. */
static void pointer_chase(void **state)
{
	struct bed *b = bed_new();
	u64 last = 0, t = 0;

	(void)state;
	b->config.icnt_latency = 5;
	b->config.dram_latency = 9;
	bed_address(b, 0, 4, BED_BASE, 0);
	for (u32 i = 0; i < 5; i++) {
		struct inst *in = bed_through(bed_load(b, 0, 4, 0), 4);

		in->width = 8;
		bed_writes(in, 5);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	for (u32 i = 0; i < 6; i++) {
		u64 next = BED_BASE + (i + 1) * 8192;

		sim_poke(&b->sim, BED_BASE + i * 8192, &next, sizeof next);
	}
	for (u32 i = 1; i <= 5; i++, last = t) {
		t = bed_when(b, 0, 0, i);
		if (last)
			assert_int_equal(t - last, 3 + 5 + 1 + 2 + 9 + 1 + 5);
	}
	u32 n;
	assert_int_equal(sim_warp_regs(&b->sim, 0, 0, &n)[4 * 32], (u32)(BED_BASE + 5 * 8192));
	bed_close(b);
}

/* A line of four sectors: three more clocks of the DRAM bus, three more cycles of the answer's port. */
static void sectors_take_time(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.l1d_enabled = 0;
	bed_address(b, 0, 2, BED_BASE, 4);
	for (u32 i = 0; i < 2; i++) {
		bed_through(bed_load(b, 0, 4, 0), 2);
		bed_alu(b, 0, CLASS_INT, 4, 1, 4);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	u64 t = bed_when(b, 0, 0, 1), u = bed_when(b, 0, 0, 2), w = bed_when(b, 0, 0, 3), x = bed_when(b, 0, 0, 4);
	assert_int_equal(u - t, 10 + 3 + 3);
	assert_int_equal(x - w, 7 + 3);
	bed_close(b);
}

/* Four lines of four sectors from the L2: looked up in T .. T + 3, but each answer holds the port for four cycles. */
static void answers_share_a_port(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.l1d_enabled = 0;
	bed_address(b, 0, 2, BED_BASE, 16);
	for (u32 i = 0; i < 2; i++) {
		struct inst *in = bed_through(bed_load(b, 0, 4, 0), 2);

		in->vec = 4;
		for (u32 k = 1; k < 4; k++) {
			in->dst[k] = (struct operand){ .kind = OPERAND_REG, .value = (u16)(4 + k) };
			bed_writes(in, 4 + k);
		}
		in->ndst = 4;
		bed_alu(b, 0, CLASS_INT, 4, 1, 4);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	u64 t = bed_when(b, 0, 0, 3), u = bed_when(b, 0, 0, 4);
	/* T = t + 5; the first answer leaves in T + 1, the fourth in T + 13, and is there 1 + 3 later */
	assert_int_equal(u - t, 5 + 13 + 1 + 3);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_MEM_LINES), 8);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_MEM_SECTORS), 32);
	bed_close(b);
}

/* Completed DRAM clocks are floor(c p / q); what happens in a clock shows in the cycle that holds it. */
static u64 cycle_of_clock(u64 clock, u64 p, u64 q)
{
	u64 c = 0;

	while ((c + 1) * p / q <= clock)
		c++;
	return c;
}

static void dram_has_its_own_clock(void **state)
{
	static const u32 ratio[][2] = { { 850, 1400 }, { 1, 4 }, { 3, 1 }, { 7, 5 }, { 1000, 1000 } };
	static const u64 at[] = { 0, 4096, 8192 };

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(ratio); i++) {
		struct bed *b = chain_bed(at, 3);
		u32 p = ratio[i][0], q = ratio[i][1];

		b->config.dram_clock = p;
		b->config.gpu_clock = q;
		b->config.dram_latency = 10;
		bed_open(b);
		for (u32 k = 0; k < 3; k++) {
			u64 t = bed_when(b, 0, 0, 2 * k), lookup = t + 3 + 1 + 1;
			/* the first clock of a later cycle than that of the lookup starts it; data 1 + 10 clocks later */
			u64 start = (lookup + 1) * p / q, data = start + 1 + 10;

			assert_int_equal(bed_when(b, 0, 0, 2 * k + 1), cycle_of_clock(data, p, q) + 1 + 1);
		}
		bed_close(b);
	}
}

/* 64 lines of four sectors at 8 bytes a clock and one clock in two cycles: 64 x 16 x 2 cycles of bus, and little more. */
static void dram_bandwidth(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.dram_clock = b->config.gpu_clock / 2;
	b->config.dram_bytes = 8;
	b->config.lsu_queue = 64;
	bed_address_by(b, 0, 2, SREG_TID_X, BED_BASE, 4);
	for (u32 i = 0; i < 8; i++)
		bed_through(bed_load(b, 0, 8 + i, 0), 2)->offset = (i32)(i * 1024);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 256);
	bed_open(b);
	u64 first = 0;
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		if (!first && sim_dram_stat(&b->sim, STAT_DRAM_READS))
			first = bed_cycle(b);
	}
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_READS), 64 * 4);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_BUSY), 64 * 16);
	assert_in_range(bed_cycle(b) - first, 64 * 16 * 2, 64 * 16 * 2 + 20);
	bed_close(b);
}

/* --- the L1D --- */

/* Two warps load the same sector: one request, and both go on in the same cycle. */
static void loads_of_a_line_merge(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	bed_expect(b, 0, "01" "........" "01" "01");
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MISSES), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MERGES), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_REQUESTS), 1);
	assert_int_equal(b->sim.view[0].sm->mshrs_used, 0);
	bed_close(b);
}

/*
 * Another sector of a line on its way joins the MSHRs of L1D and L2, but is asked for on its own; nothing is served before both
 * are there. The second, issued in 4, is looked up in the L2 in 9, starts in 10 and is there in 12; both answers are ready in 13
 * and leave in 13 and 14: the second reaches the SM in 15.
 */
static void another_sector_joins(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_load(b, 0, 4, BED_BASE);
	bed_load(b, 0, 5, BED_BASE + 64);
	bed_alu(b, 0, CLASS_INT, 4, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0, "00" ".........." "0" "0");
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MERGES), 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_REQUESTS), 2);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_READS), 2);
	bed_close(b);
}

/* A sector of a present line that was never asked for is a miss. */
static void lines_are_sectored(void **state)
{
	static const u64 at[] = { 0, 32, 0, 32 };
	struct bed *b = chain_bed(at, 4);

	(void)state;
	bed_open(b);
	assert_int_equal(round_trip(b, 0), 10);
	assert_int_equal(round_trip(b, 1), 10);
	assert_int_equal(round_trip(b, 2), 10); /* a hit: 2 + 8 */
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MISSES), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), 2);
	bed_close(b);
}

/* Reasons of the refusals of a run, by number; the events equal the counter. */
static void refusals(struct bed *b, u32 *reason)
{
	memset(reason, 0, 4 * sizeof *reason);
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		for (u32 i = 0; i < b->sim.bus.count; i++)
			if (b->sim.bus.record[i].kind == EVENT_L1D_REFUSED)
				reason[b->sim.bus.record[i].a]++;
	}
	assert_int_equal(reason[1] + reason[2] + reason[3], sim_sm_stat(&b->sim, STAT_L1D_REFUSED));
}

/* One MSHR: the load of 4, to another line, is tried from 6 on and taken when the first is back, in 13; back in 13 + 8. */
static void mshrs_run_out(void **state)
{
	struct bed *b = bed_new();
	u32 reason[4];

	(void)state;
	b->config.l1d_mshrs = 1;
	bed_load(b, 0, 4, BED_BASE);
	bed_load(b, 0, 5, BED_BASE + 128);
	bed_alu(b, 0, CLASS_INT, 6, 1, 4);
	bed_alu(b, 0, CLASS_INT, 6, 1, 5);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_expect(b, 0, "00" "........" "0" "......." "0" "0");
	refusals(b, reason);
	assert_int_equal(reason[REFUSED_MSHRS], 13 - 6);
	assert_int_equal(reason[REFUSED_MERGES] + reason[REFUSED_INTERCONNECT], 0);
	bed_close(b);
}

/* One request per MSHR: the second load of the line is refused from 6 to 12 and hits in 13: back in 13 + 8. */
static void merges_run_out(void **state)
{
	struct bed *b = bed_new();
	u32 reason[4];

	(void)state;
	b->config.l1d_merges = 1;
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 6, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	bed_expect(b, 0, "01" "........" "00" "......" "1" "1");
	refusals(b, reason);
	assert_int_equal(reason[REFUSED_MERGES], 13 - 6);
	assert_int_equal(reason[REFUSED_MSHRS] + reason[REFUSED_INTERCONNECT], 0);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), 1);
	bed_close(b);
}

/* Stores of four sectors hold the port for four cycles each; a queue of two packets fills. */
static void the_crossbar_fills(void **state)
{
	struct bed *b = bed_new();
	u32 reason[4];

	(void)state;
	b->config.icnt_queue = 2;
	bed_address(b, 0, 2, BED_BASE, 4);
	for (u32 i = 0; i < 8; i++)
		bed_through(bed_memory(b, 0, OP_ST, CLASS_STORE, 0), 2)->offset = (i32)(i * 128);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	refusals(b, reason);
	assert_int_equal(reason[REFUSED_MSHRS] + reason[REFUSED_MERGES], 0);
	/* served from 10 on, moved in 11, 15, 19, ... 39: the k-th (from 0) may enter the queue of two when k - 2 has been
	 * moved, in 11 + 4 (k - 2); without refusals it would have come one cycle after the one before it */
	assert_int_equal(reason[REFUSED_INTERCONNECT], 31 - (10 + 7));
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_WRITES), 8);
	bed_close(b);
}

/* One set of two ways: the line used longest ago leaves. */
static void least_recently_used_leaves(void **state)
{
	static const u64 at[] = { 0, 4096, 0, 8192, 0, 4096, 8192 };
	static const bool hit[] = { false, false, true, false, true, false, false };
	struct bed *b = chain_bed(at, 7);
	u64 hits = 0;

	(void)state;
	b->config.l1d_line = 128;
	b->config.l1d_ways = 2;
	b->config.l1d_bytes = 512; /* two sets; the lines above are all even: set 0 */
	bed_open(b);
	for (u32 i = 0; i < 7; i++) {
		round_trip(b, i);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS) - hits, hit[i]);
		hits = sim_sm_stat(&b->sim, STAT_L1D_HITS);
	}
	bed_close(b);
}

/* Stores are written through without a place in the L1D; the end of a kernel empties it. */
static void stores_and_boundaries(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE);
	bed_load(b, 0, 4, BED_BASE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_WRITES), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_MISSES), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_L1D_HITS), 0);
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_MISSES), 1); /* the first store; its sector is there from then on */
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_HITS), 3);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_READS), 0);
	bed_close(b);
}

/* --- L2 --- */

/* Two SMs ask for the same line at once: one joins the other's MSHR, DRAM is read once. */
static void l2_merges(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.gpu_sms = 2;
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 2, 32);
	bed_open(b);
	bed_run(b);
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_MISSES), 1);
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_MERGES), 1);
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_REPLIES), 2);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_READS), 1);
	bed_close(b);
}

/* One set of eight lines: the ninth line written makes the oldest dirty sectors go to DRAM. */
static void l2_writes_back(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.l2_bytes = 1024;
	b->config.l2_ways = 8;
	for (u32 i = 0; i < 9; i++)
		bed_memory(b, 0, OP_ST, CLASS_STORE, BED_BASE + i * 128);
	bed_load(b, 0, 4, BED_BASE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	bed_run(b);
	/* the load comes after the stores on the same way: its line has gone, and pushes out the second */
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_WRITEBACKS), 2);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_READS), 1);
	bed_run_to(b, bed_cycle(b) + 20);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_WRITES), 2);
	bed_close(b);
}

/* 32 lanes add their number to one word: one request; each lane's old value and the sum are right; the way is a load's. */
static void atomics_are_performed(void **state)
{
	struct bed *b = bed_new();
	u32 sum = 0, n;

	(void)state;
	struct inst *in = bed_inst(b, 0, OP_MOV_32, CLASS_INT);
	in->ndst = in->nsrc = 1;
	in->dst[0] = (struct operand){ .kind = OPERAND_REG, .value = 1 };
	in->src[0] = (struct operand){ .kind = OPERAND_SREG, .value = SREG_LANEID };
	bed_writes(in, 1);
	in = bed_memory(b, 0, OP_ATOM, CLASS_ATOMIC, BED_BASE);
	in->aux = ATOM_ADD;
	in->vec = VALUE_U32;
	in->nsrc = 2;
	in->src[1] = (struct operand){ .kind = OPERAND_REG, .value = 1 };
	bed_reads(in, 1);
	in->ndst = 1;
	in->dst[0] = (struct operand){ .kind = OPERAND_REG, .value = 4 };
	bed_writes(in, 4);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	u64 t = bed_when(b, 0, 0, 1);
	assert_int_equal(bed_when(b, 0, 0, 2) - t, 10);
	const u32 *regs = sim_warp_regs(&b->sim, 0, 0, &n);
	for (u32 i = 0; i < 32; i++) {
		assert_int_equal(regs[4 * 32 + i], sum);
		sum += i;
	}
	bed_run(b);
	store_read(&b->sim.store, BED_BASE, &n, sizeof n);
	assert_int_equal(n, sum);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_REQUESTS), 1);
	assert_int_equal(sim_l2_stat(&b->sim, STAT_L2_ATOMICS), 1);
	bed_close(b);
}

/* The STORE event of a cycle tells lanes and bytes, however the bytes were put together. */
static void store_events_tell_lanes(void **state)
{
	struct bed *b = bed_new();
	struct record r = { 0 };

	(void)state;
	bed_address(b, 0, 2, BED_BASE, 4);
	bed_through(bed_memory(b, 0, OP_ST, CLASS_STORE, 0), 2);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!bed_records(b, EVENT_STORE, &r))
		sim_cycle(&b->sim);
	assert_int_equal(r.b, 128);
	assert_int_equal(r.a, 32);
	bed_close(b);
}

/*
 * Many reads in service, each of which pushes a dirty line out of the L2, and a short DRAM queue: write-backs always find
 * a place, and the program ends.
 */
static void write_backs_find_a_place(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.l2_mshrs = 1024;
	b->config.l1d_enabled = 0;
	b->config.l1d_mshrs = 1024;
	b->config.l2_bytes = 1024 * 128;
	b->config.l2_ways = 16;
	b->config.dram_queue = 4;
	b->config.dram_latency = 1;
	b->config.dram_bytes = 8;
	b->config.icnt_bytes = 256;
	b->config.sm_warps = 64;
	b->config.sm_subcores = 4;
	b->config.gpu_sms = 4;
	bed_address_by(b, 0, 2, SREG_TID_X, BED_BASE, 128);
	for (u32 i = 0; i < 2; i++)
		bed_through(bed_memory(b, 0, OP_ST, CLASS_STORE, 0), 2)->offset = (i32)(i * 131072);
	for (u32 i = 2; i < 7; i++)
		bed_through(bed_load(b, 0, 8 + i, 0), 2)->offset = (i32)(i * 131072);
	bed_exit(b, 0);
	bed_launch(b, 0, 4, 1024);
	bed_open(b);
	bed_run(b);
	bed_close(b);
}

/* --- everything is given back --- */

/* Entries of a free list that is linked by the first two bytes of each entry. */
static u32 free_entries(const void *entries, u32 size, u16 first)
{
	u32 n = 0;

	for (u16 at = first; at != NONE16; n++)
		memcpy(&at, (const u8 *)entries + (size_t)at * size, sizeof at);
	return n;
}

/* Nothing of an SM is taken, in flight or on its way. */
static void assert_sm_empty(const struct sim *s, u32 id)
{
	const struct sm_view *v = &s->view[id];
	const struct machine *m = s->m;

	assert_int_equal(free_entries(v->result, sizeof *v->result, v->sm->result_free), m->section[SECTION_RESULT].count);
	assert_int_equal(free_entries(v->load, sizeof *v->load, v->sm->load_free), m->section[SECTION_LOAD].count);
	assert_int_equal(free_entries(v->memop, sizeof *v->memop, v->sm->memop_free), m->section[SECTION_MEMOP].count);
	assert_int_equal(free_entries(v->waiter, sizeof *v->waiter, v->sm->waiter_free),
			 m->section[SECTION_L1D_WAITER].count);
	assert_int_equal(v->sm->mshrs_used + v->sm->imiss_used + v->sm->lsu_count + v->sm->collectors_busy, 0);
	assert_int_equal(v->sm->warps + v->sm->ctas + v->sm->threads + v->sm->finishing, 0);
	assert_int_equal(v->port->in_count + v->port->out_count, 0);
	assert_int_equal(v->sm->shared_free, m->config.sm_shared);
	for (u32 k = 0; k < m->config.sm_subcores; k++)
		assert_int_equal(v->sub[k].registers_free, m->config.sm_registers / m->config.sm_subcores);
}

/* Requests = answers, lookups = hits + misses + merges, and all entries are free again. */
static void requests_equal_answers(void **state)
{
	(void)state;
	for (u32 seed = 0; seed < 6; seed++) {
		struct bed *b = bed_crowd(seed);
		struct sim *s = bed_open(b);

		bed_run(b);
		assert_false(sim_faulted(s) || sim_deadlocked(s));
		bed_run_to(b, bed_cycle(b) + 500); /* instructions fetched ahead, lines written back */
		assert_int_equal(sim_sm_stat(s, STAT_REQUESTS), sim_sm_stat(s, STAT_REPLIES));
		assert_int_equal(sim_l2_stat(s, STAT_L2_REPLIES), sim_sm_stat(s, STAT_REPLIES));
		assert_int_equal(sim_l2_stat(s, STAT_L2_ACCESSES), sim_sm_stat(s, STAT_REQUESTS));
		assert_int_equal(sim_l2_stat(s, STAT_L2_ACCESSES), sim_l2_stat(s, STAT_L2_HITS) +
				 sim_l2_stat(s, STAT_L2_MISSES) + sim_l2_stat(s, STAT_L2_MERGES));
		assert_int_equal(sim_sm_stat(s, STAT_L1D_ACCESSES), sim_sm_stat(s, STAT_L1D_HITS) +
				 sim_sm_stat(s, STAT_L1D_MISSES) + sim_sm_stat(s, STAT_L1D_MERGES));
		assert_int_equal(sim_l2_stat(s, STAT_L2_WRITEBACKS), sim_dram_stat(s, STAT_DRAM_WRITES));
		assert_true(sim_sm_stat(s, STAT_L1D_REFUSED) && sim_l2_stat(s, STAT_L2_REFUSED));
		assert_int_equal(sim_sm_stat(s, STAT_DROPPED), 0);
		for (u32 i = 0; i < 3; i++)
			assert_sm_empty(s, i);
		for (u32 i = 0; i < 4; i++) {
			const struct slice *slice = machine_slice_section(s->m, i, SECTION_SLICE);
			assert_int_equal(slice->in_count + slice->out_count + slice->mshrs_used, 0);
		}
		bed_check_sums(b);
		bed_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(coalesce_known),
		cmocka_unit_test(coalesce_random),
		cmocka_unit_test(shared_known),
		cmocka_unit_test(shared_random),
		cmocka_unit_test(shared_timing),
		cmocka_unit_test(hit_takes_its_latency),
		cmocka_unit_test(hits_use_the_ports),
		cmocka_unit_test(miss_is_the_sum_of_its_latencies),
		cmocka_unit_test(pointer_chase),
		cmocka_unit_test(sectors_take_time),
		cmocka_unit_test(answers_share_a_port),
		cmocka_unit_test(dram_has_its_own_clock),
		cmocka_unit_test(dram_bandwidth),
		cmocka_unit_test(loads_of_a_line_merge),
		cmocka_unit_test(another_sector_joins),
		cmocka_unit_test(lines_are_sectored),
		cmocka_unit_test(mshrs_run_out),
		cmocka_unit_test(merges_run_out),
		cmocka_unit_test(the_crossbar_fills),
		cmocka_unit_test(least_recently_used_leaves),
		cmocka_unit_test(stores_and_boundaries),
		cmocka_unit_test(l2_merges),
		cmocka_unit_test(l2_writes_back),
		cmocka_unit_test(atomics_are_performed),
		cmocka_unit_test(store_events_tell_lanes),
		cmocka_unit_test(write_backs_find_a_place),
		cmocka_unit_test(requests_equal_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
