/*
 * exec_round.c - single operations rounded towards zero, down or up, by the host's rounding mode.
 *
 * The operands and the result pass through volatile objects, so that the operation stays between the two changes of
 * the mode. Rare in kernels (PTX.md: 5 of 534), so the cost of the changes is borne.
 */
#include "exec_lanes.h"

#include <fenv.h>

static const int round_host[] = {[ROUND_RZ] = FE_TOWARDZERO, [ROUND_RM] = FE_DOWNWARD, [ROUND_RP] = FE_UPWARD};

/* Define one function: volatile copies x, y, z of its parameters, expression e of type t. */
#define ROUNDED(t, declare, e) \
	{ \
		declare; \
		volatile t result; \
		fesetround(round_host[m]); \
		result = (e); \
		fesetround(FE_TONEAREST); \
		return result; \
	}

/* A sum, a + b. */
float round_add_f32(float a, float b, enum round_mode m)
	ROUNDED(float, volatile float x = a;
		volatile float y = b, x + y) double round_add_f64(double a, double b, enum round_mode m)
		ROUNDED(double, volatile double x = a; volatile double y = b, x + y)

	/* A product, a x b. */
	float round_mul_f32(float a, float b, enum round_mode m)
		ROUNDED(float, volatile float x = a;
			volatile float y = b, x *y) double round_mul_f64(double a, double b, enum round_mode m)
			ROUNDED(double, volatile double x = a; volatile double y = b, x *y)

	/* A quotient, a / b. */
	float round_div_f32(float a, float b, enum round_mode m)
		ROUNDED(float, volatile float x = a;
			volatile float y = b, x / y) double round_div_f64(double a, double b, enum round_mode m)
			ROUNDED(double, volatile double x = a; volatile double y = b, x / y)

	/* A product and a sum with one rounding, a x b + c. */
	float round_fma_f32(float a, float b, float c, enum round_mode m)
		ROUNDED(float, volatile float x = a; volatile float y = b;
			volatile float z = c, __builtin_fmaf(x, y, z)) double round_fma_f64(double a, double b,
											    double c, enum round_mode m)
			ROUNDED(double, volatile double x = a; volatile double y = b;
				volatile double z = c, __builtin_fma(x, y, z))

	/* A square root. */
	float round_sqrt_f32(float a, enum round_mode m)
		ROUNDED(float, volatile float x = a, __builtin_sqrtf(x)) double round_sqrt_f64(double a,
											       enum round_mode m)
			ROUNDED(double, volatile double x = a, __builtin_sqrt(x))

	/* Conversions to a narrower type. */
	float round_f64_f32(double a, enum round_mode m) ROUNDED(float, volatile double x = a,
								 (float)x) float round_s64_f32(i64 a, enum round_mode m)
		ROUNDED(float, volatile i64 x = a, (float)x) float round_u64_f32(u64 a, enum round_mode m)
			ROUNDED(float, volatile u64 x = a, (float)x) double round_s64_f64(i64 a, enum round_mode m)
				ROUNDED(double, volatile i64 x = a, (double)x) double round_u64_f64(u64 a,
												    enum round_mode m)
					ROUNDED(double, volatile u64 x = a, (double)x)
