/*
 * territory.h - a register file or a shared memory in allocation units: what is taken, and where there is room. For the
 * engine (territory.c) and for policies that say where registers and shared memory lie (slot allocate).
 */
#ifndef WARPSTEP_TERRITORY_H
#define WARPSTEP_TERRITORY_H

#include "machine.h"

/* What an allocator sees. */
struct ground {
	const struct map_word *map; /* units that are taken */
	u32 units, unit;	    /* how many; registers or bytes of one */
	u32 sub;		    /* sub-core whose register file it is, NONE32: the SM's shared memory */
};

/* The first unit from `at` on that is taken, or that is free; `units` if there is none. */
static inline u32 ground_next(const struct ground *g, u32 at, bool taken)
{
	while (at < g->units) {
		u64 word = g->map[at / 64].taken, bits = (taken ? word : ~word) >> at % 64;
		if (bits)
			return min_u32(at + (u32)__builtin_ctzll(bits), g->units);
		at = (at / 64 + 1) * 64;
	}
	return g->units;
}

/* The lowest n units in a row that are free: the first of them, NONE32: there are none. */
static inline u32 ground_lowest(const struct ground *g, u32 n)
{
	for (u32 at = ground_next(g, 0, false), end; at < g->units; at = ground_next(g, end, false)) {
		end = ground_next(g, at, true);
		if (end - at >= n)
			return at;
	}
	return NONE32;
}

/* The highest ones. */
static inline u32 ground_highest(const struct ground *g, u32 n)
{
	u32 best = NONE32;
	for (u32 at = ground_next(g, 0, false), end; at < g->units; at = ground_next(g, end, false)) {
		end = ground_next(g, at, true);
		if (end - at >= n)
			best = end - n;
	}
	return best;
}

#endif
