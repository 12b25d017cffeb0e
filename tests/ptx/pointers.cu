/*
 * pointers.cu - calls through pointers, for the tests: a table of functions, an address that is moved, virtual functions
 * that call others. Made by nvcc -ptx -arch=sm_75 -o pointers.ptx pointers.cu
 */
typedef float (*operation)(float, float);
static __device__ __noinline__ float add(float a, float b) { return a + b; }
static __device__ __noinline__ float mul(float a, float b) { return a * b; }
static __device__ __noinline__ float less(float a, float b) { return a < b ? a : add(b, 1); }
static __device__ __noinline__ float unused(float a, float b) { return b - a; }
__device__ operation table[] = {add, mul, less};

/* Lanes call different functions; those of every fifth thread none. */
extern "C" __global__ void by_table(float *a, int n)
{
	int i = threadIdx.x;
	float x = a[i];
	if (i % 5)
		x = table[(i + n) % 3](x, 2.5f);
	a[i] = x;
}

/* All lanes of a warp call the same. */
extern "C" __global__ void by_move(float *a, int n)
{
	operation f = (int)(threadIdx.x / 32) == n ? mul : less;
	a[threadIdx.x] = f(a[threadIdx.x], 3) + unused(1, 2);
}

struct shape {
	int k;
	__device__ shape(int k) : k(k) {}
	__device__ virtual float area(float x) const = 0;
	__device__ virtual float twice(float x) const { return 2 * area(x); }
};
struct square : shape {
	__device__ square(int k) : shape(k) {}
	__device__ float area(float x) const override { return x * x + k; }
};
struct strip : shape {
	float width;
	__device__ strip(int k) : shape(k), width(3) {}
	__device__ float area(float x) const override { return width * x - k; }
};
struct twins : square {
	__device__ twins(int k) : square(k) {}
	__device__ float twice(float x) const override { return 4 * square::area(x); }
};

extern "C" __global__ void by_object(float *a)
{
	int i = threadIdx.x;
	square s(i);
	strip t(i);
	twins w(i);
	const shape *volatile p = i % 3 == 0 ? (const shape *)&s : i % 3 == 1 ? (const shape *)&t : &w;
	a[i] = p->twice(a[i]);
}
