/*
 * exec_internal.h - shared by the files that perform PTX instructions: operands, memory, values of atomics.
 */
#ifndef WARPSTEP_EXEC_INTERNAL_H
#define WARPSTEP_EXEC_INTERNAL_H

#include "exec_lanes.h"
#include "front.h"

/* Room for an operand that is not a register: 32 low words, then 32 high words. */
struct lane_operand {
	u32 word[2 * WARP_LANES];
} __attribute__((aligned(64)));

/* Source k as a register (letter h, w), a pair (d) or one word of a predicate (p); *room may hold it. */
const u32 *exec_source(const struct front_env *env, const struct inst *in, u32 k, char letter,
		       struct lane_operand *room);
/* The lane bodies of this host. */
const struct lane_table *exec_lanes(void);

/* LD, ST and ATOM for the lanes in r->mask. */
void memory_issue(const struct front_env *env, const struct inst *in, struct front_result *r);

/* What an atomic leaves in memory: from the old value, the operand and, for cas, the second operand. */
u64 atomic_value(enum atom_op op, enum value_type type, u64 old, u64 a, u64 b, bool flush);

#endif
