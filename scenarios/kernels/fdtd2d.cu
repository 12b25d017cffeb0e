// fdtd2d - an electromagnetic wave in two dimensions: a step in time is three kernels, one per field, a thread per cell.
// The fields are nx wide and ny high; what comes in at the upper edge of ey is the step's number. Blocks of 32 x 8.
extern "C" __global__ void fdtd2d_ey(float *ey, const float *hz, int nx, int ny, int step)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x >= nx || y >= ny)
		return;
	if (y == 0)
		ey[x] = step;
	else
		ey[y * nx + x] -= 0.5f * (hz[y * nx + x] - hz[(y - 1) * nx + x]);
}

extern "C" __global__ void fdtd2d_ex(float *ex, const float *hz, int nx, int ny)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x > 0 && x < nx && y < ny)
		ex[y * nx + x] -= 0.5f * (hz[y * nx + x] - hz[y * nx + x - 1]);
}

extern "C" __global__ void fdtd2d_hz(const float *ex, const float *ey, float *hz, int nx, int ny)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * nx + x;

	if (x < nx - 1 && y < ny - 1)
		hz[i] -= 0.75f * (ex[i + 1] - ex[i] + ey[i + nx] - ey[i]);
}
