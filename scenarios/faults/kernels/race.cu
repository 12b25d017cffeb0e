/* race.cu - the two halves of a block are added through shared memory, and no thread waits for the other half. */
extern "C" __global__ void halves(const int *a, int *out)
{
	__shared__ int part[64];
	int t = threadIdx.x, i = blockIdx.x * 64 + t;

	part[t] = a[i * 32];
	if (t < 32)
		out[blockIdx.x * 32 + t] = part[t] + part[t + 32];
}

/* The same with the barrier that is missing. */
extern "C" __global__ void halves_repaired(const int *a, int *out)
{
	__shared__ int part[64];
	int t = threadIdx.x, i = blockIdx.x * 64 + t;

	part[t] = a[i * 32];
	__syncthreads();
	if (t < 32)
		out[blockIdx.x * 32 + t] = part[t] + part[t + 32];
}
