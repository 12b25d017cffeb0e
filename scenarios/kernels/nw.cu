// nw - aligning two sequences (Needleman-Wunsch): m[y][x] is the best of the diagonal neighbor plus a score and of the
// left and upper neighbors minus a penalty. A block of 16 threads fills a tile of 16 x 16 along its diagonals; the host
// launches the tiles of one diagonal after the other: nw_upper with 1, 2, ... blocks until a diagonal has all `tiles`, then
// nw_lower with tiles - 1, ..., 1. m is (16 tiles + 1) cells wide and high; nw_border fills its first row and column.
#define TILE 16

static __device__ void fill(const int *score, int *m, int width, int penalty, int bx, int by)
{
	__shared__ int part[TILE + 1][TILE + 1], s[TILE][TILE];
	int t = threadIdx.x, corner = by * TILE * width + bx * TILE;

	for (int y = 0; y < TILE; y++)
		s[y][t] = score[corner + (y + 1) * width + t + 1];
	part[0][t + 1] = m[corner + t + 1];
	part[t + 1][0] = m[corner + (t + 1) * width];
	if (t == 0)
		part[0][0] = m[corner];
	__syncthreads();
	for (int d = 0; d < 2 * TILE - 1; d++) {
		int x = d < TILE ? t : t + d - TILE + 1, y = d - x;

		if (y >= 0 && x < TILE)
			part[y + 1][x + 1] = max(part[y][x] + s[y][x],
						 max(part[y + 1][x] - penalty, part[y][x + 1] - penalty));
		__syncthreads();
	}
	for (int y = 0; y < TILE; y++)
		m[corner + (y + 1) * width + t + 1] = part[y + 1][t + 1];
}

extern "C" __global__ void nw_border(int *m, int width, int penalty)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < width)
		m[i] = m[i * width] = -i * penalty;
}

extern "C" __global__ void nw_upper(const int *score, int *m, int width, int penalty)
{
	fill(score, m, width, penalty, blockIdx.x, gridDim.x - 1 - blockIdx.x);
}

extern "C" __global__ void nw_lower(const int *score, int *m, int width, int penalty, int tiles)
{
	fill(score, m, width, penalty, tiles - gridDim.x + blockIdx.x, tiles - 1 - blockIdx.x);
}
