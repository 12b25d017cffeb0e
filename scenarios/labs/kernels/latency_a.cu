/* latency_a.cu - four turns at a time, each as before. */
extern "C" __global__ void sums(const int *a, int *out, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
	int sum = 0;

#pragma unroll 4
	for (int i = t; i < n; i += threads)
		sum += a[i] * a[i];
	out[t] = sum;
}
