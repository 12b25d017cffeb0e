/*
 * points.h - program points of a kernel: the instructions by which the distance to the next load changes.
 *
 * A point is a load of global or local memory (generic ones too) or a branch. A branch has a score, the least distance
 * to a load over both of its ways; a load has 0, or what a merge left. Distances count instructions in the order of
 * their PCs. Source: Park, "Enabling Efficient Resource Utilization on Multitasking Throughput Processors", 2016,
 * section 3.3 (ELF).
 */
#ifndef WARPSTEP_POINTS_H
#define WARPSTEP_POINTS_H

#include "config.h"
#include "kernel.h"

enum point_kind {
	POINT_LOAD,
	POINT_BRANCH, /* it may fall through */
	POINT_JUMP    /* it never does */
};

struct point {
	u32 pc;	   /* index of its instruction */
	u32 kind;  /* enum point_kind */
	u32 score; /* instructions */
};

/* A point that had to go for want of room. */
struct point_merge {
	u32 gone;     /* index of its instruction */
	u32 into;     /* load that stands for it from then on; ~0: none does, it was dropped */
	u32 distance; /* instructions between the two */
	u32 score;    /* of that load from then on */
};

struct points {
	u32 most;	     /* where scores and priorities saturate; also where no load follows */
	u32 loads, branches; /* of the kernel, of the branches those that are considered */
	u32 useless;	     /* of the branches, those that change no distance, which are no points */
	struct point *point; /* in the order of PCs */
	u32 n;
	struct point_merge *merge; /* what merging did, in its order */
	u32 nmerge, dropped;
	u8 *priority; /* by instruction, of a warp that is to issue it */
	u8 *way;      /* by instruction: 1 a branch whose score is that of the way to its target */
	u32 ninst;
};

/* The points of a kernel, merged until `limit` are left (0: none at all); `bits` (1 to 8) are those of a score;
 * forward: branches that go forward are points, too. To be freed. */
struct points *points_make(const struct kernel *k, u32 limit, u32 bits, bool forward);
/* Those that settings make. */
struct points *points_under(const struct kernel *k, const struct config *c);
void points_free(struct points *p);
/* Index of the first point at or behind an instruction; points.n: none. */
u32 points_next(const struct points *p, u32 pc);
/* Instructions to the next load as points tell: the naive calculation, once for each instruction in points.priority. */
u32 points_priority(const struct points *p, u32 pc);

/* points_merge.c: merge points until `limit` are left. */
void points_merge(struct points *p, u32 limit);

#endif
