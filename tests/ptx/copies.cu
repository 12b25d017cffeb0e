/* copies.cu - asynchronous copies as cuda_pipeline.h has them, with a barrier of cuda_awbarrier.h: nvcc -ptx -arch=sm_80 copies.cu */
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

/* Every thread copies 16 and 4 bytes in two groups, of the last with zeros in place of the upper bytes; then reads its neighbour's. */
extern "C" __global__ void staged(const int4 *a, const int2 *b, int *out)
{
	__shared__ int4 wide[64];
	__shared__ int2 part[64];
	int i = threadIdx.x, k = (i + 1) % 64;

	__pipeline_memcpy_async(&wide[i], &a[i], 16);
	__pipeline_commit();
	__pipeline_memcpy_async(&part[i], &b[i], 8, 4);
	__pipeline_commit();
	__pipeline_wait_prior(1);
	__pipeline_wait_prior(0);
	__syncthreads();
	out[i] = wide[k].x + wide[k].w * 10 + part[k].x * 100 + part[k].y * 1000;
}

/* All threads arrive with what they have copied; all wait for the phase. */
extern "C" __global__ void arriving(const int *a, int *out)
{
	__shared__ __mbarrier_t bar;
	__shared__ int copy[64];
	int i = threadIdx.x;

	if (i == 0)
		__mbarrier_init(&bar, 64);
	__syncthreads();
	__pipeline_memcpy_async(&copy[i], &a[i], 4);
	__pipeline_arrive_on(&bar);
	__mbarrier_token_t token = __mbarrier_arrive(&bar);
	while (!__mbarrier_test_wait(&bar, token))
		;
	out[i] = copy[63 - i];
}
