/*
 * past.h - forks that stand along a run, for those who live through parts of it again, the latest first.
 */
#ifndef WARPSTEP_PAST_H
#define WARPSTEP_PAST_H

#include "listen.h"
#include "timeline.h"

#define PAST_STATIONS 32
#define PAST_ISSUES \
	(1u << 19) /* instructions between two stations, at first; twice as many when they become too many */
#define PAST_BITS (1u << 20)

/* A fork at the beginning of a stretch; where global memory is written in it: bits of 64 bytes, hashed. */
struct station {
	struct sim sim;
	u32 applied; /* inputs */
	u64 cycle;
	u64 *written;
};
struct past {
	struct station station[PAST_STATIONS];
	u32 n;
	u64 least;  /* instructions between two of them at first; 0: PAST_ISSUES */
	u64 issues; /* now: twice as many whenever they became too many */
	u64 end;    /* cycle up to which the last stretch has been lived through */
};

/* Stations from the beginning to a cycle, or on to it; false: interrupted. */
bool past_lay(struct past *p, const struct timeline *t, u64 to);
/* The same within a stretch of another, up to a cycle. */
bool past_within(struct past *p, const struct past *of, u32 stretch, const struct timeline *t, u64 to);
/* The stretch that has a cycle's end in it: cycles station.cycle + 1 to those of the next. */
u32 past_stretch(const struct past *p, u64 cycle);
/* May bytes of global memory be written in a stretch? */
bool past_writes(const struct past *p, u32 stretch, u64 address, u32 bytes);
void past_free(struct past *p);

#endif
