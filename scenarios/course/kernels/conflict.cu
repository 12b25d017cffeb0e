/* conflict.cu - rows: a tile of 32 x 32 numbers is filled by rows of `pitch` words; then each thread adds up one row. */
extern "C" __global__ void rows(const int *a, int *out, int pitch)
{
	__shared__ int tile[32 * 33];
	int t = threadIdx.x, sum = 0;

	for (int row = 0; row < 32; row++)
		tile[row * pitch + t] = a[row * 32 + t];
	__syncthreads();
	for (int column = 0; column < 32; column++)
		sum += tile[t * pitch + column];
	out[t] = sum;
}

/* Each thread adds 1 to the word of its candidate, for whom 2^shift threads vote. */
extern "C" __global__ void votes(int *out, int shift)
{
	__shared__ int bin[32];
	int t = threadIdx.x;

	bin[t] = 0;
	__syncthreads();
	atomicAdd(&bin[t >> shift], 1);
	__syncthreads();
	out[t] = bin[t];
}
