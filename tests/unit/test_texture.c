/*
 * test_texture.c - texture fetches against formulas written from the CUDA C++ Programming Guide ("Texture Fetching"),
 * which share nothing with src: shapes, formats, filters, edges, coordinates.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include <cmocka.h>

#include "texture_bed.h"

/* The value of 16 bits of floating point. */
static double half_value(u32 h)
{
	u32 exponent = h >> 10 & 31, fraction = h & 1023;
	double m = exponent ? ldexp(1024 + fraction, (int)exponent - 25) : ldexp(fraction, -24);

	return h >> 15 ? -m : m;
}

static u32 bits_of(float x)
{
	u32 b;

	memcpy(&b, &x, 4);
	return b;
}
static float number_of(u32 b)
{
	float x;

	memcpy(&x, &b, 4);
	return x;
}

/* Channel c of texel (x, y, z) as a number. */
static double ref_texel(const struct ref *r, long x, long y, long z, u32 c)
{
	static const u8 size[] = {1, 1, 2, 2, 4, 4, 2, 4};
	u32 n = size[r->t.type];
	const u8 *p = r->texel + (((u64)z * r->t.height + (u64)y) * r->t.width + (u64)x) * n * r->t.channels + c * n;
	u32 raw = p[0] | (n > 1 ? (u32)p[1] << 8 : 0) | (n > 2 ? (u32)p[2] << 16 | (u32)p[3] << 24 : 0);
	double unit = !r->t.as_float	       ? 1
		      : n == 1		       ? r->t.type == TEXEL_S8 ? 127 : 255
		      : r->t.type == TEXEL_S16 ? 32767
					       : 65535;

	if (c >= r->t.channels)
		return 0;
	switch (r->t.type) {
	case TEXEL_F32: return (double)number_of(raw);
	case TEXEL_F16: return half_value(raw);
	case TEXEL_S8: return (double)(float)fmax((double)(i8)raw / unit, r->t.as_float ? -1 : -128);
	case TEXEL_S16: return (double)(float)fmax((double)(i16)raw / unit, r->t.as_float ? -1 : -32768);
	case TEXEL_S32: return (i32)raw;
	default: return r->t.as_float ? (double)(float)(raw / unit) : raw;
	}
}

/* An index along an axis; false: in the border. */
static bool ref_index(const struct ref *r, long *i, long n)
{
	if (r->t.edge == EDGE_BORDER)
		return *i >= 0 && *i < n;
	if (r->t.edge == EDGE_WRAP)
		while (*i < 0 || *i >= n)
			*i += *i < 0 ? n : -n;
	*i = *i < 0 ? 0 : *i >= n ? n - 1 : *i;
	return true;
}

/* The guide's x of N texels: frac(x) with wrap; with mirror frac(x), or 1 - frac(x) where floor(x) is odd. */
static double ref_coordinate(const struct ref *r, double x, long n)
{
	double part = x - floor(x);

	if (!r->t.normalized)
		return x;
	if (r->t.edge == EDGE_WRAP)
		x = part;
	if (r->t.edge == EDGE_MIRROR)
		x = fmod(floor(x), 2) != 0 ? 1 - part : part;
	return x * (double)n;
}

static double ref_at(const struct ref *r, long x, long y, long z, u32 c, u32 axes)
{
	if (!ref_index(r, &x, r->t.width) || (axes > 1 && !ref_index(r, &y, r->t.height)) ||
	    (axes > 2 && !ref_index(r, &z, r->t.depth)))
		return 0;
	return ref_texel(r, x, y, z, c);
}

/* tex(x) = T[floor(x)], or the sum over both sides of x - 0.5 along each axis; z: the slice where there are two. */
static double ref_fetch(const struct ref *r, const double *at, u32 axes, long slice, u32 c)
{
	long i[3] = {0, 0, slice};
	double a[3] = {0}, sum = 0;

	for (u32 d = 0; d < axes; d++) {
		double x = ref_coordinate(r, at[d], d == 0 ? r->t.width : d == 1 ? r->t.height : r->t.depth);

		x -= r->t.linear ? 0.5 : 0;
		i[d] = (long)floor(x);
		a[d] = floor((x - floor(x)) * 256 + 0.5) / 256;
	}
	if (!r->t.linear)
		return ref_at(r, i[0], i[1], i[2], c, axes);
	for (long z = 0; z <= (axes > 2); z++)
		for (long y = 0; y <= (axes > 1); y++)
			for (long x = 0; x < 2; x++)
				sum += (x ? a[0] : 1 - a[0]) *
				       (axes < 2 ? 1
					: y	 ? a[1]
						 : 1 - a[1]) *
				       (axes < 3 ? 1
					: z	 ? a[2]
						 : 1 - a[2]) *
				       ref_at(r, i[0] + x, i[1] + y, i[2] + z, c, axes);
	return sum;
}

/* The guide's table of faces: major axis, s and t over it, (s / |m| + 1) / 2. */
static long ref_face(const float *v, double *at)
{
	double x = (double)v[0], y = (double)v[1], z = (double)v[2], m, s, t;
	long face;

	if (fabs(x) > fabs(y) && fabs(x) > fabs(z)) {
		face = x < 0;
		m = fabs(x);
		s = x < 0 ? z : -z;
		t = -y;
	} else if (fabs(y) > fabs(z)) {
		face = 2 + (y < 0);
		m = fabs(y);
		s = x;
		t = y < 0 ? -z : z;
	} else {
		face = 4 + (z < 0);
		m = fabs(z);
		s = z < 0 ? -x : x;
		t = -y;
	}
	at[0] = (s / m + 1) / 2;
	at[1] = (t / m + 1) / 2;
	return face;
}

/* A coordinate for an axis of n texels: within, outside, at the edges of texels and in their middles. */
static float random_coordinate(const struct ref *r, u32 n)
{
	double x = dice(3) ? (double)dice(1 << 20) / (1 << 20) * 3 * n - n : (double)dice(6 * n) / 2 - n;

	return (float)(r->t.normalized ? x / n : x);
}

/* Coordinates of a lane as words in the order of the instruction, and as the reference takes them. */
static long random_place(const struct ref *r, u32 *word, double *at)
{
	const u32 size[] = {r->t.width, r->t.height, r->t.depth};
	bool layered = r->t.shape >= TEXTURE_A1D;
	float v[3] = {0};

	if (layered)
		word[0] = (u32)dice(r->t.depth + 2);
	for (u32 d = 0; d < (r->t.shape == TEXTURE_CUBE ? 3 : axes_of[r->t.shape]); d++) {
		v[d] = r->t.shape == TEXTURE_CUBE ? (float)dice(2001) / 1000 - 1 + (float)d / 7777
						  : random_coordinate(r, size[d]);
		word[layered + d] = bits_of(v[d]);
		at[d] = (double)v[d];
	}
	if (r->t.shape == TEXTURE_CUBE)
		return ref_face(v, at);
	return !layered ? 0 : word[0] < r->t.depth ? word[0] : r->t.depth - 1;
}

/* Are the four words those of the reference? Sums may be rounded at another place. */
static void compare_words(const struct ref *r, const double *at, long slice, const u32 *out)
{
	for (u32 c = 0; c < 4; c++) {
		double want = c < r->t.channels ? ref_fetch(r, at, axes_of[r->t.shape], slice, c) : 0;
		bool floats = r->t.as_float || r->t.type >= TEXEL_F16;
		double got = floats ? (double)number_of(out[c]) : r->t.type % 2 ? (double)(i32)out[c] : (double)out[c];

		if (r->t.linear ? fabs(got - want) > 1e-6 * fmax(1, fabs(want)) : got != want)
			fail_msg(
				"%s type %u x%u linear %u edge %u normalized %u size %u %u %u at %g %g %g slice %ld channel %u: %.9g, not %.9g",
				ptx_of[r->t.shape], r->t.type, r->t.channels, r->t.linear, r->t.edge, r->t.normalized,
				r->t.width, r->t.height, r->t.depth, at[0], at[1], at[2], slice, c, got, want);
	}
}

/* One texture, THREADS random places. */
static void fetch_trial(struct ref *r, const char *level)
{
	u32 in[THREADS][4] = {{0}}, out[THREADS][4];
	double at[THREADS][3] = {{0}};
	long slice[THREADS];
	char code[200];

	for (u32 i = 0; i < THREADS; i++)
		slice[i] = random_place(r, in[i], at[i]);
	snprintf(code, sizeof(code), "tex%s.%s.v4.%s.f32 {%%r5, %%r6, %%r7, %%r8}, [%%d1, %s]%s;", level,
		 ptx_of[r->t.shape], r->t.type < TEXEL_F16 && !r->t.as_float ? "u32" : "f32",
		 coordinates_of[r->t.shape], !strcmp(level, ".level") ? ", %r4" : "");
	good_words(r, code, in, out);
	for (u32 i = 0; i < THREADS; i++)
		compare_words(r, at[i], slice[i], out[i]);
}

/* Every shape, format, filter, edge, way of counting and of reading that go together. */
static void test_fetches(void **state)
{
	static struct ref r;

	(void)state;
	for (u32 shape = 0; shape < TEXTURE_SHAPES; shape++)
		for (u32 type = 0; type < TEXEL_TYPES; type++)
			for (u32 way = 0; way < 32; way++) {
				u32 edge = way % 4;
				bool linear = way / 4 % 2, normalized = way / 8 % 2, as_float = way / 16;

				if ((edge > EDGE_BORDER && !normalized) || (as_float && type > TEXEL_S16) ||
				    (linear && type < TEXEL_F16 && !as_float) ||
				    (shape == TEXTURE_CUBE && (edge != EDGE_CLAMP || !normalized)))
					continue;
				random_texture(&r, shape, type, 1u << dice(3));
				r.t.edge = (u8)edge;
				r.t.linear = linear;
				r.t.normalized = normalized;
				r.t.as_float = as_float;
				fetch_trial(&r, way % 3 ? "" : ".level");
			}
}

/* Whole-number coordinates name texels and are never filtered. */
static void test_whole_numbers(void **state)
{
	static struct ref r;

	(void)state;
	for (u32 trial = 0; trial < 60; trial++) {
		u32 shapes[] = {TEXTURE_1D, TEXTURE_2D, TEXTURE_3D, TEXTURE_A1D, TEXTURE_A2D}, in[THREADS][4],
		    out[THREADS][4];
		bool layered;
		char code[200];

		random_texture(&r, shapes[trial % 5], TEXEL_F32, 4);
		r.t.linear = trial % 2;
		r.t.edge = trial / 5 % 2 ? EDGE_BORDER : EDGE_CLAMP;
		layered = r.t.shape >= TEXTURE_A1D;
		for (u32 i = 0; i < THREADS; i++)
			for (u32 d = 0; d < 4; d++)
				in[i][d] = layered && !d ? (u32)dice(r.t.depth) : (u32)dice(24) - 4;
		snprintf(code, sizeof(code), "tex.%s.v4.f32.s32 {%%r5, %%r6, %%r7, %%r8}, [%%d1, %s];",
			 ptx_of[r.t.shape], coordinates_of[r.t.shape]);
		good_words(&r, code, in, out);
		for (u32 i = 0; i < THREADS * 4; i++) {
			const u32 *w = in[i / 4] + layered;
			u32 axes = axes_of[r.t.shape];
			double want = ref_at(&r, (i32)w[0], axes > 1 ? (i32)w[1] : 0,
					     layered	? (i32)in[i / 4][0]
					     : axes > 2 ? (i32)w[2]
							: 0,
					     i % 4, axes);

			assert_true((double)number_of(out[i / 4][i % 4]) == want);
		}
	}
}

/* tld4: (i, j + 1), (i + 1, j + 1), (i + 1, j), (i, j). */
static void test_gathers(void **state)
{
	static const long step[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
	static struct ref r;

	(void)state;
	for (u32 trial = 0; trial < 32; trial++) {
		u32 in[THREADS][4], out[THREADS][4], channel = trial % 4;
		double at[THREADS][3];
		long slice[THREADS];
		char code[200];

		random_texture(&r, trial / 4 % 2 ? TEXTURE_A2D : TEXTURE_2D, TEXEL_F32, 4);
		r.t.edge = trial / 8 % 2 ? EDGE_BORDER : EDGE_CLAMP;
		for (u32 i = 0; i < THREADS; i++)
			slice[i] = random_place(&r, in[i], at[i]);
		snprintf(code, sizeof(code), "tld4.%c.%s.v4.f32.f32 {%%r5, %%r6, %%r7, %%r8}, [%%d1, %s];",
			 "rgba"[channel], ptx_of[r.t.shape], coordinates_of[r.t.shape]);
		good_words(&r, code, in, out);
		for (u32 i = 0; i < THREADS * 4; i++) {
			const double *x = at[i / 4];
			double want = ref_at(&r, (long)floor(x[0] - 0.5) + step[i % 4][0],
					     (long)floor(x[1] - 0.5) + step[i % 4][1], slice[i / 4], channel, 2);

			assert_true((double)number_of(out[i / 4][i % 4]) == want);
		}
	}
}

/* By hand: the guide's figure of linear filtering, and the steps of its weights. */
static void test_by_hand(void **state)
{
	static struct ref r;
	const float row[4] = {10, 20, 40, 80},
		    at[] = {1.25f, 1.5f, 0.25f, 3.9f, 1.5f + 1.0f / 1024, 1.5f + 3.0f / 1024};
	const float want[] = {17.5f, 20, 10, 80, 20, 20 + 20.0f / 256};
	u32 in[THREADS][4] = {{0}}, out[THREADS][4];

	(void)state;
	r = (struct ref){.t = {.width = 4, .height = 1, .depth = 1, .type = TEXEL_F32, .channels = 1, .linear = 1}};
	memcpy(r.texel, row, sizeof(row));
	for (u32 i = 0; i < ARRAY_LEN(at); i++)
		in[i][0] = bits_of(at[i]);
	good_words(&r, "tex.1d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%d1, {%r1}];", in, out);
	for (u32 i = 0; i < ARRAY_LEN(at); i++)
		assert_true(number_of(out[i][0]) == want[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fetches),
		cmocka_unit_test(test_whole_numbers),
		cmocka_unit_test(test_gathers),
		cmocka_unit_test(test_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
