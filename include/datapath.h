/*
 * datapath.h - where the warps and instructions of an SM are, stage by stage: what pane datapath draws as boxes.
 *
 * Each resident warp is in one box by its state, which is that of `info warps` and `why`. Each instruction in flight is
 * in one box by where the machine keeps it; line writes that are not acknowledged count beside it. Conservation: the
 * instructions and writes of a warp in the boxes are its warp.inflight.
 */
#ifndef WARPSTEP_DATAPATH_H
#define WARPSTEP_DATAPATH_H

#include "machine.h"
#include "sim.h"

enum box_holds { HOLDS_NOTHING, HOLDS_WARPS, HOLDS_INSTRUCTIONS, HOLDS_SHARED };
enum box {
#define BOX(id, name, holds, across, down, share, explain, layout, stop, doc) BOX_##id,
#include "datapath.def"
	BOX_COUNT
};
enum path {
#define PATH(id, from, to, doc) PATH_##id,
#include "datapath.def"
	PATH_COUNT
};
struct box_row {
	const char *name;
	u8 holds, across, down, share;
	const char *explain, *layout, *stop, *doc;
};
extern const struct box_row box_table[BOX_COUNT];
struct path_row {
	u8 from, to; /* enum box; from BOX_COUNT: the result bus */
	const char *doc;
};
extern const struct path_row path_table[PATH_COUNT];

/* A warp, an instruction, or line writes alone (pc NONE32). */
struct box_item {
	u8 box, sub;
	u8 status;  /* of a warp; of an instruction WARP_STATUS_COUNT */
	u8 missing; /* operands that an instruction in a collector unit lacks; lines that a load lacks */
	u16 context;
	u16 writes; /* line writes, or waits of the warp for an atomic, that are counted with it */
	u16 place;  /* collector unit, or position in a queue from 0 on */
	u32 pc;
	u64 since; /* cycle in which it issued; of a warp its last issue; NEVER: not known */
	u64 due;   /* cycle in which its result comes; NEVER: not known */
};
struct datapath {
	const struct sim *sim;
	u32 sm;
	struct box_item *item;
	u32 n, room;
};

/* Look at an SM between two cycles; close it. */
void datapath_open(struct datapath *d, const struct sim *sim, u32 sm);
void datapath_close(struct datapath *d);
/* Has the machine that stage? */
bool datapath_has(const struct sim *sim, enum box box);
/* The box of a warp in a state. */
enum box datapath_box_of(enum warp_status status);
/* The box of a kind of execution unit. */
enum box datapath_unit_box(u32 kind);
/* Are the warps of the SM in the boxes, each once, and of each warp as many instructions and writes as are in flight?
 */
bool datapath_sum(const struct datapath *d, u32 sub, u32 *warps, u32 *inflight);
/* Gangs of the SM by the number of their small warps, from 1 (a small warp alone) to MAX_SUBCORES. */
void datapath_gangs(const struct datapath *d, u32 count[MAX_SUBCORES + 1]);
/* How many entries of a stage are in use, of how many; *of 0: it has no bound. Of the units of a kind: those that
 * took an instruction in the last cycle, or could take none. */
u32 datapath_used(const struct datapath *d, enum box box, u32 sub, u32 *of);
/* The instruction that a stalled warp waits for, which writes a register that its next one needs; NULL: none is seen.
 * *hazard: which register, or HAZARD_PRED + predicate. */
const struct box_item *datapath_producer(const struct datapath *d, u32 context, u32 *hazard);

/* What moved in the last cycle, counted from its records, for a sub-core; shared stages count for each. */
struct moves {
	u32 n[PATH_COUNT];
	u32 unit[UNIT_COUNT];	/* dispatches by kind */
	u32 written[BOX_COUNT]; /* results by the box from which they came */
	u32 refused;		/* line accesses that the L1D rejected */
};
void moves_add(struct moves *to, const struct datapath *d, const struct record *r, u32 sub);

#endif
