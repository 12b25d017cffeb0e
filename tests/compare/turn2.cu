// turn2.cu, after: neighboring threads write neighboring words, too.
// Made by: nvcc -ptx -arch=sm_75 -lineinfo -o turn2.ptx turn2.cu
#define TILE 16

extern "C" __global__ void turn(const float *a, float *b, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

	tile[threadIdx.y][threadIdx.x] = a[y * n + x];
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	b[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
