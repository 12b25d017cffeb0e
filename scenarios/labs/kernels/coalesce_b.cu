/* coalesce_b.cu - 32 numbers further on in each turn. */
extern "C" __global__ void scale(const float *a, float *out, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;

	for (int i = t; i < n; i += n / 16 + 32)
		out[i] = 3 * a[i] + 1;
}
