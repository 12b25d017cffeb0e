/*
 * counters.h - what SMs, L2 slices and DRAM channels count, in the order of stats.def.
 */
#ifndef WARPSTEP_COUNTERS_H
#define WARPSTEP_COUNTERS_H

#include "ids.h"

#define COUNTER(where, id) COUNTER_##where(id)
enum sm_counter {
#define COUNTER_SM(id) STAT_##id,
#define COUNTER_L2(id)
#define COUNTER_DRAM(id)
#include "stats.ids"
#undef COUNTER_SM
#undef COUNTER_L2
	SM_STAT_COUNT
};
enum l2_counter {
#define COUNTER_SM(id)
#define COUNTER_L2(id) STAT_##id,
#include "stats.ids"
#undef COUNTER_L2
#undef COUNTER_DRAM
	L2_STAT_COUNT
};
enum dram_counter {
#define COUNTER_L2(id)
#define COUNTER_DRAM(id) STAT_##id,
#include "stats.ids"
#undef COUNTER_SM
#undef COUNTER_L2
#undef COUNTER_DRAM
	DRAM_STAT_COUNT
};
#undef COUNTER
_Static_assert(SM_STAT_COUNT <= SM_COUNTERS && L2_STAT_COUNT <= SLICE_COUNTERS && DRAM_STAT_COUNT <= CHANNEL_COUNTERS,
	       "the machine has room for every counter");

#endif
