/* coalesce_c.cu - as many numbers further on in each turn as there are threads. */
extern "C" __global__ void scale(const float *a, float *out, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	int threads = gridDim.x * blockDim.x;

	for (int i = t; i < n; i += threads)
		out[i] = 3 * a[i] + 1;
}
