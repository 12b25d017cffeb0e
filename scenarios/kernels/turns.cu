/*
 * turns.cu - thread blocks that wait for each other: a chain of flags from the last block to the first, a lock, and a
 * barrier of the whole grid. All blocks must be resident at once.
 */

/* Block b waits for block b + 1, then passes on the sum of what the blocks behind it had. */
extern "C" __global__ void relay(const int *value, volatile int *flag, volatile int *sum, int n)
{
	int b = blockIdx.x, last = gridDim.x - 1;
	__shared__ int part[64];
	int t = threadIdx.x, i = b * 64 + t;

	part[t] = i < n ? value[i] : 0;
	__syncthreads();
	for (int step = 32; step; step /= 2) {
		if (t < step)
			part[t] += part[t + step];
		__syncthreads();
	}
	if (t == 0) {
		int behind = 0;

		if (b != last) {
			while (!flag[b + 1])
				;
			__threadfence();
			behind = sum[b + 1];
		}
		sum[b] = behind + part[0];
		__threadfence();
		flag[b] = 1;
	}
}

/* One thread of each block adds to a counter that only the holder of the lock may touch. */
extern "C" __global__ void lock(int *held, volatile int *counter, int rounds)
{
	if (threadIdx.x)
		return;
	for (int i = 0; i < rounds; i++) {
		while (atomicCAS(held, 0, 1))
			;
		__threadfence();
		*counter = *counter + blockIdx.x + 1;
		__threadfence();
		atomicExch(held, 0);
	}
}

/* Steps of a 3-point stencil on a ring, between which every block waits for all others. */
extern "C" __global__ void ring(int *a, int *b, int *arrived, int n, int steps)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	volatile int *from = a, *to = b;

	for (int s = 1; s <= steps; s++) {
		volatile int *swap = from;

		to[i] = from[(i + n - 1) % n] + from[i] + from[(i + 1) % n];
		__threadfence();
		__syncthreads();
		if (threadIdx.x == 0) {
			atomicAdd(arrived, 1);
			while (*(volatile int *)arrived < s * (int)gridDim.x)
				;
			__threadfence();
		}
		__syncthreads();
		from = to;
		to = swap;
	}
}
