/*
 * positions.h - positions of the machine that are known: those with names, and those where it has stood.
 */
#ifndef WARPSTEP_POSITIONS_H
#define WARPSTEP_POSITIONS_H

#include "session.h"

/* A position with a name. */
struct checkpoint {
	char *name;
	struct position at;
};
const struct checkpoint *checkpoint_find(const struct session *s, const char *name);
/* Give a position a name, that of another if it has one; take a name away. */
void checkpoint_keep(struct session *s, const char *name, struct position at);
void checkpoint_drop(struct session *s, const struct checkpoint *c);
/* The commands that make them anew. */
void checkpoints_save(const struct session *s, struct text *out);

/* The machine stood at `before` and stands elsewhere now: the places ahead are forgotten. */
void visited_keep(struct session *s, struct position before);
void positions_free(struct session *s);

#endif
