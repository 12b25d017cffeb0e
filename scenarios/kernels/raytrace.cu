// raytrace - an image of spheres over a checkered floor, one ray per thread: it searches for the nearest sphere, tests whether
// the sun is hidden there, and continues if the sphere reflects, up to a depth. Lanes diverge at every sphere that some miss, in
// the shadow's search, which ends at the first hit, and when their rays leave for the sky.
// Sums of products are fused by hand, so that the image does not depend on the compiler, to the last bit.
struct sphere {
	float x, y, z, radius;
	float shade, mirror;
};

static __device__ float dot(float ax, float ay, float az, float bx, float by, float bz)
{
	return fmaf(ax, bx, fmaf(ay, by, az * bz));
}

// The distance at which a ray of unit direction hits a sphere, 0 if it does not.
static __device__ float meets(const struct sphere *s, float ox, float oy, float oz, float dx, float dy, float dz)
{
	float cx = s->x - ox, cy = s->y - oy, cz = s->z - oz, along = dot(cx, cy, cz, dx, dy, dz);
	float apart = fmaf(along, along, -dot(cx, cy, cz, cx, cy, cz)), inside = fmaf(s->radius, s->radius, apart), at;

	if (inside <= 0)
		return 0;
	at = along - sqrtf(inside);
	return at > 0.001f ? at : 0;
}

extern "C" __global__ void raytrace(const struct sphere *sphere, int spheres, float *picture, int width, int height, int depth)
{
	int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
	float ox = 0, oy = 1, oz = -4, dx, dy, dz, scale, light = 0, weight = 1;

	if (px >= width || py >= height)
		return;
	dx = (2 * px - width + 1) / (float)width;
	dy = (height - 1 - 2 * py) / (float)width;
	dz = 1;
	scale = 1 / sqrtf(dot(dx, dy, dz, dx, dy, dz));
	dx *= scale, dy *= scale, dz *= scale;
#pragma unroll 1
	for (int bounce = 0; bounce < depth; bounce++) {
		float near = 0, nx, ny, nz, shade, mirror, sun;
		int hit = -1;

#pragma unroll 1
		for (int i = 0; i < spheres; i++) {
			float at = meets(&sphere[i], ox, oy, oz, dx, dy, dz);

			if (at > 0 && (hit < 0 || at < near))
				near = at, hit = i;
		}
		if (hit < 0 && dy >= 0) {	// the sky
			light = fmaf(weight, fmaf(0.5f, dy, 0.25f), light);
			break;
		}
		if (hit < 0)			// the floor
			near = -oy / dy;
		ox = fmaf(near, dx, ox), oy = fmaf(near, dy, oy), oz = fmaf(near, dz, oz);
		if (hit < 0) {
			int square = ((int)(ox + 1000) ^ (int)(oz + 1000)) & 1;

			nx = 0, ny = 1, nz = 0;
			shade = square ? 0.75f : 0.25f, mirror = 0.125f;
			oy = 0.001f;
		} else {
			const struct sphere *s = &sphere[hit];

			nx = (ox - s->x) / s->radius, ny = (oy - s->y) / s->radius, nz = (oz - s->z) / s->radius;
			shade = s->shade, mirror = s->mirror;
		}
		sun = dot(nx, ny, nz, 0.5f, 0.75f, -0.4330127f);
		if (sun > 0)
#pragma unroll 1
			for (int i = 0; i < spheres; i++)
				if (meets(&sphere[i], ox, oy, oz, 0.5f, 0.75f, -0.4330127f) > 0) {
					sun = 0;
					break;
				}
		light = fmaf(weight * (1 - mirror), shade * (sun > 0 ? 0.125f + sun : 0.125f), light);
		weight *= mirror;
		if (weight < 0.01f)
			break;
		scale = -2 * dot(dx, dy, dz, nx, ny, nz);
		dx = fmaf(scale, nx, dx), dy = fmaf(scale, ny, dy), dz = fmaf(scale, nz, dz);
	}
	picture[py * width + px] = light;
}
