// pipeline - tiles of 128 float4 go through shared memory, copied asynchronously (cp.async: -arch=sm_80) while others are
// computed on. All entries do the same; they differ in how many tiles have room, and in how many groups of copies a wait
// leaves on their way. Blocks of 128 threads; out[thread] is the sum of x and 28 y of one float4 of each tile.
#define THREADS 128

__device__ void copy(float4 *to, const float4 *from)
{
	asm volatile("{ .reg .u64 at; cvta.to.shared.u64 at, %0; cp.async.cg.shared.global [at], [%1], 16; }"
		     :: "l"(to), "l"(from) : "memory");
}

// Room for ROOM tiles, of which AHEAD are copied before the first is computed on; LEFT groups stay on their way.
template <int ROOM, int AHEAD, int LEFT>
__device__ void work(const float4 *in, float *out, int tiles)
{
	__shared__ float4 tile[ROOM][THREADS];
	const float4 *from = in + (long long)blockIdx.x * tiles * THREADS + threadIdx.x;
	float sum = 0;

	for (int i = 0; i < AHEAD; i++) {
		if (i < tiles)
			copy(&tile[i][threadIdx.x], from + i * THREADS);
		asm volatile("cp.async.commit_group;" ::: "memory");
	}
#pragma unroll 1
	for (int i = 0; i < tiles; i++) {
		if (i + AHEAD < tiles)
			copy(&tile[(i + AHEAD) % ROOM][threadIdx.x], from + (i + AHEAD) * THREADS);
		asm volatile("cp.async.commit_group;" ::: "memory");
		asm volatile("cp.async.wait_group %0;" :: "n"(LEFT) : "memory");
		__syncthreads();
		float4 v = tile[i % ROOM][THREADS - 1 - threadIdx.x];
		sum += v.x;
		for (int k = 0; k < 8; k++)
			sum = sum + v.y * k;
		__syncthreads();
	}
	out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

extern "C" __global__ void drained(const float4 *in, float *out, int tiles)
{
	work<2, 1, 0>(in, out, tiles);
}

extern "C" __global__ void doubled(const float4 *in, float *out, int tiles)
{
	work<2, 1, 1>(in, out, tiles);
}

extern "C" __global__ void deep(const float4 *in, float *out, int tiles)
{
	work<4, 3, 3>(in, out, tiles);
}

extern "C" __global__ void hasty(const float4 *in, float *out, int tiles)
{
	work<2, 1, 2>(in, out, tiles);
}
