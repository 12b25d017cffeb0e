/* shuffle_c.cu - __shfl_down_sync() by 16, 8, 4, 2, 1. */
extern "C" __global__ void sums(const int *a, int *out)
{
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
	int sum = a[i];

	for (int half = 16; half > 0; half /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, half);
	if (lane == 0)
		out[i / 32] = sum;
}
