/*
 * warpstep.h - the few words of CUDA C that a kernel needs, for clang alone: no CUDA toolkit, no libraries.
 *
 *   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -O2 -S \
 *         -include scenarios/kernels/warpstep.h -o kernel.ptx kernel.cu
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

#endif
#endif
