/* idempotence_internal.h - between the files that find what a kernel overwrites (src/input/idempotence*.c). */
#ifndef WARPSTEP_IDEMPOTENCE_INTERNAL_H
#define WARPSTEP_IDEMPOTENCE_INTERNAL_H

#include "idempotence.h"
#include "ops.h"

/* What a value may be, a set: no address that is known of (a number, or what memory held), a generic address outside
 * global memory, an address of anything, an address in the i-th buffer that the launch names. */
#define MAY_NUMBER 1ULL
#define MAY_WINDOW 2ULL
#define MAY_ANY 4ULL
#define MAY_BUFFERS 61
#define MAY_BUFFER(i) (8ULL << (i))

/* Where the accesses of a kernel go. */
struct reaches {
	u64 *may;		 /* by PC: what the address of its access to global memory may be; 0: it has none */
	u32 buffer[MAY_BUFFERS]; /* of bit i, index into program.buffer */
	u32 nbuffer;
};

/* idempotence_flow.c: of a PTX kernel; r->may has kernel.ninst zeros. */
void reaches_find(const struct program *p, const struct launch *l, struct reaches *r);
/* idempotence_trace.c: mark the stores and atomics of a trace. */
void idempotence_trace(const struct launch *l, struct idempotence *x);

/* Does an instruction access global memory, or may it, by a generic address or the handle of a texture? */
static inline bool inst_global(const struct inst *in)
{
	return (in->op == OP_LD || in->op == OP_ST || in->op == OP_ATOM || in->op == OP_COPY || op_is_fetch(in->op)) &&
	       (in->space == SPACE_GLOBAL || in->space == SPACE_GENERIC);
}

#endif
