/* shuffle_a.cu - __syncwarp() in the place of __syncthreads(). */
extern "C" __global__ void sums(const int *a, int *out)
{
	__shared__ int part[256];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, lane = t % 32;

	part[t] = a[i];
	for (int half = 16; half > 0; half /= 2) {
		__syncwarp();
		if (lane < half)
			part[t] += part[t + half];
	}
	if (lane == 0)
		out[i / 32] = part[t];
}
