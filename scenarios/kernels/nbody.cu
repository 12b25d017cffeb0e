// nbody - the pull of all bodies on each, tile after tile of 64 through shared memory: much arithmetic for each load, and
// all lanes read the same word of the tile at once. n is a multiple of 64; w is the mass.
#define TILE 64
#define SOFTENING 0.25f

extern "C" __global__ void nbody(const float4 *body, float4 *pull, int n)
{
	__shared__ float4 tile[TILE];
	int i = blockIdx.x * TILE + threadIdx.x;
	float4 me = body[i];
	float ax = 0.0f, ay = 0.0f, az = 0.0f;

	for (int first = 0; first < n; first += TILE) {
		tile[threadIdx.x] = body[first + threadIdx.x];
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < TILE; k++) {
			float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
			float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
			float strength = tile[k].w * inverse * inverse * inverse;

			ax += dx * strength;
			ay += dy * strength;
			az += dz * strength;
		}
		__syncthreads();
	}
	me.x = ax, me.y = ay, me.z = az;
	pull[i] = me;
}
