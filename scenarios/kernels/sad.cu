// sad - sums of absolute differences, for motion estimation: each block compares one 4 x 4 piece of the current image with
// 61 positions in the reference image, one for each of its 61 threads: the second warp has 29 lanes. Four pixels come with
// each word; sums are 16 bits wide. width is a multiple of 4.
#define PLACES 61
#define REACH (PLACES / 2)

extern "C" __global__ void sad(const unsigned char *now, const unsigned char *reference, unsigned short *out, int width)
{
	__shared__ unsigned piece[4];
	int t = threadIdx.x, x0 = blockIdx.x * 4, y0 = blockIdx.y * 4;
	unsigned sum = 0;

	if (t < 4)
		piece[t] = *(const unsigned *)&now[(y0 + t) * width + x0];
	__syncthreads();
	for (int y = 0; y < 4; y++)
		for (int x = 0; x < 4; x++) {
			int at = min(max(x0 + x + t - REACH, 0), width - 1);
			int a = piece[y] >> 8 * x & 255, b = reference[(y0 + y) * width + at];

			sum += abs(a - b);
		}
	out[(blockIdx.y * gridDim.x + blockIdx.x) * PLACES + t] = (unsigned short)sum;
}
