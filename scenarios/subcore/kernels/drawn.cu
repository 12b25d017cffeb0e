// drawn - the query of rows.cu with random numbers of rows: the rows of a warp are drawn between none and twice their
// mean, and the mean of every fourth warp is `ratio` times that of the others. Each row is read once, so that the memory behind the L1
// has a part in the time; `work` rounds of hashing for each value say how large the other part is.
__constant__ float ratio = 4.4f;
__constant__ int work = 12;

static __device__ unsigned scramble(unsigned h)
{
	h = (h ^ h >> 16) * 0x7feb352du;
	h = (h ^ h >> 15) * 0x846ca68bu;
	return h ^ h >> 16;
}

extern "C" __global__ void drawn(const unsigned *table, unsigned *out, int rows, int mask)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, warp = i / 32, rounds = work;
	float mean = threadIdx.x / 32 % 4 ? rows : rows * ratio;
	int mine = (int)(mean * (scramble(warp + 1) >> 8) / 8388608.0f);	// 2^23: between 0 and 2 times the mean
	unsigned sum = 0;

	for (int r = 0; r < mine; r++) {
		unsigned h = table[(warp * 1021 + r) * 32 + threadIdx.x % 32 & mask];

#pragma unroll 1
		for (int k = 0; k < rounds; k++) {
			h ^= h >> 15;
			h = h * 0x2c1b3c6du + k;
		}
		sum += h;
	}
	out[i] = sum;
}
