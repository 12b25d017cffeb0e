/*
 * front.h - what one warp instruction does: the functional half of the simulator.
 *
 * front_issue() performs an instruction for the lanes in `active` at the moment it issues: registers,
 * predicates and shared memory change at once; global loads read the store as it stands (the cycle's start, since
 * stores wait in the write queue until seal); global stores and atomics are appended to the write queue.
 * Source: warpstep-model(7); PTX ISA 8.x.
 */
#ifndef WARPSTEP_FRONT_H
#define WARPSTEP_FRONT_H

#include <signal.h>

#include "program.h"
#include "store.h"

/* Lanes in mask, lowest first. */
#define LANES_EACH(l, mask) \
	for (u32 l##_left = (mask), l = 0; l##_left && (l = (u32)__builtin_ctz(l##_left), true); \
	     l##_left &= l##_left - 1)

enum atom_op {
	ATOM_ADD,
	ATOM_MIN,
	ATOM_MAX,
	ATOM_AND,
	ATOM_OR,
	ATOM_XOR,
	ATOM_EXCH,
	ATOM_CAS,
	ATOM_INC,
	ATOM_DEC,
	ATOM_ADD_F16,
	ATOM_ADD_BF16,
	ATOM_ADD_F16X2,
	ATOM_ADD_BF16X2,
	ATOM_ARRIVE,
	ATOM_OP_COUNT
};

/* What bar.red gives: how many threads had a true predicate, whether all had, whether one had. */
enum bar_red { BAR_RED_POPC, BAR_RED_AND, BAR_RED_OR };

/* Of 32 addresses of 32 bits: the least, the greatest, and the bits that are set in any. */
struct lane_span {
	u32 low, high, bits, known;
};

/* One lane's global store or atomic, or 16 bytes stored by neighbouring lanes; applied by write_apply() at seal. 40
 * bytes, no padding, lives in the machine. */
struct write_entry {
	u64 address;
	u64 data[2]; /* stores: the bytes (width x vec <= 16); atomics: operand, compare value */
	u32 context; /* SM-local context whose register takes the old value */
	u16 dst;     /* atomics: physical register, REG_NONE = reduction */
	u8 bytes;    /* 1..16 for a store, 2, 4 or 8 for an atomic */
	u8 lane;
	u8 atom; /* 0: a store; else 1 + enum atom_op */
	u8 type; /* atomics: enum value_type; stores: lanes whose bytes these are, from `lane` on */
	u8 pad[2];
	u32 pc; /* of the instruction; filled in by the engine */
};
/* Lanes that an entry speaks for. */
static inline u32 write_lanes(const struct write_entry *w)
{
	return w->atom ? 1 : w->type;
}

enum fault_kind {
	FAULT_NONE,
	FAULT_OUT_OF_BOUNDS,
	FAULT_MISALIGNED,
	FAULT_NULL,
	FAULT_SHARED_BOUNDS,
	FAULT_SHARED_MISALIGNED,
	FAULT_PARAM_BOUNDS,
	FAULT_DIVERGED_BARRIER,
	FAULT_READ_ONLY,
	FAULT_TRAP,
	FAULT_LOCAL_BOUNDS,
	FAULT_CONST_BOUNDS,
	FAULT_BREAKPOINT,
	FAULT_ASSERT,
	FAULT_BARRIER_NUMBER,
	FAULT_BARRIER_COUNT,
	FAULT_ABSENT,
	FAULT_TEXTURE,
	FAULT_SURFACE,
	FAULT_SURFACE_BOUNDS,
	FAULT_FREE,
	FAULT_KIND_COUNT
};
extern const char *const fault_name[FAULT_KIND_COUNT];

#define PRINT_BYTES 4000 /* that one call of printf prints, at the most */
/* What is wrong with a call of printf: a conversion that is none, which stands as it is; memory that cannot be read;
 * more than 32 arguments, whose conversions stand as they are; text that was cut. */
enum print_problem { PRINT_FINE, PRINT_FORMAT, PRINT_MEMORY, PRINT_MANY, PRINT_LONG };
struct print_result {
	i32 value; /* that the call gives: how many arguments, -1 no format, -2 memory that cannot be read */
	u32 length;
	u8 problem; /* enum print_problem: the first */
	char text[PRINT_BYTES];
};

/* Where a warp runs: for special registers. */
struct front_site {
	const u64 *clock; /* cycle */
	u32 sm, sms, mhz; /* SM, SMs of the GPU, their clock */
	u32 lanes;	  /* of a context; 0: all of a warp */
};

/* One warp, as an instruction sees it. Pointers are into the store, already unshared for writing. */
struct front_env {
	const struct launch *launch;
	const struct program *program;
	const struct store *store; /* global memory, for loads */
	u32 *regs;		   /* [register x 32 + lane] */
	u32 *preds;		   /* [predicate]: lane mask */
	u8 *shared;		   /* the CTA's shared memory; launch->shared bytes */
	u8 *local;		   /* local memory of the warp: a frame of kernel.local_bytes for each lane */
	struct write_entry *queue; /* append here: queue[*nqueue]; room for 32 more */
	u32 *nqueue;
	const u8 *params; /* arguments (launch->param with `iteration` filled in) */
	u32 ctaid[3];
	u32 cta, warp; /* linear CTA of the grid; warp within the CTA */
	u32 context;   /* SM-local context */
	u32 iteration; /* synthetic kernels: times that the loop has been taken */
	u32 active;    /* lanes on top of the SIMT stack */
	u64 cursor;    /* traces: the warp's place in its records */
	const struct front_site *site;
	struct texel_reads *reads; /* TEX and TLD4: where the lanes read (texture.h); NULL: nobody asks */
	/* Lanes in mask print (VPRINTF), or fail an assertion (ASSERT), which nothing has changed yet; NULL: nobody
	 * keeps it. */
	void (*print)(const struct front_env *env, const struct inst *in, u32 mask);
};

struct front_result {
	u32 mask;	 /* lanes that executed: active and guard */
	u32 taken;	 /* branches: lanes that go to inst.target */
	u32 exited;	 /* lanes that end here */
	u64 address[32]; /* memory instructions: byte address of each lane in mask (shared: offset) */
	u8 fault;	 /* enum fault_kind; nothing was changed if set */
	u8 fault_lane;
	u8 barrier;  /* BAR_*: its number */
	u8 space;    /* generic accesses: the space by which the access is timed; global if the lanes' differ */
	u8 window;   /* generic accesses: the space of all lanes, SPACE_GENERIC if they differ */
	u32 threads; /* BAR_*: threads that it waits for; 0: all of the CTA. NANOSLEEP: nanoseconds */
	u32 votes;   /* BAR_RED: lanes whose predicate is true */
	u32 aside;   /* generic accesses: lanes that are not in global memory, if the lanes' spaces differ; COPY: lanes
			that read nothing */
	u64 fault_address;
	u32 to[32];	       /* COPY: where the lanes' bytes go in shared memory */
	struct lane_span span; /* addresses of 32 bits: what all 32 lanes span, executing or not */
	u64 cursor;	       /* traces: the warp's next record; where and for which lanes it is */
	u32 next, next_mask;
	u8 ended; /* traces: there is none */
};

/* Vector width of functional execution (engine.lanes): the widest, or one of the tables; what the host cannot run
 * becomes the widest that it can. Results are equal, bit for bit. */
enum lanes_width { LANES_WIDEST, LANES_BASELINE, LANES_AVX2, LANES_AVX512 };
void lanes_use(u32 width);

/* Perform in; env->active is not 0. */
void front_issue(const struct front_env *env, const struct inst *in, struct front_result *r);

/* A barrier that no CTA of a launch can execute is a fault, whichever front end wants it: it has no barrier of that
 * number, or not so many threads. */
void front_check_barrier(const struct launch *l, u32 number, struct front_result *r);

/* What a lane prints by a VPRINTF, or says by an ASSERT that fails. */
void front_print(const struct front_env *env, const struct inst *in, u32 lane, struct print_result *out);
/* Read n bytes at a generic address, as a lane sees them; false: they are not all there. */
bool front_peek(const struct front_env *env, u32 lane, u64 address, void *out, u32 n);

/* The barrier of a bar.red is complete: its value reaches the lanes in mask. threads took part, votes of them with
 * true. */
void barrier_deliver(const struct inst *in, u32 *regs, u32 *preds, u32 mask, u32 threads, u32 votes);

/* What an atomic leaves in memory: from the old value, the operand and, for cas, the second operand. flush: denormal
 * sums of f32 become zeros, as in global memory. */
u64 atomic_value(enum atom_op op, enum value_type type, u64 old, u64 a, u64 b, bool flush);
/* Apply one queued write to global memory. Returns the old value of an atomic (else 0). */
u64 write_apply(struct store *s, const struct write_entry *w);
/* The same, and the old value of an atomic reaches w->dst in regs ([register x 32 + lane] of w->context). */
void write_finish(struct store *s, const struct write_entry *w, u32 *regs);

/* The arguments of a launch for one iteration of its host loop: kernel.param_bytes into out. */
void launch_params(const struct launch *l, u32 iteration, u8 *out);
/* Whether a host loop goes on after `done` iterations: its condition holds in global memory and its bound allows. */
bool host_loop_again(const struct host_loop *loop, const struct store *s, u32 done);
/* Before every iteration: the loop's buffer becomes zeros. */
void host_loop_reset(const struct host_loop *loop, struct store *s);

/* Run the whole program without timing; results land in s. max_steps (warp instructions) bounds it, 0 = none.
 * On a fault or a barrier deadlock, an error naming lane, address, nearest buffer and source line. A signal handler
 * that sets functional_interrupt ends it with STATUS_LIMIT at the next instruction. */
extern volatile sig_atomic_t functional_interrupt;
struct functional_result {
	u64 warp_instructions, thread_instructions;
};
/* Who hears what a run without timing prints. */
struct functional_ear {
	/* Lanes in mask print, or fail an assertion: env->launch, cta and warp say whose they are. */
	void (*print)(struct functional_ear *self, const struct front_env *env, const struct inst *in, u32 mask);
	u32 iteration; /* of the launch's host loop; set by the run */
};
/* ear: NULL, nobody hears. */
enum status functional_run_heard(const struct program *p, struct store *s, u64 max_steps, struct functional_ear *ear,
				 struct functional_result *out, struct error *e);
static inline enum status functional_run(const struct program *p, struct store *s, u64 max_steps,
					 struct functional_result *out, struct error *e)
{
	return functional_run_heard(p, s, max_steps, NULL, out, e);
}

/* Lanes as "0-15,20". */
void lanes_text(u32 mask, struct text *out);
/* The message of a fault for users: kernel, CTA, warp, lane, PC, source line, address, nearest buffer. */
void fault_describe(struct text *out, const struct program *p, const struct launch *l, u32 cta, u32 warp,
		    const struct inst *in, u8 fault, u8 lane, u64 address);

#endif
