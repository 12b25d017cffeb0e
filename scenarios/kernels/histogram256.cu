// histogram256 - how often each byte occurs: every block counts into its own 256 bins in shared memory, four bytes from
// each word, then adds them to the global bins with reductions. Lanes with the same byte are served one after the other.
#define BINS 256

extern "C" __global__ void histogram256(const unsigned *data, unsigned *bins, int words)
{
	__shared__ unsigned count[BINS];

	for (int b = threadIdx.x; b < BINS; b += blockDim.x)
		count[b] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
		unsigned word = data[i];

		atomicAdd(&count[word & 255], 1u);
		atomicAdd(&count[word >> 8 & 255], 1u);
		atomicAdd(&count[word >> 16 & 255], 1u);
		atomicAdd(&count[word >> 24], 1u);
	}
	__syncthreads();
	for (int b = threadIdx.x; b < BINS; b += blockDim.x)
		if (count[b] > 0)
			atomicAdd(&bins[b], count[b]);
}
