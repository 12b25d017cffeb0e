/*
 * exec_texture.c - texture fetches, queries, and where surface accesses go.
 *
 * A coordinate, times the size if it is normalized, is taken into the texture by the edge mode. Point sampling takes
 * the texel at its floor; linear filtering those on both sides of it less 0.5, weighted by the fraction in steps of
 * 1/256, rounded to the nearest. A cube's direction is divided by its greatest component, which chooses the face.
 * A fetch with whole-number coordinates names a texel and is never filtered. Texels are read as global loads read
 * memory: as it stands in this cycle. Deviations: scaled coordinates and sums are in double precision and rounded once;
 * a coordinate that is no number is 0; cubes are not filtered across the edges of faces; channels that a texel does
 * not have are 0; there is one level of detail, so that levels and gradients change nothing.
 * Source: CUDA C++ Programming Guide, "Texture Fetching"; PTX ISA 8.x, sections 9.7.10 and 9.7.11.
 */
#include "exec_internal.h"
#include "exec_math.h"
#include "texture.h"

#define CHANNELS 4
#define WEIGHTS 256 /* steps of a weight */
#define FAR 0x1p40  /* what lies beyond is as far outside as this */

/* One axis of a fetch: texels below and above, -1 outside; the weight of that above, of WEIGHTS. */
struct axis {
	i64 at[2];
	u32 weight;
};

static double floor_of(double x)
{
	double whole = (double)(i64)x; /* |x| is at most FAR */

	return whole > x ? whole - 1 : whole;
}

/* Into what floor_of() takes. */
static double bounded(double x)
{
	return x != x ? 0 : x > FAR ? FAR : x < -FAR ? -FAR : x;
}

/* A texel's index along an axis of n texels, taken into the texture; -1: outside. */
static i64 texel_inside(const struct texture *t, i64 i, u32 n)
{
	if (i >= 0 && i < n)
		return i;
	if (t->edge == EDGE_BORDER)
		return -1;
	if (t->edge == EDGE_WRAP)
		return (i % n + n) % n; /* NOLINT(clang-analyzer-core.*): no size is 0 */
	return i < 0 ? 0 : n - 1;
}

/* A normalized coordinate taken into 0 to 1 where the texture repeats. */
static double repeated(const struct texture *t, double x)
{
	double whole = floor_of(x), part = x - whole;

	if (t->edge == EDGE_WRAP)
		return part;
	if (t->edge == EDGE_MIRROR)
		return (i64)whole & 1 ? 1 - part : part;
	return x;
}

/* Where a coordinate falls on an axis of n texels. */
static struct axis axis_find(const struct texture *t, float coordinate, u32 n)
{
	double x = bounded((double)coordinate), whole;

	if (t->normalized)
		x = bounded(repeated(t, x) * n);
	if (t->linear)
		x -= 0.5;
	whole = floor_of(x);
	return (struct axis){{texel_inside(t, (i64)whole, n), texel_inside(t, (i64)whole + 1, n)},
			     t->linear ? (u32)((x - whole) * WEIGHTS + 0.5) : 0};
}

/* The face of a cube that a direction meets, and where on it, from 0 to 1. */
static u32 cube_face(const float *v, float *s, float *u)
{
	float x = v[0], y = v[1], z = v[2], ax = (float)abs_f32(x), ay = (float)abs_f32(y), az = (float)abs_f32(z);
	u32 face = ax >= ay && ax >= az ? x < 0 : ay >= az ? 2 + (y < 0) : 4 + (z < 0);
	float m = face < 2 ? ax : face < 4 ? ay : az;
	const float side[6][2] = {{-z, -y}, {z, -y}, {x, z}, {x, -z}, {x, -y}, {-x, -y}};

	*s = (side[face][0] / m + 1) / 2;
	*u = (side[face][1] / m + 1) / 2;
	return face;
}

/* What a lane's fetch reads: index of each texel, -1 outside, and its weight of WEIGHTS to the power of its axes. */
struct footprint {
	u32 n;
	i64 index[MAX_TEXELS];
	u32 weight[MAX_TEXELS];
};

/* The texels on both sides along each of `axes`, x first; of `slice` where the third is none. */
static void footprint_make(const struct texture *t, const struct axis *a, u32 axes, u32 slice, struct footprint *f)
{
	f->n = t->linear ? 1u << axes : 1;
	for (u32 k = 0; k < f->n; k++) {
		i64 at[3] = {a[0].at[k & 1], axes > 1 ? a[1].at[k >> 1 & 1] : 0, axes > 2 ? a[2].at[k >> 2] : slice};
		bool outside = at[0] < 0 || at[1] < 0 || at[2] < 0;

		f->index[k] = outside ? -1 : (at[2] * t->height + at[1]) * t->width + at[0];
		f->weight[k] = 1;
		for (u32 d = 0; d < axes; d++)
			f->weight[k] *= k >> d & 1 ? a[d].weight : WEIGHTS - a[d].weight;
	}
}

/* Coordinates of a lane, as they are in registers: the layer comes first. */
static void footprint_find(const struct texture *t, const u32 *word, bool integers, struct footprint *f)
{
	const struct texture_shape_row *row = &texture_shape_row[t->shape];
	const u32 size[3] = {t->width, t->height, t->depth};
	u32 axes = row->coordinates, slice = row->layered ? min_u32(word[0], t->depth - 1) : 0;
	struct axis a[3] = {{{0}, 0}};
	float v[3] = {0};

	for (u32 d = 0; d < axes; d++)
		v[d] = float_of(word[row->layered + d]);
	if (t->shape == TEXTURE_CUBE) {
		float s, u;

		slice = cube_face(v, &s, &u);
		v[0] = s;
		v[1] = u;
		axes = 2;
	}
	for (u32 d = 0; d < axes; d++)
		a[d] = integers ? (struct axis){{texel_inside(t, (i32)word[row->layered + d], size[d]), 0}, 0}
				: axis_find(t, v[d], size[d]);
	footprint_make(t, a, axes, slice, f);
	f->n = integers ? 1 : f->n;
}

static i32 at_least(i32 x, i32 low)
{
	return x < low ? low : x;
}

/* A channel of a texel as the bits of a register: a whole number, or a float. */
static u32 channel_bits(const struct texture *t, const u8 *p)
{
	u32 raw = 0;

	memcpy(&raw, p, texel_size[t->type]);
	switch (t->type) {
	case TEXEL_U8: return t->as_float ? float_bits((float)raw / 255.0f) : raw;
	case TEXEL_S8: return t->as_float ? float_bits((float)at_least((i8)raw, -127) / 127.0f) : (u32)(i32)(i8)raw;
	case TEXEL_U16: return t->as_float ? float_bits((float)raw / 65535.0f) : raw;
	case TEXEL_S16:
		return t->as_float ? float_bits((float)at_least((i16)raw, -32767) / 32767.0f) : (u32)(i32)(i16)raw;
	case TEXEL_F16: return (u32)canonical_f32((float)half_to(raw));
	default: return raw;
	}
}

/* All channels of a texel; those that it has not are 0. */
static void texel_read(const struct front_env *env, const struct texture *t, i64 index, u32 out[CHANNELS])
{
	u64 at = t->address + (u64)index * texture_texel_bytes(t);
	const u8 *p;

	memset(out, 0, CHANNELS * sizeof(*out));
	if (index < 0)
		return;
	p = store_page_read(env->store, at) + at % STORE_PAGE;
	for (u32 c = 0; c < t->channels; c++)
		out[c] = channel_bits(t, p + c * texel_size[t->type]);
}

/* The value of a fetch: the texel, or the weighted sum. */
static void footprint_value(const struct front_env *env, const struct texture *t, const struct footprint *f,
			    u32 out[CHANNELS])
{
	double sum[CHANNELS] = {0}, all = 0;

	if (f->n == 1) {
		texel_read(env, t, f->index[0], out);
		return;
	}
	for (u32 k = 0; k < f->n; k++) {
		u32 texel[CHANNELS];

		texel_read(env, t, f->index[k], texel);
		all += f->weight[k];
		for (u32 c = 0; c < CHANNELS && f->weight[k]; c++)
			sum[c] += f->weight[k] * (double)float_of(texel[c]);
	}
	for (u32 c = 0; c < CHANNELS; c++)
		out[c] = (u32)canonical_f32((float)(sum[c] / all));
}

/* tld4: one channel of the four texels that linear filtering would read, from the lower left on against the clock. */
static void footprint_gather(const struct front_env *env, const struct texture *t, const struct footprint *f,
			     u32 channel, u32 out[CHANNELS])
{
	static const u8 order[CHANNELS] = {2, 3, 1, 0};

	for (u32 c = 0; c < CHANNELS; c++) {
		u32 texel[CHANNELS];

		texel_read(env, t, f->index[order[c]], texel);
		out[c] = texel[channel];
	}
}

/* The object of a lane, of the shape that the instruction names (TEXTURE_SHAPES: any); NULL after a fault. */
static const struct texture *lane_texture(const struct front_env *env, const u32 *handle, u32 lane, u32 shape,
					  bool surface, struct front_result *r)
{
	u64 h = handle[lane] | (u64)handle[WARP_LANES + lane] << 32;
	const struct texture *t = texture_at(env->program, h);

	if (t && t->surface == surface && (shape == TEXTURE_SHAPES || t->shape == shape))
		return t;
	r->fault = surface ? FAULT_SURFACE : FAULT_TEXTURE;
	r->fault_lane = (u8)lane;
	r->fault_address = h;
	return NULL;
}

/* What a fetch reads comes to the others'. */
static void reads_add(struct texel_reads *reads, u32 lane, const struct texture *t, const struct footprint *f)
{
	for (u32 k = 0; k < f->n; k++) {
		if (k == reads->n)
			reads->mask[reads->n++] = 0;
		if (f->index[k] < 0)
			continue;
		reads->mask[k] |= 1u << lane;
		reads->address[k][lane] = t->address + (u64)f->index[k] * texture_texel_bytes(t);
	}
}

/* One lane of a fetch; false after a fault. */
static bool lane_fetch(const struct front_env *env, const struct inst *in, const u32 *const *s, u32 lane,
		       struct front_result *r, u32 out[CHANNELS])
{
	const struct texture *t = lane_texture(env, s[0], lane, TEX_SHAPE(in->aux), false, r);
	struct texture pair = t ? *t : (struct texture){0};
	u32 word[CHANNELS] = {0};
	struct footprint f;

	if (!t)
		return false;
	for (u32 i = 1; i < in->nsrc; i++)
		word[i - 1] = s[i][lane];
	pair.linear |= in->op == OP_TLD4;
	footprint_find(&pair, word, in->op == OP_TEX && in->aux & TEX_INTEGERS, &f);
	if (in->op == OP_TLD4)
		footprint_gather(env, t, &f, TEX_CHANNEL(in->aux), out);
	else
		footprint_value(env, t, &f, out);
	if (env->reads)
		reads_add(env->reads, lane, t, &f);
	return true;
}

/* The sources as registers, the first a pair. */
static void texture_sources(const struct front_env *env, const struct inst *in, struct lane_operand *room,
			    const u32 **s)
{
	for (u32 i = 0; i < in->nsrc; i++)
		s[i] = exec_source(env, in, i, i ? 'w' : 'd', &room[i]);
}

void texture_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	struct lane_operand room[MAX_SRC];
	u32 out[CHANNELS][WARP_LANES] = {{0}}, one[CHANNELS];
	const u32 *s[MAX_SRC];

	r->space = r->window = SPACE_GLOBAL;
	r->aside = 0;
	if (env->reads)
		env->reads->n = 0;
	texture_sources(env, in, room, s);
	LANES_EACH (l, r->mask) {
		if (!lane_fetch(env, in, s, l, r, one))
			return;
		for (u32 c = 0; c < CHANNELS; c++)
			out[c][l] = one[c];
	}
	for (u32 c = 0; c < in->ndst; c++)
		exec_register_write(env, in->dst[c], out[c], 1, r->mask);
}

static u32 size_of(const struct texture *t, u32 query)
{
	return query == QUERY_WIDTH ? t->width : query == QUERY_HEIGHT ? t->height : t->depth;
}

void texture_query_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	struct lane_operand room[MAX_SRC];
	u32 out[WARP_LANES] = {0};
	const u32 *s[MAX_SRC];

	texture_sources(env, in, room, s);
	LANES_EACH (l, r->mask) {
		const struct texture *t = lane_texture(env, s[0], l, TEXTURE_SHAPES, in->aux & QUERY_SURFACE, r);

		if (!t)
			return;
		out[l] = size_of(t, in->aux & 3);
	}
	exec_register_write(env, in->dst[0], out, 1, r->mask);
}

/* A coordinate of a surface access of n places; *inside: it has been. Outside it goes to the nearest. */
static u64 surface_coordinate(i32 x, u32 n, bool *inside)
{
	*inside &= x >= 0 && (u32)x < n;
	return x < 0 ? 0 : min_u32((u32)x, n - 1);
}

/* Where a lane's access goes: its first coordinate counts bytes. */
static u64 surface_place(const struct texture *t, const u32 *word, u32 bytes, bool *inside)
{
	const struct texture_shape_row *row = &texture_shape_row[t->shape];
	u32 pitch = t->width * texture_texel_bytes(t), axes = row->coordinates;
	u64 at[3] = {0}, size[3] = {pitch, t->height, t->depth};
	i32 x = (i32)word[row->layered];

	*inside = true;
	at[0] = bytes <= pitch ? surface_coordinate(x, pitch - bytes + 1, inside) : 0;
	*inside &= bytes <= pitch;
	for (u32 d = 1; d < 3 && d < axes; d++)
		at[d] = surface_coordinate((i32)word[row->layered + d], (u32)size[d], inside);
	if (row->layered)
		at[2] = surface_coordinate((i32)word[0], t->depth, inside);
	return t->address + (at[2] * t->height + at[1]) * pitch + at[0];
}

/* One lane; false after a fault. */
static bool lane_place(const struct front_env *env, const struct inst *in, const u32 *const *s, u32 lane,
		       struct front_result *r, u64 *place, bool *inside)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.*): the first source is there */
	const struct texture *t = lane_texture(env, s[0], lane, TEX_SHAPE(in->aux), true, r);
	u32 word[CHANNELS] = {0};

	if (!t)
		return false;
	for (u32 i = 1; i < in->nsrc; i++)
		word[i - 1] = s[i][lane];
	*place = surface_place(t, word, (u32)in->width * in->vec, inside);
	if (*inside || (in->aux & 3) != OUTSIDE_TRAP)
		return true;
	r->fault = FAULT_SURFACE_BOUNDS;
	r->fault_lane = (u8)lane;
	r->fault_address = word[0] | (u64)word[1] << 32;
	return false;
}

void surface_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	struct lane_operand room[MAX_SRC];
	u32 out[2 * WARP_LANES] = {0}, within = 0;
	const u32 *s[MAX_SRC];

	texture_sources(env, in, room, s);
	LANES_EACH (l, r->mask) {
		bool inside;
		u64 place;

		if (!lane_place(env, in, s, l, r, &place, &inside))
			return;
		out[l] = (u32)place;
		out[WARP_LANES + l] = (u32)(place >> 32);
		within |= (u32)inside << l;
	}
	exec_register_write(env, in->dst[0], out, 2, r->mask);
	if (in->ndst > 1)
		exec_predicate_write(env, in->dst[1], within, r->mask);
}
