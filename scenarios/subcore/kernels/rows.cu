// rows - a query over a table: each warp reads its rows and adds up a hash of each. One warp in four, as where a column is stored
// unevenly, has `ratio` times as many rows as the others. Rows are read again and again from a small table, so that the memory
// behind the L1 does not decide.
__constant__ float ratio = 4.4f;

extern "C" __global__ void rows(const unsigned *table, unsigned *out, int rows, int mask)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int mine = threadIdx.x / 32 % 4 ? rows : (int)(rows * ratio);
	unsigned sum = 0;

	for (int r = 0; r < mine; r++) {
		unsigned h = table[(r * 32 + threadIdx.x % 32) & mask];

#pragma unroll
		for (int k = 0; k < 12; k++) {
			h ^= h >> 15;
			h = h * 0x2c1b3c6du + k;
		}
		sum += h;
	}
	out[i] = sum;
}
