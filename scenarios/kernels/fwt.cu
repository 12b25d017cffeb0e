// fwt - the fast Walsh transform of each block's vector of 2^log2n floats, in place, with a quarter as many threads, in
// shared memory whose size the launch gives: radix-4 stages, and for an odd log2n one of radix 2 at the end.
extern __shared__ float s[];

extern "C" __global__ void fwt(float *data, int log2n)
{
	const int n = 1 << log2n, t = threadIdx.x;
	float *vector = data + (blockIdx.x << log2n);
	int stride = n / 4;

	for (int i = t; i < n; i += blockDim.x)
		s[i] = vector[i];
	for (; stride > 0; stride /= 4) {
		int low = t & (stride - 1), i = 4 * (t - low) + low;
		float a, b, c, d, ac, bd;

		__syncthreads();
		a = s[i], b = s[i + stride], c = s[i + 2 * stride], d = s[i + 3 * stride];
		ac = a + c, bd = b + d;
		s[i] = ac + bd;
		s[i + stride] = ac - bd;
		ac = a - c, bd = b - d;
		s[i + 2 * stride] = ac + bd;
		s[i + 3 * stride] = ac - bd;
	}
	__syncthreads();
	if (log2n & 1) {
		for (int i = 2 * t; i < n; i += 2 * blockDim.x) {
			float a = s[i], b = s[i + 1];

			s[i] = a + b;
			s[i + 1] = a - b;
		}
		__syncthreads();
	}
	for (int i = t; i < n; i += blockDim.x)
		vector[i] = s[i];
}
