/*
 * uses.h - what a static instruction does with each of its operands: data flow as seen from outside.
 *
 * Only of kernels with values (PTX). Which bytes of memory an instruction touches is said by its addresses.
 */
#ifndef WARPSTEP_USES_H
#define WARPSTEP_USES_H

#include "kernel.h"

enum use_role {
	USE_VALUE,   /* a result or a stored value is made of it */
	USE_ADDRESS, /* it says where in memory */
	USE_CHOICE,  /* it says which of the values, or of which lane */
	USE_GUARD,   /* a lane executes the instruction if it holds */
	USE_LANES    /* it says which lanes, or warps, take part */
};
struct use {
	struct operand operand;
	u8 role;  /* enum use_role */
	u8 words; /* registers: 1, or 2 of a pair */
	u8 index; /* among the sources; MAX_SRC: the guard */
};

/* The operands that an instruction reads, constants and special registers too, the guard last. How many. */
u32 inst_uses(const struct inst *in, struct use out[MAX_SRC + 1]);
/* The destination that holds a register (*word: which word of it), or a predicate; MAX_DST: none does. */
u32 inst_result_register(const struct inst *in, u32 reg, u32 *word);
u32 inst_result_predicate(const struct inst *in, u32 pred);

/* The lane that a lane of a shfl reads, from the values of its lane or distance and its clamp, and whether that is
 * within the segment's bounds: exec_warp.c. */
u32 shfl_lane(u32 op, u32 lane, u32 b, u32 c, bool *within);

/* The type of what an instruction computes, as its text says, with its width in registers. */
struct result_type {
	u8 type;  /* enum value_type */
	bool hex; /* bits rather than a number */
};
struct result_type inst_result_type(const struct kernel *k, u32 pc);
/* That of the operands that its result is made of; bits alone where it names several. */
struct result_type inst_operand_type(const struct kernel *k, u32 pc);

#endif
