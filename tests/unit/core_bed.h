/*
 * core_bed.h - a test bed for the SM core: small kernels built by hand, a small machine, a trace of what issued.
 *
 * The machine of the bed has one SM with one sub-core and short latencies; instructions always hit the L1I. Kernels do
 * nothing but what a test puts in; classes are chosen freely, so that an instruction without effect can have any
 * timing.
 *
 * The life of an instruction that issues in cycle t, which every expectation leans on:
 *   t + 1   banks grant its operands (one per bank and cycle); with the last one it is dispatched in the same cycle
 *   t + 1 + lat   its result is written, and a reader may issue in that very cycle: writeback comes before issue
 *   t + 2   the LSU serves a memory instruction that was dispatched in t + 1
 * A CTA comes in cycle 0, its first fetch is in cycle 1, decode in cycle 2, the first issue in cycle BED_FIRST = 3.
 */
#ifndef WARPSTEP_TESTS_CORE_BED_H
#define WARPSTEP_TESTS_CORE_BED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cycle/stages.h"

#define BED_FIRST 3
#define BED_KERNELS 3
#define BED_LAUNCHES 100
#define BED_INSTS 512
#define BED_BASE STORE_GLOBAL_BASE
#define BED_BYTES (1u << 20)
#define BED_NO_PRED -1

struct bed {
	struct config config;
	struct policy_choice policy;
	struct program program;
	struct launch launch[BED_LAUNCHES];
	struct kernel kernel[BED_KERNELS];
	struct inst inst[BED_KERNELS][BED_INSTS];
	u64 imm[BED_KERNELS][BED_INSTS];
	struct buffer buffer;
	struct sim sim;
	bool open;
};

/* The configuration of the bed: every latency is short and none hides another. */
static inline void bed_config(struct config *c)
{
	config_default(c);
	c->gpu_sms = c->sm_subcores = 1;
	c->sm_warps = 8;
	c->sm_ctas = 4;
	c->sm_banks = c->sm_collectors = 8;
	c->fetch_insts = 8;
	c->fetch_width = 4;
	c->sm_ibuffer = 16;
	c->l1i_perfect = 1;
	c->l1i_ports = 16;
	c->unit_int_interval = c->unit_fp32_interval = c->unit_fp64_interval = c->unit_sfu_interval = 1;
	c->lat_int = c->lat_fp32 = 4;
	c->l1d_latency = 8;
	c->icnt_latency = c->l2_latency = c->dram_latency = 1;
	c->dram_cl = c->dram_wl = c->dram_rcd = c->dram_rp = c->dram_ras = c->dram_rc = c->dram_rrd = 0;
	c->dram_ccd = c->dram_ccdl = c->dram_wr = c->dram_cdlr = c->dram_rtp = c->dram_rtpl = 0;
	c->dram_row = 65536;
	c->l2_slices = c->dram_channels = 1;
	c->dram_clock = c->gpu_clock;
}

/* A bed with one empty kernel, number 0. */
static inline struct bed *bed_new(void)
{
	struct bed *b = xcalloc(1, sizeof *b);

	bed_config(&b->config);
	policy_default(&b->policy);
	policy_put(&b->policy, POLICY_order, SCHEME_lrr);
	b->program.launch = b->launch;
	b->program.buffer = &b->buffer;
	b->program.nbuffer = 1;
	b->program.global_bytes = BED_BYTES;
	b->buffer = (struct buffer){.name = (char *)"memory",
				    .type = VALUE_U32,
				    .count = BED_BYTES / 4,
				    .address = BED_BASE,
				    .bytes = BED_BYTES};
	for (u32 k = 0; k < BED_KERNELS; k++)
		b->kernel[k] = (struct kernel){.name = (char *)"test",
					       .front = FRONT_PTX,
					       .inst = b->inst[k],
					       .imm = b->imm[k],
					       .regs = 32,
					       .preds = 4,
					       .strings = (char *)""};
	return b;
}

/* Forget the program: no launches, empty kernels. */
static inline void bed_clear(struct bed *b)
{
	if (b->open)
		sim_close(&b->sim);
	b->open = false;
	for (u32 i = 0; i < b->program.nlaunch; i++) {
		for (u32 d = 0; d < 3; d++)
			free(b->launch[i].tid[d]);
		free(b->launch[i].warp_mask);
	}
	b->program.nlaunch = 0;
	for (u32 k = 0; k < BED_KERNELS; k++)
		b->kernel[k].ninst = b->kernel[k].nimm = 0;
}

static inline void bed_close(struct bed *b)
{
	bed_clear(b);
	free(b);
}

/* --- instructions --- */

/* One more instruction of kernel k, without operands. */
static inline struct inst *bed_inst(struct bed *b, u32 k, enum op op, enum inst_class class)
{
	struct kernel *kernel = &b->kernel[k];

	assert_true(kernel->ninst < BED_INSTS);
	struct inst *in = &kernel->inst[kernel->ninst++];
	*in = (struct inst){.op = op, .class = class, .width = 4, .vec = 1, .write_pred = {0xff, 0xff}};
	return in;
}

static inline struct inst *bed_reads(struct inst *in, u32 reg)
{
	in->read[in->nread++] = (u8)reg;
	SET_ADD(in->hazard, reg);
	return in;
}

static inline struct inst *bed_writes(struct inst *in, u32 reg)
{
	in->write[in->nwrite++] = (u8)reg;
	SET_ADD(in->hazard, reg);
	return in;
}

/* The instruction has a guard: predicate p, or its complement. */
static inline struct inst *bed_guard(struct inst *in, u32 p, bool negate)
{
	in->guard = (struct operand){OPERAND_PRED, negate, (u16)p};
	SET_ADD(in->hazard, HAZARD_PRED + p);
	return in;
}

static inline u16 bed_imm(struct bed *b, u32 k, u64 value)
{
	struct kernel *kernel = &b->kernel[k];

	assert_true(kernel->nimm < BED_INSTS);
	kernel->imm[kernel->nimm] = value;
	return (u16)kernel->nimm++;
}

/* An instruction of a class that changes no value: n registers read, one written. */
static inline struct inst *bed_alu(struct bed *b, u32 k, enum inst_class class, u32 write, u32 n, ...)
{
	struct inst *in = bed_inst(b, k, OP_NOP, class);
	va_list ap;

	va_start(ap, n);
	for (u32 i = 0; i < n; i++)
		bed_reads(in, va_arg(ap, u32));
	va_end(ap);
	return bed_writes(in, write);
}

/* The pair reg, reg + 1 becomes base + stride x (special register). */
static inline void bed_address_by(struct bed *b, u32 k, u32 reg, enum special_reg source, u64 base, u32 stride)
{
	struct inst *in = bed_inst(b, k, OP_MAD_WIDE_U32, CLASS_INT);

	in->ndst = 1;
	in->nsrc = 3;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = (u16)reg};
	in->src[0] = (struct operand){.kind = OPERAND_SREG, .value = (u16)source};
	in->src[1] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, k, stride)};
	in->src[2] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, k, base)};
	bed_writes(bed_writes(in, reg), reg + 1);
}

/* The pair reg, reg + 1 becomes base + stride x (number of the lane). */
static inline void bed_address(struct bed *b, u32 k, u32 reg, u64 base, u32 stride)
{
	bed_address_by(b, k, reg, SREG_LANEID, base, stride);
}

/* Predicate p becomes: source < value; source is SREG_LANEID or SREG_WARPID. */
static inline void bed_compare(struct bed *b, u32 k, u32 p, enum special_reg source, u32 value)
{
	struct inst *in = bed_inst(b, k, OP_SETP_LT_U32, CLASS_INT);

	in->ndst = 1;
	in->nsrc = 2;
	in->dst[0] = (struct operand){.kind = OPERAND_PRED, .value = (u16)p};
	in->src[0] = (struct operand){.kind = OPERAND_SREG, .value = source};
	in->src[1] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, k, value)};
	in->write_pred[0] = (u8)p;
	SET_ADD(in->hazard, HAZARD_PRED + p);
}

/* A memory instruction at an address known at once: all lanes the same. */
static inline struct inst *bed_memory(struct bed *b, u32 k, enum op op, enum inst_class class, u64 address)
{
	struct inst *in = bed_inst(b, k, op, class);

	in->space = class == CLASS_SHLOAD || class == CLASS_SHSTORE ? SPACE_SHARED : SPACE_GLOBAL;
	in->nsrc = 1;
	in->src[0] = (struct operand){.kind = OPERAND_IMM, .value = bed_imm(b, k, address)};
	if (op == OP_ST) {
		in->nsrc = 2;
		in->src[1] = (struct operand){.kind = OPERAND_REG, .value = 0};
		bed_reads(in, 0);
	}
	return in;
}

/* A 4-byte load into a register. */
static inline struct inst *bed_load(struct bed *b, u32 k, u32 reg, u64 address)
{
	struct inst *in = bed_memory(b, k, OP_LD, CLASS_LOAD, address);

	in->ndst = 1;
	in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = (u16)reg};
	return bed_writes(in, reg);
}

/* The memory instruction takes its address from the pair reg, reg + 1. */
static inline struct inst *bed_through(struct inst *in, u32 reg)
{
	in->src[0] = (struct operand){.kind = OPERAND_REG, .value = (u16)reg};
	return bed_reads(bed_reads(in, reg), reg + 1);
}

static inline struct inst *bed_exit(struct bed *b, u32 k)
{
	return bed_inst(b, k, OP_EXIT, CLASS_CONTROL);
}
static inline struct inst *bed_barrier(struct bed *b, u32 k)
{
	return bed_inst(b, k, OP_BAR_SYNC, CLASS_CONTROL);
}

/* A branch, under a predicate or (BED_NO_PRED) without. */
static inline struct inst *bed_branch(struct bed *b, u32 k, int p, u32 target, u32 reconverge)
{
	struct inst *in = bed_inst(b, k, OP_BRA, CLASS_CONTROL);

	in->target = target;
	in->reconverge = reconverge;
	return p == BED_NO_PRED ? in : bed_guard(in, (u32)p, false);
}

/* Register r of kernel 0 goes to the thread's own word at BED_BASE + offset. */
static inline void bed_out(struct bed *b, u32 r, u32 offset)
{
	struct inst *in;

	bed_address_by(b, 0, 2, SREG_TID_X, BED_BASE + offset, 4);
	in = bed_reads(bed_through(bed_inst(b, 0, OP_ST, CLASS_STORE), 2), r);
	in->space = SPACE_GLOBAL;
	in->nsrc = 2;
	in->src[1] = (struct operand){.kind = OPERAND_REG, .value = (u16)r};
}

/* The word that a thread left by it. */
static inline u32 bed_got(const struct bed *b, u32 thread, u32 offset)
{
	u32 v;

	store_read(&b->sim.store, BED_BASE + offset + thread * 4, &v, 4);
	return v;
}

/* --- launches and running --- */

/* One more launch of kernel k. */
static inline struct launch *bed_launch(struct bed *b, u32 k, u32 ctas, u32 threads)
{
	assert_true(b->program.nlaunch < BED_LAUNCHES);
	struct launch *l = &b->launch[b->program.nlaunch++];
	*l = (struct launch){.kernel = &b->kernel[k],
			     .name = (char *)"test",
			     .grid = {ctas, 1, 1},
			     .block = {threads, 1, 1},
			     .regs = b->kernel[k].regs};
	l->loop.iteration_param = NONE32;
	launch_prepare(l);
	return l;
}

/* Two launches side by side of one kernel of 60 instructions: `first` and `second` CTAs of a warp, the second from a
 * cycle on; SMs with four places, and room for contexts beside them. */
static inline struct bed *bed_pair(u32 sms, u32 first, u32 second, u64 at)
{
	struct bed *b = bed_new();
	struct launch *l;

	b->config.gpu_sms = sms;
	b->config.preempt_ctas = 16;
	for (u32 i = 0; i < 60; i++)
		bed_alu(b, 0, CLASS_INT, 1 + i % 3, 1, 1 + i % 3);
	bed_exit(b, 0);
	bed_launch(b, 0, first, 32);
	l = bed_launch(b, 0, second, 32);
	l->stream = 1;
	l->at = at;
	return b;
}

/* A simulator for the program; all events are recorded. */
static inline struct sim *bed_open(struct bed *b)
{
	struct error e = {0};

	if (b->open)
		sim_close(&b->sim);
	if (sim_open(&b->sim, &b->config, &b->policy, &b->program, &e) != STATUS_OK)
		fail_msg("sim_open: %s", e.message);
	b->open = true;
	b->sim.bus.want = ALL_EVENTS;
	return &b->sim;
}

static inline u64 bed_cycle(const struct bed *b)
{
	return b->sim.view[0].gpu->cycle;
}

/* Loads, stores and atomics of many warps on a small memory system with every queue short. */
static inline struct bed *bed_crowd(u32 seed)
{
	struct bed *b = bed_new();

	b->config.gpu_sms = 3;
	b->config.sm_subcores = 2;
	b->config.sm_warps = 16;
	b->config.l2_slices = 4;
	b->config.dram_channels = 2;
	b->config.l1d_mshrs = b->config.l2_mshrs = 4;
	b->config.l1d_merges = b->config.l2_merges = 2;
	b->config.icnt_queue = b->config.l2_queue = 4;
	b->config.dram_queue = 4;
	b->config.l1i_perfect = 0;
	b->config.l2_bytes = 2048;
	bed_address_by(b, 0, 2, SREG_TID_X, BED_BASE, 1u << (2 + seed % 6));
	bed_address_by(b, 0, 4, SREG_CTAID_X, BED_BASE + 65536, 640);
	for (u32 i = 0; i < 24; i++) {
		u64 x = mix64(seed * 100 + i);
		u32 through = x >> 8 & 1 ? 2 : 4;
		struct inst *in = x % 3 == 0 ? bed_load(b, 0, 8 + i % 8, 0)
					     : bed_memory(b, 0, x % 3 == 1 ? OP_ST : OP_ATOM,
							  x % 3 == 1 ? CLASS_STORE : CLASS_ATOMIC, 0);

		if (x % 3 == 2) {
			in->aux = ATOM_ADD;
			in->vec = VALUE_U32;
			in->nsrc = 2;
			in->src[1] = (struct operand){.kind = OPERAND_REG, .value = 0};
		}
		if (x % 3 == 2 && x >> 9 & 1) {
			in->ndst = 1;
			in->dst[0] = (struct operand){.kind = OPERAND_REG, .value = (u16)(8 + i % 8)};
			bed_writes(in, 8 + i % 8);
		}
		bed_through(in, through)->offset = (i32)(x >> 16 & 0x1f) * 128;
	}
	bed_exit(b, 0);
	bed_launch(b, 0, 12, 128);
	return b;
}

/* Statuses and outcomes add up in every SM: nothing but the issue stage and sleep may have a say. */
static inline void bed_check_sums(struct bed *b)
{
	const struct config *c = &b->sim.m->config;

	sim_sync(&b->sim);
	for (u32 i = 0; i < c->gpu_sms; i++) {
		const struct sm *sm = b->sim.view[i].sm;
		u64 statuses = 0, outcomes = 0, cycle = bed_cycle(b);

		for (u32 k = 0; k < WARP_STATUS_COUNT; k++)
			statuses += sm->statuses[k];
		for (u32 k = 0; k < SLOT_OUTCOME_COUNT; k++)
			outcomes += sm->outcomes[k];
		assert_int_equal(statuses, sm->stat[STAT_RESIDENT_WARPS]);
		assert_int_equal(outcomes, (cycle + c->issue_interval - 1) / c->issue_interval * b->sim.m->schedulers);
		assert_int_equal(sm->statuses[WARP_ISSUED], sm->stat[STAT_INST_WARP]);
		assert_int_equal(sm->outcomes[SLOT_ISSUED] + sm->stat[STAT_STOLEN], sm->stat[STAT_INST_WARP]);
	}
}

/* Run to the end of the program (a fault and a deadlock are ends too); returns the cycle. */
static inline u64 bed_run(struct bed *b)
{
	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		if (bed_cycle(b) > 200000)
			fail_msg("the program does not end");
	}
	return bed_cycle(b);
}

/* Cycles until `cycle` are complete. */
static inline void bed_run_to(struct bed *b, u64 cycle)
{
	while (bed_cycle(b) < cycle)
		sim_cycle(&b->sim);
}

/* The character that stands for what a scheduler of SM 0 issued in the last cycle: its slot in base 36, or a dot. */
static inline char bed_issued(const struct bed *b, u32 sched)
{
	u16 slot = b->sim.view[0].sched[sched].chosen;

	return slot == NONE16 ? '.' : "0123456789abcdefghijklmnopqrstuvwxyz"[slot % 36];
}

/* Records of a kind in the last cycle; *last is one of them. */
static inline u32 bed_records(const struct bed *b, enum event_kind kind, struct record *last)
{
	u32 n = 0;

	for (u32 i = 0; i < b->sim.bus.count; i++) {
		if (b->sim.bus.record[i].kind != kind)
			continue;
		if (last)
			*last = b->sim.bus.record[i];
		n++;
	}
	return n;
}

/* Run `cycles` cycles; out[i] tells what scheduler `sched` issued in the i-th. ISSUE records must agree. */
static inline void bed_trace(struct bed *b, u32 sched, u32 cycles, char *out)
{
	for (u32 i = 0; i < cycles; i++) {
		u32 n = 0;

		sim_cycle(&b->sim);
		for (u32 k = 0; k < b->sim.m->schedulers; k++)
			n += bed_issued(b, k) != '.';
		assert_int_equal(bed_records(b, EVENT_ISSUE, NULL), n);
		bed_check_sums(b);
		out[i] = bed_issued(b, sched);
	}
	out[cycles] = 0;
}

/* What a scheduler issues from cycle BED_FIRST on is exactly `want`, before it nothing; the program starts anew. */
static inline void bed_expect(struct bed *b, u32 sched, const char *want)
{
	char got[512];
	u32 n = (u32)strlen(want);

	assert_true(n < sizeof got);
	bed_open(b);
	bed_trace(b, sched, BED_FIRST, got);
	assert_string_equal(got, "...");
	bed_trace(b, sched, n, got);
	assert_string_equal(got, want);
}

/* Cycle in which the instruction at pc of a warp (context) of an SM issues for the first time, from now on. */
static inline u64 bed_when(struct bed *b, u32 sm, u32 context, u32 pc)
{
	for (;;) {
		u64 cycle = bed_cycle(b);

		if (sim_finished(&b->sim) || cycle > 100000)
			fail_msg("sm %u warp %u never issues instruction %u", sm, context, pc);
		sim_cycle(&b->sim);
		for (u32 i = 0; i < b->sim.bus.count; i++) {
			const struct record *r = &b->sim.bus.record[i];

			if (r->kind == EVENT_ISSUE && r->sm == sm && r->warp == context && r->pc == pc)
				return cycle;
		}
	}
}

/*
 * Four warps of one CTA (warp N in slot N), all running
 *	0  A   r1 <- r0		int, latency 4: readers issue 5 cycles later
 *	1  B   r2 <- r0
 *	2  C   r3 <- r1		waits for A
 *	3  L   r4 <- [memory]	all warps the same line: the first misses, the others join its MSHR or hit
 *	4  U   r5 <- r4		waits for L
 *	5  EXIT
 * A miss issued in cycle t is served by the LSU in t + 2, leaves the SM for the crossbar in t + 3, is looked up in the
 * L2 in t + 3 + 1 + 1, starts in DRAM one cycle later (t + 6), occupies the bus for one clock and has its data after
 *one more (t + 8), leaves the slice in t + 9 and reaches the SM in t + 10: U may issue then. A hit takes 2 + 8 cycles,
 *too.
 */
static inline struct bed *bed_stall(enum scheme_id order)
{
	struct bed *b = bed_new();

	policy_put(&b->policy, POLICY_order, order);
	b->config.sm_warps = 4;
	bed_alu(b, 0, CLASS_INT, 1, 1, 0);
	bed_alu(b, 0, CLASS_INT, 2, 1, 0);
	bed_alu(b, 0, CLASS_INT, 3, 1, 1);
	bed_load(b, 0, 4, BED_BASE);
	bed_alu(b, 0, CLASS_INT, 5, 1, 4);
	bed_exit(b, 0);
	bed_launch(b, 0, 1, 128);
	return b;
}

/* A bed with a load of one sector and a reader of it, `n` times over, at addresses that the caller gives. */
static inline struct bed *bed_chain(const u64 *address, u32 n)
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

/* A counter of SM 0. */
static inline u64 bed_stat(const struct bed *b, enum sm_counter id)
{
	return b->sim.view[0].sm->stat[id];
}

/* Cycles from the issue of load i to the issue of its reader. */
static inline u64 bed_round_trip(struct bed *b, u32 i)
{
	u64 t = bed_when(b, 0, 0, 2 * i);

	return bed_when(b, 0, 0, 2 * i + 1) - t;
}

/* A bed in which `active` of `resident` CTAs of `warps` warps have slots; policy vt. */
static inline struct bed *bed_vt(u32 active, u32 resident, u32 warps)
{
	struct bed *b = bed_new();

	policy_put(&b->policy, POLICY_cta_virtual, SCHEME_vt);
	policy_put(&b->policy, POLICY_cta_swap, SCHEME_vt);
	b->config.sm_warps = active * warps;
	b->config.sm_ctas = active;
	b->config.sm_contexts = resident * warps;
	b->config.sm_residents = resident;
	return b;
}

/* Run to the end: the warps of scheduler 0 in the order of their issues, a digit each. */
static inline void bed_issue_order(struct bed *b, char got[32])
{
	u32 n = 0;

	while (!sim_finished(&b->sim)) {
		sim_cycle(&b->sim);
		if (bed_issued(b, 0) != '.' && n < 31)
			got[n++] = bed_issued(b, 0);
	}
	got[n] = 0;
}

#endif
