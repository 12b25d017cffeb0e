// coulomb - the electric potential of 32 atoms on a plane of a lattice, every atom for every point: a thread has four points of
// a row, 16 apart, so that distances along y and z are computed once for all four. Atoms (x, y, z squared, charge) lie in
// constant memory. Blocks of 16 x 8, a grid of width / 64 x height / 8.
#define ATOMS 32

__constant__ float4 atom[ATOMS] = {
	{20.5f, 4.75f, 4, -0.5f}, {3, 2.25f, 6.25f, 1}, {23.25f, 1.75f, 6.25f, -1}, {2.25f, 2.75f, 4, -2},
	{4.25f, 7.5f, 0.5625f, 0.5f}, {27, 1.75f, 7.5625f, 1}, {14.25f, 1.75f, 7.5625f, 0.5f}, {25.25f, 1.5f, 1.5625f, 1},
	{8.5f, 9.25f, 4, -1}, {7.5f, 9.75f, 6.25f, -0.5f}, {11.5f, 3.25f, 7.5625f, 0.5f}, {12, 11.75f, 0.5625f, 0.5f},
	{4, 1.75f, 7.5625f, -1}, {31.75f, 13.5f, 3.0625f, -2}, {29, 11.5f, 2.25f, -1}, {11.5f, 7.75f, 0.5625f, 0.5f},
	{19, 15.75f, 3.0625f, -0.5f}, {28.5f, 9, 7.5625f, 1}, {7.5f, 13.25f, 1, 2}, {9.5f, 15.5f, 4, 1},
	{4.75f, 10, 3.0625f, -0.5f}, {22.25f, 15.75f, 7.5625f, -2}, {4.25f, 2.75f, 2.25f, -2}, {4, 1.75f, 2.25f, -0.5f},
	{28.5f, 9, 4, -0.5f}, {22, 0.5f, 5.0625f, 2}, {10.75f, 3.5f, 5.0625f, 1}, {13.75f, 9, 1, -0.5f},
	{15.75f, 12.5f, 4, -2}, {5, 5.25f, 5.0625f, -2}, {17.75f, 4.25f, 4, 0.5f}, {17.75f, 13.25f, 3.0625f, -0.5f},
};

extern "C" __global__ void coulomb(float *potential, int width, float spacing)
{
	int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	float px = spacing * x, py = spacing * y, step = spacing * 16, sum[4] = {0};

	for (int a = 0; a < ATOMS; a++) {
		float dx = px - atom[a].x, dy = py - atom[a].y, yz = dy * dy + atom[a].z;

#pragma unroll
		for (int k = 0; k < 4; k++) {
			sum[k] += atom[a].w * rsqrtf(dx * dx + yz);
			dx += step;
		}
	}
#pragma unroll
	for (int k = 0; k < 4; k++)
		potential[y * width + x + 16 * k] = sum[k];
}
