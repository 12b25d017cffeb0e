/*
 * transforms.c - filters, transforms, waves, elimination, products. What is not said otherwise is exact: whole numbers,
 * halves of them.
 */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

#define CONV3_X 100
#define CONV3_Y 30
#define SEPARABLE_X 128
#define SEPARABLE_Y 64
#define SEPARABLE_RADIUS 8
#define HAAR_N 3072
#define HAAR_PART 512
#define FDTD_X 70
#define FDTD_Y 30
#define FDTD_STEPS 2
#define FFT_N 512
#define FFT_VECTORS 4
#define GAUSSIAN_N 24
#define COULOMB_X 64
#define COULOMB_Y 64
#define SIMILARITY_N 600
#define SIMILARITY_FEATURES 16

/* Nine taps; the edge is not written. */
void reference_conv3x3(void)
{
	static const i32 tap[3][3] = {{2, -3, 5}, {-6, 7, -8}, {4, 9, -1}};
	float out[CONV3_X * CONV3_Y] = {0};

	for (i32 y = 1; y < CONV3_Y - 1; y++)
		for (i32 x = 1; x < CONV3_X - 1; x++)
			for (i32 k = 0; k < 9; k++)
				out[y * CONV3_X + x] +=
					(float)(tap[k / 3][k % 3] *
						whole(136, (u64)((y + k / 3 - 1) * CONV3_X + x + k % 3 - 1), -8, 8));
	emit("conv3x3.want", out, sizeof(out));
}

/* Both passes of a filter of 17 taps that fall off evenly on both sides; outside the image is zero. */
void reference_convsep(void)
{
	static float rows[SEPARABLE_X * SEPARABLE_Y], out[SEPARABLE_X * SEPARABLE_Y];
	i32 n = SEPARABLE_X * SEPARABLE_Y;

	for (i32 i = 0; i < n; i++)
		for (i32 x = 0; x < SEPARABLE_X; x++)
			if (abs(x - i % SEPARABLE_X) <= SEPARABLE_RADIUS)
				rows[i] += (float)((9 - abs(x - i % SEPARABLE_X)) *
						   whole(120, (u64)(i - i % SEPARABLE_X + x), -8, 8));
	for (i32 i = 0; i < n; i++)
		for (i32 y = 0; y < SEPARABLE_Y; y++)
			if (abs(y - i / SEPARABLE_X) <= SEPARABLE_RADIUS)
				out[i] +=
					(float)(9 - abs(y - i / SEPARABLE_X)) * rows[y * SEPARABLE_X + i % SEPARABLE_X];
	emit("convsep_rows.want", rows, sizeof(rows));
	emit("convsep.want", out, sizeof(out));
}

/* The mean of the elements from first on. */
static double haar_mean(u32 first, u32 n)
{
	double sum = 0;

	for (u32 i = 0; i < n; i++)
		sum += whole(121, first + i, -100, 100);
	return sum / n;
}

/* A coefficient of level l is half of the difference of two means of 2^(l-1) elements. */
void reference_haar(void)
{
	float difference[HAAR_N] = {0}, mean[HAAR_N / HAAR_PART];

	for (u32 size = 2; size <= HAAR_PART; size *= 2)
		for (u32 k = 0; k < HAAR_N / size; k++)
			difference[HAAR_N / size + k] =
				(float)((haar_mean(k * size, size / 2) - haar_mean(k * size + size / 2, size / 2)) / 2);
	for (u32 k = 0; k < HAAR_N / HAAR_PART; k++)
		mean[k] = (float)haar_mean(k * HAAR_PART, HAAR_PART);
	emit("haar.want", difference, sizeof(difference));
	emit("haar_mean.want", mean, sizeof(mean));
}

/* One step of the three fields, each from those before it. */
static void fdtd_step(double ex[][FDTD_X], double ey[][FDTD_X], double hz[][FDTD_X], i32 step)
{
	for (i32 i = 0; i < FDTD_X * FDTD_Y; i++) {
		i32 x = i % FDTD_X, y = i / FDTD_X;

		ey[y][x] = y ? ey[y][x] - (hz[y][x] - hz[y - 1][x]) / 2 : step;
		ex[y][x] -= x ? (hz[y][x] - hz[y][x - 1]) / 2 : 0;
	}
	for (i32 y = 0; y < FDTD_Y - 1; y++)
		for (i32 x = 0; x < FDTD_X - 1; x++)
			hz[y][x] -= 0.75 * (ex[y][x + 1] - ex[y][x] + ey[y + 1][x] - ey[y][x]);
}

/* A field as floats. */
static void fdtd_emit(const char *name, double field[][FDTD_X])
{
	float out[FDTD_X * FDTD_Y];

	for (i32 i = 0; i < FDTD_X * FDTD_Y; i++)
		out[i] = (float)field[i / FDTD_X][i % FDTD_X];
	emit(name, out, sizeof(out));
}

/* Two steps of a wave. */
void reference_fdtd2d(void)
{
	static double ex[FDTD_Y][FDTD_X], ey[FDTD_Y][FDTD_X], hz[FDTD_Y][FDTD_X];

	for (i32 i = 0; i < FDTD_X * FDTD_Y; i++) {
		ex[i / FDTD_X][i % FDTD_X] = whole(122, (u64)i, -8, 8);
		ey[i / FDTD_X][i % FDTD_X] = whole(123, (u64)i, -8, 8);
		hz[i / FDTD_X][i % FDTD_X] = whole(124, (u64)i, -8, 8);
	}
	for (i32 step = 0; step < FDTD_STEPS; step++)
		fdtd_step(ex, ey, hz, step);
	fdtd_emit("fdtd2d_ex.want", ex);
	fdtd_emit("fdtd2d_ey.want", ey);
	fdtd_emit("fdtd2d_hz.want", hz);
}

/* The Fourier transform of FFT_N complex numbers by its definition: term k of output m is turned back by m k / FFT_N.
 */
static void fourier(const double *in, float *out)
{
	for (u32 m = 0; m < FFT_N; m++) {
		double re = 0, im = 0;

		for (u32 k = 0; k < FFT_N; k++) {
			double angle = -2 * M_PI * (m * k % FFT_N) / FFT_N, c = cos(angle), s = sin(angle);

			re += in[2 * k] * c - in[2 * k + 1] * s;
			im += in[2 * k] * s + in[2 * k + 1] * c;
		}
		out[2 * m] = (float)rounded(re);
		out[2 * m + 1] = (float)rounded(im);
	}
}

/* Four vectors by chance, and one whose numbers rise evenly. */
void reference_fft(void)
{
	double in[2 * FFT_N], ramp[2 * FFT_N];
	float out[FFT_VECTORS][2 * FFT_N], ramp_out[2 * FFT_N];

	for (u32 v = 0; v < FFT_VECTORS; v++) {
		for (u32 k = 0; k < 2 * FFT_N; k++)
			in[k] = whole(125, v * 2 * FFT_N + k, -8, 8);
		fourier(in, out[v]);
	}
	for (u32 k = 0; k < 2 * FFT_N; k++)
		ramp[k] = k / 1024.0;
	fourier(ramp, ramp_out);
	emit("fft.want", out, sizeof(out));
	emit("fft_ramp.want", ramp_out, sizeof(ramp_out));
}

/* A lower triangle with ones, times an upper one, and the same triangle times a right side: whole numbers throughout.
 * The scenario knows what elimination leaves by formula. */
void reference_gaussian(void)
{
	float a[GAUSSIAN_N * GAUSSIAN_N] = {0}, right[GAUSSIAN_N] = {0};

	for (i32 y = 0; y < GAUSSIAN_N; y++)
		for (i32 k = 0; k <= y; k++) {
			i32 l = k == y ? 1 : (7 * y + 5 * k) % 3 - 1;

			for (i32 x = k; x < GAUSSIAN_N; x++)
				a[y * GAUSSIAN_N + x] += (float)(l * (k == x ? 1 + k % 2 : (k + 2 * x) % 3 - 1));
			right[y] += (float)(l * (5 * k % 7 - 3));
		}
	emit("gaussian.in", a, sizeof(a));
	emit("gaussian_right.in", right, sizeof(right));
}

/* The sum of charges over distances. */
void reference_coulomb(void)
{
	/* x, y, z squared, charge */
	static const double atom[][4] = {
		{20.5, 4.75, 4, -0.5},	    {3, 2.25, 6.25, 1},
		{23.25, 1.75, 6.25, -1},    {2.25, 2.75, 4, -2},
		{4.25, 7.5, 0.5625, 0.5},   {27, 1.75, 7.5625, 1},
		{14.25, 1.75, 7.5625, 0.5}, {25.25, 1.5, 1.5625, 1},
		{8.5, 9.25, 4, -1},	    {7.5, 9.75, 6.25, -0.5},
		{11.5, 3.25, 7.5625, 0.5},  {12, 11.75, 0.5625, 0.5},
		{4, 1.75, 7.5625, -1},	    {31.75, 13.5, 3.0625, -2},
		{29, 11.5, 2.25, -1},	    {11.5, 7.75, 0.5625, 0.5},
		{19, 15.75, 3.0625, -0.5},  {28.5, 9, 7.5625, 1},
		{7.5, 13.25, 1, 2},	    {9.5, 15.5, 4, 1},
		{4.75, 10, 3.0625, -0.5},   {22.25, 15.75, 7.5625, -2},
		{4.25, 2.75, 2.25, -2},	    {4, 1.75, 2.25, -0.5},
		{28.5, 9, 4, -0.5},	    {22, 0.5, 5.0625, 2},
		{10.75, 3.5, 5.0625, 1},    {13.75, 9, 1, -0.5},
		{15.75, 12.5, 4, -2},	    {5, 5.25, 5.0625, -2},
		{17.75, 4.25, 4, 0.5},	    {17.75, 13.25, 3.0625, -0.5},
	};
	float out[COULOMB_X * COULOMB_Y];

	for (i32 i = 0; i < COULOMB_X * COULOMB_Y; i++) {
		double sum = 0;

		for (u32 a = 0; a < ARRAY_LEN(atom); a++) {
			double dx = i % COULOMB_X / 2.0 - atom[a][0], dy = i / COULOMB_X / 2.0 - atom[a][1];

			sum += atom[a][3] / sqrt(dx * dx + dy * dy + atom[a][2]);
		}
		out[i] = (float)rounded(sum);
	}
	emit("coulomb.want", out, sizeof(out));
}

/* The products of documents with a query. */
void reference_similarity(void)
{
	float out[SIMILARITY_N];

	for (u32 i = 0; i < SIMILARITY_N; i++) {
		i32 sum = 0;

		for (u32 k = 0; k < SIMILARITY_FEATURES; k++)
			sum += whole(128, i * SIMILARITY_FEATURES + k, -8, 8) * whole(129, k, -8, 8);
		out[i] = (float)sum;
	}
	emit("similarity.want", out, sizeof(out));
}
