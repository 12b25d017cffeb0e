/*
 * test_ptx_run.c - kernels of tests/ptx/families.cu, each heavy in one family of constructs, loaded from what nvcc made
 * of them in two dialects and run without timing, and others from clang; what they leave is worked out again here in C.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ptx_bed.h"

static const char *const files[] = {"tests/ptx/families75.ptx", "tests/ptx/families100.ptx"};

/* A mask like a ballot's: lanes of a warp for which f holds. */
#define BALLOT(lane, condition) \
	({ \
		u32 m_ = 0; \
		for (i32 lane = 0; lane < 32; lane++) \
			m_ |= (condition) ? 1u << lane : 0; \
		m_; \
	})

struct node {
	i32 key;
	float weight;
	double big;
	u8 flag;
	i16 s[3];
};

static float poly(float x, i32 n)
{
	float r = 0;

	for (i32 i = 0; i < n; i++) {
		if (r > 100.f)
			return r;
		r = __builtin_fmaf(r, x, (float)i);
	}
	return r;
}

static i32 outer(i32 x)
{
	return x > 3 ? (i32)poly((float)x, 5) + (i32)poly(1.5f, x) : -1;
}

/* Functions: scalars, structs by value and back, early returns, calls in calls. */
static void test_calls(void **state UNUSED)
{
	enum { N = 100 };

	for (u32 f = 0; f < ARRAY_LEN(files); f++) {
		struct node node[N] = {0}, got[N];
		struct bed b;
		u64 out, real, nodes;

		bed_open(&b, files[f], "calls", 2, 64);
		out = give_buffer(&b, 4 * N);
		real = give_buffer(&b, 4 * N);
		nodes = give_buffer(&b, sizeof(node));
		give_int(&b, N);
		bed_fill(&b);
		for (i32 i = 0; i < N; i++)
			node[i] = (struct node){.key = 5 * i,
						.weight = i * 0.5f,
						.big = i * 1.25,
						.flag = (u8)(i * 7),
						.s = {(i16)i, (i16)-i, 9}};
		store_poke(&b.store, nodes, node, sizeof(node));
		bed_good(&b);
		store_read(&b.store, nodes, got, sizeof(got));
		for (i32 i = 0; i < N; i++) {
			double d = (1. * 3 - 2. * 2) + (2. * 1 - (double)i * 3) + ((double)i * 2 - 1. * 1);
			i32 want;
			i64 v;

			node[i].key += i;
			node[i].weight *= 2;
			node[i].big -= i;
			node[i].flag ^= 1;
			node[i].s[i & 1] = (i16)(node[i].s[i & 1] + 3);
			assert_true(node[i].key == got[i].key && node[i].weight == got[i].weight &&
				    node[i].big == got[i].big);
			assert_true(node[i].flag == got[i].flag && !memcmp(node[i].s, got[i].s, sizeof(got[i].s)));
			want = (node[i].flag & 1) + outer(i);
			v = (i64)want * (i & 1 ? 1 : -1);
			if (v >= 0)
				want = (i32)v + 7;
			assert_int_equal(int_at(&b, out, (u32)i), want);
			if (float_at(&b, real, (u32)i) != poly((float)i * 0.25f, 3 + i % 5) + (float)d)
				fail_msg("%s: f[%d] = %g", files[f], i, (double)float_at(&b, real, (u32)i));
		}
		bed_close(&b);
	}
}

/* What table[] of pointers.cu holds. */
static float by_table(u32 f, float a, float b)
{
	return f == 0 ? a + b : f == 1 ? a * b : a < b ? a : b + 1;
}

/* What twice() of object i gives there. */
static float by_object(i32 i, float x)
{
	float square = x * x + (float)i;

	return i % 3 == 0 ? 2 * square : i % 3 == 1 ? 2 * (3 * x - (float)i) : 4 * square;
}

/* Kernels are called what their source calls them, overloads with their parameters; the file's symbols find them, too.
 */
static void test_names_of_kernels(void **state UNUSED)
{
	static const char *const row[][2] = {{"add", "_Z3addPfPKf"},
					     {"fill(float*)", "_Z4fillPf"},
					     {"fill(int*)", "_Z4fillPi"},
					     {"fill(double*)", "_Z4fillPd"},
					     {"img::scale<float,4>", "_ZN3img5scaleIfLi4EEEvPT_S1_"},
					     {"img::scale<int,2>", "_ZN3img5scaleIiLi2EEEvPT_S1_"}};
	struct bed b;

	bed_open(&b, "tests/ptx/named.ptx", "img::scale<float,4>", 1, 32);
	assert_int_equal(b.module->nkernel, ARRAY_LEN(row));
	for (u32 i = 0; i < ARRAY_LEN(row); i++) {
		const struct kernel *k = NULL;

		for (u32 j = 0; j < b.module->nkernel; j++)
			if (kernel_is_called(&b.module->kernel[j], row[i][0]))
				k = &b.module->kernel[j];
		assert_non_null(k);
		assert_string_equal(k->name, row[i][0]);
		assert_string_equal(kernel_symbol(k), row[i][1]);
		assert_true(kernel_is_called(k, row[i][1]));
		assert_false(kernel_is_called(k, "fill"));
	}
	give_buffer(&b, 4 * 32);
	give_int(&b, 1);
	bed_close(&b);
}

/* Calls through a table that lies in memory, each lane its own; through a register; of virtual functions that call
 * others. */
static void test_pointers(void **state UNUSED)
{
	enum { N = 64 };
	static const char *const kernel[] = {"by_table", "by_move", "by_object"};

	for (u32 k = 0; k < ARRAY_LEN(kernel); k++) {
		struct bed b;
		u64 a;

		bed_open(&b, "tests/ptx/pointers.ptx", kernel[k], 1, N);
		a = give_buffer(&b, 4 * N);
		if (k < 2)
			give_int(&b, 1);
		bed_fill(&b);
		for (i32 i = 0; i < N; i++)
			store_poke(&b.store, a + 4 * (u32)i, &(float){(float)i / 4}, 4);
		bed_good(&b);
		for (i32 i = 0; i < N; i++) {
			float x = (float)i / 4, want = x;

			if (k == 2)
				want = by_object(i, x);
			else if (k == 1)
				want = by_table(i / 32 == 1 ? 1 : 2, x, 3) + 1;
			else if (i % 5)
				want = by_table((u32)(i + 1) % 3, x, 2.5f);
			if (float_at(&b, a, (u32)i) != want)
				fail_msg("%s: a[%d] = %g, not %g", kernel[k], i, (double)float_at(&b, a, (u32)i),
					 (double)want);
		}
		bed_close(&b);
	}
}

#define OTHER ".func (.reg .u32 r) other(.reg .u32 x) { mov.u32 r, 5; ret; }\n"
#define CALLER ".func (.reg .u32 r) caller(.reg .u32 x) { call (r), other, (x); call.uni (r), other, (x); ret; }\n"
/* down(n) calls itself through a pointer; the address of `other` is not taken; those of `wide`, `none` and `two` are,
 * but they have other parameters. */
#define POINTERS(functions) \
	".version 7.0\n.target sm_70\n.address_size 64\n" \
	".func (.reg .u32 r) same(.reg .u32 x) { mov.u32 r, x; ret; }\n" functions \
	".func (.param .b32 r) wide(.param .b64 x) { ret; }\n.func none(.reg .u32 x) { ret; }\n" \
	".func (.reg .u32 r) two(.reg .u32 x, .reg .u32 y) { ret; }\n" \
	".func (.reg .u32 r) down(.reg .u32 x) { .reg .pred p; .reg .u64 f; .reg .u32 y; mov.u32 r, x;\n" \
	"  setp.eq.u32 p, x, 0; @p ret; sub.u32 y, x, 1; mov.u64 f, down; call (r), f, (y), proto; ret;\n" \
	"  proto: .callprototype (.reg .u32 _) _ (.reg .u32 _); }\n" \
	".global .u64 table[7] = {same, down, wide, 0, 77, none, two};\n" \
	".global .u8 bytes[8] = {0xff(same), 0xff00(same), 0xff0000(same), 0xff000000(same), 0xff00000000(same),\n" \
	"  0xff0000000000(same), 0xff000000000000(same), 0xff00000000000000(same)};\n" \
	".visible .entry k(.param .u64 o, .param .u32 m, .param .u32 z) {\n" \
	".reg .u64 a, f, g, i; .reg .u32 n, r, x, t; .reg .pred p;\n" \
	"targets: .calltargets same, down;\n" \
	"ld.param.u64 a, [o]; ld.param.u32 n, [m]; ld.param.u32 x, [z]; mov.u32 t, %tid.x; mov.u32 r, 9;\n" \
	"mul.wide.u32 i, n, 8; mov.u64 f, table; add.u64 f, f, i; ld.global.u64 f, [f]; ld.global.u64 g, [bytes];\n" \
	"setp.ge.u32 p, t, 16; @p call (r), f, (x), targets; @!p call (r), g, (t), targets;\n" \
	"mul.wide.u32 i, t, 4; add.u64 a, a, i; st.global.u32 [a], r; ret; }\n"

/* What is no function, none that fits, or calls itself again traps; lanes without the guard do not call. */
static void test_pointers_that_trap(void **state UNUSED)
{
	static const struct {
		i32 n, x;
		enum status status;
	} rows[] = {{0, 7, STATUS_OK},	  {1, 0, STATUS_OK},	{1, 1, STATUS_CHECK}, {2, 7, STATUS_CHECK},
		    {3, 7, STATUS_CHECK}, {4, 7, STATUS_CHECK}, {5, 7, STATUS_CHECK}, {6, 7, STATUS_CHECK}};

	for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
		struct error e = {0};
		struct bed b;
		u64 out;

		bed_text(&b, POINTERS(OTHER), "k", 1, 32);
		out = give_buffer(&b, 128);
		give_int(&b, rows[i].n);
		give_int(&b, rows[i].x);
		bed_fill(&b);
		assert_int_equal(bed_run(&b, &e), rows[i].status);
		for (i32 t = 0; !rows[i].status && t < 32; t++)
			assert_int_equal(int_at(&b, out, (u32)t), t < 16 ? t : rows[i].x);
		if (rows[i].status)
			assert_non_null(strstr(e.message, "trap"));
		bed_close(&b);
	}
}

static u32 instructions(const char *text)
{
	struct bed b;

	bed_text(&b, text, "k", 1, 32);
	u32 n = b.launch.kernel->ninst;
	bed_close(&b);
	return n;
}

/* A function whose address nobody takes is not compared with; to call it takes none. */
static void test_pointers_to_none(void **state UNUSED)
{
	assert_int_equal(instructions(POINTERS(OTHER)), instructions(POINTERS("")));
	assert_int_equal(instructions(POINTERS(OTHER CALLER)), instructions(POINTERS("")));
}

/* An array indexed by values lies in local memory. */
static void test_local(void **state UNUSED)
{
	enum { N = 61 };

	for (u32 f = 0; f < ARRAY_LEN(files); f++) {
		struct bed b;
		i32 in[N];
		u64 out, from;

		bed_open(&b, files[f], "local", 1, N);
		out = give_buffer(&b, 4 * N);
		from = give_buffer(&b, 4 * N);
		give_int(&b, N);
		assert_int_equal(b.launch.kernel->local_bytes, 64);
		bed_fill(&b);
		for (i32 i = 0; i < N; i++)
			in[i] = i * i + 3;
		store_poke(&b.store, from, in, sizeof(in));
		bed_good(&b);
		for (i32 i = 0; i < N; i++) {
			i32 a[16];
			u32 s = 0;

			for (i32 k = 0; k < 16; k++)
				a[k] = in[(i + k) % N];
			for (i32 k = 0; k < 16; k++)
				s = s * 3 + (u32)a[(k * in[i]) & 15];
			a[s & 15] = 7;
			assert_int_equal(int_at(&b, out, (u32)i), (i32)(s + (u32)a[in[i] & 15]));
		}
		bed_close(&b);
	}
}

/* shfl, vote, match, activemask, lane masks in a full warp. */
static void test_warp(void **state UNUSED)
{
	for (u32 f = 0; f < ARRAY_LEN(files); f++) {
		struct bed b;
		u64 out, masks;
		i32 sum = 0, v[32];

		bed_open(&b, files[f], "warp", 1, 32);
		out = give_buffer(&b, 128);
		masks = give_buffer(&b, 128);
		give_int(&b, 32);
		bed_fill(&b);
		for (i32 i = 0; i < 32; i++) {
			store_poke(&b.store, out + 4 * (u32)i, &(i32){i * 3 - 5}, 4);
			sum += i * 3 - 5;
		}
		bed_good(&b);
		for (i32 i = 0; i < 32; i++)
			v[i] = sum + ((i & 7) + 3 < 8 ? i + 3 : i) + (i >= 2 ? i - 2 : i) * 2 + (i ^ 5);
		for (i32 i = 0; i < 32; i++)
			v[i] += BALLOT(l, v[l] > 0) == ~0u;
		for (u32 any = BALLOT(l, v[l] == l), i = 0; i < 32; i++)
			v[i] += any ? 2 : 0;
		for (i32 i = 0; i < 32; i++) {
			u32 m = BALLOT(l, l & 1);

			if (i & 4)
				m = (m ^ BALLOT(l, l & 4)) + BALLOT(l, (l & 4) && (l & 3) == (i & 3));
			m += ~0u;
			m += 1;
			m += (1u << i) - 1;
			assert_int_equal(int_at(&b, out, (u32)i), v[i]);
			assert_int_equal((u32)int_at(&b, masks, (u32)i), m);
		}
		bed_close(&b);
	}
}

/* Atomics of all types on both memories, where the order does not matter. */
static void test_atomics(void **state UNUSED)
{
	enum { N = 70 };

	for (u32 f = 0; f < ARRAY_LEN(files); f++) {
		struct bed b;
		u64 a, u, l, r, d;
		u32 x = 0;
		double real;

		bed_open(&b, files[f], "atoms", 1, N);
		a = give_buffer(&b, 64);
		u = give_buffer(&b, 64);
		l = give_buffer(&b, 64);
		r = give_buffer(&b, 64);
		d = give_buffer(&b, 64);
		bed_fill(&b);
		store_poke(&b.store, u + 8, &(u32){0xffffffff}, 4);
		bed_good(&b);
		for (u32 i = 0; i < N; i++)
			x ^= i;
		assert_int_equal(int_at(&b, a, 0), N * (N - 1) / 2);
		assert_int_equal(int_at(&b, a, 1), 0);
		assert_int_equal(int_at(&b, a, 2), N - 1);
		assert_int_equal(int_at(&b, a, 3), 9);
		assert_int_equal(int_at(&b, a, 4), 7);
		assert_int_equal(int_at(&b, a, 5), N * (N - 1) / 2);
		assert_int_equal(int_at(&b, u, 0), N % 11);
		assert_int_equal(int_at(&b, u, 1), (11 - N % 11) % 11);
		assert_int_equal(int_at(&b, u, 3), -1);
		assert_int_equal((u32)int_at(&b, u, 4), x);
		assert_int_equal(long_at(&b, l, 0), (u64)(N * (N - 1) / 2) << 33);
		assert_int_equal(long_at(&b, l, 1), N - 1);
		assert_int_equal(long_at(&b, l, 2), 5);
		assert_int_equal(long_at(&b, l, 3), (u64)N << 40);
		assert_true(float_at(&b, r, 0) == N && float_at(&b, r, 1) == N * 1.5f);
		store_read(&b.store, d, &real, 8);
		assert_true(real == N * 0.5);
		bed_close(&b);
	}
}

/* One pointer into shared, global and local memory; tables of addresses and strings; a generic atomic. */
static void test_generic(void **state UNUSED)
{
	static const i32 table[] = {3, 1, 4, 1}, link[] = {1, 3, 0};
	static const char *const name[] = {"alpha", "be"}, *const rec[] = {"one", "two"};
	static const float coef[] = {1, 2, 3, 0};
	enum { N = 64 };

	for (u32 f = 0; f < ARRAY_LEN(files); f++) {
		struct bed b;
		i32 before[256];
		u64 out;

		bed_open(&b, files[f], "generic", 1, N);
		out = give_buffer(&b, sizeof(before));
		give_int(&b, N);
		bed_fill(&b);
		for (i32 i = 0; i < 256; i++)
			before[i] = i * 11;
		store_poke(&b.store, out, before, sizeof(before));
		bed_good(&b);
		for (i32 i = 0; i < N; i++) {
			i32 local[] = {5, 6, 7, i};
			i32 v = i % 3 == 0 ? i * 2 : i % 3 == 1 ? before[i] : local[i & 3];
			i32 want = v + table[link[i % 3]] + name[i & 1][i & 1] + rec[i & 1][1] + (i32)coef[i & 3];

			assert_int_equal(int_at(&b, out, 64 + (u32)i), want);
		}
		assert_int_equal(int_at(&b, out, 200), 200 * 11 + N / 2);
		assert_int_equal(int_at(&b, out, 201), N / 2);
		bed_close(&b);
	}
}

/* Two names of dynamic shared memory are one memory. */
static void test_dynamic(void **state UNUSED)
{
	enum { N = 96 };

	for (u32 f = 0; f < ARRAY_LEN(files); f++) {
		struct bed b;
		u64 out, wide;
		double d;

		bed_open(&b, files[f], "dyn", 1, N);
		out = give_buffer(&b, 4 * N);
		wide = give_buffer(&b, 8 * N);
		b.launch.dynamic_shared = 8 * N;
		bed_fill(&b);
		bed_good(&b);
		for (u32 i = 0; i < N; i++) {
			assert_true(float_at(&b, out, i) == (float)(N - 1 - i));
			store_read(&b.store, wide + 8 * i, &d, 8);
			assert_true(d == (i + 1) % N * .5);
		}
		bed_close(&b);
	}
}

/* A struct as a parameter, with a pointer and bytes in it. */
static void test_structs(void **state UNUSED)
{
	struct {
		i32 n, pad[3];
		float c[4];
		u64 p;
		u8 b[5], pad2[3];
	} args = {.n = 100, .c = {1, 2, 30, 4}, .b = {1, 2, 3, 4, 250}};

	for (u32 f = 0; f < ARRAY_LEN(files); f++) {
		struct bed b;
		u64 out;

		bed_open(&b, files[f], "structs", 1, 32);
		args.p = add_buffer(&b, "p", 128);
		give(&b, &args, sizeof(args));
		out = give_buffer(&b, 128);
		bed_fill(&b);
		for (i32 i = 0; i < 32; i++)
			store_poke(&b.store, args.p + 4 * (u32)i, &(i32){i * i}, 4);
		bed_good(&b);
		for (i32 i = 0; i < 32; i++)
			assert_int_equal(int_at(&b, out, (u32)i), 130 + i * i + args.b[i % 5]);
		bed_close(&b);
	}
}

/* Carries and borrows over three words. */
static void test_carry(void **state UNUSED)
{
	static const u32 rows[][2] = {{0xffffffff, 1}, {3, 4}, {0x80000000, 0x80000000}, {7, 0xffffffff}};

	for (u32 f = 0; f < ARRAY_LEN(files) * ARRAY_LEN(rows); f++) {
		u32 a = rows[f / 2][0], c = rows[f / 2][1];
		unsigned __int128 sum = ((unsigned __int128)a << 32 | a) + ((u64)5 << 32 | c);
		unsigned __int128 difference = ((unsigned __int128)a << 32 | a) - ((u64)5 << 32 | c);
		u64 low = (u64)(u32)(a * c) + a, high = ((u64)a * c >> 32) + 5 + (low >> 32);
		u32 want[9] = {(u32)sum,
			       (u32)(sum >> 32),
			       (u32)(sum >> 64),
			       (u32)difference,
			       (u32)(difference >> 32),
			       (u32)(difference >> 64),
			       (u32)low,
			       (u32)high,
			       (u32)(high >> 32)};
		struct bed b;
		u64 out;

		bed_open(&b, files[f % 2], "carry", 1, 1);
		out = give_buffer(&b, 36);
		give_int(&b, (i32)a);
		give_int(&b, (i32)c);
		bed_fill(&b);
		bed_good(&b);
		for (u32 i = 0; i < 9; i++)
			if ((u32)int_at(&b, out, i) != want[i])
				fail_msg("%s: %x, %x: word %u is %x, not %x", files[f % 2], a, c, i, int_at(&b, out, i),
					 want[i]);
		bed_close(&b);
	}
}

/* Barriers that count and combine; a named one at which one warp arrives and the other waits. */
static void test_barriers(void **state UNUSED)
{
	for (u32 f = 0; f < ARRAY_LEN(files); f++) {
		struct bed b;
		u64 out;

		bed_open(&b, files[f], "barriers", 1, 64);
		out = give_buffer(&b, 256);
		bed_fill(&b);
		assert_true(b.launch.kernel->has_barrier);
		bed_good(&b);
		for (u32 i = 0; i < 64; i++)
			assert_int_equal(int_at(&b, out, i), 32 + 1 + 2);
		bed_close(&b);
	}
}

/* printf gives its number of arguments and goes on; a failed assertion and a trap are faults; fences, prefetches,
 * clocks run. */
static void test_others(void **state UNUSED)
{
	static const struct {
		i32 n;
		enum status want;
		const char *message;
	} rows[] = {{3, STATUS_OK, ""}, {0, STATUS_CHECK, "assert"}, {77, STATUS_CHECK, "trap"}};

	for (u32 i = 0; i < ARRAY_LEN(rows) * ARRAY_LEN(files); i++) {
		u32 row = i / 2;
		struct error e = {0};
		struct bed b;
		u64 out;

		bed_open(&b, files[i % 2], "prints", 1, 40);
		give_int(&b, rows[row].n);
		out = give_buffer(&b, 160);
		bed_fill(&b);
		assert_true(b.launch.kernel->prints);
		assert_int_equal(bed_run(&b, &e), rows[row].want);
		if (!strstr(e.message, rows[row].message))
			fail_msg("%s", e.message);
		assert_true(rows[row].want || int_at(&b, out, 39) == 3);
		bed_close(&b);
	}
	for (u32 f = 0; f < ARRAY_LEN(files); f++) {
		struct bed b;
		u64 w;

		bed_open(&b, files[f], "fences", 1, 32);
		give_buffer(&b, 256);
		w = give_buffer(&b, 512);
		bed_fill(&b);
		bed_good(&b);
		assert_int_equal(int_at(&b, w, 5), 1);
		bed_close(&b);
		bed_open(&b, files[f], "timing", 1, 32);
		give_buffer(&b, 256);
		bed_fill(&b);
		assert_true(b.launch.kernel->reads_time);
		bed_good(&b);
		bed_close(&b);
	}
}

#define CLANG "tests/ptx/families_clang.ptx"

struct pack {
	i8 tag;
	i16 level;
	i32 count;
	double value;
	u8 bytes[6];
};

/* Structs of odd parts, narrow integers and bools as clang passes them. */
static void test_clang_functions(void **state UNUSED)
{
	struct pack in[32] = {0}, got[32];
	struct bed b;
	u64 p, w, o;

	bed_open(&b, CLANG, "functions", 1, 32);
	p = give_buffer(&b, sizeof(in));
	w = give_buffer(&b, 256);
	o = give_buffer(&b, 128);
	bed_fill(&b);
	for (i32 i = 0; i < 32; i++)
		in[i] = (struct pack){
			(i8)(i * 9), (i16)(i * -1000), i << 20, i * 0.125, {1, 2, 3, 4, 5, (u8)(i + 250)}};
	store_poke(&b.store, p, in, sizeof(in));
	bed_good(&b);
	store_read(&b.store, p, got, sizeof(got));
	for (i32 i = 0; i < 32; i++) {
		in[i].bytes[i & 3] ^= 1;
		assert_int_equal(got[i].tag, (i8)(in[i].tag + i));
		assert_int_equal(got[i].level, (i16)(in[i].level * 2));
		assert_int_equal(got[i].count, in[i].count - i);
		assert_true(got[i].value == in[i].value + 0.5);
		assert_memory_equal(got[i].bytes, in[i].bytes, 6);
		assert_int_equal(long_at(&b, w, (u32)i), i < 2 ? ~0ull : (u64)(i - 2) << (i + 30));
		assert_int_equal(int_at(&b, o, (u32)i), (i8)((i16)(i * 100) >> 1) + 1000 * ((i & 3) == 3));
	}
	bed_close(&b);
}

/* One pointer into four memories, and clang's shuffles and votes. */
static void test_clang_lanes(void **state UNUSED)
{
	struct bed b;
	i32 before[128], total = 0;
	u64 o;

	bed_open(&b, CLANG, "pointers_everywhere", 1, 32);
	o = give_buffer(&b, sizeof(before));
	bed_fill(&b);
	for (i32 i = 0; i < 128; i++)
		before[i] = i < 64 ? i * 7 : 0;
	store_poke(&b.store, o, before, sizeof(before));
	bed_good(&b);
	for (i32 i = 0; i < 32; i++) {
		static const i32 fixed[] = {9, 8, 7, 6};
		i32 square[] = {0, 1, 4, 9}, local[8], want = i & 1 ? 40 : 42;

		for (i32 k = 0; k < 8; k++)
			local[(k * 3 + i) & 7] = k * i;
		for (i32 k = i & 1; k < (i & 1) + 3; k++)
			want += (i & 3) == 0   ? square[k]
				: (i & 3) == 1 ? local[k]
				: (i & 3) == 2 ? before[32 + k]
					       : fixed[k];
		assert_int_equal(int_at(&b, o, (u32)i), want);
	}
	assert_int_equal(int_at(&b, o, 64), 240);
	assert_int_equal(int_at(&b, o, 65), 256);
	bed_close(&b);
	bed_open(&b, CLANG, "lanes", 1, 32);
	o = give_buffer(&b, 128);
	bed_fill(&b);
	bed_good(&b);
	for (i32 i = 0; i < 32; i++)
		total += i * i;
	for (i32 i = 0; i < 32; i++)
		assert_int_equal(int_at(&b, o, (u32)i),
				 (i32)((u32)total + (u32)min_u32((u32)i + 1, 31) + BALLOT(l, l % 3 == 0) + 1));
	bed_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_pointers),
		cmocka_unit_test(test_names_of_kernels),
		cmocka_unit_test(test_pointers_that_trap),
		cmocka_unit_test(test_pointers_to_none),
		cmocka_unit_test(test_local),
		cmocka_unit_test(test_warp),
		cmocka_unit_test(test_atomics),
		cmocka_unit_test(test_generic),
		cmocka_unit_test(test_dynamic),
		cmocka_unit_test(test_structs),
		cmocka_unit_test(test_carry),
		cmocka_unit_test(test_barriers),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_clang_functions),
		cmocka_unit_test(test_clang_lanes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
