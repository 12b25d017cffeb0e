/*
 * expr.h - expressions over names of the machine: what `print`, `watch`, conditions, checks and panes compile and
 * evaluate.
 */
#ifndef WARPSTEP_EXPR_H
#define WARPSTEP_EXPR_H

#include "session_data.h"

enum value_kind { VALUE_INT, VALUE_REAL };
struct value {
	u8 kind;
	i64 i;
	double r;
	bool is_unsigned; /* i is the bits of a u64 */
};
struct expr;
/* Compile an expression: C operators and precedence over numbers, statistics (ipc, slots.issued), fields
 * (sm[3].warp[5].pc, gpu.cycle), convenience variables ($cycle, $sm, $warp, $cta, $kernel), event fields where records
 * are in scope (kernel, sm, sub, warp, cta, pc, lanes, a, b), buffer elements (c[3]). `columns` in errors are relative
 * to text. */
enum status expr_compile(struct session *s, const char *text, struct expr **out, struct error *e);
/* A formula of stats.def: every operand real, a division by zero 0. */
enum status expr_compile_formula(struct session *s, const char *text, struct expr **out, struct error *e);
/* Compile one that stands at a column of its line. Names that only a scope gives are refused, but `known`. */
enum status expr_check(struct session *s, const char *text, u32 column, const char *known, struct expr **out,
		       struct error *e);
/* Where a value lies that can be written: an element of a buffer, of global, shared or local memory, a lane of a
 * register, a predicate of a warp; a control bit of an instruction. */
struct expr_place {
	u8 space;  /* enum expr_space */
	u8 type;   /* enum value_type */
	bool mask; /* a predicate: a bit for each lane */
	u32 sm, warp;
	u64 at; /* address, or offset in the values of the warp, of its CTA's shared memory or in the control bits */
};
enum expr_space { PLACE_NONE, PLACE_GLOBAL, PLACE_CONTEXT, PLACE_SHARED, PLACE_CONTROL };
/* Is x an lvalue? */
bool expr_lies(const struct expr *x);
/* The place that x, an lvalue, names now. */
enum status expr_place(struct session *s, const struct expr *x, struct expr_place *out, struct error *e);
/* Variables given by the caller, looked up first: name -> value (i in check formulas, record fields in conditions). */
struct expr_scope {
	bool (*lookup)(void *self, const char *name, struct value *out);
	void *self;
	const struct record *record;
	struct expr_place *place; /* NULL, or: where the last value was that lies anywhere */
};
enum status expr_eval(struct session *s, const struct expr *x, const struct expr_scope *scope, struct value *out,
		      struct error *e);
/* The value of a text, compiled and evaluated without a scope. */
enum status expr_value(struct session *s, const char *text, struct value *out, struct error *e);
void expr_free(struct expr *x);
/* The text that x was compiled from. */
const char *expr_text(const struct expr *x);
/* The n-th name of x that only a scope could give, NULL if there are no more: those who have no scope refuse it early.
 */
const char *expr_unbound(const struct expr *x, u32 n, u32 *column);
/* The word for a value of x where x names a status, an outcome or a setting with words, else NULL; out holds 32 bytes.
 */
const char *expr_word(const struct expr *x, struct value v, char *out);
/* Call fn for every statistic and setting that x names, with its value (or valid = false). */
void expr_operands(struct session *s, const struct expr *x,
		   void (*fn)(void *self, const char *name, bool valid, struct value v), void *self);
/* Element i of a buffer: the store's value, or the initial one before there is a machine. */
enum status buffer_element(struct session *s, const struct buffer *b, i64 i, struct value *out, struct error *e);

/* Bytes of a type (enum value_type) as a value. */
struct value value_load(u8 type, const u8 *in);
/* A real number cut to a whole one; itself if there is none of 64 bits. */
struct value value_whole(struct value v);
/* Text with a gdb format letter (0 = natural): x d u o t f c; r: all digits of a real. */
void value_format(struct value v, char format, struct text *out);
/* Two values that differ, as natural texts that do. */
void value_format_pair(struct value a, struct value b, struct text *x, struct text *y);
/* As JSON: an integer (digits in a string above 2^63 - 1, which JSON readers would round), or a real (null if it is not
 * finite). */
json_t *value_json(struct value v);

static inline struct value value_int(i64 i)
{
	return (struct value){.kind = VALUE_INT, .i = i};
}
static inline struct value value_uint(u64 n)
{
	return (struct value){.kind = VALUE_INT, .i = (i64)n, .is_unsigned = true};
}
static inline struct value value_real(double r)
{
	return (struct value){.kind = VALUE_REAL, .r = r};
}
static inline double value_as_real(struct value v)
{
	return v.kind == VALUE_REAL ? v.r : v.is_unsigned ? (double)(u64)v.i : (double)v.i;
}
static inline bool value_true(struct value v)
{
	return v.kind == VALUE_REAL ? v.r != 0 : v.i != 0;
}

#endif
