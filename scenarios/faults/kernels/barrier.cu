/* barrier.cu - the sum of 64 numbers, with a barrier that only some of the threads reach. */
extern "C" __global__ void total(const int *a, int *out)
{
	__shared__ int part[64];
	int t = threadIdx.x;

	part[t] = a[t];
	__syncthreads();
	for (int step = 32; step; step /= 2)
		if (t < step) {
			part[t] += part[t + step];
			__syncthreads();
		}
	if (t == 0)
		*out = part[0];
}
