/*
 * test_tensor.c - products of small matrices: kernels that nvcc has compiled, and every shape of mma.sync with its
 * elements where the PTX ISA says. Elements are small integers, so that every sum is exact.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx_bed.h"

/* A matrix entry from -6 to 6. */
static int entry(u32 which, u32 i, u32 k)
{
	return (int)(mix64(which * 10007 + i * 101 + k) % 13) - 6;
}

/* The bits of a small integer as a type: h f16, b bf16, f float (tf32 too), s 32 bits, c 8 bits, 4 e4m3, 5 e5m2, n
 * 4 bits, 1 its lowest bit. */
static u32 bits_of(char type, int v)
{
	float f = (float)v;
	u32 b, e, sign;

	memcpy(&b, &f, 4);
	sign = b >> 16 & 0x8000;
	e = (b >> 23 & 255) - 127 + 15;
	switch (type) {
	case 'h': return !v ? 0 : sign | e << 10 | (b >> 13 & 0x3ff);
	case 'b': return b >> 16;
	case 'f': return b;
	case 's': return (u32)v;
	case '4': return !v ? 0 : sign >> 8 | (e - 15 + 7) << 3 | (b >> 20 & 7);
	case 'n': return (u32)v & 15;
	case '1': return (u32)v & 1;
	case '5': return !v ? 0 : sign >> 8 | e << 2 | (b >> 21 & 3);
	default: return (u32)v & 0xff;
	}
}

/* What such an element counts for, beside another one: its own number; of 4 bits what is left of it. */
static int product_of(char type, bool other, int a, int b)
{
	if (type == '1')
		return other ? (a & b) & 1 : (a ^ b) & 1;
	if (type == 'n' && other)
		return (a & 15) * (b & 15);
	return type == 'n' ? (((a & 15) ^ 8) - 8) * (((b & 15) ^ 8) - 8) : a * b;
}

/* Put an element of a type at place i behind p. */
static void put_element(u8 *p, u32 i, char type, u32 value, u32 bytes)
{
	if (type == 'n')
		p[i / 2] |= (u8)(value << i % 2 * 4);
	else if (type == '1')
		p[i / 8] |= (u8)(value << i % 8);
	else
		memcpy(p + i * bytes, &value, bytes);
}

static u32 size_of(char type)
{
	return strchr("c45", type) ? 1 : type == 'h' || type == 'b' ? 2 : 4;
}

/* A kernel of tensor.ptx: factors and sums of these types; d = a x b + c, in memory side by side or across. */
static void run_compiled(const char *kernel, char factor, char sum, bool across, u32 columns)
{
	u8 in[3][1024];
	struct bed bed;
	u64 at[4];

	bed_open(&bed, "tests/ptx/tensor.ptx", kernel, 1, 32);
	for (u32 i = 0; i < 4; i++)
		at[i] = give_buffer(&bed, 1024);
	bed_fill(&bed);
	for (u32 m = 0; m < 3; m++)
		for (u32 i = 0; i < 256; i++) {
			char type = m == 2 ? sum : factor;
			u32 b = bits_of(type, entry(m, across ? i % 16 : i / 16, across ? i / 16 : i % 16));

			memcpy(in[m] + i * size_of(type), &b, size_of(type));
		}
	for (u32 m = 0; m < 3; m++)
		store_poke(&bed.store, at[m], in[m], 1024);
	bed_good(&bed);
	for (u32 i = 0; i < 16; i++)
		for (u32 j = 0; j < columns; j++) {
			int want = entry(2, i, j);
			u32 got = 0;

			for (u32 k = 0; k < 16; k++)
				want += entry(0, i, k) * entry(1, k, j);
			store_read(&bed.store, at[3] + (across ? j * 16 + i : i * 16 + j) * size_of(sum), &got,
				   size_of(sum));
			if (got != bits_of(sum, want))
				fail_msg("%s: row %u, column %u: %x, not %d", kernel, i, j, got, want);
		}
	bed_close(&bed);
}

static void compiled(void **state)
{
	(void)state;
	run_compiled("halves", 'h', 'f', false, 16);
	run_compiled("across", 'h', 'f', true, 16);
	run_compiled("narrow", 'h', 'h', false, 16);
	run_compiled("narrow_across", 'h', 'h', true, 16);
	run_compiled("brains", 'b', 'f', false, 16);
	run_compiled("bytes", 'c', 's', false, 16);
	run_compiled("bytes_across", 'c', 's', true, 16);
	run_compiled("shared", 'h', 'f', false, 16);
	run_compiled("direct", 'h', 'f', false, 8);
}

/* A matrix of a kernel of tensor.ptx: rows by columns, by rows or by columns. */
struct stored {
	u32 which, rows, columns;
	bool by_columns;
	char type;
	u64 at;
};

static u64 place_of(const struct stored *m, u32 i, u32 k)
{
	u32 bytes = m->type == 'd' ? 8 : size_of(m->type);

	return m->at + (u64)(m->by_columns ? k * m->rows + i : i * m->columns + k) * bytes;
}

static void write_matrix(const struct bed *b, struct stored *m)
{
	for (u32 i = 0; i < m->rows; i++)
		for (u32 k = 0; k < m->columns; k++) {
			double x = entry(m->which, i, k);
			u32 bits = m->type == 'd' ? 0 : bits_of(m->type, entry(m->which, i, k));

			store_poke((struct store *)&b->store, place_of(m, i, k),
				   m->type == 'd' ? (void *)&x : (void *)&bits, m->type == 'd' ? 8 : size_of(m->type));
		}
}

/* d = a x b + c of any shape. */
static void run_shape(const char *kernel, char factor, char sum, u32 m, u32 n, u32 depth, bool by_columns)
{
	struct stored a = {0, m, depth, by_columns, factor, 0}, b = {1, depth, n, by_columns, factor, 0};
	struct stored c = {2, m, n, by_columns, sum, 0}, d = {3, m, n, by_columns, sum, 0};
	struct stored *const all[] = {&a, &b, &c, &d};
	struct bed bed;

	bed_open(&bed, "tests/ptx/tensor.ptx", kernel, 1, 32);
	for (u32 i = 0; i < 4; i++)
		all[i]->at = give_buffer(&bed, 2048);
	bed_fill(&bed);
	for (u32 i = 0; i < 3; i++)
		write_matrix(&bed, all[i]);
	bed_good(&bed);
	for (u32 i = 0; i < m; i++)
		for (u32 j = 0; j < n; j++) {
			int want = entry(2, i, j);
			double x = 0;
			u32 got = 0;

			for (u32 k = 0; k < depth; k++)
				want += entry(0, i, k) * entry(1, k, j);
			if (sum == 'd')
				store_read(&bed.store, place_of(&d, i, j), &x, 8);
			else
				store_read(&bed.store, place_of(&d, i, j), &got, size_of(sum));
			if (sum == 'd' ? x != want : got != bits_of(sum, want))
				fail_msg("%s: row %u, column %u: %x %g, not %d", kernel, i, j, got, x, want);
		}
	bed_close(&bed);
}

static void oblong_and_doubles(void **state)
{
	static const struct {
		const char *name;
		char factor, sum;
	} rows[] = {{"halves", 'h', 'f'}, {"narrow", 'h', 'h'}, {"brains", 'b', 'f'}, {"bytes", 'c', 's'}};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(rows); i++)
		for (u32 k = 0; k < 4; k++) {
			char kernel[40];

			snprintf(kernel, sizeof(kernel), "%s_%s_%s", k & 1 ? "wide" : "tall", rows[i].name,
				 k & 2 ? "columns" : "rows");
			run_shape(kernel, rows[i].factor, rows[i].sum, k & 1 ? 8 : 32, k & 1 ? 32 : 8, 16, k & 2);
		}
	run_shape("doubles_rows", 'd', 'd', 8, 8, 4, false);
	run_shape("doubles_columns", 'd', 'd', 8, 8, 4, true);
}

/* A shape of mma.sync: depth, elements of a register, registers of A, B, C. */
struct shape {
	const char *op;
	u32 k, per;
	char factor, sum;
	u32 a, b, c;
	int bias;
	char other; /* the type of B, if it is not factor; of 4 bits: they are unsigned; of bits: .and */
};

/* Where element i of lane l's registers of A lies: the rows of the PTX ISA's figures. */
static void place_a(const struct shape *s, u32 l, u32 i, u32 *row, u32 *col)
{
	u32 reg = i / s->per;

	*row = reg == 0 || reg == 2 ? l >> 2 : (l >> 2) + 8;
	*col = (l & 3) * s->per + i % s->per + (reg < 2 ? 0 : 4 * s->per);
}
static void place_b(const struct shape *s, u32 l, u32 i, u32 *row, u32 *col)
{
	*row = (l & 3) * s->per + i % s->per + (i < s->per ? 0 : 4 * s->per);
	*col = l >> 2;
}

/* The registers of all lanes, lane by lane: a, b, c. bias is added to elements. */
static void fill(const struct shape *s, u8 *out)
{
	u32 bytes = size_of(s->factor), row, col, value;

	for (u32 l = 0; l < 32; l++) {
		for (u32 i = 0; i < s->a * s->per; i++) {
			place_a(s, l, i, &row, &col);
			value = bits_of(s->factor, s->bias + entry(0, row, col));
			put_element(out + l * 64, i, s->factor, value, bytes);
		}
		for (u32 i = 0; i < s->b * s->per; i++) {
			place_b(s, l, i, &row, &col);
			value = bits_of(s->other ? s->other : s->factor, s->bias + entry(1, row, col));
			put_element(out + l * 64 + 16, i, s->factor, value, bytes);
		}
		for (u32 i = 0; i < 4; i++) {
			value = bits_of(s->sum, entry(2, l / 4 + i / 2 * 8, l % 4 * 2 + i % 2));
			memcpy(out + l * 64 + 24 + i * size_of(s->sum), &value, size_of(s->sum));
		}
	}
}

/* A kernel of one warp: 10 words of each lane in, its registers of D out. */
static void make_text(struct text *t, const struct shape *s)
{
	static const char *const a[] = {"", "{%r0}", "{%r0,%r1}", "", "{%r0,%r1,%r2,%r3}"}, *const b[] = {"", "{%r4}",
													  "{%r4,%r5}"};

	text_add(
		t,
		".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p)\n{\n.reg .b64 %%d<4>; .reg .b32 %%r<20>;\n"
		"ld.param.u64 %%d1, [p]; mov.u32 %%r18, %%tid.x; mul.wide.u32 %%d2, %%r18, 64; add.s64 %%d1, %%d1, %%d2;\n");
	for (u32 i = 0; i < 10; i++)
		text_add(t, "ld.global.u32 %%r%u, [%%d1+%u];\n", i, 4 * i);
	text_add(t, "mma.sync.aligned.%s %s, %s, %s, %s;\n", s->op, s->c == 4 ? "{%r10,%r11,%r12,%r13}" : "{%r10,%r11}",
		 a[s->a], b[s->b], s->c == 4 ? "{%r6,%r7,%r8,%r9}" : "{%r6,%r7}");
	for (u32 i = 0; i < s->c; i++)
		text_add(t, "st.global.u32 [%%d1+%u], %%r%u;\n", 40 + 4 * i, 10 + i);
	text_add(t, "ret;\n}\n");
}

static void check_shape(const struct shape *s)
{
	u8 words[32 * 64] = {0};
	struct text t = {0};
	struct bed bed;
	u64 at;

	make_text(&t, s);
	bed_text(&bed, t.s, "k", 1, 32);
	at = give_buffer(&bed, sizeof(words));
	bed_fill(&bed);
	fill(s, words);
	store_poke(&bed.store, at, words, sizeof(words));
	bed_good(&bed);
	store_read(&bed.store, at, words, sizeof(words));
	for (u32 l = 0; l < 32; l++)
		for (u32 i = 0; i < (s->a == 1 ? 2 : 4); i++) {
			u32 row = l / 4 + i / 2 * 8, col = l % 4 * 2 + i % 2, got = 0;
			int want = entry(2, row, col);

			for (u32 k = 0; k < s->k; k++)
				want += product_of(s->factor, s->other, s->bias + entry(0, row, k),
						   s->bias + entry(1, k, col));
			memcpy(&got, words + l * 64 + 40 + i * size_of(s->sum), size_of(s->sum));
			if (got != bits_of(s->sum, want))
				fail_msg("%s: row %u, column %u: %x, not %d", s->op, row, col, got, want);
		}
	bed_close(&bed);
	text_free(&t);
}

/* The mixed signs of 4 bits, by one element: 15 or -1 times 15 or -1, 64 deep. */
static void signs(void **state)
{
	static const char *const types[] = {"s32.s4.s4.s32", "s32.u4.s4.s32", "s32.s4.u4.s32", "s32.u4.u4.s32"};
	static const int want[] = {64, -15 * 64, -15 * 64, 15 * 15 * 64};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(types); i++) {
		struct text t = {0};
		struct bed bed;
		u64 at;

		text_add(
			&t,
			".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p)\n{\n.reg .b64 %%d<4>; .reg .b32 %%r<20>;\n"
			"ld.param.u64 %%d1, [p]; mov.u32 %%r2, -1; mov.u32 %%r3, 0;\nmma.sync.aligned.m16n8k64.row.col.%s "
			"{%%r4,%%r5,%%r6,%%r7}, {%%r2,%%r2,%%r2,%%r2}, {%%r2,%%r2}, {%%r3,%%r3,%%r3,%%r3};\nst.global.u32 [%%d1], %%r6; ret;\n}\n",
			types[i]);
		bed_text(&bed, t.s, "k", 1, 32);
		at = give_buffer(&bed, 128);
		bed_fill(&bed);
		bed_good(&bed);
		assert_int_equal(int_at(&bed, at, 0), want[i]);
		bed_close(&bed);
		text_free(&t);
	}
}

/* A kernel of tensor.ptx: 8 x 8 of elements of so many bits, each row 16 bytes of `stride'. */
static void check_packed(const char *kernel, char factor, bool other, u32 stride)
{
	u32 bits = factor == '1' ? 1 : 4, depth = 128 / bits;
	u8 in[2][8 * 64] = {{0}};
	int c[65], d[64];
	struct bed bed;
	u64 at[4];

	bed_open(&bed, "tests/ptx/tensor.ptx", kernel, 1, 32);
	for (u32 i = 0; i < 4; i++)
		at[i] = give_buffer(&bed, 512);
	bed_fill(&bed);
	for (u32 i = 0; i < 8; i++)
		for (u32 k = 0; k < depth; k++) {
			put_element(in[0] + i * stride, k, factor, bits_of(factor, entry(0, i, k)), 0);
			put_element(in[1] + i * 16, k, factor, bits_of(factor, entry(1, i, k)), 0);
		}
	for (u32 i = 0; i < 64; i++)
		c[i] = entry(2, i / 8, i % 8);
	c[64] = (int)(stride * 8 / bits);
	store_poke(&bed.store, at[0], in[0], sizeof(in[0]));
	store_poke(&bed.store, at[1], in[1], sizeof(in[1]));
	store_poke(&bed.store, at[2], c, sizeof(c));
	bed_good(&bed);
	store_read(&bed.store, at[3], d, sizeof(d));
	for (u32 i = 0; i < 64; i++) {
		bool down = factor == 'n' && other; /* this kernel's sums lie by columns */
		u32 row = down ? i % 8 : i / 8, column = down ? i / 8 : i % 8;
		int want = c[i];

		for (u32 k = 0; k < depth; k++)
			want += product_of(factor, other, entry(0, row, k), entry(1, column, k));
		if (d[i] != want)
			fail_msg("%s: row %u, column %u: %d, not %d", kernel, row, column, d[i], want);
	}
	bed_close(&bed);
}

static void packed(void **state)
{
	(void)state;
	check_packed("nibbles", 'n', false, 16);
	check_packed("nibbles", 'n', false, 48);
	check_packed("unsigned_nibbles", 'n', true, 64);
	check_packed("bits_xor", '1', false, 16);
	check_packed("bits_and", '1', true, 32);
}

static void shapes(void **state)
{
	static const struct shape row[] = {
		{"m16n8k8.row.col.f32.f16.f16.f32", 8, 2, 'h', 'f', 2, 1, 4, 0, 0},
		{"m16n8k16.row.col.f32.f16.f16.f32", 16, 2, 'h', 'f', 4, 2, 4, 0, 0},
		{"m16n8k8.row.col.f16.f16.f16.f16", 8, 2, 'h', 'h', 2, 1, 2, 0, 0},
		{"m16n8k16.row.col.f16.f16.f16.f16", 16, 2, 'h', 'h', 4, 2, 2, 0, 0},
		{"m16n8k8.row.col.f32.bf16.bf16.f32", 8, 2, 'b', 'f', 2, 1, 4, 0, 0},
		{"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 2, 'b', 'f', 4, 2, 4, 0, 0},
		{"m16n8k4.row.col.f32.tf32.tf32.f32", 4, 1, 'f', 'f', 2, 1, 4, 0, 0},
		{"m16n8k8.row.col.f32.tf32.tf32.f32", 8, 1, 'f', 'f', 4, 2, 4, 0, 0},
		{"m16n8k16.row.col.s32.s8.s8.s32", 16, 4, 'c', 's', 2, 1, 4, -100, 0},
		{"m16n8k32.row.col.s32.s8.s8.s32", 32, 4, 'c', 's', 4, 2, 4, 3, 0},
		{"m16n8k32.row.col.s32.u8.u8.s32", 32, 4, 'c', 's', 4, 2, 4, 200, 0},
		{"m16n8k32.row.col.satfinite.s32.u8.s8.s32", 32, 4, 'c', 's', 4, 2, 4, 6, 0},
		{"m8n8k16.row.col.s32.s8.s8.s32", 16, 4, 'c', 's', 1, 1, 2, -100, 0},
		{"m8n8k16.row.col.satfinite.s32.u8.u8.s32", 16, 4, 'c', 's', 1, 1, 2, 200, 0},
		{"m16n8k16.row.col.f32.e4m3.e4m3.f32", 16, 4, '4', 'f', 2, 1, 4, 0, 0},
		{"m16n8k32.row.col.f32.e4m3.e4m3.f32", 32, 4, '4', 'f', 4, 2, 4, 0, 0},
		{"m16n8k32.row.col.f32.e5m2.e5m2.f32", 32, 4, '5', 'f', 4, 2, 4, 0, 0},
		{"m16n8k32.row.col.f32.e5m2.e4m3.f32", 32, 4, '5', 'f', 4, 2, 4, 0, '4'},
		{"m16n8k32.row.col.f32.e4m3.e5m2.f32", 32, 4, '4', 'f', 4, 2, 4, 0, '5'},
		{"m16n8k16.row.col.f16.e4m3.e4m3.f16", 16, 4, '4', 'h', 2, 1, 2, 0, 0},
		{"m16n8k32.row.col.f16.e4m3.e4m3.f16", 32, 4, '4', 'h', 4, 2, 2, 0, 0},
		{"m16n8k32.row.col.f16.e5m2.e5m2.f16", 32, 4, '5', 'h', 4, 2, 2, 0, 0},
		{"m16n8k32.row.col.f16.e5m2.e4m3.f16", 32, 4, '5', 'h', 4, 2, 2, 0, '4'},
		{"m16n8k32.row.col.f16.e4m3.e5m2.f16", 32, 4, '4', 'h', 4, 2, 2, 0, '5'},
		{"m16n8k32.row.col.s32.s4.s4.s32", 32, 8, 'n', 's', 2, 1, 4, 0, 0},
		{"m16n8k64.row.col.s32.s4.s4.s32", 64, 8, 'n', 's', 4, 2, 4, 5, 0},
		{"m16n8k64.row.col.satfinite.s32.u4.u4.s32", 64, 8, 'n', 's', 4, 2, 4, 3, 'n'},
		{"m8n8k32.row.col.s32.s4.s4.s32", 32, 8, 'n', 's', 1, 1, 2, 0, 0},
		{"m8n8k32.row.col.satfinite.s32.u4.u4.s32", 32, 8, 'n', 's', 1, 1, 2, 0, 'n'},
		{"m16n8k128.row.col.s32.b1.b1.s32.xor.popc", 128, 32, '1', 's', 2, 1, 4, 0, 0},
		{"m16n8k256.row.col.s32.b1.b1.s32.xor.popc", 256, 32, '1', 's', 4, 2, 4, 0, 0},
		{"m16n8k256.row.col.s32.b1.b1.s32.and.popc", 256, 32, '1', 's', 4, 2, 4, 0, '1'},
		{"m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 128, 32, '1', 's', 1, 1, 2, 0, 0},
		{"m8n8k128.row.col.s32.b1.b1.s32.and.popc", 128, 32, '1', 's', 1, 1, 2, 0, '1'},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(row); i++)
		check_shape(&row[i]);
}

/* m8n8k4 of halves: words of A, B (2 each), C and D of a lane, at 0, 2, 4 and 12. Which bits: 1 A by columns, 2 B by
 * rows, 4 sums of halves. */
static void make_quads(struct text *t, u32 which)
{
	bool halves = which & 4;

	text_add(
		t,
		".version 8.0\n.target sm_70\n.address_size 64\n.entry k(.param .u64 p)\n{\n.reg .b64 %%d<4>; .reg .b32 %%r<32>;\n"
		"ld.param.u64 %%d1, [p]; mov.u32 %%r28, %%tid.x; mul.wide.u32 %%d2, %%r28, 128; add.s64 %%d1, %%d1, %%d2;\n");
	for (u32 i = 0; i < 12; i++)
		text_add(t, "ld.global.u32 %%r%u, [%%d1+%u];\n", i, 4 * i);
	text_add(t, "mma.sync.aligned.m8n8k4.%s.%s.%s %s, {%%r0,%%r1}, {%%r2,%%r3}, %s;\n", which & 1 ? "col" : "row",
		 which & 2 ? "row" : "col", halves ? "f16.f16.f16.f16" : "f32.f16.f16.f32",
		 halves ? "{%r12,%r13,%r14,%r15}" : "{%r12,%r13,%r14,%r15,%r16,%r17,%r18,%r19}",
		 halves ? "{%r4,%r5,%r6,%r7}" : "{%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11}");
	for (u32 i = 0; i < (halves ? 4 : 8); i++)
		text_add(t, "st.global.u32 [%%d1+%u], %%r%u;\n", 48 + 4 * i, 12 + i);
	text_add(t, "ret;\n}\n");
}

/* Where element i of a lane's C lies: the formulas of the PTX ISA, 9.7.14. */
static void quad_place(u32 which, u32 l, u32 i, u32 *row, u32 *col)
{
	if (which & 4) {
		*row = l % 4 + (l < 16 ? 0 : 4);
		*col = i;
	} else {
		*row = (l & 1) + (i & 2) + (l < 16 ? 0 : 4);
		*col = (i & 4) + (l & 2) + (i & 1);
	}
}

static void check_quads(u32 which)
{
	u8 words[32 * 128] = {0};
	char sum = which & 4 ? 'h' : 'f';
	struct text t = {0};
	struct bed bed;
	u64 at;

	make_quads(&t, which);
	bed_text(&bed, t.s, "k", 1, 32);
	at = give_buffer(&bed, sizeof(words));
	bed_fill(&bed);
	for (u32 l = 0; l < 32; l++) {
		u32 pair = l % 16 / 4, thread = l % 4 + (l < 16 ? 0 : 4), value, row, col;

		for (u32 i = 0; i < 4; i++) {
			/* by rows: the thread's row; by columns: column l % 4, rows from 0 or 4 on */
			value = bits_of('h', which & 1 ? entry(3 * pair, i + (l < 16 ? 0 : 4), l % 4)
						       : entry(3 * pair, thread, i));
			memcpy(words + l * 128 + 2 * i, &value, 2);
			value = bits_of('h', which & 2 ? entry(3 * pair + 1, l % 4, i + (l < 16 ? 0 : 4))
						       : entry(3 * pair + 1, i, thread));
			memcpy(words + l * 128 + 8 + 2 * i, &value, 2);
		}
		for (u32 i = 0; i < 8; i++) {
			quad_place(which, l, i, &row, &col);
			value = bits_of(sum, entry(3 * pair + 2, row, col));
			memcpy(words + l * 128 + 16 + i * size_of(sum), &value, size_of(sum));
		}
	}
	store_poke(&bed.store, at, words, sizeof(words));
	bed_good(&bed);
	store_read(&bed.store, at, words, sizeof(words));
	for (u32 l = 0; l < 32; l++)
		for (u32 i = 0; i < 8; i++) {
			u32 pair = l % 16 / 4, row, col, got = 0;
			int want;

			quad_place(which, l, i, &row, &col);
			want = entry(3 * pair + 2, row, col);
			for (u32 k = 0; k < 4; k++)
				want += entry(3 * pair, row, k) * entry(3 * pair + 1, k, col);
			memcpy(&got, words + l * 128 + 48 + i * size_of(sum), size_of(sum));
			if (got != bits_of(sum, want))
				fail_msg("m8n8k4, %u: pair %u, row %u, column %u: %x, not %d", which, pair, row, col,
					 got, want);
		}
	bed_close(&bed);
	text_free(&t);
}

static void quads(void **state)
{
	(void)state;
	for (u32 which = 0; which < 8; which++)
		check_quads(which);
}

/* m8n8k4 of doubles, A by rows, B by columns. */
static void doubles(void **state)
{
	static const char text[] =
		".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p)\n{\n.reg .b64 %d<12>; .reg .b32 %r<4>;\n"
		"ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 64; add.s64 %d1, %d1, %d2;\n"
		"ld.global.f64 %d3, [%d1]; ld.global.f64 %d4, [%d1+8]; ld.global.f64 %d5, [%d1+16]; ld.global.f64 %d6, [%d1+24];\n"
		"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d7,%d8}, {%d3}, {%d4}, {%d5,%d6};\n"
		"st.global.f64 [%d1+32], %d7; st.global.f64 [%d1+40], %d8; ret;\n}\n";
	double m[32][8] = {{0}};
	struct bed bed;
	u64 at;

	(void)state;
	for (u32 l = 0; l < 32; l++) {
		m[l][0] = entry(0, l / 4, l % 4) / 8.0;
		m[l][1] = entry(1, l % 4, l / 4) / 4.0;
		m[l][2] = entry(2, l / 4, l % 4 * 2);
		m[l][3] = entry(2, l / 4, l % 4 * 2 + 1);
	}
	bed_text(&bed, text, "k", 1, 32);
	at = give_buffer(&bed, sizeof(m));
	bed_fill(&bed);
	store_poke(&bed.store, at, m, sizeof(m));
	bed_good(&bed);
	store_read(&bed.store, at, m, sizeof(m));
	for (u32 l = 0; l < 32; l++)
		for (u32 i = 0; i < 2; i++) {
			double want = entry(2, l / 4, l % 4 * 2 + i);

			for (u32 k = 0; k < 4; k++)
				want += entry(0, l / 4, k) / 8.0 * (entry(1, k, l % 4 * 2 + i) / 4.0);
			if (m[l][4 + i] != want)
				fail_msg("lane %u, %u: %g, not %g", l, i, m[l][4 + i], want);
		}
	bed_close(&bed);
}

/* Sums beyond s32 wrap, or stay at the bound with .satfinite. */
static void bounds(void **state)
{
	static const char *const suffix[] = {"", ".satfinite"};
	static const u32 want[] = {2147483600u + 16 * 127 * 127, 2147483647};
	struct bed bed;
	u64 at;

	(void)state;
	for (u32 i = 0; i < 2; i++) {
		struct text t = {0};

		text_add(
			&t,
			".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p)\n{\n.reg .b64 %%d<4>; .reg .b32 %%r<20>;\n"
			"ld.param.u64 %%d1, [p]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%d2, %%r1, 4; add.s64 %%d1, %%d1, %%d2;\n"
			"mov.u32 %%r2, 0x7f7f7f7f; mov.u32 %%r3, 2147483600;\nmma.sync.aligned.m16n8k16.row.col%s.s32.s8.s8.s32 "
			"{%%r4,%%r5,%%r6,%%r7}, {%%r2,%%r2}, {%%r2}, {%%r3,%%r3,%%r3,%%r3};\nst.global.u32 [%%d1], %%r6; ret;\n}\n",
			suffix[i]);
		bed_text(&bed, t.s, "k", 1, 32);
		at = give_buffer(&bed, 128);
		bed_fill(&bed);
		bed_good(&bed);
		assert_int_equal((u32)int_at(&bed, at, 0), want[i]);
		assert_int_equal((u32)int_at(&bed, at, 31), want[i]);
		bed_close(&bed);
		text_free(&t);
	}
}

/* A kernel that loads one matrix transposed or not: lane l has the halves 16 i + k. */
static void matrices(void **state)
{
	static const char text[] =
		".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p)\n{\n.reg .b64 %d<4>; .reg .b32 %r<20>; "
		".reg .b16 %h<3>; .shared .align 16 .b8 s[1024];\nld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 8; "
		"add.s64 %d1, %d1, %d2;\nmov.u32 %r2, s; mov.u32 %r3, 0;\nL: shl.b32 %r4, %r1, 4; add.s32 %r4, %r4, %r3; cvt.u16.u32 %h1, %r4; "
		"shl.b32 %r5, %r4, 1; add.s32 %r5, %r5, %r2; st.shared.u16 [%r5], %h1; add.s32 %r3, %r3, 1; .reg .pred %q; "
		"setp.lt.u32 %q, %r3, 16; @%q bra L;\nbar.warp.sync -1; shl.b32 %r6, %r1, 5; add.s32 %r6, %r6, %r2;\n"
		"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r7, %r8}, [%r6+16];\nldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r9}, [%r6];\n"
		"st.global.v2.u32 [%d1], {%r8, %r9}; ret;\n}\n";
	struct bed bed;
	u64 at;

	(void)state;
	bed_text(&bed, text, "k", 1, 32);
	at = give_buffer(&bed, 256);
	bed_fill(&bed);
	bed_good(&bed);
	for (u32 l = 0; l < 32; l++) {
		u32 row = 8 + l / 4, k = 8 + l % 4 * 2;

		assert_int_equal(int_at(&bed, at, 2 * l), (row * 16 + k) | (row * 16 + k + 1) << 16);
		assert_int_equal(int_at(&bed, at, 2 * l + 1), (l % 4 * 2 * 16 + l / 4) | ((l % 4 * 2 + 1) * 16 + l / 4)
												 << 16);
	}
	bed_close(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compiled), cmocka_unit_test(oblong_and_doubles),
		cmocka_unit_test(shapes),   cmocka_unit_test(quads),
		cmocka_unit_test(doubles),  cmocka_unit_test(bounds),
		cmocka_unit_test(matrices), cmocka_unit_test(signs),
		cmocka_unit_test(packed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
