/*
 * worker_pool.h - threads of the host that share the visits of one cycle.
 *
 * The caller is one of the crew. Work is taken piece by piece, so that a thread which the host does not run holds
 * nobody up but for the piece that it has begun. Between two calls the others wait: first awake, then asleep.
 */
#ifndef WARPSTEP_WORKER_POOL_H
#define WARPSTEP_WORKER_POOL_H

#include "base.h"

struct worker_pool;

/* Processors of the host that this process may use. */
u32 worker_pool_processors(void);
/* A crew of n threads with the caller, 2 or more; fewer where the host gives no more. */
struct worker_pool *worker_pool_new(u32 n);
void worker_pool_free(struct worker_pool *c); /* NULL: nothing */
/* work(arg, i) for i in [0, n), each once, by whoever comes first; returns when all are done. What was written before
 * is seen by every piece, and what the pieces wrote by the caller. */
void worker_pool_share(struct worker_pool *c, void (*work)(void *arg, u32 i), void *arg, u32 n);

#endif
