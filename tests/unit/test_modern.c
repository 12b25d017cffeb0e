/*
 * test_modern.c - jump tables, stmatrix, movmatrix, elect.sync and mbarrier.pending_count in kernels that nvcc has
 * compiled, and what is wrong with lists of branch targets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ptx_bed.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

static u64 run_kernel(struct bed *b, const char *kernel, const u32 *in, u32 threads)
{
	u64 from = 0, out;

	bed_open(b, "tests/ptx/modern.ptx", kernel, 1, threads);
	if (in)
		from = give_buffer(b, 4 * threads);
	out = give_buffer(b, 512);
	bed_fill(b);
	if (in)
		store_poke(&b->store, from, in, 4 * threads);
	bed_good(b);
	return out;
}

static void jump_table(void **state)
{
	u32 in[64];
	struct bed b;
	u64 out;

	(void)state;
	for (u32 i = 0; i < 64; i++)
		in[i] = i % 11;
	out = run_kernel(&b, "table", in, 64);
	for (i32 i = 0; i < 64; i++) {
		i32 want[11] = {
			i * 3 + 1, i / 3, __builtin_popcount((u32)i), i ^ 0x55, -i, i << 3, i % 5, i * i, 1000 - i,
			-1,	   -1};

		assert_int_equal(int_at(&b, out, (u32)i), want[i % 11]);
	}
	bed_close(&b);
}

/* brx.idx over a list of its own in two blocks, one target twice, a branch back. */
static void indexed_branch(void **state)
{
	static const char text[] = HEAD
		".entry k(.param .u64 in, .param .u64 out) { .reg .b32 %r<6>; .reg .pred %p<2>; .reg .b64 %d<4>;\n"
		"ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r1, %tid.x; mad.wide.u32 %d1, %r1, 4, %d1;\n"
		"mad.wide.u32 %d2, %r1, 4, %d2; ld.global.u32 %r2, [%d1]; mov.u32 %r3, 0;\n"
		"LIST: .branchtargets A, B, A, C;\nAGAIN: brx.idx %r2, LIST;\n"
		"A: add.u32 %r3, %r3, 1; bra.uni DONE;\nB: add.u32 %r3, %r3, 10; mov.u32 %r2, 3; bra.uni AGAIN;\n"
		"C: add.u32 %r3, %r3, 100; { LIST: .branchtargets DONE, X; brx.idx.uni 1, LIST; X: add.u32 %r3, %r3, 1000; }\n"
		"DONE: st.global.u32 [%d2], %r3; ret; }\n";
	u32 in[32];
	struct bed b;
	u64 from, out;

	(void)state;
	for (u32 i = 0; i < 32; i++)
		in[i] = i % 4;
	bed_text(&b, text, "k", 1, 32);
	from = give_buffer(&b, 128);
	out = give_buffer(&b, 128);
	bed_fill(&b);
	store_poke(&b.store, from, in, sizeof(in));
	bed_good(&b);
	for (u32 i = 0; i < 32; i++)
		assert_int_equal(int_at(&b, out, i), ((const i32[]){1, 1110, 1, 1100})[i % 4]);
	bed_close(&b);
}

/* Half k of memory or of a register. */
static u32 half_at(const struct bed *b, u64 at, u32 k)
{
	u16 h;

	store_read(&b->store, at + 2 * k, &h, 2);
	return h;
}

/* Lane l has row l / 4, columns 2 (l % 4) and the next: element (r, c) of matrix m is 256 m + 8 r + c. */
static void matrices(void **state)
{
	struct bed b;
	u64 out;

	(void)state;
	out = run_kernel(&b, "stored", NULL, 32);
	for (u32 i = 0; i < 256; i++)
		assert_int_equal(half_at(&b, out, i), i / 64 * 256 + i % 64);
	bed_close(&b);
	out = run_kernel(&b, "stored_across", NULL, 32);
	for (u32 i = 0; i < 256; i++)
		assert_int_equal(half_at(&b, out, i), i / 64 * 256 + i % 8 * 8 + i / 8 % 8);
	bed_close(&b);
	out = run_kernel(&b, "moved", NULL, 32);
	for (u32 i = 0; i < 64; i++)
		assert_int_equal(half_at(&b, out, i), i % 8 * 8 + i / 8);
	bed_close(&b);
}

static void elected_lane(void **state)
{
	struct bed b;
	u64 out = run_kernel(&b, "elected", NULL, 32);

	(void)state;
	for (u32 l = 0; l < 32; l++)
		assert_int_equal(int_at(&b, out, l), l < 4 ? 0 : l < 12 ? 8 + (l == 4) : 24 + (l == 12));
	bed_close(&b);
}

/* An mbarrier of 5 arrivals: one thread arrives three times. */
static void pending_arrivals(void **state)
{
	struct bed b;
	u64 out = run_kernel(&b, "pending", NULL, 1);

	(void)state;
	for (u32 i = 0; i < 3; i++)
		assert_int_equal(int_at(&b, out, i), 5 - i);
	bed_close(&b);
}

static void bad_text(void **state)
{
	static const struct {
		const char *text;
		u32 column;
		const char *want;
	} rows[] = {
		{".branchtargets A; A: ret;", 1, "needs a name"},
		{"A: mov.u32 %r1, 1; .branchtargets A;", 20, "needs a name"},
		{"L: .branchtargets A B; A: ret;", 21, "',' or ';'"},
		{"L: .branchtargets ; A: ret;", 19, "a label"},
		{"L: .branchtargets A, C; brx.idx %r1, L; A: ret;", 22, "label 'C' is not defined"},
		{"A: brx.idx %r1, A; ret;", 17, "'A' is not a list of branch targets"},
		{"L: .branchtargets A; @%p1 brx.idx %r1, L; A: ret;", 27, "with a guard is not supported"},
		{"elect.sync %r1, -1;", 12, "needs two destinations"},
		{"stmatrix.sync.aligned.m8n8.x3.shared.b16 [%r1], {%r1, %r1, %r1};", 1, "is not supported"},
		{"stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1], {%r1};", 49, "needs 2 registers in braces"},
		{"movmatrix.sync.aligned.m8n8.b16 %r1, %r1;", 1, "is not supported"},
		{"mbarrier.pending_count.b64 %r1;", 1, "takes 2 operands"},
		{"griddepcontrol.now;", 1, "unknown instruction"},
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_LEN(rows); i++) {
		struct text t = {0};
		struct error e = {0};
		struct module *m;

		text_add(&t, HEAD ".entry k() { .reg .b32 %%r<4>; .reg .pred %%p<2>;\n%s\nret; }\n", rows[i].text);
		assert_int_equal(ptx_load_text("t.ptx", t.s, strlen(t.s), &m, &e), STATUS_USAGE);
		if (e.line != 5 || e.column != rows[i].column || !strstr(e.message, rows[i].want))
			fail_msg("%s: %u:%u: %s", rows[i].text, e.line, e.column, e.message);
		text_free(&t);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(jump_table),	cmocka_unit_test(indexed_branch),   cmocka_unit_test(matrices),
		cmocka_unit_test(elected_lane), cmocka_unit_test(pending_arrivals), cmocka_unit_test(bad_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
