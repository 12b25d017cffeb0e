/* shuffle_b.cu - each lane adds what the next has, five times. */
extern "C" __global__ void sums(const int *a, int *out)
{
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;
	int sum = a[i];

	for (int half = 16; half > 0; half /= 2)
		sum += __shfl_sync(0xffffffff, sum, lane + 1);
	if (lane == 0)
		out[i / 32] = sum;
}
