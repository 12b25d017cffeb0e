// shuffle - sums by exchanging registers inside a warp: five shuffles instead of five barriers. The warps of a block
// exchange data once, in shared memory; the first warp adds their sums. Blocks of a multiple of 32, at most 1024 threads.
static __device__ int warp_sum(int v)
{
	for (int d = 16; d > 0; d /= 2)
		v += __shfl_down_sync(0xffffffff, v, d);
	return v;
}

extern "C" __global__ void shuffle_sum(const int *in, int *partial, int n)
{
	__shared__ int of_warp[32];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32, sum = 0;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		sum += in[i];
	sum = warp_sum(sum);
	if (lane == 0)
		of_warp[warp] = sum;
	__syncthreads();
	if (warp > 0)
		return;
	sum = warp_sum(lane < warps ? of_warp[lane] : 0);
	if (lane == 0)
		partial[blockIdx.x] = sum;
}

// For each element its rank among the positive ones of its warp and their number, by one ballot; -1 if it is not positive.
extern "C" __global__ void shuffle_rank(const int *in, int *rank, int *count, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
	bool positive = i < n && in[i] > 0;
	unsigned votes = __ballot_sync(0xffffffff, positive);

	if (i < n)
		rank[i] = positive ? __popc(votes & ((1u << lane) - 1)) : -1;
	if (lane == 0 && i < n)
		count[i / 32] = __popc(votes);
}
