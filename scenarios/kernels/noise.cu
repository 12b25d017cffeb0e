// noise - each particle moves by normally distributed noise: its own random numbers by remainders, then logarithm and cosine
// in double precision. The functions are called, not inlined: parameters and results travel through parameter space, and the
// seed by its address.
#define PI 3.14159265358979324

static __device__ __noinline__ double uniform(int *seed)
{
	int number = (int)(1103515245u * (unsigned)*seed + 12345u);

	*seed = number % 2147483647;
	return fabs((double)*seed / 2147483647);
}

static __device__ __noinline__ double normal(int *seed)
{
	double u = uniform(seed), v = uniform(seed);

	return sqrt(-2 * log(u)) * cos(2 * PI * v);
}

extern "C" __global__ void noise(double *position, int *seed, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		position[i] += 1 + 5 * normal(&seed[i]);
}
