/*
 * reference.h - what the library's kernels must compute, worked out again on the CPU in the plainest way.
 */
#ifndef WARPSTEP_REFERENCE_H
#define WARPSTEP_REFERENCE_H

#include "base.h"

/* Write n bytes to the output directory's file `name` or end the program. */
void emit(const char *name, const void *data, size_t n);

/* Element i of a buffer `random SEED LO HI integer`. */
static inline i32 whole(u64 seed, u64 i, i32 lo, i32 hi)
{
	return (i32)random_value(seed, i, lo, hi, true);
}

/* Element i of a buffer f32 `random SEED LO HI`. */
static inline float real(u64 seed, u64 i, double lo, double hi)
{
	return (float)random_value(seed, i, lo, hi, false);
}

/* v without its last bits: what differs between mathematical libraries is not written. */
static inline double rounded(double v)
{
	return __builtin_floor(v * 0x1p30 + 0.5) * 0x1p-30;
}

/* i kept within 0..n-1. */
static inline i32 clamp(i32 i, i32 n)
{
	return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* Every computation: it writes the inputs and outputs of one kernel or of a family. */
/* clang-format off */
#define REFERENCES(_)                                                                                             \
	_(matmul) _(reduce) _(bfs) _(collatz) _(stencil) _(histogram) _(dot)                                      \
	_(shuffle) _(spmv) _(histogram256) _(bitonic) _(blackscholes) _(kmeans) _(backprop) _(streamcluster)       \
	_(fwt) _(atomic64) _(btree) _(tpacf) _(match) _(lud) _(sgemm)                                              \
	_(conv2d) _(hotspot) _(pathfinder) _(sad) _(median) _(dct8x8) _(nbody) _(cutcp) _(mriq) _(lbm) \
	_(lavamd) _(noise) _(convsep) _(haar) _(fdtd2d) _(fft) _(gaussian) _(coulomb) _(similarity) _(oddeven) \
	_(conv3x3) _(lanes) _(radixsort) _(raytrace) _(rotate) _(gridsync) _(heap) _(spill)
/* clang-format on */

#define DECLARE_REFERENCE(name) void reference_##name(void);
REFERENCES(DECLARE_REFERENCE)
#undef DECLARE_REFERENCE

#endif
