/*
 * tile.cu - a kernel whose machine code the tests of control bits read (tests/trace/cubin.sh): a product of matrices by
 * tiles of shared memory, with loads, stores, barriers, a loop, chains of additions and operands that are used again.
 *
 * tile.cubin is made of it by CUDA 13.0: nvcc -cubin -arch=sm_86 -o tile.cubin tile.cu
 */
#define SIDE 8

extern "C" __global__ void tile(const float *a, const float *b, float *c, int n)
{
	__shared__ float left[SIDE][SIDE], right[SIDE][SIDE];
	int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * SIDE + y, column = blockIdx.x * SIDE + x;
	float sum = 0;

#pragma unroll 1
	for (int k = 0; k < n; k += SIDE) {
		left[y][x] = a[row * n + k + x];
		right[y][x] = b[(k + y) * n + column];
		__syncthreads();
		for (int i = 0; i < SIDE; i++)
			sum += left[y][i] * right[i][x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}
