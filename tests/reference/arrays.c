/*
 * arrays.c - sums, sorting, counting and searching in arrays. Floats are whole numbers, so that every order of adding
 * them gives the same.
 */
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHUFFLE_N 4000
#define SHUFFLE_BLOCKS 3
#define SHUFFLE_THREADS 160
#define RANK_N 500
#define SPMV_N 200
#define SPMV_MOST 80
#define HISTOGRAM256_N 12000
#define HISTOGRAM_LOAD_N 2211840
#define BITONIC_N 1024
#define RADIX_N 768
#define RADIX_BLOCK 256
#define BITONIC_BLOCK 512
#define ODDEVEN_N 1536
#define ODDEVEN_BLOCK 512
#define OPTIONS_N 600
#define KMEANS_N 700
#define KMEANS_CENTRES 7
#define KMEANS_DIMENSIONS 6
#define STREAM_N 600
#define STREAM_DIMENSIONS 5
#define STREAM_CENTRES 5
#define STREAM_CANDIDATE 37
#define FWT_N 512
#define FWT_VECTORS 2
#define ATOMIC_N 1000
#define BTREE_KEYS 8
#define TPACF_N 200
#define TPACF_CLASSES 12
#define MATCH_N 300
#define MATCH_LETTERS 24
#define MATCH_LENGTH 2

/* One sum for each block; in each warp the positive elements counted from its first lane. */
void reference_shuffle(void)
{
	i32 partial[SHUFFLE_BLOCKS] = {0}, rank[RANK_N], count[(RANK_N + 31) / 32] = {0};

	for (u32 i = 0; i < SHUFFLE_N; i++)
		partial[i / SHUFFLE_THREADS % SHUFFLE_BLOCKS] += whole(62, i, -100, 100);
	for (u32 i = 0; i < RANK_N; i++)
		rank[i] = whole(62, i, -100, 100) > 0 ? count[i / 32]++ : -1;
	emit("shuffle_sum.want", partial, sizeof(partial));
	emit("shuffle_rank.want", rank, sizeof(rank));
	emit("shuffle_count.want", count, sizeof(count));
}

/* A matrix with mostly short rows, a few long ones and some empty ones, times a vector. */
void reference_spmv(void)
{
	static i32 row[SPMV_N + 1], column[SPMV_N * SPMV_MOST];
	float y[SPMV_N];
	i32 n = 0;

	for (u32 r = 0; r < SPMV_N; r++) {
		u32 most = mix64(r + 500) % 20 ? 9 : SPMV_MOST, degree = (u32)(mix64(r + 900) % most);
		float sum = 0;

		row[r] = n;
		for (u32 k = 0; k < degree; k++, n++) {
			column[n] = (i32)(mix64((u64)n + 5000) % SPMV_N);
			sum += (float)(whole(63, (u64)n, -4, 4) * whole(64, (u64)column[n], -9, 9));
		}
		y[r] = sum;
	}
	row[SPMV_N] = n;
	emit("spmv_row.in", row, sizeof(row));
	emit("spmv_column.in", column, (size_t)n * sizeof(*column));
	emit("spmv.want", y, sizeof(y));
}

/* How often each byte occurs, in few and in many. */
void reference_histogram256(void)
{
	u32 bins[256] = {0};

	for (u32 i = 0; i < HISTOGRAM256_N; i++)
		bins[whole(65, i, 0, 60)]++;
	emit("histogram256.want", bins, sizeof(bins));
	memset(bins, 0, sizeof(bins));
	for (u32 i = 0; i < HISTOGRAM_LOAD_N; i++)
		bins[whole(133, i, 0, 255)]++;
	emit("histogram_load.want", bins, sizeof(bins));
}

static int compare_u32(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

/* `n` keys of a series up to `most`, those of each block in order. */
static void sorted_blocks(const char *file, u32 n, u32 block, u32 series, u32 most)
{
	u32 *key = malloc(n * sizeof(*key));

	for (u32 i = 0; i < n; i++)
		key[i] = (u32)whole(series, i, 0, most);
	for (u32 first = 0; first < n; first += block)
		qsort(key + first, block, sizeof(*key), compare_u32);
	emit(file, key, n * sizeof(*key));
	free(key);
}

/* The keys of each block in order. */
void reference_bitonic(void)
{
	sorted_blocks("bitonic.want", BITONIC_N, BITONIC_BLOCK, 66, 1000);
}

/* The same in smaller blocks. */
void reference_radixsort(void)
{
	sorted_blocks("radixsort.want", RADIX_N, RADIX_BLOCK, 140, 65535);
}

/* The same, without values. */
void reference_oddeven(void)
{
	sorted_blocks("oddeven.want", ODDEVEN_N, ODDEVEN_BLOCK, 135, 1000);
}

/* The normal distribution. */
static double normal(double d)
{
	return 0.5 * erfc(-d / sqrt(2));
}

/* European options by the formula of Black and Scholes. */
void reference_blackscholes(void)
{
	float call[OPTIONS_N], put[OPTIONS_N];

	for (u32 i = 0; i < OPTIONS_N; i++) {
		double stock = real(67, i, 5, 30), strike = real(68, i, 1, 100), years = real(69, i, 0.25, 10);
		double rate = 0.02, volatility = 0.3, now = strike * exp(-rate * years);
		double d1 = (log(stock / strike) + (rate + volatility * volatility / 2) * years) /
			    (volatility * sqrt(years));
		double d2 = d1 - volatility * sqrt(years);

		call[i] = (float)(stock * normal(d1) - now * normal(d2));
		put[i] = (float)(now * normal(-d2) - stock * normal(-d1));
	}
	emit("blackscholes_call.want", call, sizeof(call));
	emit("blackscholes_put.want", put, sizeof(put));
}

/* The nearest centre of each point, the first of equal ones; every point was with centre 0. */
void reference_kmeans(void)
{
	static const i32 centre[KMEANS_CENTRES][KMEANS_DIMENSIONS] = {
		{0, 0, 0, 0, 0, 0},    {5, 5, -5, -5, 0, 0}, {-5, 5, 5, -5, 0, 0}, {5, -5, 0, 0, 5, -5},
		{-5, -5, 0, 0, -5, 5}, {0, 0, 6, 6, 6, 6},   {0, 0, -6, -6, -6, 6}};
	u8 member[KMEANS_N];
	i32 changed = 0;

	for (u32 i = 0; i < KMEANS_N; i++) {
		i32 least = INT32_MAX;

		member[i] = 0;
		for (u32 c = 0; c < KMEANS_CENTRES; c++) {
			i32 sum = 0;

			for (u32 d = 0; d < KMEANS_DIMENSIONS; d++) {
				i32 off = whole(70, d * KMEANS_N + i, -9, 9) - centre[c][d];

				sum += off * off;
			}
			if (sum < least) {
				least = sum;
				member[i] = (u8)c;
			}
		}
		changed += member[i] != 0;
	}
	emit("kmeans_member.want", member, sizeof(member));
	emit("kmeans_changed.want", &changed, sizeof(changed));
}

/* Partial sums of 16 inputs to 16 hidden units. */
void reference_backprop(void)
{
	float partial[4 * 16] = {0};

	for (u32 i = 0; i < 64 * 16; i++)
		partial[i / 256 * 16 + i % 16] += (float)(whole(71, i / 16, -3, 3) * whole(72, i, -8, 8));
	emit("backprop.want", partial, sizeof(partial));
}

/* What a new centre saves, and what closing each old centre would. */
void reference_streamcluster(void)
{
	i32 saving[1 + STREAM_CENTRES] = {0};

	for (u32 i = 0; i < STREAM_N; i++) {
		i32 sum = 0;

		for (u32 d = 0; d < STREAM_DIMENSIONS; d++) {
			i32 off =
				whole(75, d * STREAM_N + i, -5, 5) - whole(75, d * STREAM_N + STREAM_CANDIDATE, -5, 5);

			sum += off * off;
		}
		sum = sum * whole(76, i, 1, 3) - whole(77, i, 0, 300);
		if (sum < 0)
			saving[0] -= sum;
		else
			saving[1 + whole(78, i, 0, STREAM_CENTRES - 1)] += sum;
	}
	emit("streamcluster.want", saving, sizeof(saving));
}

/* The Walsh transform by its definition. */
void reference_fwt(void)
{
	float out[FWT_VECTORS * FWT_N];

	for (u32 i = 0; i < FWT_VECTORS * FWT_N; i++) {
		u32 first = i / FWT_N * FWT_N;
		i32 sum = 0;

		for (u32 k = 0; k < FWT_N; k++)
			sum += whole(79, first + k, -9, 9) * (__builtin_parity(i % FWT_N & k) ? -1 : 1);
		out[i] = (float)sum;
	}
	emit("fwt.want", out, sizeof(out));
}

/* The words before and after. */
void reference_atomic64(void)
{
	u64 w[9] = {[2] = ~0ULL, [5] = ~0ULL, [8] = 1};

	emit("atomic64.in", w, sizeof(w));
	for (u64 i = 0; i < ATOMIC_N; i++) {
		u64 scrambled = (i + 1) * 0x9e3779b97f4a7c15ULL;

		w[0] += i << 33;
		w[1] = max_u64(w[1], scrambled);
		w[2] = min_u64(w[2], scrambled);
		w[3] |= 1ULL << i % 61;
		w[4] ^= scrambled;
		w[5] &= ~(1ULL << i % 37);
		w[7] += w[6] * w[6];
		w[6]++;
		w[8] *= i % 8 ? 1 : 3;
	}
	emit("atomic64.want", w, sizeof(w));
}

/* A tree of three levels: keys 0, 3, 6, ... in order; nodes of a level lie in disorder. A value is 7 times the key's
 * number + 1. */
void reference_btree(void)
{
	struct {
		i32 key[BTREE_KEYS], link[BTREE_KEYS];
	} node[1 + 8 + 64];

	for (i32 k = 0; k < BTREE_KEYS; k++) {
		i32 middle = 1 + k * 5 % 8;

		node[0].key[k] = 3 * 64 * k;
		node[0].link[k] = middle;
		for (i32 j = 0; j < BTREE_KEYS; j++) {
			i32 leaf = 9 + (8 * k + j) * 37 % 64;

			node[middle].key[j] = 3 * 8 * (8 * k + j);
			node[middle].link[j] = leaf;
			for (i32 i = 0; i < BTREE_KEYS; i++) {
				node[leaf].key[i] = 3 * (8 * (8 * k + j) + i);
				node[leaf].link[i] = 7 * (8 * (8 * k + j) + i) + 1;
			}
		}
	}
	emit("btree.in", node, sizeof(node));
}

/* Pairs of points by their inner product. */
void reference_tpacf(void)
{
	static const i32 least[TPACF_CLASSES] = {-32768, -400, -220, -130, -70, -30, 0, 30, 70, 130, 220, 400};
	u32 pairs[TPACF_CLASSES] = {0};

	for (u32 i = 0; i < TPACF_N; i++)
		for (u32 k = 0; k < i; k++) {
			i32 product = 0;
			u32 class = TPACF_CLASSES - 1;

			for (u64 seed = 110; seed < 113; seed++)
				product += whole(seed, i, -20, 20) * whole(seed, k, -20, 20);
			while (product < least[class])
				class --;
			pairs[class]++;
		}
	emit("tpacf.want", pairs, sizeof(pairs));
}

/* Letter k of line i. */
static i32 letter(u32 i, u32 k)
{
	return whole(113, i * MATCH_LETTERS + k, 97, 108);
}

/* Where a word of two letters begins in each line; -1: only its first letter occurs, -2: not even that. */
void reference_match(void)
{
	i32 first = whole(114, 0, 97, 108), second = whole(114, 1, 97, 108);
	i16 place[MATCH_N];

	for (u32 i = 0; i < MATCH_N; i++) {
		place[i] = -2;
		for (u32 k = MATCH_LETTERS; k-- > 0;)
			if (letter(i, k) == first && k + 1 < MATCH_LETTERS && letter(i, k + 1) == second)
				place[i] = (i16)k;
			else if (letter(i, k) == first && place[i] < -1)
				place[i] = -1;
	}
	emit("match.want", place, sizeof(place));
}
