/* brain.cu - bf16 as cuda_bf16.h has it: nvcc -ptx -arch=sm_90 brain.cu */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void axpy(const __nv_bfloat16 *x, __nv_bfloat16 *y, float a)
{
	int i = threadIdx.x;

	y[i] = __hfma(__float2bfloat16(a), x[i], y[i]);
}

/* Two at a time, a product, then a sum. */
extern "C" __global__ void axpy2(const __nv_bfloat162 *x, __nv_bfloat162 *y, float a)
{
	int i = threadIdx.x;

	y[i] = __hadd2(__hmul2(__float2bfloat162_rn(a), x[i]), y[i]);
}

/* Sums in memory. */
extern "C" __global__ void total(const __half2 *x, __half2 *sum, const __nv_bfloat162 *y, __nv_bfloat162 *other)
{
	atomicAdd(sum, x[threadIdx.x]);
	atomicAdd(other, y[threadIdx.x]);
}
