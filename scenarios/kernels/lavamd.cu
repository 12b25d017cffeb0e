// lavamd - particles in boxes, each pushed by those of its own and the neighboring boxes: double precision with an
// exponential. A block of 64 threads for a box of 40 particles: 24 threads only help to load. The boxes are in a row.
#define PARTICLES 40

struct space {
	double steepness;
	int boxes;
};

struct particle {
	double x, y, z, charge;
};

extern "C" __global__ void lavamd(struct space s, const struct particle *particle, struct particle *push)
{
	__shared__ struct particle other[PARTICLES];
	int box = blockIdx.x, t = threadIdx.x;
	struct particle me = {0, 0, 0, 0}, sum = {0, 0, 0, 0};

	if (t < PARTICLES)
		me = particle[box * PARTICLES + t];
	for (int from = max(box - 1, 0); from <= min(box + 1, s.boxes - 1); from++) {
		double *to = (double *)other;

		__syncthreads();
		for (int k = t; k < PARTICLES * 4; k += blockDim.x)
			to[k] = ((const double *)&particle[from * PARTICLES])[k];
		__syncthreads();
		if (t >= PARTICLES)
			continue;
		for (int k = 0; k < PARTICLES; k++) {
			double dx = me.x - other[k].x, dy = me.y - other[k].y, dz = me.z - other[k].z;
			double near = other[k].charge * exp(-s.steepness * (dx * dx + dy * dy + dz * dz));

			sum.x += 2 * near * dx;
			sum.y += 2 * near * dy;
			sum.z += 2 * near * dz;
			sum.charge += near;
		}
	}
	if (t < PARTICLES)
		push[box * PARTICLES + t] = sum;
}
