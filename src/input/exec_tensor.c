/*
 * exec_tensor.c - products of small matrices by a warp, and the load that fetches them from shared memory.
 *
 * MMA is one step D = A x B + C of 16 x 8 elements over 16 bytes of depth: 8 halves, 4 tf32, 16 numbers of 8 bits, 32
 * of 4, or 128 bits. Lane l has row l / 4 of A and of C in the even registers, the row 8 below in the odd ones (C of 4
 * registers: in the upper two), and column l / 4 of B; along the depth, and along a row of C, the place of l % 4.
 * LDMATRIX gives lane l the two halves of row l / 4 at the place of l % 4, of each matrix; transposed: of column l / 4.
 * Its bytes are timed as shared out evenly among the lanes, as the banks deliver them. Deviations: a step's products
 * are summed in double with its C and rounded once, to nearest; PTX leaves order and rounding open. Lanes that do not
 * execute, which PTX forbids, count as zeros. LDMATRIX is not seen by the checks of shared memory. Source: PTX ISA 8.x,
 * sections 9.7.14 (mma, ldmatrix).
 *
 * MMA_QUAD is a part of m8n8k4 of halves, which each quad pair (lanes 4q to 4q + 3 and 4q + 16 to 4q + 19, eight
 * threads) does by itself: thread t has row t of A (by columns: of column t % 4, the four rows from t / 4 * 4 on), of B
 * likewise; sums of halves: row t of C; of f32: rows t % 2 + t / 4 * 4 and the second next, of columns t / 2 % 2 * 2
 * and its neighbour, and those four further. Source: the layouts of CUTLASS, include/cute/atom/mma_traits_sm70.hpp.
 * DMMA is m8n8k4 of doubles: lane l has row l / 4 and column l % 4 of A, column l / 4 and row l % 4 of B, of C row l /
 * 4 and the columns l % 4 * 2 and the next (mma_traits_sm80.hpp); products are added one after the other, each rounded
 * once.
 */
#include "exec_internal.h"
#include "exec_math.h"

#define TILE_M 16
#define TILE_N 8
#define MATRIX_ROWS 8
#define ROW_BYTES 16

/* A step's matrices as numbers; tile_k elements of depth. */
struct tile {
	double a[TILE_M][128], b[TILE_N][128], c[TILE_M][TILE_N];
};

/* Elements of 32 bits. */
static u32 per_register(u8 kind)
{
	if (kind >= MMA_S4)
		return kind < MMA_B1 ? 8 : 32;
	return kind < MMA_F16 || kind >= MMA_F8 ? 4 : kind == MMA_TF32 ? 1 : 2;
}

/* Element i of a register of A (or B). */
static double element_of(u8 kind, bool of_b, u32 word, u32 i)
{
	u32 byte = word >> 8 * (i & 3) & 0xff, part = word >> 4 * (i & 7) & 15;

	if (kind >= MMA_B1)
		return word >> i & 1;
	if (kind >= MMA_S4)
		return kind >> of_b & 1 ? (double)part : (double)((int)(part ^ 8) - 8);
	if (kind >= MMA_F8)
		return half_to((kind - MMA_F8) >> of_b & 1 ? e5m2_half(byte) : e4m3_half(byte));
	switch (kind) {
	case MMA_F16:
	case MMA_F16_F16: return half_to(word >> 16 * i & 0xffff);
	case MMA_BF16: return brain_to(word >> 16 * i & 0xffff);
	case MMA_TF32: return float_of(word & 0xffffe000);
	default: return kind >> of_b & 1 ? (double)byte : (double)(i8)byte;
	}
}

/* The registers of A and B become numbers. */
static void read_factors(u8 kind, u32 mask, const u32 *const *s, struct tile *t)
{
	u32 n = per_register(kind);

	for (u32 l = 0; l < WARP_LANES; l++)
		for (u32 i = 0; i < n; i++) {
			bool on = mask >> l & 1;
			u32 k = l % 4 * n + i;

			t->a[l / 4][k] = on ? element_of(kind, false, s[0][l], i) : 0;
			t->a[l / 4 + 8][k] = on ? element_of(kind, false, s[1][l], i) : 0;
			t->b[l / 4][k] = on ? element_of(kind, true, s[2][l], i) : 0;
		}
}

/* Where lane l's element i of C and D lies. */
static double *sum_at(struct tile *t, u32 l, u32 i)
{
	return &t->c[l / 4 + i / 2 * 8][l % 4 * 2 + i % 2];
}

/* C becomes numbers: 4 registers, or 2 of halves. */
static void read_sums(u8 kind, const u32 *const *c, struct tile *t)
{
	for (u32 l = 0; l < WARP_LANES; l++)
		for (u32 i = 0; i < 4; i++) {
			if (mma_sums_halves(kind))
				*sum_at(t, l, i) = half_to(c[i / 2][l] >> i % 2 * 16 & 0xffff);
			else
				*sum_at(t, l, i) =
					mma_of_integers(kind) ? (double)(i32)c[i][l] : (double)float_of(c[i][l]);
		}
}

/* The products are added; of bits with .xor those that differ are counted. */
static void multiply(u8 kind, struct tile *t)
{
	u32 depth = 4 * per_register(kind);

	for (u32 m = 0; m < TILE_M; m++)
		for (u32 n = 0; n < TILE_N; n++)
			for (u32 k = 0; k < depth; k++)
				t->c[m][n] += kind == MMA_B1 ? t->a[m][k] != t->b[n][k] : t->a[m][k] * t->b[n][k];
}

/* A sum as a register of D: integers wrap, or stay at their bounds with .satfinite. */
static u32 sum_bits(u8 kind, double x)
{
	if (!mma_of_integers(kind))
		return (u32)canonical_f32((float)x);
	return kind & 4 ? (u32)sat_s32((i64)x) : (u32)(i64)x;
}

/* D reaches the lanes that execute. */
static void write_sums(const struct front_env *env, const struct inst *in, u32 mask, struct tile *t)
{
	bool halves = mma_sums_halves(in->aux);
	u32 out[4][WARP_LANES];

	for (u32 l = 0; l < WARP_LANES; l++)
		for (u32 i = 0; i < 4; i += 1 + halves)
			out[halves ? i / 2 : i][l] =
				halves ? half_pair(half_of(*sum_at(t, l, i)), half_of(*sum_at(t, l, i + 1)))
				       : sum_bits(in->aux, *sum_at(t, l, i));
	for (u32 i = 0; i < in->ndst; i++)
		exec_register_write(env, in->dst[i], out[i], 1, mask);
}

void mma_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	struct lane_operand room[MAX_SRC];
	const u32 *s[MAX_SRC];
	struct tile t;

	if (!r->mask)
		return;
	for (u32 i = 0; i < MAX_SRC; i++) /* those that C of halves has not are read as A */
		s[i] = exec_source(env, in, i < in->nsrc ? i : 0, 'w', &room[i]);
	read_factors(in->aux, r->mask, s, &t);
	read_sums(in->aux, s + 3, &t);
	multiply(in->aux, &t);
	write_sums(env, in, r->mask, &t);
}

/* The factors of a quad pair's eight threads: row m of A, column n of B, depth k. */
struct quad {
	double a[8][4], b[8][4];
};

/* The lane of thread t of a quad pair. */
static u32 quad_lane(u32 pair, u32 t)
{
	return pair * 4 + t % 4 + t / 4 * 16;
}

static void read_quad(const struct inst *in, u32 mask, const u32 *const *s, u32 pair, struct quad *q)
{
	for (u32 t = 0; t < 8; t++)
		for (u32 e = 0; e < 4; e++) {
			u32 l = quad_lane(pair, t), m = t / 4 * 4 + e, k = t % 4;
			bool on = mask >> l & 1;

			*(in->aux & MMA_QUAD_A_COL ? &q->a[m][k] : &q->a[t][e]) =
				on ? half_to(s[e / 2][l] >> 16 * (e % 2) & 0xffff) : 0;
			*(in->aux & MMA_QUAD_B_ROW ? &q->b[m][k] : &q->b[t][e]) =
				on ? half_to(s[2 + e / 2][l] >> 16 * (e % 2) & 0xffff) : 0;
		}
}

/* A sum and the four products that come to it. */
static double quad_sum(const struct quad *q, u32 m, u32 n, double c)
{
	for (u32 k = 0; k < 4; k++)
		c += q->a[m][k] * q->b[n][k];
	return c;
}

/* Register i of a step of thread t, whose C is c. */
static u32 quad_word(const struct inst *in, const struct quad *q, u32 t, u32 i, u32 c)
{
	u32 v = (in->aux & MMA_QUAD_STEP) * 2 + i;

	if (in->aux & MMA_QUAD_HALVES)
		return half_pair(half_of(quad_sum(q, t, 2 * v, half_to(c & 0xffff))),
				 half_of(quad_sum(q, t, 2 * v + 1, half_to(c >> 16))));
	return (u32)canonical_f32((float)quad_sum(q, t % 2 + t / 4 * 4 + (v & 2), t / 2 % 2 * 2 + v % 2 + v / 4 * 4,
						  (double)float_of(c)));
}

void mma_quad_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	struct lane_operand room[6];
	u32 out[2][WARP_LANES];
	const u32 *s[6];
	struct quad q;

	for (u32 i = 0; i < 6; i++)
		s[i] = exec_source(env, in, i, 'w', &room[i]);
	for (u32 pair = 0; pair < 4; pair++) {
		read_quad(in, r->mask, s, pair, &q);
		for (u32 t = 0; t < 8; t++)
			for (u32 i = 0; i < 2; i++)
				out[i][quad_lane(pair, t)] = quad_word(in, &q, t, i, s[4 + i][quad_lane(pair, t)]);
	}
	for (u32 i = 0; i < 2; i++)
		exec_register_write(env, in->dst[i], out[i], 1, r->mask);
}

/* A lane's double of a pair of registers. */
static double pair_of(const u32 *words, u32 lane)
{
	u64 bits = words[lane] | (u64)words[WARP_LANES + lane] << 32;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

void dmma_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	u32 out[2][2 * WARP_LANES];
	struct lane_operand room[4];
	const u32 *s[4];

	for (u32 i = 0; i < 4; i++)
		s[i] = exec_source(env, in, i, 'd', &room[i]);
	for (u32 l = 0; l < WARP_LANES; l++)
		for (u32 i = 0; i < 2; i++) {
			double sum = pair_of(s[2 + i], l);
			u64 bits;

			for (u32 k = 0; k < 4; k++) {
				u32 a = l / 4 * 4 + k, b = (l % 4 * 2 + i) * 4 + k;

				sum = __builtin_fma(r->mask >> a & 1 ? pair_of(s[0], a) : 0,
						    r->mask >> b & 1 ? pair_of(s[1], b) : 0, sum);
			}
			bits = canonical_f64(sum);
			out[i][l] = (u32)bits;
			out[i][WARP_LANES + l] = (u32)(bits >> 32);
		}
	for (u32 i = 0; i < 2; i++)
		exec_register_write(env, in->dst[i], out[i], 2, r->mask);
}

/* The rows' addresses, checked; false after a fault. Rows of lanes that do not execute have none. */
static bool matrix_rows(const struct front_env *env, const struct inst *in, struct front_result *r, u32 *row)
{
	struct lane_operand room = {{0}};
	const u32 *base = exec_source(env, in, 0, 'w', &room);
	u32 size = env->shared ? env->launch->shared : 0;

	for (u32 l = 0; l < MATRIX_ROWS * in->vec; l++) {
		row[l] = base[l] + (u32)in->offset;
		if (!(r->mask >> l & 1) || (!(row[l] % ROW_BYTES) && row[l] < size && size - row[l] >= ROW_BYTES))
			continue;
		r->fault = row[l] % ROW_BYTES ? FAULT_SHARED_MISALIGNED : FAULT_SHARED_BOUNDS;
		r->fault_lane = (u8)l;
		r->fault_address = row[l];
		return false;
	}
	return true;
}

/* Element (row, column) of matrix m. */
static u32 matrix_element(const struct front_env *env, u32 mask, const u32 *row, u32 m, u32 i, u32 k)
{
	u32 lane = m * MATRIX_ROWS + i;
	u16 h = 0;

	if (mask >> lane & 1)
		memcpy(&h, env->shared + row[lane] + 2 * k, 2);
	return h;
}

void ldmatrix_issue(const struct front_env *env, const struct inst *in, struct front_result *r)
{
	u32 row[WARP_LANES] = {0}, out[WARP_LANES];

	r->span.known = 0;
	if (!r->mask || !matrix_rows(env, in, r, row))
		return;
	for (u32 m = 0; m < in->vec; m++) {
		for (u32 l = 0; l < WARP_LANES; l++) {
			u32 i = l / 4, k = l % 4 * 2;
			bool turn = in->aux == LDMATRIX_TRANS;

			out[l] = turn ? half_pair(matrix_element(env, r->mask, row, m, k, i),
						  matrix_element(env, r->mask, row, m, k + 1, i))
				      : half_pair(matrix_element(env, r->mask, row, m, i, k),
						  matrix_element(env, r->mask, row, m, i, k + 1));
		}
		exec_register_write(env, in->dst[m], out, 1, r->mask);
	}
	for (u32 l = 0; l < WARP_LANES; l++)
		r->address[l] = row[l * in->vec / 4] + l * in->vec % 4 * 4;
}
