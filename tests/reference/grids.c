/*
 * grids.c - matrices, pictures and lattices.
 */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

#define ROTATE_X 100
#define ROTATE_Y 60
#define LUD_N 48
#define SGEMM_M 128
#define SGEMM_N 32
#define SGEMM_K 24
#define CONV_X 37
#define CONV_Y 29
#define HOTSPOT_X 30
#define HOTSPOT_Y 26
#define HOTSPOT_STEPS 4
#define PATH_X 500
#define PATH_Y 12
#define SAD_X 32
#define SAD_Y 12
#define SAD_PLACES 61
#define MEDIAN_X 45
#define MEDIAN_Y 20
#define DCT_X 32
#define DCT_Y 16

/* A lower triangle with ones, times an upper one: whole numbers throughout. The scenario knows both by formula. */
void reference_lud(void)
{
	float a[LUD_N * LUD_N];

	for (i32 y = 0; y < LUD_N; y++)
		for (i32 x = 0; x < LUD_N; x++) {
			i32 sum = 0;

			for (i32 k = 0; k <= (x < y ? x : y); k++) {
				i32 l = k == y ? 1 : (7 * y + 5 * k) % 3 - 1;
				i32 u = k == x ? 1 + x % 2 : (k + 2 * x) % 3 - 1;

				sum += l * u;
			}
			a[y * LUD_N + x] = (float)sum;
		}
	emit("lud.in", a, sizeof(a));
}

/* c = a b^T, stored by columns. */
void reference_sgemm(void)
{
	float c[SGEMM_M * SGEMM_N];

	for (u32 x = 0; x < SGEMM_N; x++)
		for (u32 y = 0; y < SGEMM_M; y++) {
			i32 sum = 0;

			for (u32 k = 0; k < SGEMM_K; k++)
				sum += whole(81, k * SGEMM_M + y, -4, 4) * whole(82, k * SGEMM_N + x, -4, 4);
			c[x * SGEMM_M + y] = (float)sum;
		}
	emit("sgemm.want", c, sizeof(c));
}

/* A filter of 5 x 5; outside the picture is zero. */
void reference_conv2d(void)
{
	static const i32 binomial[5] = {1, 4, 6, 4, 1};
	float out[CONV_X * CONV_Y];

	for (i32 i = 0; i < CONV_X * CONV_Y; i++) {
		i32 sum = 0;

		for (i32 k = 0; k < 25; k++) {
			i32 x = i % CONV_X + k % 5 - 2, y = i / CONV_X + k / 5 - 2;
			i32 tap = k == 12 ? -220 : binomial[k % 5] * binomial[k / 5];

			if (x >= 0 && x < CONV_X && y >= 0 && y < CONV_Y)
				sum += tap * whole(83, (u64)(y * CONV_X + x), -8, 8);
		}
		out[i] = (float)sum;
	}
	emit("conv2d.want", out, sizeof(out));
}

/* Heat flow; after each step the temperature is rounded to a float, before that all is exact in double. */
void reference_hotspot(void)
{
	static float heat[2][HOTSPOT_Y][HOTSPOT_X];

	for (i32 i = 0; i < HOTSPOT_X * HOTSPOT_Y; i++)
		heat[0][i / HOTSPOT_X][i % HOTSPOT_X] = (float)whole(85, (u64)i, 40, 100);
	for (i32 step = 0; step < HOTSPOT_STEPS; step++)
		for (i32 i = 0; i < HOTSPOT_X * HOTSPOT_Y; i++) {
			i32 x = i % HOTSPOT_X, y = i / HOTSPOT_X;
			float(*t)[HOTSPOT_X] = heat[step % 2], t0 = t[y][x];
			float vertical = t[clamp(y + 1, HOTSPOT_Y)][x] + t[clamp(y - 1, HOTSPOT_Y)][x];
			float horizontal = t[y][clamp(x + 1, HOTSPOT_X)] + t[y][clamp(x - 1, HOTSPOT_X)];

			heat[!(step % 2)][y][x] =
				(float)(t0 + 0.125 * (whole(84, (u64)i, 0, 31) + (vertical - 2.0 * t0) +
						      (horizontal - 2.0 * t0) + (64.0 - t0) * 0.25));
		}
	emit("hotspot.want", heat[HOTSPOT_STEPS % 2], sizeof(heat[0]));
}

/* The cheapest way to each cell of the last row. */
void reference_pathfinder(void)
{
	i32 cost[2][PATH_X];

	for (i32 x = 0; x < PATH_X; x++)
		cost[0][x] = whole(86, (u64)x, 0, 9);
	for (i32 y = 0; y < PATH_Y; y++)
		for (i32 x = 0; x < PATH_X; x++) {
			const i32 *above = cost[y % 2];
			i32 least = above[x], left = above[clamp(x - 1, PATH_X)], right = above[clamp(x + 1, PATH_X)];

			least = left < least ? left : least;
			least = right < least ? right : least;
			cost[!(y % 2)][x] = least + whole(87, (u64)(y * PATH_X + x), 0, 9);
		}
	emit("pathfinder.want", cost[PATH_Y % 2], sizeof(cost[0]));
}

/* Every piece of 4 x 4 against 61 places along its row. */
void reference_sad(void)
{
	u16 out[SAD_X * SAD_Y / 16 * SAD_PLACES];

	for (i32 i = 0; i < SAD_X * SAD_Y / 16 * SAD_PLACES; i++) {
		i32 piece = i / SAD_PLACES, x0 = piece % (SAD_X / 4) * 4, y0 = piece / (SAD_X / 4) * 4;

		out[i] = 0;
		for (i32 k = 0; k < 16; k++) {
			i32 x = x0 + k % 4, y = y0 + k / 4;
			i32 there = clamp(x + i % SAD_PLACES - SAD_PLACES / 2, SAD_X);

			out[i] += (u16)abs(whole(88, (u64)(y * SAD_X + x), 0, 255) -
					   whole(89, (u64)(y * SAD_X + there), 0, 255));
		}
	}
	emit("sad.want", out, sizeof(out));
}

/* An image turned by a matrix of quarters, so that places and weights are exact; four pixels of 0 to 1 around each
 * place, none outside. */
void reference_rotate(void)
{
	static float out[ROTATE_X * ROTATE_Y];

	for (i32 i = 0; i < ROTATE_X * ROTATE_Y; i++) {
		i32 u = i % ROTATE_X - ROTATE_X / 2, v = i / ROTATE_X - ROTATE_Y / 2; /* places below are in quarters */
		i32 left = 3 * u - 2 * v + 2 * ROTATE_X, up = 2 * u + 3 * v + 2 * ROTATE_Y;
		double sum = 0;

		for (i32 y = up >> 2; y <= (up >> 2) + 1; y++)
			for (i32 x = left >> 2; x <= (left >> 2) + 1; x++) {
				i32 weight = (4 - abs(4 * x - left)) * (4 - abs(4 * y - up));

				if (x >= 0 && x < ROTATE_X && y >= 0 && y < ROTATE_Y)
					sum += weight *
					       (double)((float)whole(147, (u64)(y * ROTATE_X + x), 0, 255) / 255);
			}
		out[i] = (float)(sum / 16);
	}
	emit("rotate.want", out, sizeof(out));
}

/* The upper median of the pixels around each: as many are below it as the window's half, counting equal ones in turn.
 */
void reference_median(void)
{
	u8 out[MEDIAN_X * MEDIAN_Y];

	for (i32 i = 0; i < MEDIAN_X * MEDIAN_Y; i++) {
		i32 count[256] = {0}, all = 0, seen = 0, value = 0;

		for (i32 y = i / MEDIAN_X - 2; y <= i / MEDIAN_X + 2; y++)
			for (i32 x = i % MEDIAN_X - 2; x <= i % MEDIAN_X + 2; x++) {
				if (x != clamp(x, MEDIAN_X) || y != clamp(y, MEDIAN_Y))
					continue;
				count[whole(90, (u64)(y * MEDIAN_X + x), 0, 255)]++;
				all++;
			}
		while ((seen += count[value]) <= all / 2)
			value++;
		out[i] = (u8)value;
	}
	emit("median.want", out, sizeof(out));
}

/* Row k of the cosine transform: eighths of a turn in 8 digits. */
static double dct_cosine(u32 k, u32 x)
{
	static const double table[8] = {0.5,	    0.49039264, 0.46193977, 0.41573481,
					0.35355339, 0.27778512, 0.19134172, 0.09754516};
	u32 angle = k * (2 * x + 1) % 32; /* in sixteenths of pi */

	if (!k)
		return 0.35355339;
	angle = angle > 16 ? 32 - angle : angle;
	return angle == 8 ? 0 : angle < 8 ? table[angle] : -table[16 - angle];
}

/* The cosine transform of each piece of 8 x 8. */
void reference_dct8x8(void)
{
	float out[DCT_X * DCT_Y];

	for (u32 i = 0; i < DCT_X * DCT_Y; i++) {
		u32 x = i % DCT_X, y = i / DCT_X, corner = y / 8 * 8 * DCT_X + x / 8 * 8;
		double sum = 0;

		for (u32 k = 0; k < 64; k++)
			sum += dct_cosine(y % 8, k / 8) * dct_cosine(x % 8, k % 8) *
			       (whole(91, corner + k / 8 * DCT_X + k % 8, 0, 255) - 128);
		out[i] = (float)sum;
	}
	emit("dct8x8.want", out, sizeof(out));
}

/* Twelve steps of a ring of cells, modulo 2^32. */
void reference_gridsync(void)
{
	static u32 cell[4096], was[4096];
	u32 n = ARRAY_LEN(cell);

	for (u32 i = 0; i < n; i++)
		cell[i] = (u32)whole(131, i, 0, 1000);
	for (u32 step = 0; step < 12; step++) {
		memcpy(was, cell, sizeof(was));
		for (u32 i = 0; i < n; i++)
			cell[i] = was[(i + n - 1) % n] + 3 * was[i] + was[(i + 1) % n];
	}
	emit("gridsync.want", cell, sizeof(cell));
}

/* Lists of six nodes, the last one first: Horner's rule in 3. */
void reference_heap(void)
{
	i32 out[128] = {0};

	for (i32 t = 0; t < 128; t++)
		for (i32 i = 5; i >= 0; i--)
			out[t] = 3 * out[t] + i + t;
	emit("heap.want", out, sizeof(out));
}

/* Sums of 300 halves; then 24 sums that lanes leave one after another. All is exact. */
void reference_spill(void)
{
	float sums[128] = {0};
	double halves[128] = {0};

	for (u32 t = 0; t < 128; t++) {
		double s[24];

		for (u32 i = 300; i-- > 0;)
			sums[t] = sums[t] * 0.5f + (float)whole(5, 64 * i + t % 64, -8, 8);
		for (u32 i = 0; i < 24; i++)
			s[i] = i;
		for (u32 r = 0; r < 3 + t % 4; r++)
			for (u32 i = 0; i < 24; i++) {
				double x = whole(7, (r + t % 64) % 64, -3, 3);

				s[i] += t & 1 ? -x * (i + 1) : x * s[(i + 1) % 24];
			}
		for (u32 i = 0; i < 24; i++)
			halves[t] = halves[t] * 0.5 + s[i];
	}
	emit("spill_sums.want", sums, sizeof(sums));
	emit("spill_halves.want", halves, sizeof(halves));
}
