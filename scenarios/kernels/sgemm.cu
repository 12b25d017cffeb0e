// sgemm - c = a b^T with 16 sums in the registers of each thread: a block of 16 x 8 makes 128 rows by 16 columns, one row a
// thread. The 16 x 8 piece of b goes through shared memory, a comes straight from global memory. Matrices are stored column
// by column: a is m x k, b is n x k. m is a multiple of 128, n of 16, k of 8.
#define COLUMNS 16
#define DEEP 8

extern "C" __global__ void sgemm(const float *a, const float *b, float *c, int m, int n, int k)
{
	__shared__ float piece[DEEP][COLUMNS];
	float sum[COLUMNS] = {0};
	int row = blockIdx.x * 128 + threadIdx.y * 16 + threadIdx.x, column = blockIdx.y * COLUMNS;

	for (int first = 0; first < k; first += DEEP) {
		piece[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column + threadIdx.x];
		__syncthreads();
		for (int d = 0; d < DEEP; d++) {
			float mine = a[(first + d) * m + row];

#pragma unroll
			for (int j = 0; j < COLUMNS; j++)
				sum[j] += mine * piece[d][j];
		}
		__syncthreads();
	}
#pragma unroll
	for (int j = 0; j < COLUMNS; j++)
		c[(column + j) * m + row] = sum[j];
}
