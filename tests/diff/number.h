/*
 * number.h - numbers of any format of floating point, for lane.c: taken apart, exact, and rounded back.
 */
#ifndef DIFF_NUMBER_H
#define DIFF_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 wide;

enum kind { NUMBER_ZERO, NUMBER_FINITE, NUMBER_INFINITE, NUMBER_NAN };
enum rounding { ROUND_NEAREST, ROUND_ZERO, ROUND_DOWN, ROUND_UP, ROUND_AWAY };

/* significand x 2^exponent */
struct number {
	enum kind kind;
	bool minus;
	wide significand;
	int exponent;
};

/* exponent and mantissa bits of a format, its NaN; finite: no infinity there */
struct format {
	int exponent, mantissa, bias;
	uint64_t nan;
	bool finite;
	uint64_t most; /* the greatest number, where it is finite */
};

extern const struct format format_f64, format_f32, format_f16, format_bf16, format_tf32, format_e4m3, format_e5m2,
	format_e2m3, format_e3m2, format_e2m1;

struct number number_unpack(uint64_t bits, const struct format *f);
/* limit: the greatest number in place of infinity */
uint64_t number_pack(struct number x, const struct format *f, enum rounding r, bool limit);
struct number number_of_int(wide magnitude, bool minus);
/* To a whole number. */
struct number number_whole(struct number x, enum rounding r);
/* Into [low, high] of an integer of so many bits; NaN as the ISA says. */
uint64_t number_to_int(struct number x, int bits, bool sign, enum rounding r, uint64_t of_nan);
struct number number_times(struct number a, struct number b);
struct number number_plus(struct number a, struct number b);
struct number number_minus(struct number a);
/* Rounded to as many digits as a format has, is its magnitude below the least normal number? */
bool number_below(struct number a, const struct format *f, enum rounding r);
/* Below, equal (0), above; 2: one is NaN. */
int number_compare(struct number a, struct number b);
/* The greater (or lesser) of two; a NaN loses; -0 is below +0. */
struct number number_extreme(struct number a, struct number b, bool greater);

#endif
