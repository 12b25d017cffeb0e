/*
 * families_clang.cu - functions, structs by value, local memory, generic addresses and warps as clang writes them; made by
 *   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib \
 *     -Xclang -target-feature -Xclang +ptx63 -O2 -S -o families_clang.ptx families_clang.cu
 */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define NOINLINE __attribute__((noinline))
#define TID __nvvm_read_ptx_sreg_tid_x()
#define BARRIER __syncthreads()

struct pack { char tag; short level; int count; double value; unsigned char bytes[6]; };
__device__ NOINLINE pack twist(pack p, int by) { p.tag += by; p.level *= 2; p.count -= by; p.value += 0.5; p.bytes[by & 3] ^= 1; return p; }
__device__ NOINLINE char low(short s) { return (char)(s >> 1); }
__device__ NOINLINE bool both(bool a, bool b) { return a && b; }
__device__ NOINLINE long long wide(int a, unsigned char b) { if (a < 0) return -1; return (long long)a << b; }
__device__ NOINLINE int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
__device__ int answers[3] = { 40, 41, 42 };
__device__ int *pointers[2] = { &answers[2], &answers[0] };
__constant__ int fixed[4] = { 9, 8, 7, 6 };

extern "C" __global__ void functions(pack *p, long long *w, int *o)
{
	int i = TID;
	p[i] = twist(p[i], i);
	w[i] = wide(i - 2, (unsigned char)(i + 30));
	o[i] = low((short)(i * 100)) + 1000 * both(i & 1, i & 2);
}

extern "C" __global__ void pointers_everywhere(int *o)
{
	__shared__ int s[32];
	int local[8], i = TID;
	for (int k = 0; k < 8; k++)
		local[(k * 3 + i) & 7] = k * i;
	s[i] = i * i;
	BARRIER;
	const int *p = (i & 3) == 0 ? s : (i & 3) == 1 ? local : (i & 3) == 2 ? o + 32 : fixed;
	o[i] = sum(p + (i & 1), 3) + *pointers[i & 1];
	BARRIER;
	__nvvm_atom_add_gen_i(i & 1 ? &s[0] : &o[64], i);
	BARRIER;
	if (i == 0)
		o[65] = s[0];
}

extern "C" __global__ void lanes(int *o)
{
	int i = TID, v = i * i;
	for (int d = 16; d; d /= 2)
		v += __nvvm_shfl_sync_bfly_i32(0xffffffffu, v, d, 31);
	v += __nvvm_shfl_sync_down_i32(0xffffffffu, i, 1, 31) + (int)__nvvm_vote_ballot_sync(0xffffffffu, i % 3 == 0);
	v += __nvvm_vote_any_sync(0xffffffffu, i == 31) + 2 * __nvvm_vote_all_sync(0xffffffffu, i < 31);
	o[i] = v;
}
