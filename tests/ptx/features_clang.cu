/*
 * features_clang.cu - the same for clang's dialect: no CUDA needed.
 *
 * clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -O2 -S features_clang.cu
 *       -o features_clang.ptx
 */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define KERNEL extern "C" __global__ void
#define THREAD __nvvm_read_ptx_sreg_tid_x()

__constant__ float weights[4] = { 1.0f, 2.0f, 3.0f, -4.0f };
__device__ int pairs[3][2] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };

KERNEL extend(const char *a, const short *b, long long *o, int n, short s, unsigned char c)
{
	int i = THREAD;

	if (i < n)
		o[i] = (long long)a[i] + b[i] * s + c + (unsigned long long)n;
}

KERNEL sums(float *o, int n)
{
	__shared__ float s[64];
	int t = THREAD;
	float sum = 0;

	s[t] = o[t] * weights[t & 3];
	__syncthreads();
	for (int i = 0; i < n; i++) {
		sum += s[i];
		if (sum > 9.0f)
			break;
	}
	o[t] = sum;
	if (t < 3 || sum != sum)
		return;
	o[t + 1] = s[63 - t] + pairs[t % 3][t & 1];
	((int *)o)[t] /= n;
}
