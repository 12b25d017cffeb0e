/* histogram_b.cu - the same, added to the result as soon as a warp has counted. */
extern "C" __global__ void count(const unsigned *a, unsigned *out, int n)
{
	__shared__ unsigned own[16];
	int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;

	if (threadIdx.x < 16)
		own[threadIdx.x] = 0;
	__syncthreads();
	for (int i = t; i < n; i += threads)
		atomicAdd(&own[a[i] % 16], 1);
	if (threadIdx.x < 16)
		atomicAdd(&out[threadIdx.x], own[threadIdx.x]);
}
