// mriq - for each voxel a sum of rotated samples: sine and cosine of 2 pi k.x at full precision. The library's sinf and cosf
// take a fast path for small angles; large ones go through multiplication by many digits of 2/pi, held in an initialized
// global table and a local array. The samples (kx, ky, kz, magnitude) lie in constant memory.
#define SAMPLES 16

__constant__ float sample[SAMPLES][4] = {
	{0, 0, 0, 1},           {0.0625f, 0, 0, 0.5f},   {0, 0.0625f, 0, 0.5f},  {0, 0, 0.0625f, 0.5f},
	{0.125f, 0.25f, 0, 2},  {0, -0.125f, 0.5f, 2},   {0.75f, 0, -0.5f, 1},   {-0.25f, -0.25f, 0.25f, 1},
	{1.5f, 0.5f, 0, 0.25f}, {0, 2.5f, -1.25f, 0.25f}, {3.125f, 0, 4.5f, 0.5f}, {-6.5f, 7.25f, 0, 0.5f},
	{12.5f, 0, 0.25f, 1},   {0, 100.125f, 0, 1},     {20000.25f, 0, 0.5f, 1}, {0, 0.25f, -30000.75f, 1},
};

extern "C" __global__ void mriq(const float *x, const float *y, const float *z, float *real, float *imaginary, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float re = 0.0f, im = 0.0f;

	if (i >= n)
		return;
#pragma unroll 1
	for (int k = 0; k < SAMPLES; k++) {
		float angle = 6.2831853f * (sample[k][0] * x[i] + sample[k][1] * y[i] + sample[k][2] * z[i]);

		re += sample[k][3] * cosf(angle);
		im += sample[k][3] * sinf(angle);
	}
	real[i] = re;
	imaginary[i] = im;
}
