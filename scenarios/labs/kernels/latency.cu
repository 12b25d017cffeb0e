/*
 * latency.cu - Lab: a thread adds up 32 numbers, each of which comes from memory. Each addition waits for its number, and
 * the next number is asked for after that: that is the fault.
 */
extern "C" __global__ void sums(const int *a, int *out, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
	int sum = 0;

#pragma unroll 1
	for (int i = t; i < n; i += threads)
		sum += a[i] * a[i];
	out[t] = sum;
}
