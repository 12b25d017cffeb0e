/*
 * kernel.h - the immutable description of a kernel, which every front end produces.
 *
 * A front end (PTX, synthetic, traces) fills a struct kernel once, at load. The simulator reads
 * the static instructions for timing (class, physical registers, targets, reconvergence points) and calls
 * front_issue() (front.h) for what one warp instruction does: lanes, next PC, addresses, values.
 *
 * Registers are physical 32-bit registers of one thread (lanes of a warp side by side); a 64-bit value is an
 * aligned pair (2n, 2n+1), low word first. A 16-bit value occupies one register. Predicates are lane masks,
 * one u32 each, and are not in the register file.
 */
#ifndef WARPSTEP_KERNEL_H
#define WARPSTEP_KERNEL_H

#include "base.h"

#define WARP_LANES 32
#define REG_NONE 0xffff
#define MAX_REGS 255   /* physical registers per thread */
#define MAX_PREDS 64   /* predicates per thread */
#define MAX_VECTOR 4   /* registers of one vector load or store */
#define HAZARD_WORDS 5 /* 255 registers, then the predicates from bit 256 */
#define HAZARD_PRED 256
#define HAZARD_COPIES 255 /* no register: asynchronous copies of the warp */

/* What an instruction needs: a unit, a latency, an interval. Rows: classes.def. */
enum inst_class {
#define CLASS(id, name, unit, doc) CLASS_##id,
#include "classes.def"
#undef CLASS
	CLASS_COUNT
};

/* The kinds of execution unit of a sub-core. Control instructions need none and pass no collector. */
enum unit_kind {
#define UNIT(id, name) UNIT_##id,
#include "units.def"
#undef UNIT
	UNIT_COUNT
};

enum space { SPACE_NONE, SPACE_PARAM, SPACE_CONST, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_GENERIC };

enum operand_kind {
	OPERAND_NONE,
	OPERAND_REG,  /* value: first physical register */
	OPERAND_PRED, /* value: predicate index */
	OPERAND_IMM,  /* value: index into kernel.imm (64-bit bit pattern) */
	OPERAND_SREG, /* value: enum special_reg */
};

/* Special registers. Rows: sregs.def. */
enum special_reg {
#define SREG(id, name, bits, timed) SREG_##id,
#include "sregs.def"
#undef SREG
	SREG_COUNT
};

/*
 * Generic addresses: global memory's are themselves; other spaces have a window each, with offsets from its base.
 * All lie below global memory.
 */
#define WINDOW_BYTES 0x1000000ULL
#define SHARED_WINDOW 0x6fff00000000ULL
#define LOCAL_WINDOW (SHARED_WINDOW + WINDOW_BYTES)
#define CONST_WINDOW (SHARED_WINDOW + 2 * WINDOW_BYTES)
#define PARAM_WINDOW (SHARED_WINDOW + 3 * WINDOW_BYTES)
#define WINDOWS_END (SHARED_WINDOW + 4 * WINDOW_BYTES)
#define FUNCTION_WINDOW WINDOWS_END /* values of addresses of functions; nothing can be read there */
#define MAX_BARRIERS 16		    /* named barriers of a CTA */

struct operand {
	u8 kind;   /* enum operand_kind */
	u8 negate; /* predicates: use the complement */
	u16 value;
};

/* aux of a branch: of lanes that part, those that fall through run first, for they end without the barrier of the
 * others. */
#define BRA_FALL_FIRST 1
/* aux of a branch or an exit of a trace: it was seen to go on to the next instruction. */
#define BRA_FALLS 2
/* aux of a branch: either path may run first (warp.first). */
#define BRA_EITHER 3
/* aux of MMA: what the elements of A and B are, and D's; 0 to 3 of MMA_S8 and MMA_S4 tell of unsigned ones, 1 A's, 2
 * B's; +4: .satfinite; MMA_F8, and with sums of halves MMA_F8_F16: e4m3, of e5m2 tell 1 and 2 likewise; MMA_B1: of
 * .xor, the next one of .and. */
enum mma_kind {
	MMA_S8,
	MMA_F16 = 8,
	MMA_F16_F16,
	MMA_BF16,
	MMA_TF32,
	MMA_F8,
	MMA_F8_F16 = 16,
	MMA_S4 = 24,
	MMA_B1 = 32,
	MMA_B1_AND
};
/* Are its sums s32; halves, two of them in a register? Else they are f32. */
static inline bool mma_of_integers(u8 kind)
{
	return kind < MMA_F16 || kind >= MMA_S4;
}
static inline bool mma_sums_halves(u8 kind)
{
	return kind == MMA_F16_F16 || (kind >= MMA_F8_F16 && kind < MMA_S4);
}
/* aux of MMA_QUAD: which of its steps; A by columns, B by rows; D of halves. */
#define MMA_QUAD_STEP 3
#define MMA_QUAD_A_COL 4
#define MMA_QUAD_B_ROW 8
#define MMA_QUAD_HALVES 16
/* aux of COPY_WAIT: how many of the newest groups of copies may still be on their way; COPIES_ALL: no copy at all, of
 * the open group neither. */
#define COPIES_ALL 255
/* aux of LDMATRIX: transposed. */
#define LDMATRIX_TRANS 1
/* aux of a load or store: it is .volatile, .relaxed, .acquire or .release, with which threads may speak to each other.
 */
#define ACCESS_STRONG 1
/* ... it is a load that an L1 must not answer: .cg, .cv, .volatile, or .relaxed or stronger for more than its CTA. */
#define ACCESS_PAST 2
/* ... it is of a spilled register, in local memory. */
#define ACCESS_SPILL 4

/* Of which lanes an instruction needs to know where they are: none; those of its member mask, its last source; all that
 * have not ended, in this very instruction. */
enum meet_kind { MEET_NONE, MEET_MEMBERS, MEET_WHOLE };
/* flow of an instruction: a branch back over reads that another thread may answer; from here on something may come that
 * others can notice (a write, a meeting of lanes) before a barrier of the CTA; the sides of a branch meet here. */
#define FLOW_ASKS 1
#define FLOW_TELLS 2
#define FLOW_JOINS 4

#define MAX_DST 4
#define MAX_SRC 7
#define REUSE_REACH 8  /* instructions within which a read has its reuse bit for another (reuse.c) */
#define REUSE_PLACES 3 /* operand positions that have a place in the register cache (collector.reuse) */

/* One static instruction. Its index in kernel.inst is its PC; the byte address is index x gpu.inst_bytes. */
struct inst {
	u16 op;	  /* enum op */
	u8 class; /* enum inst_class */
	u8 ndst, nsrc;
	u8 space;	      /* enum space, for memory instructions */
	u8 width;	      /* bytes of one element: 1, 2, 4, 8 */
	u8 vec;		      /* elements per lane: 1, 2, 4 */
	u8 is_signed;	      /* sub-word loads sign-extend */
	u8 aux;		      /* op-specific: combining boolean op of setp, atomic sub-op, BRA_FALL_FIRST, ... */
	u8 uniform;	      /* bra.uni */
	u8 barrier;	      /* barrier number of bar.* unless src[0] has it */
	u8 meet;	      /* enum meet_kind */
	u8 flow;	      /* FLOW_* */
	struct operand guard; /* kind NONE or PRED */
	struct operand dst[MAX_DST];
	struct operand src[MAX_SRC]; /* memory: src[0] address, then stored values */
	i32 offset;		     /* immediate byte offset of an address; threads of a recorded barrier, 0 all */
	u32 target;		     /* branches: index of the target, else next */
	u32 reconverge;		     /* branches: immediate post-dominator's index; kernel.ninst = at exit */

	/* timing view: physical registers named, in operand order, 32-bit each */
	u8 nread, nwrite;
	u8 read[8];	      /* register-file reads: one request each */
	u8 place[8];	      /* of each, its operand's position: 0 to REUSE_PLACES - 1, or one that has no cache */
	u8 reuse;	      /* reads whose value the next one at their position wants, a bit each: SASS's .reuse */
	u8 write[MAX_VECTOR]; /* registers that a result makes available */
	u8 write_pred[2];     /* predicates written; 0xff none */
	u8 constant;	      /* loads of constants: 1 + the line that they read; 0: unknown */
	u64 hazard[HAZARD_WORDS]; /* bits of registers and predicates that must have no write pending */
	/* class tensor, with lat.tensor_step: reads that the tensor core still has from the step before, a bit each;
	 * the sum stays there for the next step; quarters of a step of m16n8 over 32 bytes of depth, 0: four */
	u8 held, keeps, work;
	u8 counted; /* an atomic that adds one to a word and whose result nobody reads (shared.count_ones) */

	u32 ptx_line, ptx_column;     /* place in the module's text; 0 none */
	u32 source_file, source_line; /* .loc; 0 none */
	u32 text;		      /* offset into kernel.strings: the instruction with physical registers */
};

struct kernel;
/* Constants that a kernel loads at addresses known beforehand, as inst.constant numbers them: blocks in the order of
 * the code, four lines each; what is in no block of these is unknown. */
#define CONSTANT_LINE 64 /* bytes */
#define CONSTANT_BLOCK_LINES 4
#define CONSTANT_BLOCKS 8
#define CONSTANT_LINES (CONSTANT_BLOCKS * CONSTANT_BLOCK_LINES)
struct constant_blocks {
	u32 n;
	u64 block[CONSTANT_BLOCKS]; /* address by the bytes of a block */
};
/* inst.constant of a load from an address; its block is noted. constant_lines.c */
u8 constant_line(struct constant_blocks *b, u64 address);
/* That of all loads of a kernel of PTX whose variables have their places. */
void constant_lines_find(struct kernel *k);

/* What a parameter that is no pointer is the handle of. */
enum param_object { PARAM_TEXTURE = 1, PARAM_SURFACE };

struct kernel_param {
	u32 offset, size, align;
	u8 type;    /* enum value_type of a scalar; VALUE_BYTES for an aggregate */
	u8 pointer; /* .ptr attribute given (clang), or 64-bit unsigned that the kernel converts to global */
	u8 shared;  /* .ptr .shared (OpenCL): the offset of bytes of dynamic shared memory, given as `shared BYTES' */
	u8 element; /* pointers: enum value_type that the kernel reads or writes there first; VALUE_BYTES: it does not
		     */
	u8 object;  /* enum param_object: the handle of a texture or surface; 0: it is none */
	u8 shape;   /* of an object: enum texture_shape (texture.h) as the kernel reads it first */
	u32 shared_align; /* of what the pointer points to */
	char *name;
};

/* A part of a parameter that the kernel loads: the whole of a scalar, a field of a struct. Guesses, for messages. */
struct kernel_field {
	u32 param, offset;
	u8 type;    /* enum value_type */
	u8 object;  /* enum param_object, or 0 */
	u8 shape;   /* of an object */
	u8 pointer; /* it is an address in global memory, of ... */
	u8 element; /* ... this type; VALUE_BYTES: never accessed */
};

/* Types of scalars that users write: launch arguments, buffers. */
enum value_type {
	VALUE_U8,
	VALUE_S8,
	VALUE_U16,
	VALUE_S16,
	VALUE_U32,
	VALUE_S32,
	VALUE_U64,
	VALUE_S64,
	VALUE_F32,
	VALUE_F64,
	VALUE_BYTES,
	VALUE_TYPE_COUNT
};
extern const char *const value_type_name[VALUE_TYPE_COUNT]; /* "u8", ... */
/* The type that elements have by its name (enum value_type), -1 if it is none. */
int value_type_named(const char *name);
extern const u8 value_type_size[VALUE_TYPE_COUNT];

enum front_kind { FRONT_PTX, FRONT_SYNTHETIC, FRONT_TRACE };

/* A module-scope variable: .const or .global of a PTX module. */
struct module_symbol {
	char *name;
	u8 space;	 /* SPACE_CONST or SPACE_GLOBAL */
	u8 type;	 /* enum value_type of an element */
	u32 size, align; /* bytes */
	u64 address;	 /* offset in the constant bank; .global: in the module's area until that is placed, then the
			    address */
	u8 *init;	 /* size bytes, or NULL for zeros */
	u32 line, column;
	u8 common; /* not of the file: one for all modules of a program, made by the first that needs it */
};

/* The variable with the barriers of grids that synchronize themselves (%envreg1, %envreg2): of a launch the one of its
 * number, modulo GRID_BARRIERS, so many grids as a GPU runs at a time. */
#define GRID_BARRIER "grid.barrier"
#define GRID_BARRIERS 128
#define GRID_BARRIER_BYTES 32
/* Those of malloc and free in kernels (ptx_heap.c): the blocks, of as many bytes as the heap has; lists of free ones.
 */
#define HEAP_BLOCKS "heap.blocks"
#define HEAP_LISTS "heap.lists"
#define HEAP_BYTES (8u << 20) /* unless something else is said: as CUDA's cudaLimitMallocHeapSize */
#define HEAP_LIST_BYTES 8192

/* kernel.imm[imm] is an offset within module->symbol[symbol]; whoever places the module adds the symbol's address. */
struct relocation {
	u32 imm, symbol;
};

/* Bytes of a variable's initialiser that hold an address: that of module->symbol[target], plus addend, shifted right.
 */
struct init_relocation {
	u32 symbol, offset; /* where the bytes are */
	u32 target;
	u8 bytes, shift;
	i64 addend; /* with the base of the target's window, for a generic address */
};

/* An entry that was read over, for it uses what is not supported: where that stands and why. */
struct refused_entry {
	char *name, *message;
	u32 line, column;
};

/* Where a function stands in another, put there by the compiler or expanded by warpstep where it is called. */
struct call_site {
	char *function;		/* that stands there; NULL: not told */
	u32 file, line, column; /* of the place in the caller; file: as in source[] of the module */
	u32 outer; /* where the caller itself stands in another: 1 + index of its site; 0: it is the kernel */
	u8 called; /* by a call instruction; else the compiler inlined it */
};

/* Registers that a kernel keeps in local memory because it has too few: what ptxas -v tells of one. */
struct spill_counts {
	u32 bytes;	    /* of local memory per thread */
	u32 stores, loads;  /* instructions of the kernel that store and load them */
	u32 stored, loaded; /* bytes of a thread that these store and load, each instruction once */
};

struct config;
struct synth;
struct trace;

/* What depends on the order in which the instructions of straight lines stand. */
struct kernel_order {
	struct inst *inst;
	u32 regs, preds;
	char *strings;
	u32 *site;
};

struct kernel {
	char *name;   /* as its source has it (cxx_name.h), and as everybody shows it */
	char *symbol; /* of the file, where that is another one; NULL: it is not */
	u8 front;     /* enum front_kind */
	u8 scheduled; /* its instructions stand in the order of ptx.schedule, and *other as written; else the other way
		       */
	struct kernel_order *other; /* NULL: there is only one order */
	struct inst *inst;
	u32 ninst;
	u64 *imm;
	u32 nimm;
	struct relocation *reloc; /* addresses of .global variables among the immediates */
	u32 nreloc;
	struct kernel_param *param;
	u32 nparam, param_bytes;
	struct kernel_field *field;
	u32 nfield;
	u32 regs, preds; /* physical registers per thread; predicates */
	struct spill_counts spill;
	u32 static_shared, local_bytes; /* bytes per CTA; bytes per thread */
	u32 dynamic_shared_base;	/* offset of .extern .shared names (end of the static ones, aligned) */
	u32 maxntid[3], minnctapersm;	/* from the entry's directives; 0 none */
	u8 stores_global, has_atomics, has_barrier;
	u8 prints;     /* calls printf, or may fail an assertion */
	u8 dynamic;    /* names .extern .shared memory */
	u8 borrowed;   /* what it points to belongs to an earlier kernel of its module, which is the same */
	u16 target;    /* .target sm_N: N; 0: none */
	u8 grid_sync;  /* its CTAs may wait for all others of the grid: all must be resident at once */
	u8 reads_time; /* reads a special register whose value depends on timing or placement */
	char *strings; /* texts of instructions, NUL-separated */
	const struct module *module;
	const struct synth *synth; /* FRONT_SYNTHETIC */
	const struct trace *trace; /* FRONT_TRACE */
	char **labels;		   /* labels[i] names instruction i, or NULL; ninst entries, may be NULL */
	u32 *site; /* of instruction i, 1 + index of its innermost site in the module, 0: none; NULL: none has one */
};

/* The name by which a file knows a kernel. */
static inline const char *kernel_symbol(const struct kernel *k)
{
	return k->symbol ? k->symbol : k->name;
}
/* Is that a kernel's name, or its symbol? */
bool kernel_is_called(const struct kernel *k, const char *name);

struct line_origin;

/* A loaded file: its kernels and its variables. */
struct module {
	char *path;
	u64 hash;			/* of the text of a PTX file; 0: there is none */
	const struct line_origin *from; /* of the line that loaded it (rights.h); NULL: the user's */
	struct kernel *kernel;
	u32 nkernel;
	struct refused_entry *refused;
	u32 nrefused;
	struct module_symbol *symbol;
	u32 nsymbol;
	u8 *constants; /* the constant bank: initialised .const variables */
	u32 nconstants;
	char **source; /* .file names, by number; may have NULLs */
	u32 nsource;
	struct call_site *site; /* of functions within functions */
	u32 nsite;
	u64 global_bytes;	       /* of the module's own area: all .global variables */
	struct init_relocation *reloc; /* addresses in initialisers: module_place() fills them in */
	u32 nreloc;
};

/* The reads of a kernel's instructions get their positions, until then numbers of source operands, and their reuse
 * bits: reuse.c. */
void kernel_reuse(struct kernel *k);

/* Give the heap of malloc and free so many bytes, before the module's variables have their places; false: it has none.
 */
bool module_heap(struct module *m, u32 bytes);
void module_free(struct module *m);
/* Put a kernel's instructions into the order of ptx.schedule, or as they were written. No machine has it. */
void kernel_schedule(struct kernel *k, bool scheduled);
/* The setting by which a kernel's instructions are not as a configuration wants them: ptx.schedule, trace.hardware.
 * NULL: they are. kernel_make makes them so. */
const char *kernel_otherwise(const struct kernel *k, const struct config *c);
void kernel_make(struct kernel *k, const struct config *c);
void kernel_free(struct kernel *k); /* what it owns, not the struct */
/* The .global symbols have their addresses: put them into the immediates of kernels and into initialisers. Once. */
void module_place(struct module *m);
/* Instruction i as text with physical registers, e.g. "fma.rn.f32 r14, r4, r9, r14"; "": it has none. */
static inline const char *kernel_text(const struct kernel *k, u32 i)
{
	return k->strings && i < k->ninst ? k->strings + k->inst[i].text : "";
}

/* Does a branch or an exit ever go on to the next instruction? */
static inline bool inst_falls(const struct kernel *k, const struct inst *in)
{
	return in->guard.kind != OPERAND_NONE || (k->front == FRONT_TRACE && in->aux == BRA_FALLS);
}

/* Does an instruction write any register or predicate? */
static inline bool inst_writes(const struct inst *in)
{
	return in->nwrite || in->write_pred[0] != 0xff || in->write_pred[1] != 0xff;
}

/* Add those that it writes to a set like its hazards. */
static inline void inst_written(const struct inst *in, u64 *set)
{
	for (u32 i = 0; i < in->nwrite; i++)
		set[in->write[i] / 64] |= 1ULL << in->write[i] % 64;
	for (u32 i = 0; i < 2; i++)
		if (in->write_pred[i] != 0xff)
			set[(HAZARD_PRED + in->write_pred[i]) / 64] |= 1ULL << (HAZARD_PRED + in->write_pred[i]) % 64;
}

/* Have two such sets a register or predicate in common? */
static inline bool hazards_meet(const u64 *a, const u64 *b)
{
	u64 any = 0;
	for (u32 i = 0; i < HAZARD_WORDS; i++)
		any |= a[i] & b[i];
	return any != 0;
}

/* Bytes of values that one warp keeps in the store: registers and predicates; these and local memory. Synthetic kernels
 * and traces have none. */
static inline u32 kernel_register_bytes(const struct kernel *k)
{
	return k->front == FRONT_PTX ? k->regs * 4 * WARP_LANES + k->preds * 4 : 0;
}
static inline u32 kernel_context_bytes(const struct kernel *k)
{
	return k->front == FRONT_PTX ? kernel_register_bytes(k) + k->local_bytes * WARP_LANES : 0;
}

#endif
