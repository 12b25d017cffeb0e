// kmeans - each point finds the nearest of the centers, which are in constant memory, and the points that changed their
// center are counted: one atomic for each warp that has some. Coordinates are stored dimension by dimension.
#define CENTRES 7
#define DIMENSIONS 6

__constant__ float centre[CENTRES][DIMENSIONS] = {
	{0, 0, 0, 0, 0, 0},    {5, 5, -5, -5, 0, 0}, {-5, 5, 5, -5, 0, 0}, {5, -5, 0, 0, 5, -5},
	{-5, -5, 0, 0, -5, 5}, {0, 0, 6, 6, 6, 6},   {0, 0, -6, -6, -6, 6},
};

extern "C" __global__ void kmeans(const float *point, unsigned char *member, int *changed, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
	float least = 3.4e38f;

	if (i >= n)
		return;
	for (int c = 0; c < CENTRES; c++) {
		float sum = 0.0f;

		for (int d = 0; d < DIMENSIONS; d++) {
			float off = point[d * n + i] - centre[c][d];

			sum += off * off;
		}
		if (sum < least) {
			least = sum;
			best = c;
		}
	}
	if (member[i] != best)
		atomicAdd(changed, 1);
	member[i] = (unsigned char)best;
}
