/*
 * features.cu - a little of everything that the PTX front end reads, for its tests; not meant to be run.
 *
 * nvcc -ptx -arch=sm_75 -lineinfo features.cu -o features75.ptx   (and the paths of its .file lines cut off)
 * nvcc -ptx -arch=compute_100 features.cu -o features100.ptx
 */
#include <stdint.h>

#define KERNEL extern "C" __global__ void

/* Sub-word vectors and 16-bit arithmetic. */
KERNEL bytes(const uchar4 *a, float4 *b, ushort2 *c)
{
	int i = threadIdx.x;
	uchar4 v = a[i];

	b[i] = make_float4(v.x / 255.0f, v.y, v.z, v.w);
	c[i] = make_ushort2(v.x * v.y, v.z);
}

KERNEL halves(uint64_t *o, short *s, unsigned char *u)
{
	int i = threadIdx.x;
	short x = s[i];
	signed char c = u[i + 9];

	x = x * 3 - s[i + 1];
	x >>= 2;
	s[i + 2] = x;
	s[i + 3] = max(x, s[i + 4]);
	u[i] = u[i + 1] ^ u[i + 2];
	u[i + 4] = u[i + 5] > 4 ? u[i + 6] : 9;
	o[i] = (uint64_t)(unsigned short)x + u[i];
	o[i + 1] = s[i] < u[i];
	s[i + 9] = c;
	o[i + 7] = (long long)c;
}

/* Double precision, and what conversions there are. */
KERNEL doubles(double *a, int n)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		double x = a[i];

		a[i] = sqrt(x) / (x + 1.0) + fabs(x) * rint(x) + floor(x) + fmin(x, 2.0) + (float)x + (long long)x;
	}
}

/* The words of a double: moves between a pair and its halves. */
KERNEL words(double *a)
{
	int i = threadIdx.x;
	long long b = __double_as_longlong(a[i]);

	a[i] = __hiloint2double((int)(b >> 32), (int)b) + __double2hiint(a[i]);
	a[i + 1] = fma(a[i], 2.0, 3.0);
}

KERNEL floats(float *a)
{
	int i = threadIdx.x;
	float x = a[i];

	a[i] = __fdividef(x, 2.5f) + rsqrtf(x) + floorf(x) + ceilf(x) + truncf(x) + rintf(x) + fmaxf(x, 1.0f) +
	       __saturatef(x) + copysignf(x, a[i + 1]) + (int)x + (unsigned)x + (float)(unsigned)i;
}

/* 64-bit integers and bits. */
KERNEL longs(unsigned long long *a, const unsigned long long *b)
{
	int i = threadIdx.x;

	a[i] = a[i] / b[i] + a[i] % b[i] + __umul64hi(a[i], b[i]) + (a[i] >> b[i]) + __popcll(a[i]) + __clzll(b[i]);
}

KERNEL bits(int *a)
{
	int i = threadIdx.x;

	a[i] = __ffs(a[i]) + __popc(a[i]) + __clz(a[i]) + __brev(a[i]) + __byte_perm(a[i], a[i + 1], 0x3210) +
	       __funnelshift_l(a[i], a[i + 1], 3) + abs(a[i]) + min(a[i], 3) + max(a[i], a[i + 2]) + a[i] / 7 + a[i] % 10;
}

/* Shared, constant and global variables; atomics. */
__shared__ int common[32];
__device__ int counter;
__device__ float table[100] = { 1.5f, -2.0f };
__constant__ short weights[10] = { 1, -2, 3 };

KERNEL variables(int *a, unsigned n)
{
	__shared__ int s[4][8];
	__shared__ char c[5];
	__shared__ double d[3];
	int t = threadIdx.x;

	s[t & 3][t & 7] = a[t];
	c[t % 5] = t;
	d[t % 3] = t;
	__syncthreads();
	atomicAdd(&counter, s[0][t & 7] + c[t % 5]);
	atomicMin(&a[0], 3);
	atomicExch(&a[1], t);
	atomicInc((unsigned *)&a[2], 7);
	atomicDec((unsigned *)&a[3], 9);
	atomicXor(&a[4], t);
	atomicAnd(&s[0][0], t);
	atomicOr(&common[t & 31], 5);
	a[6] = atomicCAS(&a[5], 2, t);
	table[t] = d[t % 3] + weights[t % 10];
	a[n] = counter + s[1][t & 7];
}

/* Two dynamic arrays at one address; a trap. */
KERNEL dynamic(int *o)
{
	extern __shared__ float first[];
	extern __shared__ double second[];

	first[threadIdx.x] = 1;
	__syncthreads();
	o[0] = (int)second[threadIdx.x];
	if (threadIdx.x == 3)
		__trap();
}

/* Branches: a switch, a loop with continue and break, early returns, a nest. */
KERNEL branches(int *a, int n)
{
	int t = threadIdx.x;
	bool p = a[t] > 3 || (a[t + 1] < n && t != 4);

	switch (a[t + 2]) {
	case 0: a[t] = 1; break;
	case 1: a[t] += 7; break;
	case 5: return;
	case 9: a[t] = p;
	default: a[t] *= 3;
	}
	do {
		if (a[t] & 1)
			continue;
		a[t] = a[t] >> 1;
		if (a[t] == 9)
			break;
	} while (a[t] != n);
	if (p)
		a[t] = -a[t];
}

KERNEL nest(long long *a, int n)
{
	long long s = 0;

	for (int i = 0; i < n; i++)
		for (int j = i; j < n; j++) {
			if ((i ^ j) == 5)
				continue;
			s += a[i * n + j] * (long long)i;
			if (s < 0)
				return;
		}
	a[0] = s;
	asm volatile("{ .reg .pred p; .reg .u32 t; setp.ne.u32 p, %0, 0; @!p bra DONE; mov.u32 t, 5; DONE: }" ::"r"(n));
}

/* Read-only and volatile memory; parameters by value; bounds. */
KERNEL qualified(float2 *a, volatile float *v, const float *__restrict__ r)
{
	int i = threadIdx.x;

	a[i].x = v[i] + __ldg(r + i) + r[i + 1];
	v[i] = 2;
}

KERNEL __launch_bounds__(128, 3) parameters(int a, char b, float4 f, double d, float *o)
{
	o[threadIdx.x] = a + b + f.x + f.w + d;
}
