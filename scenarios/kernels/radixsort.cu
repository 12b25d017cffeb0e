// radixsort - each block sorts 256 pairs of key and value in shared memory, a bit after the other: where a key goes follows
// from how many before it have the bit, a sum that eight steps behind barriers find. All lanes always do the same.
#define PAIRS 256

extern "C" __global__ void radixsort(const unsigned *key_in, const unsigned *value_in, unsigned *key_out, unsigned *value_out,
				     int bits)
{
	__shared__ unsigned key[PAIRS], value[PAIRS], ones[PAIRS];
	int t = threadIdx.x, base = blockIdx.x * PAIRS;
	unsigned k = key_in[base + t], v = value_in[base + t];

#pragma unroll 1
	for (int bit = 0; bit < bits; bit++) {
		unsigned one = k >> bit & 1, sum = one, place;

		ones[t] = sum;
		__syncthreads();
#pragma unroll 1
		for (int off = 1; off < PAIRS; off *= 2) {
			unsigned left = t >= off ? ones[t - off] : 0;

			__syncthreads();
			ones[t] = sum += left;
			__syncthreads();
		}
		// of those with the bit, its number after all without it; else its own number less those with it before it
		place = one ? PAIRS - ones[PAIRS - 1] + sum - 1 : t - sum;
		key[place] = k;
		value[place] = v;
		__syncthreads();
		k = key[t];
		v = value[t];
	}
	key_out[base + t] = k;
	value_out[base + t] = v;
}
