/*
 * trace.h - kernels recorded on a real GPU: Accel-Sim's kernelslist.g and *.traceg or *.tracez.
 *
 * Loading is one pass over the text into an image: the static instructions (struct kernel), and in an unlinked
 * temporary file, mapped, for each CTA where the records of its warps are. A warp's place is the offset of its next
 * record, a number in the machine; so going back, and running a warp anywhere at any time, needs no second look at the
 * text. Records are about two bytes, five more with an address. Resident memory does not grow with the trace: pages of
 * the image are given back as it is read.
 */
#ifndef WARPSTEP_TRACE_H
#define WARPSTEP_TRACE_H

#include "front.h"

struct trace_image;
struct control_bits;
struct cubin;

/* A warp, counted over all CTAs, and where its records in another order begin, behind the end of the image. */
struct trace_turned {
	u64 warp, at;
};

/* One recorded kernel, beside its static instructions. */
struct trace {
	struct trace_image *image;
	u32 grid[3], block[3], ctas, warps; /* warps of a CTA */
	u32 binary, version;		    /* 70: Volta; of the tracer */
	u32 shared;			    /* bytes of a CTA */
	u64 stream;
	u64 shared_base, local_base; /* of the generic windows; 0: not given */
	u64 local_low;		     /* least local address */
	u64 index;		     /* in the image: by CTA, where the table of its warps is, 0: none */
	u64 records, hash;
	u32 *number; /* instruction index to its number in records, and back */
	u32 *inst;
	u32 *pc;		     /* by instruction: its byte offset in its function, as recorded */
	struct control_bits *bits;   /* by instruction, of a cubin; NULL: none was given */
	char *cubin;		     /* its path */
	struct trace_turned *turned; /* warps whose records have another order with warp.first most */
	u32 nturned;
	u8 *other_class; /* by instruction: its class with trace.hardware, or without; NULL: the same */
	bool hardware;	 /* the instructions have their classes of trace.hardware */
};

/* How a trace is loaded, a bit each: unknown opcodes are integer instructions; a link in a list's folder may lead out
 * of it; what was read of large ones is kept for the next time (trace_cache.c). */
enum { TRACE_UNKNOWN_INT = 1, TRACE_ANYWHERE = 2, TRACE_KEPT = 4 };
/* Load a kernelslist.g (all its kernels), or one kernel's *.traceg (plain, gzip or xz) or *.tracez. */
enum status trace_load(const char *path, u32 how, struct module **out, struct error *e);
/* Each kernel of a trace's module gets the control bits and reuse bits that it has in the first of n cubins, n not 0,
 * which have it for its architecture. An error: some have, the module is to be freed. */
enum status trace_take_cubins(struct module *m, struct cubin *const *c, u32 n, struct error *e);
/* The instructions of a recorded kernel get the classes that they have with trace.hardware, or without. */
void trace_hardware_take(struct kernel *k, bool on);
void trace_free(struct trace *t);
/* Is a path by its name that of a trace? */
bool trace_named(const char *path);

/* Where warp `warp` of a CTA starts, or the slice of it that has `lanes`, as recorded or in the order of paths of
 * warp.first most. False: it has no records. */
struct trace_place {
	u64 cursor; /* its next record */
	u32 pc, mask;
};
bool trace_start(const struct kernel *k, u32 cta, u32 warp, u32 lanes, bool most_first, struct trace_place *out);
/* The record at env->cursor: addresses, and the place of the next one. */
void trace_issue(const struct front_env *env, const struct inst *in, struct front_result *r);

#endif
