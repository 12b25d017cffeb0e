/*
 * ptx_internal.h - what the parts of the PTX front end share: tokens, names, statements, lowered code.
 *
 * text -> tokens (ptx_lex) -> statements of one entry, functions expanded (ptx_parse, ptx_body, ptx_vars, ptx_func,
 * ptx_call)
 * -> instructions over virtual registers (ptx_entry, ptx_lower, ptx_mov, ptx_memory, ptx_param, ptx_warp) ->
 * reconvergence (ptx_cfg), live ranges (ptx_live), physical registers (ptx_regs, ptx_spill, ptx_banks) and their text
 * (ptx_text). Everything but the finished struct module lives in two arenas: one of the module, one of the entry being
 * read. A function that returns false has filled the error; the first error is the one kept.
 */
#ifndef WARPSTEP_PTX_INTERNAL_H
#define WARPSTEP_PTX_INTERNAL_H

#include "ops.h"
#include "ptx.h"

#define PTX_NONE 0xffffffffu
#define PTX_MAX_TEXT (64u << 20) /* bytes of a file */
#define PTX_MAX_TOKEN 4096u	 /* characters of a word or string */
#define PTX_MAX_SCOPES 32u	 /* nested braces, parentheses */
#define PTX_MAX_VREGS (1u << 20) /* declared registers of an entry */
#define PTX_MAX_CALL_DEPTH 32u
#define PTX_MAX_ARGUMENTS 64u
#define PTX_MAX_CALLS 65536u /* expanded in one entry */
/* Tokens that the calls of all entries together expand to: some two million instructions, nine times those of the
 * largest entry. Functions that call each other twice would else make minutes of work of a few lines. */
#define PTX_MAX_EXPANDED (1u << 24)
/* Blocks, words of sets and the like that one analysis of an entry visits until nothing changes any more: seconds. What
 * compilers write takes a few rounds over at most PTX_MAX_INSTS. */
#define PTX_MAX_VISITS (1ull << 32)
#define PTX_MAX_NEAREST 1000u	 /* unknown opcodes of a module for which the nearest form is looked up */
#define PTX_MAX_LOCAL (1u << 19) /* bytes of a thread's local memory */
#define PTX_MAX_INSTS (1u << 18)
#define PTX_MAX_SHARED (1u << 24) /* bytes of static shared memory that still make sense */
#define PTX_MAX_DATA (256u << 20) /* bytes of a module's variables */
#define RESERVED_SHARED 1024	  /* bytes of shared memory that CUDA keeps, from sm_80 on */
#define PTX_MAX_ELEMENTS 8	  /* of a vector operand */
#define PTX_MAX_OPS 8		  /* operands of a statement */
#define PTX_LEAST_LIMIT 24	  /* registers below which .maxnreg does not go, as in ptxas */

/* Blocks of memory freed together. */
struct arena {
	struct arena_block *head;
	size_t used, size;
};
void *arena_alloc(struct arena *a, size_t n); /* zeroed, aligned to 16 */
char *arena_text(struct arena *a, const char *s, size_t n);
void arena_free(struct arena *a);

/* Punctuation is its own character code. */
enum { TOKEN_END = 256, TOKEN_WORD, TOKEN_INT, TOKEN_FLOAT, TOKEN_STRING };

struct ptx_token {
	u16 kind;
	u8 single; /* floats: value is 32 bits (0f...) */
	u32 line, column, len;
	const char *s; /* into the text; strings without their quotes */
	u64 value;     /* bits */
};

enum ptx_name_kind { NAME_REG, NAME_RANGE, NAME_VAR, NAME_PARAM, NAME_LABEL, NAME_FUNC, NAME_REFUSED };

/* A declared name. A range is declared by its prefix: %r<5> is %r0..%r4. */
struct ptx_name {
	struct ptx_name *next;
	const char *s;
	u32 hash;
	u32 len, scope, line, column;
	u8 kind;
	u8 width;  /* registers: bits, 1 for predicates */
	u32 index; /* register, variable, parameter, statement or refusal */
	u32 count; /* ranges */
};

/* A table of names; it grows with them. */
struct ptx_names {
	struct ptx_name **bucket;
	u32 nbucket, n; /* nbucket: a power of two, 0 before the first name */
	struct arena *arena;
};

/* A variable of the module or of an entry. */
struct ptx_var {
	const char *name;
	u8 space, type, is_extern, in_entry;
	u32 used; /* the last entry that names it, by its number */
	u32 size, align, line, column;
	u64 address;	   /* offset in the space, once laid out */
	const char *place; /* of its name in the text */
	u8 *init;	   /* in the module's arena */
	u32 cell, ncell;   /* .param of a body: the registers that hold it, each of cell_bits */
	u8 cell_bits;
	u32 symbol; /* index in module->symbol, PTX_NONE for shared */
};

enum ptx_operand_kind { PTX_REG, PTX_NAME, PTX_INT, PTX_FLOAT, PTX_VECTOR, PTX_ADDRESS, PTX_PAIR };

struct ptx_operand {
	u8 kind;
	u8 negate;		     /* '!' before it */
	u8 minus;		     /* '-' before a register, as vmad has it */
	u8 part;		     /* letters of s from the dot on that select a part of a register; 0: none */
	u8 n;			     /* items: vector elements, an address's base, the two of p|q */
	u8 width;		     /* registers: bits */
	u8 single;		     /* floats: 32 bits */
	const struct ptx_name *name; /* PTX_NAME: what was declared by then, or NULL */
	u32 vreg, line, column, len;
	const char *s; /* as spelled */
	u64 value;     /* immediates */
	i64 addend;    /* addresses and names: + N */
	struct ptx_operand *item;
};

struct ptx_stmt {
	const char *op; /* NUL-terminated */
	u32 line, column, source_file, source_line;
	u32 site;  /* 1 + index of the innermost function within a function, 0 none */
	u32 scope; /* block that it stands in */
	u32 guard; /* virtual register or PTX_NONE */
	u8 guard_negate, nops;
	struct ptx_operand *ops;
};

/* A place in the source, as .loc tells it; site: 1 + index of the innermost function within a function there, 0 none.
 */
struct ptx_loc {
	u32 file, line, column, site;
};

/* Where reading goes on. */
struct ptx_place {
	const char *at, *end, *line_start, *last_end;
	u32 line;
	struct ptx_loc loc;
	struct ptx_token token;
};

/* A device function: where its header begins, and whether a body follows. */
struct ptx_func {
	const char *s;
	u32 len;
	bool has_body, active; /* active: being expanded */
	bool taken;	       /* its address is: a call through a register may be of it */
	struct ptx_place place;
};

/* A formal parameter of a function. */
struct ptx_formal {
	struct ptx_token name;
	const struct ptx_type *type;
	u32 size, align;
	bool is_reg, is_array;
};

/* NAME: .branchtargets L1, L2, ...; of brx.idx. */
struct ptx_targets {
	const struct ptx_name *name;
	struct ptx_operand *label;
	u32 n;
};
#define PTX_MAX_TARGETS 1024u

/* One entry while it is read. */
struct ptx_entry {
	const char *name;
	u32 line, column;
	struct ptx_stmt *stmt;
	u32 nstmt, cap_stmt;
	struct ptx_name **label;
	u32 nlabel, cap_label;
	struct ptx_targets *targets;
	u32 ntargets, cap_targets;
	u32 scope[PTX_MAX_SCOPES]; /* numbers of the open blocks, outermost first */
	u32 depth;
	u32 *parent, nscope, cap_scope;	       /* of every block, by its number */
	u32 nvreg;			       /* declared registers */
	u32 maxntid[3], minnctapersm, maxnreg; /* 0: not said */
	struct kernel_param *param;
	u32 nparam, cap_param, param_bytes;
	u32 *shared, nshared, cap_shared; /* the .shared variables that it names */
	u32 local_top, local_bytes;	  /* of the frames open now; of all frames at their deepest */
	u32 calls, call_depth;
	const struct ptx_func *call[PTX_MAX_CALL_DEPTH]; /* being expanded, outermost first */
};

struct ptx {
	const char *path, *text, *end, *at, *line_start;
	const char *last_end; /* behind the token before the current one */
	u32 line;
	struct ptx_token token; /* the current one */
	struct error *error;
	bool failed, unsupported; /* unsupported: the error is a refusal, see ptx_refuse() */
	enum status interrupted;  /* work_check() said so: nothing is read any more */
	u32 ntoken, nexpanded;	  /* tokens read; of them, those of functions expanded at calls */
	u32 nnearest;		  /* unknown opcodes for which the nearest form was looked up */
	u32 number;		  /* of the entry, from 1 on */
	struct error first;	  /* the first refusal that was set aside */
	const char **refusal;	  /* why the names of NAME_REFUSED are */
	u32 nrefusal, cap_refusal;
	struct ptx_survey *survey; /* being made, or NULL */
	bool lost;		   /* a declaration of the entry has been forgiven */
	struct arena arena, entry_arena;
	struct ptx_names module_names, entry_names, func_names;
	struct ptx_var *var; /* of the module, then of the entry */
	u32 nvar, cap_var, nmodule_var;
	struct ptx_entry *entry;
	struct module *module;
	struct ptx_loc loc;		 /* of what is being read */
	struct ptx_loc *loc_seen;	 /* of the entry, in order; in its arena */
	u32 nloc, cap_loc, loc_from;	 /* those of the body being read begin at loc_from */
	u32 loc_site;			 /* where that body stands, as a site; 0: it is the entry's */
	struct ptx_site_name *site_name; /* of the module's sites */
	u32 cap_site_name;
	u32 target; /* the last sm_N of .target: N; 0: none */
	u64 global_bytes, const_bytes;
	struct ptx_var grid_barrier, heap_blocks,
		heap_lists;		  /* of no name that a file can have; size 0: not made yet */
	u32 library_line, library_column; /* where a function of ptx_heap.c was called that is being read */
	struct ptx_func *func;
	u32 nfunc, cap_func;
	struct ptx_form *form; /* hash table of all forms */
	u32 form_slots;
};

struct ptx_work;

/* The name of a site's function, as `.loc` gives it: what stands at a label of .debug_str, so many bytes on. */
struct ptx_site_name {
	const char *label; /* not NUL-terminated; NULL: none */
	u32 len, addend;
};

/* Errors. */
bool ptx_fail(struct ptx *p, u32 line, u32 column, const char *fmt, ...) PRINTF_LIKE(4, 5);
/* The same for what is valid PTX but not supported: it concerns the entry that uses it only. */
#define ptx_refuse(p, ...) ((p)->unsupported |= !(p)->failed, ptx_fail(p, __VA_ARGS__))
#define PTX_AT(x) (x)->line, (x)->column	    /* where a token, an operand, a statement stands */
const char *ptx_shown(const char *s, u32 len);	    /* printable, shortened; a ring of buffers */
bool ptx_expected(struct ptx *p, const char *what); /* fail: what was expected, and what was found */
/* Fail: the same, or that the word found is known and refused. */
bool ptx_expected_other(struct ptx *p, const char *what);
static inline const char *ptx_shown_text(const char *s)
{
	return ptx_shown(s, (u32)strlen(s));
}
static inline bool ptx_starts(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* Take a word with its dot off the front of s: it ends there, or at the next dot. */
static inline bool ptx_take(const char **s, const char *word)
{
	size_t n = strlen(word);

	if (!ptx_starts(*s, word) || ((*s)[n] && (*s)[n] != '.'))
		return false;
	*s += n;
	return true;
}
bool ptx_goes_on(struct ptx *p); /* fail if Ctrl-C was pressed or the time is over */
/* Errors went to an error of its own, and are forgotten, but for an interruption; from here on they go to `error`. */
void ptx_stop_ignoring(struct ptx *p, struct error *error);

/* Reading on behind an error, for a survey; false where none is made. */
bool ptx_forgive(struct ptx *p);
void ptx_survey_kernel(struct ptx *p, const struct ptx_token *t);
void ptx_survey_problem(struct ptx_survey *s, u32 kernel, const struct error *e); /* enter one */
bool ptx_skip_bad(struct ptx *p, const struct ptx_place *start);
bool ptx_skip_declaration(struct ptx *p, const struct ptx_place *start);
bool ptx_skip_entry(struct ptx *p, const struct ptx_place *start);
bool ptx_use_refused(struct ptx *p, const struct ptx_token *t, const struct ptx_name *n); /* fail */

/* Tokens. */
bool ptx_next(struct ptx *p);
static inline bool ptx_is(const struct ptx *p, int kind)
{
	return p->token.kind == kind;
}
bool ptx_is_word(const struct ptx *p, const char *word);
bool ptx_accept(struct ptx *p, int kind, bool *found);
bool ptx_expect(struct ptx *p, int kind, const char *what);
bool ptx_expect_u32(struct ptx *p, u32 limit, const char *what, u32 *out);
bool ptx_skip_braces(struct ptx *p);
struct ptx_place ptx_here(const struct ptx *p);
void ptx_go(struct ptx *p, const struct ptx_place *to);

/* Names. */
struct ptx_name *ptx_names_find(const struct ptx_names *names, u32 scope, const char *s, u32 len, bool range);
struct ptx_name *ptx_names_add(struct ptx_names *names, const struct ptx_name *n);
/* The variable of the entry whose name stands at `place` in the text, and that it is `index`; PTX_NONE: none. */
u32 ptx_place_find(const struct ptx *p, const char *place);
void ptx_place_add(struct ptx *p, const char *place, u32 index);
void ptx_names_clear(struct ptx_names *names); /* after its arena has been freed */
struct ptx_name *ptx_declare(struct ptx *p, const struct ptx_token *t, u8 kind, u32 index, u32 count);
struct ptx_name *ptx_lookup(const struct ptx *p, u32 scope, const char *s, u32 len, bool range);
struct ptx_name *ptx_resolve(const struct ptx *p, const char *s, u32 len, u32 *index);
const char *ptx_nearest_declared(const struct ptx *p, const char *s, u32 len, u32 kinds);
void *ptx_grow(struct arena *a, void *array, u32 n, u32 *cap, size_t size);

/* Types: ".f32" and the like; width in bits (pred: 1), value type. */
struct ptx_type {
	const char *name;
	u8 bits, value;
	char letter; /* s u b f p */
};
const struct ptx_type *ptx_type_find(const char *s, u32 len);
const struct ptx_type *ptx_type_here(const struct ptx *p); /* the token that comes next */

/* Constructs that are known and refused: a sentence by the first word of an opcode or a directive. */
const char *ptx_refusal(const char *s, u32 len);

/* Variables and constant expressions. */
bool ptx_parse_variable(struct ptx *p, u8 space, bool is_extern);
bool ptx_common_variable(struct ptx *p, struct ptx_var *v, const char *name, u32 size); /* module_symbol.common */
bool ptx_constant(struct ptx *p, struct ptx_token *out);
bool ptx_constant_bits(const struct ptx_token *t, u32 bits, char letter, u64 *out);

/* Bodies. */
bool ptx_parse_body(struct ptx *p);
bool ptx_parse_operand(struct ptx *p, struct ptx_operand *o);
bool ptx_add_stmt(struct ptx *p, const struct ptx_stmt *st);
bool ptx_open_scope(struct ptx *p, u32 line, u32 column); /* a block in the innermost one */
/* The list of branch targets of this name in a block, or NULL. */
const struct ptx_targets *ptx_targets_find(const struct ptx_entry *en, u32 scope, const char *s, u32 len);
bool ptx_parse_loc(struct ptx *p);
bool ptx_parse_file(struct ptx *p);
/* .section NAME { ... }; that of .debug_str gives functions within functions their names. */
bool ptx_parse_section(struct ptx *p);
/* A site of the module, found or made: 1 + its index. A function called there has its name, one inlined a label. */
u32 ptx_site(struct ptx *p, const struct call_site *at, const struct ptx_site_name *name);
bool ptx_parse_pragma(struct ptx *p);

/* Device functions: found before anything else is read, expanded where they are called. */
void ptx_find_functions(struct ptx *p);
void ptx_note_functions(struct ptx *p);	  /* those of the text from p->at on */
void ptx_find_heap(struct ptx *p);	  /* malloc and free, if they are declared alone */
bool ptx_in_library(const struct ptx *p); /* what is being read is not the file */
/* Is this, in the library, a variable of the heap? */
bool ptx_heap_variable(struct ptx_work *w, const struct ptx_operand *o, const struct ptx_var **v);
struct ptx_func *ptx_find_function(const struct ptx *p, const char *s, u32 len);
u64 ptx_function_address(const struct ptx *p, const struct ptx_func *f);
bool ptx_parse_list(struct ptx *p, bool (*item)(struct ptx *p, void *out, u32 i), void *out, u32 *n, const char *who,
		    const char *what);
bool ptx_parse_formals(struct ptx *p, struct ptx_formal *out, u32 *n);
bool ptx_parse_call(struct ptx *p, struct ptx_stmt *st);
bool ptx_parse_return(struct ptx *p, struct ptx_stmt *st); /* ret in a function */
bool ptx_scratch(struct ptx *p, struct ptx_var *v);	   /* registers for a .param of a body */
struct ptx_access;
bool ptx_lower_scratch(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_access *a);

/* A row's spelling of ops.def in the table of all forms. */
struct ptx_form {
	const char *s; /* not NUL-terminated */
	u32 len;
	u16 op;
};

/* One instruction over virtual registers, beside its statement. Operand values of registers are dense numbers. */
struct ptx_code {
	struct inst in;
	const struct ptx_stmt *st;
	u8 src_low[MAX_SRC]; /* only the low word of a pair is read */
	u8 src_held;	     /* sources that a tensor core has from the step before, a bit each */
	u8 unread;	     /* an atomic that could be a reduction: nobody reads its result */
	u8 fresh;	     /* destinations of which nobody reads what a guard leaves standing, a bit each */
	u16 slot;	     /* it loads or stores a spilled register whose slot has no place yet: 1 + which */
};

struct ptx_block {
	u32 first, last;    /* instructions [first, last) */
	u32 succ[2], nsucc; /* nblock is the exit */
	u32 ipdom;	    /* PTX_NONE when the exit cannot be reached */
};

/* A live range: positions 2i (read by instruction i) and 2i + 1 (written by it); empty when start > end. */
struct ptx_range {
	u32 start, end;
};

/* A load or store of a .param variable of a body. */
struct ptx_access {
	const struct ptx_type *type;
	const struct ptx_var *var;
	const struct ptx_operand *item; /* its elements */
	u32 n;
	i64 offset;
	bool store;
};

/* What becomes of a register where there are too many. */
enum ptx_fate { FATE_REGISTER, FATE_SPILLED, FATE_TEMPORARY };

/* What a linear scan gives out: registers, predicates, words of the slots of spilled registers. */
enum ptx_file { FILE_REGS, FILE_PREDS, FILE_SLOTS };

/* The ranges of those that are in one file, by their start and by their end. */
struct ptx_end {
	u32 position;
	u16 reg;
};
struct ptx_ends {
	struct ptx_end *start, *end;
	u32 n;
};

/* The kernel being lowered. */
struct ptx_work {
	struct ptx *p;
	struct ptx_entry *entry;
	struct arena *arena;	   /* the entry's */
	struct kernel *k;	   /* being filled; owned by the module */
	const struct ptx_stmt *st; /* being lowered */
	struct ptx_code *code;
	u32 ncode, cap_code;
	u32 *stmt_inst; /* first instruction of each statement; [nstmt] the end */
	u16 *dense;	/* declared register -> dense number + 1 */
	u8 *bits;	/* width of a dense register, 1 for predicates */
	u32 nreg, cap_reg, max_vreg;
	u32 cap_imm, cap_reloc;
	struct ptx_operand carry; /* the predicate that holds the carry flag, once one is used */
	u32 reserved;		  /* offset of the reserved shared memory, if it has_reserved */
	bool has_reserved;
	u64 *imm;
	u16 imm_cache[1024]; /* 1 + index of an immediate that may be shared */
	struct relocation *reloc;
	struct ptx_block *block;
	u32 nblock, *block_of, *order; /* order: see ptx_block_order() */
	struct ptx_range *range;
	u16 *phys; /* of a dense register; predicates apart; of a spilled one a word of its slot */
	u32 limit; /* registers that the kernel may have */
	u8 *fate;  /* of a dense register, enum ptx_fate; NULL: nothing is spilled */
	u16 *slot; /* of a spilled one, the word of its slot */
};

/* Forms. */
extern const char *const ptx_op_signature[OP_COUNT];
extern const u8 ptx_op_class[OP_COUNT];
void ptx_forms_make(struct ptx *p);
const struct ptx_form *ptx_form_find(const struct ptx *p, const char *s, u32 len);
/* The row of an opcode with this many sources. */
const struct ptx_form *ptx_form_counted(const struct ptx *p, const char *op, u32 sources);
bool ptx_known_opcode(struct ptx *p, const struct ptx_stmt *st);   /* or fail */
bool ptx_unknown_opcode(struct ptx *p, const struct ptx_stmt *st); /* fail, with the nearest form */

/* Lowering. What is more than a row of ops.def, by the first word of its spellings: who takes it apart (NULL: calls,
 * before they are lowered), and some of its spellings that are no rows, to be suggested (NULL: no text may spell it).
 */
struct ptx_family {
	const char *name;
	bool (*lower)(struct ptx_work *w, const struct ptx_stmt *st);
	const char *forms;
};
extern const struct ptx_family ptx_family_table[]; /* the last has no name */
const struct ptx_family *ptx_family_of(const char *op);
bool ptx_lower_entry(struct ptx *p);
struct ptx_code *ptx_emit(struct ptx_work *w, const struct ptx_stmt *st, u16 op, u8 class);
char ptx_immediate_type(const char *op); /* letter of an immediate's type; 'x': as it is written */
bool ptx_operand_count(struct ptx *p, const struct ptx_stmt *st, u32 lo, u32 hi);
bool ptx_reg(struct ptx_work *w, const struct ptx_operand *o, u32 lo_bits, u32 hi_bits, struct operand *out);
bool ptx_source(struct ptx_work *w, struct ptx_code *c, const struct ptx_operand *o, u32 bits, char type);
bool ptx_source_wide(struct ptx_work *w, struct ptx_code *c, const struct ptx_operand *o, u32 bits, u32 hi, char type);
const struct ptx_var *ptx_variable(struct ptx_work *w, const struct ptx_operand *o);
bool ptx_destination(struct ptx_work *w, struct ptx_code *c, const struct ptx_operand *o, u32 lo_bits, u32 hi_bits);
struct operand ptx_imm(struct ptx_work *w, u64 bits);
u64 ptx_window(u8 space); /* where generic addresses of a space begin; 0 for global memory */
struct operand ptx_symbol_address(struct ptx_work *w, const struct ptx_var *v, i64 addend);
struct ptx_operand ptx_temporary(struct ptx_work *w, u32 bits, const struct ptx_operand *at);
/* A number as operand, made here. */
static inline struct ptx_operand ptx_number(u64 value, const struct ptx_operand *at)
{
	return (struct ptx_operand){.kind = PTX_INT, .value = value, .line = at->line, .column = at->column, .s = ""};
}
/* Do all modifiers of the opcode stand on the list? */
bool ptx_modifiers_among(const char *op, const char *const *list, u32 n);
/* A statement like st with n other operands, which are copied; it may be changed. */
struct ptx_stmt *ptx_stmt_with(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_operand *ops, u32 n);
bool ptx_lower_as(struct ptx_work *w, const struct ptx_stmt *st, const char *op, u32 nops,
		  const struct ptx_operand *ops);
bool ptx_not_a_register(struct ptx_work *w, const struct ptx_operand *o); /* fail */
u32 ptx_special_register(const struct ptx_operand *o);			  /* SREG_COUNT: none that is modelled */
bool ptx_special_is_timed(u32 sreg);					  /* its value depends on time or place */
bool ptx_is_reserved(const struct ptx_operand *o);			  /* %reserved_smem_offset_1 */
u32 ptx_letter_bits(char letter);
bool ptx_lower_plain(struct ptx_work *w, const struct ptx_stmt *st, u16 op);
bool ptx_lower_mov(struct ptx_work *w, const struct ptx_stmt *st);
bool ptx_lower_stmt(struct ptx_work *w, const struct ptx_stmt *st);
bool ptx_lower_memory(struct ptx_work *w, const struct ptx_stmt *st); /* ld st atom red */
bool ptx_lower_setp(struct ptx_work *w, const struct ptx_stmt *st);
bool ptx_lower_set(struct ptx_work *w, const struct ptx_stmt *st);
bool ptx_lower_lop3(struct ptx_work *w, const struct ptx_stmt *st);
bool ptx_lower_shfl(struct ptx_work *w, const struct ptx_stmt *st);
bool ptx_lower_vote(struct ptx_work *w, const struct ptx_stmt *st);
bool ptx_lower_match(struct ptx_work *w, const struct ptx_stmt *st);
bool ptx_lower_barrier(struct ptx_work *w, const struct ptx_stmt *st); /* bar barrier */
bool ptx_lower_tensor(struct ptx_work *w, const struct ptx_stmt *st);  /* mma wmma ldmatrix */
bool ptx_lower_texture(struct ptx_work *w, const struct ptx_stmt *st); /* tex tld4 txq suld sust suq */
bool ptx_takes_coordinates(const char *op);			       /* [a, {c}] */
bool ptx_lower_copy(struct ptx_work *w, const struct ptx_stmt *st);    /* cp.async */
bool ptx_lower_mbarrier(struct ptx_work *w, const struct ptx_stmt *st);
bool ptx_lower_warpmatrix(struct ptx_work *w, const struct ptx_stmt *st); /* movmatrix stmatrix elect */
bool ptx_lower_video(struct ptx_work *w, const struct ptx_stmt *st);
/* [base + offset] as the first source of an access. */
bool ptx_lower_address(struct ptx_work *w, struct ptx_code *c, const struct ptx_operand *o);
bool ptx_shared_base(struct ptx_work *w, const struct ptx_stmt *st, const struct ptx_operand *o, bool shared,
		     struct ptx_operand *base);
bool ptx_lower_carry(struct ptx_work *w, const struct ptx_stmt *st, u16 op);
bool ptx_is_carry(const char *op);
bool ptx_is_sink(const struct ptx_operand *o); /* _ */

/* Analyses. */
void ptx_pointers(struct ptx_work *w);
void ptx_blocks(struct ptx_work *w);
void ptx_post_dominators(struct ptx_work *w);
u32 *ptx_loop_weights(struct ptx_work *w); /* by instruction: ten to the number of loops around it */
/* The blocks such that most come behind those to which control goes from them, for walks backwards; made once. */
const u32 *ptx_block_order(struct ptx_work *w);
/* An analysis is about to visit n more things: fail if that was asked to stop, or makes too many in all. */
bool ptx_visit(struct ptx_work *w, u64 *visits, u64 n);
bool ptx_reconverge(struct ptx_work *w);
bool ptx_flow(struct ptx_work *w); /* ptx_flow.c: inst.meet, inst.flow */
/* Put the instructions of straight lines, which end at labels, too, into the order of an assembler; block.first, last
 * and the targets of branches stay. *changed: any has moved. */
bool ptx_schedule(struct ptx_work *w, const u8 *labelled, bool *changed);
bool ptx_live_ranges(struct ptx_work *w);
void ptx_unread_atomics(struct ptx_work *w); /* which are marked unread, counted */
/* Registers that an instruction needs, some twice: guard, sources, and what a guarded write leaves standing. */
u32 ptx_uses(const struct ptx_code *c, u16 out[1 + MAX_SRC + MAX_DST]);
/* Registers that it writes, and the spilled one that it stores. */
u32 ptx_defines(const struct ptx_code *c, u16 out[MAX_DST]);
void ptx_allocate(struct ptx_work *w);			      /* kernel.regs, preds, as many as it takes */
enum ptx_file ptx_file_of(const struct ptx_work *w, u32 reg); /* where a register is */
/* Fill phys of one file; returns how many it takes. */
u32 ptx_scan(struct ptx_work *w, enum ptx_file file);
struct ptx_ends ptx_sorted_ranges(struct ptx_work *w, enum ptx_file file);
/* Give other numbers to registers so that those read together are in different banks; true: some have. */
bool ptx_spread_banks(struct ptx_work *w);
bool ptx_spill(struct ptx_work *w);	    /* make it have no more than the limit; all analyses are made again */
bool ptx_registers_fit(struct ptx_work *w); /* or spill, or fail */
void ptx_timing(struct ptx_work *w);
void ptx_texts(struct ptx_work *w);

/* Kernels of one name, once all are there: their parameters stand in their names. */
void ptx_name_overloads(struct module *m);

#endif
