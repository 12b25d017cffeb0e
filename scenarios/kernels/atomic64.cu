// atomic64 - 64-bit atomics of all threads on nine words: a sum, the largest and the least of scrambled
// numbers, bits set, flipped and cleared, a ticket per thread, whose squares are added up, and a product by compare and swap.
// The final values do not depend on the order of the threads.
extern "C" __global__ void atomic64(unsigned long long *word, int n)
{
	unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x, ticket, seen, want;
	unsigned long long scrambled = (i + 1) * 0x9e3779b97f4a7c15ull;

	if (i >= n)
		return;
	atomicAdd(&word[0], i << 33);
	atomicMax(&word[1], scrambled);
	atomicMin(&word[2], scrambled);
	atomicOr(&word[3], 1ull << i % 61);
	atomicXor(&word[4], scrambled);
	atomicAnd(&word[5], ~(1ull << i % 37));
	ticket = atomicAdd(&word[6], 1ull);
	atomicAdd(&word[7], ticket * ticket);
	if (i % 8)
		return;
	want = 1;
	do {
		seen = want;
		want = atomicCAS(&word[8], seen, seen * 3);
	} while (want != seen);
}
