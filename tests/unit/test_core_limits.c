/*
 * test_core_limits.c - limits hold exactly: under more demand than a queue, table or cache of the machine can take,
 * what is in use comes to its setting and no further, whether that is 1 or more; and what is counted or timed at a
 * limit is so to the cycle.
 */
#include "core_bed.h"
#include "memory/memory.h"

/* --- demands --- */

/* Warps that load 32 lines each, all different, `n` times over. */
static void many_lines(struct bed *b, u32 n)
{
	bed_address_by(b, 0, 2, SREG_TID_X, BED_BASE, 128);
	for (u32 i = 0; i < n; i++)
		bed_through(bed_load(b, 0, 4 + i, 0), 2)->offset = (i32)(i * 32768);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 256);
}

static void lines(struct bed *b)
{
	b->config.l1d_ports = 8;
	many_lines(b, 4);
}

/* Answers leave the slice in four clocks each and come in one. */
static void slow_answers(struct bed *b)
{
	b->config.icnt_bytes = 8;
	b->config.l2_merges = 1;
	many_lines(b, 4);
}

/* Rows open late, so that requests pile up before them. */
static void slow_rows(struct bed *b)
{
	b->config.dram_rcd = 100;
	many_lines(b, 4);
}

/* All warps load the same word. */
static void one_line(struct bed *b)
{
	b->config.dram_rcd = 100;
	bed_load(b, 0, 4, BED_BASE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 256);
}

/* Eight SMs do. */
static void one_line_of_many(struct bed *b)
{
	b->config.gpu_sms = 8;
	b->config.dram_rcd = 100;
	bed_load(b, 0, 4, BED_BASE);
	bed_exit(b, 0);
	bed_launch(b, 0, 8, 32);
}

/* Two reads of one bank for every instruction. */
static void operands(struct bed *b)
{
	b->config.sm_banks = 1;
	for (u32 i = 0; i < 12; i++)
		bed_alu(b, 0, CLASS_INT, 4 + i, 2, 16, 17);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 256);
}

/* 32 words of one bank of shared memory hold the LSU for 32 cycles. */
static void shared_conflicts(struct bed *b)
{
	b->config.sm_collectors = 16;
	bed_address(b, 0, 2, 0, 128);
	for (u32 i = 0; i < 3; i++) {
		struct inst *in = bed_through(bed_memory(b, 0, OP_LD, CLASS_SHLOAD, 0), 2);

		in->ndst = 1;
		in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = (u16)(4 + i)};
		bed_writes(in, 4 + i);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 256)->shared = 4096;
}

/* Loads of parameters: warp w takes the word at w x stride. */
static void parameters(struct bed *b, u32 stride)
{
	b->kernel[0].param_bytes = 1024;
	b->config.const_perfect = 0;
	b->config.dram_rcd = 100;
	bed_address_by(b, 0, 2, SREG_WARPID, 0, stride);
	struct inst *in = bed_through(bed_memory(b, 0, OP_LD, CLASS_CONST, 0), 2);

	in->space = SPACE_PARAM;
	in->ndst = 1;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 4};
	bed_writes(in, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 256);
}

static void one_parameter(struct bed *b)
{
	parameters(b, 0);
}
static void many_parameters(struct bed *b)
{
	parameters(b, 64);
}

/* Three programs of their own lines, at once. */
static void programs(struct bed *b)
{
	b->config.l1i_perfect = 0;
	for (u32 k = 0; k < 3; k++) {
		bed_alu(b, k, CLASS_INT, 4, 0);
		bed_exit(b, k);
		bed_launch(b, k, 1, 32)->stream = k + 1;
	}
}

/* --- what is in use --- */

static u32 mshrs(struct sim *s)
{
	return s->view[0].sm->mshrs_used;
}
static u32 requests(struct sim *s)
{
	return s->view[0].port->out_count;
}
static u32 misses(struct sim *s)
{
	return s->view[0].port->misses;
}
static u32 collectors(struct sim *s)
{
	return s->view[0].sm->collectors_busy;
}
static u32 lsu(struct sim *s)
{
	return s->view[0].sm->lsu_count;
}
static u32 code_lines(struct sim *s)
{
	return s->view[0].sm->imiss_used;
}
static u32 resident_warps(struct sim *s)
{
	return s->view[0].sm->warps;
}
static u32 resident_ctas(struct sim *s)
{
	return s->view[0].sm->ctas;
}

/* The most requests at one MSHR of a table. */
static u32 most_waiting(const struct mshr *m, u32 n)
{
	u32 most = 0;

	for (u32 i = 0; i < n; i++)
		most = max_u32(most, m[i].count);
	return most;
}

static u32 l1d_waiting(struct sim *s)
{
	return most_waiting(s->view[0].mshr, s->m->config.l1d_mshrs);
}
static u32 const_waiting(struct sim *s)
{
	return most_waiting(s->view[0].const_mshr, s->m->config.const_mshrs);
}
static u32 l2_waiting(struct sim *s)
{
	return most_waiting(machine_slice_section(s->m, 0, SECTION_L2_MSHR), s->m->config.l2_mshrs);
}

static u32 const_lines_asked(struct sim *s)
{
	u32 n = 0;

	for (u32 i = 0; i < s->m->config.const_mshrs; i++)
		n += s->view[0].const_mshr[i].line != 0;
	return n;
}

static u32 loads(struct sim *s)
{
	u32 n = 0;

	for (u32 i = 0; i < s->m->config.lsu_loads; i++)
		n += s->view[0].load[i].issued_at && s->view[0].load[i].context != NONE16;
	return n;
}

static const struct slice *slice(struct sim *s)
{
	return machine_slice_section(s->m, 0, SECTION_SLICE);
}
static u32 l2_mshrs(struct sim *s)
{
	return slice(s)->mshrs_used;
}
static u32 answers(struct sim *s)
{
	return slice(s)->out_count;
}
static u32 dram_requests(struct sim *s)
{
	const struct channel *ch = machine_channel_section(s->m, 0, SECTION_CHANNEL);

	return ch->waiting[0] + ch->waiting[1];
}

/* The most that is in use at the end of a cycle, in a whole run. */
static u32 peak(struct bed *b, u32 (*used)(struct sim *s))
{
	u32 most = 0;

	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		most = max_u32(most, used(&b->sim));
		if (bed_cycle(b) > 100000)
			fail_msg("the program does not end");
	}
	return most;
}

/* A limit: the setting, a demand that is greater than all values tried, what is in use, and how much less than the
 * setting that may be. */
struct limit {
	const char *name;
	enum setting_id setting;
	void (*demand)(struct bed *b);
	u32 (*used)(struct sim *s);
	u32 less;
	u32 value[4]; /* tried; 0: no more */
};

static const struct limit limits[] = {
	{"l1d.mshrs", SET_l1d_mshrs, lines, mshrs, 0, {1, 2, 3, 7}},
	{"l1d.merges", SET_l1d_merges, one_line, l1d_waiting, 0, {1, 2, 3, 7}},
	{"l1d.queue", SET_l1d_queue, lines, misses, 0, {1, 2, 3, 7}},
	{"icnt.queue", SET_icnt_queue, lines, requests, 0, {2, 3, 4, 7}},
	{"l2.mshrs", SET_l2_mshrs, slow_rows, l2_mshrs, 0, {1, 2, 3, 7}},
	{"l2.merges", SET_l2_merges, one_line_of_many, l2_waiting, 0, {1, 2, 3, 7}},
	{"l2.queue", SET_l2_queue, slow_answers, answers, 0, {2, 3, 4, 7}},
	/* the last place is kept for what a fill writes back */
	{"dram.queue", SET_dram_queue, slow_rows, dram_requests, 1, {2, 3, 4, 7}},
	{"const.mshrs", SET_const_mshrs, many_parameters, const_lines_asked, 0, {1, 2, 3, 7}},
	{"const.merges", SET_const_merges, one_parameter, const_waiting, 0, {1, 2, 3, 7}},
	{"l1i.mshrs", SET_l1i_mshrs, programs, code_lines, 0, {1, 2, 3}},
	{"sm.collectors", SET_sm_collectors, operands, collectors, 0, {1, 2, 3, 7}},
	{"lsu.queue", SET_lsu_queue, shared_conflicts, lsu, 0, {1, 2, 3, 7}},
	{"lsu.loads", SET_lsu_loads, lines, loads, 0, {8, 9, 10, 15}},
};

static void limits_are_reached_and_not_passed(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(limits); i++)
		for (u32 k = 0; k < ARRAY_LEN(limits[i].value) && limits[i].value[k]; k++) {
			const struct limit *l = &limits[i];
			struct bed *b = bed_new();
			u32 most;

			b->config.lsu_queue = 16;
			b->config.sm_collectors = 16;
			l->demand(b);
			config_set(&b->config, l->setting, l->value[k]);
			most = peak(b, l->used);
			if (most != l->value[k] - l->less)
				fail_msg("%s %u: at most %u in use", l->name, l->value[k], most);
			bed_close(b);
		}
}

/* One more than the demand refuses nothing, and as much as it neither: a limit is the last that is allowed. */
static void as_many_as_fit_are_taken(void **state)
{
	static const struct {
		enum setting_id setting;
		enum sm_counter refused;
		u32 demand;
		bool same;
	} row[] = {{SET_l1d_mshrs, STAT_L1D_REFUSED_MSHRS, 4, false},
		   {SET_l1d_merges, STAT_L1D_REFUSED_MERGES, 4, true},
		   {SET_l1d_mshrs, STAT_L1D_REFUSED_MSHRS, 1, false},
		   {SET_l1d_merges, STAT_L1D_REFUSED_MERGES, 1, true}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		for (u32 less = 0; less < min_u32(row[i].demand, 2); less++) {
			struct bed *b = bed_new();

			b->config.dram_rcd = 100;
			bed_address_by(b, 0, 2, SREG_WARPID, BED_BASE, row[i].same ? 0 : 128);
			bed_through(bed_load(b, 0, 4, 0), 2);
			bed_exit(b, 0);
			bed_launch(b, 0, 1, 32 * row[i].demand);
			config_set(&b->config, row[i].setting, row[i].demand - less);
			bed_open(b);
			bed_run(b);
			assert_int_equal(sim_sm_stat(&b->sim, row[i].refused) != 0, less);
			bed_close(b);
		}
}

/* Scheduling and capacity limits: CTAs of 64 threads, 2 x 32 x 32 registers and 1024 bytes, as many as each limit
 * allows, and with one unit less one CTA less. */
static void as_many_ctas_as_fit(void **state)
{
	static const struct {
		enum setting_id setting;
		u32 each;
	} row[] = {{SET_sm_ctas, 1},
		   {SET_sm_threads, 64},
		   {SET_sm_warps, 2},
		   {SET_sm_registers, 2048},
		   {SET_sm_shared, 1024}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		for (u32 fit = 1; fit <= 3; fit++)
			for (u32 less = 0; less < 2; less++) {
				struct bed *b = bed_new();
				u32 value = row[i].each * fit - less;

				if (value < setting_table[row[i].setting].min ||
				    (row[i].setting == SET_sm_threads && value % 32) || value < row[i].each) {
					bed_close(b);
					continue;
				}
				b->config.sm_warps = 16;
				b->config.sm_ctas = 8;
				b->config.sm_shared = b->config.sm_cta_shared = 8192;
				for (u32 k = 0; k < 20; k++)
					bed_alu(b, 0, CLASS_INT, 4, 1, 4);
				bed_exit(b, 0);
				bed_launch(b, 0, 8, 64)->shared = 1024;
				config_set(&b->config, row[i].setting, value);
				b->config.sm_cta_shared = min_u32(b->config.sm_cta_shared, b->config.sm_shared);
				assert_int_equal(peak(b, resident_ctas), fit - less);
				assert_int_equal(peak(b, resident_warps), 2 * (fit - less));
				bed_close(b);
			}
}

/* --- counters and clocks at a limit --- */

/* icnt.latency_sum and icnt.replies_read: what the answers to loads and to atomics with a result took, and nothing
 * else. */
static void round_trips_are_summed(void **state)
{
	u64 sum = 0, reads = 0, others = 0;
	struct bed *b = bed_crowd(3);

	(void)state;
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			const struct record *r = &b->sim.bus.record[i];

			if (r->kind != EVENT_REPLY)
				continue;
			if (r->a == PACKET_READ || r->a == PACKET_ATOMIC) {
				sum += r->b;
				reads++;
			} else {
				others++;
			}
		}
	}
	assert_true(others > 0);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_REPLY_READS), reads);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_REPLY_LATENCY), sum);
	bed_close(b);
}

/* An atomic that wants its old value takes as long as a load, and its round trip is counted. */
static void an_atomic_is_a_round_trip(void **state)
{
	struct bed *b = bed_new();
	struct record r = {0};

	(void)state;
	struct inst *in = bed_memory(b, 0, OP_ATOM, CLASS_ATOMIC, BED_BASE);
	in->aux = ATOM_ADD;
	in->vec = VALUE_U32;
	in->nsrc = 2;
	in->src[1] = (struct operand){.kind = OPERAND_REG, .value = 0};
	in->ndst = 1;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 4};
	bed_writes(in, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	bed_open(b);
	while (!bed_records(b, EVENT_REPLY, &r))
		sim_cycle(&b->sim);
	bed_run(b);
	assert_int_equal(r.a, PACKET_ATOMIC);
	assert_true(r.b > 0);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_REPLY_LATENCY), r.b);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_REPLY_READS), 1);
	bed_close(b);
}

/* Clock in which a channel's queue got a request for the row of an address; NEVER: there is none. */
static u64 arrival(struct sim *s, u64 address)
{
	const struct dreq *q = machine_channel_section(s->m, 0, SECTION_DQUEUE);
	struct dreq want;

	dram_place(s->m, (address >> s->m->line_shift) * 16, 0, &want);
	for (u32 i = 0; i < s->m->config.dram_queue; i++)
		if (q[i].row == want.row && q[i].columns)
			return q[i].clock;
	return NEVER;
}

/*
 * A request for another row waits while requests for the open row come and are served, one in four clocks. When it has
 * waited dram.starve clocks, and not one sooner or later, its bank's row is closed for it.
 */
static void patience_ends_to_the_clock(void **state)
{
	(void)state;
	for (u32 starve = 16; starve < 50; starve += 5) {
		struct bed *b = bed_new();
		struct record pre = {0};
		u64 came = NEVER;

		b->config.dram_starve = starve;
		b->config.dram_banks = 1;
		b->config.dram_row = 4096;
		b->config.dram_spread = 0;
		b->config.dram_ccd = 4;
		b->kernel[0].regs = 64;
		for (u32 i = 0; i < 30; i++)
			bed_load(b, 0, 4 + i, BED_BASE + (i == 3 ? 4096 : i * 128));
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 32);
		bed_open(b);
		while (!bed_records(b, EVENT_DRAM_PRE, &pre)) {
			sim_cycle(&b->sim);
			if (came == NEVER && (came = arrival(&b->sim, BED_BASE + 4096)) != NEVER)
				assert_int_equal(came, bed_cycle(b)); /* the clock after that in which the L2 asked */
			assert_true(bed_cycle(b) < 1000);
		}
		assert_int_equal(pre.b, came + starve);
		assert_int_equal(sim_dram_stat(&b->sim, STAT_DRAM_STARVED), 1);
		bed_close(b);
	}
}

/* Results under way: hits of 500 cycles, eight in each, fill the table but for the entries that are kept back, one for
 * each context. */
static u32 results(struct sim *s)
{
	return s->view[0].sm->results_used;
}

static void results_fill_their_table(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.l1d_latency = 500;
	b->config.l1d_ports = 8;
	bed_address(b, 0, 2, BED_BASE, 128);
	bed_through(bed_load(b, 0, 4, 0), 2);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	for (u32 i = 0; i < 4; i++)
		bed_through(bed_load(b, 0, 6 + i, 0), 2);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 256);
	assert_int_equal(peak(b, results), 512);
	assert_true(sim_sm_stat(&b->sim, STAT_L1D_REFUSED_RESULTS) > 0);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_are_reached_and_not_passed),
		cmocka_unit_test(as_many_as_fit_are_taken),
		cmocka_unit_test(as_many_ctas_as_fit),
		cmocka_unit_test(round_trips_are_summed),
		cmocka_unit_test(an_atomic_is_a_round_trip),
		cmocka_unit_test(patience_ends_to_the_clock),
		cmocka_unit_test(results_fill_their_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
