// cutcp - the electric potential of atoms on a lattice, those within a cutoff only. A block is a brick of 8 x 2 x 8 lattice
// points; it loads the atoms of its neighborhood into shared memory, eight at a time. Offsets of the bins to visit lie in
// constant memory. The lattice has a point every half unit, a bin is 4 units wide and holds 8 atoms (x, y, z, charge).
#define BIN_ATOMS 8

__constant__ int bin_offset[3] = {-1, 0, 1};

extern "C" __global__ void cutcp(const float4 *bins, float *potential, int bins_x, float cutoff2)
{
	__shared__ float4 atom[BIN_ATOMS];
	int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 2 + threadIdx.y, z = threadIdx.z;
	int t = (threadIdx.z * 2 + threadIdx.y) * 8 + threadIdx.x, width = gridDim.x * 8, height = gridDim.y * 2;
	float px = 0.5f * x, py = 0.5f * y, pz = 0.5f * z, energy = 0.0f;

	for (int k = 0; k < 3; k++) {
		int bin = (int)blockIdx.x + bin_offset[k];

		if (bin < 0 || bin >= bins_x)
			continue;
		__syncthreads();
		if (t < BIN_ATOMS)
			atom[t] = bins[bin * BIN_ATOMS + t];
		__syncthreads();
		for (int a = 0; a < BIN_ATOMS; a++) {
			float dx = atom[a].x - px, dy = atom[a].y - py, dz = atom[a].z - pz;
			float r2 = dx * dx + dy * dy + dz * dz, s;

			if (r2 >= cutoff2)
				continue;
			s = 1.0f - r2 * (1.0f / cutoff2);
			energy += atom[a].w * rsqrtf(r2) * s * s;
		}
	}
	potential[(z * height + y) * width + x] = energy;
}
