// rotate - turns an image about its middle: each thread fetches from a texture, which filters four pixels, and writes to a surface.
// What lies outside the image is black. Texture objects need the toolkit: nvcc -arch=sm_75. Blocks of any shape.
extern "C" __global__ void rotate(cudaTextureObject_t image, cudaSurfaceObject_t turned, int width, int height,
				  float cosine, float sine)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float u = x - width / 2, v = y - height / 2;

	if (x < width && y < height)
		surf2Dwrite(tex2D<float>(image, u * cosine - v * sine + width / 2 + 0.5f,
					 u * sine + v * cosine + height / 2 + 0.5f),
			    turned, 4 * x, y);
}
