// hotspot - heat flow on a chip: each cell approaches its neighbors and the ambient and gains from its power.
// A block of 16 x 16 makes two steps in shared memory before it writes: blocks overlap by a halo
// of 2 cells, so that only 12 x 12 are its own. The literals 2.0 and 64.0 are doubles and pull the arithmetic into double precision.
#define SIDE 16
#define STEPS 2
#define OWN (SIDE - 2 * STEPS)

extern "C" __global__ void hotspot(const float *power, const float *before, float *after, int columns, int rows)
{
	__shared__ float heat[SIDE][SIDE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * OWN + tx - STEPS, y = blockIdx.y * OWN + ty - STEPS;
	bool inside = x >= 0 && x < columns && y >= 0 && y < rows;
	int north = y > 0 ? ty - 1 : ty, south = y < rows - 1 ? ty + 1 : ty;
	int west = x > 0 ? tx - 1 : tx, east = x < columns - 1 ? tx + 1 : tx;
	float gain = inside ? power[y * columns + x] : 0.0f;

	heat[ty][tx] = inside ? before[y * columns + x] : 0.0f;
	__syncthreads();
	for (int step = 1; step <= STEPS; step++) {
		bool mine = inside && tx >= step && tx < SIDE - step && ty >= step && ty < SIDE - step;
		float next = 0.0f;

		if (mine)
			next = (float)(heat[ty][tx] + 0.125 * (gain + (heat[south][tx] + heat[north][tx] - 2.0 * heat[ty][tx]) +
							       (heat[ty][east] + heat[ty][west] - 2.0 * heat[ty][tx]) +
							       (64.0 - heat[ty][tx]) * 0.25));
		__syncthreads();
		if (mine)
			heat[ty][tx] = next;
		__syncthreads();
	}
	if (inside && tx >= STEPS && tx < SIDE - STEPS && ty >= STEPS && ty < SIDE - STEPS)
		after[y * columns + x] = heat[ty][tx];
}
