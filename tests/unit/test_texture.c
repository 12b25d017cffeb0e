/*
 * test_texture.c - textures and surfaces against formulas written from the CUDA C++ Programming Guide ("Texture
 * Fetching", "Surface Functions"), which share nothing with src: shapes, formats, filters, edges, coordinates.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include <cmocka.h>

#include "idempotence.h"
#include "ptx_bed.h"
#include "texture.h"

#define THREADS 64
#define MOST_BYTES (16 * 16 * 16 * 16)

/* A texture as the reference sees it. */
struct ref {
	struct texture t;
	u8 texel[MOST_BYTES];
};

static u64 state_of_random;

static u64 dice(u64 n)
{
	return mix64(++state_of_random) % n;
}

/* --- the reference --- */

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

/* --- kernels that are run --- */

#define HEAD \
	".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 t, .param .u64 in, .param .u64 out)\n{\n" \
	".reg .b64 %d<9>; .reg .b32 %r<20>; .reg .b16 %h<9>; ld.param.u64 %d1, [t]; ld.param.u64 %d2, [in]; " \
	"ld.param.u64 %d3, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %d4, %r0, 16; add.u64 %d2, %d2, %d4; " \
	"add.u64 %d3, %d3, %d4; ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%d2];\n"
#define TAIL "\nst.global.v4.b32 [%d3], {%r5, %r6, %r7, %r8}; ret; }\n"

static const char *const coordinates_of[TEXTURE_SHAPES] = {
	"{%r1}", "{%r1, %r2}", "{%r1, %r2, %r3, %r3}", "{%r1, %r2, %r3, %r3}", "{%r1, %r2}", "{%r1, %r2, %r3, %r3}"};
static const char *const ptx_of[TEXTURE_SHAPES] = {"1d", "2d", "3d", "cube", "a1d", "a2d"};
static const u8 axes_of[TEXTURE_SHAPES] = {1, 2, 3, 2, 1, 2};

/* The object is a buffer that holds its description; its handle is the first argument. */
static void give_object(struct bed *b, struct ref *r)
{
	u64 data = add_buffer(b, "texels", MOST_BYTES), handle = add_buffer(b, "object", sizeof(struct texture));

	r->t.address = data;
	b->buffer[b->program.nbuffer - 1].texture = true;
	b->buffer[b->program.nbuffer - 1].init = memcpy(xmalloc(sizeof(r->t)), &r->t, sizeof(r->t));
	give(b, &handle, 8);
}

/* Run a line of code on words of each thread; what it leaves in r5 to r8 comes to `out`. */
static enum status run_words(struct ref *r, const char *code, u32 in[THREADS][4], u32 out[THREADS][4], struct error *e)
{
	char text[2000];
	u64 from, to;
	struct bed b;
	enum status st;

	snprintf(text, sizeof(text), "%s%s%s", HEAD, code, TAIL);
	bed_text(&b, text, "k", 1, THREADS);
	give_object(&b, r);
	from = give_buffer(&b, THREADS * 16);
	to = give_buffer(&b, THREADS * 16);
	bed_fill(&b);
	store_poke(&b.store, r->t.address, r->texel, MOST_BYTES);
	store_poke(&b.store, from, in, THREADS * 16);
	st = bed_run(&b, e);
	store_read(&b.store, to, out, THREADS * 16);
	store_read(&b.store, r->t.address, r->texel, MOST_BYTES);
	for (u32 i = 0; i < b.program.nbuffer; i++)
		free(b.buffer[i].init);
	bed_close(&b);
	return st;
}

static void good_words(struct ref *r, const char *code, u32 in[THREADS][4], u32 out[THREADS][4])
{
	struct error e = {0};

	if (run_words(r, code, in, out, &e))
		fail_msg("%s: %s", code, e.message);
}

/* A texture of random size and contents; numbers of floating point are small and exact. */
static void random_texture(struct ref *r, u32 shape, u32 type, u32 channels)
{
	*r = (struct ref){.t = {.shape = (u8)shape, .type = (u8)type, .channels = (u8)channels}};
	r->t.width = 1 + (u32)dice(16);
	r->t.height = shape == TEXTURE_1D || shape == TEXTURE_A1D ? 1
		      : shape == TEXTURE_CUBE			  ? r->t.width
								  : 1 + (u32)dice(16);
	r->t.depth = shape == TEXTURE_CUBE ? 6 : shape == TEXTURE_1D || shape == TEXTURE_2D ? 1 : 1 + (u32)dice(9);
	for (u32 i = 0; i < MOST_BYTES; i++)
		r->texel[i] = (u8)dice(256);
	for (u32 i = 0; type == TEXEL_F32 && i < MOST_BYTES; i += 4)
		memcpy(r->texel + i, &(float){(float)dice(100000) / 64 - 700}, 4);
	for (u32 i = 0; type == TEXEL_F16 && i < MOST_BYTES; i += 2)
		r->texel[i + 1] &= 0xbf; /* no infinity, no NaN */
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

/* Sizes, as txq and suq give them. */
static void test_queries(void **state)
{
	u32 in[THREADS][4] = {{0}}, out[THREADS][4];
	static struct ref r;

	(void)state;
	random_texture(&r, TEXTURE_A2D, TEXEL_U8, 4);
	good_words(&r,
		   "txq.width.b32 %r5, [%d1]; txq.height.b32 %r6, [%d1]; txq.array_size.b32 %r7, [%d1]; "
		   "txq.num_mipmap_levels.b32 %r8, [%d1];",
		   in, out);
	assert_int_equal(out[5][0], r.t.width);
	assert_int_equal(out[5][1], r.t.height);
	assert_int_equal(out[5][2], r.t.depth);
	assert_int_equal(out[5][3], 1);
	r.t.surface = 1;
	good_words(&r, "suq.width.b32 %r5, [%d1]; suq.height.b32 %r6, [%d1]; suq.depth.b32 %r7, [%d1];", in, out);
	assert_int_equal(out[63][0], r.t.width);
	assert_int_equal(out[63][1], r.t.height);
	assert_int_equal(out[63][2], r.t.depth);
}

/* The byte that an access of a surface begins at, or the nearest that lies within; *inside: it does. */
static u64 ref_surface(const struct ref *r, const u32 *word, u32 bytes, bool *inside)
{
	bool layered = r->t.shape >= TEXTURE_A1D;
	long pitch = (long)(r->t.width * texture_texel_bytes(&r->t)), x = (i32)word[layered];
	long y = axes_of[r->t.shape] > 1 ? (i32)word[layered + 1] : 0;
	long z = layered ? (i32)word[0] : r->t.shape == TEXTURE_3D ? (i32)word[2] : 0;
	long last[] = {pitch - bytes, (long)r->t.height - 1, (long)r->t.depth - 1}, *at[] = {&x, &y, &z};

	*inside = true;
	for (u32 d = 0; d < 3; d++) {
		*inside &= *at[d] >= 0 && *at[d] <= last[d];
		*at[d] = *at[d] < 0 ? 0 : *at[d] > last[d] ? last[d] : *at[d];
	}
	return (u64)((z * (long)r->t.height + y) * pitch + x);
}

/* Loads of 1 to 16 bytes, inside and outside. */
static void test_surface_loads(void **state)
{
	static const char *const code[] = {"b8.%s {%%h1}", "b16.%s {%%h1}", "b32.%s {%%r5}", "v2.b32.%s {%%r5, %%r6}",
					   "v4.b32.%s {%%r5, %%r6, %%r7, %%r8}"};
	static const u32 shapes[] = {TEXTURE_1D, TEXTURE_2D, TEXTURE_3D, TEXTURE_A1D, TEXTURE_A2D};
	static struct ref r;

	(void)state;
	for (u32 trial = 0; trial < 100; trial++) {
		u32 in[THREADS][4], out[THREADS][4], width = trial / 5 % 5, bytes = 1u << width;
		bool zero = trial / 25 % 2, layered;
		char form[100], line[300];

		random_texture(&r, shapes[trial % 5], TEXEL_F32, 4);
		r.t.surface = 1;
		layered = r.t.shape >= TEXTURE_A1D;
		for (u32 i = 0; i < THREADS; i++)
			for (u32 d = 0; d < 4; d++)
				in[i][d] = d == layered ? ((u32)dice(24 * 16) - 64) / bytes * bytes : (u32)dice(20) - 2;
		snprintf(form, sizeof(form), code[width], zero ? "zero" : "clamp"); /* NOLINT: code has one %s each */
		snprintf(
			line, sizeof(line),
			"mov.b32 %%r5, 0; mov.b32 %%r6, 0; mov.b32 %%r7, 0; mov.b32 %%r8, 0; mov.b16 %%h1, 7; suld.b.%s.%s, [%%d1, %s];%s",
			ptx_of[r.t.shape], form, coordinates_of[r.t.shape], width < 2 ? " cvt.u32.u16 %r5, %h1;" : "");
		good_words(&r, line, in, out);
		for (u32 i = 0; i < THREADS; i++) {
			bool inside;
			u64 at = ref_surface(&r, in[i], bytes, &inside);
			u32 want[4] = {0};

			if (inside || !zero)
				memcpy(want, r.texel + at, bytes);
			assert_memory_equal(out[i], want, 16);
		}
	}
}

/* Stores: those outside are dropped with .zero, go to the nearest place with .clamp. */
static void test_surface_stores(void **state)
{
	static const u32 shapes[] = {TEXTURE_1D, TEXTURE_2D, TEXTURE_3D, TEXTURE_A1D, TEXTURE_A2D};
	static struct ref r, want;

	(void)state;
	for (u32 trial = 0; trial < 40; trial++) {
		u32 in[THREADS][4], out[THREADS][4];
		bool zero = trial / 5 % 2, layered;
		char line[300];

		random_texture(&r, shapes[trial % 5], TEXEL_U32, 1);
		r.t.surface = 1;
		layered = r.t.shape >= TEXTURE_A1D;
		for (u32 i = 0; i < THREADS; i++)
			for (u32 d = 0; d < 4; d++)
				in[i][d] = d == layered ? ((u32)dice(20 * 4) - 8) / 4 * 4 : (u32)dice(20) - 2;
		want = r;
		for (u32 i = 0; i < THREADS; i++) {
			bool inside;
			u64 at = ref_surface(&r, in[i], 4, &inside);

			if (inside || !zero)
				memcpy(want.texel + at, &(u32){1000}, 4);
		}
		snprintf(line, sizeof(line), "mov.b32 %%r5, 1000; sust.b.%s.b32.%s [%%d1, %s], {%%r5};",
			 ptx_of[r.t.shape], zero ? "zero" : "clamp", coordinates_of[r.t.shape]);
		good_words(&r, line, in, out);
		assert_memory_equal(r.texel, want.texel, MOST_BYTES);
	}
}

/* A guard keeps lanes out of all that a .zero access becomes. */
static void test_guarded(void **state)
{
	u32 in[THREADS][4] = {{0}}, out[THREADS][4];
	static struct ref r;

	(void)state;
	random_texture(&r, TEXTURE_1D, TEXEL_U32, 1);
	r.t.surface = 1;
	r.t.width = 16;
	for (u32 i = 0; i < THREADS; i++)
		in[i][0] = 4 * (i % 32);
	good_words(&r,
		   "{ .reg .pred %p; mov.b32 %r5, 77; and.b32 %r6, %r0, 1; setp.eq.b32 %p, %r6, 0; "
		   "@%p suld.b.1d.b32.zero {%r5}, [%d1, {%r1}]; }",
		   in, out);
	for (u32 i = 0; i < THREADS; i++) {
		u32 want = 77;

		if (i % 2 == 0)
			want = 0;
		if (i % 2 == 0 && i % 32 < 16)
			memcpy(&want, r.texel + 4 * (i % 32), 4);
		assert_int_equal(out[i][0], want);
	}
}

static void faults_with(struct ref *r, const char *code, u32 in[THREADS][4], const char *part)
{
	u32 out[THREADS][4];
	struct error e = {0};

	assert_int_not_equal(run_words(r, code, in, out, &e), STATUS_OK);
	if (!strstr(e.message, part))
		fail_msg("%s: '%s' has no '%s'", code, e.message, part);
}

/* Handles that are none, are of something else; places outside with .trap. */
static void test_faults(void **state)
{
	u32 in[THREADS][4] = {{0}};
	static struct ref r;

	(void)state;
	random_texture(&r, TEXTURE_2D, TEXEL_F32, 1);
	r.t.width = r.t.height = 4;
	faults_with(&r, "tex.1d.v4.f32.s32 {%r5, %r6, %r7, %r8}, [%d1, {%r1}];", in,
		    "object: 2d 4,4 f32 point clamp (`texture` declares a texture, here 1d)");
	faults_with(&r, "tex.2d.v4.f32.s32 {%r5, %r6, %r7, %r8}, [%d2, {%r1, %r1}];", in, "no such texture: lane 0");
	faults_with(&r, "tex.2d.v4.f32.s32 {%r5, %r6, %r7, %r8}, [%d4, {%r1, %r1}];", in, "handle 0x0 is in no buffer");
	faults_with(&r, "suld.b.2d.b32.trap {%r5}, [%d1, {%r1, %r1}];", in, "no such surface");
	faults_with(&r, "suq.width.b32 %r5, [%d1];", in, "no such surface");
	r.t.surface = 1;
	faults_with(&r, "txq.width.b32 %r5, [%d1];", in, "no such texture");
	in[7][0] = 16;
	in[7][1] = 1;
	faults_with(&r, "suld.b.2d.b32.trap {%r5}, [%d1, {%r1, %r2}];", in, "surface access out of bounds: lane 7");
	in[7][0] = 2;
	faults_with(&r, "suld.b.2d.b32.trap {%r5}, [%d1, {%r1, %r2}];", in, "misaligned address: lane 7");
}

/* A surface that is written over the texels that a texture reads, or beside them: does its store trip? */
static bool surface_trips(bool same, char *why)
{
	static const char code[] =
		".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 t, .param .u64 s)\n{\n"
		".reg .b64 %d<3>; .reg .b32 %r<6>; ld.param.u64 %d1, [t]; ld.param.u64 %d2, [s]; mov.u32 %r1, %tid.x;\n"
		"tex.1d.v4.f32.s32 {%r2, %r3, %r4, %r5}, [%d1, {%r1}]; sust.b.1d.b32.clamp [%d2, {%r1}], {%r2}; ret; }\n";
	struct texture t = {.width = 64, .height = 1, .depth = 1, .type = TEXEL_F32, .channels = 1}, u = t;
	struct text reason = {0};
	struct idempotence *x;
	struct bed b;
	bool trips;

	bed_text(&b, code, "k", 1, 32);
	t.address = add_buffer(&b, "texels", 256);
	u.address = same ? t.address : add_buffer(&b, "others", 256);
	u.surface = 1;
	for (u32 i = 0; i < 2; i++) {
		u64 handle = add_buffer(&b, "object", sizeof(t));

		b.buffer[b.program.nbuffer - 1].texture = true;
		b.buffer[b.program.nbuffer - 1].init = (u8 *)(i ? &u : &t);
		give(&b, &handle, 8);
	}
	bed_fill(&b);
	x = idempotence_make(&b.program, &b.launch);
	trips = x->marked;
	idempotence_reason(x, &b.program, 5, &reason);
	snprintf(why, 200, "%s", reason.s);
	text_free(&reason);
	idempotence_free(x);
	bed_close(&b);
	return trips;
}

/* Handles stand for the data of their objects. */
static void test_idempotence(void **state)
{
	char why[200];

	(void)state;
	assert_true(surface_trips(true, why));
	assert_string_equal(why, "overwrites buffer texels, which is read at 3");
	assert_false(surface_trips(false, why));
	assert_string_equal(why, "idempotent");
}

/* What is not taken apart is refused, or wrong. */
static void test_refused(void **state)
{
	static const char *const row[][2] = {
		{"tex.2d.v4.f16.f32 {%r5, %r6, %r7, %r8}, [%d1, {%r1, %r2}];", "supported fetches"},
		{"tex.2dms.v4.f32.s32 {%r5, %r6, %r7, %r8}, [%d1, {%r1, %r2}];", "supported fetches"},
		{"tex.cube.v4.f32.s32 {%r5, %r6, %r7, %r8}, [%d1, {%r1, %r2, %r3, %r3}];", "supported fetches"},
		{"tex.2d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%d1, {%r1, %r2}], %r3;", "offsets, comparisons"},
		{"tex.2d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%d1, {%r1}];", "takes 2 coordinates"},
		{"tex.1d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%d1, {%r1, %r2}];", "takes 1 coordinate,"},
		{"tex.1d.v4.f32.f32 {%r5, %r6, %r7}, [%d1, {%r1}];", "vector of 4 registers"},
		{"tex.1d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%d1+8, {%r1}];", "[handle, {coordinates}]"},
		{"tex.1d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%r1, {%r1}];", "64"},
		{"tex.1d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [other, {%r1}];", "texture references are not modeled"},
		{"tex.1d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%d1, {[%r1]}];", "expected an operand"},
		{"ld.global.b32 %r5, [%d1, {%r1}];", "takes no coordinates"},
		{"tld4.r.3d.v4.f32.f32 {%r5, %r6, %r7, %r8}, [%d1, {%r1, %r2, %r3, %r3}];", "supported gathers"},
		{"txq.channel_order.b32 %r5, [%d1];", "supported queries"},
		{"sust.p.2d.b32.trap [%d1, {%r1, %r2}], {%r3};", "use sust.b"},
		{"suld.b.cube.b32.trap {%r5}, [%d1, {%r1, %r2, %r3, %r3}];", "supported accesses"},
		{"suld.b.2d.v4.b64.trap {%d4, %d5, %d6, %d7}, [%d1, {%r1, %r2}];", "supported accesses"},
		{"suld.b.2d.v2.b32.trap {%r5}, [%d1, {%r1, %r2}];", "needs 2 registers"},
		{"suld.b.2d.b32 {%r5}, [%d1, {%r1, %r2}];", "supported accesses"},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		struct module *m = NULL;
		struct error e = {0};
		char text[1500];
		enum status st;

		snprintf(text, sizeof(text), "%s%s%s", HEAD, row[i][0], TAIL);
		st = ptx_load_text("t.ptx", text, strlen(text), &m, &e);
		if (!st && m->nrefused)
			snprintf(e.message, sizeof(e.message), "%s", m->refused[0].message);
		if (!strstr(e.message, row[i][1]))
			fail_msg("%s: '%s' has no '%s'", row[i][0], e.message, row[i][1]);
		if (m)
			module_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fetches),	       cmocka_unit_test(test_whole_numbers),
		cmocka_unit_test(test_gathers),	       cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_queries),	       cmocka_unit_test(test_surface_loads),
		cmocka_unit_test(test_surface_stores), cmocka_unit_test(test_guarded),
		cmocka_unit_test(test_faults),	       cmocka_unit_test(test_refused),
		cmocka_unit_test(test_idempotence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
