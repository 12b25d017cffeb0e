// lbm - lattice Boltzmann in three dimensions with 19 directions: each cell reads its 19 densities, relaxes them (or, if it
// is not open, reverses them) and writes each to the neighbor in its direction. A block is a row of 120 cells: the last of
// its four warps has 24 lanes. The lattice, gridDim.x rows high and gridDim.y deep, is periodic.
// lbm_moments adds up density and momentum of each cell.
#define DIRECTIONS 19
#define RELAXATION 0.5f

// Where direction d leads; from 1 on, each odd direction is followed by its opposite.
#define TOWARDS_X {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0}
#define TOWARDS_Y {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1}
#define TOWARDS_Z {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1}

static __device__ int wrap(int at, int n)
{
	return at < 0 ? at + n : at >= n ? at - n : at;
}

extern "C" __global__ void lbm(const float *in, float *out, const unsigned char *open)
{
	constexpr int dx[DIRECTIONS] = TOWARDS_X, dy[DIRECTIONS] = TOWARDS_Y, dz[DIRECTIONS] = TOWARDS_Z;
	int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y, nx = blockDim.x, ny = gridDim.x, nz = gridDim.y;
	int cells = nx * ny * nz, cell = (z * ny + y) * nx + x;
	float f[DIRECTIONS], density = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f, still;
	bool solid = open[cell] == 0;

#pragma unroll
	for (int d = 0; d < DIRECTIONS; d++) {
		f[d] = in[d * cells + cell];
		density += f[d];
		ux += dx[d] * f[d];
		uy += dy[d] * f[d];
		uz += dz[d] * f[d];
	}
	ux /= density, uy /= density, uz /= density;
	still = 1.0f - 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
	for (int d = 0; d < DIRECTIONS; d++) {
		int to = (wrap(z + dz[d], nz) * ny + wrap(y + dy[d], ny)) * nx + wrap(x + dx[d], nx);
		float weight = d == 0 ? 1.0f / 3 : d < 7 ? 1.0f / 18 : 1.0f / 36;
		float along = 3.0f * (dx[d] * ux + dy[d] * uy + dz[d] * uz);
		float relaxed = f[d] + RELAXATION * (weight * density * (still + along + 0.5f * along * along) - f[d]);

		out[d * cells + to] = solid ? f[d == 0 ? 0 : ((d - 1) ^ 1) + 1] : relaxed;
	}
}

extern "C" __global__ void lbm_moments(const float *in, float4 *moments)
{
	constexpr int dx[DIRECTIONS] = TOWARDS_X, dy[DIRECTIONS] = TOWARDS_Y, dz[DIRECTIONS] = TOWARDS_Z;
	int cell = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
	int cells = blockDim.x * gridDim.x * gridDim.y;
	float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};

#pragma unroll
	for (int d = 0; d < DIRECTIONS; d++) {
		float f = in[d * cells + cell];

		sum.x += f;
		sum.y += dx[d] * f;
		sum.z += dy[d] * f;
		sum.w += dz[d] * f;
	}
	moments[cell] = sum;
}
