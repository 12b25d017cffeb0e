// stencil5 - one Jacobi step of a five-point stencil in double precision on a grid of nx x ny; the border is copied.
// The weights are in constant memory. Blocks of 32 x 8.
__constant__ double weight[2] = {0.5, 0.125};

extern "C" __global__ void stencil5(const double *in, double *out, int nx, int ny)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	int i = y * nx + x;

	if (x >= nx || y >= ny)
		return;
	if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1) {
		out[i] = in[i];
		return;
	}
	out[i] = weight[0] * in[i] + weight[1] * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx]);
}
