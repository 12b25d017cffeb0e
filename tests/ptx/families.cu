/*
 * families.cu - kernels that use one family of PTX each, heavily and in odd ways; made into families75.ptx and families100.ptx by
 *   nvcc -ptx -arch=sm_75 -o families75.ptx families.cu
 *   nvcc -ptx -arch=compute_100 -o families100.ptx families.cu
 */
#include <stdio.h>
#include <assert.h>
extern "C" {
struct node { int key; float weight; double big; unsigned char flag; short s[3]; };
__device__ __noinline__ float poly(float x, int n) { float r = 0; for (int i = 0; i < n; i++) { if (r > 100.f) return r; r = r * x + i; } return r; }
__device__ __noinline__ node mix(node a, int k) { a.key += k; a.weight *= 2; a.big -= k; a.flag ^= 1; a.s[k & 1] += 3; return a; }
__device__ __noinline__ bool odd(unsigned char c) { return c & 1; }
__device__ __noinline__ double3 cross(double3 a, float4 b) { return make_double3(a.y*b.z - a.z*b.y, a.z*b.x-a.x*b.z, a.x*b.y-a.y*b.x); }
__device__ __noinline__ void store(int *p, long long v, short s) { if (v < 0) return; *p = (int)v + s; }
__device__ __noinline__ int outer(int x) { return x > 3 ? (int)poly(x, 5) + (int)poly(1.5f, x) : -1; }
__global__ void calls(int *out, float *f, node *nodes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
  f[i] = poly(i * 0.25f, 3 + i % 5);
  nodes[i] = mix(nodes[i], i);
  out[i] = odd(nodes[i].flag) + outer(i);
  double3 d = cross(make_double3(i, 1, 2), make_float4(1, 2, 3, i));
  f[i] += (float)(d.x + d.y + d.z);
  store(out + i, (long long)out[i] * (i & 1 ? 1 : -1), 7);
}
__global__ void local(int *out, const int *in, int n) {
  int a[16]; int i = threadIdx.x; 
  for (int k = 0; k < 16; k++) a[k] = in[(i + k) % n];
  int s = 0; for (int k = 0; k < 16; k++) s = s * 3 + a[(k * in[i]) & 15];
  a[s & 15] = 7; out[i] = s + a[in[i] & 15];
}
__global__ void warp(int *out, unsigned *u, int n) {
  int i = threadIdx.x; int v = out[i];
  for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
  v += __shfl_down_sync(~0u, i, 3, 8) + __shfl_up_sync(~0u, i, 2) * 2 + __shfl_sync(~0u, i, i ^ 5);
  if (__all_sync(~0u, v > 0)) v++; if (__any_sync(~0u, v == i)) v += 2;
  unsigned b = __ballot_sync(~0u, i & 1);
  if (i & 4) { b ^= __activemask(); b += __match_any_sync(__activemask(), i & 3); }
  __syncwarp();
  int pred; b += __match_all_sync(~0u, 5, &pred); b += pred;
  unsigned lt; asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt)); b += lt;
  out[i] = v; u[i] = b;
}
__global__ void atoms(int *a, unsigned *u, unsigned long long *l, float *f, double *d) {
  __shared__ int si; __shared__ unsigned long long sl; __shared__ float sf; 
  if (!threadIdx.x) { si = 0; sl = 0; sf = 0; } __syncthreads();
  int i = threadIdx.x;
  atomicAdd(a, i); atomicMin(a + 1, i); atomicMax(a + 2, i); atomicExch(a + 3, 9); atomicCAS(a + 4, 0, 7);
  atomicInc(u, 10); atomicDec(u + 1, 10); atomicAnd(u + 2, ~(1u << i)); atomicOr(u + 3, 1u << (i & 31)); atomicXor(u + 4, i);
  atomicAdd(l, (unsigned long long)i << 33); atomicMax(l + 1, (unsigned long long)i); atomicCAS(l + 2, 0ull, 5ull);
  atomicAdd(f, 1.0f); atomicAdd(d, 0.5);
  atomicAdd(&si, i); atomicAdd(&sl, 1ull << 40); atomicAdd(&sf, 1.5f); __syncthreads();
  if (!i) { a[5] = si; l[3] = sl; f[1] = sf; }
}
__device__ int table[4] = { 3, 1, 4, 1 };
__device__ int *links[3] = { table + 1, table + 3, table };
__device__ const char *names[2] = { "alpha", "be" };
struct rec { int id; const char *name; float w; };
__device__ rec recs[2] = { { 1, "one", 1.5f }, { 2, "two", 2.5f } };
__constant__ float coef[8] = { 1, 2, 3 };
__device__ __noinline__ int deref(const int *p) { return *p; }
__global__ void generic(int *out, int n) {
  __shared__ int s[64]; int loc[4] = { 5, 6, 7, (int)threadIdx.x };
  int i = threadIdx.x; s[i] = i * 2; __syncthreads();
  const int *p = i % 3 == 0 ? s + i : i % 3 == 1 ? out + i : loc + (i & 3);
  out[64 + i] = deref(p) + *links[i % 3] + names[i & 1][i & 1] + recs[i & 1].name[1] + coef[i & 3];
  atomicAdd(i & 1 ? &s[0] : &out[200], 1); __syncthreads();
  if (!i) out[201] = s[0];
}
extern __shared__ float dynf[]; extern __shared__ double dynd[];
__global__ void dyn(float *out, double *o2) { int i = threadIdx.x; dynf[i] = i; __syncthreads(); out[i] = dynf[blockDim.x - 1 - i]; __syncthreads(); dynd[i] = i * .5; __syncthreads(); o2[i] = dynd[(i + 1) % blockDim.x]; }
__global__ void fences(volatile int *v, int *w) { v[threadIdx.x] = 1; __threadfence(); w[threadIdx.x] = v[threadIdx.x ^ 1]; __threadfence_block(); __threadfence_system(); w[threadIdx.x] += __ldg(w + 64 + threadIdx.x); asm volatile("prefetch.global.L2 [%0];" :: "l"(w)); }
__global__ void timing(long long *t) { t[threadIdx.x] = clock64() + clock(); unsigned s; asm("mov.u32 %0, %%smid;" : "=r"(s)); t[threadIdx.x] += s; __nanosleep(100); }
__global__ void prints(int n, int *o) { if (threadIdx.x == 0) printf("hello %d\n", n); assert(n > 0); if (n == 77) __trap(); o[threadIdx.x] = n; }
struct args { int n; float4 c; const int *p; unsigned char b[5]; };
__global__ void structs(args a, int *out) { out[threadIdx.x] = a.n + (int)a.c.z + a.p[threadIdx.x] + a.b[threadIdx.x % 5]; }
__global__ void carry(unsigned *o, unsigned a, unsigned b) {
  unsigned x, y, z; asm("{ add.cc.u32 %0, %3, %4; addc.cc.u32 %1, %3, 5; addc.u32 %2, 0, 0; }" : "=r"(x), "=r"(y), "=r"(z) : "r"(a), "r"(b)); o[0] = x; o[1] = y; o[2] = z;
  asm("{ sub.cc.u32 %0, %3, %4; subc.cc.u32 %1, %3, 5; subc.u32 %2, 0, 0; }" : "=r"(x), "=r"(y), "=r"(z) : "r"(a), "r"(b)); o[3] = x; o[4] = y; o[5] = z;
  asm("{ mad.lo.cc.u32 %0, %3, %4, %3; madc.hi.cc.u32 %1, %3, %4, 5; madc.hi.u32 %2, %3, 0, 0; }" : "=r"(x), "=r"(y), "=r"(z) : "r"(a), "r"(b)); o[6] = x; o[7] = y; o[8] = z;
}
__global__ void barriers(int *o) { int i = threadIdx.x; int c = __syncthreads_count(i & 1); c += __syncthreads_and(i >= 0) + 2 * __syncthreads_or(i == 7);
  if (i < 32) asm volatile("bar.arrive 1, 64;"); else asm volatile("bar.sync 1, 64;"); o[i] = c; }
}
