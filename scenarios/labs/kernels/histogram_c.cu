/* histogram_c.cu - the threads of a block have neighboring numbers. */
extern "C" __global__ void count(const unsigned *a, unsigned *out, int n)
{
	int each = n / gridDim.x, first = blockIdx.x * each;

	for (int i = threadIdx.x; i < each; i += blockDim.x)
		atomicAdd(&out[a[first + i] % 16], 1);
}
