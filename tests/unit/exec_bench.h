/*
 * exec_bench.h - a warp on its own for the tests of instructions: registers, predicates, memories, a small program.
 */
#ifndef EXEC_BENCH_H
#define EXEC_BENCH_H

#include "exec_internal.h"

#include <setjmp.h>
#include <cmocka.h>

#define REGS 32
#define GLOBAL STORE_GLOBAL_BASE

/* A warp on its own: registers, predicates, memories. */
struct bench {
	struct kernel kernel;
	struct module module;
	struct launch launch;
	struct program program;
	struct buffer buffer[2];
	struct store store;
	struct write_entry queue[64];
	u32 nqueue;
	u64 imm[8];
	u32 regs[REGS * WARP_LANES] __attribute__((aligned(64)));
	u32 preds[8], warp_mask[1], tid[3][WARP_LANES];
	u8 shared[1024], params[64], constants[64];
	u64 clock;
	struct front_site site;
	struct front_env env;
	struct front_result result;
};

static u64 random_state;
static inline u64 random_next(void)
{
	return mix64(random_state++);
}

static inline void bench_open(struct bench *b)
{
	memset(b, 0, sizeof(*b));
	b->kernel = (struct kernel){.name = "test",
				    .front = FRONT_PTX,
				    .imm = b->imm,
				    .nimm = 8,
				    .param_bytes = 64,
				    .regs = REGS,
				    .preds = 8,
				    .module = &b->module};
	b->module = (struct module){.constants = b->constants, .nconstants = sizeof(b->constants)};
	b->launch = (struct launch){.kernel = &b->kernel,
				    .grid = {3, 2, 1},
				    .block = {32, 1, 1},
				    .ctas = 6,
				    .threads = 32,
				    .warps = 1,
				    .shared = sizeof(b->shared),
				    .warp_mask = b->warp_mask,
				    .tid = {b->tid[0], b->tid[1], b->tid[2]}};
	b->buffer[0] =
		(struct buffer){.name = "first", .type = VALUE_U32, .count = 2000, .address = GLOBAL, .bytes = 8000};
	b->buffer[1] =
		(struct buffer){.name = "second", .type = VALUE_U8, .count = 4, .address = GLOBAL + 8192, .bytes = 4};
	b->program = (struct program){
		.buffer = b->buffer, .nbuffer = 2, .launch = &b->launch, .nlaunch = 1, .global_bytes = 16384};
	store_init(&b->store, 0, 0, 16384);
	b->warp_mask[0] = ~0u;
	b->env = (struct front_env){.launch = &b->launch,
				    .program = &b->program,
				    .store = &b->store,
				    .regs = b->regs,
				    .preds = b->preds,
				    .shared = b->shared,
				    .queue = b->queue,
				    .nqueue = &b->nqueue,
				    .params = b->params,
				    .ctaid = {2, 1, 0},
				    .cta = 5,
				    .active = ~0u,
				    .site = &b->site};
	b->site = (struct front_site){.clock = &b->clock, .sms = 1, .mhz = 1000};
}

static inline void bench_issue(struct bench *b, const struct inst *in)
{
	front_issue(&b->env, in, &b->result);
}

static inline struct operand reg(u32 n)
{
	return (struct operand){.kind = OPERAND_REG, .value = (u16)n};
}
static inline struct operand pred(u32 n)
{
	return (struct operand){.kind = OPERAND_PRED, .value = (u16)n};
}
static inline struct operand imm(u32 n)
{
	return (struct operand){.kind = OPERAND_IMM, .value = (u16)n};
}
static inline struct operand sreg(u32 n)
{
	return (struct operand){.kind = OPERAND_SREG, .value = (u16)n};
}

static inline u64 reg_read(const struct bench *b, u32 n, char letter, u32 l)
{
	u64 low = b->regs[n * WARP_LANES + l];

	return letter == 'd' ? low | (u64)b->regs[(n + 1) * WARP_LANES + l] << 32 : low;
}

static inline void reg_write(struct bench *b, u32 n, char letter, u32 l, u64 v)
{
	b->regs[n * WARP_LANES + l] = (u32)v;
	if (letter == 'd')
		b->regs[(n + 1) * WARP_LANES + l] = (u32)(v >> 32);
}

#endif
