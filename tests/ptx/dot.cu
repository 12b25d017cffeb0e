// dot - the dot product of two vectors in double precision, one partial sum per block of 128 threads.
// Compiled without a CUDA toolkit, in this folder:
// clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -O2 -S \
//       -include ../../scenarios/kernels/warpstep.h -o dot.ptx dot.cu
extern "C" __global__ void dot(const float *a, const float *b, double *partial, int n)
{
	__shared__ double sum[128];
	int t = threadIdx.x;
	double mine = 0.0;

	for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
		mine += (double)a[i] * b[i];
	sum[t] = mine;
	__syncthreads();
	for (int half = 64; half > 0; half >>= 1) {
		if (t < half)
			sum[t] += sum[t + half];
		__syncthreads();
	}
	if (t == 0)
		partial[blockIdx.x] = sum[0];
}
