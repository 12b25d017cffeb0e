/*
 * pad.cu - Lab: a tile of 32 x 32 numbers is stored by columns. It is read from shared memory by columns; how its rows
 * lie there is the fault.
 */
extern "C" __global__ void transpose(const float *a, float *out, int n)
{
	__shared__ float tile[32][32];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;

	for (int i = 0; i < 32; i += 8)
		tile[threadIdx.y + i][threadIdx.x] = a[(y + i) * n + x];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}
