// similarity - how well each of many documents fits a query: the product of its 16 features with the query's. A thread has a
// document, whose features lie side by side: every lane reads a line of its own, and hits it 15 times if the L1 keeps
// it that long. The query comes through shared memory.
#define FEATURES 16

extern "C" __global__ void similarity(const float *document, const float *query, float *score, int n)
{
	__shared__ float wanted[FEATURES];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0.0f;

	if (threadIdx.x < FEATURES)
		wanted[threadIdx.x] = query[threadIdx.x];
	__syncthreads();
	if (i >= n)
		return;
#pragma unroll 1
	for (int k = 0; k < FEATURES; k++)
		sum += document[i * FEATURES + k] * wanted[k];
	score[i] = sum;
}
