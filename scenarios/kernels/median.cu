// median - the median of a window of 25 pixels, sorted by insertion in an array per thread: a dynamic index puts it
// into local memory. The window stops at the border of the image, so that lanes there have fewer pixels.
#define REACH 2

extern "C" __global__ void median(const unsigned char *in, unsigned char *out, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	unsigned char sorted[(2 * REACH + 1) * (2 * REACH + 1)];
	int count = 0;

	if (x >= width || y >= height)
		return;
	for (int v = max(y - REACH, 0); v <= min(y + REACH, height - 1); v++)
		for (int u = max(x - REACH, 0); u <= min(x + REACH, width - 1); u++) {
			unsigned char pixel = in[v * width + u];
			int at = count++;

			for (; at > 0 && sorted[at - 1] > pixel; at--)
				sorted[at] = sorted[at - 1];
			sorted[at] = pixel;
		}
	out[y * width + x] = sorted[count / 2];
}
