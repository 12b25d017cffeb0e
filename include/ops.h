/*
 * ops.h - the operations of instructions, in the order of ops.def, and sets of them.
 */
#ifndef WARPSTEP_OPS_H
#define WARPSTEP_OPS_H

#include "kernel.h"

/* What an instruction does. Rows: ops.def (exec.c performs them on 32 lanes). */
enum op {
#define OP(id) OP_##id,
#include "ops.ids"
#undef OP
	OP_COUNT
};

/* Has an instruction to do with asynchronous copies to shared memory? */
static inline bool inst_copies(const struct inst *in)
{
	return (u32)(in->op - OP_COPY) <= OP_COPY_WAIT - OP_COPY;
}

/* Families of operations. */
static inline bool op_is_barrier(u32 op)
{
	return op == OP_BAR_SYNC || op == OP_BAR_ARRIVE || op == OP_BAR_RED;
}
static inline bool op_is_shfl(u32 op)
{
	return op >= OP_SHFL_UP && op <= OP_SHFL_IDX;
}
static inline bool op_is_fetch(u32 op) /* of a texture */
{
	return op == OP_TEX || op == OP_TLD4;
}
static inline bool op_is_select(u32 op)
{
	return op >= OP_SELP_16 && op <= OP_SLCT_64_F;
}

/* Bytes that a lane reads or writes in memory. */
static inline u32 inst_access_bytes(const struct inst *in)
{
	return in->op == OP_ATOM ? in->width : (u32)in->width * max_u32(in->vec, 1);
}

/* Does an instruction need a branch unit, where there are any (unit.branch.count): branches, in traces all that directs
 * paths, and what makes warps meet or sleep? Exits and barriers of CTAs do not. */
static inline bool inst_branches(const struct inst *in)
{
	return in->op == OP_BRA || in->op == OP_BAR_WARP || in->op == OP_NANOSLEEP;
}
/* Does an instruction that waits for copies wait for groups of that age? */
static inline bool group_wanted(const struct inst *in, u32 age)
{
	return in->op == OP_COPY_WAIT && (in->aux == COPIES_ALL || age > in->aux);
}

#endif
