/* latency_c.cu - the number of the next turn is asked for before that of this one is used; the last is not used. */
extern "C" __global__ void sums(const int *a, int *out, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
	int sum = 0, next = a[t];

#pragma unroll 1
	for (int i = t + threads; i < n; i += threads) {
		int v = next;

		next = a[i];
		sum += v * v;
	}
	out[t] = sum;
}
