// lud - a matrix into lower and upper triangle, in place, in tiles of 16: for each step lud_diagonal (1 block of 16) makes
// the tile on the diagonal, lud_perimeter (blocks of 32: one half warp for a tile to the right, one for a tile below) its
// row and column, lud_internal (16 x 16) all that is left. step is the row and column where the diagonal tile begins.
#define TILE 16

extern "C" __global__ void lud_diagonal(float *m, int n, int step)
{
	__shared__ float s[TILE][TILE];
	int t = threadIdx.x;
	float *corner = m + step * n + step;

	for (int y = 0; y < TILE; y++)
		s[y][t] = corner[y * n + t];
	__syncthreads();
	for (int i = 0; i < TILE - 1; i++) {
		if (t > i) {
			for (int k = 0; k < i; k++)
				s[t][i] -= s[t][k] * s[k][i];
			s[t][i] /= s[i][i];
		}
		__syncthreads();
		if (t > i)
			for (int k = 0; k <= i; k++)
				s[i + 1][t] -= s[i + 1][k] * s[k][t];
		__syncthreads();
	}
	for (int y = 1; y < TILE; y++)
		corner[y * n + t] = s[y][t];
}

extern "C" __global__ void lud_perimeter(float *m, int n, int step)
{
	__shared__ float diagonal[TILE][TILE], right[TILE][TILE], below[TILE][TILE];
	int half = threadIdx.x / TILE, t = threadIdx.x % TILE, away = step + (blockIdx.x + 1) * TILE;

	for (int y = half; y < TILE; y += 2)
		diagonal[y][t] = m[(step + y) * n + step + t];
	for (int y = 0; y < TILE; y++) {
		if (half == 0)
			right[y][t] = m[(step + y) * n + away + t];
		else
			below[y][t] = m[(away + y) * n + step + t];
	}
	__syncthreads();
	if (half == 0) {
		for (int y = 1; y < TILE; y++)
			for (int k = 0; k < y; k++)
				right[y][t] -= diagonal[y][k] * right[k][t];
	} else {
		for (int x = 0; x < TILE; x++) {
			for (int k = 0; k < x; k++)
				below[t][x] -= below[t][k] * diagonal[k][x];
			below[t][x] /= diagonal[x][x];
		}
	}
	__syncthreads();
	for (int y = 0; y < TILE; y++) {
		if (half == 0)
			m[(step + y) * n + away + t] = right[y][t];
		else
			m[(away + y) * n + step + t] = below[y][t];
	}
}

extern "C" __global__ void lud_internal(float *m, int n, int step)
{
	__shared__ float left[TILE][TILE], above[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = step + (blockIdx.x + 1) * TILE + tx, y = step + (blockIdx.y + 1) * TILE + ty;
	float sum = 0.0f;

	left[ty][tx] = m[y * n + step + tx];
	above[ty][tx] = m[(step + ty) * n + x];
	__syncthreads();
	for (int k = 0; k < TILE; k++)
		sum += left[ty][k] * above[k][tx];
	m[y * n + x] -= sum;
}
