/*
 * journal.h - the inputs of a timeline, in the order of their positions.
 */
#ifndef WARPSTEP_JOURNAL_H
#define WARPSTEP_JOURNAL_H

#include "timeline.h"

struct journal {
	struct input *item;
	u32 count;
	u32 applied; /* of them, those that the machine has seen */
	struct inputs
		lost; /* those that were forgotten of the first `from` and of those behind them, which are watched */
};

void journal_free(struct journal *j);
/* Whether the machine would take this input; changes nothing. */
enum status journal_check(const struct sim *s, const struct input *in, struct error *e);
/* Do what an input says to the machine. */
enum status journal_apply(struct sim *s, const struct input *in, struct error *e);
/* Append a copy of an input that has just been applied. */
void journal_add(struct journal *j, const struct input *in);
/* Watch those that stand there now: what of them is forgotten is `lost`. */
void journal_watch(struct journal *j);
/* Forget the inputs from index on. */
void journal_truncate(struct journal *j, u32 index);

#endif
