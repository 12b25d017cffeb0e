/*
 * who.h - who read and who wrote a place, from the beginning of the run to now, found in a fork that listens.
 *
 * A place of a CTA (shared and local memory, registers) is followed since the CTA was dispatched last. What is written
 * by no instruction (a poke, a buffer that a host loop resets) is the host's. Deviations: a lane whose value several
 * lanes get by one instruction (shfl, vote, mma, ...) counts as its reader itself, once; of a generic access whose
 * lanes are in several spaces those that are not in global memory are passed over if it has written over its address.
 */
#ifndef WARPSTEP_WHO_H
#define WARPSTEP_WHO_H

#include "datum.h"

#define WHO_KEPT 65536 /* accesses, the latest */

enum access_kind { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC, ACCESS_HOST };
struct access {
	u64 cycle; /* of issue + 1: the first at whose end it has been done */
	u8 kind;   /* enum access_kind */
	u8 lane;
	u16 sm, context;
	u32 launch, cta, warp, pc; /* warp: of the CTA */
	u64 before, after;	   /* what the place held */
};
struct who {
	struct datum datum;
	bool reads, writes;  /* which are looked for */
	struct access *kept; /* a ring */
	u64 n;		     /* accesses that were found */
	u64 from, to;	     /* cycles */
	u64 now;	     /* the value at the end */
};

/* Find them in cycles from..to; who_free() in any case. An error: interrupted. */
enum status who_find(struct session *s, struct who *w, struct error *e);
/* Access i, of which the first is n - WHO_KEPT or 0. */
const struct access *who_access(const struct who *w, u64 i);
void who_free(struct who *w);

#endif
