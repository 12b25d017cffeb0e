/* overflow.cu - how many values are in each of 32 bins of 8, if none is 256 or more. */
extern "C" __global__ void histogram(const unsigned *value, unsigned *bin, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		atomicAdd(&bin[value[i] / 8], 1);
}
