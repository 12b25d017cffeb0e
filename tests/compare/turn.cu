// turn.cu, before: rows to columns, each thread an element. turn2.cu goes through a tile in shared memory.
// Made by: nvcc -ptx -arch=sm_75 -lineinfo -o turn.ptx turn.cu
#define TILE 16

extern "C" __global__ void turn(const float *a, float *b, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

	b[x * n + y] = a[y * n + x];
}
