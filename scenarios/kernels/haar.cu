// haar - the wavelet transform of Haar: pairs become their mean and half of their difference, then the means in turn. A block of
// 256 threads does nine levels of 512 elements in shared memory; half of the threads that are left stop at every level.
// The differences of level l begin at n / 2^l; the rest of each block is a mean.
#define THREADS 256

extern "C" __global__ void haar(const float *in, float *difference, float *mean, int n)
{
	__shared__ float part[2 * THREADS];
	int t = threadIdx.x, b = blockIdx.x;

	part[t] = in[b * 2 * THREADS + t];
	part[t + THREADS] = in[b * 2 * THREADS + THREADS + t];
	__syncthreads();
#pragma unroll 1
	for (int left = THREADS, first = n / 2; left > 0; left /= 2, first /= 2) {
		float even = 0.0f, odd = 0.0f;

		if (t < left) {
			even = part[2 * t];
			odd = part[2 * t + 1];
			difference[first + b * left + t] = 0.5f * (even - odd);
		}
		__syncthreads();
		if (t < left)
			part[t] = 0.5f * (even + odd);
		__syncthreads();
	}
	if (t == 0)
		mean[b] = part[0];
}
