// spmv - a sparse matrix in compressed rows times a vector, in two ways: a thread per row, whose neighbors read far
// apart and loop for different times, and a warp per row, whose lanes read side by side and add with shuffles.
extern "C" __global__ void spmv_thread(const int *row, const int *column, const float *value, const float *x, float *y, int n)
{
	int r = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0.0f;

	if (r >= n)
		return;
	for (int k = row[r]; k < row[r + 1]; k++)
		sum += value[k] * __ldg(&x[column[k]]);
	y[r] = sum;
}

extern "C" __global__ void spmv_warp(const int *row, const int *column, const float *value, const float *x, float *y, int n)
{
	int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	float sum = 0.0f;

	if (r >= n)
		return;
	for (int k = row[r] + lane; k < row[r + 1]; k += 32)
		sum += value[k] * __ldg(&x[column[k]]);
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_xor_sync(0xffffffff, sum, d);
	if (lane == 0)
		y[r] = sum;
}
