/*
 * expr_code.h - a compiled expression: code for a small stack machine, so that neither a long chain nor an evaluation
 * in a watcher recurses. Private to src/observe.
 */
#ifndef WARPSTEP_EXPR_CODE_H
#define WARPSTEP_EXPR_CODE_H

#include "expr.h"
#include "stats.h"

#define EXPR_DEPTH 64	/* nested parentheses, signs and choices */
#define EXPR_STACK 192	/* values at once */
#define EXPR_CODE 20000 /* operations of one expression */
#define EXPR_NAME 128	/* bytes of a name */

enum expr_op {
	X_VALUE,   /* push value */
	X_NAME,	   /* scope, record, fallback `a` (enum expr_fallback) */
	X_STAT,	   /* a row, b launch; pops the index of an array */
	X_SETTING, /* a setting */
	X_FIELD,   /* a section, b field; pops field index, element, block, as nargs says */
	X_DERIVED, /* a enum expr_derived, b type; pops its indices, warp, SM */
	X_TALLY,   /* a status; pops the sub-core, if nargs is 2, and the SM */
	X_GLOBAL,  /* b type; pops an address */
	X_BUFFER,  /* pops an index; name, b where it was last */
	X_JUMP,
	X_JUMP_FALSE,
	X_JUMP_TRUE, /* to b; the last two pop */
	X_TRUTH,     /* pop; push 0 or 1 */
	X_NEGATE,
	X_NOT,
	X_COMPLEMENT,
	X_MUL,
	X_DIV,
	X_REM,
	X_ADD,
	X_SUB,
	X_SHL,
	X_SHR,
	X_LT,
	X_LE,
	X_GT,
	X_GE,
	X_EQ,
	X_NE,
	X_AND,
	X_XOR,
	X_OR
};

/* What X_NAME gives where no scope and no record knows the name. */
enum expr_fallback { FALL_NONE, FALL_VALUE, FALL_FOCUS, FALL_ADDRESS /* of the buffer of that name */ };

/* The focus and what hangs on it: $cycle, $sm, ... and the same of a record. */
enum expr_focus {
	FOCUS_NONE,
	FOCUS_CYCLE,
	FOCUS_SM,
	FOCUS_SUB,
	FOCUS_WARP,
	FOCUS_CTA,
	FOCUS_PC,
	FOCUS_KERNEL,
	FOCUS_BREAK,
	FOCUS_HITS,
	FOCUS_LANES,
	FOCUS_A,
	FOCUS_B,
	FOCUS_ADDRESS /* of a record only */
};

/* What a warp has beside its struct. */
enum expr_derived {
	DERIVED_STATUS,
	DERIVED_PC,
	DERIVED_MASK,
	DERIVED_SUB,
	DERIVED_REG,
	DERIVED_PRED,
	DERIVED_SHARED,
	DERIVED_LOCAL,
	DERIVED_COUNT
};
struct derived_row {
	const char *name;
	u8 nargs;
	bool typed; /* NAME.TYPE is it, too: elements of that type (enum value_type); without, words of 32 bits */
	const char *doc;
};
extern const struct derived_row derived_table[DERIVED_COUNT];
/* The row of a name, -1 if there is none; the type of its elements. */
int expr_derived_find(const char *name, u8 *type);
/* Is it global.TYPE: global memory by address? */
bool expr_is_global(const char *name, u8 *type);

struct expr_code {
	u8 op; /* enum expr_op */
	u8 nargs;
	u16 a;
	u32 b;
	u32 column; /* 1-based, in the text */
	u8 focus;   /* X_NAME: enum expr_focus */
	struct value value;
	char *name;
};

struct expr {
	char *text;
	struct expr_code *code;
	u32 ncode;
	bool formula; /* operands real, a division by zero 0 */
	bool stats;   /* reads counters */
};

/* One operation that reads the machine, the session or the store. n is the number of values at arg. */
enum status expr_load(struct session *s, const struct expr_code *c, const struct expr_scope *scope,
		      const struct value *arg, struct value *out, struct error *e);
/* Resolve a name without brackets into one operation; the caller owns c->name. */
enum status expr_resolve(struct session *s, const char *name, struct expr_code *c, struct error *e);
/* The buffer called name, or NULL. */
const struct buffer *expr_buffer(const struct session *s, const char *name);
/* A section by path within a place, -1 if there is none; a field of a section, -1. */
int expr_section(const char *path, u32 where);
/* SCHEME.FIELD: what a scheme keeps in a place, one of it; its section and *field, -1 if there is none. */
int expr_own(const char *name, u32 where, int *field);
int expr_field(int section, const char *name);

#endif
