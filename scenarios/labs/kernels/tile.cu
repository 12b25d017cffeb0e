/*
 * tile.cu - Lab: the product of two matrices of 64 x 64 numbers. Each number is loaded from memory by 64 threads: that
 * is the fault. A block computes a tile of 16 x 16 of the result.
 */
#define N 64

extern "C" __global__ void product(const int *a, const int *b, int *out)
{
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	int sum = 0;

#pragma unroll 1
	for (int k = 0; k < N; k++)
		sum += a[y * N + k] * b[k * N + x];
	out[y * N + x] = sum;
}
