/* diverge_c.cu - the lower half of the block has the even numbers. */
extern "C" __global__ void recipes(const int *a, int *out)
{
	int first = blockIdx.x * blockDim.x, half = blockDim.x / 2, t = threadIdx.x;
	int i = first + (t < half ? 2 * t : 2 * (t - half) + 1);
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
