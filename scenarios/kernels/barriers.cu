// barriers - the cost of __syncthreads. meet: 64 barriers and nothing else. tree and folded add up a number of each thread of a block, by
// halves with a barrier after each step, or within warps with one barrier in all.
#define THREADS 1024

extern "C" __global__ void meet(int *out)
{
#pragma unroll
	for (int i = 0; i < 64; i++)
		__syncthreads();
	out[threadIdx.x] = threadIdx.x;
}

extern "C" __global__ void tree(const int *in, int *out)
{
	__shared__ int part[THREADS];
	int thread = threadIdx.x;

	part[thread] = in[thread];
	__syncthreads();
#pragma unroll 1
	for (int half = blockDim.x / 2; half; half /= 2) {
		if (thread < half)
			part[thread] += part[thread + half];
		__syncthreads();
	}
	if (!thread)
		*out = part[0];
}

// The sum of a warp's numbers, in its lane 0.
__device__ int warp_sum(int sum)
{
#pragma unroll
	for (int away = 16; away; away /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, away);
	return sum;
}

extern "C" __global__ void folded(const int *in, int *out)
{
	__shared__ int part[32];
	int thread = threadIdx.x, sum = warp_sum(in[thread]);

	if (thread % 32 == 0)
		part[thread / 32] = sum;
	__syncthreads();
	if (thread >= 32)
		return;
	sum = warp_sum(thread < blockDim.x / 32 ? part[thread] : 0);
	if (!thread)
		*out = sum;
}
