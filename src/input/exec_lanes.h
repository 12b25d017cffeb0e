/*
 * exec_lanes.h - the bodies of ops.def over the 32 lanes of a warp, compiled once for each vector width of the host.
 *
 * Every lane is computed, wanted or not; the caller blends by its mask. A register is u32[32]; the high words of a
 * 64-bit value follow its low words. All tables give the same bits (law 2), a wider one is only faster.
 */
#ifndef WARPSTEP_EXEC_LANES_H
#define WARPSTEP_EXEC_LANES_H

#include "ops.h"

/* result may be one of the sources, or the low or high half of one. A predicate (source or result) is one word. */
typedef void (*lane_fn)(u32 *result, const u32 *a, const u32 *b, const u32 *c, const u32 *d);

struct lane_span;
struct lane_table {
	const char *name;
	lane_fn op[OP_COUNT]; /* NULL: exec.c performs it */
	/* to[l] = from[l] for the lanes in mask, for 1 or 2 registers of 32 lanes. */
	void (*blend)(u32 *to, const u32 *from, u32 registers, u32 mask);
	/* out[l] = the pair at a, plus offset; true if out[l] == out[0] + l x step. */
	bool (*address)(u64 *out, const u32 *a, i64 offset, u32 step);
	/* out[l] = the word at a plus offset, in 32 bits; true if out[l] == out[0] + l x step. What they span in *span.
	 */
	bool (*address32)(u64 *out, const u32 *a, i64 offset, u32 step, struct lane_span *span);
	/* Whether a lane in mask has address - base > last, or one of the low bits set. */
	bool (*outside)(const u64 *address, u32 mask, u64 base, u64 last, u64 low_bits);
};

extern const struct lane_table lanes_baseline;
#ifdef __x86_64__
extern const struct lane_table lanes_avx2, lanes_avx512;
#endif

/* Rounding that the host's default cannot do (exec_round.c): in directions towards zero, down, up. */
enum round_mode { ROUND_RZ, ROUND_RM, ROUND_RP };
float round_add_f32(float a, float b, enum round_mode m);
float round_mul_f32(float a, float b, enum round_mode m);
float round_fma_f32(float a, float b, float c, enum round_mode m);
float round_div_f32(float a, float b, enum round_mode m);
float round_sqrt_f32(float a, enum round_mode m);
double round_add_f64(double a, double b, enum round_mode m);
double round_mul_f64(double a, double b, enum round_mode m);
double round_fma_f64(double a, double b, double c, enum round_mode m);
double round_div_f64(double a, double b, enum round_mode m);
double round_sqrt_f64(double a, enum round_mode m);
float round_f64_f32(double a, enum round_mode m);
float round_s64_f32(i64 a, enum round_mode m);
float round_u64_f32(u64 a, enum round_mode m);
double round_s64_f64(i64 a, enum round_mode m);
double round_u64_f64(u64 a, enum round_mode m);
/* z32 operands are floats already flushed, g32 and y32 those of the upper word. */
#define round_add_z32 round_add_f32
#define round_mul_z32 round_mul_f32
#define round_fma_z32 round_fma_f32
#define round_add_g32 round_add_f32
#define round_mul_g32 round_mul_f32
#define round_fma_g32 round_fma_f32
#define round_add_y32 round_add_f32
#define round_mul_y32 round_mul_f32
#define round_fma_y32 round_fma_f32

#endif
