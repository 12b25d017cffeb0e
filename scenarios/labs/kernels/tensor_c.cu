/* tensor_c.cu - the inner loop written out. */
typedef unsigned u32;

__device__ float low(u32 pair)
{
	float f;

	asm("{ .reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l; }" : "=f"(f) : "r"(pair));
	return f;
}

__device__ float high(u32 pair) { return low(pair >> 16); }

/* Eight words of two halves are a row of A, and a column of B. */
extern "C" __global__ void product(const u32 *a, const u32 *b, float *out, int matrices)
{
	int group = threadIdx.x / 4, t = threadIdx.x % 4;
	float sum[4] = {0, 0, 0, 0};

#pragma unroll 1
	for (int m = 0; m < matrices; m++, a += 128, b += 64)
#pragma unroll
		for (int i = 0; i < 4; i++)
#pragma unroll
			for (int k = 0; k < 8; k++) {
				u32 x = a[(group + i / 2 * 8) * 8 + k], y = b[(2 * t + i % 2) * 8 + k];

				sum[i] += low(x) * low(y) + high(x) * high(y);
			}
	for (int i = 0; i < 4; i++)
		out[(group + i / 2 * 8) * 8 + 2 * t + i % 2] = sum[i];
}
