// tile.cu, before: c = a b for square matrices, tiles of 16 x 16 in shared memory. tile2.cu reads and writes `as` by columns.
// Made by: nvcc -ptx -arch=sm_75 -lineinfo -o tile.ptx tile.cu
#define TILE 16

extern "C" __global__ void tile(const float *a, const float *b, float *c, int n)
{
	__shared__ float as[TILE][TILE], bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
	float sum = 0.0f;

	for (int t = 0; t < n; t += TILE) {
		as[ty][tx] = a[row * n + t + tx];
		bs[ty][tx] = b[(t + ty) * n + column];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += as[ty][k] * bs[k][tx];
		__syncthreads();
	}
	c[row * n + column] = sum;
}
