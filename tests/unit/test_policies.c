/*
 * test_policies.c - the schemes for sub-cores: scores of register banks, assignments of warps, stealing; operand
 * throughput.
 */
#include "core_bed.h"

/* What RBA compares first. */
static u32 bank_score(const struct sched_view *v, u32 slot)
{
	struct score score[2];

	assert_true(scheme_rba.score(v, slot, score) == 2 && !strcmp(score[0].word, "score"));
	return (u32)score[0].value;
}

/* What a scheduler's policy sees of SM 0, sub-core 0. */
static struct sched_view bed_view(struct bed *b)
{
	return *sim_look(&b->sim, 0, 0);
}

/* Two warps, contexts 0 and 1 of one sub-core with two banks, at an instruction that reads r0, r2 and r1. */
static struct bed *score_bed(void)
{
	struct bed *b = bed_new();

	b->config.sm_banks = 2;
	policy_put(&b->policy, POLICY_order, SCHEME_rba);
	bed_alu(b, 0, CLASS_FP32, 3, 3, 0, 2, 1);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	bed_open(b);
	bed_run_to(b, BED_FIRST);
	return b;
}

static void set_queues(struct bed *b, u16 zero, u16 one)
{
	b->sim.view[0].bank[0].count = zero;
	b->sim.view[0].bank[1].count = one;
}

/* GTO stays with the younger warp, which issued last, but not with one that has taken over its slot and issued nothing
 * there. */
static void gto_stays_with_the_warp_not_the_slot(void **state)
{
	struct bed *b = score_bed();
	struct sched_view v = bed_view(b);
	struct score score[2];
	u64 both[SLOT_WORDS] = {3};

	(void)state;
	b->sim.view[0].sched[0].last = 1;
	for (u32 issued = 0; issued < 2; issued++) {
		b->sim.view[0].warp[1].issued = 1;
		b->sim.view[0].slot[1].since = 7 * issued;
		assert_int_equal(scheme_gto.decide.order(&v, both), issued);
		assert_int_equal(scheme_gto.score(&v, 1, score), 2);
		assert_int_equal(score[0].value, issued);
	}
	bed_close(b);
}

/* The example of the paper's section IV-A: two operands in bank 0, one in bank 1: 2 x 4 + 3. The other warp's banks are
 * swapped. */
static void score_adds_the_queues_of_the_operands(void **state)
{
	struct bed *b = score_bed();
	struct sched_view v = bed_view(b);

	(void)state;
	set_queues(b, 4, 3);
	assert_int_equal(bank_score(&v, 0), 2 * 4 + 3);
	assert_int_equal(bank_score(&v, 1), 2 * 3 + 4);
	b->sim.m->config.sm_bank_swizzle = 0;
	assert_int_equal(bank_score(&v, 1), 2 * 4 + 3);
	set_queues(b, 0, 0);
	assert_int_equal(bank_score(&v, 0), 0);
	bed_close(b);
}

/* Five bits: 2 x 15 + 1 is the largest that is told from others; a limit of 0 makes all alike. */
static void score_saturates_at_31(void **state)
{
	struct bed *b = score_bed();
	struct sched_view v = bed_view(b);

	(void)state;
	set_queues(b, 15, 0);
	assert_int_equal(bank_score(&v, 0), 30);
	set_queues(b, 15, 1);
	assert_int_equal(bank_score(&v, 0), 31);
	set_queues(b, 15, 2);
	assert_int_equal(bank_score(&v, 0), 31);
	set_queues(b, 200, 200);
	assert_int_equal(bank_score(&v, 0), 31);
	b->sim.m->config.rba_limit = 0;
	assert_int_equal(bank_score(&v, 0), 0);
	bed_close(b);
}

/* The queues are those of the warp's own sub-core: warp 1, in the second of two, has r0, r2 in the second bank there
 * and r1 in the first (swizzle: (register + 1) mod 2). */
static void score_looks_at_its_sub_core(void **state)
{
	struct bed *b = score_bed();
	const struct sched_view *v;

	(void)state;
	b->config.sm_subcores = 2;
	bed_open(b);
	bed_run_to(b, BED_FIRST);
	v = sim_look(&b->sim, 0, 1);
	set_queues(b, 1, 2);
	b->sim.view[0].bank[2].count = 3;
	b->sim.view[0].bank[3].count = 5;
	assert_int_equal(v->slot[4].context, 1);
	assert_int_equal(bank_score(v, 4), 2 * 5 + 3);
	bed_close(b);
}

/* A register named twice is two reads, unless collector.merge makes it one. */
static void score_counts_a_merged_operand_once(void **state)
{
	struct bed *b = score_bed();
	struct sched_view v = bed_view(b);

	(void)state;
	b->inst[0][0].read[1] = 0;
	set_queues(b, 4, 3);
	assert_int_equal(bank_score(&v, 0), 2 * 4 + 3);
	b->sim.m->config.collector_merge = 1;
	assert_int_equal(bank_score(&v, 0), 4 + 3);
	bed_close(b);
}

/* The lowest score issues; of equal ones the oldest. */
static void lowest_score_then_oldest_issues(void **state)
{
	struct bed *b = score_bed();
	struct sched_view v = bed_view(b);
	const u64 both[SLOT_WORDS] = {3}, second[SLOT_WORDS] = {2};

	(void)state;
	set_queues(b, 4, 3);
	assert_int_equal(scheme_rba.decide.order(&v, both), 1);
	set_queues(b, 3, 4);
	assert_int_equal(scheme_rba.decide.order(&v, both), 0);
	set_queues(b, 4, 4);
	assert_int_equal(scheme_rba.decide.order(&v, both), 0);
	set_queues(b, 0, 4);
	assert_int_equal(scheme_rba.decide.order(&v, second), 1);
	b->sim.view[0].warp[0].age = 7;
	set_queues(b, 4, 4);
	assert_int_equal(scheme_rba.decide.order(&v, both), 1);
	bed_close(b);
}

/* Eight warps that crowd two banks. */
static struct bed *crowd_bed(u32 insts)
{
	struct bed *b = bed_new();

	b->config.sm_banks = b->config.sm_collectors = 2;
	policy_put(&b->policy, POLICY_order, SCHEME_rba);
	for (u32 i = 0; i < insts; i++)
		bed_alu(b, 0, CLASS_FP32, 8 + i % 16, 3, i * 5 % 7, i * 3 % 8, i % 6);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 256);
	return b;
}

/* Run the stages of a cycle that come before the issue stage. */
static void to_issue(struct bed *b)
{
	while (b->sim.view[0].gpu->stage != STAGE_ISSUE)
		sim_stage(&b->sim);
}

/* With a delay of D the queues are those that the issue stage found D cycles ago. */
static void delayed_score_sees_old_queues(void **state)
{
	static const u32 delays[] = {0, 1, 3, 20};

	(void)state;
	for (u32 d = 0; d < ARRAY_LEN(delays); d++) {
		struct bed *b = crowd_bed(60);
		u16 seen[2][256];
		u32 delay = b->config.rba_delay = delays[d], compared = 0;
		struct sched_view v;

		bed_open(b);
		v = bed_view(b);
		for (u32 t = 0; t < 256; t++) {
			to_issue(b);
			assert_int_equal(bed_cycle(b), t);
			for (u32 k = 0; k < 2; k++)
				seen[k][t] = v.bank[k].count;
			for (u32 i = 0; i < 8; i++) {
				u32 want = 0;

				if (t < delay || v.slot[i].context == NONE16 ||
				    !SET_HAS(&v.sm->set[SET_READY * v.m->words], i))
					continue;
				const struct inst *in = &b->inst[0][v.slot[i].pc];
				for (u32 o = 0; o < in->nread; o++)
					want += seen[(in->read[o] + i) % 2][t - delay];
				assert_int_equal(bank_score(&v, i), min_u32(want, 31));
				compared += want > 0;
			}
			sim_cycle(&b->sim);
		}
		assert_true(compared > 300);
		bed_close(b);
	}
}

/* What is remembered of the queues is part of the machine: going on without sleep gives the same hash. */
static void delay_does_not_depend_on_sleep(void **state)
{
	u64 hash[2], cycle[2];

	(void)state;
	for (u32 i = 0; i < 2; i++) {
		struct bed *b = bed_crowd(5);

		policy_put(&b->policy, POLICY_order, SCHEME_rba);
		b->config.rba_delay = 7;
		b->config.engine_sleep = i;
		bed_open(b);
		cycle[i] = bed_run(b);
		hash[i] = sim_hash(&b->sim);
		bed_close(b);
	}
	assert_int_equal(cycle[0], cycle[1]);
	assert_int_equal(hash[0], hash[1]);
}

/* The sub-core, of n, of the w-th warp of an SM. */
static u32 assign_in(const struct scheme *x, const struct machine *m, u32 sm, u32 w, u32 n)
{
	struct machine *of = xcalloc(1, sizeof *of);
	struct newcomer warp = {.number = w};
	u32 k;

	if (m)
		*of = *m;
	of->config.sm_subcores = n;
	k = x->decide.assign(&(struct sched_view){.m = of, .sm_id = sm}, &warp);
	free(of);
	return k;
}

static u32 assign(const struct scheme *x, const struct machine *m, u32 w, u32 n)
{
	return assign_in(x, m, 0, w, n);
}

/* Round robin counts the warps of the SM, not those of a CTA: the first of the second CTA of three goes behind the last
 * of the first. */
static void rr_goes_on_with_the_next_cta(void **state)
{
	struct machine *m = xcalloc(1, sizeof *m);
	char got[13] = "";

	(void)state;
	m->config.sm_subcores = 4;
	for (u32 w = 0; w < 12; w++) {
		struct newcomer warp = {.cta = w / 3, .index = w % 3, .number = w};

		got[w] = (char)('0' + scheme_rr.decide.assign(&(struct sched_view){.m = m}, &warp));
	}
	assert_string_equal(got, "012301230123");
	free(m);
}

/* Group g of N warps begins at sub-core g mod N and goes on from there. */
static void srr_skews_every_group(void **state)
{
	static const u32 counts[] = {1, 2, 4};
	char got[17] = "";

	(void)state;
	for (u32 k = 0; k < ARRAY_LEN(counts); k++) {
		u32 n = counts[k], w = 0;

		for (u32 group = 0; w <= 64; group++)
			for (u32 i = 0; i < n; i++, w++)
				assert_int_equal(assign(&scheme_srr, NULL, w, n), (group % n + i) % n);
	}
	for (u32 w = 0; w < 16; w++)
		got[w] = (char)('0' + assign(&scheme_srr, NULL, w, 4));
	assert_string_equal(got, "0123123023013012");
}

/* Whatever the seed: at no time do two sub-cores differ by more than one warp. One warp in four of 32: how often each
 * sub-core gets two of the eight, and how many the fullest gets, of 10,000 seeds. */
static void shuffled(u32 entries, u32 *even, u32 *fullest)
{
	struct machine *m = xcalloc(1, sizeof *m);

	*even = *fullest = 0;
	m->config.shuffle_entries = entries;
	for (u32 seed = 0; seed < 10000; seed++) {
		u32 n = seed % 3 == 2 ? 2 : 4, warps[4] = {0}, fourth[4] = {0}, most = 0;

		m->config.shuffle_seed = seed;
		for (u32 w = 0; w < 64; w++) {
			u32 low = ~0u, high = 0, k = assign(&scheme_shuffle, m, w, n);

			assert_true(k < n);
			warps[k]++;
			for (u32 i = 0; i < n; i++) {
				low = min_u32(low, warps[i]);
				high = max_u32(high, warps[i]);
			}
			assert_true(high - low <= 1);
		}
		for (u32 w = 0; w < 32; w += 4)
			fourth[assign(&scheme_shuffle, m, w, 4)]++;
		for (u32 i = 0; i < 4; i++)
			most = max_u32(most, fourth[i]);
		*even += most == 2;
		*fullest += most;
	}
	free(m);
}

/* With 16 entries the eight are drawn independently: evenly with a chance of 8! / 2^4 / 4^8 = 3.8 %, the fullest with
 * 3.54 in the mean. With 4 each place that is drawn counts twice: 4! / 4^4 = 9.4 %, and 2 (24 + 2 180 + 3 48 + 4 4) /
 * 4^4 = 4.25: by chance 2.13 times its share instead of 1.77. */
static void shuffle_never_differs_by_more_than_one(void **state)
{
	u32 even, fullest;

	(void)state;
	shuffled(16, &even, &fullest);
	assert_in_range(even, 310, 460);
	assert_in_range(fullest, 34800, 36200);
	shuffled(4, &even, &fullest);
	assert_in_range(even, 850, 1030);
	assert_in_range(fullest, 41700, 43300);
}

/* Behind the last entry the first is used again. */
static void shuffle_wraps_round(void **state)
{
	struct machine *m = xcalloc(1, sizeof *m);
	u32 other = 0;

	(void)state;
	m->config.shuffle_entries = 4;
	for (u32 w = 0; w < 48; w++)
		assert_int_equal(assign(&scheme_shuffle, m, w, 4), assign(&scheme_shuffle, m, w + 16, 4));
	m->config.shuffle_entries = 16;
	for (u32 w = 0; w < 48; w++)
		other += assign(&scheme_shuffle, m, w, 4) != assign(&scheme_shuffle, m, w + 16, 4);
	assert_in_range(other, 16, 48);
	free(m);
}

/* SMs draw different orders from one seed. */
static void shuffle_differs_between_sms(void **state)
{
	struct machine *m = xcalloc(1, sizeof *m);
	u32 other = 0;

	(void)state;
	m->config.shuffle_seed = 1;
	m->config.shuffle_entries = 16;
	for (u32 w = 0; w < 64; w++)
		other += assign_in(&scheme_shuffle, m, 0, w, 4) != assign_in(&scheme_shuffle, m, 1, w, 4);
	assert_in_range(other, 24, 63);
	free(m);
}

/* A table of 4 or 16 entries begins again after its last; sub-cores that are not there wrap round. */
static void table_wraps_round(void **state)
{
	static const char *const tables[] = {"0123", "3210", "0000", "0123123023013012", "3333222211110000"};
	struct machine *m = xcalloc(1, sizeof *m);
	char text[32];

	(void)state;
	for (u32 k = 0; k < ARRAY_LEN(tables); k++) {
		u32 entries = (u32)strlen(tables[k]);

		assert_int_equal(setting_parse(SET_assign_table, tables[k], &m->config.assign_table, NULL), STATUS_OK);
		assert_string_equal(setting_text(SET_assign_table, m->config.assign_table, text), tables[k]);
		for (u32 w = 0; w < 100; w++) {
			assert_int_equal(assign(&scheme_hashed, m, w, 4), tables[k][w % entries] - '0');
			assert_int_equal(assign(&scheme_hashed, m, w, 2), (tables[k][w % entries] - '0') % 2);
			assert_int_equal(assign(&scheme_hashed, m, w, 3), (tables[k][w % entries] - '0') % 3);
			assert_int_equal(assign(&scheme_hashed, m, w, 1), 0);
		}
	}
	free(m);
}

/* The default table is that of skewed round robin; what is no table is refused. */
static void table_by_default_and_in_error(void **state)
{
	static const char *const bad[] = {"",	  "012",  "01234", "0124", "0123 ", "01230123012301230",
					  "-123", "abcd", "228"};
	struct machine *m = xcalloc(1, sizeof *m);
	u32 value = 77;

	(void)state;
	config_default(&m->config);
	for (u32 w = 0; w < 64; w++)
		assert_int_equal(assign(&scheme_hashed, m, w, 4), assign(&scheme_srr, m, w, 4));
	for (u32 i = 0; i < ARRAY_LEN(bad); i++) {
		struct error e = {0};

		assert_int_not_equal(setting_parse(SET_assign_table, bad[i], &value, &e), STATUS_OK);
		assert_non_null(strstr(e.message, "4 or 16 digits from 0 to 3"));
		assert_int_equal(value, 77);
	}
	free(m);
}

/* Two slots in each of four sub-cores, all warps meant for sub-core 0: the third and the fourth go to the next. */
static void full_subcores_deflect(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.sm_subcores = 4;
	policy_put(&b->policy, POLICY_assign, SCHEME_hashed);
	b->config.assign_table = 0;
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	bed_run_to(b, 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_DEFLECTED), 2);
	for (u32 c = 0; c < 8; c++)
		assert_int_equal(b->sim.view[0].warp[c].cta != NONE16, c % 4 < 2);
	bed_close(b);
}

/* Two warps whose operands lie in different banks issue together; two in the same bank do not. */
static void stealing_needs_idle_banks(void **state)
{
	(void)state;
	for (u32 swizzle = 0; swizzle < 2; swizzle++) {
		struct bed *b = bed_new();

		b->config.sm_banks = b->config.sm_collectors = 2;
		b->config.sm_bank_swizzle = swizzle;
		policy_put(&b->policy, POLICY_extra, SCHEME_steal);
		bed_alu(b, 0, CLASS_FP32, 3, 1, 0);
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 64);
		bed_open(b);
		b->sim.bus.want = ALL_EVENTS;
		bed_run_to(b, BED_FIRST + 1);
		assert_int_equal(bed_issued(b, 0), '0');
		assert_int_equal(bed_records(b, EVENT_ISSUE, NULL), 1 + swizzle);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_STOLEN), swizzle);
		assert_int_equal(sim_warp_status(&b->sim, 0, 1), swizzle ? WARP_ISSUED : WARP_ELIGIBLE);
		bed_check_sums(b);
		bed_close(b);
	}
}

/* All operands must find their banks idle: warp w reads banks w + 1 and w; the first of warp 1 is idle, the second is
 * that of which warp 0 reads. */
static void stealing_needs_all_banks_idle(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.sm_banks = b->config.sm_collectors = 4;
	policy_put(&b->policy, POLICY_extra, SCHEME_steal);
	bed_alu(b, 0, CLASS_FP32, 3, 2, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 64);
	bed_open(b);
	bed_run_to(b, BED_FIRST + 1);
	assert_int_equal(bed_issued(b, 0), '0');
	assert_int_equal(sim_sm_stat(&b->sim, STAT_STOLEN), 0);
	assert_int_equal(sim_warp_status(&b->sim, 0, 1), WARP_ELIGIBLE);
	bed_close(b);
}

/* Banks are those of the sub-core: of two with two banks each, warps 0 and 2 in the first read from its bank 0, 1 and 3
 * in the second from its bank 1. Nothing is stolen in either, whatever the other's banks do. */
static void stealing_looks_at_its_sub_core(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.sm_subcores = b->config.sm_banks = b->config.sm_collectors = 2;
	policy_put(&b->policy, POLICY_extra, SCHEME_steal);
	bed_alu(b, 0, CLASS_FP32, 3, 1, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_open(b);
	bed_run_to(b, BED_FIRST + 1);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_INST_WARP), 2);
	assert_int_equal(sim_sm_stat(&b->sim, STAT_STOLEN), 0);
	bed_close(b);
}

/* A load is stolen if there is an entry for it in the table of loads; a store and an atomic are not. */
static void what_is_stolen(void **state)
{
	static const struct {
		enum op op;
		enum inst_class class;
		u32 loads, stolen;
	} row[] = {{OP_LD, CLASS_LOAD, 8, 1},
		   {OP_LD, CLASS_LOAD, 1, 0},
		   {OP_ST, CLASS_STORE, 8, 0},
		   {OP_ATOM, CLASS_ATOMIC, 8, 0}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = bed_new();
		struct inst *in;

		policy_put(&b->policy, POLICY_extra, SCHEME_steal);
		b->config.lsu_loads = row[i].loads;
		if (row[i].op == OP_LD) {
			bed_load(b, 0, 4, BED_BASE);
		} else {
			in = bed_memory(b, 0, row[i].op, row[i].class, BED_BASE);
			in->aux = row[i].op == OP_ATOM ? ATOM_ADD : in->aux;
			in->vec = row[i].op == OP_ATOM ? VALUE_U32 : in->vec;
			in->nsrc = 2;
			in->src[1] = (struct operand){.kind = OPERAND_REG, .value = 0};
		}
		bed_exit(b, 0);
		bed_launch(b, 0, 1, 64);
		bed_open(b);
		bed_run_to(b, BED_FIRST + 1);
		assert_int_equal(sim_sm_stat(&b->sim, STAT_STOLEN), row[i].stolen);
		bed_run(b);
		bed_close(b);
	}
}

/* Of two that find their banks idle the older one issues beside the chosen one. */
static void stealing_prefers_the_oldest(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.sm_banks = b->config.sm_collectors = 4;
	policy_put(&b->policy, POLICY_extra, SCHEME_steal);
	bed_alu(b, 0, CLASS_FP32, 3, 1, 0); /* warp w reads bank w */
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 96);
	bed_open(b);
	bed_run_to(b, BED_FIRST + 1);
	assert_int_equal(bed_issued(b, 0), '0');
	assert_int_equal(sim_sm_stat(&b->sim, STAT_STOLEN), 1);
	assert_int_equal(sim_warp_status(&b->sim, 0, 1), WARP_ISSUED);
	assert_int_equal(sim_warp_status(&b->sim, 0, 2), WARP_ELIGIBLE);
	bed_close(b);
}

/* With stores, atomics and loads between: the sums hold in every cycle, something is stolen, nothing with a limit of 0.
 */
static void stealing_keeps_the_sums(void **state)
{
	(void)state;
	for (u32 seed = 0; seed < 6; seed++) {
		struct bed *b = seed < 3 ? bed_crowd(seed) : crowd_bed(100);

		b->config.sm_banks = 16;
		b->config.sm_collectors = b->config.unit_fp32_count = 4;
		b->config.steal_limit = seed % 3;
		policy_put(&b->policy, POLICY_extra, SCHEME_steal);
		b->config.sm_schedulers = 1 + seed % 2;
		b->config.sched_pool = seed % 2;
		bed_open(b);
		while (!sim_finished(&b->sim) && bed_cycle(b) < 3000) {
			sim_cycle(&b->sim);
			bed_check_sums(b);
		}
		if (seed % 3 == 0)
			assert_int_equal(sim_sm_stat(&b->sim, STAT_STOLEN), 0);
		else if (seed >= 3)
			assert_true(sim_sm_stat(&b->sim, STAT_STOLEN) > 10);
		bed_close(b);
	}
}

/* Operands of the even and of the odd instructions; instructions issued in 1000 cycles of a sub-core with two banks,
 * two collector units and a unit that takes an instruction in every cycle. */
static void throughput(const u8 even[3], const u8 odd[3], double want)
{
	struct bed *b = bed_new();
	u64 before;

	b->config.sm_banks = b->config.sm_collectors = 2;
	b->config.sm_bank_swizzle = 0;
	policy_put(&b->policy, POLICY_order, SCHEME_gto);
	for (u32 i = 0; i < 500; i++) {
		const u8 *r = i % 2 ? odd : even;

		bed_alu(b, 0, CLASS_FP32, 10 + i % 16, 3, r[0], r[1], r[2]);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 256);
	bed_open(b);
	bed_run_to(b, 100);
	before = sim_sm_stat(&b->sim, STAT_INST_WARP);
	bed_run_to(b, 1100);
	double rate = (double)(sim_sm_stat(&b->sim, STAT_INST_WARP) - before) / 1000;

	if (rate < want * 0.99 || rate > want * 1.01)
		fail_msg("%.3f instructions per cycle, the bound is %.3f", rate, want);
	bed_close(b);
}

/* Two banks give two operands a cycle if they are spread, one if they are not. */
static void banks_bound_the_throughput(void **state)
{
	(void)state;
	throughput((const u8[]){0, 2, 1}, (const u8[]){1, 3, 0}, 2.0 / 3);
	throughput((const u8[]){0, 2, 1}, (const u8[]){0, 2, 1}, 1.0 / 2);
	throughput((const u8[]){0, 2, 4}, (const u8[]){0, 2, 4}, 1.0 / 3);
}

/* GTY takes the youngest where GTO takes the oldest, and stays with the one that issued last where it does. */
static void gty_stays_then_takes_the_youngest(void **state)
{
	struct bed *b = score_bed();
	struct sched_view v = bed_view(b);
	struct score score[2];
	u64 both[SLOT_WORDS] = {3}, older[SLOT_WORDS] = {1};

	(void)state;
	b->sim.view[0].sched[0].last = NONE16;
	assert_int_equal(scheme_gty.decide.order(&v, both), 1);
	assert_int_equal(scheme_gty.decide.fetch(&v, both), 1);
	assert_int_equal(scheme_gty.score(&v, 0, score), 2);
	assert_int_equal(score[1].value, 1); /* one warp has been admitted since */
	b->sim.view[0].sched[0].last = 0;
	b->sim.view[0].slot[0].since = 7;
	assert_int_equal(scheme_gty.decide.order(&v, both), 0);
	b->sim.view[0].sched[0].last = 1;
	assert_int_equal(scheme_gty.decide.order(&v, older), 0);
	bed_close(b);
}

/* Huerta et al., MICRO 2025, figure 4 b: four warps of independent instructions, of which the second lets its warp
 * issue again four cycles later. The youngest begins; after two cycles each the next follow; the youngest is ready when
 * two others have had their two, and goes on to its end. The oldest begins when all others have ended, and then nobody
 * hides what it waits for. A result with lat.int 3 is read 4 cycles after the issue of what writes it. */
static void gty_issues_as_figure_4b(void **state)
{
	struct bed *b = bed_new();

	(void)state;
	b->config.lat_int = 3;
	policy_put(&b->policy, POLICY_order, SCHEME_gty);
	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_alu(b, 0, CLASS_INT, 2, 0);
	bed_alu(b, 0, CLASS_INT, 3, 1, 2);
	for (u32 i = 0; i < 4; i++)
		bed_alu(b, 0, CLASS_INT, 4 + i, 0);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	bed_expect(b, 0,
		   "332211"
		   "333333"
		   "222222"
		   "111111"
		   "00...000000");
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gty_stays_then_takes_the_youngest),
		cmocka_unit_test(gty_issues_as_figure_4b),
		cmocka_unit_test(gto_stays_with_the_warp_not_the_slot),
		cmocka_unit_test(score_adds_the_queues_of_the_operands),
		cmocka_unit_test(score_looks_at_its_sub_core),
		cmocka_unit_test(score_saturates_at_31),
		cmocka_unit_test(score_counts_a_merged_operand_once),
		cmocka_unit_test(lowest_score_then_oldest_issues),
		cmocka_unit_test(delayed_score_sees_old_queues),
		cmocka_unit_test(delay_does_not_depend_on_sleep),
		cmocka_unit_test(rr_goes_on_with_the_next_cta),
		cmocka_unit_test(srr_skews_every_group),
		cmocka_unit_test(shuffle_never_differs_by_more_than_one),
		cmocka_unit_test(shuffle_wraps_round),
		cmocka_unit_test(shuffle_differs_between_sms),
		cmocka_unit_test(table_wraps_round),
		cmocka_unit_test(table_by_default_and_in_error),
		cmocka_unit_test(full_subcores_deflect),
		cmocka_unit_test(stealing_needs_idle_banks),
		cmocka_unit_test(stealing_needs_all_banks_idle),
		cmocka_unit_test(stealing_looks_at_its_sub_core),
		cmocka_unit_test(what_is_stolen),
		cmocka_unit_test(stealing_prefers_the_oldest),
		cmocka_unit_test(stealing_keeps_the_sums),
		cmocka_unit_test(banks_bound_the_throughput),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
