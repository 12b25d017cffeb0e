// tensor - products of a 16 x 16 and a 16 x 8 matrix of halves by one instruction of a warp, mma.sync.m16n8k16 (-arch=sm_80), with one
// sum or several; and as many multiplications and additions by fma of two halves at a time. All elements of A are %a, of B 1.
typedef unsigned int u32;

__device__ void product(u32 sum[2], u32 a, u32 b)
{
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %2, %2, %2}, {%3, %3}, {%0, %1};"
		     : "+r"(sum[0]), "+r"(sum[1]) : "r"(a), "r"(b));
}

__device__ void fma2(u32 &sum, u32 a, u32 b)
{
	asm volatile("fma.rn.f16x2 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
}

// 12 products in each round, to SUMS sums in turn; the sum of sums is 12 * 16 * rounds * a.
template <int SUMS> __device__ void products(u32 *out, u32 a, int rounds)
{
	u32 sum[SUMS][2] = {}, one = 0x3c003c00;

#pragma unroll 1
	for (int i = 0; i < rounds; i++)
#pragma unroll
		for (int k = 0; k < 12; k++)
			product(sum[k % SUMS], a, one);
#pragma unroll
	for (int k = 1; k < SUMS; k++)
		fma2(sum[0][0], sum[k][0], one);
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum[0][0];
}

extern "C" __global__ void chain(u32 *out, u32 a, int rounds)
{
	products<1>(out, a, rounds);
}

extern "C" __global__ void three(u32 *out, u32 a, int rounds)
{
	products<3>(out, a, rounds);
}

extern "C" __global__ void six(u32 *out, u32 a, int rounds)
{
	products<6>(out, a, rounds);
}

// What a product is: 2048 multiplications and additions, 64 of each lane, two at a time; 8 sums.
extern "C" __global__ void halves(u32 *out, u32 a, int rounds)
{
	u32 sum[8] = {}, one = 0x3c003c00;

#pragma unroll 1
	for (int i = 0; i < rounds; i++)
#pragma unroll
		for (int k = 0; k < 32; k++)
			fma2(sum[k % 8], a, one);
#pragma unroll
	for (int k = 1; k < 8; k++)
		fma2(sum[0], sum[k], one);
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum[0];
}
