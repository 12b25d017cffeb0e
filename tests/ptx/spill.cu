/*
 * Kernels with more values than registers: warpstep and ptxas spill.
 * /usr/local/cuda/bin/nvcc -arch=sm_80 -ptx -o tests/ptx/spill.ptx tests/ptx/spill.cu
 */

/* All 300 values are alive at the barrier; a sum of halves, the last value first, cannot be begun before. */
extern "C" __global__ void many(const volatile float *a, float *out)
{
	float v[300], sum = 0;

#pragma unroll
	for (int i = 0; i < 300; i++)
		v[i] = a[64 * i + threadIdx.x];
	__syncthreads();
#pragma unroll
	for (int i = 299; i >= 0; i--)
		sum = sum * 0.5f + v[i];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* A loop over 24 sums of doubles with 24 registers; lanes leave it one after another, and odd ones subtract. */
extern "C" __global__ void __maxnreg__(24) few(const double *a, double *out, int rounds)
{
	double s[24], all = 0;

#pragma unroll
	for (int i = 0; i < 24; i++)
		s[i] = i;
	for (int r = 0; r < rounds + (int)threadIdx.x % 4; r++) {
		double x = a[(r + threadIdx.x) % 64];
#pragma unroll
		for (int i = 0; i < 24; i++)
			if (threadIdx.x & 1)
				s[i] -= x * (i + 1);
			else
				s[i] += x * s[(i + 1) % 24];
	}
#pragma unroll
	for (int i = 0; i < 24; i++)
		all = all * 0.5 + s[i];
	out[blockIdx.x * blockDim.x + threadIdx.x] = all;
}
