/*
 * spark.h - expressions that are followed cycle by cycle: the spark lines of the timeline pane.
 *
 * An expression of statistics alone is calculated from what each of its counters gained per cycle (`ipc` is that of
 * those cycles); one that names anything else (a field, subcore.cov) is read as it stands after each cycle, and
 * averaged.
 */
#ifndef WARPSTEP_SPARK_H
#define WARPSTEP_SPARK_H

#include "session_data.h"

#define MAX_SPARKS 4
#define SPARK_OPERANDS 8 /* counters of one expression */

struct sparks;

/* Follow one more; *slot is made when it is NULL. column: where text stands in its line. */
enum status spark_add(struct session *s, struct sparks **slot, const char *text, u32 column, struct error *e);
/* Follow number i no more. */
void spark_drop(struct sparks *l, u32 i);
void sparks_free(struct sparks *l);
/* NULL is an empty list. The version changes whenever the list does. */
u32 sparks_count(const struct sparks *l);
const char *spark_text(const struct sparks *l, u32 i);
u64 sparks_version(const struct sparks *l);
/* Numbers that a cycle leaves behind for all of them; and those numbers now, given the cycle's before. */
u32 sparks_width(const struct sparks *l);
void sparks_sample(const struct sparks *l, struct session *s, const double *before, double *out);
/* The value of number i over some cycles, from the numbers before the first and those after the last of them. */
double spark_value(const struct sparks *l, u32 i, struct session *s, const double *before, const double *after,
		   u64 cycles);

#endif
