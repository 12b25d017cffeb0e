// conv2d - a 5 x 5 filter with its weights in constant memory. A block of 16 x 16 loads its tile and a halo of 2 into
// shared memory (20 x 20 by 256 threads: the second round is mostly idle); outside the image is zero.
#define SIDE 16
#define RIM 2
#define WIDE (SIDE + 2 * RIM)

__constant__ float tap[5][5] = {
	{1, 4, 6, 4, 1}, {4, 16, 24, 16, 4}, {6, 24, -220, 24, 6}, {4, 16, 24, 16, 4}, {1, 4, 6, 4, 1},
};

extern "C" __global__ void conv2d(const float *in, float *out, int width, int height)
{
	__shared__ float tile[WIDE][WIDE];
	int x0 = blockIdx.x * SIDE, y0 = blockIdx.y * SIDE;
	int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
	float sum = 0.0f;

#pragma unroll 1
	for (int k = threadIdx.y * SIDE + threadIdx.x; k < WIDE * WIDE; k += SIDE * SIDE) {
		int cx = x0 + k % WIDE - RIM, cy = y0 + k / WIDE - RIM;
		bool inside = cx >= 0 && cx < width && cy >= 0 && cy < height;

		tile[k / WIDE][k % WIDE] = inside ? in[cy * width + cx] : 0.0f;
	}
	__syncthreads();
	if (x >= width || y >= height)
		return;
	for (int dy = 0; dy < 5; dy++)
		for (int dx = 0; dx < 5; dx++)
			sum += tap[dy][dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
	out[y * width + x] = sum;
}
