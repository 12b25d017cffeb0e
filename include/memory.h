/*
 * memory.h - the memory side of the GPU: L2 slices and DRAM channels. For src/core only.
 */
#ifndef WARPSTEP_MEMORY_H
#define WARPSTEP_MEMORY_H

#include "core.h"

/* The slice that owns a line (line number x 16 + sectors). */
u32 slice_of(const struct machine *m, u64 line);
/* One cycle of a slice: the head request looks up the tags. */
void l2_cycle(struct sim *s, u32 slice);
/* Sectors of a line have come from DRAM; false: no room for what it evicts or for the answers, try again. */
bool l2_fill(struct sim *s, u32 slice, u32 mshr, u64 line);
/* The DRAM clocks of this SM cycle, all channels with work. */
void dram_cycle(struct sim *s);
/* Queue a request at the channel of a slice; mshr NONE16: a write. False: fewer than `keep` + 1 places are free. New requests
 * keep one place, so that a fill can always write back what it evicts and the channel can never lock up. */
bool dram_request(struct sim *s, u32 slice, u64 line, u32 mshr, u32 keep);
/* Room in the queue of a slice's channel for n requests? */
bool dram_room(struct sim *s, u32 slice, u32 n);
/* Completed DRAM clocks after `cycle` SM cycles: floor(cycle x dram.clock / gpu.clock). */
u64 dram_clock(const struct machine *m, u64 cycle);

#endif
