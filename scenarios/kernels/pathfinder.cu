// pathfinder - the cheapest path down a grid, row by row: each cell adds the least of the three above it. A block of 256
// makes `steps` rows in shared memory; with every row a cell at each end of its block becomes invalid, so blocks overlap.
// Launch a grid of columns / (256 - 2 * steps), rounded up.
#define THREADS 256

extern "C" __global__ void pathfinder(const int *wall, const int *above, int *below, int columns, int first, int steps)
{
	__shared__ int cost[THREADS], next[THREADS];
	int t = threadIdx.x, own = THREADS - 2 * steps;
	int x = blockIdx.x * own + t - steps;
	bool inside = x >= 0 && x < columns;
	int left = x > 0 ? t - 1 : t, right = x < columns - 1 ? t + 1 : t;

	if (inside)
		cost[t] = above[x];
	__syncthreads();
	for (int k = 0; k < steps; k++) {
		bool valid = inside && t > k && t < THREADS - 1 - k;

		if (valid)
			next[t] = min(cost[t], min(cost[left], cost[right])) + wall[(first + k) * columns + x];
		__syncthreads();
		if (valid)
			cost[t] = next[t];
		__syncthreads();
	}
	if (inside && t >= steps && t < THREADS - steps)
		below[x] = cost[t];
}
