// fft - the Fourier transform of 512 complex numbers by each block of 64 threads: three rounds in which every thread transforms
// eight numbers in registers; between them they change threads through shared memory. Angles by the special function unit.
#define THREADS 64

static __device__ float2 times(float2 a, float c, float s)
{
	return {a.x * c - a.y * s, a.x * s + a.y * c};
}

// The two sums of a pair, the second turned by `eighth` eighths of a circle backwards.
static __device__ void pair(float2 &a, float2 &b, int eighth)
{
	const float half = 0.70710678f;
	float2 d = {a.x - b.x, a.y - b.y};

	a = {a.x + b.x, a.y + b.y};
	b = eighth == 0 ? d : eighth == 1 ? times(d, half, -half) : eighth == 2 ? times(d, 0.0f, -1.0f) : times(d, -half, -half);
}

// Eight numbers; the result's order is that of bits reversed.
static __device__ void transform8(float2 *v)
{
	for (int k = 0; k < 4; k++)
		pair(v[k], v[k + 4], k);
	for (int k = 0; k < 8; k += 4) {
		pair(v[k], v[k + 2], 0);
		pair(v[k + 1], v[k + 3], 2);
	}
	for (int k = 0; k < 8; k += 2)
		pair(v[k], v[k + 1], 0);
}

extern "C" __global__ void fft(float2 *data)
{
	__shared__ float2 s[8 * THREADS];
	float2 v[8], *vector = data + blockIdx.x * 8 * THREADS;
	const int reversed[8] = {0, 4, 2, 6, 1, 5, 3, 7};
	int t = threadIdx.x;

#pragma unroll
	for (int k = 0; k < 8; k++)
		v[k] = vector[t + k * THREADS];
#pragma unroll
	for (int done = 1; done < 512; done *= 8) {
		int in = t % done, to = t / done * done * 8 + in;

		if (done > 1) {
			float angle = -6.2831853f / (8 * done) * in;

#pragma unroll
			for (int k = 0; k < 8; k++)
				v[k] = s[t + k * THREADS];
			__syncthreads();
#pragma unroll
			for (int k = 1; k < 8; k++)
				v[k] = times(v[k], __cosf(k * angle), __sinf(k * angle));
		}
		transform8(v);
#pragma unroll
		for (int k = 0; k < 8; k++)
			if (done < 64)
				s[to + k * done] = v[reversed[k]];
			else
				vector[to + k * done] = v[reversed[k]];
		if (done < 64)
			__syncthreads();
	}
}
