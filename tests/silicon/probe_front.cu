/*
 * probe_front.cu - what divergent paths, constants, streams and long loops cost on a GPU; its output for an H200 is in
 * measured/H200-probe.txt.
 *
 *   mkdir -p build/silicon/loops
 *   for n in 256 512 768 1024 1536 2048 3072 4096 6144 7168 8192 9216 10240 12288 16384 24576 32768; do
 *     awk -v n=$n -f tests/silicon/loops.awk >build/silicon/loops/loop.$n.ptx
 *     ptxas -arch=sm_90 -o build/silicon/loops/loop.$n.cubin build/silicon/loops/loop.$n.ptx
 *   done
 *   nvcc -O1 -std=c++17 -arch=sm_90 -o build/silicon/probe_front tests/silicon/probe_front.cu -lcuda
 *   build/silicon/probe_front build/silicon/loops
 */
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <vector>
typedef unsigned u32;
typedef unsigned long long u64;
#define CK(x) \
	do { \
		int e = (int)(x); \
		if (e) { \
			printf("%s: %d\n", #x, e); \
			exit(1); \
		} \
	} while (0)
__device__ __forceinline__ u64 clk()
{
	u64 t;
	asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
	return t;
}
__device__ __forceinline__ u32 ld(const u32 *p)
{
	u32 v;
	asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
	return v;
}
/* both halves of a warp load, each on its own path; MODE 0: no divergence, all lanes load the same number of lines */
template <int MODE> __global__ void paths(u32 *p, u64 *out, u32 chain)
{
	u32 lane = threadIdx.x & 31, v = 0;
	u64 a = clk();
	if (MODE == 0) {
		for (u32 i = 0; i < chain; i++)
			v = ld(p + lane * 64 + v + i * 4096);
	} else if (MODE == 1) { /* two sides of one branch */
		if (lane < 16) {
			for (u32 i = 0; i < chain; i++)
				v = ld(p + lane * 64 + v + i * 4096);
			v += 5;
		} else {
			for (u32 i = 0; i < chain; i++)
				v = ld(p + lane * 64 + v + i * 4096);
			v ^= 3;
		}
	} else if (MODE == 2) { /* the loads of one side, then of the other: two branches */
		if (lane < 16)
			for (u32 i = 0; i < chain; i++)
				v = ld(p + lane * 64 + v + i * 4096);
		__syncwarp();
		if (lane >= 16)
			for (u32 i = 0; i < chain; i++)
				v = ld(p + lane * 64 + v + i * 4096);
	} else { /* eight sides */
		switch (lane / 4) {
#define SIDE(n) \
	case n: \
		for (u32 i = 0; i < chain; i++) \
			v = ld(p + lane * 64 + v + i * 4096) * (n + 1); \
		break;
			SIDE(0) SIDE(1) SIDE(2) SIDE(3) SIDE(4) SIDE(5) SIDE(6) SIDE(7)
		}
	}
	__syncwarp();
	u64 b = clk();
	if (v == 77)
		out[3 + lane] = v;
	if (!lane)
		out[0] = b - a;
}
/* divergent paths that go on to their ends, as after a bounds check */
__global__ void ends(u32 *p, u64 *out)
{
	u32 lane = threadIdx.x & 31;
	u64 a = clk();
	__shared__ volatile u32 sink[64];
	if (lane < 16) {
		u32 v = ld(p + lane * 64);
		sink[lane] = v;
		out[8 + lane] = clk() - a;
		return;
	}
	u32 v = ld(p + lane * 64 + 4096);
	sink[lane] = v + 3;
	out[8 + lane] = clk() - a;
}
__constant__ u32 cc[16384];
__global__ void constants(u64 *out, u32 bytes, u32 stride, u32 rounds)
{
	u32 v = 0;
	u64 a = 0, b;
	u32 n = bytes / stride;
	for (u32 r = 0; r < rounds; r++) {
		a = clk();
		for (u32 i = 0; i < n; i++)
			v = cc[v];
		b = clk();
		out[r] = (b - a) * 100 / n;
	}
	if (v == 99999)
		out[9] = v;
}
__global__ void fillc(u32 *c, u32 bytes, u32 stride)
{
	u32 n = bytes / stride;
	for (u32 i = 0; i < n; i++)
		c[i * stride / 4] = (i + 1) % n * stride / 4;
}
__global__ void stream(const float4 *a, float4 *b, u64 n)
{
	for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += (u64)gridDim.x * blockDim.x)
		b[i] = a[i];
}
__global__ void rd(const float4 *a, float4 *b, u64 n)
{
	float4 s = {0, 0, 0, 0};
	for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += (u64)gridDim.x * blockDim.x) {
		float4 x = a[i];
		s.x += x.x;
		s.y += x.y;
		s.z += x.z;
		s.w += x.w;
	}
	if (s.x == 12345.f)
		b[0] = s;
}
__global__ void wr(float4 *b, u64 n)
{
	float4 s = {1, 0, 0, 0};
	for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += (u64)gridDim.x * blockDim.x)
		b[i] = s;
}
static u64 *out, host[64];
static void show(const char *w, int n)
{
	CK(cudaDeviceSynchronize());
	CK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
	printf("%-44s", w);
	for (int i = 0; i < n; i++)
		printf(" %llu", host[i]);
	printf("\n");
}
int main(int c, char **v)
{
	const char *dir = c > 1 ? v[1] : ".";
	cudaDeviceProp d;
	CK(cudaGetDeviceProperties(&d, 0));
	printf("# %s\n", d.name);
	u32 *p;
	CK(cudaMalloc(&out, 1 << 16));
	CK(cudaMalloc(&p, 2ull << 30));
	CK(cudaMemset(p, 0, 2ull << 30));
	CK(cudaMemset(out, 0, 1 << 16));
	for (int r = 0; r < 2; r++)
		for (u32 chain : {1u, 2u, 8u}) {
			char w[80];
#define P(m, t) \
	snprintf(w, 80, t ", chains of %u loads", chain); \
	paths<m><<<1, 32>>>(p, out, chain); \
	paths<m><<<1, 32>>>(p, out, chain); \
	show(w, 1);
			P(0, "one path") P(1, "two sides of a branch") P(2, "two branches") P(3, "eight sides")
		}
	ends<<<1, 32>>>(p, out);
	ends<<<1, 32>>>(p, out);
	show("two paths to their ends: clocks of lanes", 40);
	u32 *cp;
	CK(cudaGetSymbolAddress((void **)&cp, cc));
	for (u32 bytes : {512u, 1024u, 1536u, 2048u, 3072u, 4096u, 8192u, 16384u, 24576u, 32768u, 49152u, 65536u}) {
		char w[80];
		snprintf(w, 80, "constants %u bytes, stride 64, cycles*100", bytes);
		fillc<<<1, 1>>>(cp, bytes, 64);
		constants<<<1, 1>>>(out, bytes, 64, 4);
		show(w, 4);
	}
	for (u32 stride : {4u, 8u, 16u, 32u, 64u, 128u, 256u}) {
		char w[80];
		snprintf(w, 80, "constants 16384 bytes, stride %u", stride);
		fillc<<<1, 1>>>(cp, 16384, stride);
		constants<<<1, 1>>>(out, 16384, stride, 4);
		show(w, 4);
	}
	cudaEvent_t e0, e1;
	cudaEventCreate(&e0);
	cudaEventCreate(&e1);
	for (int k = 0; k < 3; k++)
		for (u32 per : {1u, 2u, 4u, 8u})
			for (u64 mb : {16ull, 1024ull}) {
				float best = 1e9;
				u64 n = mb << 16;
				for (int i = 0; i < 6; i++) {
					cudaEventRecord(e0);
					for (int j = 0; j < 4; j++) {
						if (k == 0)
							rd<<<132 * per, 256>>>((float4 *)p, (float4 *)out, n);
						else if (k == 1)
							wr<<<132 * per, 256>>>((float4 *)p, n);
						else
							stream<<<132 * per, 256>>>(
								(float4 *)p, (float4 *)((char *)p + (mb << 20) / 2),
								n / 2);
					}
					cudaEventRecord(e1);
					cudaEventSynchronize(e1);
					float ms;
					cudaEventElapsedTime(&ms, e0, e1);
					best = std::min(best, ms / 4);
				}
				printf("%s of %llu MB, %u CTAs of 256 per SM: %.0f GB/s\n",
				       k == 0	? "read"
				       : k == 1 ? "write"
						: "copy",
				       mb, per, (mb << 20) / best / 1e6);
			}
	for (u32 n : {256u, 512u, 768u, 1024u, 1536u, 2048u, 3072u, 4096u, 6144u, 7168u, 8192u, 9216u, 10240u, 12288u,
		      16384u, 24576u, 32768u})
		for (u32 warps : {1u, 4u}) {
			char path[300], w[80];
			snprintf(path, 300, "%s/loop.%u.cubin", dir, n);
			CUmodule m;
			CUfunction f;
			CK(cuModuleLoad(&m, path));
			CK(cuModuleGetFunction(&f, m, "loop"));
			u32 times = 6;
			void *args[] = {&out, &times};
			CK(cuLaunchKernel(f, 1, 1, 1, 32 * warps, 1, 1, 0, 0, args, 0));
			snprintf(w, 80, "loop of %u FFMA, %u warps: each round", n, warps);
			show(w, 6);
		}
	return 0;
}
