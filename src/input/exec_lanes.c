/*
 * exec_lanes.c - one function per row of ops.def: its body in a loop over 32 lanes, which the compiler vectorises.
 *
 * Compiled once for each LANES (baseline, avx2, avx512); exports the table lanes_LANES. Floating point stays IEEE:
 * no contraction, no reassociation; only traps, which nobody takes, may be lost.
 */
#pragma GCC optimize("no-trapping-math")

#include "exec_lanes.h"
#include "exec_math.h"
#include "exec_video.h"
#include "front.h"

#define TABLE_NAME(l) TABLE_NAME_(l)
#define TABLE_NAME_(l) lanes_##l
#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x

static const u32 lane_bit[WARP_LANES] __attribute__((aligned(64))) = {
	1u << 0,  1u << 1,  1u << 2,  1u << 3,	1u << 4,  1u << 5,  1u << 6,  1u << 7,	1u << 8,  1u << 9,  1u << 10,
	1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
	1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

/* Views: lane i of the register (pair) at p, as a type. */
LANE u64 view_u64(const u32 *p, u32 i)
{
	return p[i] | (u64)p[i + WARP_LANES] << 32;
}
LANE i64 view_s64(const u32 *p, u32 i)
{
	return (i64)view_u64(p, i);
}
LANE u32 view_u32(const u32 *p, u32 i)
{
	return p[i];
}
LANE i32 view_s32(const u32 *p, u32 i)
{
	return (i32)p[i];
}
LANE u16 view_u16(const u32 *p, u32 i)
{
	return (u16)p[i];
}
LANE i16 view_s16(const u32 *p, u32 i)
{
	return (i16)p[i];
}
LANE u8 view_u8(const u32 *p, u32 i)
{
	return (u8)p[i];
}
LANE i8 view_s8(const u32 *p, u32 i)
{
	return (i8)p[i];
}
LANE float view_f32(const u32 *p, u32 i)
{
	return float_of(p[i]);
}
LANE float view_z32(const u32 *p, u32 i)
{
	return float_of(flush_bits(p[i]));
}
LANE float view_g32(const u32 *p, u32 i)
{
	return float_of(p[i + WARP_LANES]);
}
LANE float view_y32(const u32 *p, u32 i)
{
	return float_of(flush_bits(p[i + WARP_LANES]));
}
LANE double view_f16(const u32 *p, u32 i)
{
	return half_to(p[i]);
}
LANE double view_z16(const u32 *p, u32 i)
{
	return half_to(half_flush(p[i] & 0xffff));
}
LANE double view_g16(const u32 *p, u32 i)
{
	return half_to(p[i] >> 16);
}
LANE double view_y16(const u32 *p, u32 i)
{
	return half_to(half_flush(p[i] >> 16));
}
LANE double view_bf16(const u32 *p, u32 i)
{
	return brain_to(p[i]);
}
LANE double view_bg16(const u32 *p, u32 i)
{
	return brain_to(p[i] >> 16);
}
LANE double view_f64(const u32 *p, u32 i)
{
	return double_of(view_u64(p, i));
}
#define view_pred(p, i) ((choice & lane_bit[i]) != 0)
#define A(t) view_##t(a, i)
#define B(t) view_##t(b, i)
#define C(t) view_##t(c, i)
#define D(t) view_##t(d, i)

/* Bits of a value as they go into a register. */
LANE u64 integer_bits(u64 v)
{
	return v;
}
#define RESULT(x) _Generic((x), float : canonical_f32, double : canonical_f64, default : integer_bits)(x)

/* Bodies of rows that exec.c performs; their functions are dropped. */
#define NONE 0u
#define HAS_BODY(text) (sizeof(text) != sizeof("NONE"))
/* The last source of selp is a predicate. */
#define LAST_IS_PRED(sig) (sizeof(sig) > 4 && (sig)[0] != 'p' && (sig)[sizeof(sig) - 2] == 'p')

#define OP(id, forms, sig, class, body) \
	static void lane_##id(u32 *r, const u32 *a, const u32 *b UNUSED, const u32 *c UNUSED, const u32 *d UNUSED) \
	{ \
		const u32 choice UNUSED = LAST_IS_PRED(sig) ? *c : *a; \
		u32 mask = 0; \
\
		_Pragma("GCC ivdep") for (u32 i = 0; i < WARP_LANES; i++) \
		{ \
			__auto_type x = body; \
\
			if ((sig)[0] == 'p') { \
				mask |= x ? lane_bit[i] : 0; \
			} else { \
				u64 v = RESULT(x); \
\
				r[i] = (u32)v; \
				if ((sig)[0] == 'd') \
					r[i + WARP_LANES] = (u32)(v >> 32); \
			} \
		} \
		if ((sig)[0] == 'p') \
			*r = mask; \
	}
#include "ops.def"
#undef OP

/* See exec_lanes.h. */
static void lane_blend(u32 *to, const u32 *from, u32 registers, u32 mask)
{
	for (; registers; registers--, to += WARP_LANES, from += WARP_LANES) {
		_Pragma("GCC ivdep") for (u32 i = 0; i < WARP_LANES; i++) to[i] = mask & lane_bit[i] ? from[i] : to[i];
	}
}

/* Whether the addresses are those of 32 neighbours. */
LANE bool lane_neighbours(const u64 *out, u32 step)
{
	u64 odd = 0;

	for (u32 i = 0; i < WARP_LANES; i++)
		odd |= out[i] ^ (out[0] + (u64)step * i);
	return !odd;
}

/* See exec_lanes.h. */
static bool lane_address(u64 *out, const u32 *a, i64 offset, u32 step)
{
	_Pragma("GCC ivdep") for (u32 i = 0; i < WARP_LANES; i++) out[i] = view_u64(a, i) + (u64)offset;
	return lane_neighbours(out, step);
}

/* See exec_lanes.h. */
static bool lane_address32(u64 *out, const u32 *a, i64 offset, u32 step, struct lane_span *span)
{
	u32 first = a[0] + (u32)offset, low = ~0u, high = 0, bits = 0, odd = 0;

	_Pragma("GCC ivdep") for (u32 i = 0; i < WARP_LANES; i++)
	{
		u32 at = a[i] + (u32)offset;

		out[i] = at;
		low = at < low ? at : low;
		high = at > high ? at : high;
		bits |= at;
		odd |= at ^ (first + i * step);
	}
	*span = (struct lane_span){low, high, bits, 1};
	return !odd && high == first + (WARP_LANES - 1) * (u64)step;
}

/* See exec_lanes.h. */
static bool lane_outside(const u64 *address, u32 mask, u64 base, u64 last, u64 low_bits)
{
	u64 bad = 0;

	for (u32 i = 0; i < WARP_LANES; i++) {
		u64 wrong = (address[i] & low_bits) | (address[i] - base > last ? 1 : 0);

		bad |= mask & lane_bit[i] ? wrong : 0;
	}
	return bad;
}

const struct lane_table TABLE_NAME(LANES) = {
	.name = TEXT(LANES),
	.op =
		{
#define OP(id, forms, sig, class, body) [OP_##id] = HAS_BODY(#body) ? lane_##id : NULL,
#include "ops.def"
#undef OP
		},
	.blend = lane_blend,
	.address = lane_address,
	.address32 = lane_address32,
	.outside = lane_outside,
};
