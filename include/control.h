/*
 * control.h - control bits: what an instruction says of the hazards around it, in place of a scoreboard.
 *
 * As on NVIDIA's GPUs since Maxwell, and in the instruction itself since Volta: a stall counter, in cycles; a yield
 * bit; two of six dependence counters that the instruction increases, one until it has written its registers, one until
 * it has read them; a mask of counters that must be 0 before it issues; a reuse bit for each operand. Sources: Jia et
 * al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018, section 2.1 (fields); Huerta et al.,
 * "Dissecting and Modeling the Architecture of Modern GPU Cores", MICRO 2025, section 4 (what they do).
 */
#ifndef WARPSTEP_CONTROL_H
#define WARPSTEP_CONTROL_H

#include "kernel.h"

#define CONTROL_COUNTERS 6    /* SB0 to SB5 */
#define CONTROL_NONE 7	      /* no counter */
#define CONTROL_MOST_STALL 15 /* cycles */
#define CONTROL_LONG_STALL 11 /* above, a stall counter needs the yield bit: else it is 2 (Huerta: one or two) */
#define CONTROL_TEXT 24	      /* bytes of control_text() */
#define CONTROL_REUSE_TEXT 8  /* of control_reuse_text() */

/* What is said where a machine has none. */
#define CONTROL_MISSING "instructions have no control bits (`set issue.dependences control`, then `restart`)"

struct control_bits {
	u8 stall; /* cycles from the issue of the instruction to that of the warp's next */
	u8 yield; /* 1: the warp does not issue in the next cycle */
	u8 write; /* counter that is increased until the registers are written, CONTROL_NONE none */
	u8 read;  /* counter that is increased until the registers are read, CONTROL_NONE none */
	u8 wait;  /* counters that must be 0 for the instruction to issue, a bit each */
	u8 reuse; /* operand positions whose register stays in the register cache, a bit each */
};

/* What the bits follow from beside the kernel: cycles from the issue of an instruction to the first cycle in which one
 * that needs its result may issue, if they are known and no more than CONTROL_MOST_STALL; 0: they are not, the
 * instruction needs a counter. */
struct control_times {
	const void *machine;
	u32 (*due)(const void *machine, const struct inst *in);
};

/* The bits of all instructions of a kernel: those of its cubin (trace.h), else as an assembler would set them. out:
 * k->ninst of them. */
void control_assign(const struct kernel *k, const struct control_times *t, struct control_bits *out);
/* The bits in the usual notation: "B--2---:R0:W-:-:S04". out: CONTROL_TEXT bytes. */
const char *control_text(const struct control_bits *b, char *out);
/* The operand positions whose register stays: "02". out: CONTROL_REUSE_TEXT bytes. */
const char *control_reuse_text(const struct control_bits *b, char *out);

#endif
