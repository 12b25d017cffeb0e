// roots.cu - square roots; some threads print theirs, and no number may be below zero.
#include <cassert>
#include <cstdio>

extern "C" __global__ void roots(float *a, int every)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = a[i];

	assert(x >= 0);
	x = sqrtf(x);
	if (i % every == 0)
		printf("root %d of %u: %6.3f\n", i, gridDim.x * blockDim.x, x);
	a[i] = x;
}
