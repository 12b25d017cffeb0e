/*
 * test_core_memory.c - line accesses and bank conflicts, and the way of a load: L1D, crossbar, L2, DRAM and back.
 *
 * A load that issues in cycle t is dispatched in t + 1 and served by the LSU in t + 2. A hit is back l1d.latency later.
 * A miss is moved into the crossbar in t + 3 and looked up in the L2 in T = t + 3 + icnt.latency + l2.latency. A hit
 * there is answered in T + 1 and reaches the SM icnt.latency later. A miss starts in DRAM in T + 1 at the earliest,
 * holds the bus for one clock per sector (32 bytes a clock), has its data dram.latency clocks later and is answered one
 * cycle after that. Every sector beyond the first adds a cycle of the answer's port (32 bytes a cycle). A reader issues
 * in the very cycle.
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
	return machine_new(&c, 1, 1, 0);
}

/* Addresses base + stride x lane. */
static struct front_result lanes(u32 mask, u64 base, u64 stride)
{
	struct front_result r = {.mask = mask};

	for (u32 i = 0; i < 32; i++)
		r.address[i] = base + i * stride;
	return r;
}

static void coalesce_known(void **state)
{
	static const struct {
		u32 line, mask;
		u64 base, stride;
		u32 bytes, n;
		u64 first, last;
	} known[] = {
		{128, ~0u, 0x1000, 4, 4, 1, 0x20 * 16 + 15, 0x20 * 16 + 15},
		{128, ~0u, 0x1000, 8, 8, 2, 0x20 * 16 + 15, 0x21 * 16 + 15},
		{128, ~0u, 0x1000, 16, 16, 4, 0x20 * 16 + 15, 0x23 * 16 + 15},
		{64, ~0u, 0x1000, 4, 4, 2, 0x40 * 16 + 3, 0x41 * 16 + 3},
		{32, ~0u, 0x1000, 4, 4, 4, 0x80 * 16 + 1, 0x83 * 16 + 1},
		{32, ~0u, 0x1000, 16, 16, 16, 0x80 * 16 + 1, 0x8f * 16 + 1},
		{128, ~0u, 0x1004, 4, 4, 2, 0x20 * 16 + 15, 0x21 * 16 + 1}, /* the last lane is in the next line */
		{128, ~0u, 0x1060, 4, 4, 2, 0x20 * 16 + 8, 0x21 * 16 + 7},
		{128, ~0u, 0x1000, 0, 4, 1, 0x20 * 16 + 1, 0x20 * 16 + 1}, /* broadcast */
		{128, ~0u, 0x1000, 128, 4, 32, 0x20 * 16 + 1, 0x3f * 16 + 1},
		{128, ~0u, 0x1000, 8, 4, 2, 0x20 * 16 + 15, 0x21 * 16 + 15},
		{128, 0x80000001, 0x1000, 4, 4, 1, 0x20 * 16 + 9, 0x20 * 16 + 9}, /* lanes 0 and 31 */
		{128, ~0u, 0x1000, 1, 1, 1, 0x20 * 16 + 1, 0x20 * 16 + 1},
		{128, 0, 0x1000, 4, 4, 0, 0, 0},
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
	static const u32 sizes[] = {32, 64, 128};

	(void)state;
	for (u32 trial = 0; trial < 6000; trial++) {
		u64 x = mix64(trial), got[MAX_TRANSACTIONS], want[MAX_TRANSACTIONS];
		u32 size = sizes[trial % 3], bytes = 1u << x % 5, kind = x >> 8 & 3;
		struct machine *m = small_machine(size, 32);
		struct front_result r = lanes(x >> 10 & 1 ? ~0u : (u32)(x >> 32), 0x10000 + (x >> 12 & 31) * bytes,
					      kind == 0	  ? bytes
					      : kind == 1 ? bytes * (x >> 20 & 15)
							  : 0);

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
	static const struct {
		u32 banks, mask;
		u64 base, stride;
		u32 bytes, degree;
	} known[] = {
		{32, ~0u, 0, 4, 4, 1},	     {32, ~0u, 0, 0, 4, 1},  /* no conflict; broadcast */
		{32, ~0u, 64, 4, 4, 1},	     {32, ~0u, 0, 1, 1, 1},  /* over two rows; bytes of one word */
		{32, ~0u, 0, 8, 4, 2},	     {32, ~0u, 0, 16, 4, 4}, /* strides of 2, 4, ... 32 words */
		{32, ~0u, 0, 32, 4, 8},	     {32, ~0u, 0, 64, 4, 16},	{32, ~0u, 0, 128, 4, 32},
		{32, ~0u, 0, 132, 4, 1},			     /* padded by a word */
		{32, ~0u, 0, 12, 4, 1},	     {32, ~0u, 0, 24, 4, 2}, /* odd; 6 words */
		{32, 0xffff, 0, 128, 4, 16}, {32, 1, 0, 128, 4, 1},	{32, 0, 0, 4, 4, 0},
		{32, ~0u, 0, 8, 8, 2},	     {32, ~0u, 0, 0, 8, 2}, /* half warps, one after the other */
		{32, ~0u, 0, 16, 8, 4},	     {32, ~0u, 0, 128, 8, 32},	{32, 0xffff, 0, 8, 8, 1},
		{32, ~0u, 0, 16, 16, 4},     {32, ~0u, 0, 128, 16, 32}, /* quarter warps of 8 lanes */
		{32, ~0u, 0, 32, 16, 8},     {32, 0xff, 0, 16, 16, 1},	{16, ~0u, 0, 4, 4, 2},
		{1, ~0u, 0, 4, 4, 32}, /* fewer banks */
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		struct machine *m = small_machine(128, known[i].banks);
		struct front_result r = lanes(known[i].mask, known[i].base, known[i].stride);

		assert_int_equal(shared_degree(m, &r, known[i].bytes), known[i].degree);
		m->config.shared_conflict = 3; /* cycles for each way beyond the first */
		if (known[i].bytes == 4 && known[i].degree)
			assert_int_equal(shared_degree(m, &r, 4), 1 + (known[i].degree - 1) * 3);
		free(m);
	}
}

/* shared.first_word: 16 bytes at one address are one word; 16 bytes of each lane are 32 words, 4 of a bank. */
static void shared_first_words(void **state)
{
	static const struct {
		u32 mask, stride, bytes, degree;
	} known[] = {{~0u, 4, 4, 1},   {~0u, 0, 8, 1},	  {~0u, 8, 8, 2},   {~0u, 0, 16, 1},
		     {~0u, 16, 16, 4}, {0xff, 16, 16, 1}, {~0u, 32, 16, 8}, {0, 16, 16, 0}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(known); i++) {
		struct machine *m = small_machine(128, 32);
		struct front_result r = lanes(known[i].mask, 64, known[i].stride);

		m->config.shared_first_word = 1;
		assert_int_equal(shared_degree(m, &r, known[i].bytes), known[i].degree);
		free(m);
	}
}

/* The most distinct words of one bank, group by group, the slow way: a word counts if no earlier lane named it. */
static u32 degree_slowly(const struct front_result *r, u32 bytes, u32 banks)
{
	u32 words = bytes / 4 ? bytes / 4 : 1, group = 32 / words, total = 0;

	for (u32 g = 0; g < 32; g += group) {
		u8 seen[4096] = {0};
		u32 count[64] = {0}, worst = 0;

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
			in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = (u16)(4 + i)};
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

static void hit_takes_its_latency(void **state)
{
	static const u64 at[] = {0, 4, 8};
	struct bed *b = bed_chain(at, 3);

	(void)state;
	b->config.l1d_latency = 17;
	bed_open(b);
	bed_round_trip(b, 0);
	assert_int_equal(bed_round_trip(b, 1), 2 + 17);
	assert_int_equal(bed_round_trip(b, 2), 2 + 17);
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
	static const u32 lat[][3] = {{1, 1, 1}, {7, 11, 13}, {40, 90, 120}, {1, 200, 3}};
	static const u64 at[] = {0, 0, 4096};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(lat); i++) {
		struct bed *b = bed_chain(at, 3);
		u32 icnt = lat[i][0], l2 = lat[i][1], dram = lat[i][2];

		b->config.icnt_latency = icnt;
		b->config.l2_latency = l2;
		b->config.dram_latency = dram;
		b->config.l1d_enabled = 0;
		bed_open(b);
		assert_int_equal(bed_round_trip(b, 0), 3 + icnt + l2 + 2 + dram + 1 + icnt);
		assert_int_equal(bed_round_trip(b, 1), 3 + icnt + l2 + 1 + icnt); /* the L2 has it now */
		assert_int_equal(bed_round_trip(b, 2), 3 + icnt + l2 + 2 + dram + 1 + icnt);
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
			in->dst[k] = (struct operand){.kind = OPERAND_REG, .value = (u16)(4 + k)};
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
	static const u32 ratio[][2] = {{850, 1400}, {1, 4}, {3, 1}, {7, 5}, {1000, 1000}};
	static const u64 at[] = {0, 4096, 8192};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(ratio); i++) {
		struct bed *b = bed_chain(at, 3);
		u32 p = ratio[i][0], q = ratio[i][1];

		b->config.dram_clock = p;
		b->config.gpu_clock = q;
		b->config.dram_latency = 10;
		bed_open(b);
		for (u32 k = 0; k < 3; k++) {
			u64 t = bed_when(b, 0, 0, 2 * k), lookup = t + 3 + 1 + 1;
			/* the first clock of a later cycle than that of the lookup starts it; data 1 + 10 clocks later
			 */
			u64 start = (lookup + 1) * p / q, data = start + 1 + 10;

			assert_int_equal(bed_when(b, 0, 0, 2 * k + 1), cycle_of_clock(data, p, q) + 1 + 1);
		}
		bed_close(b);
	}
}

/* 64 lines of four sectors at 8 bytes a clock and one clock in two cycles: 64 x 16 x 2 cycles of bus, and little more.
 */
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
		if (!first && sim_dram_stat(&b->sim, STAT_DRAM_BUSY))
			first = bed_cycle(b);
	}
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_READS), 64 * 4);
	assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_BUSY), 64 * 16);
	assert_in_range(bed_cycle(b) - first, 64 * 16 * 2, 64 * 16 * 2 + 20);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(coalesce_known),
		cmocka_unit_test(coalesce_random),
		cmocka_unit_test(shared_known),
		cmocka_unit_test(shared_first_words),
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
