/*
 * gpu_slice.h - a slice of a GPU: some of its SMs with their part of the memory system, so that each SM finds as much
 * DRAM bandwidth and L2 capacity as it does on the whole GPU; and words that say which machine a number is of.
 */
#ifndef WARPSTEP_GPU_SLICE_H
#define WARPSTEP_GPU_SLICE_H

#include "session_data.h"

/* Bytes per microsecond of all DRAM channels. */
static inline u64 dram_bandwidth(const struct config *c)
{
	return (u64)c->dram_channels * c->dram_bytes * c->dram_clock;
}

/* Settings of a whole GPU to those of a slice of `sms` of its SMs, 1 to all of them. */
void gpu_slice_take(struct config *c, u32 sms);
/* Does a slice have its own value of this setting? */
bool gpu_slice_sets(enum setting_id id);
/* What a slice has of the whole: "5 of 80 SMs, 2 of 32 DRAM channels, 4 of 64 L2 slices". */
void gpu_slice_words(const struct config *whole, const struct config *slice, struct text *out);

/* The SMs for whose number the DRAM bandwidth is right; 0: not known, as no preset was named. */
u32 gpu_memory_for(const struct gpu_choice *g, const struct config *c);
/* Which machine it is: "volta", "a 5-SM slice of volta", "2 SMs of volta"; nothing without a preset. */
void gpu_words(const struct gpu_choice *g, const struct config *c, struct text *out);
/* The line that says so if the memory system is too large for the SMs, and what takes both in proportion; else nothing.
 */
void gpu_memory_words(const struct gpu_choice *g, const struct config *c, struct text *out);

#endif
