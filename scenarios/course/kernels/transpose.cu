// transpose - out = in transposed, n x n, in three ways that differ only in how they access memory.
// Launch with blocks of 32 x 8 and a grid of n/32 x n/32; n is a multiple of 32.
#define TILE 32
#define ROWS 8

// Stores go down a column: every lane of a warp accesses a line of its own.
extern "C" __global__ void transpose_naive(const float *in, float *out, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

	for (int j = 0; j < TILE; j += ROWS)
		out[x * n + y + j] = in[(y + j) * n + x];
}

// Both sides of global memory are coalesced, but a column of the tile lies in a single shared-memory bank.
extern "C" __global__ void transpose_shared(const float *in, float *out, int n)
{
	__shared__ float tile[TILE][TILE];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

	for (int j = 0; j < TILE; j += ROWS)
		tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int j = 0; j < TILE; j += ROWS)
		out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// One word of padding per row spreads a column over all banks.
extern "C" __global__ void transpose_padded(const float *in, float *out, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

	for (int j = 0; j < TILE; j += ROWS)
		tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int j = 0; j < TILE; j += ROWS)
		out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
