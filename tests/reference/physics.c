/*
 * physics.c - bodies, atoms, samples and a fluid, in double precision.
 */
#include "reference.h"

#include <math.h>
#include <string.h>

#define BODIES 256
#define BINS 3
#define BIN_ATOMS 8
#define LATTICE_X 24
#define LATTICE_Y 4
#define LATTICE_Z 8
#define VOXELS 200
#define SAMPLES 16
#define LBM_X 120
#define LBM_Y 2
#define LBM_Z 2
#define LBM_CELLS (LBM_X * LBM_Y * LBM_Z)
#define LBM_DIRECTIONS 19
#define LBM_STEPS 2
#define LAVA_BOXES 4
#define LAVA_PARTICLES 40
#define NOISE_N 200

/* The pull of all bodies on each. */
void reference_nbody(void)
{
	static float body[BODIES][4], pull[BODIES][4];

	for (u32 i = 0; i < BODIES * 4; i++)
		body[i / 4][i % 4] = real(92, i, -4, 4);
	for (u32 i = 0; i < BODIES; i++) {
		double sum[3] = {0};

		for (u32 k = 0; k < BODIES; k++) {
			double off[3], square = 0.25, strength;

			for (u32 d = 0; d < 3; d++) {
				off[d] = (double)body[k][d] - body[i][d];
				square += off[d] * off[d];
			}
			strength = body[k][3] / (square * sqrt(square));
			for (u32 d = 0; d < 3; d++)
				sum[d] += off[d] * strength;
		}
		for (u32 d = 0; d < 3; d++)
			pull[i][d] = (float)sum[d];
		pull[i][3] = body[i][3];
	}
	emit("nbody.want", pull, sizeof(pull));
}

/* Atoms in bins along x, at odd sixteenths so that none is on the lattice; the potential of those within 4 units. */
void reference_cutcp(void)
{
	float atom[BINS * BIN_ATOMS][4], out[LATTICE_Z * LATTICE_Y * LATTICE_X];

	for (u32 i = 0; i < BINS * BIN_ATOMS; i++) {
		u32 bin = i / BIN_ATOMS;

		atom[i][0] = (float)(4 * bin + whole(93, i, 0, 31) / 8.0 + 0.0625);
		atom[i][1] = (float)(whole(94, i, 0, 15) / 8.0 + 0.0625);
		atom[i][2] = (float)(whole(95, i, 0, 31) / 8.0 + 0.0625);
		atom[i][3] = (float)whole(96, i, -3, 3);
	}
	for (u32 i = 0; i < LATTICE_Z * LATTICE_Y * LATTICE_X; i++) {
		u32 row = i / LATTICE_X, plane = row / LATTICE_Y;
		double x = 0.5 * (i % LATTICE_X), y = 0.5 * (row % LATTICE_Y), z = 0.5 * plane;
		double sum = 0;

		for (u32 a = 0; a < BINS * BIN_ATOMS; a++) {
			double dx = atom[a][0] - x, dy = atom[a][1] - y, dz = atom[a][2] - z;
			double square = dx * dx + dy * dy + dz * dz, s = 1 - square / 16;

			if (square < 16)
				sum += atom[a][3] / sqrt(square) * s * s;
		}
		out[i] = (float)sum;
	}
	emit("cutcp.in", atom, sizeof(atom));
	emit("cutcp.want", out, sizeof(out));
}

/* Rotated samples. The angle is a float as in the kernel, where it is rounded once: the sum before is exact. */
void reference_mriq(void)
{
	static const float sample[SAMPLES][4] = {
		{0, 0, 0, 1},		{0.0625f, 0, 0, 0.5f},	  {0, 0.0625f, 0, 0.5f},   {0, 0, 0.0625f, 0.5f},
		{0.125f, 0.25f, 0, 2},	{0, -0.125f, 0.5f, 2},	  {0.75f, 0, -0.5f, 1},	   {-0.25f, -0.25f, 0.25f, 1},
		{1.5f, 0.5f, 0, 0.25f}, {0, 2.5f, -1.25f, 0.25f}, {3.125f, 0, 4.5f, 0.5f}, {-6.5f, 7.25f, 0, 0.5f},
		{12.5f, 0, 0.25f, 1},	{0, 100.125f, 0, 1},	  {20000.25f, 0, 0.5f, 1}, {0, 0.25f, -30000.75f, 1}};
	float re[VOXELS], im[VOXELS];

	for (u32 i = 0; i < VOXELS; i++) {
		double a = 0, b = 0;

		for (u32 k = 0; k < SAMPLES; k++) {
			float angle = sample[k][0] * (float)whole(97, i, -8, 8);

			angle += sample[k][1] * (float)whole(98, i, -8, 8);
			angle += sample[k][2] * (float)whole(99, i, -8, 8);
			angle *= 6.2831853f;
			a += sample[k][3] * cos(angle);
			b += sample[k][3] * sin(angle);
		}
		re[i] = (float)a;
		im[i] = (float)b;
	}
	emit("mriq_real.want", re, sizeof(re));
	emit("mriq_imaginary.want", im, sizeof(im));
}

/* Where the directions of the fluid lead. */
static const i32 lbm_towards[LBM_DIRECTIONS][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0},	 {0, 1, 0},   {0, -1, 0},
						   {0, 0, 1},  {0, 0, -1},  {1, 1, 0},	 {-1, -1, 0}, {1, -1, 0},
						   {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
						   {0, 1, 1},  {0, -1, -1}, {0, 1, -1},	 {0, -1, 1}};

/* The direction whose steps are the given ones. */
static u32 lbm_find(i32 x, i32 y, i32 z)
{
	u32 d = 0;

	while (lbm_towards[d][0] != x || lbm_towards[d][1] != y || lbm_towards[d][2] != z)
		d++;
	return d;
}

/* Density and momentum of a cell. */
static void lbm_moments(double (*f)[LBM_CELLS], u32 cell, double out[4])
{
	memset(out, 0, 4 * sizeof(*out));
	for (u32 d = 0; d < LBM_DIRECTIONS; d++) {
		out[0] += f[d][cell];
		for (u32 axis = 0; axis < 3; axis++)
			out[1 + axis] += lbm_towards[d][axis] * f[d][cell];
	}
}

/* A cell's densities to its neighbours; turned round where the cell is not open. */
static void lbm_cell(double (*in)[LBM_CELLS], double (*out)[LBM_CELLS], u32 cell)
{
	u32 x = cell % LBM_X, y = cell / LBM_X % LBM_Y, z = cell / LBM_X / LBM_Y;
	double m[4];

	lbm_moments(in, cell, m);
	for (u32 d = 0; d < LBM_DIRECTIONS; d++) {
		const i32 *go = lbm_towards[d];
		i32 axes = go[0] * go[0] + go[1] * go[1] + go[2] * go[2];
		double weight = axes == 0 ? 1.0 / 3 : axes == 1 ? 1.0 / 18 : 1.0 / 36;
		double along = (go[0] * m[1] + go[1] * m[2] + go[2] * m[3]) / m[0];
		double square = (m[1] * m[1] + m[2] * m[2] + m[3] * m[3]) / (m[0] * m[0]);
		double balance = weight * m[0] * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
		u32 to = ((z + LBM_Z + (u32)go[2]) % LBM_Z * LBM_Y + (y + LBM_Y + (u32)go[1]) % LBM_Y) * LBM_X +
			 (x + LBM_X + (u32)go[0]) % LBM_X;
		bool open = whole(101, cell, 0, 5) != 0;

		out[d][to] =
			open ? in[d][cell] + 0.5 * (balance - in[d][cell]) : in[lbm_find(-go[0], -go[1], -go[2])][cell];
	}
}

/* Two steps of the fluid. */
void reference_lbm(void)
{
	static double f[2][LBM_DIRECTIONS][LBM_CELLS];
	static float moments[LBM_CELLS][4];

	for (u32 i = 0; i < LBM_DIRECTIONS * LBM_CELLS; i++)
		f[0][i / LBM_CELLS][i % LBM_CELLS] = real(100, i, 0.5, 1.5);
	for (u32 step = 0; step < LBM_STEPS; step++)
		for (u32 cell = 0; cell < LBM_CELLS; cell++)
			lbm_cell(f[step % 2], f[!(step % 2)], cell);
	for (u32 cell = 0; cell < LBM_CELLS; cell++) {
		double m[4];

		lbm_moments(f[LBM_STEPS % 2], cell, m);
		for (u32 k = 0; k < 4; k++)
			moments[cell][k] = (float)m[k];
	}
	emit("lbm.want", moments, sizeof(moments));
}

/* Particles pushed by those of their own and the neighbouring boxes. */
void reference_lavamd(void)
{
	static double particle[LAVA_BOXES * LAVA_PARTICLES][4], push[LAVA_BOXES * LAVA_PARTICLES][4];

	for (u32 i = 0; i < LAVA_BOXES * LAVA_PARTICLES * 4; i++)
		particle[i / 4][i % 4] = random_value(115, i, 0, 2, false);
	for (i32 i = 0; i < LAVA_BOXES * LAVA_PARTICLES; i++) {
		double sum[4] = {0};

		for (i32 k = 0; k < LAVA_BOXES * LAVA_PARTICLES; k++) {
			i32 boxes = k / LAVA_PARTICLES - i / LAVA_PARTICLES;
			double off[3], square = 0, near;

			for (u32 d = 0; d < 3; d++) {
				off[d] = particle[i][d] - particle[k][d];
				square += off[d] * off[d];
			}
			near = boxes >= -1 && boxes <= 1 ? particle[k][3] * exp(-0.5 * square) : 0;
			for (u32 d = 0; d < 3; d++)
				sum[d] += 2 * near * off[d];
			sum[3] += near;
		}
		for (u32 d = 0; d < 4; d++)
			push[i][d] = rounded(sum[d]);
	}
	emit("lavamd.want", push, sizeof(push));
}

/* The next number of a sequence, from -2^31 to 2^31, and its size as part of 2^31 - 1. */
static double uniform(i32 *seed)
{
	*seed = (i32)(1103515245u * (u32)*seed + 12345u) % INT32_MAX;
	return fabs((double)*seed / INT32_MAX);
}

/* Positions moved by normally distributed noise. */
void reference_noise(void)
{
	double position[NOISE_N];
	i32 seed[NOISE_N];

	for (u32 i = 0; i < NOISE_N; i++) {
		double u, v;

		seed[i] = whole(117, i, 1, 2000000000);
		u = uniform(&seed[i]);
		v = uniform(&seed[i]);
		position[i] = rounded(random_value(116, i, -10, 10, false) + 1 +
				      5 * sqrt(-2 * log(u)) * cos(2 * 3.14159265358979324 * v));
	}
	emit("noise_position.want", position, sizeof(position));
	emit("noise_seed.want", seed, sizeof(seed));
}
