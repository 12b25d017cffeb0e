/*
 * output.h - what the program has printed: printf and failed assertions of device code.
 *
 * Kept beside the values of the machine, in shadow chunks of the store (shadow.h) of each SM: going back takes text
 * back, a replay brings the same, and no hash knows of it. Always kept for programs that can print. An SM keeps
 * OUTPUT_CHUNKS x OUTPUT_CHUNK bytes; what is printed beyond that is counted.
 */
#ifndef WARPSTEP_OUTPUT_H
#define WARPSTEP_OUTPUT_H

#include "front.h"
#include "sim.h"

#define OUTPUT_CHUNKS 64u
#define OUTPUT_CHUNK 16384u /* bytes */

/* One call of one lane; its text follows, padded to 8 bytes. */
struct output_record {
	u64 cycle; /* in which it issued */
	u32 launch, cta, pc;
	u32 thread; /* of the CTA, linear */
	u16 sm, warp;
	u8 lane;
	u8 failed;  /* an assertion */
	u8 problem; /* enum print_problem */
	u8 spare;
	u16 length, spare2; /* bytes of text */
	i32 value;	    /* that the call gave */
};

/* What an SM has printed so far. */
struct output_count {
	u64 records, lost; /* kept; that found no room */
	u32 chunk, at;	   /* where the next one goes */
};

/* --- for observers --- */
struct output_count output_count(const struct sim *s, u32 sm);
/* The record at *chunk and *at of an SM (0, 0: the first), which are moved behind it; NULL: there is none any more. */
const struct output_record *output_next(const struct sim *s, u32 sm, u32 *chunk, u32 *at);
static inline const char *output_text(const struct output_record *r)
{
	return (const char *)(r + 1);
}

/* --- for src/core --- */
/* Make room for what the SMs print, before they may run side by side. */
void output_open(struct sim *s);
/* An instruction that prints, or an assertion that fails, for the lanes in mask: front_env.print. Counted always, kept
 * where SHADOW_OUTPUT is set, which forks do not have. */
void output_print(const struct front_env *env, const struct inst *in, u32 mask);

#endif
