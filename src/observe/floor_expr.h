/* floor_expr.h - an expression over an SM, as the pane `floor` evaluates it for each of them. Private to src/observe.
 */
#ifndef WARPSTEP_FLOOR_EXPR_H
#define WARPSTEP_FLOOR_EXPR_H

#include "expr.h"

#define FLOOR_OPERANDS 8 /* counters of one expression */

struct floor_expr {
	char *text;
	struct expr *value;	     /* over o0, o1, ...: gains per cycle; and over fields of SM $sm */
	u16 operand[FLOOR_OPERANDS]; /* rows of stat_table */
	u32 noperands;
};

enum status floor_expr_open(struct floor_expr *x, struct session *s, const char *text, u32 column, struct error *e);
void floor_expr_close(struct floor_expr *x);
/* A counter of one SM; false: it is none of an SM. */
bool floor_counter(const struct machine *m, u32 sm, u16 row, u64 *out);
/* The value for an SM, given what each operand gained in so many cycles; false: there is none. */
bool floor_expr_value(const struct floor_expr *x, struct session *s, u32 sm, const u64 *gain, u64 cycles, double *out);

#endif
