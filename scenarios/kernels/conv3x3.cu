// conv3x3 - a 3 x 3 filter that reads global memory directly, its weights in the code: nine loads for nine multiplications, most
// of lines that a neighboring thread has read. The edge of the image is not written. Blocks of 32 x 8.
extern "C" __global__ void conv3x3(const float *in, float *out, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * width + x;

	if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
		out[i] = 2.0f * in[i - width - 1] - 3.0f * in[i - width] + 5.0f * in[i - width + 1] -
			 6.0f * in[i - 1] + 7.0f * in[i] - 8.0f * in[i + 1] +
			 4.0f * in[i + width - 1] + 9.0f * in[i + width] - 1.0f * in[i + width + 1];
}
