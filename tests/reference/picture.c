/*
 * picture.c - spheres over a chequered floor, as seen by a ray for each pixel. Single precision, and sums of products
 * are fused as in the kernel, so that every bit is known: a rim seen from the other side would be another colour.
 */
#include "reference.h"

#include <math.h>

#define WIDTH 48
#define HEIGHT 32
#define SPHERES 9
#define DEPTH 4
#define NEAREST 0.001f

struct point {
	float x, y, z;
};
struct sphere {
	struct point centre;
	float radius, shade, mirror;
};

static const struct point sun = {0.5f, 0.75f, -0.4330127f};

static float dot(struct point a, struct point b)
{
	return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z));
}

/* a + k b */
static struct point along(struct point a, float k, struct point b)
{
	return (struct point){fmaf(k, b.x, a.x), fmaf(k, b.y, a.y), fmaf(k, b.z, a.z)};
}

static struct point minus(struct point a, struct point b)
{
	return (struct point){a.x - b.x, a.y - b.y, a.z - b.z};
}

/* How far from a place a sphere is met in a direction, 0: not at all. */
static float distance(const struct sphere *s, struct point from, struct point way)
{
	struct point off = minus(s->centre, from);
	float foot = dot(off, way), inside = fmaf(s->radius, s->radius, fmaf(foot, foot, -dot(off, off)));
	float at = inside > 0 ? foot - sqrtf(inside) : 0;

	return at > NEAREST ? at : 0;
}

/* The sphere that is met first, NULL: none; *at: how far. */
static const struct sphere *first_met(const struct sphere *s, struct point from, struct point way, float *at)
{
	const struct sphere *first = NULL;

	for (u32 i = 0; i < SPHERES; i++) {
		float d = distance(&s[i], from, way);

		if (d > 0 && (!first || d < *at)) {
			first = &s[i];
			*at = d;
		}
	}
	return first;
}

/* A light that a place of a surface gives back. */
static float shade_of(const struct sphere *s, struct point at, struct point normal, float shade)
{
	float angle = dot(normal, sun), ignored = 0;

	if (angle > 0 && !first_met(s, at, sun, &ignored))
		return shade * (0.125f + angle);
	return shade * 0.125f;
}

/* What a ray sees. */
static float seen(const struct sphere *s, struct point from, struct point way)
{
	float light = 0, weight = 1;

	for (u32 i = 0; i < DEPTH && weight >= 0.01f; i++) {
		float at = 0, shade, mirror;
		struct point normal = {0, 1, 0};
		const struct sphere *hit = first_met(s, from, way, &at);

		if (!hit && way.y >= 0)
			return fmaf(weight, fmaf(0.5f, way.y, 0.25f), light);
		if (hit) {
			from = along(from, at, way);
			normal = minus(from, hit->centre);
			normal = (struct point){normal.x / hit->radius, normal.y / hit->radius, normal.z / hit->radius};
			shade = hit->shade;
			mirror = hit->mirror;
		} else {
			from = along(from, -from.y / way.y, way);
			from.y = NEAREST;
			shade = ((i32)(from.x + 1000) ^ (i32)(from.z + 1000)) & 1 ? 0.75f : 0.25f;
			mirror = 0.125f;
		}
		light = fmaf(weight * (1 - mirror), shade_of(s, from, normal, shade), light);
		weight *= mirror;
		way = along(way, -2 * dot(way, normal), normal);
	}
	return light;
}

/* The spheres, in three rows, and the picture. */
void reference_raytrace(void)
{
	static float picture[HEIGHT][WIDTH];
	struct sphere s[SPHERES];

	for (u32 i = 0; i < SPHERES; i++)
		s[i] = (struct sphere){
			.centre = {(float)(i % 3) * 1.5f - 1.5f, 0.5f + (float)(i % 2) * 0.5f, (float)(i / 3) * 1.25f},
			.radius = 0.375f + (float)(i % 4) * 0.0625f,
			.shade = 0.25f + (float)i * 0.0625f,
			.mirror = i % 3 == 1 ? 0.75f
				  : i % 2    ? 0.25f
					     : 0.0f};
	for (u32 y = 0; y < HEIGHT; y++)
		for (u32 x = 0; x < WIDTH; x++) {
			struct point way = {(float)(i32)(2 * x - WIDTH + 1) / WIDTH,
					    (float)(i32)(HEIGHT - 1 - 2 * y) / WIDTH, 1};
			float scale = 1 / sqrtf(dot(way, way));

			way = (struct point){way.x * scale, way.y * scale, way.z * scale};
			picture[y][x] = seen(s, (struct point){0, 1, -4}, way);
		}
	emit("raytrace.in", s, sizeof(s));
	emit("raytrace.want", picture, sizeof(picture));
}
