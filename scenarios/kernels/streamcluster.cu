// streamcluster - would the points gain if point `candidate` became a center? Each thread compares the cost of its point
// there with its cost now; a point that gains would switch, one that does not adds to its old center's gain instead. Coordinates are
// stored dimension by dimension; the candidate's are read once into shared memory, whose size the launch gives.
extern __shared__ float here[];

extern "C" __global__ void streamcluster(const float *coordinate, const float *weight, const float *cost, const int *centre,
					 unsigned char *moves, int *saving, int candidate, int n, int dimensions)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0.0f;

	for (int d = threadIdx.x; d < dimensions; d += blockDim.x)
		here[d] = coordinate[d * n + candidate];
	__syncthreads();
	if (i >= n)
		return;
	for (int d = 0; d < dimensions; d++) {
		float off = coordinate[d * n + i] - here[d];

		sum += off * off;
	}
	sum = sum * weight[i] - cost[i];
	moves[i] = sum < 0.0f;
	if (sum < 0.0f)
		atomicAdd(&saving[0], (int)-sum);
	else
		atomicAdd(&saving[1 + centre[i]], (int)sum);
}
