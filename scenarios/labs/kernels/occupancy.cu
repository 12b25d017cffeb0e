/*
 * occupancy.cu - Lab: each thread follows a list for 32 steps, then weighs where it has come to with 96 numbers. These
 * stay in registers meanwhile: that is the fault.
 */
extern "C" __global__ void follow(const int *next, const int *weight, int *out)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, at = t, sum = 0;
	int w[96];

#pragma unroll
	for (int i = 0; i < 96; i++)
		w[i] = weight[i];
#pragma unroll 1
	for (int k = 0; k < 32; k++)
		at = next[at];
#pragma unroll
	for (int i = 0; i < 96; i++)
		sum += at * w[i];
	out[t] = sum;
}
