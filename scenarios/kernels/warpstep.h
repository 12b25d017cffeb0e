/*
 * warpstep.h - the few words of CUDA C that a kernel needs, for clang alone: no CUDA toolkit, no libraries.
 *
 *   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -O2 -S \
 *         -include scenarios/kernels/warpstep.h -o kernel.ptx kernel.cu
 *
 * For shuffles and ballots add `-Xclang -target-feature -Xclang +ptx60`. There is no sinf and the like: they are the
 * toolkit's.
 *
 * Under nvcc it defines nothing: the same source compiles with both.
 */
#ifndef WARPSTEP_KERNEL_WORDS_H
#define WARPSTEP_KERNEL_WORDS_H

#if defined(__clang__)

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

/* Vectors, moved by one instruction where they are aligned. */
struct __attribute__((aligned(4))) uchar4 { unsigned char x, y, z, w; };
struct __attribute__((aligned(8))) int2 { int x, y; };
struct __attribute__((aligned(16))) int4 { int x, y, z, w; };
struct __attribute__((aligned(8))) float2 { float x, y; };
struct __attribute__((aligned(16))) float4 { float x, y, z, w; };
struct __attribute__((aligned(16))) double2 { double x, y; };

/* Special registers read as members: threadIdx.x is %tid.x. */
#define WARPSTEP_SPECIAL(name, reg)                                                                              \
	struct warpstep_##name {                                                                                 \
		__declspec(property(get = get_x)) unsigned x;                                                    \
		__declspec(property(get = get_y)) unsigned y;                                                    \
		__declspec(property(get = get_z)) unsigned z;                                                    \
		static inline __device__ unsigned get_x() { return __nvvm_read_ptx_sreg_##reg##_x(); }           \
		static inline __device__ unsigned get_y() { return __nvvm_read_ptx_sreg_##reg##_y(); }           \
		static inline __device__ unsigned get_z() { return __nvvm_read_ptx_sreg_##reg##_z(); }           \
	};                                                                                                       \
	extern __device__ const warpstep_##name name

WARPSTEP_SPECIAL(threadIdx, tid);
WARPSTEP_SPECIAL(blockIdx, ctaid);
WARPSTEP_SPECIAL(blockDim, ntid);
WARPSTEP_SPECIAL(gridDim, nctaid);
#undef WARPSTEP_SPECIAL

/* 32-bit atomics that return the old value. */
static inline __device__ unsigned atomicAdd(unsigned *p, unsigned v) { return __nvvm_atom_add_gen_i((int *)p, (int)v); }
static inline __device__ int atomicAdd(int *p, int v) { return __nvvm_atom_add_gen_i(p, v); }
static inline __device__ int atomicMin(int *p, int v) { return __nvvm_atom_min_gen_i(p, v); }
static inline __device__ int atomicMax(int *p, int v) { return __nvvm_atom_max_gen_i(p, v); }
static inline __device__ int atomicExch(int *p, int v) { return __nvvm_atom_xchg_gen_i(p, v); }
static inline __device__ int atomicCAS(int *p, int compare, int v) { return __nvvm_atom_cas_gen_i(p, compare, v); }

/* 64-bit ones. */
typedef unsigned long long warpstep_u64;
static inline __device__ warpstep_u64 atomicAdd(warpstep_u64 *p, warpstep_u64 v) { return __nvvm_atom_add_gen_ll((long long *)p, v); }
static inline __device__ warpstep_u64 atomicMax(warpstep_u64 *p, warpstep_u64 v) { return __nvvm_atom_max_gen_ull(p, v); }
static inline __device__ warpstep_u64 atomicMin(warpstep_u64 *p, warpstep_u64 v) { return __nvvm_atom_min_gen_ull(p, v); }
static inline __device__ warpstep_u64 atomicOr(warpstep_u64 *p, warpstep_u64 v) { return __nvvm_atom_or_gen_ll((long long *)p, v); }
static inline __device__ warpstep_u64 atomicXor(warpstep_u64 *p, warpstep_u64 v) { return __nvvm_atom_xor_gen_ll((long long *)p, v); }
static inline __device__ warpstep_u64 atomicAnd(warpstep_u64 *p, warpstep_u64 v) { return __nvvm_atom_and_gen_ll((long long *)p, v); }
static inline __device__ warpstep_u64 atomicCAS(warpstep_u64 *p, warpstep_u64 compare, warpstep_u64 v)
{
	return __nvvm_atom_cas_gen_ll((long long *)p, compare, v);
}

/* What this thread has written can be seen by all before what it writes from here on. */
static inline __device__ void __threadfence() { __nvvm_membar_gl(); }

/* Between the lanes of a warp. */
static inline __device__ int __shfl_down_sync(unsigned mask, int v, int d) { return __nvvm_shfl_sync_down_i32(mask, v, d, 31); }
static inline __device__ float __shfl_xor_sync(unsigned mask, float v, int d) { return __nvvm_shfl_sync_bfly_f32(mask, v, d, 31); }
static inline __device__ int __shfl_sync(unsigned mask, int v, int lane) { return __nvvm_shfl_sync_idx_i32(mask, v, lane, 31); }
static inline __device__ int __shfl_xor_sync(unsigned mask, int v, int d) { return __nvvm_shfl_sync_bfly_i32(mask, v, d, 31); }
static inline __device__ unsigned __ballot_sync(unsigned mask, bool v) { return __nvvm_vote_ballot_sync(mask, v); }
static inline __device__ int __any_sync(unsigned mask, bool v) { return __nvvm_vote_any_sync(mask, v); }
static inline __device__ int __all_sync(unsigned mask, bool v) { return __nvvm_vote_all_sync(mask, v); }
static inline __device__ unsigned __match_any_sync(unsigned mask, unsigned v) { return __nvvm_match_any_sync_i32(mask, v); }
static inline __device__ void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }

/* Arithmetic; what begins with two underscores is approximate. */
static inline __device__ int min(int a, int b) { return a < b ? a : b; }
static inline __device__ int max(int a, int b) { return a > b ? a : b; }
static inline __device__ int abs(int a) { return a < 0 ? -a : a; }
static inline __device__ int __popc(unsigned v) { return __builtin_popcount(v); }
static inline __device__ int __ffs(int v) { return __builtin_ffs(v); }
static inline __device__ float __ldg(const float *p) { return __nvvm_ldg_f(p); }
static inline __device__ float fabsf(float a) { return __builtin_fabsf(a); }
static inline __device__ float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
static inline __device__ float sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
static inline __device__ float rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
static inline __device__ float __expf(float a) { return __nvvm_ex2_approx_f(a * 1.44269504f); }
static inline __device__ float __sinf(float a) { return __nvvm_sin_approx_f(a); }
static inline __device__ float __cosf(float a) { return __nvvm_cos_approx_f(a); }
static inline __device__ float __logf(float a) { return __nvvm_lg2_approx_f(a) * 0.693147181f; }
static inline __device__ float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }

#endif
#endif
