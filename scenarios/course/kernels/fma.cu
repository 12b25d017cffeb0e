// fma - fused multiply-adds in four independent sums, unrolled, so that nothing but the issue of instructions takes time.
// fma_warps: the warps named in a bit set compute, the others go to the barrier at once.
// fma_lengths: every fourth warp is `ratio` times as long as the others.
#define SUMS 4
#define UNROLL 32	// of SUMS multiply-adds each

__constant__ float ratio = 4.4f;

// count multiply-adds, a multiple of SUMS x UNROLL
static __device__ float work(int count, float x, float y)
{
	float s0 = x, s1 = y, s2 = x + y, s3 = x - y;

	for (int i = 0; i < count; i += SUMS * UNROLL) {
#pragma unroll
		for (int k = 0; k < UNROLL; k++) {
			s0 = __builtin_fmaf(s0, x, y);
			s1 = __builtin_fmaf(s1, x, y);
			s2 = __builtin_fmaf(s2, x, y);
			s3 = __builtin_fmaf(s3, x, y);
		}
	}
	return s0 + s1 + s2 + s3;
}

extern "C" __global__ void fma_warps(float *out, unsigned computing, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (computing >> threadIdx.x / 32 & 1)
		sum = work(count, 0.5f, 1.0f + threadIdx.x);
	__syncthreads();
	out[i] = sum;
}

extern "C" __global__ void fma_lengths(float *out, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	out[i] = work(threadIdx.x / 32 % 4 ? count : (int)(count * ratio), 0.5f, 1.0f + threadIdx.x);
}
