/* occupancy_c.cu - only the first 32 numbers, in registers. */
extern "C" __global__ void follow(const int *next, const int *weight, int *out)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, at = t, sum = 0;
	int w[32];

#pragma unroll
	for (int i = 0; i < 32; i++)
		w[i] = weight[i];
#pragma unroll 1
	for (int k = 0; k < 32; k++)
		at = next[at];
#pragma unroll
	for (int i = 0; i < 32; i++)
		sum += at * w[i];
	out[t] = sum;
}
