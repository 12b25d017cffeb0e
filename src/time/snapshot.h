/*
 * snapshot.h - a copy of the machine in pieces, which it shares with the copies before and after it where they are
 * equal.
 */
#ifndef WARPSTEP_SNAPSHOT_H
#define WARPSTEP_SNAPSHOT_H

#include "store.h"

struct machine;

struct snapshot {
	struct chunk **piece; /* NULL: all zeros */
	u32 pieces;
	u64 bytes; /* of the machine */
};

/* Copy a machine. Pieces that are equal to those of `a` or `b` (NULL: there is none) are theirs; new ones are the
 * pool's. Both are of the same machine. Returns the bytes that were copied. */
u64 snapshot_take(struct snapshot *s, const struct machine *m, struct chunk_pool *pool, const struct snapshot *a,
		  const struct snapshot *b);
/* Make a machine of as many bytes what it was. */
void snapshot_put(const struct snapshot *s, struct machine *m);
/* A machine as it was, to be freed by the caller. */
struct machine *snapshot_machine(const struct snapshot *s);
void snapshot_free(struct snapshot *s);

#endif
