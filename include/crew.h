/*
 * crew.h - threads of the host that share the visits of one cycle.
 *
 * The caller is one of the crew. Work is taken piece by piece, so that a thread which the host does not run holds
 * nobody up but for the piece that it has begun. Between two calls the others wait: first awake, then asleep.
 */
#ifndef WARPSTEP_CREW_H
#define WARPSTEP_CREW_H

#include "base.h"

struct crew;

/* Processors of the host that this process may use. */
u32 crew_processors(void);
/* A crew of n threads with the caller, 2 or more; fewer where the host gives no more. */
struct crew *crew_new(u32 n);
void crew_free(struct crew *c); /* NULL: nothing */
/* work(arg, i) for i in [0, n), each once, by whoever comes first; returns when all are done. What was written before
 * is seen by every piece, and what the pieces wrote by the caller. */
void crew_share(struct crew *c, void (*work)(void *arg, u32 i), void *arg, u32 n);

#endif
