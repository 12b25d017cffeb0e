/*
 * probe.cu - single latencies of a GPU, where benches.txt has means: of the lines of an L2 by who asks, of sectors that
 * DRAM brings along, of parameters, special registers and straight code when a kernel begins. Its output for an H200 is
 * measured/H200-probe.txt.
 *
 *   nvcc -O1 -std=c++17 -arch=native -o build/silicon/probe tests/silicon/probe.cu
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <algorithm>
#include <vector>
#include <cuda_runtime.h>
typedef unsigned u32;
typedef unsigned long long u64;
#define CK(x) \
	do { \
		cudaError_t e = (x); \
		if (e) { \
			printf("%s: %s\n", #x, cudaGetErrorString(e)); \
			exit(1); \
		} \
	} while (0)
__device__ __forceinline__ u32 clk()
{
	u32 t;
	asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
	return t;
}
__device__ __forceinline__ u32 smid()
{
	u32 t;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(t));
	return t;
}
__global__ void flush(u64 *p, u64 n)
{
	u64 s = 0;
	for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n; i += (u64)gridDim.x * blockDim.x)
		s += p[i];
	if (s == 12345)
		p[0] = s;
}
template <int MODE> __device__ __forceinline__ u32 load(const void *p)
{
	u32 v;
	if (MODE == 0)
		asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
	else
		asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
	return v;
}
template <int MODE> __global__ void chase(char *p, u64 stride, u32 n, u32 *lat, u32 sm)
{
	__shared__ volatile u32 sink;
	if (smid() != sm)
		return;
	u32 v = 0;
	for (u32 i = 0; i < n; i++) {
		u32 a = clk();
		v = load<MODE>(p + i * stride + v);
		sink = v;
		u32 b = clk();
		lat[i] = b - a;
	}
}
__global__ void base(u32 *lat)
{
	__shared__ volatile u32 sink;
	for (int i = 0; i < 8; i++) {
		u32 a = clk();
		sink = a;
		u32 b = clk();
		lat[i] = b - a;
	}
}
extern "C" __global__ void pk(u32 *lat, u32 p1, u32 p2, u32 p3, u64 f0, u64 f1, u64 f2, u64 f3, u64 f4, u64 f5, u64 f6,
			      u64 f7, u64 f8, u64 f9, u64 g0, u64 g1, u64 g2, u64 g3, u64 g4, u64 g5, u64 g6, u64 g7,
			      u64 g8, u64 g9, u32 last)
{
	__shared__ volatile u32 sink;
	u32 t[9], v;
	u32 ix = threadIdx.x * 4;
	t[0] = clk();
	asm volatile("ld.param.u32 %0, [pk_param_1];" : "=r"(v)::"memory");
	sink = v;
	t[1] = clk();
	asm volatile("ld.param.u32 %0, [pk_param_2];" : "=r"(v)::"memory");
	sink = v;
	t[2] = clk();
	asm volatile("ld.param.u32 %0, [pk_param_24];" : "=r"(v)::"memory");
	sink = v;
	t[3] = clk();
	asm volatile("ld.param.u32 %0, [pk_param_3];" : "=r"(v)::"memory");
	sink = v;
	t[4] = clk();
	asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(v)::"memory");
	sink = v;
	t[5] = clk();
	asm volatile("mov.u32 %0, %%tid.x;" : "=r"(v)::"memory");
	sink = v;
	t[6] = clk();
	asm volatile("mov.u32 %0, %%tid.y;" : "=r"(v)::"memory");
	sink = v;
	t[7] = clk();
	sink = ix;
	t[8] = clk();
	if (!threadIdx.x)
		for (int i = 0; i < 8; i++)
			lat[blockIdx.x * 8 + i] = t[i + 1] - t[i];
}
#define F1 asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(y));
#define F2 asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(z) : "f"(y));
#define F8 F1 F2 F1 F2 F1 F2 F1 F2
#define F64 F8 F8 F8 F8 F8 F8 F8 F8
#define STEP(i) F64 t[i] = clk();
__global__ void line(u32 *lat, float y)
{
	float x = 1, z = 2;
	u32 t[33];
	t[0] = clk();
	STEP(1)
	STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11) STEP(12) STEP(13) STEP(14)
		STEP(15) STEP(16) STEP(17) STEP(18) STEP(19) STEP(20) STEP(21) STEP(22) STEP(23) STEP(24) STEP(25)
			STEP(26) STEP(27) STEP(28) STEP(29) STEP(30) STEP(31)
				STEP(32) if (!threadIdx.x) for (int i = 0; i < 32; i++) lat[blockIdx.x * 33 + i] =
					t[i + 1] - t[i];
	lat[blockIdx.x * 33 + 32] = (x + z > 0);
}
__global__ void other(u32 *lat, float y)
{
	float x = 3, z = 1;
	F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64
		F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 F64
			F64 F64 F64 F64 F64 F64 F64 F64 F64 F64 lat[32] = (x + z > 0);
}
static u32 *dev, host[1 << 16];
static char *buf;
static u64 *fl;
static void doflush()
{
	flush<<<264, 1024>>>(fl, (512ull << 20) / 8);
	CK(cudaDeviceSynchronize());
}
static void hist(const char *what, u32 n)
{
	CK(cudaDeviceSynchronize());
	CK(cudaMemcpy(host, dev, n * 4, cudaMemcpyDeviceToHost));
	std::vector<u32> v(host, host + n);
	std::sort(v.begin(), v.end());
	printf("%-44s min %u p5 %u p25 %u med %u p75 %u p95 %u max %u |", what, v[0], v[n / 20], v[n / 4], v[n / 2],
	       v[n * 3 / 4], v[n * 19 / 20], v[n - 1]);
	u32 bins[60] = {0};
	for (u32 x : v)
		bins[std::min(x / 25, 59u)]++;
	for (int i = 0; i < 60; i++)
		if (bins[i] * 50 > n)
			printf(" %d:%u%%", i * 25, bins[i] * 100 / n);
	printf("\n");
}
static void raw(const char *what, u32 n)
{
	CK(cudaDeviceSynchronize());
	CK(cudaMemcpy(host, dev, n * 4, cudaMemcpyDeviceToHost));
	printf("%-40s", what);
	for (u32 i = 0; i < n; i++)
		printf(" %u", host[i]);
	printf("\n");
}
static void modulo(const char *what, u32 n, u32 m)
{
	CK(cudaDeviceSynchronize());
	CK(cudaMemcpy(host, dev, n * 4, cudaMemcpyDeviceToHost));
	printf("%-40s", what);
	for (u32 k = 0; k < m; k++) {
		std::vector<u32> v;
		for (u32 i = k; i < n; i += m)
			v.push_back(host[i]);
		std::sort(v.begin(), v.end());
		printf(" %u:%u", k, v[v.size() / 2]);
	}
	printf("\n");
}
int main()
{
	cudaDeviceProp d;
	CK(cudaGetDeviceProperties(&d, 0));
	printf("# %s\n", d.name);
	CK(cudaMalloc(&dev, 1 << 20));
	CK(cudaMalloc(&buf, 1ull << 30));
	CK(cudaMalloc(&fl, 512ull << 20));
	CK(cudaMemset(buf, 0, 1ull << 30));
	CK(cudaMemset(fl, 0, 512ull << 20));
	CK(cudaMemset(dev, 0, 1 << 20));
	base<<<1, 1>>>(dev);
	raw("clock, st.shared, clock", 8);
	for (u32 sm : {0u, 1u, 2u, 50u, 131u}) {
		char w[64];
		doflush();
		snprintf(w, 64, "dram .cg stride 256 sm %u", sm);
		chase<0><<<132, 1>>>(buf, 256, 8192, dev, sm);
		hist(w, 8192);
		snprintf(w, 64, "l2 again, same sm");
		chase<0><<<132, 1>>>(buf, 256, 8192, dev, sm);
		hist(w, 8192);
		snprintf(w, 64, "l2 again, same sm");
		chase<0><<<132, 1>>>(buf, 256, 8192, dev, sm);
		hist(w, 8192);
		snprintf(w, 64, "l2 from sm 3");
		chase<0><<<132, 1>>>(buf, 256, 8192, dev, 3);
		hist(w, 8192);
		snprintf(w, 64, "l2 from sm 77");
		chase<0><<<132, 1>>>(buf, 256, 8192, dev, 77);
		hist(w, 8192);
	}
	doflush();
	chase<0><<<132, 1>>>(buf, 32, 8192, dev, 0);
	hist("dram .cg stride 32", 8192);
	modulo("  by sector (median)", 8192, 16);
	chase<0><<<132, 1>>>(buf, 32, 8192, dev, 0);
	hist("l2 .cg stride 32", 8192);
	doflush();
	chase<1><<<132, 1>>>(buf, 32, 8192, dev, 0);
	hist("dram .ca stride 32", 8192);
	modulo("  by sector (median)", 8192, 16);
	chase<1><<<132, 1>>>(buf, 32, 2048, dev, 0);
	hist("l1? .ca stride 32 next launch", 2048);
	modulo("  by sector (median)", 2048, 16);
	doflush();
	chase<0><<<132, 1>>>(buf, 2 << 20, 256, dev, 0);
	hist("dram, page 2M each, first", 256);
	chase<0><<<132, 1>>>(buf + 65536, 2 << 20, 256, dev, 0);
	hist("dram, same pages, other line", 256);
	chase<0><<<132, 1>>>(buf + 2 * 65536, 2 << 20, 256, dev, 9);
	hist("dram, same pages, other line, sm 9", 256);
	chase<0><<<132, 1>>>(buf + 2 * 65536, 2 << 20, 256, dev, 9);
	hist("l2, same pages, sm 9", 256);
	chase<0><<<132, 1>>>(buf + 2 * 65536, 2 << 20, 16, dev, 9);
	hist("l2, 16 pages, sm 9", 16);
	chase<0><<<132, 1>>>(buf + 2 * 65536, 2 << 20, 16, dev, 9);
	raw("l2, 16 pages, sm 9, again", 16);
	doflush();
	chase<0><<<132, 1>>>(buf, 4096, 64, dev, 0);
	raw("cold, stride 4096", 64);
	doflush();
	chase<0><<<132, 1>>>(buf, 65536, 64, dev, 0);
	raw("cold, stride 65536", 64);
	doflush();
	chase<0><<<132, 1>>>(buf, 65536, 64, dev, 0);
	raw("cold, stride 65536, once more", 64);
	for (int i = 0; i < 4; i++) {
		pk<<<1, 32>>>(dev, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4);
		raw("params p1 p2 last p3 ctaid tid tid.y none", 8);
	}
	doflush();
	pk<<<1, 32>>>(dev, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4);
	raw("params after flush", 8);
	pk<<<132 * 8, 32>>>(dev, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4);
	CK(cudaDeviceSynchronize());
	CK(cudaMemcpy(host, dev, 132 * 64 * 4, cudaMemcpyDeviceToHost));
	for (int c : {0, 1, 131, 132, 300, 700, 1055}) {
		printf("params of cta %d:", c);
		for (int i = 0; i < 8; i++)
			printf(" %u", host[c * 8 + i]);
		printf("\n");
	}
	for (int i = 0; i < 3; i++) {
		line<<<1, 32>>>(dev, 2.f);
		raw("line of 64 FFMA", 32);
	}
	doflush();
	line<<<1, 32>>>(dev, 2.f);
	raw("line after flush", 32);
	other<<<132, 32>>>(dev, 2.f);
	line<<<1, 32>>>(dev, 2.f);
	raw("line after another kernel", 32);
	doflush();
	other<<<132, 32>>>(dev, 2.f);
	line<<<1, 32>>>(dev, 2.f);
	raw("line after flush, another kernel", 32);
	line<<<4, 32>>>(dev, 2.f);
	CK(cudaDeviceSynchronize());
	CK(cudaMemcpy(host, dev, 4 * 33 * 4, cudaMemcpyDeviceToHost));
	for (int c = 0; c < 4; c++) {
		printf("line cta %d:", c);
		for (int i = 0; i < 32; i++)
			printf(" %u", host[c * 33 + i]);
		printf("\n");
	}
	return 0;
}
