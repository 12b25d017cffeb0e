/* latency_b.cu - four numbers are asked for, then the first is used. */
extern "C" __global__ void sums(const int *a, int *out, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
	int sum = 0;

#pragma unroll 1
	for (int i = t; i < n; i += 4 * threads) {
		int v = a[i], w = a[i + threads], x = a[i + 2 * threads], y = a[i + 3 * threads];

		sum += v * v + w * w + x * x + y * y;
	}
	out[t] = sum;
}
