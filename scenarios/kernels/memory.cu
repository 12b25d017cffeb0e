// memory - two kernels that do nothing but read.
// stream: every thread adds up a share of an array, 16 bytes at a time; neighboring threads read neighboring addresses. n counts 16 bytes.
extern "C" __global__ void stream(const float4 *__restrict__ in, float *__restrict__ out, int n)
{
	int self = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	for (int i = self; i < n; i += gridDim.x * blockDim.x) {
		float4 v = in[i];

		sum += v.x + v.y + v.z + v.w;
	}
	out[self] = sum;
}

// chase: follow n links of a list; each load waits for the one before it.
extern "C" __global__ void chase(const unsigned *next, unsigned *last, unsigned first, int n)
{
	unsigned at = first;

	while (n--)
		at = next[at];
	*last = at;
}
