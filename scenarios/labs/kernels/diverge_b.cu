/* diverge_b.cu - the lower half of each warp has the even numbers. */
extern "C" __global__ void recipes(const int *a, int *out)
{
	int first = blockIdx.x * blockDim.x + threadIdx.x / 32 * 32, lane = threadIdx.x % 32;
	int i = first + (lane < 16 ? 2 * lane : 2 * (lane - 16) + 1);
	int v = a[i];

	if (i % 2 == 0) {
#pragma unroll 1
		for (int k = 0; k < 40; k++)
			v = v * 5 + k;
	} else {
#pragma unroll 1
		for (int k = 0; k < 40; k++)
			v = v * 3 - k;
	}
	out[i] = v;
}
