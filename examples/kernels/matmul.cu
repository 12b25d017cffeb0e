// matmul - c = a b for square matrices, tiles of 16 x 16 in shared memory, two barriers per tile.
// Launch with blocks of 16 x 16 and a grid of n/16 x n/16; n is a multiple of 16.
#define TILE 16

extern "C" __global__ void matmul16(const float *a, const float *b, float *c, int n)
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
