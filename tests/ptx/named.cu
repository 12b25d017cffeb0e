/*
 * named.cu - kernels whose names are mangled: in a namespace, with template arguments, of internal linkage, overloaded.
 * nvcc -ptx -arch=sm_75 -lineinfo -o named.ptx named.cu
 */
namespace img
{
template <typename T, int N> __global__ void scale(T *a, T s)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	for (int k = 0; k < N; k++)
		a[i] *= s;
}
} // namespace img

template __global__ void img::scale<float, 4>(float *, float);
template __global__ void img::scale<int, 2>(int *, int);

__global__ void add(float *a, const float *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	a[i] += b[i];
}

__global__ void fill(float *a)
{
	a[threadIdx.x] = 1;
}

__global__ void fill(int *a)
{
	a[threadIdx.x] = 1;
}

__global__ void fill(double *a)
{
	a[threadIdx.x] = 1;
}
