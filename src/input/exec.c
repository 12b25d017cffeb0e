/*
 * exec.c - one PTX instruction for the lanes of a warp: operands, the body's loop, the masked result.
 *
 * Instructions with a body in ops.def go through a table of lane functions (exec_lanes.c); the others, which move
 * control, predicates or memory, are performed here and in memory_exec.c.
 * Source: PTX ISA 8.x, chapter 9; warpstep-model(7).
 */
#include "exec_internal.h"
#include "synth.h"
#include "trace.h"

/* The signatures of the rows of ops.def: the destination's letter, ':', the sources' letters. */
static const char *const op_signature[OP_COUNT] = {
#define OP(id, forms, sig, class, body) [OP_##id] = sig,
#include "ops.def"
#undef OP
};

static const u32 lane_number[WARP_LANES] = {0,	1,  2,	3,  4,	5,  6,	7,  8,	9,  10, 11, 12, 13, 14, 15,
					    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

/* Can this host run a table? */
static bool lanes_run(u32 width)
{
#ifdef __x86_64__
	if (width == LANES_AVX512)
		return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
		       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
	if (width == LANES_AVX2)
		return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
	return width == LANES_BASELINE;
}

static const struct lane_table *const lanes_by_width[] = {
	[LANES_BASELINE] = &lanes_baseline,
#ifdef __x86_64__
	[LANES_AVX2] = &lanes_avx2,
	[LANES_AVX512] = &lanes_avx512,
#endif
};

/* The table in use: the host's business, results are equal under all. */
static const struct lane_table *lanes_now;

void lanes_use(u32 width)
{
	u32 best = LANES_AVX512;
	while (!lanes_run(best))
		best--;
	lanes_now = lanes_by_width[width == LANES_WIDEST || width > best ? best : width];
}

const struct lane_table *exec_lanes(void)
{
	if (__builtin_expect(!lanes_now, 0))
		lanes_use(LANES_WIDEST);
	return lanes_now;
}

/* Source k; registers, which most are, are where they are. */
static inline const u32 *source(const struct front_env *env, const struct inst *in, u32 k, char letter,
				struct lane_operand *room)
{
	if (in->src[k].kind == OPERAND_REG)
		return env->regs + (u32)in->src[k].value * WARP_LANES;
	return exec_source(env, in, k, letter, room);
}

/* One value in all lanes. */
static const u32 *operand_fill(struct lane_operand *room, char letter, u64 value)
{
	for (u32 l = 0; l < WARP_LANES; l++)
		room->word[l] = (u32)value;
	if (letter == 'd')
		for (u32 l = 0; l < WARP_LANES; l++)
			room->word[WARP_LANES + l] = (u32)(value >> 32);
	return room->word;
}

/* 32 words that are there already; a pair gets high words of 0. */
static const u32 *operand_words(struct lane_operand *room, char letter, const u32 *words)
{
	if (letter != 'd')
		return words;
	memcpy(room->word, words, WARP_LANES * sizeof(u32));
	memset(room->word + WARP_LANES, 0, WARP_LANES * sizeof(u32));
	return room->word;
}

/* A special register. */
static const u32 *operand_special(const struct front_env *env, u32 sreg, char letter, struct lane_operand *room)
{
	const struct launch *l = env->launch;

	switch (sreg) {
	case SREG_TID_X:
	case SREG_TID_Y:
	case SREG_TID_Z: return operand_words(room, letter, l->tid[sreg - SREG_TID_X] + env->warp * WARP_LANES);
	case SREG_NTID_X:
	case SREG_NTID_Y:
	case SREG_NTID_Z: return operand_fill(room, letter, l->block[sreg - SREG_NTID_X]);
	case SREG_CTAID_X:
	case SREG_CTAID_Y:
	case SREG_CTAID_Z: return operand_fill(room, letter, env->ctaid[sreg - SREG_CTAID_X]);
	case SREG_NCTAID_X:
	case SREG_NCTAID_Y:
	case SREG_NCTAID_Z: return operand_fill(room, letter, l->grid[sreg - SREG_NCTAID_X]);
	case SREG_LANEID: return operand_words(room, letter, lane_number);
	case SREG_WARPID: return operand_fill(room, letter, env->warp);
	case SREG_NWARPID: return operand_fill(room, letter, l->warps);
	default: special_read(env, sreg, room); return room->word;
	}
}

/* A predicate operand as a lane mask. */
static u32 operand_mask(const struct front_env *env, struct operand o)
{
	return env->preds[o.value] ^ (o.negate ? ~0u : 0);
}

const u32 *exec_source(const struct front_env *env, const struct inst *in, u32 k, char letter,
		       struct lane_operand *room)
{
	const struct operand o = in->src[k];

	switch (o.kind) {
	case OPERAND_REG: return env->regs + (u32)o.value * WARP_LANES;
	case OPERAND_IMM: return operand_fill(room, letter, env->launch->kernel->imm[o.value]);
	case OPERAND_SREG: return operand_special(env, o.value, letter, room);
	case OPERAND_PRED: room->word[0] = operand_mask(env, o); return room->word;
	default: return operand_fill(room, letter, 0);
	}
}

void exec_predicate_write(const struct front_env *env, struct operand o, u32 value, u32 mask)
{
	if (o.kind == OPERAND_PRED)
		env->preds[o.value] = (env->preds[o.value] & ~mask) | (value & mask);
}

/* The boolean operator of a setp: aux as ops.def says. */
static u32 predicate_combine(u8 aux, u32 value, u32 with)
{
	switch (aux) {
	case 1: return value & with;
	case 2: return value | with;
	case 3: return value ^ with;
	default: return value;
	}
}

/* A compare's lane mask goes to p, its complement to q, each combined with a predicate if an operator is given. */
static void compare_write(const struct front_env *env, const struct inst *in, u32 value, u32 mask)
{
	u32 with = in->aux ? operand_mask(env, in->src[2]) : 0;

	exec_predicate_write(env, in->dst[0], predicate_combine(in->aux, value, with), mask);
	if (in->ndst > 1)
		exec_predicate_write(env, in->dst[1], predicate_combine(in->aux, ~value, with), mask);
}

/* An instruction with a body: all lanes are computed; those outside the mask keep their register. */
static inline void exec_body(const struct lane_table *t, const struct front_env *env, const struct inst *in, u32 mask)
{
	const char *sig = op_signature[in->op], *letter = sig + 2;
	struct lane_operand room[4], out;
	const u32 *s[4];
	u32 *dst = env->regs + (u32)in->dst[0].value * WARP_LANES;

	s[0] = s[1] = s[2] = s[3] = source(env, in, 0, *letter, &room[0]);
	for (u32 k = 1; letter[k]; k++)
		s[k] = source(env, in, k, letter[k], &room[k]);
	if (*sig == 'p') {
		t->op[in->op](out.word, s[0], s[1], s[2], s[3]);
		compare_write(env, in, out.word[0], mask);
	} else if (in->dst[0].kind == OPERAND_REG && mask == ~0u) {
		t->op[in->op](dst, s[0], s[1], s[2], s[3]);
	} else if (in->dst[0].kind == OPERAND_REG) {
		t->op[in->op](out.word, s[0], s[1], s[2], s[3]);
		t->blend(dst, out.word, *sig == 'd' ? 2 : 1, mask);
	}
}

/* Logic on whole predicates. */
static void exec_predicate(const struct front_env *env, const struct inst *in, u32 mask)
{
	struct lane_operand room;
	u32 a = *exec_source(env, in, 0, 'w', &room);
	u32 b = in->nsrc > 1 ? *exec_source(env, in, 1, 'w', &room) : 0;

	switch (in->op) {
	case OP_PNOT: a = ~a; break;
	case OP_PAND: a &= b; break;
	case OP_POR: a |= b; break;
	case OP_PXOR: a ^= b; break;
	default: break;
	}
	exec_predicate_write(env, in->dst[0], a, mask);
}

/* An instruction that stops the program. */
static void exec_trap(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	struct lane_operand room;
	const u32 *words;

	if (!r->mask)
		return;
	if (in->op == OP_ASSERT && env->print)
		env->print(env, in, r->mask);
	r->fault = in->op == OP_BRKPT ? FAULT_BREAKPOINT : in->op == OP_ASSERT ? FAULT_ASSERT : FAULT_TRAP;
	r->fault_lane = (u8)__builtin_ctz(r->mask);
	if (in->op != OP_BAD_FREE)
		return;
	r->fault = FAULT_FREE;
	words = exec_source(env, in, 0, 'd', &room);
	r->fault_address = words[r->fault_lane] | (u64)words[WARP_LANES + r->fault_lane] << 32;
}

/* The first source in the first lane of mask. */
static u32 exec_first(const struct front_env *env, const struct inst *in, u32 mask)
{
	struct lane_operand room;

	return mask ? exec_source(env, in, 0, 'w', &room)[__builtin_ctz(mask)] : 0;
}

/* What few kernels do often. */
static __attribute__((noinline)) void exec_rare(const struct front_env *env, const struct inst *in,
						struct front_result *r)
{
	switch (in->op) {
	case OP_TRAP:
	case OP_BRKPT:
	case OP_BAD_FREE:
	case OP_ASSERT: exec_trap(env, in, r); break;
	case OP_VPRINTF:
		r->space = SPACE_GLOBAL;
		print_issue(env, in, r->mask);
		break;
	case OP_BAR_SYNC:
	case OP_BAR_ARRIVE:
	case OP_BAR_RED: barrier_issue(env, in, r); break;
	case OP_MMA: mma_issue(env, in, r); break;
	case OP_MMA_QUAD: mma_quad_issue(env, in, r); break;
	case OP_DMMA: dmma_issue(env, in, r); break;
	case OP_LDMATRIX: ldmatrix_issue(env, in, r); break;
	case OP_TEX:
	case OP_TLD4: texture_issue(env, in, r); break;
	case OP_TXQ: texture_query_issue(env, in, r); break;
	case OP_SUADDR: surface_issue(env, in, r); break;
	case OP_NANOSLEEP: r->threads = exec_first(env, in, r->mask); break;
	default:
		if (in->op >= OP_SHFL_UP && in->op <= OP_REDUX_XOR)
			warp_issue(env, in, r);
		else if (in->op >= OP_ADDC_32 && in->op <= OP_MADC_HI_U64)
			carry_issue(env, in, r);
		break;
	}
}

/* An instruction without a body. */
static void exec_other(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	switch (in->op) {
	case OP_BRA: r->taken = r->mask; break;
	case OP_EXIT: r->exited = r->mask; break;
	case OP_LD:
	case OP_ST:
	case OP_ATOM:
		if (r->mask)
			memory_issue(env, in, r);
		break;
	case OP_COPY:
		if (r->mask)
			copy_issue(env, in, r);
		break;
	case OP_PMOV:
	case OP_PNOT:
	case OP_PAND:
	case OP_POR:
	case OP_PXOR: exec_predicate(env, in, r->mask); break;
	default: exec_rare(env, in, r); break;
	}
}

u32 front_lanes(const struct front_env *env, const struct inst *in)
{
	return in->guard.kind == OPERAND_PRED ? env->active & operand_mask(env, in->guard) : env->active;
}

void front_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	const struct lane_table *t = exec_lanes();

	if (__builtin_expect(env->launch->kernel->front != FRONT_PTX, 0)) {
		if (env->launch->kernel->front == FRONT_SYNTHETIC)
			synth_issue(env, in, r);
		else
			trace_issue(env, in, r);
		return;
	}
	r->taken = 0;
	r->exited = 0;
	r->fault = FAULT_NONE;
	r->fault_lane = 0;
	r->fault_address = 0;
	r->mask = env->active;
	if (in->guard.kind == OPERAND_PRED)
		r->mask &= operand_mask(env, in->guard);
	if (!t->op[in->op])
		exec_other(env, in, r);
	else if (r->mask)
		exec_body(t, env, in, r->mask);
}
