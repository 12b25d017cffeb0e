/* half.cu - half precision as cuda_fp16.h has it: nvcc -ptx -arch=sm_75 half.cu */
#include <cuda_fp16.h>

extern "C" __global__ void axpy(const __half *x, __half *y, float a)
{
	int i = threadIdx.x;

	y[i] = __hfma(__float2half(a), x[i], y[i]);
}

/* Two at a time: a product, then a sum, rounded each. */
extern "C" __global__ void axpy2(const __half2 *x, __half2 *y, float a)
{
	int i = threadIdx.x;

	y[i] = __hadd2(__hmul2(__float2half2_rn(a), x[i]), y[i]);
}

/* Compares, conversions, a minimum. */
extern "C" __global__ void mixed(const __half *x, float *y)
{
	int i = threadIdx.x;
	__half v = x[i];

	if (__hgt(v, __float2half(0.5f)) && !__hisnan(v))
		v = __hsub(v, __float2half(1.0f));
	y[i] = __half2float(v) + (float)__half2int_rz(x[i]);
}
