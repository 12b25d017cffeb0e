// saxpy - y = alpha x + y with four elements per thread, moved by 16-byte vector loads and stores.
// n is a multiple of 4.
extern "C" __global__ void saxpy(const float4 *x, float4 *y, float alpha, int n)
{
	int stride = gridDim.x * blockDim.x;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += stride) {
		float4 u = x[i], v = y[i];

		v.x += alpha * u.x;
		v.y += alpha * u.y;
		v.z += alpha * u.z;
		v.w += alpha * u.w;
		y[i] = v;
	}
}
