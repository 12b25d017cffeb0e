/*
 * journal.h - the inputs of a timeline, in the order of their positions.
 */
#ifndef WARPSTEP_JOURNAL_H
#define WARPSTEP_JOURNAL_H

#include "timeline.h"

struct journal {
	struct input *item;
	u32 count, capacity;
	u32 applied; /* of them, those that the machine has seen */
};

void journal_free(struct journal *j);
/* Whether the machine would take this input; changes nothing. */
enum status journal_check(const struct sim *s, const struct input *in, struct error *e);
/* Do what an input says to the machine. */
enum status journal_apply(struct sim *s, const struct input *in, struct error *e);
/* Append a copy of an input that has just been applied. */
void journal_add(struct journal *j, const struct input *in);
/* Forget the inputs from index on. */
void journal_truncate(struct journal *j, u32 index);

#endif
