/* textures.cu - every shape of texture and surface as nvcc has them: nvcc -ptx -arch=sm_75 textures.cu. 32 threads. */
#include <surface_indirect_functions.h>
#include <texture_indirect_functions.h>

extern "C" __global__ void fetches(cudaTextureObject_t line, cudaTextureObject_t image, cudaTextureObject_t smooth,
				   cudaTextureObject_t volume, cudaTextureObject_t lines, cudaTextureObject_t images,
				   cudaTextureObject_t cube, float *out)
{
	int i = threadIdx.x;
	float x = i, x16 = i % 16;
	float4 near = tex2Dgather<float4>(image, x + 1, 3);

	out[i] = tex1Dfetch<float>(line, 3 * i);
	out[32 + i] = tex2D<float>(image, x + 0.5f, 2.5f);
	out[64 + i] = tex2DLod<float>(smooth, x + 1, 3, 0);
	out[96 + i] = tex3D<float>(volume, 1.5f, 2.5f, x16 + 0.5f);
	out[128 + i] = tex1DLayered<float>(lines, x + 0.5f, 7);
	out[160 + i] = tex2DLayered<float>(images, x16 + 0.5f, 4.5f, 9);
	out[192 + i] = texCubemap<float>(cube, 0.1f, -1, 0.1f);
	out[224 + i] = near.x - near.w;
}

extern "C" __global__ void stores(cudaSurfaceObject_t line, cudaSurfaceObject_t image, cudaSurfaceObject_t volume,
				  cudaSurfaceObject_t lines, cudaSurfaceObject_t images, float *out)
{
	int i = threadIdx.x;
	float4 four;
	unsigned char byte;

	out[i] = surf2Dread<float>(image, 4 * (i - 1), 2, cudaBoundaryModeZero);
	surf2Dread(&four, image, 16 * (i % 16), 3);
	surf1Dread(&byte, line, 8 * i, cudaBoundaryModeClamp);
	out[32 + i] = four.x + four.w + byte;
	surf1Dwrite(i + 0.5f, line, 4 * i);
	surf2Dwrite(make_float2(i, -i), image, 8 * i, 5);
	surf3Dwrite(1.0f, volume, 4 * (i % 16), 1, i / 16);
	surf1DLayeredwrite(2.0f, lines, 4 * i, 3);
	surf2DLayeredwrite(3.0f, images, 4 * i, 15, 4, cudaBoundaryModeZero);
}
