/* coalesce_a.cu - the 16 numbers of a thread, the last one first. */
extern "C" __global__ void scale(const float *a, float *out, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	int each = n / (gridDim.x * blockDim.x);

	for (int i = t * each + each - 1; i >= t * each; i--)
		out[i] = 3 * a[i] + 1;
}
