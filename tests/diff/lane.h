/*
 * lane.h - a second interpreter of PTX, written from the text of the PTX ISA alone: one lane after the other runs until
 * it waits or ends. It shares nothing with src/, so that an error of either shows as a difference.
 *
 * It knows scalar instructions, loads, stores and atomics of all spaces, branches, barriers, and what passes between
 * the lanes of a warp of 32. Where the ISA leaves a result open it does what GPUs do; approximations are computed in
 * double.
 */
#ifndef DIFF_LANE_H
#define DIFF_LANE_H

#include <stddef.h>
#include <stdint.h>

enum { LANE_WHY = 200 };

struct lane_program;

struct lane_launch {
	const char *kernel;
	uint32_t grid[3], block[3];
	const uint64_t *argument; /* 8 bytes each */
	uint32_t arguments;
	uint8_t *memory; /* global memory, at address base */
	uint64_t base, bytes;
	uint64_t most; /* instructions of a lane; more are an endless loop */
	uint64_t done; /* instructions of all lanes together, told back */
};

/* NULL, with the reason in why[LANE_WHY]. */
struct lane_program *lane_parse(const char *text, char *why);
void lane_free(struct lane_program *p);
/* 0, or -1 with the reason. */
int lane_run(const struct lane_program *p, struct lane_launch *l, char *why);

#endif
