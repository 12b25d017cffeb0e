/* diverge_a.cu - the recipe by the warp, the number by the thread. */
extern "C" __global__ void recipes(const int *a, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = a[i];

	if (i / 32 % 2 == 0) {
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
