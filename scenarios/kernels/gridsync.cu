// Cells of a ring in many steps, in one launch: all CTAs wait for each other between two steps: nvcc -ptx -arch=sm_80
#include <cooperative_groups.h>

extern "C" __global__ void ring(unsigned *now, unsigned *next, int n, int steps)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();

	for (int step = 0; step < steps; step++) {
		for (int i = grid.thread_rank(); i < n; i += grid.num_threads())
			next[i] = now[i ? i - 1 : n - 1] + 3 * now[i] + now[i + 1 < n ? i + 1 : 0];
		grid.sync();
		unsigned *read = now;
		now = next;
		next = read;
	}
}

// One step: without a grid-wide barrier every step is a launch of its own.
extern "C" __global__ void ring_step(const unsigned *now, unsigned *next, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		next[i] = now[i ? i - 1 : n - 1] + 3 * now[i] + now[i + 1 < n ? i + 1 : 0];
}
