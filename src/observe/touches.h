/*
 * touches.h - what the lanes of an instruction that was performed have touched (listen.h), and the values there now.
 */
#ifndef WARPSTEP_TOUCHES_H
#define WARPSTEP_TOUCHES_H

#include "listen.h"
#include "ops.h"
#include "uses.h"

/* Does it read or write memory by its lanes' addresses? */
static inline bool touches_memory(const struct inst *in)
{
	return in->op == OP_LD || in->op == OP_ST || in->op == OP_ATOM || in->op == OP_LDMATRIX || in->op == OP_COPY;
}
/* The space that it names: of an asynchronous copy, which counts as a store, that which it writes. */
static inline u8 touched_space(const struct inst *in)
{
	return in->op == OP_LDMATRIX || in->op == OP_COPY ? SPACE_SHARED : in->space;
}
/* Does it read, does it write? */
static inline bool touch_reads(const struct inst *in)
{
	return in->op != OP_ST && in->op != OP_COPY;
}
static inline bool touch_writes(const struct inst *in)
{
	return in->op == OP_ST || in->op == OP_ATOM || in->op == OP_COPY;
}
/* The space of a lane's access; SPACE_NONE: it has none, or it cannot be told any more. */
u8 touch_space(const struct performed *p, u32 lane);
/* Where a lane's access begins, and its bytes: of an ldmatrix the row of a matrix, which the lane names. */
u64 touch_address(const struct performed *p, u32 lane, u32 *bytes);
/* A source in a lane as it is after the instruction: a pair as 64 bits, a predicate as 0 or 1 (as it is negated). */
u64 touch_source(const struct performed *p, u32 source, u32 words, u32 lane);
/* The n bytes at offset `at` of what a store of a lane writes. */
u64 touch_stored(const struct performed *p, u32 lane, u32 at, u32 n);

#endif
