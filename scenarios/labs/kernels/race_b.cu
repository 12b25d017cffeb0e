/* race_b.cu - a barrier after the addition, for all threads. */
extern "C" __global__ void sum(const int *a, int *out)
{
	__shared__ int part[256];
	int t = threadIdx.x;

	part[t] = a[blockIdx.x * 256 + t];
	__syncthreads();
#pragma unroll 1
	for (int half = 128; half > 0; half /= 2) {
		if (t < half)
			part[t] += part[t + half];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = part[0];
}
