/*
 * warpsync.cu - lanes of a warp that diverge and need each other: a shuffle on both paths of a branch, a hand-over through
 * shared memory, a baton that passes from lane to lane, a lock that all lanes take. From sm_70 on each kernel ends. And
 * lanes that retry an atomic, which do not need each other.
 */

/* Each half reads the other one's values, by the same shuffle in two places. */
extern "C" __global__ void mirror(const int *in, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, v = in[i];

	if (lane < 16)
		v = __shfl_sync(0xffffffff, v * 2, 31 - lane);
	else
		v = __shfl_sync(0xffffffff, v * 3, 31 - lane) - 1;
	out[i] = v;
}

/* The lower half stores, the upper half loads, in turns: each waits at its own __syncwarp. */
extern "C" __global__ void handover(const int *in, int *out, int rounds)
{
	__shared__ volatile int box[128];
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = 0;

	if (lane < 16)
		for (int r = 0; r < rounds; r++) {
			box[warp * 16 + lane] = in[i] + r;
			__syncwarp();
			__syncwarp();
		}
	else
		for (int r = 0; r < rounds; r++) {
			__syncwarp();
			sum += box[warp * 16 + lane - 16];
			__syncwarp();
		}
	out[i] = sum;
}

/* Each lane waits until the next one has the baton, and takes it from there; the last lane starts. */
extern "C" __global__ void baton(int *out)
{
	__shared__ volatile int has[33];
	int lane = threadIdx.x;

	has[lane] = lane == 31 ? 1 : 0;
	__syncwarp();
	if (lane < 31)
		while (!has[lane + 1])
			;
	if (lane < 31)
		has[lane] = has[lane + 1] + 1;
	out[lane] = has[lane];
}

/* Every lane takes the lock once, and a number while it has it. */
extern "C" __global__ void tickets(int *number)
{
	__shared__ int held;
	__shared__ volatile int next;
	int lane = threadIdx.x;

	if (lane == 0) {
		held = 0;
		next = 0;
	}
	__syncwarp();
	while (atomicCAS(&held, 0, 1))
		;
	__threadfence();
	number[lane] = next;
	next = next + 1;
	__threadfence();
	atomicExch(&held, 0);
}

/* Each lane adds its number to a sum, retrying until nobody comes in between; then all work on. */
extern "C" __global__ void tally(int *sum, int *out)
{
	int lane = threadIdx.x, seen = 0, now, v = lane;

	for (;;) {
		now = atomicCAS(sum, seen, seen + lane);
		if (now == seen)
			break;
		seen = now;
	}
	for (int i = 0; i < 24; i++)
		v = v * 5 % 1021 + i;
	out[lane] = v;
}
