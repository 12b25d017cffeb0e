/* tensor_a.cu - tensor cores; the second register has the columns from 8 on. */
typedef unsigned u32;

__device__ void multiply(float sum[4], const u32 a[4], const u32 b[2])
{
	asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
	    : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
	    : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* Eight words of two halves are a row of A, and a column of B. */
extern "C" __global__ void product(const u32 *a, const u32 *b, float *out, int matrices)
{
	int group = threadIdx.x / 4, t = threadIdx.x % 4;
	float sum[4] = {0, 0, 0, 0};

#pragma unroll 1
	for (int m = 0; m < matrices; m++, a += 128, b += 64) {
		u32 x[4] = {a[group * 8 + t], a[group * 8 + t + 4], a[(group + 8) * 8 + t], a[(group + 8) * 8 + t + 4]};
		u32 y[2] = {b[group * 8 + t], b[group * 8 + t + 4]};

		multiply(sum, x, y);
	}
	for (int i = 0; i < 4; i++)
		out[(group + i / 2 * 8) * 8 + 2 * t + i % 2] = sum[i];
}
