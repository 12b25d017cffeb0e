/* test_store.c - values: forks share until written, hashes see contents only, nothing leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "program.h"
#include "store.h"

#define BASE STORE_GLOBAL_BASE
#define TABLES(contexts, ctas, pages) (((contexts) + (ctas) + (pages)) * sizeof(void *))
#define HELD(bytes) (sizeof(struct chunk) + (bytes))

/* Unwritten memory reads as zero; what is poked across pages reads back; the neighbours stay zero. */
static void test_global(void **state UNUSED)
{
	u8 in[2 * STORE_PAGE], out[2 * STORE_PAGE + 2];
	struct store s;

	for (u32 i = 0; i < sizeof(in); i++)
		in[i] = (u8)mix64(i) | 1;
	store_init(&s, 0, 0, 3 * STORE_PAGE + 1);
	assert_int_equal(s.npages, 4);
	assert_ptr_equal(store_page_read(&s, BASE), store_zero_page);
	store_poke(&s, BASE + 100, in, sizeof(in));
	store_read(&s, BASE + 99, out, sizeof(out));
	assert_int_equal(out[0], 0);
	assert_memory_equal(out + 1, in, sizeof(in));
	assert_int_equal(out[sizeof(out) - 1], 0);
	assert_null(s.page[3]);
	store_free(&s);
}

/* A fork sees what was there, and neither side sees what the other writes afterwards. */
static void test_fork(void **state UNUSED)
{
	struct store a, b, c;
	u32 x = 1, got;

	store_init(&a, 2, 1, 2 * STORE_PAGE);
	store_poke(&a, BASE, &x, 4);
	store_reset(&a, &a.context[1], 256);
	store_write(&a, &a.context[1])[5] = 50;
	store_fork(&b, &a);
	assert_ptr_equal(a.page[0], b.page[0]);
	x = 2;
	store_poke(&a, BASE, &x, 4);
	store_write(&a, &a.context[1])[5] = 51;
	store_read(&b, BASE, &got, 4);
	assert_int_equal(got, 1);
	assert_int_equal(b.context[1]->data[5], 50);
	store_fork(&c, &b);
	x = 3;
	store_poke(&b, BASE + STORE_PAGE, &x, 4);
	store_reset(&b, &b.context[1], 256);
	store_read(&c, BASE + STORE_PAGE, &got, 4);
	assert_int_equal(got, 0);
	assert_int_equal(c.context[1]->data[5], 50);
	assert_int_equal(b.context[1]->data[5], 0);
	store_free(&b);
	store_read(&c, BASE, &got, 4);
	assert_int_equal(got, 1);
	store_read(&a, BASE, &got, 4);
	assert_int_equal(got, 2);
	store_free(&a);
	store_free(&c);
}

/* Resetting gives zeros of the size asked for, and size 0 empties. */
static void test_reset(void **state UNUSED)
{
	struct chunk *first;
	struct store s;

	store_init(&s, 1, 1, 0);
	store_reset(&s, &s.cta[0], 100);
	first = s.cta[0];
	memset(store_write(&s, &s.cta[0]), 0xff, 100);
	store_reset(&s, &s.cta[0], 100);
	assert_ptr_equal(s.cta[0], first);
	for (u32 i = 0; i < 100; i++)
		assert_int_equal(s.cta[0]->data[i], 0);
	store_reset(&s, &s.cta[0], 200);
	assert_int_equal(s.cta[0]->size, 200);
	store_reset(&s, &s.cta[0], 0);
	assert_null(s.cta[0]);
	assert_int_equal(s.owned, 300);
	store_free(&s);
}

/* The hash depends on contents and place, and on nothing else. */
static void test_hash(void **state UNUSED)
{
	struct store a, b;
	u64 empty, one;
	u8 x = 7, zero = 0;

	store_init(&a, 2, 2, 4 * STORE_PAGE);
	store_init(&b, 2, 2, 4 * STORE_PAGE);
	empty = store_hash(&a);
	assert_int_equal(store_hash(&b), empty);
	store_poke(&a, BASE, &zero, 1);
	store_reset(&a, &a.context[0], 128);
	assert_int_equal(store_hash(&a), empty);
	store_poke(&a, BASE + 5, &x, 1);
	one = store_hash(&a);
	assert_int_not_equal(one, empty);
	store_poke(&b, BASE + STORE_PAGE + 5, &x, 1);
	assert_int_not_equal(store_hash(&b), one);
	store_poke(&b, BASE + STORE_PAGE + 5, &zero, 1);
	store_poke(&b, BASE + 5, &x, 1);
	assert_int_equal(store_hash(&b), one);
	store_reset(&b, &b.context[0], 4096);
	store_write(&b, &b.context[0])[5] = 7;
	store_reset(&a, &a.cta[0], 4096);
	store_write(&a, &a.cta[0])[5] = 7;
	assert_int_not_equal(store_hash(&a), store_hash(&b));
	store_free(&a);
	store_free(&b);
}

/* Equal pages at different places do not cancel out or commute. */
static void test_hash_place(void **state UNUSED)
{
	struct store a, b;
	u8 x = 1, y = 2;

	store_init(&a, 0, 0, 2 * STORE_PAGE);
	store_fork(&b, &a);
	store_poke(&a, BASE, &x, 1);
	store_poke(&a, BASE + STORE_PAGE, &y, 1);
	store_poke(&b, BASE, &y, 1);
	store_poke(&b, BASE + STORE_PAGE, &x, 1);
	assert_int_not_equal(store_hash(&a), store_hash(&b));
	store_free(&a);
	store_free(&b);
}

/* Private bytes: tables always; chunks only while nobody else holds them. */
static void test_private_bytes(void **state UNUSED)
{
	u64 tables = TABLES(2, 1, 3);
	struct store a, b;
	u8 x = 1;

	store_init(&a, 2, 1, 3 * STORE_PAGE);
	assert_int_equal(store_private_bytes(&a), tables);
	store_poke(&a, BASE, &x, 1);
	store_reset(&a, &a.context[0], 256);
	assert_int_equal(store_private_bytes(&a), tables + HELD(STORE_PAGE) + HELD(256));
	store_fork(&b, &a);
	assert_int_equal(store_private_bytes(&a), tables);
	assert_int_equal(store_private_bytes(&b), tables);
	store_poke(&b, BASE, &x, 1);
	assert_int_equal(store_private_bytes(&a), tables + HELD(STORE_PAGE));
	assert_int_equal(store_private_bytes(&b), tables + HELD(STORE_PAGE));
	store_free(&a);
	assert_int_equal(store_private_bytes(&b), tables + HELD(STORE_PAGE) + HELD(256));
	store_free(&b);
}

/* A chunk that is handed over is written in its new place alone; what it was shared with stays, and what stood there is
 * gone. */
static void test_move(void **state UNUSED)
{
	struct store a, b;

	store_init(&a, 3, 1, 0);
	store_reset(&a, &a.context[0], 128);
	store_reset(&a, &a.context[1], 64);
	store_context(&a, 0)[0] = 7;
	store_context(&a, 1)[0] = 9;
	store_move(&a, &a.context[1], &a.context[0]);
	assert_null(a.context[0]);
	assert_null(store_context(&a, 0));
	assert_int_equal(a.context[1]->size, 128);
	assert_int_equal(store_context(&a, 1)[0], 7);
	store_fork(&b, &a);
	store_move(&a, &a.context[2], &a.context[1]);
	store_context(&a, 2)[0] = 8;
	assert_int_equal(b.context[1]->data[0], 7);
	store_reset(&a, &a.context[1], 128);
	store_context(&a, 1)[0] = 1;
	store_move(&b, &b.context[0], &b.context[1]);
	store_move(&a, &a.context[1], &a.context[2]);
	store_free(&b);
	store_fork(&b, &a);
	store_context(&a, 1)[0] = 5;
	assert_int_equal(b.context[1]->data[0], 8);
	store_free(&a);
	store_free(&b);
}

/* What is written in place is nobody else's: before and after forks, after a reset, and none where nothing stands. */
static void test_in_place(void **state UNUSED)
{
	struct store a, b;

	store_init(&a, 2, 1, 0);
	assert_null(store_context(&a, 0));
	assert_null(store_cta(&a, 0));
	store_reset(&a, &a.context[0], 128);
	store_reset(&a, &a.cta[0], 64);
	store_context(&a, 0)[0] = 1;
	store_cta(&a, 0)[0] = 2;
	store_fork(&b, &a);
	store_context(&a, 0)[0] = 3;
	store_cta(&b, 0)[0] = 4;
	assert_int_equal(store_context(&b, 0)[0], 1);
	assert_int_equal(store_context(&a, 0)[0], 3);
	assert_int_equal(store_cta(&a, 0)[0], 2);
	assert_int_equal(store_cta(&b, 0)[0], 4);
	store_reset(&a, &a.context[0], 0);
	assert_null(store_context(&a, 0));
	assert_int_equal(store_context(&b, 0)[0], 1);
	store_free(&a);
	store_free(&b);
}

/* Chunks of a pool: aligned, apart, used again by their size, of more sizes than it has classes, and larger than its
 * blocks. */
static void test_pool(void **state UNUSED)
{
	struct chunk_pool *p = chunk_pool_new();
	struct chunk *c[200], *again;

	for (u32 i = 0; i < ARRAY_LEN(c); i++) {
		c[i] = chunk_take(p, i % 40 ? 4096 + i % 40 * 64 : 3000000);
		assert_int_equal((uintptr_t)c[i]->data % 64, 0);
		memset(c[i]->data, (int)i, c[i]->size);
	}
	for (u32 i = 0; i < ARRAY_LEN(c); i++)
		assert_true(c[i]->data[0] == (u8)i && !memcmp(c[i]->data, c[i]->data + 1, c[i]->size - 1));
	chunk_give(c[1]);
	again = chunk_take(chunk_pool_share(p), c[1]->size);
	assert_ptr_equal(again, c[1]);
	for (u32 i = 0; i < ARRAY_LEN(c); i++)
		chunk_give(c[i]);
	chunk_pool_drop(p);
	chunk_pool_drop(p);
}

/* Threads of a 3-D block are numbered x fastest; the last warp is partial; shared adds up. */
static void test_launch_prepare(void **state UNUSED)
{
	struct kernel k = {.static_shared = 100, .dynamic_shared_base = 112};
	struct launch l = {.kernel = &k, .grid = {3, 2, 1}, .block = {5, 4, 2}, .dynamic_shared = 64};
	struct program p = {.launch = NULL};

	launch_prepare(&l);
	assert_int_equal(l.ctas, 6);
	assert_int_equal(l.threads, 40);
	assert_int_equal(l.warps, 2);
	assert_int_equal(l.shared, 176);
	assert_int_equal(l.warp_mask[0], 0xffffffffu);
	assert_int_equal(l.warp_mask[1], 0xffu);
	assert_int_equal(l.tid[0][39], 4);
	assert_int_equal(l.tid[1][39], 3);
	assert_int_equal(l.tid[2][39], 1);
	assert_int_equal(l.tid[1][19], 3);
	assert_int_equal(l.tid[2][20], 1);
	assert_int_equal(l.tid[0][40], 0);
	l.dynamic_shared = 0;
	launch_prepare(&l);
	assert_int_equal(l.shared, 100);
	p.launch = xmalloc(sizeof(l));
	p.launch[0] = l;
	p.nlaunch = 1;
	program_free(&p);
	assert_null(p.launch);
}

/* An address finds its buffer, or the nearest on either side. */
static void test_buffer_at(void **state UNUSED)
{
	struct buffer b[2] = {{.address = 1000, .bytes = 100}, {.address = 2000, .bytes = 100}};
	struct program p = {.buffer = b, .nbuffer = 2}, none = {0};
	const struct buffer *near;

	assert_ptr_equal(program_buffer_at(&p, 1000, &near), &b[0]);
	assert_ptr_equal(program_buffer_at(&p, 1099, NULL), &b[0]);
	assert_null(program_buffer_at(&p, 1100, &near));
	assert_ptr_equal(near, &b[0]);
	assert_null(program_buffer_at(&p, 1999, &near));
	assert_ptr_equal(near, &b[1]);
	assert_null(program_buffer_at(&p, 0, &near));
	assert_ptr_equal(near, &b[0]);
	assert_null(program_buffer_at(&p, UINT64_MAX, &near));
	assert_ptr_equal(near, &b[1]);
	assert_null(program_buffer_at(&none, 5, &near));
	assert_null(near);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_global),	   cmocka_unit_test(test_fork),
		cmocka_unit_test(test_reset),	   cmocka_unit_test(test_hash),
		cmocka_unit_test(test_hash_place), cmocka_unit_test(test_private_bytes),
		cmocka_unit_test(test_move),	   cmocka_unit_test(test_in_place),
		cmocka_unit_test(test_pool),	   cmocka_unit_test(test_launch_prepare),
		cmocka_unit_test(test_buffer_at),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
