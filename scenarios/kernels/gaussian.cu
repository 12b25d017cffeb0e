// gaussian - elimination in a matrix of n x n with a right side, one column after the other: gaussian_factors divides what
// is below the diagonal by the diagonal, gaussian_subtract takes that many times its row from all rows below. Its threads
// lie side by side along a column, so that each accesses a line of its own; its blocks of 4 x 4 are half a warp.
extern "C" __global__ void gaussian_factors(const float *a, float *factor, int n, int step)
{
	int y = step + 1 + blockIdx.x * blockDim.x + threadIdx.x;

	if (y < n)
		factor[y * n + step] = a[y * n + step] / a[step * n + step];
}

extern "C" __global__ void gaussian_subtract(float *a, float *right, const float *factor, int n, int step)
{
	int y = step + 1 + blockIdx.x * blockDim.x + threadIdx.x, x = step + blockIdx.y * blockDim.y + threadIdx.y;

	if (y >= n || x >= n)
		return;
	a[y * n + x] -= factor[y * n + step] * a[step * n + x];
	if (x == step)
		right[y] -= factor[y * n + step] * right[step];
}
