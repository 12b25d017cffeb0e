// histogram - counts of the 64 values of a byte's upper six bits: shared-memory atomics, then one global atomic a bin.
// Blocks of 64 threads. Compiled without a CUDA toolkit, in this folder:
// clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -O2 -S \
//       -include ../../scenarios/kernels/warpstep.h -o histogram.ptx histogram.cu
extern "C" __global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
	__shared__ unsigned count[64];

	count[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&count[data[i] >> 2], 1);
	__syncthreads();
	atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);
}
