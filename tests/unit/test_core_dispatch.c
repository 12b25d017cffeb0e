/*
 * test_core_dispatch.c - CTAs and launches, and the freedom of the engine: sleeping, skipping, the order of SMs and
 * stages.
 */
#include "core_bed.h"

/* Take notes of records of one kind: cycle, SM, CTA, launch. */
struct note {
	u64 cycle, sm, cta, launch; /* without holes: compared as bytes */
};

/* Run to the end or `limit`; the first `max` records of a kind. */
static u32 notes(struct bed *b, enum event_kind kind, struct note *out, u32 max, u64 limit)
{
	u32 n = 0;

	bed_open(b);
	while (!sim_finished(&b->sim) && bed_cycle(b) < limit) {
		u64 cycle = bed_cycle(b);

		sim_cycle(&b->sim);
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			const struct record *r = &b->sim.bus.record[i];

			if (r->kind == kind && n < max)
				out[n++] = (struct note){cycle, r->sm, r->cta, r->launch};
		}
	}
	return n;
}

/* --- CTAs --- */

/* A kernel of one instruction with its result after 5 cycles, and EXIT. A CTA that comes in cycle c issues in c + 3 and
 * c + 4, its result is written in c + 8, and it leaves in c + 8. */
static struct bed *short_bed(u32 ctas)
{
	struct bed *b = bed_new();

	bed_alu(b, 0, CLASS_INT, 1, 0);
	bed_exit(b, 0);
	if (ctas)
		bed_launch(b, 0, ctas, 32);
	return b;
}

/* One CTA per SM and cycle, SMs in turn; a place that a CTA leaves is taken in the same cycle. */
static void ctas_go_round(void **state)
{
	static const struct note want[] = {{0, 0, 0, 0}, {0, 1, 1, 0}, {0, 2, 2, 0}, {1, 0, 3, 0}, {1, 1, 4, 0},
					   {1, 2, 5, 0}, {8, 0, 6, 0}, {8, 1, 7, 0}, {8, 2, 8, 0}, {9, 0, 9, 0}};
	struct bed *b = short_bed(10);
	struct note got[16];

	(void)state;
	b->config.gpu_sms = 3;
	b->config.sm_ctas = 2;
	assert_int_equal(notes(b, EVENT_CTA_START, got, 16, NEVER), 10);
	assert_memory_equal(got, want, sizeof want);
	assert_int_equal(notes(b, EVENT_CTA_END, got, 16, NEVER), 10);
	assert_int_equal(got[0].cycle, 8);
	assert_int_equal(got[9].cycle, 9 + 8);
	bed_close(b);
}

/* The dispatcher goes on after the SM that took the last CTA: with one CTA at a time they go to 0, 1, 2, 0. */
static void the_turn_goes_on(void **state)
{
	struct bed *b = short_bed(1);
	struct note got[4];

	(void)state;
	b->config.gpu_sms = 3;
	for (u32 i = 0; i < 3; i++)
		bed_launch(b, 0, 1, 32);
	assert_int_equal(notes(b, EVENT_CTA_START, got, 4, NEVER), 4);
	for (u32 i = 0; i < 4; i++)
		assert_int_equal(got[i].sm, i % 3);
	bed_close(b);
}

/* dispatch.interval 2: a CTA of 8 cycles comes in every second cycle, to 0, 1, 2, 0 and so on, whatever has room. */
static void dealt_one_by_one(void **state)
{
	struct bed *b = short_bed(10);
	struct note got[16];

	(void)state;
	b->config.gpu_sms = 3;
	b->config.sm_ctas = 2;
	b->config.dispatch_interval = 2;
	assert_int_equal(notes(b, EVENT_CTA_START, got, 16, NEVER), 10);
	for (u32 i = 0; i < 10; i++) {
		assert_int_equal(got[i].cycle, 2 * i);
		assert_int_equal(got[i].sm, i % 3);
	}
	bed_close(b);
}

/* One context for all CTAs: its generation counts them, its age goes on; each begins when the one before has left. */
static void contexts_are_used_again(void **state)
{
	struct bed *b = short_bed(5);
	struct note got[8];

	(void)state;
	b->config.sm_ctas = 1;
	assert_int_equal(notes(b, EVENT_CTA_START, got, 8, NEVER), 5);
	for (u32 i = 0; i < 5; i++)
		assert_int_equal(got[i].cycle, 8 * i);
	assert_int_equal(b->sim.view[0].warp[0].generation, 5);
	assert_int_equal(b->sim.view[0].warp[1].generation, 0);
	assert_int_equal(b->sim.view[0].sm->age, 5);
	assert_int_equal(notes(b, EVENT_ISSUE, got, 8, NEVER), 8);
	for (u32 i = 0; i < 8; i++)
		assert_int_equal(got[i].cycle, 8 * (i / 2) + 3 + i % 2);
	bed_close(b);
}

/* A CTA whose warps have ended stays until its load has come back: 3 + 10. Its warps are done for so long. */
static void a_cta_waits_for_what_is_in_flight(void **state)
{
	struct bed *b = bed_new();
	struct note got;

	(void)state;
	bed_load(b, 0, 4, BED_BASE);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 32);
	assert_int_equal(notes(b, EVENT_CTA_END, &got, 1, NEVER), 1);
	assert_int_equal(got.cycle, 13);
	assert_int_equal(sim_status_sum(&b->sim, WARP_DONE), 13 - 4);
	assert_int_equal(sim_outcome_sum(&b->sim, SLOT_IDLE), 1 + 13 - 4); /* and cycle 0, before it came */
	bed_close(b);
}

/* The most CTAs of SM 0 at a time. */
static u32 most_ctas(struct bed *b)
{
	u32 most = 0;

	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		most = max_u32(most, b->sim.view[0].sm->ctas);
		bed_check_sums(b);
	}
	return most;
}

/* Every limit in turn: what resides is what the resource allows, and what occupancy_of() says. */
static void every_limit_binds(void **state)
{
	static const struct {
		u32 ctas, warps, threads, registers, shared, subcores; /* of the SM */
		u32 block, regs, cta_shared;			       /* of a CTA */
		u32 want;
		enum occupancy_limit binding;
	} row[] = {
		{3, 32, 1024, 65536, 65536, 1, 32, 32, 0, 3, LIMIT_CTAS},
		{8, 32, 256, 65536, 65536, 1, 96, 32, 0, 2, LIMIT_THREADS},
		{8, 32, 256, 65536, 65536, 1, 65, 32, 0, 2, LIMIT_THREADS},   /* whole warps: 96 threads */
		{8, 8, 1024, 65536, 65536, 1, 96, 32, 0, 2, LIMIT_THREADS},   /* warp slots */
		{8, 32, 1024, 4096, 65536, 1, 32, 32, 0, 4, LIMIT_REGISTERS}, /* 1024 a warp */
		{8, 32, 1024, 6400, 65536, 1, 32, 33, 0, 5, LIMIT_REGISTERS}, /* 1056, given 1280 */
		{8, 32, 1024, 4096, 65536, 1, 64, 33, 0, 1, LIMIT_REGISTERS}, /* 2 x 1280 */
		{8, 32, 1024, 8192, 65536, 4, 32, 33, 0, 4, LIMIT_REGISTERS}, /* 2048 a sub-core: one warp each */
		{8, 32, 1024, 65536, 4096, 1, 32, 32, 1000, 4, LIMIT_SHARED}, /* given 1024 */
		{8, 32, 1024, 65536, 6400, 1, 32, 32, 1025, 5, LIMIT_SHARED}, /* given 1280 */
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct bed *b = bed_new();
		struct config *c = &b->config;
		struct occupancy o;

		c->sm_ctas = row[i].ctas;
		c->sm_warps = row[i].warps;
		c->sm_threads = row[i].threads;
		c->sm_registers = row[i].registers;
		c->sm_shared = c->sm_cta_shared = row[i].shared;
		c->sm_subcores = row[i].subcores;
		c->dram_latency = 200; /* all that fit come while the first waits */
		b->kernel[0].static_shared = row[i].cta_shared;
		bed_load(b, 0, 4, BED_BASE);
		bed_exit(b, 0);
		bed_launch(b, 0, 12, row[i].block)->regs = row[i].regs;
		assert_int_equal(most_ctas(b), row[i].want);
		occupancy_of(c, row[i].block, row[i].regs, row[i].cta_shared, &o, NULL);
		assert_int_equal(o.ctas, row[i].want);
		assert_int_equal(o.binding, row[i].binding);
		bed_close(b);
	}
}

/* Warps go to sub-cores in turn over all CTAs; one without registers passes its warp on. */
static void warps_go_to_subcores_in_turn(void **state)
{
	struct bed *b = short_bed(0);
	const struct sm_view *v;

	(void)state;
	b->config.sm_subcores = 4;
	b->config.dram_latency = 100;
	bed_load(b, 1, 4, BED_BASE);
	bed_exit(b, 1);
	bed_launch(b, 1, 2, 96);
	bed_open(b);
	bed_run_to(b, 4);
	v = &b->sim.view[0];
	/* warps 0..2 of the first CTA in sub-cores 0, 1, 2; of the second in 3, 0, 1: the next context of each */
	assert_int_equal(v->cta[0].contexts[0], 1 << 0 | 1 << 1 | 1 << 2);
	assert_int_equal(v->cta[1].contexts[0], 1 << 3 | 1 << 4 | 1 << 5);
	assert_int_equal(v->warp[3].index, 0);
	assert_int_equal(v->slot[v->warp[4].slot].context, 4);
	assert_int_equal(v->warp[4].slot, 1); /* sub-core 0 has slots 0 and 1 */
	assert_int_equal(v->sm->assigned, 6);
	bed_close(b);
}

/* --- launches --- */

/* One after the other: the second begins in the cycle after the first has ended, and gpu.launch_latency later. */
static void launches_run_in_order(void **state)
{
	struct bed *b = short_bed(1);
	struct note got[2];

	(void)state;
	bed_launch(b, 0, 1, 32);
	assert_int_equal(notes(b, EVENT_KERNEL_START, got, 2, NEVER), 2);
	assert_int_equal(got[0].cycle, 0);
	assert_int_equal(got[1].cycle, 9);
	b->config.gpu_launch_latency = 20;
	assert_int_equal(notes(b, EVENT_KERNEL_START, got, 2, NEVER), 2);
	assert_int_equal(got[0].cycle, 20);
	assert_int_equal(got[1].cycle, 20 + 8 + 1 + 20);
	assert_int_equal(notes(b, EVENT_KERNEL_END, got, 2, NEVER), 2);
	assert_int_equal(got[0].cycle, 20 + 8);
	const struct launch_run *run = machine_gpu_section(b->sim.m, SECTION_LAUNCH);
	assert_int_equal(run[0].started_at, 20);
	assert_int_equal(run[0].first_issue, 23);
	assert_int_equal(run[0].last_retire, 28);
	assert_int_equal(run[0].issued, 2);
	assert_int_equal(run[0].threads, 64);
	bed_close(b);
}

/* Streams are free of each other; the lower launch goes first unless the other has the higher priority. */
static void streams_overlap(void **state)
{
	struct bed *b = short_bed(3);
	struct note got[8];

	(void)state;
	bed_launch(b, 0, 3, 32)->stream = 1;
	assert_int_equal(notes(b, EVENT_KERNEL_START, got, 8, NEVER), 2);
	assert_int_equal(got[0].cycle, 0);
	assert_int_equal(got[1].cycle, 0);
	assert_int_equal(notes(b, EVENT_CTA_START, got, 8, NEVER), 6);
	for (u32 i = 0; i < 6; i++)
		assert_int_equal(got[i].launch, i / 3);
	b->launch[1].priority = 1;
	assert_int_equal(notes(b, EVENT_CTA_START, got, 8, NEVER), 6);
	for (u32 i = 0; i < 6; i++)
		assert_int_equal(got[i].launch, i < 3);
	bed_close(b);
}

/* Two launches side by side in one SM, whose CTAs come in cycles 0 and 1 and take turns: 0 in cycles 3 and 5, 1 in 4
 * and 6, and each is ready from its first instruction to its second. Their CTAs stay for 8 cycles. */
static void what_launches_come_to(void **state)
{
	struct bed *b = short_bed(1);

	(void)state;
	bed_launch(b, 0, 1, 32)->stream = 1;
	bed_open(b);
	bed_run_to(b, 8);
	sim_sync(&b->sim);
	for (u32 i = 0; i < 2; i++) {
		const struct kernel_count *k = kernel_on(b->sim.m, 0, i);
		const struct kernel_count *sum =
			(struct kernel_count *)machine_gpu_section(b->sim.m, SECTION_KERNEL_SUM) + i;

		assert_int_equal(k->issued, 2);
		assert_int_equal(k->threads, 64);
		assert_int_equal(k->first_issue, 4 + i);
		assert_int_equal(k->ready, 3);
		assert_int_equal(k->started, 1);
		assert_int_equal(k->resident, 1);
		assert_int_equal(k->slots[0], 1u << i);
		assert_int_equal(sum->ready, 3);
		assert_int_equal(cta_issued(&b->sim.view[0].cta[i], b->sim.view[0].warp), 2);
	}
	bed_run(b);
	sim_sync(&b->sim);
	for (u32 i = 0; i < 2; i++) {
		const struct kernel_count *sum =
			(struct kernel_count *)machine_gpu_section(b->sim.m, SECTION_KERNEL_SUM) + i;

		assert_int_equal(sum->ready, 3);
		assert_int_equal(sum->ended, 1);
		assert_int_equal(sum->resident, 0);
		assert_int_equal(sum->ended_issued, 2);
		assert_int_equal(sum->ended_most, 2);
		assert_int_equal(sum->ended_cycles, 8);
		assert_int_equal(kernel_on(b->sim.m, 0, i)->started, 0); /* the seat is free */
	}
	bed_close(b);
}

/* A launch too large for what is left does not keep a smaller one of another stream waiting. */
static void a_small_launch_passes(void **state)
{
	struct bed *b = short_bed(0);
	struct note got[3];

	(void)state;
	bed_launch(b, 0, 2, 5 * 32); /* of 8 warps: one at a time */
	bed_launch(b, 0, 1, 3 * 32)->stream = 1;
	assert_int_equal(notes(b, EVENT_CTA_START, got, 3, NEVER), 3);
	assert_int_equal(got[1].launch, 1);
	assert_int_equal(got[1].cycle, 1);
	assert_int_equal(got[2].launch, 0);
	bed_close(b);
}

/* The rule of dispatch, said as simply as it can be: an SM that takes one takes the first launch that fits, by
 * priority, then by number. */
struct rule {
	u32 warps[3], ctas[3]; /* free in each SM */
	bool begun[BED_LAUNCHES];
	u32 first; /* SM to be served first */
};

static u32 rule_choice(const struct bed *b, const struct rule *r, u32 sm)
{
	u32 best = NONE32;

	for (u32 i = 0; i < b->program.nlaunch; i++)
		if (!r->begun[i] && r->ctas[sm] && b->launch[i].warps <= r->warps[sm] &&
		    (best == NONE32 || b->launch[i].priority > b->launch[best].priority))
			best = i;
	return best;
}

/* One cycle: CTAs that ended have made room, then each SM is served; what came must be what the rule says. */
static u32 rule_cycle(const struct bed *b, struct rule *r)
{
	u32 came[3] = {NONE32, NONE32, NONE32}, n = 0, first = r->first;

	for (u32 i = 0; i < b->sim.bus.count; i++) {
		const struct record *x = &b->sim.bus.record[i];

		if (x->kind == EVENT_CTA_END) {
			r->warps[x->sm] += b->launch[x->launch].warps;
			r->ctas[x->sm]++;
		} else if (x->kind == EVENT_CTA_START) {
			came[x->sm] = x->launch;
		}
	}
	for (u32 i = 0; i < 3; i++) {
		u32 sm = (first + i) % 3, want = rule_choice(b, r, sm);

		assert_int_equal(came[sm], want);
		if (want == NONE32)
			continue;
		r->begun[want] = true;
		r->warps[sm] -= b->launch[want].warps;
		r->ctas[sm]--;
		r->first = (sm + 1) % 3;
		n++;
	}
	return n;
}

/* A hundred launches at once, large and small, of seven priorities: as few would be. */
static void a_hundred_streams(void **state)
{
	struct bed *b = short_bed(0);
	struct rule r = {.warps = {8, 8, 8}, .ctas = {4, 4, 4}};
	u32 begun = 0;

	(void)state;
	b->config.gpu_sms = 3;
	for (u32 i = 0; i < 100; i++) {
		struct launch *l = bed_launch(b, 0, 1, (i % 3 ? 1 : 5) * 32);

		l->stream = i;
		l->priority = i * 5 % 7;
	}
	bed_open(b);
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		begun += rule_cycle(b, &r);
	}
	assert_int_equal(begun, 100);
	bed_close(b);
}

/* `at` frees a launch from those before it; `every` starts it again, late if it is still running. */
static void launches_come_at_times(void **state)
{
	struct bed *b = short_bed(1);
	struct note got[8];

	(void)state;
	bed_launch(b, 0, 1, 32)->at = 100;
	bed_launch(b, 0, 1, 32)->at = 3;
	assert_int_equal(notes(b, EVENT_KERNEL_START, got, 8, NEVER), 3);
	assert_int_equal(got[0].cycle, 0);
	assert_int_equal(got[1].cycle, 3);
	assert_int_equal(got[1].launch, 2);
	assert_int_equal(got[2].cycle, 100);
	b->launch[1].at = 20;
	b->launch[1].every = 50;
	b->launch[2].at = 130; /* periodic launches end with the last of the others */
	assert_int_equal(notes(b, EVENT_KERNEL_START, got, 8, NEVER), 5);
	assert_int_equal(got[1].cycle, 20);
	assert_int_equal(got[2].cycle, 70);
	assert_int_equal(got[3].cycle, 120);
	assert_int_equal(got[4].cycle, 130);
	b->launch[1].every = 5; /* each runs for 8 cycles and the next starts one later */
	assert_true(notes(b, EVENT_KERNEL_START, got, 8, 60) >= 5);
	assert_int_equal(got[2].cycle, 20 + 9);
	assert_int_equal(got[3].cycle, 20 + 18);
	bed_close(b);
}

/* A host loop: 32 lanes add 1 to a word each time; again while it is below 100, or as often as `max` allows. */
static void host_loops_go_on(void **state)
{
	struct bed *b = bed_new();
	struct note got[8] = {0}, later[8] = {0};
	u32 value;

	(void)state;
	struct inst *in = bed_inst(b, 0, OP_MOV_32, CLASS_INT);
	in->ndst = in->nsrc = 1;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = 1};
	in->src[0] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, 0, 1)};
	bed_writes(in, 1);
	in = bed_memory(b, 0, OP_ATOM, CLASS_ATOMIC, BED_BASE);
	in->aux = ATOM_ADD;
	in->vec = VALUE_U32;
	in->nsrc = 2;
	in->src[1] = (struct operand){.kind = OPERAND_REG, .value = 1};
	bed_reads(in, 1);
	bed_exit(b, 0);
	struct host_loop *loop = &bed_launch(b, 0, 1, 32)->loop;
	*loop = (struct host_loop){.present = true,
				   .type = VALUE_U32,
				   .compare = COMPARE_LT,
				   .address = BED_BASE,
				   .value_int = 100,
				   .max = 50,
				   .iteration_param = NONE32};
	assert_int_equal(notes(b, EVENT_KERNEL_START, got, 8, NEVER), 4); /* 32, 64, 96, 128 */
	store_read(&b->sim.store, BED_BASE, &value, sizeof value);
	assert_int_equal(value, 128);
	b->config.gpu_launch_latency = 25; /* before each round */
	assert_int_equal(notes(b, EVENT_KERNEL_START, later, 8, NEVER), 4);
	for (u32 i = 0; i < 4; i++)
		assert_int_equal(later[i].cycle, got[i].cycle + 25 * (i + 1));
	loop->max = 3;
	assert_int_equal(notes(b, EVENT_KERNEL_START, got, 8, NEVER), 3);
	loop->max = 7;
	loop->reset_address = BED_BASE; /* zeroed before every iteration: only max ends it */
	loop->reset_bytes = 4;
	assert_int_equal(notes(b, EVENT_KERNEL_START, got, 8, NEVER), 7);
	store_read(&b->sim.store, BED_BASE, &value, sizeof value);
	assert_int_equal(value, 32);
	bed_close(b);
}

/* A launch that cannot ever fit is refused with the limit that binds. */
static void what_cannot_fit_is_refused(void **state)
{
	struct bed *b = short_bed(0);
	struct error e = {0};

	(void)state;
	bed_launch(b, 0, 1, 9 * 32); /* 8 warp slots */
	assert_int_equal(sim_open(&b->sim, &b->config, &b->policy, &b->program, &e), STATUS_FAILED);
	assert_non_null(strstr(e.message, "288 threads"));
	bed_close(b);
}

/* --- the engine's freedom --- */

#define LOOKED_AT_EVERY 7 /* cycles: what differs once goes on to differ */

/* Five machines that may differ in nothing: visited in all manners. */
static void engines_agree(void **state)
{
	static const struct {
		u32 sleep, major, order;
	} manner[] = {{1, 0, 0}, {0, 0, 0}, {1, 1, 0}, {1, 0, 99}, {0, 0, 7}};
	struct bed *b[ARRAY_LEN(manner)];

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(manner); i++) {
		b[i] = bed_crowd(3);
		b[i]->config.engine_sleep = manner[i].sleep;
		b[i]->config.engine_major = manner[i].major;
		b[i]->config.engine_order = manner[i].order;
		bed_launch(b[i], 0, 4, 64);
		bed_open(b[i]);
		if (i == 4)
			b[i]->sim.bus.want = 0; /* unobserved */
	}
	while (!sim_finished(&b[0]->sim)) {
		sim_cycle(&b[0]->sim);
		bool looked = sim_finished(&b[0]->sim) || bed_cycle(b[0]) % LOOKED_AT_EVERY == 0;
		u64 hash = looked ? sim_hash(&b[0]->sim) : 0;

		bed_check_sums(b[0]);
		for (u32 i = 1; i < ARRAY_LEN(manner); i++) {
			sim_cycle(&b[i]->sim);
			assert_true(!looked || sim_hash(&b[i]->sim) == hash);
		}
	}
	assert_true(bed_cycle(b[0]) > 1000);
	for (u32 i = 0; i < ARRAY_LEN(manner); i++)
		bed_close(b[i]);
}

/* The records of a cycle are the same, in the same order, whatever the order of visiting. */
static void records_agree(void **state)
{
	struct bed *a = bed_crowd(1), *b = bed_crowd(1);

	(void)state;
	b->config.engine_order = 5;
	bed_open(a);
	bed_open(b);
	while (!sim_finished(&a->sim)) {
		sim_cycle(&a->sim);
		sim_cycle(&b->sim);
		assert_int_equal(a->sim.bus.count, b->sim.bus.count);
		if (a->sim.bus.count)
			assert_memory_equal(a->sim.bus.record, b->sim.bus.record,
					    a->sim.bus.count * sizeof(struct record));
	}
	bed_close(a);
	bed_close(b);
}

/* Stage by stage equals whole cycles; a cycle that was begun by stages is finished by sim_cycle(). */
static void stages_make_a_cycle(void **state)
{
	struct bed *a = bed_crowd(2), *b = bed_crowd(2);

	(void)state;
	bed_open(a);
	bed_open(b);
	for (u32 c = 0; c < 600; c++) {
		sim_cycle(&a->sim);
		for (u32 i = 0; i < c % (STAGE_COUNT + 1); i++) {
			assert_int_equal(machine_gpu(b->sim.m)->stage, i);
			assert_int_equal(bed_cycle(b), c);
			sim_stage(&b->sim);
		}
		if (bed_cycle(b) == c)
			sim_cycle(&b->sim);
		assert_int_equal(bed_cycle(b), c + 1);
		assert_int_equal(a->sim.bus.count, b->sim.bus.count);
		assert_int_equal(sim_hash(&a->sim), sim_hash(&b->sim));
	}
	bed_close(a);
	bed_close(b);
}

/* A program with long idle times: loads and slow functions, launch latencies, a launch at a time of its own. */
static struct bed *idle_bed(void)
{
	struct bed *b = bed_new();

	b->config.gpu_sms = 2;
	b->config.gpu_launch_latency = 30;
	b->config.lat_sfu = 90;
	for (u32 i = 0; i < 5; i++) {
		bed_load(b, 0, 4, BED_BASE + i * 4096);
		bed_alu(b, 0, CLASS_SFU, 4, 1, 4);
		bed_alu(b, 0, CLASS_SFU, 5, 1, 4);
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 3, 64);
	bed_launch(b, 0, 2, 64);
	bed_launch(b, 0, 1, 64)->at = 1500;
	bed_open(b);
	return b;
}

/* Skipping lands in the same states as cycling, passes over cycles without records only, and never passes its limit. */
static void skipping_equals_cycling(void **state)
{
	struct bed *a = idle_bed(), *b = idle_bed();
	u64 skipped = 0;

	(void)state;
	sim_cycle(&b->sim);
	sim_cycle(&a->sim);
	while (!sim_finished(&b->sim)) {
		u64 before = bed_cycle(b), limit = before + 1 + before % 50;

		assert_true(sim_skip(&b->sim, limit) <= limit);
		skipped += bed_cycle(b) - before;
		while (bed_cycle(a) < bed_cycle(b)) {
			sim_cycle(&a->sim);
			assert_int_equal(a->sim.bus.count, 0);
		}
		assert_int_equal(sim_hash(&a->sim), sim_hash(&b->sim));
		sim_cycle(&b->sim);
		sim_cycle(&a->sim);
		assert_int_equal(sim_hash(&a->sim), sim_hash(&b->sim));
		bed_check_sums(b);
	}
	assert_true(sim_finished(&a->sim));
	assert_true(skipped > bed_cycle(b) / 2);
	bed_close(a);
	bed_close(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ctas_go_round),
		cmocka_unit_test(the_turn_goes_on),
		cmocka_unit_test(dealt_one_by_one),
		cmocka_unit_test(contexts_are_used_again),
		cmocka_unit_test(a_cta_waits_for_what_is_in_flight),
		cmocka_unit_test(every_limit_binds),
		cmocka_unit_test(warps_go_to_subcores_in_turn),
		cmocka_unit_test(launches_run_in_order),
		cmocka_unit_test(streams_overlap),
		cmocka_unit_test(what_launches_come_to),
		cmocka_unit_test(a_small_launch_passes),
		cmocka_unit_test(a_hundred_streams),
		cmocka_unit_test(launches_come_at_times),
		cmocka_unit_test(host_loops_go_on),
		cmocka_unit_test(what_cannot_fit_is_refused),
		cmocka_unit_test(engines_agree),
		cmocka_unit_test(records_agree),
		cmocka_unit_test(stages_make_a_cycle),
		cmocka_unit_test(skipping_equals_cycling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
