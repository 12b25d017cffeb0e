/*
 * idempotence.h - which instructions end a block's right to be thrown away and begun again.
 *
 * A block is idempotent until it has executed an atomic on global memory or overwritten what its kernel reads there
 * (Park, "Enabling Efficient Resource Utilization on Multitasking Throughput Processors", 2016, section 4.3.4). Which
 * instructions may do that is found once for each launch, on the safe side: one that is not marked never does.
 *
 * PTX: where each access may go is followed through the code, and the launch's arguments say which buffer that is. What
 * is added to an address is taken to leave it in its buffer, as C demands. Traces: a store is marked if one of its
 * lines is read by the kernel, anywhere. Synthetic kernels: `idempotent` says it; atomics are marked, and below
 * 100 stores and the loop's branch; below 100 all count from that part of a warp's iterations on. One described by
 * time is marked at that part of its steps.
 * Deviations: a kernel that stores to where a clock or its SM's number tells is not marked for that; what other
 * launches read that run at the same time is not looked at.
 */
#ifndef WARPSTEP_IDEMPOTENCE_H
#define WARPSTEP_IDEMPOTENCE_H

#include "program.h"

/* Why an instruction trips. */
enum trip_why {
	TRIP_NONE,
	TRIP_ATOMIC,
	TRIP_READ,	     /* its buffer is read by the instruction `read` */
	TRIP_STORE_ANYWHERE, /* it may go to any buffer, and something is read */
	TRIP_LOAD_ANYWHERE,  /* the instruction `read` may read any buffer */
	TRIP_LINE,	     /* traces: a line of 128 bytes is read by the instruction `read` */
	TRIP_DECLARED,	     /* synthetic: the kernel is not wholly idempotent */
	TRIP_PRINT,	     /* it prints, or fails an assertion */
	TRIP_WHY_COUNT
};
#define TRIP_NOWHERE (~0u)

struct trip {
	u32 why;    /* enum trip_why */
	u32 buffer; /* TRIP_READ: index into program.buffer; else TRIP_NOWHERE */
	u32 read;   /* PC of an instruction that reads it; TRIP_NOWHERE: none is named */
};

/* The marks of one launch. */
struct idempotence {
	struct trip *trip; /* by PC */
	u32 ninst;
	u32 marked; /* instructions that trip; 0: the kernel is idempotent */
	u32 from;   /* synthetic: iterations of the body that pass before marked instructions trip; else 0 */
};

/* The marks of a launch of the program, whose buffers and module variables have their addresses. To be freed. */
struct idempotence *idempotence_make(const struct program *p, const struct launch *l);
void idempotence_free(struct idempotence *x);
/* Does the instruction trip when a warp issues it? iteration: times that the warp has taken a synthetic kernel's loop,
 * with this time where it is the branch; else 0. */
static inline bool idempotence_trips(const struct idempotence *x, u32 pc, u32 iteration)
{
	return x->trip[pc].why != TRIP_NONE && iteration >= x->from;
}
/* Why an instruction trips, in words: "buffer c is read at 12". Names are not made safe for a terminal. */
void idempotence_reason(const struct idempotence *x, const struct program *p, u32 pc, struct text *out);

#endif
