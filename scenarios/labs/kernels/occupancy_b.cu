/* occupancy_b.cu - the numbers are loaded when the list has been followed, one after the other. */
extern "C" __global__ void follow(const int *next, const int *weight, int *out)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, at = t, sum = 0;

#pragma unroll 1
	for (int k = 0; k < 32; k++)
		at = next[at];
#pragma unroll 4
	for (int i = 0; i < 96; i++)
		sum += at * weight[i];
	out[t] = sum;
}
