// oddeven - each block sorts 512 keys in shared memory with 256 threads by Batcher's network of odd-even merges: 45 rounds, a
// barrier before each, as many as the bitonic network has; but all exchanges go the same way, and in all rounds of a merge but
// its first some threads have no partner.
#define KEYS 512

extern "C" __global__ void oddeven(const unsigned *in, unsigned *out)
{
	__shared__ unsigned key[KEYS];
	int t = threadIdx.x;

	key[t] = in[blockIdx.x * KEYS + t];
	key[t + KEYS / 2] = in[blockIdx.x * KEYS + KEYS / 2 + t];
#pragma unroll 1
	for (int size = 1; size < KEYS; size *= 2)
#pragma unroll 1
		for (int stride = size; stride > 0; stride /= 2) {
			int place = 2 * t - (t & (stride - 1));
			unsigned low, high;

			__syncthreads();
			if (stride < size)
				place -= stride;
			if (stride < size && (t & (size - 1)) < stride)
				continue;
			low = key[place];
			high = key[place + stride];
			if (low > high) {
				key[place] = high;
				key[place + stride] = low;
			}
		}
	__syncthreads();
	out[blockIdx.x * KEYS + t] = key[t];
	out[blockIdx.x * KEYS + KEYS / 2 + t] = key[t + KEYS / 2];
}
