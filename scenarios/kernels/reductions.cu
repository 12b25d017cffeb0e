// reductions - every thread adds numbers to global memory: all lanes to one address, each lane to its own of one line, to a line of its
// own; integers or floating-point numbers; or the warp adds up first, and one lane adds for all. By red, which returns no value.
__device__ void add(int *to, int value)
{
	asm volatile("red.global.add.u32 [%0], %1;" :: "l"(to), "r"(value) : "memory");
}

__device__ void add(float *to, float value)
{
	asm volatile("red.global.add.f32 [%0], %1;" :: "l"(to), "f"(value) : "memory");
}

extern "C" __global__ void line(int *out, int value, int times)
{
#pragma unroll 1
	for (int i = 0; i < times; i++)
		add(out + threadIdx.x % 32, value);
}

extern "C" __global__ void lines(int *out, int value, int times)
{
#pragma unroll 1
	for (int i = 0; i < times; i++)
		add(out + threadIdx.x % 32 * 32, value);
}

extern "C" __global__ void address(int *out, int value, int times)
{
#pragma unroll 1
	for (int i = 0; i < times; i++)
		add(out, value);
}

extern "C" __global__ void floats(float *out, float value, int times)
{
#pragma unroll 1
	for (int i = 0; i < times; i++)
		add(out, value);
}

extern "C" __global__ void folded(float *out, float value, int times)
{
#pragma unroll 1
	for (int i = 0; i < times; i++) {
		float sum = value;

#pragma unroll
		for (int away = 16; away; away /= 2)
			sum += __shfl_down_sync(0xffffffff, sum, away);
		if (threadIdx.x % 32 == 0)
			add(out, sum);
	}
}
