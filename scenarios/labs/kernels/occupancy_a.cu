/* occupancy_a.cu - half of the numbers are kept, the others are loaded when the list has been followed. */
extern "C" __global__ void follow(const int *next, const int *weight, int *out)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, at = t, sum = 0;
	int w[48];

#pragma unroll
	for (int i = 0; i < 48; i++)
		w[i] = weight[i];
#pragma unroll 1
	for (int k = 0; k < 32; k++)
		at = next[at];
#pragma unroll
	for (int i = 0; i < 48; i++)
		sum += at * w[i];
#pragma unroll 4
	for (int i = 48; i < 96; i++)
		sum += at * weight[i];
	out[t] = sum;
}
