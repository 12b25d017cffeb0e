/*
 * coalesce.cu - Lab: out[i] = 3 a[i] + 1 for n numbers; each thread has 16 of them. Which 16 is the hole in it.
 */
extern "C" __global__ void scale(const float *a, float *out, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	int each = n / (gridDim.x * blockDim.x);

	for (int i = t * each; i < t * each + each; i++)
		out[i] = 3 * a[i] + 1;
}
