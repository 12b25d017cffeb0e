// bitonic - each block sorts 512 pairs of key and value in shared memory with 256 threads: 45 rounds of compare and
// exchange, a barrier before each. Rounds of small stride have bank conflicts of degree two.
#define PAIRS 512

extern "C" __global__ void bitonic(const unsigned *key_in, const unsigned *value_in, unsigned *key_out, unsigned *value_out)
{
	__shared__ unsigned key[PAIRS], value[PAIRS];
	int t = threadIdx.x, base = blockIdx.x * PAIRS;

	for (int i = t; i < PAIRS; i += PAIRS / 2) {
		key[i] = key_in[base + i];
		value[i] = value_in[base + i];
	}
#pragma unroll 1
	for (int size = 2; size <= PAIRS; size *= 2)
#pragma unroll 1
		for (int stride = size / 2; stride > 0; stride /= 2) {
			int a = 2 * t - (t & (stride - 1)), b = a + stride;
			bool up = (a & size) == 0;
			unsigned k;

			__syncthreads();
			if ((key[a] > key[b]) != up)
				continue;
			k = key[a], key[a] = key[b], key[b] = k;
			k = value[a], value[a] = value[b], value[b] = k;
		}
	__syncthreads();
	for (int i = t; i < PAIRS; i += PAIRS / 2) {
		key_out[base + i] = key[i];
		value_out[base + i] = value[i];
	}
}
