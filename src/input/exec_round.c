/*
 * exec_round.c - single operations rounded towards zero, down or up, by the host's rounding mode.
 *
 * The operands and the result pass through volatile objects, so that the operation stays between the two changes of
 * the mode. Rare in kernels (PTX.md: 5 of 534), so the cost of the changes is borne.
 */
#include "exec_lanes.h"

#include <fenv.h>

static const int round_host[] = {[ROUND_RZ] = FE_TOWARDZERO, [ROUND_RM] = FE_DOWNWARD, [ROUND_RP] = FE_UPWARD};

/* clang-format off */
/* The rest of a function: e of type t, rounded. ...: volatile copies of the operands. */
#define ROUNDED(t, e, ...) \
	{ \
		__VA_ARGS__; \
		volatile t result; \
		fesetround(round_host[m]); \
		result = (e); \
		fesetround(FE_TONEAREST); \
		return result; \
	}
/* Functions of one operand, of type u, and of two and three of the result's type. */
#define ROUNDED_1(t, name, u, e) t name(u a, enum round_mode m) ROUNDED(t, e, volatile u x = a)
#define ROUNDED_2(t, name, e) t name(t a, t b, enum round_mode m) ROUNDED(t, e, volatile t x = a, y = b)
#define ROUNDED_3(t, name, e) t name(t a, t b, t c, enum round_mode m) ROUNDED(t, e, volatile t x = a, y = b, z = c)

ROUNDED_2(float, round_add_f32, x + y)
ROUNDED_2(double, round_add_f64, x + y)
ROUNDED_2(float, round_mul_f32, x * y)
ROUNDED_2(double, round_mul_f64, x * y)
ROUNDED_2(float, round_div_f32, x / y)
ROUNDED_2(double, round_div_f64, x / y)
ROUNDED_3(float, round_fma_f32, __builtin_fmaf(x, y, z))
ROUNDED_3(double, round_fma_f64, __builtin_fma(x, y, z))
ROUNDED_1(float, round_sqrt_f32, float, __builtin_sqrtf(x))
ROUNDED_1(double, round_sqrt_f64, double, __builtin_sqrt(x))
ROUNDED_1(float, round_f64_f32, double, (float)x)
ROUNDED_1(float, round_s64_f32, i64, (float)x)
ROUNDED_1(float, round_u64_f32, u64, (float)x)
ROUNDED_1(double, round_s64_f64, i64, (double)x)
ROUNDED_1(double, round_u64_f64, u64, (double)x)
