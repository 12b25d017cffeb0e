// convsep - a filter of 17 x 17 whose weights are products: once along rows, once along columns. Each thread computes four results
// from a tile in shared memory, which has room for 16 columns (8 rows) more on both sides; outside the image is zero.
// Rows: blocks of 16 x 4, a grid of width / 64 x height / 4. Columns: blocks of 16 x 8, a grid of width / 16 x height / 32.
#define RADIUS 8
#define RESULTS 4

__constant__ float tap[2 * RADIUS + 1] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2, 1};

extern "C" __global__ void convsep_rows(const float *in, float *out, int width)
{
	__shared__ float tile[4][(RESULTS + 2) * 16];
	int tx = threadIdx.x, ty = threadIdx.y, x0 = (blockIdx.x * RESULTS - 1) * 16 + tx, y = blockIdx.y * 4 + ty;

	for (int k = 0; k < RESULTS + 2; k++) {
		int x = x0 + k * 16;

		tile[ty][k * 16 + tx] = x >= 0 && x < width ? in[y * width + x] : 0.0f;
	}
	__syncthreads();
	for (int k = 1; k <= RESULTS; k++) {
		float sum = 0.0f;

		for (int d = -RADIUS; d <= RADIUS; d++)
			sum += tap[d + RADIUS] * tile[ty][k * 16 + tx + d];
		out[y * width + x0 + k * 16] = sum;
	}
}

// One word more than its 48 rows keeps the columns of the tile in different banks.
extern "C" __global__ void convsep_columns(const float *in, float *out, int width, int height)
{
	__shared__ float tile[16][(RESULTS + 2) * 8 + 1];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y0 = (blockIdx.y * RESULTS - 1) * 8 + ty;

	for (int k = 0; k < RESULTS + 2; k++) {
		int y = y0 + k * 8;

		tile[tx][k * 8 + ty] = y >= 0 && y < height ? in[y * width + x] : 0.0f;
	}
	__syncthreads();
	for (int k = 1; k <= RESULTS; k++) {
		float sum = 0.0f;

		for (int d = -RADIUS; d <= RADIUS; d++)
			sum += tap[d + RADIUS] * tile[tx][k * 8 + ty + d];
		out[(y0 + k * 8) * width + x] = sum;
	}
}
