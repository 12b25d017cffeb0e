/*
 * exec_internal.h - shared by the files that perform PTX instructions: operands, memory, values of atomics.
 */
#ifndef WARPSTEP_EXEC_INTERNAL_H
#define WARPSTEP_EXEC_INTERNAL_H

#include "exec_lanes.h"
#include "front.h"
#include "meet.h"

/* Room for an operand that is not a register: 32 low words, then 32 high words. */
struct lane_operand {
	u32 word[2 * WARP_LANES];
} __attribute__((aligned(64)));

/* Source k as a register (letter h, w), a pair (d) or one word of a predicate (p); *room may hold it. */
const u32 *exec_source(const struct front_env *env, const struct inst *in, u32 k, char letter,
		       struct lane_operand *room);
/* The lane bodies of this host. */
const struct lane_table *exec_lanes(void);

/* Put words, 1 or 2 of a lane, into register o for the lanes in mask; o of another kind: nowhere. */
static inline void exec_register_write(const struct front_env *env, struct operand o, const u32 *words, u32 n, u32 mask)
{
	if (o.kind == OPERAND_REG)
		exec_lanes()->blend(env->regs + (u32)o.value * WARP_LANES, words, n, mask);
}
/* Put value into predicate o for the lanes in mask; o of kind NONE: nowhere. */
void exec_predicate_write(const struct front_env *env, struct operand o, u32 value, u32 mask);

/* exec_special.c: a special register other than those of position, as a pair. */
void special_read(const struct front_env *env, u32 sreg, struct lane_operand *room);

/* SHFL_UP to REDUX_XOR for the lanes in r->mask. */
void warp_issue(const struct front_env *env, const struct inst *in, struct front_result *r);
/* The same for lanes of several paths: those of m->here that go by `in`, the others by their own instructions. */
void warp_meet(const struct front_env *env, const struct inst *in, const struct meet *m);
/* BAR_*: its number, its threads and the votes of its lanes. */
void barrier_issue(const struct front_env *env, const struct inst *in, struct front_result *r);
/* COPY for the lanes in r->mask. */
void copy_issue(const struct front_env *env, const struct inst *in, struct front_result *r);
/* MMA, MMA_QUAD, DMMA and LDMATRIX for the lanes in r->mask. */
void mma_issue(const struct front_env *env, const struct inst *in, struct front_result *r);
void mma_quad_issue(const struct front_env *env, const struct inst *in, struct front_result *r);
void dmma_issue(const struct front_env *env, const struct inst *in, struct front_result *r);
void ldmatrix_issue(const struct front_env *env, const struct inst *in, struct front_result *r);
/* TEX and TLD4, TXQ, SUADDR for the lanes in r->mask. */
void texture_issue(const struct front_env *env, const struct inst *in, struct front_result *r);
void texture_query_issue(const struct front_env *env, const struct inst *in, struct front_result *r);
void surface_issue(const struct front_env *env, const struct inst *in, struct front_result *r);
/* ADDC_32 to MADC_HI_U64 for the lanes in r->mask. */
void carry_issue(const struct front_env *env, const struct inst *in, struct front_result *r);

/* VPRINTF for the lanes in mask. */
void print_issue(const struct front_env *env, const struct inst *in, u32 mask);

/* LD, ST and ATOM for the lanes in r->mask. */
void memory_issue(const struct front_env *env, const struct inst *in, struct front_result *r);
/* Of what these are made: the lanes' addresses; where the bytes of those in r->mask lie in global memory, true if one
 * faults; true if an access to shared memory faults. */
void memory_addresses(const struct front_env *env, const struct inst *in, struct front_result *r);
bool memory_sources(const struct front_env *env, const struct inst *in, struct front_result *r,
		    const u8 *byte[WARP_LANES]);
bool memory_shared_faults(const struct front_env *env, struct front_result *r, u32 lane, u32 address, u32 bytes);

/* Copy one element: n is 1, 2, 4 or 8. */
static inline void word_copy(void *to, const void *from, u32 n)
{
	switch (n) {
	case 1: memcpy(to, from, 1); break;
	case 2: memcpy(to, from, 2); break;
	case 4: memcpy(to, from, 4); break;
	default: memcpy(to, from, 8); break;
	}
}
/* Copy what one lane accesses: an element or 16 bytes. */
static inline void bytes_copy(void *to, const void *from, u32 n)
{
	if (n == 16)
		memcpy(to, from, 16);
	else
		word_copy(to, from, n);
}

#endif
