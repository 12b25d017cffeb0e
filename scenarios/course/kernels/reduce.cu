// reduce - the sum of each block's part of `in`, by a tree in shared memory: half of the threads that are left
// stop at every level, with a barrier between levels. One partial sum per block. Blocks of 256 threads.
#define THREADS 256

extern "C" __global__ void reduce(const int *in, int *partial, int n)
{
	__shared__ int sum[THREADS];
	int t = threadIdx.x, i = blockIdx.x * THREADS * 2 + t;

	sum[t] = (i < n ? in[i] : 0) + (i + THREADS < n ? in[i + THREADS] : 0);
	__syncthreads();
	for (int half = THREADS / 2; half > 0; half /= 2) {
		if (t < half)
			sum[t] += sum[t + half];
		__syncthreads();
	}
	if (t == 0)
		partial[blockIdx.x] = sum[0];
}
