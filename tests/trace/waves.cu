/*
 * waves.cu - kernels in a second file of machine code (tile.cu): special functions and double precision, which take a
 * dependence counter each, and an outer product, whose operands are used again.
 *
 * waves.cubin is made of it by CUDA 13.0: nvcc -cubin -arch=sm_86 -o waves.cubin waves.cu
 */
extern "C" __global__ void waves(float *x, double *y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float phase = x[i];
	double sum = y[i];

	x[i] = __sinf(phase) * __expf(phase) + rsqrtf(phase);
	y[i] = sum * sum + phase;
}

extern "C" __global__ void outer(const float4 *x, const float4 *y, float *sums)
{
	int i = threadIdx.x;
	float4 a = x[i], b = y[i];

	sums[i] = (a.x * b.x + a.x * b.y + a.x * b.z + a.x * b.w) * (a.y * b.x + a.y * b.y + a.y * b.z + a.y * b.w);
}
