// slow.cu - the sum of the squares of each row of a matrix, a thread for each row: its loads are far apart.

__device__ float square(float x)
{
	return x * x;
}

__device__ float length2(const float *row, int n)
{
	float sum = 0;

	for (int i = 0; i < n; i++)
		sum += square(row[i]);
	return sum;
}

extern "C" __global__ void slow(const float *a, float *out, int n)
{
	int r = blockIdx.x * blockDim.x + threadIdx.x;

	out[r] = length2(a + r * n, n);
}
