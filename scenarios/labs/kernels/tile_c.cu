/* tile_c.cu - four turns at a time. */
#define N 64

extern "C" __global__ void product(const int *a, const int *b, int *out)
{
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	int sum = 0;

#pragma unroll 4
	for (int k = 0; k < N; k++)
		sum += a[y * N + k] * b[k * N + x];
	out[y * N + x] = sum;
}
