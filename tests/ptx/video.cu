/* video.cu - CUDA's SIMD intrinsics, one a row of results: nvcc -ptx -arch=sm_80 video.cu */
#define ROW(i, value) out[(i) * 32 + threadIdx.x] = value

extern "C" __global__ void intrinsics(const unsigned *a, const unsigned *b, unsigned *out)
{
	unsigned x = a[threadIdx.x], y = b[threadIdx.x];

	ROW(0, __vadd4(x, y));
	ROW(1, __vaddss4(x, y));
	ROW(2, __vaddus4(x, y));
	ROW(3, __vsub4(x, y));
	ROW(4, __vsubss4(x, y));
	ROW(5, __vsubus4(x, y));
	ROW(6, __vabsdiffs4(x, y));
	ROW(7, __vabsdiffu4(x, y));
	ROW(8, __vavgs4(x, y));
	ROW(9, __vavgu4(x, y));
	ROW(10, __vmaxs4(x, y));
	ROW(11, __vminu4(x, y));
	ROW(12, __vsads4(x, y));
	ROW(13, __vsadu4(x, y));
	ROW(14, __vseteq4(x, y));
	ROW(15, __vcmpgts4(x, y));
	ROW(16, __vadd2(x, y));
	ROW(17, __vaddss2(x, y));
	ROW(18, __vsubus2(x, y));
	ROW(19, __vabsdiffs2(x, y));
	ROW(20, __vavgs2(x, y));
	ROW(21, __vmaxs2(x, y));
	ROW(22, __vsads2(x, y));
	ROW(23, __vsadu2(x, y));
	ROW(24, __vsetltu2(x, y));
	ROW(25, __vcmpleu2(x, y));
	ROW(26, __vimax_s16x2_relu(x, y));
	ROW(27, __vimin_s32_relu(x, y));
}
