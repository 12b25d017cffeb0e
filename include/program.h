/*
 * program.h - what is launched: kernels with their arguments, grids, and the buffers that they use.
 *
 * Built by commands (gpu, module, buffer, launch, ...), frozen when the machine is made. Immutable from then on;
 * the machine holds indices into it. Everything here enters config.hash.
 */
#ifndef WARPSTEP_PROGRAM_H
#define WARPSTEP_PROGRAM_H

#include "kernel.h"

struct buffer {
	char *name;
	u8 type;	    /* enum value_type */
	u64 count;	    /* elements */
	u64 address, bytes; /* in the global window; aligned to 256, with a guard gap after it */
	u8 *init;	    /* bytes, or NULL for zeros */
	bool defined;	    /* what is in it was said (`zero`), or it is a variable of a module */
	bool texture;	    /* a texture or surface object: init is a struct texture, its address the handle */
};

enum compare_op { COMPARE_EQ, COMPARE_NE, COMPARE_LT, COMPARE_LE, COMPARE_GT, COMPARE_GE };

/* A host loop: `while BUFFER[INDEX] OP VALUE max N [reset BUFFER]`: read when the launch ends. */
struct host_loop {
	bool present;
	u8 type, compare;  /* enum value_type, enum compare_op */
	u64 address;	   /* of the element read */
	i64 value_int;	   /* integer types */
	double value_real; /* float types */
	u32 max;
	u64 reset_address, reset_bytes; /* zeroed before every iteration; bytes 0 = none */
	u32 iteration_param;		/* offset of a 32-bit argument `iteration`, ~0 = none */
};

#define LAUNCH_POINTS 64
struct launch {
	const struct kernel *kernel;
	char *name; /* `as NAME`, else the kernel's */
	u32 grid[3], block[3];
	u32 ctas, threads, warps; /* CTAs of the grid; threads and warps of a CTA */
	u32 regs; /* per thread, for occupancy: kernel.regs or the `regs N` override (never lower than values need) */
	u32 dynamic_shared, shared; /* bytes; shared = static + dynamic, what a CTA takes */
	u8 *param;		    /* param_bytes of arguments */
	u32 stream, priority;
	u32 patience; /* branches back that lanes take over reads before others of their warp have a turn; 0: any number
		       */
	bool apart;   /* lanes of a warp that part go their own ways (warp.independent) */
	bool most_first;	  /* of their paths the one with more lanes runs first (warp.first) */
	u64 at, every;		  /* cycles; every 0 = once */
	u64 deadline;		  /* cycles from the nominal release of an instance (at, at + every, ...), 0: none */
	u32 sms;		  /* SMs that it asks for, 0: none in particular */
	bool restart;		  /* its stream begins again until all others have gone through once */
	u32 alone;		  /* percent of scheduler slots in which it issues where it runs alone, 0: not known */
	u32 points;		  /* of curve, 0: none */
	u16 curve[LAUNCH_POINTS]; /* how fast it is with 1, 2, ... CTAs on an SM, in any unit */
	struct host_loop loop;
	u32 *tid[3]; /* [warp x 32 + lane]: thread index within the CTA, x y z; NULL of a trace, which has no values */
	u32 *warp_mask; /* [warp]: lanes that exist */
};

/* What follows from the launches together, by launch. */
struct launch_plan {
	u32 *first;  /* the first launch of its kernel */
	u32 *next;   /* the launch of its stream that waits for it; ~0: none */
	u8 *follows; /* 1: it waits for another */
	u16 *seat;
	u32 seats; /* how many there are */
};

#define MAX_LAUNCHES 60000u /* of a program: the machine counts them in 16 bits */

struct program {
	struct module **module;
	u32 nmodule;
	struct buffer *buffer;
	u32 nbuffer;
	struct launch *launch;
	u32 nlaunch;
	u64 global_bytes; /* of the global window, module variables included */
};

/* Fill ctas, threads, warps, tid, warp_mask, shared of a launch whose kernel, grid, block are set. */
void launch_prepare(struct launch *l);
/* Free what a launch owns; its kernel belongs to a module. */
void launch_free(struct launch *l);
void program_free(struct program *p);
struct launch_plan program_plan(const struct program *p);
void launch_plan_free(struct launch_plan *plan);
/* For each launch the first of its kernel; xmalloc'ed. */
u32 *program_first_launches(const struct program *p);
/* Buffers lie in the order of their addresses. Index of the first that ends behind address; nbuffer: none does. */
u32 program_buffer_from(const struct program *p, u64 address);
/* The buffer holding address, or nearest below and above it in *near (never NULL if there is any buffer). */
const struct buffer *program_buffer_at(const struct program *p, u64 address, const struct buffer **near);

#endif
