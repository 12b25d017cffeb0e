/* compare_print.h - what `compare` prints: the table of two, the causes where they part. Private to src/cmd. */
#ifndef WARPSTEP_COMPARE_PRINT_H
#define WARPSTEP_COMPARE_PRINT_H

#include "compare.h"

/* The comparison of two: what differs, the most telling first; all that a glob names (NULL: the first rows). */
void compare_print(struct session *s, struct compare *c, const char *glob);
/* `why slot` of both where they part, side by side. */
enum status compare_print_why(struct session *s, struct compare *c, struct error *e);
/* More than two: run, and a row for each. */
struct compare_wish;
enum status compare_table(struct session *s, const struct compare_wish *w, struct error *e);
/* What a side has come to, as one word: "finished", "fault". */
const char *compare_ended(enum stop_kind why);

#endif
