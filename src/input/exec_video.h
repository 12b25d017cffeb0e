/*
 * exec_video.h - what one lane of a video instruction computes: part of exec_lanes.c, for the bodies of ops_video.def.
 *
 * Numbers are taken from the sources exactly, the operation is exact, too; then come .sat, and the second operation or
 * the merge. A compare with c by .min or .max is exact as well, c having the type of d. Source: PTX ISA 8.x, section
 * 9.7.18.
 */
#ifndef WARPSTEP_EXEC_VIDEO_H
#define WARPSTEP_EXEC_VIDEO_H

#include "exec_math.h"
#include "video.h"

/* A field of the instruction's description. */
LANE u32 video_field(u64 how, u32 first, u32 bits)
{
	return (u32)(how >> first) & ((1u << bits) - 1);
}

/* The lowest bits of a word as a number. */
LANE i64 video_number(u32 word, u32 bits, bool is_signed)
{
	i64 x = (i64)(word & (u32)((1ull << bits) - 1));

	return is_signed && x >> (bits - 1) ? x - (1ll << bits) : x;
}

/* The part of a word that a scalar instruction's selector means: its first bit, its bits. */
LANE u32 video_first(u32 part)
{
	return part < 4 ? 8 * part : part < VIDEO_WHOLE ? 16 * (part - 4) : 0;
}
LANE u32 video_bits(u32 part)
{
	return part < 4 ? 8 : part < VIDEO_WHOLE ? 16 : 32;
}
LANE i64 video_part(u32 word, u32 part, bool is_signed)
{
	return video_number(word >> video_first(part), video_bits(part), is_signed);
}

/* A result, at the bounds of its bits if that is asked for. */
LANE i64 video_saturate(i64 x, u32 bits, u64 how)
{
	i64 low = how & VIDEO_D_SIGNED ? -(1ll << (bits - 1)) : 0;
	i64 high = low + (1ll << bits) - 1;

	return !(how & VIDEO_SATURATE) ? x : x < low ? low : x > high ? high : x;
}

/* The second operation on a scalar's result and c, or the merge of its part into c. */
LANE u32 video_finish(i64 x, u32 c, u64 how)
{
	u32 part = video_field(how, VIDEO_D, 3), bits = video_bits(part), first = video_first(part);
	u32 mask = (u32)((1ull << bits) - 1) << first;
	i64 with = video_number(c, 32, how & VIDEO_D_SIGNED);

	x = video_saturate(x, bits, how);
	switch (video_field(how, VIDEO_SECOND, 2)) {
	case VIDEO_ADD: return (u32)x + c;
	case VIDEO_MIN: return (u32)(x < with ? x : with);
	case VIDEO_MAX: return (u32)(x > with ? x : with);
	default: return ((u32)x << first & mask) | (c & ~mask);
	}
}

enum video_op {
	VIDEO_OP_add,
	VIDEO_OP_sub,
	VIDEO_OP_absdiff,
	VIDEO_OP_min,
	VIDEO_OP_max,
	VIDEO_OP_avrg,
	VIDEO_OP_set,
	VIDEO_OP_shl,
	VIDEO_OP_shr
};

LANE i64 video_compare(i64 a, i64 b, u64 how)
{
	switch (video_field(how, VIDEO_COMPARE, 3)) {
	case VIDEO_EQ: return a == b;
	case VIDEO_NE: return a != b;
	case VIDEO_LT: return a < b;
	case VIDEO_LE: return a <= b;
	case VIDEO_GT: return a > b;
	default: return a >= b;
	}
}

LANE i64 video_shift(bool left, i64 a, i64 b, u64 how)
{
	i64 n = how & VIDEO_WRAP ? b & 31 : b > 32 || b < 0 ? 32 : b; /* as a u32 */

	/* 1 << 32 is beyond all bounds, and its lower half is 0: as any number that is shifted so far */
	return !left ? a >> n : (n == 32 && a > 1 ? 1 : a) * (1ll << n);
}

/* An operation on two numbers of at most 33 bits, exactly. */
LANE i64 video_operate(enum video_op op, i64 a, i64 b, u64 how)
{
	switch (op) {
	case VIDEO_OP_add: return a + b;
	case VIDEO_OP_sub: return a - b;
	case VIDEO_OP_absdiff: return a < b ? b - a : a - b;
	case VIDEO_OP_min: return a < b ? a : b;
	case VIDEO_OP_max: return a > b ? a : b;
	case VIDEO_OP_avrg: return (a + b + (a + b >= 0)) >> 1; /* a half is rounded away from zero */
	case VIDEO_OP_set: return video_compare(a, b, how);
	default: return video_shift(op == VIDEO_OP_shl, a, b, how);
	}
}

/* A scalar instruction. */
LANE u32 video_scalar(enum video_op op, u32 a, u32 b, u32 c, u64 how)
{
	i64 x = video_part(a, video_field(how, VIDEO_A, 3), how & VIDEO_A_SIGNED);
	i64 y = video_part(b, video_field(how, VIDEO_B, 3), how & VIDEO_B_SIGNED);

	return video_finish(video_operate(op, x, y, how), c, how);
}

/* Lane `part` of the 2 n lanes of a and b. */
LANE i64 video_lane(u32 n, u32 a, u32 b, u32 part, bool is_signed)
{
	return video_number((part < n ? a : b) >> part % n * (32 / n), 32 / n, is_signed);
}

/* An instruction on pairs (n 2) or quads (n 4): lane by lane into c, or all added to c. */
LANE u32 video_lanes(enum video_op op, u32 n, u32 a, u32 b, u32 c, u64 how)
{
	u32 sum = c, bits = 32 / n;

	for (u32 i = 0; i < n; i++) {
		i64 x = video_lane(n, a, b, video_field(how, VIDEO_A + 3 * i, 3), how & VIDEO_A_SIGNED);
		i64 y = video_lane(n, a, b, video_field(how, VIDEO_B + 3 * i, 3), how & VIDEO_B_SIGNED);
		u32 v = (u32)video_saturate(video_operate(op, x, y, how), bits, how);
		u32 lane = ((1u << bits) - 1) << i * bits;

		if (!video_field(how, VIDEO_D + i, 1))
			continue;
		sum += v;
		c = (c & ~lane) | (v << i * bits & lane);
	}
	return video_field(how, VIDEO_SECOND, 2) ? sum : c;
}

/* a x b + c, of 65 bits and a sign at most. */
LANE u32 video_mad(u32 a, u32 b, u32 c, u64 how)
{
	bool is_signed = how & (VIDEO_A_SIGNED | VIDEO_B_SIGNED | VIDEO_NEGATE | VIDEO_NEGATE_C);
	__int128 x = (__int128)video_part(a, video_field(how, VIDEO_A, 3), how & VIDEO_A_SIGNED) *
		     video_part(b, video_field(how, VIDEO_B, 3), how & VIDEO_B_SIGNED);
	i64 low = is_signed ? INT32_MIN : 0, high = is_signed ? INT32_MAX : UINT32_MAX;

	x = how & VIDEO_NEGATE ? -x : x;
	c = how & VIDEO_NEGATE_C ? ~c : c;
	x += video_number(c, 32, is_signed);
	x += how & (VIDEO_PLUS_ONE | VIDEO_NEGATE_C) ? 1 : 0;
	x >>= video_field(how, VIDEO_SCALE, 4);
	return (u32)(!(how & VIDEO_SATURATE) ? x : x < low ? low : x > high ? high : x);
}

#endif
