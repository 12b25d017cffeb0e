/*
 * histogram.cu - Lab: how many of the numbers have each remainder by 16. All threads add to the same 16 words of memory:
 * that is the fault.
 */
extern "C" __global__ void count(const unsigned *a, unsigned *out, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;

	for (int i = t; i < n; i += threads)
		atomicAdd(&out[a[i] % 16], 1);
}
