/* copy_a.cu - the next tile is asked for first; all copies are waited for. */
#define THREADS 128

__device__ void copy(float4 *to, const float4 *from)
{
	asm volatile("{ .reg .u64 at; cvta.to.shared.u64 at, %0; cp.async.cg.shared.global [at], [%1], 16; }"
		     :: "l"(to), "l"(from) : "memory");
}

/* What has been copied since the last commit() is a group; wait<N>() lets the last N groups stay on their way. */
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ void wait() { asm volatile("cp.async.wait_group %0;" :: "n"(N) : "memory"); }

extern "C" __global__ void work(const float4 *in, float *out, int tiles)
{
	__shared__ float4 tile[2][THREADS];
	const float4 *from = in + threadIdx.x;
	float sum = 0;

	copy(&tile[0][threadIdx.x], from);
	commit();
#pragma unroll 1
	for (int i = 0; i < tiles; i++) {
		if (i + 1 < tiles)
			copy(&tile[(i + 1) % 2][threadIdx.x], from + (i + 1) * THREADS);
		commit();
		wait<0>();
		__syncthreads();
		float4 v = tile[i % 2][THREADS - 1 - threadIdx.x];
		sum += v.x;
#pragma unroll
		for (int k = 0; k < 96; k++)
			sum += v.y;
		__syncthreads();
	}
	out[threadIdx.x] = sum;
}
