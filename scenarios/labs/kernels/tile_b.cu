/* tile_b.cu - tiles in shared memory, barriers after the loads and after the additions. */
#define N 64

extern "C" __global__ void product(const int *a, const int *b, int *out)
{
	__shared__ int as[16][16], bs[16][16];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	int sum = 0;

	for (int first = 0; first < N; first += 16) {
		as[ty][tx] = a[y * N + first + tx];
		bs[ty][tx] = b[(first + ty) * N + x];
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += as[ty][k] * bs[k][tx];
		__syncthreads();
	}
	out[y * N + x] = sum;
}
