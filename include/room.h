/*
 * room.h - is there room for one more CTA of a launch in an SM, and if not, what is in the way. For those who show it;
 * the engine asks its stages (dispatch.c, place.c), and decides alike.
 */
#ifndef WARPSTEP_ROOM_H
#define WARPSTEP_ROOM_H

#include "policy.h"

enum room {
	ROOM_THERE,	/* nothing that is looked at here is in the way */
	ROOM_TURN,	/* nothing, but CTAs are dealt out one by one (dispatch.interval) */
	ROOM_PARTITION, /* the scheme in slot partition wants no more of the launch here */
	ROOM_LIMIT,	/* dispatch.limit or a policy lets the SM take no more CTAs, or none of the launch's now */
	ROOM_CTAS,	/* places for CTAs */
	ROOM_WARPS,	/* warp slots, or registers for its warps, by numbers */
	ROOM_REGISTER_PIECES, /* registers: enough are free, but not in one piece where the policy may lay them */
	ROOM_SHARED,	      /* shared memory, by numbers */
	ROOM_SHARED_PIECES,   /* the same of shared memory */
};

/* What is free of a ground: units, in so many pieces, and the largest of them. */
struct room_pieces {
	u32 free, pieces, largest;
};

/* The register file of a sub-core of an SM, or its shared memory without the contexts' region (sub NONE32). */
struct ground room_ground(const struct sched_view *v, u32 sub);
struct room_pieces room_pieces(const struct ground *g);
/* CTAs of a launch for which there is room by numbers, wherever it lies. */
u32 room_count(const struct sched_view *v, u32 launch);
/* What is in the way of one more; wanted: what slot partition wants of the launch here, NONE32: any. */
enum room room_for(const struct sched_view *v, u32 launch, u32 *wanted);
/* The same in words, of the next one: "finds not enough shared memory". */
const char *room_word(enum room room);

#endif
