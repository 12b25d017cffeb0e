// dct8x8 - the discrete cosine transform of pieces of 8 x 8 pixels, as JPEG makes it: the matrix times the piece times its
// transpose, cosines from constant memory, two pieces in a block of 8 x 8 x 2.
__constant__ float cosine[8][8] = {
	{0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f, 0.35355339f},
	{0.49039264f, 0.41573481f, 0.27778512f, 0.09754516f, -0.09754516f, -0.27778512f, -0.41573481f, -0.49039264f},
	{0.46193977f, 0.19134172f, -0.19134172f, -0.46193977f, -0.46193977f, -0.19134172f, 0.19134172f, 0.46193977f},
	{0.41573481f, -0.09754516f, -0.49039264f, -0.27778512f, 0.27778512f, 0.49039264f, 0.09754516f, -0.41573481f},
	{0.35355339f, -0.35355339f, -0.35355339f, 0.35355339f, 0.35355339f, -0.35355339f, -0.35355339f, 0.35355339f},
	{0.27778512f, -0.49039264f, 0.09754516f, 0.41573481f, -0.41573481f, -0.09754516f, 0.49039264f, -0.27778512f},
	{0.19134172f, -0.46193977f, 0.46193977f, -0.19134172f, -0.19134172f, 0.46193977f, -0.46193977f, 0.19134172f},
	{0.09754516f, -0.27778512f, 0.41573481f, -0.49039264f, 0.49039264f, -0.41573481f, 0.27778512f, -0.09754516f},
};

extern "C" __global__ void dct8x8(const float *in, float *out, int width)
{
	__shared__ float piece[2][8][8], half[2][8][8];
	int x = threadIdx.x, y = threadIdx.y, p = threadIdx.z;
	int at = (blockIdx.y * 8 + y) * width + (blockIdx.x * 2 + p) * 8 + x;
	float sum = 0.0f;

	piece[p][y][x] = in[at] - 128.0f;
	__syncthreads();
	for (int k = 0; k < 8; k++)
		sum += cosine[y][k] * piece[p][k][x];
	half[p][y][x] = sum;
	__syncthreads();
	sum = 0.0f;
	for (int k = 0; k < 8; k++)
		sum += half[p][y][k] * cosine[x][k];
	out[at] = sum;
}
