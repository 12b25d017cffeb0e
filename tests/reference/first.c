/*
 * first.c - the kernels that came first: products, sums, a graph, a stencil, and what clang's PTX computes in
 * tests/ptx.
 */
#include "reference.h"

#define MATMUL_N 64
#define REDUCE_N 8192
#define REDUCE_PART 512
#define BFS_NODES 1000
#define BFS_EDGES_MAX 8
#define COLLATZ_N 2048
#define COLLATZ_FIRST 1
#define COLLATZ_LIMIT 10000
#define HISTOGRAM_N 5000
#define HISTOGRAM_BINS 64
#define DOT_N 3000
#define DOT_BLOCKS 4
#define DOT_THREADS 128
#define STENCIL_NX 60
#define STENCIL_NY 45

/* c = a b; the inputs are small whole numbers, so that every order of summing gives the same floats. */
void reference_matmul(void)
{
	static float c[MATMUL_N * MATMUL_N];

	for (u32 row = 0; row < MATMUL_N; row++)
		for (u32 column = 0; column < MATMUL_N; column++) {
			double sum = 0;

			for (u32 k = 0; k < MATMUL_N; k++)
				sum += random_value(1, row * MATMUL_N + k, -4, 4, true) *
				       random_value(2, k * MATMUL_N + column, -4, 4, true);
			c[row * MATMUL_N + column] = (float)sum;
		}
	emit("matmul.want", c, sizeof(c));
}

/* One sum for each part of the input. */
void reference_reduce(void)
{
	i32 partial[REDUCE_N / REDUCE_PART] = {0};

	for (u32 i = 0; i < REDUCE_N; i++)
		partial[i / REDUCE_PART] += (i32)random_value(3, i, -100, 100, true);
	emit("reduce.want", partial, sizeof(partial));
}

/* A random graph in which low nodes have many edges and some nodes are never reached; its levels by a queue. */
void reference_bfs(void)
{
	static i32 row[BFS_NODES + 1], edge[BFS_NODES * BFS_EDGES_MAX], level[BFS_NODES], queue[BFS_NODES];
	u32 edges = 0, head = 0, tail = 0;

	for (u32 node = 0; node < BFS_NODES; node++) {
		u32 degree = (u32)(mix64(node) % (node < BFS_NODES / 10 ? BFS_EDGES_MAX : 4));

		row[node] = (i32)edges;
		for (u32 e = 0; e < degree; e++)
			edge[edges++] = (i32)(mix64(node * BFS_EDGES_MAX + e + 77) % BFS_NODES);
	}
	row[BFS_NODES] = (i32)edges;
	for (u32 node = 0; node < BFS_NODES; node++)
		level[node] = node ? -1 : 0;
	emit("bfs_level.in", level, sizeof(level));
	for (queue[tail++] = 0; head < tail; head++)
		for (i32 e = row[queue[head]]; e < row[queue[head] + 1]; e++) {
			if (level[edge[e]] >= 0)
				continue;
			level[edge[e]] = level[queue[head]] + 1;
			queue[tail++] = edge[e];
		}
	emit("bfs_row.in", row, sizeof(row));
	emit("bfs_edge.in", edge, edges * sizeof(*edge));
	emit("bfs.want", level, sizeof(level));
}

/* Steps to 1, and whether the sequence passed the limit. */
void reference_collatz(void)
{
	u16 steps[COLLATZ_N];
	u8 high[COLLATZ_N];

	for (u32 i = 0; i < COLLATZ_N; i++) {
		u64 x = COLLATZ_FIRST + i;

		steps[i] = 0;
		high[i] = 0;
		for (; x > 1; steps[i]++) {
			x = x & 1 ? 3 * x + 1 : x >> 1;
			if (x > COLLATZ_LIMIT)
				high[i] = 1;
		}
	}
	emit("collatz_steps.want", steps, sizeof(steps));
	emit("collatz_high.want", high, sizeof(high));
}

/* Value of the stencil's input at (x, y). */
static double stencil_in(u32 x, u32 y)
{
	return random_value(5, y * STENCIL_NX + x, -1, 1, false);
}

/* Half of a cell and an eighth of each neighbour; the border is kept. */
void reference_stencil(void)
{
	static double out[STENCIL_NX * STENCIL_NY];

	for (u32 y = 0; y < STENCIL_NY; y++)
		for (u32 x = 0; x < STENCIL_NX; x++) {
			bool border = !x || !y || x == STENCIL_NX - 1 || y == STENCIL_NY - 1;
			double *cell = &out[y * STENCIL_NX + x];

			*cell = stencil_in(x, y);
			if (!border)
				*cell = 0.5 * *cell + 0.125 * (stencil_in(x - 1, y) + stencil_in(x + 1, y) +
							       stencil_in(x, y - 1) + stencil_in(x, y + 1));
		}
	emit("stencil5.want", out, sizeof(out));
}

/* How often each value of a byte's upper six bits occurs. */
void reference_histogram(void)
{
	u32 bins[HISTOGRAM_BINS] = {0};

	for (u32 i = 0; i < HISTOGRAM_N; i++)
		bins[(u32)random_value(41, i, 0, 255, true) >> 2]++;
	emit("histogram.want", bins, sizeof(bins));
}

/* Partial dot products of small whole numbers: exact in any order. */
void reference_dot(void)
{
	double partial[DOT_BLOCKS] = {0};

	for (u32 i = 0; i < DOT_N; i++)
		partial[i / DOT_THREADS % DOT_BLOCKS] +=
			random_value(51, i, -10, 10, true) * random_value(52, i, -10, 10, true);
	emit("dot.want", partial, sizeof(partial));
}
